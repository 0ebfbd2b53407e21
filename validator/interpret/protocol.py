"""Lines of the log protocol (docs/log-protocol.md) in the chat.

People read first, the machine's part comes last: `* Ann: 3PzK attacks [fp] attack 3PzK @E4611 #4`.
Older modules wrote the machine's part alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

VERBS = (
    "battle", "attack", "overrun", "target", "support", "roll", "result",
    "mode", "supply", "reveal", "stacks", "declare", "round", "fire",
)  # fmt: skip
TYPED = ("declare", "result")  # what a player may type, since no counter can say it
_LINE = re.compile(
    r"^(?:\*.*?)?\s*\[fp\]\s*(?P<verb>[^\s=]+)(?:\s*(?P<rest>.*?))?\s*\*?$", re.IGNORECASE | re.DOTALL
)
_LONGEST = 200  # characters of a line that is not understood
_WORD = re.compile(r"@(?P<hex>\S+)|#(?P<battle>\d+)|(?P<word>\S+)")
_DICE = re.compile(r"^(\d{1,2})d(\d{1,3})=(\d{1,3}(?:,\s?\d{1,3})*)$")


@dataclass(frozen=True)
class Line:
    """A line taken apart: its verb, plain words in order, hex and battle if it has them."""

    verb: str
    words: tuple[str, ...]
    hex: str | None = None
    battle: int | None = None
    text: str = ""  # as it stands in the log, without the signs that a chat puts before it

    @property
    def first(self) -> str:
        return next(iter(self.words), "")

    @property
    def second(self) -> str:
        return next(iter(self.words[1:]), "")

    @property
    def what(self) -> str:
        """What is declared: the first word, or what stands before `=`."""
        head, equals, _ = " ".join(self.words).partition("=")
        return head.strip() if equals else self.first

    @property
    def reason(self) -> str:
        """What dice are rolled for: the words before them."""
        return " ".join(takewhile(lambda word: not _DICE.match(word), self.words))

    @property
    def value(self) -> str:
        """What a line says after `=`."""
        return " ".join(self.words).partition("=")[2].strip()

    @property
    def roll(self) -> tuple[int, tuple[int, ...]] | None:
        """Sides and faces, if a word of the line is a roll, and one that such dice can show."""
        roll = next(filter(None, map(_DICE.match, self.words)), None)
        if roll is None:
            return None
        sides, faces = int(roll[2]), tuple(map(int, roll[3].split(",")))
        return (sides, faces) if can_fall(faces, sides) else None


def can_fall(faces: Iterable[int], sides: int) -> bool:
    return all(1 <= face <= sides for face in faces)


def parse(text: str) -> Line | None:
    """None for a line that is not of the protocol."""
    line = _LINE.match(text)
    if line is None:
        return None
    verb, rest = line["verb"].lower(), line["rest"] or ""
    words: list[str] = []
    hex_: str | None = None
    battle: int | None = None
    for match in _WORD.finditer(rest):
        if match["word"]:
            words.append(match["word"])
        elif match["hex"]:
            hex_ = match["hex"]
        elif len(match["battle"]) < 7:
            battle = int(match["battle"])
    return Line(verb, tuple(words), hex_, battle, f"[fp] {verb} {rest}".strip()[:_LONGEST])
