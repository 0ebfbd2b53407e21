"""Chapter 14.1 and 14.2: German corps break down into Kampfgruppen, build up, and exchange steps.

A `Replaced` event carries which of these it is; the counters that leave and come show the steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.field import MUD, field_of
from validator.games.wfm.state import Case
from validator.model.events import Event, Removed, Replaced, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit, all_have, any_has, having, lacking, names_of, on_map
from validator.procedures.arrivals import entry_turn
from validator.procedures.ask_each import each, units_of
from validator.procedures.battlebook import printed_steps_left
from validator.procedures.faults import (
    Wrong,
    doubtful,
    first_of,
    first_that_holds,
    those_that_hold,
    unless,
    wrong_units,
)
from validator.procedures.moves import spot_of
from validator.procedures.supplymarks import unsupplied

BREAKDOWN, BUILDUP, EXCHANGE = "breakdown", "buildup", "exchange-steps"
GERMAN = (BREAKDOWN, BUILDUP, EXCHANGE)
KINDS = {BREAKDOWN: "wfm-14.21", BUILDUP: "wfm-14.23", EXCHANGE: "wfm-14.26"}
SHAPES = {BREAKDOWN: (1, 2, True), BUILDUP: (2, 1, True)}  # units that go and come, Kampfgruppen the more
TEXTS = {
    BREAKDOWN: "one unit breaks down into two Kampfgruppen",
    BUILDUP: "two Kampfgruppen make one unit",
}
BESIDE = "the hex is in a Soviet zone of control, and this is no mud turn"
Coming = list[tuple[Unit, int]]  # units that come, and the step they show


def _steps(unit: Unit, step: int) -> int:
    return unit.type.steps - (step - 1)


@RULES.rule("wfm-14.11", "wfm-14.12", "wfm-14.13", "wfm-14.15", "wfm-14.21", "wfm-14.23", "wfm-14.24")
@RULES.rule("wfm-14.25", "wfm-14.26", "wfm-9.54")
@RULES.before(Replaced, why=GERMAN)
def german_units_break_down_and_build_up(case: Case, event: Replaced) -> Faults:
    what = f"{event.why.replace('-', ' ')} of {'+'.join(event.old)} into {'+'.join(event.comers)}: "
    names = tuple(dict.fromkeys(event.concerned))
    wrong, spot = _german_faults(case, event), spot_of(event.spot)
    yield from first_of(wrong, what, names, spot, doubtful("wfm-14.24"))


@RULES.track(Replaced, when=JUDGED, why=GERMAN)
def note_the_regrouping(case: Case, event: Replaced) -> None:
    if any(_german_faults(case, event)):
        case.in_phase.misgrouped.update(spot_of(event.spot))
    case.in_phase.regrouped.update(event.concerned)


@RULES.rule("wfm-14.25")
@RULES.before(StepChanged, phases=["admin"])
def what_was_built_up_takes_no_step(case: Case, event: StepChanged) -> Faults:
    """14.27"""
    built = {name for built_up in case.in_phase.of(Replaced, why=BUILDUP) for name in built_up.comers}
    if event.unit in built and event.new < event.old:
        text = f"{event.unit} takes a step: it was built up and had its one action of this phase"
        yield Fault("wfm-14.25", text, (event.unit,), spot_of(case.position.units[event.unit].spot))


@RULES.rule("wfm-9.54", "wfm-14.12", "wfm-14.26")
@RULES.before(StepChanged, phases=["admin"], having=("exchanges", "gives-steps"))
@each(units_of)
def counters_are_turned_where_steps_may_be_exchanged(case: Case, event: StepChanged, unit: Unit) -> Faults:
    takes = event.gained and unit.has("division") and case.option("division-exchange") == "off"
    rows = (
        (unsupplied(unit), "wfm-9.54", "is marked Out of Supply or Lack of Supply"),
        (_beside_the_enemy(case, [unit]), "wfm-14.12", BESIDE),
        (takes, "wfm-14.26", "a panzer division gives steps and takes none"),
    )
    yield from first_that_holds(rows, f"{unit.id} exchanges steps: ", (unit.id,), spot_of(unit.spot))


def _beside_the_enemy(case: Case, units: Iterable[Unit]) -> bool:
    return case.season != MUD and any(map(field_of(case).in_enemy_zone, units))


def _german_faults(case: Case, event: Replaced) -> Wrong:
    """What is wrong, the plainest first."""
    old = case.units(event.old)
    new = [(case.unit(name), step) for name, step in event.new]
    if case.phase != "admin":
        yield "wfm-14.11", "that is done in the Administrative Phase"
    strangers = names_of(lacking(case.units(event.concerned), "german"))
    yield from wrong_units("wfm-14.15", strangers, "is not German")
    if any_has(old, "security"):
        return  # judged under 20.33
    apart = (unit.id for unit in old if unit.spot != event.spot)
    yield from wrong_units("wfm-14.13", apart, "stands in another hex")
    hungry = names_of(filter(unsupplied, old))
    yield from wrong_units("wfm-9.54", hungry, "is marked Out of Supply or Lack of Supply")
    if _beside_the_enemy(case, old):
        yield "wfm-14.12", BESIDE
    acted = case.in_phase.regrouped
    if event.why != EXCHANGE:
        acted = acted.union(case.in_phase.concerned(StepChanged))
    again = sorted(acted.intersection(event.old))
    yield from wrong_units("wfm-14.25", again, "had its one action of this phase")
    yield from _wrong_kinds(case, event.why, old, new)
    yield from _wrong_steps(event.why, old, new)
    yield from _not_available(case, event.why, old, new)
    for spot in spot_of(event.spot) if event.why == BREAKDOWN else ():
        yield from _too_many(case, spot, old, new)


def _family(unit: Unit) -> str:
    """The Kampfgruppen a unit is made of; divisions are panzer."""
    return next(filter(unit.has, ("panzer", "mountain")), "infantry")


def _wrong_kinds(case: Case, why: str, old: list[Unit], new: Coming) -> Wrong:
    comers = [unit for unit, _ in new]
    families, groups = {_family(unit) for unit in (*old, *comers)}, comers if why == BREAKDOWN else old
    if why == EXCHANGE:
        yield from _wrong_exchange(case, families, old, new)
    yield from those_that_hold(
        (len(families) > 1, KINDS[why], f"{' and '.join(sorted(families))} units do not mix"),
        (
            why in SHAPES and SHAPES[why] != (len(old), len(new), all_have(groups, "kg")),
            KINDS[why],
            TEXTS.get(why, ""),
        ),
        (
            why == BREAKDOWN and any_has(old, "division"),
            "wfm-14.21",
            "a division does not break down",
        ),
    )


def _wrong_exchange(case: Case, families: set[str], old: list[Unit], new: Coming) -> Wrong:
    between_divisions = all_have(old, "division") and case.option("division-exchange") == "on"
    return those_that_hold(
        (
            "mountain" in families or lacking(old, "exchanges", "gives-steps"),
            "wfm-14.26",
            "only infantry and panzer units exchange steps",
        ),
        (
            _division_takes(old, new) and not between_divisions,
            "wfm-14.26",
            "a panzer division gives steps and takes none",
        ),
    )


def _division_takes(old: list[Unit], new: Coming) -> bool:
    after = {unit.id: _steps(unit, step) for unit, step in new}
    return any(unit.has("division") and after.get(unit.id, 0) > printed_steps_left(unit) for unit in old)


def _wrong_steps(why: str, old: list[Unit], new: Coming) -> Wrong:
    """Of an exchange the log may show a part; its hex is added up when the phase ends."""
    before, after = sum(map(printed_steps_left, old)), sum(_steps(unit, step) for unit, step in new)
    if before != after and why != EXCHANGE:
        yield KINDS[why], f"{before} steps become {after}"


def _not_available(case: Case, why: str, old: list[Unit], new: Coming) -> Wrong:
    for unit in (unit for unit, _ in new if unit not in old):
        due, group = entry_turn(case, unit) or 0, unit.has("kg")
        yield from those_that_hold(
            (unit.on_map, KINDS[why], f"{unit.id} is on the map already"),
            (
                group and due > case.turn,
                "wfm-14.24",
                f"{unit.id} is a reinforcement of turn {due}; another counter serves till then",
            ),
            (
                not group and _beyond_the_game(case, unit),
                "wfm-14.23",
                f"no {unit.type.name.lower()} like {unit.id} is destroyed or broken down",
            ),
        )


def _beyond_the_game(case: Case, unit: Unit) -> bool:
    """Corps are rebuilt, not added: no more of a kind than the game has had so far."""
    same = [u.id for u in case.position.units.values() if u.type.id == unit.type.id]
    scenario = case.scenario
    if scenario.set_up:
        known = {placed.id for placement in scenario.set_up for placed in placement.units}
        known |= {name for r in scenario.reinforcements if r.turn <= case.turn for name in r.units}
    else:
        known = {name for name in same if (entry_turn(case, case.position.units[name]) or 0) <= case.turn}
    return len(on_map(case.units(same))) >= len(known.intersection(same))


def _too_many(case: Case, spot: Hex, old: list[Unit], new: Coming) -> Wrong:
    """14.21: a Kampfgruppe is divided within the stacking limit at once."""
    others = [unit for unit in case.position.at(spot) if unit not in old]
    verdict = stack(case, [*others, *(unit for unit, _ in new)], AXIS)
    if verdict.load > verdict.limit and all_have(old, "kg"):
        yield "wfm-14.21", f"{say.number(verdict.load)} corps in the hex, {say.number(verdict.limit)} allowed"


# --- steps add up (14.26) --------------------------------------------------------------------------


@RULES.rule("wfm-14.26")
@RULES.at_phase_end("admin")
def steps_are_exchanged_not_made(case: Case) -> Faults:
    """In each hex, by kind of unit; who gave its last step is taken off."""
    for spot in sorted(_exchanging(case)):
        before = _by_family(case.phase_start.at(spot), case.phase_start.units)
        after = _by_family(case.position.at(spot), case.position.units)
        for family in (family for family in before | after if before[family] != after[family]):
            text = f"{before[family]} {family} steps in {case.label(spot)} become {after[family]}"
            units = tuple(unit.id for unit in case.position.at(spot) if _family(unit) == family)
            fewer = after[family] < before[family] and not _removed(case, spot)
            yield Fault("wfm-14.26", text, units, (spot,), verdict=unless(fewer))


def _exchanging(case: Case) -> set[Hex]:
    """Hexes where a German unit gained, lost or gave its last step, or an exchange was declared."""
    spots = (_spot_of(case, event) for event in case.in_phase.events)
    return {spot for spot in spots if isinstance(spot, Hex)} - case.in_phase.misgrouped


def _spot_of(case: Case, event: Event) -> object:
    match event:
        case Replaced(spot=spot, why=why) if why == EXCHANGE:
            return spot
        case StepChanged(name) if case.unit(name).has("german"):
            return case.unit(name).spot
        case Removed(name) if case.unit(name).has("exchanges"):
            return case.phase_start.units[name].spot
    return None


def _by_family(units: Iterable[Unit], at: dict[str, Unit]) -> Counter[str]:
    steps: Counter[str] = Counter()
    for unit in having(units, "exchanges", "gives-steps"):
        steps[_family(unit)] += printed_steps_left(at[unit.id])
    return steps


def _removed(case: Case, spot: Hex) -> bool:
    gone = case.in_phase.concerned(Removed)
    return any(unit.id in gone for unit in case.phase_start.at(spot))
