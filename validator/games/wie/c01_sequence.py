"""Chapter 1: turns and phases in their order; who has won."""

from __future__ import annotations

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

LAST_TURN, THIRTY, THIRTY_TURN, TEN = 24, 30, 18, 10
TRIO = ("Leningrad", "Moscow", "Stalingrad")
BERLIN = "Berlin"


# --- phases -------------------------------------------------------------------------------------------------


@RULES.rule("wie-seq.1", "wie-seq.2", "wie-seq.4", "wie-scn.1", "wie-scn.2", "wie-scn.3", "wie-scn.4")
@RULES.before(PhaseBegan)
def phases_follow_one_another(case: Case, event: PhaseBegan) -> Faults:
    """Phases in which nothing is done may be passed over; none is gone back to."""
    now, then = Moment(case.turn, case.phase), Moment(event.turn, event.phase)
    if event.turn > LAST_TURN:
        yield Fault("wie-seq.4", f"turn {event.turn} begins, and the game ends with turn {LAST_TURN}")
        return
    if now == then or not case.in_game.events:
        return
    if case.sequence.between(now, then) is None:
        back = (
            side_of(event.phase) and side_of(event.phase) != side_of(case.phase) and event.turn == case.turn
        )
        text = f"turn {then.turn}, {case.phase_name(then.phase)}, comes before turn {now.turn}, "
        text += case.phase_name(now.phase)
        rule = _of_scenario(case) if back and case.turn == case.scenario.first_turn else "wie-seq.1"
        yield Fault(rule if back else "wie-seq.2", text)
    elif then.turn > now.turn + 1:
        text = f"the turn goes on from {now.turn} to {then.turn}, not by one"
        yield Fault("wie-seq.4", text, verdict=Verdict.WARNING)


def _of_scenario(case: Case) -> str:
    """The rule that says who moves first in a scenario."""
    rules = {"barbarossa": "wie-scn.1", "typhoon": "wie-scn.2", "uranus": "wie-scn.3", "citadel": "wie-scn.4"}
    return rules.get(case.scenario.id.removesuffix("-free"), "wie-seq.1")


@RULES.rule("wie-seq.1")
@RULES.before(Placed, phases=both(REINFORCE, PLACE, MOVE, REDEPLOY, SUPPLY))
@RULES.before(Moved, phases=both(REINFORCE, PLACE, MOVE, REDEPLOY, SUPPLY), end=Hex)
def each_side_acts_in_its_own_turn(case: Case, event: Moved | Placed) -> Faults:
    """But for planes that defend; in combat both sides act."""
    side, flying = side_of(case.phase), part_of(case.phase) in (MOVE, REDEPLOY)
    for unit in case.units(event.concerned):
        if unit.side != side and not unit.has(PARTISAN) and not (flying and is_air(unit)):
            text = f"{unit.id} is {NAMES[unit.side]} and acts in the {case.phase_name()}"
            yield Fault("wie-seq.1", text, (unit.id,))


ACTION_4, ACTION_3 = (NON_COMBAT, STRATEGIC, BASE), (BLITZ, EXPLOITATION, *MISSIONS, TRANSPORT)


@RULES.rule("wie-seq.2")
@RULES.before(Moved, phases=[*both(MOVE), *both(REDEPLOY)], mode=(*ACTION_4, *ACTION_3))
def ways_of_moving_have_their_action(case: Case, event: Moved) -> Faults:
    """Redeployment and changes of base in action 4, blitz and missions in action 3; a slip of the word."""
    early = part_of(case.phase) == MOVE and event.mode in (*ACTION_4, EXPLOITATION)
    if early or (part_of(case.phase) == REDEPLOY and event.mode in ACTION_3):
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
    field, said = field_of(case), event.value.lower()
    if part_of(case.phase) != SUPPLY and case.in_game.over != BERLIN:
        text = f"victory is claimed in the {case.phase_name()}, not at the end of action 5"
        yield Fault("wie-vic.4", text, verdict=Verdict.WARNING)
    if "soviet" in said:
        yield from _soviet(case, field, said)
    elif "axis" in said or "german" in said:
        yield from _axis(case, field, said)


def _soviet(case: Case, field: Field, said: str) -> Faults:
    if "decisive" in said and case.in_game.over != BERLIN and not held_by(field, SOVIET, BERLIN):
        yield Fault("wie-vic.1", "a decisive Soviet victory is claimed, and Berlin has not fallen")
    elif "substantive" in said:
        held = reds_of(field, SOVIET)
        if held < THIRTY or case.turn > THIRTY_TURN:
            text = (
                f"{held} red cities are Soviet in turn {case.turn}: {THIRTY} by turn {THIRTY_TURN} are asked"
            )
            yield Fault("wie-vic.2", text)
    elif "marginal" in said and in_germany(field) < TEN:
        text = f"{in_germany(field)} Soviet units stand in Germany, and {TEN} are asked"
        yield Fault("wie-vic.2", text)


def _axis(case: Case, field: Field, said: str) -> Faults:
    if "decisive" in said and reds_of(field, AXIS) < len(field.ground.values):
        text = f"only {reds_of(field, AXIS)} of {len(field.ground.values)} red cities are German"
        yield Fault("wie-vic.3", text)
    elif "substantive" in said:
        whole = case.in_game.trio > 0 or not case.in_game.from_start
        if not (held_by(field, AXIS, *TRIO) and whole and case.turn < LAST_TURN):
            text = f"{', '.join(TRIO)} have not been held for a whole turn before turn {LAST_TURN}"
            yield Fault("wie-vic.3", text)
    elif "marginal" in said:
        fallen = in_germany(field) >= TEN or held_by(field, SOVIET, BERLIN)
        if case.turn < LAST_TURN or fallen:
            yield Fault("wie-vic.3", f"Germany has not survived to the end of turn {LAST_TURN}")
