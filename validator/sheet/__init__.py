"""Turn sheets: a turn as text that can be typed, mailed and kept under version control.

The grammar is in docs/turn-sheet.md; `verbs.py` is its table.
"""

from validator.sheet.opening import Opening, write_position
from validator.sheet.reader import Sheet, expand, read, read_lines
from validator.sheet.tokens import SheetError
from validator.sheet.writer import line, write

__all__ = [
    "Opening",
    "Sheet",
    "SheetError",
    "expand",
    "line",
    "read",
    "read_lines",
    "write",
    "write_position",
]
