"""Chapter 5: hits outside the rounds on the ground: planes against planes, and salvos of heavy guns."""

from __future__ import annotations

from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import battle_of
from validator.games.wie.book import (
    ANTI_AIR,
    COMBAT,
    ENEMY,
    EXPLOIT,
    IN_THE_AIR,
    INTERCEPTION,
    MOVE,
    NAMES,
    RULES,
    SALVO,
    both,
    part_of,
    side_of,
)
from validator.games.wie.field import Field, field_of
from validator.games.wie.state import Case, PlayerTurn
from validator.games.wie.units import (
    BOMBER,
    FIGHTER,
    HEAVY_GUNS,
    JET,
    RAIL_GUN,
    fights,
    is_air,
    value,
)
from validator.games.wie.values import may_be_added
from validator.model.events import Fired
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.field import printed
from validator.procedures.rounds import Engagement, Toll, owing

FIGHTING = both(MOVE, COMBAT, EXPLOIT)
RULE_OF_TOLL = {
    INTERCEPTION: "wie-air.8",
    IN_THE_AIR: "wie-air.16",
    "": "wie-air.18",
    SALVO: "wie-unit.6",
    ANTI_AIR: "wie-aa.1",
}
WHAT_HIT = {SALVO: "of a salvo", ANTI_AIR: "of guns at planes"}


# --- who fires at whom --------------------------------------------------------------------------------------


def opposing_planes(case: Case, field: Field, battle: Engagement, side: str) -> list[Unit]:
    """The enemy's planes that fight in a battle now; those called in this round do from the next one on."""
    number = battle.round.number if battle.round else 0
    late = (battle.number, number)
    foe = battle.foe(battle.attacker if side == battle.attacker.side else battle.defender)
    return [
        unit
        for unit in field.units(battle.target, ENEMY[side])
        if is_air(unit)
        and (unit.id in foe.fighting or unit.id in case.in_phase.arrived)
        and case.in_phase.arrived.get(unit.id) != late
    ]


def in_the_air(case: Case, event: Fired) -> bool:
    """Whether planes fire at planes: said so, or in a round in which both sides have some (5)."""
    units = [case.position.units[name] for name in event.units]
    if event.manner in (INTERCEPTION, IN_THE_AIR):
        return True
    battle = battle_of(case, event.battle)
    if event.manner or battle is None or not units or not all(map(is_air, units)):
        return False
    return bool(opposing_planes(case, field_of(case), battle, units[0].side))


def pays_toll(case: Case, unit: Unit, battle: Engagement | None = None) -> Toll | None:
    """The toll that a loss counts for; of a unit on the ground first the hits of its battle are taken."""
    side = battle.of(unit.id) if battle else None
    if battle is not None and side is not None and battle.owed(side) > 0 and not is_air(unit):
        return None
    return None if unit.id in case.in_phase.downed else owing(case.in_phase.tolls, unit.id)


def salvo_targets(field: Field, gun: Unit, event: Fired) -> list[Unit]:
    """The enemy's units beside a gun; where the salvo names some, those in their hexes."""
    here = field.id(gun.spot)
    beside = field.board.adjacent[here] if here is not None else ()
    named = {field.id(field.position.units[name].spot) for name in event.aimed}
    return [
        unit
        for hex_id in beside
        if not named or hex_id in named
        for unit in field.units(hex_id, ENEMY[gun.side])
        if fights(unit)
    ]


@RULES.track(Fired, when=JUDGED, phases=FIGHTING, manner=SALVO)
def hits_of_salvos_are_owed(case: Case, event: Fired) -> None:
    field, guns = field_of(case), case.units(event.units)
    exposed = {unit.id for gun in guns for unit in salvo_targets(field, gun, event)}
    for place in field.ids((guns[0].spot,)):
        case.in_phase.tolls.append(Toll(SALVO, ENEMY[guns[0].side], place, exposed, event.hits))


def place_of(case: Case, unit: Unit) -> HexId | None:
    """Where a unit stands, or stood when it was lost in this phase."""
    fall = case.in_phase.fallen.get(unit.id)
    return fall.place if fall is not None and not unit.on_map else field_of(case).id(unit.spot)


@RULES.track(Fired, when=JUDGED, phases=FIGHTING)
def hits_are_owed(case: Case, event: Fired) -> None:
    field, units = field_of(case), case.units(event.units)
    place = place_of(case, units[0])
    if place is None or event.manner == SALVO or not in_the_air(case, event):
        return
    enemy, battle = ENEMY[units[0].side], battle_of(case, event.battle)
    fought = "" if battle is not None and battle.target == place else event.manner
    key = (fought, enemy, place)
    known = next((t for t in case.in_phase.tolls if (t.manner, t.side, t.place) == key), None)
    if known is None:
        known = Toll(*key, set())
        case.in_phase.tolls.append(known)
    known.exposed |= {unit.id for unit in field.units(place, enemy) if is_air(unit)}
    known.hits += event.hits


