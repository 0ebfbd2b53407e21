"""The supply phase and the administrative phase."""

from __future__ import annotations

from players.wfm.table import Table
from validator.core.board import HexId
from validator.games.wfm.book import AXIS, SOVIET
from validator.games.wfm.c07_strength import beside_enemy
from validator.games.wfm.c09_attrition import loss_due
from validator.games.wfm.c09_supply import judge_supply, supplied_mask
from validator.games.wfm.c10_air import FLEET, fleets
from validator.games.wfm.c15_victory import victory_points
from validator.games.wfm.field import MUD
from validator.model.events import Declared, Marked, Removed, Replaced, Returned, Unmarked
from validator.model.position import Unit
from validator.procedures.strengthchits import chit_of, steps_left
from validator.procedures.supplymarks import MARKER, OUT, status_of


def supply(table: Table) -> None:
    _airbases(table)
    _fleets(table)
    _staffs(table)
    isolated = _mark(table)
    for name in isolated:
        _attrition(table, table.position.units[name])
    _new_strength(table)
    coming = (name for arrival in table.case.scenario.reinforcements for name in arrival.units)
    table.fed = {name: bytes(supplied_mask(table.case, table.position.units[name])) for name in coming}


def _unsupplied(table: Table, side: str, trait: str) -> list[Unit]:
    status = judge_supply(table.case, side)
    return [u for u in table.units(side) if u.has(trait) and status[u.id].status == OUT]


def _airbases(table: Table) -> None:
    for base in _unsupplied(table, AXIS, "airbase"):
        table.do(Removed(base.id, None))


def _fleets(table: Table) -> None:
    if table.case.season == MUD:
        return
    for marker in (m for m in table.game.markers if m.kind == FLEET):
        base = table.position.units[str(marker.values["airbase"])]
        if base.on_map and table.chance(0.8):
            near = table.field.board.near([table.at(base)], int(marker.values["range"]))
            choices = [h for h, inside in enumerate(near) if inside]
            table.do(Marked(marker.id, table.field.board.hexes[table.random.choice(choices)]))


def _staffs(table: Table) -> None:
    for side in (AXIS, SOVIET):
        for trait in ("hq", "osg"):
            for unit in _unsupplied(table, side, trait):
                table.eliminate(unit)


def _mark(table: Table) -> list[str]:
    """Markers as they must be; the units that are isolated."""
    isolated = []
    for side in (AXIS, SOVIET):
        for name, status in judge_supply(table.case, side).items():
            unit = table.position.units[name]
            shown = status_of(unit)
            if status.status != shown:
                table.do(Marked(MARKER, name, status.status) if status.status else Unmarked(MARKER, name))
            if status.isolated:
                isolated.append(name)
    return isolated


def _attrition(table: Table, unit: Unit) -> None:
    die = table.roll("attrition", unit.id)
    due, _ = loss_due(table.case, unit, die)
    if due:
        table.lose(unit, due)


def _new_strength(table: Table) -> None:
    """Strength markers of this turn go into their cups (13.32)."""
    for marker in table.game.markers:
        if marker.kind == "strength" and marker.enters == f"GT{table.case.turn}":
            cup = f"csm-{str(marker.values['class']).lower()}"
            table.do(*[Returned(marker.id, cup) for _ in range(marker.count)])


# --- administration ----------------------------------------------------------------------------


def administration(table: Table) -> None:
    _regroup(table)
    for army in _armies(table):
        marker = chit_of(table.case, army)
        if marker is not None and not _faced(table, army):
            table.give_back(marker, army.id)
    for army in _armies(table):
        if chit_of(table.case, army) is None and _faced(table, army):
            table.draw(army)


def _armies(table: Table) -> list[Unit]:
    return [unit for unit in table.units(SOVIET) if unit.has("draws-strength")]


def _faced(table: Table, army: Unit) -> bool:
    return beside_enemy(table.case, army)


def _regroup(table: Table) -> None:
    """Corps break down, Kampfgruppen build up, now and then."""
    used: set[str] = set()
    for hex_id in list(table.hexes_of(AXIS)):
        if table.chance(0.3):
            _break_down(table, hex_id, used)
        if table.chance(0.5):
            _build_up(table, hex_id, used)


def _able(table: Table, unit: Unit) -> bool:
    season = table.case.season
    return (
        unit.has("german")
        and MARKER not in unit.marks
        and (season == MUD or not table.field.in_enemy_zone(unit))
    )


def _break_down(table: Table, hex_id: HexId, used: set[str]) -> None:
    for unit in table.field.units(hex_id):
        if not (unit.has("breaks-down") and _able(table, unit)) or unit.id in used:
            continue
        kind = str(unit.type.values["breaks-into"])
        steps = table.game.unit_type[kind].steps
        parts = [steps, steps_left(table.case, unit) - steps]
        if not 1 <= parts[1] <= steps:
            continue
        heirs = [u for u, _ in zip(table.spare(kind), parts, strict=False)]
        new = tuple((u.id, steps - part + 1) for u, part in zip(heirs, parts, strict=True))
        others = [u for u in table.field.units(hex_id) if u is not unit]
        if not _fits(table, [*others, *heirs]):
            continue
        table.do(Replaced((unit.id,), new, unit.hex, "breakdown"))
        used.update((unit.id, *(name for name, _ in new)))


def _fits(table: Table, units: list[Unit]) -> bool:
    from validator.games.wfm.c04_stacking import stack

    verdict = stack(table.case, units, AXIS)
    return not verdict.breaches and verdict.load <= verdict.limit


def _build_up(table: Table, hex_id: HexId, used: set[str]) -> None:
    groups = [u for u in table.field.units(hex_id) if u.has("kg") and _able(table, u) and u.id not in used]
    for one in groups:
        for other in groups:
            same = one.id < other.id and one.type is other.type and not {one.id, other.id} & used
            corps = _destroyed_corps(table, one) if same else None
            if corps is None:
                continue
            missing = corps.type.steps - steps_left(table.case, one) - steps_left(table.case, other)
            if 0 <= missing < len(corps.counter.steps):
                table.do(Replaced((one.id, other.id), ((corps.id, 1 + missing),), one.hex, "buildup"))
                used.update((one.id, other.id, corps.id))


def _destroyed_corps(table: Table, group: Unit) -> Unit | None:
    """A corps of the kind that was on the map and is not any more (14.23)."""
    been = {p.id for place in table.case.scenario.set_up for p in place.units}
    return next(
        (
            unit
            for unit in table.position.units.values()
            if unit.type.values.get("breaks-into") == group.type.id and unit.spot is None and unit.id in been
        ),
        None,
    )


def count(table: Table) -> None:
    """The end: the points are named, and the winner."""
    points = victory_points(table.case)
    victory = table.case.scenario.victory
    table.do(Declared("victory-points", value=str(points.points)))
    band = points.band(victory.bands) if victory else None
    if band is not None:
        table.do(Declared("victory", value=band.result))


def fleets_return(table: Table) -> None:
    for marker, hex_ in list(fleets(table.case)):
        table.do(Unmarked(marker, hex_))
