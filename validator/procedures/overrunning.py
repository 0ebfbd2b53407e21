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
from validator.model.position import Unit
from validator.procedures.battlebook import Battle
from validator.procedures.marching import MARCH, Trip, begun
from validator.procedures.supplymarks import unsupplied


@dataclass(frozen=True)
class Overruns:
    """Rules it names: `target`, one hex with enemies; `adjacent`, from beside it; `together`, one stack, that
    `began` in one hex; `barring`, ground and hexsides; `stops`, who did not dislodge the defender; `enters`,
    who did. `units` tells what else is wrong with the units: rule and reason; `cost` is the rule of a price
    that a unit, with what it has left, cannot pay."""

    field_of: Callable[[Any], Any]
    phases: Sequence[str]
    price: Callable[[Any, Unit], int]  # twelfths of a movement point
    allowance: Callable[[Any, Unit], int]
    barred: Callable[[Any, Any, list[Unit], HexId, HexId], Iterator[str]]
    units: Callable[[Any, list[Unit], Attacked], Iterator[tuple[str, str]]]
    losses_stop: bool  # whether who lost a step or retreated ends its movement
    target: str
    adjacent: str
    cost: Callable[[Any, Unit, int], str]
    together: str
    began: str
    barring: str
    stops: str
    enters: str
    stage: int
    others: tuple[str, ...] = ()


def overrun_of(case: AnyCase, event: Attacked) -> Battle[Any] | None:
    known: list[Battle[Any]] = case.in_phase.battles
    return known[-1] if event.overrun and known and known[-1].number == event.battle else None


def register(rules: Rulebook, of: Overruns) -> None:
    @rules.rule(of.target, of.adjacent, of.together, of.began, of.barring, *of.others)
    @rules.before(Attacked)
    def overruns_are_declared_as_they_may_be(case: AnyCase, event: Attacked) -> Faults:
        battle = overrun_of(case, event)
        if battle is not None:
            units = case.units(event.units)
            told = (*_of_stack(of, case, battle, units), *of.units(case, units, event))
            places = _of_ground(of, case, battle, units)
            for rule, reason in (*told, *places):
                yield Fault(rule, f"{'+'.join(event.units)}: {reason}", event.units, event.targets)

    @rules.rule(of.stops, of.enters)
    @rules.before(Attacked, phases=of.phases)
    def overruns_cost_movement_points(case: AnyCase, event: Attacked) -> Faults:
        battle = overrun_of(case, event)
        for name in battle.attacker.stood if battle is not None else ():
            yield from _of_price(of, case, case.position.units[name])

    @rules.track(Attacked, when=JUDGED, phases=of.phases)
    def note_the_price_of_an_overrun(case: AnyCase, event: Attacked) -> None:
        battle = overrun_of(case, event)
        for name, stood in battle.attacker.stood.items() if battle is not None else ():
            trip = case.in_phase.trips.setdefault(name, Trip(stood, MARCH))
            trip.spent += of.price(case, case.position.units[name])
            trip.ended, trip.entry = True, None
            case.in_phase.stage = max(case.in_phase.stage, of.stage)

    @rules.track(Marked, Moved, Removed, Replaced, StepChanged, when=APPLIED, phases=of.phases)
    def emptied_hexes_are_entered_for_nothing(case: AnyCase, event: Event) -> None:
        """Won: no defender is left, and the stack may go on."""
        battle = _last(case)
        if battle is not None and battle.rolled and len(battle.targets) == 1:
            _heirs_go_on(case, battle)
            if not of.field_of(case).units(battle.targets[0], battle.defender.side):
                _win(of, case, battle)

    @rules.rule(of.stops)
    @rules.before(Moved, phases=of.phases)
    def overrunners_stop_or_enter(case: AnyCase, event: Moved) -> Faults:
        """Entering is not ordinary movement, whatever it is called in the log."""
        for battle, name, trip in _overrunners(case, event):
            enters = battle.won and of.field_of(case).id(event.end) in battle.targets
            if trip.ended and not enters and not (battle.won and event.mode == "advance"):
                cost_it_dear = battle.won and battle.attacker.suffered
                why = "lost steps or retreated" if cost_it_dear else "left a defender in the hex"
                text = f"{name} moves on after an overrun that {why}"
                yield Fault(of.stops, text, (name,))

    @rules.track(Moved, when=JUDGED, phases=of.phases)
    def note_the_entry_of_an_emptied_hex(case: AnyCase, event: Moved) -> None:
        for battle, _, trip in _overrunners(case, event):
            if event.mode == "advance" and of.field_of(case).id(event.end) in battle.targets:
                trip.entry = None

    @rules.rule(of.enters)
    @rules.at_phase_end(*of.phases)
    def emptied_hexes_have_been_entered(case: AnyCase) -> Faults:
        field = of.field_of(case)
        for name, trip in case.in_phase.trips.items():
            unit = case.position.units[name]
            if trip.entry is not None and unit.on_map and field.id(unit.spot) != trip.entry:
                where = field.ground.wording.hex(trip.entry)
                rule = of.stops if trip.ended else of.enters
                yield Fault(rule, f"{name} does not enter {where}, which its overrun emptied", (name,))


