"""Chapter 5: retreats, forced and chosen, and who enters a hex that was fought free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from validator.core.board import HexId
from validator.core.explain import counted
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wie.battles import battles_for, fighter_of, fighters_of, soldiers
from validator.games.wie.book import (
    ADVANCE,
    COMBAT,
    ENEMY,
    FIGHTING,
    RETREAT,
    RULES,
    SOVIET,
    part_of,
    side_of,
)
from validator.games.wie.c05_movement import costs_for
from validator.games.wie.field import STRAIT, Field, field_of, straits_closed
from validator.games.wie.state import Case, Retreat
from validator.games.wie.units import HEADQUARTERS, RAIL_GUN, counts, fights, is_air, is_hq
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each
from validator.procedures.moves import Journey, journeys
from validator.procedures.rounds import Engagement, Fighter, Side

Judge = Callable[[Case, Field, Moved, Journey], Faults]
MOST_IN_A_HEX = 6
LONG_TURNS = (1, 2)


def follow_up(case: Case, event: Moved) -> str:
    """Retreat or advance: as the move says; of a plain move advance is the way into the attacked hex."""
    if event.mode or part_of(case.phase) != COMBAT:
        return event.mode
    end = field_of(case).id(event.end)
    fighters = [fighter for fighter in fighters_of(case, event) if fights(case.unit(fighter.unit))]
    fought = all(fighter.battle.rounds or not fighter.attacks for fighter in fighters)
    ways = {ADVANCE if f.attacks and f.battle.target == end else RETREAT for f in fighters}
    if len(ways) != 1 or len(fighters) < len(event.units) or (RETREAT in ways and not fought):
        return ""
    return ways.pop()


def retreating(case: Case, event: Moved) -> list[Fighter]:
    """Those units of a retreat that take part in a battle."""
    return fighters_of(case, event) if follow_up(case, event) == RETREAT else []


def retreats(case: Case, event: Moved) -> list[Journey]:
    return journeys(case, field_of(case), event) if follow_up(case, event) == RETREAT else []


def length_of(case: Case, unit: Unit) -> set[int]:
    """How many hexes a retreat goes: two for Soviets in turns 1 and 2 (5)."""
    early = unit.side == SOVIET and case.scenario.first_turn == 1
    third = case.turn == 3 and side_of(case.phase) != SOVIET and case.option("soviet-turn-3-retreat") == "two"
    return {2} if early and (case.turn in LONG_TURNS or third) else {1}


def open_to(case: Case, field: Field, unit: Unit, hex_id: HexId, more: int = 0) -> str:
    """What stands against a retreat into a hex, where so many more go besides; empty if nothing does."""
    if field.holder(hex_id) != unit.side or field.occupied(ENEMY[unit.side])[hex_id]:
        return "enemy"
    if any(_fought_over(field, battle) for battle in battles_for(case, hex_id)):
        return "battle"
    there = {other.id for other in field.units(hex_id, unit.side) if counts(other)} - {unit.id}
    return "full" if counts(unit) and len(there) + 1 + more > MOST_IN_A_HEX else ""


def _fought_over(field: Field, battle: Engagement) -> bool:
    return bool(soldiers(field, battle, battle.attacker)) and bool(soldiers(field, battle, battle.defender))


def ways_out(case: Case, field: Field, unit: Unit, start: HexId) -> dict[HexId, set[HexId]]:
    """Hexes that a retreat may enter first, each with those that it may end in.

    Two hexes away, where it is to go so far and any such hex is open; else beside the start.
    """
    links = costs_for(field, unit.side).links()
    beside = [h for h, _ in links[start] if not open_to(case, field, unit, h)]
    if max(length_of(case, unit)) == 2:
        distance = field.board.distance
        beyond = {
            first: {
                h for h, _ in links[first] if distance(start, h) == 2 and not open_to(case, field, unit, h)
            }
            for first in beside
        }
        if any(beyond.values()):
            return {first: ends for first, ends in beyond.items() if ends}
    return {first: {first} for first in beside}


def length_due(case: Case, field: Field, unit: Unit, start: HexId) -> int:
    """How many hexes a retreat is to go, as far as hexes are open."""
    ends = [end for ends in ways_out(case, field, unit, start).values() for end in ends]
    return max((field.board.distance(start, end) for end in ends), default=0)


def somewhere_to_go(case: Case, field: Field, unit: Unit) -> bool:
    """Whether a hex is open to its retreat."""
    return any(ways_out(case, field, unit, start) for start in field.ids((unit.spot,)))


@RULES.rule("wie-ret.1", "wie-ret.2", "wie-ret.4", "wie-ret.5", "wie-ret.6", "wie-gnd.5")
@RULES.before(Moved, phases=FIGHTING, mode=(RETREAT, ""))
@each(retreats)
def retreats_by_rule(case: Case, event: Moved, journey: Journey) -> Faults:
    """Beside it, or two hexes for Soviets at first; to a friendly hex with room where nobody fights."""
    unit = journey.unit
    fighter = fighter_of(case, unit.id, event.battle)
    judges: Sequence[Judge] = (_length, _on_the_way, _stops, _towards_its_edge)
    if is_air(unit):
        judges = (_to_a_city,)
    elif fighter is not None and journey.end == fighter.side.stood[unit.id]:
        judges = (_does_not_come_back,)
    elif fighter is not None and fighter.attacks:
        judges = (_back_where_it_stood, _on_the_way, _stops, _towards_its_edge)
    elif is_hq(unit):
        judges = ()
    for judge in judges:
        yield from judge(case, field_of(case), event, journey)


@RULES.rule("wie-cbt.5")
@RULES.before(Moved, phases=FIGHTING, mode=(RETREAT, ""))
@each(retreating)
def defenders_retreat_after_a_round(case: Case, event: Moved, fighter: Fighter) -> Faults:
    """Headquarters alone may go before one (7)."""
    if not fighter.attacks and not fighter.battle.rounds:
        text = f"{fighter.unit} retreats before a round of battle {fighter.battle.number} has been fought"
        yield Fault("wie-cbt.5", text, (fighter.unit,))


def _does_not_come_back(case: Case, field: Field, event: Moved, journey: Journey) -> Faults:
    """A defender that left in an earlier round; one that left in this round may be put back."""
    for fighter in fighters_of(case, replace(event, units=(journey.unit.id,))):
        round_ = fighter.side.gone.get(fighter.unit, fighter.battle.round.number)
        if not fighter.attacks and round_ < fighter.battle.round.number:
            text = f"{fighter.unit} comes back into battle {fighter.battle.number}, "
            text += f"which it had left in round {round_}"
            yield Fault("wie-ret.3", text, (fighter.unit,), journey.hexes)


def _stood(case: Case, event: Moved, journey: Journey) -> HexId:
    """Where a unit stood in its battle: its retreat may have been dragged hex by hex."""
    fighter = fighter_of(case, journey.unit.id, event.battle)
    return journey.start if fighter is None else fighter.side.stood[journey.unit.id]


def _from_battle(case: Case, field: Field, event: Moved, journey: Journey) -> int:
    """How far from there a retreat ends."""
    return field.board.distance(_stood(case, event, journey), journey.end)


def _back_where_it_stood(case: Case, field: Field, event: Moved, journey: Journey) -> Faults:
    """An attacker: or a hex further, if it was disrupted."""
    unit, far = journey.unit, _from_battle(case, field, event, journey)
    if far > max(length_of(case, unit)):
        text = f"{unit.id} retreats to {case.label(journey.hexes[1])}, away from the hex it attacked from"
        yield Fault("wie-ret.1", text, (unit.id,), journey.hexes)


def _to_a_city(case: Case, field: Field, event: Moved, journey: Journey) -> Faults:
    """Planes: a defender's to the nearest city of its side, or where it came from."""
    unit, end, distance = journey.unit, journey.end, field.board.distance
    before = f"{unit.id} retreats to {case.label(journey.hexes[1])}, "
    if not field.own_city(end, unit.side):
        yield Fault("wie-ret.6", before + "which is no city of its side", (unit.id,), journey.hexes)
        return
    flight = case.in_turn.by(side_of(case.phase)).defending.get(unit.id)
    if unit.side == side_of(case.phase) or (flight is not None and flight.base == end):
        return
    fought = {battle.target for battle in case.in_phase.battles}
    cities = [h for h in field.ground.cities - fought if field.holder(h) == unit.side]
    if any(distance(journey.start, h) < distance(journey.start, end) for h in cities):
        text = before + "past a city of its side that is nearer"
        yield Fault("wie-ret.6", text, (unit.id,), journey.hexes)


