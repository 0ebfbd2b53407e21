"""Chapter 5: battles, round by round: who attacks, the dice of each unit, hits taken, disruption."""

from __future__ import annotations

from dataclasses import replace

from validator.core.board import HexId
from validator.core.explain import counted
from validator.core.volleys import room_for_help, shots
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import (
    NEVER,
    battle_of,
    battle_with,
    disrupted_at,
    free_attacks,
    may_stay,
    must_retreat,
    soldiers,
    standing,
    steadied,
    targets_of_hits,
)
from validator.games.wie.book import (
    ANTI_AIR,
    COMBAT,
    DEFENSIVE,
    ENEMY,
    EXPLOIT,
    IN_THE_AIR,
    MOVE,
    NAMES,
    RULES,
    SALVO,
    SNOW,
    SOVIET,
    SUPPORT,
    both,
    part_of,
    side_of,
)
from validator.games.wie.c05_fortifications import unabsorbed
from validator.games.wie.c05_retreat import somewhere_to_go
from validator.games.wie.c05_tolls import in_the_air, pays_toll
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import MARSH, MOUNTAIN, RIVER, Field, field_of
from validator.games.wie.lines import (
    commanded,
    counter_offensive,
    cut_from_command,
    in_red_city,
    is_out,
    reconnected,
    shortened,
)
from validator.games.wie.state import Case, Fall, PlayerTurn
from validator.games.wie.units import (
    ARMOR,
    BOMBER,
    DIVE_BOMBER,
    GUNS,
    KATYUSHA,
    PARTISAN,
    RAIL_GUN,
    ROCKET,
    TANK_DESTROYER,
    counts,
    fights,
    is_air,
    is_hq,
    kind,
    light_grey,
    value,
)
from validator.games.wie.values import (
    MARSH_HELP,
    MOUNTAIN_HELP,
    Worth,
    attack_worth,
    defense_worth,
    dice_of,
    may_be_lifted,
    may_be_raised,
)
from validator.model.events import Attacked, Fired, Moved, Removed, RoundBegan
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.rounds import Engagement, Round, Side, owing

FIGHTING = both(COMBAT, EXPLOIT)
MOST_A_SIDE = 6
ROUND = "round"
RULE_OF_DICE = ((BOMBER, "wie-unit.11"), (RAIL_GUN, "wie-unit.8"))
OPTIONAL_HELP = {"tank-destroyer": "wie-opt.7", "heavy-armor": "wie-opt.8"}


# --- the attack ---------------------------------------------------------------------------------------------


def attackers(case: Case, event: Attacked) -> list[Unit]:
    return [case.position.units[name] for name in event.units]


def target_of(case: Case, event: Attacked) -> HexId | None:
    return field_of(case).id(event.targets[0]) if event.targets else None


@RULES.track(Attacked, when=JUDGED, phases=FIGHTING)
def a_battle_begins(case: Case, event: Attacked) -> None:
    field, target = field_of(case), target_of(case, event)
    if target is None:
        return
    side = side_of(case.phase)
    enemy = ENEMY[side]
    stood = {u.id: h for u in attackers(case, event) if (h := field.id(u.spot)) is not None}
    there = {u.id: target for u in field.units(target, enemy) if fights(u)}
    battle = Engagement(event.battle, target, Side(side, stood), Side(enemy, there))
    battle.exploiting = part_of(case.phase) == EXPLOIT
    case.in_phase.battles.append(battle)
    turn = case.in_turn.turns.setdefault(side, PlayerTurn())
    if part_of(case.phase) == COMBAT:
        turn.fought |= set(stood)


@RULES.rule(
    "wie-seq.1",
    "wie-cbt.1",
    "wie-cbt.2",
    "wie-cbt.8",
    "wie-cbt.12",
    "wie-unit.6",
    "wie-unit.8",
    "wie-opt.5",
    "wie-brk.2",
)
@RULES.before(Attacked, phases=FIGHTING)
def who_attacks_what(case: Case, event: Attacked) -> Faults:
    """From hexes beside it, six units of a hex at most; planes that were sent there."""
    field, target, side = field_of(case), target_of(case, event), side_of(case.phase)
    if target is None:
        return
    where, units = field.ground.named_place(field.board.hexes[target]), attackers(case, event)
    foreign = tuple(unit.id for unit in units if unit.side != side)
    if foreign:
        text = f"{'+'.join(foreign)} attacks in the {case.phase_name()}: only the side whose turn it is does"
        yield Fault("wie-seq.1", text, foreign, event.targets)
        return
    if all(map(is_air, field.units(target, ENEMY[side]))):
        yield Fault("wie-cbt.1", f"no enemy stands in {where}", event.units, event.targets)
    if len(event.targets) > 1:
        text = f"{'+'.join(event.units)} attacks {len(event.targets)} hexes at once, one may be attacked"
        yield Fault("wie-cbt.1", text, event.units, event.targets)
    if not units:
        yield faults.no_attacker(case, event, "wie-cbt.1")
    by_hex: dict[HexId, list[str]] = {}
    for unit, here in field.standing(units):
        yield from (_sent if is_air(unit) else _may_attack)(case, field, unit, here, target)
        by_hex.setdefault(here, []).extend([unit.id] if counts(unit) else [])
    for hex_id, names in by_hex.items():
        if len(names) > MOST_A_SIDE and hex_id != target:
            text = f"{len(names)} units attack {where} from {field.ground.wording.hex(hex_id)}, six may"
            yield Fault("wie-cbt.2", text, tuple(names), (field.board.hexes[hex_id],))


