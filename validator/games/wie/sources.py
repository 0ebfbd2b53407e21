"""Where new units come from and the boxes they wait in."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.games.wie.book import COUNTER_OFFENSIVE, SIBERIAN
from validator.games.wie.state import Case
from validator.games.wie.units import value
from validator.model.events import Moved, Placed, Spot
from validator.model.position import Unit
from validator.procedures.transfers import Transfer, transfers

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


def in_pool(unit: Unit, spot: Spot | None) -> bool:
    """Not in the game: nowhere, or in a box of unused counters."""
    return spot is None or spot in (box_of(unit.side, POOL), box_of(unit.side, OPTIONAL))


@dataclass(frozen=True)
class Arrival:
    """A unit that comes onto the map, from which source and to which hex."""

    unit: Unit
    source: str
    hex: Hex


def arriving(case: Case, event: Moved | Placed) -> list[Arrival]:
    """Units that an event brings from a box or nowhere onto the map."""
    comers = (
        (transfer.unit, source_of(transfer), transfer.new)
        for transfer in transfers(case, event)
        if transfer.arrives
    )
    return [Arrival(unit, source, hex_) for unit, source, hex_ in comers if isinstance(hex_, Hex)]


def shown(case: Case, event: Moved | Placed) -> list[Arrival]:
    """Of them, those that were hidden nowhere on the map before."""
    return [arrival for arrival in arriving(case, event) if arrival.source != HIDDEN]


def source_of(transfer: Transfer) -> str:
    """Where a unit that arrives comes from, as the rules tell sources apart."""
    side, box = transfer.unit.side, transfer.old if isinstance(transfer.old, str) else ""
    boxes = {
        bought_box(side): BOUGHT,
        box_of(side, FREE): FREE,
        box_of(side, REINFORCEMENTS): CHART,
        box_of(side, OFF_MAP): OFF_MAP,
        SIBERIAN_BOX: SIBERIAN,
        COUNTER_BOX: COUNTER_OFFENSIVE,
    }
    by_name = {"turn-": CHART, box_of(side, HIDDEN): HIDDEN}
    named = (source for start, source in by_name.items() if box.startswith(start))
    return boxes.get(box) or next(named, UNSOURCED)
