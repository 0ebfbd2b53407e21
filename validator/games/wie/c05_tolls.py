"""Chapter 5: hits outside the rounds on the ground: planes against planes, and salvos of heavy guns."""

from __future__ import annotations

from validator.core.board import HexId
from validator.core.explain import counted_in_words
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import battles_of, fighter_of, in_the_air
from validator.games.wie.book import (
    ANTI_AIR,
    ENEMY,
    IN_THE_AIR,
    INTERCEPTION,
    NAMES,
    RULES,
    SALVO,
    UNDER_FIRE,
    side_of,
)
from validator.games.wie.field import Field, field_of
from validator.games.wie.lines import in_red_city, is_out
from validator.games.wie.state import Case
from validator.games.wie.units import BOMBER, FIGHTER, HEAVY_GUNS, JET, RAIL_GUN, fights, is_air, value
from validator.games.wie.values import may_be_added, salvo_worth
from validator.model.events import Fired
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, units_of
from validator.procedures.rounds import Toll, owing, toll_like

RULE_OF_TOLL = {
    INTERCEPTION: "wie-air.8",
    IN_THE_AIR: "wie-air.16",
    "": "wie-air.18",
    SALVO: "wie-unit.6",
    ANTI_AIR: "wie-aa.1",
}
WHAT_HIT = {SALVO: "of a salvo", ANTI_AIR: "of guns at planes"}


# --- who fires at whom --------------------------------------------------------------------------------------


def pays_toll(case: Case, unit: Unit, number: int | None = None) -> Toll | None:
    """The toll that a loss counts for; of a unit on the ground first the hits of its battle are taken."""
    fighter = fighter_of(case, unit.id, number)
    first = fighter is not None and fighter.owed > 0 and not is_air(unit)
    return None if first or unit.id in case.in_phase.downed else owing(case.in_phase.tolls, unit.id)


def salvo_targets(field: Field, gun: Unit, event: Fired) -> list[Unit]:
    """The enemy's units beside a gun; where the salvo names some, those in their hexes."""
    beside = {n for here in field.ids((gun.spot,)) for n in field.board.adjacent[here]}
    named = {field.id(field.position.units[name].spot) for name in event.aimed}
    hexes = sorted(beside & named if event.aimed else beside)
    return [unit for hex_id in hexes for unit in field.units(hex_id, ENEMY[gun.side]) if fights(unit)]


@RULES.track(Fired, when=JUDGED, phases=UNDER_FIRE, manner=SALVO)
def hits_of_salvos_are_owed(case: Case, event: Fired) -> None:
    field, guns = field_of(case), case.units(event.units)
    exposed = {unit.id for gun in guns for unit in salvo_targets(field, gun, event)}
    for place in field.ids((guns[0].spot,)):
        case.in_phase.tolls.append(Toll(SALVO, ENEMY[guns[0].side], place, exposed, event.hits))


def place_of(case: Case, unit: Unit) -> HexId | None:
    """Where a unit stands, or stood when it was lost in this phase."""
    fall = case.in_phase.fallen.get(unit.id)
    return fall.place if fall is not None and not unit.on_map else field_of(case).id(unit.spot)


@RULES.track(Fired, when=JUDGED, phases=UNDER_FIRE)
def hits_are_owed(case: Case, event: Fired) -> None:
    unit = case.unit(event.units[0])
    place, enemy = place_of(case, unit), ENEMY[unit.side]
    if place is None or not in_the_air(case, event):
        return
    fought = any(battle.target == place for battle in battles_of(case, event))
    toll = toll_like(case.in_phase.tolls, Toll("" if fought else event.manner, enemy, place, set()))
    toll.exposed |= {unit.id for unit in field_of(case).planes_over(place, enemy)}
    toll.hits += event.hits


@RULES.rule("wie-air.8", "wie-air.16", "wie-air.18", "wie-unit.6", "wie-aa.1")
@RULES.at_phase_end(*UNDER_FIRE)
def hits_are_taken(case: Case) -> Faults:
    """By planes for hits of planes, by units beside the gun for those of a salvo."""
    field, units = field_of(case), case.position.units
    for toll in case.in_phase.tolls:
        left = toll.outstanding(lambda name: units[name].on_map)
        if left:
            how = WHAT_HIT.get(toll.manner, "in the air")
            text = f"{counted_in_words(left, 'hit')} {how} to be taken by the {NAMES[toll.side]} side"
            standing = tuple(sorted(name for name in toll.exposed if units[name].on_map))
            yield Fault(RULE_OF_TOLL[toll.manner], text, standing, (field.board.hexes[toll.place],))


# --- in the air ---------------------------------------------------------------------------------------------


def air_values(case: Case, unit: Unit, event: Fired) -> set[int]:
    """What a plane hits planes at, with what may be added and without; attackers of a battle attack."""
    attacks = not event.manner and any(unit.id in b.attacker.stood for b in battles_of(case, event))
    keys = ("air-attack",) if attacks else ("air-attack", "air-defense")
    return {value(unit, key) + more for key in keys for more in may_be_added(case, unit)}


def in_the_sky(case: Case, event: Fired) -> list[Unit]:
    """The units that fire, if planes fire at planes."""
    return case.units(event.units) if in_the_air(case, event) else []


@RULES.rule("wie-unit.9")
@RULES.before(Fired, manner=INTERCEPTION)
def nobody_intercepts_jets(case: Case, event: Fired) -> Faults:
    jets = [plane.id for plane in case.units(event.aimed) if plane.has(JET)]
    if case.unit(event.units[0]).side != side_of(case.phase):
        yield from faults.of_units("wie-unit.9", jets, "is intercepted, and nobody can intercept jets")


