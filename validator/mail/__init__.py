"""Mails: what in them may be a turn, wherever a mail program has put it."""

from validator.mail.body import quoted_at, turn_of
from validator.mail.parts import Contents, File, Passed, looks_like_mail, parse, read, tolerant

__all__ = [
    "Contents",
    "File",
    "Passed",
    "looks_like_mail",
    "parse",
    "quoted_at",
    "read",
    "tolerant",
    "turn_of",
]
