"""Chapter 5: the rounds of a battle: who fires when, with how many dice, at what value."""

from __future__ import annotations

from collections import Counter

from validator.core.volleys import Shot, shots
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import (
    battle_of,
    battles_for,
    disrupted_at,
    fighter_of,
    in_its_hex,
    is_out_of_play,
    joined_by,
    may_stay,
    sources,
    steadied,
    targets_of_hits,
    volleys,
    volleys_on_the_ground,
)
from validator.games.wie.book import (
    ANTI_AIR,
    AXIS,
    DEFENSIVE,
    FIGHTING,
    IN_THE_AIR,
    RULES,
    SALVO,
    SNOW,
    SOVIET,
    side_of,
)
from validator.games.wie.c05_help import lifters, too_much_help
from validator.games.wie.c05_hits import armor_due
from validator.games.wie.c05_retreat import somewhere_to_go
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import MARSH, MOUNTAIN, RIVER, Field, field_of
from validator.games.wie.lines import in_red_city, is_out
from validator.games.wie.state import Case
from validator.games.wie.units import (
    ARMOR,
    BOMBER,
    DIVE_BOMBER,
    KATYUSHA,
    RAIL_GUN,
    TANK_DESTROYER,
    fights,
    is_air,
    light_grey,
)
from validator.games.wie.values import (
    FROM_AIR,
    FROM_GROUND,
    MARSH_HELP,
    MOUNTAIN_HELP,
    Worth,
    attack_worth,
    defense_worth,
    dice_of,
    help_of,
    leading_side,
)
from validator.model.events import Fired, Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.ask_each import each, note_each, units_of
from validator.procedures.rounds import Engagement, Volley

RULE_OF_DICE = ((BOMBER, "wie-unit.11"), (RAIL_GUN, "wie-unit.8"))


# --- dice ---------------------------------------------------------------------------------------------------


@RULES.track(Fired, when=JUDGED, phases=FIGHTING)
@note_each(volleys)
def dice_are_counted(case: Case, event: Fired, volley: Volley) -> None:
    units = case.position.units
    for unit in volley.units:
        here = field_of(case).id(unit.spot)
        volley.side.stood.setdefault(unit.id, volley.battle.target if here is None else here)
    if volley.attacks and not volley.battle.exploiting:
        case.in_turn.by(volley.side.side).fought |= set(event.units)
    hit = 0 if volley.aloft else event.value  # planes that fight planes hit nobody on the ground
    dealt = shots(event.units, event.values, lambda name: dice_of(units[name], attacking=volley.attacks), hit)
    volley.round.shots.setdefault(volley.side.side, []).extend(dealt)
    for shot in dealt:
        _note_hits(case, volley, units[shot.unit], shot)
        if volley.attacks and hit:
            helper = _helper_taken(case, volley, units[shot.unit], hit)
            volley.round.helped[volley.side.side, helper] += 1


def _helper_taken(case: Case, volley: Volley, unit: Unit, hit: int) -> str:
    """Whose +1 an attacker takes; empty, if it fires at a value of its own or at one that is wrong anyhow."""
    field, battle = field_of(case), volley.battle
    if not attack_worth(case, field, battle, unit).needs_help(hit):
        return ""
    helper = help_of(unit)
    return "" if helper == FROM_AIR and not lifters(case, field, battle) else helper


def _note_hits(case: Case, volley: Volley, unit: Unit, shot: Shot) -> None:
    """Those that are taken before others, and whom its own die disrupts."""
    side, round_ = volley.side, volley.round
    if volley.attacks and unit.has(KATYUSHA):
        round_.first_hits += shot.hits
    if unit.has(TANK_DESTROYER):
        round_.on_armor[side.side] += shot.hits
    if fights(unit) and shot.highest >= disrupted_at(case, unit) and not steadied(field_of(case), unit):
        side.disrupted[unit.id] = round_.number
        if not may_stay(volley.battle, side, unit):
            case.in_turn.by(side_of(case.phase)).disrupted.add(unit.id)
        if volley.attacks:
            side.gone[unit.id] = round_.number


@RULES.rule("wie-cbt.3")
@RULES.before(Fired, phases=FIGHTING, manner="")
def volleys_belong_to_a_round(case: Case, event: Fired) -> Faults:
    if not volleys(case, event) and not is_out_of_play(case, event):
        battle = battle_of(case, event.battle)
        begun = battle is not None and battle.rounds
        why = f"takes no part in battle {event.battle}" if begun else "no round of a battle has begun"
        text = f"{'+'.join(event.units)} fires, and {why}"
        yield Fault("wie-cbt.3", text, event.units)


