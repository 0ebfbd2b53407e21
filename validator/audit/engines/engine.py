"""What every engine does, and what goes wrong with a single item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Protocol, TypeVar

from fieldpost.errors import FieldpostError

W = TypeVar("W")
R = TypeVar("R")
_ALONE = Lock()


@dataclass(frozen=True)
class Failed:
    """Why an item has no result. After a `fatal` one its process is not used again."""

    why: str
    fatal: bool = False


class Engine(Protocol):
    def map(self, do: Callable[[W], R], works: Iterable[W]) -> Iterator[tuple[W, R | Failed]]:
        """Each item with its result, as they are done. Closing the iterator stops what is under way."""
        ...

    def close(self) -> None: ...


def attempt(do: Callable[[W], R], work: W) -> R | Failed:
    """The result, or why there is none; one at a time in a process, whatever threads it has."""
    with _ALONE:
        try:
            return do(work)
        except FieldpostError as error:
            return Failed(error.message)
        except MemoryError:
            return Failed("needs more memory than it may have", fatal=True)
        except Exception as error:  # whatever is wrong with one game, the others go on
            return Failed(f"the program stumbled over it ({type(error).__name__})")


def too_long(seconds: float) -> Failed:
    return Failed(f"took longer than {seconds:,.0f} seconds", fatal=True)
