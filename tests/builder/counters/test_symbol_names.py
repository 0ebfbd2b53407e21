"""What a definition may call a symbol is what can be drawn."""

from __future__ import annotations

from builder.counters.symbols import SIGNS, SYMBOLS
from fieldpost.definition import symbols


def test_every_symbol_that_a_definition_may_name_is_drawn_and_no_other() -> None:
    assert SYMBOLS.keys() == symbols.UNIT_SYMBOLS
    assert SIGNS.keys() == symbols.SIGNS
