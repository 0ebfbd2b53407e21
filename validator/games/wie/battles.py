"""Battles of this game as they are remembered, and what is asked of them."""

from __future__ import annotations

from validator.core.board import HexId
from validator.games.wie.book import AXIS, CLEAR
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import Field, allies_stand, field_of
from validator.games.wie.state import Case
from validator.games.wie.units import fights, finnish, is_air, light_grey, value
from validator.model.position import Unit
from validator.procedures.rounds import Engagement, Side, engaged, numbered

NEVER, GERMAN = 13, 12
VARIABLE = ((3, 10), (9, 11))
FREE_TURNS = (1, 2)
FREE_YEARS = {1942: range(4, 10), 1943: range(10, 16)}


def battle_of(case: Case, number: int | None) -> Engagement | None:
    return numbered(case.in_phase.battles, number)


def battle_with(case: Case, unit: str, number: int | None = None) -> Engagement | None:
    return engaged(case.in_phase.battles, unit, number)


def standing(field: Field, side: Side) -> list[Unit]:
    """Units of a side that are still in the battle and on the map."""
    units = field.position.units
    return [units[name] for name in side.fighting if units[name].on_map]


def soldiers(field: Field, battle: Engagement, side: Side) -> list[Unit]:
    """Of them, those on the ground that fight; defenders only while they stand in the attacked hex."""
    found = [unit for unit in standing(field, side) if fights(unit)]
    if side is battle.defender:
        found = [unit for unit in found if field.id(unit.spot) == battle.target]
    return found


def targets_of_hits(field: Field, battle: Engagement, side: Side) -> list[Unit]:
    """Units that hits can be taken by: also those that were disrupted and have not gone yet."""
    units = [field.position.units[name] for name in side.stood if name not in side.lost]
    there = [u for u in units if u.on_map and (fights(u) or is_air(u))]
    if side is battle.defender:
        return [unit for unit in there if field.id(unit.spot) == battle.target]
    return [unit for unit in there if unit.id in side.fighting]


def sources(battle: Engagement, names: set[str]) -> set[HexId]:
    """The hexes that these attackers attack from."""
    return {battle.attacker.stood[name] for name in names if name in battle.attacker.stood}


def disrupted_at(case: Case, unit: Unit) -> int:
    """The lowest die that disrupts a unit; 13 for one that never is."""
    lowest = value(unit, "disrupted", NEVER)
    if unit.side == AXIS:
        return GERMAN if light_grey(unit) and not allies_stand(field_of(case)) else lowest
    if case.option("variable-retreats") == "yes" and lowest < NEVER:
        return next((at for last, at in VARIABLE if case.turn <= last), 12)
    return lowest


def may_stay(case: Case, battle: Engagement, side: Side, unit: Unit) -> bool:
    """A Finn whose die was 10 or 11: the allies of that rule are named without Finland."""
    rounds = (shot for one in battle.rounds for shot in one.shots.get(side.side, ()))
    highest = max((shot.highest for shot in rounds if shot.unit == unit.id), default=NEVER)
    return finnish(unit) and highest < GERMAN


def steadied(field: Field, unit: Unit) -> bool:
    """In a complex or a red city nobody is disrupted (5)."""
    hex_id = field.id(unit.spot)
    return hex_id is not None and (field.red(hex_id) or bool(field.complexes(hex_id)))


def free_attacks(case: Case, side: str) -> bool:
    """German attacks of one round cost nothing: in turns 1 and 2, and in those of a free offensive."""
    early = case.turn in FREE_TURNS and case.scenario.first_turn == 1
    return side == AXIS and (early or (case.in_turn.by(AXIS).free_offensive and kindest(case) == CLEAR))


def free_round(case: Case, battle: Engagement, number: int) -> bool:
    """One round without headquarters."""
    return number == 1 and free_attacks(case, battle.attacker.side)


def must_retreat(case: Case, battle: Engagement) -> dict[str, int]:
    """Defenders that were disrupted and still stand in the attacked hex, and the round of their die."""
    field = field_of(case)
    units = field.position.units
    return {
        name: number
        for name, number in battle.defender.disrupted.items()
        if name not in battle.defender.lost and field.id(units[name].spot) == battle.target
    }
