"""Chapter 4: where new units are placed, how many in a turn; six in a hex; fortifications."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    COMBAT,
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
from validator.games.wie.field import Field, field_at_phase_start, field_of, original
from validator.games.wie.levels import FORTIFICATION, change_of
from validator.games.wie.lines import supply_of
from validator.games.wie.sources import BOUGHT, CHART, FREE, HIDDEN, arriving
from validator.games.wie.state import Case
from validator.games.wie.units import CLASS_1, PARTISAN, counts, is_air, is_hq
from validator.model.events import Marked, Moved, Placed, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.moves import spot_of

MOST_IN_A_HEX = 6
PLACING = both(PLACE)
COMPLEX_ROOM = 6


# --- where --------------------------------------------------------------------------------------------------


@RULES.track(Placed, Moved, when=JUDGED, phases=PLACING)
def note_the_place(case: Case, event: Placed | Moved) -> None:
    """Also of a counter that was just placed and is put elsewhere."""
    side, hex_id = side_of(case.phase), field_of(case).id(event.comes_to)
    turn = case.in_turn.by(side)
    arrived = {unit.id for unit, source in arriving(case, event) if source != HIDDEN and unit.side == side}
    for name in event.concerned:
        known = next((names for names in turn.placed.values() if name in names), None)
        if known is not None:
            known.remove(name)
        if hex_id is not None and (name in arrived or known is not None):
            turn.placed.setdefault(hex_id, []).append(name)


@RULES.rule("wie-plc.2", "wie-plc.3", "wie-opt.6")
@RULES.before(Placed, Moved, phases=PLACING)
def units_are_placed_where_they_can_be(case: Case, event: Placed | Moved) -> Faults:
    """What is bought or replaced in complexes and red cities; the chart's in minor cities too."""
    side, field = side_of(case.phase), field_of(case)
    known, placed = case.phase_start.units, case.in_turn.by(side).placed_as
    again = [(u, placed[u.id]) for u in case.units(event.concerned) if u.on_map and u.id in placed]
    again = [(unit, source) for unit, source in again if not known[unit.id].on_map]  # put elsewhere
    for unit, source in [*arriving(case, event), *again]:
        hex_id = field.id(event.comes_to)
        if hex_id is None or unit.side != side or unit.has(PARTISAN) or source == HIDDEN:
            continue
        where = field.ground.named_place(field.board.hexes[hex_id])
        wrong = _where_not(case, field, unit, source, hex_id)
        for rule, why in wrong[:1]:
            yield Fault(rule, f"{unit.id} is placed in {where}, {why}", (unit.id,), spot_of(event.comes_to))


def _where_not(case: Case, field: Field, unit: Unit, source: str, hex_id: HexId) -> list[tuple[str, str]]:
    """What stands against a unit in a hex, the plainest first."""
    free = is_hq(unit) or source == SIBERIAN
    minor = field.city(hex_id) and source in (CHART, FREE)
    takes = free or field.red(hex_id) or bool(field.complexes(hex_id))
    takes = takes or (minor and case.option("minor-city-placement") == "yes")
    guarded = unit.side == AXIS and unit.has(CLASS_1) and field.partisans("placement")[hex_id]
    wrong = [
        ("wie-plc.2", "which the enemy holds", field.holder(hex_id) != unit.side),
        ("wie-opt.6", "where partisans let no infantry be placed", guarded and not free),
        ("wie-plc.3", "where no city is", is_air(unit) and not field.city(hex_id) and not free),
        ("wie-plc.2", "which is no complex and no red city", not takes),
    ]
    return [(rule, why) for rule, why, holds in wrong if holds]


# --- how many -----------------------------------------------------------------------------------------------


@RULES.rule("wie-plc.4", "wie-plc.5", "wie-plc.6", "wie-plc.7", "wie-air.15", "wie-rep.13")
@RULES.after(Placed, Moved, phases=PLACING)
def no_more_than_a_place_takes(case: Case, event: Placed | Moved) -> Faults:
    side, field = side_of(case.phase), field_of(case)
    hex_id = field.id(event.comes_to)
    if hex_id is None:
        return
    turn = case.in_turn.by(side)
    new = [case.position.units[name] for name in turn.placed.get(hex_id, ())]
    built = [u for u in new if turn.placed_as.get(u.id) in (BOUGHT, FREE)]
    names = event.concerned
    if not set(names) & {unit.id for unit in built}:
        return
    if field.works(hex_id) or (field.complexes(hex_id) and not field.red(hex_id)):
        yield from _complex(case, field, hex_id, built, names)
    elif field.red(hex_id):
        yield from _red_city(case, field, hex_id, built, names)


