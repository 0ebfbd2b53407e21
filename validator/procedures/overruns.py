"""Overruns: battles inside a move. What they cost, and what follows for those who move.

A game states its `Overruns`; `register` gives its rulebook the judges and reducers. The trips are those of
`procedures.marching`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import points_text
from validator.engine.case import AnyCase
from validator.engine.rulebook import APPLIED, JUDGED, Faults, Rulebook
from validator.model.events import Attacked, Event, Marked, Moved, Removed, Replaced, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit, names_of
from validator.procedures.battlebook import B, Battle
from validator.procedures.marches import Trip, begun, trip_of
from validator.procedures.supplymarks import unsupplied

Reason = tuple[str, str]
"""A rule, and how it is broken."""


def _named_units(case: AnyCase, event: Attacked) -> list[Unit]:
    return case.units(event.units)


@dataclass(frozen=True)
class Overruns:
    """How overruns are declared and paid. Rules it names: `target`, one hex; `empty`, one with enemies;
    `adjacent`, from beside it; `together`, one stack, that `began` in one hex. `units` says what else is
    wrong with the units, `barred` with the ground, `again` why a unit makes none whatever its price; `cost`
    is the rule of a price that a unit, with what it has left, cannot pay."""

    field_of: Callable[[Any], Any]
    phases: Sequence[str]  # in which movement points are counted
    price: Callable[[Any, Unit], int]  # twelfths of a movement point
    allowance: Callable[[Any, Unit], int]
    barred: Callable[[Any, Any, list[Unit], HexId, HexId], Iterator[Reason]]
    units: Callable[[Any, list[Unit], Attacked], Iterator[Reason]]
    again: Callable[[Any, Unit], Reason | None]
    target: str
    adjacent: str
    cost: Callable[[Any, Unit, int], str]
    together: str
    began: str
    empty: str = ""  # not asked, if it is none
    others: tuple[str, ...] = ()
    name: str = "overrun"
    takes_part: Callable[[Any, Attacked], list[Unit]] = _named_units
    begins: Callable[[Any, Unit, HexId], Trip] = lambda case, unit, origin: Trip(origin)
    declared_in: Sequence[str] = ()  # phases; in any, if it names none
    first_only: bool = False  # of several faults: the first that would have kept the units from trying


@dataclass(frozen=True)
class Sequel:
    """What an overrun does to the movement of those who make it. Rules it names: `stops`, who did not
    dislodge the defender; `enters`, who did."""

    overruns: Overruns
    stops: str
    enters: str
    stage: int  # of the kinds of movement
    losses_stop: bool  # whether who lost a step or retreated ends its movement


def cheaper_in(season: str, side: str, less: int, otherwise: int) -> Callable[[Any, Unit], int]:
    """The price of overruns, less for a side in a season."""
    return lambda case, unit: less if (case.season, unit.side) == (season, side) else otherwise


def overrun_of(case: AnyCase, event: Attacked) -> Battle[Any] | None:
    known: list[Battle[Any]] = case.in_phase.battles
    return known[-1] if event.overrun and known and known[-1].number == event.battle else None


def register(rules: Rulebook, of: Overruns) -> None:
    @rules.rule(of.target, of.adjacent, of.together, of.began, *of.others)
    @rules.before(Attacked, phases=of.declared_in or None)
    def overruns_are_declared_and_paid_as_they_may_be(case: AnyCase, event: Attacked) -> Faults:
        battle = overrun_of(case, event)
        units = of.takes_part(case, event) if battle is not None else []
        if battle is None or not units:
            return
        reasons = [*of.units(case, units, event), *_of_stack(of, case, units)]
        reasons += _of_ground(of, case, battle, units)
        names = names_of(units)
        for rule, reason in reasons[:1] if of.first_only else reasons:
            yield Fault(rule, f"{'+'.join(names)}: {reason}", names, event.targets)
        if case.phase in of.phases and not (of.first_only and reasons):
            for unit in units:
                yield from _of_price(of, case, battle, unit)

    @rules.track(Attacked, phases=of.phases, overrun=True)
    def give_the_price_back(case: AnyCase, event: Attacked) -> None:
        """Of an overrun that is declared otherwise before anything came of it; the new one is open by now."""
        for unit in of.takes_part(case, event):
            before, trip = last_overrun(case.in_phase.battles[:-1], unit.id), trip_of(case, unit)
            if before is not None and before.idle and trip.overruns:
                trip.spent -= of.price(case, unit)
                trip.overruns -= 1
                trip.ended = False

    @rules.track(Attacked, when=JUDGED, phases=of.phases, overrun=True)
    def note_the_price_of_an_overrun(case: AnyCase, event: Attacked) -> None:
        for unit, here in of.field_of(case).standing(of.takes_part(case, event)):
            trip = case.in_phase.trips.get(unit.id) or of.begins(case, unit, here)
            trip.spent += of.price(case, unit)
            trip.overruns += 1
            case.in_phase.trips[unit.id] = trip


def bound_advances(rules: Rulebook, of: Overruns, rule: str) -> None:
    """Nobody calls the movement that follows an overrun an advance, which would cost nothing."""

    @rules.rule(rule)
    @rules.before(Moved, mode="advance", phases=of.phases)
    def advances_lead_into_the_emptied_hex_alone(case: AnyCase, event: Moved) -> Faults:
        field = of.field_of(case)
        for name in event.units:
            battle = last_overrun(case.in_phase.battles, name)
            if battle is not None and not _leads_into(field, battle, name, event):
                where = field.ground.wording.hexes(battle.targets[:1])
                text = f"{name} advances farther than into {where}; the rest is ordinary movement"
                yield Fault(rule, text, (name,))


def _leads_into(field: Any, battle: Battle[Any], name: str, event: Moved) -> bool:
    """By one step into the hex attacked; or back again, dragged by hand."""
    stood = battle.attacker.stood.get(battle.attacker.root(name))
    return tuple(field.ids(event.path[1:])) == battle.targets[:1] or field.id(event.end) == stood


def register_sequel(rules: Rulebook, of: Sequel) -> None:
    field_of, phases = of.overruns.field_of, of.overruns.phases
    bound_advances(rules, of.overruns, of.enters)

    @rules.track(Attacked, when=JUDGED, phases=phases, overrun=True)
    def overruns_end_a_move_until_they_are_won(case: AnyCase, event: Attacked) -> None:
        for unit, _ in field_of(case).standing(of.overruns.takes_part(case, event)):
            trip = case.in_phase.trips[unit.id]
            trip.ended, trip.entry = True, None
            case.in_phase.stages[unit.id] = max(of.stage, case.in_phase.stages.get(unit.id, 0))

    @rules.track(Marked, Moved, Removed, Replaced, StepChanged, when=APPLIED, phases=phases)
    def emptied_hexes_are_entered_for_nothing(case: AnyCase, event: Event) -> None:
        """Won: no defender is left, and the stack may go on."""
        battle = _last(case)
        if battle is not None and battle.rolled and len(battle.targets) == 1:
            _heirs_go_on(case, battle)
            if not field_of(case).units(battle.targets[0], battle.defender.side):
                _win(of, case, battle)

    @rules.rule(of.stops)
    @rules.before(Moved, phases=phases)
    def overrunners_stop_or_enter(case: AnyCase, event: Moved) -> Faults:
        """Entering is not ordinary movement, whatever it is called in the log."""
        for battle, name, trip in _overrunners(case, event):
            enters = battle.won and field_of(case).id(event.end) in battle.targets
            if trip.ended and not enters and not (battle.won and event.mode == "advance"):
                cost_it_dear = battle.won and battle.attacker.suffered
                why = "lost steps or retreated" if cost_it_dear else "left a defender in the hex"
                text = f"{name} moves on after an overrun that {why}"
                yield Fault(of.stops, text, (name,))

    @rules.track(Moved, when=JUDGED, phases=phases)
    def note_the_entry_of_an_emptied_hex(case: AnyCase, event: Moved) -> None:
        for battle, _, trip in _overrunners(case, event):
            if event.mode == "advance" and field_of(case).id(event.end) in battle.targets:
                trip.entry = None

    @rules.rule(of.enters)
    @rules.at_phase_end(*phases)
    def emptied_hexes_have_been_entered(case: AnyCase) -> Faults:
        field = field_of(case)
        for name, trip in case.in_phase.trips.items():
            unit = case.position.units[name]
            if trip.entry is not None and unit.on_map and field.id(unit.spot) != trip.entry:
                where = field.ground.wording.hex(trip.entry)
                rule = of.stops if trip.ended else of.enters
                yield Fault(rule, f"{name} does not enter {where}, which its overrun emptied", (name,))


def last_overrun(battles: Sequence[B], unit: str) -> B | None:
    """The last overrun that a unit has made."""
    made = (battle for battle in reversed(battles) if battle.overrun and battle.attacker.holds(unit))
    return next(made, None)


def _last(case: AnyCase) -> Battle[Any] | None:
    known: list[Battle[Any]] = case.in_phase.battles
    return known[-1] if known and known[-1].overrun else None


def _of_stack(of: Overruns, case: AnyCase, units: list[Unit]) -> Iterator[Reason]:
    if len({unit.spot for unit in units}) > 1:
        yield of.together, "one stack moves and attacks together"
    elif len(begun(case, *units)) > 1:
        yield of.began, "they did not begin the phase in one hex"


def _of_ground(of: Overruns, case: AnyCase, battle: Battle[Any], units: list[Unit]) -> Iterator[Reason]:
    field = of.field_of(case)
    words = field.ground.wording
    if len(battle.targets) != 1:
        yield of.target, f"one hex is attacked by {of.name}"
        return
    if of.empty and not battle.defender.steps:
        yield of.empty, f"no enemy unit is in {words.hex(battle.targets[0])}"
    target = battle.targets[0]
    for start in sorted(set(field.where(units).values())):
        if not field.board.are_adjacent(start, target):
            yield of.adjacent, f"{words.hex(start)} is not adjacent to {words.hex(target)}"
        elif barred := list(of.barred(case, field, units, start, target)):
            way = f"{words.hex(start)} to {words.hex(target)}"
            yield barred[0][0], f"no {of.name} from {way}: {say.listed([what for _, what in barred])}"


def _of_price(of: Overruns, case: AnyCase, battle: Battle[Any], unit: Unit) -> Iterator[Fault]:
    barred = of.again(case, unit)
    if barred is not None:
        rule, reason = barred
        yield Fault(rule, f"{unit.id} {reason}", (unit.id,), once=("again", battle.number, unit.id))
        return
    trip = case.in_phase.trips.get(unit.id)
    spent = 0 if trip is None else trip.spent
    available, cost = max(of.allowance(case, unit) - spent, 0), of.price(case, unit)
    if cost > available and not unsupplied(unit):  # which is reported above
        text = f"{unit.id}: its {of.name} costs {points_text(cost)} MP, {points_text(available)} are left"
        evidence = {"available": points_text(available), "spent": points_text(spent)}
        yield Fault(of.cost(case, unit, available), text, (unit.id,), (), evidence)


def ended_by_overrun(stops: str, enters: str) -> Callable[[Any, Unit], Reason | None]:
    """Why a unit overruns no more: its last overrun ended its move, or its emptied hex is not entered yet."""

    def again(case: AnyCase, unit: Unit) -> Reason | None:
        trip = case.in_phase.trips.get(unit.id)
        if trip is not None and trip.entry is not None:
            return enters, "has not entered the hex it emptied"
        if trip is not None and trip.ended:
            return stops, "had to end its movement with its last overrun"
        return None

    return again


def _heirs_go_on(case: AnyCase, battle: Battle[Any]) -> None:
    """A Kampfgruppe that takes the place of a corps takes over its trip."""
    trips = case.in_phase.trips
    for heir, root in battle.attacker.heirs.items():
        if root in trips:
            trips.setdefault(heir, trips[root])


def _win(of: Sequel, case: AnyCase, battle: Battle[Any]) -> None:
    party = battle.attacker
    for name in (*party.steps, *party.heirs):
        trip = case.in_phase.trips.get(name)
        if trip is None or not party.alive(party.root(name)) or party.root(name) in party.paths:
            continue
        if not battle.won:
            trip.entry, trip.overran = battle.targets[0], True
        trip.ended = party.suffered and of.losses_stop
    battle.won = True


def _overrunners(case: AnyCase, event: Moved) -> Iterator[tuple[Battle[Any], str, Trip]]:
    """Units of the last overrun that move."""
    battle = _last(case)
    for name in event.units if battle is not None and event.mode != "retreat" else ():
        if battle is not None and battle.attacker.holds(name) and name in case.in_phase.trips:
            yield battle, name, case.in_phase.trips[name]
