"""Chapter 1: turns and phases in their order; who has won."""

from __future__ import annotations

from collections.abc import Callable

from fieldpost.hexes import Hex
from validator.core.sequence import Moment
from validator.engine.rulebook import LAST, Faults
from validator.games.wie.book import (
    AXIS,
    BASE,
    BLITZ,
    EXPLOITATION,
    MISSIONS,
    MOVE,
    NAMES,
    NON_COMBAT,
    PLACE,
    PLAYER_TURNS,
    REDEPLOY,
    REINFORCE,
    RULES,
    SOVIET,
    STRATEGIC,
    SUPPLY,
    TRANSPORT,
    both,
    part_of,
    side_of,
)
from validator.games.wie.field import GERMANY, Field, field_of
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, fights, is_air
from validator.model.events import Declared, Event, Moved, PhaseBegan, Placed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.asking import each, units_of

LAST_TURN, THIRTY, THIRTY_TURN, TEN = 24, 30, 18, 10
TRIO = ("Leningrad", "Moscow", "Stalingrad")
BERLIN = "Berlin"


# --- phases -------------------------------------------------------------------------------------------------


@RULES.rule("wie-seq.1", "wie-seq.2", "wie-seq.4", "wie-scn.1", "wie-scn.2", "wie-scn.3", "wie-scn.4")
@RULES.before(PhaseBegan)
def phases_follow_one_another(case: Case, event: PhaseBegan) -> Faults:
    """Phases in which nothing is done may be passed over; none is gone back to."""
    now, then = Moment(case.turn, case.phase), Moment(event.turn, event.phase)
    goes_on = now != then and case.in_game.events
    back = goes_on and case.sequence.between(now, then) is None
    order = f"turn {then.turn}, {case.phase_name(then.phase)}, comes before turn {now.turn}, "
    over = f"turn {then.turn} begins, and the game ends with turn {LAST_TURN}"
    jumps = f"the turn goes on from {now.turn} to {then.turn}, not by one"
    rows: faults.Rows = [
        (then.turn > LAST_TURN, "wie-seq.4", over),
        (back, _rule_of_order(case, event), order + case.phase_name(now.phase)),
    ]
    wrong = [*faults.first_that_holds(rows, "", ())]
    yield from wrong
    if goes_on and not wrong and then.turn > now.turn + 1:
        yield Fault("wie-seq.4", jumps, verdict=Verdict.WARNING)


@RULES.rule("wie-seq.1")
@RULES.at_phase_end(*both(SUPPLY))
def each_side_has_its_turn(case: Case) -> Faults:
    """It may have done nothing in it, or the log is cut: doubtful."""
    side, (first_turn, first_phase) = side_of(case.phase), case.in_game.first
    shown = [event.phase for event in case.in_turn.of(PhaseBegan)]
    shown += [first_phase] if first_turn == case.turn else []
    if side not in map(side_of, shown):
        text = f"nothing of the {NAMES[side]} player turn {case.turn} is shown"
        yield Fault("wie-seq.1", text, verdict=Verdict.WARNING)


def _rule_of_order(case: Case, event: PhaseBegan) -> str:
    """Of the sides, where the other one has moved in this turn; else of the phases."""
    of_sides = side_of(event.phase) not in ("", side_of(case.phase)) and event.turn == case.turn
    first = case.turn == case.scenario.first_turn
    return faults.first_true(
        (of_sides and first, _of_scenario(case)), (of_sides, "wie-seq.1"), otherwise="wie-seq.2"
    )


def _of_scenario(case: Case) -> str:
    """The rule that says who moves first in a scenario."""
    rules = {"barbarossa": "wie-scn.1", "typhoon": "wie-scn.2", "uranus": "wie-scn.3", "citadel": "wie-scn.4"}
    return rules.get(case.scenario.id.removesuffix("-free"), "wie-seq.1")


@RULES.rule("wie-seq.1")
@RULES.before(Placed, phases=both(REINFORCE, PLACE, MOVE, REDEPLOY, SUPPLY))
@RULES.before(Moved, phases=both(REINFORCE, PLACE, MOVE, REDEPLOY, SUPPLY), end=Hex)
@each(units_of)
def each_side_acts_in_its_own_turn(case: Case, event: Moved | Placed, unit: Unit) -> Faults:
    """But for planes that defend; in combat both sides act."""
    flying = part_of(case.phase) in (MOVE, REDEPLOY) and is_air(unit)
    if unit.side != side_of(case.phase) and not unit.has(PARTISAN) and not flying:
        text = f"{unit.id} is {NAMES[unit.side]} and acts in the {case.phase_name()}"
        yield Fault("wie-seq.1", text, (unit.id,))


ACTION_4, ACTION_3 = (NON_COMBAT, STRATEGIC, BASE), (BLITZ, EXPLOITATION, *MISSIONS, TRANSPORT)
NOT_IN = {MOVE: (*ACTION_4, EXPLOITATION), REDEPLOY: ACTION_3}
"""Ways of moving that belong to another part of the turn."""


