"""Where games, counters, maps, templates and examples lie: in the repository or in the installed wheel."""

from __future__ import annotations

from pathlib import Path

from fieldpost.errors import FieldpostError

_PACKAGE = Path(__file__).resolve().parent
KINDS = ("games", "counters", "maps", "templates", "examples")


def root() -> Path:
    """The folder that holds games/, counters/, maps/, templates/ and examples/."""
    for candidate in (_PACKAGE / "_data", _PACKAGE.parent):
        if all((candidate / kind).is_dir() for kind in KINDS):
            return candidate
    raise FieldpostError(
        "the data of fieldpost (games, maps, templates ...) is missing from this installation",
        "Install fieldpost again, or run it from a clone of the repository.",
    )


def path(kind: str, *parts: str) -> Path:
    return root().joinpath(kind, *parts)


def compiled() -> Path:
    """Where games lie that were read beforehand (`fieldpost.definition.compiled`); there may be none."""
    return root() / "compiled"
