"""Mails: what in them may be a turn, wherever a mail program has put it."""

from validator.mail.files import may_hold_turn, quoted_at, turn_of
from validator.mail.parts import Contents, File, Passed, looks_like_mail, opened, parse, read

__all__ = [
    "Contents",
    "File",
    "Passed",
    "looks_like_mail",
    "may_hold_turn",
    "opened",
    "parse",
    "quoted_at",
    "read",
    "turn_of",
]
