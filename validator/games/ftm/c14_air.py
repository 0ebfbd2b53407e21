"""Chapter 14: air units, their missions, their withdrawal and recovery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from validator.engine.rulebook import Faults
from validator.games.ftm.book import ADMIN, AXIS, MUD, RULES, SNOW, SUPPLY
from validator.games.ftm.state import Case
from validator.model.events import Attacked, Declared
from validator.model.findings import Fault, Verdict
from validator.model.position import having, names_of
from validator.procedures import airunits
from validator.procedures.airunits import USED, AirUnits

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
    return case.about("air support", lambda: list(_support_faults(case, event)))


def _support_faults(case: Case, event: Attacked) -> Iterator[Fault]:
    found = list(_of_support(case, event)) if AIR in event.support else []
    for rule, text, verdict in sorted(found, key=lambda reason: reason[2] is not Verdict.ILLEGAL)[:1]:
        yield Fault(rule, text, event.units, event.targets, verdict=verdict)


def _of_support(case: Case, event: Attacked) -> Iterator[tuple[str, str, Verdict]]:
    units = case.units(event.units)
    german = names_of(having(units, "german"))
    sure, season = Verdict.ILLEGAL, "ftm-14.3a" if case.season == MUD else "ftm-14.0b"
    if event.support.count(AIR) > 1:
        yield "ftm-7.2.3" if event.overrun else "ftm-14.1a", "one air unit supports an attack", sure
    if case.season == SNOW:
        yield "ftm-14.3b", "in snow turns air units fly supply only", sure
    if not german:
        yield "ftm-14.1a", "air units support attacks of German units only", sure
    elif len(german) < len(units):
        yield from _mixed(case)
    if not in_air_range(case, *event.targets):
        yield "ftm-14.0b", "no air base is within four hexes of the target", sure
    if reason := no_more(case):
        yield season, reason, sure


def _mixed(case: Case) -> Iterator[tuple[str, str, Verdict]]:
    verdict = {"off": Verdict.ILLEGAL, "judge": Verdict.JUDGEMENT}.get(case.option("mixed-air"))
    if verdict is not None:
        yield "ftm-14.1c", "air support for an attack of Germans and allies together", verdict


@RULES.rule("ftm-14.0b", "ftm-14.3a", "ftm-14.3c")
@RULES.before(Declared, phases=[SUPPLY])
def air_supply_is_a_mission(case: Case, event: Declared) -> Faults:
    if event.what == AIR_SUPPLY and case.season == MUD and case.option("mud-air-supply") == "off":
        yield Fault("ftm-14.3c", "air supply in a mud turn", event.units)
    elif event.what == AIR_SUPPLY and (reason := no_more(case)):
        rule = "ftm-14.3a" if case.season == MUD else "ftm-14.0b"
        yield Fault(rule, f"air supply: {reason}", event.units)


# --- generals (3.1) --------------------------------------------------------------------------------------


@RULES.rule("ftm-3.1i")
@RULES.at_phase_end(ADMIN)
def generals_recover(case: Case) -> Faults:
    for unit in case.position.on_map():
        for general in used_generals(case, unit.marks.items()):
            yield Fault("ftm-3.1i", f"{general} is still face down", (unit.id,), (unit.hex,))


def used_generals(case: Case, marks: Iterable[tuple[str, int]]) -> Iterator[str]:
    for marker, face in marks:
        if case.game.marker[marker].kind == "general" and face == USED:
            yield marker
