"""Chapter 5: the hits of a battle: who takes them, and what is settled before the next round."""

from __future__ import annotations

from dataclasses import replace

from validator.core.explain import counted, counted_in_words
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import (
    NEVER,
    battle_of,
    fighters_of,
    in_its_hex,
    may_stay,
    must_retreat,
    soldiers,
    targets_of_hits,
)
from validator.games.wie.book import COMBAT, EXPLOIT, FIGHTING, MOVE, NAMES, RULES, SOVIET, both
from validator.games.wie.c05_fortifications import still_to_absorb, unabsorbed
from validator.games.wie.c05_retreat import somewhere_to_go
from validator.games.wie.c05_tolls import pays_toll
from validator.games.wie.field import Field, field_of
from validator.games.wie.state import Case, Fall
from validator.games.wie.units import ARMOR, RAIL_GUN, ROCKET, fights, light_grey
from validator.model.events import Removed, RoundBegan
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each
from validator.procedures.rounds import Engagement, Fighter, Side, owing

ROUND = "round"


# --- losses -------------------------------------------------------------------------------------------------


@RULES.track(Removed, when=JUDGED, phases=both(MOVE, COMBAT, EXPLOIT))
def a_unit_is_lost(case: Case, event: Removed) -> None:
    """It pays for one hit: of planes or of a salvo, or of its battle."""
    unit = case.unit(event.unit)
    toll = pays_toll(case, unit, event.battle) if unit.on_map else None
    manner = case.in_phase.downed.get(unit.id, toll.manner if toll is not None else ROUND)
    for place in field_of(case).ids((unit.spot,)):
        case.in_phase.fallen[unit.id] = Fall(place, manner)
    if toll is not None:
        toll.taken += 1
    for fighter in fighters_of(case, event):
        if manner == ROUND:
            fighter.falls()
        else:
            fighter.leaves()


def soldiers_lost(case: Case, event: Removed) -> list[Unit]:
    """Units on the ground whose loss pays no toll."""
    ground = (unit for unit in case.units(event.concerned) if unit.on_map and fights(unit))
    return [unit for unit in ground if owing(case.in_phase.tolls, unit.id) is None]


@RULES.rule("wie-cbt.3")
@RULES.before(Removed, phases=FIGHTING)
@each(soldiers_lost)
def nobody_is_lost_without_a_hit(case: Case, event: Removed, unit: Unit) -> Faults:
    fighters, hexes = fighters_of(case, event), (unit.hex,)
    if case.in_phase.battles and not fighters:
        yield Fault("wie-cbt.3", f"{unit.id} is removed and took part in no battle", (unit.id,), hexes)
    for fighter in fighters:
        if fighter.owed <= 0:
            yield Fault("wie-cbt.3", f"{unit.id} {_not_owed(fighter)}", (unit.id,), hexes)


def _not_owed(fighter: Fighter) -> str:
    hits = fighter.battle.suffered(fighter.side)
    taken = {0: "there was no hit", 1: "the one hit has been taken"}
    return f"is removed in battle {fighter.battle.number}, and " + taken.get(
        hits, f"all {hits} hits have been taken"
    )


@RULES.rule("wie-ret.3")
@RULES.before(Removed, phases=FIGHTING)
@each(soldiers_lost)
def who_had_left_takes_no_hit(case: Case, event: Removed, unit: Unit) -> Faults:
    """Who was disrupted or went back in a round before takes no hit; who went in this one should not have."""
    for fighter in fighters_of(case, event):
        battle, side = fighter.battle, fighter.side
        left = side.gone.get(unit.id, side.disrupted.get(unit.id, NEVER))
        stays = not fighter.attacks and in_its_hex(field_of(case), battle, [unit])
        now = left == battle.round.number and not fighter.attacks  # attackers' dice come before the hits
        if fighter.owed > 0 and not stays and (now or left < battle.round.number):
            text = f"{unit.id} takes a hit of battle {battle.number}, which it had left in round {left}"
            yield Fault("wie-ret.3", text, (unit.id,), (unit.hex,), verdict=faults.unless(now))


# --- what is settled ----------------------------------------------------------------------------------------


