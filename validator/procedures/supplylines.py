"""A way of being supplied: what ends a line, how long it may be, and how far it is from everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain

from validator.core import explain as say
from validator.core.board import Board, HexId, Mask, minus, union
from validator.core.costs import ONE, points, points_text
from validator.core.explain import Wording
from validator.core.supply import LENGTH, Lines, LineVerdict, SupplyRules, trace
from validator.engine.case import AnyCase

ANY_LENGTH = 500 * ONE  # no line is so long: there is no limit


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

    @cached_property
    def would_reach(self) -> Mask:
        """Hexes that would have a line with a unit in them: it opens a zone, takes a marker away."""
        limit, lengths, links = self.rules.limit, self.lines.lengths, self.rules.costs.links()
        mask, blocked = bytearray(length <= limit for length in lengths), self.rules.blocked
        opened = union(blocked["zone"], *(blocked[key] for key in ("marker",) if key in blocked))
        for h in self.lines.board.members(opened):
            if h in self.ends or any(lengths[b] + price <= limit for b, price in links[h]):
                mask[h] = 1
        return minus(mask, self.rules.blocked["enemy"])


def scenario_sources(case: AnyCase, board: Board, side: str) -> list[HexId]:
    """The supply sources that a scenario gives a side, of those in play."""
    own = (source.hexes for source in case.scenario.supply_sources if source.side == side)
    hexes = case.game.map.hexes_of(chain.from_iterable(own), case.scenario.sheet)
    return [board.id_of[hex_] for hex_ in hexes if hex_ in board.id_of]


def shown_line(net: Net | None, hex_id: HexId) -> tuple[Fraction | None, Fraction | None, tuple[HexId, ...]]:
    """What answers show of a unit's line: its length, the length allowed, and its hexes."""
    if net is None:
        return None, None, ()
    length = net.lines.length(hex_id)
    line = net.lines.path(hex_id) if net.lines.reaches(hex_id) else ()
    return None if length is None else points(length), points(net.rules.limit), line


def line_text(words: Wording, verdict: LineVerdict, end: Callable[[HexId], str]) -> str:
    """One sentence on why a unit has a line, or has none; `end` names what a line ends at."""
    limit = points_text(verdict.limit)
    if verdict.way is not None:
        length, goal = points_text(verdict.way.cost), end(verdict.way.path[-1])
        share = length if verdict.limit >= ANY_LENGTH else f"{length} of {limit}"
        return f"{share} hexes to {goal}: {say.way_text(words, verdict.way)}".rstrip(": ")
    if not verdict.breaks:
        return "nothing that could supply it can be reached by any line"
    cut = verdict.breaks[0]
    goal, length = end(cut.way.path[-1]), points_text(cut.way.cost)
    reasons = [say.breach_text(words, b) for b in cut.breaches if b.key != LENGTH]
    text = f"{length} hexes to {goal}, {limit} allowed"
    if reasons:
        text = f"the line of {text.replace(', ', ' (', 1)}) is cut: {'; '.join(reasons)}"
    return f"{text}: {say.way_text(words, cut.way)}"


def line_evidence(board: Board, verdict: LineVerdict) -> Iterator[tuple[str, object]]:
    yield "allowed", str(points(verdict.limit))
    if verdict.shortest is not None:
        yield "length", str(points(verdict.shortest))
    way = verdict.way or (verdict.breaks[0].way if verdict.breaks else None)
    if way is not None:
        yield "line", [board.hexes[h] for h in way.path]
