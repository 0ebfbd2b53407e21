"""Bytes of a saved game, and lists written as one string.

A saved game is UTF-8 text, plain or under one of two ciphers:

    !VCSK kk hh hh ...   key byte and every text byte xor the key, as hex digits
    VOBS k b b ...       key byte and every text byte xor the key, raw

or packed with xz, as one development version wrote it (no sample at hand).

Lists are written by the engine's sequence encoder: tokens joined by a delimiter,
a delimiter inside a token marked by one backslash before it. Backslashes are not
doubled, so lists in lists gather backslashes: level n carries n - 1 of them.

Bytes that are not UTF-8 survive as single surrogates and are written back unchanged.
"""

from __future__ import annotations

import zlib
from binascii import Error as HexError
from binascii import unhexlify
from collections.abc import Iterable, Sequence

from fieldpost.errors import FieldpostError

ESC = "\x1b"
TAB = "\t"
HEX_MARK = b"!VCSK"
DEFLATED_MARK = b"!VCSZ"
"""As `!VCSK`, of a text that was packed first: some builds of 3.8 wrote so."""
RAW_MARK = b"VOBS"
XZ_MARK = b"\xfd7zXZ\x00"
MARKS = (HEX_MARK, DEFLATED_MARK, RAW_MARK, XZ_MARK, b"begin_save")
"""How a saved game begins, in whatever form."""
_XZ_LIMIT = 96 << 20
DEFAULT_KEY = 0x5A

_XOR = [bytes(value ^ key for value in range(256)) for key in range(256)]
_HEX_DIGITS = frozenset(b"0123456789abcdefABCDEF")


class CodecError(FieldpostError):
    """A saved game whose bytes stop making sense at `offset`; `prefix` is the text before it."""

    def __init__(self, message: str, offset: int, prefix: str = "") -> None:
        super().__init__(f"{message} at byte {offset}", "The file is damaged or was cut short.")
        self.offset = offset
        self.prefix = prefix


def deobfuscate(data: bytes) -> str:
    """Return the plain text of a saved game in any of its forms."""
    if data.startswith(HEX_MARK):
        return _from_hex(data).decode("utf-8", "surrogateescape")
    if data.startswith(DEFLATED_MARK):
        return _from_deflated(data)
    if data.startswith(RAW_MARK):
        return _from_raw(data)
    if data.startswith(XZ_MARK):
        return _from_xz(data)
    return data.decode("utf-8", "surrogateescape")


def obfuscate(text: str, key: int = DEFAULT_KEY) -> bytes:
    """Return the `!VCSK` form, which every engine reads."""
    plain = text.encode("utf-8", "surrogateescape")
    return b"%s%02x%s" % (HEX_MARK, key, plain.translate(_XOR[key]).hex().encode("ascii"))


def obfuscate_raw(text: str, key: int = DEFAULT_KEY) -> bytes:
    """Return the `VOBS` form of the newest engines."""
    return RAW_MARK + bytes([key]) + text.encode("utf-8", "surrogateescape").translate(_XOR[key])


def obfuscate_deflated(text: str, key: int = DEFAULT_KEY) -> bytes:
    """Return the `!VCSZ` form."""
    packed = zlib.compress(text.encode("utf-8", "surrogateescape"), 9).translate(_XOR[key])
    return b"%s%02x%s" % (DEFLATED_MARK, key, packed.hex().encode("ascii"))


def written_as(original: bytes, text: str) -> bytes:
    """Return a text in the form, and under the key, in which another was written."""
    if original.startswith(HEX_MARK):
        data = obfuscate(text, int(original[5:7], 16))
        return HEX_MARK + data[5:].upper() if original[5:].isupper() else data
    if original.startswith(DEFLATED_MARK):
        return obfuscate_deflated(text, int(original[5:7], 16))
    if original.startswith(RAW_MARK):
        return obfuscate_raw(text, original[4])
    if original.startswith(XZ_MARK):
        from lzma import compress

        return compress(text.encode("utf-8", "surrogateescape"))
    return text.encode("utf-8", "surrogateescape")


def _from_hex(data: bytes) -> bytes:
    try:
        (key,) = unhexlify(data[5:7])
        plain = unhexlify(memoryview(data)[7:])
    except (HexError, ValueError):
        raise _hex_error(data) from None
    return plain.translate(_XOR[key])


def _from_deflated(data: bytes) -> str:
    try:
        packed = _from_hex(data)
    except CodecError as error:
        error.prefix = ""  # half of what was packed is no text
        raise
    most = min(_XZ_LIMIT, (4 << 20) + 1100 * len(packed))
    unpacker = zlib.decompressobj()
    try:
        plain = unpacker.decompress(packed, most).decode("utf-8", "surrogateescape")
    except zlib.error:
        raise CodecError("the packed text cannot be unpacked", 7) from None
    if not unpacker.eof:
        raise CodecError("the packed text is cut short or too large", len(data), plain)
    return plain


def _hex_error(data: bytes) -> CodecError:
    if len(data) < 7 or not _HEX_DIGITS.issuperset(data[5:7]):
        return CodecError("the key of the cipher is not two hex digits", 5)
    stop = next((at for at in range(7, len(data)) if data[at] not in _HEX_DIGITS), len(data))
    stop -= (stop - 7) % 2
    plain = unhexlify(data[7:stop]).translate(_XOR[int(data[5:7], 16)])
    return CodecError("the ciphered text is not hex digits", stop, plain.decode("utf-8", "surrogateescape"))


