"""Chapter 5: guns on the ground that fire at planes which come by."""

from __future__ import annotations

from collections.abc import Iterator

from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import (
    ANTI_AIR,
    COMPLEX,
    ENEMY,
    INTERDICTION,
    RULES,
    SUPPORT,
    UNDER_FIRE,
)
from validator.games.wie.c05_air import flight_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.state import Case
from validator.games.wie.units import GUNS, JET
from validator.model.events import Fired
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each
from validator.procedures.flights import Flight, may_have_passed
from validator.procedures.rounds import Toll

MOST_GUNS, DETOUR = 2, 2
IDLE = "when planes are not fired at"


@RULES.rule("wie-aa.1", "wie-air.4")
@RULES.before(Fired, manner=ANTI_AIR)
def guns_fire_at_planes(case: Case, event: Fired) -> Faults:
    """One on a D10, a die of each gun at each plane."""
    units, names = case.units(event.units), event.units
    most = 2 if case.option("anti-air-hits") == "two" else 1
    bombing = event.value == 2 > most and _bombing(case, event)
    why = _why_no_anti_air(case, event, most, bombing=bombing)
    if why is not None:
        rule, text = why
        yield Fault(rule, f"{'+'.join(unit.id for unit in units)} {text}", names)
    if bombing:
        text = f"planes are hit on {most} of a D10, and {event.value} is claimed"
        yield Fault("wie-aa.1", text, names, verdict=Verdict.WARNING)


def _why_no_anti_air(case: Case, event: Fired, most: int, *, bombing: bool) -> tuple[str, str] | None:
    """The rule that such a volley breaks, and how."""
    units = case.units(event.units)
    if case.phase not in UNDER_FIRE:
        return "wie-air.4", f"fires in the {case.phase_name()}, {IDLE}"
    no_guns = [unit.id for unit in units if not unit.has(GUNS)]
    if no_guns:
        return "wie-aa.1", f"fires at planes, and {'+'.join(no_guns)} is no artillery"
    if event.sides != 10:
        return "wie-aa.1", f"fires at planes with D{event.sides}, not with D10"
    if event.value > most and not bombing:
        return "wie-aa.1", f"claims hits on {event.value} of a D10, not on {most}"
    dice = len(units) * len(event.aimed) if event.aimed else len(event.values)
    if len(event.values) > dice:
        return "wie-aa.1", "fires too many dice"
    return None


def _bombing(case: Case, event: Fired) -> bool:
    """Where the text has hits on 1 and 2: over complexes, at interdiction, before support of an attack."""
    if set(event.aimed) & set(case.in_game.interdicting):
        return True  # it leaves the hex that it watched
    flights = [flight_of(case, plane) for plane in case.units(event.aimed)]
    return any(flight is not None and {COMPLEX, INTERDICTION} & {*flight.missions} for flight in flights)


def planes_aimed_at(case: Case, event: Fired) -> list[Unit]:
    return case.units(event.aimed)


@RULES.rule("wie-aa.1", "wie-air.4", "wie-air.11", "wie-unit.9")
@RULES.before(Fired, manner=ANTI_AIR)
@each(planes_aimed_at)
def planes_that_guns_fire_at(case: Case, event: Fired, plane: Unit) -> Faults:
    """By two guns at most, that it passes; no jets. Lines of guns and of planes may stand in any order."""
    names = (plane.id, *event.units)
    open_ = ("wie-air.4", "wie-air.11")
    yield from faults.surest(
        Fault(
            rule,
            f"{plane.id} {text}",
            names,
            verdict=Verdict.WARNING if rule in open_ else Verdict.ILLEGAL,
        )
        for rule, text in _why_no_target(case, event, plane)
    )


