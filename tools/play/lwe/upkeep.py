"""Weather, supply, replacements, refits, withdrawals, conversions and the count of Land Without End."""

from __future__ import annotations

from tools.play.game import Deed

DEEDS: dict[str, Deed] = {}
"""By phase; before what is moved and fought in it."""

ENDING: tuple[Deed, ...] = ()
"""What is done after the last phase of the game."""