def _length(case: Case, field: Field, event: Moved, journey: Journey) -> Faults:
    """Not too far; whether it goes far enough the end of the round tells."""
    unit, way = journey.unit, journey.way
    far, due = _from_battle(case, field, event, journey), length_of(case, unit)
    gone = max(len(way) - 1, far)
    if far in due or gone <= max(due):
        return
    text = f"{unit.id} retreats {counted(gone, 'hex')}, and {' or '.join(map(str, due))} is due"
    yield Fault("wie-ret.5", text, (unit.id,), journey.hexes)


WHY_SHUT = {
    "enemy": "which the enemy holds",
    "battle": "where a battle is fought",
    "full": "where six units stand",
}


def _on_the_way(case: Case, field: Field, event: Moved, journey: Journey) -> Faults:
    """The hexes between are open too, and reached by land; a drag shows the ends alone."""
    unit, board, links = journey.unit, field.board, field.ground.costs.links()
    between = _between(case, field, journey)
    for hex_id in between:
        shut, where = open_to(case, field, unit, hex_id), board.hexes[hex_id]
        if shut:
            text = f"{unit.id} retreats through {case.label(where)}, {WHY_SHUT[shut]}"
            yield Fault("wie-ret.4", text, (unit.id,), (where,), verdict=faults.unless(shut == "full"))
            return
    for start, end in pairwise([journey.start, *between, journey.end]):
        hexes = field.hexes((start, end))
        if board.distance(start, end) == 1 and end not in {h for h, _ in links[start]}:
            text = f"{unit.id} retreats over water to {case.label(hexes[1])}"
            yield Fault("wie-ret.1", text, (unit.id,), hexes)
        elif is_shut(field, unit.side, start, end):
            yield Fault("wie-gnd.5", f"{unit.id} retreats over {SHUT}", (unit.id,), hexes)