def _may_attack(case: Case, field: Field, unit: Unit, here: HexId, target: HexId) -> Faults:
    hexes, turn = field.hexes((here, target)), case.in_turn.by(unit.side)
    sides = [battle.attacker for battle in case.in_phase.battles]
    apart = not _beside(field, here, target) and not (here == target and unit.id in turn.dropped)
    far = f"attacks {case.label(hexes[1])} from {case.label(hexes[0])}, which is not beside it"
    can_not = [
        (is_hq(unit) or unit.has(ROCKET), "wie-cbt.1", "does not fight"),
        (unit.has(PARTISAN), "wie-opt.5", "are partisans and do not attack"),
        (apart, "wie-unit.8" if unit.has(RAIL_GUN) else "wie-cbt.1", far),
    ]
    may_not = [
        (unit.id in turn.salvos, "wie-unit.6", "fired a salvo in this turn and does not attack"),
        (
            any(unit.id in s.disrupted for s in sides),
            "wie-cbt.12",
            "was disrupted and may not fight again in this turn",
        ),
    ]
    yield from faults.first_that_holds(can_not, f"{unit.id} ", (unit.id,), hexes)
    yield from faults.first_that_holds(may_not, f"{unit.id} ", (unit.id,), hexes)
    if unit.id in case.in_phase.advanced and part_of(case.phase) == COMBAT:
        text = f"{unit.id} attacks on out of a hex that it entered in this phase: fresh units do, exploiting"
        yield Fault("wie-brk.2", text, (unit.id,), hexes, verdict=Verdict.WARNING)
    if any(unit.id in side.gone and unit.id not in side.disrupted for side in sides):
        text = f"{unit.id} left a battle and attacks again, of which the text says nothing"
        yield Fault("wie-cbt.12", text, (unit.id,), hexes, verdict=Verdict.WARNING)


def _beside(field: Field, here: HexId, target: HexId) -> bool:
    """Neighbours that no sea parts."""
    return any(there == target for there, _ in field.ground.costs.links()[here])


def _sent(case: Case, field: Field, unit: Unit, here: HexId, target: HexId) -> Faults:
    """Planes were sent to the hex as the army moved."""
    flight = case.in_turn.by(unit.side).flights.get(unit.id)
    flown = [m for m in flight.missions if m] if flight else []
    if flight is None or here != target or (flown and flown[-1] not in (SUPPORT, "drop", "interdiction")):
        text = f"{unit.id} was not sent to {case.label(field.board.hexes[target])} to support the attack"
        yield Fault("wie-cbt.8", text, (unit.id,), (field.board.hexes[target],))


@RULES.rule("wie-cbt.11", "wie-hq.1", "wie-hq.12", "wie-sup.5", "wie-zoc.3")
@RULES.before(Attacked, phases=FIGHTING)
def attackers_are_in_supply(case: Case, event: Attacked) -> Faults:
    """In range of a headquarters, and in general supply when it was checked last."""
    field = field_of(case)
    if counter_offensive(case, side_of(case.phase)):
        return
    for unit in attackers(case, event):
        if is_air(unit) or not unit.on_map or unit.side != side_of(case.phase):
            continue
        excepted = unit.id in case.in_turn.by(unit.side).dropped
        if is_out(case, unit) and not in_red_city(field, unit):
            text = f"{unit.id} was without general supply at the last check and may not attack"
            again = reconnected(case, field, unit)
            sure = Verdict.WARNING if again else Verdict.ILLEGAL
            yield Fault("wie-sup.5" if again else "wie-cbt.11", text, (unit.id,), (unit.hex,), verdict=sure)
        elif not excepted and not commanded(case, field, unit):
            text = f"{unit.id} attacks, and no headquarters of its side is in range"
            open_ = is_out(case, unit) or free_attacks(case, unit.side)  # cut off in a red city; for nothing
            sure = Verdict.WARNING if open_ else Verdict.ILLEGAL
            rule = "wie-hq.12" if shortened(case, field, unit) else "wie-hq.1"
            yield Fault(rule, text, (unit.id,), (unit.hex,), verdict=sure)
        elif not (excepted or free_attacks(case, unit.side)) and cut_from_command(case, field, unit):
            text = f"{unit.id} attacks, and enemy armor cuts it off from every headquarters in range"
            yield Fault("wie-zoc.3", text, (unit.id,), (unit.hex,), verdict=Verdict.WARNING)


