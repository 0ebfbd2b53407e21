"""Chapter 3: the money of a turn, line by line: income, losses, the price of combat, purchases."""

from __future__ import annotations

from collections.abc import Mapping

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.explain import counted
from validator.core.ledger import Ledger, ledger_text
from validator.engine.rulebook import APPLIED, FIRST, JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    BOMBED,
    CARRIED,
    COMBAT,
    DEBT,
    ENEMY,
    FORTIFYING,
    INCOME,
    LEND_LEASE,
    MOVE,
    OIL_DIE,
    OIL_INCOME,
    PLACE,
    PURCHASES,
    REBUILDING,
    REINFORCE,
    RULES,
    SOVIET,
    TREASURY,
    both,
    part_of,
    side_of,
)
from validator.games.wie.field import Field, field_of, original
from validator.games.wie.levels import FORTIFICATION, change_of
from validator.games.wie.sources import bought_box, boxed, price_of
from validator.games.wie.state import Case, PlayerTurn
from validator.games.wie.units import ARMOR, KATYUSHA, PARTISAN
from validator.model.events import Declared, Marked, Moved, Placed, Removed, Rolled, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.moves import spot_of

ORDER = (INCOME, LEND_LEASE, OIL_INCOME, BOMBED, DEBT, FORTIFYING, REBUILDING, PURCHASES)
REINFORCING = both(REINFORCE)
LEND_LEASE_POINTS, LEND_LEASE_TURN = 6, 4
DOUBLED_FROM = {SOVIET: 6, AXIS: 21}
REBUILD = 15
FIRST_LEVEL, FURTHER_LEVEL, MOST_LEVELS = 2, 1, 3

RULE_OF = {
    INCOME: "wie-rep.1",
    OIL_INCOME: "wie-rep.1",
    LEND_LEASE: "wie-rep.7",
    BOMBED: "wie-rep.10",
    DEBT: "wie-rep.12",
    FORTIFYING: "wie-unit.14",
    REBUILDING: "wie-rep.13",
    PURCHASES: "wie-rep.2",
    CARRIED: "wie-rep.16",
    TREASURY: "wie-rep.16",
}


# --- what comes in ------------------------------------------------------------------------------------------


def income_of(case: Case, field: Field, side: str) -> dict[HexId, int]:
    """What each red city that a side holds is worth to it in this turn (3)."""
    ground = field.ground
    seized = field.partisans("income") if side == AXIS else bytes(len(field.board))
    found = {h: v for h, v in ground.values.items() if field.holder(h) == side and not seized[h]}
    return {h: value * (2 if _doubled(case, field, side, h) else 1) for h, value in found.items()}


def _doubled(case: Case, field: Field, side: str, hex_id: HexId) -> bool:
    """Soviet cities with a complex held since turn 6; German ones, captured too, from turn 21."""
    if side == AXIS and case.in_game.assassinated:
        return True
    working = {name for name, face in field.complexes(hex_id).items() if face == 1}
    if side == SOVIET:
        known, markers = case.in_game.doubled, case.game.marker
        working = {n for n in working if (n in known if known is not None else markers[n].side == SOVIET)}
    return case.turn >= DOUBLED_FROM[side] and bool(working)


def doubling_is_known(case: Case) -> bool:
    """Which cities the Soviets have held since turn 6: only the game's own course tells."""
    return case.turn < DOUBLED_FROM[SOVIET] or case.in_game.doubled is not None


@RULES.track_start()
def complexes_that_double(case: Case) -> None:
    """From the Soviet income of turn 6 on, wherever they are moved; lost once, never again."""
    game, field, first = case.in_game, field_of(case), DOUBLED_FROM[SOVIET]
    begins = case.phase == f"{SOVIET}-{REINFORCE}" or case.scenario.first_turn > first
    if case.turn < first or not game.from_start:
        return
    lost = {name for name, h in field.complex_hexes.items() if field.holder(h) != SOVIET}
    if game.doubled is None and begins:
        working = {name for name, h in field.complex_hexes.items() if field.complexes(h)[name] == 1}
        game.doubled = frozenset(name for name in working if case.game.marker[name].side == SOVIET)
    game.doubled = game.doubled - lost if game.doubled is not None else None


