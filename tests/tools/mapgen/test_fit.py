"""How well the ground fits the hexes the rules name: the numbers docs/maps.md states."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="the map generator's extra is not installed: pip install -e '.[mapgen]'")
pytest.importorskip(
    "shapefile", reason="the map generator's extra is not installed: pip install -e '.[mapgen]'"
)

import numpy as np

from tools.mapgen.build import anchors, locate_ground
from tools.mapgen.plane import Plane
from tools.mapgen.projection import Anchor, Projection, fit, hexagon_norm, nudged, quality
from tools.mapgen.spec import load

GAMES = ("wfm", "lwe", "ftm")


@pytest.mark.parametrize("game", GAMES)
def test_the_fit_is_as_close_as_places_that_only_pin_a_hex_allow(game: str) -> None:
    spec = load(game)
    plane = Plane(spec.lattice, spec.hexes)
    _, found = locate_ground(spec, plane)
    assert found.rms <= 0.55
    assert found.worst <= 1.1
    assert found.leave_one_out_rms is None or found.leave_one_out_rms <= 0.6


@pytest.mark.parametrize("game", GAMES)
def test_the_nudge_brings_every_named_place_into_its_hex_and_is_small(game: str) -> None:
    spec = load(game)
    plane = Plane(spec.lattice, spec.hexes)
    reference, _ = locate_ground(spec, plane)
    for anchor in anchors(spec, plane):
        here = np.array([[anchor.lon, anchor.lat]])
        before = reference.unnudged(here[:, 0], here[:, 1])[0]
        after = np.array(reference.point(anchor.lat, anchor.lon))
        assert np.hypot(*(after - before)) <= 0.6, anchor.name
        if not anchor.exact:
            assert hexagon_norm(after[0] - anchor.x, after[1] - anchor.y, plane.pointy) <= 1, anchor.name


@pytest.mark.parametrize(
    ("game", "km", "north"),
    [("wfm", (39, 41), (0, 4)), ("lwe", (35, 36), (20, 23)), ("ftm", (73, 75), (26, 29))],
)
def test_scale_and_north_are_those_of_the_report(
    game: str, km: tuple[float, float], north: tuple[float, float]
) -> None:
    spec = load(game)
    reference, _ = locate_ground(spec, Plane(spec.lattice, spec.hexes))
    assert km[0] <= reference.hex_km <= km[1]
    assert north[0] <= reference.north_degrees <= north[1]


@pytest.mark.parametrize("kind", ["laea", "lcc"])
def test_a_projection_comes_back(kind: str) -> None:
    projection = Projection(kind)  # type: ignore[arg-type]
    lon, lat = np.array([18.0, 31.0, 45.5, 52.0]), np.array([44.0, 53.0, 60.2, 68.5])
    back_lon, back_lat = projection.inverse(projection.forward(lon, lat))
    assert np.allclose(back_lon, lon)
    assert np.allclose(back_lat, lat)


def test_ground_and_plane_are_inverse_after_the_nudge() -> None:
    spec = load("lwe")
    reference, _ = locate_ground(spec, Plane(spec.lattice, spec.hexes))
    points = np.array([[3.0, 9.0], [20.0, 30.0], [30.0, 45.0]])
    lon, lat = reference.to_ground(points)
    assert np.allclose(reference.to_plane(lon, lat), points, atol=0.01)


def test_one_anchor_in_a_wrong_hex_is_noticed() -> None:
    """A misprint of two hexes, as 8.7's Odessa, shows in the worst residual."""
    spec = load("lwe")
    points = anchors(spec, Plane(spec.lattice, spec.hexes))
    moved = [Anchor(a.name, a.x, a.y + 2 * (a.name == "Odessa"), a.lat, a.lon) for a in points]
    assert quality(points, "laea", free=False).worst < 1
    assert quality(moved, "laea", free=False).worst > 1.5


def test_the_nudge_leaves_far_ground_alone() -> None:
    spec = load("wfm")
    plane = Plane(spec.lattice, spec.hexes)
    points = anchors(spec, plane)
    plain = fit(points, "lcc", free=True)
    moved = nudged(plain, points, plane.pointy, inside=0.7)
    far = np.array([[200.0, 200.0]])
    assert np.allclose(moved.nudge(far), 0)
