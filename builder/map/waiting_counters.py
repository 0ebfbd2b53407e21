"""Counters that wait off the map, on the turn track and in boxes: heaped by type, and the room heaps need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

from fieldpost.definition.model import Game, Scenario

CROWD = 24  # more counters in a box than this do not make one stack
ON_TRACK, IN_BOX = 6, 10  # counters in a heap at most
LEAN_PX, RISE_PX = 5, 7  # how far VASSAL moves each counter of a stack (StackMetrics of the build file)
MOST_COLUMNS = 4  # of heaps in a turn of the track
UNIT, CHIT = "unit", "chit"
ELIMINATED = "eliminated"  # in the id of a box for such units

Waiting = tuple[str, str]  # UNIT or CHIT, and its id
Heap = tuple[Waiting, ...]
Rect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Rack:
    """Room for heaps in columns and rows, each as deep as the deepest."""

    columns: int
    rows: int
    depth: int

    def size(self, counter: float) -> tuple[float, float]:
        across, down = self._pitch(counter)
        return self.columns * across, self.rows * down

    def feet(self, rect: Rect, counter: float) -> list[tuple[int, int]]:
        """Where the lowest counter of each heap lies in a rectangle, row by row from its top."""
        left, top, right, _ = rect
        across, down = self._pitch(counter)
        spare = (right - left - self.columns * across) / 2
        return [
            (
                round(left + spare + column * across + counter / 2 + 3),
                round(top + (row + 1) * down - counter / 2 - 3),
            )
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    def _pitch(self, counter: float) -> tuple[float, float]:
        more = self.depth - 1
        return counter + LEAN_PX * more + 6, counter + RISE_PX * more + 6


@dataclass(frozen=True)
class Board:
    """What waits beside the map of the scenarios that are played on one board."""

    game: Game
    scenarios: tuple[Scenario, ...]

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Turns of the scenarios; all of them where none is played."""
        numbers = [turn.number for turn in self.game.turn_track.turns]
        if not self.scenarios:
            return tuple(numbers)
        first = min(scenario.first_turn for scenario in self.scenarios)
        last = max(scenario.last_turn for scenario in self.scenarios)
        return tuple(number for number in numbers if first <= number <= last)

    @cached_property
    def track(self) -> Mapping[int, Rack]:
        """Room in each turn; all turns have the same number of columns."""
        counts = dict.fromkeys(self.turns, 1)
        depth = 1
        for scenario in self.scenarios:
            for turn, heaps in arriving(self.game, scenario).items():
                if turn in counts:
                    counts[turn] = max(counts[turn], len(heaps))
                    depth = max([depth, *map(len, heaps)])
        columns = min(MOST_COLUMNS, ceil(sqrt(max(counts.values(), default=1))))
        return {turn: Rack(columns, ceil(count / columns), depth) for turn, count in counts.items()}

    @cached_property
    def boxes(self) -> Mapping[str, Rack]:
        """Room in the boxes that begin crowded."""
        found: dict[str, Rack] = {}
        for scenario in self.scenarios:
            for placement in scenario.set_up:
                if placement.box is None or len(placement.units) <= CROWD:
                    continue
                heaps = list(crowd(self.game, [unit.id for unit in placement.units]))
                rack = Rack(ceil(len(heaps) / 2), 2, max(map(len, heaps)))
                if placement.box not in found or found[placement.box].columns < rack.columns:
                    found[placement.box] = rack
        return found | {box: fallen_rack(heaps) for box, heaps in fallen(self.game).items()}


def beside(game: Game, area: str | None) -> Board:
    """The board of an area, or of the whole map."""
    return Board(game, tuple(s for s in game.scenarios if s.playable and s.area == area))


def arriving(game: Game, scenario: Scenario) -> dict[int, list[Heap]]:
    """What lies on each turn of the track at the start: units side by side and type by type, then chits."""
    units: dict[int, list[str]] = {}
    boxes = {box.id for box in game.boxes}
    for arrival in sorted(scenario.reinforcements, key=lambda a: [s.id for s in game.sides].index(a.side)):
        if arrival.box_of(boxes) is None:
            units.setdefault(arrival.turn, []).extend(arrival.units)
    heaps = {turn: list(_heaps(game, names, ON_TRACK)) for turn, names in units.items()}
    for turn, chits in _chits(game, scenario):
        heaps.setdefault(turn, []).append(chits)
    return heaps


def crowd(game: Game, units: Sequence[str]) -> Iterator[Heap]:
    """The heaps of a crowded box."""
    return _heaps(game, units, IN_BOX)


def eliminated(game: Game, side: str) -> str | None:
    """The box for eliminated units of a side, told by its id."""
    return next((box.id for box in game.boxes if ELIMINATED in box.id and box.side in (side, None)), None)


def fallen(game: Game) -> dict[str, list[Heap]]:
    """For each box of eliminated units the heaps that it would hold if all were lost that come into play."""
    found: dict[str, list[str]] = {}
    played = dict.fromkeys(unit for s in game.scenarios if s.playable for unit in _in_play(s))
    for unit in played:
        box = eliminated(game, game.unit_type[game.counter[unit].type].side)
        if box is not None:
            found.setdefault(box, []).append(unit)
    return {box: list(_heaps(game, units, IN_BOX)) for box, units in found.items()}


def fallen_rack(heaps: Sequence[Heap]) -> Rack:
    """About four times as wide as high."""
    columns = max(4, ceil(sqrt(len(heaps) * 3.5)))
    return Rack(columns, ceil(len(heaps) / columns), max(map(len, heaps)))


def _in_play(scenario: Scenario) -> Iterator[str]:
    for placement in scenario.set_up:
        yield from (unit.id for unit in placement.units)
    for arrival in scenario.reinforcements:
        yield from arrival.units


def _heaps(game: Game, units: Iterable[str], depth: int) -> Iterator[Heap]:
    by_type: dict[str, list[str]] = {}
    for unit in units:
        by_type.setdefault(game.counter[unit].type, []).append(unit)
    for names in by_type.values():
        even = ceil(len(names) / ceil(len(names) / depth))
        yield from (tuple((UNIT, name) for name in names[i : i + even]) for i in range(0, len(names), even))


def _chits(game: Game, scenario: Scenario) -> Iterator[tuple[int, Heap]]:
    """Chits that go into a cup in a turn of the scenario lie on that turn of the track till then."""
    kinds = {deck.holds for deck in game.decks}
    for marker in game.markers:
        turn = (marker.enters or "").removeprefix("GT")
        if marker.kind not in kinds or not turn.isdigit():
            continue
        if scenario.first_turn <= int(turn) <= scenario.last_turn:
            yield int(turn), ((CHIT, marker.id),) * marker.count
