"""What kind of line a chat line is: typed, rolled, reported, taken back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape


@dataclass(frozen=True, slots=True)
class Line:
    """A line the program wrote; without its `* `."""

    text: str


@dataclass(frozen=True, slots=True)
class Said(Line):
    """A line typed by a player."""

    name: str


@dataclass(frozen=True, slots=True)
class Dice(Line):
    """A roll: which dice or what for, each die or the total as shown, who rolled."""

    label: str
    values: tuple[int, ...]
    name: str | None


@dataclass(frozen=True, slots=True)
class Undone(Line):
    """A line of a step taken back; `text` is the original line."""


_SAID = re.compile(r"<(?P<name>[^<>]*)> - ?(?P<text>.*)", re.DOTALL)
_SAID_NOW = re.compile(r"&lt;(?P<name>.{0,200}?)&gt; - ?(?P<text>.*)", re.DOTALL)  # VASSAL 3.6 and later
_UNDO = "* UNDO: "
_NUMBERS = r"(?P<values>-?\d+(?:\s*[,+ ]\s*-?\d+)*)"
_NAME = r"(?:\s*<(?P<name>[^<>]*)>)?"
_PROTOCOL = re.compile(rf"\[fp\] roll (?P<label>.*?\d*d\d+)\s*=\s*{_NUMBERS}")
_STARRED = re.compile(rf"\*\*+\s*(?P<label>.*?)\s*(?:=|:|\))\s*{_NUMBERS}(?![\w.]|:\d).*?\*\*+{_NAME}")
_PLAIN = re.compile(rf"(?P<label>[^=]*\d*[dD]\d+[^=]*?)\s*=\s*{_NUMBERS}(?![\w.]|:\d).*?{_NAME}\s*(?:\*+)?$")
_DICE = (_PROTOCOL, _STARRED, _PLAIN)
_LONGEST = 400
_TAG = re.compile(r"</?(?:b|i|u|p|br|font|span|div|html|body|hr|img|h\d)\b[^<>]*>", re.IGNORECASE)


def plain(text: str) -> str:
    """A line as a chat window shows it: without marks for fonts and colours."""
    return unescape(_TAG.sub("", text)) if "<" in text or "&" in text else text


def parse(line: str) -> Line:
    """Say what a chat line is."""
    if line.startswith(_UNDO):
        return Undone(line[len(_UNDO) :])
    if said := _SAID.match(line):
        return Said(said["text"], said["name"])
    if said := _SAID_NOW.match(line):
        return Said(unescape(said["text"]), unescape(said["name"]))
    short = plain(line[:_LONGEST])
    for pattern in _DICE:
        found = pattern.search(short) if pattern is _PROTOCOL else pattern.match(short.removeprefix("* "))
        if found:
            return _dice(line, found)
    return Line(line.removeprefix("* "))


_ROLLED = re.compile(r"\b(?:roll|rolls|rolled|throw|throws)\b\D{0,40}\d|\b\d*d\d+\b\D{0,40}\d", re.IGNORECASE)
_ODDS = re.compile(r"\d:\d+\s*=\s*\d+:\d")  # a battle added up: "D3 (18:3 = 6:1)" is no die of three sides


def tells_of_dice(line: str) -> bool:
    """True of a roll, and of a report in a module's own words that a die was rolled."""
    spoken = parse(line)
    if isinstance(spoken, Said | Undone):
        return False
    shown = plain(line[:_LONGEST])
    return isinstance(spoken, Dice) or (_ROLLED.search(shown) is not None and _ODDS.search(shown) is None)


def _dice(line: str, found: re.Match[str]) -> Dice:
    values = tuple(int(value) for value in re.findall(r"-?\d+", found["values"])[:200] if len(value) < 10)
    name = found["name"] if "name" in found.re.groupindex else None
    return Dice(line, found["label"].strip(" (*"), values, name)
