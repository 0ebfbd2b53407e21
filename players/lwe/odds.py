"""Odds and results worked out anew from the rulebook (1.3, 5.3, 7.4, 11.8 to 11.28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from players.lwe.table import Table
from validator.core.board import HexId
from validator.games.lwe.book import DRY, GERMAN, GERMAN_PA_FIRST, MUD, RAIN, SNOW, SOVIET
from validator.games.lwe.course import SOUTH, course_of
from validator.games.lwe.field import printed
from validator.model.position import Unit

THAWED = (DRY, RAIN, MUD)
LOWEST, HIGHEST = -2, 5  # 1:3 and 6:1 on a ladder where 1:1 is 0
AUGUST = range(6, 10)
HALF = Fraction(1, 2)
CONCENTRATION = "supply-concentration"


@dataclass(frozen=True)
class Odds:
    """`base` before any shift, `shifted` before the die for supply; places on the ladder, 1:1 is 0."""

    base: int
    shifted: int


def label(place: int) -> str:
    return f"{place + 1}:1" if place >= 0 else f"1:{1 - place}"


def work_out(
    table: Table,
    attackers: Sequence[Unit],
    target: HexId,
    *,
    mobile: bool = False,
    air: bool = False,
    dice: Sequence[int] = (),
) -> Odds:
    attack = strength(table, attackers, target, dice, mobile=mobile)
    held = sum(defense(table, unit, target) for unit in defenders(table, attackers, target))
    base = attack // held - 1 if attack >= held else 1 - -(-held // attack)
    return Odds(base, base + _shifts(table, attackers, target, mobile=mobile, air=air))


def defenders(table: Table, attackers: Sequence[Unit], target: HexId) -> list[Unit]:
    side = attackers[0].side
    return [u for u in table.field.units(target) if u.side != side and not u.has("aircraft")]


# --- strengths ------------------------------------------------------------------------------------


def strength(
    table: Table, attackers: Sequence[Unit], target: HexId, dice: Sequence[int], *, mobile: bool
) -> int:
    """Units reduced alike are added, then reduced and rounded down once, to 1 at least (1.3, 11.12)."""
    plain = [unit for unit in attackers if not unit.has("artillery-command")]
    groups: dict[tuple[str, ...], list[Unit]] = {}
    for unit in plain:
        groups.setdefault(_reductions(table, unit, target, mobile=mobile), []).append(unit)
    total = sum(_group(reasons, [printed(u, "attack") for u in units]) for reasons, units in groups.items())
    guns = next((unit for unit in attackers if unit.has("artillery-command")), None)
    if guns is None:
        return total
    return total + min(total, _group(_reductions(table, guns, target, mobile=mobile), [sum(dice)]))


def _group(reasons: tuple[str, ...], factors: list[int]) -> int:
    value = Fraction(sum(factors))
    for reason in reasons:
        value = Fraction(len(factors)) if reason == "one" else value * HALF
    return max(int(value), 1) if value else 0


def _reductions(table: Table, unit: Unit, target: HexId, *, mobile: bool) -> tuple[str, ...]:
    board, weather = table.field.board, table.field.weather(target)
    crossed, fast = set(board.side_of(table.at(unit), target)), unit.type.mobility == "mechanized"
    free = unit.side == GERMAN and table.case.turn <= 3
    found = []
    if "river" in crossed and weather in THAWED and not free:
        found.append("river")
    if fast and board.terrain[target] == "marsh" and weather in THAWED:
        found.append("marsh")
    if unit.has("panzer") and not mobile and board.has_place(target, "city"):
        found.append("city")
    if _shut(table, crossed, weather):
        found.append("one" if fast else "strait")
    return tuple(found)


def _shut(table: Table, crossed: set[str], weather: str) -> bool:
    """Straits are open in snow; all of Sivash lies in the southern zone (10.7)."""
    south = course_of(table.case).weather(SOUTH)
    return ("sivash" in crossed and south != SNOW) or ("strait" in crossed and weather != SNOW)


def defense(table: Table, unit: Unit, target: HexId) -> int:
    """Soviet mechanized and cavalry units have 1 in a city (11.22)."""
    weak = unit.has("weak-in-cities") and table.field.board.has_place(target, "city")
    return 1 if weak else printed(unit, "defense")


# --- shifts ---------------------------------------------------------------------------------------


def _shifts(table: Table, attackers: Sequence[Unit], target: HexId, *, mobile: bool, air: bool) -> int:
    board, field, side = table.field.board, table.field, attackers[0].side
    city, terrain = board.has_place(target, "city"), board.terrain[target]
    held = defenders(table, attackers, target)
    zone = any(unit.has("fortified-zone") for unit in held)
    line = bool(field.intact_lines[target]) and held[0].side == SOVIET
    columns = 0
    if side == GERMAN and not mobile and table.case.phase == GERMAN_PA_FIRST:
        columns += 1
    if not (mobile or city or line or zone) and _around(table, attackers, target):
        columns += 2 if all(unit.has("german") for unit in attackers) else 1
    if terrain == "marsh" and not mobile and not city and field.weather(target) in THAWED:
        columns += 1
    if not city:
        columns -= {"forest": 1, "hills": 2}.get(terrain, 0)
    columns -= 2 if city else 0
    columns -= 1 if board.has_place(target, "large-town") else 0
    columns -= line + zone
    if air:
        columns += 1 if side == GERMAN else -1
    return columns


def _around(table: Table, attackers: Sequence[Unit], target: HexId) -> bool:
    """Two opposite hexes, three alternate ones, or more than three (11.27)."""
    six = table.field.board.neighbors[target]
    taken = {six.index(table.at(unit)) for unit in attackers}
    return len(taken) > 3 or any((d + 3) % 6 in taken for d in taken) or taken in ({0, 2, 4}, {1, 3, 5})


# --- attenuated supply (7.4 to 7.6) -----------------------------------------------------------------


def supply_die_due(table: Table, attackers: Sequence[Unit]) -> bool:
    turn, course = table.case.turn, course_of(table.case)
    if attackers[0].side != GERMAN or course.rested(turn):
        return False
    if all(CONCENTRATION in unit.marks for unit in attackers):
        return False
    return turn in AUGUST or _east(table, attackers)


def _east(table: Table, attackers: Sequence[Unit]) -> bool:
    lines = table.field.board.map.grid["supply"].values
    return any(lines.get(unit.hex) == "attenuated" for unit in attackers)


def supply_loss(table: Table, attackers: Sequence[Unit], die: int) -> int:
    """Columns lost by the die for attenuated supply."""
    turn, chart = table.case.turn, table.game.table["attenuated-supply"]
    change = 0
    if turn in AUGUST:
        change = 0 if _east(table, attackers) else -1
    elif turn >= 10:
        change = 2 if turn == 22 else 1
    return int(chart.cell(str(min(max(die + change, 0), 8)), "columns left"))


# --- results (11.10, 11.22, 11.24) -------------------------------------------------------------------


def automatic(place: int) -> str | None:
    return "DE" if place > HIGHEST else "AL1" if place < LOWEST else None


def result(table: Table, place: int, die: int) -> str:
    chart = table.game.table["combat-results"]
    return str(chart.cell(str(die), chart.columns[place - LOWEST]))


def converted(table: Table, attackers: Sequence[Unit], target: HexId, cell: str) -> str:
    """As the ground of the defenders makes it."""
    board = table.field.board
    if board.has_place(target, "city"):
        return "AL1" if cell in ("AS", "DR") else cell
    held = defenders(table, attackers, target)
    if board.has_place(target, "large-town") and any(unit.has("fortified-zone") for unit in held):
        return "AL1" if cell == "DR" else cell
    return cell
