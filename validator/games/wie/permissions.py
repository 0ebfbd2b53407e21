"""What the rules let happen, and in which phase: whatever nobody claims is a finding."""

from __future__ import annotations

from collections.abc import Callable

from fieldpost.hexes import Hex
from validator.games.wie.battles import battle_of, fighter_of, is_out_of_play
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
from validator.games.wie.c05_air import flight_of, goes_down_with_a_bomber, is_at_base
from validator.games.wie.c05_fortifications import falls
from validator.games.wie.c05_interdiction import may_be_the_one
from validator.games.wie.c05_retreat import follow_up
from validator.games.wie.c07_weather import BOXES
from validator.games.wie.control import controller
from validator.games.wie.field import ours
from validator.games.wie.levels import FORTIFICATION, Change, changes, face_at
from validator.games.wie.sources import BOUGHT, FREE, HIDDEN, OFF_MAP, POOL, REINFORCEMENTS, box_of
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, ROCKET, fights, is_air, is_hq
from validator.model import events as ev
from validator.model.position import Unit
from validator.procedures.moves import spot_of
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
WAITING = {
    BOUGHT: (REINFORCE,),
    FREE: (REINFORCE,),
    REINFORCEMENTS: (REINFORCE, PLACE),
    POOL: (REINFORCE, PLACE),
}
"""Boxes of a side that its units may be laid into, and when."""
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
    part, units = part_of(case.phase), case.units(event.units)
    if isinstance(event.end, str):
        return all(_waits(case, unit, event.end) for unit in units)
    if event.mode in ev.AFTER_COMBAT and part not in (COMBAT, EXPLOIT):
        return False
    if not isinstance(event.start, Hex):
        return _comes_out_of_a_box(case, units)
    return part in MOVES_IN and MOVES_IN[part](case, event, units)


def _comes_out_of_a_box(case: Case, units: list[Unit]) -> bool:
    if all(map(is_hidden, units)):
        return case.option("fog-of-war") == "yes"
    return part_of(case.phase) in (PLACE, *SET_UP) or all(map(_began_on_map(case), units))


def _began_on_map(case: Case) -> Callable[[Unit], bool]:
    return lambda unit: case.phase_start.units[unit.id].on_map


def _sets_up(case: Case, event: ev.Moved, units: list[Unit]) -> bool:
    return True


def _puts_elsewhere(case: Case, event: ev.Moved, units: list[Unit]) -> bool:
    """What was just placed."""
    return not any(map(_began_on_map(case), units))


def _acts(case: Case, event: ev.Moved, units: list[Unit]) -> bool:
    """The side whose turn it is; planes of both."""
    side = side_of(case.phase)
    return all(unit.side == side or is_air(unit) for unit in units)


def _moves_in_combat(case: Case, event: ev.Moved, units: list[Unit]) -> bool:
    """Units that exploit; headquarters that step aside; planes that come and go; units of a battle."""
    own = ours(case, units)
    fought = all(fighter_of(case, unit.id) is not None for unit in units)
    if not event.mode and follow_up(case, event):
        return fought
    set_out = any(is_at_base(case, unit) for unit in own)
    allowed = (
        part_of(case.phase) == EXPLOIT and own == units,
        not own and all(map(is_hq, units)) and event.mode in ("", RETREAT),
        not set_out and all(map(is_air, units)) and event.mode in ("", HOME, DEFENSIVE, RETREAT),
        fought and event.mode in (RETREAT, ADVANCE, HOME, DEFENSIVE),
    )
    return any(allowed)


MOVES_IN: dict[str, Callable[[Case, ev.Moved, list[Unit]], bool]] = {
    **dict.fromkeys(SET_UP, _sets_up),
    PLACE: _puts_elsewhere,
    MOVE: _acts,
    COMBAT: _moves_in_combat,
    EXPLOIT: _moves_in_combat,
    REDEPLOY: _acts,
}
"""Who moves from hex to hex, by the part of a turn."""


