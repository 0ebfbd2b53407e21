"""Chapters 12 and 13: economic assets, evacuation, production of Offensive Support units."""

from __future__ import annotations

from validator.games.ftm.book import ADMIN, RULES, SOVIET
from validator.games.ftm.field import field_at_phase_start, field_of
from validator.games.ftm.supply import rail_line, supplied_mask
from validator.procedures import wareconomy
from validator.procedures.wareconomy import Economy, Evacuation

LOST, EVACUATED, WAITING = "lost-asset-", "evacuated-factories", "osm-waiting"

ECONOMY = Economy(
    side=SOVIET,
    phase=ADMIN,
    lost=LOST,
    evacuated=EVACUATED,
    waiting=WAITING,
    table="production",
    most_support=10,
    assets="ftm-12.0a",
    die="ftm-12.1a",
    place="ftm-12.1b",
    reserve="ftm-13.0b",
    field_of=field_of,
    supplied=supplied_mask,
)
wareconomy.register(RULES, ECONOMY)
wareconomy.register_evacuation(
    RULES,
    Evacuation(
        side=SOVIET,
        phase=ADMIN,
        box=EVACUATED,
        most=1,
        at_start=field_at_phase_start,
        rail_line=rail_line,
        only="ftm-12.2",
        time="ftm-12.2",
        way="ftm-12.2",
    ),
)
