"""What a unit is and what its numbers are, by the data of its type."""

from __future__ import annotations

from collections.abc import Iterable

from validator.model.position import Unit
from validator.procedures.field import printed

AIR, HEADQUARTERS, ARMOR, GUNS = "air", "headquarters", "armor", "guns"
MOTORIZED, KATYUSHA, RAIL_GUN, HEAVY_GUNS = "motorized", "katyusha", "rail-gun", "heavy-guns"
FIGHTER, BOMBER, JET, DIVE_BOMBER = "fighter", "bomber", "jet", "dive-bomber"
OPTION_OF = {"tank-destroyer": "tank-destroyers", "heavy-armor": "heavy-armor", "v2": "v2"}
"""Kinds that an option brings into the game."""
TANK_DESTROYER, PARTISAN, ROCKET = "tank-destroyer", "partisan", "v2-site"
CLASS_1, CLASS_2, CLASS_3 = "class-1", "class-2", "class-3"


def value(unit: Unit, key: str, otherwise: int = 0) -> int:
    found = unit.counter.values.get(key, unit.type.values.get(key, otherwise))
    return int(found)


def kind(unit: Unit) -> str:
    return str(unit.type.values.get("kind", unit.type.id))


def replaces(unit: Unit) -> str:
    """What free replacement it is: infantry, armor, artillery, air; empty for what never comes back so."""
    return str(unit.type.values.get("replaces", ""))


def manpower(unit: Unit) -> str:
    return str(unit.type.values.get("manpower", ""))


def is_air(unit: Unit) -> bool:
    return unit.has(AIR)


def is_hq(unit: Unit) -> bool:
    return unit.has(HEADQUARTERS)


def counts(unit: Unit) -> bool:
    """Whether it takes room in a hex: ground units but headquarters and partisans."""
    return bool(unit.type.stacking)


def fights(unit: Unit) -> bool:
    """A ground unit with values of its own; headquarters and launchers have none."""
    return not (is_air(unit) or is_hq(unit) or unit.has(ROCKET))


def planes_among(units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if is_air(unit)]


def on_the_ground(units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if not is_air(unit)]


def but_headquarters(units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if not is_hq(unit)]


def on_the_map(units: Iterable[Unit]) -> list[Unit]:
    return [unit for unit in units if unit.on_map]


def holds_nothing(unit: Unit) -> bool:
    """Planes are over a hex, partisans in hiding, launchers do not fight: nobody's way is barred by them."""
    return is_air(unit) or unit.has(PARTISAN) or unit.has(ROCKET)


def zoned(unit: Unit) -> bool:
    """Class 2 that moves three has a zone of control (7)."""
    return unit.has(ARMOR)


def printed_move(unit: Unit) -> int:
    return printed(unit, "movement")


def flight_range(unit: Unit) -> int:
    return value(unit, "range", printed_move(unit))


def room(units: Iterable[Unit]) -> int:
    return sum(counts(unit) for unit in units)


def light_grey(unit: Unit) -> bool:
    return unit.has("minor")


def finnish(unit: Unit) -> bool:
    return unit.has("finnish")


def of_minor_ally(unit: Unit) -> bool:
    """Light grey, and no Finn, whom some rules leave out."""
    return light_grey(unit) and not finnish(unit)


def kind_text(unit: Unit) -> str:
    return kind(unit).replace("-", " ")
