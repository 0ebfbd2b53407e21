"""Chapter 6: overruns, battles inside a move. Chapter 8 is imported first: it opens the battle."""

from __future__ import annotations

from collections.abc import Iterator

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import ONE, points_text
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wfm.battles import MOVING, Battle, Party, battles
from validator.games.wfm.book import RULES, SOVIET
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c05_march import PHASES, allowance
from validator.games.wfm.c08_combat import WATER
from validator.games.wfm.c10_air import standing_city
from validator.games.wfm.field import SNOW, Field, field_of
from validator.games.wfm.state import Case, Trip
from validator.games.wfm.travel import MARCH, STAGES, trip_of
from validator.model.events import Attacked, Event, Marked, Moved, Removed, Replaced, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.field import printed
from validator.procedures.supplymarks import unsupplied

RIVERS = ("minor-river", "major-river", "strait")
NO_ICE = (*WATER, "ice-road")


def overrun_of(case: Case, event: Attacked) -> Battle | None:
    known = battles(case)
    return known[-1] if event.overrun and known and known[-1].number == event.battle else None


def price(case: Case, unit: Unit) -> int:
    """3 MP, for Soviet units in snow 2 (6.1, 11.29)."""
    return (2 if unit.side == SOVIET and case.season == SNOW else 3) * ONE


# --- declaring (6.1, 6.2) -------------------------------------------------------------------------


@RULES.rule("wfm-6.1b", "wfm-6.21", "wfm-6.22", "wfm-6.23a", "wfm-6.23b", "wfm-6.28", "wfm-8.65")
@RULES.before(Attacked)
def overruns_are_declared_as_they_may_be(case: Case, event: Attacked) -> Faults:
    battle = overrun_of(case, event)
    if battle is None:
        return
    field = field_of(case)
    units = [case.position.units[name] for name in event.units]
    yield from _of_phase(case, units, event)
    for unit in units:
        if unsupplied(unit):
            yield Fault("wfm-6.22", f"{unit.id} is out of supply and does not overrun", (unit.id,))
    yield from _of_stack(case, field, battle, units, event)
    yield from _of_ground(case, field, battle, units, event)


def _of_phase(case: Case, units: list[Unit], event: Attacked) -> Iterator[Fault]:
    strays = tuple(unit.id for unit in units if PHASES.get(case.phase) != unit.side)
    if strays:
        yield Fault("wfm-6.21", f"{'+'.join(strays)} overruns outside its own movement phase", strays)
    elif case.phase == "ger-mech" and (slow := tuple(u.id for u in units if not u.has("panzer"))):
        yield Fault("wfm-6.21", f"{'+'.join(slow)} overruns in the phase of the panzer units", slow)
    groups = [name for name in case.in_phase.journal.trips if case.position.units[name].has("osg")]
    if groups and case.phase == "sov-move":
        text = f"{'+'.join(event.units)} overruns after {groups[0]} has moved"
        yield Fault("wfm-8.65", text, event.units)


def _of_stack(
    case: Case, field: Field, battle: Battle, units: list[Unit], event: Attacked
) -> Iterator[Fault]:
    stood = set(battle.attacker.stood.values())
    verdict = stack(case, units, battle.attacker.side)
    if len(stood) > 1 or verdict.load > verdict.limit:
        yield Fault(
            "wfm-6.23b", f"{'+'.join(event.units)}: one stack overruns, within its limit", event.units
        )
        return
    begun = {case.phase_start.units[unit.id].spot for unit in units}
    if len(begun) > 1:
        text = f"{'+'.join(event.units)} did not begin the phase in one hex"
        yield Fault("wfm-6.23a", text, event.units)
    paces = {printed(unit, "movement") for unit in units}
    if len(paces) > 1:
        text = f"{'+'.join(event.units)} have {say.listed([str(p) for p in sorted(paces)])} MP"
        yield Fault("wfm-6.23a", text, event.units)


def _of_ground(
    case: Case, field: Field, battle: Battle, units: list[Unit], event: Attacked
) -> Iterator[Fault]:
    words = field.ground.wording
    if len(battle.targets) != 1:
        yield Fault("wfm-6.1b", "an overrun goes against one hex", event.units, event.targets)
        return
    target = battle.targets[0]
    if not any(unit.side == battle.defender.side for unit in field.units(target)):
        yield Fault("wfm-6.1b", f"no enemy unit is in {words.hex(target)}", event.units, event.targets)
    for start in set(battle.attacker.stood.values()):
        if not field.board.are_adjacent(start, target):
            text = f"{words.hex(start)} is not adjacent to {words.hex(target)}"
            yield Fault("wfm-6.1a", text, event.units, event.targets)
        elif barred := [*_barred(case, field, units, start, target)]:
            text = f"no overrun from {words.hex(start)} to {words.hex(target)}: {say.listed(barred)}"
            yield Fault("wfm-6.28", text, event.units, event.targets)


def _barred(case: Case, field: Field, units: list[Unit], start: HexId, target: HexId) -> Iterator[str]:
    free = case.turn == 1 and all(unit.has("german") for unit in units) and _rivers_free(case)
    crossed = set(field.board.side_of(start, target))
    for kind in (*NO_ICE, *(() if free else RIVERS)):
        if kind in crossed:
            yield field.ground.wording.name(kind)
    terrain = field.board.terrain[target]
    if standing_city(case, field, target):
        yield "a major city or fortress"
    elif terrain == "mountain" or (terrain == "swamp" and field.season != SNOW):
        yield terrain


def _rivers_free(case: Case) -> bool:
    return any(rule.id == "rivers-ignored" for rule in case.scenario.special_rules)


