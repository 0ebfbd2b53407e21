"""Chapter 5: retreats, forced and chosen, and who enters a hex that was fought free."""

from __future__ import annotations

from itertools import pairwise

from validator.core.board import HexId
from validator.core.explain import counted
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wie.battles import battle_with, soldiers
from validator.games.wie.book import (
    ADVANCE,
    COMBAT,
    ENEMY,
    EXPLOIT,
    RETREAT,
    RULES,
    SOVIET,
    both,
    part_of,
    side_of,
)
from validator.games.wie.c05_movement import straits_closed
from validator.games.wie.field import STRAIT, Field, field_of
from validator.games.wie.state import Case, PlayerTurn
from validator.games.wie.units import HEADQUARTERS, RAIL_GUN, counts, fights, is_air, is_hq
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.moves import way_of
from validator.procedures.rounds import Engagement

FIGHTING = both(COMBAT, EXPLOIT)
MOST_IN_A_HEX = 6
LONG_TURNS = (1, 2)


def follow_up(case: Case, event: Moved) -> str:
    """Retreat or advance: as the move says, or by a plain word, of defenders and into the attacked hex."""
    if event.mode or part_of(case.phase) != COMBAT:
        return event.mode
    end, ways = field_of(case).id(event.end), []
    for unit in case.units(event.units):
        battle = battle_with(case, unit.id, event.battle)
        side = battle.of(unit.id) if battle is not None and fights(unit) else None
        if battle is None or side is None or (side is battle.attacker and battle.target != end):
            return ""
        ways.append(ADVANCE if side is battle.attacker else RETREAT)
    return ways[0] if len(set(ways)) == 1 else ""


def length_of(case: Case, unit: Unit) -> set[int]:
    """How many hexes a retreat goes: two for Soviets in turns 1 and 2 (5)."""
    if unit.side != SOVIET or case.scenario.first_turn > 1:
        return {1}
    if case.turn in LONG_TURNS:
        return {2}
    both_ = case.turn == 3 and side_of(case.phase) != SOVIET and case.option("soviet-turn-3-retreat") == "two"
    return {2} if both_ else {1}


def open_to(case: Case, field: Field, unit: Unit, hex_id: HexId, more: int = 0) -> str:
    """What stands against a retreat into a hex, where so many more go besides; empty if nothing does."""
    if field.holder(hex_id) != unit.side or field.occupied(ENEMY[unit.side])[hex_id]:
        return "enemy"
    if any(b.target == hex_id and _fought_over(field, b) for b in case.in_phase.battles):
        return "battle"
    there = [u for u in field.units(hex_id, unit.side) if counts(u) and u.id != unit.id]
    return "full" if counts(unit) and len(there) + 1 + more > MOST_IN_A_HEX else ""


def _fought_over(field: Field, battle: Engagement) -> bool:
    return bool(soldiers(field, battle, battle.attacker)) and bool(soldiers(field, battle, battle.defender))


def somewhere_to_go(case: Case, field: Field, unit: Unit) -> bool:
    """Whether a hex is open to its retreat, of the whole length."""
    start = field.id(unit.spot)
    if start is None:
        return False
    reached, links = {start}, field.ground.costs.links()
    for _ in range(max(length_of(case, unit))):
        reached = {h for here in reached for h, _ in links[here] if not open_to(case, field, unit, h)} - {
            start
        }
    return bool(reached)


@RULES.rule("wie-ret.1", "wie-ret.2", "wie-ret.4", "wie-ret.5", "wie-ret.6", "wie-gnd.5")
@RULES.before(Moved, phases=FIGHTING, mode=(RETREAT, ""))
def retreats_by_rule(case: Case, event: Moved) -> Faults:
    """Beside it, or two hexes for Soviets at first; to a friendly hex with room where nobody fights."""
    field = field_of(case)
    way = way_of(field, event)
    if way is None or follow_up(case, event) != RETREAT:
        return
    for number, unit in enumerate(case.units(event.units)):
        battle = battle_with(case, unit.id, event.battle)
        if is_air(unit):
            yield from _to_a_city(case, field, unit, way)
        elif battle is not None and unit.id in battle.attacker.stood:
            yield from _back_where_it_stood(case, field, unit, way, battle)
        elif not is_hq(unit):
            yield from _length(case, field, unit, way)
            yield from _on_the_way(case, field, unit, way)
            yield from _stops(case, field, unit, way, number)


@RULES.rule("wie-cbt.5")
@RULES.before(Moved, phases=FIGHTING, mode=(RETREAT, ""))
def defenders_retreat_after_a_round(case: Case, event: Moved) -> Faults:
    """Headquarters alone may go before one (7)."""
    for unit in case.units(event.units) if follow_up(case, event) == RETREAT else ():
        battle = battle_with(case, unit.id, event.battle)
        if battle is not None and unit.id in battle.defender.stood and battle.round is None:
            text = f"{unit.id} retreats before a round of battle {battle.number} has been fought"
            yield Fault("wie-cbt.5", text, (unit.id,))


