"""Where title, key, turn track and holding boxes go: empty corners of the sheet first, then a strip below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from builder.map.frame import Frame

CELL = 16
GAP = 22
MOST_GAP = 150  # between panels of a row that is pulled apart to fill its block


@dataclass(frozen=True)
class Region:
    left: int
    top: int
    width: int
    height: int


@lru_cache(maxsize=4)
def empty_regions(frame: Frame, most: int = 4) -> tuple[Region, ...]:
    """The largest empty rectangles of the sheet, clear of every hex, one after the other."""
    columns, rows = frame.width // CELL, frame.height // CELL
    taken = [[False] * columns for _ in range(rows)]
    clear = 0.30 * frame.hex_px
    for h in frame.ordered:
        corners = frame.layout.corners(h)
        left, right = min(x for x, _ in corners) - clear, max(x for x, _ in corners) + clear
        top, bottom = min(y for _, y in corners) - clear, max(y for _, y in corners) + clear
        for row in range(max(0, int(top // CELL)), min(rows, int(bottom // CELL) + 1)):
            for column in range(max(0, int(left // CELL)), min(columns, int(right // CELL) + 1)):
                taken[row][column] = True
    found = []
    for _ in range(most):
        region = _largest(taken, columns, rows)
        if region.width < 12 or region.height < 7:
            break
        found.append(Region(region.left * CELL, region.top * CELL, region.width * CELL, region.height * CELL))
        for row in range(region.top, region.top + region.height):
            taken[row][region.left : region.left + region.width] = [True] * region.width
    return tuple(found)


def _largest(taken: list[list[bool]], columns: int, rows: int) -> Region:
    """The largest rectangle without a taken cell."""
    heights = [0] * (columns + 1)
    best = Region(0, 0, 0, 0)
    for row in range(rows):
        for column in range(columns):
            heights[column] = 0 if taken[row][column] else heights[column] + 1
        stack: list[int] = []
        for column in range(columns + 1):
            while stack and heights[stack[-1]] >= heights[column]:
                height = heights[stack.pop()]
                left = stack[-1] + 1 if stack else 0
                if height * (column - left) > best.width * best.height:
                    best = Region(left, row - height + 1, column - left, height)
            stack.append(column)
    return best


@dataclass(frozen=True)
class Wish:
    """A panel that wants room."""

    id: str
    width: int
    height: int


@dataclass(frozen=True)
class Packed:
    places: dict[str, tuple[int, int]]  # left, top of each panel
    width: int
    height: int  # of the whole sheet, with a strip if one was needed

    @property
    def cost(self) -> float:
        """A small sheet is good, a long narrow one is not."""
        long, short = max(self.width, self.height), min(self.width, self.height)
        return long * short * (1 + 0.5 * max(0.0, long / short - 1.8))


def pack(groups: Sequence[Sequence[Wish]], frame: Frame) -> Packed:
    """Each group on shelves in an empty region of its own if there is one; the rest beside the map."""
    places: dict[str, tuple[int, int]] = {}
    regions = empty_regions(frame)
    open_below = {region: region for region in regions}
    left: list[Wish] = []
    for index, group in enumerate(groups):
        rest = list(group)
        for region in [*regions[index:], *regions[:index]]:
            rest, used = _shelves(rest, open_below[region], places)
            open_below[region] = replace(
                open_below[region], top=used, height=region.top + region.height - used
            )
        left += rest
    for region in regions:
        _settle(region, open_below[region].top, places)
    if not left:
        return Packed(places, frame.width, frame.height)
    packed = beside(left, frame)
    return Packed({**places, **packed.places}, packed.width, packed.height)


def beside(wishes: list[Wish], frame: Frame) -> Packed:
    """Below the map, to its right or both, whichever makes the better sheet."""
    tried = [_below(wishes, frame), *(_right(wishes, frame, share) for share in (1.0, 1.4, 1.9))]
    tried += [_around(wishes, frame, share) for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9)]
    return min(tried, key=lambda packed: packed.cost)


def _settle(region: Region, used: int, places: dict[str, tuple[int, int]]) -> None:
    """Moves what stands in a region down, away from the edge of the sheet."""
    slack = round(0.35 * (region.top + region.height - used))
    for name, (x, y) in places.items():
        if region.left <= x < region.left + region.width and region.top <= y < used:
            places[name] = (x, y + slack)


def _below(wishes: list[Wish], frame: Frame) -> Packed:
    places: dict[str, tuple[int, int]] = {}
    width = max(frame.width, max(wish.width for wish in wishes) + 2 * GAP)
    _, bottom = _shelves(wishes, Region(0, frame.height - GAP, width, 10**6), places)
    return Packed(places, width, bottom + GAP)


def _right(wishes: list[Wish], frame: Frame, share: float) -> Packed:
    """A strip to the right, as narrow as a height of so many maps allows."""
    height = max(round(share * frame.height), max(wish.height for wish in wishes) + 2 * GAP)
    width = max(wish.width for wish in wishes) + 2 * GAP
    most = sum(wish.width + GAP for wish in wishes) + 2 * GAP
    wishes = sorted(wishes, key=lambda wish: (wish.id != "title", -wish.height))
    for strip in range(width, most + 40, 40):
        for level in (0.55, 0.0):
            places: dict[str, tuple[int, int]] = {}
            rest, _ = _shelves(wishes, Region(frame.width - GAP, 0, strip, height), places, level)
            if not rest:
                return Packed(places, frame.width - GAP + strip, height)
    return _below(wishes, frame)


def _around(wishes: list[Wish], frame: Frame, share: float) -> Packed:
    """A strip to the right as high as the map, so much of its width; below, across both, the rest."""
    wishes = sorted(wishes, key=lambda wish: (wish.id != "title", -wish.height))
    strip = round(share * frame.width)
    width = frame.width - GAP + strip
    places: dict[str, tuple[int, int]] = {}
    rest, _ = _shelves(wishes, Region(frame.width - GAP, 0, strip, frame.height), places)
    if not places or any(wish.width + 2 * GAP > width for wish in rest):
        return _below(wishes, frame)
    _, bottom = _shelves(rest, Region(0, frame.height - GAP, width, 10**6), places)
    return Packed(places, width, bottom + GAP if rest else frame.height)


def _shelves(
    wishes: list[Wish], region: Region, places: dict[str, tuple[int, int]], level: float = 0.55
) -> tuple[list[Wish], int]:
    """Fills a region row by row; returns what did not fit and how far down it came.

    Panels share a row if the lower ones have at least `level` of the height of the first. The rows make
    a block with even edges in the middle of the region; one that would be pulled far apart is centred.
    """
    rest = list(wishes)
    top = region.top + GAP
    rows: list[tuple[int, list[Wish]]] = []
    while rest:
        shelf: list[Wish] = []
        used = GAP
        for wish in rest:
            fits_down = top + wish.height + GAP <= region.top + region.height
            alike = not shelf or level * shelf[0].height <= wish.height <= 1.02 * shelf[0].height
            if fits_down and alike and used + wish.width + GAP <= region.width:
                shelf.append(wish)
                used += wish.width + GAP
        if not shelf:
            break
        rows.append((top, shelf))
        top += max(wish.height for wish in shelf) + GAP
        rest = [wish for wish in rest if wish not in shelf]
    block = max((_wide(shelf) for _, shelf in rows), default=0)
    for level_px, shelf in rows:
        gap = (block - sum(wish.width for wish in shelf)) / max(1, len(shelf) - 1)
        if gap > MOST_GAP:
            gap = GAP
        whole = sum(wish.width for wish in shelf) + gap * (len(shelf) - 1)
        x = region.left + (region.width - whole) / 2
        for wish in shelf:
            places[wish.id] = (round(x), level_px)
            x += wish.width + gap
    return rest, top - GAP if rest != wishes else region.top


def _wide(shelf: Sequence[Wish]) -> int:
    return sum(wish.width for wish in shelf) + GAP * (len(shelf) - 1)