@RULES.rule("wie-unit.10", "wie-unit.11", "wie-unit.15", "wie-air.8", "wie-air.16", "wie-air.18")
@RULES.before(Fired)
@each(in_the_sky)
def values_in_the_air(case: Case, event: Fired, unit: Unit) -> Faults:
    """Dive bombers and bombers have values of their own against planes; one round."""
    right = air_values(case, unit, event)
    if not is_air(unit):
        yield Fault("wie-air.16", f"{unit.id} is no plane and fires in the air", (unit.id,))
    elif event.value not in right:
        due = " or ".join(map(str, sorted(right))) + ("" if event.manner else ": planes fight planes first")
        text = f"{unit.id} fires at {event.value} in the air, where it has {due}"
        yield Fault(_rule_of_value(unit, event), text, (unit.id,))
    elif _fired_before(case, event, unit):
        text = f"{unit.id} fires a second round in the air"
        yield Fault(_rule_of_round(event), text, (unit.id,))


@RULES.rule("wie-air.8", "wie-air.16")
@RULES.before(Fired)
def a_die_for_each_plane(case: Case, event: Fired) -> Faults:
    if in_the_air(case, event):
        yield from _dice(event, case.units(event.units), _rule_of_round(event))


def _rule_of_round(event: Fired) -> str:
    return "wie-air.8" if event.manner == INTERCEPTION else "wie-air.16"


def _dice(event: Fired, units: list[Unit], rule: str) -> Faults:
    """One for each; of bombers and rail guns two may be."""
    least, most = len(units), sum(value(unit, "dice", 1) for unit in units)
    if not least <= len(event.values) <= most or event.sides != 12:
        text = f"{len(event.values)}d{event.sides} for {'+'.join(event.units)}, and {least}d12 are due"
        yield Fault(rule, text, event.units)


def _rule_of_value(unit: Unit, event: Fired) -> str:
    if not event.manner:
        return "wie-air.18"
    if unit.has(JET) and unit.has(FIGHTER):
        return "wie-unit.15"
    return "wie-unit.11" if unit.has(BOMBER) else "wie-unit.10"


def _fired_before(case: Case, event: Fired, unit: Unit) -> bool:
    """In this phase; in a battle there is a round in the air in each of its rounds."""
    for battle in battles_of(case, event):
        if battle.rounds and battle.target == place_of(case, unit):
            return battle.round.fired(unit.id)
    return unit.id in case.in_phase.concerned(Fired, manner=event.manner)


# --- salvos -------------------------------------------------------------------------------------------------


@RULES.rule("wie-unit.6", "wie-wx.5", "wie-opt.2")
@RULES.before(Fired, manner=SALVO)
@each(units_of)
def one_salvo_at_a_hex_beside(case: Case, event: Fired, unit: Unit) -> Faults:
    """Heavy artillery and the rail gun, once a turn, instead of an attack; nobody fires back."""
    why = _why_no_salvo(case, event, unit)
    if why:
        yield Fault("wie-unit.6", f"{unit.id} {why}", (unit.id,))
        return
    field = field_of(case)
    targets = set(field.ids(target.spot for target in salvo_targets(field, unit, event)))
    worth = salvo_worth(case, field, unit, targets)
    if event.value not in worth.values:
        right = " or ".join(map(str, sorted(worth.values)))
        text = f"{unit.id} fires at {event.value}, and its attack is {right} ({worth.text})"
        forgotten = [part.rule for part in worth.parts if event.value == max(worth.values) - part.by]
        yield Fault(next(iter(forgotten), "wie-unit.6"), text, (unit.id,))


def _why_no_salvo(case: Case, event: Fired, unit: Unit) -> str:
    """Why a unit may fire no salvo; empty if it may."""
    turn = case.in_turn.by(unit.side)
    if not (unit.has(HEAVY_GUNS) or unit.has(RAIL_GUN)):
        return "is no heavy gun and fires no salvo"
    if unit.id in turn.salvos:
        return "fires a second salvo in this turn"
    if unit.id in turn.fought:
        return "has attacked in this turn and fires no salvo"
    if case.phase not in UNDER_FIRE or unit.side != side_of(case.phase):
        return f"fires a salvo in the {case.phase_name()}"
    if not salvo_targets(field_of(case), unit, event):
        return "fires a salvo, and no enemy stands beside it"
    return ""


@RULES.rule("wie-unit.6")
@RULES.before(Fired, manner=SALVO)
def a_die_for_each_gun(case: Case, event: Fired) -> Faults:
    yield from _dice(event, case.units(event.units), "wie-unit.6")


@RULES.rule("wie-cbt.11")
@RULES.before(Fired, manner=SALVO)
@each(units_of)
def guns_without_supply_do_not_fire(case: Case, event: Fired, unit: Unit) -> Faults:
    """A salvo takes the place of normal combat: whether it is combat is not said."""
    if is_out(case, unit) and not in_red_city(field_of(case), unit):
        text = f"{unit.id} was without general supply at the last check and fires a salvo"
        yield Fault("wie-cbt.11", text, (unit.id,), verdict=Verdict.WARNING)


@RULES.track(Fired, when=JUDGED, manner=SALVO)
def note_salvos(case: Case, event: Fired) -> None:
    case.in_turn.by(case.unit(event.units[0]).side).salvos |= set(event.units)
