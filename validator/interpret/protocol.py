"""Lines of the log protocol (docs/log-protocol.md) in the chat.

People read first, the machine's part comes last: `* Ann: 3PzK attacks [fp] attack 3PzK @E4611 #4`.
Older modules wrote the machine's part alone.
"""

from __future__ import annotations

import re
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
    def what(self) -> str:
        """What is declared: the first word, or what stands before `=`."""
        head, equals, _ = " ".join(self.words).partition("=")
        return head.strip() if equals else (self.words[0] if self.words else "")

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
        """Sides and faces, if a word of the line is a roll."""
        for word in self.words:
            found = _DICE.match(word)
            if found:
                return int(found[2]), tuple(int(face) for face in found[3].split(","))
        return None


def parse(text: str) -> Line | None:
    """None for a line that is not of the protocol."""
    found = _LINE.match(text)
    if found is None:
        return None
    verb = found["verb"].lower()
    text = f"[fp] {verb} {found['rest'] or ''}".strip()[:_LONGEST]
    words: list[str] = []
    hex_: str | None = None
    battle: int | None = None
    for match in _WORD.finditer(found["rest"] or ""):
        if match["word"]:
            words.append(match["word"])
        elif match["hex"]:
            hex_ = match["hex"]
        elif len(match["battle"]) < 7:
            battle = int(match["battle"])
    return Line(verb, tuple(words), hex_, battle, text)
