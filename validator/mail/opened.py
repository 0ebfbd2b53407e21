"""A mail that a program keeps in a form of its own, as read: what `tnef.py` and `outlook.py` give."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Opened:
    """Its text as it is seen, its attachments by name, the mails within it."""

    text: str
    files: tuple[tuple[str, bytes], ...] = ()
    mails: tuple[Opened, ...] = ()
    sent: datetime | None = None
