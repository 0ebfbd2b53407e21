"""Random small maps, for comparing the core with the slow way."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex, Hexside, adjacent
from tests.validator.core import boards


class World(NamedTuple):
    map: GameMap
    hexes: list[Hex]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    width, height = draw(st.integers(2, 6)), draw(st.integers(2, 5))
    letters = st.sampled_from("......ffsm~c_")
    rows = [[draw(letters) for _ in range(width)] for _ in range(height)]
    rows[0][0] = "."
    text = " ".join("".join(row) for row in rows)
    bare = boards.draw(text)
    hexes = sorted(bare.terrain)
    pairs = [Hexside.between(a, b) for a in hexes for b in hexes if a < b and adjacent(a, b)]
    sides: dict[str, str] = {}
    lines: dict[str, str] = {}
    if pairs:
        for kind in boards.SIDES:
            chosen = draw(st.lists(st.sampled_from(pairs), max_size=4, unique=True))
            sides[kind] = " ".join(boards.LATTICE.hexside_label(s) for s in chosen)
        for kind in boards.LINES:
            chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=8, unique=True))
            lines[kind] = ",".join(boards.LATTICE.hexside_label(s).replace("/", "-") for s in chosen)
    return World(boards.draw(text, sides, lines), hexes)


def some(hexes: list[Hex], most: int) -> st.SearchStrategy[frozenset[Hex]]:
    return st.frozensets(st.sampled_from(hexes), max_size=most)