# --- the book of a turn ------------------------------------------------------------------------------------


@RULES.track_start(*REINFORCING)
def open_the_book(case: Case) -> None:
    """What was left, what comes in, what was lost to bombs, and the price of last turn's combat."""
    side = side_of(case.phase)
    turn, game = case.in_turn.by(side), case.in_game
    if turn.ledger.entries:
        return
    carried = game.treasury.get(side)
    if carried is None and game.from_start and case.turn == case.scenario.first_turn:
        carried = _opening(case, side)
    if case.option("carry-over") == "no":
        carried = 0 if carried is None else min(carried, 0)
    turn.ledger = Ledger(carried)
    book = turn.ledger
    book.book(INCOME, sum(income_of(case, field_of(case), side).values()))
    if side == SOVIET and case.turn >= LEND_LEASE_TURN:
        book.book(LEND_LEASE, LEND_LEASE_POINTS)
    book.book(BOMBED, -game.damage.pop(side, 0))
    book.book(DEBT, -game.debt.get(side, 0))


def _opening(case: Case, side: str) -> int:
    scenario = case.scenario.id.removesuffix("-free")
    table = case.game.table["scenarios"]
    return int(table.cell(scenario, f"treasury-{side}")) if scenario in {r.id for r in table.rows} else 0


@RULES.track(Rolled, when=FIRST, phases=REINFORCING, reason=OIL_DIE)
def oil_is_rolled_for(case: Case, event: Rolled) -> None:
    if event.sides == 6:
        turn = case.in_turn.by(side_of(case.phase))
        turn.oil_dice += event.values
        turn.ledger.book(OIL_INCOME, sum(event.values))


@RULES.rule("wie-rep.1")
@RULES.before(Rolled, phases=REINFORCING, reason=OIL_DIE)
def a_die_for_each_captured_oil_center(case: Case, event: Rolled) -> Faults:
    side, field = side_of(case.phase), field_of(case)
    captured = [h for h in field.ground.oil if field.holder(h) == side and original(case, h) != side]
    if len(case.in_turn.by(side).oil_dice) > len(captured):
        number = len(case.in_turn.by(side).oil_dice)
        dice = "one die" if number == 1 else f"{number} dice"
        text = f"{dice} for oil, and {counted(len(captured), 'oil center')} captured"
        yield Fault("wie-rep.1", text, hexes=tuple(field.board.hexes[h] for h in captured))


# --- what is spent ------------------------------------------------------------------------------------------


@RULES.track(Placed, Moved, when=JUDGED, phases=REINFORCING)
def what_is_bought_is_paid(case: Case, event: Placed | Moved) -> None:
    side = side_of(case.phase)
    box, turn = bought_box(side), case.in_turn.by(side)
    for unit, old, new in boxed(case, event):
        if unit.side != side or old == new:
            continue
        if new == box:
            _book_purchase(case, turn, unit, 1)
        elif old == box and unit.id in turn.bought and isinstance(new, str):
            _book_purchase(case, turn, unit, -1)


@RULES.track(Removed, when=JUDGED, phases=REINFORCING)
def what_is_taken_back_costs_nothing(case: Case, event: Removed) -> None:
    side = side_of(case.phase)
    turn, unit = case.in_turn.by(side), case.position.units[event.unit]
    if unit.spot == bought_box(side) and event.unit in turn.bought:
        _book_purchase(case, turn, unit, -1)


def _book_purchase(case: Case, turn: PlayerTurn, unit: Unit, sign: int) -> None:
    """A purchase (1), or one that is taken back (-1). Armor uses lend-lease."""
    price = sign * price_of(case, unit)
    if sign > 0:
        turn.bought.append(unit.id)
    else:
        turn.bought.remove(unit.id)
    turn.ledger.book(PURCHASES, -price, unit.id)
    if unit.has(ARMOR) and not unit.has(KATYUSHA):
        turn.lend_lease += price


