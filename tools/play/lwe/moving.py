"""Moving in Land Without End."""

from __future__ import annotations

from tools.play.game import Deed

DEEDS: dict[str, Deed] = {}
