"""Chapter 7: the check of general supply in action 5, and who is lost for want of it."""

from __future__ import annotations

from dataclasses import dataclass

from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import RULES, SUPPLY, both, side_of
from validator.games.wie.c07_weather import kindest, weather_of
from validator.games.wie.field import Field, field_of, ours
from validator.games.wie.lines import MARKER, Supply, commanded, in_red_city, supply_of
from validator.games.wie.state import Case, Unsupplied
from validator.games.wie.units import ROCKET, fights, is_air, on_the_ground, on_the_map
from validator.model.events import Marked, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each

CHECKING = both(SUPPLY)


def checked(case: Case, unit: Unit, field: Field) -> Unsupplied | None:
    """What a check now finds of a unit; None if it is in supply by our reading."""
    supply, last = supply_of(case, field, unit.side), case.in_game.unsupplied.get(unit.id, Unsupplied(0))
    dropped = unit.id in case.in_turn.by(unit.side).dropped
    for hex_id in () if dropped else field.ids((unit.spot,)):
        if not supply.has(hex_id):
            return Unsupplied(last.turns + 1, last.sure and supply.lacks(hex_id))
    return None


def lost(case: Case, field: Field, side: str) -> dict[str, Unsupplied]:
    """Units that are without supply for the second check in a row (7)."""
    checks = ((unit.id, checked(case, unit, field)) for _, unit in field.of_side(side))
    return {name: check for name, check in checks if check is not None and check.turns > 1}


def taken_off(case: Case, event: Removed) -> list[Unit]:
    """A unit on the ground, of the side that checks its supply."""
    return on_the_ground(on_the_map(ours(case, case.units(event.concerned))))


@RULES.rule("wie-sup.4")
@RULES.before(Removed, phases=CHECKING)
@each(taken_off)
def only_who_stayed_without_supply_is_lost(case: Case, event: Removed, unit: Unit) -> Faults:
    field, text = field_of(case), f"{unit.id} is removed, and is in general supply"
    check = checked(case, unit, field)
    if check is None:
        yield Fault("wie-sup.4", text, (unit.id,), (unit.hex,))
    elif check.turns == 1:
        text = f"{unit.id} is removed in the turn in which it is cut off: it has one more to break out"
        seen = case.in_game.checked.get(unit.side) or case.in_game.from_start
        sure = faults.unless(not seen or in_red_city(field, unit))  # of cities: one unit in a turn
        yield Fault("wie-sup.4", text, (unit.id,), (unit.hex,), verdict=sure)


def red_city_of(case: Case, event: Removed) -> list[HexId]:
    """The red city that loses a unit."""
    field = field_of(case)
    return list(filter(field.red, field.ids((case.unit(event.unit).spot,))))


@RULES.rule("wie-sup.7")
@RULES.before(Removed, phases=CHECKING)
@each(red_city_of)
def a_red_city_loses_one_unit_a_turn(case: Case, event: Removed, city: HexId) -> Faults:
    unit = case.unit(event.unit)
    if city in case.in_turn.by(unit.side).starved:
        where = field_of(case).ground.named_place(unit.hex)
        text = f"{unit.id} is the second unit that {where} loses in this turn"
        yield Fault("wie-sup.7", text, (unit.id,), (unit.hex,))


@RULES.track(Removed, when=JUDGED, phases=CHECKING)
@note_each(red_city_of)
def note_the_starved(case: Case, event: Removed, city: HexId) -> None:
    case.in_turn.by(case.unit(event.unit).side).starved.add(city)


def _cut_by_zones(case: Case, field: Field, unit: Unit) -> bool:
    """Whether the zones of enemy armor alone cut it off."""
    free = Supply(field, unit.side, kindest(case), zones=False)
    return free.has(field.board.id_of[unit.hex])


@dataclass(frozen=True)
class Starving:
    """A unit that is without supply for the second check in a row, and what the check finds of it."""

    unit: Unit
    check: Unsupplied