# --- dice ---------------------------------------------------------------------------------------------------


def firing(case: Case, event: Fired) -> tuple[Engagement, Side, Round] | None:
    """The battle, the side and the round that a volley belongs to."""
    battle = battle_of(case, event.battle)
    if battle is None or not event.units or event.manner not in ("", IN_THE_AIR):
        return None
    if event.manner and field_of(case).id(case.position.units[event.units[0]].spot) != battle.target:
        return None
    side, round_ = battle.of(event.units[0]), battle.round
    if side is None:
        side = _joining(case, battle, case.position.units[event.units[0]])
    return (battle, side, round_) if side is not None and round_ is not None else None


def _joining(case: Case, battle: Engagement, unit: Unit) -> Side | None:
    """A plane that has come to support the defense."""
    field = field_of(case)
    comes = is_air(unit) or unit.id in case.in_phase.revealed
    if comes and unit.side == battle.defender.side and field.id(unit.spot) == battle.target:
        return battle.defender
    return None


@RULES.track(Fired, when=JUDGED, phases=FIGHTING)
def dice_are_counted(case: Case, event: Fired) -> None:
    found = firing(case, event)
    if found is None:
        return
    battle, side, round_ = found
    field, units = field_of(case), case.position.units
    attacking = side is battle.attacker
    for name in event.units:
        side.stood.setdefault(name, battle.target)
    hit = 0 if in_the_air(case, event) else event.value  # planes that fight planes hit nobody on the ground
    some = shots(event.units, event.values, lambda name: dice_of(units[name], attacking=attacking), hit)
    known = round_.shots.setdefault(side.side, [])
    for shot in some:
        known.append(shot)
        unit = units[shot.unit]
        if attacking and hit:
            raised = _raised(case, field, battle, unit, event.value)
            table = round_.raised if may_be_raised(unit) else round_.lifted
            table[side.side] = table.get(side.side, 0) + raised
        if attacking and unit.has(KATYUSHA):
            round_.first_hits += shot.hits
        if unit.has(TANK_DESTROYER):
            round_.on_armor[side.side] = round_.on_armor.get(side.side, 0) + shot.hits
        if fights(unit) and shot.highest >= disrupted_at(case, unit) and not steadied(field, unit):
            side.disrupted[shot.unit] = round_.number
            if attacking:
                side.gone[shot.unit] = round_.number


def _raised(case: Case, field: Field, battle: Engagement, unit: Unit, hit: int) -> bool:
    """Whether it fires with a supporter's help."""
    worth = attack_worth(case, field, battle, unit)
    helped = may_be_raised(unit) or may_be_lifted(unit)
    return helped and hit not in worth.values and hit - 1 in worth.values


@RULES.rule("wie-cbt.3")
@RULES.before(Fired, phases=FIGHTING, manner="")
def volleys_belong_to_a_round(case: Case, event: Fired) -> Faults:
    if firing(case, event) is None:
        text = f"{'+'.join(event.units)} fires, and no round of a battle has begun"
        yield Fault("wie-cbt.3", text, event.units)


@RULES.rule("wie-cbt.3", "wie-ret.3", "wie-air.13", "wie-unit.7", "wie-opt.9")
@RULES.before(Fired, phases=FIGHTING, manner="")
def each_unit_fires_once_in_a_round(case: Case, event: Fired) -> Faults:
    """Nobody who has gone; planes that were called in one round fight from the next.

    Hits are taken when both sides have fired: who was taken off before has its die all the same.
    """
    found = firing(case, event)

    def twice(unit: Unit) -> bool:
        return event.units.count(unit.id) > 1

    for unit in case.units(event.units) if found is not None else ():
        assert found is not None
        battle, side, round_ = found
        new = (battle.number, round_.number) == case.in_phase.arrived.get(unit.id)
        joins = battle.of(unit.id) or _joining(case, battle, unit)
        fell = not unit.on_map and unit.id not in side.disrupted and _fell_now(case, side, round_, unit)
        away = not fell and (unit.id in side.gone or unit.id in side.disrupted)
        first = _hit_first(case, side, round_, event, unit) if fell else ""
        katyushas = "falls to Katyushas, whose hits come off first, and fires"
        rows = [
            (not joins, "wie-cbt.3", f"takes no part in battle {battle.number}"),
            (away, "wie-ret.3", "was disrupted or has retreated, and may not fire"),
            (not unit.on_map and not fell, "wie-cbt.3", "was lost before this round and may not fire"),
            (first == KATYUSHA, "wie-unit.7", katyushas),
            (first == TANK_DESTROYER, "wie-opt.9", "falls to tank destroyers before it fires, and fires"),
            (round_.fired(unit.id) or twice(unit), "wie-cbt.3", f"fires twice in round {round_.number}"),
            (unit.side != side.side, "wie-cbt.3", "and others of this volley are of two sides"),
            (new, "wie-air.13", f"takes round {round_.number} to come and fights from the next one on"),
        ]
        open_ = ("wie-ret.3",) if may_stay(case, battle, side, unit) and unit.on_map else ()
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,), (), faults.doubtful(*open_))


