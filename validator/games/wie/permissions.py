"""What the rules let happen, and in which phase: whatever nobody claims is a finding."""

from __future__ import annotations

from collections.abc import Callable

from fieldpost.hexes import Hex
from validator.games.wie.battles import battle_of, fighter_of
from validator.games.wie.book import (
    ADVANCE,
    ANTI_AIR,
    ASSASSINATION_DIE,
    CITY_DIE,
    COMBAT,
    COMPLEX_DIE,
    COUNTER_OFFENSIVE,
    DEFENSIVE,
    ENEMY,
    EXPLOIT,
    FREE_OFFENSIVE,
    HOME,
    IN_THE_AIR,
    INTERCEPTION,
    INTERDICTION_DIE,
    LEADER,
    MOVE,
    MOVE_COMPLEX,
    OIL_BOMB_DIE,
    OIL_DIE,
    PARTISAN_DIE,
    PLACE,
    REDEPLOY,
    REINFORCE,
    RESERVE,
    RETREAT,
    ROCKET_DIE,
    RULES,
    SALVO,
    SCORCHED,
    SECOND_EXPLOITATION,
    SET_UP,
    SIBERIAN,
    SOVIET,
    SUPPLY,
    WEATHER,
    WEATHER_DIE,
    part_of,
    side_of,
)
from validator.games.wie.c03_money import RULE_OF
from validator.games.wie.c05_air import flight_of, is_at_base
from validator.games.wie.c05_fortifications import falls
from validator.games.wie.c05_interdiction import may_be_the_one
from validator.games.wie.c05_retreat import follow_up
from validator.games.wie.control import controller
from validator.games.wie.levels import FORTIFICATION, Change, change_of
from validator.games.wie.sources import BOUGHT, FREE, HIDDEN, OFF_MAP, POOL, REINFORCEMENTS, box_of
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, ROCKET, fights, is_air, is_hq
from validator.model import events as ev
from validator.model.position import Unit
from validator.procedures.permissions import on_the_turn
from validator.procedures.rounds import owing

LOSES_HQ = (WEATHER, REINFORCE, PLACE, COMBAT, EXPLOIT, SUPPLY)
ROLLS = {
    WEATHER_DIE: (WEATHER, SUPPLY),
    RESERVE: SET_UP,
    OIL_DIE: (REINFORCE,),
    CITY_DIE: (MOVE, COMBAT),
    OIL_BOMB_DIE: (MOVE, COMBAT),
    COMPLEX_DIE: (MOVE, COMBAT),
    ROCKET_DIE: (MOVE, COMBAT),
    INTERDICTION_DIE: (MOVE, EXPLOIT),
    PARTISAN_DIE: (PLACE,),
    ASSASSINATION_DIE: (WEATHER, SUPPLY, REINFORCE),
}
DECLARED = {
    **dict.fromkeys(RULE_OF, (REINFORCE, PLACE)),
    SECOND_EXPLOITATION: (EXPLOIT,),
    FREE_OFFENSIVE: (REINFORCE, PLACE, MOVE, COMBAT),
    SIBERIAN: (REINFORCE, PLACE),
    COUNTER_OFFENSIVE: (WEATHER, REINFORCE, PLACE),
    SCORCHED: (COMBAT, EXPLOIT),
    MOVE_COMPLEX: (REINFORCE, PLACE, MOVE, COMBAT, EXPLOIT, REDEPLOY, SUPPLY),
    LEADER: (COMBAT, EXPLOIT),
    "reveal": (MOVE, COMBAT, EXPLOIT),
    "victory": (SUPPLY, MOVE, COMBAT, EXPLOIT),
}
STATUS: dict[str, Callable[[Unit], bool]] = {
    "supply": lambda unit: not is_air(unit),
    "disrupted": fights,
    "activated": is_hq,
    "flown": is_air,
    "interdiction": lambda unit: unit.has("bomber"),
}
"""Markers that players may lay on which units, to remember."""


