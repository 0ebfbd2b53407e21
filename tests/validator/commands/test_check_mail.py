"""`fieldpost check` given a mail: which attachment it judges, and what it says of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fieldpost.commands.running import Run, run
from tests.validator.audit import mailed
from tests.validator.mail.messages import FAULTY, SHEET, attach, message, written, zipped

Capture = pytest.CaptureFixture[str]


def first() -> bytes:
    return mailed.whole()[0].data


def second() -> bytes:
    return mailed.whole()[1].data


def check(capsys: Capture, folder: Path, data: bytes, *arguments: str, name: str = "message.eml") -> Run:
    path = folder / name
    path.write_bytes(data)
    return run(capsys, "check", path, *arguments)


def test_the_log_in_a_mail_is_judged_and_named(tmp_path: Path, capsys: Capture) -> None:
    data = written(attach(attach(message(), "map.jpg", b"\xff"), "turn.vlog", first()))
    done = check(capsys, tmp_path, data)
    lines = done.out.splitlines()
    assert done.status == 0
    assert lines[0].startswith("turn.vlog: nothing illegal in ")
    assert lines[1:3] == ["Judged is turn.vlog out of message.eml.", "Not judged: map.jpg."]


def test_a_mail_answers_as_its_attachment_does(tmp_path: Path, capsys: Capture) -> None:
    alone = check(capsys, tmp_path, second(), "--json", name="turn.vlog").json
    wrapped = check(capsys, tmp_path, written(attach(message(), "turn.vlog", second())), "--json").json
    assert wrapped.pop("remarks") != alone.pop("remarks")
    assert wrapped == alone


def test_a_turn_sheet_in_the_text_is_judged(tmp_path: Path, capsys: Capture) -> None:
    done = check(capsys, tmp_path, written(message("Dear friend,\n\n" + FAULTY + "\nSee you, F.\n")))
    assert (done.status, done.out.splitlines()[0]) == (1, "message.eml, text: 1 illegal in 3 actions")
    assert "[wfm-5.31] line 4:" in done.out


def test_a_log_counts_before_the_sheet_that_tells_of_it(tmp_path: Path, capsys: Capture) -> None:
    done = check(capsys, tmp_path, written(attach(message(SHEET), "turn.vlog", first())))
    assert done.out.startswith("turn.vlog: ")
    assert "Not judged: message.eml, text." in done.out


def test_a_zip_in_a_mail_and_a_zip_alone_are_opened(tmp_path: Path, capsys: Capture) -> None:
    packed = zipped(turn_vlog=first())
    mail = check(capsys, tmp_path, written(attach(message(), "turn.zip", packed, "zip")))
    assert mail.out.startswith("turn.vlog: nothing illegal")
    assert check(capsys, tmp_path, packed, name="turn.zip").out.startswith("turn.vlog: nothing illegal")


@pytest.mark.parametrize("name", ["turn.vlog", "turn", "turn.vsav"])
def test_a_zip_is_opened_whatever_it_is_called(tmp_path: Path, capsys: Capture, name: str) -> None:
    done = check(capsys, tmp_path, zipped(inner_vlog=first()), name=name)
    assert done.out.splitlines()[1] == f"Judged is inner.vlog out of {name}."


def test_several_turns_in_a_mail_want_a_choice(tmp_path: Path, capsys: Capture) -> None:
    data = written(attach(attach(message(), "a.vlog", first()), "b.vlog", second()))
    done = check(capsys, tmp_path, data)
    assert done.status == 2
    assert "holds 2 turns: a.vlog, b.vlog" in done.err
    assert "--attachment" in done.err
    assert "fieldpost audit message.eml" in done.err
    assert check(capsys, tmp_path, data, "--attachment", "b.vlog").out.startswith("b.vlog: ")
    assert check(capsys, tmp_path, data, "--attachment", "c.vlog").status == 2


def test_the_same_log_twice_is_one(tmp_path: Path, capsys: Capture) -> None:
    data = written(attach(attach(message(), "a.vlog", first()), "b.vlog", first()))
    assert check(capsys, tmp_path, data).out.startswith("a.vlog: ")


def test_a_forwarded_turn_is_judged(tmp_path: Path, capsys: Capture) -> None:
    outer = message("He sent this.")
    outer.add_attachment(attach(message(), "turn.vlog", first()))
    assert check(capsys, tmp_path, written(outer)).out.startswith("turn.vlog: nothing illegal")


def test_junk_beside_a_turn_is_left_aside_with_a_word(tmp_path: Path, capsys: Capture) -> None:
    made = attach(attach(message(), "winmail.dat", b"x", "ms-tnef"), "turn.vlog", first())
    done = check(capsys, tmp_path, written(made))
    assert done.status == 0
    assert "winmail.dat could not be used: Outlook's own wrapping" in done.out


def test_a_mail_without_a_turn_ends_with_2_and_says_what_is_in_it(tmp_path: Path, capsys: Capture) -> None:
    for made, word in (
        (message("Nice weather."), "A turn is a log"),
        (attach(message(), "map.jpg", b"\xff"), "it holds map.jpg"),
        (attach(message(), "winmail.dat", b"x", "ms-tnef"), "ask for the log in a zip"),
        (attach(message(), "turn.vlog", b"PK\x03\x04 torn"), "turn.vlog"),
    ):
        done = check(capsys, tmp_path, written(made))
        assert (done.status, word in done.err + done.out) == (2, True), word


def test_outlooks_own_form_is_refused_with_advice(tmp_path: Path, capsys: Capture) -> None:
    done = check(capsys, tmp_path, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), name="message.msg")
    assert done.status == 2
    assert "open it there and save its attachment" in done.err


def test_a_mail_saved_under_any_name_is_known(tmp_path: Path, capsys: Capture) -> None:
    data = written(attach(message(), "turn.vlog", first()))
    assert check(capsys, tmp_path, data, name="my turn").out.startswith("turn.vlog: nothing illegal")


def test_the_reply_says_what_was_judged_and_no_address(tmp_path: Path, capsys: Capture) -> None:
    done = check(capsys, tmp_path, written(attach(message(), "turn.vlog", first())), "--reply")
    assert "Judged is turn.vlog out of your mail." in done.out
    assert "example.org" not in done.out


def test_the_page_says_what_was_judged(tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "report.html"
    check(
        capsys,
        tmp_path,
        written(attach(message(), "turn.vlog", first())),
        "--html",
        str(page),
        "--plain-map",
    )
    assert "Judged is turn.vlog out of message.eml." in page.read_text(encoding="utf-8")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 100_000), st.binary(min_size=1, max_size=30))
def test_a_damaged_mail_ends_with_a_status(tmp_path: Path, capsys: Capture, at: int, noise: bytes) -> None:
    data = written(attach(message(SHEET), "turn.zip", zipped(turn_vlog=first()), "zip"))
    at %= len(data)
    done = check(capsys, tmp_path, data[:at] + noise + data[at + len(noise) :])
    assert done.status in (0, 1, 2)


def test_the_reply_quotes_the_line_as_it_was_typed(tmp_path: Path, capsys: Capture) -> None:
    typed = FAULTY.replace("move 3PzK", "- Move 3PzK")
    done = check(capsys, tmp_path, written(message("Hello,\n\n" + typed + "\nF.")), "--reply")
    assert done.out.startswith("The turn in your mail is not legal as played")
    assert "Your line: - Move 3PzK 6407-6306" in done.out
    assert "message.eml" not in done.out


def test_there_is_a_reply_to_what_cannot_be_read(tmp_path: Path, capsys: Capture) -> None:
    text = "Here is my turn: https://www.dropbox.com/s/abc/turn.vlog"
    done = check(capsys, tmp_path, written(message(text)), "--reply")
    assert done.status == 2
    assert done.out.startswith("Your turn could not be read")
    assert "link" in done.out
    assert "message.eml" not in done.out


@pytest.mark.parametrize(
    "line", ["Jim Smith", "Write to jim@example.org at 5", "From: Jim Smith <jim@example.org>"]
)
def test_an_error_repeats_no_name_and_no_address(line: str, tmp_path: Path, capsys: Capture) -> None:
    done = check(capsys, tmp_path, written(message(FAULTY + line + "\n" + "move 24A 4511-4512\n")), "--json")
    assert done.status in (1, 2)
    assert "jim" not in (done.out + done.err).lower()


def test_a_sheet_a_hundred_times_is_one(tmp_path: Path, capsys: Capture) -> None:
    mail = b"From a Mon Jun  1 12:00:00 2026\n" + written(message(FAULTY)).replace(b"\r\n", b"\n") + b"\n\n"
    (tmp_path / "box.mbox").write_bytes(mail * 100)
    done = run(capsys, "audit", tmp_path / "box.mbox", "--json")
    assert done.status == 1
    assert len(done.json["logs"]) == 1
    assert len(done.json["chain"]) == 99
