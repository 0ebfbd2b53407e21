"""Set-ups: each playable scenario as a saved game the module opens with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from builder.map import waiting_counters
from builder.module import battle, battleboard, cards, designs, fog, furthermaps, tracker
from builder.module.boards import Board
from builder.module.cups import COUNT_DOWN_PX, DRAWING, CupBoard, count
from builder.module.faults import DataFault
from builder.module.plan import CUPS_MAP, ENGINE, MAIN_MAP, Plan
from fieldpost.definition.model import Game, Provenance, Scenario
from fieldpost.definition.scenariomodel import PlacedMarker, PlacedUnit
from fieldpost.geometry import BOARD_PROPERTY, GAME_PROPERTY, SCENARIO_PROPERTY
from fieldpost.hexes import Hex
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.pieces import PieceDesign
from fieldpost.vassal.saving import SaveBuilder

Point = tuple[int, int]


def metadata(plan: Plan, description: str) -> Metadata:
    game = plan.game
    return Metadata(
        module=game.title,
        version=game.version,
        engine=ENGINE,
        description=description,
        module_engine=ENGINE,
        module_description=game.title,
    )


def offered(game: Game) -> list[Scenario]:
    """The playable scenarios; without any, the empty map to set up by hand."""
    playable = [scenario for scenario in game.scenarios if scenario.playable]
    turns = [turn.number for turn in game.turn_track.turns]
    empty = Scenario("empty-map", "Empty map", turns[0], turns[-1], (), Provenance("reconstructed"))
    return playable or [empty]


def write(plan: Plan, scenario: Scenario, board: Board, cups: CupBoard | None) -> bytes:
    """The saved game of a scenario on one of the module's boards."""
    save = SaveBuilder(metadata(plan, scenario.title))
    save.boards(MAIN_MAP, board.name)
    save.turn(*tracker.state(plan.game, scenario.first_turn, scenario=scenario))
    save.property(GAME_PROPERTY, f"{plan.game.id} {plan.game.version}")
    save.property(SCENARIO_PROPERTY, scenario.id)
    save.property(BOARD_PROPERTY + board.name, board.geometry.text())
    save.property("Battle", "0")
    save.property("Result", "")
    for (x, y), pieces in _stacks(plan, scenario, board).items():
        save.place(MAIN_MAP, x, y, pieces)
    for (x, y), name, design in _on_hexsides(plan, scenario, board):
        save.loose(MAIN_MAP, x, y, name, design)
    save.property(battle.ODDS_PROPERTY, "")
    save.property(battle.ROLLED_PROPERTY, "0")
    save.property(DRAWING, "")
    if fog.wanted(plan.game):
        save.property(fog.UNIT, "")
        save.property(fog.PLACE, "")
    save.loose(MAIN_MAP, *_resting(board), "battle-marker", plan.in_play(plan.battle_marker))
    if plan.words.volleys:
        save.boards(battleboard.NAME, battleboard.NAME)
        save.loose(battleboard.NAME, *battleboard.PLACE, "battle-board", battleboard.design(plan.game))
    if cups is not None:
        save.boards(CUPS_MAP, cups.name)
        _fill_cups(plan, scenario, cups, save)
    _lay_cards(plan, save)
    _fill_further_maps(plan, scenario, save)
    save.notes(scenario=_notes(scenario))
    return save.bytes()


def _resting(board: Board) -> Point:
    """Where the battle marker waits for a battle: in the box of markers, or in the map's corner."""
    box = next((box for box in board.boxes if box.endswith("markers")), None)
    if box is None:
        return battle.PLATE[0] // 2 + 8, battle.PLATE[1] // 2 + 8
    return board.box_center(box)


Pieces = list[tuple[str, PieceDesign]]


def _stacks(plan: Plan, scenario: Scenario, board: Board) -> dict[Point, Pieces]:
    """Pieces by point, bottom to top."""
    stacks: dict[Point, Pieces] = {}
    for point, pieces in _everything(plan, scenario, board):
        stacks.setdefault(point, []).extend(pieces)
    return stacks


