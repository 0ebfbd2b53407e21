"""What may be a turn in a mail: attachments, forwarded mails, turns in the text; and what is left aside."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import takewhile

from validator.mail import body, kinds, mime, outlook, page, signed, tnef
from validator.mail.mime import Part
from validator.mail.opened import Opened
from validator.sheet.encoding import text_of
from validator.sheet.written import acts

ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn", ".txt", ".eml", ".emlx", ".zip", ".mbox", ".msg")
TURN_ENDINGS = (".vlog", ".vsav", ".log", ".sav", ".turn")
TEXTS = ("text/plain", "text/html")
THREAD_HEADERS = ("references", "in-reply-to", "message-id")
SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
ENCRYPTED = "an encrypted mail: decrypt it in the mail program, save the log from there, and name that"
SPLIT = "a mail split into parts, {} of {}: put them together in the mail program, or ask for it again"
ELSEWHERE = "only a reference to a file that lies elsewhere: ask for the log itself"
WINMAIL = "Outlook's own wrapping, in which nothing can be read: ask for the log in a zip, or for plain text"
_HEADER = re.compile(rb"[!-9;-~]+:")
_USUAL = {
    b"from", b"to", b"subject", b"date", b"received", b"mime-version", b"message-id",
    b"return-path", b"delivered-to", b"content-type", b"reply-to",
}  # fmt: skip
_SIZE_LINE = re.compile(rb"\d{1,18} *\n")  # the first line of Apple Mail's .emlx
_BOM = b"\xef\xbb\xbf"
_BASE64 = re.compile(rb"[A-Za-z0-9+/=\s]+")


@dataclass(frozen=True)
class File:
    """What may be a turn: `data` is None where it cannot be decoded."""

    name: str
    data: bytes | None
    standing: str = body.OWN  # of a turn in a text: the mail's own, that of an older mail, or quoted
    key: str = ""  # alike for a turn in a text and what others quote of it


@dataclass(frozen=True)
class Passed:
    """A part that was left aside, and why if that is worth a word. A harmless one can hold no turn."""

    name: str
    why: str = ""
    harmless: bool = False


@dataclass(frozen=True)
class Contents:
    sent: datetime | None
    files: tuple[File, ...]
    passed: tuple[Passed, ...]
    thread: str = field(default="", repr=False)

    @property
    def hidden(self) -> list[Passed]:
        """What may hold a turn that cannot be got at."""
        return [item for item in self.passed if item.why and not item.harmless]

    @property
    def others(self) -> list[str]:
        return [item.name for item in self.passed if item.harmless or not item.why]


def looks_like_mail(data: bytes) -> bool:
    """Header lines, two of them usual, before the first empty line."""
    head = _SIZE_LINE.sub(b"", data[:8192].removeprefix(_BOM), count=1)
    lines = [line for line in head.splitlines() if not line.startswith((b" ", b"\t"))]
    names = {line.partition(b":")[0].strip().lower() for line in takewhile(_HEADER.match, lines)}
    return len(names & _USUAL) >= 2


def parse(data: bytes) -> Part:
    """Raises `FieldpostError` for a mail nested beyond reason."""
    match = _SIZE_LINE.match(data)
    if match:
        data = data[match.end() :][: int(match.group())]
    return mime.parse(data.removeprefix(_BOM))


def read(message: Part, name: str) -> Contents:
    """Who wrote to whom is not read."""
    reader = _Reader(name)
    reader.mail(message)
    return Contents(message.sent, tuple(reader.files()), tuple(reader.passed), thread(message))


def opened(item: Opened, name: str) -> Contents:
    """The same of a mail that Outlook keeps in a form of its own."""
    reader = _Reader(name)
    reader.opened(item)
    return Contents(item.sent, tuple(reader.files()), tuple(reader.passed))


def thread(message: Part) -> str:
    """The mail that began the exchange, as far as this one tells; a digest, as it holds an address."""
    named = [id_ for header in THREAD_HEADERS for id_ in message.header(header).split()]
    return sha256(named[0].encode(errors="replace")).hexdigest()[:12] if named else ""


class _Reader:
    """One mail and those in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.attached: list[File] = []
        self.passed: list[Passed] = []
        self.texts: list[str] = []
        self.links: list[str] = []

    def mail(self, message: Part) -> None:
        for part in message:
            self._part(part)
        self.texts += _texts(message)

    def opened(self, item: Opened) -> None:
        for name, data in item.files:
            self._file(name, data)
        self.texts.append(item.text)
        for inner in item.mails:
            self.opened(inner)

    def files(self) -> list[File]:
        sheets = list(_sheets(self.texts, self.name))
        if not sheets and not self.attached:
            self._note_absent()
        return [*self.attached, *sheets]

    def _note_absent(self) -> None:
        for text in (*self.texts, *self.links):
            why = kinds.absent(text)
            if why:
                of_no_game = not any(map(kinds.of_a_game, self.texts))
                self.passed.append(Passed(f"{self.name}, text", why, harmless=of_no_game))
                return

    # --- parts ---

    def _part(self, part: Part) -> None:
        if part.kind == "text/html":
            self.links.append("\n".join(page.links_of(part.text())))
        name, kind = part.name, part.kind
        special = _SPECIAL.get(kind)
        if special is not None:
            self.passed.append(Passed(name or kind, special(part)))
        elif kind in SIGNATURES or (part.is_text and not name and not part.is_attached):
            return  # the mail's own text
        elif kind.endswith("ms-tnef") or name.lower() == "winmail.dat":
            self._wrapped(name or "winmail.dat", tnef.opened(part.content()), WINMAIL)
        elif "pkcs7-mime" in kind or name.lower() == "smime.p7m":
            self._signed(part)
        else:
            data = part.content()
            charset = part.parameter("charset") if part.is_text else ""
            self._file(name, data, charset)

    def _signed(self, part: Part) -> None:
        """A signed mail whose text lies within the signature."""
        inner = signed.content_of(part.content())
        if inner is None:
            self.passed.append(Passed(part.name or "smime.p7m", ENCRYPTED))
        else:
            self.mail(mime.parse(inner))

    def _file(self, name: str, data: bytes, charset: str = "") -> None:
        shown = name or f"{self.name}, attachment {len(self.attached) + len(self.passed) + 1}"
        kind = kinds.of(data, name)
        match kind.name:
            case kinds.LOG | kinds.ZIP | kinds.PACKED:
                self.attached.append(File(shown, data))
            case kinds.WINMAIL:
                self._wrapped(shown, tnef.opened(data), WINMAIL)
            case kinds.OUTLOOK:
                self._wrapped(shown, outlook.opened(data), "a mail of Outlook (.msg) that is damaged")
            case kinds.CLOSED:
                self.passed.append(Passed(shown, kind.words))
            case kinds.OTHER | kinds.MODULE:
                self.passed.append(Passed(shown, kind.words, harmless=True))
            case _:
                self._text(shown, data, charset)

    def _wrapped(self, name: str, item: Opened | None, why: str) -> None:
        if item is None:
            self.passed.append(Passed(name, why))
        else:
            self.opened(item)

    def _text(self, name: str, data: bytes, charset: str) -> None:
        """A file that may be a turn sheet, a mail, or a log in the letters of base64."""
        log = _of_base64(data)
        if log is not None:
            self.attached.append(File(name, log))
            return
        as_utf8 = mime.decoded(data, charset).encode("utf-8", "replace") if charset else data
        if (
            name.lower().endswith(ENDINGS)
            or body.may_hold_turn(text_of(as_utf8) or "")
            or looks_like_mail(data)
        ):
            why = kinds.absent(text_of(as_utf8) or "") if not name.lower().endswith(TURN_ENDINGS) else ""
            if why:
                self.passed.append(Passed(name, why))
            elif name or data:
                self.attached.append(File(name, as_utf8))
        else:
            self.passed.append(Passed(name, "no turn in it", harmless=True))