def _why_no_target(case: Case, event: Fired, plane: Unit) -> Iterator[tuple[str, str]]:
    field, guns, flight = field_of(case), case.units(event.units), flight_of(case, plane)
    if has_returned(field, flight, plane):
        yield "wie-air.4", "has flown home, and planes fly home unharmed"
    if plane.has(JET):
        yield "wie-unit.9", "is a jet, which guns do not hit"
    twice = [gun.id for gun in guns if (gun.id, plane.id) in case.in_phase.gun_shots]
    if twice:
        yield "wie-aa.1", f"is fired at twice by {'+'.join(twice)}, and each gun has one die for it"
    shots = case.in_phase.shot_at.get(plane.id, 0) + len(guns)
    if shots > MOST_GUNS:
        supports = flight is not None and flight.last == SUPPORT
        rule = "wie-air.11" if supports else "wie-aa.1"  # "each" gun of the hex, and two at most
        yield rule, f"is fired at by {shots} guns, and {MOST_GUNS} may"
    if plane.side == guns[0].side:
        yield "wie-aa.1", "is of the side that fires"
    for gun in guns:
        if not passes(case, field, gun, plane):
            yield "wie-aa.1", f"does not come near {case.label(gun.spot)}, where {gun.id} fires"


def has_returned(field: Field, flight: Flight | None, plane: Unit) -> bool:
    """Whether it flew a mission in this turn and is at its base again."""
    there = flight is not None and field.id(plane.spot) == flight.base
    return there and flight is not None and flight.base not in flight.targets


def passes(case: Case, field: Field, gun: Unit, plane: Unit) -> bool:
    """Whether a plane can have come by a gun."""
    return may_have_passed(field.board, flight_of(case, plane), field.id(gun.spot), DETOUR)


def in_reach_of(case: Case, guns: list[Unit]) -> set[str]:
    """Planes that may have come by some guns: of the enemy, no jets, and not at home."""
    field = field_of(case)
    planes = [plane for _, plane in field.planes(ENEMY[guns[0].side]) if not plane.has(JET)]
    flown = [plane for plane in planes if flight_of(case, plane) is not None]
    return {plane.id for plane in flown if any(passes(case, field, gun, plane) for gun in guns)}


@RULES.track(Fired, when=JUDGED, manner=ANTI_AIR)
def note_hits_on_planes(case: Case, event: Fired) -> None:
    """On the planes that are named; a log names none, and any that came by may take the hit."""
    guns, phase = case.units(event.units), case.in_phase
    hits = 0 if event.aimed else event.hits
    for place in field_of(case).ids((guns[0].spot,)) if hits else ():
        phase.tolls.append(Toll(ANTI_AIR, ENEMY[guns[0].side], place, in_reach_of(case, guns), hits))
    each_ = len(event.values) // max(len(event.aimed), 1)
    for number, name in enumerate(event.aimed):
        phase.shot_at[name] = phase.shot_at.get(name, 0) + len(event.units)
        phase.gun_shots |= {(gun, name) for gun in event.units}
        dice = event.values[number * each_ : (number + 1) * each_]
        if min(dice, default=event.sides) <= event.value:
            phase.downed[name] = ANTI_AIR


@RULES.rule("wie-aa.1", "wie-air.11")
@RULES.at_phase_end(*UNDER_FIRE)
def planes_that_were_hit_are_gone(case: Case) -> Faults:
    for unit in case.units(case.in_phase.downed):
        if unit.on_map:
            text = f"{unit.id} was hit from the ground and is not removed"
            yield Fault("wie-aa.1", text, (unit.id,))


@RULES.rule("wie-air.11")
@RULES.before(Fired)
def planes_that_were_hit_fire_no_more(case: Case, event: Fired) -> Faults:
    """Where nobody says which one was hit: as many as others that stand can have been."""
    firing = set(event.units)
    tolls = [] if event.manner == ANTI_AIR else case.in_phase.tolls
    for toll in [toll for toll in tolls if toll.manner == ANTI_AIR and toll.exposed & firing]:
        others = sum(unit.on_map for unit in case.units(toll.exposed - firing))
        if toll.owed > others:
            owed = "one is" if toll.owed == 1 else f"{toll.owed} are"
            text = f"hits from the ground are taken before planes fire: {owed} still to be taken"
            yield Fault("wie-air.11", text, tuple(sorted(toll.exposed & firing)), once=("guns", toll.place))
    for name in filter(case.in_phase.downed.__contains__, event.units):
        text = f"{name} was hit from the ground before the rounds began and may not fire"
        yield Fault("wie-air.11", text, (name,))
