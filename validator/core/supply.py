"""Lines of supply: from sources outwards, so that one search judges every unit of a side.

A line is traced from a unit to a source; each hex entered on the way counts its price (the first hex,
the unit's own, does not). Prices come from a `CostTable`: 1 a hex, 1/2 along a railway, 2 for a swamp.
Searching backwards from the sources gives every hex the length of its shortest line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, compress, pairwise

from validator.core.board import Board, HexId, Mask, those_in
from validator.core.breach import Breach
from validator.core.costs import CostTable, Link, Links
from validator.core.paths import Liftable, PathStep, Way
from validator.core.spread import NEVER

LENGTH = "length"


@dataclass(frozen=True)
class SupplyRules(Liftable):
    """How long a line may be and what it may not pass.

    `blocked` holds hexes no line may enter, by key: `enemy`, `zone` (without hexes a friend holds) ...
    """

    costs: CostTable
    limit: int
    blocked: Mapping[str, Mask] = field(default_factory=dict)

    @property
    def keys(self) -> tuple[str, ...]:
        """Every rule that could stand in the way."""
        blocking = (key for key, mask in self.blocked.items() if 1 in mask)
        keys = dict.fromkeys((*blocking, *sorted(self.costs.ban_keys)))
        return (*filter(self.binds, keys), LENGTH)

    @cached_property
    def closed(self) -> bytes:
        """Hexes that no line enters."""
        return self.costs.board.any_of(self.binding(self.blocked))


@dataclass(frozen=True)
class Lines:
    """The shortest line of every hex to the nearest of the sources.

    `lengths` holds NEVER where there is no line; `onward` is the next hex towards the source.
    """

    board: Board
    limit: int
    lengths: Sequence[int]
    onward: Sequence[HexId]

    def length(self, hex_id: HexId) -> int | None:
        """The length of the shortest line, even beyond the limit; None if nothing was found."""
        length = self.lengths[hex_id]
        return None if length >= NEVER else length

    def reaches(self, hex_id: HexId, times: int = 1) -> bool:
        """Whether a line of the permitted length, or so many times that, leads to a source."""
        return self.lengths[hex_id] <= self.limit * times

    def path(self, hex_id: HexId) -> tuple[HexId, ...]:
        """From the hex to its source; empty if there is no line."""
        if self.lengths[hex_id] >= NEVER:
            return ()
        path = [hex_id]
        while self.onward[path[-1]] >= 0:
            path.append(self.onward[path[-1]])
        return tuple(path)

    def source(self, hex_id: HexId) -> HexId | None:
        path = self.path(hex_id)
        return path[-1] if path else None

    def __iter__(self) -> Iterator[HexId]:
        """Hexes with a line of permitted length."""
        return (h for h, length in enumerate(self.lengths) if length <= self.limit)


def trace(rules: SupplyRules, sources: Iterable[HexId], *, times: int = 1) -> Lines:
    """Lines to any of the sources, as far as so many times the limit; 0 searches without end.

    A source in a blocked hex gives nothing.
    """
    within = rules.limit * times or NEVER - 1
    if not rules.binds(LENGTH):
        within = NEVER - 1
    closed, costs = rules.closed, rules.costs
    seeds = {s: 0 for s in sources if not closed[s]}
    key = (closed, tuple(seeds), within, rules.lifted)

    def search() -> tuple[list[int], list[HexId]]:
        return _spread(costs.reversed_links(rules.lifted), closed, seeds, within)

    return Lines(costs.board, rules.limit, *costs.lines.kept(key, search))


def _spread(
    links: Links | Sequence[tuple[Link, ...]], closed: Mask, seeds: Mapping[HexId, int], within: int
) -> tuple[list[int], list[HexId]]:
    """Hexes in the order of their distance, those alike in the order of their ids."""
    size = len(closed)
    lengths, onward = [NEVER] * size, [-1] * size
    shut = list(compress(range(size), closed))
    for h in shut:
        lengths[h] = -1  # no price is below that
    waiting: defaultdict[int, list[HexId]] = defaultdict(list)
    for h, length in seeds.items():
        lengths[h] = length
        waiting[length].append(h)
    while waiting:
        length = min(waiting)
        for h in sorted(waiting.pop(length)):
            if length > lengths[h]:
                continue
            for a, price in links[h]:
                price += length
                if price < lengths[a] and price <= within:
                    lengths[a] = price
                    onward[a] = h
                    waiting[price].append(a)
    for h in shut:
        lengths[h] = NEVER
    return lengths, onward


# --- chains and networks -----------------------------------------------------------------------


@dataclass(frozen=True)
class Chain:
    """Depots linked to a source by lines of permitted length, depot to depot.

    `paths` holds for each linked depot the line to its parent: a source or another linked depot.
    """

    board: Board
    sources: tuple[HexId, ...]
    paths: Mapping[HexId, tuple[HexId, ...]]

    def __contains__(self, depot: object) -> bool:
        return depot in self.paths

    @property
    def ends(self) -> tuple[HexId, ...]:
        """Where units may trace to: the sources and every linked depot."""
        return (*self.sources, *(d for d in self.paths if d not in self.sources))

    def links(self, depot: HexId) -> tuple[tuple[HexId, ...], ...]:
        """The lines from a depot back to a source, one after the other."""
        links = []
        while depot in self.paths:
            links.append(self.paths[depot])
            depot = self.paths[depot][-1]
        return tuple(links)


def chain(rules: SupplyRules, sources: Iterable[HexId], depots: Iterable[HexId]) -> Chain:
    """Which depots are linked to a source, directly or over other linked depots."""
    sources = tuple(sources)
    waiting = set(depots)
    paths: dict[HexId, tuple[HexId, ...]] = {}
    ends: Sequence[HexId] = sources
    while ends and waiting:
        lines = trace(rules, ends)
        ends = sorted(depot for depot in waiting if lines.reaches(depot))
        for depot in ends:
            if len(path := lines.path(depot)) > 1:
                paths[depot] = path
        waiting.difference_update(ends)
    return Chain(rules.costs.board, sources, paths)


def network(board: Board, lines: Iterable[str], sources: Iterable[HexId], closed: Mask) -> Lines:
    """Hexes joined to a source along railways (or other lines) without a gap, through no closed hex.

    The length is counted in hexes of the line; the limit is open.
    """
    seeds = {s: 0 for s in sources if not closed[s]}
    lengths, onward = _spread(board.joined(*lines), closed, seeds, NEVER - 1)
    return Lines(board, NEVER - 1, lengths, onward)


# --- explanations ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Break:
    """Rules that, if lifted, would give a unit a line; the line, and where it breaks them."""

    keys: tuple[str, ...]
    way: Way
    breaches: tuple[Breach, ...]


@dataclass(frozen=True)
class LineVerdict:
    """A unit's line to a source, or what cuts it. Cut without any break: nothing would help."""

    hex_id: HexId
    limit: int
    way: Way | None = None
    shortest: int | None = None  # the length of the shortest line, permitted or not
    breaks: tuple[Break, ...] = ()

    @property
    def supplied(self) -> bool:
        return self.way is not None

    @property
    def key(self) -> str | None:
        return self.breaks[0].keys[0] if self.breaks else None


