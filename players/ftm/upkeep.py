"""The supply phase and the administrative phase."""

from __future__ import annotations

from fieldpost.hexes import distance
from players.ftm.table import Table
from validator.games.ftm.book import AXIS, MUD, SOVIET
from validator.games.ftm.c09_attrition import loss_due
from validator.games.ftm.c10_partisans import may_be_engaged, number_due, partisans
from validator.games.ftm.c11_chits import CHITS, beside_enemy
from validator.games.ftm.c12_economy import ECONOMY, EVACUATED, WAITING
from validator.games.ftm.c14_air import (
    BOX,
    GONE,
    air_units,
    in_air_range,
    missions_allowed,
    units_left,
)
from validator.games.ftm.c15_admin import LAST_OF_GROUPS, MOST_CONVERTED, REMOVED, points_of_turn
from validator.games.ftm.field import field_at_phase_start
from validator.games.ftm.lines import Kind
from validator.games.ftm.supply import (
    EXPENDED,
    LEAVES_THE_MAP,
    judge_supply,
    rail_line,
    supplied_mask,
    supply_now,
)
from validator.model.events import (
    Declared,
    Marked,
    Placed,
    Pointed,
    Removed,
    Replaced,
    Returned,
    StepChanged,
    Unmarked,
)
from validator.model.position import Unit
from validator.procedures.airunits import READY, USED
from validator.procedures.arrivals import entry_turn
from validator.procedures.exchanges import price
from validator.procedures.strengthchits import chit_of, draws, steps_left
from validator.procedures.supplymarks import LACK, MARKER, OUT, out_of_supply, status_of
from validator.procedures.wareconomy import produces, production_number


def supply(table: Table) -> None:
    _withdraw(table)
    spent = _expend(table)
    for side in (AXIS, SOVIET):
        _remove_unsupplied(table, side)
    isolated = _mark(table)
    for hex_ in sorted(isolated, key=str):
        _attrition(table, hex_)
    _air_supply(table)
    _new_chits(table)
    _partisans(table)
    _set_partisans(table)
    for base in spent:
        table.eliminate(base)


def _withdraw(table: Table) -> None:
    there = [marker for marker, box, _ in air_units(table.case) if box == BOX]
    for marker in there[units_left(table.case) :]:
        table.do(Pointed(marker, GONE))


def _expend(table: Table) -> list[Unit]:
    """Bases without a railway, now and then."""
    spent = []
    for hex_id, base in list(supply_now(table.case).tracing.bases()):
        linked = hex_id in supply_now(table.case).tracing.linked_bases(Kind(AXIS, False, False))
        if not linked and table.chance(0.3):
            table.do(Declared("expend-base", (base.id,)), Marked(EXPENDED, base.id))
            spent.append(base)
    return spent


def _remove_unsupplied(table: Table, side: str) -> None:
    leaving = [u for u, s in judge_supply(table.case, side) if not s.supplied and _leaves(u)]
    for unit in leaving:
        table.eliminate(unit)


def _leaves(unit: Unit) -> bool:
    return any(unit.has(trait) for trait in LEAVES_THE_MAP)


def _mark(table: Table) -> set[object]:
    """Markers as they must be; the hexes that are isolated."""
    isolated: set[object] = set()
    for side in (AXIS, SOVIET):
        for unit, status in list(judge_supply(table.case, side)):
            shown = status_of(unit)
            if _leaves(unit):
                continue
            if status.status != shown:
                table.do(
                    Marked(MARKER, unit.id, status.status) if status.status else Unmarked(MARKER, unit.id)
                )
            if status.isolated:
                isolated.add(unit.hex)
    return isolated


def _attrition(table: Table, hex_: object) -> None:
    units = [u for u in table.position.at(hex_) if out_of_supply(u)]  # type: ignore[arg-type]
    due = loss_due(table.case, table.roll("attrition", units[0].id))
    for unit in units:
        lost = min(due, steps_left(table.case, unit))
        due -= lost
        if lost:
            table.lose(unit, lost)


def _air_supply(table: Table) -> None:
    for unit in list(table.units(AXIS)):
        left = missions_allowed(table.case) - table.case.in_turn.missions
        out = out_of_supply(unit) and unit.has("german") and in_air_range(table.case, unit.hex)
        if out and left > 0 and table.case.season != MUD and table.chance(0.5):
            table.do(Declared("air-supply", (unit.id,)), Marked(MARKER, unit.id, LACK))
            ready = [marker for marker, box, face in air_units(table.case) if box == BOX and face == READY]
            table.do(Pointed(ready[0], BOX, USED))


def _new_chits(table: Table) -> None:
    for marker in table.game.markers:
        if marker.kind == "strength" and marker.enters == f"GT{table.case.turn}":
            cup = CHITS.cup_of(marker.values["class"])
            table.do(*[Returned(marker.id, cup) for _ in range(marker.count)])


def _partisans(table: Table) -> None:
    """One base after the other; the nearest German combat units are marked."""
    for _, hex_ in list(table.case.in_phase.partisans_at_start.items()):
        bases = [u for u in table.case.phase_start.at(hex_) if u.has("supply-base")]
        if not bases:
            continue
        due = number_due(table.case, table.roll("partisans", bases[0].id))
        near = [u for u in table.units(AXIS) if may_be_engaged(u) and distance(hex_, u.hex) <= 4]
        able = sorted((u for u in near if not out_of_supply(u)), key=lambda u: distance(hex_, u.hex))
        for unit in able[:due]:
            table.do(Marked(MARKER, unit.id, OUT))