def _fell_now(case: Case, side: Side, round_: Round, unit: Unit) -> bool:
    """Lost in this round, in the battle or as a plane to planes."""
    in_the_round = unit.id in side.lost[round_.lost_before.get(side.side, 0) :]
    fall = case.in_phase.fallen.get(unit.id)
    by_planes = fall is not None and fall.manner in ("", IN_THE_AIR)
    return in_the_round or (by_planes and side.gone.get(unit.id) == round_.number)


def _hit_first(case: Case, side: Side, round_: Round, event: Fired, unit: Unit) -> str:
    """Katyushas or tank destroyers, where more of those that fell in this round fire than others have hit."""
    fallen = side.lost[round_.lost_before.get(side.side, 0) :]
    firing_ = [name for name in fallen if round_.fired(name) or name in event.units]
    armor = [name for name in fallen if case.position.units[name].has(ARMOR)]
    absorbed = side.absorbed - round_.absorbed_before.get(side.side, 0)
    first = max(round_.first_hits - absorbed, 0)
    on_armor = sum(n for other, n in round_.on_armor.items() if other != side.side) - absorbed
    if len(firing_) > len(fallen) - first:
        return KATYUSHA
    attacked = side.side != side_of(case.phase)
    late = attacked and unit.has(ARMOR) and sum(n in armor for n in firing_) > len(armor) - max(on_armor, 0)
    return TANK_DESTROYER if late else ""


@RULES.rule("wie-air.11", "wie-unit.6", "wie-rep.11")
@RULES.before(Fired)
def who_fell_fires_no_more(case: Case, event: Fired) -> Faults:
    """To guns before the rounds, to a salvo, or for no hit at all; of those in battles their rounds tell."""
    for unit in case.units(event.units):
        if unit.on_map or not case.phase_start.units[unit.id].on_map:
            continue
        fall = case.in_phase.fallen.get(unit.id)
        manner = fall.manner if fall else ""
        shot = manner == ANTI_AIR and unit.id not in case.in_phase.downed  # those are told by themselves
        rows = [
            (shot, "wie-air.11", "was shot down from the ground and may not fire"),
            (manner == SALVO, "wie-unit.6", "fell to a salvo and may not fire"),
            (fall is None, "wie-rep.11", "fires, and is no longer on the map"),
        ]
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,))


@RULES.rule("wie-cbt.3", "wie-unit.8", "wie-unit.11")
@RULES.before(Fired, phases=FIGHTING, manner="")
def a_die_for_each_unit(case: Case, event: Fired) -> Faults:
    """Two for bombers and rail guns that attack."""
    found, units = firing(case, event), case.units(event.units)
    if found is None or in_the_air(case, event):
        return
    due = sum(dice_of(unit, attacking=found[1] is found[0].attacker) for unit in units)
    if len(event.values) != due or event.sides != 12:
        text = f"{len(event.values)}d{event.sides} for {'+'.join(event.units)}, and {due}d12 are due"
        yield Fault(
            next((r for t, r in RULE_OF_DICE if any(u.has(t) for u in units)), "wie-cbt.3"), text, event.units
        )


@RULES.rule("wie-cbt.3", "wie-unit.7", "wie-opt.9")
@RULES.before(Fired, phases=FIGHTING, manner="")
def attackers_fire_first(case: Case, event: Fired) -> Faults:
    """And what Katyushas, and tank destroyers of armor, have hit is gone before the defender fires."""
    found, units = firing(case, event), case.position.units
    if found is None or in_the_air(case, event):
        return
    battle, side, round_ = found
    field, names, defender = field_of(case), "+".join(event.units), battle.defender
    if side is battle.attacker:
        if any(fights(units[shot.unit]) for shot in round_.shots.get(defender.side, ())):
            text = f"{names} attacks after the defender has fired in round {round_.number}"
            yield Fault("wie-cbt.3", text, event.units)
        return
    due, taken = armor_due(field, battle, defender, round_), defender.paid - round_.paid_before
    if due:
        text = f"hits of tank destroyers on armor come off before the defender fires: {due} to be taken"
        yield Fault("wie-opt.9", text, event.units)
    if taken < round_.first_hits and targets_of_hits(field, battle, defender):
        text = f"hits by Katyushas come off before the defender fires: {round_.first_hits}, and {taken} have"
        yield Fault("wie-unit.7", text, event.units)


