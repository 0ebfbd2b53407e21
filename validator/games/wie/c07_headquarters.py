"""Chapter 7: headquarters: who orders a round of combat, how often, at what price."""

from __future__ import annotations

from validator.core.board import HexId
from validator.core.volleys import matched
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import (
    FREE_YEARS,
    battles_of,
    free_round,
    is_out_of_play,
    soldiers,
    volleys_of_attackers,
)
from validator.games.wie.book import (
    AXIS,
    CLEAR,
    ENEMY,
    EXPLOIT,
    FIGHTING,
    FREE_OFFENSIVE,
    LEADER,
    RULES,
    part_of,
    side_of,
)
from validator.games.wie.c05_movement import costs_for
from validator.games.wie.c07_weather import kindest, year_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.lines import counter_offensive, in_range, in_red_city, is_out, reconnected
from validator.games.wie.state import Case
from validator.games.wie.units import HEADQUARTERS, RAIL_GUN, counts, fights, is_hq, on_the_ground, value
from validator.model.events import Declared, Fired, Removed, RoundBegan
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each
from validator.procedures.rounds import Engagement, Volley

MOST, PRICE, EXPLOITING_PRICE, LEADING = 9, 2, 3, 10


@RULES.track(RoundBegan, when=JUDGED, phases=FIGHTING)
@note_each(battles_of)
def a_round_begins(case: Case, event: RoundBegan, battle: Engagement) -> None:
    battle.begin(event.number, event.under)
    price = EXPLOITING_PRICE if part_of(case.phase) == EXPLOIT else PRICE
    if free_round(case, battle, event.number):
        price = 0  # who is named all the same costs nothing
    side, game = side_of(case.phase), case.in_game
    activated = case.in_turn.by(side).activated
    for name in dict.fromkeys(event.under):
        if not activated.get(name):
            activated[name] = price
            game.debt[side] = game.debt.get(side, 0) + price
            game.dearer[side] = game.dearer.get(side, 0) + (price == EXPLOITING_PRICE)


@RULES.rule("wie-cbt.1")
@RULES.before(RoundBegan, phases=FIGHTING)
def rounds_belong_to_battles(case: Case, event: RoundBegan) -> Faults:
    if not battles_of(case, event) and not is_out_of_play(case, event):
        yield Fault("wie-cbt.1", f"round {event.number} of battle {event.battle}, which nobody declared")


@RULES.rule("wie-hq.4", "wie-hq.5", "wie-cbt.5")
@RULES.before(RoundBegan, phases=FIGHTING)
@each(battles_of)
def rounds_are_ordered_one_by_one(case: Case, event: RoundBegan, battle: Engagement) -> Faults:
    """Nine headquarters in a turn, each named once for a round."""
    used = case.in_turn.by(side_of(case.phase)).activated
    if event.number != len(battle.rounds) + 1:
        text = f"round {event.number} of battle {battle.number} follows round {len(battle.rounds)}"
        yield Fault("wie-cbt.5", text)
    if len(set(event.under)) != len(event.under):
        yield Fault("wie-hq.5", "a headquarters is named twice for a round", event.under)
    paid = {name for name, price in used.items() if price} | set(event.under)
    if len(paid) > MOST and not free_round(case, battle, event.number):
        text = f"{len(paid)} headquarters are activated in this turn, and {MOST} may be"
        yield Fault("wie-hq.4", text, event.under)


@RULES.rule("wie-hq.3", "wie-hq.5", "wie-brk.3")
@RULES.before(RoundBegan, phases=FIGHTING)
@each(battles_of)
def who_orders_a_round(case: Case, event: RoundBegan, battle: Engagement) -> Faults:
    """Each headquarters once in a turn; one that is in supply again since the check is doubtful."""
    side, field = side_of(case.phase), field_of(case)
    used = case.in_turn.by(side).activated
    for unit in case.units(event.under):
        if not (is_hq(unit) and unit.side == side and unit.on_map):
            text = f"{unit.id} is no headquarters of the side that attacks"
            yield Fault("wie-hq.5", text, (unit.id,))
        elif used.get(unit.id):
            text = f"{unit.id} has ordered a round in this turn before"
            yield Fault("wie-brk.3" if battle.exploiting else "wie-hq.5", text, (unit.id,))
        elif is_out(case, unit):
            text = f"{unit.id} was without general supply at the last check and gives none"
            open_ = in_red_city(field, unit) or reconnected(case, field, unit)
            verdict = Verdict.WARNING if open_ else Verdict.ILLEGAL
            yield Fault("wie-hq.3", text, (unit.id,), verdict=verdict)
        elif unit.id in used:  # for a round that needs none
            text = f"{unit.id} has ordered a round in this turn before"
            rule = "wie-brk.3" if battle.exploiting else "wie-hq.5"
            yield Fault(rule, text, (unit.id,), verdict=Verdict.WARNING)


