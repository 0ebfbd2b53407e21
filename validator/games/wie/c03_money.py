"""Chapter 3: the money of a turn, line by line: income, losses, the price of combat, purchases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.explain import counted
from validator.core.ledger import Ledger, ledger_text
from validator.engine.rulebook import APPLIED, FIRST, JUDGED, LAST, Faults
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
    NAMES,
    OIL_DIE,
    OIL_INCOME,
    PLACE,
    PURCHASES,
    REBUILDING,
    REINFORCE,
    RULES,
    SOVIET,
    SUPPLY,
    TREASURY,
    both,
    part_of,
    side_of,
)
from validator.games.wie.field import Field, field_of, original
from validator.games.wie.levels import FORTIFICATION, Change, changes, face_at
from validator.games.wie.sources import bought_box, price_of
from validator.games.wie.state import Case, PlayerTurn
from validator.games.wie.units import ARMOR, KATYUSHA, PARTISAN
from validator.model.events import Declared, Marked, Moved, Placed, Pointed, Removed, Rolled, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each
from validator.procedures.moves import spot_of
from validator.procedures.transfers import Transfer, transfers

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
    seized, values = field.partisans("income"), field.ground.values
    held = [h for h in values if field.holder(h) == side and not (side == AXIS and seized[h])]
    return {h: values[h] * (2 if _doubled(case, field, side, h) else 1) for h in held}


def _doubled(case: Case, field: Field, side: str, hex_id: HexId) -> bool:
    """Soviet cities with a complex held since turn 6; German ones, captured too, from turn 21."""
    working = {name for name, face in field.complexes(hex_id).items() if face == 1}
    if side == SOVIET:
        held, markers = case.in_game.doubled, case.game.marker
        working &= {n for n in working if markers[n].side == SOVIET} if held is None else held
    due = case.turn >= DOUBLED_FROM[side] and bool(working)
    return due or (side == AXIS and bool(case.in_game.assassinated))


def doubling_is_known(case: Case) -> bool:
    """Which cities the Soviets have held since turn 6: only the game's own course tells."""
    return case.turn < DOUBLED_FROM[SOVIET] or case.in_game.doubled is not None


@RULES.track_start()
@RULES.track(Moved, Placed, when=LAST)
def complexes_that_are_captured(case: Case, event: Moved | Placed | None = None) -> None:
    """Those that lie in German hands, as a phase begins or when a hex is entered."""
    game, field = case.in_game, field_of(case)
    entered = field.complex_hexes if event is None else _complexes_at(case, field, event)
    game.captured |= {name for name, h in entered.items() if field.holder(h) != SOVIET}


def _complexes_at(case: Case, field: Field, event: Moved | Placed) -> dict[str, HexId]:
    path = event.path if isinstance(event, Moved) else (event.spot,)
    return {name: h for h in field.ids(path) for name in field.complexes(h)}


@RULES.track_start()
def complexes_that_double(case: Case) -> None:
    """From the Soviet income of turn 6 on, wherever they are moved; captured once, never."""
    game, field, first = case.in_game, field_of(case), DOUBLED_FROM[SOVIET]
    if case.turn < first or not game.from_start:
        return
    markers, lie = case.game.marker, field.complex_hexes
    begins = case.phase == f"{SOVIET}-{REINFORCE}" or case.scenario.first_turn > first
    if game.doubled is None and begins:
        working = (name for name, h in lie.items() if field.complexes(h)[name] == 1)
        game.doubled = frozenset(name for name in working if markers[name].side == SOVIET)
    if game.doubled is not None:
        game.doubled -= game.captured


# --- the book of a turn ------------------------------------------------------------------------------------


@RULES.track_start(*REINFORCING)
def open_the_book(case: Case) -> None:
    """What was left, what comes in, what was lost to bombs, and the price of last turn's combat."""
    side = side_of(case.phase)
    turn, game = case.in_turn.by(side), case.in_game
    if turn.ledger.entries:
        return
    turn.ledger = Ledger(_carried(case, side))
    book = turn.ledger
    book.book(INCOME, sum(income_of(case, field_of(case), side).values()))
    if side == SOVIET and case.turn >= LEND_LEASE_TURN:
        book.book(LEND_LEASE, LEND_LEASE_POINTS)
    book.book(BOMBED, -game.damage.pop(side, 0))
    book.book(DEBT, -game.debt.get(side, 0))


