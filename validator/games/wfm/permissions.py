"""What the rules of War for the Motherland let happen, and in which phases."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.games.wfm.battles import FIGHTING
from validator.games.wfm.book import AXIS, RULES, SOVIET, special
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c05_march import PHASES
from validator.games.wfm.c07_strength import beside_enemy
from validator.games.wfm.c08_odds import read_result
from validator.games.wfm.c09_markers import EXPEND
from validator.games.wfm.c10_air import is_fortress
from validator.games.wfm.c13_arrivals import ARRIVAL, DROP_BOX
from validator.games.wfm.c13_returns import CONVERSION_BOX, WITHDRAWN
from validator.games.wfm.c13_withdrawals import SURRENDER, WITHDRAWALS
from validator.games.wfm.c15_victory import COUNT, WINNER
from validator.games.wfm.control import contested
from validator.games.wfm.field import field_of
from validator.games.wfm.lines import MAIN_SHEET, MOSCOW
from validator.games.wfm.state import Case
from validator.model.events import Drawn, Marked, Placed, Removed, Rolled
from validator.model.position import Unit, any_has, of_side
from validator.procedures import strengthchits
from validator.procedures.permissions import (
    ANY,
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
from validator.procedures.strengthchits import is_chit

ADMIN, SUPPLY = "admin", "supply"
SINGLE = ("osg", "economic-asset")


# --- units ------------------------------------------------------------------------------------------------


def _arrives(case: Case, unit: Unit) -> bool:
    """Reinforcements and drops as their side's movement begins; groups in the last phase (13.1, 12.2)."""
    if case.phase == ADMIN:
        return unit.has("osg")
    if unit.has("economic-asset"):
        return False
    takes_a_place = case.phase in (SUPPLY, *FIGHTING) and _is_left_of_a_corps(case, unit)
    return ARRIVAL.get(case.phase) == unit.side or takes_a_place


def _is_left_of_a_corps(case: Case, unit: Unit) -> bool:
    """A Kampfgruppe of the kind that is left of a corps taken off in this phase (8.94), one for each."""
    gone, placed = case.units(case.in_phase.concerned(Removed)), case.units(case.in_phase.concerned(Placed))
    corps = sum(one.type.values.get("breaks-into") == unit.type.id for one in gone)
    come = sum(one.type.id == unit.type.id for one in placed)
    return corps > come


def _loses(case: Case, unit: Unit) -> bool:
    """Isolated units, by attrition (9.91); in the last phase steps are exchanged."""
    return case.phase == SUPPLY or (case.phase == ADMIN and _exchanges_steps(case, unit))


def _breaks_up(case: Case, unit: Unit) -> bool:
    """A corps of which attrition leaves a Kampfgruppe (9.91)."""
    return case.phase == SUPPLY


_exchanges_steps = with_trait("exchanges", "gives-steps")


def _gains(case: Case, unit: Unit) -> bool:
    """German units that exchange steps (14.26)."""
    return case.phase == ADMIN and _exchanges_steps(case, unit)


def _leaves(case: Case, unit: Unit, box: str | None) -> bool:
    """Out of supply, by attrition, expended, withdrawn, evacuated, incorporated, for lack of room, or as the
    last step of a German unit is exchanged."""
    if case.phase == SUPPLY:
        return unit.has("depot") or not unit.has("always-supplied")
    if case.phase == ADMIN:
        incorporated = unit.side == SOVIET and unit.has("corps")
        return (
            incorporated
            or _surrenders(case, unit)
            or any_has([unit], "evacuates", "strategic-port", "exchanges")
        )
    withdrawn = unit.has("airbase") and case.phase == "ger-mech"
    return withdrawn or _is_crowded_out(case, unit)


def _is_crowded_out(case: Case, unit: Unit) -> bool:
    """Too many in a hex (4.18), or taken by an enemy who enters."""
    here = case.position.at(unit.hex)
    own = of_side(here, unit.side)
    verdict = stack(case, own, unit.side)
    return len(own) < len(here) or verdict.load > verdict.limit


def _withdraws(case: Case, unit: Unit) -> bool:
    """An airbase in its turns (13.7), and the Italian army (13.6)."""
    airbase = unit.has("airbase") and case.turn in WITHDRAWALS
    return airbase or _surrenders(case, unit)


def _surrenders(case: Case, unit: Unit) -> bool:
    return unit.type.id == "italian-army" and case.turn >= SURRENDER


# --- chits ------------------------------------------------------------------------------------------------


def _draws(case: Case, event: Drawn) -> bool:
    """For an army that fights, or stands beside the enemy when the turn ends (7.11, 7.12)."""
    if event.unit is None:
        return True
    unit = case.position.units[event.unit]
    converted = any(conversion.new == unit.id for conversion in case.in_phase.conversions)  # 13.24
    if case.phase == SUPPLY and is_chit(case, event.marker):
        return any(roll.about in (unit.id, None) for roll in case.in_phase.of(Rolled))
    return converted or strengthchits.may_draw(case, event, beside_enemy(case, unit))


def _may_be_turned(case: Case, event: Marked) -> bool:
    """Strength comes back when a corps is taken in (14.4), and where a hand has slipped in this phase."""
    return case.phase == ADMIN or strengthchits.may_be_turned(case, event)


