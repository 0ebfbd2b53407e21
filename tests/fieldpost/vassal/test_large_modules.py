"""Modules larger than what is read into memory are read from their file."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from builder.taken import take_apart
from fieldpost.vassal import archive, inspection
from tests import oracle_files
from validator.anygame.art import Art


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """The demo module with a hole before its directory, which takes no room on the disk."""
    path = tmp_path / "large.vmod"
    shutil.copy(oracle_files.MODULE, path)
    with zipfile.ZipFile(path, "a") as opened:
        opened.writestr("sounds/last.wav", b"")
        opened.start_dir += archive.DEFAULT_LIMITS.in_memory_bytes
    return path


def test_a_large_module_is_inspected_taken_in_and_its_pictures_found(large: Path, tmp_path: Path) -> None:
    assert large.stat().st_size > archive.DEFAULT_LIMITS.in_memory_bytes
    usual = inspection.inspect(oracle_files.MODULE)
    assert inspection.inspect(large).data()["pieces"] == usual.data()["pieces"]
    assert "large-module" in {problem.kind for problem in inspection.inspect(large).problems}
    assert take_apart.take(large, tmp_path / "data").counts["piece"] > 0
    assert Art.read(large).pictures(["board.png"]).keys() == {"board.png"}