@RULES.track(Moved, when=JUDGED, phases=FIGHTING)
def planes_are_called(case: Case, event: Moved) -> None:
    """They fight from the next round on, and no more once they fly home."""
    end = field_of(case).id(event.end)
    for name in event.units:
        if event.mode == DEFENSIVE:
            battle = next((b for b in reversed(case.in_phase.battles) if b.target == end), None)
            if battle is not None:
                case.in_phase.arrived[name] = (battle.number, max(len(battle.rounds), 1))
        else:
            case.in_phase.arrived.pop(name, None)
            left = battle_with(case, name) if is_air(case.unit(name)) else None
            side = left.of(name) if left is not None and left.target != end else None
            if left is not None and side is not None:
                side.gone.setdefault(name, _number(left))


# --- values -------------------------------------------------------------------------------------------------


@RULES.rule(
    *(
        "wie-unit.4",
        "wie-unit.5",
        "wie-unit.10",
        "wie-unit.11",
        "wie-wx.5",
        "wie-ter.1",
        "wie-ter.2",
        "wie-ter.3",
    ),
    *(
        "wie-ter.4",
        "wie-ter.5",
        "wie-ter.6",
        "wie-cbt.10",
        "wie-min.1",
        "wie-opt.2",
        "wie-cbt.3",
        "wie-sup.3",
    ),
    *("wie-unit.8", "wie-opt.1", "wie-opt.7", "wie-opt.8"),
)
@RULES.before(Fired, phases=FIGHTING)
def units_hit_at_their_value(case: Case, event: Fired) -> Faults:
    found = firing(case, event)
    if found is None or in_the_air(case, event):
        return
    battle, side, round_ = found
    field = field_of(case)
    attacking = side is battle.attacker
    raised, lifted = round_.raised.get(side.side, 0), round_.lifted.get(side.side, 0)
    planes = lifters(case, field, battle)
    for name in event.units:
        unit = case.position.units[name]
        worth = (attack_worth if attacking else defense_worth)(case, field, battle, unit)
        if event.value in worth.values:
            continue
        if attacking and event.value - 1 in worth.values and may_be_raised(unit):
            raised += 1
        elif attacking and event.value - 1 in worth.values and may_be_lifted(unit) and planes:
            lifted += 1
        else:
            yield _wrong_value(case, field, battle, unit, worth, event.value, attacking=attacking)
            return
    yield from _help(case, field, battle, event, raised, lifted)


def helpers(case: Case, field: Field, battle: Engagement) -> dict[str, int]:
    """Attackers on the ground that give infantry a +1, and to how many."""
    found = {unit.id: value(unit, "supports") for unit in soldiers(field, battle, battle.attacker)}
    fallen = {
        shot.unit for shot in (battle.round.shots.get(battle.attacker.side, []) if battle.round else [])
    }
    for name in fallen | set(battle.attacker.disrupted):
        if name in battle.attacker.stood and battle.attacker.disrupted.get(name) in (None, _number(battle)):
            found[name] = value(case.position.units[name], "supports")
    return {name: number for name, number in found.items() if number}


def _number(battle: Engagement) -> int:
    return battle.round.number if battle.round else 0


def lifters(case: Case, field: Field, battle: Engagement) -> dict[str, int]:
    """Planes in the attack that give armor a +1."""
    planes = [unit for unit in standing(field, battle.attacker) if is_air(unit)]
    return {unit.id: value(unit, "lifts") for unit in planes if value(unit, "lifts")}


