"""The engine itself: it opens a sound module, and complains about a broken one."""

from __future__ import annotations

import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.engine import samples
from tests.engine.engine import EngineError


def test_engine_opens_a_small_module_without_a_murmur(engine: ModuleType, tmp_path: Path) -> None:
    report = engine.vmod_check(samples.module(tmp_path / "small.vmod"))
    assert report["problems"] == []
    assert report["pieceSlots"] == 1


def test_engine_complains_about_an_unknown_component(engine: ModuleType, tmp_path: Path) -> None:
    report = engine.vmod_check(samples.module(tmp_path / "bad.vmod", parts="<VASSAL.build.module.Nonsense/>"))
    assert report["problems"]


def test_engine_refuses_what_is_no_module(engine: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "empty.vmod"
    zipfile.ZipFile(path, "w").close()
    with pytest.raises(EngineError):
        engine.vmod_check(path)


def test_engine_photographs_a_whole_map(engine: ModuleType, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    engine.vassal_shot(samples.module(tmp_path / "small.vmod"), picture, whole=True)
    assert picture.read_bytes().startswith(b"\x89PNG")