@RULES.rule("wie-air.8", "wie-air.16", "wie-air.18", "wie-unit.6", "wie-aa.1")
@RULES.at_phase_end(*FIGHTING)
def hits_are_taken(case: Case) -> Faults:
    """By planes for hits of planes, by units beside the gun for those of a salvo."""
    field, units = field_of(case), case.position.units
    for toll in case.in_phase.tolls:
        left = toll.outstanding(lambda name: units[name].on_map)
        if left:
            hits = "one hit" if left == 1 else f"{left} hits"
            how = WHAT_HIT.get(toll.manner, "in the air")
            text = f"{hits} {how} to be taken by the {NAMES[toll.side]} side"
            standing = tuple(sorted(name for name in toll.exposed if units[name].on_map))
            yield Fault(RULE_OF_TOLL[toll.manner], text, standing, (field.board.hexes[toll.place],))


# --- in the air ---------------------------------------------------------------------------------------------


def air_values(case: Case, unit: Unit, event: Fired) -> set[int]:
    """What a plane hits planes at, with what may be added and without."""
    battle = battle_of(case, event.battle)
    attacks = not event.manner and battle is not None and unit.id in battle.attacker.stood
    found = {value(unit, "air-attack")} | (set() if attacks else {value(unit, "air-defense")})
    return {number + more for number in found for more in may_be_added(case, unit)}


@RULES.rule(
    "wie-unit.9", "wie-unit.10", "wie-unit.11", "wie-unit.15", "wie-air.8", "wie-air.16", "wie-air.18"
)
@RULES.before(Fired)
def values_in_the_air(case: Case, event: Fired) -> Faults:
    """Dive bombers and bombers have values of their own against planes; one round, a die for each."""
    if not in_the_air(case, event):
        return
    units, rule = case.units(event.units), "wie-air.8" if event.manner == INTERCEPTION else "wie-air.16"
    jets = tuple(plane.id for plane in case.units(event.aimed) if plane.has(JET))
    if jets and event.manner == INTERCEPTION and units[0].side != side_of(case.phase):
        yield Fault("wie-unit.9", f"{'+'.join(jets)} is intercepted, and nobody can intercept jets", jets)
    for unit in units:
        right = air_values(case, unit, event)
        due = " or ".join(map(str, sorted(right))) + ("" if event.manner else ": planes fight planes first")
        rows = [
            (not is_air(unit), "wie-air.16", "is no plane and fires in the air"),
            (
                event.value not in right,
                _rule_of_value(unit, event),
                f"fires at {event.value} in the air, where it has {due}",
            ),
            (_fired_before(case, event, unit), rule, "fires a second round in the air"),
        ]
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,))
    yield from _dice(event, units, rule)


def _dice(event: Fired, units: list[Unit], rule: str) -> Faults:
    """One for each; of bombers and rail guns two may be."""
    least, most = len(units), sum(value(unit, "dice", 1) for unit in units)
    if not least <= len(event.values) <= most or event.sides != 12:
        text = f"{len(event.values)}d{event.sides} for {'+'.join(event.units)}, and {least}d12 are due"
        yield Fault(rule, text, event.units)


def _rule_of_value(unit: Unit, event: Fired) -> str:
    if not event.manner:
        return "wie-air.18"
    jet_fighter = unit.has(JET) and unit.has(FIGHTER)
    return "wie-unit.15" if jet_fighter else "wie-unit.11" if unit.has(BOMBER) else "wie-unit.10"


def _fired_before(case: Case, event: Fired, unit: Unit) -> bool:
    """In this phase; in a battle there is a round in the air in each of its rounds."""
    battle = battle_of(case, event.battle)
    if battle is not None and battle.round is not None and battle.target == place_of(case, unit):
        return battle.round.fired(unit.id)
    same = (e for e in case.in_phase.events if isinstance(e, Fired) and e.manner == event.manner)
    return any(unit.id in e.units for e in same)


# --- salvos -------------------------------------------------------------------------------------------------


@RULES.rule("wie-unit.6")
@RULES.before(Fired, manner=SALVO)
def one_salvo_at_a_hex_beside(case: Case, event: Fired) -> Faults:
    """Heavy artillery and the rail gun, once a turn, instead of an attack; nobody fires back."""
    field, units = field_of(case), case.units(event.units)
    mine = part_of(case.phase) in (COMBAT, EXPLOIT, MOVE)
    for unit in units:
        turn, attack = case.in_turn.by(unit.side), printed(unit, "attack")
        right = {attack + more for more in may_be_added(case, unit)}
        late = not mine or unit.side != side_of(case.phase)
        rows = [
            (not (unit.has(HEAVY_GUNS) or unit.has(RAIL_GUN)), "is no heavy gun and fires no salvo"),
            (unit.id in turn.salvos, "fires a second salvo in this turn"),
            (unit.id in turn.fought, "has attacked in this turn and fires no salvo"),
            (late, f"fires a salvo in the {case.phase_name()}"),
            (not salvo_targets(field, unit, event), "fires a salvo, and no enemy stands beside it"),
            (event.value not in right, f"fires at {event.value}, and its attack is {attack}"),
        ]
        told = faults.of_rule("wie-unit.6", rows)
        yield from faults.first_that_holds(told, f"{unit.id} ", (unit.id,))
    yield from _dice(event, units, "wie-unit.6")


@RULES.track(Fired, when=JUDGED, manner=SALVO)
def note_salvos(case: Case, event: Fired) -> None:
    side = case.position.units[event.units[0]].side
    case.in_turn.turns.setdefault(side, PlayerTurn()).salvos |= set(event.units)