def price_of_levels(old: int, new: int) -> int:
    """Two for the first level, one for each further one."""
    return sum(FIRST_LEVEL if level == 1 else FURTHER_LEVEL for level in range(old + 1, new + 1))


@RULES.track(Marked, Unmarked, when=JUDGED, phases=[*REINFORCING, *both(PLACE)], kind=FORTIFICATION, on=Hex)
def levels_are_paid(case: Case, event: Marked | Unmarked) -> None:
    change = change_of(case, event)
    if change.side == side_of(case.phase) and change.by:
        price = price_of_levels(min(change.old, change.new), max(change.old, change.new))
        turn = case.in_turn.by(change.side)
        turn.ledger.book(FORTIFYING, -price if change.by > 0 else price)


@RULES.track(Marked, when=JUDGED, phases=REINFORCING, kind="complex", on=Hex, face=1)
def a_rebuilt_complex_is_paid(case: Case, event: Marked) -> None:
    assert isinstance(event.on, Hex)
    if case.position.marks.get(event.on, {}).get(event.marker) == 2:
        turn = case.in_turn.by(side_of(case.phase))
        turn.rebuilt.add(event.on)
        turn.ledger.book(REBUILDING, -REBUILD, event.marker)


@RULES.rule("wie-rep.2", "wie-rep.7")
@RULES.after(Placed, Moved, phases=REINFORCING)
def nobody_buys_on_credit(case: Case, event: Placed | Moved) -> Faults:
    """Six points of lend-lease are for armor alone."""
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    new = [unit for unit, old, to in boxed(case, event) if to == bought_box(side)]
    left = turn.ledger.balance
    if not new or left is None:
        return
    names = tuple(unit.id for unit in new)
    idle = unused(turn)
    if left < 0 and spent(turn) > 0:
        text = f"{'+'.join(names)} cannot be paid: {ledger_text(turn.ledger, ORDER)}"
        yield Fault("wie-rep.2", text, names, evidence=as_evidence(turn))
    elif left - idle < 0:
        text = f"{idle} of the money left is lend-lease, for armor alone: {ledger_text(turn.ledger, ORDER)}"
        rockets = sum(price_of(case, unit) for unit in case.units(turn.bought) if unit.has(KATYUSHA))
        sure = Verdict.WARNING if left - idle + rockets >= 0 else Verdict.ILLEGAL  # class 2, three hexes
        yield Fault("wie-rep.7", text, names, evidence=as_evidence(turn), verdict=sure)


def spent(turn: PlayerTurn) -> int:
    return turn.ledger.total(PURCHASES) + turn.ledger.total(FORTIFYING) + turn.ledger.total(REBUILDING)


def as_evidence(turn: PlayerTurn) -> dict[str, object]:
    return {"steps": [f"{e.line} {e.amount:+d} {e.detail}".strip() for e in turn.ledger.entries if e.amount]}


@RULES.rule("wie-unit.14")
@RULES.after(Marked, phases=[*REINFORCING, *both(PLACE)], kind=FORTIFICATION)
def levels_within_the_money(case: Case, event: Marked) -> Faults:
    turn = case.in_turn.by(side_of(case.phase))
    if (turn.ledger.balance or 0) < 0:
        text = f"the fortification cannot be paid: {ledger_text(turn.ledger, ORDER)}"
        yield Fault("wie-unit.14", text, (), spot_of(event.on), as_evidence(turn))


# --- what players book --------------------------------------------------------------------------------------


def booked(case: Case, side: str) -> Mapping[str, int | None]:
    """Each line as it should stand now; None where that is not known."""
    turn = case.in_turn.by(side)
    book = turn.ledger
    known = {line for line in (DEBT, BOMBED) if told(case, side, line)}
    lines: dict[str, int | None] = {line: book.total(line) for line in ORDER}
    if not doubling_is_known(case) and side == SOVIET:
        lines[INCOME] = None
    lines |= dict.fromkeys({DEBT, BOMBED} - known)
    lines[CARRIED], lines[TREASURY] = book.opening, book.balance
    if side == AXIS and undecided_partisans(field_of(case)):
        lines[INCOME] = lines[TREASURY] = None
    if not {DEBT, BOMBED} <= known | set(turn.declared):
        lines[TREASURY] = None
    return lines


