"""Plain maps show what a game's own map has, whatever it calls it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from validator.model.position import Position
from validator.report import drawn, looks
from validator.report.describe import Namer
from validator.report.picture import WATER, MapPicture

UNSEEN = {"arctic-circle", "causeway"}  # a line of weather, a crossing of no water's own


@pytest.fixture(scope="module", params=["wfm", "lwe"])
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def namer(game: Game) -> Namer:
    return Namer(game, game.scenarios[0])


def test_every_kind_of_ground_hexside_and_line_has_a_look(game: Game) -> None:
    map_ = game.map
    assert set(map_.terrain.values()) <= {*looks.GROUNDS, looks.OTHER_GROUND}
    assert {kind for kinds in map_.side_kinds.values() for kind in kinds} <= {*looks.SIDES, *UNSEEN}
    assert {kind for kinds in map_.line_steps.values() for kind in kinds} <= {*looks.LINES}


def test_a_drawn_map_has_each_hexside_of_a_look_once(game: Game) -> None:
    shown = set(game.map.terrain)
    markup = drawn.draw(game, sorted(shown), namer(game)).markup
    strokes = {
        look: path.count("M") for look, path in re.findall(r'class="side ([\w-]+)" d="([^"]+)"', markup)
    }
    wanted = Counter(
        look
        for side, kinds in game.map.side_kinds.items()
        if {side.a, side.b} <= shown
        for look in {looks.SIDES[kind] for kind in kinds if kind in looks.SIDES}
    )
    assert strokes == wanted


def test_towns_are_dots_with_names(game: Game) -> None:
    markup = drawn.draw(game, sorted(game.map.terrain), namer(game)).markup
    towns = [place for place in game.map.places if place.kind in looks.DOTS_PX]
    assert markup.count("<circle") == len(towns) > 100


def test_a_picture_shows_rivers(game: Game) -> None:
    side, water = next(
        (side, WATER[look])
        for side, kinds in sorted(game.map.side_kinds.items())
        for look in [looks.SIDES.get(min(kinds), "")]
        if len(kinds) == 1 and look in ("river", "great-river") and not game.map.line_steps.get(side)
    )
    picture = MapPicture(Position(game), namer(game), {side.a, side.b})
    (ax, ay), (bx, by) = picture.layout.side(side)
    assert picture.image.getpixel((int((ax + bx) / 2), int((ay + by) / 2))) == tuple(
        bytes.fromhex(water[0][1:])
    )