def _help(case: Case, field: Field, battle: Engagement, event: Fired, raised: int, lifted: int) -> Faults:
    """One +1 for a unit; each supporter as many as it helps; in all no more than there are."""
    guns_and_tanks, planes = helpers(case, field, battle), lifters(case, field, battle)
    units = case.position.units
    if raised > room_for_help(guns_and_tanks):
        only_guns = all(units[name].has(GUNS) for name in guns_and_tanks)
        text = f"{counted(raised, 'unit')} of infantry at +1 in round {_number(battle)}, "
        text += f"and guns and tanks of the attack help {room_for_help(guns_and_tanks) or 'none'}"
        kinds = {kind(units[name]) for name in guns_and_tanks}
        rule = "wie-unit.5" if only_guns and guns_and_tanks else "wie-unit.4"
        rule = OPTIONAL_HELP.get("+".join(kinds), rule)
        yield Fault(rule, text, event.units, once=("help", battle.number, _number(battle), raised))
    if lifted > room_for_help(planes):
        text = f"{counted(lifted, 'unit')} of armor at +1 in round {_number(battle)}, "
        text += f"and planes of the attack help {room_for_help(planes) or 'none'}"
        yield Fault("wie-unit.4", text, event.units)
    for name in event.support:
        if name not in guns_and_tanks and name not in planes:
            rule = "wie-unit.7" if units[name].has(KATYUSHA) else "wie-unit.4"
            text = f"{name} is named as support and gives none in battle {battle.number}"
            yield Fault(rule, text, (name,))


def _wrong_value(
    case: Case, field: Field, battle: Engagement, unit: Unit, worth: Worth, said: int, *, attacking: bool
) -> Fault:
    right = " or ".join(map(str, sorted(worth.values)))
    if attacking and (may_be_raised(unit) or may_be_lifted(unit)):
        help_ = "a gun or a tank" if may_be_raised(unit) else "a plane"
        right += f", or {max(worth.values) + 1} with the help of {help_}"
    verb = "attacks" if attacking else "defends"
    text = f"{unit.id} {verb} at {said}, and its value is {right} ({worth.text})"
    rule = _rule_of_value(case, field, battle, unit, worth, said, attacking=attacking)
    return Fault(rule, text, (unit.id,), (field.board.hexes[battle.target],))


def _rule_of_value(
    case: Case, field: Field, battle: Engagement, unit: Unit, worth: Worth, said: int, *, attacking: bool
) -> str:
    """The rule that was forgotten, or applied where it does not hold."""
    off = said - max(worth.values)
    forgotten = next((rule for rule, _, by in worth.parts if off in (-by, 1 - by)), None)
    if forgotten is not None:
        return forgotten
    crossed = kinds_crossed(field, battle)
    minor_city = field.city(battle.target) and not field.red(battle.target)
    surprise = off == 1 and case.turn <= 2 and unit.side == "axis" and not may_be_raised(unit)
    rules = (
        [
            (unit.has(DIVE_BOMBER), "wie-unit.10"),
            (unit.has(BOMBER), "wie-unit.11"),
            (unit.has(RAIL_GUN), "wie-unit.8"),
            (surprise, "wie-opt.2"),
            (may_be_raised(unit) and off > 1, "wie-unit.4"),
        ]
        if attacking
        else [
            (off > 0 and worth.parts, "wie-cbt.10"),
            (off == 1 and unit.side == SOVIET and kindest(case) == SNOW, "wie-wx.5"),
            (off == 1 and RIVER in crossed, "wie-ter.2"),
            (off == MARSH_HELP and MARSH in crossed, "wie-ter.5"),
            (off == MOUNTAIN_HELP and MOUNTAIN in crossed, "wie-ter.6"),
            (off > 0 and minor_city, "wie-ter.3"),
        ]
    )
    usual = "wie-min.1" if light_grey(unit) else "wie-cbt.3"
    return next((rule for holds, rule in rules if holds), usual)


def kinds_crossed(field: Field, battle: Engagement) -> set[str]:
    """What lies on the hexsides that attackers come over."""
    target, starts = battle.target, set(battle.attacker.stood.values()) - {battle.target}
    return {k for h in starts if field.board.step(h, target) >= 0 for k in field.board.side_of(h, target)}


# --- hits ---------------------------------------------------------------------------------------------------


@RULES.track(Removed, when=JUDGED, phases=both(MOVE, COMBAT, EXPLOIT))
def a_unit_is_lost(case: Case, event: Removed) -> None:
    """It pays for one hit: of planes or of a salvo, or of its battle."""
    unit = case.position.units[event.unit]
    battle = battle_with(case, event.unit, event.battle)
    side = battle.of(event.unit) if battle else None
    toll = pays_toll(case, unit, battle) if unit.on_map else None
    place = field_of(case).id(unit.spot)
    if place is not None:
        manner = case.in_phase.downed.get(unit.id, toll.manner if toll is not None else ROUND)
        case.in_phase.fallen[unit.id] = Fall(place, manner)
    if toll is not None:
        toll.taken += 1
        if battle is not None and side is not None:
            side.gone.setdefault(event.unit, _number(battle))
        return
    if side is None or event.unit in side.lost:
        return
    if event.unit in side.gone and event.unit not in side.disrupted:
        return
    side.lost.append(event.unit)


