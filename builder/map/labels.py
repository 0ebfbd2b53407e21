"""Finding room: names beside their symbols, along rivers, across seas, so that nothing overlaps."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from builder.map.curves import Path, at, measure
from builder.map.frame import Frame
from builder.map.ink import Mark
from builder.map.lettering import Box, Glyph, Label, box_at, extent
from builder.map.palette import Color
from fieldpost.hexes import Hex

_BUCKET = 96
_SOFT_PX = 4


class Room:
    """What is taken on the map: boxes that no name may touch, and lines that it had better not."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._taken: dict[tuple[int, int], list[tuple[Box, str]]] = defaultdict(list)
        self._buckets_of: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self._soft = Image.new("L", (frame.width // _SOFT_PX + 1, frame.height // _SOFT_PX + 1))
        self._sums: np.ndarray | None = None

    def take(self, boxes: Iterable[Box], owner: str) -> None:
        for box in boxes:
            for bucket in _buckets(box):
                self._taken[bucket].append((box, owner))
                self._buckets_of[owner].add(bucket)

    def release(self, owner: str) -> None:
        for bucket in self._buckets_of.pop(owner, ()):
            held = self._taken[bucket]
            held[:] = [item for item in held if item[1] != owner]

    def avoid(self, marks: Iterable[Mark], weight: int) -> None:
        """Lines that names had better not cross."""
        pen = ImageDraw.Draw(self._soft)
        for mark in marks:
            points = [(x / _SOFT_PX, y / _SOFT_PX) for x, y in mark.points]
            if len(points) > 1:
                pen.line(points, fill=weight, width=max(1, round(mark.width / _SOFT_PX)))
        self._sums = None

    def free(self, box: Box) -> bool:
        return not any(
            overlap(box, other) for bucket in _buckets(box) for other, _ in self._taken.get(bucket, ())
        )

    def inside(self, box: Box) -> bool:
        """Whether a box lies on the map's hexes with all its edge."""
        left, top, right, bottom = box
        pad = 2 * self.frame.unit
        if self.frame.surely_holds(left - pad, top - pad, right + pad, bottom + pad):
            return True
        return all(h in self.frame.hexes for h in self._under(box))

    def touches(self, box: Box) -> bool:
        """Whether a box lies on the map's hexes with some of its edge."""
        return any(h in self.frame.hexes for h in self._under(box))

    def _under(self, box: Box) -> Iterator[Hex]:
        left, top, right, bottom = box
        across, down = ((b - a) / (0.4 * self.frame.hex_px) for a, b in ((left, right), (top, bottom)))
        pad = 2 * self.frame.unit
        for x in _evenly(left - pad, right + pad, max(2, int(across) + 1)):
            for y in _evenly(top - pad, bottom + pad, max(2, int(down) + 1)):
                yield self.frame.layout.at(x, y)

    def burden(self, box: Box) -> float:
        """How much a box covers of what it had better not, from 0 to 1 and more."""
        if self._sums is None:
            values = np.asarray(self._soft, np.float64) / 255
            self._sums = np.pad(values.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        rows, columns = self._sums.shape
        x0, y0 = (max(0, int(v // _SOFT_PX)) for v in box[:2])
        x1, y1 = min(columns - 1, int(box[2] // _SOFT_PX) + 1), min(rows - 1, int(box[3] // _SOFT_PX) + 1)
        x0, y0 = min(x0, x1), min(y0, y1)
        s = self._sums
        return float(s[y1, x1] - s[y0, x1] - s[y1, x0] + s[y0, x0]) * 0.35


def _evenly(first: float, last: float, count: int) -> list[float]:
    step = (last - first) / (count - 1)
    return [*(first + step * index for index in range(count - 1)), last]


def _buckets(box: Box) -> Iterator[tuple[int, int]]:
    for column in range(int(box[0] // _BUCKET), int(box[2] // _BUCKET) + 1):
        for row in range(int(box[1] // _BUCKET), int(box[3] // _BUCKET) + 1):
            yield column, row


def overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _on_sheet(room: Room, box: Box) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= room.frame.width and box[3] <= room.frame.height


def collisions(labels: Sequence[Label], symbols: Sequence[Box], frame: Frame) -> list[str]:
    """Every overlap of labels with each other or with symbols, and every label that leaves the map."""
    room = Room(frame)
    found = []
    held: dict[tuple[int, int], list[tuple[Box, str]]] = defaultdict(list)
    for box in symbols:
        for bucket in _buckets(box):
            held[bucket].append((box, "a symbol"))
    for label in labels:
        within = _on_sheet if label.kind == "edge" else Room.inside
        if not all(within(room, box) for box in label.boxes):
            found.append(f"{label.kind} {label.text!r} leaves the map")
        hit = {name for b in label.boxes for k in _buckets(b) for other, name in held[k] if overlap(b, other)}
        found += [f"{label.kind} {label.text!r} overlaps {name}" for name in sorted(hit)]
        for box in label.boxes:
            for bucket in _buckets(box):
                held[bucket].append((box, f"{label.kind} {label.text!r}"))
    return found


# --- names beside symbols -----------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """A name that wants to stand beside a symbol."""

    text: str
    face: str
    size: float
    rank: int
    center: tuple[float, float]
    reach: Box  # the symbol with its badges
    color: Color
    halo: Color
    halo_px: float


def place_names(requests: Sequence[Request], room: Room, rounds: int = 14) -> tuple[list[Label], list[str]]:
    """A place for every name; those that found none try again first. Returns what found none, too."""
    order = sorted(requests, key=lambda r: (r.rank, -len(r.text), r.text, r.center))
    best: tuple[list[Label], list[Request]] = ([], list(order))
    for _ in range(rounds):
        done, failed = _place_all(order, room)
        if len(failed) < len(best[1]):
            best = (done, failed)
        for index in range(len(order)):
            room.release(f"name {index}")
        if not failed:
            break
        order = [*failed, *(r for r in order if r not in failed)]
    for index, label in enumerate(best[0]):
        room.take(label.boxes, f"name {index}")
    return best[0], [request.text for request in best[1]]


def _place_all(order: Sequence[Request], room: Room) -> tuple[list[Label], list[Request]]:
    done: list[Label] = []
    failed: list[Request] = []
    for index, request in enumerate(order):
        label = _best(request, room)
        if label is None:
            failed.append(request)
        else:
            done.append(label)
            room.take(label.boxes, f"name {index}")
    return done, failed


def _best(request: Request, room: Room) -> Label | None:
    for shrink in (1.0, 0.9, 0.82):
        scored: list[tuple[float, tuple[Glyph, ...], tuple[Box, ...]]] = []
        for cost, lines in _candidates(request, shrink):
            if scored and cost > min(item[0] for item in scored):
                break
            boxes = [box_at(g.text, request.face, request.size * shrink, g.x, g.y) for g in lines]
            if all(room.free(box) for box in boxes) and all(room.inside(box) for box in boxes):
                scored.append((cost + sum(map(room.burden, boxes)), lines, tuple(boxes)))
        if scored:
            _, lines, boxes_found = min(scored, key=lambda item: item[0])
            return Label(
                request.text, "place", lines, request.face, request.size * shrink,
                request.color, request.halo, request.halo_px, boxes_found,
            )  # fmt: skip
    return None


_SIDES = (
    (1, 0, 0),
    (-1, 0, 1.5),
    (0, 1, 1),
    (0, -1, 1.2),
    (1, -1, 0.6),
    (1, 1, 0.8),
    (-1, -1, 1.8),
    (-1, 1, 2),
)


def _candidates(request: Request, shrink: float) -> Iterator[tuple[float, tuple[Glyph, ...]]]:
    """Places for a name from the best to the worst: eight sides, nearer and farther, in one or two lines."""
    size = request.size * shrink
    left, top, right, bottom = request.reach
    for gap in (4, 8, 13, 19, 26, 34, 44):
        for split, lines in enumerate(_splits(request.text)):
            widths = [extent(line, request.face, size) for line in lines]
            width = max(w for w, _, _ in widths)
            above, below = max(a for _, a, _ in widths), max(b for _, _, b in widths)
            pitch = (above + below) * 1.08
            height = pitch * (len(lines) - 1)
            for sx, sy, dislike in _SIDES:
                for slide in (0.0, -0.35, 0.35, -0.7, 0.7):
                    x = (
                        (right + gap + width / 2, left - gap - width / 2)[sx < 0]
                        if sx
                        else (left + right) / 2
                    )
                    y = (
                        (bottom + gap * 0.7 + above, top - gap * 0.7 - below - height)[sy < 0]
                        if sy
                        else request.center[1] - height / 2
                    )
                    if sx and sy:
                        x -= sx * (0.55 * (right - left) / 2 + gap * 0.5)
                        y -= sy * 0.2 * (bottom - top)
                    x, y = (x + slide * width, y) if sx == 0 else (x, y + slide * 1.6 * size)
                    cost = dislike + gap * 0.55 + abs(slide) * 4 + split * 3 + (1 - shrink) * 30
                    yield cost, tuple(Glyph(line, x, y + i * pitch) for i, line in enumerate(lines))


def _splits(text: str) -> list[tuple[str, ...]]:
    """The name in one line and, where it has a joint, in two."""
    found: list[tuple[str, ...]] = [(text,)]
    for index, letter in enumerate(text):
        if letter in " -" and 2 <= index < len(text) - 2:
            found.append((text[: index + (letter == "-")], text[index + 1 :]))
    return found


# --- names along a course -----------------------------------------------------------------------


@dataclass(frozen=True)
class Lettering:
    """How a name along a line or across a region is written."""

    kind: str
    face: str
    size: float
    spacing: float  # extra between letters, as a share of the size
    color: Color
    halo: Color | None
    halo_px: float


def along(
    text: str, path: Path, style: Lettering, room: Room, aside_px: float, every_px: float
) -> list[Label]:
    """A name along a river, again after every so many pixels, where it is straight and there is room."""
    soft = _soften(path, style.size * 1.6)
    total = float(measure(soft)[-1])
    advance = _advances(text, style)
    length = advance[-1][1]
    if total < length * 1.15:
        return []
    found: list[tuple[float, Label]] = []
    starts = np.arange(0.04 * total, total - length, max(8.0, style.size * 1.3))
    for start, x, y, angles, bend in _stretches(soft, starts, advance):
        if bend > 0.55:
            continue
        for side in (-1, 1):
            glyphs = _aside(text, x, y, angles, side * aside_px)
            boxes = tuple(_letter_box(g, style) for g in glyphs)
            if all(room.free(b) and room.inside(b) for b in boxes):
                middle = abs((start + length / 2) / total - 0.5)
                cost = bend * 6 + middle * 3 + sum(map(room.burden, boxes)) * 0.8 + (side > 0) * 0.3
                found.append((cost, _label(text, style, glyphs, boxes)))
    return _apart(found, room, every_px)


def _apart(found: list[tuple[float, Label]], room: Room, every_px: float) -> list[Label]:
    """The best of the candidates, and further ones far enough away."""
    chosen: list[Label] = []
    for _, label in sorted(found, key=lambda item: item[0]):
        x, y = label.glyphs[len(label.glyphs) // 2].x, label.glyphs[len(label.glyphs) // 2].y
        if all(math.hypot(x - o.glyphs[0].x, y - o.glyphs[0].y) > every_px for o in chosen):
            chosen.append(label)
            room.take(label.boxes, f"{label.kind} {label.text}")
    return chosen


def _label(text: str, style: Lettering, glyphs: tuple[Glyph, ...], boxes: tuple[Box, ...]) -> Label:
    return Label(
        text, style.kind, glyphs, style.face, style.size, style.color, style.halo, style.halo_px, boxes
    )


def _soften(path: Path, reach_px: float) -> Path:
    """A calmer course for letters than that of the river itself."""
    lengths = measure(path)
    count = max(3, int(lengths[-1] / 4))
    even = at(path, np.linspace(0, lengths[-1], count))
    reach = max(1, min(int(reach_px / 4), count // 3))
    kernel = np.hanning(2 * reach + 3)[1:-1]
    kernel /= kernel.sum()
    padded = np.concatenate(
        [2 * even[:1] - even[reach:0:-1], even, 2 * even[-1:] - even[-2 : -reach - 2 : -1]]
    )
    return np.stack([np.convolve(padded[:, i], kernel, "valid") for i in (0, 1)], axis=1)


def _advances(text: str, style: Lettering) -> list[tuple[float, float]]:
    """Where each letter begins and ends along the line."""
    found, position = [], 0.0
    for letter in text:
        width = extent(letter, style.face, style.size)[0]
        found.append((position, position + width))
        position += width + style.spacing * style.size
    return found


Letters = NDArray[np.float64]  # a number for each letter of a text


def _stretches(
    path: Path, starts: Letters, advance: list[tuple[float, float]]
) -> Iterator[tuple[float, Letters, Letters, Letters, float]]:
    """For each start along a course: it, where the letters stand from there on, their angles, read from
    the left, and how much the stretch bends."""
    length = advance[-1][1]
    middles = np.array([(a + b) / 2 for a, b in advance])
    lengths = measure(path)

    def across(distances: Letters) -> Letters:
        return np.interp(distances, lengths, path[:, 0])

    def down(distances: Letters) -> Letters:
        return np.interp(distances, lengths, path[:, 1])

    forward = across(starts + length) >= across(starts)
    distances = starts[:, None] + np.where(forward[:, None], middles, length - middles)
    way = np.where(forward, 1, -1)[:, None]
    x_way = (across(distances + 5) - across(distances - 5)) * way
    y_way = (down(distances + 5) - down(distances - 5)) * way
    angles = np.unwrap(np.arctan2(y_way, x_way), axis=1)
    bend = np.ptp(angles, axis=1) + np.abs(np.diff(angles, axis=1)).max(axis=1, initial=0) * 1.5
    steep = np.maximum(0.0, np.abs(angles).max(axis=1) - 1.2)
    bends = bend * 0.5 + steep * 0.4
    for index, start in enumerate(starts.tolist()):
        yield (
            start,
            across(distances[index]),
            down(distances[index]),
            angles[index],
            float(bends[index]),
        )


def _aside(text: str, x: Letters, y: Letters, angles: Letters, aside_px: float) -> tuple[Glyph, ...]:
    """The letters of a stretch, moved to one side of the course."""
    beside_x, beside_y = x + np.sin(angles) * aside_px, y - np.cos(angles) * aside_px
    return tuple(
        Glyph(letter, px, py, angle)
        for letter, px, py, angle in zip(
            text, beside_x.tolist(), beside_y.tolist(), angles.tolist(), strict=True
        )
        if letter != " "
    )


def _letter_box(glyph: Glyph, style: Lettering) -> Box:
    width, above, below = extent(glyph.text, style.face, style.size)
    cos, sin = abs(math.cos(glyph.angle)), abs(math.sin(glyph.angle))
    half = max(above, below)
    reach_x, reach_y = width / 2 * cos + half * sin, width / 2 * sin + half * cos
    return glyph.x - reach_x, glyph.y - reach_y, glyph.x + reach_x, glyph.y + reach_y


# --- names across a region ----------------------------------------------------------------------


def across(
    text: str, spots: Sequence[tuple[float, float]], style: Lettering, room: Room, fits: Callable[[Box], bool]
) -> Label | None:
    """A name written level and wide in a region, as near to the first spots as there is room."""
    for spread in (1.0, 0.6, 0.25):
        wide = Lettering(**{**style.__dict__, "spacing": style.spacing * spread})
        advance = _advances(text, wide)
        length = advance[-1][1]
        best: tuple[float, Label] | None = None
        for rank, (x, y) in enumerate(spots):
            if best is not None and rank * 0.15 > best[0]:
                break
            glyphs = tuple(
                Glyph(letter, x - length / 2 + (a + b) / 2, y)
                for letter, (a, b) in zip(text, advance, strict=True)
                if letter != " "
            )
            boxes = tuple(_letter_box(g, wide) for g in glyphs)
            whole = (boxes[0][0], boxes[0][1], boxes[-1][2], boxes[-1][3])
            if fits(whole) and all(room.free(b) for b in boxes):
                cost = rank * 0.15 + sum(map(room.burden, boxes))
                if best is None or cost < best[0]:
                    best = (cost, _label(text, wide, glyphs, boxes))
        if best is not None:
            room.take(best[1].boxes, f"{style.kind} {text}")
            return best[1]
    return None
