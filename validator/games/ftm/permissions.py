"""What the rules of For the Motherland! let happen, and in which phases."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.games.ftm.book import ADMIN, AXIS, FIGHTING, MOVING, RULES, SOVIET, SUPPLY
from validator.games.ftm.c05_movement import BAKU
from validator.games.ftm.c06_stacking import stack
from validator.games.ftm.c08_odds import GENERAL, ODDS
from validator.games.ftm.c09_supply import AIR_SUPPLY, EXPEND
from validator.games.ftm.c11_chits import beside_enemy
from validator.games.ftm.c12_economy import EVACUATED, LOST, WAITING
from validator.games.ftm.c14_air import BOX as AIR_BOX
from validator.games.ftm.c14_air import GONE as AIR_GONE
from validator.games.ftm.c15_admin import EXCHANGES, LAST_OF_GROUPS, POOL, REMOVED
from validator.games.ftm.c17_arrivals import ARRIVAL
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.games.ftm.supply import EXPENDED
from validator.model.events import Drawn, Removed, Rolled
from validator.model.position import Unit, any_has
from validator.procedures import strengthchits
from validator.procedures.permissions import (
    MarkerRule,
    Permissions,
    anybody,
    anywhere,
    as_a_reminder,
    grant,
    held_by,
    in_boxes,
    on_the_turn,
    owned_by,
    with_trait,
    with_units,
    with_units_in,
)


def _arrives(case: Case, unit: Unit) -> bool:
    """Reinforcements as their side's movement begins; Offensive Support in the last phase."""
    produced = case.phase == ADMIN and (unit.has("offensive-support") or case.by_hand)
    gone = case.units(case.in_phase.concerned(Removed))
    heir = any(one.type.values.get("breaks-into") == unit.type.id for one in gone)
    third_step = heir and case.phase in (SUPPLY, *FIGHTING)
    stays = any_has([unit], "economic-asset", "kg", "star")
    arrives = ARRIVAL.get(case.phase) == unit.side and not stays
    return produced or third_step or arrives


def _loses(case: Case, unit: Unit) -> bool:
    """By attrition."""
    return case.phase == SUPPLY


def _gains(case: Case, unit: Unit) -> bool:
    return case.phase == ADMIN and unit.has("german")


def _leaves(case: Case, unit: Unit, box: str | None) -> bool:
    """By attrition, out of supply, expended, evacuated, replaced, or for lack of room."""
    if case.phase == SUPPLY:
        return unit.has("supply-base") or not unit.has("always-supplied")
    crowded = not stack(case, case.position.at(unit.hex), unit.side).legal
    group = unit.has("mechanized-group") and case.turn >= LAST_OF_GROUPS
    return crowded or (case.phase == ADMIN and (box == EVACUATED or group))


def _draws(case: Case, event: Drawn) -> bool:
    """For a unit that fights, is isolated, or stands beside the enemy when the turn ends (11.1)."""
    unit = case.position.units.get(event.unit or "")
    attrition = case.phase == SUPPLY and case.in_phase.of(Rolled)
    return bool(attrition) or strengthchits.may_draw(case, event, unit is None or beside_enemy(case, unit))


def _contested(case: Case, hex_: Hex) -> bool:
    """Cities and ports have a holder."""
    return field_of(case).id(hex_) in field_of(case).ground.contested


def _waits_for_a_turn(case: Case, unit: Unit) -> bool:
    """What is lost or due; what waits for production does not."""
    return unit.spot != WAITING and not unit.has("economic-asset")


grant(
    RULES,
    Permissions(
        moving=MOVING,
        fighting=FIGHTING,
        read_result=ODDS.read,
        rolls={"attrition": [SUPPLY], "partisans": [SUPPLY], "production": [ADMIN]},
        declared={"victory-points": [ADMIN], "victory": [ADMIN]},
        declares={EXPEND: with_trait("supply-base"), AIR_SUPPLY: owned_by(AXIS)},
        markers={
            "strength": MarkerRule(
                on_unit=strengthchits.may_carry,
                off_unit=lambda case, unit: not unit.on_map or case.phase == ADMIN,
                turned=strengthchits.may_be_turned,
            ),
            "supply": MarkerRule(on_unit=anybody, in_hex=with_units_in(SUPPLY)),
            **{
                f"{side}-control": MarkerRule(in_hex=held_by(side, _contested), out_of_hex=_contested)
                for side in (AXIS, SOVIET)
            },
            EXPENDED: MarkerRule(on_unit=with_trait("supply-base"), in_hex=with_units, phases=[SUPPLY]),
            "moved": MarkerRule(on_unit=anybody, in_hex=with_units),
            "partisan": MarkerRule(in_hex=anywhere),  # when, and where: chapter 10
            "leader": MarkerRule(in_hex=anywhere),
            GENERAL: MarkerRule(on_unit=with_trait("draws-strength")),  # a general is used, and recovers,
        },
        boxes={
            **{f"{LOST}{number}": with_trait("economic-asset") for number in range(1, 20)},
            **{f"turn-{number}": _waits_for_a_turn for number in range(1, 60)},
            EVACUATED: with_trait("evacuates"),
            BAKU: owned_by(SOVIET),
            WAITING: with_trait("offensive-support"),
            POOL: with_trait("kg", "star", "corps", "army"),
            "axis-eliminated": owned_by(AXIS),
            "soviet-eliminated": owned_by(SOVIET),
            REMOVED: with_trait("mechanized-group", "combined-arms"),
            "conversion-waiting": with_trait("guards", "shock"),
        },
        beside={
            **dict.fromkeys(("supply", "control", "status", "partisan", "leader", "phase"), as_a_reminder),
            GENERAL: as_a_reminder,
            "air-unit": in_boxes(AIR_BOX, AIR_GONE),
            "turn": on_the_turn,
        },
        replaced=dict.fromkeys(EXCHANGES, (ADMIN,)),
        arrives=_arrives,
        loses=_loses,
        breaks_up=_loses,
        gains=_gains,
        leaves=_leaves,
        draws=_draws,
        returns=lambda case, event: strengthchits.may_return(case, event, ADMIN),
    ),
)
