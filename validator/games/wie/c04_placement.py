"""Chapter 4: where new units are placed, how many in a turn; six in a hex; fortifications."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.core.board import HexId, union
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    COMBAT,
    COUNTER_OFFENSIVE,
    ENEMY,
    EXPLOIT,
    MOVE,
    PLACE,
    PLAYER_TURNS,
    REDEPLOY,
    REINFORCE,
    RULES,
    SET_UP,
    SIBERIAN,
    SIDES,
    SOVIET,
    both,
    part_of,
    side_of,
)
from validator.games.wie.c03_money import REBUILD
from validator.games.wie.c07_finland import MOST as MOST_TO_FINLAND
from validator.games.wie.field import Field, field_at_phase_start, field_of, original, ours
from validator.games.wie.levels import FORTIFICATION, Change, changes, face_at
from validator.games.wie.lines import supply_of
from validator.games.wie.sources import BOUGHT, CHART, FREE, shown
from validator.games.wie.state import Case
from validator.games.wie.units import CLASS_1, PARTISAN, counts, is_air, is_hq
from validator.model.events import Marked, Moved, Placed, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import Position, Unit, having
from validator.procedures import faults
from validator.procedures.ask_each import each
from validator.procedures.moves import spot_of

MOST_IN_A_HEX = 6
PLACING = both(PLACE)
COMPLEX_ROOM, WORKS = 6, 1
NO_INFANTRY = "where partisans let no infantry be placed"
NOT_NOW = "fortifications are built in actions 1 and 2"


# --- where --------------------------------------------------------------------------------------------------


@RULES.track(Placed, Moved, when=JUDGED, phases=PLACING)
def note_the_place(case: Case, event: Placed | Moved) -> None:
    """Also of a counter that was just placed and is put elsewhere."""
    placed = case.in_turn.by(side_of(case.phase)).placed
    comers = {unit.id for unit in ours(case, (arrival.unit for arrival in shown(case, event)))}
    for name in event.concerned:
        lies = [names for names in placed.values() if name in names]
        for names in lies:
            names.remove(name)
        for hex_id in field_of(case).ids((event.comes_to,)):
            if lies or name in comers:
                placed.setdefault(hex_id, []).append(name)


@dataclass(frozen=True)
class Placing:
    """A new unit of the side whose turn it is, and the hex that it is put into."""

    unit: Unit
    source: str
    hex_id: HexId


def placings(case: Case, event: Placed | Moved) -> list[Placing]:
    """Of an event; a counter that was just placed may be put elsewhere."""
    side, field = side_of(case.phase), field_of(case)
    began, placed_as = case.phase_start.units, case.in_turn.by(side).placed_as
    new = [(arrival.unit, arrival.source) for arrival in shown(case, event)]
    on_map = [u for u in case.units(event.concerned) if u.on_map and not began[u.id].on_map]
    new += [(unit, placed_as[unit.id]) for unit in on_map if unit.id in placed_as]
    own = [(unit, source) for unit, source in new if unit.side == side and not unit.has(PARTISAN)]
    return [Placing(*comer, hex_id) for comer in own for hex_id in field.ids((event.comes_to,))]


@RULES.rule("wie-plc.2", "wie-plc.3", "wie-opt.6")
@RULES.before(Placed, Moved, phases=PLACING)
@each(placings)
def units_are_placed_where_they_can_be(case: Case, event: Placed | Moved, placing: Placing) -> Faults:
    """What is bought or replaced in complexes and red cities; the chart's in minor cities too."""
    field, unit, hex_id = field_of(case), placing.unit, placing.hex_id
    free = is_hq(unit) or placing.source == SIBERIAN
    infantry = unit.side == AXIS and unit.has(CLASS_1) and not free
    no_city = is_air(unit) and not free and not field.city(hex_id)
    rows: faults.Rows = [
        (field.holder(hex_id) != unit.side, "wie-plc.2", "which the enemy holds"),
        (infantry and field.partisans("placement")[hex_id], "wie-opt.6", NO_INFANTRY),
        (no_city, "wie-plc.3", "where no city is"),
        (not (free or _takes(case, field, placing)), "wie-plc.2", "which is no complex and no red city"),
    ]
    where = field.ground.named_place(field.board.hexes[hex_id])
    before = f"{unit.id} is placed in {where}, "
    yield from faults.first_that_holds(rows, before, (unit.id,), spot_of(event.comes_to))


