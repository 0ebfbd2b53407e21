"""Where something lies that may be a turn, what it holds, and what was found to be none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from validator.mail.body import OWN


@dataclass(frozen=True)
class Pointer:
    """Where something lies that may be a turn: `name` as people know it, `via` the mail or zip it came in.

    `span` are the bytes of a mail in a mailbox; `inner` leads further: the name of an entry of a zip, the
    number of a file in a mail. `home` is the folder, mailbox or zip it shares with others, `thread` the
    exchange of mails. A turn in the text of a mail has a `standing`, that of an older mail below is not the
    mail's own, and a `key` which it shares with what others quote of it.
    """

    name: str
    path: str = ""
    span: tuple[int, int] | None = None
    inner: tuple[str | int, ...] = ()
    is_mail: bool = False
    via: str = ""
    sent: datetime | None = None
    home: str = ""
    thread: str = ""
    standing: str = OWN
    key: str = ""
    apart_from: str = (
        ""  # the turn it may follow, with others missing between, if its thread did not part them
    )


@dataclass(frozen=True)
class Item:
    """One file that may be a turn, with what it holds."""

    pointer: Pointer
    data: bytes

    @property
    def name(self) -> str:
        return self.pointer.name


@dataclass(frozen=True)
class Unusable:
    """What is no turn, and why. A log of a game we do not know comes along as `foreign`.

    A `harmless` one was seen and holds no turn: a picture, a letter. All others may hold one.
    """

    name: str
    why: str
    foreign: Item | None = None
    pointer: Pointer | None = None
    harmless: bool = False