def _carried(case: Case, side: str) -> int | None:
    """What a side has left of its last turn; None if the log does not tell."""
    carried = case.in_game.treasury.get(side)
    if carried is None and case.in_game.from_start and case.turn == case.scenario.first_turn:
        carried = _opening(case, side)
    return min(carried or 0, 0) if case.option("carry-over") == "no" else carried


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
    number = len(case.in_turn.by(side).oil_dice)
    if number > len(captured):
        dice = "one die" if number == 1 else f"{number} dice"
        text = f"{dice} for oil, and {counted(len(captured), 'oil center')} captured"
        yield Fault("wie-rep.1", text, hexes=tuple(field.board.hexes[h] for h in captured))


# --- what is spent ------------------------------------------------------------------------------------------


@RULES.track(Placed, Moved, when=JUDGED, phases=REINFORCING)
@note_each(transfers)
def what_is_bought_is_paid(case: Case, event: Placed | Moved, transfer: Transfer) -> None:
    side, unit = side_of(case.phase), transfer.unit
    box, turn = bought_box(side), case.in_turn.by(side)
    taken_back = transfer.old == box and unit.id in turn.bought and not transfer.on_map
    if unit.side != side or not transfer.changes:
        return
    if transfer.new == box:
        turn.bought.append(unit.id)
        _book_purchase(case, turn, unit, price_of(case, unit))
    elif taken_back:
        turn.bought.remove(unit.id)
        _book_purchase(case, turn, unit, -price_of(case, unit))


@RULES.track(Removed, when=JUDGED, phases=REINFORCING)
def what_is_taken_back_costs_nothing(case: Case, event: Removed) -> None:
    side, unit = side_of(case.phase), case.unit(event.unit)
    turn = case.in_turn.by(side)
    if unit.spot == bought_box(side) and event.unit in turn.bought:
        turn.bought.remove(unit.id)
        _book_purchase(case, turn, unit, -price_of(case, unit))


def _book_purchase(case: Case, turn: PlayerTurn, unit: Unit, price: int) -> None:
    """Armor uses lend-lease. What is taken back has its price below zero."""
    turn.ledger.book(PURCHASES, -price, unit.id)
    if unit.has(ARMOR) and not unit.has(KATYUSHA):
        turn.lend_lease += price


def price_of_levels(old: int, new: int) -> int:
    """Two for the first level, one for each further one."""
    return sum(FIRST_LEVEL if level == 1 else FURTHER_LEVEL for level in range(old + 1, new + 1))


@RULES.track(Marked, Unmarked, when=JUDGED, phases=[*REINFORCING, *both(PLACE)], kind=FORTIFICATION, on=Hex)
@note_each(changes)
def levels_are_paid(case: Case, event: Marked | Unmarked, change: Change) -> None:
    price = price_of_levels(min(change.old, change.new), max(change.old, change.new))
    if change.side == side_of(case.phase) and price:
        case.in_turn.by(change.side).ledger.book(FORTIFYING, -price if change.by > 0 else price)


@RULES.track(Marked, when=JUDGED, phases=REINFORCING, kind="complex", on=Hex, face=1)
def a_rebuilt_complex_is_paid(case: Case, event: Marked) -> None:
    if face_at(case.position, event) == 2:
        turn = case.in_turn.by(side_of(case.phase))
        turn.rebuilt |= set(spot_of(event.on))
        turn.ledger.book(REBUILDING, -REBUILD, event.marker)


