from __future__ import annotations

import pytest

from builder.map import furniture, waiting_counters
from builder.map.frame import frame
from builder.map.key import key, swatches
from builder.map.palette import STYLES, style
from builder.map.panels import Panel
from fieldpost.definition import load
from fieldpost.definition.mapmodel import GameMap
from tests.builder.map.samples import boxed, boxed_maps, example, island

CLASSIC = style("classic")


def texts(panel: Panel) -> list[str]:
    return [label.text for label in panel.texts]


def inside(panel: Panel) -> bool:
    boxes = [box for label in panel.texts for box in label.boxes]
    return all(b[0] >= 0 and b[1] >= 0 and b[2] <= panel.width and b[3] <= panel.height for b in boxes)


def key_of(game_map: GameMap, area: str | None = None, columns: int = 2) -> Panel:
    shown = frame(game_map, 88, area)
    return key(furniture.within_frame(game_map, shown), CLASSIC, 1.0, columns)


@pytest.mark.parametrize("map_id", boxed_maps())
def test_the_key_names_every_terrain_and_line_that_is_drawn(map_id: str) -> None:
    game_map = boxed(map_id)
    named = set(texts(key_of(game_map)))
    assert {k.name for k in game_map.terrain_kinds if k.id in game_map.terrain.values()} <= named
    assert {k.name for k in game_map.line_kinds} <= named
    assert {k.name for k in game_map.place_kinds} <= named


def test_the_key_of_a_part_leaves_out_what_lies_elsewhere() -> None:
    whole, part = (set(texts(key_of(boxed("wfm"), area))) for area in (None, "turning-point"))
    assert "Arctic Circle" in whole
    assert "Arctic Circle" not in part
    assert "Mountain" in part


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_the_key_keeps_its_words_in_its_panel(columns: int) -> None:
    assert inside(key_of(boxed("wfm"), columns=columns))


def test_all_panels_keep_their_words_inside() -> None:
    for game in (example(), load("wfm")):
        shown = frame(game.map, 88)
        board = waiting_counters.beside(game, None)
        panels = furniture.legend_panels(game.map, game, CLASSIC, shown)
        panels += furniture.play_panels(game, board, CLASSIC, shown.unit, shown.width)
        for panel in panels:
            assert inside(panel), panel.id


def test_the_turn_track_shows_number_date_and_production_of_every_turn() -> None:
    game = load("wfm")
    panel = furniture.turn_track(game, waiting_counters.beside(game, None), CLASSIC, 1.0, 1000)
    written = texts(panel)
    for turn in game.turn_track.turns:
        assert str(turn.number) in written
        if turn.production is not None:
            assert str(turn.production) in written
    assert len(panel.spots) == len(game.turn_track.turns)
    assert {turn.season for turn in game.turn_track.turns} <= set(written)


def test_the_turn_track_of_a_scenario_shows_its_turns_only() -> None:
    for name, area, turns in (
        ("wfm", "turning-point", {22, 23, 24}),
        ("lwe", "army-group-centre", {1, 2, 3, 4}),
    ):
        game = load(name)
        panel = furniture.turn_track(game, waiting_counters.beside(game, area), CLASSIC, 1.0, 1000)
        assert set(panel.spots) == turns


def test_boxes_numbered_from_0_to_9_are_one_track_of_digits() -> None:
    game = load("lwe")
    (row,) = furniture.tracks(game.boxes)
    panel = furniture.track(row, CLASSIC, 1.0)
    assert list(panel.spots) == [f"track-{digit}" for digit in range(10)]
    assert "VICTORY POINTS AND STEPS" in texts(panel)
    assert inside(panel)
    assert furniture.tracks(game.boxes[:-1]) == []


def test_a_track_of_more_spaces_stands_in_rows_and_tells_what_each_means() -> None:
    game = load("ftm")
    (row,) = furniture.tracks(game.boxes)
    panel = furniture.track(row, CLASSIC, 1.0)
    assert list(panel.spots) == [f"lost-asset-{number}" for number in range(1, 20)]
    assert len({top for _, top, _, _ in panel.spots.values()}) == 2
    assert {"ELIMINATED ECONOMIC ASSETS", "19", "production 5", "production 0"} <= set(texts(panel))
    assert inside(panel)


def test_boxes_of_nobody_whose_names_begin_alike_stand_in_a_row() -> None:
    game = load("wie")
    (row,) = furniture.rows(game.boxes)
    panel = furniture.row(row, CLASSIC, 1.0)
    assert list(panel.spots) == ["weather-clear", "weather-mud", "weather-snow"]
    assert {"WEATHER", "clear", "mud", "snow"} <= set(texts(panel))
    assert inside(panel)


def test_seasons_differ_in_colour() -> None:
    for name in STYLES:
        colours = [furniture.season_color(season, style(name)) for season in ("clear", "mud", "snow")]
        assert len(set(colours)) == 3


def test_the_notice_says_where_the_map_comes_from() -> None:
    panel = furniture.notice(boxed("wfm"), CLASSIC, 1.0)
    assert panel is not None
    assert "Reconstruction from public geography" in " ".join(texts(panel))


def test_the_scale_bar_is_as_long_as_it_says() -> None:
    panel = furniture.compass(island(), CLASSIC, 1.0)
    assert "1 hex = 10 km" in texts(panel)
    length = next(text for text in texts(panel) if text.endswith(" km") and "hex" not in text)
    zero, end = (next(label for label in panel.texts if label.text == text) for text in ("0", length))
    drawn_px = end.glyphs[0].x - zero.glyphs[0].x
    assert drawn_px == pytest.approx(float(length.removesuffix(" km")) / 10 * 88)


def test_a_swatch_is_made_for_every_terrain() -> None:
    images = swatches(island().terrain_kinds, CLASSIC, 40)
    assert len(images) == len(island().terrain_kinds)
    colours = {image.getpixel((image.width // 2, image.height // 2)) for image in images}
    assert len(colours) >= len(images) - 1  # sea and lake may look alike
