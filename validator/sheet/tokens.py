"""One line of a turn sheet: its words, where each stands, and errors that point at them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from fieldpost.definition import problems
from fieldpost.definition.model import Game
from fieldpost.definition.words import WordList, plain
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, HexError
from validator.model.events import Spot
from validator.sheet import like
from validator.sheet.encoding import visible
from validator.sheet.like import Anywhere, Like

AnyUnit = TypeVar("AnyUnit", bound="str | Hex")
Value = TypeVar("Value")
Default = TypeVar("Default")
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|[“”„]([^“”„]*)[“”]|(#.*)|(\S+)')
_ANYHOW = re.compile(r"\.\.|\N{HORIZONTAL ELLIPSIS}")  # from here to there, by whatever way
_ARROWS = re.compile(
    r"->|=>|\.\.+|\N{HORIZONTAL ELLIPSIS}|[\u2192\u21d2\u2794>,\u2013\u2014\u2212]"
)  # all that people put between hexes


class SheetError(FieldpostError):
    """A line that is no turn sheet: file, line, column, the line with a caret, what was expected."""

    def __init__(
        self, source: str, number: int, column: int, text: str, message: str, hint: str | None
    ) -> None:
        shown = f"\n  {text}\n  {' ' * (column - 1)}^" if text else ""
        super().__init__(f"{source}:{number}:{column}: {message}{shown}", hint)
        self.line, self.column, self.plain = number, column, message

    @property
    def each(self) -> Sequence[SheetError]:
        """The single errors of it."""
        return [self]


class SheetErrors(SheetError):
    """All errors of a sheet that has more than one."""

    MOST = 50

    def __init__(self, errors: Sequence[SheetError]) -> None:
        FieldpostError.__init__(self, "\n".join(map(str, errors[: self.MOST])), _rest(len(errors), self.MOST))
        self._each = errors
        first = errors[0]
        self.line, self.column = first.line, first.column
        self.plain = "; ".join(
            error.plain if n == 0 else f"line {error.line}: {error.plain}" for n, error in enumerate(errors)
        )

    @property
    def each(self) -> Sequence[SheetError]:
        return self._each


def _rest(errors: int, most: int) -> str:
    return f"{errors} errors, the first {most} of them shown." if errors > most else f"{errors} errors."


@dataclass(frozen=True)
class Word:
    text: str
    column: int
    quoted: bool = False

    def joins(self, following: Word) -> bool:
        """Whether a plus between them makes one word of both."""
        plain = not self.quoted and not following.quoted
        return plain and (self.text.endswith("+") or following.text.startswith("+"))


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
    wrong: list[SheetError] = field(
        default_factory=list
    )  # words that are none, and cost no more than themselves

    def __post_init__(self) -> None:
        for match in _WORD.finditer(self.text):
            straight, curly, comment, word = match.groups()
            if comment is not None:
                break
            if word is None:
                quoted = _ESCAPED.sub(_unescaped, straight if curly is None else curly)
                self.words.append(Word(quoted, match.start() + 1, quoted=True))
            elif visible(word):
                self.words.append(Word(visible(word), match.start() + 1))
        self._join()

    def _join(self) -> None:
        """`11AK + 4K` is one word, as `11AK+4K` is."""
        joined: list[Word] = []
        for word in self.words:
            if joined and joined[-1].joins(word):
                joined[-1] = Word(joined[-1].text + word.text, joined[-1].column)
            else:
                joined.append(word)
        self.words = joined

    # --- words ---

    @property
    def more(self) -> bool:
        return self.at < len(self.words)

    @property
    def peek(self) -> Word | None:
        return self.words[self.at] if self.more else None

    @property
    def ahead(self) -> str:
        """The next word; empty if it stands in quotation marks, or if there is none."""
        word = self.peek
        return "" if word is None or word.quoted else word.text

    def next_is(self, *texts: str) -> bool:
        return self.ahead.lower() in texts

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

    def after(self, word: str, read: Callable[[], Value], default: Default) -> Value | Default:
        """What stands after a word that may be left out with it."""
        return read() if self.skip(word) else default

    def demand(self, word: str, expected: str, hint: str) -> None:
        """Pass a word that has to stand here."""
        if not self.skip(word):
            raise self.error(expected, hint=hint)

    def several(self, expected: str, until: Callable[[], bool]) -> list[Word]:
        """One word or more; one in quotation marks stands alone."""
        words = [self.take(expected)]
        while self.more and not words[0].quoted and not until():
            words.append(self.take(expected))
        return words

    def phrase(self, expected: str, *ends: str) -> Word:
        """Words up to one of the ends, or the line's: `Axis wins` need no quotation marks."""
        return as_one(self.several(expected, lambda: self.next_is(*ends)))

    def end(self) -> None:
        word = self.peek
        if word is not None:
            raise self.error(f"{word.text!r} is not expected here", word)

    def rest(self) -> list[Word]:
        """All that is left of the line."""
        rest, self.at = self.words[self.at :], len(self.words)
        return rest

    def error(
        self, message: str, word: Word | None = None, hint: str | None = None, column: int | None = None
    ) -> SheetError:
        position = column if column is not None else (word.column if word else 1)
        return SheetError(self.source, self.number, position, self.text, message, hint)

    def part(self, word: Word, text: str) -> Word:
        """A part of a word, where it stands."""
        at = self.text.find(text, word.column - 1)
        return Word(text, at + 1 if at >= 0 and text else word.column)

    # --- what words mean ---

    def number_(self, expected: str) -> int:
        word = self.take(expected)
        if not _DIGITS.fullmatch(word.text):
            raise self.error(f"{word.text!r} is no number; {expected} was expected", word)
        return int(word.text)

    def numbers(self, expected: str, noun: str, form: re.Pattern[str]) -> tuple[int, ...]:
        """Numbers with commas between them."""
        word = self.take(expected)
        if not form.fullmatch(word.text):
            raise self.error(f"{word.text!r} is no list of {noun}", word)
        return tuple(map(int, word.text.split(",")))

    def choice(self, expected: str, names: Collection[str]) -> str:
        word = self.take(expected)
        return self.one_of(word.text, word, expected, names)

    def one_of(self, text: str, word: Word, expected: str, names: Collection[str]) -> str:
        name = however_spelled(text, names)
        if name is None:
            raise self.error(f"there is no {expected} {text!r}", word, nearest(text, names))
        return name

    def known(self, words: WordList, word: Word, text: str | None = None) -> str:
        """A word of a list. One that is none is an error, and the line is read on."""
        said = word.text if text is None else text
        meant = words.find(said)
        if meant is None:
            hint = meaning(words.nearest(said)) or f"Known: {words.listing}."
            self.wrong.append(self.error(f"there is no {words.kind} {said!r}", self.part(word, said), hint))
            return said
        return meant

    def unit(self) -> str:
        word = self.take("unit")
        if _SEVERAL.search(word.text):
            hint = "This line is about one unit: write a line for each."
            raise self.error(f"{word.text!r} are several units", word, hint)
        return self.one_of(word.text, word, "unit", self.game.counter)

    def units(self, *, hexes: bool = False) -> tuple[str | Hex, ...]:
        """Units joined by +; with `hexes`, a hex may stand for those in it."""
        word = self.take("a unit or a hex" if hexes else "a unit")
        return tuple(self.unit_or_hex(part, word, hexes) for part in word.text.split("+"))

    def plain_units(self) -> tuple[str, ...]:
        """Units by their names alone."""
        named = self.units()
        for unit in named:
            if isinstance(unit, Like):
                raise self.error(
                    f"{unit!r} stands for units, and names are asked here", self.words[self.at - 1]
                )
        return tuple(str(unit) for unit in named)

    def like_units(self) -> tuple[str, ...]:
        """Units by their names, or so many of a kind."""
        return tuple(unit for unit in self.units() if isinstance(unit, str))

    def standing(self, units: Sequence[AnyUnit]) -> tuple[AnyUnit, ...]:
        """Units of which each term names its place."""
        for unit in units:
            if isinstance(unit, Anywhere):
                hint = f"For example: {unit}@1114"
                raise self.error(f"{str(unit)!r} does not say where they are", self.words[self.at - 1], hint)
        return tuple(units)

    def units_there(self) -> tuple[str | Hex, ...]:
        """Units by their names or by the hexes they stand in, or so many of a kind in one."""
        return self.standing(self.units(hexes=True))

    def unit_or_hex(self, text: str, word: Word, hexes: bool) -> str | Hex:
        if text in self.game.counter:
            return text
        if hexes and self._is_label(text):
            return self._hex(text, self.part(word, text))
        if like.STAR in text:
            return self._like(text, self.part(word, text))
        if _SEVERAL.search(text):
            hint = f"Units are joined by +: {_SEVERAL.sub('+', text)}"
            raise self.error(f"there is no unit {text!r}", word, hint)
        return self.one_of(text, self.part(word, text), "unit", self.game.counter)

    def _like(self, text: str, word: Word) -> Like:
        """So many units of a kind; their place is said, or follows from the line."""
        said, at, where = text.partition(like.AT)
        digits, _, kind = said.partition(like.STAR)
        number = up_to(like.MOST, digits)
        if not number:
            raise self.error(f"{text!r} names no number of units", word, "For example: 6*infantry@1114")
        term = Anywhere(text, number, self.one_of(kind, word, "kind of unit", like.kinds(self.game)))
        return self.located(term, self._spot(where, self.part(word, where))) if at else term

    def located(self, term: Anywhere, spot: Spot) -> Like:
        column = max(self.text.find(str(term)) + 1, 1)
        few = self.error(f"fewer {term.kind} are there than the lines name", column=column)
        return term.at(like.Place(spot, 0, few))

    def from_there(self, units: Iterable[str], spot: Spot) -> tuple[str, ...]:
        """Terms that name no place stand where the line begins."""
        return tuple(self.located(unit, spot) if isinstance(unit, Anywhere) else unit for unit in units)

    def step(self, unit: str, text: str, word: Word) -> int:
        """A step that the counter has: 1 is full strength, the last printed one the weakest."""
        printed = self.game.counter[unit].steps
        step = up_to(max(len(printed), 1), text)
        if not step:
            steps = _counted(len(printed), "step")
            raise self.error(f"{unit} has {steps}, and no step {text!r}", word, "1 is full strength.")
        return step

    def face(self, marker: str, text: str, word: Word) -> int:
        printed = self.game.marker[marker].faces
        face = up_to(max(len(printed), 1), text)
        if not face:
            faces = _counted(len(printed), "face")
            raise self.error(f"there is no marker {word.text!r}: {marker} has {faces}", word)
        return face

    # --- places ---

    def spot(self) -> Spot:
        word = self.take("a hex or a box")
        return self._spot(word.text, word)

    def _spot(self, text: str, word: Word) -> Spot:
        return self._box(text) or self._hex(text, word, self.game.off_map)

    def _box(self, text: str) -> str | None:
        """A box, or `turn-28`, a space of the turn track."""
        track = plain(text)
        if track.startswith(_TRACK) and track.removeprefix(_TRACK) in map(str, self.game.turn):
            return track
        return however_spelled(text, self.game.off_map)

    def _lattice(self, text: str) -> Hex:
        """As it is written, or else with large letters."""
        try:
            return self.game.map.lattice.hex(text.upper(), self.sheet)
        except HexError:
            return self.game.map.lattice.hex(text, self.sheet)

    def _is_label(self, text: str) -> bool:
        try:
            self._lattice(text)
        except HexError:
            return False
        return True

    def _hex(self, text: str, word: Word, boxes: Iterable[str] = ()) -> Hex:
        try:
            hex_ = self._lattice(text)
        except HexError as error:
            is_unit = however_spelled(text, self.game.counter) is not None
            hint = f"{text} is a unit: name the hex where it stands." if is_unit else nearest(text, boxes)
            raise self.error(error.message, word, hint or error.hint) from None
        if hex_ not in self.game.map.hexes:
            raise self.error(f"hex {text} is not on the map", word)
        return hex_

    def box(self) -> str:
        word = self.phrase("a box", "in")
        box = self._box(word.text)
        if box is None:
            raise self.error(f"there is no box {word.text!r}", word, nearest(word.text, self.game.off_map))
        return box

    def hexes(self) -> tuple[Hex, ...]:
        word = self.take("a hex")
        return tuple(self._hex(part, self.part(word, part)) for part in word.text.split("+"))

    def path(self) -> tuple[tuple[Spot, ...], bool]:
        """Hexes joined by hyphens, dashes, arrows, commas or blanks; boxes are told by their names.

        Joined by two dots they are way-points, and how it went between them is not said.
        """
        words = self.several("a path such as 5317-5216-5115", lambda: self.next_is("as", "in"))
        spots = tuple(self._spot(part.text, part) for word in words for part in self._stations(word))
        if len(spots) < 2:
            raise self.error("a path has at least two hexes, the first where the unit stands", words[0])
        return spots, any(map(_ANYHOW.search, (word.text for word in words)))

    def _stations(self, word: Word) -> Iterator[Word]:
        at = word.column - 1
        for chunk in _ARROWS.split(word.text):
            for text in self._joined(chunk.split("-")):
                at = max(self.text.find(text, at), at)
                yield Word(text, at + 1)
                at += len(text)

    def _joined(self, parts: list[str]) -> Iterator[str]:
        """The ids of boxes have hyphens too: `1438-okh-reserve` is a hex and a box."""
        while parts:
            ends = range(len(parts), 1, -1)
            size = next((end for end in ends if self._box("-".join(parts[:end]))), 1)
            if text := "-".join(parts[:size]):
                yield text
            parts = parts[size:]


