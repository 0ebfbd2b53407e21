"""What goes to the terminal: no character in it that a terminal would obey instead of show."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator
from typing import Any, TextIO

BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{BIDI}]")
_CONTROL_BUT_COLOURS = re.compile(rf"\x1b\[[0-9;]{{0,12}}m|{_CONTROL.pattern}")


def printable(text: str) -> str:
    """The text with `?` for what would move the cursor, ring, or turn the writing round."""
    return _CONTROL.sub("?", text)


class Printable:
    """A stream that shows what it is given; on a terminal, our own colours go through."""

    def __init__(self, unfiltered: TextIO) -> None:
        self.unfiltered = unfiltered
        self._coloured = unfiltered.isatty()

    def write(self, text: str) -> int:
        if self._coloured:
            shown = _CONTROL_BUT_COLOURS.sub(lambda one: one[0] if len(one[0]) > 1 else "?", text)
        else:
            shown = printable(text)
        self.unfiltered.write(shown)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unfiltered, name)


@contextlib.contextmanager
def filtered() -> Iterator[None]:
    """Standard output and error pass through a filter meanwhile."""
    out, err = Printable(sys.stdout), Printable(sys.stderr)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


def unfiltered_errors() -> TextIO:
    """Where a progress bar is drawn."""
    stream: TextIO = getattr(sys.stderr, "unfiltered", sys.stderr)
    return stream