def _takes(case: Case, field: Field, placing: Placing) -> bool:
    """Whether units of this source come into a place at all."""
    minor = field.city(placing.hex_id) and placing.source in (CHART, FREE, COUNTER_OFFENSIVE)
    great = field.red(placing.hex_id) or bool(field.complexes(placing.hex_id))
    return great or (minor and case.option("minor-city-placement") == "yes")


# --- how many -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    """A hex that units were built in by an event: its name, and all that was built there in this turn."""

    side: str
    hex_id: HexId
    place: str
    built: list[Unit]
    free: list[Unit]  # of them, those that came back for nothing
    new: tuple[str, ...]  # by the event
    hexes: tuple[Hex, ...]


def sites(case: Case, event: Placed | Moved) -> Iterator[Site]:
    side, field = side_of(case.phase), field_of(case)
    turn = case.in_turn.by(side)
    for hex_id in field.ids((event.comes_to,)):
        names = turn.placed.get(hex_id, ())
        free = [name for name in names if turn.placed_as.get(name) == FREE]
        built = [*free, *(name for name in names if turn.placed_as.get(name) == BOUGHT)]
        hexes = field.hexes((hex_id,))
        if not set(names).isdisjoint(event.concerned):
            place = field.ground.named_place(hexes[0])
            yield Site(side, hex_id, place, case.units(built), case.units(free), event.concerned, hexes)


@RULES.rule("wie-plc.6")
@RULES.after(Placed, Moved, phases=PLACING)
@each(sites)
def nothing_is_placed_in_a_surrounded_city(case: Case, event: Placed | Moved, site: Site) -> Faults:
    """Whatever its source, but where a complex works; that headquarters are "units" is not said."""
    field, side, hex_id = field_of(case), site.side, site.hex_id
    cut_off = _encircled(field, hex_id, side) and supply_of(case, field, side).lacks(hex_id)
    if cut_off and field.red(hex_id) and not field.works(hex_id):
        only_hq = all(map(is_hq, case.units(site.new)))
        text = f"{site.place} is surrounded, and nothing is placed there"
        yield Fault("wie-plc.6", text, site.new, site.hexes, verdict=faults.unless(only_hq))


@RULES.rule("wie-plc.4", "wie-plc.5", "wie-plc.7", "wie-air.15", "wie-rep.13")
@RULES.after(Placed, Moved, phases=PLACING)
@each(sites)
def no_more_than_a_place_takes(case: Case, event: Placed | Moved, site: Site) -> Faults:
    """Of what is bought; whether what comes back for nothing is "built" is not said."""
    field, hex_id = field_of(case), site.hex_id
    complexes, red = field.complexes(hex_id), field.red(hex_id)
    wrecked = complexes and not field.works(hex_id)
    if {unit.id for unit in site.built}.isdisjoint(site.new):
        return
    if complexes and not (wrecked and red):
        yield from (_wrecked if wrecked or site.hexes[0] in _rebuilt(case) else _complex)(case, site)
    elif red:
        yield from _red_city(case, site)


def _rebuilt(case: Case) -> set[Hex]:
    return case.in_turn.by(side_of(case.phase)).rebuilt


def _wrecked(case: Case, site: Site) -> Faults:
    text = f"the complex of {site.place} is wrecked, or was rebuilt in this turn: nothing is placed there"
    yield Fault("wie-rep.13", text, site.new, site.hexes)


