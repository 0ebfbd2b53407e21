"""Chapters 12 and 13: economic assets, evacuation, production of Offensive Support units."""

from __future__ import annotations

from validator.games.ftm.book import ADMIN, RULES, SOVIET
from validator.games.ftm.field import field_at_phase_start, field_of
from validator.games.ftm.supply import rail_line, supplied_mask
from validator.procedures import wareconomy
from validator.procedures.wareconomy import Economy

LOST, EVACUATED, WAITING = "lost-asset-", "evacuated-factories", "osm-waiting"

ECONOMY = Economy(
    side=SOVIET,
    phase=ADMIN,
    lost=LOST,
    evacuated=EVACUATED,
    waiting=WAITING,
    table="production",
    most_evacuated=1,
    most_support=10,
    assets="ftm-12.0a",
    evacuation="ftm-12.2",
    die="ftm-12.1a",
    place="ftm-12.1b",
    reserve="ftm-13.0b",
    field_of=field_of,
    at_start=field_at_phase_start,
    rail_line=rail_line,
    supplied=supplied_mask,
)
wareconomy.register(RULES, ECONOMY)
