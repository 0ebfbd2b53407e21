"""`fieldpost check`: what it says, in which form, and with which status it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fieldpost.cli import main
from tests.places import REPOSITORY
from tests.validator.interpret.desk import Desk, hexes
from validator.model.events import Moved, PhaseBegan

LEGAL = "game wfm turning-point\nturn 22 sov-move\nmove 9A 6507-6607\n"
SAMPLE = REPOSITORY / "examples" / "samples" / "turning-point" / "4-turn-23-axis.vlog"
ILLEGAL = LEGAL + "move 3PzK 6407-6306\nroll return 1d6=2\n"


def sheet(folder: Path, text: str) -> str:
    path = folder / "turn.txt"
    path.write_text(text)
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(["check", *arguments])
    return status, capsys.readouterr().out


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(run(capsys, *arguments, "--json")[1])
    return found


def test_a_legal_turn_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = run(capsys, sheet(tmp_path, LEGAL))
    assert (status, said.splitlines()[0]) == (0, "turn.txt: nothing illegal in 1 action")


def test_what_cannot_be_read_is_an_answer_for_programs_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = answer(capsys, sheet(tmp_path, LEGAL + "mve 3PzK 6407-6308\n"))
    legal = answer(capsys, sheet(tmp_path, LEGAL))
    assert (told["file"], told["verdict"], told["findings"]) == ("turn.txt", "unreadable", [])
    assert "there is no verb 'mve'" in str(told["broken"])
    assert told.keys() >= legal.keys() - {"remarks"}


def test_a_sheet_out_of_a_windows_editor_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "turn.txt"
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        path.write_bytes(("# für dich\r\n" + LEGAL.replace("\n", "\r\n")).encode(encoding))
        assert run(capsys, str(path)) == (
            0,
            "turn.txt: nothing illegal in 1 action\n\nChecked: the one action.\n",
        )
        assert main(["audit", str(tmp_path)]) == 0
        assert capsys.readouterr().out.startswith(
            "War for the Motherland, Turning Point: nothing illegal\n1 log,"
        )


def test_a_slip_in_a_sheet_is_told_by_its_line_in_an_audit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = sheet(tmp_path, LEGAL.replace("sov-move", "soviet-move"))
    assert main(["audit", path]) == 2
    assert "  turn.txt: line 2: there is no phase 'soviet-move'" in capsys.readouterr().out
    assert main(["tell", path]) == 2
    assert "Only games that fieldpost knows" not in capsys.readouterr().err


def test_a_folder_is_for_the_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert "'fieldpost audit' takes folders" in capsys.readouterr().err


def test_an_illegal_turn_ends_with_1_and_names_the_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = run(capsys, sheet(tmp_path, ILLEGAL))
    assert status == 1
    assert "[wfm-5.31] line 4: 3PzK moves in the ot" in said
    assert "Remedy: play again from the fault on" in said
    assert "Dice were rolled after this" in said


def test_what_is_no_turn_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("game wfm turning-point\nmarch 3PzK", "game chess openings\n", "Dear friend,\n"):
        status, _ = run(capsys, sheet(tmp_path, text))
        assert status == 2
    assert main(["check", str(tmp_path / "nowhere.vlog")]) == 2


def test_a_log_cut_short_is_not_taken_for_a_stranger_s(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = SAMPLE.read_bytes()
    path = tmp_path / "half.vlog"
    path.write_bytes(whole[: len(whole) // 2])
    assert main(["check", str(path)]) == 2
    said = capsys.readouterr().err
    assert "half.vlog: the zip archive is cut short or damaged" in said
    assert "ask for the file again" in said


def test_a_log_is_judged_up_to_where_it_breaks_off_and_nobody_is_accused_of_the_break(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, actions = SAMPLE.read_bytes(), set()
    path = tmp_path / "most.vlog"
    for percent in range(81, 100, 3):
        path.write_bytes(whole[: len(whole) * percent // 100])
        status, said = run(capsys, str(path), "--json")
        found = json.loads(said)
        assert (status, found["verdict"], found["findings"]) == (2, "unreadable", [])
        assert "cut short" in found["broken"]
        actions.add(found["actions"])
    assert len(actions) > 4
    assert "nothing illegal in 58 actions that could be read" in run(capsys, str(path))[1]


def test_the_answer_for_programs_keeps_its_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = answer(capsys, sheet(tmp_path, ILLEGAL))
    assert {"file", "game", "scenario", "verdict", "actions", "findings", "unchecked"} <= said.keys()
    assert (said["game"], said["scenario"], said["verdict"], said["actions"]) == (
        "wfm",
        "turning-point",
        "illegal",
        3,
    )
    (finding,) = said["findings"]  # type: ignore[misc]
    wanted = {"rule", "verdict", "step", "turn", "phase", "side", "units", "hexes", "message", "evidence"}
    assert wanted <= finding.keys()
    assert (finding["rule"], finding["step"], finding["turn"], finding["phase"], finding["side"]) == (
        "wfm-5.31",
        4,
        22,
        "sov-move",
        "axis",
    )


def test_policies_say_what_is_done_about_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sheet(tmp_path, ILLEGAL)
    remedies = set()
    for policy in ("replay", "dice-stand", "referee"):
        (finding,) = answer(capsys, path, "--policy", policy)["findings"]  # type: ignore[misc]
        remedies.add(finding["remedy"])
    assert len(remedies) == 3


def test_junit_has_a_failure_for_each_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, said = run(capsys, sheet(tmp_path, ILLEGAL), "--junit")
    suite = ElementTree.fromstring(said)
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite[0].get("classname") == "wfm-5.31"
    assert str(suite[0].get("name")).endswith(" line 4")


def test_junit_has_an_error_for_a_log_that_breaks_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = SAMPLE.read_bytes()
    path = tmp_path / "most.vlog"
    path.write_bytes(whole[: len(whole) * 9 // 10])
    status, said = run(capsys, str(path), "--junit")
    suite = ElementTree.fromstring(said)
    assert (status, suite.get("errors")) == (2, "1")
    assert suite[-1].find("error") is not None


def test_a_phase_that_is_over_is_judged_by_what_it_owed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unpaid = "game wfm turning-point\nturn 22 sov-combat\n" + (
        "attack 9A x 6407\ndraw csm-c-6-9 from csm-c for 9A\nroll combat 1d6=1 in 1\nresult A2\n"
    )
    path = sheet(tmp_path, unpaid)
    early = [f["rule"] for f in answer(capsys, path)["findings"]]  # type: ignore[attr-defined]
    over = [f["rule"] for f in answer(capsys, path, "--over")["findings"]]  # type: ignore[attr-defined]
    assert "wfm-8.84" not in early
    assert "wfm-8.84" in over


def test_an_option_that_is_none_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = sheet(tmp_path, LEGAL)
    assert run(capsys, path, "--option", "stack-sum=slots")[0] == 0
    assert run(capsys, path, "--option", "stack-sum=heaps")[0] == 2


def test_a_turn_as_a_sheet_and_as_a_log_is_judged_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk()
    desk.write([PhaseBegan(22, "sov-move")])
    desk.write([Moved(("9A",), hexes("6507", "6607")), Moved(("3PzK",), hexes("6407", "6306"))])  # type: ignore[arg-type]
    desk.say("roll return 1d6=2")
    log = tmp_path / "turn.vlog"
    log.write_bytes(desk.cut())
    by_log, by_sheet = answer(capsys, str(log)), answer(capsys, sheet(tmp_path, ILLEGAL))
    told = [
        [{k: v for k, v in f.items() if k not in ("source", "step")} for f in said["findings"]]  # type: ignore[attr-defined]
        for said in (by_log, by_sheet)
    ]
    assert told[0] == told[1] != []


def test_a_log_that_breaks_off_is_checked_up_to_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk()
    desk.write([PhaseBegan(22, "sov-move")])
    for label in ("6606", "6507") * 40:
        desk.drag("9A", label)
    whole = desk.cut()
    log = tmp_path / "broken.vlog"
    log.write_bytes(whole[: len(whole) - 2000])
    status, said = run(capsys, str(log))
    assert status in (1, 2)
    assert "Reading stopped" in said or status == 2


def test_a_line_that_is_not_understood_stands_at_the_head(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk()
    desk.write([PhaseBegan(22, "sov-move"), Moved(("9A",), hexes("6507", "6607"))])  # type: ignore[arg-type]
    desk.say("resalt 2/2 #2")
    log = tmp_path / "turn.vlog"
    log.write_bytes(desk.cut())
    said = run(capsys, str(log))[1]
    assert said.splitlines()[0] == "turn.vlog: nothing illegal, 1 line not understood"
    assert "[fp] resalt 2/2 #2; did you mean 'result'?" in said
    assert "Checked: 1 action." in said
    (puzzle,) = answer(capsys, str(log))["not_understood"]  # type: ignore[misc]
    assert (puzzle["text"], puzzle["nearest"]) == ("[fp] resalt 2/2 #2", "result")
    assert main(["audit", str(log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["not_understood"] == [puzzle]


def test_a_sheet_without_its_first_line_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, sheet(tmp_path, LEGAL.partition("\n")[2]))[0] == 2
    assert main(["check", sheet(tmp_path, LEGAL.partition("\n")[2])]) == 2
    said = capsys.readouterr().err
    assert "the first line names the game and the scenario" in said
    assert "game wfm turning-point" in said


def test_a_turn_comes_from_standard_input() -> None:
    faulty = REPOSITORY / "examples" / "faulty-turn.txt"
    command = [sys.executable, "-m", "fieldpost", "check", "-", "--json"]
    told = subprocess.run(
        command, cwd=REPOSITORY, input=faulty.read_bytes(), capture_output=True, check=False
    )
    assert told.returncode == 1
    assert json.loads(told.stdout)["file"] == "stdin"
    assert json.loads(told.stdout)["verdict"] == "illegal"