def _complex(case: Case, field: Field, hex_id: HexId, built: list[Unit], names: tuple[str, ...]) -> Faults:
    side = side_of(case.phase)
    hexes, where = (field.board.hexes[hex_id],), field.ground.named_place(field.board.hexes[hex_id])
    if not field.works(hex_id) or hexes[0] in case.in_turn.by(side).rebuilt:
        text = f"the complex of {where} is wrecked, or was rebuilt in this turn: nothing is placed there"
        yield Fault("wie-rep.13", text, names, hexes)
        return
    most = COMPLEX_ROOM if original(case, hex_id) == side else COMPLEX_ROOM // 2
    cut_off = supply_of(case, field, side).lacks_at(hex_id)
    most = (most + 1) // 2 if cut_off else most
    infantry = sum(unit.has(CLASS_1) for unit in built)
    for number, what in ((infantry, "of class 1"), (len(built) - infantry, "of class 2 and 3")):
        if number > most:
            text = f"{number} units {what} are placed in the complex of {where}, which takes {most}"
            yield Fault("wie-plc.5" if cut_off else "wie-plc.4", text, names, hexes)
    shut = case.in_game.shut.get(hex_id, 0)
    if shut and len(built) > max(2 * most - shut, 0):
        text = f"{len(built)} units are placed in {where}, bombed: {max(2 * most - shut, 0)} can be"
        yield Fault("wie-air.15", text, names, hexes)


def _red_city(case: Case, field: Field, hex_id: HexId, built: list[Unit], names: tuple[str, ...]) -> Faults:
    side = side_of(case.phase)
    hexes, where = (field.board.hexes[hex_id],), field.ground.named_place(field.board.hexes[hex_id])
    worth = field.ground.values[hex_id]
    most = worth if original(case, hex_id) == side else (worth + 1) // 2
    if _encircled(field, hex_id, side) and supply_of(case, field, side).lacks_at(hex_id):
        yield Fault("wie-plc.6", f"{where} is surrounded, and nothing is placed there", names, hexes)
    elif len(built) > most and len(case.in_turn.by(side).into_finland) <= MOST_TO_FINLAND:
        text = f"{len(built)} units are placed in {where}, which takes {most}"
        yield Fault("wie-plc.7", text, names, hexes)


def _encircled(field: Field, hex_id: HexId, side: str) -> bool:
    enemy = ENEMY[side]
    zones, units = field.zones(enemy), field.occupied(enemy)
    return all(zones[n] or units[n] for n in field.board.adjacent[hex_id])


# --- six in a hex -------------------------------------------------------------------------------------------


def crowded(case: Case, side: str) -> Iterator[tuple[HexId, str, tuple[str, ...]]]:
    """Hexes with more than six units of a side, in words too; headquarters and planes take no room."""
    field = field_of(case)
    for hex_id in sorted({h for h, unit in field.of_side(side) if counts(unit)}):
        units = tuple(unit.id for unit in field.units(hex_id, side) if counts(unit))
        if len(units) > MOST_IN_A_HEX:
            where = field.ground.named_place(field.board.hexes[hex_id])
            yield hex_id, f"{where} holds {len(units)} units", units


@RULES.rule("wie-plc.1", "wie-brk.7")
@RULES.at_phase_end(*both(REDEPLOY))
def six_in_a_hex_when_the_turn_ends(case: Case) -> Faults:
    side, board = side_of(case.phase), field_of(case).board
    turn = case.in_turn.by(side)
    for hex_id, held, units in crowded(case, side):
        rule = "wie-brk.7" if hex_id in turn.captured and set(turn.exploited) & set(units) else "wie-plc.1"
        text = f"{held} at the end of the turn, and {MOST_IN_A_HEX} may stay"
        yield Fault(rule, text, units, (board.hexes[hex_id],))


@RULES.rule("wie-plc.1")
@RULES.at_phase_end(*both(MOVE))
def six_in_a_hex_after_movement(case: Case) -> Faults:
    """Units that were placed may be too many until the turn ends; others move there at all times by sixes."""
    side, board = side_of(case.phase), field_of(case).board
    turn = case.in_turn.by(side)
    for hex_id, held, units in crowded(case, side):
        came = [name for name in units if name in turn.trips or name in turn.transported]
        if came:
            text = f"{held} after movement, {'+'.join(came)} among them: "
            text += f"new units alone may make it more than {MOST_IN_A_HEX} for a while"
            yield Fault("wie-plc.1", text, units, (board.hexes[hex_id],), verdict=Verdict.WARNING)


@RULES.rule("wie-set.6")
@RULES.at_phase_end(*SET_UP)
def six_in_a_hex_at_set_up(case: Case) -> Faults:
    for side in SIDES:
        for hex_id, held, units in crowded(case, side):
            hexes = (field_of(case).board.hexes[hex_id],)
            yield Fault("wie-set.6", f"{held}, and {MOST_IN_A_HEX} may stand there", units, hexes)


# --- fortifications (4) -------------------------------------------------------------------------------------


@RULES.rule("wie-unit.14")
@RULES.before(Marked, Unmarked, kind=FORTIFICATION, on=Hex)
def levels_are_built_in_their_time(case: Case, event: Marked | Unmarked) -> Faults:
    """On own ground, in one's own actions 1 and 2, or as the game is set up."""
    change, field = change_of(case, event), field_of(case)
    mine = part_of(case.phase) in (REINFORCE, PLACE) and change.side == side_of(case.phase)
    if change.new > max(change.old, change.began) and not mine and case.phase not in SET_UP:
        yield Fault("wie-unit.14", "fortifications are built in actions 1 and 2", (), (change.hex_,))
    if change.by > 0 and change.hex_id is not None and field.holder(change.hex_id) != change.side:
        yield Fault(
            "wie-unit.14", f"{case.label(change.hex_)} is not held, and is fortified", (), (change.hex_,)
        )