# --- paying (6.1) ------------------------------------------------------------------------------------


@RULES.rule("wfm-6.1a", "wfm-11.29", "wfm-6.26", "wfm-6.27a")
@RULES.before(Attacked, phases=MOVING)
def overruns_cost_movement_points(case: Case, event: Attacked) -> Faults:
    battle = overrun_of(case, event)
    for name in event.units if battle is not None else ():
        if battle is not None and name in battle.attacker.stood:
            unit = case.position.units[name]
            trip = trip_of(case, unit) or Trip(battle.attacker.stood[name], MARCH)
            yield from _of_price(case, unit, trip)


@RULES.track(Attacked, when=JUDGED, phases=MOVING)
def note_the_price_of_an_overrun(case: Case, event: Attacked) -> None:
    battle, book = overrun_of(case, event), case.in_phase.journal
    if battle is None:
        return
    for name in event.units:
        if name in battle.attacker.stood:
            trip = book.trips.setdefault(name, Trip(battle.attacker.stood[name], MARCH))
            trip.spent += price(case, case.position.units[name])
            trip.ended, trip.entry = True, None
            case.in_turn.modes.setdefault(name, set()).add(MARCH)
    book.last_moved = event.units
    if case.phase != "ger-mech":
        book.stage = max(book.stage, STAGES[MARCH])


def _of_price(case: Case, unit: Unit, trip: Trip) -> Iterator[Fault]:
    if trip.entry is not None:
        yield Fault("wfm-6.27a", f"{unit.id} has not entered the hex it emptied", (unit.id,))
    elif trip.ended:
        yield Fault("wfm-6.26", f"{unit.id} had to end its movement with its last overrun", (unit.id,))
        return
    available, cost = allowance(unit) * ONE - trip.spent, price(case, unit)
    if cost <= available or unsupplied(unit):
        return
    in_snow = unit.side == SOVIET and case.season != SNOW and available >= 2 * ONE
    text = f"{unit.id}: an overrun costs {points_text(cost)} MP, {points_text(max(available, 0))} are left"
    evidence = {"available": points_text(max(available, 0)), "spent": points_text(trip.spent)}
    yield Fault("wfm-11.29" if in_snow else "wfm-6.1a", text, (unit.id,), (), evidence)


# --- what follows (6.26, 6.27) ---------------------------------------------------------------------


@RULES.track(Marked, Moved, Removed, Replaced, StepChanged, when=APPLIED, phases=MOVING)
def emptied_hexes_are_entered_for_nothing(case: Case, event: Event) -> None:
    """Won: no defender is left. Then the stack may go on, unless it lost a step or retreated."""
    known = battles(case)
    battle = known[-1] if known else None
    if battle is None or not battle.overrun or not battle.rolled or len(battle.targets) != 1:
        return
    field, party = field_of(case), battle.attacker
    _heirs_go_on(case, party)
    if any(unit.side == battle.defender.side for unit in field.units(battle.targets[0])):
        return
    for name in party.steps:
        trip = case.in_phase.journal.trips.get(name)
        if trip is None or not party.alive(name) or name in party.paths:
            continue
        if not battle.won:
            trip.entry, trip.overran = battle.targets[0], trip.overran + 1
        trip.ended = party.suffered
    battle.won = True


def _heirs_go_on(case: Case, party: Party) -> None:
    """A Kampfgruppe that takes the place of a corps takes over its trip."""
    book = case.in_phase.journal
    for heir, root in party.heirs.items():
        if root in book.trips:
            book.trips.setdefault(heir, book.trips[root])
    book.last_moved += tuple(heir for heir in party.heirs if heir not in book.last_moved)


@RULES.before(Moved, phases=MOVING)
def overrunners_stop_or_enter(case: Case, event: Moved) -> Faults:
    """6.26; entering is not ordinary movement, whatever it is called in the log."""
    for battle, name, trip in _overrunners(case, event):
        if trip.ended and not _enters(case, battle, event):
            why = "lost steps or retreated" if battle.attacker.suffered else "left a defender in the hex"
            yield Fault("wfm-6.26", f"{name} moves on after an overrun that {why}", (name,))


def _overrunners(case: Case, event: Moved) -> Iterator[tuple[Battle, str, Trip]]:
    """Units of the last overrun that move."""
    trips = case.in_phase.journal.trips
    for battle in (b for b in battles(case)[-1:] if b.overrun and event.mode != "retreat"):
        for name in event.units:
            if battle.attacker.holds(name) and name in trips:
                yield battle, name, trips[name]


def _enters(case: Case, battle: Battle, event: Moved) -> bool:
    return battle.won and field_of(case).id(event.end) in battle.targets


@RULES.track(Moved, when=JUDGED, phases=MOVING)
def note_the_entry_of_an_emptied_hex(case: Case, event: Moved) -> None:
    for battle, _, trip in _overrunners(case, event):
        if event.mode == "advance" and _enters(case, battle, event):
            trip.entry = None


@RULES.rule("wfm-6.26", "wfm-6.27a")
@RULES.at_phase_end(*MOVING)
def emptied_hexes_have_been_entered(case: Case) -> Faults:
    for name, trip in case.in_phase.journal.trips.items():
        unit = case.position.units[name]
        if trip.entry is None or not unit.on_map or field_of(case).id(unit.spot) == trip.entry:
            continue
        where = field_of(case).ground.wording.hex(trip.entry)
        rule = "wfm-6.26" if trip.ended else "wfm-6.27a"
        yield Fault(rule, f"{name} does not enter {where}, which its overrun emptied", (name,))
