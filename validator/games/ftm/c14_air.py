"""Chapter 14: air units, their missions, their withdrawal and recovery."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fieldpost.hexes import Hex, distance
from validator.engine.rulebook import JUDGED, Faults
from validator.games.ftm.book import ADMIN, AXIS, MUD, RULES, SNOW, SUPPLY
from validator.games.ftm.state import Case
from validator.model.events import Attacked, Declared, Event, Pointed
from validator.model.findings import Fault, Verdict

AIR, AIR_SUPPLY, WITHDRAW = "air", "air-supply", "withdraw"
BOX, GONE = "german-air-units", "axis-withdrawn"
READY, USED = 1, 2  # faces
WITHDRAWALS = {6: 4, 13: 3, 16: 2, 20: 1}  # units left after the turn's withdrawal (14.0)
ALL = 5


def is_air_unit(case: Case, marker: str) -> bool:
    return case.game.marker[marker].kind == "air-unit"


def air_units(case: Case) -> list[tuple[str, str, int]]:
    """Every air unit whose place is known: its box and its face."""
    known = case.position.pointers.items()
    return [(marker, box, face) for marker, (box, face) in known if is_air_unit(case, marker)]


def in_air_range(case: Case, *targets: Hex) -> bool:
    """Four hexes from an air base, at most (14.0)."""
    bases = [unit for unit in case.position.on_map(AXIS) if unit.has("air-base")]
    return any(all(distance(b.hex, t) <= int(b.type.values["air-range"]) for t in targets) for b in bases)


def units_left(turn: int) -> int:
    return next((left for first, left in reversed(WITHDRAWALS.items()) if turn >= first), ALL)


def missions_allowed(case: Case) -> int:
    """Of the units in the box; in mud half of them, rounded down (14.3)."""
    there = [box for _, box, _ in air_units(case)]
    left = there.count(BOX) if there else units_left(case.turn)
    return left // 2 if case.season == MUD else left


def _no_more(case: Case) -> str | None:
    allowed = missions_allowed(case)
    return None if case.in_turn.missions < allowed else f"{allowed} missions may be flown in this turn"


# --- missions (14.0 to 14.3) --------------------------------------------------------------------------


@RULES.rule("ftm-14.0b", "ftm-14.1a", "ftm-14.1c", "ftm-14.3a", "ftm-14.3b", "ftm-7.2.3")
@RULES.before(Attacked)
def air_support_is_to_be_had(case: Case, event: Attacked) -> Faults:
    yield from support_faults(case, event)


def support_faults(case: Case, event: Attacked) -> list[Fault]:
    return case.about("air support", lambda: list(_support_faults(case, event)))


def _support_faults(case: Case, event: Attacked) -> Iterator[Fault]:
    for rule, text, verdict in _of_support(case, event) if AIR in event.support else ():
        yield Fault(rule, text, event.units, event.targets, verdict=verdict)
        return


def _of_support(case: Case, event: Attacked) -> Iterator[tuple[str, str, Verdict]]:
    units = [case.position.units[name] for name in event.units]
    german = [unit.id for unit in units if unit.has("german")]
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
    if reason := _no_more(case):
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
    elif event.what == AIR_SUPPLY and (reason := _no_more(case)):
        rule = "ftm-14.3a" if case.season == MUD else "ftm-14.0b"
        yield Fault(rule, f"air supply: {reason}", event.units)


@RULES.track(Attacked, Declared, when=JUDGED)
def note_the_mission(case: Case, event: Event) -> None:
    if isinstance(event, Attacked):
        case.in_turn.missions += AIR in event.support
    elif isinstance(event, Declared) and event.what == AIR_SUPPLY:
        case.in_turn.missions += max(len(event.units), 1)


@RULES.rule("ftm-14.0b")
@RULES.at_phase_end()
def used_air_units_lie_face_down(case: Case) -> Faults:
    known = air_units(case)
    used = sum(face == USED for _, box, face in known if box == BOX)
    flown = any(_is_mission(event) for event in case.in_phase.events)
    if known and flown and case.phase != ADMIN and used < case.in_turn.missions:
        text = f"{case.in_turn.missions} missions were flown, {used} air units lie face down"
        yield Fault("ftm-14.0b", text)


def _is_mission(event: Event) -> bool:
    if isinstance(event, Attacked):
        return AIR in event.support
    return isinstance(event, Declared) and event.what == AIR_SUPPLY


# --- withdrawal (14.0) ----------------------------------------------------------------------------------


@RULES.rule("ftm-14.0a")
@RULES.before(Pointed)
def air_units_are_withdrawn_in_their_turns(case: Case, event: Pointed) -> Faults:
    if not is_air_unit(case, event.marker):
        return
    gone = case.position.pointers.get(event.marker, ("", 0))[0] == GONE
    left = [box for _, box, _ in air_units(case)].count(BOX)
    if gone and event.box != GONE:
        yield Fault("ftm-14.0a", f"{event.marker} was withdrawn and comes back")
    elif event.box == GONE and not gone and (case.phase != SUPPLY or left <= units_left(case.turn)):
        yield Fault("ftm-14.0a", f"{event.marker} is withdrawn; none is due now")


@RULES.rule("ftm-14.0a")
@RULES.at_phase_end(SUPPLY)
def withdrawals_are_made(case: Case) -> Faults:
    left = [box for _, box, _ in air_units(case)].count(BOX)
    if left > units_left(case.turn):
        text = f"{left} air units are in their box; {units_left(case.turn)} are left from turn {case.turn} on"
        yield Fault("ftm-14.0a", text)


# --- recovery (3.1) --------------------------------------------------------------------------------------


@RULES.rule("ftm-3.1h")
@RULES.before(Pointed)
def air_units_recover_in_the_last_phase(case: Case, event: Pointed) -> Faults:
    now = case.position.pointers.get(event.marker)
    ready = now == (BOX, USED) and (event.box, event.face) == (BOX, READY)
    if is_air_unit(case, event.marker) and ready and case.phase != ADMIN and case.in_turn.missions:
        yield Fault("ftm-3.1h", f"{event.marker} is turned up before the Administrative Phase")


@RULES.rule("ftm-3.1h", "ftm-3.1i")
@RULES.at_phase_end(ADMIN)
def what_was_used_recovers(case: Case) -> Faults:
    for marker, box, face in air_units(case):
        if box == BOX and face == USED:
            yield Fault("ftm-3.1h", f"{marker} is still face down")
    for unit in case.position.on_map():
        for general in used_generals(case, unit.marks.items()):
            yield Fault("ftm-3.1i", f"{general} is still face down", (unit.id,), (unit.hex,))


def used_generals(case: Case, marks: Iterable[tuple[str, int]]) -> Iterator[str]:
    for marker, face in marks:
        if case.game.marker[marker].kind == "general" and face == USED:
            yield marker
