"""Chapters 5.5 and 5.6: movement by sea and strategic movement."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from validator.core.board import HexId, minus
from validator.core.breach import Breach
from validator.core.capacity import Load
from validator.core.costs import CostTable
from validator.core.movement import MoveRules
from validator.core.sea import SeaRules
from validator.core.strategic import strategic_rules
from validator.games.wfm.book import AXIS, ENEMY
from validator.games.wfm.c05_march import BOTH_WAYS, KEYS, fault_of_path, modes_before, strangers
from validator.games.wfm.c09_supply import supplied_mask
from validator.games.wfm.control import friendly_ports
from validator.games.wfm.field import MUD, SNOW, Field, crosses_ice
from validator.games.wfm.partisans import AIR_FLEET, hindering
from validator.games.wfm.state import Case
from validator.model.position import Unit
from validator.procedures.faults import those_that_hold
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.marches import STRATEGIC, has_moved
from validator.procedures.supplymarks import NAMES, status_of, unsupplied
from validator.procedures.transport import (
    Reason,
    Sea,
    Strategic,
    judge_strategic,
    judge_voyage,
)

# --- strategic movement (5.6) ---

STRATEGIC_HEXES = 25
ICE = "ice"  # closes the northern ports (5.57)


def strategic_move_rules(case: Case, field: Field, unit: Unit) -> MoveRules:
    """25 hexes, away from the enemy and in supply all the way (5.62 to 5.67)."""
    table = _strategic_table(case, field, unit)
    closed = {
        "out-of-supply": minus(field.board.mask(range(len(field.board))), supplied_mask(case, unit)),
        "other-ally": strangers(field, unit),
    }
    enemies = _distance_units(case, field, unit)
    return strategic_rules(table, STRATEGIC_HEXES, enemies, closest(case), closed)


def _strategic_table(case: Case, field: Field, unit: Unit) -> CostTable:
    if unit.has("rail-only"):
        return field.ground.rail_table
    if case.option("strategic-ice") == "on" and crosses_ice(unit, case.season):
        return field.ground.strategic_ice_table
    return field.ground.strategic_table


def not_strategic(case: Case, unit: Unit) -> Iterator[Reason]:
    used, in_mud = modes_before(case, unit), unit.has("strategic-mud")
    fit = unit.has("strategic") or (in_mud and case.season == MUD)
    return those_that_hold(
        (
            not fit,
            "wfm-20.33" if unit.has("security") else "wfm-5.66",
            f"may not use strategic movement{' outside mud turns' if in_mud else ''}",
        ),
        (has_moved(case, unit), "wfm-5.61", "has moved in this phase already"),
        (
            STRATEGIC in used,
            "wfm-5.61",
            "used strategic movement in its other phase already",
        ),
        (
            unsupplied(unit),
            "wfm-5.67",
            f"is marked {NAMES[status_of(unit)]} and may not use strategic movement",
        ),
        (used and case.option("strategic-panzer") == "turn", "wfm-5.61b", BOTH_WAYS),
    )


def closest(case: Case) -> int:
    """The least distance that strategic movement keeps from the enemy (5.62)."""
    return int(case.option("strategic-distance"))


def enemies_that_count(case: Case, field: Field, side: str) -> list[HexId]:
    """Where the units of a side are that distance is kept from (5.62, 13.12, 20.34)."""
    every = case.option("distance-units") == "all"
    return field.places_of(side, Field.stands if every else field.has_zone)


def _distance_units(case: Case, field: Field, unit: Unit) -> list[HexId]:
    """The enemies that distance is kept from; fleets and partisans that are felt count too (9.84, 10.24)."""
    hexes = enemies_that_count(case, field, ENEMY[unit.side])
    if unit.side == AXIS:
        return [*hexes, *hindering(case, field)]
    return [*hexes, *field.ids(hex_ for _, hex_ in markers_on_hexes(case, AIR_FLEET))]


strategically = partial(
    judge_strategic,
    Strategic(
        barred=not_strategic,
        rules_of=strategic_move_rules,
        fault_of=fault_of_path,
        keys={
            **{key: KEYS[key] for key in ("too-near", "other-ally", "out-of-supply")},
            "hexside:ice-road": "wfm-5.64",
        },
        otherwise="wfm-5.64",
    ),
)


# --- sea movement (5.5) ---


def sea_rules(case: Case, field: Field, unit: Unit) -> SeaRules:
    return SeaRules(
        field.ground.ports(case.option("azov-ports") == "on"),
        friendly_ports(case, field, unit.side),
        {ICE: field.ground.winter_ports} if case.season == SNOW else {},
    )


def not_shipped(case: Case, unit: Unit) -> Iterator[Reason]:
    return those_that_hold(
        (
            case.phase == "ger-mech",
            "wfm-5.51",
            "moves by sea; no unit does in the German Mechanized Movement Phase",
        ),
        (
            not unit.has("sea-transport"),
            "wfm-20.33" if unit.has("security") else "wfm-5.54",
            f"may not move by sea: {unit.type.name.lower()} units never do",
        ),
        (has_moved(case, unit), "wfm-5.53b", "has moved in this phase already"),
    )


def _sea_rule(rules: SeaRules, breach: Breach, way: list[HexId]) -> str:
    other = "wfm-5.58" if "black-sea" in rules.ports.get(way[0], ()) else "wfm-5.57a"
    return {"other-sea": other, ICE: "wfm-5.57b"}.get(breach.key, "wfm-5.53a")


def load(unit: Unit, way: list[HexId]) -> Load:
    """Two halves between the same ports share the ships."""
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)), (way[0], way[-1]))


by_sea = partial(
    judge_voyage,
    Sea(
        barred=not_shipped,
        rules_of=sea_rules,
        rule_of=_sea_rule,
        begins="wfm-5.53b",
        room="wfm-5.51",
        load=load,
    ),
)
