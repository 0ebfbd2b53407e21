"""Chapters 8.12 to 8.14: German withdrawals, Guards, and the end of the rifle corps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from validator.core import explain as say
from validator.core.sequence import Moment
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.battles import AIRCRAFT
from validator.games.lwe.book import GERMAN, GERMAN_ENTRY, RULES, SOVIET, SOVIET_ENTRY, TURN_START
from validator.games.lwe.c08_pools import cut_off
from validator.games.lwe.field import printed
from validator.games.lwe.lines import OUT, state_of
from validator.games.lwe.state import Case
from validator.model.events import PhaseBegan, Placed, Removed, Replaced, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit, having, names_of, of_side
from validator.procedures.arrivals import entry_turn
from validator.procedures.faults import Wrong, first_of, first_that_holds, of_rule, of_units, those_that_hold
from validator.procedures.moves import spot_of

WITHDRAWN, POOL = "german-withdrawn", "replacement-pool"
CONVERT, REORGANIZE = "convert", "reorganize"
GUARDS_TURNS = (12, 20)


# --- withdrawals (8.12) ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """A line of the withdrawal table."""

    turn: int
    type: str
    unit: str | None
    number: int
    declinable: bool

    def takes(self, unit: Unit) -> bool:
        return unit.type.id == self.type and self.unit in (None, unit.id)


def orders(case: Case, turns: Sequence[int]) -> list[Order]:
    table = case.game.table["withdrawals"]
    every = [_order(table.row(row.id)) for row in table.rows]
    return [order for order in every if order.turn in turns]


def _order(cells: Mapping[str, str]) -> Order:
    unit = None if cells["unit"] == "-" else cells["unit"]
    declinable = cells["may be declined"] == "yes"
    return Order(int(cells["turn"]), cells["unit types"], unit, int(cells["number"]), declinable)


def withdrawn(case: Case) -> list[str]:
    """In this turn; who was put back on the map stays."""
    return [n for n in dict.fromkeys(case.in_turn.withdrawn) if not case.position.units[n].on_map]


def declined(case: Case, turn: int) -> int:
    """Units called for in a turn that were not withdrawn: a point each."""
    units = case.units(withdrawn(case))
    return sum(
        max(order.number - sum(order.takes(unit) for unit in units), 0)
        for order in orders(case, [turn])
        if order.declinable
    )


@RULES.rule("lwe-8.12a", "lwe-8.12b", "lwe-8.12c")
@RULES.before(Removed, box=WITHDRAWN)
@RULES.before(Removed, box=None, phases=[GERMAN_ENTRY], side=GERMAN)
def withdrawals_follow_the_table(case: Case, event: Removed) -> Faults:
    unit = case.unit(event.unit)
    if not unit.has(AIRCRAFT):
        yield from first_of(_wrong_withdrawal(case, unit), f"{unit.id}: ", (unit.id,))


@RULES.track(Removed, when=JUDGED, box=WITHDRAWN)
@RULES.track(Removed, when=JUDGED, box=None, phases=[GERMAN_ENTRY], side=GERMAN)
def note_the_withdrawal(case: Case, event: Removed) -> None:
    if not case.unit(event.unit).has(AIRCRAFT):
        case.in_turn.withdrawn.append(event.unit)


def _wrong_withdrawal(case: Case, unit: Unit) -> Wrong:
    due, earlier = orders(case, [case.turn]), orders(case, range(1, case.turn))
    called_for = [order.number for order in due if order.takes(unit)]
    named = "+".join(order.unit for order in due if order.unit)
    late = any(order.takes(unit) for order in earlier)
    kind = unit.type.name.lower()
    return those_that_hold(
        (not called_for and late, "lwe-8.12c", "its withdrawal was due earlier and is never late"),
        (
            not called_for and named and unit.has("satellite"),
            "lwe-8.12b",
            f"{named} is to be withdrawn, and no other in its place",
        ),
        (not called_for, "lwe-8.12a", f"no {kind} is withdrawn in turn {case.turn}"),
        (
            case.phase != GERMAN_ENTRY,
            "lwe-8.12a",
            "withdrawals are made in the German New Unit Entry Phase",
        ),
        (
            _number(case, unit) >= max(called_for, default=0),
            "lwe-8.12a",
            "more of its type leave than are called for",
        ),
        (
            _others_acted(case, unit.id),
            "lwe-8.12a",
            "withdrawals come before everything else in their phase",
        ),
        (unit.on_map and state_of(case, unit) == OUT, "lwe-8.12a", "is out of supply"),
    )


def _others_acted(case: Case, *names: str) -> bool:
    """Somebody else came, or gained or lost a step, in this phase."""
    acted = {*case.in_phase.concerned(Placed), *case.in_phase.concerned(StepChanged)}
    return not acted <= {*names}


def _number(case: Case, unit: Unit) -> int:
    return sum(other.type is unit.type for other in case.units(withdrawn(case)))


# --- Guards (8.13) ---------------------------------------------------------------------------------------


@RULES.rule("lwe-8.13a", "lwe-8.13b", "lwe-2.7a")
@RULES.before(Replaced)
def guards_take_the_place_of_others(case: Case, event: Replaced) -> Faults:
    wrong = _wrong_conversion(case, event) if _converts(case, event) else iter(())
    yield from first_of(wrong, f"{'+'.join(event.old)}: ", event.concerned)


def _converts(case: Case, event: Replaced) -> bool:
    soviet = bool(of_side(case.units(event.comers), SOVIET))
    return soviet and case.phase != TURN_START and event.why != REORGANIZE


@RULES.track(Replaced, when=JUDGED)
def note_the_conversion(case: Case, event: Replaced) -> None:
    for name, _ in event.new if _converts(case, event) else ():
        case.in_turn.arrived[name] = "conversion"


def _wrong_conversion(case: Case, event: Replaced) -> Wrong:
    if len(event.old) != 1 or len(event.new) != 1:
        return iter([("lwe-8.13a", "one unit converts into one Guards unit")])
    unit, guards = case.units(event.concerned)
    due = entry_turn(case, guards)
    in_time = case.phase == SOVIET_ENTRY and case.turn in GUARDS_TURNS and due == case.turn
    apart = not unit.on_map or unit.spot != event.spot
    other = unit.type.id != guards.type.values.get("converts-from")
    return those_that_hold(
        (guards.has("militia-guards"), "lwe-2.7a", f"{guards.id} is militia, and no Guards unit"),
        (not guards.has("guards"), "lwe-8.13a", f"{guards.id} is no Guards unit"),
        (
            not in_time,
            "lwe-8.13b",
            f"{guards.id} converts in turn {due}, in the Soviet New Unit Entry Phase",
        ),
        (_others_acted(case), "lwe-8.13b", "conversions come before everything else in their phase"),
        (other, "lwe-8.13a", f"{guards.id} is not of its type"),
        (apart, "lwe-8.13a", "the two are not in one hex"),
        (event.new[0][1] != 1, "lwe-8.13a", f"{guards.id} comes at full strength"),
        (cut_off(case, unit.spot), "lwe-8.13a", "it is not in regular supply"),
    )


@RULES.rule("lwe-8.13a")
@RULES.at_phase_end(SOVIET_ENTRY)
def guards_put_down_replace_a_unit(case: Case) -> Faults:
    """Counters exchanged by hand: for each of them one of its type has left the hex, in regular supply."""
    used: set[str] = set()
    gone = {*case.in_phase.concerned(Removed)}
    for guards, units in case.in_phase.swaps.items():
        old = next((name for name in units if name in gone - used), None)
        if old is None:
            text = f"{guards} is put down, and no unit of its type has made room for it"
            yield Fault("lwe-8.13a", text, (guards,))
            continue
        used.add(old)
        if cut_off(case, case.phase_start.units[old].spot):
            yield Fault("lwe-8.13a", f"{old}: it is not in regular supply", (old, guards))


# --- Stavka Directive 1 (8.14) ---------------------------------------------------------------------------


@RULES.rule("lwe-8.14a")
@RULES.before(Replaced, phases=[TURN_START], having="rifle-corps")
def corps_become_divisions(case: Case, event: Replaced) -> Faults:
    """In their hex, as many divisions of the pool as the corps has factors."""
    old, new = case.units(event.old), case.units(event.comers)
    wanted = {sum(_divisions(case, unit) for unit in old), sum(printed(unit, "attack") for unit in old)}
    number = f"{say.counted(len(new), 'division')} for {say.counted(min(wanted), 'factor')}"
    too_few = len(new) not in wanted and _pool_has_more(case, new)
    rows = (
        (case.turn != DIRECTIVE_TURN, f"rifle corps are dissolved at the start of turn {DIRECTIVE_TURN}"),
        ({unit.spot for unit in old} != {event.spot}, "the divisions appear in another hex"),
        (
            {unit.counter.setup for unit in new} - {"RP"},
            "the divisions are those of the replacement pool",
        ),
        (too_few or len(new) > max(wanted), number),
    )
    before, where = f"{'+'.join(event.old)}: ", spot_of(event.spot)
    yield from first_that_holds(of_rule("lwe-8.14a", rows), before, event.concerned, where)


def _pool_has_more(case: Case, new: list[Unit]) -> bool:
    """The pool holds a division less than all the corps have factors."""
    units = (unit for unit in case.position.units.values() if unit.counter.setup == "RP")
    return any(unit.spot in (None, POOL) and unit not in new for unit in units)


DIRECTIVE_TURN = 6


def _divisions(case: Case, unit: Unit) -> int:
    none = unit.has("headquarters-corps") and case.option("headquarters-corps") == "none"
    return 0 if none else printed(unit, "attack")


@RULES.rule("lwe-8.14a")
@RULES.before(PhaseBegan)
def the_directive_is_not_passed_over(case: Case, event: PhaseBegan) -> Faults:
    """A log may go past the phase in which corps are dissolved; they are all the same."""
    if Moment(DIRECTIVE_TURN, TURN_START) in case.passed_by(event):
        yield from _corps_left(case)


@RULES.rule("lwe-8.14a")
@RULES.at_phase_end(TURN_START)
def no_corps_is_left(case: Case) -> Faults:
    if case.turn == DIRECTIVE_TURN:
        yield from _corps_left(case)


def _corps_left(case: Case) -> Iterator[Fault]:
    left = names_of(having(case.position.on_map(SOVIET), "rifle-corps"))
    yield from of_units("lwe-8.14a", left, "is not dissolved at the start of turn 6")
