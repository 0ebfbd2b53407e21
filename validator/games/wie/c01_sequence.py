"""Chapter 1: turns and phases in their order; who has won."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.core.sequence import Moment
from validator.engine.rulebook import LAST, Faults
from validator.games.wie.book import (
    AXIS,
    BASE,
    BLITZ,
    ENEMY,
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
from validator.procedures.ask_each import each, units_of

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


def held_by(field: Field, side: str, *names: str) -> bool:
    """Whether a side holds all these places."""
    hexes = [field.ground.named(name) for name in names]
    return all(h is not None and field.holder(h) == side for h in hexes)


@RULES.rule("wie-vic.1")
@RULES.before(PhaseBegan, Moved, Placed)
def the_game_is_over_with_berlin(case: Case, event: Event) -> Faults:
    if case.in_game.over != BERLIN or (isinstance(event, PhaseBegan) and event.phase == case.phase):
        return
    yield Fault("wie-vic.1", "Berlin is Soviet: the game is over", once="over")


@RULES.track_start()
def berlin_has_fallen(case: Case) -> None:
    """Before the log begins, as well."""
    if held_by(field_of(case), SOVIET, BERLIN):
        case.in_game.over = BERLIN


@RULES.track(Moved, when=LAST, phases=PLAYER_TURNS)
def berlin_falls(case: Case, event: Moved) -> None:
    field = field_of(case)
    if field.ground.named(BERLIN) in field.ids(event.path) and held_by(field, SOVIET, BERLIN):
        case.in_game.over = BERLIN


@RULES.track_start()
@RULES.track(Moved, Placed, when=LAST, phases=PLAYER_TURNS)
def one_of_the_three_is_lost(case: Case, event: Event | None = None) -> None:
    """Leningrad, Moscow and Stalingrad are to be held together for a whole turn (1)."""
    if not held_by(field_of(case), AXIS, *TRIO):
        case.in_game.trio_broken = case.turn


def _berlin_fell(case: Case, field: Field) -> bool:
    return case.in_game.over == BERLIN or held_by(field, SOVIET, BERLIN)


def _thirty_in_time(case: Case, field: Field) -> bool:
    return reds_of(field, SOVIET) >= THIRTY and case.turn <= THIRTY_TURN


def _ten_in_germany(case: Case, field: Field) -> bool:
    return in_germany(field) >= TEN


def _all_are_german(case: Case, field: Field) -> bool:
    return reds_of(field, AXIS) == len(field.ground.values)


def _trio_for_a_turn(case: Case, field: Field) -> bool:
    """Held now, as the last turn ended, and all the time; a log that does not show that turn is believed."""
    game = case.in_game
    whole = (game.trio > 0 or not game.from_start) and game.trio_broken < case.turn
    return whole and case.turn < LAST_TURN and held_by(field, AXIS, *TRIO)


def _survived(case: Case, field: Field) -> bool:
    return case.turn >= LAST_TURN


@dataclass(frozen=True)
class Victory:
    """A level of victory of a side: its rule, whether it is reached now, and what a false claim is told."""

    rule: str
    reached: Callable[[Case, Field], bool]
    lacking: str


VICTORS = {"soviet": SOVIET, "axis": AXIS, "german": AXIS}
LEVELS = ("decisive", "substantive", "marginal")
VICTORIES = {
    (SOVIET, "decisive"): Victory(
        "wie-vic.1", _berlin_fell, "a decisive Soviet victory is claimed, and Berlin has not fallen"
    ),
    (SOVIET, "substantive"): Victory(
        "wie-vic.2",
        _thirty_in_time,
        "{soviet} red cities are Soviet in turn {turn}: " + f"{THIRTY} by turn {THIRTY_TURN} are asked",
    ),
    (SOVIET, "marginal"): Victory(
        "wie-vic.2", _ten_in_germany, "{there} Soviet units stand in Germany, and " + f"{TEN} are asked"
    ),
    (AXIS, "decisive"): Victory("wie-vic.3", _all_are_german, "only {axis} of {all} red cities are German"),
    (AXIS, "substantive"): Victory(
        "wie-vic.3",
        _trio_for_a_turn,
        f"{', '.join(TRIO)} have not been held for a whole turn before turn {LAST_TURN}",
    ),
    (AXIS, "marginal"): Victory(
        "wie-vic.3", _survived, f"Germany has not survived to the end of turn {LAST_TURN}"
    ),
}
"""What a side has to show for its victory, the greatest first."""
SURVIVAL = (AXIS, "marginal")


@RULES.track_end(*both(SUPPLY))
def what_was_reached_is_remembered(case: Case) -> None:
    """Who has reached what at the end of his action 5; the game turn ends with the last of them."""
    field, game, side = field_of(case), case.in_game, side_of(case.phase)
    for key, victory in VICTORIES.items():
        if key[0] == side and key != SURVIVAL and victory.reached(case, field):
            game.reached.setdefault(key, case.turn)
    if case.phase == case.sequence.of_turn(case.turn)[-1]:
        game.trio = game.trio + 1 if held_by(field, AXIS, *TRIO) else 0


@RULES.rule("wie-vic.1", "wie-vic.2", "wie-vic.3", "wie-vic.4")
@RULES.before(Declared, what="victory")
def victory_as_the_rules_have_it(case: Case, event: Declared) -> Faults:
    said, field = event.value.lower(), field_of(case)
    if part_of(case.phase) != SUPPLY and case.in_game.over != BERLIN:
        text = f"victory is claimed in the {case.phase_name()}, not at the end of action 5"
        yield Fault("wie-vic.4", text, verdict=Verdict.WARNING)
    whose = next((side for word, side in VICTORS.items() if word in said), "")
    level = next((level for level in LEVELS if level in said), "")
    victory = VICTORIES.get((whose, level))
    if victory is None:
        return
    if (whose, level) in case.in_game.reached or victory.reached(case, field):
        yield from _what_denies(case, field, whose, level)
    else:
        yield Fault(victory.rule, victory.lacking.format(**_counted(case, field)))


def _counted(case: Case, field: Field) -> dict[str, int]:
    held = {side: reds_of(field, side) for side in (AXIS, SOVIET)}
    return {**held, "all": len(field.ground.values), "there": in_germany(field), "turn": case.turn}


def _what_denies(case: Case, field: Field, side: str, level: str) -> Faults:
    """A victory that the enemy reached before. A marginal one of Germany denies any to him to the end."""
    rule, survives, turns = VICTORIES[side, level].rule, (side, level) == SURVIVAL, {**case.in_game.reached}
    if survives:
        turns |= {key: case.turn for key, victory in VICTORIES.items() if victory.reached(case, field)}
    theirs = [name for whose, name in VICTORIES if whose == ENEMY[side] and (whose, name) in turns]
    for name in theirs[:1]:
        turn = turns[ENEMY[side], name]
        sure = survives and (turn == case.turn or name != "marginal")  # ten may be asked of turn 24 alone
        text = f"a {name} {NAMES[ENEMY[side]]} victory was reached in turn {turn}"
        yield Fault(rule, text, verdict=faults.unless(not sure))
    if survives and not theirs and case.phase != case.sequence.of_turn(case.turn)[-1]:
        text = f"survival is claimed before the end of turn {LAST_TURN}"
        yield Fault(rule, text, verdict=Verdict.WARNING)