def is_hidden(unit: Unit) -> bool:
    """In a hidden pile."""
    return isinstance(unit.spot, str) and unit.spot.startswith(box_of(unit.side, HIDDEN))


def _waits(case: Case, unit: Unit, box: str) -> bool:
    """Whether a unit may lie in a box now: new ones in action 1, or back where it was."""
    part, what = part_of(case.phase), box.removeprefix(f"{unit.side}-")
    back = box == case.phase_start.units[unit.id].spot or case.phase in SET_UP
    if back or what == box:
        return back
    if what.startswith(HIDDEN):
        return case.option("fog-of-war") == "yes" and unit.on_map
    parts = {**WAITING, OFF_MAP: (REINFORCE, PLACE)} if is_hq(unit) else WAITING
    return part in parts.get(what, ())


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
    """To a salvo, under interdiction, aboard or in a battle; a launcher when it is captured."""
    if unit.has(PARTISAN) or owing(case.in_phase.tolls, unit.id) is not None:
        return True
    if unit.has(ROCKET):
        return controller(case.position, unit.hex) != unit.side
    if part != MOVE:
        return fighter_of(case, unit.id) is not None
    if goes_down_with_a_bomber(case, unit) or may_be_the_one(case, unit):
        return True
    return case.in_phase.interdicted.get(unit.id) == 1


def _plane_is_lost(case: Case, unit: Unit) -> bool:
    """To guns, in the air, in a battle, or with the city that it was in and did not leave."""
    lost_base = controller(case.position, unit.hex) == ENEMY[unit.side] and flight_of(case, unit) is None
    fighter = fighter_of(case, unit.id)
    owed = fighter is not None and fighter.owed > 0
    shot = unit.id in case.in_phase.downed or owing(case.in_phase.tolls, unit.id) is not None
    return lost_base or owed or shot


@RULES.claim(ev.Marked, ev.Unmarked)
def is_marked(case: Case, event: ev.Marked | ev.Unmarked) -> bool:
    kind = case.game.marker[event.marker].kind
    if isinstance(event.on, Hex):
        return kind in ON_HEXES and ON_HEXES[kind](case, event)
    return kind in STATUS and STATUS[kind](case.unit(event.on))


Lays = Callable[[Case, ev.Marked | ev.Unmarked], bool]


def _shows_control(case: Case, event: ev.Marked | ev.Unmarked) -> bool:
    holders = {controller(case.position, hex_) for hex_ in spot_of(event.on)}
    return isinstance(event, ev.Unmarked) or holders == {case.game.marker[event.marker].side}


def _fortifies(case: Case, event: ev.Marked | ev.Unmarked) -> bool:
    return case.phase in SET_UP or all(_changes_levels(case, change) for change in changes(case, event))


def _changes_complex(case: Case, event: ev.Marked | ev.Unmarked) -> bool:
    """Set up; turned in combat, in actions 1 and 2; carried away by the Soviets in their turn."""
    if case.phase in SET_UP:
        return True
    if isinstance(event, ev.Marked) and face_at(case.position, event):
        return part_of(case.phase) in (COMBAT, EXPLOIT, REINFORCE, PLACE)
    return case.game.marker[event.marker].side == SOVIET == side_of(case.phase)


def _shows_effect(case: Case, event: ev.Marked | ev.Unmarked) -> bool:
    return case.option("partisans") == "yes"


ON_HEXES: dict[str, Lays] = {
    "control": _shows_control,
    FORTIFICATION: _fortifies,
    "complex": _changes_complex,
    "partisan-effect": _shows_effect,
}
"""Who may lay, turn and take off a marker on a hex, by its kind."""


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
    declared = battle_of(case, event.battle) is not None or is_out_of_play(case, event)
    return part in (COMBAT, EXPLOIT) and declared


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
        in_time = case.phase in (WEATHER, *SET_UP) or part_of(case.phase) in (SUPPLY, REINFORCE)
        return in_time and event.box.startswith(BOXES)
    if kind in ("treasury", "debt"):
        return event.box.startswith("points-")
    return kind != "turn" or on_the_turn(case, event)
