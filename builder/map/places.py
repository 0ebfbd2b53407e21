"""Cities, towns, ports, fortresses, assets: one symbol a hex, and badges for all that rules ask for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from builder.map.curves import Point
from builder.map.frame import Frame
from builder.map.ink import Ink
from builder.map.labels import Room
from builder.map.lettering import Box, Glyph, Label, box_at
from builder.map.palette import PLAIN_PLACE, PlaceLook, Style, look, rgb
from builder.map.signs import draw_sign, sign_color, star
from fieldpost.definition.mapmodel import GameMap, Place
from fieldpost.hexes import Hex

FEATURE_SIGNS = (
    ("port", "anchor"),
    ("harbo", "anchor"),
    ("flotilla", "anchor"),
    ("supply-source", "star"),
    ("replacement", "recruit"),
    ("garrison", "flag"),
)
VICTORY_VALUES = ("victory", "victory-points", "vp", "value")
BADGE_RADIUS = 7.8


@dataclass(frozen=True)
class Badge:
    sign: str
    text: str = ""  # a code or a number in place of the sign


@dataclass(frozen=True)
class Site:
    """All that stands in a hex: the place that names it, its look, its badges."""

    hex: Hex
    place: Place | None
    look: PlaceLook
    badges: tuple[Badge, ...]


@dataclass(frozen=True)
class Symbol:
    """A site as drawn: where, and what it covers."""

    site: Site
    center: Point
    boxes: tuple[Box, ...]


def place_look(game_map: GameMap, style: Style, place: Place) -> PlaceLook:
    kind = next((k for k in game_map.place_kinds if k.id == place.kind), place.kind)
    return look(style.places, kind, PLAIN_PLACE)


def sites(game_map: GameMap, frame: Frame, style: Style) -> list[Site]:
    """Every hex with a place, in order."""
    return [
        _site(game_map, style, h, places)
        for h, places in sorted(game_map.places_at.items())
        if h in frame.hexes
    ]


def _site(game_map: GameMap, style: Style, h: Hex, places: Sequence[Place]) -> Site:
    looks = sorted(
        ((place_look(game_map, style, p), p) for p in places), key=lambda pair: (pair[0].rank, pair[1].name)
    )
    settled = [(found, place) for found, place in looks if found.symbol != "badge"]
    badges = dict.fromkeys(badge for found, place in looks for badge in _badges_of(found, place))
    found, place = settled[0] if settled else (looks[0][0], None)
    return Site(h, place, found, tuple(badges))


def _badges_of(found: PlaceLook, place: Place) -> Iterator[Badge]:
    victory = next((str(v) for k, v in sorted(place.values.items()) if k in VICTORY_VALUES), None)
    if victory:
        yield Badge("victory", victory)
    if found.symbol == "badge":
        code = str(place.values.get("code", ""))
        yield Badge(found.sign, code if found.sign == "factory" and len(code) <= 3 else "")
    for feature in place.features:
        for word, sign in FEATURE_SIGNS:
            if word in feature:
                yield Badge(sign)


# --- drawing ------------------------------------------------------------------------------------


def draw_sites(
    ink: Ink, found: Sequence[Site], frame: Frame, style: Style, room: Room
) -> tuple[list[Symbol], list[Label]]:
    """Symbols and badges; what they cover is taken from the room. Returns the badges' texts, too."""
    symbols, texts = [], []
    for site in found:
        center = frame.layout.exact(site.hex)
        reach = _draw_symbol(ink, site, center, frame, style)
        boxes = (
            [(center[0] - reach, center[1] - reach, center[0] + reach, center[1] + reach)] if reach else []
        )
        room.take(boxes, "symbols")
        for badge in site.badges:
            spot = _spot(badge, center, reach, frame.unit, room)
            label, box = _draw_badge(ink, badge, spot, frame.unit, style)
            room.take([box], "symbols")
            boxes.append(box)
            texts += [label] if label else []
        symbols.append(Symbol(site, center, tuple(boxes)))
    return symbols, texts


def _draw_symbol(ink: Ink, site: Site, center: Point, frame: Frame, style: Style) -> float:
    """Draws a site's symbol and returns how far it reaches from its centre."""
    if site.look.symbol in ("badge", "none"):
        return 0.0
    size = site.look.size * frame.unit
    _SYMBOLS[site.look.symbol](ink, center, size, style, frame.unit, site.hex)
    return size * 1.02 if site.look.symbol.endswith("blocks") else size / 2 + 2.5 * frame.unit


def _spot(badge: Badge, center: Point, reach: float, unit: float, room: Room) -> Point:
    """The first free place for a badge: on the hex if nothing stands there, else below, beside, above."""
    wide, high = _badge_half(badge, unit)
    gap = 1.8 * unit
    tried = []
    for ring in range(4):
        side, below = reach + wide + gap + ring * 2 * wide, reach + high + gap + ring * 2.15 * high
        row = 2.2 * high
        tried += [(0.0, below), (-wide - gap / 2, below), (wide + gap / 2, below)]
        tried += [(end * side, level * row) for level in (0.4, -0.6, 1.4) for end in (1, -1)]
    if not reach:
        tried = [(0.0, 0.0), (1.1 * wide, 0.0), (-1.1 * wide, 0.0), *tried]
    for dx, dy in tried:
        x, y = center[0] + dx, center[1] + dy
        box = (x - wide, y - high, x + wide, y + high)
        if room.free(box) and room.inside(box):
            return x, y
    return center[0] + tried[0][0], center[1] + tried[0][1]


