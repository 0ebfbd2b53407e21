"""Chapter 7: headquarters: who orders a round of combat, how often, at what price."""

from __future__ import annotations

from validator.core.board import HexId
from validator.core.volleys import matched
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import FREE_YEARS, battle_of, free_round, soldiers
from validator.games.wie.book import (
    AXIS,
    CLEAR,
    COMBAT,
    EXPLOIT,
    FREE_OFFENSIVE,
    LEADER,
    RULES,
    both,
    part_of,
    side_of,
)
from validator.games.wie.c05_combat import firing
from validator.games.wie.c07_weather import kindest, weather_of, year_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.lines import counter_offensive, in_range, in_red_city, is_out
from validator.games.wie.state import Case, PlayerTurn
from validator.games.wie.units import counts, is_air, is_hq, value
from validator.model.events import Declared, Fired, RoundBegan
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.rounds import Engagement, Round

FIGHTING = both(COMBAT, EXPLOIT)
MOST, PRICE, EXPLOITING_PRICE, LEADING = 9, 2, 3, 10


@RULES.track(RoundBegan, when=JUDGED, phases=FIGHTING)
def a_round_begins(case: Case, event: RoundBegan) -> None:
    battle = battle_of(case, event.battle)
    if battle is None:
        return
    new = Round(event.number, event.under, paid_before=battle.defender.paid)
    new.lost_before = {side.side: len(side.lost) for side in battle.sides}
    new.absorbed_before = {side.side: side.absorbed for side in battle.sides}
    battle.rounds.append(new)
    price = EXPLOITING_PRICE if part_of(case.phase) == EXPLOIT else PRICE
    if free_round(case, battle, event.number):
        price = 0  # who is named all the same costs nothing
    side = side_of(case.phase)
    turn = case.in_turn.turns.setdefault(side, PlayerTurn())
    for name in event.under:
        if not turn.activated.get(name):
            turn.activated[name] = price
            case.in_game.debt[side] = case.in_game.debt.get(side, 0) + price
            if price == EXPLOITING_PRICE:
                case.in_game.dearer[side] = case.in_game.dearer.get(side, 0) + 1


@RULES.rule("wie-hq.3", "wie-hq.4", "wie-hq.5", "wie-cbt.5", "wie-brk.3", "wie-cbt.1")
@RULES.before(RoundBegan, phases=FIGHTING)
def who_orders_a_round(case: Case, event: RoundBegan) -> Faults:
    """Each headquarters once in a turn, nine in all."""
    battle, side = battle_of(case, event.battle), side_of(case.phase)
    if battle is None:
        yield Fault("wie-cbt.1", f"round {event.number} of battle {event.battle}, which nobody declared")
        return
    if event.number != len(battle.rounds) + 1:
        text = f"round {event.number} of battle {battle.number} follows round {len(battle.rounds)}"
        yield Fault("wie-cbt.5", text)
    used = case.in_turn.by(side).activated
    for unit in case.units(event.under):
        mine = is_hq(unit) and unit.side == side and unit.on_map
        again = "wie-brk.3" if battle.exploiting else "wie-hq.5"
        rows = [
            (not mine, "wie-hq.5", "is no headquarters of the side that attacks"),
            (unit.id in used, again, "has ordered a round in this turn before"),
            (is_out(case, unit), "wie-hq.3", "was without general supply at the last check and gives none"),
        ]
        open_ = ["wie-hq.3"] if in_red_city(field_of(case), unit) else []
        open_ += [again] if used.get(unit.id) == 0 else []  # it was named for a round that needs none
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,), (), faults.doubtful(*open_))
    if len(set(event.under)) != len(event.under):
        yield Fault("wie-hq.5", "a headquarters is named twice for a round", event.under)
    paid = {name for name, price in used.items() if price}
    free = free_round(case, battle, event.number)
    if len({*paid, *event.under}) > MOST and not free:
        text = f"{len({*paid, *event.under})} headquarters are activated in this turn, and {MOST} may be"
        yield Fault("wie-hq.4", text, event.under)
    yield from _starved(case, battle, event)


def _starved(case: Case, battle: Engagement, event: RoundBegan) -> Faults:
    """Units cut off in a red city attack for one round alone."""
    field = field_of(case)
    cut = [
        u.id for u in soldiers(field, battle, battle.attacker) if is_out(case, u) and in_red_city(field, u)
    ]
    if cut and event.number > 1 and len(cut) == len(soldiers(field, battle, battle.attacker)):
        text = f"{'+'.join(cut)} is cut off in a red city and attacks for a second round"
        yield Fault("wie-sup.7", text, tuple(cut))


@RULES.rule("wie-cbt.1", "wie-cbt.5", "wie-hq.1", "wie-hq.8", "wie-brk.3", "wie-hq.5", "wie-hq.15")
@RULES.before(Fired, phases=FIGHTING)
def each_hex_has_its_headquarters(case: Case, event: Fired) -> Faults:
    """One for each hex that attacks in a round, near it; none for a free attack's first round."""
    found = firing(case, event)
    if found is None or found[1] is not found[0].attacker:
        return
    battle, _, round_ = found
    if free_round(case, battle, round_.number) or counter_offensive(case, battle.attacker.side):
        return
    field = field_of(case)
    names = {shot.unit for shot in round_.shots.get(battle.attacker.side, ())} | set(event.units)
    hexes = _hexes_of(case, field, battle, names)
    if not hexes:
        if not round_.under and not soldiers(field, battle, battle.attacker):
            text = f"planes attack alone in round {round_.number} of battle {battle.number}, "
            text += "ordered by no headquarters"
            yield Fault(
                "wie-hq.15", text, event.units, verdict=Verdict.WARNING, once=("alone", battle.number)
            )
        return
    if len(hexes) > len(round_.under):
        text = "one hex attacks" if len(hexes) == 1 else f"{len(hexes)} hexes attack"
        text += f" in round {round_.number} of battle {battle.number}, ordered by "
        text += f"{len(round_.under) or 'no'} headquarters"
        yield Fault(
            _rule(case, battle, round_), text, event.units, once=("unordered", battle.number, round_.number)
        )
        return
    near = {str(h): [n for n in round_.under if _near(case, field, n, h)] for h in hexes}
    paired = matched(near)
    for hex_id in sorted(hexes):
        if str(hex_id) not in paired:
            where = field.ground.wording.hex(hex_id)
            text = f"no headquarters of round {round_.number} is in range of {where}"
            yield Fault(
                "wie-hq.1",
                text,
                event.units,
                (field.board.hexes[hex_id],),
                once=("far", battle.number, hex_id),
            )


