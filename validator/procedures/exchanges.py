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
from validator.model.position import Unit, on_map
from validator.procedures.arrivals import entry_turn
from validator.procedures.faults import Wrong, first_of, first_that_holds, those_that_hold
from validator.procedures.moves import spot_of
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
    @rules.rule(of.buildup, of.supplied)
    @rules.before(Replaced, why=BUILDUP)
    def two_units_become_a_greater_one(case: AnyCase, event: Replaced) -> Faults:
        yield from told(event, _of_buildup(of, case, event))

    @rules.rule(of.convert, of.supplied)
    @rules.before(Replaced, why=CONVERT)
    def an_army_becomes_a_better_one(case: AnyCase, event: Replaced) -> Faults:
        yield from told(event, _of_conversion(of, case, event))

    @rules.rule(of.steps, of.supplied)
    @rules.before(StepChanged, Replaced, phases=[of.phase])
    def replacements_restore_steps(case: AnyCase, event: Event) -> Faults:
        for unit, steps in _recovered(case, event):
            yield from _of_replacement(of, case, event, unit, steps)

    @rules.track(StepChanged, Replaced, when=JUDGED, phases=[of.phase])
    def note_the_points(case: AnyCase, event: Event) -> None:
        case.in_phase.points += sum(price(unit, steps) for unit, steps in _recovered(case, event))

    @rules.track(Replaced, when=JUDGED, why=CONVERT)
    def note_the_conversion(case: AnyCase, event: Replaced) -> None:
        case.in_phase.converted += 1

    @rules.rule(of.convert)
    @rules.before(Placed, comes_to=Hex)
    def better_armies_come_by_conversion(case: AnyCase, event: Placed) -> Faults:
        unit = case.unit(event.unit)
        returns = unit.id in case.in_game.lost or case.phase_start.units[unit.id].on_map
        if of.better(unit) and not returns and not case.position.partial:
            text = f"{unit.id} is placed; it takes the place of another army"
            yield Fault(of.convert, text, (unit.id,), event.entered)


def told(event: Replaced, wrong: Wrong) -> Faults:
    """The first fault of an exchange."""
    names = event.concerned
    return first_of(wrong, f"{'+'.join(names)}: ", names, spot_of(event.spot))


def _of_buildup(of: Exchanges, case: AnyCase, event: Replaced) -> Wrong:
    old, new, step = case.units(event.old), case.units(event.comers), of.built_step(case)
    types = {unit.type.values.get("builds") for unit in old}
    fits = len(old) == 2 and len(types) == 1 and [unit.type.id for unit in new] == [*types]
    beset = not of.zone_free(case) and any(map(of.field_of(case).in_enemy_zone, old))
    stronger = any(shown < step for _, shown in event.new)
    return those_that_hold(
        (not fits, of.buildup, "two units of one type become one greater unit of that type"),
        ({unit.spot for unit in old} != {event.spot}, of.buildup, "they do not stand in one hex"),
        (on_map(new), of.buildup, "the greater unit is on the map"),
        (stronger, of.buildup, f"the unit comes with its side {step} up"),
        (any(map(out_of_supply, old)), of.supplied, "units that are Out of Supply do not combine"),
        (beset, of.buildup, "they are in an enemy zone of control"),
    )


def _of_conversion(of: Exchanges, case: AnyCase, event: Replaced) -> Wrong:
    old, new = case.units(event.old), case.units(event.comers)
    fits = len(old) == 1 and len(new) == 1 and old[0].has(of.regular) and of.better(new[0])
    early = any((entry_turn(case, unit) or 0) > case.turn for unit in new)
    enough = case.in_phase.converted >= of.most_converted
    return those_that_hold(
        (not fits, of.convert, "one regular army gives way to one better army"),
        (any(map(out_of_supply, old)), of.supplied, "an army that is Out of Supply is not converted"),
        (case.phase != of.phase, of.convert, f"armies are converted in the {case.phase_name(of.phase)}"),
        (early, of.convert, "its turn has not come"),
        (enough, of.convert, f"{of.most_converted} armies were converted in this turn already"),
    )


# --- replacements ----------------------------------------------------------------------------------------


def price(unit: Unit, steps: int) -> int:
    return steps * int(unit.type.values.get("points", 1))


def _recovered(case: AnyCase, event: Event) -> list[tuple[Unit, int]]:
    """The unit that gets steps back by an event, and how many; not what was taken by mistake before."""
    units, start = case.position.units, case.phase_start.units
    match event:
        case StepChanged(name, old, new) if new < old:
            put_right = start[name].on_map and new >= start[name].step
            return [] if put_right else [(units[name], old - new)]
        case Replaced((name,), ((heir, step),), _, why) if why == STEPS:
            return [(units[heir], units[heir].type.steps - step + 1 - units[name].type.steps)]
    return []


def _of_replacement(of: Exchanges, case: AnyCase, event: Event, unit: Unit, steps: int) -> Iterator[Fault]:
    left = of.points(case) - case.in_phase.points
    names = (*event.old, unit.id) if isinstance(event, Replaced) else (unit.id,)
    wanted = price(unit, steps)
    rows = (
        (not unit.has(of.taker), of.steps, "gets no replacements"),
        (
            any(map(out_of_supply, case.units(names))),
            of.supplied,
            "is Out of Supply and gets no replacements",
        ),
        (wanted > left, of.steps, f"takes {wanted} replacement points, {left} are left"),
    )
    yield from first_that_holds(rows, f"{unit.id} ", names)
