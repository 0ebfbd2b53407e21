"""Chapter 5: who may move, when and together; by land, by sea or by strategic movement.

What a march costs is in `c05_march`, the other two ways of moving in `c05_transport`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.engine.rulebook import LAST as LAST_OF_ALL
from validator.games.wfm.book import AXIS, ENEMY, RULES
from validator.games.wfm.c05_march import KEYS, PHASES, marching, spent_on
from validator.games.wfm.c05_transport import by_sea, closest, enemies_that_count, load, strategically
from validator.games.wfm.field import Field, field_at_phase_start, field_of
from validator.games.wfm.state import Case, Trip
from validator.games.wfm.travel import (
    LAST,
    MARCH,
    SEA,
    STAGE_NAMES,
    STAGES,
    STRATEGIC,
    entry_of,
    paid_way,
    trip_of,
)
from validator.model.events import Moved, Placed, Spot
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.field import printed
from validator.procedures.moves import AFTER_COMBAT, by_land, movers, way_of

OF_WAYS = (
    *KEYS.values(),
    *("wfm-5.11", "wfm-4.26a", "wfm-4.27", "wfm-5.21", "wfm-5.22a", "wfm-5.22b", "wfm-5.24", "wfm-5.25"),
    *("wfm-5.27", "wfm-5.41", "wfm-5.64", "wfm-5.66", "wfm-9.52", "wfm-9.53", "wfm-11.23", "wfm-5.51"),
    *("wfm-5.53a", "wfm-5.53b", "wfm-5.54", "wfm-5.57a", "wfm-5.57b", "wfm-5.58", "wfm-5.61", "wfm-5.61b"),
    "wfm-17.41",
)
WAYS = frozenset((*OF_WAYS, "wfm-5.31", "wfm-5.35"))
"""Rules by which a move is wrong as a whole."""

# --- who may move, and when --------------------------------------------------------------------


@RULES.rule("wfm-5.31")
@RULES.before(Moved, phases=PHASES)
def only_the_phasing_side_moves(case: Case, event: Moved) -> Faults:
    for unit in movers(case, event) if by_land(event) else ():
        if unit.side != PHASES[case.phase]:
            yield Fault("wfm-5.31", f"{unit.id} moves in the other side's movement phase", (unit.id,))


@RULES.rule("wfm-5.35")
@RULES.before(Moved, phases=["ger-mech"])
def only_panzers_move_in_the_mechanized_phase(case: Case, event: Moved) -> Faults:
    for unit in movers(case, event) if by_land(event) else ():
        if unit.side == AXIS and not unit.has("panzer"):
            yield Fault(
                "wfm-5.35", f"{unit.id} is no German panzer unit and does not move in this phase", (unit.id,)
            )


@RULES.rule("wfm-5.14")
@RULES.before(Moved)
def units_without_movement_points_stay(case: Case, event: Moved) -> Faults:
    """Chapter 8.10 tells of retreats and advances."""
    for unit in movers(case, event) if event.mode not in AFTER_COMBAT else ():
        if printed(unit, "movement") == 0 and not isinstance(event.end, str):
            yield Fault("wfm-5.14", f"{unit.id} has 0 movement points and never moves", (unit.id,))


@RULES.rule("wfm-5.12a", "wfm-5.12b", "wfm-5.16")
@RULES.before(Moved, phases=PHASES)
def a_stack_moves_once_and_together(case: Case, event: Moved) -> Faults:
    """Only units that began in one hex go as a stack; a unit let go, or dropped, has finished."""
    if not by_land(event):
        return
    book = case.in_phase.journal
    units = movers(case, event)
    if len({_begun(case, unit) for unit in units}) > 1:
        yield Fault(
            "wfm-5.12a",
            f"{'+'.join(event.units)} move as one stack but began the phase in different hexes",
            event.units,
        )
    for unit in units:
        trip = book.trips.get(unit.id)
        if trip is None or (trip.overran and not trip.ended):
            continue
        if trip.ended:
            continue  # the overrun's own rule speaks
        if unit.id in book.last_moved and len(book.last_moved) > len(units):
            continue  # the stack goes on and drops units on the way
        if unit.id not in book.last_moved:
            if unit.id in book.dropped:
                text = f"{unit.id} was dropped from its stack, which ended its movement, and moves again"
                yield Fault("wfm-5.12b", text, (unit.id,))
            else:
                text = f"{unit.id} moves again after {'+'.join(book.last_moved)} had moved: its move was over"
                yield Fault("wfm-5.16", text, (unit.id,), verdict=Verdict.WARNING)


def _begun(case: Case, unit: Unit) -> Spot | None:
    """Where a unit stood when the moving began; arrivals are placed before (13.11)."""
    placed = [e.spot for e in case.in_phase.events if isinstance(e, Placed) and e.unit == unit.id]
    return placed[-1] if placed else case.phase_start.units[unit.id].spot


@RULES.rule("wfm-3.0c", "wfm-5.33")
@RULES.after(Moved, phases=PHASES)
def kinds_of_movement_keep_their_order(case: Case, event: Moved) -> Faults:
    """Sea, strategic, ordinary movement, and last the airbases or support groups."""
    if not by_land(event) or case.phase == "ger-mech" or _is_blamed(case):
        return
    book = case.in_phase.journal
    for unit in movers(case, event):
        mode = _mode(case, unit)
        stage = STAGES[mode]
        if stage < book.stage:
            last = book.stage == STAGES[LAST]
            later, now = STAGE_NAMES[book.stage], STAGE_NAMES[stage]
            harmless = not _profits(case, unit, mode, event)
            yield Fault(
                "wfm-5.33" if last else "wfm-3.0c",
                f"{unit.id} moves by {now} after {later} had begun",
                (unit.id,),
                verdict=Verdict.WARNING if harmless else Verdict.ILLEGAL,
            )


def _mode(case: Case, unit: Unit) -> str:
    trip = trip_of(case, unit)
    return LAST if unit.has("moves-last") else trip.mode if trip else MARCH


def _is_blamed(case: Case) -> bool:
    """A move that was found wrong: what follows from it is not told again."""
    return any(fault.verdict is Verdict.ILLEGAL and fault.rule in WAYS for fault in case.faults)


@RULES.track(Moved, when=LAST_OF_ALL, phases=PHASES)
def note_the_kind_of_movement(case: Case, event: Moved) -> None:
    if by_land(event) and case.phase != "ger-mech" and not _is_blamed(case):
        stages = [STAGES[_mode(case, unit)] for unit in movers(case, event)]
        case.in_phase.journal.stage = max([case.in_phase.journal.stage, *stages])


def _profits(case: Case, unit: Unit, mode: str, event: Moved) -> bool:
    """A late strategic move that enemies forbade when the phase began, and overruns have opened."""
    before = field_at_phase_start(case)
    if mode != STRATEGIC:
        return False
    near = before.board.near(enemies_that_count(case, before, ENEMY[unit.side]), closest(case) - 1)
    ends = (before.id(spot) for spot in (event.start, event.end))
    return any(hex_id is not None and near[hex_id] for hex_id in ends)


# --- the move itself ----------------------------------------------------------------------------


@RULES.rule(*OF_WAYS)
@RULES.before(Moved, phases=PHASES)
def the_way_is_open_and_affordable(case: Case, event: Moved) -> Faults:
    """As declared; a move that declares nothing may be ordinary, strategic or by sea."""
    if not by_land(event):
        return
    field = field_of(case)
    shown = way_of(field, event)
    if shown is None:
        yield Fault("wfm-5.22b", f"{'+'.join(event.units)} leaves the map in play", event.units)
        return
    if not any(_wrong_phase(case, unit) for unit in movers(case, event)):
        for leg in legs(case, event):
            yield from leg.faults


def _wrong_phase(case: Case, unit: Unit) -> bool:
    """5.31 and 5.35 tell of these."""
    slow = case.phase == "ger-mech" and not unit.has("panzer")
    return unit.side != PHASES[case.phase] or slow


@dataclass(frozen=True)
class Leg:
    """What one unit of a move did."""

    unit: Unit
    way: list[HexId]
    mode: str
    faults: list[Fault]
    spent: int  # twelfths of a movement point


def legs(case: Case, event: Moved) -> list[Leg]:
    return case.about("legs", lambda: list(_legs(case, event)))


def _legs(case: Case, event: Moved) -> Iterator[Leg]:
    field = field_of(case)
    shown = way_of(field, event) or []
    way = paid_way(case, event.units, shown) if shown else shown
    for unit in movers(case, event) if len(way) > 1 else ():
        if printed(unit, "movement"):
            mode, faults = _best_mode(case, field, unit, way, event)
            spent = spent_on(case, field, unit, way, event) if mode == MARCH else 0
            yield Leg(unit, way, mode, faults, spent)


@RULES.track(Moved, when=JUDGED, phases=PHASES)
def note_the_move(case: Case, event: Moved) -> None:
    book = case.in_phase.journal
    if not by_land(event) or way_of(field_of(case), event) is None:
        return
    done = legs(case, event)
    entered = entry_of(case, event.units) is not None
    for name in event.units if entered else ():
        if name in book.trips:
            book.trips[name].entry = None
    for leg in done:
        trip = book.trips.setdefault(leg.unit.id, Trip(leg.way[0], leg.mode))
        trip.mode, trip.spent, trip.overran = leg.mode, trip.spent + leg.spent, 0
        case.in_turn.modes.setdefault(leg.unit.id, set()).add(leg.mode)
        if leg.mode == SEA:
            book.ships.book(load(leg.unit, leg.way))
    book.moved(event.units)


def _best_mode(
    case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> tuple[str, list[Fault]]:
    """How a unit moved, and what is wrong with it: the first way of moving that fits, else the likeliest."""
    known = {SEA: by_sea, STRATEGIC: strategically}
    if event.mode in known:
        return event.mode, list(known[event.mode](case, field, unit, way, event))
    marched = list(marching(case, field, unit, way, event))
    if event.mode == MARCH or not _forbidden(marched):
        return MARCH, marched
    for mode, judge in known.items():
        found = list(judge(case, field, unit, way, event))
        if not _forbidden(found):
            return mode, found
    return MARCH, marched


def _forbidden(faults: list[Fault]) -> bool:
    return any(fault.verdict is Verdict.ILLEGAL for fault in faults)
