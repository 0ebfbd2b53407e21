"""What extensions add stands where their paths lead."""

from __future__ import annotations

import time

import pytest

from fieldpost.vassal.grid import Size
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import Chosen
from fieldpost.vassal.module_tree import parse

B = "VASSAL.build."
PICKER = f"{B}module.map.BoardPicker"
NORTH = f'<{B}module.map.boardPicker.Board name="North" image="north.png"/>'
ELEMENT = f"{B}module.ExtensionElement"


def module(inner: str) -> Module:
    return Module.of(parse(f'<{B}GameModule name="Game">{inner}</{B}GameModule>'.encode(), "game"))


def extension(*parts: tuple[str, str]) -> Module:
    elements = "".join(f'<{ELEMENT} target="{target}">{inner}</{ELEMENT}>' for target, inner in parts)
    text = f"<{B}module.ModuleExtension>{elements}</{B}module.ModuleExtension>"
    return Module.of(parse(text.encode(), "more"), {"north.png": Size(300, 200)})


def game_map(name: str) -> str:
    board = f'<{B}module.map.boardPicker.Board name="South" width="90" height="80"/>'
    return f'<{B}module.Map mapName="{name}"><{PICKER}>{board}</{PICKER}></{B}module.Map>'


@pytest.mark.parametrize(
    ("target", "at"),
    [
        (f"{B}module.Map:Second/{PICKER}", "Second"),
        (f"{B}module.Map:Renamed since/{PICKER}", "First"),
        (f"{B}module.Map:In a folder/{PICKER}", "In a folder"),
        (f"{B}module.folder.MapFolder:Maps/{B}module.Map/{PICKER}", "In a folder"),
        (r"VASSAL.build.module.Map:A\/B\:C/VASSAL.build.module.map.BoardPicker", "A/B:C"),
        (f"{B}module.Chart:Second/{PICKER}", None),
    ],
)
def test_a_board_goes_to_the_map_that_its_path_names(target: str, at: str | None) -> None:
    folder = f'<{B}module.folder.MapFolder name="Maps">{game_map("In a folder")}</{B}module.folder.MapFolder>'
    found = module("".join(map(game_map, ("First", "Second", "A/B:C"))) + folder)
    extended = found.extended([extension((target, NORTH))])
    assert {one.name for one in extended.maps if len(one.boards) == 2} == ({at} if at else set())
    if at:
        [placed] = extended.map(at).layout([Chosen("North")]).placed
        assert placed.board.size == (300, 200)


def test_a_new_game_still_begins_on_the_modules_board() -> None:
    extended = module(game_map("First")).extended([extension((f"{B}module.Map:First/{PICKER}", NORTH))])
    assert [one.board.name for one in extended.map("First").usual.placed] == ["South"]


def test_many_paths_that_lead_nowhere_end_soon() -> None:
    deep = f'<{B}module.folder.A name="x">' * 200 + f"</{B}module.folder.A>" * 200
    parts = [("/".join([f"{B}module.folder.A"] * 100 + [f"{B}module.Map:{at}"]), NORTH) for at in range(50)]
    started = time.process_time()
    assert len(module(deep).extended([extension(*parts)]).maps) == 0
    assert time.process_time() - started < 15  # each of them searched anew takes minutes
