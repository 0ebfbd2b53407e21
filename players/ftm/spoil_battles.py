"""Faults of battles: who attacks, what is announced, what is lost, where is retreated and advanced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.ftm.mutations import Place, fault
from validator.core.results import Pays
from validator.games.ftm.book import COMBAT, ENEMY
from validator.games.ftm.state import Battle
from validator.model.events import (
    Attacked,
    Drawn,
    Marked,
    Moved,
    PhaseBegan,
    Removed,
    ResultNamed,
    Returned,
    Rolled,
    StepChanged,
)
from validator.procedures.field import printed

RESULTS = ("AE", "A1", "A2", "A3", "1/1", "1/2", "D1", "D2", "D3", "DE")
OF_ODDS = ("8.1a", "8.1d", "8.3.3", "8.3.5", "8.4a", "8.4.1", "9.5", "14.1a")
OF_DIE = ("8.2.1", "13.0")


def _attack(place: Place) -> Attacked | None:
    event = place.event
    return event if isinstance(event, Attacked) and not event.overrun else None


def last(place: Place) -> Battle | None:
    known: list[Battle] = place.case.in_phase.battles
    return known[-1] if known else None


@fault("8.0", "8.3.9", "8.3.7")
def an_attack_from_afar(place: Place) -> Iterator[Edit]:
    event = _attack(place)
    if event is not None:
        board, target = place.field.board, place.field.id(event.targets[0])
        side = COMBAT[place.phase]
        units = place.units(
            side, lambda u: u.type.zoc and printed(u, "attack") > 0 and u.id not in event.units
        )
        done = {u for b in place.case.in_phase.battles for u in b.attacker.steps}
        far = [u for u in units if target is not None and board.distance(place.hex_id(u), target) == 2]
        unit = place.one([u for u in far if u.id not in done and u.has("german")])
        if unit:
            yield 1, [replace(event, units=(*event.units, unit.id))]


@fault("8.3.1")
def a_hex_is_attacked_twice(place: Place) -> Iterator[Edit]:
    """When a combat phase ends: units that did not fight, against one that defended."""
    side = COMBAT.get(place.phase)
    if not side or not place.ends:
        return
    known = [b for b in place.case.in_phase.battles if not b.overrun]
    done = {u for b in known for u in b.attacker.names}
    for battle in known:
        target = battle.targets[0]
        stands = any(u.id in battle.defender.names for u in place.field.units(target, ENEMY[side]))
        near = [u for h in place.field.board.adjacent[target] for u in place.field.units(h, side)]
        dry = [u for u in near if not place.field.board.side_of(place.hex_id(u), target)]
        able = [u for u in dry if u.type.zoc and u.id not in done and printed(u, "attack") > 0]
        if stands and able:
            hexes = (place.field.board.hexes[target],)
            yield 0, [Attacked(999, (able[0].id,), hexes)]
            return


@fault("8.3.8", "8.3.6", "8.0", "8.3.9", "8.4.3")
def who_never_attacks(place: Place) -> Iterator[Edit]:
    event = _attack(place)
    if event is not None:
        target = place.field.id(event.targets[0])
        units = place.units(COMBAT[place.phase], lambda u: u.has("fortress") or not u.type.zoc)
        near = [
            u for u in units if target is not None and place.field.board.are_adjacent(place.hex_id(u), target)
        ]
        idle = [u for u in near if u.has("fortress") or printed(u, "attack") == 0]
        unit = place.one(idle)
        if unit:
            yield 1, [replace(event, units=(*event.units, unit.id))]


@fault("8.0")
def an_attack_out_of_phase(place: Place) -> Iterator[Edit]:
    """In the combat phase of the other side."""
    side = COMBAT.get(place.phase)
    if side and place.ends:
        for unit in place.units(ENEMY[side], lambda u: u.type.zoc and not u.has("fortress")):
            for target in place.field.board.adjacent[place.hex_id(unit)]:
                open_side = not place.field.board.side_of(place.hex_id(unit), target)
                if place.field.occupied(side)[target] and open_side:
                    yield 0, [Attacked(998, (unit.id,), (place.field.board.hexes[target],))]
                    return


@fault(*OF_ODDS)
def odds_misread(place: Place) -> Iterator[Edit]:
    """The announced column is far too good."""
    if isinstance(place.event, Attacked) and place.event.column is None and not place.event.overrun:
        yield 1, [replace(place.event, column="9:1")]


@fault(*OF_ODDS, *OF_DIE, "7.1b")
def a_result_misread(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, ResultNamed) and event.result in RESULTS:
        others = [r for r in RESULTS if r != event.result]
        yield 1, [replace(event, result=place.random.choice(others))]


@fault("8.1d")
def a_second_die(place: Place) -> Iterator[Edit]:
    battle = last(place)
    if battle is not None and battle.die is not None and isinstance(place.event, ResultNamed):
        yield 0, [Rolled((place.random.randint(1, 6),), 6, "combat", None, battle.number)]


@fault("8.1b")
def no_chit_is_drawn(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Drawn) and event.unit and place.phase in COMBAT:
        later = next((e for e in place.rest_of_phase() if isinstance(e, Rolled)), None)
        if later is not None:
            yield 1, []


@fault("11.1.1")
def a_chit_out_of_the_wrong_cup(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Drawn) and event.unit and place.phase in COMBAT:
        others = [d for d, chits in place.position.decks.items() if d != event.deck and chits]
        if others:
            yield 1, [Drawn(place.position.decks[others[0]][0], others[0], event.unit)]


@fault("8.5a", "8.5.1", "8.5b", "8.5.3", "8.5.2", "8.6.5", "4.2.1", "8.6.3")
def a_loss_not_taken(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, StepChanged) and event.battle and place.phase in COMBAT and event.new == 2:
        again = [e for e in list(place.rest_of_phase())[1:] if event.unit in _units(e)]
        if not again:
            yield 1, []


def _units(event: object) -> tuple[str, ...]:
    if isinstance(event, Moved | Attacked):
        return event.units
    return (event.unit,) if isinstance(event, Removed | StepChanged) else ()


@fault("8.5a", "8.5.2", "8.5.3", "8.5.1", "8.5b")
def a_loss_too_many(place: Place) -> Iterator[Edit]:
    """When the phase ends a unit that fought and was not asked for anything loses a step."""
    if place.phase in COMBAT and place.ends:
        for battle in reversed(place.case.in_phase.battles):
            for party in battle.parties:
                names = [n for n in party.steps if place.position.units[n].on_map and not party.lost]
                fresh = [n for n in names if len(place.position.units[n].counter.steps) > 1]
                whole = [n for n in fresh if place.position.units[n].step == 1]
                if whole and battle.result is not None and battle.part(party).pays is Pays.NOTHING:
                    yield 0, [StepChanged(whole[0], 1, 2, battle.number)]
                    return


@fault("8.6a", "8.6.1", "8.6.4", "8.5a", "4.2.2", "4.2.3a", "5.2.1a", "5.2.1b", "5.2.1c")
def a_retreat_one_way_and_back(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "retreat" and len(event.path) == 3:
        yield 1, [replace(event, path=(*event.path[:2], event.path[0]))]


@fault("8.6.4", "8.6.1", "8.6a")
def a_retreat_onto_the_enemy(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "retreat" and len(event.path) == 2:
        unit, here = place.position.units[event.units[0]], place.field.id(event.path[0])
        enemies = place.field.occupied(ENEMY[unit.side])
        near = [h for h in place.field.board.adjacent[here or 0] if enemies[h]]
        if near:
            yield 1, [replace(event, path=(event.path[0], place.field.board.hexes[near[0]]))]


@fault("8.5a", "8.5b", "8.6.5", "8.5.1")
def a_retreat_not_made(place: Place) -> Iterator[Edit]:
    event = place.event
    battle = last(place)
    if isinstance(event, Moved) and event.mode == "retreat" and battle is not None and not battle.overrun:
        later = [e for e in list(place.rest_of_phase())[1:] if set(_units(e)) & set(event.units)]
        advanced = [e for e in place.rest_of_phase() if isinstance(e, Moved) and e.mode == "advance"]
        mine = [e for e in advanced if e.battle == event.battle]
        if not later and not mine and len(battle.party(event.units[0]).steps) == len(event.units):  # type: ignore[union-attr]
            yield 1, []


@fault("8.7b", "8.7.2", "8.7a", "5.1.5b", "5.2.1b", "8.7.3")
def an_advance_too_far(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "advance" and place.phase in COMBAT:
        end, board = place.field.id(event.end), place.field.board
        start = place.field.id(event.path[0])
        far = [h for h in board.adjacent[end or 0] if board.distance(h, start or 0) == 3 and place.empty(h)]
        two = [h for h in board.adjacent[end or 0] if board.distance(h, start or 0) == 2 and place.empty(h)]
        unit = place.position.units[event.units[0]]
        choice = far or ([] if unit.has("armor") else two)
        if choice:
            yield 1, [replace(event, path=(event.path[0], event.end, board.hexes[choice[0]]))]


@fault("11.2.1", "8.6.5")
def the_chit_of_the_dead_stays(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Returned) and event.unit and place.phase in COMBAT:
        unit = place.position.units[event.unit]
        if not unit.on_map:
            later = [
                e
                for e in list(place.rest_of_phase())[1:]
                if isinstance(e, Returned) and e.marker == event.marker
            ]
            if not later:
                yield 1, []


@fault("11.2.2b")
def a_chit_into_the_wrong_cup(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Returned) and event.unit:
        cups = [deck for deck in place.position.decks if deck != event.deck]
        yield 1, [replace(event, deck=place.random.choice(cups))]


@fault("11.3")
def a_fresh_chit_on_its_back(place: Place) -> Iterator[Edit]:
    event = place.event
    rest = list(place.rest_of_phase())[1:2]
    if (
        isinstance(event, Drawn)
        and event.unit
        and place.phase in COMBAT
        and not isinstance(rest[0], PhaseBegan)
    ):
        battle = last(place)
        if battle is not None and not battle.rolled and battle.party(event.unit):
            yield 1, [event, Marked(event.marker, event.unit, 2)]
