"""Movement: whose phase it is, what a way costs, what stands in it, how many may cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

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
    explain,
)
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Moved, Placed
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.moves import movers, way_of
from validator.standard.book import (
    MOVEMENT,
    NOT_CONFIGURED,
    SEQUENCE,
    STACKING,
    SUPPLY,
    ZONES,
    cited,
    part,
    rules_of,
)
from validator.standard.field import Field, factor, field_of
from validator.standard.sequence import MOVE, may, moving_phases, phases_with
from validator.standard.stacking import full_for
from validator.standard.state import Case, Trip
from validator.standard.supply import wants

MARCH = "march"
LOCK, NEAR, FULL = "zone-lock", "near-enemy", "full"
OF_ZONES = (ZONE_TO_ZONE, ZONE_STOP, LOCK, NEAR)


def install(rules: Rulebook, game: Game) -> None:
    cites = [cited(game, SEQUENCE), cited(game, MOVEMENT)] if rules_of(game).movement else []
    movement = rules_of(game).movement or MovementRules()
    own = [mode.rule for mode in movement.modes] + [crossing.rule for crossing in movement.crossings]
    cites += [cited(game, MOVEMENT, rule) for rule in own]
    cites += [cited(game, ZONES)] if rules_of(game).zones else []
    rules.rule(*dict.fromkeys(cites))(rules.before(Moved)(units_move_as_they_may))
    rules.before(Moved)(crossings_are_few)
    rules.track(Moved, when=JUDGED)(note_the_trips)
    rules.track(Placed, when=JUDGED)(note_who_is_put_down)


# --- what binds a unit ------------------------------------------------------------------------------------


def mode_of(case: Case, name: str) -> MovementMode | None:
    """Another way of moving than the ordinary one; None for that, and for one the rules do not tell of."""
    movement = rules_of(case.game).movement
    return next((mode for mode in movement.modes if mode.id == name), None) if movement else None


def allowance(case: Case, unit: Unit, mode: MovementMode | None) -> int | None:
    """Points or hexes, in twelfths; None for a unit whose counter does not tell."""
    movement = rules_of(case.game).movement
    printed = factor(unit, movement.allowance) if movement else None
    if mode is not None and mode.hexes is not None:
        points = mode.hexes
    elif printed is None:
        return None
    else:
        points = int(printed * (mode.times if mode else 1))
    lacks = wants(case, unit)
    return ONE * (int(points * lacks.movement) if lacks else points)


def move_rules(
    case: Case, field: Field, unit: Unit, mode: MovementMode | None, never_across: tuple[str, ...] = ()
) -> MoveRules | None:
    """All that binds a unit now; None if its counter does not tell how far it goes."""
    budget, trip = allowance(case, unit, mode), case.in_phase.trips.get(unit.id)
    movement, zones = rules_of(case.game).movement, rules_of(case.game).zones
    if budget is None or movement is None:
        return None
    ignores = zones is not None and any(unit.has(trait) for trait in zones.ignored_by)
    against = field.board.mask() if ignores else field.zones_against(unit.side, "movement")
    bound = zones is not None and zones.lock and trip is None
    closed = {NEAR: against} if mode is not None and not mode.near_enemy else {}
    stacking = rules_of(case.game).stacking
    full = {FULL: full_for(case, field, unit)} if stacking is not None and stacking.passing else {}
    counts_hexes = mode is not None and mode.hexes is not None
    return MoveRules(
        costs=field.costs_of(unit, mode.only_along if mode else (), never_across, flat=counts_hexes),
        budget=budget - (trip.spent if trip else 0),
        enemy=field.enemies(unit.side),
        zone=against,
        forbidden={**closed, **full},
        no_start={**({LOCK: against} if bound else {}), **closed},
        leave_zone=scaled(zones.leave) if zones and not counts_hexes else 0,
        enter_zone=scaled(zones.enter) if zones and not counts_hexes else 0,
        zone_to_zone=zones is None or zones.zone_to_zone,
        stop_in_zone=zones is not None and zones.stop,
        one_hex=movement.one_hex and mode is None,
        moved=trip is not None,
    )


# --- a move judged ----------------------------------------------------------------------------------------


def units_move_as_they_may(case: Case, event: Moved) -> Faults:
    if not event.by_land or case.phase not in moving_phases(case.game):
        return
    _note_what_is_not_told(case, event)
    for unit in movers(case, event):
        verb = _verb(case, event.mode)
        if not may(case, unit, verb):
            text = f"{unit.id} moves in the {case.phase_name()}"
            yield Fault(cited(case.game, SEQUENCE), text, (unit.id,), once=("phase", unit.id))
        elif not _is_back(case, unit, event):
            yield from _of_way(case, unit, event)


def _verb(case: Case, mode: str) -> str:
    named = f"{mode}-move"
    return named if phases_with(case.game, named) else MOVE


def _note_what_is_not_told(case: Case, event: Moved) -> None:
    for name in (MOVEMENT, ZONES, STACKING, SUPPLY):
        if part(case.game, name) is None:
            case.not_checked(NOT_CONFIGURED[name])
    unknown = event.mode not in ("", MARCH) and mode_of(case, event.mode) is None
    if unknown and part(case.game, MOVEMENT) is not None:
        case.not_checked(f"movement: no mode {event.mode!r} in `rules`")


def _is_back(case: Case, unit: Unit, event: Moved) -> bool:
    """A piece dragged back to where the phase found it has not gone."""
    if event.start == event.end:
        return True
    trip = case.in_phase.trips.get(unit.id)
    return trip is not None and field_of(case).id(event.end) == trip.origin


def _of_way(case: Case, unit: Unit, event: Moved) -> Iterator[Fault]:
    field, mode = field_of(case), mode_of(case, event.mode)
    trip = case.in_phase.trips.get(unit.id)
    if mode is not None and mode.traits and not any(unit.has(trait) for trait in mode.traits):
        rule = cited(case.game, MOVEMENT, mode.rule)
        yield Fault(rule, f"{unit.id} cannot move as {mode.id}", (unit.id,))
    if trip is not None and trip.mode != _mode_name(event):
        rule = cited(case.game, MOVEMENT, mode.rule if mode else None)
        text = f"{unit.id} moves as {trip.mode} and as {_mode_name(event)} in one phase"
        yield Fault(rule, text, (unit.id,), once=("mode", unit.id))
    if way_of(field, event) is None and part(case.game, MOVEMENT) is not None:
        text = f"{unit.id} leaves the hexes in play"
        yield Fault(cited(case.game, MOVEMENT), text, (unit.id,), once=("way", unit.id))
    verdict = verdict_of(case, unit, event)
    if verdict is not None and not verdict.legal:
        rule = _rule_of(case, unit, mode, verdict)
        fault = faults.of_path(field, unit, verdict, rule, _keys(case.game))
        yield replace(fault, once=("way", unit.id))


def _mode_name(event: Moved) -> str:
    return event.mode or MARCH


def verdict_of(
    case: Case, unit: Unit, event: Moved, never_across: tuple[str, ...] = ()
) -> PathVerdict | None:
    """The way of a unit; None if nothing tells how far it goes, or it is not where the move begins."""
    return case.about(("way", unit.id, never_across), lambda: _verdict(case, unit, event, never_across))


def _verdict(case: Case, unit: Unit, event: Moved, never_across: tuple[str, ...]) -> PathVerdict | None:
    field, mode = field_of(case), mode_of(case, event.mode)
    way = way_of(field, event)
    told = event.mode in ("", MARCH) or mode is not None
    if way is None or not told or field.id(unit.spot) != way[0]:
        return None
    rules = move_rules(case, field, unit, mode, never_across)
    if rules is None:
        if rules_of(case.game).movement is not None:
            case.not_checked("movement of a counter that shows no allowance")
        return None
    rules = replace(rules, exact=not event.dragged)
    return explain(field.board, rules, way[0], way[-1], way[1:-1])


def _keys(game: Game) -> dict[str, str]:
    return {**dict.fromkeys(OF_ZONES, cited(game, ZONES)), FULL: cited(game, STACKING)}


def _rule_of(case: Case, unit: Unit, mode: MovementMode | None, verdict: PathVerdict) -> str:
    """The part that stands in the way; of too dear a way, what makes it too dear."""
    game, obstacle = case.game, verdict.obstacle
    plain = cited(game, MOVEMENT, mode.rule if mode else None)
    if verdict.key != BUDGET or obstacle is None:
        return _keys(game).get(verdict.key or "", plain)
    lacks, full = wants(case, unit), _full_allowance(case, unit, mode)
    if lacks is not None and obstacle.way.cost <= full:
        return cited(game, SUPPLY)
    items = (item for step in obstacle.way.steps for item in step.items)
    for_zones = sum(item.price for item in items if item.key in (LEAVE_ZONE, ENTER_ZONE))
    return cited(game, ZONES) if obstacle.way.cost - for_zones <= verdict.budget else plain


def _full_allowance(case: Case, unit: Unit, mode: MovementMode | None) -> int:
    movement = rules_of(case.game).movement
    if mode is not None and mode.hexes is not None:
        return mode.hexes * ONE
    printed = factor(unit, movement.allowance) if movement else None
    return int((printed or 0) * (mode.times if mode else 1)) * ONE


# --- crossings --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crossed:
    """Units that cross hexsides of a kind by an event, on top of those before."""

    crossing: Crossing
    units: tuple[str, ...]


def crossings_are_few(case: Case, event: Moved) -> Faults:
    for found in crossed_by(case, event):
        crossing = found.crossing
        before = _crossed_before(case, crossing)
        units = (*before, *(unit for unit in found.units if unit not in before))
        if len(units) > crossing.units:
            rule = cited(case.game, MOVEMENT, crossing.rule)
            name = field_of(case).ground.wording.name(crossing.hexside)
            text = f"{', '.join(units)} crossed by the {name} this {crossing.each}"
            yield Fault(rule, text, found.units)


def crossed_by(case: Case, event: Moved) -> list[Crossed]:
    return case.about("crossed", lambda: list(_crossed_by(case, event)))


def _crossed_by(case: Case, event: Moved) -> Iterator[Crossed]:
    movement = rules_of(case.game).movement
    if movement is None or not event.by_land or case.phase not in moving_phases(case.game):
        return
    for crossing in movement.crossings:
        units = tuple(
            unit.id for unit in movers(case, event) if _crosses(case, unit, event, crossing.hexside)
        )
        if units:
            yield Crossed(crossing, units)


def _crosses(case: Case, unit: Unit, event: Moved, hexside: str) -> bool:
    """Surely: of a move that shows only its ends, no other way leads there."""
    verdict, field = verdict_of(case, unit, event), field_of(case)
    if verdict is None or _is_back(case, unit, event):
        return False
    way = verdict.way or (verdict.obstacle.way if verdict.obstacle else None)
    if way is None or not _across(field.board.steps_across(hexside), field, way.path):
        return False
    if not event.dragged:
        return True
    other = verdict_of(case, unit, event, (hexside,))
    return other is None or not other.legal


def _across(steps: Mask, field: Field, path: Sequence[HexId]) -> bool:
    return any(steps[field.board.step(a, b)] for a, b in pairwise(path))


def _crossed_before(case: Case, crossing: Crossing) -> list[str]:
    memory = case.in_turn if crossing.each == "turn" else case.in_phase
    found: list[str] = memory.crossed.get(crossing.hexside, [])
    return found


# --- what is remembered -----------------------------------------------------------------------------------


def note_the_trips(case: Case, event: Moved) -> None:
    if not event.by_land or case.phase not in moving_phases(case.game):
        return
    for found in crossed_by(case, event):
        for memory in (case.in_turn, case.in_phase):
            known = memory.crossed.setdefault(found.crossing.hexside, [])
            known += [unit for unit in found.units if unit not in known]
    field = field_of(case)
    for unit in movers(case, event):
        _note_the_trip(case, field, unit, event)


def _note_the_trip(case: Case, field: Field, unit: Unit, event: Moved) -> None:
    trips, start = case.in_phase.trips, field.id(unit.spot)
    if _is_back(case, unit, event):
        if event.start != event.end:
            trips.pop(unit.id, None)
        for memory in (case.in_turn, case.in_phase):
            for known in memory.crossed.values():
                if unit.id in known:
                    known.remove(unit.id)
        case.forgive(unit.id)
        return
    verdict = verdict_of(case, unit, event)
    if start is None or verdict is None:
        return
    trip = trips.setdefault(unit.id, Trip(start, _mode_name(event)))
    cost = verdict.budget if verdict.cost is None or verdict.minimum else verdict.cost
    trip.spent += max(cost, 0)


def note_who_is_put_down(case: Case, event: Placed) -> None:
    """A counter laid down afresh begins afresh."""
    case.in_phase.trips.pop(event.unit, None)
