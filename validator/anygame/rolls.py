"""Dice as a log reports them: which die, what fell, who rolled.

With the module at hand each dice button's own report format is read; else the forms that most modules use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape

from fieldpost.vassal import chat
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_parts import Dice

_SPELLED = re.compile(r"(\d*)[dD](\d{1,4})(?![\w])")
_VARIABLE = re.compile(r"\\\$([\w ]+?)\\\$")
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
        self._buttons = list(_patterns(module.dice)) if module else []

    def read(self, line: str) -> Roll | None:
        if line.startswith("* UNDO: "):
            return None
        plain = unescape(_TAG.sub("", line[:_LONGEST])).removeprefix("*").strip()
        for pattern, dice in self._buttons:
            found = pattern.fullmatch(plain)
            if found:
                return _of_button(found, dice)
        spoken = chat.parse(line)
        return _of_line(spoken) if isinstance(spoken, chat.Dice) else None


def _patterns(buttons: Iterable[Dice]) -> Iterable[tuple[re.Pattern[str], Dice]]:
    for dice in buttons:
        if dice.report and "{" not in dice.report and "$" in dice.report:
            yield _pattern(dice), dice


def _pattern(dice: Dice) -> re.Pattern[str]:
    """The report format as a pattern; of a variable that comes twice the first counts."""
    seen: set[str] = set()

    def group(match: re.Match[str]) -> str:
        name = match[1].replace(" ", "_")
        if match[1] == "name":
            return re.escape(dice.name)
        if name in seen or not name.isidentifier():
            return "(?:.*?)"
        seen.add(name)
        return f"(?P<{name}>.*?)"

    format = unescape(_TAG.sub("", dice.report))
    return re.compile(_VARIABLE.sub(group, re.escape(format)).strip(), re.DOTALL)


def _of_button(found: re.Match[str], dice: Dice) -> Roll:
    groups = found.groupdict()
    single = [value for name, value in sorted(groups.items()) if re.fullmatch(r"result\d+", name)]
    text = next((groups[name] for name in _RESULT if groups.get(name)), " ".join(single))
    who = next((groups[name] for name in _WHO if groups.get(name)), "")
    values = _numbers(text)
    if dice.kind in ("SpecialDiceButton", "RandomTextButton") or not values:
        faces = single or [face.strip() for face in re.split(r"[,;]", text) if face.strip()]
        return Roll(dice.name, (), tuple(faces[:_MOST_DICE]), who)
    whole = len(values) == 1 and dice.count > 1
    return Roll(dice.name, values, (), who, dice.sides, dice.count if whole else 1)


def _of_line(spoken: chat.Dice) -> Roll:
    spelled = _SPELLED.search(spoken.label)
    count, sides = (int(spelled[1] or 1), int(spelled[2])) if spelled else (1, None)
    summed = len(spoken.values) == 1 and count > 1
    return Roll(spoken.label, spoken.values, (), spoken.name or "", sides or None, count if summed else 1)


def _numbers(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[-\d\s,;+()\[\]]+", text):
        return ()
    return tuple(int(value) for value in _NUMBER.findall(text)[:_MOST_DICE])
