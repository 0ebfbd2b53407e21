"""Strategic movement and sea transport: far from the enemy by land, from port to port by ship.

A game states a `Strategic` and a `Sea`; `judge_strategic` and `judge_voyage` are its modes for
`procedures.marching`. Its phase keeps the `ships`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.breach import Breach
from validator.core.capacity import Capacity, Load
from validator.core.costs import points_text
from validator.core.movement import BUDGET, MoveRules, PathVerdict, explain
from validator.core.sea import SeaRules, check_voyage
from validator.engine.case import AnyCase
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.marches import FaultOfPath, begun

SEA = "sea"
UNFED = "out-of-supply"  # hexes without a line of supply
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
    """`barred` says who may not use it; `keys` give the rules of what a way breaks, the likeliest first, and
    `otherwise` that of the rest, if it is not the march's. `strict` are the rules under which a way is sure,
    if they are others; `doubt` names what is not."""

    barred: Callable[[Any, Unit], Iterator[Reason]]
    rules_of: Callable[[Any, Any, Unit], MoveRules]
    fault_of: FaultOfPath
    keys: Mapping[str, str]
    otherwise: str = ""
    strict: Callable[[Any, Any, Unit], MoveRules | None] = lambda case, field, unit: None
    doubt: str = ""


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
        fault = of.fault_of(case, field, unit, verdict, way, event)
        keys = verdict.obstacle.keys if verdict.obstacle else ()
        rule = next((of.keys[key] for key in of.keys if key in keys), of.otherwise or fault.rule)
        text = f"{unit.id}: {_hexes_text(field, verdict)}"
        yield replace(fault, rule=rule, message=text, verdict=_fed_this_turn(rules, way[0], keys))
    elif strict is not None:
        strict = replace(strict, exact=rules.exact)
        if not explain(field.board, strict, way[0], way[-1], way[1:-1]).legal:
            text = f"{unit.id} comes near enemy units that may not count"
            yield Fault(of.doubt, text, (unit.id,), verdict=Verdict.JUDGEMENT)


def _hexes_text(field: Any, verdict: PathVerdict) -> str:
    """Hexes count, not what they cost."""
    words, obstacle = field.ground.wording, verdict.obstacle
    if obstacle is None:
        return say.path_text(words, verdict)
    path, allowed = obstacle.way.path, points_text(verdict.budget)
    reasons = [
        f"{len(path) - 1} hexes, {allowed} allowed" if b.key == BUDGET else say.breach_text(words, b)
        for b in obstacle.breaches
    ]
    return f"{'; '.join(reasons)}: {'-'.join(map(words.hex, path))}"


def _fed_this_turn(rules: MoveRules, start: HexId, keys: tuple[str, ...]) -> Verdict:
    """A unit found in supply stays so for the turn, even where no line reaches it any more."""
    begins_cut_off = bool(rules.forbidden.get(UNFED) and rules.forbidden[UNFED][start])
    return Verdict.WARNING if keys == (UNFED,) and begins_cut_off else Verdict.ILLEGAL


# --- the sea ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sea:
    """`barred` says who is not shipped; `bars` what else is wrong with a voyage between two ports. `rule_of`
    gives the rule of what `core.sea` finds on a voyage, `begins` that of the port it began in, `room` of the
    ships, which `load` fills; `full` says so."""

    barred: Callable[[Any, Unit], Iterator[Reason]]
    rules_of: Callable[[Any, Any, Unit], SeaRules]
    rule_of: Callable[[SeaRules, Breach, list[HexId]], str]
    begins: str
    room: str
    bars: Callable[[Any, Any, Unit, HexId, HexId], Iterable[Reason]] = lambda *voyage: ()
    load: Callable[[Unit, list[HexId]], Load] = lambda unit, way: load(unit, way)
    full: str = "finds no room: one unit a phase goes by sea, or two halves to the same port"


def judge_voyage(
    of: Sea, case: AnyCase, field: Any, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[Fault]:
    barred = list(faults_of(unit, of.barred(case, unit)))
    yield from barred or faults_of(unit, _of_voyage(of, case, field, unit, way, event))


def _of_voyage(
    of: Sea, case: AnyCase, field: Any, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[Reason]:
    yield from of.bars(case, field, unit, way[0], way[-1])
    rules = of.rules_of(case, field, unit)
    for breach in check_voyage(rules, way[0], way[-1]):
        text = f"by sea: {say.breach_text(field.ground.wording, breach)}"
        yield of.rule_of(rules, breach, way), text
    if field.ids(begun(case, unit)) != way[:1]:
        yield of.begins, "did not begin the phase in that port"
    if _ships(of, case, unit, event, way).check(of.load(unit, way)):
        yield of.room, of.full


def _ships(of: Sea, case: AnyCase, unit: Unit, event: Moved, way: list[HexId]) -> Capacity:
    """The ships as the units before this one, of the same move, have left them."""
    ships: Capacity = case.in_phase.ships
    before = event.units[: event.units.index(unit.id)]
    return replace(ships, loads=[*ships.loads, *(of.load(one, way) for one in case.units(before))])


def load(unit: Unit, way: list[HexId]) -> Load:
    """Units to one port share the ships."""
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)), way[-1])
