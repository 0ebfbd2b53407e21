"""Of every turn all but moves and battles: Directives, weather, refits, supply, points."""

from __future__ import annotations

from players.game import Deed
from players.lwe import arrivals, points
from players.lwe.supply import ATTENUATED, MARKER, OUT, REGULAR, SupplyMap
from players.lwe.table import Table
from validator.games.lwe.book import DRY, FROST, GERMAN, MUD, RAIN, SNOW, SOVIET
from validator.games.lwe.course import course_of
from validator.model.events import Declared, Marked, Removed, Replaced, StepChanged, Unmarked
from validator.model.position import Unit

DIRECTIVE_1, DIRECTIVE_3_FROM, WEATHER_FROM = 6, 8, 12
CONCENTRATED, REFITS = 18, 10  # units; markers in the box
LAST_ENTRY = 2  # the last turn the reserve enters in
PAUSES = (2, 3, 4, 5)
SHORT_MARKER, SHORT_MARKERS, SHORT = "out-of-supply", 12, {OUT: 1, ATTENUATED: 2}
LETTERS = {"D": DRY, "R": RAIN, "M": MUD, "F": FROST, "S": SNOW}
POOL, DEAD, GONE = "replacement-pool", "soviet-eliminated", "soviet-removed"


def campaign(table: Table) -> bool:
    """The short scenario has no pause and no concentration."""
    return table.case.scenario.id == "campaign"


# --- the start of the turn (7.12, 8.14, 4.2) ---------------------------------------------------------


def turn_start(table: Table) -> None:
    turn, course = table.case.turn, course_of(table.case)
    if turn >= DIRECTIVE_3_FROM and course.dd3 and table.chance(0.25):
        table.do(Declared("rescind-dd3"))
        _zones_go(table)
    if turn == DIRECTIVE_1:
        _reorganize(table)
    points.zones_are_scored(table)


def _zones_go(table: Table) -> None:
    """With Directive 3 go the fortified zones outside large towns (11.24); by choice cities count as such."""
    spare_cities = table.case.option("zones-in-cities") == "stay"
    for hex_id, unit in list(table.field.of_side(SOVIET)):
        town = table.field.board.has_place(hex_id, "large-town")
        city = table.field.board.has_place(hex_id, "city")
        if unit.has("fortified-zone") and not town and not (city and spare_cities):
            table.do(Removed(unit.id, GONE))


def _reorganize(table: Table) -> None:
    """Stavka Directive 1: a division of the pool for each factor of a rifle corps."""
    for corps in [unit for unit in table.units(SOVIET) if unit.has("rifle-corps")]:
        number = int(corps.counter.steps[0].split("-")[0])
        pool = [u.id for box in (POOL, DEAD) for u in _shuffled(table, box) if u.counter.setup == "RP"]
        new = tuple((name, 1) for name in pool[:number])
        table.do(Replaced((corps.id,), new, corps.hex, "reorganize"))


def _shuffled(table: Table, box: str) -> list[Unit]:
    units = table.position.at(box)
    return table.random.sample(units, len(units))


# --- weather (10.1, 10.2, 10.8) ------------------------------------------------------------------------


def weather(table: Table) -> None:
    """One die, the south at minus 2; snow once come to a zone stays."""
    course = course_of(table.case)
    if table.case.turn < WEATHER_FROM or course.north == course.south == SNOW:
        return
    directive, before = course.dd3, (course.north, course.south)
    north, south = by_table(table, table.roll("weather"), before)
    if table.chance(0.7):
        table.do(Declared("weather", value=f"{north}/{south}"))
    if directive and (north, south) != (DRY, DRY):
        _zones_go(table)


def by_table(table: Table, die: int, before: tuple[str | None, str | None]) -> tuple[str, ...]:
    column = table.game.table["weather-columns"].cell(str(table.case.turn), "column")
    cells = table.game.table["weather"]
    read = [LETTERS[cells.cell(str(value), column)] for value in (die, die - 2)]
    return tuple(SNOW if old == SNOW else new for old, new in zip(before, read, strict=True))


# --- German declarations and refits (7.5, 7.6, 8.11) ------------------------------------------------


def declarations(table: Table) -> None:
    _show_supply(table)
    course = course_of(table.case)
    if course.pausing(table.case.turn) and table.chance(0.1):
        table.do(Declared("abort-pause"))
    if not campaign(table):
        return
    if course.concentrated:
        _end_or_renew(table)
    elif not course.concentrated_before and table.case.turn > 2 and table.chance(0.12):
        table.do(Declared("concentrate-supply"))
        _lay(table, CONCENTRATED)