def _split_into(part: Part) -> str:
    return SPLIT.format(part.parameter("number"), part.parameter("total") or "several")


_SPECIAL: dict[str, Callable[[Part], str]] = {
    "message/partial": _split_into,
    "message/external-body": lambda part: ELSEWHERE,
    "application/pgp-encrypted": lambda part: ENCRYPTED,
}


def _of_base64(data: bytes) -> bytes | None:
    """A log whose encoding the mail does not state."""
    if not data.lstrip().startswith((b"UEsDB", b"IVZDU0")) or not _BASE64.fullmatch(data):
        return None
    found = mime.of_base64(data)
    return found if kinds.of(found, "").name in (kinds.LOG, kinds.ZIP) else None


# --- texts ---------------------------------------------------------------------------------------


def _sheets(texts: Sequence[str], name: str) -> Iterator[File]:
    """Turn sheets in the texts of a mail and of those forwarded in it."""
    found = [one for text in texts for one in body.found_in(text)]
    times: Counter[str] = Counter()
    for one in {one.text: one for one in found}.values():
        kind = "text" if one.standing == body.OWN else f"{one.standing} text"
        times[kind] += 1
        number = f" {times[kind]}" if times[kind] > 1 else ""
        yield File(f"{name}, {kind}{number}", one.text.encode("utf-8", "replace"), one.standing, one.key)


def _texts(message: Part) -> Iterator[str]:
    """The text of each mail in a mail, as it is seen: its parts one below the other."""
    waiting = [message]
    while waiting:
        forwarded: list[Part] = []
        yield f"{body.PARAGRAPH}\n".join(map(_lines, _seen(waiting.pop(), forwarded)))
        waiting += reversed(forwarded)


def _seen(part: Part, forwarded: list[Part]) -> Iterator[Part]:
    """The texts of one mail in order; of alternatives the one that holds most of a turn."""
    if part.kind == "message/rfc822":
        forwarded += part.parts
    elif part.kind == "multipart/alternative":
        each = [list(_seen(one, forwarded)) for one in part.parts]
        yield from max(each, key=_fullness, default=[])
    elif part.parts:
        for one in part.parts:
            yield from _seen(one, forwarded)
    elif part.kind in TEXTS and not part.name and not part.is_attached:
        yield part


def _fullness(parts: Sequence[Part]) -> tuple[int, bool]:
    """How many lines of a turn they hold. A page shows what was written; plain text is made from it."""
    turn = body.turn("\n".join(map(_lines, parts)))
    acting = sum(acts(line.text) for line in turn.lines) if turn is not None else 0
    return acting, any(part.kind == "text/html" for part in parts)


def _lines(part: Part) -> str:
    text = part.text()
    return page.text_of(text) if part.kind == "text/html" else _unflowed(part, text)


def _unflowed(part: Part, text: str) -> str:
    """Lines that `format=flowed` broke, whole again."""
    if part.parameter("format").lower() != "flowed":
        return text
    without_blank = part.parameter("delsp").lower() == "yes"
    whole: list[list[str]] = []
    goes_on = False
    for line in text.splitlines():
        stuffed = line[1:] if line.startswith(" ") else line
        goes_on_here = line.endswith(" ") and line != "-- " and not line.startswith(">")
        if goes_on_here and without_blank:
            stuffed = stuffed[:-1]
        if goes_on and not line.startswith(">"):
            whole[-1].append(stuffed)
        else:
            whole.append([stuffed])
        goes_on = goes_on_here
    return "\n".join(map("".join, whole))