def _between(case: Case, field: Field, journey: Journey) -> list[HexId]:
    """The hexes between the ends; of two ends that lie two hexes apart, one that is open or any."""
    links = field.ground.costs.links()
    if len(journey.way) > 2 or field.board.distance(journey.start, journey.end) != 2:
        return journey.way[1:-1]
    near = [{h for h, _ in links[end]} for end in (journey.start, journey.end)]
    return sorted(near[0] & near[1], key=lambda h: bool(open_to(case, field, journey.unit, h)))[:1]


SHUT = "the strait, which is closed while Sevastopol is the enemy's"


def is_shut(field: Field, side: str, start: HexId | None, end: HexId) -> bool:
    """Whether a step goes over the strait of Kerch, closed to a side."""
    return STRAIT in field.sides(start, end) and straits_closed(field, side)


def _stops(case: Case, field: Field, event: Moved, journey: Journey) -> Faults:
    unit = journey.unit
    shut = open_to(case, field, unit, journey.end, event.units.index(unit.id))
    if shut:
        text = f"{unit.id} retreats to {case.label(journey.hexes[1])}, {WHY_SHUT[shut]}"
        yield Fault("wie-ret.4", text, (unit.id,), journey.hexes)


def _towards_its_edge(case: Case, field: Field, event: Moved, journey: Journey) -> Faults:
    """The first hex is a column nearer to the edge of its side, if such a hex is open."""
    unit, start = journey.unit, _stood(case, event, journey)
    first = _first_hexes(case, field, journey, start)
    nearer = [h for h in ways_out(case, field, unit, start) if _is_nearer(field, unit, start, h)]
    if not first or not nearer or any(_is_nearer(field, unit, start, h) for h in first):
        return
    if open_to(case, field, unit, journey.end):
        return  # told by itself
    where = " or ".join(case.label(hex_) for hex_ in field.hexes(sorted(nearer)))
    text = f"{unit.id} retreats to {case.label(journey.hexes[1])}, no nearer to its edge of the map: "
    text += f"{where} is open"
    fighter = fighter_of(case, unit.id, event.battle)
    attacks = fighter is not None and fighter.attacks  # "from original hex where the attack began"
    verdict = Verdict.WARNING if attacks or case.position.partial else Verdict.ILLEGAL
    yield Fault("wie-ret.2", text, (unit.id,), journey.hexes, verdict=verdict)


