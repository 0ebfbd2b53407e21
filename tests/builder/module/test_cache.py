"""What was drawn before is not drawn again, and equal data gives equal bytes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from builder.module import pictures
from builder.module.package import Options, build
from builder.module.pictures import Picture
from fieldpost.definition import load
from fieldpost.definition.model import Game

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "first-game"


@pytest.fixture(scope="module")
def game() -> Game:
    return load(EXAMPLE)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the pictures drawn from here on."""
    names: list[str] = []
    draw_all = pictures._draw_all

    def noted(wanted: list[Picture], jobs: int) -> object:
        names.extend(picture.name for picture in wanted)
        return draw_all(wanted, jobs)

    monkeypatch.setattr(pictures, "_draw_all", noted)
    return names


def test_a_second_build_draws_nothing(game: Game, tmp_path: Path, drawn: list[str]) -> None:
    options = Options(cache=tmp_path / "cache", jobs=1)
    build(game, tmp_path / "a", options)
    assert len(drawn) > 20
    drawn.clear()
    build(game, tmp_path / "b", options)
    assert drawn == []


def test_one_changed_counter_is_the_only_one_drawn(tmp_path: Path, drawn: list[str]) -> None:
    folder = tmp_path / "game"
    shutil.copytree(EXAMPLE, folder)
    options = Options(cache=tmp_path / "cache", jobs=1)
    build(load(folder), tmp_path / "a", options)
    counters = folder / "counters.yaml"
    counters.write_text(counters.read_text().replace("steps: [5-3-7]", "steps: [6-3-7]"))
    drawn.clear()
    build(load(folder), tmp_path / "b", options)
    assert [name for name in drawn if name != "about.png"] == ["unit-TankB-1.png"]


def test_the_same_data_gives_the_same_bytes_however_many_processes(game: Game, tmp_path: Path) -> None:
    modules = [
        build(
            game, tmp_path / str(jobs), Options(cache=tmp_path / f"cache{jobs}", jobs=jobs)
        ).path.read_bytes()
        for jobs in (1, 2)
    ]
    assert modules[0] == modules[1]


def test_a_spoiled_cache_is_drawn_anew(game: Game, tmp_path: Path) -> None:
    options = Options(cache=tmp_path / "cache", jobs=1)
    first = build(game, tmp_path / "a", options).path.read_bytes()
    for file in (tmp_path / "cache").iterdir():
        file.write_bytes(b"" if file.suffix == ".json" else file.read_bytes()[:3])
    assert build(game, tmp_path / "b", options).path.read_bytes() == first


def test_a_cache_that_cannot_be_written_does_no_harm(game: Game, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    assert build(game, tmp_path / "a", Options(cache=tmp_path / "cache", jobs=1)).size


def test_another_style_is_another_picture(game: Game, tmp_path: Path) -> None:
    options = Options(cache=tmp_path / "cache", jobs=1)
    classic = build(game, tmp_path / "a", options).path.read_bytes()
    safe = build(game, tmp_path / "b", replace(options, style="safe")).path.read_bytes()
    assert classic != safe