@RULES.rule("wie-seq.2")
@RULES.before(Moved, phases=[*both(MOVE), *both(REDEPLOY)], mode=(*ACTION_4, *ACTION_3))
def ways_of_moving_have_their_action(case: Case, event: Moved) -> Faults:
    """Redeployment and changes of base in action 4, blitz and missions in action 3; a slip of the word."""
    if event.mode in NOT_IN[part_of(case.phase)]:
        what = event.mode.replace("-", " ")
        text = f"{'+'.join(event.units)} moves ({what}) in the {case.phase_name()}, not in its own action"
        yield Fault("wie-seq.2", text, event.units, verdict=Verdict.WARNING)


# --- victory ------------------------------------------------------------------------------------------------


def reds_of(field: Field, side: str) -> int:
    return sum(field.holder(h) == side for h in field.ground.values)


def in_germany(field: Field) -> int:
    """Soviet ground units in Germany."""
    return sum(fights(u) and field.ground.country(h) == GERMANY for h, u in field.of_side(SOVIET))


@RULES.rule("wie-vic.1")
@RULES.before(PhaseBegan, Moved, Placed)
def the_game_is_over_with_berlin(case: Case, event: Event) -> Faults:
    if case.in_game.over != BERLIN or (isinstance(event, PhaseBegan) and event.phase == case.phase):
        return
    yield Fault("wie-vic.1", "Berlin is Soviet: the game is over", once="over")


@RULES.track(Moved, when=LAST, phases=PLAYER_TURNS)
def berlin_falls(case: Case, event: Moved) -> None:
    field = field_of(case)
    if field.ground.named(BERLIN) in field.ids(event.path) and held_by(field, SOVIET, BERLIN):
        case.in_game.over = BERLIN


def held_by(field: Field, side: str, *names: str) -> bool:
    """Whether a side holds all these places."""
    hexes = [field.ground.named(name) for name in names]
    return all(h is not None and field.holder(h) == side for h in hexes)


@RULES.track_end(*both(SUPPLY))
def the_trio_at_the_end_of_a_turn(case: Case) -> None:
    """Leningrad, Moscow and Stalingrad, at the end of each game turn."""
    phases = case.sequence.of_turn(case.turn)
    if case.phase != phases[-1]:
        return
    case.in_game.trio = case.in_game.trio + 1 if held_by(field_of(case), AXIS, *TRIO) else 0


@RULES.rule("wie-vic.2", "wie-vic.3", "wie-vic.4")
@RULES.before(Declared, what="victory")
def victory_as_the_rules_have_it(case: Case, event: Declared) -> Faults:
    said = event.value.lower()
    if part_of(case.phase) != SUPPLY and case.in_game.over != BERLIN:
        text = f"victory is claimed in the {case.phase_name()}, not at the end of action 5"
        yield Fault("wie-vic.4", text, verdict=Verdict.WARNING)
    whose = next((side for word, side in VICTORS.items() if word in said), "")
    level = next((level for level in LEVELS if level in said), "")
    rows = CLAIMS[whose, level](case, field_of(case)) if whose and level else []
    yield from faults.first_that_holds(rows, "", ())


def _decisive_soviet(case: Case, field: Field) -> faults.Rows:
    fallen = case.in_game.over == BERLIN or held_by(field, SOVIET, BERLIN)
    return [(not fallen, "wie-vic.1", "a decisive Soviet victory is claimed, and Berlin has not fallen")]


def _substantive_soviet(case: Case, field: Field) -> faults.Rows:
    held = reds_of(field, SOVIET)
    text = f"{held} red cities are Soviet in turn {case.turn}: {THIRTY} by turn {THIRTY_TURN} are asked"
    return [(held < THIRTY or case.turn > THIRTY_TURN, "wie-vic.2", text)]


def _marginal_soviet(case: Case, field: Field) -> faults.Rows:
    units = in_germany(field)
    return [(units < TEN, "wie-vic.2", f"{units} Soviet units stand in Germany, and {TEN} are asked")]


def _decisive_axis(case: Case, field: Field) -> faults.Rows:
    held, most = reds_of(field, AXIS), len(field.ground.values)
    return [(held < most, "wie-vic.3", f"only {held} of {most} red cities are German")]


def _substantive_axis(case: Case, field: Field) -> faults.Rows:
    whole = case.in_game.trio > 0 or not case.in_game.from_start
    held = held_by(field, AXIS, *TRIO) and whole and case.turn < LAST_TURN
    text = f"{', '.join(TRIO)} have not been held for a whole turn before turn {LAST_TURN}"
    return [(not held, "wie-vic.3", text)]


def _marginal_axis(case: Case, field: Field) -> faults.Rows:
    lost = case.turn < LAST_TURN or in_germany(field) >= TEN or held_by(field, SOVIET, BERLIN)
    return [(lost, "wie-vic.3", f"Germany has not survived to the end of turn {LAST_TURN}")]


VICTORS = {"soviet": SOVIET, "axis": AXIS, "german": AXIS}
LEVELS = ("decisive", "substantive", "marginal")
CLAIMS: dict[tuple[str, str], Callable[[Case, Field], faults.Rows]] = {
    (SOVIET, "decisive"): _decisive_soviet,
    (SOVIET, "substantive"): _substantive_soviet,
    (SOVIET, "marginal"): _marginal_soviet,
    (AXIS, "decisive"): _decisive_axis,
    (AXIS, "substantive"): _substantive_axis,
    (AXIS, "marginal"): _marginal_axis,
}
"""What a side has to show for its victory."""
