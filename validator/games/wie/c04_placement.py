"""Chapter 4: where new units are placed, how many in a turn; six in a hex; fortifications."""

from __future__ import annotations

from collections.abc import Iterator

from validator.core.board import HexId
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    ENEMY,
    MOVE,
    PLACE,
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
from validator.games.wie.c03_money import MOST_LEVELS, fortifying
from validator.games.wie.c07_finland import MOST as MOST_TO_FINLAND
from validator.games.wie.field import Field, field_of, original
from validator.games.wie.lines import supply_of
from validator.games.wie.sources import BOUGHT, CHART, FREE, HIDDEN, arriving
from validator.games.wie.state import Case, PlayerTurn
from validator.games.wie.units import CLASS_1, counts, is_air, is_hq
from validator.model.events import Marked, Moved, Placed, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit

MOST_IN_A_HEX = 6
PLACING = both(PLACE)
COMPLEX_ROOM = 6


# --- where --------------------------------------------------------------------------------------------------


@RULES.track(Placed, Moved, when=JUDGED, phases=PLACING)
def note_the_place(case: Case, event: Placed | Moved) -> None:
    side, field = side_of(case.phase), field_of(case)
    turn = case.in_turn.turns.setdefault(side, PlayerTurn())
    for unit, source in arriving(case, event):
        if source == HIDDEN:
            continue
        hex_id = field.id(event.spot if isinstance(event, Placed) else event.end)
        for names in turn.placed.values():
            if unit.id in names:
                names.remove(unit.id)
        if hex_id is not None and unit.side == side:
            turn.placed.setdefault(hex_id, []).append(unit.id)
    if isinstance(event, Moved) and isinstance(event.start, type(event.end)):
        _moved_on(field, turn, event)


def _moved_on(field: Field, turn: PlayerTurn, event: Moved) -> None:
    """A counter that was just placed is put elsewhere."""
    old, new = field.id(event.start), field.id(event.end)
    if old is None or new is None:
        return
    for name in event.units:
        if name in turn.placed.get(old, ()):
            turn.placed[old].remove(name)
            turn.placed.setdefault(new, []).append(name)


@RULES.rule("wie-plc.2", "wie-plc.3", "wie-opt.6")
@RULES.before(Placed, Moved, phases=PLACING)
def units_are_placed_where_they_can_be(case: Case, event: Placed | Moved) -> Faults:
    """What is bought or replaced in complexes and red cities; the chart's in minor cities too."""
    side, field = side_of(case.phase), field_of(case)
    spot = event.spot if isinstance(event, Placed) else event.end
    hex_id = field.id(spot)
    for unit, source in arriving(case, event) if hex_id is not None else ():
        assert hex_id is not None
        if unit.side != side or unit.has("partisan") or source == HIDDEN:
            continue
        where = field.ground.named_place(field.board.hexes[hex_id])
        hexes = (field.board.hexes[hex_id],)
        if field.holder(hex_id) != side:
            yield Fault(
                "wie-plc.2", f"{unit.id} is placed in {where}, which the enemy holds", (unit.id,), hexes
            )
        elif is_hq(unit) or source == SIBERIAN:
            continue
        elif side == AXIS and unit.has(CLASS_1) and field.partisans("placement")[hex_id]:
            text = f"{unit.id} is placed in {where}, where partisans let no infantry be placed"
            yield Fault("wie-opt.6", text, (unit.id,), hexes)
        elif is_air(unit) and not field.city(hex_id):
            yield Fault("wie-plc.3", f"{unit.id} is placed in {where}, where no city is", (unit.id,), hexes)
        elif not (field.red(hex_id) or field.complexes(hex_id)):
            minor = field.city(hex_id) and source in (CHART, FREE)
            if not (minor and case.option("minor-city-placement") == "yes"):
                text = f"{unit.id} is placed in {where}, which is no complex and no red city"
                yield Fault("wie-plc.2", text, (unit.id,), hexes)


# --- how many -----------------------------------------------------------------------------------------------


@RULES.rule("wie-plc.4", "wie-plc.5", "wie-plc.6", "wie-plc.7", "wie-air.15", "wie-rep.13")
@RULES.after(Placed, Moved, phases=PLACING)
def no_more_than_a_place_takes(case: Case, event: Placed | Moved) -> Faults:
    side, field = side_of(case.phase), field_of(case)
    hex_id = field.id(event.spot if isinstance(event, Placed) else event.end)
    if hex_id is None:
        return
    turn = case.in_turn.by(side)
    new = [case.position.units[name] for name in turn.placed.get(hex_id, ())]
    built = [u for u in new if turn.placed_as.get(u.id) in (BOUGHT, FREE)]
    names = tuple(event.units) if isinstance(event, Moved) else (event.unit,)
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


