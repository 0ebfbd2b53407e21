"""The map of Land Without End and its units, as a crude player sees them."""

from __future__ import annotations

import random
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from fieldpost.definition.model import Counter, Game, Scenario, UnitType
from fieldpost.hexes import Hex, Hexside, neighbors
from tools.balance import board
from tools.balance.board import spread

WORTH = {"small-town": 1, "large-town": 2, "city": 4}
STACK = 6
FREE_RIVERS = 3  # the last turn in which the German side ignores rivers (5.4)
ASSAULT = 6  # movement points of a mobile assault (9.23)
CLOSED = {"sea", "lake", "sivash", "strait"}
OWN = {"1507": 2, "1209": 4}  # Memel and Konigsberg (4.3)

Tolls = dict[Hex, list[tuple[Hex, int]]]
Reach = tuple[dict[Hex, int], dict[Hex, Hex]]  # the price of each hex, and from where it is entered


@dataclass(eq=False)
class Unit(board.Unit):
    spent: int = 0  # movement points of this turn
    fought: bool = False
    refit: bool = False
    sector: int = 0  # the row of its first hex

    def __post_init__(self) -> None:
        super().__post_init__()
        self.mech = "armor" in self.traits
        self.leads = "leads-assault" in self.traits
        self.german = "german" in self.traits
        self.satellite = "satellite" in self.traits
        self.zone = "fortified-zone" in self.traits
        self.static = bool(self.traits & {"static", "sea-only"})
        self.weak = "weak-in-cities" in self.traits
        self.size = int(self.kind.stacking)

    @property
    def attack(self) -> int:
        return self.ladder[self.lost][0]

    @property
    def defense(self) -> int:
        return self.ladder[self.lost][1]

    @property
    def movement(self) -> int:
        return self.ladder[self.lost][2]


