"""What careless users name: letters, quoted mails, sheets out of a word processor, other kinds of files."""

from __future__ import annotations

import io
import mailbox
from itertools import takewhile
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.vassal import archive, codec
from tests.validator.audit import mailed
from tests.validator.mail import messages
from tests.validator.mail.messages import SHEET

LEGAL = "turn.txt: nothing illegal in 1 action"


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return status, shown.err or shown.out


def checked(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes) -> tuple[int, str]:
    path = tmp_path / "turn.txt"
    path.write_bytes(data)
    return said(capsys, "check", path)


@pytest.mark.parametrize(
    "text",
    [
        SHEET.replace(" ", "\u00a0"),
        SHEET.replace(" ", "\t"),
        SHEET.replace("move", "move\u200b"),
        f"\ufeff\ufeff{SHEET}",
        SHEET.replace("-", "–"),
        SHEET.replace("\n", "\r\n"),
        SHEET.upper(),
        f"Hi,\n\nhere is my turn.\n\n{SHEET}\nSee you\n-- \nAnn\n",
    ],
    ids=["nbsp", "tabs", "unseen", "marks", "dashes", "windows", "capitals", "letter"],
)
def test_a_sheet_is_read_however_it_was_pasted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    status, words = checked(tmp_path, capsys, text.encode())
    assert (status, words.splitlines()[0]) == (0, LEGAL)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_sheet_may_have_more_than_one_byte_for_a_letter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    status, words = checked(tmp_path, capsys, SHEET.encode(encoding))
    assert (status, words.splitlines()[0]) == (0, LEGAL)


def test_curly_quotation_marks_are_quotation_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{SHEET}say “a fine morning”\nsay „ein schöner Morgen“\n"
    status, words = checked(tmp_path, capsys, text.encode())
    assert (status, words.splitlines()[0]) == (0, "turn.txt: nothing illegal in 3 actions")


def test_lines_of_a_sheet_in_a_letter_have_the_numbers_of_the_letter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"Hi,\n\nmy turn:\n\n{SHEET.replace('9A', '9AA')}"
    status, words = checked(tmp_path, capsys, text.encode())
    assert status == 2
    assert words.startswith(
        "fieldpost: turn.txt:7:6: there is no unit '9AA'\n  move 9AA 6507-6607\n       ^\n"
    )


def test_an_audit_finds_the_sheet_in_a_letter_and_passes_other_letters_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.txt").write_text(f"Hi,\n\n{SHEET}")
    (tmp_path / "other.txt").write_text("Hi,\n\nno turn yet.\n")
    status, words = said(capsys, "audit", tmp_path)
    assert status == 0
    assert "letter.txt" in words
    assert "no turn: other.txt (no turn in it)" in words


@pytest.mark.parametrize(
    ("data", "message", "hint"),
    [
        (
            f"> {SHEET}".replace("\n", "\n> ").encode(),
            "turn.txt:1: the turn sheet in it is quoted",
            "Take the",
        ),
        (f"Bob wrote:\n> > {SHEET}".encode(), "turn.txt:3:1: the first line names the game", "A turn begins"),
        (b"move 9A 6507-6607\n", "turn.txt: neither a log nor a turn sheet", "A turn sheet begins"),
        (
            b"game wfm\nturn 22 sov-move\n",
            "turn.txt:1:9: the first line names the scenario",
            "Scenarios: fall-b",
        ),
        (f"{SHEET}{SHEET}".encode(), "turn.txt:4:1: a second turn sheet begins here", "Save each"),
        (b"Rar!\x1a\x07\x01\0abc", "turn.txt: an archive of WinRAR, no log", "Unpack it"),
        (b"\x89PNG\r\n\x1a\n", "turn.txt: a picture, no log", "A turn is a log"),
        (b"%PDF-1.4\n", "turn.txt: a PDF, no log", "A turn is a log"),
        (b"\x01\x02\0\x03", "turn.txt: not a VASSAL file", "A module"),
        (b"", "turn.txt: the file is empty", "Ask for it again"),
    ],
)
def test_what_is_no_turn_is_named_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, message: str, hint: str
) -> None:
    status, words = checked(tmp_path, capsys, data)
    lines = words.splitlines()
    assert status == 2
    assert lines[0].startswith(f"fieldpost: {message}")
    assert any(line.startswith(hint) for line in lines[1:])


