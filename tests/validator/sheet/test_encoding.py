"""Turn sheets in the encodings that editors save."""

from __future__ import annotations

import pytest

from validator.sheet.encoding import is_sheet, text_of

SHEET = "# für Jörg\r\n\r\ngame wfm turning-point\r\nturn 22 sov-move\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_sheet_is_read_as_an_editor_saved_it(encoding: str) -> None:
    data = SHEET.encode(encoding)
    assert is_sheet(data)
    assert text_of(data) == SHEET


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"PK\x03\x04game ", b"\0game wfm", b"Dear friend,\ngame on!", b"\xff\xfeg\0a"]
)
def test_what_is_no_sheet_is_none(data: bytes) -> None:
    assert not is_sheet(data)


def test_a_letter_cut_in_the_middle_of_a_sign_is_still_known() -> None:
    assert is_sheet(("game wfm turning-point\n# " + "ü" * 40_000).encode())
    assert text_of("# ü\n".encode()[:3]) is not None


def test_a_sheet_whose_first_line_was_forgotten_is_still_a_sheet() -> None:
    assert is_sheet(b"turn 23 axis-move\nmove 57PzK 5317-5216\n")
    assert is_sheet(b"Game wfm turning-point\n")
    assert not is_sheet(b"turn it as you like, but read this\n")
