"""The module built for War for the Motherland: in the real engine, and as our own reader sees it."""

from __future__ import annotations

from math import dist
from pathlib import Path

import pytest

from fieldpost.definition.model import Game
from fieldpost.hexes import neighbors
from fieldpost.vassal.grid import Point
from fieldpost.vassal.module import Module

pytestmark = pytest.mark.xdist_group("built")  # the module is built once
MAP, BOARD = "Map", "Whole map"


@pytest.fixture(scope="module")
def game(wfm: Game) -> Game:
    return wfm


@pytest.fixture(scope="module")
def built(wfm_module: Path) -> Path:
    return wfm_module


@pytest.fixture(scope="module")
def module(built: Path) -> Module:
    return Module.read(built)


def test_every_hex_is_found_by_the_label_it_goes_by(game: Game, module: Module) -> None:
    assert game.map is not None
    label = game.map.lattice.label
    centers = {hex_: module.pixel(MAP, label(hex_), BOARD) for hex_ in game.map.hexes}
    assert len(set(centers.values())) == len(centers)
    for hex_, center in centers.items():
        assert module.locate(MAP, *center, board=BOARD).label == label(hex_)


def test_neighbours_lie_beside_each_other_across_the_sheets(game: Game, module: Module) -> None:
    assert game.map is not None
    centers: dict[object, Point] = {
        hex_: module.pixel(MAP, game.map.lattice.label(hex_), BOARD) for hex_ in game.map.hexes
    }
    steps = [
        dist(center, centers[other])
        for hex_, center in centers.items()
        for other in neighbors(hex_)  # type: ignore[arg-type]
        if other in centers
    ]
    assert max(steps) - min(steps) < 2
