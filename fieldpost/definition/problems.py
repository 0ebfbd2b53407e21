"""What is wrong with a definition, where, and what was meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fieldpost.errors import FieldpostError

_WIDEST = 100


@dataclass(frozen=True, order=True)
class Problem:
    """One fault. Lines and columns count from 1; line 0 means the file as a whole."""

    file: str
    line: int
    column: int
    message: str
    expected: str | None = None
    nearest: str | None = None
    text: str = ""  # the line itself

    def __str__(self) -> str:
        parts = [
            f"{self.file}:{self.line}:{self.column}: {self.message}" if self.line else self._whole_file()
        ]
        if self.text:
            parts += self._caret()
        if self.expected:
            parts.append(f"    expected: {self.expected}")
        if self.nearest:
            parts.append(f"    did you mean: {self.nearest}")
        return "\n".join(parts)

    def _whole_file(self) -> str:
        return f"{self.file}: {self.message}"

    def _caret(self) -> list[str]:
        """The line with a mark under the column; of a very long line, the stretch around it."""
        start = 0 if self.column <= _WIDEST - 20 else self.column - _WIDEST // 2
        shown = self.text[start : start + _WIDEST].replace("\t", " ").rstrip()
        return [f"    {shown}", "    " + " " * (self.column - 1 - start) + "^"]


class DefinitionError(FieldpostError):
    """A definition with faults: all of them, in the order of files and lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems), key=_place))
        count = len(self.problems)
        summary = "one fault" if count == 1 else f"{count} faults"
        shown = "\n".join(map(str, self.problems))
        super().__init__(f"the definition cannot be used: {summary}\n{shown}")


def _place(problem: Problem) -> tuple[str, int, int, str]:
    return problem.file, problem.line, problem.column, problem.message


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like this one, if any is."""
    from difflib import get_close_matches

    choices = {k.lower(): k for k in known}
    near = get_close_matches(word.lower(), choices, n=1, cutoff=0.6)
    return choices[near[0]] if near else None


def listing(words: Iterable[str], most: int = 12) -> str:
    """Words as a sentence shows them: a, b or c; of very many, the first."""
    words = [str(w) for w in words]
    if len(words) > most:
        return ", ".join(words[:most]) + f" ... ({len(words)} in all)"
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
