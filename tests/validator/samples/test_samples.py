"""The games in the box: nothing is wrong in the clean one, and in the faulty one only what was planted."""

from __future__ import annotations

import functools
import json
from collections import Counter
from pathlib import Path

import pytest

from players.faults import meant
from validator.model.findings import Verdict
from validator.services import one_turn
from validator.services.one_turn import Checked
from validator.services.turnfile import Wanted

SAMPLES = Path(__file__).parents[3] / "examples" / "samples"
CLEAN, FAULTY = SAMPLES / "turning-point", SAMPLES / "turning-point-faulty"
ANY = Wanted(None, None, None, ())


def logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.vlog"))


@functools.cache
def checked(path: Path) -> Checked:
    return one_turn.check(path, ANY, over=path.suffix == ".txt" or path.stem.startswith("9"))


def illegal(path: Path) -> list[str]:
    return [meant(f) for f in checked(path).report.findings if f.fault.verdict is Verdict.ILLEGAL]


def planted() -> list[dict[str, str]]:
    entries: list[dict[str, str]] = json.loads((FAULTY / "faults.json").read_text())
    return entries


@pytest.mark.parametrize("path", [CLEAN / "game.txt", *logs(CLEAN)], ids=lambda path: path.name)
def test_nothing_in_the_clean_game_is_illegal_nor_doubtful(path: Path) -> None:
    report = checked(path).report
    assert [(f.fault.rule, f.fault.message) for f in report.findings] == []
    assert report.verdict == "legal"
    assert report.actions >= 5


def test_each_game_is_three_turns_in_nine_logs() -> None:
    for folder in (CLEAN, FAULTY):
        turns = [path.stem.split("-")[2] for path in logs(folder)]
        assert turns == ["22", "22", "22", "23", "23", "23", "24", "24", "24"]


def test_the_logs_together_hold_the_game() -> None:
    actions = sum(checked(path).report.actions for path in logs(CLEAN))
    assert actions >= checked(CLEAN / "game.txt").report.actions


def test_forty_faults_of_forty_rules_are_planted() -> None:
    rules = [entry["rule"] for entry in planted()]
    assert len(rules) == 40
    assert len(set(rules)) == 40


def test_each_planted_fault_is_found_in_the_sheet_and_no_second_accusation() -> None:
    assert Counter(illegal(FAULTY / "game.txt")) == Counter(entry["rule"] for entry in planted())


def test_each_planted_fault_is_found_where_it_was_planted() -> None:
    findings = checked(FAULTY / "game.txt").report.findings
    places = {(meant(f), f.turn, f.phase) for f in findings if f.fault.verdict is Verdict.ILLEGAL}
    assert places == {(entry["rule"], entry["turn"], entry["phase"]) for entry in planted()}


def test_each_planted_fault_is_found_in_the_logs_each_checked_by_itself() -> None:
    found = [rule for path in logs(FAULTY) for rule in illegal(path)]
    assert Counter(found) == Counter(entry["rule"] for entry in planted())


def test_the_sheet_and_the_logs_agree_where_each_fault_is() -> None:
    def places(paths: list[Path]) -> Counter[tuple[str, int, str]]:
        findings = [f for path in paths for f in checked(path).report.findings]
        return Counter(
            (f.fault.rule, f.turn, f.phase) for f in findings if f.fault.verdict is Verdict.ILLEGAL
        )

    assert places(logs(FAULTY)) == places([FAULTY / "game.txt"])