@RULES.rule("wie-sup.7")
@RULES.before(RoundBegan, phases=FIGHTING)
@each(battles_of)
def who_is_cut_off_attacks_once(case: Case, event: RoundBegan, battle: Engagement) -> Faults:
    """Units cut off in a red city attack for one round alone."""
    field = field_of(case)
    attackers = soldiers(field, battle, battle.attacker)
    cut_off = [unit.id for unit in attackers if is_out(case, unit) and in_red_city(field, unit)]
    if event.number > 1 and len(cut_off) == len(attackers):
        text = "is cut off in a red city and attacks for a second round"
        yield from faults.of_units("wie-sup.7", cut_off, text)


# --- whom they order ----------------------------------------------------------------------------------------


def ordered(case: Case, event: Fired) -> list[Volley]:
    """Volleys of attackers in rounds that need headquarters."""
    if counter_offensive(case, side_of(case.phase)):
        return []
    attacking = volleys_of_attackers(case, event)
    return [volley for volley in attacking if not free_round(case, volley.battle, volley.round.number)]


@RULES.rule("wie-cbt.1", "wie-cbt.5", "wie-hq.1", "wie-hq.8", "wie-brk.3", "wie-hq.5", "wie-hq.15")
@RULES.before(Fired, phases=FIGHTING)
@each(ordered)
def each_hex_has_its_headquarters(case: Case, event: Fired, volley: Volley) -> Faults:
    """One for each hex that attacks in a round, near it; none for a free attack's first round."""
    field, battle, under = field_of(case), volley.battle, volley.round.under
    where, hexes = (battle.number, volley.round.number), _hexes_of(case, volley)
    in_round = f"in round {where[1]} of battle {where[0]}, ordered by"
    if not (hexes or under or soldiers(field, battle, battle.attacker)):
        text, once = f"planes attack alone {in_round} no headquarters", ("alone", battle.number)
        yield Fault("wie-hq.15", text, event.units, verdict=Verdict.WARNING, once=once)
    if len(hexes) > len(under):
        text = "one hex attacks" if len(hexes) == 1 else f"{len(hexes)} hexes attack"
        text += f" {in_round} {len(under) or 'no'} headquarters"
        guns = {name for name in volley.firing if case.unit(name).has(RAIL_GUN)}
        others = hexes - {volley.side.stood[name] for name in guns if name in volley.side.stood}
        sure = faults.unless(0 < len(others) <= len(under))  # whether the hex of a gun that supports counts
        kept = ("unordered", *where, sure)
        yield Fault(_rule_of_order(case, volley), text, event.units, verdict=sure, once=kept)
        return
    paired = matched({h: [name for name in under if _near(case, field, name, h)] for h in hexes})
    for hex_id in sorted(hexes - set(paired)):
        text = f"no headquarters of round {where[1]} is in range of {field.ground.wording.hex(hex_id)}"
        far = ("far", battle.number, hex_id)
        yield Fault("wie-hq.1", text, event.units, field.hexes((hex_id,)), once=far)


