"""Battles of this game as they are remembered, and what is asked of them."""

from __future__ import annotations

from collections.abc import Iterable

from validator.core.board import HexId
from validator.games.wie.book import (
    ANTI_AIR,
    AXIS,
    CLEAR,
    ENEMY,
    IN_THE_AIR,
    INTERCEPTION,
    INTERDICTION,
    MOVE,
    SALVO,
    SUPPORT,
    side_of,
)
from validator.games.wie.c07_weather import kindest
from validator.games.wie.control import begins_after
from validator.games.wie.field import Field, allies_stand, field_of
from validator.games.wie.state import Case
from validator.games.wie.units import (
    RAIL_GUN,
    but_headquarters,
    fights,
    finnish,
    is_air,
    light_grey,
    on_the_map,
    value,
)
from validator.model.events import Attacked, Fired, Moved, Removed, RoundBegan
from validator.model.position import Unit
from validator.procedures.rounds import Engagement, Fighter, Side, Volley, fighter_in, numbered

NEVER, GERMAN = 13, 12
MAY_SUPPORT = (SUPPORT, INTERDICTION)
VARIABLE = ((3, 10), (9, 11))
FREE_TURNS = (1, 2)
FREE_YEARS = {1942: range(4, 10), 1943: range(10, 16)}
PLANES_AT_PLANES = {INTERCEPTION: True, IN_THE_AIR: True, ANTI_AIR: False, SALVO: False}
"""Ways of firing that say whether planes fire at planes; in a round it hangs on who is there."""


def battle_of(case: Case, number: int | None) -> Engagement | None:
    return numbered(case.in_phase.battles, number)


def battles_of(case: Case, event: RoundBegan | Fired) -> list[Engagement]:
    """The battle that an event belongs to; none, if it was not declared."""
    battle = battle_of(case, event.battle)
    return [] if battle is None else [battle]


def is_out_of_play(case: Case, event: RoundBegan | Fired) -> bool:
    """Whether an event belongs to an attack that was declared on a hex which is not in play."""
    return not battles_of(case, event) and bool(case.in_phase.of(Attacked, battle=event.battle))


def battles_for(case: Case, hex_id: HexId | None) -> list[Engagement]:
    """Those for a hex, the latest first."""
    return [battle for battle in reversed(case.in_phase.battles) if battle.target == hex_id]


def fighter_of(case: Case, unit: str, number: int | None = None) -> Fighter | None:
    return fighter_in(case.in_phase.battles, unit, number)


def fighters_of(case: Case, event: Moved | Removed) -> list[Fighter]:
    """The units of an event that take part in battles."""
    fighters = (fighter_of(case, name, event.battle) for name in event.concerned)
    return [fighter for fighter in fighters if fighter is not None]


# --- who stands, and who fires ------------------------------------------------------------------------------


def standing(field: Field, side: Side) -> list[Unit]:
    """Units of a side that are still in the battle and on the map."""
    return on_the_map(field.position.units[name] for name in side.fighting)


def in_its_hex(field: Field, battle: Engagement, units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if field.id(unit.spot) == battle.target]


def soldiers(field: Field, battle: Engagement, side: Side) -> list[Unit]:
    """Of them, those on the ground that fight; defenders only while they stand in the attacked hex."""
    ground = [unit for unit in standing(field, side) if fights(unit)]
    return in_its_hex(field, battle, ground) if side is battle.defender else ground


def targets_of_hits(field: Field, battle: Engagement, side: Side) -> list[Unit]:
    """Units that hits can be taken by: also those that were disrupted and have not gone yet."""
    left = side.fighting if side is battle.attacker else [n for n in side.stood if n not in side.lost]
    there = but_headquarters(on_the_map(field.position.units[name] for name in left))
    return in_its_hex(field, battle, there) if side is battle.defender else there


def opposing_planes(case: Case, field: Field, battle: Engagement, side: str) -> list[Unit]:
    """The enemy's planes that fight in a battle now; those called in this round do from the next one on."""
    opponent = battle.defender if side == battle.attacker.side else battle.attacker
    arrived, late = case.in_phase.arrived, (battle.number, battle.round.number)
    planes = field.planes_over(battle.target, ENEMY[side])
    engaged = (unit for unit in planes if unit.id in opponent.fighting or unit.id in arrived)
    return [unit for unit in engaged if arrived.get(unit.id) != late]


def in_the_air(case: Case, event: Fired) -> bool:
    """Whether planes fire at planes: said so, or in a round in which both sides have some (5)."""
    return case.about(in_the_air, lambda: _in_the_air(case, event))


def _in_the_air(case: Case, event: Fired) -> bool:
    said, units = PLANES_AT_PLANES.get(event.manner), case.units(event.units)
    if said is not None:
        return said
    battles = battles_of(case, event) if all(map(is_air, units)) else []
    return any(opposing_planes(case, field_of(case), battle, units[0].side) for battle in battles)


