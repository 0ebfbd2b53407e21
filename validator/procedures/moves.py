"""Moves as rules look at them: by land or not, by whom, over which hexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.movement import MoveRules, PathVerdict, explain, find_way
from validator.core.retreat import straight_paths
from validator.engine.case import AnyCase
from validator.model.events import Attacked, Event, Moved, Spot
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.field import Field

T = TypeVar("T")


def movers(case: AnyCase, event: Moved) -> list[Unit]:
    return case.units(event.units)


def act_of(event: Event) -> str:
    """What units that rest must not do, in words: moves or attacks; nothing of what they may: to retreat."""
    match event:
        case Moved(mode=mode) if mode != "retreat":
            return "moves"
        case Attacked():
            return "attacks"
    return ""


def must_rest(event: Moved | Attacked, tired: tuple[str, ...], rule: str, why: str) -> Iterator[Fault]:
    """Units that neither move nor attack, and do; they may retreat."""
    what = act_of(event)
    if tired and what:
        yield Fault(rule, f"{'+'.join(tired)} {why} and {what}", tired)


def spot_of(hex_: Spot | None) -> tuple[Hex, ...]:
    """The hex of a spot, for a fault; nothing of a box."""
    return (hex_,) if isinstance(hex_, Hex) else ()


def way_of(field: Field, event: Moved) -> list[HexId] | None:
    """The hexes of a move; None if it leaves those in play."""
    way = field.ids(event.path)
    return way if len(way) == len(event.path) else None


@dataclass(frozen=True)
class Journey:
    """A unit of a move, and the hexes of its way."""

    unit: Unit
    way: list[HexId]
    field: Field
    dragged: bool = False  # only its ends are known

    def verdict(self, rules: MoveRules, between: Sequence[HexId] | None = None) -> PathVerdict:
        """Whether it may be gone, as it is shown or by way of other hexes."""
        way_points = self.way[1:-1] if between is None else between
        return explain(self.field.board, rules, self.start, self.end, way_points)

    @property
    def start(self) -> HexId:
        return self.way[0]

    @property
    def end(self) -> HexId:
        return self.way[-1]

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """Its ends, for a fault."""
        return self.field.hexes((self.start, self.end))


def journeys(case: AnyCase, field: Field, event: Moved) -> list[Journey]:
    """The ways of the units of a move; none, if it leaves the hexes in play."""
    way = way_of(field, event)
    return [] if way is None else [Journey(unit, way, field, event.dragged) for unit in movers(case, event)]


def since_return(path: Sequence[T]) -> Sequence[T]:
    """What follows the last return to the start: a piece dragged back by hand has not gone."""
    last = max(index for index, spot in enumerate(path) if spot == path[0])
    return path[last:]


def on_the_map(event: Moved) -> Moved:
    """The part of a move that is made on the map: out of a box it begins in the first hex."""
    goes_on = isinstance(event.start, str) and len(event.path) > 2
    return replace(event, path=event.path[1:]) if goes_on else event


def past_entry(way: Sequence[HexId], entry: HexId | None) -> list[HexId]:
    """A way without its step into the hex that was fought free: that one is free, and comes first."""
    if entry is None:
        return [*way]
    return [*way[1:]] if entry in way[1:2] else [entry, *way[1:]]


def note_the_way(
    case: AnyCase, field: Field, unit: Unit, rules: MoveRules, way: Sequence[HexId], verdict: PathVerdict
) -> None:
    """A drag shows its ends alone: noted if it is legal only by another way than the straight one."""
    if rules.exact or verdict.way is None or len(way) != 2:
        return
    start, end = way
    path = verdict.way.path
    if len(path) - 1 <= field.board.distance(start, end):
        return
    straight = straight_paths(field.board, start, end)
    exact = replace(rules, exact=True)
    if not any(find_way(field.board, exact, start, end, path[1:-1]) for path in straight):
        case.note_way(f"{unit.id} by {'-'.join(map(field.ground.wording.hex, path))}")