def _gives_its_strength_up(case: Case, unit: Unit) -> bool:
    return not unit.on_map or case.phase == ADMIN


# --- markers in hexes -------------------------------------------------------------------------------------


def _holds_something(case: Case, hex_: Hex) -> bool:
    """Major cities, fortresses and ports have a holder (5.73)."""
    hex_id = field_of(case).id(hex_)
    return hex_id is not None and contested(field_of(case), hex_id)


def _falls(case: Case, hex_: Hex) -> bool:
    """Fortresses are destroyed (8.47), and Moscow as a source (9.32)."""
    entered = case.position.control.get(hex_) == AXIS or hex_ in case.in_game.fortresses_fallen
    moscow = case.game.map.lattice.hex(MOSCOW, MAIN_SHEET)
    return entered and (hex_ == moscow or is_fortress(case, hex_))


def _has_depot(case: Case, hex_: Hex) -> bool:
    return any_has(case.position.at(hex_), "depot")


# --- dice -------------------------------------------------------------------------------------------------


def _lost(case: Case, event: Rolled) -> bool:
    """A unit that was lost; or that is about to be, for the die may come before its counter goes."""
    if case.position.partial or event.about is None:
        return case.phase in (SUPPLY, ADMIN, *FIGHTING)
    unit = case.position.units[event.about]
    fights = any(battle.party(event.about) is not None for battle in case.in_phase.battles)
    return event.about in case.in_game.lost or fights or (case.phase == SUPPLY and unit.has("hq"))


def _waits_for_a_drop(case: Case, event: Rolled) -> bool:
    unit = case.position.units.get(event.about or "")
    return bool(case.in_phase.drops) or (unit is not None and unit.has("drop-only"))


MAY = Permissions(
    moving=PHASES,
    fighting=FIGHTING,
    read_result=read_result,
    rolls={
        "attrition": [SUPPLY],
        "drop": ["sov-move"],
        "return": [ANY],
        "headquarters": [ANY],
        "additional": FIGHTING,
        "moscow": [ANY],
        "surrender": [ANY],
    },
    waits_for={
        "additional": lambda case, event: case.option("additional-losses") == "on",
        "return": _lost,
        "headquarters": _lost,
        "drop": _waits_for_a_drop,
        "moscow": lambda case, event: special(case, "moscow-falls") is not None,
        "surrender": lambda case, event: special(case, "moscow-falls") is not None,
    },
    declared={COUNT: [ADMIN], WINNER: [ADMIN]},
    declares={EXPEND: with_trait("depot")},
    markers={
        "strength": MarkerRule(
            on_unit=strengthchits.may_carry, off_unit=_gives_its_strength_up, turned=_may_be_turned
        ),
        "supply": MarkerRule(on_unit=anybody, in_hex=with_units_in(SUPPLY)),
        **{
            f"{side}-control": MarkerRule(in_hex=held_by(side, _holds_something), out_of_hex=_holds_something)
            for side in (AXIS, SOVIET)
        },
        "destroyed": MarkerRule(in_hex=_falls),
        "expended": MarkerRule(on_unit=with_trait("depot"), in_hex=_has_depot, phases=[SUPPLY]),
        "moved": MarkerRule(on_unit=anybody, in_hex=with_units),
        "railed": MarkerRule(on_unit=anybody, in_hex=with_units),
        "airborne-dropped": MarkerRule(on_unit=with_trait("drop-only"), in_hex=with_units),
        "air-fleet": MarkerRule(in_hex=anywhere),  # when, and where: chapter 10
        "partisan": MarkerRule(in_hex=anywhere),  # when, and where: chapter 9.8
    },
    boxes={
        "destroyed-economic-assets": with_trait("economic-asset"),
        "evacuated-factories": with_trait("evacuates"),
        CONVERSION_BOX: with_trait("converts"),
        DROP_BOX: with_trait("drop-only"),
        "axis-returns": owned_by(AXIS),
        "soviet-returns": owned_by(SOVIET),
        "axis-eliminated": owned_by(AXIS),
        "soviet-eliminated": owned_by(SOVIET),
        WITHDRAWN: _withdraws,
        "soviet-converted": with_trait("convertible", "draws-strength"),
        "axis-pool": with_trait("kg", "breaks-down"),
        "axis-reinforcements": owned_by(AXIS),
        "soviet-reinforcements": owned_by(SOVIET),
        **{f"turn-{number}": anybody for number in range(1, 60)},
    },
    beside={
        **dict.fromkeys(("supply", "control", "status", "partisan", "phase"), as_a_reminder),
        "weather": in_boxes("turn-", "markers"),
        "air-fleet": in_boxes("air-fleets", "axis-reinforcements", "turn-", "markers"),
        "turn": on_the_turn,
    },
    replaced={
        "breakdown": [ADMIN],
        "buildup": [ADMIN],
        "exchange-steps": [ADMIN],
        "convert": [ADMIN],
        "rebuild": [ADMIN],
        "incorporate": [ADMIN],
        "army-breakdown": [ADMIN],
    },
    arrives=_arrives,
    loses=_loses,
    breaks_up=_breaks_up,
    gains=_gains,
    leaves=_leaves,
    draws=_draws,
    returns=lambda case, event: strengthchits.may_return(case, event, ADMIN),
)
grant(RULES, MAY)