def _back_where_it_stood(
    case: Case, field: Field, unit: Unit, way: list[HexId], battle: Engagement
) -> Faults:
    """An attacker: or a hex further, if it was disrupted."""
    far = field.board.distance(way[0], way[-1])
    if way[-1] != battle.attacker.stood[unit.id] and far > max(length_of(case, unit)):
        hexes = field.hexes((way[0], way[-1]))
        text = f"{unit.id} retreats to {case.label(hexes[1])}, away from the hex it attacked from"
        yield Fault("wie-ret.1", text, (unit.id,), hexes)


def _to_a_city(case: Case, field: Field, unit: Unit, way: list[HexId]) -> Faults:
    """Planes: a defender's to the nearest city of its side, or where it came from."""
    hexes = (field.board.hexes[way[0]], field.board.hexes[way[-1]])
    fought = {battle.target for battle in case.in_phase.battles}
    cities = [h for h in field.ground.cities - fought if field.holder(h) == unit.side]
    flight = case.in_turn.by(side_of(case.phase)).defending.get(unit.id)
    bound = unit.side != side_of(case.phase) and not (flight and flight.base == way[-1])
    near = min((field.board.distance(way[0], h) for h in cities), default=0)
    if not field.city(way[-1]) or field.holder(way[-1]) != unit.side:
        text = f"{unit.id} retreats to {case.label(hexes[1])}, which is no city of its side"
        yield Fault("wie-ret.6", text, (unit.id,), hexes)
    elif bound and field.board.distance(way[0], way[-1]) > near:
        text = f"{unit.id} retreats to {case.label(hexes[1])}, past a city of its side that is nearer"
        yield Fault("wie-ret.6", text, (unit.id,), hexes)


def _length(case: Case, field: Field, unit: Unit, way: list[HexId]) -> Faults:
    far, due = field.board.distance(way[0], way[-1]), length_of(case, unit)
    gone = len(way) - 1 if len(way) > 2 else far
    if gone not in due and far not in due:
        text = f"{unit.id} retreats {counted(gone, 'hex')}, and {' or '.join(map(str, due))} is due"
        hexes = (field.board.hexes[way[0]], field.board.hexes[way[-1]])
        short = gone < min(due) and not somewhere_to_go(case, field, unit)
        if not short:
            yield Fault("wie-ret.5", text, (unit.id,), hexes)


WHY_SHUT = {
    "enemy": "which the enemy holds",
    "battle": "where a battle is fought",
    "full": "where six units stand",
}


def _on_the_way(case: Case, field: Field, unit: Unit, way: list[HexId]) -> Faults:
    """The hexes between are open too, and reached by land; a drag shows the ends alone."""
    board, links = field.board, field.ground.costs.links()
    near = [{h for h, _ in links[end]} for end in (way[0], way[-1])]
    between = way[1:-1]
    if len(way) == 2 and board.distance(*way) == 2:
        between = sorted(near[0] & near[1], key=lambda h: bool(open_to(case, field, unit, h)))[:1]
    for hex_id in between:
        shut, where = open_to(case, field, unit, hex_id), board.hexes[hex_id]
        if shut:
            text = f"{unit.id} retreats through {case.label(where)}, {WHY_SHUT[shut]}"
            sure = Verdict.WARNING if shut == "full" else Verdict.ILLEGAL
            yield Fault("wie-ret.4", text, (unit.id,), (where,), verdict=sure)
            return
    steps = [*pairwise([way[0], *between, way[-1]])]
    for start, end in steps:
        if board.distance(start, end) == 1 and end not in {h for h, _ in links[start]}:
            text = f"{unit.id} retreats over water to {case.label(board.hexes[end])}"
            yield Fault("wie-ret.1", text, (unit.id,), field.hexes((start, end)))
        elif is_shut(field, unit.side, start, end):
            yield Fault("wie-gnd.5", f"{unit.id} retreats over {SHUT}", (unit.id,), field.hexes((start, end)))


SHUT = "the strait, which is closed while Sevastopol is the enemy's"


def is_shut(field: Field, side: str, start: HexId, end: HexId) -> bool:
    """Whether a step goes over the strait of Kerch, closed to a side."""
    beside = field.board.step(start, end) >= 0
    return beside and STRAIT in field.board.side_of(start, end) and straits_closed(field, side)


