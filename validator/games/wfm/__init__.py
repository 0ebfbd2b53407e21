"""War for the Motherland: its rules, a module for each chapter of the rulebook, in its order.

Each registers its rules in `book.RULES`; `validator.engine.rulebook.load` imports them all.
"""

from validator.games.wfm.book import RULES

__all__ = ["RULES"]
