"""docs/first-module.md, followed to the letter."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.definition import load
from fieldpost.vassal.module import Module

DOC = Path(__file__).resolve().parents[3] / "docs" / "first-module.md"
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)


def _commands() -> list[list[str]]:
    texts = [text for language, text in BLOCK.findall(DOC.read_text()) if not language]
    lines = [line for text in texts for line in text.splitlines() if line.startswith("fieldpost ")]
    return [shlex.split(line)[1:] for line in lines]


def _additions() -> list[str]:
    return [text for language, text in BLOCK.findall(DOC.read_text()) if language == "yaml"]


def _insert_after(file: Path, line_start: str, text: str) -> None:
    lines = file.read_text().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith(line_start))
    file.write_text("".join([*lines[: at + 1], text, *lines[at + 1 :]]))


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything the page says, in its order, but for what asks for the log of a played game."""
    folder = tmp_path_factory.mktemp("ten-minutes")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        commands = [command for command in _commands() if command[0] not in ("dump", "check")]
        made = ["new", "build", "render", "render", "lint", "build"]
        assert [command[0] for command in commands] == [*made, "reach", "supply"]
        for number, command in enumerate(commands):
            assert main(command) == 0, command
            if number == 1:
                _edit(folder / "steppe-raid")
    return folder


def _edit(game: Path) -> None:
    counter, reinforcement = _additions()
    _insert_after(game / "counters.yaml", "      - {id: TankB", counter)
    _insert_after(game / "scenarios" / "dawn.yaml", "reinforcements:", reinforcement)
    grids = game / "map" / "grids.yaml"
    text = grids.read_text()
    grids.write_text(text.replace("      .f...h.\n", "      .ff..h.\n"))
    assert grids.read_text() != text


def test_the_page_can_be_followed(followed: Path) -> None:
    game = load(followed / "steppe-raid")
    assert game.title == "Steppe Raid"
    assert game.counter["Tank2B"].steps == ("4-3-7",)


def test_what_was_added_is_in_the_module(followed: Path) -> None:
    module = Module.read(followed / "dist" / "steppe-raid-0.1.0.vmod")
    assert "Second Tank Company" in {slot.name for slot in module.slots}


def test_pictures_were_drawn(followed: Path) -> None:
    assert {path.name for path in (followed / "dist").glob("*.png")} >= {"steppe-raid-map.png"}