@RULES.rule("wie-rep.2", "wie-rep.7")
@RULES.after(Placed, Moved, phases=REINFORCING)
def nobody_buys_on_credit(case: Case, event: Placed | Moved) -> Faults:
    """Six points of lend-lease are for armor alone."""
    side = side_of(case.phase)
    turn, box = case.in_turn.by(side), bought_box(side)
    names = tuple(transfer.unit.id for transfer in transfers(case, event) if transfer.new == box)
    left, idle = turn.ledger.balance, unused(turn)
    if not names or left is None or left >= idle:
        return
    book, evidence = ledger_text(turn.ledger, ORDER), as_evidence(turn)
    if left < 0 and spent(turn) > 0:
        yield Fault("wie-rep.2", f"{'+'.join(names)} cannot be paid: {book}", names, evidence=evidence)
    else:
        text = f"{idle} of the money left is lend-lease, for armor alone: {book}"
        rockets = sum(price_of(case, unit) for unit in case.units(turn.bought) if unit.has(KATYUSHA))
        sure = faults.unless(left - idle + rockets >= 0)  # class 2, three hexes
        yield Fault("wie-rep.7", text, names, evidence=evidence, verdict=sure)


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
    untold = {line for line in (DEBT, BOMBED) if not told(case, side, line)}
    undecided = side == AXIS and undecided_partisans(field_of(case))
    open_income = undecided or (side == SOVIET and not doubling_is_known(case))
    unknown = {*untold, *faults.all_true((open_income, INCOME), (undecided, TREASURY))}
    unknown.update(faults.all_true((untold - set(turn.declared), TREASURY)))
    lines: dict[str, int | None] = {line: book.total(line) for line in ORDER}
    lines |= {CARRIED: book.opening, TREASURY: book.balance}
    return lines | dict.fromkeys(unknown)


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


@dataclass(frozen=True)
class Line:
    """A line of the money, as a player books it: with its sign, and as what it is worth."""

    name: str
    said: int
    points: int

    @property
    def words(self) -> str:
        return self.name.replace("-", " ")


def lines_of(case: Case, event: Declared) -> list[Line]:
    """The line that a declaration books; none, if it tells no number."""
    if not event.value.lstrip("+-").isdigit():
        return []
    said = int(event.value)
    return [Line(event.what, said, said if event.what in (CARRIED, TREASURY) else abs(said))]


@RULES.rule(*dict.fromkeys(RULE_OF.values()), "wie-rep.8", "wie-rep.9", "wie-hq.6", "wie-opt.6")
@RULES.before(Declared, phases=REINFORCING, what=tuple(RULE_OF))
@each(lines_of)
def each_line_is_booked_right(case: Case, event: Declared, line: Line) -> Faults:
    """To the point. A line that nobody could know is taken as it is said."""
    side = side_of(case.phase)
    turn, right = case.in_turn.by(side), booked(case, side)[line.name]
    accepted = treasuries(turn) if line.name == TREASURY else {right}
    if right is None or is_ahead(turn, line) or line.points in accepted:
        return
    text = f"{line.words} is {right}, and {line.points} is booked"
    text += f" ({ledger_text(turn.ledger, ORDER)})"
    net = line.name == INCOME and line.points == net_income(turn)
    yield Fault(_rule_of(case, side, line), text, evidence=as_evidence(turn), verdict=faults.unless(net))


def net_income(turn: PlayerTurn) -> int:
    """With oil and without what bombs cost: three lines booked as one, which is doubtful."""
    book = turn.ledger
    return book.total(INCOME) + book.total(OIL_INCOME) - book.total(BOMBED)


SPENT = (PURCHASES, FORTIFYING, REBUILDING)


def treasuries(turn: PlayerTurn) -> set[int]:
    """What may be left: with or without lend-lease that nobody used, and what is booked and not spent yet."""
    left = turn.ledger.balance
    if left is None:
        return set()
    to_come = sum(max(turn.ahead.get(line, 0) - turn.ledger.total(line), 0) for line in SPENT)
    return {left - less - coming for less in (0, lost(turn)) for coming in (0, to_come)}


def is_ahead(turn: PlayerTurn, line: Line) -> bool:
    """Booked before anything was spent: whether it is right the end of the phase tells."""
    if line.name == TREASURY:
        return spent(turn) == 0 and line.said < min(treasuries(turn), default=line.said)
    return line.name in SPENT and turn.ledger.total(line.name) == 0 and line.said != 0


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


def _rule_of(case: Case, side: str, line: Line) -> str:
    """The rule of a line; of an income that doubles too much or too little, that of doubling."""
    cheap = case.in_game.debt.get(side, 0) - case.in_game.dearer.get(side, 0)
    if line.name == DEBT and line.points == cheap:
        return "wie-hq.6"
    return _rule_of_income(case, side, line.points) if line.name == INCOME else RULE_OF[line.name]