def _set_partisans(table: Table) -> None:
    bases = [unit.hex for unit in table.units(AXIS) if unit.has("supply-base")]
    there = dict(partisans(table.case))
    for marker in (m for m in table.game.markers if m.kind == "partisan"):
        due = int((marker.enters or "GT99").removeprefix("GT"))
        if marker.id in there or due > table.case.turn:
            continue
        others = [hex_ for _, hex_ in partisans(table.case)]
        free = [h for h in bases if all(distance(h, other) >= 5 for other in others)]
        if free:
            table.do(Marked(marker.id, table.random.choice(free)))


# --- administration ----------------------------------------------------------------------------


def administration(table: Table) -> None:
    _convert(table)
    _build_up(table)
    _replacements(table)
    if produces(table.case):
        _produce(table)
        _evacuate(table)
    for army in _armies(table):
        chit = chit_of(table.case, army)
        if chit is not None and not beside_enemy(table.case, army):
            table.give_back(chit, army.id)
    for army in _armies(table):
        if chit_of(table.case, army) is None and beside_enemy(table.case, army):
            table.draw(army)
    for marker, box, face in air_units(table.case):
        if box == BOX and face == USED:
            table.do(Pointed(marker, BOX, READY))
    if table.case.turn == LAST_OF_GROUPS:
        _replace_groups(table)


def _armies(table: Table) -> list[Unit]:
    return [unit for unit in table.units(SOVIET) if draws(unit)]


def _convert(table: Table) -> None:
    ready = [
        u
        for u in table.position.units.values()
        if (u.has("guards") or u.has("shock"))
        and u.spot is None
        and (entry_turn(table.case, u) or 99) <= table.case.turn
    ]
    able = [u for u in _armies(table) if u.has("combined-arms") and not out_of_supply(u)]
    table.random.shuffle(able)
    able = [
        u
        for u in able
        if not any(o.type.values.get("stack") == "elite" for o in table.field.units(table.at(u)))
    ]
    for new, old in list(zip(ready, able, strict=False))[:MOST_CONVERTED]:
        chit = chit_of(table.case, old)
        if chit is not None:
            table.give_back(chit, old.id)
        table.do(Replaced((old.id,), ((new.id, 1),), old.hex, "convert"))


def _build_up(table: Table) -> None:
    for units in list(table.hexes_of(AXIS).values()):
        groups = [u for u in units if u.has("kg") and not out_of_supply(u)]
        free = table.case.season == MUD or not any(table.field.in_enemy_zone(u) for u in groups)
        pairs = [(a, b) for a in groups for b in groups if a.id < b.id and a.type is b.type]
        if pairs and free and table.chance(0.5):
            one, other = pairs[0]
            dead = [u for u in table.spare(str(one.type.values["builds"])) if u.id in table.case.in_game.lost]
            if dead:
                table.do(Replaced((one.id, other.id), ((dead[0].id, 2),), one.hex, "buildup"))


def _replacements(table: Table) -> None:
    for unit in list(table.units(AXIS)):
        left = points_of_turn(table.case) - table.case.in_phase.points
        hurt = unit.has("corps") and unit.step == 2 and not out_of_supply(unit)
        if hurt and price(unit, 1) <= left:
            table.do(StepChanged(unit.id, 2, 1))


def _produce(table: Table) -> None:
    waiting = [u for u in table.position.units.values() if u.has("offensive-support") and u.spot == WAITING]
    number = sum(u.has("offensive-support") for u in table.units(SOVIET))
    die = table.roll("production")
    if die > production_number(ECONOMY, table.case) or not waiting or number >= 10:
        return
    unit, field = waiting[0], table.field
    fed, zones = supplied_mask(table.case, unit), field.enemy_zones(SOVIET)
    free = [h for h in range(len(field.board)) if fed[h] and not zones.holds(h) and table.room(h, [unit])]
    dry = [h for h in free if field.board.terrain[h] not in ("sea", "lake", "high-mountain")]
    dry = [h for h in dry if not field.occupied(AXIS)[h] and field.ground.countries[h] == "soviet-union"]
    if dry:
        table.do(Placed(unit.id, field.board.hexes[table.random.choice(dry)]))


def _evacuate(table: Table) -> None:
    for unit in table.units(SOVIET):
        zones = field_at_phase_start(table.case).enemy_zones(SOVIET)
        hex_id = table.at(unit)
        if (
            unit.has("evacuates")
            and not zones.holds(hex_id)
            and rail_line(table.case, hex_id)
            and table.chance(0.1)
        ):
            table.do(Removed(unit.id, EVACUATED))
            return


def _replace_groups(table: Table) -> None:
    for group in [u for u in table.units(SOVIET) if u.has("mechanized-group")]:
        dead = [u for u in table.spare("combined-arms-army") if u.id in table.case.in_game.lost]
        chit = chit_of(table.case, group)
        if chit is not None:
            table.give_back(chit, group.id)
        if dead:
            table.do(Replaced((group.id,), ((dead[0].id, 1),), group.hex, "rebuild"))
            if beside_enemy(table.case, dead[0]):
                table.draw(dead[0])
        else:
            table.do(Removed(group.id, REMOVED))
