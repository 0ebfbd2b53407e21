"""The land keeps the hexes' promises: what is land, what is water, what is joined."""

from __future__ import annotations

import numpy as np
import pytest

from builder.map.frame import Frame, frame
from builder.map.palette import STYLES, style
from builder.map.survey import Ground, channel_sides, survey, water_hexes
from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hexside, Orientation, neighbors
from tests.builder.map.samples import boxed, boxed_maps, island

CLASSIC = style("classic")
MAPS = ["island", *boxed_maps()]


def surveyed(map_id: str) -> tuple[GameMap, Frame, Ground]:
    game_map = island() if map_id == "island" else boxed(map_id)
    shown = frame(game_map, 88)
    return game_map, shown, survey(game_map, shown, CLASSIC)


def land_at(ground: Ground, x: float, y: float) -> float:
    cell = ground.land.cell_px
    return float(ground.land.values[int(y / cell), int(x / cell)])


@pytest.mark.parametrize("map_id", MAPS)
def test_land_and_water_lie_where_the_hexes_say(map_id: str) -> None:
    game_map, shown, ground = surveyed(map_id)
    wet = water_hexes(game_map, CLASSIC)
    wrong = [
        game_map.lattice.label(h)
        for h in game_map.hexes
        if (land_at(ground, *shown.layout.exact(h)) < 0.5) != (h in wet)
    ]
    assert wrong == []
    pairs = {Hexside.between(h, n) for h in game_map.hexes for n in neighbors(h) if n in game_map.hexes}
    channels = channel_sides(game_map)
    parted, dry = [], []
    for side in sorted(pairs):
        if side.a in wet or side.b in wet:
            continue
        a, b = (np.array(p) for p in shown.layout.side(side))
        across = [land_at(ground, *(a + (b - a) * t)) for t in np.linspace(0.1, 0.9, 9)]
        c, d = (np.array(shown.layout.exact(h)) for h in side)
        over = [land_at(ground, *(c + (d - c) * t)) for t in np.linspace(0.1, 0.9, 33)]
        if side in channels and min(over) > 0.5:
            dry.append(game_map.lattice.hexside_label(side))
        if side not in channels and max(across) < 0.5:
            parted.append(game_map.lattice.hexside_label(side))
    assert dry == [], "water hexsides without water"
    assert parted == [], "land hexes that water parts though no rule does"


@pytest.mark.parametrize("orientation", list(Orientation))
def test_both_orientations_are_surveyed(orientation: Orientation) -> None:
    game_map = island(orientation)
    shown = frame(game_map, 64)
    ground = survey(game_map, shown, CLASSIC)
    wet = water_hexes(game_map, CLASSIC)
    assert all((land_at(ground, *shown.layout.exact(h)) < 0.5) == (h in wet) for h in game_map.hexes)


def test_every_style_knows_every_terrain_of_the_maps_in_the_box() -> None:
    from builder.map.palette import PLAIN_TERRAIN, look

    for map_id in boxed_maps():
        for kind in boxed(map_id).terrain_kinds:
            for name in STYLES:
                assert look(style(name).terrain, kind, PLAIN_TERRAIN) is not PLAIN_TERRAIN, (map_id, kind.id)