@RULES.claim(ev.Moved)
def moves(case: Case, event: ev.Moved) -> bool:
    part, side, units = part_of(case.phase), side_of(case.phase), case.units(event.units)
    new = [not case.phase_start.units[unit.id].on_map for unit in units]
    if isinstance(event.end, str):
        return all(_waits(case, unit, event.end) for unit in units)
    if not isinstance(event.start, Hex) and all(map(is_hidden, units)):
        return case.option("fog-of-war") == "yes"
    if event.mode in (RETREAT, ADVANCE) and part not in (COMBAT, EXPLOIT):
        return False
    if part in SET_UP or not isinstance(event.start, Hex):
        return part in (PLACE, *SET_UP) or not any(new)
    if part in (COMBAT, EXPLOIT):
        return _moves_in_combat(case, event, units)
    own = [unit.side == side or is_air(unit) for unit in units]
    return all(new) if part == PLACE else part in (MOVE, REDEPLOY) and all(own)


def _moves_in_combat(case: Case, event: ev.Moved, units: list[Unit]) -> bool:
    """Units that exploit; headquarters that step aside; planes that come and go; units of a battle."""
    side = side_of(case.phase)
    exploiting = part_of(case.phase) == EXPLOIT and all(unit.side == side for unit in units)
    stepping = all(is_hq(unit) and unit.side != side for unit in units) and event.mode in ("", RETREAT)
    flying = all(map(is_air, units)) and event.mode in ("", HOME, DEFENSIVE, RETREAT)
    flying = flying and not any(unit.side == side and is_at_base(case, unit) for unit in units)
    fought = all(fighter_of(case, unit.id) is not None for unit in units)
    if not event.mode and follow_up(case, event):
        return fought
    return exploiting or stepping or flying or (fought and event.mode in (RETREAT, ADVANCE, HOME, DEFENSIVE))


def is_hidden(unit: Unit) -> bool:
    """In a hidden pile."""
    return isinstance(unit.spot, str) and unit.spot.startswith(box_of(unit.side, HIDDEN))


def _waits(case: Case, unit: Unit, box: str) -> bool:
    """Whether a unit may lie in a box now: new ones in action 1, or back where it was."""
    side, part = unit.side, part_of(case.phase)
    if box == case.phase_start.units[unit.id].spot or case.phase in SET_UP:
        return True
    if not box.startswith(f"{side}-"):
        return False
    what = box.removeprefix(f"{side}-")
    if what.startswith(HIDDEN):
        return case.option("fog-of-war") == "yes" and unit.on_map
    if what in (BOUGHT, FREE):
        return part == REINFORCE
    belongs = what in (REINFORCEMENTS, POOL) or (what == OFF_MAP and is_hq(unit))
    return belongs and part in (REINFORCE, PLACE)


@RULES.claim(ev.Placed)
def is_placed(case: Case, event: ev.Placed) -> bool:
    unit = case.position.units[event.unit]
    if isinstance(event.spot, str):
        return _waits(case, unit, event.spot)
    back = case.phase_start.units[event.unit].on_map
    return part_of(case.phase) in (PLACE, *SET_UP) or back


@RULES.claim(ev.Removed)
def is_taken_off(case: Case, event: ev.Removed) -> bool:
    unit, part = case.position.units[event.unit], part_of(case.phase)
    if not unit.on_map or part in SET_UP:
        return True
    if event.box is not None and not event.box.startswith(f"{unit.side}-"):
        return False
    if is_hq(unit):
        return part in LOSES_HQ
    if part in (MOVE, COMBAT, EXPLOIT):
        return _plane_is_lost(case, unit) if is_air(unit) else _falls(case, unit, part)
    placed = not case.phase_start.units[event.unit].on_map
    return placed or (part == SUPPLY and unit.side == side_of(case.phase))


def _falls(case: Case, unit: Unit, part: str) -> bool:
    """To a salvo, under interdiction or in a battle; partisans and launchers also otherwise."""
    if part == MOVE:
        taken = unit.has(ROCKET) and controller(case.position, unit.hex) != unit.side
        otherwise = taken or case.in_phase.interdicted.get(unit.id) == 1 or may_be_the_one(case, unit)
    else:
        otherwise = unit.has(ROCKET) or fighter_of(case, unit.id) is not None
    return otherwise or unit.has(PARTISAN) or owing(case.in_phase.tolls, unit.id) is not None