def undecided_partisans(field: Field) -> bool:
    """Whether partisans stand in a red city without a marker of what they do."""
    effects = [field.partisans(effect) for effect in ("supply", "income", "placement", "rail")]
    idle = (h for h in field.ground.values if any(u.has(PARTISAN) for u in field.units(h)))
    return any(not any(effect[h] for effect in effects) for h in idle)


def told(case: Case, side: str, line: str) -> bool:
    """Whether the log shows what a side pays for: its last battles whole, or the enemy's last bombs."""
    game = case.in_game
    if (line, side) in game.guessed:
        return False
    return game.from_start or side in game.treasury or (line, side) in game.counted


@RULES.track_start(*both(MOVE, COMBAT))
def what_the_log_tells(case: Case) -> None:
    """A log that begins in mid-turn, or in mid-phase, does not tell all."""
    if case.in_game.first == (case.turn, case.phase):
        return
    side = side_of(case.phase)
    case.in_game.counted.add((BOMBED, ENEMY[side]) if part_of(case.phase) == MOVE else (DEBT, side))


@RULES.rule(*dict.fromkeys(RULE_OF.values()), "wie-rep.8", "wie-rep.9", "wie-hq.6", "wie-opt.6")
@RULES.before(Declared, phases=REINFORCING, what=tuple(RULE_OF))
def each_line_is_booked_right(case: Case, event: Declared) -> Faults:
    """To the point. A line that nobody could know is taken as it is said."""
    if not event.value.lstrip("+-").isdigit():
        return
    side = side_of(case.phase)
    right, said = booked(case, side).get(event.what), abs(int(event.value))
    if event.what in (CARRIED, TREASURY):
        said = int(event.value)
    turn = case.in_turn.by(side)
    if right is None or right == said or is_ahead(turn, event):
        return
    if event.what == TREASURY and said in treasuries(turn):
        return
    text = f"{event.what.replace('-', ' ')} is {right}, and {said} is booked"
    text += f" ({ledger_text(turn.ledger, ORDER)})"
    yield Fault(_rule_of(case, side, event.what, said), text, evidence=as_evidence(turn))


SPENT = (PURCHASES, FORTIFYING, REBUILDING)


def treasuries(turn: PlayerTurn) -> set[int]:
    """What may be left: with or without lend-lease that nobody used, and what is booked and not spent yet."""
    left = turn.ledger.balance
    if left is None:
        return set()
    to_come = sum(max(turn.ahead.get(line, 0) - turn.ledger.total(line), 0) for line in SPENT)
    return {left - less - coming for less in (0, lost(turn)) for coming in (0, to_come)}


def is_ahead(turn: PlayerTurn, event: Declared) -> bool:
    """Booked before anything was spent: whether it is right the end of the phase tells."""
    if event.what == TREASURY:
        return spent(turn) == 0 and int(event.value) < min(treasuries(turn), default=int(event.value))
    return event.what in SPENT and turn.ledger.total(event.what) == 0 and event.value.strip("+-0") != ""


@RULES.rule("wie-rep.16")
@RULES.at_phase_end(*REINFORCING)
def what_was_to_be_left_is_left(case: Case) -> Faults:
    """Where the treasury was booked before all was spent."""
    turn = case.in_turn.by(side_of(case.phase))
    said = turn.ahead.get(TREASURY)
    if said is not None and said not in treasuries(turn):
        text = f"treasury is {turn.ledger.balance}, and {said} is booked ({ledger_text(turn.ledger, ORDER)})"
        yield Fault("wie-rep.16", text, evidence=as_evidence(turn))


