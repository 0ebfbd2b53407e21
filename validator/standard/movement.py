"""Movement: whose phase it is, what a way costs, what stands in it, how many may cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import Crossing, MovementMode, MovementRules
from validator.core.board import HexId, Mask
from validator.core.costs import ONE, scaled
from validator.core.movement import (
    BUDGET,
    ENTER_ZONE,
    LEAVE_ZONE,
    ZONE_STOP,
    ZONE_TO_ZONE,
    MoveRules,
    PathVerdict,
    Way,
    explain,
)
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Moved, Placed
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.marches import MARCH, Trip, dearest, trip_of
from validator.procedures.moves import movers, way_of
from validator.standard.book import (
    MOVEMENT,
    SEQUENCE,
    STACKING,
    SUPPLY,
    ZONES,
    cited,
    cites,
    name_left_out,
    rules_of,
)
from validator.standard.field import Field, factor, field_of
from validator.standard.sequence import MOVE, may, moving_phases, phases_with
from validator.standard.stacking import FULL, closed_to_passing
from validator.standard.state import Case
from validator.standard.supply import left_to

ORDINARY = MovementMode(MARCH)
LOCK, NEAR = "zone-lock", "near-enemy"
OF_ZONES = (ZONE_TO_ZONE, ZONE_STOP, LOCK, NEAR)


def install(rules: Rulebook, game: Game) -> None:
    told, moving = rules_of(game).movement, moving_phases(game)
    rules.before(Moved, phases=moving, by_land=True)(units_move_in_their_phases)
    name_left_out(rules, game, (MOVEMENT, ZONES, STACKING, SUPPLY), Moved, phases=moving, by_land=True)
    if told is None:
        return
    own = [cited(game, MOVEMENT, mode.rule) for mode in told.modes]
    own += [cited(game, MOVEMENT, crossing.rule) for crossing in told.crossings]
    rules.rule(*dict.fromkeys((*cites(game, SEQUENCE, MOVEMENT, ZONES), *own)))(
        rules.before(Moved, phases=moving, by_land=True)(ways_are_open_and_affordable)
    )
    rules.before(Moved, phases=moving, by_land=True)(crossings_are_few)
    rules.track(Moved, when=JUDGED, phases=moving, by_land=True)(note_who_crossed)
    rules.track(Moved, when=JUDGED, phases=moving, by_land=True)(note_the_trips)
    rules.track(Placed, when=JUDGED)(note_who_is_put_down)


# --- what binds a unit ------------------------------------------------------------------------------------


def movement_of(case: Case) -> MovementRules:
    return rules_of(case.game).movement or MovementRules()


def mode_of(case: Case, name: str) -> MovementMode | None:
    """A way of moving; None for one that the rules do not tell of."""
    modes = {"": ORDINARY, MARCH: ORDINARY} | {mode.id: mode for mode in movement_of(case).modes}
    return modes.get(name)


def full_allowance(case: Case, unit: Unit, mode: MovementMode) -> int | None:
    """Points or hexes of a unit in supply, in twelfths; None for one whose counter does not tell."""
    printed = factor(unit, movement_of(case).allowance)
    if mode.hexes is not None:
        return mode.hexes * ONE
    return None if printed is None else int(printed * mode.times) * ONE


def move_rules(
    case: Case, field: Field, unit: Unit, mode: MovementMode, never_across: tuple[str, ...] = ()
) -> MoveRules | None:
    """All that binds a unit now; None if its counter does not tell how far it goes."""
    points, zones = full_allowance(case, unit, mode), field.ground.zones
    if points is None:
        return None
    free = any(map(unit.has, zones.ignored_by))
    against = field.board.mask() if free else field.zones_upon(unit)
    moved, by_hexes = unit.id in case.in_phase.trips, mode.hexes is not None
    near = {} if mode.near_enemy else {NEAR: against}
    bound = {LOCK: against} if zones.lock and not moved else {}
    return MoveRules(
        costs=field.costs_of(unit, mode.only_along, never_across, flat=by_hexes),
        budget=_left_of(case, unit, points) - trip_of(case, unit).spent,
        enemy=field.enemies(unit.side),
        zone=against,
        forbidden={**near, **closed_to_passing(field, unit)},
        no_start={**bound, **near},
        leave_zone=0 if by_hexes else scaled(zones.leave),
        enter_zone=0 if by_hexes else scaled(zones.enter),
        zone_to_zone=zones.zone_to_zone,
        stop_in_zone=zones.stop,
        one_hex=movement_of(case).one_hex and mode.id == MARCH,
        moved=moved,
    )


def _left_of(case: Case, unit: Unit, points: int) -> int:
    """Of an allowance, to a unit as it is supplied: whole points."""
    return int(points // ONE * left_to(case, unit).movement) * ONE


# --- a move judged ----------------------------------------------------------------------------------------


def units_move_in_their_phases(case: Case, event: Moved) -> Faults:
    for unit in movers(case, event):
        if not _may_move(case, unit, event):
            text = f"{unit.id} moves in the {case.phase_name()}"
            yield Fault(cited(case.game, SEQUENCE), text, (unit.id,), once=("phase", unit.id))


def ways_are_open_and_affordable(case: Case, event: Moved) -> Faults:
    told = mode_of(case, event.mode)
    mode = told or ORDINARY
    if told is None:
        case.not_checked(f"movement: no mode {event.mode!r} in `rules`")
    for unit in movers(case, event):
        if _may_move(case, unit, event) and not _is_back(case, unit, event):
            yield from _of_mode(case, unit, event, mode)
            yield from _of_way(case, unit, event, mode)


def _may_move(case: Case, unit: Unit, event: Moved) -> bool:
    named = f"{event.mode}-move"
    return may(case, unit, named if phases_with(case.game, named) else MOVE)


def _is_back(case: Case, unit: Unit, event: Moved) -> bool:
    """A piece dragged back to where the phase found it has not gone."""
    return event.start == event.end or field_of(case).id(event.end) == trip_of(case, unit).origin


def _of_mode(case: Case, unit: Unit, event: Moved, mode: MovementMode) -> Iterator[Fault]:
    rule, name = cited(case.game, MOVEMENT, mode.rule), event.mode or MARCH
    if mode.traits and not any(map(unit.has, mode.traits)):
        yield Fault(rule, f"{unit.id} cannot move as {mode.id}", (unit.id,))
    trip = case.in_phase.trips.get(unit.id)
    if trip is not None and trip.mode != name:
        text = f"{unit.id} moves as {trip.mode} and as {name} in one phase"
        yield Fault(rule, text, (unit.id,), once=("mode", unit.id))


def _of_way(case: Case, unit: Unit, event: Moved, mode: MovementMode) -> Iterator[Fault]:
    field, once = field_of(case), ("way", unit.id)
    if way_of(field, event) is None:
        text = f"{unit.id} leaves the hexes in play"
        yield Fault(cited(case.game, MOVEMENT), text, (unit.id,), once=once)
    verdict = verdict_of(case, unit, event)
    if verdict is not None and not verdict.legal:
        keys = dict.fromkeys(OF_ZONES, cited(case.game, ZONES)) | {FULL: cited(case.game, STACKING)}
        plain = cited(case.game, MOVEMENT, mode.rule)
        rule = keys.get(verdict.key or "", plain)
        if verdict.key == BUDGET and verdict.obstacle is not None:
            rule = _too_dear(case, unit, mode, verdict.obstacle.way, verdict.budget)
        yield replace(faults.of_path(field, unit, verdict, rule, keys), once=once)


def _too_dear(case: Case, unit: Unit, mode: MovementMode, way: Way, budget: int) -> str:
    """What makes a way too dear: want of supply, zones, or the ground."""
    points = full_allowance(case, unit, mode) or 0
    items = (item for step in way.steps for item in step.items)
    prices = {
        cited(case.game, SUPPLY): points - _left_of(case, unit, points),
        cited(case.game, ZONES): sum(item.price for item in items if item.key in (LEAVE_ZONE, ENTER_ZONE)),
    }
    return dearest(way.cost - budget, prices, cited(case.game, MOVEMENT, mode.rule))


def verdict_of(
    case: Case, unit: Unit, event: Moved, never_across: tuple[str, ...] = ()
) -> PathVerdict | None:
    """The way of a unit; None if nothing tells how far it goes, or it is not where the move begins."""
    return case.about((verdict_of, unit.id, never_across), lambda: _verdict(case, unit, event, never_across))


def _verdict(case: Case, unit: Unit, event: Moved, never_across: tuple[str, ...]) -> PathVerdict | None:
    field, mode = field_of(case), mode_of(case, event.mode)
    way = way_of(field, event)
    if way is None or mode is None or field.id(unit.spot) != way[0]:
        return None
    rules = move_rules(case, field, unit, mode, never_across)
    if rules is None:
        case.not_checked("movement of a counter that shows no allowance")
        return None
    return explain(field.board, replace(rules, exact=not event.dragged), way[0], way[-1], way[1:-1])


# --- crossings --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crossed:
    """Units that cross hexsides of a kind by an event, on top of those before."""

    crossing: Crossing
    units: tuple[str, ...]


def crossings_are_few(case: Case, event: Moved) -> Faults:
    for crossed in crossed_by(case, event):
        crossing = crossed.crossing
        before = memory_of(case, crossing).crossed.get(crossing.hexside, ())
        units = tuple(dict.fromkeys((*before, *crossed.units)))
        if len(units) > crossing.units:
            rule = cited(case.game, MOVEMENT, crossing.rule)
            name = field_of(case).ground.wording.name(crossing.hexside)
            text = f"{', '.join(units)} crossed by the {name} this {crossing.each}"
            yield Fault(rule, text, crossed.units)


def memory_of(case: Case, crossing: Crossing) -> Any:
    """What is remembered for as long as a crossing is counted."""
    return {"turn": case.in_turn, "phase": case.in_phase}[crossing.each]


def crossed_by(case: Case, event: Moved) -> list[Crossed]:
    return case.about(crossed_by, lambda: list(_crossed_by(case, event)))


def _crossed_by(case: Case, event: Moved) -> Iterator[Crossed]:
    for crossing in movement_of(case).crossings:
        units = (unit for unit in movers(case, event) if _crosses(case, unit, event, crossing.hexside))
        names = tuple(unit.id for unit in units)
        if names:
            yield Crossed(crossing, names)


def _crosses(case: Case, unit: Unit, event: Moved, hexside: str) -> bool:
    """Surely: of a move that shows only its ends, no other way leads there."""
    verdict, board = verdict_of(case, unit, event), field_of(case).board
    if verdict is None or _is_back(case, unit, event):
        return False
    way = verdict.way or (verdict.obstacle.way if verdict.obstacle else None)
    if way is None or not _is_on(board.steps_across(hexside), field_of(case), way.path):
        return False
    other = verdict_of(case, unit, event, (hexside,)) if event.dragged else None
    return other is None or not other.legal


def _is_on(steps: Mask, field: Field, path: Sequence[HexId]) -> bool:
    return any(steps[field.board.step(a, b)] for a, b in pairwise(path))


# --- what is remembered -----------------------------------------------------------------------------------


def note_who_crossed(case: Case, event: Moved) -> None:
    for crossed in crossed_by(case, event):
        by_hexside = memory_of(case, crossed.crossing).crossed
        by_hexside.setdefault(crossed.crossing.hexside, {}).update(dict.fromkeys(crossed.units))


def note_the_trips(case: Case, event: Moved) -> None:
    for unit in movers(case, event):
        if _is_back(case, unit, event):
            _take_back(case, unit, event)
        else:
            _note_the_trip(case, unit, event)


def _take_back(case: Case, unit: Unit, event: Moved) -> None:
    if event.start != event.end:
        case.in_phase.trips.pop(unit.id, None)
    for crossed in (*case.in_turn.crossed.values(), *case.in_phase.crossed.values()):
        crossed.pop(unit.id, None)
    case.forgive(unit.id)


def _note_the_trip(case: Case, unit: Unit, event: Moved) -> None:
    verdict = verdict_of(case, unit, event)
    if verdict is not None:
        trip = case.in_phase.trips.setdefault(unit.id, Trip(verdict.start, event.mode or MARCH))
        cost = verdict.budget if verdict.cost is None or verdict.minimum else verdict.cost
        trip.spent += max(cost, 0)


def note_who_is_put_down(case: Case, event: Placed) -> None:
    """A counter laid down afresh begins afresh."""
    case.in_phase.trips.pop(event.unit, None)
