"""Where new units come from and the boxes they wait in."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.games.wie.book import COUNTER_OFFENSIVE, SIBERIAN
from validator.games.wie.state import Case
from validator.games.wie.units import value
from validator.model.events import Moved, Placed, Spot
from validator.model.position import Unit

BOUGHT, REINFORCEMENTS, FREE, OFF_MAP = "bought", "reinforcements", "free", "headquarters"
POOL, ELIMINATED, OPTIONAL = "pool", "eliminated", "optional"
SIBERIAN_BOX, COUNTER_BOX = "soviet-siberian", "axis-counter-offensive"
HIDDEN = "hidden"
CHART, UNSOURCED = "chart", ""


def bought_box(side: str) -> str:
    return f"{side}-{BOUGHT}"


def box_of(side: str, what: str) -> str:
    return f"{side}-{what}"


HEAVY_GUN_BY_TEXT = 8


def price_of(case: Case, unit: Unit) -> int:
    if unit.has("heavy-guns") and case.option("heavy-artillery") == "text":
        return HEAVY_GUN_BY_TEXT
    return value(unit, "cost")


def boxed(case: Case, event: Moved | Placed) -> Iterator[tuple[Unit, Spot | None, Spot]]:
    """The units of an event with the spot each comes from and the one it goes to."""
    for unit in case.units(event.concerned):
        yield unit, event.start if isinstance(event, Moved) else unit.spot, event.comes_to


def in_pool(unit: Unit, spot: Spot | None) -> bool:
    """Not in the game: nowhere, or in the box of unused counters."""
    return spot is None or spot in (box_of(unit.side, POOL), box_of(unit.side, OPTIONAL))


def arriving(case: Case, event: Moved | Placed) -> list[tuple[Unit, str]]:
    """Units that an event brings from a box or nowhere onto the map, and the source each comes from."""
    found = []
    for unit, old, new in boxed(case, event):
        if isinstance(new, Hex) and not isinstance(old, Hex):
            found.append((unit, source_of(case, unit, old)))
    return found


def source_of(case: Case, unit: Unit, spot: Spot | None) -> str:
    side = unit.side
    known = {
        bought_box(side): BOUGHT,
        box_of(side, FREE): FREE,
        box_of(side, REINFORCEMENTS): CHART,
        box_of(side, OFF_MAP): OFF_MAP,
        SIBERIAN_BOX: SIBERIAN,
        COUNTER_BOX: COUNTER_OFFENSIVE,
    }
    if isinstance(spot, str) and spot.startswith("turn-"):
        return CHART
    if isinstance(spot, str) and spot.startswith(box_of(side, HIDDEN)):
        return HIDDEN
    return known.get(spot, UNSOURCED) if isinstance(spot, str) else UNSOURCED