def _show_supply(table: Table) -> None:
    """Some players mark who is short of supply, or say who is not."""
    found, shown = SupplyMap(table.case), 0
    for unit in table.units(GERMAN):
        face, now = SHORT.get(found.state_of(unit)), unit.marks.get(SHORT_MARKER)
        if now is not None and now != face:
            table.do(Unmarked(SHORT_MARKER, unit.id))
        if face is not None and face != now and shown < SHORT_MARKERS and table.chance(0.3):
            table.do(Marked(SHORT_MARKER, unit.id, face))
        shown += SHORT_MARKER in unit.marks
    fed = [unit for unit in table.units(GERMAN) if found.state_of(unit) != OUT]
    fed += [unit for unit in table.units(SOVIET) if found.supplied(table.at(unit))]
    for unit in table.random.sample(fed, min(2, len(fed))):
        table.do(Declared("in-supply", (unit.id,)))


def _end_or_renew(table: Table) -> None:
    marked = [unit for unit in table.units(GERMAN) if MARKER in unit.marks]
    if table.chance(0.3):
        table.do(Declared("end-concentration"))
        table.do(*[Unmarked(MARKER, unit.id) for unit in marked])
    else:
        _lay(table, CONCENTRATED - len(marked))


def _lay(table: Table, number: int) -> None:
    free = [unit for unit in table.units(GERMAN) if MARKER not in unit.marks]
    fast = [unit for unit in free if unit.has("armor")]
    chosen = fast if len(fast) >= number and table.chance(0.7) else free
    table.do(*[Marked(MARKER, unit.id) for unit in table.random.sample(chosen, number)])


def refits_begin(table: Table) -> None:
    """Reduced mechanized divisions in regular supply, off the enemy, until mud or snow comes."""
    if course_of(table.case).broken:
        return
    found, soviets = SupplyMap(table.case), set(table.hexes_of(SOVIET))
    worn = [unit for unit in table.units(GERMAN) if unit.has("refits") and unit.step > 1]
    behind = [u for u in worn if not soviets & set(table.field.board.adjacent[table.at(u)])]
    able = [unit for unit in behind if found.state_of(unit) == REGULAR]
    for unit in able[:REFITS]:
        if table.chance(0.7):
            table.do(Marked("refit", unit.id))


def refits_end(table: Table) -> None:
    _reserve_is_lost(table)
    most = int(table.game.table["german-pools"].cell("refit-succeeds", "value"))
    for unit in [unit for unit in table.units(GERMAN) if "refit" in unit.marks]:
        if table.roll("refit", unit.id) <= most:
            table.do(StepChanged(unit.id, 2, 1))
        table.do(Unmarked("refit", unit.id))


# --- the Soviet supply check (7.12) --------------------------------------------------------------------


def soviet_supply(table: Table) -> None:
    """Once Directive 3 is ended, who is out of supply is lost."""
    if course_of(table.case).dd3:
        return
    found = SupplyMap(table.case)
    lost = [unit for unit in table.units(SOVIET) if not found.supplied(table.at(unit))]
    if lost and table.chance(0.5):
        table.do(Declared("eliminate-unsupplied", tuple(unit.id for unit in lost)))
    table.do(*[Removed(unit.id, DEAD) for unit in lost])


# --- the end of the turn (7.5) ---------------------------------------------------------------------------


def turn_end(table: Table) -> None:
    course, turn = course_of(table.case), table.case.turn
    if campaign(table) and turn in PAUSES and course.pause is None and table.chance(0.1):
        table.do(Declared("declare-pause"))


# --- the reserve (3.5) -----------------------------------------------------------------------------------


def _reserve_is_lost(table: Table) -> None:
    """Who has not entered by the movement of turn 2 is eliminated."""
    if table.case.turn == LAST_ENTRY:
        table.do(*[Removed(unit.id, "german-eliminated") for unit in list(table.position.at("okh-reserve"))])


DEEDS: dict[str, Deed] = {
    "turn-start": turn_start,
    "weather": weather,
    "german-declaration": declarations,
    "german-refit-start": refits_begin,
    "german-new-units": arrivals.german,
    "german-refit-completion": refits_end,
    "soviet-pa": arrivals.note_soviet_turn,
    "soviet-new-units": arrivals.soviet,
    "soviet-supply": soviet_supply,
    "victory": points.check,
    "turn-end": turn_end,
}
ENDING: tuple[Deed, ...] = (points.ending,)