@RULES.rule("wie-hq.12")
@RULES.before(Fired, phases=FIGHTING, manner="")
def headquarters_order_as_many_as_they_lead(case: Case, event: Fired) -> Faults:
    """By option; those of a round together, half as many in mud and snow."""
    found = firing(case, event)
    if case.option("leadership") != "leadership" or found is None or found[1] is not found[0].attacker:
        return
    battle, _, round_ = found
    waived = free_round(case, battle, round_.number) or counter_offensive(case, battle.attacker.side)
    if waived or not round_.under:
        return
    share = 1 if kindest(case) == CLEAR else 2
    most = sum(value(unit, "leadership") // share for unit in case.units(round_.under))
    names = {shot.unit for shot in round_.shots.get(battle.attacker.side, ())} | set(event.units)
    led = sorted(unit.id for unit in case.units(names) if counts(unit))
    if len(led) > most:
        text = f"{len(led)} units attack in round {round_.number} of battle {battle.number}, and "
        text += f"{'+'.join(round_.under)} can order {most}"
        yield Fault("wie-hq.12", text, tuple(led), once=("led", battle.number, round_.number))


def _hexes_of(case: Case, field: Field, battle: Engagement, names: set[str]) -> set[HexId]:
    """The hexes of attackers on the ground, but that where paratroops have landed."""
    stood = battle.attacker.stood
    units = [unit for unit in case.units(names) if unit.id in stood]
    landed = {stood[unit.id] for unit in units if unit.id in case.in_turn.by(unit.side).dropped}
    return {stood[unit.id] for unit in units if not is_air(unit)} - landed


def _near(case: Case, field: Field, name: str, hex_id: HexId) -> bool:
    spot = field.id(case.position.units[name].spot)
    return spot is not None and in_range(case, field, spot, hex_id)


def _rule(case: Case, battle: Engagement, round_: Round) -> str:
    if battle.exploiting:
        return "wie-brk.3"
    if case.turn <= 2 and battle.attacker.side == AXIS:
        return "wie-hq.8"
    return "wie-cbt.5" if round_.number > 1 else "wie-cbt.1"


# --- free offensives ----------------------------------------------------------------------------------------


@RULES.rule("wie-hq.8")
@RULES.before(Declared, what=FREE_OFFENSIVE)
def a_free_offensive_a_year(case: Case, event: Declared) -> Faults:
    """In a clear turn of 1942 and one of 1943."""
    year, known = year_of(case.turn), case.in_turn.by(AXIS).free_offensive
    no_year = side_of(case.phase) != AXIS or year not in FREE_YEARS
    rows = [
        (no_year, f"no free offensive in {year} but the Germans' of 1942 and 1943"),
        (year in case.in_game.offensives and not known, f"the free offensive of {year} has been made"),
        (
            weather_of(case) not in (None, CLEAR),
            f"a free offensive in a clear turn, and this is {kindest(case)}",
        ),
    ]
    yield from faults.first_that_holds(faults.of_rule("wie-hq.8", rows), "", ())


@RULES.track(Declared, when=JUDGED, what=FREE_OFFENSIVE)
def a_free_offensive_is_made(case: Case, event: Declared) -> None:
    case.in_game.offensives.add(year_of(case.turn))
    case.in_turn.turns.setdefault(AXIS, PlayerTurn()).free_offensive = True


# --- a headquarters that leads a battle, by option ----------------------------------------------------------


@RULES.rule("wie-opt.1")
@RULES.before(Declared, what=LEADER)
def one_battle_a_turn_is_led(case: Case, event: Declared) -> Faults:
    units: list[Unit] = [case.position.units[name] for name in event.units]
    if case.in_turn.led:
        yield Fault(
            "wie-opt.1", f"battle {case.in_turn.led} is led in this turn, and one may be", event.units
        )
    elif any(value(unit, "leadership") < LEADING for unit in units):
        yield Fault("wie-opt.1", f"a headquarters of less than {LEADING} leads no battle", event.units)
    elif case.in_phase.battles:
        stood = set(case.in_phase.battles[-1].attacker.stood.values())
        far = [u.id for u in units if not any(_near(case, field_of(case), u.id, h) for h in stood)]
        if far and stood:
            text = f"{'+'.join(far)} leads battle {case.in_phase.battles[-1].number} from out of its range"
            yield Fault("wie-opt.1", text, event.units, verdict=Verdict.WARNING)


@RULES.track(Declared, when=JUDGED, what=LEADER)
def note_the_leader(case: Case, event: Declared) -> None:
    if not case.in_turn.led and case.in_phase.battles:
        case.in_turn.led = str(case.in_phase.battles[-1].number)