def starving(case: Case) -> list[Starving]:
    dying = lost(case, field_of(case), side_of(case.phase))
    soldiers = (unit for unit in case.units(sorted(dying)) if fights(unit) or unit.has(ROCKET))
    return [Starving(unit, dying[unit.id]) for unit in soldiers]


def starving_in_the_field(case: Case) -> list[Starving]:
    field = field_of(case)
    return [dying for dying in starving(case) if not in_red_city(field, dying.unit)]


@RULES.rule("wie-sup.4", "wie-sup.6", "wie-zoc.2")
@RULES.at_phase_end(*CHECKING)
@each(starving_in_the_field)
def who_stays_without_supply_is_lost(case: Case, dying: Starving) -> Faults:
    """One turn to break out; near a headquarters one more, which is a matter of reading."""
    unit, turns, field = dying.unit, dying.check.turns, field_of(case)
    near = commanded(case, field, unit)
    if turns > 2 or not near:
        cut = "wie-zoc.2" if _cut_by_zones(case, field, unit) else "wie-sup.4"
        text = f"{unit.id} has been without general supply for {turns} checks and stays on the map"
        sure, once = faults.unless(not dying.check.sure), ("starved", unit.id)
        rule = "wie-sup.6" if near else cut
        yield Fault(rule, text, (unit.id,), (unit.hex,), verdict=sure, once=once)


@RULES.rule("wie-sup.7")
@RULES.at_phase_end(*CHECKING)
def red_cities_lose_a_unit(case: Case) -> Faults:
    field, starved = field_of(case), case.in_turn.by(side_of(case.phase)).starved
    cities: dict[HexId, list[str]] = {}
    for unit, hex_id in field.standing(dying.unit for dying in starving(case) if dying.check.sure):
        if field.red(hex_id) and hex_id not in starved:
            cities.setdefault(hex_id, []).append(unit.id)
    for hex_id, names in cities.items():
        hexes = field.hexes((hex_id,))
        text = (
            f"{field.ground.named_place(hexes[0])} is without general supply and loses one unit in this turn"
        )
        yield Fault("wie-sup.7", text, tuple(names), hexes)


def marked_out_of_supply(case: Case, event: Marked) -> list[tuple[Unit, HexId]]:
    """A unit of the side that checks, which is marked while the weather is known."""
    marked = case.units(event.concerned) if weather_of(case) is not None else []
    return field_of(case).standing(ours(case, marked))


@RULES.rule("wie-sup.1", "wie-sup.2")
@RULES.before(Marked, phases=CHECKING, marker=MARKER)
@each(marked_out_of_supply)
def markers_show_who_is_without_supply(case: Case, event: Marked, marked: tuple[Unit, HexId]) -> Faults:
    field, (unit, hex_id) = field_of(case), marked
    supply = supply_of(case, field, unit.side)
    if supply.has(hex_id):
        line = supply.line(hex_id)
        chained = len(line) == 1 and not field.city(hex_id)
        traces = "stands in a chain that is not" if chained else f"traces {field.board.path_text(line)}"
        text, rule = (
            f"{unit.id} is marked out of supply, and {traces}",
            "wie-sup.2" if chained else "wie-sup.1",
        )
        yield Fault(rule, text, (unit.id,), (unit.hex,), verdict=Verdict.WARNING)


@RULES.track_end(*CHECKING)
def what_the_check_has_found(case: Case) -> None:
    """It holds for the next turn of its side (7)."""
    side, field, game = side_of(case.phase), field_of(case), case.in_game
    for unit in [unit for unit in case.position.units.values() if unit.side == side]:
        check = None if is_air(unit) else checked(case, unit, field)
        game.unsupplied.pop(unit.id, None)
        if check is not None:
            game.unsupplied[unit.id] = check
    game.checked[side] = case.turn


RULES.cannot_check("wie-zoc.1", "a definition: what the zones cut off is told under wie-zoc.2")
