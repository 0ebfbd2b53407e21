"""A whole game in any order and any wrapping: what is missing, double, changed or rolled again is named."""

from __future__ import annotations

import io
import mailbox
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from players.table import game_of
from tests.fieldpost.commands.running import Run, run
from tests.validator.audit import mailed
from validator import sheet

Capture = pytest.CaptureFixture[str]


def audit(capsys: Capture, *arguments: object) -> Run:
    return run(capsys, "audit", *arguments, "--json")


def kinds(answer: dict[str, Any]) -> list[str]:
    return sorted(link["kind"] for link in answer["chain"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "game"
    where.mkdir()
    for number, log in enumerate(Random(5).sample(mailed.whole(), 9)):
        (where / f"{number}.vlog").write_bytes(log.data)
    return where


def test_a_shuffled_game_is_put_in_order_and_passes(folder: Path, capsys: Capture) -> None:
    done = audit(capsys, folder)
    assert done.status == 0
    assert done.json["verdict"] == "legal"
    begins = [(log["begins"]["turn"], log["begins"]["phase"]) for log in done.json["logs"]]
    assert begins == [
        (turn, phase) for turn in (22, 23, 24) for phase in ("supply", "sov-combat", "ger-mech")
    ]
    assert done.json["chain"] == []
    assert done.json["findings"] == []


def test_a_mailbox_with_all_that_can_go_wrong(tmp_path: Path, capsys: Capture) -> None:
    """Shuffled, one missing, one twice, one rolled again, one that starts with a moved piece."""
    logs = [log for number, log in enumerate(mailed.whole()) if number < 7 and number != 4]
    changed = mailed.tampered(7, "SWHQ")
    twice = mailed.Sent("twice.vlog", logs[1].data)
    everything = [*logs, twice, mailed.rerolled(3), *changed]
    box = mailed.in_mbox(tmp_path / "game.mbox", Random(3).sample(everything, len(everything)))
    done = audit(capsys, box)
    found = {link["kind"]: link for link in done.json["chain"]}
    assert kinds(done.json) == ["broken", "copy", "gap", "re-rolled"]
    names = [log.name for log in mailed.whole()]
    assert (found["gap"]["before"], found["gap"]["after"]) == (names[3], names[5])
    assert "Soviet Combat Phase" in found["gap"]["message"]
    assert {found["copy"]["before"], found["copy"]["after"]} == {names[1], "twice.vlog"}
    assert (found["re-rolled"]["before"], found["re-rolled"]["after"]) == (names[3], "again.vlog")
    assert "then other dice" in found["re-rolled"]["message"]
    assert (found["broken"]["before"], found["broken"]["after"]) == (names[6], names[7])
    assert len(found["broken"]["differences"]) == 1
    assert found["broken"]["differences"][0].startswith("SWHQ was in E")
    assert [finding for finding in done.json["findings"] if finding["verdict"] == "illegal"] == []
    assert (done.status, done.json["verdict"]) == (1, "broken")


def test_a_fault_counts_before_a_broken_chain(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    turn = tmp_path / "bad.turn"
    turn.write_text("game wfm turning-point\nturn 22 sov-move\nmove 51A 5008-5109-5110-5210-5310 as march\n")
    done = audit(capsys, turn)
    assert (done.status, done.json["verdict"]) == (1, "illegal")
    assert done.json["findings"][0]["source"] == "bad.turn"


def test_turn_sheets_go_on_where_the_one_before_ended(tmp_path: Path, capsys: Capture) -> None:
    first, second = tmp_path / "b.turn", tmp_path / "a.turn"
    first.write_text("game wfm turning-point\nturn 22 sov-move\nmove 28A 5405-5404\n")
    second.write_text("game wfm turning-point\nturn 22 ger-mech\nturn 24 sov-move\nmove 28A 5404-5304\n")
    done = audit(capsys, first, second)
    assert [log["file"] for log in done.json["logs"]] == ["b.turn", "a.turn"]
    assert done.json["chain"] == []
    assert [f for f in done.json["findings"] if "28A" in f["units"] and f["verdict"] == "illegal"] == []


def test_a_sheet_that_tells_what_the_logs_tell_is_set_aside(folder: Path, capsys: Capture) -> None:
    game = game_of()
    text = sheet.write(game, game.scenario["turning-point"], list(mailed.events()))
    (folder / "game.txt").write_text(text, encoding="utf-8")
    done = audit(capsys, folder)
    assert (done.status, done.json["verdict"], kinds(done.json)) == (0, "legal", ["sheet"])
    assert done.json["set_aside"] == ["game.txt"]


# --- wrappings ---


def test_a_log_without_an_ending_is_found_in_a_folder(tmp_path: Path, capsys: Capture) -> None:
    first, second, third = mailed.whole()[:3]
    for name, data in (("turn-1", first.data), ("turn.2", second.data), ("turn.vlog.bak", third.data)):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "LICENSE").write_bytes(b"free")
    done = audit(capsys, tmp_path)
    assert [log["file"] for log in done.json["logs"]] == ["turn-1", "turn.2"]


def test_zip_mail_and_maildir_are_opened(tmp_path: Path, capsys: Capture) -> None:
    logs = mailed.whole()
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        for log in logs[:3]:
            archive.writestr(f"turns/{log.name}", log.data)
    mailed.in_mail(tmp_path / "one.eml", logs[3])
    maildir = mailbox.Maildir(tmp_path / "Mail", create=True)
    for log in logs[4:]:
        maildir.add(mailed._message(log, 1))
    done = audit(capsys, tmp_path)
    assert done.json["verdict"] == "legal"
    assert [log["file"] for log in done.json["logs"]] == [log.name for log in logs]
    assert done.json["logs"][0]["via"] == "some.zip"


def test_a_zip_in_a_mail_in_a_zip_is_opened(tmp_path: Path, capsys: Capture) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("turn.vlog", mailed.whole()[0].data)
    message = mailed._message(mailed.Sent("turn.zip", inner.getvalue()), 0)
    with zipfile.ZipFile(tmp_path / "outer.zip", "w") as archive:
        archive.writestr("mail.eml", message.as_bytes())
    done = audit(capsys, tmp_path / "outer.zip")
    assert [log["file"] for log in done.json["logs"]] == ["turn.vlog"]


def test_what_cannot_be_read_stops_nothing_and_is_named(folder: Path, capsys: Capture) -> None:
    (folder / "noise.vlog").write_bytes(b"PK\x03\x04 no zip at all")
    (folder / "bomb.zip").write_bytes(_bomb())
    (folder / "notes.txt").write_text("bring bread")
    done = audit(capsys, folder)
    assert sorted(item["file"] for item in done.json["unusable"]) == ["bomb.vlog", "noise.vlog"]
    assert len(done.json["logs"]) == 9
    assert done.status == 2


def _bomb() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.vlog", bytes(20 << 20))
    return data.getvalue()


def test_zips_nested_without_end_are_given_up(tmp_path: Path, capsys: Capture) -> None:
    data = mailed.whole()[0].data
    for level in range(9):
        outer = io.BytesIO()
        with zipfile.ZipFile(outer, "w") as archive:
            archive.writestr(f"{level}.zip", data)
        data = outer.getvalue()
    (tmp_path / "deep.zip").write_bytes(data)
    done = audit(capsys, tmp_path / "deep.zip")
    assert done.status == 2
    assert "too deep" in done.json["unusable"][0]["why"]


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path, capsys: Capture) -> None:
    done = run(capsys, "audit", tmp_path / "none")
    assert (done.status, "none" in done.err) == (2, True)


# --- what is told ---


def test_people_read_the_same(folder: Path, capsys: Capture) -> None:
    done = run(capsys, "audit", folder)
    assert "nothing illegal, and the logs hang together" in done.out
    assert "Each log starts where the one before ended." in done.out
    assert "Dice" in done.out
    assert "cheat" not in done.out.lower()


def test_the_page_of_a_game_holds_all_its_logs(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "game.html"
    assert run(capsys, "audit", folder, "--html", page, "--plain-map").status == 0
    text = page.read_text(encoding="utf-8")
    assert "9 files" in text
    assert len(text) < 2_000_000


def test_no_mail_address_is_told(tmp_path: Path, capsys: Capture) -> None:
    box = mailed.in_mbox(tmp_path / "game.mbox", list(mailed.whole()))
    page = tmp_path / "game.html"
    assert "example.org" not in run(capsys, "audit", box).out
    assert "example.org" not in audit(capsys, box, "--html", page, "--plain-map").out
    assert "example.org" not in page.read_text(encoding="utf-8")