def _plane_is_lost(case: Case, unit: Unit) -> bool:
    """To guns, in the air, in a battle, or with the city that it was in and did not leave."""
    lost_base = controller(case.position, unit.hex) == ENEMY[unit.side] and flight_of(case, unit) is None
    fighter = fighter_of(case, unit.id)
    owed = fighter is not None and fighter.owed > 0
    shot = unit.id in case.in_phase.downed or owing(case.in_phase.tolls, unit.id) is not None
    return lost_base or owed or shot


@RULES.claim(ev.Marked, ev.Unmarked)
def is_marked(case: Case, event: ev.Marked | ev.Unmarked) -> bool:
    marker = case.game.marker[event.marker]
    part = part_of(case.phase)
    if isinstance(event.on, str):
        wanted = STATUS.get(marker.kind)
        return wanted is not None and wanted(case.position.units[event.on])
    if marker.kind == "control":
        return isinstance(event, ev.Unmarked) or controller(case.position, event.on) == marker.side
    if marker.kind == FORTIFICATION:
        return case.phase in SET_UP or _changes_levels(case, change_of(case, event))
    if marker.kind == "complex":
        turned = isinstance(event, ev.Marked) and event.marker in case.position.marks.get(event.on, {})
        return part in (COMBAT, EXPLOIT, REINFORCE, PLACE) if turned else _is_carried(case, marker.side)
    if marker.kind == "partisan-effect":
        return case.option("partisans") == "yes"
    return False


def _is_carried(case: Case, owner: str | None) -> bool:
    """A complex is taken away and set up elsewhere: by the Soviets in their turn."""
    return owner == SOVIET == side_of(case.phase)


def _changes_levels(case: Case, change: Change) -> bool:
    """Built in action 1 and 2; taken off for hits, or when nobody of its side holds it."""
    building = part_of(case.phase) in (REINFORCE, PLACE)
    if change.by > 0:
        return building or change.new <= change.began
    if building and side_of(case.phase) == change.side:
        return change.new >= change.began
    return falls(case, change)


@RULES.claim(ev.Attacked)
def attacks(case: Case, event: ev.Attacked) -> bool:
    return part_of(case.phase) in (COMBAT, EXPLOIT)


@RULES.claim(ev.RoundBegan)
def a_round(case: Case, event: ev.RoundBegan) -> bool:
    return part_of(case.phase) in (COMBAT, EXPLOIT)


@RULES.claim(ev.Fired)
def is_fired(case: Case, event: ev.Fired) -> bool:
    part = part_of(case.phase)
    if event.manner == ANTI_AIR:
        return True  # chapter 5 judges it
    if event.manner in (INTERCEPTION, IN_THE_AIR, SALVO):
        return part in (MOVE, COMBAT, EXPLOIT)
    return part in (COMBAT, EXPLOIT) and battle_of(case, event.battle) is not None


@RULES.claim(ev.Rolled)
def is_rolled(case: Case, event: ev.Rolled) -> bool:
    return part_of(case.phase) in ROLLS.get(event.reason, ())


@RULES.claim(ev.ResultNamed, ev.StepChanged, ev.Replaced, ev.Drawn, ev.Returned)
def never(case: Case, event: ev.Event) -> bool:
    """Battles have no results to be named, and counters one step and no others in their place."""
    return False


@RULES.claim(ev.Declared)
def is_declared(case: Case, event: ev.Declared) -> bool:
    return part_of(case.phase) in DECLARED.get(event.what, ())


@RULES.claim(ev.Pointed)
def is_set(case: Case, event: ev.Pointed) -> bool:
    """Treasuries and debts show what the players count; the weather has its phase."""
    kind = case.game.marker[event.marker].kind
    if kind == "weather":
        return case.phase in (WEATHER, *SET_UP) or part_of(case.phase) in (SUPPLY, REINFORCE)
    if kind in ("treasury", "debt"):
        return event.box.startswith("points-")
    return kind != "turn" or on_the_turn(case, event)
