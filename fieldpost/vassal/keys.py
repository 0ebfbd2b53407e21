"""Key strokes and colours as VASSAL writes them."""

from __future__ import annotations

from typing import NamedTuple

SHIFT, CTRL, ALT = 65, 130, 520
_NAMED = 57344


class KeyStroke(NamedTuple):
    """`code,modifiers` with Java's codes, or a name no keyboard can type."""

    code: int
    modifiers: int = 0
    name: str = ""

    def __str__(self) -> str:
        short = f"{self.code},{self.modifiers}"
        return f"{short},{self.name}" if self.name else short

    @classmethod
    def parse(cls, text: str) -> KeyStroke | None:
        """Read a key stroke; none and nonsense are None, a single letter is Ctrl with it (old files)."""
        if not text:
            return None
        code, comma, rest = text.partition(",")
        if not comma:
            return cls(ord(text[0].upper()), CTRL)
        modifiers, _, name = rest.partition(",")
        try:
            return cls(int(code), int(modifiers), name)
        except ValueError:
            return None


def key(letter: str, modifiers: int = 0) -> KeyStroke:
    return KeyStroke(ord(letter.upper()), modifiers)


def ctrl(letter: str) -> KeyStroke:
    return key(letter, CTRL)


def ctrl_shift(letter: str) -> KeyStroke:
    return key(letter, CTRL + SHIFT)


def alt(letter: str) -> KeyStroke:
    return key(letter, ALT)


def named(name: str) -> KeyStroke:
    """A key stroke known by its name only; `name` without comma."""
    return KeyStroke(_NAMED, 0, name)


Colour = tuple[int, ...]


def colour(text: str) -> Colour | None:
    """Read `r,g,b` or `r,g,b,a`; none and nonsense are None."""
    try:
        parts = tuple(int(part) for part in text.split(","))
    except ValueError:
        return None
    return parts if len(parts) in (3, 4) else None


def number(value: float) -> str:
    """Write a number the way Java prints a double, for the sizes that occur in modules."""
    return repr(float(value))
