"""Where faults of Land Without End are put: its places, and the register of its kinds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from fractions import Fraction

from fieldpost.hexes import Hex
from players import faults
from players.lwe.supply import SupplyMap
from validator.core.board import HexId
from validator.games.lwe.book import ASSAULTING, ENEMY, GERMAN, MOVING, SOVIET
from validator.games.lwe.course import Course, course_of
from validator.games.lwe.field import Field, field_of, printed
from validator.model.events import Attacked, Moved, Placed
from validator.model.position import Unit

LIMIT = 6
WATER, STRAITS = {"sea", "lake"}, {"sivash", "strait"}
AIRCRAFT, CONCENTRATION, REFIT = "aircraft", "supply-concentration", "refit"


class Place(faults.Place[Field]):
    _supply: tuple[object, SupplyMap] | None = None

    @property
    def field(self) -> Field:
        return field_of(self.case)

    @property
    def turn(self) -> int:
        return self.case.turn

    @property
    def course(self) -> Course:
        return course_of(self.case)

    @property
    def supply(self) -> SupplyMap:
        """Supply as the players work it out; once for each state."""
        key = (self.case.position, self.case.position.version, self.turn, self.course.north)
        if Place._supply is None or Place._supply[0] != key:
            Place._supply = (key, SupplyMap(self.case))
        return Place._supply[1]

    # --- when ---

    def ending(self, *phases: str) -> bool:
        """The last moment of one of these phases."""
        return self.ends and self.phase in phases

    def mover(self) -> str | None:
        """The side whose movement ends here."""
        return MOVING.get(self.phase) if self.ends else None

    def attacker(self) -> str | None:
        """The side whose prepared assaults end here."""
        return ASSAULTING.get(self.phase) if self.ends else None

    @property
    def battle(self) -> int:
        """A number no battle has."""
        return 1 + max((e.battle for e in self.events if isinstance(e, Attacked)), default=0)

    # --- who ---

    def gone(self) -> set[str]:
        """Units that moved or attacked in this phase."""
        deeds = (e for e in self.case.in_phase.events if isinstance(e, Moved | Attacked))
        return {name for event in deeds for name in event.units}

    def arrived(self) -> set[str]:
        """Units that came onto the map in this turn."""
        came = set()
        for event in self.case.in_turn.events:
            if isinstance(event, Placed):
                came.add(event.unit)
            elif isinstance(event, Moved) and isinstance(event.start, str):
                came |= set(event.units)
        return came

    def fresh(self, side: str) -> list[Unit]:
        """Units that may still move by land, as far as this phase goes, and march like others."""
        gone, came = self.gone(), self.arrived() if side == GERMAN else set()
        units = self.units(side, lambda u: printed(u, "movement") > 0 and u.id not in gone | came)
        units = [
            u for u in units if REFIT not in u.marks and not u.has("sea-only") and not u.has("satellite")
        ]
        return [u for u in units if side == SOVIET or self.fed(u)]

    def fed(self, unit: Unit) -> bool:
        return self.supply.fed(self.hex_id(unit))

    def any(self, units: Iterable[Unit]) -> Iterator[Unit]:
        """In random order."""
        found = list(units)
        yield from self.random.sample(found, len(found))

    def boxed(self, *boxes: str) -> list[Unit]:
        return [unit for box in boxes for unit in self.position.at(box)]

    def load(self, hex_id: HexId, side: str) -> Fraction:
        return sum((u.type.stacking for u in self.field.units(hex_id, side)), Fraction(0))

    # --- where ---

    def label(self, hex_id: HexId) -> str:
        return self.field.board.label(hex_id)

    def hex(self, hex_id: HexId) -> Hex:
        return self.field.board.hexes[hex_id]

    def south(self) -> set[HexId]:
        """Where satellites may end and attack: south of the line, Romania with it (9.31)."""
        board, ground = self.field.board, self.field.ground
        romania = {h for h in range(len(board)) if ground.country(h) == "romania"}
        return romania | set(board.members(board.in_area("south-sector")))

    def crossed(self, a: HexId, b: HexId) -> set[str]:
        return set(self.field.board.side_of(a, b))

    def free(self, hex_id: HexId, side: str, unit: Unit) -> bool:
        """Nobody of the enemy there, and room for one more of the same nation."""
        there = self.field.units(hex_id)
        alone = all(u.side == side and u.nationality[:6] == unit.nationality[:6] for u in there)
        return alone and self.load(hex_id, side) + unit.type.stacking <= LIMIT

    def beside(self, hex_id: HexId) -> list[HexId]:
        """Land reached over no water and no river."""
        board = self.field.board
        near = (h for h in board.adjacent[hex_id] if board.terrain[h] not in WATER)
        return [h for h in near if not self.crossed(hex_id, h) & {*WATER, *STRAITS, "river"}]

    def enemies(self, side: str) -> Collection[HexId]:
        return {h for h, _ in self.field.of_side(ENEMY[side])}

    def faced(self, side: str, wanted: Callable[[Unit], bool]) -> Iterator[tuple[Unit, HexId]]:
        """Units beside an enemy they could attack but for the fault, in random order."""
        fought, board = self.gone(), self.field.board
        enemies = self.enemies(side)
        for unit in self.any(self.units(side, wanted)):
            if unit.id in fought or unit.has(AIRCRAFT) or printed(unit, "attack") == 0:
                continue
            here = self.hex_id(unit)
            for target in board.adjacent[here]:
                if target in enemies and not self.crossed(here, target) & {*WATER, *STRAITS}:
                    yield unit, target

    # --- deeds ---

    def move(self, unit: Unit, *way: HexId, mode: str = "", battle: int | None = None) -> Moved:
        spots = tuple(self.hex(h) for h in (self.hex_id(unit), *way))
        return Moved((unit.id,), spots, mode, battle)

    def attack(self, units: Iterable[Unit], *targets: HexId, mobile: bool = False) -> Attacked:
        names = tuple(unit.id for unit in units)
        return Attacked(self.battle, names, tuple(self.hex(h) for h in targets), overrun=mobile)


FAULTS = faults.Faults("lwe", Place)
fault = FAULTS.fault
