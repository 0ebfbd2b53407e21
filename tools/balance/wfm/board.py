"""The set-up of Turning Point as pieces that a crude player can push."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from fieldpost.definition.model import Counter, Game, Marker, Scenario, UnitType
from fieldpost.hexes import Hex, Hexside, distance, neighbors
from tools.balance import board
from tools.balance.board import spread

_COVER = {"major-city": 3, "fortress": 3, "minor-city": 2}


@dataclass(eq=False)
class Unit(board.Unit):
    supplied: bool = True
    chit: Marker | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.army = "draws-strength" in self.traits
        self.hq, self.depot, self.airbase = (t in self.traits for t in ("hq", "depot", "airbase"))
        self.osg, self.panzer, self.german = (t in self.traits for t in ("osg", "panzer", "german"))
        self.zone = self.kind.zoc
        self.advance = int(self.kind.values.get("advance", 0))

    @property
    def points(self) -> int:
        return int(self.kind.values.get("points", 0)) * self.steps

    @property
    def movement(self) -> int:
        full = self.ladder[min(self.lost, len(self.ladder) - 1)][2]
        return full if self.supplied else -(-full // 2)


class Board(board.Board[Unit]):
    sides = ("axis", "soviet")

    def __init__(self, game: Game, scenario: Scenario, rng: random.Random) -> None:
        super().__init__(game, scenario, rng)
        self.open = {h: self.open_from(h) for h in self.hexes if self.land(h)}
        self.tolls: dict[tuple[Hex, Hex, str], int] = {}
        self.cups: dict[str, list[str]] = {d.deck: list(d.markers) for d in scenario.decks}
        self.supply_field: set[Hex] = set()
        for placement in scenario.set_up:
            for placed in placement.units:
                unit = self.place(placed.id, self.label(placement.hex or ""))
                for marker in placed.markers:
                    unit.chit = game.marker[marker.id]
                    unit.lost = marker.face - 1

    # --- units

    def make(self, name: str, kind: UnitType, ladder: tuple[tuple[int, int, int], ...], hex_: Hex) -> Unit:
        return Unit(name, kind.side, kind, ladder, hex_)

    def ladder(self, counter: Counter, kind: UnitType) -> Iterator[tuple[int, int, int]]:
        for step in counter.steps:
            numbers = step.split("-")
            if len(numbers) == 2:
                yield 0, 0, int(numbers[1])
            else:
                yield int(numbers[0]), int(numbers[1]), int(numbers[2])
        smaller = kind.values.get("breaks-into")
        if smaller:
            group = next(c for c in self.game.counters if c.type == smaller)
            yield from self.ladder(group, self.game.unit_type[group.type])

    def move(self, unit: Unit, hex_: Hex) -> None:
        super().move(unit, hex_)
        for prey in [u for u in self.stacks[hex_] if u.side != unit.side and unit.zone]:
            self.remove(prey)

    def remove(self, unit: Unit) -> None:
        if unit.on_map:
            super().remove(unit)
            self.return_chit(unit)

    def lose(self, unit: Unit) -> None:
        if unit.army and unit.chit is None:
            self.draw(unit)
        super().lose(unit)

    # --- strength

    def draw(self, unit: Unit) -> None:
        cup = self.cups[f"csm-{str(unit.kind.values['class']).lower()}"]
        if cup:
            unit.chit = self.game.marker[cup.pop(self.rng.randrange(len(cup)))]

    def return_chit(self, unit: Unit) -> None:
        if unit.chit is not None and not unit.chit.values["starred"]:
            self.cups[f"csm-{str(unit.chit.values['class']).lower()}"].append(unit.chit.id)
        unit.chit = None

    def fill_cups(self, turn: int) -> None:
        for marker in self.game.markers:
            if marker.kind == "strength" and marker.enters == f"GT{turn}":
                self.cups[f"csm-{str(marker.values['class']).lower()}"] += [marker.id] * marker.count

    def refresh_strength(self) -> None:
        for unit in self.side("soviet"):
            beside = any(self.at(h, "axis") for h in neighbors(unit.hex))
            if unit.army and not beside:
                self.return_chit(unit)
                unit.lost = 0
            elif unit.army and unit.chit is None:
                self.draw(unit)

    def strength(self, unit: Unit) -> tuple[int, int]:
        if not unit.army:
            return unit.ladder[unit.lost][:2]
        if unit.chit is None:
            self.draw(unit)
        if unit.chit is None:
            return 3, 5
        names = ("back-attack", "back-defense") if unit.lost else ("attack", "defense")
        return int(unit.chit.values[names[0]]), int(unit.chit.values[names[1]])

    def attack(self, unit: Unit) -> int:
        attack = self.strength(unit)[0]
        return attack if unit.supplied else -(-attack // 2)

    def defense(self, unit: Unit) -> int:
        defense = self.strength(unit)[1]
        return defense if unit.supplied else -(-defense // 2)

    # --- ground

    def terrain(self, hex_: Hex) -> str:
        kinds = [p.kind for p in self.map.places_at.get(hex_, ()) if p.kind in _COVER]
        if kinds:
            return max(kinds, key=lambda k: _COVER[k])
        ground = self.map.terrain[hex_]
        return "forest" if ground == "swamp" else ground

    def kinds(self, a: Hex, b: Hex) -> frozenset[str]:
        return self.map.side_kinds.get(Hexside.between(a, b), frozenset())

    def passable(self, a: Hex, b: Hex) -> bool:
        return b in self.open[a]

    def open_from(self, a: Hex) -> dict[Hex, int]:
        """The neighbors one may go to, with what a line of supply pays to get there, in halves."""
        found: dict[Hex, int] = {}
        for b in neighbors(a):
            if self.land(b) and not self.kinds(a, b) & {"sea", "lake", "causeway", "ice-road"}:
                railed = "railway" in self.map.line_steps.get(Hexside.between(a, b), ())
                found[b] = 1 if railed else 0 if self.river(a, b) == "major" else 2
        return found

    def river(self, a: Hex, b: Hex) -> str:
        kinds = self.kinds(a, b)
        if kinds & {"major-river", "strait"}:
            return "major"
        return "minor" if "minor-river" in kinds else ""

    def zone(self, hex_: Hex, side: str) -> bool:
        return any(u.zone and u.side == side for h in self.open[hex_] for u in self.stacks.get(h, ()))

    def led(self, hex_: Hex) -> bool:
        """Whether a Soviet headquarters is near enough to supply an army here, as the crow flies."""
        return any(u.hq and distance(u.hex, hex_) <= 6 for u in self.side("soviet"))

    def room(self, hex_: Hex) -> bool:
        return sum((u.kind.stacking for u in self.stacks.get(hex_, ())), Fraction(0)) <= 1

    def fits(self, hex_: Hex, unit: Unit) -> bool:
        here = [u for u in self.stacks.get(hex_, ()) if u is not unit]
        limit = Fraction(1) if unit.side == "soviet" else Fraction(7, 3)
        return sum((u.kind.stacking for u in here), unit.kind.stacking) <= limit

    def enterable(self, hex_: Hex, side: str) -> bool:
        return self.land(hex_) and not self.stacks.get(hex_)

    def fixed(self, unit: Unit) -> bool:
        """Whether it faces an enemy already."""
        return self.zone(unit.hex, self.other(unit.side))

    # --- movement

    def reachable(self, unit: Unit) -> list[Hex]:
        foe = self.other(unit.side)
        best, _ = spread({unit.hex: 0}, lambda here: self.steps(unit, here, foe), unit.movement)
        return sorted(h for h in best if h != unit.hex and self.fits(h, unit))

    def steps(self, unit: Unit, here: Hex, foe: str) -> Iterator[tuple[Hex, int]]:
        leaving = self.zone(here, foe)
        for there in self.open[here]:
            if self.at_zone(there, foe):
                continue
            into = self.zone(there, foe)
            if into and ((leaving and not unit.panzer) or not unit.zone):
                continue
            yield there, self.toll(here, there, unit.kind.mobility) + 3 * leaving

    def toll(self, here: Hex, there: Hex, mobility: str) -> int:
        """Movement points for a step in snow."""
        key = (here, there, mobility)
        if key not in self.tolls:
            table = self.game.table["terrain-effects"]
            river = {"major": 2, "minor": 1, "": 0}[self.river(here, there)]
            self.tolls[key] = int(table.cell(self.terrain(there), f"{mobility}@snow")) + river
        return self.tolls[key]

    def at_zone(self, hex_: Hex, side: str) -> bool:
        """Whether fighting units of the side stand here; others are swept away."""
        return any(u.zone for u in self.at(hex_, side))

    def retreat(self, unit: Unit, number: int) -> list[Hex]:
        """A way back that costs no step, or nothing."""
        foe = self.other(unit.side)
        path: list[Hex] = []
        here = unit.hex
        for _ in range(number):
            free = [h for h in self.open[here] if not self.zone(h, foe)]
            free = [h for h in free if not self.at(h, foe) and self.fits(h, unit)]
            free = [h for h in free if distance(h, unit.hex) > distance(here, unit.hex)]
            if not free:
                return []
            here = max(free, key=lambda h: (self.nearest(h, foe), h))
            path.append(here)
        return path

    def field(self) -> set[Hex]:
        from tools.balance.wfm.supply import field_of_supply

        return field_of_supply(self)
