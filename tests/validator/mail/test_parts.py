"""What is found in mails of all kinds, and what is passed over."""

from __future__ import annotations

import base64
import quopri
import time
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldpost.errors import FieldpostError
from tests.validator.audit import mailed
from tests.validator.mail.messages import SHEET, attach, message, raw, written, zipped
from validator import mail
from validator.mail import Contents

LOG = mailed.whole()[0].data


def read(data: bytes) -> Contents:
    return mail.read(mail.parse(data), "it.eml")


def found(data: bytes) -> list[tuple[str, bytes | None]]:
    return [(file.name, file.data) for file in read(data).files]


def typed(data: bytes) -> list[tuple[str, bytes]]:
    """The lines of the turns in the text, without what stands below them."""
    return [(name, b"".join((text or b"").splitlines(keepends=True)[:3])) for name, text in found(data)]


def test_an_attachment_is_found_with_its_name_and_date() -> None:
    contents = read(written(attach(message(), "turn.vlog", LOG)))
    assert [(file.name, file.data) for file in contents.files] == [("turn.vlog", LOG)]
    assert contents.sent is not None
    assert contents.sent.day == 1


def test_attachments_that_are_no_turns_are_passed_and_named() -> None:
    made = attach(attach(message(), "holiday.jpg", b"\xff\xd8\xff"), "turn.vlog", LOG)
    contents = read(written(made))
    assert [file.name for file in contents.files] == ["turn.vlog"]
    assert [(item.name, item.why, item.harmless) for item in contents.passed] == [
        ("holiday.jpg", "a picture", True)
    ]


def test_a_zip_is_handed_on_as_it_is() -> None:
    packed = zipped(turn_vlog=LOG)
    assert found(written(attach(message(), "turn.zip", packed, "zip"))) == [("turn.zip", packed)]


def test_a_log_whose_name_was_changed_is_known_by_what_it_holds() -> None:
    assert found(written(attach(message(), "turn.vlog.dat", LOG))) == [("turn.vlog.dat", LOG)]
    nameless = raw(
        "From: a@example.org", "Subject: x", "MIME-Version: 1.0", "Content-Type: application/octet-stream",
        "Content-Transfer-Encoding: base64", "", base64.encodebytes(LOG).decode(),
    )  # fmt: skip
    assert found(nameless) == [("it.eml, attachment 1", LOG)]
    packed = zipped(mimetype=b"office", word_xml=b"<x/>")
    assert found(written(attach(message(), "letter.docx", packed))) == []


def test_names_in_any_spelling_are_read_and_lose_their_folders() -> None:
    for header in (
        'attachment; filename="=?utf-8?B?' + base64.b64encode("zug-für-dich.vlog".encode()).decode() + '?="',
        "attachment; filename*=utf-8''zug-f%C3%BCr-dich.vlog",
        "attachment; filename*0*=utf-8''zug-f%C3%BC; filename*1=r-dich.vlog",
        'attachment; filename="C:\\\\games\\\\zug-für-dich.vlog"'.encode().decode("latin-1"),
        'attachment; filename="../../zug-für-dich.vlog"'.encode().decode("latin-1"),
    ):
        data = raw(
            "From: a@example.org", "Date: x", "MIME-Version: 1.0", "Content-Type: application/octet-stream",
            f"Content-Disposition: {header}", "Content-Transfer-Encoding: base64", "",
            base64.encodebytes(LOG).decode(),
        )  # fmt: skip
        ((name, content),) = found(data)
        assert name.startswith("zug-f")
        assert name.endswith("r-dich.vlog")
        assert "/" not in name
        assert name.isprintable()
        assert content == LOG


def test_a_forwarded_mail_is_opened() -> None:
    outer = message("See below.")
    outer.add_attachment(attach(message(), "turn.vlog", LOG))
    assert found(written(outer)) == [("turn.vlog", LOG)]


def test_a_forwarded_mail_in_base64_is_opened_too() -> None:
    inner = base64.encodebytes(written(attach(message(), "turn.vlog", LOG))).decode()
    data = raw(
        "From: a@example.org", "Date: x", 'Content-Type: multipart/mixed; boundary="b"', "",
        "--b", "Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "", inner, "--b--", "",
    )  # fmt: skip
    assert found(data) == [("turn.vlog", LOG)]


