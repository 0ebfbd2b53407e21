"""Sealed copies in the real engine: they are stepped to the end, and what is public lies as in the log."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fieldpost.cli import main
from fieldpost.vassal import steps
from tests import oracle_files

BLANKS = {"?", "Card", "a card"}


def board(report: dict[str, Any]) -> dict[str, tuple[object, ...]]:
    return {
        one["id"]: (one["name"], one["map"], one["x"], one["y"], one.get("stackIndex"))
        for one in report["pieces"]
    }


def hidden(report: dict[str, Any]) -> set[str]:
    ways = ("hiddenBy", "obscuredBy", "deck")
    return {one["id"] for one in report["pieces"] if any(one.get(way) for way in ways)}


def _face_down(report: dict[str, Any]) -> set[str]:
    """Cards that nobody owns."""
    return {one["id"] for one in report["pieces"] if one.get("deck") and not one.get("obscuredBy")}


@pytest.mark.parametrize("name", ["oracle", "random1", "random2"])
def test_a_sealed_copy_ends_where_the_log_ends(engine: ModuleType, name: str, tmp_path: Path) -> None:
    log, copy = oracle_files.log(name), tmp_path / "sealed.vlog"
    assert main(["scrub", str(log), str(copy), "--seal", "--module", str(oracle_files.MODULE)]) == 0
    played, sealed = (engine.vlog_replay(oracle_files.MODULE, one) for one in (log, copy))
    assert len(steps.read(copy).steps) == len(steps.read(log).steps)
    assert sealed["problems"] == played["problems"]
    secret = hidden(played)
    before, after = board(played), board(sealed)
    alone = {id: place[:4] for id, place in before.items() if id not in secret}
    assert {id: after[id][:4] for id in alone} == alone
    assert secret.isdisjoint(after)
    assert {place[0] for id, place in after.items() if id not in before} <= BLANKS


def test_nobody_sits_down_in_a_copy(engine: ModuleType, tmp_path: Path) -> None:
    copy = tmp_path / "copy.vlog"
    assert main(["scrub", str(oracle_files.log("oracle")), str(copy)]) == 0
    played, copied = (
        engine.vlog_replay(oracle_files.MODULE, one) for one in (oracle_files.log("oracle"), copy)
    )
    mine, theirs = board(played), board(copied)
    assert {id: place[1:] for id, place in theirs.items()} == {id: place[1:] for id, place in mine.items()}
    assert {id for id in mine if mine[id] != theirs[id]} == hidden(played) - _face_down(played)
    assert len(copied["steps"]) == len(played["steps"])
