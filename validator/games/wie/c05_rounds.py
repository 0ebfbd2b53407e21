"""Chapter 5: the rounds of a battle: who fires when, with how many dice, at what value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from validator.core.explain import counted
from validator.core.volleys import Shot, room_for_help, shots
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import (
    battle_of,
    battles_for,
    disrupted_at,
    fighter_of,
    joined_by,
    may_stay,
    sent_to,
    soldiers,
    sources,
    standing,
    steadied,
    targets_of_hits,
    volleys,
    volleys_on_the_ground,
)
from validator.games.wie.book import (
    ANTI_AIR,
    AXIS,
    COMBAT,
    DEFENSIVE,
    EXPLOIT,
    IN_THE_AIR,
    RULES,
    SALVO,
    SNOW,
    SOVIET,
    both,
    side_of,
)
from validator.games.wie.c05_hits import armor_due
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import MARSH, MOUNTAIN, RIVER, Field, field_of
from validator.games.wie.state import Case
from validator.games.wie.units import (
    ARMOR,
    BOMBER,
    DIVE_BOMBER,
    GUNS,
    KATYUSHA,
    RAIL_GUN,
    TANK_DESTROYER,
    fights,
    is_air,
    kind,
    light_grey,
    planes_among,
    value,
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
)
from validator.model.events import Fired, Moved
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each, units_of
from validator.procedures.rounds import Engagement, Volley

FIGHTING = both(COMBAT, EXPLOIT)
RULE_OF_DICE = ((BOMBER, "wie-unit.11"), (RAIL_GUN, "wie-unit.8"))
OPTIONAL_HELP = {"tank-destroyer": "wie-opt.7", "heavy-armor": "wie-opt.8"}


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
            worth = attack_worth(case, field_of(case), volley.battle, units[shot.unit])
            helper = help_of(units[shot.unit]) if worth.needs_help(hit) else ""
            volley.round.helped[volley.side.side, helper] += 1


def _note_hits(case: Case, volley: Volley, unit: Unit, shot: Shot) -> None:
    """Those that are taken before others, and whom its own die disrupts."""
    side, round_ = volley.side, volley.round
    if volley.attacks and unit.has(KATYUSHA):
        round_.first_hits += shot.hits
    if unit.has(TANK_DESTROYER):
        round_.on_armor[side.side] += shot.hits
    if fights(unit) and shot.highest >= disrupted_at(case, unit) and not steadied(field_of(case), unit):
        side.disrupted[unit.id] = round_.number
        if volley.attacks:
            side.gone[unit.id] = round_.number


@RULES.rule("wie-cbt.3")
@RULES.before(Fired, phases=FIGHTING, manner="")
def volleys_belong_to_a_round(case: Case, event: Fired) -> Faults:
    if not volleys(case, event):
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
    battle, side, round_ = volley.battle, volley.side, volley.round
    new = (battle.number, round_.number) == case.in_phase.arrived.get(unit.id)
    joins = battle.of(unit.id) or joined_by(case, battle, unit)
    disrupted = unit.id in side.disrupted
    fell = not (unit.on_map or disrupted) and _fell_now(case, volley, unit)
    away = not fell and (unit.id in side.gone or disrupted)
    first = _hit_first(case, volley, unit) if fell else ""
    twice = round_.fired(unit.id) or event.units.count(unit.id) > 1
    katyushas = "falls to Katyushas, whose hits come off first, and fires"
    rows: faults.Rows = [
        (not joins, "wie-cbt.3", f"takes no part in battle {battle.number}"),
        (away, "wie-ret.3", "was disrupted or has retreated, and may not fire"),
        (_sat_out(volley, unit), "wie-ret.3", "threw no die in the round before, and fires again"),
        (not (unit.on_map or fell), "wie-cbt.3", "was lost before this round and may not fire"),
        (first == KATYUSHA, "wie-unit.7", katyushas),
        (first == TANK_DESTROYER, "wie-opt.9", "falls to tank destroyers before it fires, and fires"),
        (twice, "wie-cbt.3", f"fires twice in round {round_.number}"),
        (unit.side != side.side, "wie-cbt.3", "and others of this volley are of two sides"),
        (new, "wie-air.13", f"takes round {round_.number} to come and fights from the next one on"),
    ]
    doubt = faults.doubts({"wie-ret.3": not away or (unit.on_map and may_stay(battle, side, unit))})
    yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,), (), doubt)


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
    manner = fall.manner if fall else "none"
    shot = manner == ANTI_AIR and unit.id not in case.in_phase.downed  # those are told by themselves
    rows: faults.Rows = [
        (shot, "wie-air.11", "was shot down from the ground and may not fire"),
        (manner == SALVO, "wie-unit.6", "fell to a salvo and may not fire"),
        (fall is None, "wie-rep.11", "fires, and is no longer on the map"),
    ]
    yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,))


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
    yield from (_before_the_defender if volley.attacks else _after_first_hits)(case, event, volley)


def _before_the_defender(case: Case, event: Fired, volley: Volley) -> Faults:
    answers = volley.round.of(volley.battle.defender.side)
    if any(fights(case.unit(shot.unit)) for shot in answers):
        text = f"{'+'.join(event.units)} attacks after the defender has fired in round {volley.round.number}"
        yield Fault("wie-cbt.3", text, event.units)


def _after_first_hits(case: Case, event: Fired, volley: Volley) -> Faults:
    field, battle, defender = field_of(case), volley.battle, volley.side
    due, first = armor_due(field, battle, defender), volley.round.first_hits
    taken = len(battle.fallen(defender)) + battle.absorbed(defender)
    left = taken < first and targets_of_hits(field, battle, defender)
    armor = f"hits of tank destroyers on armor come off before the defender fires: {due} to be taken"
    rockets = f"hits by Katyushas come off before the defender fires: {first}, and {taken} have"
    rows: faults.Rows = [(due, "wie-opt.9", armor), (left, "wie-unit.7", rockets)]
    yield from faults.all_that_hold(rows, "", event.units)


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
    yield from _help(case, field, volley.battle, event, helped)


def helpers(case: Case, field: Field, battle: Engagement) -> dict[str, int]:
    """Attackers on the ground that give infantry a +1, and to how many; those that fell in this round too."""
    attacker, now = battle.attacker, battle.round.number
    fired = {shot.unit for shot in battle.round.of(attacker.side)}
    fought = (name for name in fired | set(attacker.disrupted) if name in attacker.stood)
    fallen = case.units(name for name in fought if attacker.disrupted.get(name, now) == now)
    return _supporting([*soldiers(field, battle, attacker), *fallen], "supports")


def lifters(case: Case, field: Field, battle: Engagement) -> dict[str, int]:
    """Planes in the attack that give armor a +1; also those that were sent there unnamed."""
    side, target = battle.attacker, battle.target
    unnamed = [u for u in field.planes_over(target, side.side) if u.id not in {*side.stood, *side.gone}]
    sent = [unit for unit in unnamed if sent_to(case, unit, target, target)]
    return _supporting([*planes_among(standing(field, side)), *sent], "lifts")


def _supporting(units: Iterable[Unit], key: str) -> dict[str, int]:
    numbers = {unit.id: value(unit, key) for unit in units}
    return {name: number for name, number in numbers.items() if number}


def _help(case: Case, field: Field, battle: Engagement, event: Fired, helped: Counter[str]) -> Faults:
    """One +1 for a unit; each supporter as many as it helps; in all no more than there are."""
    guns_and_tanks, planes = helpers(case, field, battle), lifters(case, field, battle)
    raised, lifted = helped[FROM_GROUND], helped[FROM_AIR]
    number = battle.round.number
    if raised > room_for_help(guns_and_tanks):
        text = f"{counted(raised, 'unit')} of infantry at +1 in round {number}, "
        text += f"and guns and tanks of the attack help {room_for_help(guns_and_tanks) or 'none'}"
        once = ("help", battle.number, number, raised)
        yield Fault(_rule_of_help(case.units(guns_and_tanks)), text, event.units, once=once)
    if lifted > room_for_help(planes):
        text = f"{counted(lifted, 'unit')} of armor at +1 in round {number}, "
        text += f"and planes of the attack help {room_for_help(planes) or 'none'}"
        yield Fault("wie-unit.4", text, event.units)
    for unit in case.units(name for name in event.support if name not in guns_and_tanks | planes):
        rule = "wie-unit.7" if unit.has(KATYUSHA) else "wie-unit.4"
        text = f"{unit.id} is named as support and gives none in battle {battle.number}"
        yield Fault(rule, text, (unit.id,))


def _rule_of_help(supporters: list[Unit]) -> str:
    """Of guns alone, of a single kind that an option brings in, or of all."""
    kinds = "+".join({kind(unit) for unit in supporters})
    only_guns = supporters and all(unit.has(GUNS) for unit in supporters)
    return OPTIONAL_HELP.get(kinds, "wie-unit.5" if only_guns else "wie-unit.4")


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
    forgotten = (part.rule for part in worth.parts if off in (-part.by, 1 - part.by))
    guesses = _of_attack(case, unit, off) if volley.attacks else _of_defense(case, field, volley, unit, off)
    several = (off > 0 and worth.parts and not volley.attacks, "wie-cbt.10")
    usual = "wie-min.1" if light_grey(unit) else "wie-cbt.3"
    return next(forgotten, None) or faults.first_true(several, *guesses, otherwise=usual)


Guesses = list[tuple[object, str]]


def _of_attack(case: Case, unit: Unit, off: int) -> Guesses:
    infantry = help_of(unit) == FROM_GROUND
    surprise = off == 1 and case.turn <= 2 and unit.side == AXIS and not infantry
    return [
        (unit.has(DIVE_BOMBER), "wie-unit.10"),
        (unit.has(BOMBER), "wie-unit.11"),
        (unit.has(RAIL_GUN), "wie-unit.8"),
        (surprise, "wie-opt.2"),
        (infantry and off > 1, "wie-unit.4"),
    ]


def _of_defense(case: Case, field: Field, volley: Volley, unit: Unit, off: int) -> Guesses:
    target = volley.battle.target
    crossed = kinds_crossed(field, volley.battle)
    minor_city = field.city(target) and not field.red(target)
    return [
        (unit.has(RAIL_GUN), "wie-unit.8"),
        (off == 1 and unit.side == SOVIET and kindest(case) == SNOW, "wie-wx.5"),
        (off == 1 and RIVER in crossed, "wie-ter.2"),
        (off == MARSH_HELP and MARSH in crossed, "wie-ter.5"),
        (off == MOUNTAIN_HELP and MOUNTAIN in crossed, "wie-ter.6"),
        (off > 0 and minor_city, "wie-ter.3"),
    ]


def kinds_crossed(field: Field, battle: Engagement) -> set[str]:
    """What lies on the hexsides that attackers come over."""
    return {kind for start in sources(battle) for kind in field.sides(start, battle.target)}


RULES.cannot_check("wie-cbt.4", "told under wie-unit.7 (rockets) and wie-air.11 (guns at planes)")
RULES.cannot_check("wie-ter.8", "the map's hexsides have it settled: what lies on one counts")
