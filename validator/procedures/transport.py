"""Strategic movement and sea transport: far from the enemy by land, from port to port by ship.

A game states a `Strategic` and a `Sea`; `judge_strategic` and `judge_voyage` are its modes for
`procedures.marching`. Its phase keeps the `ships`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.capacity import Capacity, Load
from validator.core.movement import MoveRules, explain
from validator.core.sea import SeaRules, check_voyage
from validator.engine.case import AnyCase
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.marching import begun, trip_of

Reason = tuple[str, str]
"""A rule, and how it is broken."""


def faults_of(unit: Unit, reasons: Iterator[Reason]) -> Iterator[Fault]:
    """The first reason, as a fault of a unit."""
    for rule, reason in reasons:
        yield Fault(rule, f"{unit.id} {reason}", (unit.id,))
        return


# --- strategic movement --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strategic:
    """`barred` tells who may not use it; `keys` give the rules of what a way breaks, the likeliest first.
    `strict` are the rules under which a way is sure, if they are others; `doubt` names what is not."""

    barred: Callable[[Any, Unit], Iterator[Reason]]
    rules_of: Callable[[Any, Any, Unit], MoveRules]
    strict: Callable[[Any, Any, Unit], MoveRules | None]
    fault_of: Callable[..., Fault]
    keys: Mapping[str, str]
    doubt: str


def judge_strategic(
    of: Strategic, case: AnyCase, field: Any, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[Fault]:
    barred = list(faults_of(unit, of.barred(case, unit)))
    yield from barred
    if barred:
        return
    rules = replace(of.rules_of(case, field, unit), exact=not event.dragged)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    strict = of.strict(case, field, unit)
    if not verdict.legal:
        fault = of.fault_of(case, field, unit, verdict, [unit])
        keys = verdict.obstacle.keys if verdict.obstacle else ()
        yield replace(fault, rule=next((of.keys[key] for key in of.keys if key in keys), fault.rule))
    elif strict is not None:
        strict = replace(strict, exact=rules.exact)
        if not explain(field.board, strict, way[0], way[-1], way[1:-1]).legal:
            text = f"{unit.id} comes near enemy units that may not count"
            yield Fault(of.doubt, text, (unit.id,), verdict=Verdict.JUDGEMENT)


# --- the sea ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sea:
    """`barred` tells who is not shipped; `bars` what else is wrong with a voyage between two ports. `keys`
    give the rules of what `core.sea` finds, `begins` that of the port it began in, `room` of the ships."""

    barred: Callable[[Any, Unit], Iterator[Reason]]
    rules_of: Callable[[Any, Any, Unit], SeaRules]
    bars: Callable[[Any, Any, Unit, HexId, HexId], Iterator[Reason]]
    keys: Mapping[str, str]
    begins: str
    room: str


def judge_voyage(
    of: Sea, case: AnyCase, field: Any, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[Fault]:
    barred = list(faults_of(unit, of.barred(case, unit)))
    yield from barred or faults_of(unit, _of_voyage(of, case, field, unit, way, event))


def _of_voyage(
    of: Sea, case: AnyCase, field: Any, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[Reason]:
    yield from of.bars(case, field, unit, way[0], way[-1])
    for breach in check_voyage(of.rules_of(case, field, unit), way[0], way[-1]):
        yield of.keys[breach.key], f"by sea: {say.breach_text(field.ground.wording, breach)}"
    if field.id(begun(case, unit)) != way[0]:
        yield of.begins, "did not begin the phase in that port"
    if _ships(case, unit, event, way).check(load(unit, way)):
        yield of.room, "finds no room: one unit a phase goes by sea, or two halves to the same port"


def _ships(case: AnyCase, unit: Unit, event: Moved, way: list[HexId]) -> Capacity:
    """The ships as the units before this one, of the same move, have left them."""
    ships: Capacity = case.in_phase.ships
    before = event.units[: event.units.index(unit.id)]
    return replace(ships, loads=[*ships.loads, *(load(case.position.units[name], way) for name in before)])


def load(unit: Unit, way: list[HexId]) -> Load:
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)), way[-1])


def has_moved(case: AnyCase, unit: Unit) -> bool:
    return trip_of(case, unit) is not None
