from __future__ import annotations

import pytest

from builder.counters.pen import Area, Pen
from builder.counters.symbols import SIGNS, SYMBOLS, find, find_sign
from fieldpost.errors import FieldpostError
from tests.builder.counters import samples

# fmt: off
PERIOD = [
    "infantry", "mountain", "cavalry", "armor", "mechanized", "motorized", "airborne", "marine",
    "security", "artillery", "siege-gun", "rail-gun", "headquarters", "supply-depot", "airbase",
    "air-fleet", "factory", "oil", "coal", "mineral", "port", "pipeline", "fortified-zone",
    "partisan", "militia", "nkvd", "tank-army", "shock", "guard",
]
# fmt: on


def drawn(draw: object, size: tuple[int, int] = (45, 30)) -> bytes:
    pen = Pen((size[0] + 10, size[1] + 10), Area(5, 5, size[0] + 5, size[1] + 5), 1.5)
    draw(pen)  # type: ignore[operator]
    return pen.mask().tobytes()


@pytest.mark.parametrize("name", PERIOD)
def test_symbols_of_the_period_are_known(name: str) -> None:
    assert name in SYMBOLS


@pytest.mark.parametrize("name", [*SYMBOLS, *SIGNS])
def test_every_symbol_leaves_ink_and_blank_paper(name: str) -> None:
    pixels = drawn(find_sign(name).draw)
    if name != "none":
        assert max(pixels) > 200
    assert min(pixels) == 0


def test_no_two_unit_symbols_look_alike() -> None:
    same = {"bomber", "reconnaissance", "armored-reconnaissance"}  # by intent: as in print
    pictures = [(drawn(s.draw), s.framed) for name, s in SYMBOLS.items() if name not in same]
    assert len(set(pictures)) == len(pictures)


def test_an_unknown_symbol_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(FieldpostError, match="no unit symbol 'infantri'") as caught:
        find("infantri")
    assert "Did you mean 'infantry'?" in str(caught.value.hint)
    assert all(name in str(caught.value.hint) for name in PERIOD)


def test_markers_may_show_unit_symbols_and_units_no_marker_signs() -> None:
    assert find_sign("factory") is SYMBOLS["factory"]
    with pytest.raises(FieldpostError):
        find("snow")


def test_the_documentation_lists_every_symbol_and_sign() -> None:
    page = (samples.REPOSITORY / "docs" / "counters.md").read_text("utf-8")
    assert [name for name in (*SYMBOLS, *SIGNS) if f"`{name}`" not in page] == []