class Board(board.Board[Unit]):
    sides = ("german", "soviet")

    def __init__(self, game: Game, scenario: Scenario, rng: random.Random) -> None:
        super().__init__(game, scenario, rng)
        self.turn = scenario.first_turn
        self.season = "dry"
        self.roads_help = True
        self.dd3 = True
        self.debit = 0
        self.blocks: set[Hex] = set()  # where the enemy closes a Rollbahn
        self.lost: Tally[str] = Tally()
        self.dead: list[str] = []
        self.taken: dict[Hex, int] = {}
        self.terrain = self.map.terrain
        self.country = self.map.grid["country"].values
        self.open = {h: self._open(h) for h in self.hexes if self.land(h)}
        self.rivers = self._both_ways(s for s, kinds in self.map.side_kinds.items() if "river" in kinds)
        self.roads = self._both_ways(s for s, kinds in self.map.line_steps.items() if "rollbahn" in kinds)
        self.road_hexes = self._line_hexes("rollbahn")
        self.forts = self._line_hexes("fortified-line") | (self.map.area["perekop"].hexes & set(self.open))
        self.east = {h for h, state in self.map.grid["supply"].values.items() if state == "attenuated"}
        self.south = self.map.area["south-sector"].hexes
        self.town = {p.hex: p.kind for p in self.map.places if p.kind in WORTH and p.hex in self.open}
        self.holder = {h: self._first_holder(h) for h in self.open}
        self._reached: dict[tuple[object, ...], Reach] = {}
        self._tolls: dict[tuple[str, str, bool, bool], Tolls] = {}
        for placement in scenario.set_up:
            for placed in placement.units if placement.hex else ():
                self.place(placed.id, self.label(placement.hex or ""))

    def _open(self, a: Hex) -> tuple[Hex, ...]:
        kinds = self.map.side_kinds
        ways = (b for b in neighbors(a) if b in self.hexes and self.land(b))
        return tuple(b for b in ways if not kinds.get(Hexside.between(a, b), frozenset()) & CLOSED)

    def _both_ways(self, sides: Iterable[Hexside]) -> set[tuple[Hex, Hex]]:
        steps = {(side.a, side.b) for side in sides}
        return steps | {(b, a) for a, b in steps}

    def _line_hexes(self, kind: str) -> set[Hex]:
        return {h for line in self.map.lines if line.kind == kind for h in line.hexes if h in self.open}

    def _first_holder(self, hex_: Hex) -> str:
        return "soviet" if self.country.get(hex_) == "soviet-union" else "german"

    def make(self, name: str, kind: UnitType, ladder: tuple[tuple[int, int, int], ...], hex_: Hex) -> Unit:
        return Unit(name, kind.side, kind, ladder, hex_, sector=self.row(hex_))

    def row(self, hex_: Hex) -> int:
        return int(self.map.lattice.label(hex_)[-2:])

    def ladder(self, counter: Counter, kind: UnitType) -> Iterator[tuple[int, int, int]]:
        for step in counter.steps:
            *combat, movement = (int(n) for n in step.split("-"))
            yield combat[0], combat[-1], movement

    def begin(self, turn: int) -> None:
        self.turn = turn
        self._reached.clear()
        for unit in self.units.values():
            unit.spent, unit.fought, unit.refit = 0, False, False

    # --- units

    def enter(self, unit: Unit, path: Iterable[Hex]) -> None:
        """The unit goes from hex to hex; what it enters is its side's."""
        for hex_ in path:
            self.hold(hex_, unit.side)
            self.move(unit, hex_)

    def hold(self, hex_: Hex, side: str) -> None:
        if self.holder[hex_] != side:
            self.holder[hex_] = side
            if side == "german":
                self.taken.setdefault(hex_, self.turn)
        if side == "german":
            self.forts.discard(hex_)

    def lose(self, unit: Unit) -> None:
        self.lost[unit.side] += 1
        super().lose(unit)
        if not unit.on_map:
            self.dead.append(unit.id)

    def room(self, hex_: Hex, side: str) -> int:
        return STACK - sum(u.size for u in self.stacks.get(hex_, ()) if u.side == side)

    def fits(self, hex_: Hex, unit: Unit) -> bool:
        """Whether it may end here: room, and of one nation (6.1, 6.3)."""
        here = [u for u in self.stacks.get(hex_, ()) if u is not unit]
        if sum(u.size for u in here) + unit.size > STACK:
            return False
        if unit.satellite and not self.satellite_ground(hex_):
            return False
        return all(_together(unit, u) for u in here)

    def satellite_ground(self, hex_: Hex) -> bool:
        return hex_ in self.south or self.country.get(hex_) == "romania"

    def occupied(self, side: str) -> set[Hex]:
        return {u.hex for u in self.units.values() if u.side == side}

    # --- points

    def worth(self, hex_: Hex) -> int:
        kind = self.town.get(hex_)
        return WORTH[kind] if kind and self.country.get(hex_) == "soviet-union" else 0

    def points(self) -> int:
        """Towns held, less German hexes lost and what has been debited (4.2)."""
        gained = sum(self.worth(h) for h in self.town if self.holder[h] == "german")
        lost = [
            h for h, c in self.country.items() if c == "greater-germany" and self.holder.get(h) == "soviet"
        ]
        return gained - self.debit - sum(OWN.get(self.map.lattice.label(h), 1) for h in lost)

    def zones_fall_due(self) -> None:
        odessa = self.label("2141") if not self.scenario.area else None
        self.debit += sum(u.zone and u.hex != odessa for u in self.side("soviet"))

    # --- ground

    @cached_property
    def away(self) -> dict[Hex, dict[Hex, int]]:
        """Hexes from each town, over land."""
        return {t: self.steps_from([t]) for t in self.town if self.worth(t)}

    def steps_from(
        self, starts: Iterable[Hex], shut: set[Hex] | frozenset[Hex] = frozenset()
    ) -> dict[Hex, int]:
        found = {h: 0 for h in starts if h not in shut}
        line = list(found)
        for here in line:
            for there in self.open[here]:
                if there not in found and there not in shut:
                    found[there] = found[here] + 1
                    line.append(there)
        return found

    def river(self, a: Hex, b: Hex) -> bool:
        return (a, b) in self.rivers

    def river_counts(self, side: str) -> bool:
        if self.season in ("frost", "snow"):
            return False
        return side == "soviet" or self.turn > FREE_RIVERS

    def tolls(self, unit: Unit) -> Tolls:
        """Every step with its price, for the unit's way of moving in this weather (9.10 to 9.20)."""
        rivers, roads = self.river_counts(unit.side), unit.side == "german" and self.roads_help
        key = (unit.kind.mobility, self.season, rivers, roads)
        if key not in self._tolls:
            self._tolls[key] = {h: [(b, self._toll(h, b, *key)) for b in self.open[h]] for h in self.open}
        return self._tolls[key]

    def _toll(self, a: Hex, b: Hex, mobility: str, season: str, rivers: bool, roads: bool) -> int:
        if roads and (a, b) in self.roads:
            return 1
        table = self.game.table["terrain-effects"]
        column = f"{mobility}@{season}" if f"{mobility}@{season}" in table.columns else mobility
        ground = "city" if self.town.get(b) == "city" else self.terrain[b]
        return int(table.cell(ground, column)) + (rivers and (a, b) in self.rivers) * int(
            table.cell("river", column)
        )

    def allowance(self, unit: Unit) -> int:
        if unit.side == "german" and self.turn == 1 and unit.german:
            return 14 if unit.mech else 7
        rain = (2 if unit.mech else 1) if unit.side == "german" and self.season == "rain" else 0
        return max(1, unit.movement - rain) if unit.movement else 0

    def reach(self, unit: Unit, limit: int | None = None) -> Reach:
        """Every hex it can pass or end in, the price, and the way there."""
        foes = frozenset(self.occupied(self.other(unit.side)))
        full = self.allowance(unit)
        left = (full if limit is None else limit) - unit.spent
        key = (unit.hex, unit.kind.mobility, unit.side, full, left, bool(unit.spent), self.season, foes)
        if key not in self._reached:
            self._reached[key] = self._reach(unit, foes, left, free_step=bool(full and not unit.spent))
        return self._reached[key]

    def _reach(self, unit: Unit, foes: frozenset[Hex], left: int, *, free_step: bool) -> Reach:
        tolls = self.tolls(unit)

        def steps(here: Hex) -> Iterator[tuple[Hex, int]]:
            return (step for step in tolls[here] if step[0] not in foes)

        best, came = spread({unit.hex: 0}, steps, left)
        if free_step:  # one hex is always allowed (9.3)
            for there, _ in steps(unit.hex):
                if there not in best:
                    best[there], came[there] = left, unit.hex
        return best, came

    @cached_property
    def _home(self) -> dict[str, dict[Hex, int]]:
        return {side: self.steps_from(h for h in self.sources[side] if h in self.open) for side in self.sides}

    def homeward(self, hex_: Hex, side: str) -> int:
        """Hexes to the side's nearest source."""
        return self._home[side].get(hex_, 99)

    # --- combat ground

    def cover(self, hex_: Hex, side: str = "soviet") -> int:
        """Columns that the place shifts in its defender's favor."""
        ground = {"forest": 1, "hills": 2}.get(
            "clear" if self.town.get(hex_) == "city" else self.terrain[hex_], 0
        )
        ground += {"city": 2, "large-town": 1}.get(self.town.get(hex_, ""), 0)
        if side == "soviet":
            ground += hex_ in self.forts
            ground += any(u.zone for u in self.stacks.get(hex_, ()))
        return ground


def _together(a: Unit, b: Unit) -> bool:
    if a.side != b.side:
        return False
    if a.side == "soviet" or a.kind.nationality == b.kind.nationality or (a.german and b.german):
        return True
    one = a if a.satellite else b
    return one.mech and (a.german or b.german)


def way(came: dict[Hex, Hex], end: Hex) -> list[Hex]:
    """The hexes from the start, which is left out, to the end."""
    path = []
    while end in came:
        path.append(end)
        end = came[end]
    return path[::-1]