def volleys(case: Case, event: Fired) -> list[Volley]:
    """The volley that an event is; none, if it belongs to no round of a battle."""
    return case.about(volleys, lambda: list(_volleys(case, event)))


def _volleys(case: Case, event: Fired) -> Iterable[Volley]:
    units = case.units(event.units)
    for battle in battles_of(case, event) if event.manner in ("", IN_THE_AIR) else ():
        there = not event.manner or in_its_hex(field_of(case), battle, units[:1])
        side = battle.of(units[0].id) or joined_by(case, battle, units[0])
        if there and battle.rounds and side is not None:
            yield Volley(battle, side, units, in_the_air(case, event))


def volleys_on_the_ground(case: Case, event: Fired) -> list[Volley]:
    return [volley for volley in volleys(case, event) if not volley.aloft]


def volleys_of_attackers(case: Case, event: Fired) -> list[Volley]:
    return [volley for volley in volleys(case, event) if volley.attacks]


def beside(field: Field, here: HexId, target: HexId) -> bool:
    """Neighbours that no sea parts."""
    return any(there == target for there, _ in field.ground.costs.links()[here])


def sent_to(case: Case, unit: Unit, here: HexId, target: HexId) -> bool:
    """Whether a plane was sent to a hex as the army moved, to support an attack."""
    flight = case.in_turn.by(unit.side).flights.get(unit.id)
    if flight is None and begins_after(case, MOVE):
        return here == target  # nobody saw it go
    flown = [mission for mission in flight.missions if mission][-1:] if flight else [""]
    return here == target and {*flown} <= {*MAY_SUPPORT}


def joined_by(case: Case, battle: Engagement, unit: Unit) -> Side | None:
    """The side that a unit has come to which the attack does not name.

    The attacker's: a plane that was sent there, a rail gun beside it. The defender's: a plane, or a unit out
    of a hidden pile, in his hex.
    """
    field = field_of(case)
    for here in field.ids((unit.spot,)) if unit.side == battle.attacker.side else ():
        sent = is_air(unit) and sent_to(case, unit, here, battle.target)
        if sent or (unit.has(RAIL_GUN) and beside(field, here, battle.target)):
            return battle.attacker
    comes = is_air(unit) or unit.id in case.in_phase.revealed
    there = comes and unit.side == battle.defender.side and in_its_hex(field_of(case), battle, [unit])
    return battle.defender if there else None


def sources(battle: Engagement) -> set[HexId]:
    """The hexes beside the attacked one that attackers come from."""
    return set(battle.attacker.stood.values()) - {battle.target}


# --- disruption ---------------------------------------------------------------------------------------------


def disrupted_at(case: Case, unit: Unit) -> int:
    """The lowest die that disrupts a unit; 13 for one that never is."""
    lowest = value(unit, "disrupted", NEVER)
    if unit.side == AXIS:
        return GERMAN if light_grey(unit) and not allies_stand(field_of(case)) else lowest
    if lowest < NEVER and case.option("variable-retreats") == "yes":
        return next((at for last, at in VARIABLE if case.turn <= last), 12)
    return lowest


def out_of_combat(case: Case, names: Iterable[str]) -> dict[str, int]:
    """Units that were disrupted in an earlier battle of this player turn, as of no round of this one."""
    disrupted = case.in_turn.by(side_of(case.phase)).disrupted
    return {name: 0 for name in names if name in disrupted}


def may_stay(battle: Engagement, side: Side, unit: Unit) -> bool:
    """A Finn whose die was 10 or 11: the allies of that rule are named without Finland."""
    dice = (shot.highest for shot in battle.shots_of(side) if shot.unit == unit.id)
    return finnish(unit) and max(dice, default=NEVER) < GERMAN


def steadied(field: Field, unit: Unit) -> bool:
    """In a complex or a red city nobody is disrupted (5)."""
    hex_id = field.id(unit.spot)
    return hex_id is not None and (field.red(hex_id) or bool(field.complexes(hex_id)))


def must_retreat(case: Case, battle: Engagement) -> dict[str, int]:
    """Defenders that were disrupted and still stand in the attacked hex, and the round of their die."""
    side = battle.defender
    here = {name: number for name, number in side.disrupted.items() if number and name not in side.lost}
    return {unit.id: here[unit.id] for unit in in_its_hex(field_of(case), battle, case.units(here))}


# --- rounds that need no headquarters -----------------------------------------------------------------------


def free_attacks(case: Case, side: str) -> bool:
    """German attacks of one round cost nothing: in turns 1 and 2, and in those of a free offensive."""
    early = case.turn in FREE_TURNS and case.scenario.first_turn == 1
    return side == AXIS and (early or (case.in_turn.by(AXIS).free_offensive and kindest(case) == CLEAR))


def free_round(case: Case, battle: Engagement, number: int) -> bool:
    """One round without headquarters."""
    return number == 1 and free_attacks(case, battle.attacker.side)
