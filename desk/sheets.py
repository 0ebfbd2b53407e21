"""A turn sheet that is being typed: what in it cannot be read."""

from __future__ import annotations

from typing import Any

from fieldpost.errors import FieldpostError
from validator import sheet
from validator.services import turnfile

MOST = 30  # errors that are told at once
NAME = "sheet"


def problems(text: str) -> list[dict[str, Any]]:
    if not text.strip():
        return []
    try:
        sheet.read(text, lambda game: turnfile.load_game(game, ()), NAME)
    except sheet.SheetError as error:
        return [_problem(one.line, one.column, one.plain, one.hint) for one in error.each[:MOST]]
    except FieldpostError as error:  # a game that is not there
        return [_problem(1, 1, error.message, error.hint)]
    return []


def _problem(line: int, column: int, message: str, hint: str | None) -> dict[str, Any]:
    return {"line": line, "column": column, "message": message, "hint": hint or ""}
