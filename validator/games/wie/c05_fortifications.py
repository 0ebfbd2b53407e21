"""Chapters 4 and 5: a fortification takes hits of attacks over its hexside, while infantry mans it."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.explain import counted
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import battles_for, soldiers, sources
from validator.games.wie.book import (
    COMBAT,
    ENEMY,
    EXPLOIT,
    FIGHTING,
    MOVE,
    REDEPLOY,
    RULES,
    SALVO,
    SUPPLY,
    both,
    part_of,
    side_of,
)
from validator.games.wie.field import Field, field_at_phase_start, field_of
from validator.games.wie.levels import FORTIFICATION, Change, changes
from validator.games.wie.state import Case
from validator.games.wie.units import CLASS_1, fights
from validator.model.events import Marked, Unmarked
from validator.model.findings import Fault, Verdict
from validator.procedures.ask_each import each, note_each
from validator.procedures.rounds import Engagement, Toll


def attack_on(case: Case, change: Change) -> Engagement | None:
    """The battle in which lost levels took hits."""
    battles = battles_for(case, change.hex_id) if change.by < 0 else []
    return next((battle for battle in battles if battle.defender.side == change.side), None)


def salvo_at(case: Case, change: Change) -> Toll | None:
    """The salvo whose hit lost levels towards its gun take."""
    tolls = [toll for toll in case.in_phase.tolls if toll.owed > 0] if change.by < 0 else []
    return next((toll for toll in tolls if toll.key == (SALVO, change.side, change.front)), None)


def manned(field: Field, hex_id: HexId, side: str) -> bool:
    return any(unit.has(CLASS_1) for unit in field.units(hex_id, side))


def shielding(battle: Engagement, front: HexId | None) -> int:
    """Hits of attackers out of a hex that levels towards it have not taken yet."""
    return battle.hits_from(front) - battle.defender.shielded[front] if front is not None else 0


def was_manned(field: Field, battle: Engagement) -> bool:
    """Whether infantry stands there, or stood there until it fell in the present round."""
    fallen = battle.fallen(battle.defender)
    units = field.position.units
    return manned(field, battle.target, battle.defender.side) or any(units[n].has(CLASS_1) for n in fallen)


def due_of_levels(field: Field, battle: Engagement) -> int:
    """Hits of the present round over fortified hexsides, as many as manned levels there take."""
    if not was_manned(field, battle):
        return 0
    side, taken = battle.defender, battle.absorbed_now(battle.defender)
    due = 0
    for front in sources(battle):
        levels = taken[front] + field.fortified(battle.target, front, side.side)
        due += min(battle.hits_of_this_round(front), levels)
    return due


def unabsorbed(field: Field, battle: Engagement) -> int:
    """Hits that manned levels take first, and that units have taken in their place.

    Hits over other hexsides, those of planes, and what was left of earlier rounds units take as they like.
    """
    side, due = battle.defender, due_of_levels(field, battle)
    paid = len(battle.fallen(side)) + battle.absorbed(side)
    for_units = battle.owed(side) + paid - due
    beyond = len(battle.fallen(side)) - max(for_units, 0)
    return min(max(beyond, 0), due)  # more units than hits is a fault of its own


def still_to_absorb(field: Field, battle: Engagement) -> int:
    """Hits that levels have still to take; none where units have taken some of them."""
    if unabsorbed(field, battle):
        return 0
    return max(due_of_levels(field, battle) - battle.absorbed(battle.defender), 0)


def falls(case: Case, change: Change) -> bool:
    """Whether a level may come off: for a hit of a battle or a salvo, or where the enemy overruns it."""
    battle = attack_on(case, change)
    hit = battle is not None and battle.owed(battle.defender) > 0
    return hit or salvo_at(case, change) is not None or is_overrun(case, change)


def is_overrun(case: Case, change: Change) -> bool:
    """Without infantry to man it, and the enemy there, attacking, or beside it in his own turn."""
    field, hex_id, enemy = field_of(case), change.hex_id, ENEMY[change.side]
    on_the_move = side_of(case.phase) == enemy and part_of(case.phase) in (MOVE, COMBAT, EXPLOIT)
    near = on_the_move and any(field.occupied(enemy)[h] for h in field.board.adjacent[hex_id])
    left = near and not any(map(fights, field.units(hex_id, change.side)))
    taken = field.holder(hex_id) != change.side or battles_for(case, hex_id) or left
    return bool(taken) and not manned(field, hex_id, change.side)


@RULES.rule("wie-fort.1", "wie-fort.2")
@RULES.before(Marked, Unmarked, phases=FIGHTING, kind=FORTIFICATION, on=Hex)
@each(changes)
def fortifications_take_hits_on_their_side(case: Case, event: Marked | Unmarked, change: Change) -> Faults:
    """While defenders stand and hits are owed; else it falls with its hex, or for nothing."""
    field, battle = field_of(case), attack_on(case, change)
    if battle is None or battle.owed(battle.defender) <= 0 or not soldiers(field, battle, battle.defender):
        return
    most, hexes = min(battle.owed(battle.defender), shielding(battle, change.front)), (change.hex_,)
    if change.front not in battle.attacker.stood.values():
        text = "a fortification takes a hit of an attack over another hexside"
        yield Fault("wie-fort.1", text, (), hexes)
    elif not was_manned(field, battle):
        text = "a fortification that no infantry mans takes a hit"
        yield Fault("wie-fort.2", text, (), hexes, verdict=Verdict.WARNING)
    elif -change.by > most:
        text = f"{counted(-change.by, 'level')} taken off for {counted(most, 'hit')} over the hexside"
        yield Fault("wie-fort.1", text, (), hexes)


@RULES.rule("wie-fort.2")
@RULES.at_phase_end(*both(MOVE, COMBAT, EXPLOIT))
def what_is_overrun_comes_off(case: Case) -> Faults:
    """A fortification in a hex that the enemy has taken is removed from play (4)."""
    field, began, markers = field_of(case), field_at_phase_start(case), case.game.marker
    for hex_, marks in case.position.marks.items():
        sides = {str(markers[name].side) for name in marks if markers[name].kind == FORTIFICATION}
        enemies = [ENEMY[side] for side in sorted(sides)]
        came = (
            field.occupied(e)[h] and not began.occupied(e)[h] for h in field.ids((hex_,)) for e in enemies
        )
        if any(came):
            text = f"a fortification of {case.label(hex_)} is overrun and stays on the map"
            yield Fault("wie-fort.2", text, (), (hex_,), verdict=Verdict.WARNING, once=("overrun", hex_))


@RULES.rule("wie-fort.1")
@RULES.before(
    Marked, Unmarked, phases=both(MOVE, COMBAT, EXPLOIT, REDEPLOY, SUPPLY), kind=FORTIFICATION, on=Hex
)
@each(changes)
def levels_fall_for_hits_alone(case: Case, event: Marked | Unmarked, change: Change) -> Faults:
    lost = change.began - change.new
    if lost > 0 > change.by and not falls(case, change):
        levels = "a level" if lost == 1 else f"{lost} levels"
        text = f"a fortification of {case.label(change.hex_)} loses {levels} without a hit"
        yield Fault("wie-fort.1", text, (), (change.hex_,))


@RULES.track(Marked, Unmarked, when=JUDGED, phases=both(MOVE, COMBAT, EXPLOIT), kind=FORTIFICATION, on=Hex)
@note_each(changes)
def levels_take_hits(case: Case, event: Marked | Unmarked, change: Change) -> None:
    """Those of a battle first, then those of a salvo."""
    left, battle, toll = -change.by, attack_on(case, change), salvo_at(case, change)
    if battle is not None:
        taken = min(left, max(battle.owed(battle.defender), 0))
        left -= taken
        if change.front is not None:
            battle.defender.shielded[change.front] += taken
    if toll is not None:
        toll.taken += min(left, toll.owed)