def _badge_half(badge: Badge, unit: float) -> tuple[float, float]:
    """Half the width and height of a badge: a disc, or a tag for a code."""
    radius = BADGE_RADIUS * unit
    return (radius * 1.45 if badge.text and badge.sign == "factory" else radius), radius


def _draw_badge(ink: Ink, badge: Badge, spot: Point, unit: float, style: Style) -> tuple[Label | None, Box]:
    x, y = spot
    wide, radius = _badge_half(badge, unit)
    ground, halo = rgb(sign_color(badge.sign, style)), rgb(style.halo)
    for grow, color in ((1.1 * unit, halo), (0.0, ground)):
        for end in (-1, 1):
            ink.disc(x + end * (wide - radius), y, radius + grow, color)
        if wide > radius:
            ink.fill(_rect(x, y, wide - radius, radius + grow), color)
    box = (x - wide, y - radius, x + wide, y + radius)
    if not badge.text:
        draw_sign(ink, badge.sign, spot, radius, style)
        return None, box
    size = (10.2 if len(badge.text) > 2 else 11.5) * unit
    covered = box_at(badge.text, "condensed-bold", size, x, y, 0)
    label = Label(
        badge.text, "badge", (Glyph(badge.text, x, y),), "condensed-bold", size, halo, None, 0, (covered,)
    )
    return label, box


def _rect(x: float, y: float, half_x: float, half_y: float) -> list[Point]:
    return [
        (x - half_x, y - half_y),
        (x + half_x, y - half_y),
        (x + half_x, y + half_y),
        (x - half_x, y + half_y),
    ]


# --- symbols ------------------------------------------------------------------------------------


def _blocks(
    ink: Ink,
    center: Point,
    size: float,
    style: Style,
    unit: float,
    seed: Hex,
    built: str = "blocks",
    ground: str = "ground",
) -> None:
    """A built-up area: small city blocks between streets, on a soft ground of uneven outline."""
    rng = np.random.default_rng([seed.q + 5000, seed.r + 5000])
    x, y = center
    turns = np.linspace(0, 2 * math.pi, 14, endpoint=False)
    radii = size * rng.uniform(0.90, 1.06, len(turns))
    edge = [(x + r * math.cos(t), y + 0.92 * r * math.sin(t)) for r, t in zip(radii, turns, strict=True)]
    ink.fill(edge, rgb(style.symbols[ground]))
    tilt = rng.uniform(-0.5, 0.5)
    pitch = 7.4 * unit
    reach = int(size / pitch) + 1
    for column in range(-reach, reach + 1):
        for row in range(-reach, reach + 1):
            dx, dy = column * pitch, row * pitch
            if math.hypot(dx, dy) < size * rng.uniform(0.70, 0.92):
                _block(ink, (x, y), (dx, dy), pitch, tilt, rng, style.symbols[built])
    ink.line([*edge, edge[0]], 1.1 * unit, rgb(style.symbols[built], 170))


def _block(
    ink: Ink, center: Point, offset: Point, pitch: float, tilt: float, rng: np.random.Generator, color: str
) -> None:
    half_x, half_y = pitch * rng.uniform(0.26, 0.42), pitch * rng.uniform(0.26, 0.42)
    cos, sin = math.cos(tilt), math.sin(tilt)
    shade = rgb(color, int(rng.uniform(190, 255)))
    corners = _rect(*offset, half_x, half_y)
    ink.fill(
        [(center[0] + px * cos - py * sin, center[1] + px * sin + py * cos) for px, py in corners], shade
    )


def _town(ink: Ink, center: Point, size: float, style: Style, unit: float, seed: Hex) -> None:
    half = size / 2
    layers = (
        (3.0, style.halo),
        (1.5, style.symbols["city"]),
        (-0.6, style.symbols["ground"]),
        (-2.9, style.symbols["city"]),
    )
    for grow, color in layers:
        if half + grow * unit > 0:
            ink.fill(_rect(*center, half + grow * unit, half + grow * unit), rgb(color))


def _dot(ink: Ink, center: Point, size: float, style: Style, unit: float, seed: Hex) -> None:
    for grow, color in ((2.6, style.halo), (1.3, style.symbols["city"]), (-0.4, style.halo)):
        ink.disc(*center, size / 2 + grow * unit, rgb(color))


def _fort(ink: Ink, center: Point, size: float, style: Style, unit: float, seed: Hex) -> None:
    for radius, color in ((0.95 * size + 1.6 * unit, "halo"), (0.95 * size, "fort"), (0.62 * size, "halo")):
        ink.fill(star(center, radius, 6, 0.70), rgb(style.symbols.get(color, style.halo)))
    _square_in(ink, center, 0.27 * size, style)


def _square_in(ink: Ink, center: Point, half: float, style: Style) -> None:
    ink.fill(_rect(*center, half, half), rgb(style.symbols["fort"]))


_SYMBOLS: dict[str, Callable[..., None]] = {
    "blocks": _blocks,
    "red-blocks": partial(_blocks, built="red", ground="red-ground"),
    "town": _town,
    "dot": _dot,
    "fort": _fort,
}


def draw_symbol(ink: Ink, found: PlaceLook, center: Point, style: Style, unit: float) -> None:
    """A symbol by itself, for the key."""
    if found.symbol in _SYMBOLS:
        _SYMBOLS[found.symbol](ink, center, found.size * unit, style, unit, Hex(3, 7))
