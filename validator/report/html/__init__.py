"""The HTML report: a game on its map, step by step, in one file."""

from fieldpost.pages import write
from validator.report.html.frames import Chapter
from validator.report.html.page import PAGES, Note, Passage, render

__all__ = ["PAGES", "Chapter", "Note", "Passage", "render", "write"]
