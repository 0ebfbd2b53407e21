"""A build file with any setting made nonsense: a typed error or none, never a crash."""

from __future__ import annotations

import contextlib
import copy
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from fieldpost.errors import FieldpostError
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_tree import parse
from tests import oracle_files

NASTY = [
    "",
    "-1",
    "0",
    "1e308",
    "nan",
    "9" * 30,
    "'",
    "\\",
    "$",
    "$$",
    ",",
    ";",
    "a;b,c",
    "\t",
    "true",
    "²",
    "−1",
]


def _demo() -> etree._Element:
    with zipfile.ZipFile(oracle_files.MODULE) as archive:
        return etree.fromstring(archive.read("buildFile.xml"))


DEMO = _demo()
SETTINGS = [(at, name) for at, part in enumerate(DEMO.iter()) for name in part.attrib]
TEXTS = [at for at, part in enumerate(DEMO.iter()) if (part.text or "").strip()]


def use(root: etree._Element) -> None:
    """Everything a reader of a module asks."""
    try:
        module = Module.of(parse(etree.tostring(root), "hostile.vmod"))
        for game_map in module.maps:
            for x, y in ((0, 0), (161, 242), (-7, 10**6)):
                label = game_map.usual.locate(x, y).label
                game_map.usual.snap(x, y)
                with contextlib.suppress(FieldpostError):
                    game_map.usual.pixel(label or "0304")
        for slot in module.slots:
            module.definition(slot)
        for read in (module.turn_trackers, module.dice, module.charts, module.setups, module.properties):
            assert isinstance(read, tuple)
    except FieldpostError:
        return


def test_the_demo_itself_is_used_without_error() -> None:
    use(DEMO)
    assert len(SETTINGS) > 300
    assert len(TEXTS) > 10


@given(st.sampled_from(SETTINGS), st.sampled_from(NASTY) | st.text("0123456789,;$\\'-.e/ \tAZ", max_size=12))
def test_a_nonsense_setting_does_no_harm(where: tuple[int, str], value: str) -> None:
    root = copy.deepcopy(DEMO)
    list(root.iter())[where[0]].set(where[1], value)
    use(root)


@given(
    st.sampled_from(TEXTS),
    st.integers(0, 400),
    st.sampled_from(["", "\\", "\t", "/", ";", "'", "prototype;Unit\t"]),
)
def test_a_damaged_piece_does_no_harm(where: int, at: int, put: str) -> None:
    root = copy.deepcopy(DEMO)
    part = list(root.iter())[where]
    text = part.text or ""
    part.text = text[:at] + put + text[at + 1 :]
    use(root)


@pytest.mark.parametrize("kind", ["HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid", "Zone"])
def test_a_grid_without_any_setting_is_used(kind: str) -> None:
    root = copy.deepcopy(DEMO)
    for part in root.iter():
        if str(part.tag).endswith(f".{kind}"):
            part.attrib.clear()
    use(root)