@RULES.rule("wie-rep.2", "wie-rep.13", "wie-unit.14")
@RULES.at_phase_end(*REINFORCING, *both(PLACE))
def what_was_booked_ahead_was_spent(case: Case) -> Faults:
    """Fortifications may still be built in action 2."""
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    for line in SPENT:
        said = turn.ahead.get(line)
        last = PLACE if line == FORTIFYING else REINFORCE
        spent_on = turn.ledger.total(line)
        if said is not None and part_of(case.phase) == last and spent_on != said:
            text = f"{line.replace('-', ' ')} is {spent_on}, and {said} is booked"
            yield Fault(
                RULE_OF[line], f"{text} ({ledger_text(turn.ledger, ORDER)})", evidence=as_evidence(turn)
            )


def _rule_of(case: Case, side: str, line: str, said: int) -> str:
    """The rule of a line; of an income that doubles too much or too little, that of doubling."""
    if line == DEBT and said == case.in_game.debt.get(side, 0) - case.in_game.dearer.get(side, 0):
        return "wie-hq.6"
    return _rule_of_income(case, field_of(case), side, said) if line == INCOME else RULE_OF[line]


def _rule_of_income(case: Case, field: Field, side: str, said: int) -> str:
    right = sum(income_of(case, field, side).values())
    held = {h: value for h, value in field.ground.values.items() if field.holder(h) == side}
    if side == AXIS and said == right + sum(held[h] for h in held if field.partisans("income")[h]) != right:
        return "wie-opt.6"
    once, more = sum(held.values()), [value for h, value in held.items() if field.complexes(h)]
    by_one = side == SOVIET and case.turn >= DOUBLED_FROM[SOVIET] and abs(said - right) in more
    if said in (once + sum(more), once) or by_one:
        return "wie-rep.8" if side == SOVIET else "wie-rep.9"
    return RULE_OF[INCOME]


@RULES.track(Declared, when=APPLIED, phases=REINFORCING, what=tuple(RULE_OF))
def what_nobody_knew_is_taken_as_said(case: Case, event: Declared) -> None:
    if not event.value.lstrip("+-").isdigit():
        return
    side, said = side_of(case.phase), int(event.value)
    turn = case.in_turn.by(side)
    book = turn.ledger
    if is_ahead(turn, event):
        turn.ahead[event.what] = said if event.what == TREASURY else abs(said)
    elif event.what in (*SPENT, TREASURY):
        turn.ahead.pop(event.what, None)
    if event.what == CARRIED and book.opening is None:
        book.opening = said
    elif (
        event.what in (DEBT, BOMBED) and not told(case, side, event.what) and event.what not in turn.declared
    ):
        book.book(event.what, -abs(said) + book.total(event.what))
    elif event.what == TREASURY and book.opening is None:
        book.opening = said - sum(entry.amount for entry in book.entries)
    turn.declared[event.what] = said


def unused(turn: PlayerTurn) -> int:
    """Lend-lease that no armor was bought with."""
    return max(turn.ledger.total(LEND_LEASE) - turn.lend_lease, 0)


def lost(turn: PlayerTurn) -> int:
    """Of it, what is left when action 1 ends."""
    return min(unused(turn), max(turn.ledger.balance or 0, 0))


@RULES.track_end(*REINFORCING)
def nothing_more_is_bought(case: Case) -> None:
    """Lend-lease that armor did not use is lost."""
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    if lost(turn) and not any(entry.detail == "unused" for entry in turn.ledger.entries):
        turn.ledger.book(LEND_LEASE, -lost(turn), "unused")
    case.in_game.debt[side] = case.in_game.dearer[side] = 0
    case.in_game.guessed.discard((BOMBED, side))


@RULES.track_end(*both(PLACE))
def the_book_is_closed(case: Case) -> None:
    side = side_of(case.phase)
    left = case.in_turn.by(side).ledger.balance
    if left is not None:
        case.in_game.treasury[side] = left


@RULES.rule("wie-rep.16")
@RULES.before(Declared)
def money_is_booked_in_action_1(case: Case, event: Declared) -> Faults:
    if event.what in RULE_OF and part_of(case.phase) != REINFORCE:
        text = f"{event.what.replace('-', ' ')} is booked in the {case.phase_name()}, not in action 1"
        yield Fault("wie-rep.16", text, verdict=Verdict.WARNING)