@RULES.rule("wie-hq.12")
@RULES.before(Fired, phases=FIGHTING, manner="")
@each(ordered)
def headquarters_order_as_many_as_they_lead(case: Case, event: Fired, volley: Volley) -> Faults:
    """By option; those of a round together, half as many in mud and snow."""
    under, share = volley.round.under, 1 if kindest(case) == CLEAR else 2
    most = sum(value(unit, "leadership") // share for unit in case.units(under))
    led = sorted(unit.id for unit in case.units(volley.firing) if counts(unit))
    if under and case.option("leadership") == "leadership" and len(led) > most:
        where = (volley.battle.number, volley.round.number)
        text = f"{len(led)} units attack in round {where[1]} of battle {where[0]}, and "
        text += f"{'+'.join(under)} can order {most}"
        yield Fault("wie-hq.12", text, tuple(led), once=("led", *where))


def _hexes_of(case: Case, volley: Volley) -> set[HexId]:
    """The hexes of attackers on the ground, but that where paratroops have landed."""
    stood, dropped = volley.side.stood, case.in_turn.by(volley.side.side).dropped
    landed = {stood[name] for name in volley.firing & dropped if name in stood}
    fighting = on_the_ground(case.units(name for name in volley.firing if name in stood))
    return {stood[unit.id] for unit in fighting} - landed


def _near(case: Case, field: Field, name: str, hex_id: HexId) -> bool:
    return any(in_range(case, field, spot, hex_id) for spot in field.ids((case.unit(name).spot,)))


def _rule_of_order(case: Case, volley: Volley) -> str:
    if volley.battle.exploiting:
        return "wie-brk.3"
    if case.turn <= 2 and volley.side.side == AXIS:
        return "wie-hq.8"
    return "wie-cbt.5" if volley.round.number > 1 else "wie-cbt.1"


# --- alone in a hex that is attacked ------------------------------------------------------------------------


def free_beside(field: Field, unit: Unit) -> list[HexId]:
    """Hexes beside a unit that its side holds, without an enemy."""
    links, enemies = costs_for(field, unit.side).links(), field.occupied(ENEMY[unit.side])
    beside = [there for here in field.ids((unit.spot,)) for there, _ in links[here]]
    return [h for h in beside if field.holder(h) == unit.side and not enemies[h]]


@RULES.rule("wie-hq.9")
@RULES.before(Removed, phases=FIGHTING, having=HEADQUARTERS)
def only_surrounded_headquarters_are_lost(case: Case, event: Removed) -> Faults:
    """Others go to a hex beside theirs."""
    field, unit = field_of(case), case.unit(event.unit)
    for hex_ in field.hexes(free_beside(field, unit)[:1]):
        text = f"{unit.id} is removed, and could go to {case.label(hex_)}"
        yield Fault("wie-hq.9", text, (unit.id,), (unit.hex,))


@RULES.rule("wie-hq.9")
@RULES.at_phase_end(*FIGHTING)
def lone_headquarters_go_aside(case: Case) -> Faults:
    """Attacked alone they leave their hex, if one beside it is open; the attack may have been called off."""
    field = field_of(case)
    for battle in case.in_phase.battles:
        there = () if battle.defender.stood else field.units(battle.target, battle.defender.side)
        stay = [unit.id for unit in there if is_hq(unit) and free_beside(field, unit)]
        text = "was attacked alone and stays, and a hex beside it is open"
        sure, hexes = faults.unless(not battle.rounds), field.hexes((battle.target,))
        yield from faults.of_units("wie-hq.9", stay, text, sure, hexes)


@RULES.rule("wie-hq.9")
@RULES.at_phase_end(*FIGHTING)
def headquarters_do_not_stay_among_enemies(case: Case) -> Faults:
    """Where attackers have entered the hex of one that nobody defends any more, it has gone or is lost."""
    field, side = field_of(case), side_of(case.phase)
    for hex_id in sorted(battle.target for battle in case.in_phase.battles):
        defenders, entered = field.units(hex_id, ENEMY[side]), any(map(fights, field.units(hex_id, side)))
        stay = [unit.id for unit in defenders if is_hq(unit)]
        if entered and not any(map(fights, defenders)):
            text = "stays in a hex that the enemy has entered"
            yield from faults.of_units("wie-hq.9", stay, text, hexes=field.hexes((hex_id,)))


# --- free offensives ----------------------------------------------------------------------------------------


@RULES.rule("wie-hq.8")
@RULES.before(Declared, what=FREE_OFFENSIVE)
def a_free_offensive_a_year(case: Case, event: Declared) -> Faults:
    """In a clear turn of 1942 and one of 1943."""
    year, again = year_of(case.turn), not case.in_turn.by(AXIS).free_offensive
    if side_of(case.phase) != AXIS or year not in FREE_YEARS:
        yield Fault("wie-hq.8", f"no free offensive in {year} but the Germans' of 1942 and 1943")
    elif again and year in case.in_game.offensives:
        yield Fault("wie-hq.8", f"the free offensive of {year} has been made")
    elif kindest(case) != CLEAR:
        yield Fault("wie-hq.8", f"a free offensive in a clear turn, and this is {kindest(case)}")


@RULES.track(Declared, when=JUDGED, what=FREE_OFFENSIVE)
def a_free_offensive_is_made(case: Case, event: Declared) -> None:
    case.in_game.offensives.add(year_of(case.turn))
    case.in_turn.by(AXIS).free_offensive = True


# --- a headquarters that leads a battle, by option ----------------------------------------------------------


@RULES.rule("wie-opt.1")
@RULES.before(Declared, what=LEADER)
def one_battle_a_turn_is_led(case: Case, event: Declared) -> Faults:
    """By a headquarters of ten or more, which gives the units of its side a +1."""
    units, field, led = case.units(event.units), field_of(case), case.in_turn.by(side_of(case.phase)).led
    again = [str(led[unit.side]) for unit in units if unit.side in led]
    if again:
        text = f"battle {again[0]} is led in this turn, and one may be"
        yield Fault("wie-opt.1", text, event.units)
        return
    if any(value(unit, "leadership") < LEADING for unit in units):
        text = f"a headquarters of less than {LEADING} leads no battle"
        yield Fault("wie-opt.1", text, event.units)
        return
    for battle in case.in_phase.battles[-1:]:
        far = [unit.id for unit in units if not _leads_from_near(case, field, battle, unit)]
        text = f"leads battle {battle.number} from out of its range"
        yield from faults.of_units("wie-opt.1", far, text, Verdict.WARNING)


def _leads_from_near(case: Case, field: Field, battle: Engagement, unit: Unit) -> bool:
    mine = unit.side == battle.attacker.side
    hexes = set(battle.attacker.stood.values()) if mine else {battle.target}
    return not hexes or any(_near(case, field, unit.id, hex_id) for hex_id in hexes)


@RULES.track(Declared, when=JUDGED, what=LEADER)
def note_the_leader(case: Case, event: Declared) -> None:
    """It leads the battle that was declared last; of a line that names no headquarters, the attacker's."""
    led, side = case.in_turn.by(side_of(case.phase)).led, side_of(case.phase)
    for battle in case.in_phase.battles[-1:]:
        for leader in {unit.side for unit in case.units(event.units)} or {side}:
            led.setdefault(leader, battle.number)
