"""A plain picture of a map in the making, for the eye of whoever works on it."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image, ImageDraw, ImageFont

from fieldpost.hexes import Hex, Hexside
from tools.mapgen.model import Draft

Colour = tuple[int, int, int]
TERRAIN: Mapping[str, Colour] = {
    "clear": (238, 230, 200),
    "forest": (156, 190, 130),
    "woods": (156, 190, 130),
    "high-mountain": (140, 112, 90),
    "hills": (214, 192, 142),
    "hill": (214, 192, 142),
    "hill-woods": (168, 170, 110),
    "mountain": (176, 148, 116),
    "swamp": (120, 176, 176),
    "marsh": (160, 205, 196),
    "tundra": (214, 214, 206),
    "sea": (122, 170, 212),
    "lake": (140, 190, 228),
}
SIDE: Mapping[str, tuple[Colour, float]] = {
    "minor-river": ((70, 130, 215), 0.08),
    "river": ((60, 120, 215), 0.1),
    "sivash": ((150, 30, 160), 0.16),
    "rail-bridge": ((150, 90, 20), 0.16),
    "frozen-access": ((220, 30, 30), 0.16),
    "major-river": ((25, 80, 185), 0.16),
    "sea": ((10, 40, 130), 0.16),
    "lake": ((20, 90, 170), 0.16),
    "strait": ((150, 30, 160), 0.16),
    "causeway": ((150, 90, 20), 0.16),
    "ice-road": ((220, 30, 30), 0.16),
    "border": ((205, 60, 50), 0.06),
    "fortified-line": ((120, 20, 20), 0.12),
    "arctic-circle": ((120, 120, 200), 0.05),
    "gas-line": ((200, 120, 20), 0.07),
    "canal": ((40, 150, 190), 0.08),
    "bridge": ((150, 90, 20), 0.16),
    "region-boundary": ((150, 90, 160), 0.05),
}
LINE: Mapping[str, Colour] = {
    "railway": (50, 50, 50),
    "rollbahn": (170, 110, 30),
    "motorway": (210, 40, 30),
    "main-road": (190, 100, 30),
    "minor-road": (210, 170, 110),
    "standard-railway": (110, 40, 90),
    "fortified-line": (150, 20, 20),
}
PLACE: Mapping[str, tuple[Colour, float]] = {
    "major-city": ((200, 40, 40), 0.24),
    "fortress": ((120, 20, 120), 0.24),
    "city": ((200, 40, 40), 0.24),
    "minor-city": ((70, 70, 70), 0.17),
    "large-town": ((70, 70, 70), 0.17),
    "small-town": ((250, 250, 250), 0.12),
    "town": ((250, 250, 250), 0.1),
}


_SMALL = frozenset({"town", "small-town", "supply-source", "fortified-zone"})


class _Pen:
    def __init__(self, draft: Draft, scale: float) -> None:
        centers = [draft.plane.center(h) for h in draft.plane.ordered]
        self.scale = scale
        self.left = min(x for x, _ in centers) - 0.8
        self.top = min(y for _, y in centers) - 0.8
        width = (max(x for x, _ in centers) + 0.8 - self.left) * scale
        height = (max(y for _, y in centers) + 0.8 - self.top) * scale
        self.image = Image.new("RGB", (int(width), int(height)), (255, 255, 255))
        self.draw = ImageDraw.Draw(self.image)
        self.font = ImageFont.load_default(max(16, round(scale * 0.22)))

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - self.left) * self.scale, (point[1] - self.top) * self.scale

    def width(self, hexes: float) -> int:
        return max(1, round(hexes * self.scale))


LABELS_FROM = 24  # pixels a hex: below, hex numbers and the smallest places would only blot


def draw(draft: Draft, scale: int = 30) -> Image.Image:
    """Drawn twice as large and shrunk, so that slanting lines are smooth."""
    pen = _Pen(draft, 2 * scale)
    labels = scale >= LABELS_FROM
    for hex_ in draft.plane.ordered:
        _hex(draft, pen, hex_, labels)
    for run in draft.runs:
        colour, width = SIDE.get(run.kind, ((255, 0, 255), 0.1))
        for side in run.sides:
            _side(draft, pen, side, colour, width)
    for track in draft.tracks:
        points = [pen.at(draft.plane.center(h)) for h in track.hexes]
        pen.draw.line(points, fill=LINE.get(track.kind, (0, 0, 0)), width=pen.width(0.06))
    for place in draft.places:
        if labels or place["kind"] not in _SMALL:
            _place(draft, pen, place)
    size = (pen.image.width // 2, pen.image.height // 2)
    return pen.image.resize(size, Image.Resampling.LANCZOS).quantize(200, kmeans=1, dither=Image.Dither.NONE)


def _hex(draft: Draft, pen: _Pen, hex_: Hex, labels: bool) -> None:
    corners = [pen.at(p) for p in draft.plane.corners(hex_)]
    pen.draw.polygon(corners, fill=TERRAIN[draft.terrain[hex_]], outline=(170, 165, 150))
    if labels:
        x, y = pen.at(draft.plane.center(hex_))
        text = draft.plane.label(hex_)
        pen.draw.text((x, y - 0.42 * pen.scale), text, font=pen.font, fill=(120, 112, 100), anchor="mt")


def _side(draft: Draft, pen: _Pen, side: Hexside, colour: Colour, width: float) -> None:
    ends = [pen.at(draft.plane.corner_point(c)) for c in draft.plane.ends(side)]
    pen.draw.line(ends, fill=colour, width=pen.width(width))


def _place(draft: Draft, pen: _Pen, place: Mapping[str, object]) -> None:
    x, y = pen.at(draft.plane.center(draft.plane.lattice.hex(str(place["hex"]))))
    kind = str(place["kind"])
    if kind == "supply-source":
        r = 0.3 * pen.scale
        pen.draw.ellipse([x - r, y - r, x + r, y + r], outline=(220, 60, 20), width=pen.width(0.06))
        return
    if kind not in PLACE:
        return
    colour, size = PLACE[kind]
    r = size * pen.scale
    pen.draw.rectangle([x - r, y - r, x + r, y + r], fill=colour, outline=(0, 0, 0))
    pen.draw.text((x, y + r), str(place["name"]), font=pen.font, fill=(0, 0, 0), anchor="mt")