def explain_line(rules: SupplyRules, sources: Sequence[HexId], hex_id: HexId) -> LineVerdict:
    """The line of one unit with its length part by part; or which rule, if lifted, would give one."""
    shortest = trace(rules, sources, times=0)
    if shortest.reaches(hex_id):
        way = itemise_line(rules, shortest.path(hex_id))
        return LineVerdict(hex_id, rules.limit, way, way.cost)
    return LineVerdict(
        hex_id,
        rules.limit,
        shortest=shortest.length(hex_id),
        breaks=_breaks(rules, sources, hex_id),
    )


def itemise_line(rules: SupplyRules, path: Sequence[HexId]) -> Way:
    board = rules.costs.board
    steps = (PathStep(a, b, rules.costs.step_price(board.step(a, b)).items) for a, b in pairwise(path))
    return Way(tuple(path), tuple(steps))


def _breaks(rules: SupplyRules, sources: Sequence[HexId], hex_id: HexId) -> tuple[Break, ...]:
    for size in (1, 2):
        breaks = []
        for keys in combinations(rules.keys, size):
            lines = trace(rules.lift(*keys), sources)
            if lines.length(hex_id) is not None:
                way = itemise_line(rules, lines.path(hex_id))
                breaks.append(Break(keys, way, line_breaches(rules, way)))
        if breaks:
            return tuple(sorted(breaks, key=lambda b: (b.way.cost, len(b.way.path))))
    return ()


def line_breaches(rules: SupplyRules, way: Way) -> tuple[Breach, ...]:
    """Every rule a line breaks, and the hexes where."""
    broken = {key: those_in(mask, way.path) for key, mask in rules.blocked.items()}
    board = rules.costs.board
    for a, b in pairwise(way.path):
        for key in rules.costs.step_price(board.step(a, b)).bans:
            broken[key] = (*broken.get(key, ()), b)
    breaches = [Breach(key, hexes) for key, hexes in broken.items() if hexes and rules.binds(key)]
    if way.cost > rules.limit:
        breaches.append(Breach(LENGTH, way.path[-1:]))
    return tuple(breaches)