def test_a_file_that_is_not_there_is_sought_under_a_name_like_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Zug 22 über Köln.vlog").write_bytes(b"x")
    status, words = said(capsys, "check", tmp_path / "Zug 22 uber Koln.vlog")
    assert status == 2
    assert words.splitlines()[1] == "Did you mean 'Zug 22 über Köln.vlog'?"
    status, words = said(capsys, "check", tmp_path / "nowhere" / "turn.vlog")
    assert "There is no folder" in words


def test_an_attachment_of_what_is_no_mail_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "turn.txt").write_text(SHEET)
    status, words = said(capsys, "check", tmp_path / "turn.txt", "--attachment", "other.vlog")
    assert (status, words.splitlines()[0]) == (2, "fieldpost: turn.txt is no mail and no zip")


def test_a_folder_without_turns_says_what_a_turn_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.txt").write_text("Hi")
    status, words = said(capsys, "audit", tmp_path)
    assert status == 2
    assert words.startswith("1 file and parts of mails were seen: 0 turns, 1 without a turn.")
    assert "No turn of a game was found. Turns are logs and saves of VASSAL" in words


def test_of_a_thousand_files_that_are_no_logs_the_first_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1000):
        (tmp_path / f"{number:03}.vlog").write_bytes(b"junk")
    status, words = said(capsys, "audit", tmp_path)
    assert status == 2
    assert "  049.vlog: " in words
    assert words.endswith("  and 950 more\n")


def _standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("command", ["audit", "tell", "supply", "check"])
def test_a_log_may_come_from_standard_input(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _standard_input(monkeypatch, mailed.whole()[0].data)
    assert said(capsys, command, "-")[0] == 0


def test_a_mailbox_may_come_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    box = mailbox.mbox(str(tmp_path / "box"))
    box.add(messages.message(SHEET))
    box.close()
    _standard_input(monkeypatch, (tmp_path / "box").read_bytes())
    assert said(capsys, "check", "-")[0] == 0


def test_units_and_sides_are_known_however_they_are_spelled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = ("--game", "wfm", "--scenario", "turning-point")
    assert said(capsys, "supply", *scenario, "--side", "Axis", "--unit", "3pzk")[0] == 0
    assert said(capsys, "reach", "3pzk", *scenario)[0] == 0
    status, words = said(capsys, "supply", *scenario, "--unit", "3PzKK")
    assert (status, words.splitlines()[1]) == (2, "Did you mean '3PzK'?")


def test_reach_without_a_unit_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "turn.txt").write_text(SHEET)
    status, words = said(capsys, "reach", tmp_path / "turn.txt")
    assert (status, words.splitlines()[0]) == (2, "fieldpost: no unit is named")


def test_a_save_in_place_of_a_log_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "turn.vlog").write_bytes(mailed.whole()[0].data)
    commands = (archive.read(tmp_path / "turn.vlog").text or "").split(codec.ESC)
    before = list(takewhile(lambda command: not command.startswith("LOG"), commands))
    (tmp_path / "turn.vsav").write_text(codec.ESC.join([*before, "end_save"]))
    status, words = said(capsys, "check", tmp_path / "turn.vsav")
    assert status == 0
    assert "It is a saved game" in words
    assert "saved game" not in said(capsys, "check", tmp_path / "turn.vlog")[1]


@pytest.mark.parametrize("command", ["check", "audit", "tell"])
def test_a_name_with_blanks_in_it_stands_in_quotation_marks(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my turn.txt").write_text(SHEET)
    status, words = said(capsys, command, "my", "turn.txt")
    assert (status, '"my turn.txt"' in words) == (2, True)


def test_a_check_is_of_one_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(SHEET)
    status, words = said(capsys, "check", tmp_path / "a.txt", tmp_path / "b.txt")
    assert (status, words.splitlines()[0]) == (2, "fieldpost: a check is of one turn")


def test_a_folder_that_is_not_there_is_sought_under_a_name_like_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "our-game").mkdir()
    status, words = said(capsys, "audit", tmp_path / "our-gane")
    assert (status, words.splitlines()[1]) == (2, "Did you mean 'our-game'?")