def _is_nearer(field: Field, unit: Unit, start: HexId, hex_id: HexId) -> bool:
    columns = field.ground.columns_from_edge
    return columns(unit.side, hex_id) < columns(unit.side, start)


def _first_hexes(case: Case, field: Field, journey: Journey, start: HexId) -> list[HexId]:
    """The hex that a retreat enters first; of a drag over two hexes, those that it may have been.

    None of a further drag: the first one has shown it, unless the unit ends beside where it stood.
    """
    if field.board.distance(start, journey.end) == 1:
        return [journey.end]
    if journey.start != start:
        return []
    if len(journey.way) > 2:
        return [journey.way[1]]
    links = field.ground.costs.links()
    between = {h for h, _ in links[start]} & {h for h, _ in links[journey.end]}
    return [h for h in between if not open_to(case, field, journey.unit, h)]


def headquarters_of(case: Case, event: Moved) -> list[Journey]:
    """Headquarters that move; what leaves the hexes in play on the way has the rest of its way."""
    ids = field_of(case).ids(event.path)
    return [Journey(unit, ids, field_of(case)) for unit in case.units(event.units) if ids and is_hq(unit)]


@RULES.rule("wie-hq.9")
@RULES.before(Moved, phases=FIGHTING, mode=(RETREAT, ""), having=HEADQUARTERS)
@each(headquarters_of)
def headquarters_step_aside(case: Case, event: Moved, journey: Journey) -> Faults:
    """One hex, before a battle or when it is left alone; drags for two battles may have become one way."""
    unit, field = journey.unit, field_of(case)
    far = len(journey.way) - 1
    if event.dragged:
        far = max((field.board.distance(a, b) for a, b in pairwise(journey.way)), default=0)
    if far > 1:
        yield Fault("wie-hq.9", f"{unit.id} steps aside by more than one hex", (unit.id,), journey.hexes)
    elif field.occupied(ENEMY[unit.side])[journey.end]:
        text = f"{unit.id} steps aside into a hex that the enemy holds"
        yield Fault("wie-hq.9", text, (unit.id,), journey.hexes)


@RULES.track(Moved, when=JUDGED, phases=FIGHTING, mode=(RETREAT, ""))
@note_each(retreating)
def who_retreats_is_gone(case: Case, event: Moved, fighter: Fighter) -> None:
    if event.end == field_of(case).board.hexes[fighter.side.stood[fighter.unit]]:
        fighter.is_put_back()
    else:
        fighter.leaves()


@RULES.track(Moved, when=JUDGED, phases=FIGHTING, mode=(RETREAT, ""))
@note_each(retreats)
def how_far_it_has_retreated(case: Case, event: Moved, journey: Journey) -> None:
    """Of defenders on the ground; by hops perhaps, so the end of the round tells whether it is enough."""
    unit, field, noted = journey.unit, field_of(case), case.in_phase.retreats
    fighter = fighter_of(case, unit.id, event.battle)
    if fighter is None or fighter.attacks or not fights(unit):
        return
    start = fighter.side.stood[unit.id]
    if journey.end == start:
        noted.pop(unit.id, None)
    elif unit.id in noted or journey.start == start:
        leg = max(len(journey.way) - 1, field.board.distance(journey.start, journey.end))
        before = noted.get(unit.id)
        due = before.due if before else length_due(case, field, unit, start)
        walked = leg + (before.walked if before else 0)
        far = field.board.distance(start, journey.end)
        noted[unit.id] = Retreat(fighter.battle.number, due, far, walked)


# --- advance ------------------------------------------------------------------------------------------------


