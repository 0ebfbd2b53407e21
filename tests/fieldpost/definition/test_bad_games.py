"""Every broken definition of tests/data/bad-games: the right file, line, column and words, no other fault.

A case is the example game with one change: `replace` and `by` in a file, or its whole `content`, its
`bytes`, or `delete: true`; `faults` lists what must be found.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from fieldpost.definition import DefinitionError, Problem, load
from tests.fieldpost.definition.patching import change, copy_of_example
from tests.places import REPOSITORY

CASES = sorted((REPOSITORY / "tests" / "data" / "bad-games").glob("*.yaml"))


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 100


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_broken_game_is_told_apart(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = yaml.safe_load(path.read_text(encoding="utf-8"))
    game = copy_of_example(tmp_path)
    break_it(game, case)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DefinitionError) as caught:
        load(game)
    assert [seen(problem) for problem in caught.value.problems] == case["faults"]
    for problem in caught.value.problems:
        assert str(problem) in caught.value.message


def break_it(game: Path, case: dict[str, Any]) -> None:
    file = game / case["file"]
    if case.get("delete"):
        file.unlink()
    elif "content" in case:
        file.write_text(case["content"], encoding="utf-8")
    elif "bytes" in case:
        file.write_bytes(bytes.fromhex(case["bytes"]))
    else:
        change(file, case["replace"], case["by"])


def seen(problem: Problem) -> dict[str, str]:
    name = problem.file.removeprefix("game/")
    place = f"{name}:{problem.line}:{problem.column}" if problem.line else name
    parts = {
        "at": place,
        "message": problem.message,
        "expected": problem.expected,
        "nearest": problem.nearest,
    }
    return {key: value for key, value in parts.items() if value}


def test_a_fault_shows_its_line_with_a_caret(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "counters.yaml", "type: blue-tanks", "type: blue-tank")
    with pytest.raises(DefinitionError) as caught:
        load(game)
    (problem,) = caught.value.problems
    lines = str(problem).splitlines()
    assert lines[0].endswith("counters.yaml:9:11: there is no unit type 'blue-tank'")
    assert lines[1] == "      - type: blue-tank"
    assert lines[2] == "              ^"
    assert lines[3].startswith("    expected: blue-infantry, blue-tanks, ")
    assert lines[4] == "    did you mean: blue-tanks"


def test_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "game.yaml", "designer: The", "desinger: The")
    change(game / "counters.yaml", "type: blue-tanks", "type: blue-tank")
    change(game / "map" / "lines.yaml", "0201-0302", "0201-0303")
    change(game / "scenarios" / "dawn.yaml", "units: [2B]", "units: [2B, 9B]")
    with pytest.raises(DefinitionError) as caught:
        load(game)
    assert [Path(p.file).name for p in caught.value.problems] == [
        "counters.yaml",
        "game.yaml",
        "lines.yaml",
        "dawn.yaml",
    ]


def test_the_caret_of_a_long_line_stays_in_sight(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "map" / "areas.yaml", "0402 0403}", "0402 0493}")
    with pytest.raises(DefinitionError) as caught:
        load(game)
    _, line, caret, *_ = str(caught.value.problems[0]).splitlines()
    assert len(line) < 110
    assert line[caret.index("^") :].startswith("0493")