def _from_raw(data: bytes) -> str:
    if len(data) < 5:
        raise CodecError("the key of the cipher is missing", len(data))
    return data[5:].translate(_XOR[data[4]]).decode("utf-8", "surrogateescape")


def _from_xz(data: bytes) -> str:
    from lzma import FORMAT_XZ, LZMADecompressor, LZMAError

    unpacker = LZMADecompressor(FORMAT_XZ, memlimit=1 << 28)
    most = min(_XZ_LIMIT, (4 << 20) + 150 * len(data))
    try:
        plain = unpacker.decompress(data, most).decode("utf-8", "surrogateescape")
    except (LZMAError, EOFError):
        raise CodecError("the packed text cannot be unpacked", 0) from None
    if not unpacker.eof:
        raise CodecError("the packed text is cut short or too large", len(data), plain)
    return plain


def encode(tokens: Iterable[str], delimiter: str) -> str:
    """Write a list as one string."""
    return delimiter.join([_escape(token, delimiter) for token in tokens])


def decode(text: str, delimiter: str) -> list[str]:
    """Read a list; an empty text is a list of one empty token."""
    tokens = text.split(delimiter)
    if "\\" + delimiter in text:
        tokens = _join_escaped(tokens, delimiter)
    if "'" in text:
        tokens = [unquote(token) for token in tokens]
    return tokens


def head(text: str, delimiter: str) -> str:
    """Read the first token only."""
    end = text.find(delimiter)
    if end < 0:
        return unquote(text)
    if end and text[end - 1] == "\\":
        return decode(text, delimiter)[0]
    return unquote(text[:end])


def unquote(token: str) -> str:
    if len(token) > 1 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def _escape(token: str, delimiter: str) -> str:
    if not token:
        return ""
    escaped = token.replace(delimiter, "\\" + delimiter)
    if token[0] == "\\" or (token[0] == "'" and token[-1] == "'"):
        return f"'{escaped}'"
    return escaped


def _join_escaped(pieces: list[str], delimiter: str) -> list[str]:
    tokens: list[str] = []
    held: list[str] = []
    for piece in pieces[:-1]:
        if piece[-1:] == "\\":
            held.append(piece[:-1])
        elif held:
            held.append(piece)
            tokens.append(delimiter.join(held))
            held = []
        else:
            tokens.append(piece)
    held.append(pieces[-1])
    tokens.append(delimiter.join(held))
    return tokens


class NestingError(FieldpostError):
    """A piece or command nested beyond all reason."""


MAX_NESTING = 4096
_SLOW_WORK = 200_000_000
_AWKWARD = frozenset("\\'\t")


def nest(tokens: Sequence[str], delimiter: str = TAB) -> str:
    """Write (t0, (t1, (t2, ... tn))): each level is a list of a token and all that is inside it."""
    if len(tokens) == 1:
        return tokens[0]
    if any(token[:1] in _AWKWARD for token in tokens if token):
        return _nest_slowly(tokens, delimiter)
    parts: list[str] = []
    last = len(tokens) - 1
    for level, token in enumerate(tokens):
        depth = min(level + 1, last)
        parts.append(token.replace(delimiter, "\\" * depth + delimiter) if delimiter in token else token)
        if level < last:
            parts.append("\\" * level + delimiter)
    return "".join(parts)


def _nest_slowly(tokens: Sequence[str], delimiter: str) -> str:
    """The same where a token makes quotes necessary."""
    text = tokens[-1]
    for token in reversed(tokens[:-1]):
        text = encode((token, text), delimiter)
    return text


def unnest(text: str, depth: int | None = None, delimiter: str = TAB) -> list[str]:
    """Read what `nest` wrote: to the end, or `depth` tokens (missing ones are left out).

    Surplus tokens of a level are dropped, as the engine does.
    """
    if text[-1:] == "'":
        return _unnest_slowly(text, depth, delimiter)
    tokens: list[str] = []
    held: list[str] = []
    last = MAX_NESTING if depth is None else depth - 1
    level = 0
    segments = text.split(delimiter)
    for segment in segments[:-1]:
        slashes = _trailing_slashes(segment)
        if slashes == level and level < last:
            held.append(segment[: len(segment) - slashes] if slashes else segment)
            tokens.append(_close(held, delimiter))
            held = []
            level += 1
        elif slashes < level:
            break
        else:
            held.append(segment[: len(segment) - min(level + (level < last), slashes)])
    else:
        held.append(segments[-1])
        if level >= MAX_NESTING:
            raise NestingError(f"nested more than {MAX_NESTING} deep")
        tokens.append(_close(held, delimiter) if level < last else delimiter.join(held))
        return tokens
    return _unnest_slowly(text, depth, delimiter)


def _close(held: list[str], delimiter: str) -> str:
    return unquote(held[0] if len(held) == 1 else delimiter.join(held))


def _trailing_slashes(segment: str) -> int:
    if segment[-1:] != "\\":
        return 0
    return len(segment) - len(segment.rstrip("\\"))


def _unnest_slowly(text: str, depth: int | None, delimiter: str) -> list[str]:
    """The same level by level: for quoted or surplus tokens."""
    tokens: list[str] = []
    work = _SLOW_WORK
    while depth is None or len(tokens) < depth - 1:
        pair = decode(text, delimiter)
        if len(pair) == 1:
            break
        work -= len(text)
        if len(tokens) >= MAX_NESTING or work < 0:
            raise NestingError(f"nested more than {len(tokens)} deep")
        tokens.append(pair[0])
        text = pair[1]
    else:
        return [*tokens, text]
    return [*tokens, decode(text, delimiter)[0]]
