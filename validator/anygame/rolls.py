"""Dice as a log reports them: which die, what fell, who rolled.

With the module at hand each dice button's own report format is read; else the forms that most modules use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape

from fieldpost.vassal import chat
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_parts import Dice

_SPELLED = re.compile(r"(\d*)[dD](\d{1,4})(?![\w])")
_VARIABLE = re.compile(r"\$([\w ]{1,40})\$")
_NUMBER = re.compile(r"-?\d{1,9}")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_LONGEST = 400
_MOST_DICE = 200
_RESULT = ("result", "numericalTotal", "total")
_WHO = ("PlayerName", "playerName", "PlayerSide", "playerSide")


@dataclass(frozen=True)
class Roll:
    """`sides` is None where nothing tells it. Of more than one in `dice` each value is a sum."""

    die: str
    values: tuple[int, ...]
    faces: tuple[str, ...] = ()
    who: str = ""
    sides: int | None = None
    dice: int = 1

    @property
    def shown(self) -> str:
        return ", ".join(self.faces or map(str, self.values))


class RollReader:
    """Finds the rolls among the chat lines of one module's logs."""

    def __init__(self, module: Module | None = None) -> None:
        self._formats = list(_formats(module.dice)) if module else []

    def among(self, lines: Iterable[str]) -> tuple[Roll, ...]:
        return tuple(filter(None, map(self.read, lines)))

    def read(self, line: str) -> Roll | None:
        if line.startswith("* UNDO: "):
            return None
        whole = line[:_LONGEST]
        for text in dict.fromkeys((_TAG.sub("", whole), whole)):  # a name between < and > looks like a tag
            plain = unescape(text).removeprefix("*").strip()
            for format in self._formats:
                found = format.match(plain)
                if found is not None:
                    return _of_button(found, format.dice)
        spoken = chat.parse(line)
        return _of_line(spoken) if isinstance(spoken, chat.Dice) else None


@dataclass(frozen=True)
class _Format:
    """A button's report format: texts that are fixed, and the names of what stands between them."""

    dice: Dice
    texts: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, dice: Dice) -> _Format:
        plain = unescape(_TAG.sub("", dice.report)).replace("$name$", dice.name).strip()
        parts = _VARIABLE.split(plain)
        return cls(dice, tuple(parts[::2]), tuple(parts[1::2]))

    def match(self, line: str) -> dict[str, str] | None:
        """What stands for each name; each text is looked for once, so that no line takes long."""
        if not line.startswith(self.texts[0]):
            return None
        found: dict[str, str] = {}
        at = len(self.texts[0])
        for number, (name, text) in enumerate(zip(self.names, self.texts[1:], strict=True), 2):
            last = number == len(self.texts)
            end = line.find(text, at) if text and not last else len(line) - len(text)
            if end < at or not line.startswith(text, end):
                return None
            found.setdefault(name, line[at:end])
            at = end + len(text)
        return found if at == len(line) else None


def _formats(buttons: Iterable[Dice]) -> Iterator[_Format]:
    for dice in buttons:
        if "$" in dice.report and "{" not in dice.report:
            yield _Format.of(dice)


def _of_button(found: dict[str, str], dice: Dice) -> Roll:
    single = [value for name, value in sorted(found.items()) if re.fullmatch(r"result\d+", name)]
    text = _first(found, _RESULT) or " ".join(single)
    who = _first(found, _WHO)
    values = _numbers(text)
    symbols = dice.kind in ("SpecialDiceButton", "RandomTextButton") and not dice.numbered
    if symbols or not values:
        faces = single or [face.strip() for face in re.split(r"[,;]", text) if face.strip()]
        return Roll(dice.name, (), tuple(faces[:_MOST_DICE]), who)
    whole = len(values) == 1 and dice.count > 1
    return Roll(dice.name, values, (), who, dice.sides, dice.count if whole else 1)


def _first(found: Mapping[str, str], names: Iterable[str]) -> str:
    """Of these names that which says something."""
    return next(filter(None, map(found.get, names)), "")


def _of_line(spoken: chat.Dice) -> Roll:
    spelled = _SPELLED.search(spoken.label)
    count, sides = (int(spelled[1] or 1), int(spelled[2])) if spelled else (1, None)
    summed = len(spoken.values) == 1 and count > 1
    return Roll(spoken.label, spoken.values, (), spoken.name or "", sides or None, count if summed else 1)


def _numbers(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[-\d\s,;+()\[\]]+", text):
        return ()
    return tuple(int(value) for value in _NUMBER.findall(text)[:_MOST_DICE])
