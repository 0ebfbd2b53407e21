"""Planes that fly missions from a base in a turn: what each has flown, how far, and what it may have passed.

A game keeps a `Flight` of each plane in the air; a reducer notes what a `Sortie` adds to it. Which missions
there are, how far planes fly and who may meet them is the game's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from fieldpost.hexes import Hex
from validator.core.board import Board, HexId
from validator.model.position import Unit


@dataclass
class Flight:
    """What an air unit does in a player turn."""

    base: HexId
    missions: list[str] = field(default_factory=list)
    targets: list[HexId] = field(default_factory=list)

    @property
    def last(self) -> str:
        """The mission it flew last; empty if it flew none, or nobody said which."""
        return self.missions[-1] if self.missions else ""


@dataclass(frozen=True)
class Sortie:
    """One plane of a move, and what it has done in the turn before."""

    unit: Unit
    start: HexId
    end: HexId
    mode: str
    flight: Flight | None
    board: Board

    @property
    def base(self) -> HexId:
        return self.flight.base if self.flight else self.start

    @property
    def missions(self) -> list[str]:
        return self.flight.missions if self.flight else []

    @property
    def returns(self) -> bool:
        """Back to where it came from."""
        return self.flight is not None and self.end == self.flight.base

    @property
    def far(self) -> int:
        """Hexes from its base."""
        return self.board.distance(self.base, self.end)

    @property
    def leg(self) -> int:
        """Hexes of this move."""
        return self.board.distance(self.start, self.end)

    @property
    def hexes(self) -> tuple[Hex, Hex]:
        """Its base and its end."""
        return self.board.hexes[self.base], self.board.hexes[self.end]


def note(flights: dict[str, Flight], sortie: Sortie, *, home: Collection[str]) -> None:
    """A plane is in the air, and on which mission; by some modes it only flies home."""
    flight = flights.setdefault(sortie.unit.id, Flight(sortie.start))
    if sortie.mode not in home:
        flight.missions.append(sortie.mode)
        flight.targets.append(sortie.end)


def last_missions(flights: Mapping[str, Flight], planes: Collection[Unit]) -> set[str]:
    """What some planes fly."""
    return {flights[plane.id].last for plane in planes if plane.id in flights} - {""}


def may_have_passed(board: Board, flight: Flight | None, here: HexId | None, detour: int) -> bool:
    """Whether a flight can have come by a hex, with a small detour; yes where nobody saw the flight."""
    if flight is None or not flight.targets or here is None:
        return True
    start, end = flight.base, flight.targets[-1]
    around = board.distance(start, here) + board.distance(here, end)
    return around <= board.distance(start, end) + detour