def _everything(plan: Plan, scenario: Scenario, board: Board) -> Iterator[tuple[Point, Pieces]]:
    beside = waiting_counters.beside(plan.game, scenario.area)
    for placement in scenario.set_up:
        if placement.map is not None:
            continue
        point = _point(plan, scenario, board, placement.hex, placement.box)
        standing = [mark for mark in placement.markers if not _is_on_hexside(plan, mark)]
        marks = [_mark(plan, mark, placement.hex or placement.box or "") for mark in standing]
        yield point if placement.box is None else _within(plan, board, placement.box, len(marks)), marks
        if placement.box is not None and len(placement.units) > waiting_counters.CROWD:
            feet = beside.boxes[placement.box].feet(board.boxes[placement.box], plan.counter_px)
            heaps = list(waiting_counters.crowd(plan.game, [unit.id for unit in placement.units]))
            yield from _heaped(plan, feet, heaps)
        else:
            stack = [piece for placed in placement.units for piece in _placed(plan, placed)]
            yield point if placement.box is None else _within(plan, board, placement.box, len(stack)), stack
    for arrival in scenario.reinforcements:
        box = arrival.box_of(board.boxes)
        if box is not None:
            yield board.box_center(box), [_unit(plan, name) for name in arrival.units]
    for turn, heaps in waiting_counters.arriving(plan.game, scenario).items():
        if turn in board.track:
            yield from _heaped(plan, beside.track[turn].feet(board.track[turn], plan.counter_px), heaps)
    yield from _turn_marker(plan, scenario, board)


def _is_on_hexside(plan: Plan, mark: PlacedMarker) -> bool:
    return plan.game.marker[mark.id].lies_on == "hexside"


def _on_hexsides(plan: Plan, scenario: Scenario, board: Board) -> Iterator[tuple[Point, str, PieceDesign]]:
    """Markers that lie on a side of their hex, in no stack."""
    for placement in scenario.set_up:
        for mark in placement.markers:
            if placement.hex is not None and _is_on_hexside(plan, mark):
                name, design = _mark(plan, mark, f"{placement.hex}-{mark.facing}")
                turned = design.with_state("rotate;", str(mark.facing), designs.SIDE)
                yield _point(plan, scenario, board, placement.hex, None), name, turned


def _within(plan: Plan, board: Board, box: str, number: int) -> Point:
    """The foot of a stack in a box: in its middle, or so far down that a high one leaves the title free."""
    x, y = board.box_center(box)
    _, top, _, bottom = board.boxes[box]
    half, rise = plan.counter_px // 2 + 3, waiting_counters.RISE_PX * (number - 1)
    if y - rise - half >= top:
        return x, y
    return x - waiting_counters.LEAN_PX * (number - 1) // 2, bottom - half


def _heaped(
    plan: Plan, feet: list[Point], heaps: Iterable[waiting_counters.Heap]
) -> Iterator[tuple[Point, Pieces]]:
    for foot, heap in zip(feet, heaps, strict=False):
        yield foot, [_waiting(plan, kind, name, number) for number, (kind, name) in enumerate(heap, 1)]


def _waiting(plan: Plan, kind: str, name: str, number: int) -> tuple[str, PieceDesign]:
    if kind == waiting_counters.UNIT:
        return _unit(plan, name)
    return f"arriving-{name}-{number}", plan.in_play(plan.markers[name])


def _point(plan: Plan, scenario: Scenario, board: Board, label: str | None, box: str | None) -> Point:
    if label is None:
        if box is None or box not in board.boxes:
            raise DataFault(f"the map of this scenario has no box {box!r}", scenario.id, str(box))
        return board.box_center(box)
    hex_: Hex = plan.game.map.lattice.hex(label, scenario.sheet)
    if hex_ not in board.hexes:
        area = scenario.area or "map"
        raise DataFault(
            f"hex {label} lies outside the board of this scenario", scenario.id, label, f"a hex of {area}"
        )
    return board.center(hex_)


