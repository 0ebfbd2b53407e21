"""A game as VASSAL logs: the same events, done to the pieces of a module that the builder makes.

logs = LogWriter(board_of(game, scenario), scenario)   # or the module's own board
logs.write(event)
logs.cut()                  # the log up to here, as players mail it; the next begins where it ends
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from builder.map import waiting_counters
from builder.module import cups, setups, tracker
from builder.module.boards import Board
from builder.module.plan import CUPS_MAP, MAIN_MAP, Plan
from fieldpost.definition.model import Game, Scenario
from fieldpost.geometry import Rect
from fieldpost.hexes import Hex, Layout, to_cell
from fieldpost.vassal import archive, steps
from fieldpost.vassal.pieces import PieceDesign
from fieldpost.vassal.steps import Log
from fieldpost.vassal.things import Piece
from fieldpost.vassal.writer import LogBuilder
from validator.model import events as ev
from validator.model.events import Event, Spot

COUNTER_PX = 75
ACROSS, DOWN = 76.0, 66.0
BOX_WIDTH, BOX_HEIGHT, IN_COLUMN = 1000, 800, 10
MARKER = "out-of-supply"  # shown by a property of the unit
STATUS = {0: "supplied", 1: "out-of-supply", 2: "lack-of-supply"}


def plain_board(game: Game, scenario: Scenario) -> Board:
    """A board of the scenario's area without a picture: boxes and turn track stand to the right of it."""
    area = game.map.area[scenario.area].hexes if scenario.area else game.map.hexes
    hexes = area & game.map.hexes
    cells = [to_cell(hex_, game.map.lattice.orientation) for hex_ in hexes]
    layout = Layout(
        game.map.lattice.orientation,
        ACROSS,
        DOWN,
        round(60 - ACROSS * min(cell.column for cell in cells)),
        round(60 - DOWN * min(cell.row for cell in cells)),
    )
    right = round(ACROSS * (max(c.column for c in cells) - min(c.column for c in cells) + 3)) + 100
    rows = max(c.row for c in cells) - min(c.row for c in cells)
    places = [box.id for box in game.boxes] + [f"turn-{turn.number}" for turn in game.turn.values()]
    racks = waiting_counters.beside(game, scenario.area).boxes.values()
    width = max([BOX_WIDTH, *(round(rack.size(COUNTER_PX)[0]) for rack in racks)])
    rects = {name: _rect(right, number, width) for number, name in enumerate(places)}
    return Board(
        name=scenario.title,
        image="map.png",
        width=right + (width + 20) * (len(places) // IN_COLUMN + 1),
        height=max((BOX_HEIGHT + 20) * IN_COLUMN, round(DOWN * (rows + 4))),
        game_map=game.map,
        layout=layout,
        hexes=hexes,
        sheet=scenario.sheet,
        boxes={box.id: rects[box.id] for box in game.boxes},
        box_names={box.id: box.name for box in game.boxes},
        track={turn.number: rects[f"turn-{turn.number}"] for turn in game.turn.values()},
    )


def _rect(left: int, number: int, width: int) -> Rect:
    """Wide enough for all that waits in it heap by heap."""
    column, row = divmod(number, IN_COLUMN)
    left, top = left + (width + 20) * column, 20 + (BOX_HEIGHT + 20) * row
    return left, top, left + width, top + BOX_HEIGHT


class LogWriter:
    def __init__(self, board: Board, game: Game, scenario: Scenario) -> None:
        self.game, self.scenario, self.board = game, scenario, board
        self.plan = Plan(game, COUNTER_PX, (board,))
        self.cups = cups.board(game, COUNTER_PX)
        data = setups.write(self.plan, scenario, board, self.cups)
        save = archive.parse(data, "start.vsav")
        assert save.text is not None
        self.builder = LogBuilder(steps.parse(save.text, save.metadata, "start.vsav"))
        self._names: dict[tuple[str, str], str | None] = {}
        self._serial = 0
        self._next: Event | None = None
        self._mode: dict[str, str] = {}
        self._died: dict[str, tuple[int, int]] = {}
        self._writers: dict[type[Event], Callable[[Any], None]] = {
            ev.PhaseBegan: self._phase,
            ev.Moved: self._moved,
            ev.StepChanged: self._step,
            ev.Placed: lambda e: self._enter(e.unit, e.spot, e.step),
            ev.Removed: self._removed,
            ev.Replaced: self._replaced,
            ev.Marked: self._marked,
            ev.Unmarked: self._unmarked,
            ev.Pointed: self._pointed,
            ev.Drawn: self._drawn,
            ev.Returned: self._returned,
            ev.Attacked: self._attacked,
            ev.Rolled: self._rolled,
            ev.RoundBegan: self._round,
            ev.Fired: self._fired,
            ev.ResultNamed: lambda e: self.say(f"result {e.result}{_battle(e.battle)}"),
            ev.Declared: self._declared,
            ev.Said: lambda e: self.builder.say("player", e.text),
        }

    def write(self, events: Iterable[Event]) -> None:
        for event, self._next in zip_longest(done := list(events), done[1:]):
            self._writers[type(event)](event)

    def cut(self) -> bytes:
        """The log so far; the next one begins with the position it ends in."""
        data = self.builder.bytes()
        self.begin_anew()
        return data

    def begin_anew(self) -> None:
        """The log so far counts as mailed: what follows begins with the position it ends in."""
        self.builder = LogBuilder(_ended(self.builder.log()))

    def log(self) -> Log:
        return self.builder.log()

    # --- pieces -----------------------------------------------------------------------------------

    def say(self, line: str) -> None:
        self.builder.report(f"[fp] {line}")

    def _pieces(self, name: str, value: str) -> list[Piece]:
        things = self.builder.table.layout.things.values()
        return [thing for thing in things if isinstance(thing, Piece) and self._name(thing, name) == value]

    def _name(self, piece: Piece, name: str) -> str | None:
        """UnitId or MarkerId: what never changes is read once."""
        if (piece.id, name) not in self._names:
            self._names[piece.id, name] = piece.value(name)
        return self._names[piece.id, name]

    def _unit(self, name: str) -> Piece:
        return self._pieces("UnitId", name)[0]

    def _chit(self, marker: str, unit: str) -> Piece:
        """The chit below a unit."""
        return next(piece for piece in self._load(unit) if piece.value("MarkerId") == marker)

    def _load(self, unit: str) -> list[Piece]:
        """A unit with the chits right below it and the markers right on it, from the bottom."""
        piece = self._unit(unit)
        stack = piece.parent.contents if piece.parent is not None else [piece]
        first = last = stack.index(piece)
        while first and stack[first - 1].value("Kind") == "chit":
            first -= 1
        while last + 1 < len(stack) and self._lies_on_units(stack[last + 1]):
            last += 1
        return list(stack[first : last + 1])

    def _lies_on_units(self, piece: Piece) -> bool:
        marker = self.game.marker.get(piece.value("MarkerId") or "")
        return marker is not None and marker.lies_on == "unit"

    def _point(self, spot: Spot) -> tuple[int, int]:
        if isinstance(spot, Hex):
            return self.board.center(spot)
        if spot.startswith("turn-"):
            left, top, right, bottom = self.board.track[int(spot[5:])]
            return (left + right) // 2, (top + bottom) // 2
        return self.board.box_center(spot)

    def _move(self, pieces: Iterable[Piece], spot: Spot, text: str | None = None) -> None:
        self.builder.move([piece.id for piece in pieces], MAIN_MAP, *self._point(spot), text)

    def _new(self, design: PieceDesign, spot: Spot, text: str | None = None) -> str:
        return self._create(design, self._point(spot), text)

    def _create(self, design: PieceDesign, point: tuple[int, int], text: str | None = None) -> str:
        self._serial += 1
        id_ = f"new-{self._serial}"
        while self.builder.table.piece(id_) is not None:
            self._serial += 1
            id_ = f"new-{self._serial}"
        self.builder.create(id_, self.plan.in_play(design), MAIN_MAP, *point, text)
        return id_

    # --- what happened ------------------------------------------------------------------------------

    def _phase(self, event: ev.PhaseBegan) -> None:
        phases = self.game.phases(event.turn, self.scenario)
        index = [phase.id for phase in phases].index(event.phase)
        levels, active = tracker.state(self.game, event.turn, index, self.scenario)
        with self.builder.one_step():
            self.builder.turn(levels, active, text=f"Turn {event.turn}, {phases[index].name}")
            for unit in self._mode:  # the module takes the marks off
                for piece in self._pieces("UnitId", unit):
                    self.builder.set_state(piece.id, "PROP;", "march", "Mode")
        self._mode.clear()

    def _moved(self, event: ev.Moved) -> None:
        if isinstance(event.start, Hex) and isinstance(event.end, Hex):
            for unit in event.units if event.mode not in ("retreat", "advance") else ():
                self._choose_mode(unit, event.mode or "march")
        for spot in event.path[1:]:
            with self.builder.one_step():
                self._move([piece for unit in event.units for piece in self._load(unit)], spot)

    def _choose_mode(self, unit: str, mode: str) -> None:
        piece = self._unit(unit)
        if piece.value("Mode") == mode or self._mode.get(unit, "march") == mode:
            return
        self._mode[unit] = mode
        with self.builder.one_step():
            self.builder.set_state(piece.id, "PROP;", mode, "Mode", f"[fp] mode {mode} {unit} @")

    def _step(self, event: ev.StepChanged) -> None:
        self.builder.level(self._unit(event.unit).id, "Step", event.new)

    def _enter(self, unit: str, spot: Spot, step: int = 1) -> None:
        known = self._pieces("UnitId", unit)
        with self.builder.one_step():
            if known:
                self._move(known, spot, f"{unit} arrives")
                if known[0].value("Supply") in (STATUS[1], STATUS[2]):  # from before it left the map
                    self._supply(unit, 0)
                if known[0].layers.get("Step", 1) != step:
                    self.builder.level(known[0].id, "Step", step)
                return
            design = self.plan.units[unit]
            if step > 1:
                design = design.with_state("emb2;", str(step), "Step")
            self._new(design, spot, f"{unit} arrives")

    def _removed(self, event: ev.Removed) -> None:
        known = self._pieces("UnitId", event.unit)
        if event.box is not None and (not known or self._is_in(known[0], event.box)):
            return  # it gave way to another before
        piece = self._unit(event.unit)
        self._died[event.unit] = self._spot_of(piece)
        if event.box is not None:
            self._move([piece], event.box, f"{event.unit} leaves the map")
        else:
            self.builder.delete(piece.id, f"{event.unit} is eliminated")

    def _is_in(self, piece: Piece, box: str) -> bool:
        return self._spot_of(piece) == self._point(box)

    def _replaced(self, event: ev.Replaced) -> None:
        if event.why:
            self.say(f"declare {event.why} {event.old[0]} @")
        states = {self._unit(unit).value("Supply") for unit in event.old}
        for unit in event.old:
            box = self._next.box if isinstance(self._next, ev.Removed) and self._next.unit == unit else None
            if box is not None:
                self._move([self._unit(unit)], box, f"{unit} is replaced")
            else:
                self.builder.delete(self._unit(unit).id, f"{unit} is replaced")
        for unit, step in event.new:
            self._enter(unit, event.spot, step)
        for face in (1, 2):
            if STATUS[face] in states:
                for unit, _ in event.new:
                    self._supply(unit, face)
                break

    def _marked(self, event: ev.Marked) -> None:
        if isinstance(event.on, Hex):
            self._mark_hex(event.marker, event.on, event.face)
        elif event.marker == MARKER:
            self._supply(event.on, event.face)
        elif self.game.marker[event.marker].lies_on == "unit":
            self._lay(event.marker, event.on)
        else:
            self.builder.level(self._chit(event.marker, event.on).id, "Face", event.face)

    def _mark_hex(self, marker: str, hex_: Hex, face: int) -> None:
        """Turned, where it lies there already."""
        there = self.builder.table.at(MAIN_MAP, *self._point(hex_))
        known = next((piece for piece in there if piece.value("MarkerId") == marker), None)
        if known is None:
            id_ = self._new(self.plan.markers[marker], hex_, f"{marker} placed")
            known = self.builder.table.piece(id_)
        if known is not None and known.layers.get("Face", 1) != face:
            self.builder.level(known.id, "Face", face)

    def _lay(self, marker: str, unit: str) -> None:
        """The unit comes to the top of its stack, and the marker on it."""
        point, load = self._spot_of(self._unit(unit)), self._load(unit)
        with self.builder.one_step():
            self.builder.move([piece.id for piece in load], MAIN_MAP, *point)
            self._create(self.plan.markers[marker], point, f"{marker} on {unit}")

    def _supply(self, unit: str, face: int) -> None:
        name = STATUS[face]
        self.builder.set_state(self._unit(unit).id, "PROP;", name, "Supply", f"[fp] supply {name} {unit} @")

    def _unmarked(self, event: ev.Unmarked) -> None:
        if isinstance(event.on, str):
            if event.marker == MARKER:
                self._supply(event.on, 0)
            else:
                self.builder.delete(self._chit(event.marker, event.on).id, f"{event.marker} taken off")
            return
        x, y = self._point(event.on)
        there = self.builder.table.at(MAIN_MAP, x, y)
        piece = next(p for p in there if p.value("MarkerId") == event.marker)
        self.builder.delete(piece.id, f"{event.marker} taken off")

    def _pointed(self, event: ev.Pointed) -> None:
        piece = self._pieces("MarkerId", event.marker)[0]
        with self.builder.one_step():
            self._move([piece], event.box, f"{event.marker} to {event.box}")
            if piece.layers.get("Face", 1) != event.face:
                self.builder.level(piece.id, "Face", event.face)

    def _drawn(self, event: ev.Drawn) -> None:
        deck = f"deck-{event.deck}"
        chit = next(
            p for p in self._pieces("MarkerId", event.marker) if p.parent is not None and p.parent.id == deck
        )
        assert event.unit is not None
        unit = self._unit(event.unit)
        spot = self._spot_of(unit)
        with self.builder.one_step():
            self.builder.move([chit.id], MAIN_MAP, *spot, f"{event.unit} draws a chit")
            self.builder.move([unit.id], MAIN_MAP, *spot)

    def _spot_of(self, piece: Piece) -> tuple[int, int]:
        place = piece.place
        return place.x, place.y

    def _returned(self, event: ev.Returned) -> None:
        if event.unit is None:
            self._arrives(event)
            return
        chit = self._loose(event.marker, event.unit)
        if event.deck is not None:
            with self.builder.one_step():
                if chit.layers.get("Face", 1) > 1:
                    self.builder.level(chit.id, "Face", 1)
                self.builder.discard(chit.id, f"deck-{event.deck}")
        else:
            self._move([chit], "removed-strength", f"{event.marker} leaves the game")

    def _loose(self, marker: str, unit: str) -> Piece:
        """The chit of an army; that of a dead one lies where it died."""
        if unit not in self._died:
            return self._chit(marker, unit)
        there = self.builder.table.at(MAIN_MAP, *self._died.pop(unit))
        return next(piece for piece in there if piece.value("MarkerId") == marker)

    def _arrives(self, event: ev.Returned) -> None:
        """A new chit out of the palette into its cup."""
        assert self.cups is not None
        cup = next(cup for cup in self.cups.cups if cup.id == event.deck)
        self._serial += 1
        id_ = f"chit-new-{self._serial}"
        design = self.plan.in_play(self.plan.markers[event.marker])
        with self.builder.one_step():
            self.builder.create(id_, design, CUPS_MAP, cup.center[0], cup.center[1] + 200)
            self.builder.discard(id_, f"deck-{event.deck}", f"{event.marker} arrives")

    def _attacked(self, event: ev.Attacked) -> None:
        number = event.battle
        self.say(f"battle #{number}")
        verb = "overrun" if event.overrun else "attack"
        for unit in event.units:
            self.say(f"{verb} {unit} @ #{number}")
        for target in event.targets:
            x, y = self._point(target)
            there = self.builder.table.at(MAIN_MAP, x, y)
            opponent = next(p for p in there if p.value("Kind") == "unit")
            self.say(f"target {opponent.value('UnitId')} @{self.game.map.lattice.label(target)} #{number}")
        for kind in event.support:
            self.say(f"support {kind} {event.units[0]} @ #{number}")

    def _rolled(self, event: ev.Rolled) -> None:
        faces = ",".join(map(str, event.values))
        reason = event.reason.replace(" ", "-")
        self.say(f"roll {reason} {len(event.values)}d{event.sides}={faces}{_battle(event.battle)}")

    def _round(self, event: ev.RoundBegan) -> None:
        self.say(" ".join(["round", str(event.number), *event.under]) + _battle(event.battle))

    def _fired(self, event: ev.Fired) -> None:
        """A line for each unit, as its own key writes it: so many dice as each has."""
        manner = f"{event.manner} " if event.manner else ""
        left = list(event.values)
        for number, unit in enumerate(event.units):
            most = int(self.game.unit_type[self.game.counter[unit].type].values.get("dice", 1))
            due = min(most, len(left) - (len(event.units) - number - 1))
            dice, left = left[:due], left[due:]
            faces = ",".join(map(str, dice))
            roll = f"{len(dice)}d{event.sides}={faces}"
            self.say(f"fire {manner}{unit} at {event.value} {roll}{_battle(event.battle)}")

    def _declared(self, event: ev.Declared) -> None:
        if event.units:
            self.say(f"declare {event.what} {event.units[0]} @")
        else:
            self.builder.say("player", f"[fp] declare {event.what} = {event.value}")


def _battle(number: int | None) -> str:
    return "" if number is None else f" #{number}"


def _ended(log: Log) -> Log:
    """The position a log ends in, as the save the next one begins with."""
    from players.saves import save_of

    return save_of(log)
