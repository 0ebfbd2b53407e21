"""Chapter 7: the check of general supply in action 5, and who is lost for want of it."""

from __future__ import annotations

from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import RULES, SUPPLY, both, side_of
from validator.games.wie.c07_weather import kindest, weather_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.lines import Supply, commanded, in_red_city, supply_of
from validator.games.wie.state import Case, Unsupplied
from validator.games.wie.units import fights
from validator.model.events import Marked, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit

CHECKING = both(SUPPLY)
MARKER = "out-of-supply"


def checked(case: Case, unit: Unit, field: Field) -> Unsupplied | None:
    """What a check now finds of a unit; None if it is in supply by our reading."""
    hex_id = field.id(unit.spot)
    if hex_id is None or unit.id in case.in_turn.by(unit.side).dropped:
        return None
    supply = supply_of(case, field, unit.side)
    if supply.has(hex_id):
        return None
    known = case.in_game.unsupplied.get(unit.id)
    sure = supply.lacks(hex_id)
    if known is None:
        return Unsupplied(1, sure)
    return Unsupplied(known.turns + 1, sure and known.sure)


def lost(case: Case, field: Field, side: str) -> dict[str, Unsupplied]:
    """Units that are without supply for the second check in a row (7)."""
    known = ((unit.id, checked(case, unit, field)) for _, unit in field.of_side(side) if unit.side == side)
    return {name: found for name, found in known if found is not None and found.turns > 1}


@RULES.rule("wie-sup.4")
@RULES.before(Removed, phases=CHECKING)
def only_who_stayed_without_supply_is_lost(case: Case, event: Removed) -> Faults:
    unit, side = case.position.units[event.unit], side_of(case.phase)
    if not unit.on_map or unit.side != side or unit.has("air"):
        return
    field = field_of(case)
    found = checked(case, unit, field)
    if found is None:
        text = f"{unit.id} is removed, and is in general supply"
        yield Fault("wie-sup.4", text, (unit.id,), (unit.hex,))
    elif found.turns == 1:
        text = f"{unit.id} is removed in the turn in which it is cut off: it has one more to break out"
        known = case.in_game.checked.get(side) or case.in_game.from_start
        sure = known and not in_red_city(field, unit)  # of cities the text only says: one unit in a turn
        doubt = Verdict.ILLEGAL if sure else Verdict.WARNING
        yield Fault("wie-sup.4", text, (unit.id,), (unit.hex,), verdict=doubt)


@RULES.rule("wie-sup.7")
@RULES.before(Removed, phases=CHECKING)
def a_red_city_loses_one_unit_a_turn(case: Case, event: Removed) -> Faults:
    unit, field = case.position.units[event.unit], field_of(case)
    hex_id = field.id(unit.spot)
    if hex_id is not None and field.red(hex_id) and hex_id in case.in_turn.by(unit.side).starved:
        where = field.ground.named_place(unit.hex)
        text = f"{unit.id} is the second unit that {where} loses in this turn"
        yield Fault("wie-sup.7", text, (unit.id,), (unit.hex,))


@RULES.track(Removed, when=JUDGED, phases=CHECKING)
def note_the_starved(case: Case, event: Removed) -> None:
    unit, field = case.position.units[event.unit], field_of(case)
    hex_id = field.id(unit.spot)
    if hex_id is not None and field.red(hex_id):
        case.in_turn.by(unit.side).starved.add(hex_id)


def _cut_by_zones(case: Case, field: Field, unit: Unit) -> bool:
    """Whether the zones of enemy armor alone cut it off."""
    free = Supply(field, unit.side, kindest(case), zones=False)
    return free.has(field.board.id_of[unit.hex])


@RULES.rule("wie-sup.4", "wie-sup.6", "wie-sup.7", "wie-zoc.2")
@RULES.at_phase_end(*CHECKING)
def who_stays_without_supply_is_lost(case: Case) -> Faults:
    """One turn to break out; near a headquarters one more, which is a matter of reading."""
    side, field = side_of(case.phase), field_of(case)
    dying = lost(case, field, side)
    cities: dict[HexId, list[str]] = {}
    for name, found in sorted(dying.items()):
        unit = case.position.units[name]
        if in_red_city(field, unit):
            cities.setdefault(field.board.id_of[unit.hex], []).append(name)
            continue
        if not fights(unit) or (commanded(case, field, unit) and found.turns <= 2):
            continue
        sure = Verdict.ILLEGAL if found.sure else Verdict.WARNING
        rule = "wie-zoc.2" if _cut_by_zones(case, field, unit) else "wie-sup.4"
        rule = "wie-sup.6" if commanded(case, field, unit) else rule
        text = f"{name} has been without general supply for {found.turns} checks and stays on the map"
        yield Fault(rule, text, (name,), (unit.hex,), verdict=sure, once=("starved", name))
    for hex_id, names in cities.items():
        sure_ones = [n for n in names if dying[n].sure and fights(case.position.units[n])]
        if sure_ones and hex_id not in case.in_turn.by(side).starved:
            where = field.ground.named_place(field.board.hexes[hex_id])
            text = f"{where} is without general supply and loses one unit in this turn"
            yield Fault("wie-sup.7", text, tuple(sure_ones), (field.board.hexes[hex_id],))


@RULES.rule("wie-sup.1", "wie-sup.2")
@RULES.before(Marked, phases=CHECKING)
def markers_show_who_is_without_supply(case: Case, event: Marked) -> Faults:
    if event.marker != MARKER or not isinstance(event.on, str):
        return
    unit, field = case.position.units[event.on], field_of(case)
    hex_id = field.id(unit.spot)
    if hex_id is None or weather_of(case) is None:
        return
    supply = supply_of(case, field, unit.side)
    if supply.has(hex_id) and unit.side == side_of(case.phase):
        line = field.board.path_text(supply.line(hex_id))
        alone = len(supply.line(hex_id)) == 1 and not field.city(hex_id)
        text = f"{unit.id} is marked out of supply, and traces {line}"
        text = f"{unit.id} is marked out of supply, and stands in a chain that is not" if alone else text
        rule = "wie-sup.2" if alone else "wie-sup.1"
        yield Fault(rule, text, (unit.id,), (unit.hex,), verdict=Verdict.WARNING)


@RULES.track_start()
def what_markers_tell_of_the_last_check(case: Case) -> None:
    """Where a log begins in mid-game nobody saw the check: units that are marked were without supply."""
    game = case.in_game
    if game.from_start or game.first != (case.turn, case.phase) or game.unsupplied:
        return
    for unit in case.position.on_map():
        if MARKER in unit.marks:
            game.unsupplied[unit.id] = Unsupplied(unit.marks[MARKER])


@RULES.track_end(*CHECKING)
def what_the_check_has_found(case: Case) -> None:
    """It holds for the next turn of its side (7)."""
    side, field = side_of(case.phase), field_of(case)
    game = case.in_game
    for unit in list(case.position.units.values()):
        if unit.side != side:
            continue
        found = checked(case, unit, field) if unit.on_map and not unit.has("air") else None
        if found is None:
            game.unsupplied.pop(unit.id, None)
        else:
            game.unsupplied[unit.id] = found
    game.checked[side] = case.turn


RULES.cannot_check("wie-zoc.1", "a definition: what the zones cut off is told under wie-zoc.2")
