"""Supply status as it stands on units: a two-sided marker, Out of Supply on its front, Lack on its back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from validator.engine.case import AnyCase
from validator.model.events import Marked, Placed, Replaced, Unmarked
from validator.model.position import Unit
from validator.procedures.field import printed

MARKER = "out-of-supply"
SUPPLIED = 0  # no marker
OUT, LACK = 1, 2  # faces of the marker
NAMES = {SUPPLIED: "supplied", OUT: "out of supply", LACK: "lack of supply"}


@dataclass(frozen=True)
class Status:
    """What the rules say of a unit. `by` names what supplies it, or saves it from the worst."""

    status: int  # SUPPLIED, OUT or LACK
    by: str = ""
    isolated: bool = field(default=False, kw_only=True)

    @property
    def supplied(self) -> bool:
        return self.status == SUPPLIED

    @property
    def name(self) -> str:
        return "isolated" if self.isolated else NAMES[self.status]


def status_of(unit: Unit) -> int:
    return unit.marks.get(MARKER, SUPPLIED)


def out_of_supply(unit: Unit) -> bool:
    return status_of(unit) == OUT


def lack_of_supply(unit: Unit) -> bool:
    return status_of(unit) == LACK


def unsupplied(unit: Unit) -> bool:
    """Out of Supply or Lack of Supply."""
    return MARKER in unit.marks


def allowance(unit: Unit) -> int:
    """Movement points now: halved, rounded up, for lack of supply."""
    full = printed(unit, "movement")
    return -(-full // 2) if unsupplied(unit) else full


def shown_statuses(case: AnyCase, unit: Unit) -> tuple[int, ...]:
    """How a unit is marked; a marker that lies in its hex may be meant for it or for another."""
    in_hex = case.position.marks.get(unit.hex, {}).get(MARKER)
    if MARKER in unit.marks or in_hex is None:
        return (status_of(unit),)
    return (in_hex, SUPPLIED)


def hand_down(case: AnyCase, event: Replaced) -> None:
    """Who takes a unit's place has its status: a Kampfgruppe is out of supply if its corps was."""
    units = case.position.units
    faces = [units[name].marks[MARKER] for name in event.old if MARKER in units[name].marks]
    for name in event.old:
        case.position.unmark(name, MARKER)
    for name, _ in event.new if faces else ():
        case.position.mark(name, MARKER, min(faces))


def came_this_turn(case: AnyCase, unit: Unit) -> bool:
    """Put on the map, or in another's place."""
    heir = any(unit.id in dict(event.new) for event in case.in_turn.of(Replaced))
    return heir or _placed_this_turn(case, unit)


def _placed_this_turn(case: AnyCase, unit: Unit) -> bool:
    return bool(case.in_turn.of(Placed, unit=unit.id))


def changes_later(case: AnyCase, event: Marked | Unmarked, phase: str) -> Iterator[tuple[Unit, str]]:
    """The unit whose status is changed outside the phase that judges it, and how: status lasts the turn."""
    unit = case.position.units.get(event.on) if isinstance(event.on, str) else None
    if event.marker != MARKER or unit is None or not unit.on_map or case.phase == phase:
        return
    shown, new = status_of(unit), event.face if isinstance(event, Marked) else SUPPLIED
    inherited = shown != SUPPLIED and not case.by_hand and not _placed_this_turn(case, unit)
    if shown != new and (inherited or not came_this_turn(case, unit)):
        yield unit, f"{unit.id} was {NAMES[shown]} in the supply phase and is turned to {NAMES[new]} now"