def armor_due(field: Field, battle: Engagement, side: Side) -> int:
    """Hits of tank destroyers in this round that armor which still stands must take (8)."""
    units = field.position.units
    paid = sum(units[name].has(ARMOR) for name in battle.fallen(side)) + battle.absorbed(side)
    standing = sum(unit.has(ARMOR) for unit in targets_of_hits(field, battle, side))
    return max(min(battle.round.on_armor[battle.opponent(side).side] - paid, standing), 0)


def who_must(field: Field, battle: Engagement, side: Side) -> list[str]:
    """Units that stand or went in this round, and must take hits; planes only where no others fought.

    Attackers that their own die disrupts are gone before they can be hit, and those that throw no die in a
    later round have gone on no longer.
    """
    went = [name for name, number in side.gone.items() if number == battle.round.number]
    late = [name for name in went if side is battle.defender or name not in side.disrupted]
    escaped = [unit for name in late if (unit := field.position.units[name]).on_map]
    standing = {unit.id: unit for unit in [*targets_of_hits(field, battle, side), *escaped]}
    if side is battle.attacker:
        standing = {name: standing[name] for name in battle.attacking_now() if name in standing}
    alone = not any(fights(field.position.units[name]) for name in side.stood)
    return [unit.id for unit in standing.values() if fights(unit) or alone]


def silent(case: Case, battle: Engagement, side: Side) -> list[str]:
    """Units of a side that threw no die in the round, and should have; who was disrupted before may not."""
    due = _defenders_due if side is battle.defender else _attackers_due
    units = (unit for unit in due(case, battle, side) if not (unit.has(RAIL_GUN) or unit.has(ROCKET)))
    now = battle.round.number
    able = (unit for unit in units if fights(unit) and side.disrupted.get(unit.id, now) == now)
    return [unit.id for unit in able if not battle.round.fired(unit.id)]


def _attackers_due(case: Case, battle: Engagement, side: Side) -> list[Unit]:
    """All of them in the first round; later they may have gone on no longer."""
    return case.units(side.stood) if battle.round.number == 1 else []


def _defenders_due(case: Case, battle: Engagement, side: Side) -> list[Unit]:
    """Who still stands, and who was lost in the round but to hits that come off first."""
    fallen = [name for name in battle.fallen(side) if not battle.round.fired(name)]
    first = battle.round.first_hits + battle.round.on_armor[battle.attacker.side]
    return [*soldiers(field_of(case), battle, side), *case.units(fallen[first:])]


def unsettled(case: Case, battle: Engagement) -> Faults:
    """What is due before the next round, and in the end."""
    for side in battle.sides:
        yield from _dice_not_thrown(case, battle, side)
        yield from _hits_not_taken(case, battle, side)
    yield from _levels_spared(case, battle)
    yield from _retreats_cut_short(case, battle)
    yield from _disrupted_and_still_there(case, battle)


def _dice_not_thrown(case: Case, battle: Engagement, side: Side) -> Faults:
    round_, hexes = battle.round.number, field_of(case).hexes((battle.target,))
    if not battle.round.shots:
        return
    text = f"throws no die in round {round_} of battle {battle.number}, and each unit in it rolls one"
    named = silent(case, battle, side)
    for fault in faults.of_units("wie-cbt.3", named, text, Verdict.WARNING, hexes):
        yield replace(fault, once=("silent", battle.number, round_, side.side))
    if side is battle.attacker and round_ > 1:
        gone = [name for name in battle.fallen(side) if name not in battle.attacking_now()]
        text = f"takes a hit in round {round_} of battle {battle.number}, and threw no die in it"
        for fault in faults.of_units("wie-ret.3", gone, text, Verdict.WARNING, hexes):
            yield replace(fault, once=("left", battle.number, round_))