def advances_into(case: Case, event: Moved) -> list[HexId]:
    """The hex that an advance enters; none, if it is none."""
    return field_of(case).ids((event.end,)) if follow_up(case, event) == ADVANCE else []


@RULES.rule("wie-cbt.9", "wie-gnd.5", "wie-ret.3", "wie-unit.8")
@RULES.before(Moved, phases=FIGHTING, mode=(ADVANCE, ""))
@each(advances_into)
def victors_enter_the_hex(case: Case, event: Moved, end: HexId) -> Faults:
    """Only who attacked it and may move."""
    field, where = field_of(case), case.label(event.end)
    won = [battle.attacker for battle in battles_for(case, end)]
    strait = is_shut(field, side_of(case.phase), field.id(event.start), end)
    for unit in case.units(event.units):
        why = _why_no_victor(won, unit, where)
        if why is None and strait:
            why = "wie-gnd.5", f"advances over {SHUT}"
        if why is not None:
            rule, text = why
            yield Fault(rule, f"{unit.id} {text}", (unit.id,), field.hexes((end,)))


def _why_no_victor(won: list[Side], unit: Unit, where: str) -> tuple[str, str] | None:
    """Why a unit does not enter a hex that was fought for: the rule, and the reason."""
    if not any(unit.id in side.stood for side in won):
        return "wie-cbt.9", f"enters {where} and did not attack it"
    if any(unit.id in side.disrupted for side in won):
        return "wie-ret.3", "was disrupted and does not advance"
    if any(unit.id in side.gone for side in won):
        return "wie-ret.3", "had retreated from the battle and does not advance"
    if unit.has(RAIL_GUN):
        return "wie-unit.8", "moves by strategic redeployment only"
    return None


@RULES.rule("wie-gnd.3", "wie-cbt.2", "wie-brk.7")
@RULES.before(Moved, phases=FIGHTING, mode=(ADVANCE, ""))
@each(advances_into)
def the_hex_is_empty_and_has_room(case: Case, event: Moved, end: HexId) -> Faults:
    field, side, where = field_of(case), side_of(case.phase), case.label(event.end)
    if any(fights(unit) for unit in field.units(end, ENEMY[side])):
        text = f"{'+'.join(event.units)} enters {where}, where the enemy still stands"
        yield Fault("wie-gnd.3", text, event.units, field.hexes((end,)))
    there = {u.id for u in [*field.units(end, side), *case.units(event.units)] if counts(u)}
    if part_of(case.phase) == COMBAT and len(there) > MOST_IN_A_HEX:
        text = f"{len(there)} units enter {where}, and six may"
        yield Fault("wie-cbt.2", text, event.units, field.hexes((end,)))


@RULES.rule("wie-ret.3")
@RULES.before(Moved, phases=FIGHTING, mode=ADVANCE)
def who_retreated_does_not_come_back(case: Case, event: Moved) -> Faults:
    gone = {name for battle in case.in_phase.battles for name in battle.defender.gone}
    for name in [name for name in event.units if name in gone]:
        yield Fault("wie-ret.3", f"{name} retreated in this phase and advances", (name,))


@RULES.track(Moved, when=APPLIED, phases=FIGHTING, mode=(ADVANCE, ""))
@note_each(advances_into)
def a_hex_is_captured(case: Case, event: Moved, end: HexId) -> None:
    case.in_turn.by(side_of(case.phase)).captured.add(end)
    case.in_phase.advanced |= set(event.units)


@RULES.track_end(*FIGHTING)
def hexes_fought_free(case: Case) -> None:
    """Those that paratroops have won where they landed, and those that nobody has entered yet."""
    field, side = field_of(case), side_of(case.phase)
    turn = case.in_turn.by(side)
    for battle in case.in_phase.battles:
        if battle.rounds and not field.occupied(ENEMY[side])[battle.target]:
            held = field.occupied(side)[battle.target]
            (turn.captured if held else turn.vacated).add(battle.target)


RULES.cannot_check("wie-hq.13", "a permission: a headquarters that leaves before a round breaks nothing")
RULES.cannot_check(
    "wie-ret.7",
    "a permission: who stays to fight breaks nothing; interceptors that stay are told under wie-air.9",
)