@RULES.rule("wie-cbt.3", "wie-ret.3", "wie-air.13", "wie-unit.7", "wie-opt.9")
@RULES.before(Fired, phases=FIGHTING, manner="")
@each(volleys)
def each_unit_fires_once_in_a_round(case: Case, event: Fired, volley: Volley) -> Faults:
    """Nobody who has gone; planes that were called in one round fight from the next.

    Hits are taken when both sides have fired: who was taken off before has its die all the same.
    """
    for unit in volley.units:
        yield from _may_fire(case, event, volley, unit)


def _may_fire(case: Case, event: Fired, volley: Volley, unit: Unit) -> Faults:
    """The first reason why a unit may throw no die in this round, if there is one."""
    battle, side, number = volley.battle, volley.side, volley.round.number

    def fault(rule: str, text: str, verdict: Verdict = Verdict.ILLEGAL) -> Fault:
        return Fault(rule, f"{unit.id} {text}", (unit.id,), verdict=verdict)

    disrupted = unit.id in side.disrupted
    fell = not (unit.on_map or disrupted) and _fell_now(case, volley, unit)
    away = not fell and (unit.id in side.gone or disrupted) and not _at_bay(case, volley, unit)
    stayed = unit.on_map and may_stay(battle, side, unit)
    first = _hit_first(case, volley, unit) if fell else ""
    if not (battle.of(unit.id) or joined_by(case, battle, unit)):
        yield fault("wie-cbt.3", f"takes no part in battle {battle.number}")
    elif away and not stayed:
        yield fault("wie-ret.3", "was disrupted or has retreated, and may not fire")
    elif not (unit.on_map or fell):
        yield fault("wie-cbt.3", "was lost before this round and may not fire")
    elif first == KATYUSHA:
        yield fault("wie-unit.7", "falls to Katyushas, whose hits come off first, and fires")
    elif first == TANK_DESTROYER:
        yield fault("wie-opt.9", "falls to tank destroyers before it fires, and fires")
    elif volley.round.fired(unit.id) or event.units.count(unit.id) > 1:
        yield fault("wie-cbt.3", f"fires twice in round {number}")
    elif unit.side != side.side:
        yield fault("wie-cbt.3", "and others of this volley are of two sides")
    elif case.in_phase.arrived.get(unit.id) == (battle.number, number):
        yield fault("wie-air.13", f"takes round {number} to come and fights from the next one on")
    elif away:
        yield fault("wie-ret.3", "was disrupted or has retreated, and may not fire", Verdict.WARNING)
    elif _sat_out(volley, unit):
        text = "threw no die in the round before, and fires again"
        yield fault("wie-ret.3", text, Verdict.WARNING)


def _at_bay(case: Case, volley: Volley, unit: Unit) -> bool:
    """A defender that should retreat and cannot: it stays and fights (5 Ground Units)."""
    here = in_its_hex(field_of(case), volley.battle, [unit])
    return bool(here) and not volley.attacks and not somewhere_to_go(case, field_of(case), unit)


def _sat_out(volley: Volley, unit: Unit) -> bool:
    """Whether an attacker that fought went on no longer: who retreats takes no further part."""
    fought = [round_.fired(unit.id) for round_ in volley.battle.rounds[:-1] if round_.of(volley.side.side)]
    return volley.attacks and any(fought) and not fought[-1]


def _fell_now(case: Case, volley: Volley, unit: Unit) -> bool:
    """Lost in this round, in the battle or as a plane to planes."""
    fall = case.in_phase.fallen.get(unit.id)
    by_planes = fall is not None and fall.manner in ("", IN_THE_AIR)
    gone_now = volley.side.gone.get(unit.id) == volley.round.number
    return unit.id in volley.battle.fallen(volley.side) or (by_planes and gone_now)


def _hit_first(case: Case, volley: Volley, unit: Unit) -> str:
    """Katyushas or tank destroyers, where more of those that fell in this round fire than others have hit."""
    battle, side, round_ = volley.battle, volley.side, volley.round
    fallen = battle.fallen(side)
    firing = volley.firing.intersection(fallen)
    armor = {name for name in fallen if case.unit(name).has(ARMOR)}
    absorbed = battle.absorbed(side)
    first, on_armor = round_.first_hits - absorbed, round_.on_armor[battle.opponent(side).side] - absorbed
    if len(firing) > len(fallen) - max(first, 0):
        return KATYUSHA
    attacked = side.side != side_of(case.phase)
    late = attacked and unit.id in armor and len(firing & armor) > len(armor) - max(on_armor, 0)
    return TANK_DESTROYER if late else ""


