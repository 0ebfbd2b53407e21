"""Land Without End: its rules, a module for each chapter of the rulebook, in its order.

Each registers its rules in `book.RULES`; `validator.engine.rulebook.load` imports them all.
"""

from validator.games.lwe.book import RULES

__all__ = ["RULES"]
