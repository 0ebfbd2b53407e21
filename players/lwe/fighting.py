"""Prepared assaults, and the dice of every battle: odds, result and who advances."""

from __future__ import annotations

from collections.abc import Sequence

from players.game import Deed
from players.lwe import odds
from players.lwe.aftermath import advance, settle
from players.lwe.feeding import Feeding
from players.lwe.supply import REGULAR
from players.lwe.table import Table
from validator.core.board import HexId
from validator.games.lwe.book import (
    COMMAND_ROLL,
    GERMAN,
    GERMAN_PA,
    GERMAN_PA_FIRST,
    SNOW,
    SOVIET,
    SOVIET_PA,
    SUPPLY_ROLL,
)
from validator.games.lwe.course import course_of
from validator.games.lwe.field import printed
from validator.model.events import Attacked, Moved, Placed, ResultNamed, Rolled
from validator.model.position import Unit

CONCENTRATION = "supply-concentration"
AIR_TURNS = range(2, 22)  # 11.25
GOOD, FAIR = 1, 0  # 2:1 and 1:1 after all shifts
UNFORCED = {"river", "sea", "lake", "sivash", "strait"}
ROMANIA = "romania"


# --- the German side ----------------------------------------------------------------------------------


def german_assaults(table: Table) -> None:
    feeding, paused = Feeding(table), course_of(table.case).pausing(table.case.turn)
    fought: set[str] = set()
    targets = list(table.hexes_of(SOVIET))
    table.random.shuffle(targets)
    for target in targets:
        zone = any(unit.has("fortified-zone") for unit in table.field.units(target))
        if not table.field.units(target, SOVIET) or (paused and not zone):
            continue
        able = [u for u in _around(table, GERMAN, target) if u.id not in fought and _may(table, feeding, u)]
        units = _one_nation(table, _with_company(able), target)
        if units and _worth_it(table, units, target):
            fought.update(unit.id for unit in units)
            fight(table, units, target)
            feeding.refresh()


def _may(table: Table, feeding: Feeding, unit: Unit) -> bool:
    """Supplied, not refitting, not new in a town, marked if supply is concentrated (7.6, 7.7, 8.2, 8.11)."""
    rests = "refit" in unit.marks or came_by_town(table, unit)
    marked = CONCENTRATION in unit.marks or not table.concentrated
    frozen = table.case.turn == 1 and table.field.ground.country(table.at(unit)) == ROMANIA
    guns = unit.has("artillery-command")  # in regular supply only (11.26)
    supplied = feeding.state_of(unit) == REGULAR if guns else feeding.able(unit)
    return not rests and marked and not frozen and supplied


def _with_company(units: list[Unit]) -> list[Unit]:
    """The artillery command attacks only when stacked with others of the attack (11.26)."""
    return [
        u
        for u in units
        if not u.has("artillery-command") or any(v.spot == u.spot for v in units if v is not u)
    ]


def came_by_town(table: Table, unit: Unit) -> bool:
    """Reinforcements that came onto the map in a Rollbahn town rest for that turn (8.2)."""
    if unit.side != GERMAN or unit.has("artillery-command") or unit.counter.setup == "*":
        return False
    west = set(table.field.ground.edge("west"))
    for event in table.case.in_turn.events:
        match event:
            case Placed(name, spot) if name == unit.id:
                return table.field.id(spot) not in west
            case Moved(names, (str(), spot)) if unit.id in names:
                return table.field.id(spot) not in west
    return False


def _one_nation(table: Table, units: list[Unit], target: HexId) -> list[Unit]:
    """Germans with one nation of satellites, which attack in the southern sector only (9.31, 11.38)."""
    south = table.southern(target)
    nations = sorted({unit.nationality for unit in units if unit.has("satellite")})
    chosen = table.random.choice(nations) if nations and south else ""
    return [unit for unit in units if not unit.has("satellite") or unit.nationality == chosen]


def _worth_it(table: Table, units: Sequence[Unit], target: HexId) -> bool:
    guns = [unit for unit in units if unit.has("artillery-command")]
    if len(guns) == len(units):
        return False
    place = odds.work_out(table, units, target, dice=(3, 3, 3) if guns else ()).shifted
    return table.chance(0.9 if place >= GOOD else 0.5 if place >= FAIR else 0.06)


# --- the Soviet side ------------------------------------------------------------------------------------


def soviet_assaults(table: Table) -> None:
    """Under Directive 3 whoever began the phase beside the enemy attacks (5.6)."""
    bound = {unit.id: hexes for unit in table.units(SOVIET) if (hexes := _forced(table, unit))}
    fought: set[str] = set()
    for name in table.random.sample(sorted(bound), len(bound)):
        unit = table.position.units[name]
        left = [h for h in bound[name] if table.field.units(h, GERMAN)]
        if name in fought or not unit.on_map or not left:
            continue
        target = table.random.choice(left)
        units = [u for u in _soviets(table, target, fought) if u is unit or table.chance(0.8)]
        fought.update(u.id for u in units)
        fight(table, units, target)
    for target in list(table.hexes_of(GERMAN)):
        units = _soviets(table, target, fought)
        if units and table.field.units(target, GERMAN) and table.chance(0.7) and _good(table, units, target):
            fought.update(u.id for u in units)
            fight(table, units, target)


