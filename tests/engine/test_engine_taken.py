"""A module taken in as data and built again opens in the engine as the first did."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from builder.taken import rebuild, take_apart
from tests import oracle_files


def test_the_engine_opens_what_was_taken_in_and_built_again(engine: ModuleType, tmp_path: Path) -> None:
    take_apart.take(oracle_files.MODULE, tmp_path / "data")
    made = rebuild.make(tmp_path / "data", tmp_path / "dist")
    first, again = engine.vmod_check(oracle_files.MODULE), engine.vmod_check(made.path)
    assert again["problems"] == first["problems"]
    assert again["games"] == first["games"]
    assert again["pieceSlots"] == first["pieceSlots"]


def test_our_own_modules_come_out_with_equal_positions(
    engine: ModuleType, ferry_module: Path, tmp_path: Path
) -> None:
    take_apart.take(ferry_module, tmp_path / "data")
    made = rebuild.make(tmp_path / "data", tmp_path / "dist")
    first, again = engine.vmod_check(ferry_module), engine.vmod_check(made.path)
    assert again["problems"] == first["problems"] == []
    assert again["games"] == first["games"]
