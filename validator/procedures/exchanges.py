"""Counters that give way to others in a phase of exchanges: Kampfgruppen to a corps, an army to a better one.

A game states its `Exchanges`; `register` gives its rulebook the judges and reducers. Its phase remembers how
many were `converted` and the replacement `points` spent. A smaller unit's type names what it `builds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Event, Placed, Replaced, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.arrivals import entry_turn
from validator.procedures.supplymarks import out_of_supply

BUILDUP, STEPS, CONVERT = "buildup", "exchange-steps", "convert"


@dataclass(frozen=True)
class Exchanges:
    """Rules it names: `buildup`, two of a kind become the greater unit; `steps`, replacements; `convert`, an
    army becomes one of the `better`; `supplied`, none of it out of supply."""

    phase: str
    field_of: Callable[[Any], Any]
    buildup: str
    steps: str
    convert: str
    supplied: str
    built_step: Callable[[Any], int]  # the side that a built unit shows at best
    zone_free: Callable[[Any], bool]  # whether buildup is free of enemy zones now
    points: Callable[[Any], int]  # of replacements in this turn
    taker: str  # the trait of who gets replacements
    regular: str  # the trait of armies that are converted
    better: Callable[[Unit], bool]
    most_converted: int


def register(rules: Rulebook, of: Exchanges) -> None:
    @rules.rule(of.buildup, of.convert, of.supplied)
    @rules.before(Replaced)
    def counters_give_way_as_they_may(case: AnyCase, event: Replaced) -> Faults:
        found = {BUILDUP: _of_buildup, CONVERT: _of_conversion}.get(event.why)
        yield from told(event, found(of, case, event) if found else ())

    @rules.rule(of.steps, of.supplied)
    @rules.before(StepChanged, Replaced, phases=[of.phase])
    def replacements_restore_steps(case: AnyCase, event: Event) -> Faults:
        found = _recovered(case, event)
        if found is not None:
            yield from _of_replacement(of, case, event, *found)

    @rules.track(StepChanged, Replaced, when=JUDGED, phases=[of.phase])
    def note_the_points(case: AnyCase, event: Event) -> None:
        found = _recovered(case, event)
        case.in_phase.points += price(*found) if found is not None else 0

    @rules.track(Replaced, when=JUDGED)
    def note_the_conversion(case: AnyCase, event: Replaced) -> None:
        case.in_phase.converted += event.why == CONVERT

    @rules.rule(of.convert)
    @rules.before(Placed)
    def better_armies_come_by_conversion(case: AnyCase, event: Placed) -> Faults:
        unit = case.position.units[event.unit]
        known = unit.id in case.in_game.lost or case.phase_start.units[unit.id].on_map
        if of.better(unit) and isinstance(event.spot, Hex) and not known and not case.position.partial:
            text = f"{unit.id} is placed; it takes the place of another army"
            yield Fault(of.convert, text, (unit.id,), (event.spot,))


def units_of(case: AnyCase, event: Replaced) -> tuple[list[Unit], list[Unit]]:
    """Those that go, and those that come."""
    units = case.position.units
    return [units[name] for name in event.old], [units[name] for name, _ in event.new]


def told(event: Replaced, wrong: Iterator[tuple[str, str]] | tuple[()]) -> Faults:
    """The first fault of an exchange."""
    names = (*event.old, *(name for name, _ in event.new))
    for rule, reason in wrong:
        spot = (event.spot,) if isinstance(event.spot, Hex) else ()
        yield Fault(rule, f"{'+'.join(names)}: {reason}", names, spot)
        return


def _of_buildup(of: Exchanges, case: AnyCase, event: Replaced) -> Iterator[tuple[str, str]]:
    old, new = units_of(case, event)
    types = {unit.type.values.get("builds") for unit in old}
    if len(old) != 2 or len(types) != 1 or [unit.type.id for unit in new] != [*types]:
        yield of.buildup, "two units of one type become one greater unit of that type"
    elif any(unit.on_map for unit in new):
        yield of.buildup, "the greater unit is on the map"
    elif any(step < of.built_step(case) for _, step in event.new):
        yield of.buildup, f"the unit comes with its side {of.built_step(case)} up"
    if any(out_of_supply(unit) for unit in old):
        yield of.supplied, "units that are Out of Supply do not combine"
    if not of.zone_free(case) and any(of.field_of(case).in_enemy_zone(unit) for unit in old):
        yield of.buildup, "they are in an enemy zone of control"


def _of_conversion(of: Exchanges, case: AnyCase, event: Replaced) -> Iterator[tuple[str, str]]:
    old, new = units_of(case, event)
    if len(old) != 1 or len(new) != 1 or not old[0].has(of.regular) or not of.better(new[0]):
        yield of.convert, "one regular army gives way to one better army"
    if any(out_of_supply(unit) for unit in old):
        yield of.supplied, "an army that is Out of Supply is not converted"
    if case.phase != of.phase:
        yield of.convert, f"armies are converted in the {case.phase_name(of.phase)}"
    if any((entry_turn(case, unit) or 0) > case.turn for unit in new):
        yield of.convert, "its turn has not come"
    if case.in_phase.converted >= of.most_converted:
        yield of.convert, f"{of.most_converted} armies were converted in this turn already"


# --- replacements ----------------------------------------------------------------------------------------


def price(unit: Unit, steps: int) -> int:
    return steps * int(unit.type.values.get("points", 1))


def _recovered(case: AnyCase, event: Event) -> tuple[Unit, int] | None:
    """The unit that gets steps back by an event, and how many; not what was taken by mistake before."""
    units, start = case.position.units, case.phase_start.units
    match event:
        case StepChanged(name, old, new) if new < old:
            put_right = start[name].on_map and new >= start[name].step
            return None if put_right else (units[name], old - new)
        case Replaced((name,), ((heir, step),), _, why) if why == STEPS:
            return units[heir], units[heir].type.steps - step + 1 - units[name].type.steps
    return None


def _of_replacement(of: Exchanges, case: AnyCase, event: Event, unit: Unit, steps: int) -> Iterator[Fault]:
    left = of.points(case) - case.in_phase.points
    names = (*event.old, unit.id) if isinstance(event, Replaced) else (unit.id,)
    if not unit.has(of.taker):
        yield Fault(of.steps, f"{unit.id} gets no replacements", names)
    elif any(out_of_supply(case.position.units[name]) for name in names):
        yield Fault(of.supplied, f"{unit.id} is Out of Supply and gets no replacements", names)
    elif price(unit, steps) > left:
        text = f"{unit.id} takes {price(unit, steps)} replacement points, {left} are left"
        yield Fault(of.steps, text, names)
