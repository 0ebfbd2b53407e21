"""One line of a turn sheet: its words, where each stands, and errors that point at them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, HexError
from validator.model.events import Spot

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|(#.*)|(\S+)')


class SheetError(FieldpostError):
    """A line that is no turn sheet: file, line, column, the line with a caret, what was expected."""

    def __init__(
        self, source: str, number: int, column: int, text: str, message: str, hint: str | None
    ) -> None:
        caret = " " * (column - 1) + "^"
        super().__init__(f"{source}:{number}:{column}: {message}\n  {text}\n  {caret}", hint)
        self.line, self.column, self.plain = number, column, message


@dataclass(frozen=True)
class Word:
    text: str
    column: int
    quoted: bool = False


@dataclass
class Line:
    """A line being read, word by word."""

    source: str
    number: int
    text: str
    game: Game
    sheet: str | None
    words: list[Word] = field(default_factory=list)
    at: int = 0

    def __post_init__(self) -> None:
        for match in _WORD.finditer(self.text):
            quoted, comment, word = match.groups()
            if comment is not None:
                break
            if quoted is not None:
                self.words.append(Word(_ESCAPED.sub(_plain, quoted), match.start() + 1, quoted=True))
            else:
                self.words.append(Word(word, match.start() + 1))

    # --- words ---

    @property
    def more(self) -> bool:
        return self.at < len(self.words)

    def next_is(self, *texts: str) -> bool:
        return self.more and not self.words[self.at].quoted and self.words[self.at].text in texts

    def take(self, expected: str) -> Word:
        if not self.more:
            raise self.error(f"the line ends where {expected} was expected", column=len(self.text) + 1)
        self.at += 1
        return self.words[self.at - 1]

    def skip(self, text: str) -> bool:
        if self.next_is(text):
            self.at += 1
            return True
        return False

    def end(self) -> None:
        if self.more:
            word = self.words[self.at]
            raise self.error(f"{word.text!r} is not expected here", word)

    def error(
        self, message: str, word: Word | None = None, hint: str | None = None, column: int | None = None
    ) -> SheetError:
        position = column if column is not None else (word.column if word else 1)
        return SheetError(self.source, self.number, position, self.text, message, hint)

    # --- what words mean ---

    def number_(self, expected: str) -> int:
        word = self.take(expected)
        if not re.fullmatch(r"[0-9]{1,6}", word.text):
            raise self.error(f"{word.text!r} is no number; {expected} was expected", word)
        return int(word.text)

    def choice(self, expected: str, known: Iterable[str]) -> str:
        word = self.take(expected)
        names = list(known)
        if word.text not in names:
            raise self.error(f"there is no {expected} {word.text!r}", word, nearest(word.text, names))
        return word.text

    def unit(self) -> str:
        return self.choice("unit", self.game.counter)

    def units(self, *, hexes: bool = False) -> tuple[str | Hex, ...]:
        """Units joined by +; with `hexes`, a hex may stand for all units in it."""
        word = self.take("a unit" if not hexes else "a unit or a hex")
        return tuple(self._unit_or_hex(part, word, hexes) for part in word.text.split("+"))

    def plain_units(self) -> tuple[str, ...]:
        return tuple(str(unit) for unit in self.units())

    def _unit_or_hex(self, text: str, word: Word, hexes: bool) -> str | Hex:
        if text in self.game.counter:
            return text
        if hexes:
            try:
                return self.game.map.lattice.hex(text, self.sheet)
            except HexError:
                pass
        raise self.error(f"there is no unit {text!r}", word, nearest(text, self.game.counter))

    def spot(self) -> Spot:
        word = self.take("a hex or a box")
        return self._spot(word.text, word)

    def _spot(self, text: str, word: Word) -> Spot:
        boxes = [box.id for box in self.game.boxes]
        if text in boxes or (
            text[:5] == "turn-" and text[5:].isdecimal() and int(text[5:]) in self.game.turn
        ):
            return text
        return self._hex(text, word, boxes)

    def _on_the_track(self, text: str) -> bool:
        """`turn-28`: a space of the turn track."""
        number = text.removeprefix("turn-")
        return number != text and number in map(str, self.game.turn)

    def _hex(self, text: str, word: Word, boxes: Iterable[str] = ()) -> Hex:
        try:
            hex_ = self.game.map.lattice.hex(text, self.sheet)
        except HexError as error:
            raise self.error(error.message, word, nearest(text, boxes) or error.hint) from None
        if hex_ not in self.game.map.hexes:
            raise self.error(f"hex {text} is not on the map", word)
        return hex_

    def box(self) -> str:
        word = self.take("a box")
        if self._on_the_track(word.text):
            return word.text
        self.at -= 1
        return self.choice("box", [box.id for box in self.game.boxes])

    def hexes(self) -> tuple[Hex, ...]:
        word = self.take("a hex")
        return tuple(self._hex(part, word) for part in word.text.split("+"))

    def path(self) -> tuple[Spot, ...]:
        """Hexes joined by hyphens, or by > where a box with a hyphen in its name takes part."""
        word = self.take("a path such as 5317-5216-5115")
        separator = ">" if ">" in word.text else "-"
        spots = tuple(self._spot(part, word) for part in word.text.split(separator))
        if len(spots) < 2:
            raise self.error("a path has at least two hexes, the first where the unit stands", word)
        return spots


def nearest(text: str, names: Iterable[str]) -> str | None:
    near = get_close_matches(text, list(names), n=1, cutoff=0.5)
    return f"Did you mean {near[0]!r}?" if near else None


_ESCAPED = re.compile(r"\\(u[0-9a-f]{4}|.)")
_PLAIN = re.compile(r'[^\s"#\x00-\x1f\x7f-\x9f\ud800-\udfff]+')
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")  # ends a line, or is not seen
_BROKEN = re.compile(r"[\ud800-\udfff]")  # halves of characters, which no file holds


def _plain(escaped: re.Match[str]) -> str:
    sign = escaped[1]
    if len(sign) == 5:
        return _BROKEN.sub("\ufffd", chr(int(sign[1:], 16)))
    return {"n": "\n"}.get(sign, sign)


def word(text: str) -> str:
    """A word as it stands in a line: in quotes if it has to be."""
    return text if _PLAIN.fullmatch(text) else quote(text)


def quote(text: str) -> str:
    plain = _BROKEN.sub("\ufffd", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    shown = _BREAKS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", plain)
    return f'"{shown}"'
