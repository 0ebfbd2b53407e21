"""The German player's points as a player keeps them: places held, less what fell due (chapter 4)."""

from __future__ import annotations

from players.lwe.table import Table
from validator.games.lwe.book import GERMAN, SOVIET
from validator.games.lwe.field import Field
from validator.model.events import Declared

WORTH = {"small-town": 1, "large-town": 2, "city": 4}
OWN = {"1507": 2, "1209": 4}  # Memel and Konigsberg (4.3)
ODESSA, ZONES_FROM = "2141", 4
EARLY = 18  # a win before this turn is a major one (4.6)
LEVELS = (
    (86, "Soviet major"),
    (97, "Soviet substantive"),
    (118, "Soviet minor"),
    (124, "German minor"),
    (129, "German substantive"),
    (10**6, "German major"),
)


def places(field: Field) -> int:
    """Soviet towns that are German, less German hexes that are Soviet."""
    count, board, ground = 0, field.board, field.ground
    for hex_id in range(len(board)):
        country, holder = ground.country(hex_id), field.holder(hex_id)
        if country == "soviet-union" and holder == GERMAN:
            kinds = [place.kind for place in board.places.get(hex_id, ())]
            count += max((WORTH.get(kind, 0) for kind in kinds), default=0)
        elif country == "greater-germany" and holder == SOVIET:
            count -= OWN.get(board.label(hex_id), 1)
    return count


def total(table: Table) -> int:
    return places(table.field) - table.debit


def zones(field: Field) -> int:
    units = ((h, unit) for h, unit in field.of_side(SOVIET) if unit.has("fortified-zone"))
    return sum(field.board.label(h) != ODESSA for h, _ in units)


def zones_are_scored(table: Table) -> None:
    """4.2, once the turn has opened."""
    if table.case.turn >= ZONES_FROM:
        table.debit += zones(table.field)
    name_them(table, 0.5)


def name_them(table: Table, chance: float = 1) -> None:
    if table.chance(chance):
        table.do(Declared("victory-points", value=str(total(table))))


def check(table: Table) -> None:
    """The victory check of the turns that have one: the game may be over."""
    rows = {int(row.id): int(row.cells[0]) for row in table.game.table["victory-check"].rows}
    turn = table.case.turn
    if table.case.scenario.id != "campaign" or turn not in rows:
        return
    name_them(table)
    if total(table) >= rows[turn]:
        level = "German major" if turn < EARLY else level_of(total(table))
        table.do(Declared("victory", value=f"{level} victory"))
        table.over = True


def level_of(count: int) -> str:
    return next(name for most, name in LEVELS if count <= most)


def ending(table: Table) -> None:
    """Who has not won by the last check has lost."""
    if table.over:
        if not any(isinstance(event, Declared) and event.what == "victory" for event in table.events[-3:]):
            table.do(Declared("victory", value="German major victory"))  # Moscow has fallen
        return
    scenario = table.case.scenario
    name_them(table)
    if scenario.id == "campaign":
        table.do(Declared("victory", value=f"{level_of(total(table))} victory"))
    else:
        band = (
            next(b for b in scenario.victory.bands if _within(b, total(table))) if scenario.victory else None
        )
        table.do(Declared("victory", value=band.result if band else ""))


def _within(band: object, count: int) -> bool:
    low, high = getattr(band, "low", None), getattr(band, "high", None)
    return (low is None or count >= low) and (high is None or count <= high)
