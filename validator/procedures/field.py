"""The field as rules see it: who stands where, in one state of the position.

A game makes its ground (what never changes) and its field of these, with what its own rules ask for besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Generic, TypeVar

from fieldpost.hexes import Hex
from validator.core.board import Board, HexId, Mask
from validator.core.explain import Wording
from validator.engine.case import AnyCase
from validator.model.position import Position, Unit
from validator.procedures.occupancy import Occupancy, occupancy_of


class Ground:
    """What does not change in a scenario: the board, and how its hexes are called."""

    board: Board
    wording: Wording

    def country(self, hex_id: HexId) -> str:
        """The country that a hex lies in; "" in none."""
        return self.board.map.grid["country"].values.get(self.board.hexes[hex_id], "")

    def named_place(self, hex_: Hex, *kinds: str) -> str:
        """Kharkov (4508); without kinds, the first place of any."""
        hex_id = self.board.id_of[hex_]
        label = self.wording.hex(hex_id)
        there = self.board.places.get(hex_id, ())
        names = [place.name for place in there if not kinds or place.kind in kinds]
        return f"{names[0]} ({label})" if names else label


def hexes_in_play(case: AnyCase) -> frozenset[Hex]:
    """Those of the scenario's area, or of its sheets."""
    map_, scenario = case.game.map, case.scenario
    if scenario.area:
        return frozenset(map_.area[scenario.area].hexes)
    return frozenset(h for h in map_.hexes if map_.lattice.sheet_of(h).id in scenario.sheets)


class Field:
    """One state of the position on its ground."""

    ground: Ground

    def __init__(self, ground: Ground, position: Position) -> None:
        self.ground = ground
        self.board = ground.board
        self.position = position

    def id(self, spot: object) -> HexId | None:
        """The hex id of a spot; None for boxes and for hexes not in play."""
        return self.board.id_of.get(spot) if isinstance(spot, Hex) else None

    def ids(self, spots: Iterable[object]) -> list[HexId]:
        """Those of the spots that are hexes in play."""
        return [hex_id for spot in spots if (hex_id := self.id(spot)) is not None]

    def hexes(self, ids: Iterable[HexId]) -> tuple[Hex, ...]:
        return tuple(self.board.hexes[hex_id] for hex_id in ids)

    def where(self, units: Iterable[Unit]) -> dict[str, HexId]:
        """The hexes that units stand in, of those in play."""
        return {unit.id: hex_id for unit, hex_id in self.standing(units)}

    def standing(self, units: Iterable[Unit]) -> list[tuple[Unit, HexId]]:
        """Those of the units that are in play, and their hexes."""
        return [(unit, hex_id) for unit in units if (hex_id := self.id(unit.spot)) is not None]

    def units(self, hex_id: HexId, side: str | None = None) -> list[Unit]:
        there = self.position.at(self.board.hexes[hex_id])
        return there if side is None else [unit for unit in there if unit.side == side]

    @staticmethod
    def stands(unit: Unit) -> bool:
        """Whether a unit takes part in what a field knows; a game may leave some out."""
        return True

    def of_side(self, side: str, *traits: str) -> Iterator[tuple[HexId, Unit]]:
        """The units of a side in play; of traits, those that have one."""
        everyone = self._of_sides.get(side, ())
        chosen = ((h, unit) for h, unit in everyone if any(map(unit.has, traits)))
        return chosen if traits else iter(everyone)

    def places_of(self, side: str, which: Callable[[Unit], object], *traits: str) -> list[HexId]:
        """The hexes of the units of a side in play of which something holds."""
        return [hex_id for hex_id, unit in self.of_side(side, *traits) if which(unit)]

    def of_sides(self, *sides: str) -> list[tuple[HexId, Unit]]:
        """One side after the other."""
        return [each for side in sides for each in self.of_side(side)]

    @cached_property
    def _of_sides(self) -> dict[str, list[tuple[HexId, Unit]]]:
        position = self.position
        return position.keep(("of sides", self.board), position.place_version, self._by_side)

    def _by_side(self) -> dict[str, list[tuple[HexId, Unit]]]:
        units, id_of = self.position.units, self.board.id_of
        taking_part = self.position.keep("taking part", 0, lambda: set(filter(self._takes_part, units)))
        by_side: dict[str, list[tuple[HexId, Unit]]] = {side.id: [] for side in self.position.game.sides}
        for hex_, names in self.position.stacks():
            hex_id = id_of.get(hex_)
            if hex_id is not None:
                for name in filter(taking_part.__contains__, names):
                    unit = units[name]
                    by_side[unit.side].append((hex_id, unit))
        return by_side

    def _takes_part(self, name: str) -> bool:
        return self.stands(self.position.units[name])

    @cached_property
    def occupancy(self) -> Occupancy:
        return occupancy_of(self.position, self.board, self.stands)

    def occupied(self, side: str) -> Mask:
        """Hexes with units of a side; markers do not count. None of no side, which defends an empty hex."""
        return self.occupancy.masks.get(side) or self.board.mask()


def printed(unit: Unit, factor: str, otherwise: str = "") -> int:
    """A printed number of the unit's present side; of a counter without it, the other one, or 0."""
    numbers = dict(zip(unit.type.factors, unit.counter.steps[unit.step - 1].split("-"), strict=False))
    shown = numbers.get(factor, numbers.get(otherwise, ""))
    return int(shown) if shown.isdigit() else 0


G = TypeVar("G", bound=Ground)
F = TypeVar("F", bound=Field)


class Fields(Generic[G, F]):
    """The ground of a case, and its fields: as it is now, and as the phase began. Each is made when it is
    first asked for; `make` gets the ground, a state of the position and the season."""

    def __init__(self, ground: Callable[[Any], G], make: Callable[[G, Position, str], F]) -> None:
        self._ground, self._make = ground, make

    def ground_of(self, case: AnyCase) -> G:
        return case.once(self._ground, lambda: self._ground(case))

    def now(self, case: AnyCase) -> F:
        state = (case.position.version, case.turn)
        return case.kept(
            self._make, state, lambda: self._make(self.ground_of(case), case.position, case.season)
        )

    def at_phase_start(self, case: AnyCase) -> F:
        start = case.phase_start
        return case.kept(
            self.at_phase_start, start, lambda: self._make(self.ground_of(case), start, case.season)
        )
