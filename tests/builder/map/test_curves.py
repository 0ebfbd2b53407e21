from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from builder.map import curves
from fieldpost.hexes import Hex, Hexside, Layout, Orientation

LAYOUT = Layout.regular(Orientation.POINTY, 88, 0, 0)
RUN = [Hexside(Hex(0, 0), Hex(1, 0)), Hexside(Hex(0, 1), Hex(1, 0)), Hexside(Hex(0, 1), Hex(1, 1))]


def test_a_run_of_hexsides_is_walked_corner_by_corner() -> None:
    (piece,) = curves.walk(RUN, LAYOUT)
    assert len(piece) == 4
    assert len(set(piece)) == 4


def test_a_gap_in_a_run_begins_a_new_piece() -> None:
    assert len(curves.walk([RUN[0], RUN[2]], LAYOUT)) == 2


def test_a_run_given_backwards_is_the_same_line() -> None:
    (there,), (back,) = curves.walk(RUN, LAYOUT), curves.walk(RUN[::-1], LAYOUT)
    assert there == back[::-1]


def test_a_network_falls_into_chains_between_junctions() -> None:
    found = curves.chains([("a", "b"), ("b", "c"), ("c", "d"), ("c", "e"), ("e", "f")])
    assert sorted(map(len, found)) == [2, 3, 3]


def test_a_ring_is_one_closed_chain() -> None:
    (ring,) = curves.chains([(1, 2), (2, 3), (3, 1)])
    assert ring[0] == ring[-1]
    assert len(ring) == 4


def test_rounding_keeps_the_ends_and_stays_near_the_corner() -> None:
    path = curves.rounded([(0.0, 0.0), (50.0, 0.0), (75.0, 43.3)])
    assert tuple(path[0]) == (0, 0)
    assert tuple(path[-1]) == (75, 43.3)
    nearest = np.hypot(*(path - (50, 0)).T).min()
    assert 0 < nearest < 10


def test_a_smooth_line_passes_exactly_through_what_is_fixed() -> None:
    points = [(0.0, 0.0), (80.0, 10.0), (120.0, 90.0), (200.0, 90.0)]
    path = curves.through(points, [False, True, False, False])
    assert np.hypot(*(path - (80, 10)).T).min() < 1e-9
    assert np.hypot(*(path - (120, 90)).T).min() > 1


def test_what_met_before_meandering_meets_after() -> None:
    a = np.array([[0.0, 0.0], [100.0, 40.0]])
    b = np.array([[100.0, 40.0], [300.0, 0.0]])
    bent_a, bent_b = curves.meander(a, 5, 88), curves.meander(b, 5, 88)
    assert np.allclose(bent_a[-1], bent_b[0])
    assert not np.allclose(bent_a[0], a[0])


@pytest.mark.parametrize("pattern", [(10, 5), (15, 5, 2, 5)])
def test_dashes_begin_and_end_on_the_line(pattern: tuple[float, ...]) -> None:
    line = np.array([[0.0, 0.0], [173.0, 0.0]])
    parts = list(curves.dashes(line, pattern))
    assert len(parts) > 3
    assert parts[0][0][0] == 0
    assert parts[-1][-1][0] == pytest.approx(173)
    assert all(a[-1][0] < b[0][0] for a, b in pairwise(parts))
