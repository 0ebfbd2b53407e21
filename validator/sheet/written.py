"""The lines of a text as they were typed, and whether a line is meant as one of a turn sheet."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from validator.sheet.verbs import VERBS

HEADS = ("turn", "option", "position", "given", "game")
NAMES = (*HEADS, *(verb.name for verb in VERBS))
PATH = r"[A-Za-z]?\d{4}\s*(?:[-\u2010-\u2015\u2212>,\u2192]|\.\.|->)\s*[A-Za-z]?\d{4}(?!\d)"
_STARTS_WITH_PATH = re.compile(rf"(?:\S+\s+)?(?<!\d){PATH}")
_ACTED = re.compile(rf"(?<![\w-]){PATH}|\b\d{{1,2}}d\d{{1,2}}\s*=\s*\d")
_EVIDENCE = re.compile(r"[\d\"“”„=]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_SHORT = 3  # letters of `set`, `buy`, `say`: too many words are like these by one letter


@dataclass(frozen=True)
class Written:
    """One line: its number, what is read of it, and whether an empty line or a divider is above it.

    `typed` is the line as its writer wrote it, where a mail program or the writer's habits changed it.
    `signed` is one below the mark of a signature, `--`.
    """

    number: int
    text: str
    after_gap: bool = False
    typed: str = ""
    signed: bool = False

    @property
    def as_typed(self) -> str:
        return self.typed or self.text


def lines_of(text: str) -> list[Written]:
    """All lines of a turn sheet, with those that are empty or a comment."""
    lines: list[Written] = []
    gap = True
    for number, line in enumerate(text.splitlines(), 1):
        lines.append(Written(number, line.rstrip(), gap))
        gap = not line.strip()
    return lines


def verb_of(line: str) -> str | None:
    """The verb a line begins with, whatever the case of its letters; None without anything behind it."""
    first, _, rest = line.strip().partition(" ")
    verb = first.lower().rstrip(":")
    return verb if verb in NAMES and rest.strip() else None


def meant_verb(line: str) -> str | None:
    """The verb that the first word is a slip of."""
    first, _, rest = line.strip().partition(" ")
    said = first.lower().strip(".,;:!*_()[]")
    if not said or not rest.strip() or len(said) > 12:
        return None
    return next((name for name in NAMES if _is_slip(said, name)), None)


def acts(line: str) -> bool:
    """Whether a line is meant as a line of a turn, by its own words and without any knowledge of the game."""
    if _ACTED.search(line):
        return True
    return (verb_of(line) or meant_verb(line)) is not None and bool(_EVIDENCE.search(line))


def starts_with_path(line: str) -> bool:
    return _STARTS_WITH_PATH.match(line) is not None


def speaks_of(line: str, names: Collection[str]) -> bool:
    """Whether one of these names stands in it; of names without a digit, exactly as they are spelled."""
    return any(word in names or _folded(word) in names for word in re.split(r"[\s+,:;()>]+", line) if word)


def names_to_find(names: Collection[str]) -> frozenset[str]:
    return frozenset(name if name.isalpha() else _folded(name) for name in names)


def _folded(word: str) -> str:
    """Case counts in a name of letters alone, which may be a word of a language too."""
    word = word.strip(".,;:!?\"'")
    return word if word.isalpha() else word.lower()


def _is_slip(said: str, name: str) -> bool:
    if said == name:
        return True
    if abs(len(said) - len(name)) > 2:
        return False
    if len(name) <= _SHORT:
        return len(said) == len(name) and sorted(said) == sorted(name)
    return slips(said, name) <= (1 if len(name) <= 5 else 2)


def slips(one: str, other: str) -> int:
    """How many letters are left out, put in, changed, or exchanged with their neighbour."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and (a, one[i - 2]) == (other[j - 2], b):
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
