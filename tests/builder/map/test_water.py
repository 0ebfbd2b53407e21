from __future__ import annotations

import numpy as np
import pytest

from builder.map import lines, water
from builder.map.frame import frame
from builder.map.ink import Ink
from builder.map.palette import rgb, style
from builder.map.survey import water_hexes
from tests.builder.map.samples import boxed, boxed_maps, example

CLASSIC = style("classic")


def streams(map_id: str) -> tuple[list[water.Stream], float]:
    game_map = boxed(map_id)
    shown = frame(game_map, 88)
    return water.streams(game_map, shown, CLASSIC, water_hexes(game_map, CLASSIC)), shown.hex_px


@pytest.mark.parametrize("map_id", boxed_maps())
def test_rivers_follow_their_hexsides(map_id: str) -> None:
    game_map = boxed(map_id)
    shown = frame(game_map, 88)
    middles = np.array(
        [
            np.mean(shown.layout.side(side), axis=0)
            for run in game_map.side_runs
            if water.river_look(game_map, CLASSIC, run.kind)
            for side in run.sides
        ]
    )
    found, hex_px = streams(map_id)
    drawn = np.vstack([stream.path for stream in found])
    for middle in middles:
        assert np.hypot(*(drawn - middle).T).min() < 0.12 * hex_px


@pytest.mark.parametrize("map_id", boxed_maps())
def test_a_tributary_ends_in_the_river_it_joins(map_id: str) -> None:
    found, _ = streams(map_id)
    for stream in found:
        others = [s for s in found if s is not stream and s.look.width >= stream.look.width]
        near = [float(np.hypot(*(o.path - stream.path[-1]).T).min()) for o in others]
        assert not any(3.5 < gap < 12 for gap in near), (stream.name, min(near))


def test_a_river_flows_on_under_a_ferry() -> None:
    game_map = example().map
    shown = frame(game_map, 88)
    found = water.streams(game_map, shown, CLASSIC, frozenset())
    assert len(found) == 1, "the ferry's hexside is a gap in the data of the Long Water"


def test_a_river_swells_from_its_source() -> None:
    found, _ = streams("wfm")
    ink = Ink()
    rising = next(s for s in found if s.begins < 1 and len(s.path) > 60)
    water.draw_streams(ink, [rising], frame(boxed("wfm"), 88))
    color = rgb(rising.look.color)
    widths = [mark.width for mark in ink.marks if not mark.disc and mark.color == color]
    assert widths[0] < 0.6 * widths[-1]
    assert widths == sorted(widths)


def test_major_rivers_are_at_least_twice_as_wide_as_minor_ones() -> None:
    for looks in (CLASSIC, style("safe"), style("print")):
        assert looks.sides["major-river"].width >= 2 * looks.sides["minor-river"].width


@pytest.mark.parametrize("map_id", boxed_maps())
def test_railways_and_roads_pass_exactly_through_places_on_them(map_id: str) -> None:
    game_map = boxed(map_id)
    shown = frame(game_map, 88)
    drawn = np.vstack([np.zeros((1, 2)), *(c.path for c in lines.hex_courses(game_map, shown, CLASSIC))])
    served = {h for line in game_map.lines for h in line.hexes}
    for place in game_map.places:
        if place.hex in served:
            x, y = shown.layout.exact(place.hex)
            assert np.hypot(*(drawn - (x, y)).T).min() < 2.5, place.name