@RULES.rule("wie-cbt.3", "wie-hq.9", "wie-ret.3")
@RULES.before(Removed, phases=FIGHTING)
def nobody_is_lost_without_a_hit(case: Case, event: Removed) -> Faults:
    unit = case.position.units[event.unit]
    if is_hq(unit):
        yield from _lone_headquarters(case, unit)
    elif unit.on_map and not is_air(unit) and owing(case.in_phase.tolls, unit.id) is None:
        yield from _of_its_battle(case, unit, battle_with(case, event.unit, event.battle))


def _of_its_battle(case: Case, unit: Unit, battle: Engagement | None) -> Faults:
    side = battle.of(unit.id) if battle is not None else None
    if battle is None or side is None:
        if case.in_phase.battles:
            text = f"{unit.id} is removed and took part in no battle"
            yield Fault("wie-cbt.3", text, (unit.id,), (unit.hex,))
        return
    yield from _had_left(case, battle, side, unit)
    if battle.owed(side) <= 0:
        hits = sum(one.hits(battle.foe(side).side) for one in battle.rounds)
        taken = {0: "there was no hit", 1: "the one hit has been taken"}.get(
            hits, f"all {hits} hits have been taken"
        )
        text = f"{unit.id} is removed in battle {battle.number}, and {taken}"
        yield Fault("wie-cbt.3", text, (unit.id,), (unit.hex,))


def _had_left(case: Case, battle: Engagement, side: Side, unit: Unit) -> Faults:
    """Who was disrupted or went back in a round before takes no hit; who went in this one should not have."""
    left = side.gone.get(unit.id, side.disrupted.get(unit.id, NEVER))
    if side is battle.defender and field_of(case).id(unit.spot) == battle.target:
        return
    if battle.owed(side) > 0 and left <= _number(battle):
        late = left < _number(battle)
        text = f"{unit.id} takes a hit of battle {battle.number}, which it had left in round {left}"
        sure = Verdict.ILLEGAL if late else Verdict.WARNING
        if late or side is battle.defender:  # the attacker's dice come before the defender's hits
            yield Fault("wie-ret.3", text, (unit.id,), (unit.hex,), verdict=sure)


def _lone_headquarters(case: Case, unit: Unit) -> Faults:
    """It goes to a hex beside it; only a surrounded one is destroyed."""
    field = field_of(case)
    hex_id = field.id(unit.spot)
    if hex_id is None:
        return
    free = free_beside(field, hex_id, unit.side)
    if free:
        text = f"{unit.id} is removed, and could go to {case.label(field.board.hexes[free[0]])}"
        yield Fault("wie-hq.9", text, (unit.id,), (unit.hex,))


def free_beside(field: Field, hex_id: HexId, side: str) -> list[HexId]:
    """Hexes beside one that a side holds, without an enemy."""
    links = field.ground.costs.links()[hex_id]
    return [h for h, _ in links if field.holder(h) == side and not field.occupied(ENEMY[side])[h]]


def armor_due(field: Field, battle: Engagement, side: Side, round_: Round) -> int:
    """Hits of tank destroyers in a round that armor which still stands must take (8)."""
    lost = side.lost[round_.lost_before.get(side.side, 0) :]
    paid = sum(field.position.units[name].has(ARMOR) for name in lost)
    paid += side.absorbed - round_.absorbed_before.get(side.side, 0)
    standing = sum(unit.has(ARMOR) for unit in targets_of_hits(field, battle, side))
    return max(min(round_.on_armor.get(battle.foe(side).side, 0) - paid, standing), 0)


def who_must(field: Field, battle: Engagement, side: Side) -> list[str]:
    """Units that stand and must take hits; planes only where no others fought."""
    standing = targets_of_hits(field, battle, side)
    alone = not any(fights(field.position.units[name]) for name in side.stood)
    return [unit.id for unit in standing if fights(unit) or alone]


def unsettled(case: Case, battle: Engagement) -> Faults:
    """Hits not taken, and units that were disrupted and stay: before the next round, and in the end."""
    field = field_of(case)
    hexes = (field.board.hexes[battle.target],)
    for side in battle.sides:
        due = armor_due(field, battle, side, battle.round) if battle.round else 0
        if due and battle.owed(side) <= 0:
            text = f"battle {battle.number}: {NAMES[side.side]} armor takes hits of tank destroyers first"
            yield Fault("wie-opt.7", text, tuple(side.fighting), hexes, once=("armor", battle.number))
        left = battle.outstanding(side, who_must(field, battle, side))
        if left:
            hits = "one more hit" if left == 1 else f"{left} more hits"
            text = f"battle {battle.number}: {hits} to be taken by the {NAMES[side.side]} side"
            yield Fault(
                "wie-cbt.3", text, tuple(side.fighting), hexes, once=("hits", battle.number, side.side)
            )
    spared = unabsorbed(field, battle)
    if spared:
        text = f"battle {battle.number}: units take {spared} of the hits that the fortification takes first"
        yield Fault("wie-fort.1", text, tuple(battle.defender.lost), hexes, once=("fort", battle.number))
    for name in sorted(must_retreat(case, battle)):
        unit = case.position.units[name]
        if somewhere_to_go(case, field, unit):
            text = f"{name} was disrupted in battle {battle.number} and does not retreat"
            sure = Verdict.WARNING if may_stay(case, battle, battle.defender, unit) else Verdict.ILLEGAL
            once = ("disrupted", battle.number, name)
            yield Fault("wie-cbt.6", text, (name,), hexes, verdict=sure, once=once)