def _track_point(board: Board, turn: int) -> Point:
    left, top, right, bottom = board.track[turn]
    return (left + right) // 2, (top + bottom) // 2


def _placed(plan: Plan, placed: PlacedUnit) -> Iterator[tuple[str, PieceDesign]]:
    """A unit on top of the markers it carries."""
    for mark in placed.markers:
        name, design = _mark(plan, mark, placed.id)
        if plan.deck_of(plan.game.marker[mark.id]) is not None:  # a chit: it travels with its army
            design = design.with_state("PROP;", plan.units[placed.id].gpid, "Carrier")
        yield name, design
    yield _unit(plan, placed.id, placed.step)


def _mark(plan: Plan, mark: PlacedMarker, where: str) -> tuple[str, PieceDesign]:
    design = plan.in_play(plan.markers[mark.id])
    if mark.face > 1:
        design = design.with_state("emb2;", str(mark.face), "Face")
    return f"marker-{mark.id}-{where}", design


def _unit(plan: Plan, name: str, step: int = 1) -> tuple[str, PieceDesign]:
    design = plan.in_play(plan.units[name])
    if step > 1:
        design = design.with_state("emb2;", str(step), "Step")
    return f"unit-{name}", design


def _turn_marker(plan: Plan, scenario: Scenario, board: Board) -> Iterator[tuple[Point, Pieces]]:
    marker = next((marker for marker in plan.game.markers if marker.kind == "turn"), None)
    if marker is not None and scenario.first_turn in board.track:
        pieces = [(f"marker-{marker.id}", plan.in_play(plan.markers[marker.id]))]
        yield _track_point(board, scenario.first_turn), pieces


def _fill_cups(plan: Plan, scenario: Scenario, cups: CupBoard, save: SaveBuilder) -> None:
    contents = {content.deck: content.markers for content in scenario.decks}
    for cup in cups.cups:
        cards = [
            (f"chit-{name}-{number}", plan.in_play(plan.markers[name]))
            for number, name in enumerate(contents.get(cup.id, ()), 1)
        ]
        save.deck(f"deck-{cup.id}", cup.type, CUPS_MAP, *cup.center, cards, cup.hidden)
        x, y = cup.center
        save.loose(CUPS_MAP, x, y + cup.size[1] // 2 + COUNT_DOWN_PX, f"count-{cup.id}", count(cup))


def _lay_cards(plan: Plan, save: SaveBuilder) -> None:
    """Every card in the pile of its deck; the hands are empty."""
    board = cards.board(plan.game)
    if board is None:
        return
    save.boards(cards.MAP_NAME, cards.MAP_NAME)
    for _, hand in board.hands:
        save.boards(hand, hand)
    content = {
        deck.id: [
            (f"card-{card.id}-{number}", plan.in_play(plan.cards[card.id]))
            for card, number in cards.copies(deck)
        ]
        for deck in plan.game.card_decks
    }
    for pile in board.piles:
        laid = content.get(pile.id, [])
        save.deck(f"deck-{pile.id}", pile.type, cards.MAP_NAME, *pile.center, laid, pile.hidden)


def _fill_further_maps(plan: Plan, scenario: Scenario, save: SaveBuilder) -> None:
    for further in furthermaps.of(plan.game):
        save.boards(further.name, further.name)
        for placement in scenario.set_up:
            if placement.map != further.id or placement.at is None:
                continue
            x, y = further.points[placement.at]
            here = f"{further.id}-{placement.at}"
            laid = [_mark(plan, mark, here) for mark in placement.markers]
            laid += [piece for placed in placement.units for piece in _placed(plan, placed)]
            save.place(further.name, x, y, laid)


def _notes(scenario: Scenario) -> str:
    rules = [f"{rule.rule + ': ' if rule.rule else ''}{rule.text}" for rule in scenario.special_rules]
    return "\n".join([scenario.title, scenario.summary, "", *rules]).strip()
