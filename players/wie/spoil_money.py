"""Faults of money, purchases, reinforcements and placement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from players.faults import Edit
from players.wie.mutations import Place, fault
from validator.games.wie.c03_arrivals import FREE_ONES, MANPOWER
from validator.games.wie.c03_money import RULE_OF
from validator.games.wie.units import is_hq, kind, manpower, replaces, value
from validator.model.events import (
    Declared,
    Event,
    Marked,
    Moved,
    PhaseBegan,
    Placed,
    Pointed,
    Removed,
    Rolled,
)

LINES = tuple(rule.removeprefix("wie-") for rule in {*RULE_OF.values(), "wie-rep.8", "wie-rep.9"})


@fault(*LINES)
def a_point_too_many(place: Place) -> Iterator[Edit]:
    """A mistake of one point in any line of the money."""
    event = place.event
    if isinstance(event, Declared) and event.what in RULE_OF:
        yield 1, [replace(event, value=str(int(event.value) + 1))]


@fault(*LINES)
def a_point_too_few(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Declared) and event.what in RULE_OF and int(event.value) > 0:
        yield 1, [replace(event, value=str(int(event.value) - 1))]


@fault("rep.2", "rep.7", "rep.16", *LINES)
def a_purchase_not_booked(place: Place) -> Iterator[Edit]:
    """Something more is bought, and the lines stay as they were."""
    event = place.event
    if isinstance(event, Declared) and event.what == "purchases":
        unit = place.in_pool(lambda u: kind(u) in ("artillery", "heavy-artillery"))
        if unit:
            yield 0, [_to(place, unit.id, "pool", "bought")]


def _to(place: Place, unit: str, old: str, new: str) -> Event:
    return Moved((unit,), (f"{place.side}-{old}", f"{place.side}-{new}"))


@fault("rep.2", "rep.7")
def more_than_the_money(place: Place) -> Iterator[Edit]:
    if not place.ending("reinforce"):
        return
    balance = place.case.in_turn.by(place.side).ledger.balance
    dear = [u for u in place.position.at(f"{place.side}-pool") if value(u, "cost") >= 12 and not is_hq(u)]
    dear = [u for u in dear if value(u, "from-turn") <= place.case.turn and not u.has("finnish")]
    if balance is not None and sum(value(u, "cost") for u in dear) > balance >= 0:
        yield 0, [_to(place, u.id, "pool", "bought") for u in dear]


@fault("rep.6")
def too_many_men(place: Place) -> Iterator[Edit]:
    if not place.beginning("reinforce"):
        return
    most = MANPOWER[place.side]["light-infantry"]
    pool = [u for u in place.position.at(f"{place.side}-pool") if manpower(u) == "light-infantry"]
    pool = [u for u in pool if not u.has("minor")]
    if len(pool) > most and (place.case.in_turn.by(place.side).ledger.balance or 0) > 3 * most + 12:
        yield 0, [_to(place, u.id, "pool", "bought") for u in pool[: most + 1]]


@fault("rep.4")
def too_many_free_replacements(place: Place) -> Iterator[Edit]:
    if not place.ending("reinforce"):
        return
    turn = place.case.in_turn.by(place.side)
    done = sum(replaces(place.position.units[n]) == "infantry" for n in turn.replaced)
    dead = [u for u in place.position.at(f"{place.side}-eliminated") if replaces(u) == "infantry"]
    need = FREE_ONES[place.side]["infantry"] + 1 - done
    if len(dead) >= need > 0:
        yield 0, [_to(place, u.id, "eliminated", "free") for u in dead[:need]]


@fault("rep.4")
def a_free_replacement_of_nothing(place: Place) -> Iterator[Edit]:
    lost = {kind(u) for u in place.position.at(f"{place.side}-eliminated")} if place.side else set()
    turn = place.case.in_turn.by(place.side)
    lost |= {kind(place.position.units[n]) for n in turn.replaced}
    lost |= {kind(place.position.units[n]) for n in place.case.in_game.dead.get(place.side, ())}
    if place.beginning("reinforce"):
        unit = place.in_pool(lambda u: replaces(u) != "" and kind(u) not in lost and not u.has("jet"))
        if unit:
            yield 0, [_to(place, unit.id, "pool", "free")]


@fault("rep.3", "opt.10")
def a_reinforcement_that_is_not_listed(place: Place) -> Iterator[Edit]:
    if place.beginning("reinforce"):
        unit = place.in_pool(lambda u: kind(u) in ("rail-gun", "jet-fighter", "heavy-artillery"))
        if unit:
            yield 0, [_to(place, unit.id, "pool", "reinforcements")]


@fault("unit.9", "rep.2", "rep.7")
def a_jet_before_its_time(place: Place) -> Iterator[Edit]:
    if place.beginning("reinforce") and place.side == "axis" and place.case.turn < 18:
        unit = place.in_pool(lambda u: u.has("jet"))
        if unit:
            yield 0, [_to(place, unit.id, "pool", "bought")]


@fault("unit.12", "rep.2", "rep.7")
def an_optional_unit_bought(place: Place) -> Iterator[Edit]:
    if place.beginning("reinforce"):
        unit = place.in_pool(lambda u: kind(u) in ("tank-destroyer", "heavy-armor"))
        if unit:
            yield 0, [_to(place, unit.id, "pool", "bought")]


@fault("rep.1", "rep.16", *LINES)
def oil_that_was_not_taken(place: Place) -> Iterator[Edit]:
    if place.beginning("reinforce"):
        yield 0, [Rolled((4,), 6, "oil income")] * 5


@fault("rep.11")
def a_unit_without_a_source(place: Place) -> Iterator[Edit]:
    if place.beginning("place"):
        unit = place.in_pool(lambda u: kind(u) == "infantry" and not u.has("finnish"))
        cities = [h for h in place.field.ground.values if place.field.holder(h) == place.side]
        hex_id = place.pick(cities)
        if unit and hex_id is not None:
            yield 0, [Moved((unit.id,), (f"{place.side}-pool", place.hex(hex_id)))]  # type: ignore[arg-type]


@fault("plc.9", "rep.11", "seq.2")
def a_unit_that_comes_late(place: Place) -> Iterator[Edit]:
    if place.beginning("move") or place.beginning("redeploy"):
        unit = place.in_pool(lambda u: kind(u) == "infantry")
        cities = [h for h in place.field.ground.values if place.field.holder(h) == place.side]
        hex_id = place.pick(cities)
        if unit and hex_id is not None:
            yield 0, [Placed(unit.id, place.hex(hex_id))]  # type: ignore[arg-type]


@fault("plc.2", "plc.3", "fin.1")
def a_unit_placed_in_the_open(place: Place) -> Iterator[Edit]:
    event = place.event
    if place.part != "place" or not isinstance(event, Moved) or not str(event.start).endswith("-bought"):
        return
    field = place.field
    open_ = [
        h
        for h in place.hexes(lambda h: field.holder(h) == place.side and not field.city(h))
        if not field.complexes(h) and field.ground.country(h) != "finland"
    ]
    hex_id = place.pick(open_)
    if hex_id is not None:
        yield 1, [replace(event, path=(event.start, place.hex(hex_id)))]  # type: ignore[arg-type]


@fault("plc.2", "fin.1", "plc.3")
def a_unit_placed_in_an_enemy_city(place: Place) -> Iterator[Edit]:
    event = place.event
    if place.part != "place" or not isinstance(event, Moved) or not str(event.start).endswith("-bought"):
        return
    hex_id = place.pick([h for h in place.field.ground.values if place.field.holder(h) == place.enemy])
    if hex_id is not None and place.empty_of(place.enemy, hex_id):
        yield 1, [replace(event, path=(event.start, place.hex(hex_id)))]  # type: ignore[arg-type]


@fault("plc.7", "plc.4", "plc.5", "plc.6", "rep.13", "air.15", "rep.2", "rep.7", "fin.1")
def too_many_in_one_place(place: Place) -> Iterator[Edit]:
    """All that was bought, and what lies in the box of free replacements, in one poor city."""
    if not place.beginning("place"):
        return
    field = place.field
    ours = [h for h in field.ground.values if field.holder(h) == place.side and not field.complexes(h)]
    ours = [h for h in ours if field.ground.country(h) != "finland"]
    small = [h for h in ours if field.ground.values[h] <= 3]
    hex_id = place.pick(small)
    new = [u for box in ("bought", "free") for u in place.position.at(f"{place.side}-{box}")]
    if hex_id is not None and len(new) > field.ground.values[hex_id]:
        spot = place.hex(hex_id)
        yield 0, [Moved((u.id,), (u.spot, spot)) for u in new]  # type: ignore[arg-type]


@fault("hq.11")
def a_headquarters_too_early(place: Place) -> Iterator[Edit]:
    if not place.beginning("place"):
        return
    box = place.position.at(f"{place.side}-headquarters")
    unit = place.one([u for u in box if value(u, "from-turn") > place.case.turn])
    hex_id = place.pick([h for h in place.field.ground.values if place.field.holder(h) == place.side])
    if unit and hex_id is not None:
        yield 0, [Moved((unit.id,), (f"{place.side}-headquarters", place.hex(hex_id)))]  # type: ignore[arg-type]


@fault("unit.14")
def a_fortification_out_of_time(place: Place) -> Iterator[Edit]:
    if place.beginning("redeploy"):
        unit = place.one(place.units(place.side, lambda u: u.has("class-1")))
        if unit:
            marker = f"{place.side}-fort-n"
            known = place.position.marks.get(unit.hex, {}).get(marker, 0)
            if known < 3:
                yield 0, [Marked(marker, unit.hex, known + 1)]


@fault("rep.15", "seq.2")
def siberians_called_twice(place: Place) -> Iterator[Edit]:
    if (
        place.beginning("reinforce")
        and place.side == "soviet"
        and 0 < place.case.in_game.siberian < place.case.turn
    ):
        yield 0, [Declared("siberian-army")]


@fault("seq.2")
def a_purchase_after_the_battles(place: Place) -> Iterator[Edit]:
    if place.beginning("redeploy"):
        unit = place.in_pool(lambda u: kind(u) == "infantry")
        if unit:
            yield 0, [_to(place, unit.id, "pool", "bought")]


# --- sequence, weather, supply ------------------------------------------------------------------------------


@fault("wx.1")
def the_weather_rolled_twice(place: Place) -> Iterator[Edit]:
    if place.phase == "weather" and place.ends:
        yield 0, [Rolled((place.random.randint(1, 6),), 6, "weather")]


@fault("wx.2")
def the_weather_misread(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, Pointed) and event.marker == "weather":
        others = [w for w in ("clear", "mud", "snow") if not event.box.endswith(w)]
        yield 1, [Pointed("weather", f"weather-{place.random.choice(others)}")]


@fault("seq.1", "seq.2", "scn.1", "scn.2", "scn.3", "scn.4")
def a_phase_gone_back_to(place: Place) -> Iterator[Edit]:
    event = place.event
    if isinstance(event, PhaseBegan) and place.side and event.turn == place.case.turn:
        phases = list(place.case.sequence.of_turn(place.case.turn))
        before = phases[: phases.index(place.phase)]
        if before:
            yield 0, [PhaseBegan(place.case.turn, before[-1])]


@fault("sup.4")
def a_unit_removed_in_supply(place: Place) -> Iterator[Edit]:
    from validator.games.wie.c07_supply import checked

    if place.ending("supply"):
        units = [u for u in place.units(place.side) if checked(place.case, u, place.field) is None]
        unit = place.one(units)
        if unit:
            yield 0, [Removed(unit.id, f"{place.side}-eliminated")]


@fault("sup.4", "sup.7", "zoc.2")
def a_unit_that_starves_and_stays(place: Place) -> Iterator[Edit]:
    from validator.games.wie.c07_supply import checked
    from validator.games.wie.lines import commanded

    event = place.event
    if place.part == "supply" and isinstance(event, Removed):
        unit = place.position.units[event.unit]
        found = checked(place.case, unit, place.field)
        near = commanded(place.case, place.field, unit) and (found is None or found.turns <= 2)
        in_city = place.field.red(place.hex_id(unit))
        if (
            found
            and found.sure
            and not (near and not in_city)
            and not unit.has("partisan")
            and not is_hq(unit)
        ):
            yield 1, []