def _rule_of_income(case: Case, side: str, said: int) -> str:
    field, doubles = field_of(case), case.turn >= DOUBLED_FROM[SOVIET]
    right, seized = sum(income_of(case, field, side).values()), field.partisans("income")
    held = {h: value for h, value in field.ground.values.items() if field.holder(h) == side}
    by_partisans = sum(value * seized[h] for h, value in held.items())
    once, more = sum(held.values()), [value for h, value in held.items() if field.complexes(h)]
    by_one = side == SOVIET and doubles and abs(said - right) in more
    doubled = by_one or said in (once + sum(more), once)
    return faults.first_true(
        (side == AXIS and by_partisans and said == right + by_partisans, "wie-opt.6"),
        (doubled, {SOVIET: "wie-rep.8", AXIS: "wie-rep.9"}[side]),
        otherwise=RULE_OF[INCOME],
    )


@RULES.track(Declared, when=APPLIED, phases=REINFORCING, what=tuple(RULE_OF))
@note_each(lines_of)
def what_nobody_knew_is_taken_as_said(case: Case, event: Declared, line: Line) -> None:
    side, name, said = side_of(case.phase), line.name, line.said
    turn = case.in_turn.by(side)
    book, unknown = turn.ledger, name not in turn.declared and not told(case, side, name)
    if is_ahead(turn, line):
        turn.ahead[name] = line.points
    else:
        turn.ahead.pop(name, None)
    if name in (DEBT, BOMBED) and unknown:
        book.book(name, -line.points + book.total(name))
    elif name in (CARRIED, TREASURY) and book.opening is None:
        booked_since = sum(entry.amount for entry in book.entries) if name == TREASURY else 0
        book.opening = said - booked_since
    turn.declared[name] = said


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


@RULES.track_end(*REINFORCING)
def what_a_phase_that_nobody_shows_has_cost(case: Case) -> None:
    """Whether anything was bought in it nobody knows: what the players book next is taken as said."""
    side = side_of(case.phase)
    if not case.in_phase.events:
        case.in_turn.by(side).ledger.opening = None
        case.in_game.treasury.pop(side, None)


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


# --- what markers show --------------------------------------------------------------------------------------

SHOWN = {PLACE: ("treasury", "wie-rep.16"), SUPPLY: ("debt", "wie-rep.12")}
"""At the end of which part of a turn the markers of a kind are asked, and by which rule."""
POINTS = "points-"
DIGITS = {"hundreds": 100, "tens": 10, "ones": 1}


@RULES.rule("wie-rep.16", "wie-rep.12")
@RULES.at_phase_end(*both(*SHOWN))
def markers_show_the_money(case: Case) -> Faults:
    """Where a player set them in this turn; they are reminders: doubtful."""
    side, (kind, rule) = side_of(case.phase), SHOWN[part_of(case.phase)]
    names = {marker.id for marker in case.game.markers if (marker.kind, marker.side) == (kind, side)}
    shown, right = _shown(case, names), _to_be_shown(case, side, kind)
    was_set = not names.isdisjoint(event.marker for event in case.in_turn.of(Pointed))
    if was_set and right not in (None, shown):
        text = f"the markers of the {NAMES[side]} {kind} show {shown}, and it is {right}"
        yield Fault(rule, text, verdict=Verdict.WARNING)


def _shown(case: Case, names: set[str]) -> int:
    boxes = {name: case.position.pointers[name][0] for name in names & case.position.pointers.keys()}
    points = {name: box.removeprefix(POINTS) for name, box in boxes.items() if box.startswith(POINTS)}
    return sum(DIGITS[name.rpartition("-")[2]] * int(number) for name, number in points.items())


def _to_be_shown(case: Case, side: str, kind: str) -> int | None:
    """What is left after action 2, or what the headquarters of this turn have cost; None if nobody knows."""
    if kind == "treasury":
        return case.in_turn.by(side).ledger.balance
    return case.in_game.debt.get(side, 0) if told(case, side, DEBT) else None
