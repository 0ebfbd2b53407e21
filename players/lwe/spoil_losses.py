"""Faults of what a battle costs: steps, retreats, advances, and the pool that dead corps leave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.lwe.mutations import LIMIT, WATER, Place, fault
from players.lwe.spoil_battles import assault, between, named, rolls
from validator.core.board import HexId
from validator.games.lwe.book import ENEMY, GERMAN, SOVIET
from validator.games.lwe.field import printed
from validator.model.events import (
    Attacked,
    Event,
    Moved,
    PhaseBegan,
    Placed,
    Removed,
    ResultNamed,
    Rolled,
    StepChanged,
)
from validator.model.position import Unit

PAID = (
    *("11.30a", "11.31a", "11.31b", "11.32a", "11.33a", "11.33c", "11.35a", "11.36a"),
    *("11.39a", "2.12a", "11.22b", "11.24d", "11.32e", "11.32f", "11.10a", "11.28a"),
)
POOL, DEAD = "replacement-pool", "soviet-eliminated"


def _again(place: Place, name: str) -> bool:
    """Whether a unit is told of again in this phase."""
    later = list(place.rest_of_phase())[1:]
    held = (e for e in later if isinstance(e, StepChanged | Removed | Placed))
    deeds = (e for e in later if isinstance(e, Moved | Attacked))
    return any(e.unit == name for e in held) or any(name in e.units for e in deeds)


def fighters(place: Place, battle: Attacked) -> list[Unit]:
    """Attackers of a battle that are on the map."""
    units = (place.position.units[name] for name in battle.units)
    return [unit for unit in units if unit.on_map]


# --- steps (11.29 to 11.36) ----------------------------------------------------------------------------


@fault(*PAID)
def a_loss_forgotten(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, StepChanged) and event.battle is not None and not _again(place, event.unit):
        yield 1, []


@fault(*PAID)
def an_eliminated_unit_stays(place: Place) -> Iterator[Edit]:
    """The last of a phase to die: nobody takes its hex."""
    event = place.event
    if not isinstance(event, Removed) or event.battle is None or not place.position.units[event.unit].on_map:
        return
    unit = place.position.units[event.unit]
    later = list(place.rest_of_phase())[1:]
    taken = any(isinstance(e, Moved) and unit.spot in e.path for e in later)
    attacked = any(isinstance(e, Attacked) and unit.spot in e.targets for e in later)
    if not taken and not attacked and not unit.has("rifle-corps"):
        yield 1, []


@fault(*PAID)
def a_step_too_many(place: Place) -> Iterator[Edit]:
    battle = between(place)
    if battle is None or not (
        rolls(place, battle.battle, "combat", "overrun") or named(place, battle.battle)
    ):
        return
    for unit in place.any(fighters(place, battle)):
        if unit.type.steps > unit.step and len(fighters(place, battle)) > 1 and not _again(place, unit.id):
            yield 0, [StepChanged(unit.id, unit.step, unit.step + 1, battle.battle)]


@fault("11.29a")
def a_step_of_who_did_not_fight(place: Place) -> Iterator[Edit]:
    battle = between(place)
    if battle is None or not place.ends:
        return
    fought = {n for e in place.case.in_phase.events if isinstance(e, Attacked) for n in e.units}
    targets = {h for e in place.case.in_phase.events if isinstance(e, Attacked) for h in e.targets}
    moved = {n for e in place.case.in_phase.events if isinstance(e, Moved) for n in e.units}
    units = place.units(GERMAN, lambda u: u.step < u.type.steps and u.id not in fought | moved)
    for unit in place.any(u for u in units if u.spot not in targets):
        yield 0, [StepChanged(unit.id, unit.step, unit.step + 1, battle.battle)]


@fault("11.31b")
def motorized_infantry_pays_for_a_mobile_assault(place: Place) -> Iterator[Edit]:
    event, battle = place.event, assault(place)
    if battle is None or not battle.overrun or not isinstance(event, StepChanged | Removed):
        return
    if event.unit not in battle.units or event.battle != battle.battle:
        return
    opponents = {h for h, _ in place.field.of_side(SOVIET)}
    for unit in fighters(place, battle):
        held = place.field.id(battle.targets[0]) in opponents
        alone = isinstance(place.events[place.at - 1], Rolled | ResultNamed)
        if unit.has("joins-assault") and unit.step < unit.type.steps and held and alone:
            yield 1, [StepChanged(unit.id, unit.step, unit.step + 1, battle.battle)]


# --- retreats (11.32, 11.33) ---------------------------------------------------------------------------


def retreating(place: Place) -> Moved | None:
    event = place.event
    found = isinstance(event, Moved) and event.mode == "retreat" and event.battle is not None
    if not found or not isinstance(event, Moved):
        return None
    return None if place.position.units[event.units[0]].has("coastal-army") else event


def _elsewhere(place: Place, event: Moved, ends: list[HexId]) -> Iterator[Edit]:
    if ends and not any(_again(place, name) for name in event.units):
        yield 1, [replace(event, path=(event.path[0], place.hex(place.random.choice(ends))))]


def _around(place: Place, event: Moved) -> list[HexId]:
    here, board = place.field.id(event.path[0]), place.field.board
    near = [] if here is None else board.adjacent[here]
    dry = [h for h in near if here is not None and not place.crossed(here, h) & WATER]
    return [h for h in dry if board.terrain[h] not in WATER]


def _attackers_near(place: Place) -> set[HexId]:
    """Hexes beside those who attacked."""
    battle, board = assault(place), place.field.board
    units = fighters(place, battle) if battle else []
    return {n for unit in units for n in board.adjacent[place.hex_id(unit)]}


@fault(*PAID)
def a_retreat_forgotten(place: Place) -> Iterator[Edit]:
    event = retreating(place)
    later = list(place.rest_of_phase())[1:]
    if event is None or any(_again(place, name) for name in event.units):
        return
    if not any(isinstance(e, Moved) and event.path[0] in e.path for e in later):
        yield 1, []


@fault("11.32a")
def a_retreat_of_two_hexes(place: Place) -> Iterator[Edit]:
    event = retreating(place)
    end = place.field.id(event.path[-1]) if event else None
    if event is None or end is None:
        return
    board, start = place.field.board, place.field.id(event.path[0])
    far = [
        h for h in place.beside(end) if place.empty(h) and start is not None and board.distance(start, h) == 2
    ]
    if far and not any(_again(place, name) for name in event.units):
        yield 1, [replace(event, path=(*event.path, place.hex(place.random.choice(far))))]


@fault("11.32b")
def a_retreat_beside_the_attackers(place: Place) -> Iterator[Edit]:
    event = retreating(place)
    if event:
        near = _attackers_near(place)
        yield from _elsewhere(
            place, event, [h for h in _around(place, event) if h in near and place.empty(h)]
        )


@fault("11.32b")
def a_retreat_into_the_enemy(place: Place) -> Iterator[Edit]:
    event = retreating(place)
    if event:
        enemies = place.enemies(place.position.units[event.units[0]].side)
        yield from _elsewhere(place, event, [h for h in _around(place, event) if h in enemies])


@fault("11.33a")
def a_retreat_into_a_full_hex(place: Place) -> Iterator[Edit]:
    event = retreating(place)
    if event is None:
        return
    units = [place.position.units[name] for name in event.units]
    size, side, near = sum(u.type.stacking for u in units), units[0].side, _attackers_near(place)
    full = [h for h in _around(place, event) if place.load(h, side) + size > LIMIT and h not in near]
    yield from _elsewhere(place, event, [h for h in full if h not in place.enemies(side)])


@fault("11.22f", "11.23d")
def a_retreat_into_what_the_enemy_holds(place: Place) -> Iterator[Edit]:
    """An empty city of his, or an intact line."""
    event = retreating(place)
    if event is None:
        return
    side, near, board = place.position.units[event.units[0]].side, _attackers_near(place), place.field.board
    city = {h for h in board.with_place("city") if place.field.holder(h) == ENEMY[side]}
    line = {h for h in range(len(board)) if place.field.intact_lines[h]} if side == GERMAN else set()
    ends = [h for h in _around(place, event) if h in city | line and place.empty(h) and h not in near]
    yield from _elsewhere(place, event, ends)


@fault("11.33c", "11.32a")
def steps_lost_instead_of_a_retreat(place: Place) -> Iterator[Edit]:
    event = retreating(place)
    if event is None or any(_again(place, name) for name in event.units):
        return
    units = [place.position.units[name] for name in event.units]
    if all(u.type.steps == 1 and u.side == SOVIET and not u.has("rifle-corps") for u in units):
        yield 1, [Removed(unit.id, DEAD, event.battle) for unit in units]


@fault("11.33c")
def one_of_a_stack_does_not_retreat(place: Place) -> Iterator[Edit]:
    event = retreating(place)
    if event is None or len(event.units) < 2 or any(_again(place, name) for name in event.units):
        return
    later = list(place.rest_of_phase())[1:]
    if not any(isinstance(e, Moved) and event.path[0] in e.path for e in later):
        yield 1, [replace(event, units=event.units[1:])]


@fault("11.32e")
def a_fortified_zone_retreats(place: Place) -> Iterator[Edit]:
    event, following = place.event, place.events[place.at + 1 : place.at + 2]
    if isinstance(event, Removed) and place.position.units[event.unit].has("static") and following:
        leads = following[0]
        if isinstance(leads, Moved) and leads.mode == "retreat" and leads.battle == event.battle:
            yield 1, [replace(leads, units=(event.unit,))]


@fault("11.6a")
def a_retreat_before_the_die(place: Place) -> Iterator[Edit]:
    last = place.events[place.at - 1]
    if not isinstance(last, Attacked) or not isinstance(place.event, Rolled):
        return
    target, side = place.field.id(last.targets[0]), place.position.units[last.units[0]].side
    if target is None:
        return
    held = [u for u in place.field.units(target) if u.side != side and not u.has("static")]
    for unit in held:
        near = [h for h in place.beside(target) if place.free(h, unit.side, unit)]
        if near and not unit.has("coastal-army"):
            yield 0, [place.move(unit, near[0], mode="retreat", battle=last.battle)]


# --- advances (11.37) ----------------------------------------------------------------------------------


def _emptied(place: Place, battle: Attacked) -> HexId | None:
    target = place.field.id(battle.targets[0])
    return target if target is not None and place.empty(target) and not battle.overrun else None


@fault("11.37a")
def an_advance_of_who_did_not_fight(place: Place) -> Iterator[Edit]:
    battle = between(place)
    target = _emptied(place, battle) if battle else None
    if battle is None or target is None:
        return
    side, fought = place.position.units[battle.units[0]].side, place.gone()
    for unit in place.any(place.units(side, lambda u: printed(u, "attack") > 0 and u.id not in fought)):
        if target in place.beside(place.hex_id(unit)) and not unit.has("artillery-command"):
            yield 0, [place.move(unit, target, mode="advance", battle=battle.battle)]


@fault("11.37a", "11.23d")
def an_advance_of_two_hexes(place: Place) -> Iterator[Edit]:
    event = place.event
    if not isinstance(event, Moved) or event.mode != "advance" or len(event.units) > 1:
        return
    start, end = place.field.id(event.path[0]), place.field.id(event.path[-1])
    if start is None or end is None or _again(place, event.units[0]):
        return
    far = [h for h in place.beside(end) if place.empty(h) and place.field.board.distance(start, h) == 2]
    if far:
        yield 1, [replace(event, path=(*event.path, place.hex(place.random.choice(far))))]


@fault("11.37a")
def an_advance_into_a_hex_still_held(place: Place) -> Iterator[Edit]:
    battle = between(place)
    if battle is None or battle.overrun or not place.ends:
        return
    target = place.field.id(battle.targets[0])
    for unit in fighters(place, battle):
        held = target is not None and place.field.units(target, ENEMY[unit.side])
        if target is not None and held and not unit.has("no-advance"):
            yield 0, [place.move(unit, target, mode="advance", battle=battle.battle)]


@fault("11.37d")
def an_advance_after_another_battle(place: Place) -> Iterator[Edit]:
    known = [e for e in place.case.in_phase.events if isinstance(e, Attacked)]
    if not place.ends or len(known) < 2:
        return
    for battle in known[:-1]:
        target = _emptied(place, battle)
        for unit in fighters(place, battle) if target is not None else ():
            if (
                target is not None
                and target in place.beside(place.hex_id(unit))
                and not unit.has("no-advance")
            ):
                yield 0, [place.move(unit, target, mode="advance", battle=battle.battle)]


@fault("11.37c")
def a_defender_advances(place: Place) -> Iterator[Edit]:
    battle = between(place)
    if battle is None or battle.overrun:
        return
    side = ENEMY[place.position.units[battle.units[0]].side]
    target = place.field.id(battle.targets[0])
    for unit in place.field.units(target, side) if target is not None else ():
        near = [h for h in place.beside(place.hex_id(unit)) if place.empty(h)]
        if near and not unit.has("static") and not unit.has("sea-only"):
            yield 0, [place.move(unit, near[0], mode="advance", battle=battle.battle)]


@fault("11.26c")
def the_artillery_advances(place: Place) -> Iterator[Edit]:
    battle = between(place)
    target = _emptied(place, battle) if battle else None
    for unit in fighters(place, battle) if battle and target is not None else ():
        near = target is not None and place.field.board.are_adjacent(place.hex_id(unit), target)
        if battle and target is not None and near and unit.has("artillery-command"):
            yield 0, [place.move(unit, target, mode="advance", battle=battle.battle)]


# --- the pool (8.10) -----------------------------------------------------------------------------------


def _released(place: Place, event: Event) -> bool:
    if isinstance(event, Moved):
        return event.path == (POOL, DEAD)
    released = isinstance(event, Placed) and event.spot == DEAD
    return released and isinstance(event, Placed) and place.position.units[event.unit].counter.setup == "RP"


@fault("8.10a")
def too_few_of_the_pool_are_released(place: Place) -> Iterator[Edit]:
    others = [e for e in place.case.in_phase.events if _released(place, e)]
    if others and _released(place, place.event):
        yield 1, []


@fault("8.10a")
def too_many_of_the_pool_are_released(place: Place) -> Iterator[Edit]:
    losing = any(isinstance(e, Removed) for e in place.case.in_phase.events)
    pool = place.boxed(POOL)
    if (
        isinstance(place.event, PhaseBegan)
        and place.phase.endswith(("pa", "move", "first"))
        and losing
        and pool
    ):
        yield 0, [Moved((place.random.choice(pool).id,), (POOL, DEAD))]
