"""A way of being supplied: what ends a line, how long it may be, and how far it is from everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from validator.core.board import HexId, both
from validator.core.supply import Lines, SupplyRules, trace


@dataclass(frozen=True)
class Net:
    by: str  # base, depot, headquarters, sea
    rules: SupplyRules
    ends: tuple[HexId, ...]
    lines: Lines

    @classmethod
    def of(cls, by: str, rules: SupplyRules, ends: Iterable[HexId]) -> Net:
        ends = tuple(dict.fromkeys(ends))
        return cls(by, rules, ends, trace(rules, ends, times=2))

    def would_reach(self) -> bytearray:
        """Hexes that would have a line with a unit in them: a unit opens an enemy zone for itself."""
        mask = bytearray(1 if length <= self.rules.limit else 0 for length in self.lines.lengths)
        links, lengths = self.rules.costs.links(), self.lines.lengths
        for h in self.lines.board.members(self.rules.blocked["zone"]):
            if h in self.ends or any(lengths[b] + price <= self.rules.limit for b, price in links[h]):
                mask[h] = 1
        return bytearray(both(mask, bytes(0 if e else 1 for e in self.rules.blocked["enemy"])))
