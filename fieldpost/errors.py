"""What goes wrong for a reason the user can do something about."""

from __future__ import annotations


class FieldpostError(Exception):
    """The input could not be read or used: the program ends with status 2.

    `message` says what is wrong and where; `hint` says what to do about it.
    Neither may hold a password, a name or a mail address out of a log.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\n{self.hint}"
