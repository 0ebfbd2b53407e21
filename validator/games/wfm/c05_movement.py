"""Chapter 5: who may move, when and together; by land, by sea or by strategic movement.

What a march costs is in `c05_march`, the other two ways of moving in `c05_transport`.
"""

from __future__ import annotations

from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import ENEMY, RULES
from validator.games.wfm.c05_march import (
    KEYS,
    PHASES,
    fault_of_path,
    forbids,
    move_rules,
)
from validator.games.wfm.c05_transport import by_sea, closest, enemies_that_count, load, strategically
from validator.games.wfm.field import field_at_phase_start, field_of
from validator.games.wfm.state import Case
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import marches
from validator.procedures.marches import MARCH, STRATEGIC, Leg, March, Order, by_rules
from validator.procedures.moves import way_of
from validator.procedures.transport import SEA

LAST = 4
STAGES = {SEA: 1, STRATEGIC: 2, MARCH: 3}
STAGE_NAMES = {1: "sea movement", 2: "strategic movement", 3: "ordinary movement", LAST: "airbases or groups"}
OTHERS = (
    *KEYS.values(),
    *("wfm-3.0c", "wfm-4.26a", "wfm-4.27", "wfm-5.11", "wfm-5.21", "wfm-5.22a", "wfm-5.24", "wfm-5.25"),
    *("wfm-5.27", "wfm-5.33", "wfm-5.35", "wfm-5.41", "wfm-5.51", "wfm-5.53a", "wfm-5.53b", "wfm-5.54"),
    *("wfm-5.57a", "wfm-5.57b", "wfm-5.58", "wfm-5.61", "wfm-5.61b", "wfm-5.64", "wfm-5.66", "wfm-9.52"),
    *("wfm-9.53", "wfm-11.23", "wfm-17.41"),
)


# --- stacks (5.12, 5.16) ---------------------------------------------------------------------------


@RULES.rule("wfm-5.12b", "wfm-5.16")
@RULES.before(Moved, phases=PHASES, by_land=True)
def a_stack_moves_once(case: Case, event: Moved) -> Faults:
    """A unit let go, or dropped, has finished; overruns have rules of their own."""
    last = case.in_phase.last_moved
    for name in set(event.units) - set(last):
        trip = case.in_phase.trips.get(name)
        if trip is None or trip.overran or trip.ended:
            continue
        if name in case.in_phase.dropped:
            text = f"{name} was dropped from its stack, which ended its movement, and moves again"
            yield Fault("wfm-5.12b", text, (name,))
        else:
            text = f"{name} moves again after {'+'.join(last)} had moved: its move was over"
            yield Fault("wfm-5.16", text, (name,), verdict=Verdict.WARNING)


@RULES.track(Moved, when=JUDGED, phases=PHASES, by_land=True)
def note_who_moved_last(case: Case, event: Moved) -> None:
    if way_of(field_of(case), event) is not None:
        left = set(case.in_phase.last_moved).difference(event.units)
        if set(event.units) < set(case.in_phase.last_moved):
            case.in_phase.dropped.update(left)
        case.in_phase.last_moved = event.units


# --- the order of movement (3.0, 5.33) ---------------------------------------------------------------


def stage_of(case: Case, unit: Unit, mode: str) -> int:
    """Sea, strategic, ordinary movement, and last the airbases or support groups."""
    return LAST if unit.has("moves-last") else STAGES[mode]


def late(case: Case, unit: Unit, stage: int, event: Moved) -> Fault | None:
    if case.phase == "ger-mech":
        return None
    text = f"{unit.id} moves by {STAGE_NAMES[stage]} after {STAGE_NAMES[case.in_phase.stage]} had begun"
    if case.in_phase.stage == LAST:
        return Fault("wfm-5.33", text, (unit.id,))
    profits = stage == STAGES[STRATEGIC] and _was_too_near(case, unit, event)
    return Fault("wfm-3.0c", text, (unit.id,), verdict=Verdict.ILLEGAL if profits else Verdict.WARNING)


def _was_too_near(case: Case, unit: Unit, event: Moved) -> bool:
    """A strategic move that enemies forbade when the phase began, and overruns have opened."""
    before = field_at_phase_start(case)
    near = before.board.near(enemies_that_count(case, before, ENEMY[unit.side]), closest(case) - 1)
    return any(near[hex_id] for hex_id in before.ids((event.start, event.end)))


# --- the move itself ----------------------------------------------------------------------------


def bars(case: Case, unit: Unit, event: Moved) -> tuple[str, str] | None:
    if case.phase != "ger-mech" or unit.has("panzer"):
        return None
    return "wfm-5.35", "is no German panzer unit and does not move in this phase"


def booked(case: Case, leg: Leg) -> None:
    case.in_turn.modes.setdefault(leg.unit.id, set()).add((case.phase, leg.mode))
    if leg.mode == SEA:
        case.in_phase.ships.book(load(leg.unit, leg.way))


marches.register(
    RULES,
    March(
        phases=PHASES,
        field_of=field_of,
        best_way=by_rules(move_rules),
        fault_of=fault_of_path,
        forbids=forbids,
        modes={SEA: by_sea, STRATEGIC: strategically},
        side="wfm-5.31",
        off_map="wfm-5.22b",
        immobile="wfm-5.14",
        together="wfm-5.12a",
        order=Order(stage_of, late),
        others=OTHERS,
        booked=booked,
        bars=bars,
    ),
)
