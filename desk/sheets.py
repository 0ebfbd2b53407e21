"""A turn sheet that is being typed: what in it cannot be read."""

from __future__ import annotations

from typing import Any

from fieldpost.errors import FieldpostError
from validator import sheet
from validator.services import turnfile

MOST = 30  # faults that are told at once
NAME = "sheet"


def problems(text: str) -> list[dict[str, Any]]:
    """Every line that cannot be read: the reader stops at one, so it is left out and the rest read again."""
    found: list[dict[str, Any]] = []
    lines = text.splitlines()
    while any(line.strip() for line in lines) and len(found) < MOST:
        try:
            sheet.read("\n".join(lines), lambda game: turnfile.load_game(game, ()), NAME)
        except sheet.SheetError as error:
            found.append(_problem(error.line, error.column, error.plain, error.hint))
            if error.line > len(lines) or lines[error.line - 1].lstrip().startswith("game "):
                break
            lines[error.line - 1] = ""
        except FieldpostError as error:  # a game or scenario that is not there
            found.append(_problem(1, 1, error.message.removeprefix(f"{NAME}: "), error.hint))
            break
        else:
            break
    return sorted(found, key=lambda problem: (problem["line"], problem["column"]))


def _problem(line: int, column: int, message: str, hint: str | None) -> dict[str, Any]:
    return {"line": line, "column": column, "message": message, "hint": hint or ""}
