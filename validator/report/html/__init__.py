"""The HTML report: a game on its map, step by step, in one file."""

from validator.report.html.frames import Chapter
from validator.report.html.page import Note, Passage, fill, render, write

__all__ = ["Chapter", "Note", "Passage", "fill", "render", "write"]