def _complex(case: Case, site: Site) -> Faults:
    whole = COMPLEX_ROOM if original(case, site.hex_id) == site.side else COMPLEX_ROOM // 2
    cut_off = supply_of(case, field_of(case), site.side).lacks(site.hex_id)
    room, rule = ((whole + 1) // 2, "wie-plc.5") if cut_off else (whole, "wie-plc.4")
    most = room * list(field_of(case).complexes(site.hex_id).values()).count(WORKS)
    place, number = f"are placed in the complex of {site.place}, which takes", len(site.built)
    infantry = having(site.built, CLASS_1)
    shut = case.in_game.shut.get(site.hex_id, 0)
    left = max(2 * most - shut, 0)
    paid = [unit for unit in site.built if unit not in site.free]
    foot = len(having(paid, CLASS_1))
    rows: faults.Rows = [
        (len(infantry) > most, rule, f"{len(infantry)} units of class 1 {place} {most}"),
        (
            number - len(infantry) > most,
            rule,
            f"{number - len(infantry)} units of class 2 and 3 {place} {most}",
        ),
        (
            shut and number > left,
            "wie-air.15",
            f"{number} units are placed in {site.place}, bombed: {left} can be",
        ),
    ]
    fits = max(foot, len(paid) - foot) <= most
    doubt = faults.doubts({rule: fits, "wie-air.15": len(paid) <= left})
    yield from faults.all_that_hold(rows, "", site.new, site.hexes, doubt)


def _red_city(case: Case, site: Site) -> Faults:
    number, worth = len(site.built), field_of(case).ground.values[site.hex_id]
    most = worth if original(case, site.hex_id) == site.side else (worth + 1) // 2
    if number > most and len(case.in_turn.by(site.side).into_finland) <= MOST_TO_FINLAND:
        text = f"{number} units are placed in {site.place}, which takes {most}"
        fits = number - len(site.free) <= most
        yield Fault("wie-plc.7", text, site.new, site.hexes, verdict=faults.unless(fits))


def _encircled(field: Field, hex_id: HexId, side: str) -> bool:
    shut = union(field.zones(ENEMY[side]), field.occupied(ENEMY[side]))
    return all(shut[beside] for beside in field.board.adjacent[hex_id])


# --- six in a hex -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crowd:
    """A hex with more than six units of a side, and how many in words."""

    hex_id: HexId
    text: str
    units: tuple[str, ...]
    hexes: tuple[Hex, ...]


def crowds(case: Case, *sides: str) -> Iterator[Crowd]:
    """Of the side whose turn it is, if none is named; headquarters and planes take no room."""
    field = field_of(case)
    by_hex: dict[tuple[str, HexId], list[str]] = {}
    for side in sides or (side_of(case.phase),):
        for hex_id, unit in field.of_side(side):
            if counts(unit):
                by_hex.setdefault((side, hex_id), []).append(unit.id)
    for (_, hex_id), names in by_hex.items():
        if len(names) > MOST_IN_A_HEX:
            hexes = field.hexes((hex_id,))
            text = f"{field.ground.named_place(hexes[0])} holds {len(names)} units"
            yield Crowd(hex_id, text, tuple(names), hexes)


def crowds_of_both(case: Case) -> Iterator[Crowd]:
    return crowds(case, *SIDES)


@RULES.rule("wie-plc.1", "wie-brk.7")
@RULES.at_phase_end(*both(REDEPLOY))
@each(crowds)
def six_in_a_hex_when_the_turn_ends(case: Case, crowd: Crowd) -> Faults:
    turn = case.in_turn.by(side_of(case.phase))
    exploited = crowd.hex_id in turn.captured and not set(turn.exploited).isdisjoint(crowd.units)
    text = f"{crowd.text} at the end of the turn, and {MOST_IN_A_HEX} may stay"
    yield Fault("wie-brk.7" if exploited else "wie-plc.1", text, crowd.units, crowd.hexes)


@RULES.rule("wie-plc.1")
@RULES.at_phase_end(*both(MOVE))
@each(crowds)
def six_in_a_hex_after_movement(case: Case, crowd: Crowd) -> Faults:
    """Units that were placed may be too many until the turn ends; others move there at all times by sixes."""
    turn = case.in_turn.by(side_of(case.phase))
    moved = {*turn.trips, *turn.transported}
    came = "+".join(name for name in crowd.units if name in moved)
    if came:
        text = f"{crowd.text} after movement, {came} among them: "
        text += f"new units alone may make it more than {MOST_IN_A_HEX} for a while"
        yield Fault("wie-plc.1", text, crowd.units, crowd.hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-set.6")
@RULES.at_phase_end(*SET_UP)
@each(crowds_of_both)
def six_in_a_hex_at_set_up(case: Case, crowd: Crowd) -> Faults:
    text = f"{crowd.text}, and {MOST_IN_A_HEX} may stand there"
    yield Fault("wie-set.6", text, crowd.units, crowd.hexes)


# --- fortifications (4) -------------------------------------------------------------------------------------


@RULES.rule("wie-unit.14")
@RULES.before(Marked, Unmarked, kind=FORTIFICATION, on=Hex)
@each(changes)
def levels_are_built_in_their_time(case: Case, event: Marked | Unmarked, change: Change) -> Faults:
    """On own ground, in one's own actions 1 and 2, or as the game is set up."""
    mine = part_of(case.phase) in (REINFORCE, PLACE) and change.side == side_of(case.phase)
    late = change.new > max(change.old, change.began) and not mine and case.phase not in SET_UP
    lost = field_of(case).holder(change.hex_id) != change.side
    rows: faults.Rows = [
        (late, "wie-unit.14", NOT_NOW),
        (change.by > 0 and lost, "wie-unit.14", f"{case.label(change.hex_)} is not held, and is fortified"),
    ]
    yield from faults.all_that_hold(rows, "", (), (change.hex_,))


# --- complexes (3) ------------------------------------------------------------------------------------------


def old_hex(case: Case, marker: str) -> Hex | None:
    """Where a complex lay as the phase began."""
    return next((hex_ for hex_, marks in case.phase_start.marks.items() if marker in marks), None)


@RULES.rule("wie-rep.14")
@RULES.before(Marked, phases=PLAYER_TURNS, kind="complex", on=Hex)
def complexes_are_moved_by_rule(case: Case, event: Marked) -> Faults:
    """Once, by the Soviets in their turn, eastward."""
    marker, field, old = case.game.marker[event.marker], field_of(case), old_hex(case, event.marker)
    if face_at(case.position, event):
        return
    held = [field.holder(hex_id) == SOVIET for hex_id in field.ids((event.on,))] == [True]
    began = field_at_phase_start(case)
    kept = all(began.holder(hex_id) == SOVIET for hex_id in field.ids((old,)))
    west = any(new.q <= old.q for new in spot_of(event.on)) if old is not None else False
    rows: list[tuple[object, str]] = [
        (not SOVIET == marker.side == side_of(case.phase), "which the Soviets alone do, in their turn"),
        (event.marker in case.in_game.moved_complexes, "and has been moved before"),
        (not held, "to a hex that the Soviets do not hold"),
        (not kept, "out of a hex that the Soviets do not hold"),
        (west, "and not further east"),
    ]
    told = faults.of_rule("wie-rep.14", rows)
    yield from faults.first_that_holds(told, f"{marker.name} is moved, ", (), spot_of(event.on))


@RULES.rule("wie-rep.14")
@RULES.at_phase_end(*PLAYER_TURNS)
def a_moved_complex_leaves_its_hex(case: Case) -> Faults:
    """A second counter of it was laid out, or it was taken off and set up nowhere: doubtful."""
    began, lie = where_complexes_lie(case, case.phase_start), where_complexes_lie(case, case.position)
    for marker, was in began.items():
        hexes = tuple(lie[marker])
        where = " and in ".join(map(case.label, hexes))
        name = case.game.marker[marker].name
        text = f"{name} lies in {where}" if hexes else f"{name} is taken off the map"
        if len(hexes) != 1 and (was or marker in case.in_game.moved_complexes):
            yield Fault("wie-rep.14", text, (), hexes, verdict=Verdict.WARNING, once=f"where is {marker}")


def where_complexes_lie(case: Case, position: Position) -> dict[str, list[Hex]]:
    lie: dict[str, list[Hex]] = {marker.id: [] for marker in case.game.markers if marker.kind == "complex"}
    for hex_, marks in position.marks.items():
        for marker in lie.keys() & marks.keys():
            lie[marker].append(hex_)
    return lie


@RULES.rule("wie-rep.13")
@RULES.before(Marked, phases=PLAYER_TURNS, kind="complex", on=Hex, face=2)
def complexes_are_wrecked_in_combat(case: Case, event: Marked) -> Faults:
    """By their owner, at the end of a round."""
    if face_at(case.position, event) != 1:
        return
    name, hexes = case.game.marker[event.marker].name, spot_of(event.on)
    rounds = any(battle.rounds for battle in case.in_phase.battles)
    if part_of(case.phase) not in (COMBAT, EXPLOIT):
        text = f"{name} is wrecked in the {case.phase_name()}, not at the end of a round of combat"
        yield Fault("wie-rep.13", text, (), hexes)
    elif not rounds and not case.in_turn.by(side_of(case.phase)).fought.difference(_named_now(case)):
        text = f"{name} is wrecked before a round of combat has been fought"
        yield Fault("wie-rep.13", text, (), hexes)
    elif any(field_at_phase_start(case).holder(h) != field_of(case).holder(h) for h in _ids(case, event)):
        text = f"{name} is wrecked when the enemy has taken its hex: its owner does it at the end of a round"
        yield Fault("wie-rep.13", text, (), hexes, verdict=Verdict.WARNING)


def _named_now(case: Case) -> set[str]:
    """Attackers of this phase, who have fought no round yet where none has begun."""
    return {name for battle in case.in_phase.battles for name in battle.attacker.stood}


def _ids(case: Case, event: Marked) -> list[HexId]:
    return field_of(case).ids((event.on,))


@RULES.rule("wie-rep.13")
@RULES.before(Marked, phases=PLAYER_TURNS, kind="complex", on=Hex, face=1)
def complexes_are_rebuilt_by_rule(case: Case, event: Marked) -> Faults:
    """By a conqueror in the turn after, for 15 points."""
    field, side, hexes = field_of(case), side_of(case.phase), spot_of(event.on)
    if face_at(case.position, event) != 2:
        return
    name, left = case.game.marker[event.marker].name, case.in_turn.by(side).ledger.balance
    held = [field.holder(hex_id) == side for hex_id in field.ids(hexes)] == [True]
    just_taken = any(case.in_game.taken.get(hex_) == case.turn for hex_ in hexes)
    poor = left is not None and left < REBUILD
    when: list[tuple[object, str]] = [
        (not held or part_of(case.phase) != REINFORCE, "is rebuilt by who holds it, in action 1"),
        (just_taken, "was captured in this turn and is rebuilt in the next"),
    ]
    price: list[tuple[object, str]] = [(poor, f"is rebuilt for {REBUILD} points, and {left} are left")]
    for rows in (when, price):
        yield from faults.first_that_holds(faults.of_rule("wie-rep.13", rows), f"{name} ", (), hexes)


@RULES.track(Marked, when=APPLIED, phases=PLAYER_TURNS, kind="complex", on=Hex)
def note_complexes(case: Case, event: Marked) -> None:
    if old_hex(case, event.marker) not in (None, event.on):
        case.in_game.moved_complexes.add(event.marker)


RULES.cannot_check(
    "wie-hq.14",
    "a permission: they are not counted under wie-plc.1; planes without a city are told under wie-plc.3",
)
