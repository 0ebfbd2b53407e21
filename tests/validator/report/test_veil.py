"""Concealed units are backs on a page, but for their own side and for a referee."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fieldpost.cli import main
from fieldpost.vassal import archive, codec, pieces, steps
from fieldpost.vassal.codec import ESC
from tests.places import REPOSITORY

LOG = REPOSITORY / "tests" / "data" / "table" / "lwe-clean.vlog"


def concealed(command: str) -> tuple[str, str | None]:
    """The same piece, masked for its side, and the name of its unit; what has no mask stays."""
    id, type, state = codec.decode(command[2:], "/")[:3]
    kind = pieces.read_type(type) if type != "stack" and not type.startswith("deck;") else None
    at = kind.find("obs;") if kind else None
    if kind is None or at is None:
        return command, None
    states = kind.states(state)
    name = codec.decode(kind.basic.text, ";")[4]
    states[at] = "German;false|0"
    return pieces.add(id, type, codec.nest(states)), name


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """A log of lwe in which all units that can be are concealed by the German side."""
    read = steps.read(LOG)
    made = [concealed(text) if text.startswith("+/") else (text, None) for text in read.setup]
    logged = [codec.encode([f"LOG\t{text}" for text in step.commands], ESC) for step in read.steps]
    path = tmp_path_factory.mktemp("lwe") / "turn.vlog"
    text = codec.encode([*(command for command, _ in made), *logged], ESC)
    path.write_bytes(archive.pack({"savedGame": codec.obfuscate(text)}))
    return path, {name for _, name in made if name}


def page(log: Path, folder: Path, *more: str) -> tuple[str, dict[str, Any]]:
    made = folder / "page.html"
    assert main(["check", str(log), "--html", str(made), "--plain-map", *more]) in (0, 1)
    text = made.read_text(encoding="utf-8")
    data = text.partition('id="story">')[2].partition("</script>")[0]
    return text, json.loads(data)


def test_a_page_names_no_concealed_unit(log: tuple[Path, set[str]], tmp_path: Path) -> None:
    path, names = log
    assert len(names) > 20
    text, data = page(path, tmp_path)
    shown = {unit[key] for unit in data["units"] for key in ("id", "label", "name")}
    assert not names & shown
    assert "concealed units without name and face" in text
    assert any(unit["name"] == "a concealed unit" for unit in data["units"])


@pytest.mark.parametrize("more", [["--view", "german"], ["--all-seen"]])
def test_their_own_side_and_a_referee_see_them(
    log: tuple[Path, set[str]], more: list[str], tmp_path: Path
) -> None:
    path, names = log
    text, data = page(path, tmp_path, *more)
    shown = {unit[key] for unit in data["units"] for key in ("id", "label", "name")}
    assert names & shown
    assert "a concealed unit" not in shown
    assert ("for a referee" in text) == (more == ["--all-seen"])