# --- complexes (3) ------------------------------------------------------------------------------------------


def old_hex(case: Case, marker: str) -> Hex | None:
    """Where a complex lay as the phase began."""
    return next((hex_ for hex_, marks in case.phase_start.marks.items() if marker in marks), None)


@RULES.rule("wie-rep.14")
@RULES.before(Marked, phases=PLAYER_TURNS, kind="complex", on=Hex)
def complexes_are_moved_by_rule(case: Case, event: Marked) -> Faults:
    """Once, by the Soviets in their turn, eastward."""
    assert isinstance(event.on, Hex)
    if event.marker in case.position.marks.get(event.on, {}):
        return
    marker, field, old = case.game.marker[event.marker], field_of(case), old_hex(case, event.marker)
    hex_id = field.id(event.on)
    wrong = ""
    if not SOVIET == marker.side == side_of(case.phase):
        wrong = "which the Soviets alone do, in their turn"
    elif event.marker in case.in_game.moved_complexes:
        wrong = "and has been moved before"
    elif hex_id is None or field.holder(hex_id) != SOVIET:
        wrong = "to a hex that the Soviets do not hold"
    elif old is not None and field_at_phase_start(case).holder(field.board.id_of[old]) != SOVIET:
        wrong = "out of a hex that the Soviets do not hold"
    elif old is not None and event.on.q <= old.q:
        wrong = "and not further east"
    if wrong:
        yield Fault("wie-rep.14", f"{marker.name} is moved, {wrong}", (), (event.on,))


@RULES.rule("wie-rep.14")
@RULES.at_phase_end(*PLAYER_TURNS)
def a_moved_complex_leaves_its_hex(case: Case) -> Faults:
    """A second counter of it was laid out, or it was taken off and set up nowhere: doubtful."""
    began = {marker for marks in case.phase_start.marks.values() for marker in marks}
    for marker in case.game.markers:
        if marker.kind != "complex" or marker.id not in began | case.in_game.moved_complexes:
            continue
        hexes = tuple(hex_ for hex_, marks in case.position.marks.items() if marker.id in marks)
        if len(hexes) != 1:
            where = " and in ".join(map(case.label, hexes))
            text = f"{marker.name} lies in {where}" if hexes else f"{marker.name} is taken off the map"
            yield Fault("wie-rep.14", text, (), hexes, verdict=Verdict.WARNING, once=f"where is {marker.id}")


@RULES.rule("wie-rep.13")
@RULES.before(Marked, phases=PLAYER_TURNS, kind="complex", on=Hex, face=2)
def complexes_are_wrecked_in_combat(case: Case, event: Marked) -> Faults:
    """By their owner, at the end of a round."""
    assert isinstance(event.on, Hex)
    works = case.position.marks.get(event.on, {}).get(event.marker) == 1
    fought = case.in_phase.battles or case.in_turn.by(side_of(case.phase)).fought
    if works and (part_of(case.phase) not in (COMBAT, EXPLOIT) or not fought):
        name = case.game.marker[event.marker].name
        text = f"{name} is wrecked in the {case.phase_name()}, not at the end of a round of combat"
        yield Fault("wie-rep.13", text, (), (event.on,))


@RULES.rule("wie-rep.13")
@RULES.before(Marked, phases=PLAYER_TURNS, kind="complex", on=Hex, face=1)
def complexes_are_rebuilt_by_rule(case: Case, event: Marked) -> Faults:
    """By a conqueror in the turn after, for 15 points."""
    assert isinstance(event.on, Hex)
    if case.position.marks.get(event.on, {}).get(event.marker) != 2:
        return
    field, side, name = field_of(case), side_of(case.phase), case.game.marker[event.marker].name
    hex_id, left = field.id(event.on), case.in_turn.by(side).ledger.balance
    if part_of(case.phase) != REINFORCE or hex_id is None or field.holder(hex_id) != side:
        yield Fault("wie-rep.13", f"{name} is rebuilt by who holds it, in action 1", (), (event.on,))
    elif case.in_game.taken.get(event.on) == case.turn:
        text = f"{name} was captured in this turn and is rebuilt in the next"
        yield Fault("wie-rep.13", text, (), (event.on,))
    if left is not None and left < REBUILD:
        yield Fault(
            "wie-rep.13", f"{name} is rebuilt for {REBUILD} points, and {left} are left", (), (event.on,)
        )


@RULES.track(Marked, when=APPLIED, phases=PLAYER_TURNS, kind="complex", on=Hex)
def note_complexes(case: Case, event: Marked) -> None:
    if old_hex(case, event.marker) not in (None, event.on):
        case.in_game.moved_complexes.add(event.marker)


RULES.cannot_check(
    "wie-hq.14",
    "a permission: they are not counted under wie-plc.1; planes without a city are told under wie-plc.3",
)
