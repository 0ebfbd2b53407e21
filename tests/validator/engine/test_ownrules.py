"""`rules.py` in the folder of a game of one's own: judged by, and never run unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.cli import main
from validator.engine import ownrules
from validator.engine.rulebook import Rulebook

SHEET = """game {folder} dawn
turn 1 blue-movement
move 2B 0402-0403
move {crossing} 0403-0504
move TankB 0403-0504
move {stranger}
turn 1 blue-combat
attack {attack}
"""
FAULTY = SHEET.format(folder="raid", crossing="1B", stranger="MilR-1 0603-0602", attack="3B x 0603")
LEGAL = SHEET.format(folder="raid", crossing="1B", stranger="3B 0303-0403", attack="TankB x 0603").replace(
    "move 1B 0403-0504\n", ""
)

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def raid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game, and two turns of it."""
    monkeypatch.chdir(tmp_path)
    assert main(["new", "raid"]) == 0
    (tmp_path / "faulty.txt").write_text(FAULTY)
    (tmp_path / "legal.txt").write_text(LEGAL)
    return tmp_path / "raid"


def test_a_turn_is_judged_by_the_rules_of_its_folder(raid: Path, capsys: Capture) -> None:
    assert main(["check", "faulty.txt", "--game", str(raid)]) == 1
    said = capsys.readouterr().out
    assert "[ferry-6.1] line 5: 1B, TankB crossed by the ferry this turn" in said
    assert "[ferry-2.1] line 6: MilR-1 moves in the Blue Movement" in said
    assert "[ferry-2.2] line 8: 3B is not beside 0603" in said
    assert "Rule: One unit a turn may cross by the ferry." in said


def test_a_legal_turn_is_legal(raid: Path, capsys: Capture) -> None:
    assert main(["check", "legal.txt", "--game", "raid"]) == 0
    assert "nothing illegal in 4 actions" in capsys.readouterr().out


def test_an_audit_judges_by_them_too(raid: Path, capsys: Capture) -> None:
    assert main(["audit", "faulty.txt", "--game", "raid"]) == 1
    assert "3 illegal in 5 actions" in capsys.readouterr().out


def test_the_list_of_rules_knows_what_they_enforce(raid: Path, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["rules", str(raid)]) == 0
    assert "3 rules: 3 enforced" in capsys.readouterr().out


def test_a_folder_that_only_the_turn_names_is_not_run(raid: Path, capsys: Capture) -> None:
    (raid / "rules.py").write_text("raise SystemExit('run')")
    assert main(["check", "faulty.txt"]) == 2
    assert "--game FOLDER" in capsys.readouterr().err
    assert main(["audit", "."]) == 2


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("x = (", "rules.py:1: SyntaxError"),
        ("x = 1\nx.y", "rules.py:2: AttributeError"),
        ("x = 1", "there is no RULES in it"),
    ],
)
def test_a_fault_in_the_program_is_told_with_its_line(
    raid: Path, capsys: Capture, program: str, told: str
) -> None:
    (raid / "rules.py").write_text(program)
    assert main(["check", "faulty.txt", "--game", "raid"]) == 2
    assert told in capsys.readouterr().err


def test_a_rule_that_breaks_down_is_told_with_its_line(raid: Path, capsys: Capture) -> None:
    text = (raid / "rules.py").read_text()
    (raid / "rules.py").write_text(text.replace("case.phase_name()", "case.no_such_thing"))
    assert main(["check", "faulty.txt", "--game", "raid"]) == 2
    line = text[: text.index("case.phase_name()")].count("\n") + 1
    assert f"rules.py:{line}: AttributeError" in capsys.readouterr().err


def test_a_game_in_the_box_has_no_folder_of_its_own(raid: Path) -> None:
    assert ownrules.folder_of("wfm") is None
    assert ownrules.folder_of("no-such-game") is None
    assert ownrules.folder_of("raid") == Path("raid")
    book = ownrules.load(raid)
    assert isinstance(book, Rulebook)
    (raid / "rules.py").unlink()
    assert ownrules.load(raid) is None
