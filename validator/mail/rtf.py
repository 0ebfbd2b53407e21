"""Text in RTF, as Outlook keeps it packed in its mails: the lines that are seen."""

from __future__ import annotations

import re
import struct

_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What the packing takes for already written."""
_WINDOW = 4096
_PACKED, _PLAIN = b"LZFu", b"MELA"
MOST = 4 << 20
_TOKEN = re.compile(
    r"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.S
)
_BREAKS = {"par": "\n", "line": "\n", "tab": "\t", "row": "\n", "cell": " ", "sect": "\n", "page": "\n"}
_SIGNS = {
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": " ", "enspace": " ",
}  # fmt: skip
_UNSEEN = (
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "object",
    "generator",
    "header",
    "footer",
    "themedata",
)


def unpacked(data: bytes) -> bytes:
    """What Outlook has packed; at most `MOST` bytes of it."""
    if len(data) < 16:
        return b""
    size, magic = struct.unpack_from("<I4s", data, 4)
    if magic == _PLAIN:
        return data[16 : 16 + min(size, MOST)]
    if magic != _PACKED:
        return b""
    window = bytearray(_START + bytes(_WINDOW - len(_START)))
    at, write = 16, len(_START)
    found = bytearray()
    while at < len(data) and len(found) < min(size, MOST):
        flags = data[at]
        at += 1
        for bit in range(8):
            if at + (flags >> bit & 1) >= len(data):
                return bytes(found)
            if not flags >> bit & 1:
                found.append(data[at])
                window[write] = data[at]
                write, at = (write + 1) % _WINDOW, at + 1
                continue
            (pair,) = struct.unpack_from(">H", data, at)
            at += 2
            read, length = pair >> 4, (pair & 15) + 2
            if read == write:
                return bytes(found)
            for step in range(length):
                letter = window[(read + step) % _WINDOW]
                found.append(letter)
                window[write] = letter
                write = (write + 1) % _WINDOW
    return bytes(found[:size])


def text_of(data: bytes) -> str:
    """The words of a document, a line for each of its paragraphs; of one made from HTML, the page."""
    source = data[:MOST].decode("latin-1")
    is_page = "\\fromhtml1" in source[:2000]
    found: list[str] = []
    hidden: list[tuple[bool, bool]] = []  # of each group around: unseen, left out of the page
    unseen = in_text = False
    skip, width = 0, 1
    charset = "cp1252"
    for match in _TOKEN.finditer(source):
        word, number, code, sign, brace, plain = match.groups()
        if brace == "{":
            hidden.append((unseen, in_text))
        elif brace == "}":
            unseen, in_text = hidden.pop() if hidden else (False, False)
        elif sign == "*":
            unseen = not (is_page and source.startswith("\\htmltag", match.end()))
        elif word == "ansicpg":
            charset = f"cp{number}"
        elif word == "htmlrtf":
            in_text = is_page and number != "0"
        elif word in _UNSEEN:
            unseen = True
        elif word == "uc":
            width = int(number or 1)
        elif unseen or in_text:
            continue
        elif word == "u":
            found.append(chr(int(number or 63) % 0x10000))
            skip = width
        elif word is not None:
            found.append(_BREAKS.get(word, _SIGNS.get(word, "")))
        elif code is not None:
            found.append("" if skip else _letter(int(code, 16), charset))
            skip = max(0, skip - 1)
        elif sign is not None:
            found.append(
                {"~": "\u00a0", "_": "-", "\n": "\n", "\r": "\n"}.get(sign, sign if sign in "\\{}" else "")
            )
        elif plain is not None:
            found.append(plain[skip:])
            skip = max(0, skip - len(plain))
    return "".join(found).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_page(data: bytes) -> bool:
    return b"\\fromhtml1" in data[:2000]


def _letter(code: int, charset: str) -> str:
    try:
        return bytes((code,)).decode(charset, "replace")
    except LookupError:
        return bytes((code,)).decode("cp1252", "replace")
