"""Hexes that are so many steps from others, whatever the ground costs."""

from __future__ import annotations

from collections.abc import Iterable

from validator.core.board import HexId, Mask
from validator.core.costs import Links


def hops(links: Links, sources: Iterable[HexId], most: int, open_: Mask) -> dict[HexId, HexId]:
    """The hexes within so many steps through open ones, each with the next on the way back; sources with
    themselves."""
    towards = {source: source for source in sources}
    ring = list(towards)
    while ring and most:
        most -= 1
        beyond = []
        for here in ring:
            for there, _ in links[here]:
                if open_[there] and there not in towards:
                    towards[there] = here
                    beyond.append(there)
        ring = beyond
    return towards
