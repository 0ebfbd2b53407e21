"""Faults of battles: who attacks, what is announced, what is lost, where is retreated and advanced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.wfm.mutations import Place, fault
from players.wfm.spoil_moves import move, normal
from validator.core.results import Pays
from validator.games.wfm.battles import Battle, battles
from validator.games.wfm.book import AXIS, ENEMY, SOVIET
from validator.model.events import (
    Attacked,
    Drawn,
    Marked,
    Moved,
    Removed,
    ResultNamed,
    Returned,
    Rolled,
    StepChanged,
)
from validator.procedures.field import printed

SIDE = {"axis-combat": AXIS, "sov-combat": SOVIET}
RESULTS = ("AE", "A1", "A2", "A3", "1/1", "1/2", "D1", "D2", "D3", "DE")


def fought(place: Place) -> Battle | None:
    known = battles(place.case)
    return known[-1] if known and not known[-1].overrun else None


@fault("8.21b")
def an_attack_from_afar(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Attacked) and not place.event.overrun:
        board, event = place.field.board, place.event
        target = place.field.id(event.targets[0])
        side = SIDE.get(place.phase)
        if side is None or target is None:
            return
        done = {u for b in battles(place.case) for u in b.attacker.steps}
        units = place.units(side, lambda u: normal(u) and printed(u, "attack") > 0 and u.id not in done)
        far = [u for u in units if board.distance(place.hex_id(u), target) == 2]
        nations = {place.position.units[u].nationality for u in event.units}
        unit = place.one([u for u in far if u.nationality in nations])
        if unit and unit.id not in event.units:
            yield 1, [replace(event, units=(*event.units, unit.id))]


@fault("8.23a", "8.23c")
def a_unit_attacks_twice(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Attacked) and not place.event.overrun:
        event, board = place.event, place.field.board
        target = place.field.id(event.targets[0])
        known = [b for b in battles(place.case) if not b.overrun and b.rolled]
        names = {u for b in known for u in b.attacker.steps} - set(event.units)
        units = [place.position.units[n] for n in names if place.position.units[n].on_map]
        nations = {place.position.units[u].nationality for u in event.units}
        near = [u for u in units if target is not None and board.are_adjacent(place.hex_id(u), target)]
        unit = place.one([u for u in near if u.nationality in nations])
        closed = {"sea", "lake", "causeway", "ice-road"}
        if unit and target is not None and not closed & set(board.side_of(place.hex_id(unit), target)):
            yield 1, [replace(event, units=(*event.units, unit.id))]


@fault("8.24")
def a_unit_without_attack_strength_attacks(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Attacked) and not place.event.overrun:
        event, board = place.event, place.field.board
        target = place.field.id(event.targets[0])
        side = SIDE.get(place.phase, "")
        units = (
            place.units(side, lambda u: not u.has("draws-strength") and printed(u, "attack") == 0)
            if side
            else []
        )
        unit = place.one(
            [u for u in units if target is not None and board.are_adjacent(place.hex_id(u), target)]
        )
        if (unit and "german" in unit.type.traits) or (unit and side == SOVIET):
            yield 1, [replace(event, units=(*event.units, unit.id))]


@fault("8.21a")
def an_attack_out_of_phase(place: Place) -> Iterator[Edit]:
    """In the combat phase of the other side."""
    side = SIDE.get(place.phase)
    if side and place.ends:
        for unit in place.units(ENEMY[side], lambda u: normal(u) and printed(u, "attack") > 0):
            for target in place.field.board.adjacent[place.hex_id(unit)]:
                if place.field.occupied(side)[target] and not place.field.board.side_of(
                    place.hex_id(unit), target
                ):
                    number = 1 + max((e.battle for e in place.events if isinstance(e, Attacked)), default=0)
                    yield 0, [Attacked(number, (unit.id,), (place.field.board.hexes[target],))]


@fault("8.1a", "8.42", "8.43", "2.4a", "2.4b", "8.22", "8.23c", "9.52", "9.53", "8.52", "8.53")
def odds_misread(place: Place) -> Iterator[Edit]:
    """The announced column is three too good."""
    if isinstance(place.event, Attacked) and place.event.column is None:
        yield 1, [replace(place.event, column="9:1")]


def _misnamed(place: Place) -> Iterator[ResultNamed]:
    if isinstance(place.event, ResultNamed) and place.event.result in RESULTS:
        others = [r for r in RESULTS if r != place.event.result]
        yield replace(place.event, result=place.random.choice(others))


OF_ODDS = ("8.1a", "8.1b", "8.22", "8.23c", "8.35", "8.42", "8.43", "8.47", "2.4a", "2.4b", "9.52", "9.53")
OF_DIE = (
    "8.1c",
    "8.52",
    "8.53",
    "8.54",
    "8.55",
    "8.62",
    "8.64",
    "8.71",
    "8.72",
    "6.1b",
    "6.29a",
    "6.29b",
    "11.28",
)


@fault(*OF_ODDS, *OF_DIE)
def a_result_misread(place: Place) -> Iterator[Edit]:
    for wrong in _misnamed(place):
        yield 1, [wrong]


@fault("8.1d")
def a_second_die(place: Place) -> Iterator[Edit]:
    battle = fought(place)
    if battle and isinstance(place.events[place.at - 1], Rolled) and battle.die is not None:
        yield 0, [Rolled((place.random.randint(1, 6),), 6, "combat", None, battle.number)]


@fault("8.84", "8.86", "8.104", "4.29a", "8.102", "8.108", "8.101a")
def a_loss_forgotten(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, StepChanged) and place.event.battle is not None:
        later = place.events[place.at + 1 :]
        again = any(isinstance(e, (StepChanged, Removed)) and e.unit == place.event.unit for e in later)
        if not again:
            yield 1, []


@fault("8.84", "8.86", "8.104", "4.29a", "8.102", "8.101a", "8.107", "8.106", "8.108")
def an_eliminated_unit_stays(place: Place) -> Iterator[Edit]:
    event = place.event
    if not isinstance(event, Removed) or event.battle is None or fought(place) is None:
        return
    if not place.position.units[event.unit].has("draws-strength"):
        yield 1, []


@fault("8.84", "8.86", "8.85", "8.94", "8.22")
def a_loss_too_many(place: Place) -> Iterator[Edit]:
    """A unit that fought loses one more step when all is paid."""
    battle = fought(place)
    if battle is None or not (place.ends or isinstance(place.event, Attacked)) or battle.result is None:
        return
    for party in battle.parties:
        part = battle.part(party)
        for name in party.steps:
            unit = place.position.units[name]
            two = len(unit.counter.steps) > 1 and unit.step == 1 and not unit.has("draws-strength")
            if unit.on_map and two and part.pays is not Pays.ALL and not party.extras:
                yield 0, [StepChanged(name, 1, 2, battle.number)]


@fault("8.84", "8.102", "8.101a", "8.86", "8.105", "8.118")
def a_retreat_forgotten(place: Place) -> Iterator[Edit]:
    event = place.event
    dead = {e.unit for e in place.rest_of_phase() if isinstance(e, Removed)}
    if (
        isinstance(event, Moved)
        and event.mode == "retreat"
        and place.phase in SIDE
        and not dead & {*event.units}
    ):
        yield 1, []


@fault("8.101b", "8.102", "8.106", "8.103", "4.29b", "8.84", "8.104", "4.29a")
def a_retreat_in_a_circle(place: Place) -> Iterator[Edit]:
    """The second hex of a retreat is beside the first."""
    event, board = place.event, place.field.board
    if isinstance(event, Moved) and event.mode == "retreat" and len(event.path) > 2:
        origin, first = place.field.id(event.path[0]), place.field.id(event.path[1])
        if origin is None or first is None:
            return
        near = [h for h in board.adjacent[first] if board.are_adjacent(h, origin) and place.empty(h)]
        dry = [h for h in near if board.terrain[h] not in ("sea", "lake")]
        if dry:
            end = board.hexes[place.random.choice(dry)]
            yield 1, [replace(event, path=(*event.path[:2], end))]


@fault("8.106", "8.103", "8.104", "4.29a", "4.29b", "8.101b", "8.84")
def a_retreat_into_an_enemy_zone(place: Place) -> Iterator[Edit]:
    event, board = place.event, place.field.board
    if isinstance(event, Moved) and event.mode == "retreat" and len(event.path) == 2:
        unit = place.position.units[event.units[0]]
        zones, start = place.field.enemy_zones(unit.side), place.field.id(event.path[0])
        chosen = place.field.id(event.path[1])
        if start is None or chosen is None or zones.holds(chosen):
            return
        near = [h for h in board.adjacent[start] if zones.holds(h) and place.empty(h)]
        near = [h for h in near if board.terrain[h] not in ("sea", "lake") and not board.side_of(start, h)]
        if near:
            yield 1, [replace(event, path=(event.path[0], board.hexes[place.random.choice(near)]))]


@fault("8.111", "8.115", "8.113", "8.116", "8.112")
def an_advance_of_who_did_not_fight(place: Place) -> Iterator[Edit]:
    battle = fought(place)
    if battle is None or not (place.ends or isinstance(place.event, Attacked)):
        return
    side = battle.attacker.side
    held = set(battle.attacker.steps) | set(battle.attacker.heirs)
    units = place.units(side, lambda u: normal(u) and printed(u, "attack") > 0 and u.id not in held)
    for target in battle.targets:
        near = [u for u in units if place.field.board.are_adjacent(place.hex_id(u), target)]
        unit = place.one(near)
        if unit and place.empty(target):
            event = move(place, unit, target, mode="advance")
            yield 0, [replace(event, battle=battle.number)]


@fault("8.113", "8.115", "8.116", "8.111")
def an_advance_too_far(place: Place) -> Iterator[Edit]:
    event, board = place.event, place.field.board
    if isinstance(event, Moved) and event.mode == "advance" and place.phase in SIDE:
        unit = place.position.units[event.units[0]]
        start = place.hex_id(unit)
        limit = int(unit.type.values.get("advance", 1))
        far = place.hexes(lambda h: place.empty(h) and board.distance(start, h) == limit + 1)
        if far:
            yield 1, [replace(event, path=(event.path[0], board.hexes[place.random.choice(far)]))]


@fault("8.22")
def a_loss_of_who_did_not_fight(place: Place) -> Iterator[Edit]:
    battle = fought(place)
    if battle and place.ends and battle.result is not None:
        names = {n for b in battles(place.case) for p in b.parties for n in (*p.steps, *p.heirs)}
        units = place.units(AXIS, lambda u: u.id not in names and len(u.counter.steps) > 1 and u.step == 1)
        unit = place.one(units)
        if unit:
            yield 0, [StepChanged(unit.id, 1, 2, battle.number)]


# --- strength markers (7) ----------------------------------------------------------------------------


@fault("7.11")
def an_army_fights_without_its_marker(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Drawn) and place.phase in SIDE:
        yield 1, []


@fault("7.14a", "16.44")
def a_marker_of_another_class(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Drawn):
        other = {"csm-a": "csm-b", "csm-b": "csm-c", "csm-c": "csm-b"}[event.deck]
        chits = place.position.decks[other]
        if chits:
            yield 1, [replace(event, marker=place.random.choice(chits), deck=other)]


@fault("7.14b")
def a_marker_drawn_again(place: Place) -> Iterator[Edit]:
    last = place.events[place.at - 1]
    if isinstance(last, Drawn) and last.unit and place.position.decks[last.deck]:
        another = place.random.choice(place.position.decks[last.deck])
        yield 0, [Returned(last.marker, last.deck, last.unit), Drawn(another, last.deck, last.unit)]


@fault("7.16")
def a_fresh_marker_with_its_weak_side_up(place: Place) -> Iterator[Edit]:
    last = place.events[place.at - 1]
    if isinstance(last, Drawn) and last.unit and place.phase == "admin":
        yield 0, [Marked(last.marker, last.unit, 2)]


@fault("7.12")
def an_army_beside_the_enemy_draws_no_marker(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Drawn) and place.phase == "admin":
        yield 1, []


@fault("7.21")
def an_army_away_from_the_enemy_keeps_its_marker(place: Place) -> Iterator[Edit]:
    if isinstance(place.event, Returned) and place.phase == "admin" and place.event.unit:
        yield 1, []


@fault("7.23")
def a_marker_into_the_wrong_cup(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Returned) and event.unit and event.deck:
        other = {"csm-a": "csm-b", "csm-b": "csm-c", "csm-c": "csm-b"}[event.deck]
        yield 1, [replace(event, deck=other)]


@fault("7.22")
def the_marker_of_a_dead_army_is_kept(place: Place) -> Iterator[Edit]:
    last = place.events[place.at - 1]
    if isinstance(place.event, Returned) and isinstance(last, Removed):
        yield 1, []