@RULES.rule("wie-cbt.3", "wie-cbt.6", "wie-fort.1", "wie-min.3", "wie-opt.7", "wie-opt.12")
@RULES.before(RoundBegan, phases=FIGHTING)
def a_round_is_settled_before_the_next(case: Case, event: RoundBegan) -> Faults:
    battle = battle_of(case, event.battle)
    for known in case.in_phase.battles:
        if known is battle or known.round is not None:
            yield from _by_rule(case, unsettled(case, known))


@RULES.rule("wie-cbt.3")
@RULES.at_phase_end(*FIGHTING)
def an_attack_is_fought(case: Case) -> Faults:
    """It may have been called off, or its dice are missing; headquarters alone do not fight."""
    for battle in case.in_phase.battles:
        fired, names = battle.round is not None and battle.round.shots, tuple(battle.attacker.stood)
        if names and not fired and battle.defender.stood:
            hex_ = field_of(case).board.hexes[battle.target]
            text = f"{'+'.join(names)} attacks {case.label(hex_)}: no die followed"
            yield Fault("wie-cbt.3", text, names, (hex_,), verdict=Verdict.WARNING)


@RULES.rule("wie-hq.9")
@RULES.at_phase_end(*FIGHTING)
def lone_headquarters_go_aside(case: Case) -> Faults:
    """Attacked alone they leave their hex, if one beside it is open; the attack may have been called off."""
    field = field_of(case)
    for battle in case.in_phase.battles:
        here = [u for u in field.units(battle.target, battle.defender.side) if is_hq(u)]
        if battle.defender.stood or not here or not free_beside(field, battle.target, battle.defender.side):
            continue
        sure = Verdict.ILLEGAL if battle.rounds else Verdict.WARNING
        hexes, names = (field.board.hexes[battle.target],), tuple(unit.id for unit in here)
        text = f"{'+'.join(names)} was attacked alone and stays, and a hex beside it is open"
        yield Fault("wie-hq.9", text, names, hexes, verdict=sure)


@RULES.rule("wie-unit.8")
@RULES.at_phase_end(*FIGHTING)
def rail_guns_support_others(case: Case) -> Faults:
    """They fire in rounds of an attack that others make; alone they send a salvo."""
    units, battles = case.position.units, case.in_phase.battles
    for battle in battles:
        stood = {n for other in battles if other.target == battle.target for n in other.attacker.stood}
        guns = tuple(name for name in battle.attacker.stood if units[name].has(RAIL_GUN))
        if guns and all(units[name].has(RAIL_GUN) for name in stood):
            hexes = (field_of(case).board.hexes[battle.target],)
            text = f"{'+'.join(guns)} attacks alone: rail guns support others that attack, or send a salvo"
            yield Fault("wie-unit.8", text, guns, hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-cbt.3", "wie-cbt.6", "wie-fort.1", "wie-min.3", "wie-opt.7", "wie-opt.12")
@RULES.at_phase_end(*FIGHTING)
def battles_are_settled_in_the_end(case: Case) -> Faults:
    for battle in case.in_phase.battles:
        yield from _by_rule(case, unsettled(case, battle))


def _by_rule(case: Case, faults: Faults) -> Faults:
    """A disrupted unit of the minor allies is told under their rule."""
    for fault in faults:
        allied = fault.rule == "wie-cbt.6" and light_grey(case.position.units[fault.units[0]])
        variable = (
            case.option("variable-retreats") == "yes" and case.position.units[fault.units[0]].side == "soviet"
        )
        if fault.rule == "wie-cbt.6" and (allied or variable):
            fault = replace(fault, rule="wie-min.3" if allied else "wie-opt.12")
        yield fault


RULES.cannot_check("wie-cbt.4", "told under wie-unit.7 (rockets) and wie-air.11 (guns at planes)")
RULES.cannot_check("wie-cbt.7", "a permission: who stays fights on, who has gone is told under wie-ret.3")
RULES.cannot_check("wie-ter.8", "the map's hexsides have it settled: what lies on one counts")