def _hits_not_taken(case: Case, battle: Engagement, side: Side) -> Faults:
    field, number, owed = field_of(case), battle.number, battle.owed(side)
    hexes, names = field.hexes((battle.target,)), tuple(side.fighting)
    if owed <= 0:
        if armor_due(field, battle, side):
            text = f"battle {number}: {NAMES[side.side]} armor takes hits of tank destroyers first"
            yield Fault("wie-opt.7", text, names, hexes, once=("armor", number))
        return
    by_units = min(owed, len(who_must(field, battle, side)))
    by_levels = min(owed - by_units, still_to_absorb(field, battle)) if side is battle.defender else 0
    if by_units:
        text = f"battle {number}: {counted_in_words(by_units + by_levels, 'more hit')}"
        text += f" to be taken by the {NAMES[side.side]} side"
        yield Fault("wie-cbt.3", text, names, hexes, once=("hits", number, side.side))
    elif by_levels:
        text = f"battle {number}: {counted_in_words(by_levels, 'more hit')}"
        text += f" to be taken by the {NAMES[side.side]} fortification"
        yield Fault("wie-fort.1", text, names, hexes, once=("hits", number, side.side))


def _levels_spared(case: Case, battle: Engagement) -> Faults:
    field, names = field_of(case), tuple(battle.defender.lost)
    spared = unabsorbed(field, battle)
    if spared:
        text = f"battle {battle.number}: units take {spared} of the hits that the fortification takes first"
        yield Fault("wie-fort.1", text, names, field.hexes((battle.target,)), once=("fort", battle.number))


def _retreats_cut_short(case: Case, battle: Engagement) -> Faults:
    for name, retreat in case.in_phase.retreats.items():
        if retreat.battle == battle.number and retreat.far < retreat.due:
            text = f"{name} retreats {counted(retreat.far, 'hex')}, and {retreat.due} is due"
            verdict = Verdict.ILLEGAL
            if retreat.walked >= retreat.due:
                text += f": it goes {counted(retreat.walked, 'hex')} and ends beside the hex that it left"
                verdict = Verdict.WARNING
            hexes = field_of(case).hexes((battle.target,))
            yield Fault("wie-ret.5", text, (name,), hexes, verdict=verdict, once=("short", name))


def _disrupted_and_still_there(case: Case, battle: Engagement) -> Faults:
    field = field_of(case)
    for unit in case.units(sorted(must_retreat(case, battle))):
        if not somewhere_to_go(case, field, unit):
            continue
        text = f"{unit.id} was disrupted in battle {battle.number} and does not retreat"
        verdict = Verdict.WARNING if may_stay(battle, battle.defender, unit) else Verdict.ILLEGAL
        hexes, once = field.hexes((battle.target,)), ("disrupted", battle.number, unit.id)
        yield Fault(_rule_of_retreat(case, unit), text, (unit.id,), hexes, verdict=verdict, once=once)


def _rule_of_retreat(case: Case, unit: Unit) -> str:
    """A disrupted unit of the minor allies, or by the option of variable retreats, has a rule of its own."""
    if light_grey(unit):
        return "wie-min.3"
    variable = unit.side == SOVIET and case.option("variable-retreats") == "yes"
    return "wie-opt.12" if variable else "wie-cbt.6"


def battles_before(case: Case, event: RoundBegan) -> list[Engagement]:
    """The battle of a round that begins, and others that have had rounds."""
    begins = battle_of(case, event.battle)
    return [battle for battle in case.in_phase.battles if battle is begins or battle.rounds]


@RULES.rule("wie-cbt.3", "wie-cbt.6", "wie-fort.1", "wie-min.3", "wie-opt.7", "wie-opt.12", "wie-ret.5")
@RULES.before(RoundBegan, phases=FIGHTING)
@each(battles_before)
def a_round_is_settled_before_the_next(case: Case, event: RoundBegan, battle: Engagement) -> Faults:
    yield from unsettled(case, battle)


@RULES.rule("wie-cbt.3", "wie-cbt.6", "wie-fort.1", "wie-min.3", "wie-opt.7", "wie-opt.12", "wie-ret.5")
@RULES.at_phase_end(*FIGHTING)
def battles_are_settled_in_the_end(case: Case) -> Faults:
    for battle in case.in_phase.battles:
        yield from unsettled(case, battle)


RULES.cannot_check("wie-cbt.7", "a permission: who stays fights on, who has gone is told under wie-ret.3")