def test_what_hides_its_contents_is_passed_with_a_word() -> None:
    for name, kind in (
        ("winmail.dat", "ms-tnef"),
        ("WINMAIL.DAT", "octet-stream"),
        ("smime.p7m", "pkcs7-mime"),
    ):
        (item,) = read(written(attach(message(), name, b"broken", kind))).hidden
        assert item.name == name
        assert "save the log" in item.why or "ask for the log" in item.why


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "utf-16", "windows-1252"])
def test_a_sheet_in_the_text_is_found_however_it_is_encoded(encoding: str, charset: str) -> None:
    if encoding == "8bit" and charset == "utf-16":
        encoding = "base64"  # which has bytes that no line of a mail may hold
    data = ("Gr\u00fc\u00dfe!\n\n" + SHEET + "-- \nF.").encode(charset)
    coded = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes}.get(encoding, bytes)(data)
    head = raw(
        "From: a@example.org", "Date: x", "MIME-Version: 1.0",
        f'Content-Type: text/plain; charset="{charset}"', f"Content-Transfer-Encoding: {encoding}", "", "",
    )  # fmt: skip
    assert typed(head + coded) == [("it.eml, text", SHEET.encode())]


def test_a_charset_nobody_knows_is_survived() -> None:
    head = raw("From: a@example.org", "Date: x", 'Content-Type: text/plain; charset="x-none\xff"', "", "")
    assert typed(head + b"\xff\xfe hello\n" + SHEET.encode()) == [("it.eml, text", SHEET.encode())]


def test_the_same_sheet_in_plain_and_in_html_is_one() -> None:
    made = message(SHEET)
    made.add_alternative("<pre>" + SHEET + "</pre>", subtype="html")
    assert typed(written(made)) == [("it.eml, text", SHEET.encode())]


def test_a_sheet_in_html_alone_is_found() -> None:
    made = EmailMessage()
    made["From"], made["Date"] = "a@example.org", "Mon, 01 Jun 2026 12:00:00 +0000"
    made.set_content("<div>" + SHEET.replace("\n", "</div><div>") + "</div>", subtype="html")
    ((name, data),) = found(written(made))
    assert name == "it.eml, text"
    assert (data or b"").decode().split("\n")[0] == "game wfm turning-point"


def test_a_sheet_attached_in_another_charset_is_read_as_utf8() -> None:
    made = message()
    made.add_attachment(SHEET + 'say "grüß dich"\n', filename="turn.txt", charset="iso-8859-1")
    ((name, data),) = found(written(made))
    assert (name, (data or b"").decode().count("grüß dich")) == ("turn.txt", 1)


def test_what_apple_mail_saves_is_read() -> None:
    inner = written(attach(message(), "turn.vlog", LOG))
    saved = f"{len(inner)}  \n".encode() + inner + b"<?xml version='1.0'?><plist/>"
    assert mail.looks_like_mail(saved)
    assert found(saved) == [("turn.vlog", LOG)]


def test_a_mail_is_told_from_logs_and_sheets() -> None:
    assert mail.looks_like_mail(written(message()))
    for other in (LOG, SHEET.encode(), b"", b"Note: this\n", b"!VCSK12", b"\0" * 50, b"http://example.org\n"):
        assert not mail.looks_like_mail(other)


# --- hostile ---


def test_nesting_without_end_is_an_error() -> None:
    lines = ["From: a@example.org", "Date: x"]
    for number in range(3000):
        lines += [f'Content-Type: multipart/mixed; boundary="b{number}"', "", f"--b{number}"]
    with pytest.raises(FieldpostError, match="taken apart"):
        found(raw(*lines))


def test_a_mail_of_three_thousand_parts_is_refused() -> None:
    part = [
        "--b",
        "Content-Type: application/octet-stream",
        'Content-Disposition: attachment; filename="a.vlog"',
        "",
    ]
    head = ["From: a@example.org", "Date: x", 'Content-Type: multipart/mixed; boundary="b"', ""]
    with pytest.raises(FieldpostError, match="more than 1,000 parts"):
        found(raw(*head, *(part * 3_000), "--b--"))


@pytest.mark.parametrize(
    "lines",
    [
        ['Content-Type: text/plain; a="' + ';"' * 30_000],
        ['Content-Type: text/plain; a="' + '\\"' * 30_000],
        ["Content-Type: text/html", "", "<!--" * 40_000],
    ],
)
def test_signs_without_end_take_no_time(lines: list[str]) -> None:
    started = time.process_time()
    found(raw("From: a@example.org", "Date: x", *lines, "", "hello"))
    assert time.process_time() - started < 2


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 4000), st.binary(min_size=1, max_size=12), st.booleans())
def test_a_damaged_mail_raises_nothing_but_a_clear_error(at: int, noise: bytes, cut: bool) -> None:
    made = attach(message(SHEET), "turn.zip", zipped(turn_txt=SHEET.encode()))
    made.add_attachment(message(SHEET))
    data = written(made)
    at %= len(data)
    spoiled = data[:at] + noise + (b"" if cut else data[at + len(noise) :])
    try:
        contents = read(spoiled)
    except FieldpostError:
        return
    assert all(file.name.isprintable() for file in contents.files)
