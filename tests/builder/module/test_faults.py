from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fieldpost.cli import main

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "first-game"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "game"))


def _change(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def _build(folder: Path) -> int:
    return main(["build", str(folder), "-o", str(folder / "out"), "--cache", str(folder / "cache")])


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "words"),
    [
        ("scenarios/dawn.yaml", "units: [2B]", "units: [2X]", "dawn.yaml:10:27", "there is no unit '2X'"),
        ("scenarios/dawn.yaml", '"0603"', '"0699"', "dawn.yaml:14:12", "there is no hex '0699'"),
        ("game.yaml", "name: Red\n", "name: Blue\n", "game.yaml:12:11", "two of a kind are named 'Blue'"),
        ("counters.yaml", "name: Guns", "name: Guns\\", "counters.yaml:26:26", "ends in a backslash"),
    ],
)
def test_a_fault_is_told_with_file_and_line(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, place: str, words: str
) -> None:
    _change(folder / file, old, new)
    assert _build(folder) == 2
    said = capsys.readouterr().err
    assert place in said
    assert words in said
    assert "^" in said
    assert not (folder / "out").exists()


def test_an_ink_too_near_to_its_ground_is_a_warning(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _change(folder / "game.yaml", 'ink: "#10233d"', 'ink: "#8fa9cc"')
    assert _build(folder) == 0
    assert "warning: nationality blue-guard" in capsys.readouterr().err


def test_an_unknown_style_is_refused(folder: Path) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["build", str(folder), "--style", "neon"])
    assert refused.value.code == 2