def _stops(case: Case, field: Field, unit: Unit, way: list[HexId], earlier: int) -> Faults:
    hexes = (field.board.hexes[way[0]], field.board.hexes[way[-1]])
    shut = open_to(case, field, unit, way[-1], earlier)
    if shut:
        text = f"{unit.id} retreats to {case.label(hexes[1])}, {WHY_SHUT[shut]}"
        yield Fault("wie-ret.4", text, (unit.id,), hexes)
    edge = field.ground.from_edge
    if not shut and edge(unit.side, way[-1]) >= edge(unit.side, way[0]):
        links = field.ground.costs.links()[way[0]]
        better = [h for h, _ in links if not open_to(case, field, unit, h)]
        if any(edge(unit.side, h) < edge(unit.side, way[0]) for h in better):
            text = f"{unit.id} retreats to {case.label(hexes[1])}, no nearer to its edge of the map"
            yield Fault("wie-ret.2", text, (unit.id,), hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-hq.9")
@RULES.before(Moved, phases=FIGHTING, mode=(RETREAT, ""), having=HEADQUARTERS)
def headquarters_step_aside(case: Case, event: Moved) -> Faults:
    """One hex, before a battle or when it is left alone; drags for two battles may have become one way."""
    field, ids = field_of(case), field_of(case).ids(event.path)
    longest = max((field.board.distance(a, b) for a, b in pairwise(ids)), default=0)
    far = longest if event.dragged else len(ids) - 1
    for unit in case.units(event.units):
        if is_hq(unit) and ids:
            rows = [
                (far > 1, "steps aside by more than one hex"),
                (field.occupied(ENEMY[unit.side])[ids[-1]], "steps aside into a hex that the enemy holds"),
            ]
            told = faults.of_rule("wie-hq.9", rows)
            yield from faults.first_that_holds(
                told, f"{unit.id} ", (unit.id,), field.hexes((ids[0], ids[-1]))
            )


@RULES.track(Moved, when=JUDGED, phases=FIGHTING, mode=(RETREAT, ""))
def who_retreats_is_gone(case: Case, event: Moved) -> None:
    for name in event.units if follow_up(case, event) == RETREAT else ():
        battle = battle_with(case, name, event.battle)
        side = battle.of(name) if battle else None
        if battle is not None and side is not None:
            side.gone.setdefault(name, battle.round.number if battle.round else 0)


# --- advance ------------------------------------------------------------------------------------------------


@RULES.rule("wie-cbt.9", "wie-gnd.3", "wie-gnd.5", "wie-cbt.2", "wie-brk.7", "wie-unit.8")
@RULES.before(Moved, phases=FIGHTING, mode=(ADVANCE, ""))
def victors_enter_the_hex(case: Case, event: Moved) -> Faults:
    """Only who attacked it, once it is empty, six at most."""
    field, side = field_of(case), side_of(case.phase)
    end = field.id(event.end)
    if end is None or follow_up(case, event) != ADVANCE:
        return
    hexes, where, names = field.hexes((end,)), case.label(event.end), "+".join(event.units)
    won = [battle.attacker for battle in case.in_phase.battles if battle.target == end]
    start = field.id(event.start)
    strait = start is not None and is_shut(field, side, start, end)
    for name in event.units:
        rows = [
            (
                not any(name in side.stood for side in won),
                "wie-cbt.9",
                f"enters {where} and did not attack it",
            ),
            (any(name in side.disrupted for side in won), "wie-ret.3", "was disrupted and does not advance"),
            (case.unit(name).has(RAIL_GUN), "wie-unit.8", "moves by strategic redeployment only"),
            (strait, "wie-gnd.5", f"advances over {SHUT}"),
        ]
        yield from faults.first_that_holds(rows, f"{name} ", (name,), hexes)
    if any(map(fights, field.units(end, ENEMY[side]))):
        yield Fault("wie-gnd.3", f"{names} enters {where}, where the enemy still stands", event.units, hexes)
    there = {u.id for u in [*field.units(end, side), *case.units(event.units)] if counts(u)}
    if part_of(case.phase) == COMBAT and len(there) > MOST_IN_A_HEX:
        text = f"{len(there)} units enter {where}, and six may"
        yield Fault("wie-cbt.2", text, event.units, hexes)


@RULES.rule("wie-ret.3")
@RULES.before(Moved, phases=FIGHTING, mode=ADVANCE)
def who_retreated_does_not_come_back(case: Case, event: Moved) -> Faults:
    for name in event.units:
        for battle in case.in_phase.battles:
            side = battle.of(name)
            if side is battle.defender and name in side.gone:
                yield Fault("wie-ret.3", f"{name} retreated in this phase and advances", (name,))


@RULES.track(Moved, when=APPLIED, phases=FIGHTING, mode=(ADVANCE, ""))
def a_hex_is_captured(case: Case, event: Moved) -> None:
    end = field_of(case).id(event.end)
    if end is not None and follow_up(case, event) == ADVANCE:
        turn = case.in_turn.turns.setdefault(side_of(case.phase), PlayerTurn())
        turn.captured.add(end)
        case.in_phase.advanced |= set(event.units)


@RULES.track_end(*FIGHTING)
def hexes_fought_free(case: Case) -> None:
    """Those that paratroops have won where they landed, and those that nobody has entered yet."""
    field, side = field_of(case), side_of(case.phase)
    turn = case.in_turn.turns.setdefault(side, PlayerTurn())
    for battle in case.in_phase.battles:
        if battle.rounds and not field.occupied(ENEMY[side])[battle.target]:
            held = field.occupied(side)[battle.target]
            (turn.captured if held else turn.vacated).add(battle.target)


RULES.cannot_check("wie-hq.13", "a permission: a headquarters that leaves before a round breaks nothing")
RULES.cannot_check(
    "wie-ret.7",
    "a permission: who stays to fight breaks nothing; interceptors that stay are told under wie-air.9",
)
