"""Everything a module holds, decided before anything is drawn or written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from builder.counters import Pictures
from builder.map import waiting_counters
from builder.module import battle, cards, designs, odds, passed, vocabulary, volleys
from builder.module.battle_sums import BattleSums
from builder.module.boards import Board
from builder.module.designs import Art, Grave, Traits
from builder.module.vocabulary import Vocabulary
from fieldpost.definition.model import Counter, Deck, Game, Marker, Scenario
from fieldpost.vassal.pieces import PieceDesign

ENGINE = "3.5.8"  # the lowest engine the module opens in: tests/engine/kit/DIFFERENCES.md
MAIN_MAP = "Map"
CUPS_MAP = "Cups"


@dataclass(frozen=True)
class Slot:
    """A piece in the palette."""

    name: str
    gpid: str
    width: int
    height: int
    text: str


@dataclass(frozen=True)
class Shelf:
    name: str
    pieces: tuple[Slot, ...]


@dataclass(frozen=True)
class Drawer:
    name: str
    shelves: tuple[Shelf, ...]


@dataclass(frozen=True)
class Plan:
    game: Game
    counter_px: int
    boards: tuple[Board, ...]

    @cached_property
    def pictures(self) -> Pictures:
        return Pictures(self.game)

    @cached_property
    def art(self) -> Art:
        return Art(self.counter_px, self.pictures)

    @cached_property
    def words(self) -> Vocabulary:
        return vocabulary.of(self.game)

    @cached_property
    def prototypes(self) -> dict[str, Traits]:
        sides = {
            f"Unit of {side.id}": designs.side_prototype(self.words, side.id) for side in self.game.sides
        }
        return {
            "Unit": designs.unit_prototype(self.art, self.words),
            **sides,
            **self._placing,
            **{
                designs.moves(number): designs.moves_prototype(self.art, self.words, names)
                for number, names in enumerate(self.words.moving)
            },
            **volleys.prototypes(self.game, self.words),
            "Marker": designs.marker_prototype(),
            "Chit": designs.chit_prototype(),
            **passed.prototypes(self.game),
        }

    @cached_property
    def _placing(self) -> dict[str, Traits]:
        """For each marker that units call for, the prototype that does it."""
        first = int(self.battle_marker.gpid) + 1
        return {
            designs.places(marker): designs.places_prototype(
                marker, self.markers[marker.id], str(first + number), number
            )
            for number, marker in enumerate(designs.laid_upon(self.game))
        }

    @cached_property
    def units(self) -> dict[str, PieceDesign]:
        return {
            counter.id: designs.unit(
                self.game,
                counter,
                self.art,
                str(number),
                MAIN_MAP,
                self.cup_of(counter),
                self._grave(counter),
                self._extra(counter),
                volleys.facts(self.game.unit_type[counter.type], self.words),
            )
            for number, counter in enumerate(self.game.counters, 1)
        }

    def _extra(self, counter: Counter) -> list[str]:
        """Prototypes that this unit has and others have not."""
        unit_type = self.game.unit_type[counter.type]
        ways = self.words.ways(unit_type)
        own = [designs.moves(self.words.moving.index(ways))] if ways else []
        return [*own, *volleys.of(unit_type, self.words), *unit_type.prototypes]

    def _grave(self, counter: Counter) -> Grave | None:
        box = self.box(waiting_counters.ELIMINATED, self.game.unit_type[counter.type].side)
        return Grave(MAIN_MAP, box, *self._graves.get(counter.id, (0, 0))) if box is not None else None

    @cached_property
    def _graves(self) -> dict[str, tuple[int, int]]:
        """Where each unit lies in the box of the eliminated, which is alike on every board."""
        found: dict[str, tuple[int, int]] = {}
        for box, heaps in waiting_counters.fallen(self.game).items():
            for board in [board for board in self.boards if box in board.boxes][:1]:
                middle = board.box_center(box)
                feet = waiting_counters.fallen_rack(heaps).feet(board.boxes[box], self.counter_px)
                for (x, y), heap in zip(feet, heaps, strict=False):
                    found |= {unit: (x - middle[0], y - middle[1]) for _, unit in heap}
        return found

    @cached_property
    def markers(self) -> dict[str, PieceDesign]:
        first = len(self.game.counters) + 1
        return {
            marker.id: self._marker(marker, str(number))
            for number, marker in enumerate(self.game.markers, first)
        }

    def _marker(self, marker: Marker, gpid: str) -> PieceDesign:
        deck = self.deck_of(marker)
        if deck is None:
            return designs.marker(marker, self.art, gpid)
        goes = designs.chit_goes(marker, deck, MAIN_MAP, self.box("removed", marker.side))
        return designs.marker(marker, self.art, gpid, goes, chit=True)

    @cached_property
    def battle_marker(self) -> PieceDesign:
        gpid = len(self.game.counters) + len(self.game.markers) + 1
        sums = BattleSums(self.game, self.boards, MAIN_MAP, battle.up_px(self.counter_px))
        rest, board = self.box("markers", None), volleys.plate(self.game) if self.words.volleys else ""
        return battle.design(sums, self.counter_px, str(gpid), rest, self.battle_rolls, board)

    @cached_property
    def battle_rolls(self) -> tuple[str, ...]:
        """What dice of a battle this game rolls for."""
        reasons = [reason for die in self.game.dice for reason in die.reasons or (die.id,)]
        return tuple(reason for reason in battle.ROLLS if reason in reasons)

    def box(self, word: str, side: str | None) -> str | None:
        """The name of the first box whose id tells its use and that is this side's; on every board."""
        for box in self.game.boxes:
            fits = word in box.id and box.side in (side, None)
            if fits and all(box.id in board.boxes for board in self.boards):
                return box.name
        return None

    @cached_property
    def cards(self) -> dict[str, PieceDesign]:
        first = int(self.battle_marker.gpid) + 1 + len(designs.laid_upon(self.game))
        every = [(deck, card) for deck in self.game.card_decks for card in deck.cards]
        return {card.id: cards.design(deck, card, str(n)) for n, (deck, card) in enumerate(every, first)}

    @property
    def next_slot(self) -> int:
        return int(self.battle_marker.gpid) + 1 + len(designs.laid_upon(self.game)) + len(self.cards)

    def deck_of(self, marker: Marker) -> Deck | None:
        for deck in self.game.decks:
            values = {name: str(value) for name, value in marker.values.items()}
            if marker.kind == deck.holds and all(values.get(n) == v for n, v in deck.where.items()):
                return deck
        return None

    def cup_of(self, counter: Counter) -> str | None:
        """The name of the deck a unit draws its strength from."""
        unit_type = self.game.unit_type[counter.type]
        if odds.DRAWS not in (*unit_type.traits, *counter.traits):
            return None
        values = {name: str(value) for name, value in {**unit_type.values, **counter.values}.items()}
        found = (
            d for d in self.game.decks if d.where and all(values.get(n) == v for n, v in d.where.items())
        )
        deck = next(found, None)
        return deck.name if deck else None

    def in_play(self, design: PieceDesign) -> PieceDesign:
        """A piece as it stands in a running game: prototypes unfolded."""
        return design.expand(self.prototypes)

    @cached_property
    def palette(self) -> tuple[Drawer, ...]:
        """What may be added to a game: markers, and units that no set-up lays out."""
        markers = Drawer("Markers", tuple(self._marker_shelves(False)))
        return tuple(drawer for drawer in (*self._unit_drawers(False), markers) if drawer.shelves)

    @cached_property
    def store(self) -> tuple[Drawer, ...]:
        """What a set-up lays out, and what is in cups: each is there once, so no player may take another."""
        battle_shelf = Shelf(battle.NAME, (self._slot(self.battle_marker),))
        rest = Drawer("Markers", (*self._marker_shelves(True), battle_shelf))
        drawers = (*self._unit_drawers(True), rest, Drawer("Cards", tuple(self._card_shelves())))
        return tuple(drawer for drawer in drawers if drawer.shelves)

    def _unit_drawers(self, laid_out: bool) -> Iterator[Drawer]:
        for side in self.game.sides:
            yield Drawer(side.name, tuple(self._unit_shelves(side.id, laid_out)))

    @cached_property
    def _laid_out(self) -> frozenset[str]:
        """Units that stand on the map, in a box or on the turn track in some set-up."""
        games = [scenario for scenario in self.game.scenarios if scenario.playable]
        return frozenset(unit for scenario in games for unit in self._in_set_up(scenario))

    def _in_set_up(self, scenario: Scenario) -> frozenset[str]:
        placed = (placed.id for place in scenario.set_up for placed in place.units)
        arriving = (
            name
            for heaps in waiting_counters.arriving(self.game, scenario).values()
            for heap in heaps
            for kind, name in heap
            if kind == waiting_counters.UNIT
        )
        return frozenset((*placed, *arriving))

    def _unit_shelves(self, side: str, laid_out: bool) -> Iterator[Shelf]:
        by_type: dict[str, list[Counter]] = {}
        for counter in self.game.counters:
            unit_type = self.game.unit_type[counter.type]
            if unit_type.side == side and (counter.id in self._laid_out) == laid_out:
                by_type.setdefault(counter.group or unit_type.name, []).append(counter)
        for name, counters in by_type.items():
            yield Shelf(name, tuple(self._slot(self.units[counter.id]) for counter in counters))

    def _marker_shelves(self, chits: bool) -> Iterator[Shelf]:
        by_kind: dict[str, list[Marker]] = {}
        for marker in self.game.markers:
            if (self.deck_of(marker) is not None) == chits:
                by_kind.setdefault(marker.kind, []).append(marker)
        for kind, markers in by_kind.items():
            yield Shelf(kind.capitalize(), tuple(self._slot(self.markers[marker.id]) for marker in markers))

    def _card_shelves(self) -> Iterator[Shelf]:
        for deck in self.game.card_decks:
            designs_ = [self.cards[card.id] for card in deck.cards]
            wide, high = deck.size
            yield Shelf(deck.name, tuple(Slot(d.name, d.gpid, wide, high, d.slot()) for d in designs_))

    def _slot(self, design: PieceDesign) -> Slot:
        return Slot(design.name, design.gpid, self.counter_px, self.counter_px, design.slot())
