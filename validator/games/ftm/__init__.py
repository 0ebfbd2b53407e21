"""For the Motherland!: its rules, a module for each chapter of the rulebook, in its order.

Importing the package imports every chapter; each registers its rules in `book.RULES`.
"""

from importlib import import_module
from pkgutil import iter_modules

from validator.games.ftm.book import RULES

for _chapter in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_chapter}")

__all__ = ["RULES"]
