"""`rules.py` in the folder of a game of one's own.

It is a program and is run: only from a folder that the user named, never from one that a file names.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType
from typing import Any

from fieldpost.definition import places
from fieldpost.errors import FieldpostError
from validator.engine.case import AnyCase
from validator.engine.rulebook import Faults, Hook, Rulebook, When
from validator.model.events import Event

FILE = "rules.py"


@dataclass
class OwnRulebook(Rulebook):
    """A rulebook whose faults are reported with the line they come from."""

    path: Path = Path(FILE)

    def judge(self, hooks: Sequence[Hook], *arguments: Any) -> Faults:
        with self._guard():
            yield from super().judge(hooks, *arguments)

    def reduce(self, when: When, case: AnyCase, event: Event) -> None:
        with self._guard():
            super().reduce(when, case, event)

    def claimed(self, case: AnyCase, event: Event) -> bool:
        with self._guard():
            return super().claimed(case, event)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            raise _broken(self.path, error) from error


def folder_of(game: str | None) -> Path | None:
    """The folder of a game that is not in the box; None for one that is, or that cannot be found."""
    if game is None:
        return None
    try:
        files = places.find(game)
    except FieldpostError:
        return None
    return None if files.boxed else files.game.parent


def beside(game: str) -> bool:
    """Whether a game that nobody named a folder for has rules in Python."""
    folder = folder_of(game)
    return folder is not None and (folder / FILE).is_file()


def load(folder: Path) -> OwnRulebook | None:
    """What `rules.py` calls RULES; None if there is no such file."""
    path = folder / FILE
    if not path.is_file():
        return None
    module = ModuleType(f"{FILE} of {folder.name}")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
    except Exception as error:
        raise _broken(path, error) from error
    book = getattr(module, "RULES", None)
    if not isinstance(book, Rulebook):
        raise FieldpostError(
            f"{path}: there is no RULES in it", 'It begins with: RULES = Rulebook("the id of the game")'
        )
    book.put_reducers_in_order()
    return OwnRulebook(**{each.name: getattr(book, each.name) for each in fields(book)}, path=path)


def _broken(path: Path, error: Exception) -> FieldpostError:
    line = next(_lines(path, error), None)
    place = f"{path}:{line}" if line else str(path)
    return FieldpostError(
        f"{place}: {type(error).__name__}: {error}", "A fault in the program of these rules, not in the turn."
    )


def _lines(path: Path, error: Exception) -> Iterator[int | None]:
    """Where in the file, the innermost place first."""
    if isinstance(error, SyntaxError):
        yield error.lineno
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == str(path):
            yield frame.lineno