def _last(case: AnyCase) -> Battle[Any] | None:
    known: list[Battle[Any]] = case.in_phase.battles
    return known[-1] if known and known[-1].overrun else None


def _of_stack(
    of: Overruns, case: AnyCase, battle: Battle[Any], units: list[Unit]
) -> Iterator[tuple[str, str]]:
    if len(set(battle.attacker.stood.values())) > 1:
        yield of.together, "one stack overruns"
    elif len({begun(case, unit) for unit in units}) > 1:
        yield of.began, "one stack overruns, that began the phase in one hex"


def _of_ground(
    of: Overruns, case: AnyCase, battle: Battle[Any], units: list[Unit]
) -> Iterator[tuple[str, str]]:
    field = of.field_of(case)
    words = field.ground.wording
    if len(battle.targets) != 1 or not battle.defender.steps:
        yield of.target, "an overrun goes against one hex with enemy units"
        return
    target = battle.targets[0]
    for start in set(battle.attacker.stood.values()):
        if not field.board.are_adjacent(start, target):
            yield of.adjacent, f"{words.hex(start)} is not adjacent to {words.hex(target)}"
        elif barred := [*of.barred(case, field, units, start, target)]:
            way = f"{words.hex(start)} to {words.hex(target)}"
            yield of.barring, f"no overrun from {way}: {say.listed(barred)}"


def _of_price(of: Overruns, case: AnyCase, unit: Unit) -> Iterator[Fault]:
    trip = case.in_phase.trips.get(unit.id)
    spent = 0 if trip is None else trip.spent
    if trip is not None and trip.entry is not None:
        yield Fault(of.enters, f"{unit.id} has not entered the hex it emptied", (unit.id,))
    elif trip is not None and trip.ended:
        yield Fault(of.stops, f"{unit.id} had to end its movement with its last overrun", (unit.id,))
        return
    available, cost = max(of.allowance(case, unit) - spent, 0), of.price(case, unit)
    if cost > available and not unsupplied(unit):  # which is told above
        text = f"{unit.id}: an overrun costs {points_text(cost)} MP, {points_text(available)} are left"
        evidence = {"available": points_text(available), "spent": points_text(spent)}
        yield Fault(of.cost(case, unit, available), text, (unit.id,), (), evidence)


def _heirs_go_on(case: AnyCase, battle: Battle[Any]) -> None:
    """A Kampfgruppe that takes the place of a corps takes over its trip."""
    trips = case.in_phase.trips
    for heir, root in battle.attacker.heirs.items():
        if root in trips:
            trips.setdefault(heir, trips[root])


def _win(of: Overruns, case: AnyCase, battle: Battle[Any]) -> None:
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