def however_spelled(text: str, names: Collection[str]) -> str | None:
    """The one name that is meant, if case, blanks and hyphens do not count."""
    if text in names:
        return text
    wanted = plain(text)
    meant = [name for name in names if plain(name) == wanted]
    return meant[0] if len(meant) == 1 else None


def nearest(text: str, names: Iterable[str]) -> str | None:
    return meaning(problems.nearest(text, names))


def meaning(near: str | None) -> str | None:
    return f"Did you mean {near!r}?" if near else None


def as_one(words: Sequence[Word]) -> Word:
    first = words[0]
    return Word(" ".join(word.text for word in words), first.column, first.quoted)


def up_to(most: int, text: str) -> int:
    """The number that is written; 0 if it is none from 1 to `most`."""
    number = int(text) if _DIGITS.fullmatch(text) else 0
    return number if number <= most else 0


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}s" if number > 1 else f"one {noun}"


_TRACK = "turn-"
_DIGITS = re.compile(r"[0-9]{1,6}")
_SEVERAL = re.compile(r"[+,;&]")  # between units, rightly or not
_ESCAPED = re.compile(r"\\(u[0-9a-f]{4}|.)")
_PLAIN = re.compile(r'[^\s"“”„#\x00-\x1f\x7f-\x9f\ud800-\udfff]+')
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")  # ends a line, or is not seen
_BROKEN = re.compile(r"[\ud800-\udfff]")  # halves of characters, which no file holds


def _unescaped(escaped: re.Match[str]) -> str:
    sign = escaped[1]
    if len(sign) == 5:
        return _BROKEN.sub("\ufffd", chr(int(sign[1:], 16)))
    return {"n": "\n"}.get(sign, sign)


def word(text: str) -> str:
    """A word as it stands in a line: in quotes if it has to be."""
    return text if _PLAIN.fullmatch(text) and visible(text) == text else quote(text)


def quote(text: str) -> str:
    plain = _BROKEN.sub("\ufffd", text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    shown = _BREAKS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", plain)
    return f'"{shown}"'
