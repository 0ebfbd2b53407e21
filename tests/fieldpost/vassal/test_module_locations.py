"""Every place a piece stood in in the engine's own replays: we name it the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fieldpost.vassal.module import Module
from tests import oracle_files


@pytest.fixture(scope="module")
def demo() -> Module:
    return Module.read(oracle_files.MODULE)


def _standing(replay: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from replay["initialPieces"]
    for step in replay["steps"]:
        yield from step.get("changed", [])
    yield from replay["pieces"]


@pytest.mark.parametrize("name", oracle_files.LOGS)
def test_places_are_named_as_the_engine_names_them(demo: Module, name: str) -> None:
    seen = 0
    for piece in _standing(oracle_files.replay(name)):
        if piece.get("map"):
            seen += 1
            ours = demo.locate(piece["map"], piece["x"], piece["y"])
            assert (ours.label or "offboard") == piece["location"]
            if "board" in piece:
                assert (ours.board, ours.zone) == (piece["board"], piece["zone"])
    assert seen > 50


def test_every_hex_of_the_demo_leads_back(demo: Module) -> None:
    for column in range(1, 13):
        for row in range(1, 9):
            label = f"{column:02d}{row:02d}"
            assert demo.locate("Main Map", *demo.pixel("Main Map", label)).label == label