def _soviets(table: Table, target: HexId, fought: set[str]) -> list[Unit]:
    """Those that can attack a hex; nobody attacks Romania in turn 1 (5.4)."""
    if table.case.turn == 1 and table.field.ground.country(target) == ROMANIA:
        return []
    return [unit for unit in _around(table, SOVIET, target) if unit.id not in fought]


def _good(table: Table, units: Sequence[Unit], target: HexId) -> bool:
    return odds.work_out(table, units, target).shifted >= FAIR


def _forced(table: Table, unit: Unit) -> list[HexId]:
    """The hexes one of which a unit has to attack."""
    field, here = table.field, table.at(unit)
    there = field.units(here)
    if not course_of(table.case).dd3 or not _attacks(unit):
        return []
    sheltered = any(u.has("fortified-zone") or u.has("naval-infantry") for u in there)
    if sheltered or field.intact_lines[here] or field.board.has_place(here, "city"):
        return []
    near = [h for h in field.board.adjacent[here] if field.units(h, GERMAN)]
    near = [h for h in near if not UNFORCED & set(field.board.side_of(here, h))]
    closed = ROMANIA if table.case.turn == 1 else None
    return [h for h in near if field.ground.country(h) != closed]


# --- who stands around ------------------------------------------------------------------------------------


def _around(table: Table, side: str, target: HexId) -> list[Unit]:
    """Units that can attack a hex: not over the sea, over lakes only in snow (11.18)."""
    field = table.field
    shut = {"sea"} if field.weather(target) == SNOW else {"sea", "lake"}
    near = [h for h in field.board.adjacent[target] if not shut & set(field.board.side_of(h, target))]
    return [unit for h in near for unit in field.units(h, side) if _attacks(unit)]


def _attacks(unit: Unit) -> bool:
    never = unit.has("never-attacks") or unit.has("aircraft")
    return not never and (printed(unit, "attack") > 0 or unit.has("artillery-command"))


# --- a battle -----------------------------------------------------------------------------------------------


def fight(table: Table, units: Sequence[Unit], target: HexId, *, mobile: bool = False) -> None:
    """From the declaration to the advance."""
    table.battle += 1
    held, air = odds.defenders(table, units, target), _flies(table)
    guns = any(unit.has("artillery-command") for unit in units)
    dice = tuple(table.die() for _ in range(3)) if guns else ()
    worked_out = odds.work_out(table, units, target, mobile=mobile, air=air, dice=dice)
    announced = odds.label(table.random.choice((worked_out.base, worked_out.shifted)))
    _declare(table, units, target, mobile=mobile, air=air, column=announced)
    if guns:
        table.do(Rolled(dice, 6, COMMAND_ROLL, None, table.battle))
    place = worked_out.shifted - _supply_die(table, units)
    cell = odds.automatic(place) or odds.result(table, place, _die(table, mobile=mobile))
    outcome = odds.converted(table, units, target, cell)
    stands = _stands(table, held, cell, outcome, mobile=mobile)
    if stands:
        outcome = "DL1"
    if odds.automatic(place) or stands or table.chance(0.85):
        table.do(ResultNamed(outcome if stands or table.chance(0.5) else cell, table.battle))
    settle(table, units, held, target, outcome, mobile=mobile)
    if not mobile:
        advance(table, units, target, outcome)


def _flies(table: Table) -> bool:
    """The aircraft, once a turn (11.25)."""
    turn = table.case.turn
    if turn not in AIR_TURNS or turn in table.flown or not table.chance(0.15):
        return False
    table.flown.add(turn)
    return True


def _declare(
    table: Table, units: Sequence[Unit], target: HexId, *, mobile: bool, air: bool, column: str
) -> None:
    names, hex_ = tuple(unit.id for unit in units), table.field.board.hexes[target]
    shown = column if table.chance(0.7) else None
    support = ("aircraft",) if air else ()
    table.do(Attacked(table.battle, names, (hex_,), overrun=mobile, support=support, column=shown))


def _die(table: Table, *, mobile: bool) -> int:
    return table.roll("overrun" if mobile and table.chance(0.5) else "combat", None, table.battle)


def _supply_die(table: Table, units: Sequence[Unit]) -> int:
    if not odds.supply_die_due(table, units):
        return 0
    return odds.supply_loss(table, units, table.roll(SUPPLY_ROLL, None, table.battle))


def _stands(table: Table, held: Sequence[Unit], cell: str, outcome: str, *, mobile: bool) -> bool:
    """All-German defenders of a prepared assault may take DR as a step lost (11.39)."""
    german = all(unit.has("german") for unit in held)
    return german and not mobile and cell == outcome == "DR" and table.chance(0.4)


DEEDS: dict[str, Deed] = {
    GERMAN_PA_FIRST: german_assaults,
    GERMAN_PA: german_assaults,
    SOVIET_PA: soviet_assaults,
}
