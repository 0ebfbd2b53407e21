"""A module with faults planted: each is found, and a sound one has none."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.vassal import archive, inspection
from tests import oracle_files


def module(
    folder: Path, *changes: tuple[str, str], without: str = "", more: dict[str, bytes] | None = None
) -> Path:
    """The demo module with texts of its build file replaced."""
    with zipfile.ZipFile(oracle_files.MODULE) as opened:
        entries = {name: opened.read(name) for name in opened.namelist() if name != without}
    text = entries["buildFile.xml"].decode()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "changed.vmod"
    path.write_bytes(archive.pack({**entries, "buildFile.xml": text.encode(), **(more or {})}))
    return path


def kinds(path: Path, weight: str = "broken") -> list[str]:
    return [problem.kind for problem in inspection.inspect(path).problems if problem.weight == weight]


def test_a_sound_module_has_nothing_broken() -> None:
    assert kinds(oracle_files.MODULE) == []


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    found = inspection.inspect(module(tmp_path, without="images/red_inf.png"))
    broken = [problem for problem in found.problems if problem.weight == "broken"]
    assert {problem.kind for problem in broken} == {"missing-picture"}
    assert all("'red_inf.png' is missing" in problem.text for problem in broken)


def test_a_picture_in_other_letters_is_no_missing_one(tmp_path: Path) -> None:
    path = module(tmp_path, without="images/mask.png", more={"images/Mask.png": b"x"})
    assert "picture-case" in kinds(path)


def test_a_dangling_prototype_is_named(tmp_path: Path) -> None:
    found = inspection.inspect(module(tmp_path, renamed_prototype()))
    assert any(problem.kind == "dangling-prototype" for problem in found.problems)


def renamed_prototype() -> tuple[str, str]:
    from fieldpost.vassal.module import Module

    name = next(iter(Module.read(oracle_files.MODULE).prototypes))
    return f'name="{name}"', f'name="{name} of old"'


def test_pictures_nobody_names_are_waste(tmp_path: Path) -> None:
    assert "unused-pictures" in kinds(module(tmp_path, more={"images/holiday.png": b"x"}), "waste")


def test_pictures_in_folders_are_found_where_they_are_named(tmp_path: Path) -> None:
    """The name of a picture has a backslash before each slash in the text of a piece."""
    old, new = "piece;;;red_inf.png;", "piece;;;red\\/inf.png;"
    path = module(tmp_path, (old, new), more={"images/red/inf.png": b"x"})
    found = inspection.inspect(path).problems
    assert not [p for p in found if "red/inf.png" in p.text or p.kind == "missing-picture"]


def test_what_the_engine_brings_itself_is_not_missing(tmp_path: Path) -> None:
    for name in ("moved.gif", "moved", "zoomIn"):
        changed = module(tmp_path, ("piece;;;red_inf.png;", f"piece;;;{name};"))
        assert "missing-picture" not in kinds(changed), name


def test_a_missing_setup_is_broken(tmp_path: Path) -> None:
    assert kinds(module(tmp_path, without="battle.vsav")) == ["missing-setup"]


@pytest.mark.parametrize(
    ("text", "balanced"),
    [
        ('{Side == "Red"}', True),
        ('{If(x > (1, "a)", "b")}', False),
        ('{"open}', False),
        ("{a + b", False),
        ('{ "a \\" b" }', True),
    ],
)
def test_brackets_and_quotes_of_expressions_must_match(text: str, balanced: bool) -> None:
    assert inspection._is_balanced(text) is balanced


def test_the_command_says_1_where_something_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(oracle_files.MODULE)]) == 0
    assert "map Main Map: Battlefield 690 x 560" in capsys.readouterr().out
    assert main(["inspect", str(module(tmp_path, without="battle.vsav")), "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["module"], answer["version"], answer["pieces"]) == ("Oracle Demo", "1.0", 13)
    assert {"kind", "where", "text"} <= answer["problems"][0].keys()


def test_a_log_is_no_module(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(oracle_files.log("oracle"))]) == 2
    assert "not a module" in capsys.readouterr().err
