from __future__ import annotations

import pytest

from builder.map.palette import PLAIN_STROKE, PLAIN_TERRAIN, look, rgb, style
from fieldpost.definition.mapmodel import Kind
from fieldpost.errors import FieldpostError
from tests.places import REPOSITORY

CLASSIC = style("classic")


def test_a_kind_is_drawn_by_its_style_first() -> None:
    woods = Kind("woods", "Woods", style="marsh")
    assert look(CLASSIC.terrain, woods, PLAIN_TERRAIN).texture == "marsh"


def test_a_kind_without_a_style_is_drawn_by_its_id() -> None:
    assert look(CLASSIC.terrain, Kind("mountain", "Mountain"), PLAIN_TERRAIN).height == 1


@pytest.mark.parametrize(
    ("unknown", "known"), [("frozen-lake", "lake"), ("pine-forest", "forest"), ("woods", "wood")]
)
def test_an_unknown_kind_takes_the_look_its_name_contains(unknown: str, known: str) -> None:
    assert look(CLASSIC.terrain, Kind(unknown, "?"), PLAIN_TERRAIN) is CLASSIC.terrain[known]


def test_the_longest_name_wins() -> None:
    assert look(CLASSIC.terrain, "very-high-mountain-peak", PLAIN_TERRAIN) is CLASSIC.terrain["high-mountain"]


def test_a_wholly_unknown_kind_is_drawn_plainly() -> None:
    assert look(CLASSIC.sides, Kind("moebius", "Moebius"), PLAIN_STROKE) is PLAIN_STROKE


def test_an_unknown_style_names_those_there_are() -> None:
    with pytest.raises(FieldpostError) as caught:
        style("baroque")
    assert "classic, safe, print" in str(caught.value)


def test_colours_are_read() -> None:
    assert rgb("#0a14ff", 7) == (10, 20, 255, 7)


def test_the_documentation_lists_every_name_that_is_known() -> None:
    text = (REPOSITORY / "docs" / "map-styles.md").read_text(encoding="utf-8")
    rows = {
        row.split("|")[1].strip(): {name.strip() for name in row.split("|")[2].split(",")}
        for row in text.splitlines()
        if row.startswith("| ") and "," in row
    }
    tables = {
        "terrain": CLASSIC.terrain,
        "hexsides": CLASSIC.sides,
        "lines": CLASSIC.lines,
        "areas": CLASSIC.areas,
        "places": CLASSIC.places,
    }
    assert rows == {name: set(table) for name, table in tables.items()}
