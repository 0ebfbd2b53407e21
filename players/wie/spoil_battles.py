"""Faults of battles: who attacks, dice, values, hits, retreats, headquarters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.wie.mutations import Place, fault
from validator.games.wie.battles import battle_of
from validator.games.wie.units import fights, is_air, is_hq
from validator.model.events import Attacked, Fired, Moved, Removed, RoundBegan, Unmarked
from validator.procedures.rounds import owing

VALUES = (
    *(
        "unit.4",
        "unit.5",
        "unit.8",
        "unit.10",
        "unit.11",
        "wx.5",
        "ter.1",
        "ter.2",
        "ter.3",
        "ter.4",
        "ter.5",
    ),
    *("ter.6", "cbt.10", "cbt.3", "min.1", "opt.2", "sup.3", "cbt.11", "opt.7", "opt.8", "unit.7"),
)
FOLLOWS = ("cbt.3", "cbt.6", "min.3", "unit.7")
"""What follows where hits are other than they were."""


def fired(place: Place) -> Fired | None:
    event = place.event
    return event if isinstance(event, Fired) and not event.manner and event.battle is not None else None


@fault(*VALUES)
def a_value_too_high(place: Place) -> Iterator[Edit]:
    event = fired(place)
    if event is not None and event.value + 2 not in event.values and event.value + 1 not in event.values:
        planes = any(is_air(place.position.units[name]) for name in event.units)
        if not planes:
            yield 1, [replace(event, value=event.value + 2)]


@fault("cbt.3", "unit.8", "unit.11")
def a_die_too_many(place: Place) -> Iterator[Edit]:
    event = fired(place)
    if event is not None:
        yield 1, [replace(event, values=(*event.values, 12))]


@fault("cbt.3", "unit.8", "unit.11")
def dice_of_other_sides(place: Place) -> Iterator[Edit]:
    event = fired(place)
    if event is not None:
        yield 1, [replace(event, sides=10, values=tuple(min(v, 10) for v in event.values))]


@fault("cbt.3", "ret.3", *FOLLOWS)
def a_volley_fired_twice(place: Place) -> Iterator[Edit]:
    event = fired(place)
    if event is not None:
        yield 0, [event]


@fault("cbt.3", "hq.8", "cbt.1", "cbt.5", "brk.3", "hq.1")
def a_stranger_in_the_volley(place: Place) -> Iterator[Edit]:
    event = fired(place)
    if event is None:
        return
    battle = battle_of(place.case, event.battle)
    side = place.position.units[event.units[0]].side
    inside = set(battle.attacker.stood) | set(battle.defender.stood) if battle else set()
    unit = place.one([u for u in place.units(side, fights) if u.id not in inside])
    if unit:
        yield 1, [replace(event, units=(*event.units, unit.id), values=(*event.values, 12))]


@fault(*FOLLOWS)
def a_hit_not_taken(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Removed) and event.battle is not None and place.part in ("combat", "exploit"):
        yield 1, []


@fault("cbt.3")
def a_loss_without_a_hit(place: Place) -> Iterator[Edit]:
    if not place.ends or place.part not in ("combat", "exploit"):
        return
    for battle in place.case.in_phase.battles:
        for side in battle.sides:
            units = [place.position.units[n] for n in side.fighting]
            units = [u for u in units if u.on_map and fights(u)]
            if units and battle.owed(side) <= 0:
                yield 0, [Removed(units[0].id, f"{side.side}-eliminated", battle.number)]
                return


@fault("cbt.6", "min.3")
def a_disrupted_unit_that_stays(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "retreat" and event.battle is not None:
        battle = battle_of(place.case, event.battle)
        if battle and event.units[0] in battle.defender.disrupted:
            yield 1, []


@fault("ret.5", "ret.4")
def a_retreat_of_another_length(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "retreat" and event.battle is not None:
        start = place.field.id(event.start)
        far = len(event.path) - 1
        if start is not None:
            other = 1 if far == 2 else 3
            end = place.far(start, other, other, lambda h: place.field.holder(h) == place.enemy)
            if end is not None:
                yield 1, [replace(event, path=(event.start, place.hex(end)))]  # type: ignore[arg-type]


@fault("ret.4", "ret.5")
def a_retreat_into_the_enemy(place: Place) -> Iterator[Edit]:
    event = place.event
    if (
        isinstance(event, Moved)
        and event.mode == "retreat"
        and event.battle is not None
        and len(event.path) == 2
    ):
        start = place.field.id(event.start)
        if start is not None:
            ends = [
                h for h, _ in place.field.ground.costs.links()[start] if place.field.holder(h) == place.side
            ]
            if ends:
                yield 1, [replace(event, path=(event.start, place.hex(ends[0])))]  # type: ignore[arg-type]


@fault("cbt.9", "gnd.3", "cbt.2")
def an_advance_of_a_stranger(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "advance":
        inside = {n for b in place.case.in_phase.battles for n in (*b.attacker.stood, *b.defender.stood)}
        near = [
            u
            for h in place.field.board.adjacent[place.field.board.id_of[event.end]]  # type: ignore[index]
            for u in place.field.units(h, place.side)
            if fights(u) and u.id not in inside
        ]
        unit = place.one(near)
        if unit:
            yield 1, [Moved((unit.id,), (unit.hex, event.end), "advance", event.battle)]


@fault("cbt.1", "hq.1", "cbt.11", "brk.2", "unit.8", "cbt.12")
def an_attack_on_nobody(place: Place) -> Iterator[Edit]:
    if place.ending("combat"):
        unit = place.one(place.fresh(lambda u: not u.has("rail-gun")))
        end = place.far(place.hex_id(unit), 1, 1, place.empty) if unit else None
        if unit and end is not None:
            number = 900 + place.at % 97
            yield 0, [Attacked(number, (unit.id,), (place.hex(end),))]  # type: ignore[arg-type]


@fault("cbt.1", "hq.1", "unit.8")
def an_attack_from_afar(place: Place) -> Iterator[Edit]:
    if place.ending("combat"):
        unit = place.one(place.fresh())
        if unit is None:
            return
        board, here = place.field.board, place.hex_id(unit)
        opponents = [
            h for h, u in place.field.of_side(place.enemy) if board.distance(here, h) in (2, 3) and fights(u)
        ]
        if opponents:
            yield 0, [Attacked(900 + place.at % 97, (unit.id,), (place.hex(opponents[0]),))]  # type: ignore[arg-type]


@fault("cbt.8")
def a_plane_that_was_not_sent(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Attacked):
        planes = place.planes(place.side)
        if planes:
            yield 1, [replace(event, units=(*event.units, planes[0][1].id))]


@fault("cbt.1", "cbt.5", "hq.8", "brk.3", "hq.1")
def a_round_without_headquarters(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, RoundBegan) and event.under:
        following = place.events[place.at + 1] if place.at + 1 < len(place.events) else None
        if isinstance(following, Fired):
            yield 1, [replace(event, under=())]


@fault("hq.5", "brk.3")
def a_headquarters_that_orders_twice(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, RoundBegan) and event.under:
        used = [n for n in place.case.in_turn.by(place.side).activated if place.position.units[n].on_map]
        if used:
            yield 1, [replace(event, under=(used[0], *event.under[1:]))]


@fault("hq.5")
def an_army_that_orders(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, RoundBegan) and event.under:
        unit = place.one(place.units(place.side, fights))
        if unit:
            yield 1, [replace(event, under=(unit.id, *event.under[1:]))]


@fault("cbt.5")
def a_round_left_out(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, RoundBegan):
        yield 1, [replace(event, number=event.number + 1)]


@fault("hq.9")
def a_headquarters_destroyed(place: Place) -> Iterator[Edit]:
    if place.ending("combat"):
        field = place.field
        for unit in place.units(place.enemy, is_hq):
            links = field.ground.costs.links()[place.hex_id(unit)]
            if any(field.holder(h) == place.enemy and not field.occupied(place.side)[h] for h, _ in links):
                yield 0, [Removed(unit.id, f"{place.enemy}-headquarters")]
                return


@fault("brk.1", "brk.2", "brk.4", "brk.5", "gnd.3")
def an_exploitation_by_whoever(place: Place) -> Iterator[Edit]:
    if place.ending("exploit"):
        turn = place.case.in_turn.by(place.side)
        gone = [
            place.position.units[n] for n in {*turn.trips, *turn.fought} if place.position.units[n].on_map
        ]
        unit = place.one(
            [u for u in sorted(gone, key=lambda u: u.id) if fights(u) and u.id not in turn.dropped]
        )
        end = place.far(place.hex_id(unit), 1, 1, lambda h: place.empty_of(place.enemy, h)) if unit else None
        if unit and end is not None:
            yield 0, [Moved((unit.id,), (unit.hex, place.hex(end)), "exploitation")]  # type: ignore[arg-type]


# --- hits in the air and of salvos --------------------------------------------------------------------------


@fault("air.8", "air.16", "air.18", "unit.6", "seq.2")
def a_hit_in_the_air_or_of_a_salvo_not_taken(place: Place) -> Iterator[Edit]:
    event = place.event
    owed = isinstance(event, Removed) and owing(place.case.in_phase.tolls, event.unit) is not None
    if owed and place.part in ("move", "combat", "exploit"):
        yield 1, []


@fault("unit.6")
def a_salvo_fired_twice(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Fired) and event.manner == "salvo":
        yield 0, [replace(event, values=tuple(12 for _ in event.values))]


@fault("air.8", "air.16", "unit.10", "unit.11", "unit.15")
def a_value_in_the_air_too_high(place: Place) -> Iterator[Edit]:
    event = place.event
    if not isinstance(event, Fired) or event.manner not in ("air", "interception"):
        return
    if not {*range(event.value, event.value + 6)} & set(event.values):
        yield 1, [replace(event, value=event.value + 5)]


@fault("air.13")
def a_called_plane_that_fires_at_once(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Moved) and event.mode == "defensive-support" and place.case.in_phase.battles:
        battle = place.case.in_phase.battles[-1]
        if battle.rounds:
            yield 1, [event, Fired(event.units, 6, (12,), 12, battle=battle.number)]


@fault("gnd.3")
def an_exploitation_into_the_enemy(place: Place) -> Iterator[Edit]:
    event = place.event
    if place.part != "exploit" or not isinstance(event, Moved) or event.mode != "exploitation":
        return
    end = place.field.id(event.end)
    if end is None:
        return
    held = place.field.occupied(place.enemy)
    beyond = [h for h in place.field.board.adjacent[end] if held[h]]
    hex_id = place.pick(beyond)
    if hex_id is not None:
        yield 1, [replace(event, path=(*event.path, place.hex(hex_id)))]  # type: ignore[arg-type]


@fault("fort.1", "cbt.3", "seq.2")
def a_level_that_takes_nothing(place: Place) -> Iterator[Edit]:
    """A fortification is taken off without a hit."""
    if not place.ends or place.part != "combat" or any(t.owed > 0 for t in place.case.in_phase.tolls):
        return
    for hex_, marks in place.position.marks.items():
        for name in marks:
            marker = place.case.game.marker[name]
            if marker.kind == "fortification" and marker.side == place.enemy:
                manned = any(u.side == place.enemy and fights(u) for u in place.position.at(hex_))
                fought = any(place.field.id(hex_) == b.target for b in place.case.in_phase.battles)
                if manned and not fought:
                    yield 0, [Unmarked(name, hex_)]
                    return
