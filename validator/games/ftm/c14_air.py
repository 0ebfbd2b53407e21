"""Chapter 14: air units, their missions, their withdrawal and recovery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from validator.engine.rulebook import Faults
from validator.games.ftm.book import ADMIN, AXIS, FIGHTING, MUD, RULES, SNOW, SUPPLY, barred_by
from validator.games.ftm.state import Case
from validator.model.events import Attacked, Declared
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, all_have, any_has
from validator.procedures import airunits
from validator.procedures.airunits import USED, AirUnits
from validator.procedures.faults import first_that_holds

AIR, AIR_SUPPLY = "air", "air-supply"
BOX, GONE = "german-air-units", "axis-withdrawn"
UNITS = AirUnits(
    missions="ftm-14.0b",
    withdrawal="ftm-14.0a",
    recovery="ftm-3.1h",
    kind="air-unit",
    support=AIR,
    declared=AIR_SUPPLY,
    side=AXIS,
    box=BOX,
    gone=GONE,
    withdrawing=SUPPLY,
    recovering=ADMIN,
    withdrawals="air-withdrawals",
    all=5,
    share=lambda case, left: left // 2 if case.season == MUD else left,  # 14.3
)
airunits.register(RULES, UNITS)

air_units = partial(airunits.air_units, UNITS)
in_air_range = partial(airunits.in_air_range, UNITS)
units_left = partial(airunits.units_left, UNITS)
missions_allowed = partial(airunits.missions_allowed, UNITS)
no_more = partial(airunits.no_more, UNITS)


# --- missions (14.0 to 14.3) --------------------------------------------------------------------------


@RULES.rule("ftm-14.0b", "ftm-14.1a", "ftm-14.1c", "ftm-14.3a", "ftm-14.3b", "ftm-7.2.3")
@RULES.before(Attacked)
def air_support_is_to_be_had(case: Case, event: Attacked) -> Faults:
    yield from support_faults(case, event)


def support_faults(case: Case, event: Attacked) -> list[Fault]:
    return case.about(support_faults, lambda: list(_support_faults(case, event)))


def _support_faults(case: Case, event: Attacked) -> Iterator[Fault]:
    units, season = case.units(event.units), "ftm-14.3a" if case.season == MUD else "ftm-14.0b"
    used, mixed = no_more(case), barred_by(case, "mixed-air") if is_mixed(units) else None
    several = event.support.count(AIR) > 1
    rows = (
        (several, "ftm-7.2.3" if event.overrun else "ftm-14.1a", "one air unit supports an attack"),
        (case.season == SNOW, "ftm-14.3b", "in snow turns air units fly supply only"),
        (not any_has(units, "german"), "ftm-14.1a", "air units support attacks of German units only"),
        (mixed, "ftm-14.1c", "air support for an attack of Germans and allies together"),
        (
            not in_air_range(case, *event.targets),
            "ftm-14.0b",
            "no air base is within four hexes of the target",
        ),
        (used, season, str(used)),
    )
    sure = {"ftm-14.1c": mixed or Verdict.ILLEGAL}
    if AIR in event.support:
        yield from first_that_holds(
            rows, "", event.units, event.targets, lambda rule: sure.get(rule, Verdict.ILLEGAL)
        )


def is_mixed(units: Sequence[Unit]) -> bool:
    """Germans and allies together."""
    return any_has(units, "german") and not all_have(units, "german")


@RULES.track(Attacked, phases=FIGHTING)
def give_back_the_mission_of_an_attack_declared_anew(case: Case, event: Attacked) -> None:
    """Before anything came of it; the new battle is open by now."""
    *before, battle = case.in_phase.battles
    for old in before[-1:]:
        if AIR in old.support and old.idle and old.is_declared_anew_by(battle):
            case.in_turn.missions -= 1


@RULES.rule("ftm-14.0b", "ftm-14.3a", "ftm-14.3c")
@RULES.before(Declared, phases=[SUPPLY], what=AIR_SUPPLY)
def air_supply_is_a_mission(case: Case, event: Declared) -> Faults:
    mud, used = case.season == MUD, no_more(case)
    rows = (
        (mud and case.option("mud-air-supply") == "off", "ftm-14.3c", "air supply in a mud turn"),
        (used, "ftm-14.3a" if mud else "ftm-14.0b", f"air supply: {used}"),
    )
    yield from first_that_holds(rows, "", event.units)


# --- generals (3.1) --------------------------------------------------------------------------------------


@RULES.rule("ftm-3.1i")
@RULES.at_phase_end(ADMIN)
def generals_recover(case: Case) -> Faults:
    for unit in case.position.on_map():
        for general in used_generals(case, unit.marks.items()):
            yield Fault("ftm-3.1i", f"{general} is still face down", (unit.id,), (unit.hex,), alike="general")


def used_generals(case: Case, marks: Iterable[tuple[str, int]]) -> Iterator[str]:
    for marker, face in marks:
        if case.game.marker[marker].kind == "general" and face == USED:
            yield marker
