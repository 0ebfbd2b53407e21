"""The steps of making a map, on small grounds; and that the committed maps are what the inputs give."""

# ruff: noqa: E402

from __future__ import annotations

from pathlib import Path

import pytest

REASON = "the map generator's extra is not installed: pip install -e '.[mapgen]'"
pytest.importorskip("numpy", reason=REASON)
pytest.importorskip("shapefile", reason=REASON)

import numpy as np
import yaml

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Axis, Cell, Hexside, Lattice, Orientation, Sheet, from_cell, neighbors
from tests import lacks
from tests.places import REPOSITORY
from tools.mapgen import packages, rivers, sides, sources, spec, writer
from tools.mapgen.__main__ import main
from tools.mapgen.build import build
from tools.mapgen.plane import Plane
from tools.mapgen.sources import Course
from tools.mapgen.spec import River


@pytest.fixture(params=list(Orientation))
def plane(request: pytest.FixtureRequest) -> Plane:
    sheet = Sheet("map", Axis(1, low=1, high=8), Axis(1, low=1, high=8))
    lattice = Lattice(request.param, (sheet,))
    return Plane(lattice, [from_cell(Cell(c, r), request.param) for c in range(8) for r in range(8)])


def test_neighbours_lie_one_apart_in_the_plane(plane: Plane) -> None:
    for hex_ in plane.ordered:
        for n in neighbors(hex_):
            (x1, y1), (x2, y2) = plane.center(hex_), plane.center(n)
            assert np.hypot(x2 - x1, y2 - y1) == pytest.approx(1)


def test_a_point_near_a_center_is_in_that_hex(plane: Plane) -> None:
    for hex_ in plane.ordered:
        x, y = plane.center(hex_)
        assert plane.at(x + 0.3, y - 0.2) == hex_


def test_the_ends_of_a_hexside_are_corners_of_both_hexes(plane: Plane) -> None:
    for side in plane.sides:
        for end in plane.ends(side):
            point = plane.corner_point(end)
            for hex_ in side:
                assert min(np.hypot(x - point[0], y - point[1]) for x, y in plane.corners(hex_)) < 1e-9


def test_chains_walk_every_hexside_once_and_each_touches_the_next(plane: Plane) -> None:
    around = plane.ordered[27]
    ring = [Hexside.between(around, n) for n in neighbors(around)]
    walks = sides.chains(plane, ring)
    assert len(walks) == 1
    assert sorted(walks[0]) == sorted(ring)
    assert sides.stretches(plane, walks[0]) == walks


def test_stretches_cut_where_a_walk_jumps(plane: Plane) -> None:
    a, b = plane.ordered[9], plane.ordered[45]
    jump = [Hexside.between(a, neighbors(a)[0]), Hexside.between(b, neighbors(b)[0])]
    assert [len(s) for s in sides.stretches(plane, jump)] == [1, 1]


def test_pieces_of_a_river_are_joined_whichever_way_they_lie() -> None:
    pieces = [
        Course("Don", np.array([[2.0, 50.0], [3.0, 50.0]])),
        Course("Don", np.array([[2.0, 50.01], [1.0, 50.0]])),
        Course("Don", np.array([[3.05, 50.0], [4.0, 50.0]])),
        Course("Oka", np.array([[9.0, 50.0], [8.0, 50.0]])),
    ]
    river = River("Don", "major", "Don", (50.0, 1.0), (50.0, 4.0), "sea")
    line = rivers.course_points(river, pieces, {})
    assert list(line[:, 0]) == [1, 2, 2, 3, 3.05, 4]


def test_a_ring_of_land_runs_clockwise_and_one_of_water_does_not() -> None:
    ring = np.array([[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]], float)
    assert sources.ring_area(ring) < 0 < sources.ring_area(ring[::-1])


def test_text_that_yaml_could_take_for_something_else_is_quoted() -> None:
    for text in ("0101", "5710/5811", "yes", "N", "1e3", "Pärnu: port", "Sev. Dvina", "3", "-"):
        assert yaml.safe_load(f"a: {writer.scalar(text)}") == {"a": text}
    assert writer.scalar("Brest-Litovsk") == "Brest-Litovsk"


def test_a_wrong_download_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDPOST_MAPGEN_CACHE", str(tmp_path))
    for package in packages.packages():
        (tmp_path / package.file).write_bytes(b"something else")
        with pytest.raises(FieldpostError, match="SHA-256"):
            packages.locate(package.id)


def test_a_game_without_inputs_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chess", "--check"]) == 2
    assert "chess" in capsys.readouterr().err


def _fetched() -> bool:
    folder = packages.cache_folder()
    return all((folder / p.file).exists() for p in packages.packages())


@pytest.mark.slow
def test_the_committed_map_is_what_its_inputs_give() -> None:
    if not _fetched():
        lacks.skip(lacks.MAP_DATA, "its packages are not fetched")
    draft = build("ftm")
    made = writer.files(draft)
    folder = REPOSITORY / "maps" / "ftm"
    assert {n: (folder / n).read_text(encoding="utf-8") for n in made} == made
    assert writer.files(draft) == made


def test_the_towns_a_game_moves_are_in_the_gazetteer() -> None:
    towns = spec.gazetteer()
    for game in ("wfm", "lwe", "ftm"):
        assert set(spec.load(game).head.get("town_hexes", {})) <= towns.keys()