@RULES.rule("wie-air.11", "wie-unit.6", "wie-rep.11")
@RULES.before(Fired)
@each(units_of)
def who_fell_fires_no_more(case: Case, event: Fired, unit: Unit) -> Faults:
    """To guns before the rounds, to a salvo, or for no hit at all; of those in battles their rounds tell."""
    if unit.on_map or not case.phase_start.units[unit.id].on_map:
        return
    fall = case.in_phase.fallen.get(unit.id)
    if fall is None:
        yield Fault("wie-rep.11", f"{unit.id} fires, and is no longer on the map", (unit.id,))
    elif fall.manner == ANTI_AIR and unit.id not in case.in_phase.downed:  # those are told by themselves
        text = f"{unit.id} was shot down from the ground and may not fire"
        yield Fault("wie-air.11", text, (unit.id,))
    elif fall.manner == SALVO:
        yield Fault("wie-unit.6", f"{unit.id} fell to a salvo and may not fire", (unit.id,))


@RULES.rule("wie-cbt.3", "wie-unit.8", "wie-unit.11")
@RULES.before(Fired, phases=FIGHTING, manner="")
@each(volleys_on_the_ground)
def a_die_for_each_unit(case: Case, event: Fired, volley: Volley) -> Faults:
    """Two for bombers and rail guns that attack."""
    due = sum(dice_of(unit, attacking=volley.attacks) for unit in volley.units)
    if len(event.values) != due or event.sides != 12:
        text = f"{len(event.values)}d{event.sides} for {'+'.join(event.units)}, and {due}d12 are due"
        rules = (rule for trait, rule in RULE_OF_DICE if any(unit.has(trait) for unit in volley.units))
        yield Fault(next(rules, "wie-cbt.3"), text, event.units)


@RULES.rule("wie-cbt.3", "wie-unit.7", "wie-opt.9")
@RULES.before(Fired, phases=FIGHTING, manner="")
@each(volleys_on_the_ground)
def attackers_fire_first(case: Case, event: Fired, volley: Volley) -> Faults:
    """And what Katyushas, and tank destroyers of armor, have hit is gone before the defender fires."""
    if volley.attacks:
        yield from _before_the_defender(case, event, volley)
    else:
        yield from _after_first_hits(case, event, volley)


def _before_the_defender(case: Case, event: Fired, volley: Volley) -> Faults:
    answers = volley.round.of(volley.battle.defender.side)
    if any(fights(case.unit(shot.unit)) for shot in answers):
        text = f"{'+'.join(event.units)} attacks after the defender has fired in round {volley.round.number}"
        yield Fault("wie-cbt.3", text, event.units)


def _after_first_hits(case: Case, event: Fired, volley: Volley) -> Faults:
    field, battle, defender = field_of(case), volley.battle, volley.side
    due, first = armor_due(field, battle, defender), volley.round.first_hits
    where = (battle.number, volley.round.number)
    if due:
        text = f"hits of tank destroyers on armor come off before the defender fires: {due} to be taken"
        yield Fault("wie-opt.9", text, event.units, once=("tank destroyers", *where))
    taken = len(battle.fallen(defender)) + battle.absorbed(defender)
    if taken < first and targets_of_hits(field, battle, defender):
        text = f"hits by Katyushas come off before the defender fires: {first}, and {taken} have"
        yield Fault("wie-unit.7", text, event.units, once=("katyushas", *where))


@RULES.rule("wie-cbt.1")
@RULES.before(Fired, phases=FIGHTING, manner="")
@each(volleys_on_the_ground)
def somebody_is_left_to_attack(case: Case, event: Fired, volley: Volley) -> Faults:
    """When a round after the first begins; who falls or goes in it was there."""
    battle, number = volley.battle, volley.round.number
    defender = battle.defender
    left_now = battle.fallen(defender) or number in defender.gone.values()
    there = field_of(case).units(battle.target, defender.side)
    if volley.attacks and number > 1 and not there and not left_now:
        text = f"round {number} of battle {battle.number} is fought, and no enemy is left"
        yield Fault("wie-cbt.1", text, event.units, once=("nobody left", battle.number, number))


@RULES.track(Moved, when=JUDGED, phases=FIGHTING)
@note_each(units_of)
def planes_are_called(case: Case, event: Moved, unit: Unit) -> None:
    """They fight from the next round on, and no more once they fly home."""
    end, arrived = field_of(case).id(event.end), case.in_phase.arrived
    if event.mode == DEFENSIVE:
        called = [(b.number, max(len(b.rounds), 1)) for b in battles_for(case, end)]
        arrived.update((unit.id, round_) for round_ in called[:1])
        return
    arrived.pop(unit.id, None)
    fighter = fighter_of(case, unit.id) if is_air(unit) else None
    if fighter is not None and fighter.battle.target != end:
        fighter.leaves()


# --- values -------------------------------------------------------------------------------------------------