@RULES.rule("wie-unit.14", "wie-fort.1")
@RULES.before(Marked, Unmarked)
def levels_are_built_in_their_time(case: Case, event: Marked | Unmarked) -> Faults:
    """On own ground; three levels; they only grow in one's own actions 1 and 2."""
    for side, change in fortifying(case, event):
        assert not isinstance(event.on, str)
        hexes = (event.on,)
        field = field_of(case)
        hex_id = field.id(event.on)
        building = part_of(case.phase) in (REINFORCE, PLACE) and side == side_of(case.phase)
        if change > 0 and not building and side_of(case.phase):
            known = case.in_phase.raised.get((event.on, event.marker), 0)
            old = case.position.marks.get(event.on, {}).get(event.marker, 0)
            if old + change > known:
                yield Fault("wie-unit.14", "fortifications are built in actions 1 and 2", (), hexes)
        if change > 0 and hex_id is not None and field.holder(hex_id) != side:
            yield Fault("wie-unit.14", f"{case.label(event.on)} is not held, and is fortified", (), hexes)
        if isinstance(event, Marked) and event.face > MOST_LEVELS:
            yield Fault("wie-unit.14", f"a hexside takes {MOST_LEVELS} levels", (), hexes)


@RULES.track(Marked, Unmarked, when=JUDGED)
def levels_as_the_phase_began(case: Case, event: Marked | Unmarked) -> None:
    for _, _ in fortifying(case, event):
        assert not isinstance(event.on, str)
        old = case.position.marks.get(event.on, {}).get(event.marker, 0)
        case.in_phase.raised.setdefault((event.on, event.marker), old)


# --- complexes (3) ------------------------------------------------------------------------------------------


@RULES.rule("wie-rep.13", "wie-rep.14")
@RULES.before(Marked)
def complexes_are_moved_and_rebuilt_by_rule(case: Case, event: Marked) -> Faults:
    """Wrecked by their owner, rebuilt by a conqueror for 15 points; moved once, by the Soviets, eastward."""
    marker = case.game.marker[event.marker]
    if marker.kind != "complex" or isinstance(event.on, str) or not side_of(case.phase):
        return
    field, hexes = field_of(case), (event.on,)
    here = case.position.marks.get(event.on, {}).get(event.marker)
    if here is not None:
        yield from _turned(case, event, here)
        return
    hex_id = field.id(event.on)
    old = next((h for h, marks in case.phase_start.marks.items() if event.marker in marks), None)
    if side_of(case.phase) != SOVIET or marker.side != SOVIET:
        yield Fault(
            "wie-rep.14", f"{marker.name} is moved, which the Soviets alone do, in their turn", (), hexes
        )
    elif event.marker in case.in_game.moved_complexes:
        yield Fault("wie-rep.14", f"{marker.name} has been moved before", (), hexes)
    elif hex_id is None or field.holder(hex_id) != SOVIET:
        yield Fault("wie-rep.14", f"{marker.name} is moved to a hex that the Soviets do not hold", (), hexes)
    elif old is not None and event.on.q <= old.q:
        yield Fault("wie-rep.14", f"{marker.name} is moved, and not further east", (), (old, event.on))


@RULES.rule("wie-rep.14")
@RULES.at_phase_end(*both(REINFORCE), *both(PLACE))
def a_moved_complex_leaves_its_hex(case: Case) -> Faults:
    """A second counter of it was laid out: doubtful."""
    for marker in sorted(case.in_game.moved_complexes):
        hexes = tuple(hex_ for hex_, marks in case.position.marks.items() if marker in marks)
        if len(hexes) > 1:
            text = f"{case.game.marker[marker].name} lies in {' and in '.join(map(case.label, hexes))}"
            yield Fault("wie-rep.14", text, (), hexes, verdict=Verdict.WARNING, once=f"two of {marker}")


def _turned(case: Case, event: Marked, face: int) -> Faults:
    assert not isinstance(event.on, str)
    field, side = field_of(case), side_of(case.phase)
    hex_id, hexes = field.id(event.on), (event.on,)
    name = case.game.marker[event.marker].name
    fought = case.in_phase.battles or case.in_turn.by(side).fought
    if face == 1 and event.face == 2 and (part_of(case.phase) not in ("combat", "exploit") or not fought):
        text = f"{name} is wrecked in the {case.phase_name()}, not at the end of a round of combat"
        yield Fault("wie-rep.13", text, (), hexes)
    if face == 2 and event.face == 1:
        if part_of(case.phase) != REINFORCE or hex_id is None or field.holder(hex_id) != side:
            yield Fault("wie-rep.13", f"{name} is rebuilt by who holds it, in action 1", (), hexes)
        elif case.in_game.taken.get(event.on) == case.turn:
            yield Fault(
                "wie-rep.13", f"{name} was captured in this turn and is rebuilt in the next", (), hexes
            )
        left = case.in_turn.by(side).ledger.balance
        if left is not None and left < 15:
            yield Fault("wie-rep.13", f"{name} is rebuilt for 15 points, and {left} are left", (), hexes)


@RULES.track(Marked, when=APPLIED)
def note_complexes(case: Case, event: Marked) -> None:
    marker = case.game.marker[event.marker]
    if marker.kind != "complex" or isinstance(event.on, str) or not side_of(case.phase):
        return
    old = next((h for h, marks in case.phase_start.marks.items() if event.marker in marks), None)
    if old is not None and old != event.on:
        case.in_game.moved_complexes.add(event.marker)


RULES.cannot_check(
    "wie-hq.14",
    "a permission: they are not counted under wie-plc.1; planes without a city are told under wie-plc.3",
)
