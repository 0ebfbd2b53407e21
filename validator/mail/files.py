"""The turn in a file of text: a turn sheet, a saved letter, a saved page."""

from __future__ import annotations

from validator.mail import body, kinds, page
from validator.mail.body import Turn
from validator.sheet.encoding import is_sheet, text_of


def turn_of(data: bytes) -> Turn | None:
    """The turn that a file of text is, or that lies in it as in the text of a mail."""
    text = _text(data)
    if text is None:
        return None
    return body.whole(text) if is_sheet(data) else body.turn(text)


def may_hold_turn(data: bytes) -> bool:
    text = _text(data)
    return text is not None and (is_sheet(data) or body.may_hold_turn(text))


def quoted_at(data: bytes) -> int | None:
    """The number of the line with which a sheet begins that was quoted in an answer."""
    found = body.quoted(_text(data) or "")
    return found.lines[0].number if found is not None else None


def _text(data: bytes) -> str | None:
    text = text_of(data)
    if text is not None and kinds.of(data[:4096], "").name == kinds.PAGE:
        return page.text_of(text)
    return text