@RULES.rule("wie-unit.4", "wie-unit.5", "wie-unit.8", "wie-unit.10", "wie-unit.11", "wie-wx.5", "wie-cbt.3")
@RULES.rule("wie-ter.1", "wie-ter.2", "wie-ter.3", "wie-ter.4", "wie-ter.5", "wie-ter.6", "wie-cbt.10")
@RULES.rule("wie-min.1", "wie-sup.3", "wie-opt.1", "wie-opt.2", "wie-opt.7", "wie-opt.8")
@RULES.before(Fired, phases=FIGHTING)
@each(volleys_on_the_ground)
def units_hit_at_their_value(case: Case, event: Fired, volley: Volley) -> Faults:
    field, side = field_of(case), volley.side.side
    worth_of = attack_worth if volley.attacks else defense_worth
    helped = Counter({by: volley.round.helped[side, by] for by in (FROM_GROUND, FROM_AIR)})
    planes = lifters(case, field, volley.battle)
    for unit in volley.units:
        worth = worth_of(case, field, volley.battle, unit)
        if event.value in worth.values:
            continue
        helper = help_of(unit) if volley.attacks and worth.needs_help(event.value) else ""
        if not helper or (helper == FROM_AIR and not planes):
            yield _wrong_value(case, field, volley, unit, worth, event.value)
            return
        helped[helper] += 1
    yield from too_much_help(case, field, volley.battle, event, helped)


def _wrong_value(case: Case, field: Field, volley: Volley, unit: Unit, worth: Worth, said: int) -> Fault:
    right = " or ".join(map(str, sorted(worth.values)))
    helper = help_of(unit)
    if volley.attacks and helper:
        right += f", or {max(worth.values) + 1} with the help of {helper}"
    verb = "attacks" if volley.attacks else "defends"
    text = f"{unit.id} {verb} at {said}, and its value is {right} ({worth.text})"
    rule = _rule_of_value(case, field, volley, unit, worth, said)
    return Fault(rule, text, (unit.id,), field.hexes((volley.battle.target,)))


def _rule_of_value(case: Case, field: Field, volley: Volley, unit: Unit, worth: Worth, said: int) -> str:
    """The rule that was forgotten, or applied where it does not hold."""
    off = said - max(worth.values)
    halved = not volley.attacks and is_out(case, unit) and not in_red_city(field, unit)
    if halved and said > min(worth.values):
        return "wie-sup.3"  # halved the wrong way, or not at all
    for part in worth.parts:
        if off in (-part.by, 1 - part.by):
            return part.rule
    if volley.attacks:
        rule = _of_attack(case, unit, off)
    elif off > 0 and worth.parts:
        rule = "wie-cbt.10"
    else:
        rule = _of_defense(case, field, volley, unit, off)
    return rule or ("wie-min.1" if light_grey(unit) else "wie-cbt.3")


def _of_attack(case: Case, unit: Unit, off: int) -> str:
    """A guess; empty without one."""
    infantry = help_of(unit) == FROM_GROUND
    if unit.has(DIVE_BOMBER):
        return "wie-unit.10"
    if unit.has(BOMBER):
        return "wie-unit.11"
    if unit.has(RAIL_GUN):
        return "wie-unit.8"
    if off == 1 and case.turn <= 2 and unit.side == AXIS and not infantry:
        return "wie-opt.2"
    return "wie-unit.4" if infantry and off > 1 else ""


def _of_defense(case: Case, field: Field, volley: Volley, unit: Unit, off: int) -> str:
    """A guess; empty without one."""
    battle, crossed = volley.battle, kinds_crossed(field, volley.battle)
    if unit.has(RAIL_GUN):
        return "wie-unit.8"
    if off == 1 and leading_side(case, battle) not in ("", unit.side):
        return "wie-opt.1"
    if off == 1 and unit.side == SOVIET and kindest(case) == SNOW:
        return "wie-wx.5"
    if off == 1 and RIVER in crossed:
        return "wie-ter.2"
    if off == MARSH_HELP and MARSH in crossed:
        return "wie-ter.5"
    if off == MOUNTAIN_HELP and MOUNTAIN in crossed:
        return "wie-ter.6"
    minor_city = field.city(battle.target) and not field.red(battle.target)
    return "wie-ter.3" if off > 0 and minor_city else ""


def kinds_crossed(field: Field, battle: Engagement) -> set[str]:
    """What lies on the hexsides that attackers come over."""
    return {kind for start in sources(battle) for kind in field.sides(start, battle.target)}


RULES.cannot_check("wie-seq.5", "chapter 1 has its dice in another order than chapter 5: either is right")
RULES.cannot_check("wie-cbt.4", "told under wie-unit.7 (rockets) and wie-air.11 (guns at planes)")
RULES.cannot_check("wie-ter.8", "the map's hexsides have it settled: what lies on one counts")
