"""The signs on badges: anchor, derrick, factory, flag, forts, pick, star."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from builder.map.curves import Point
from builder.map.ink import Ink
from builder.map.palette import Color, Style, rgb

_COLORS = {
    "anchor": "port",
    "wharf": "asset",
    "derrick": "asset",
    "factory": "asset",
    "mine": "asset",
    "fort": "fort",
    "citadel": "fort",
    "flag": "asset",
    "victory": "victory",
}
NAMES = {
    "anchor": "Port",
    "wharf": "Strategic port",
    "derrick": "Oil",
    "factory": "Factory",
    "fort": "Fortification",
    "mine": "Coal or ore",
    "star": "Supply source",
    "recruit": "Replacements, entry",
    "flag": "Garrison",
    "victory": "Victory points",
}


def sign_color(sign: str, style: Style) -> str:
    return style.symbols[_COLORS.get(sign, "supply")]


def star(center: Point, radius: float, points: int, waist: float) -> list[Point]:
    return [
        (
            center[0] + radius * (waist if i % 2 else 1) * math.sin(math.pi * i / points),
            center[1] - radius * (waist if i % 2 else 1) * math.cos(math.pi * i / points),
        )
        for i in range(2 * points)
    ]


def draw_sign(ink: Ink, sign: str, center: Point, radius: float, style: Style) -> None:
    """A sign in the paper's colour on its disc."""
    _SIGNS.get(sign, _star)(ink, center, radius, rgb(style.halo), rgb(sign_color(sign, style)))


def _anchor(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    x, y = center
    pen = 0.2 * radius
    ink.ring(x, y - 0.5 * radius, 0.17 * radius, pen * 0.8, paper, ground)
    ink.line(((x, y - 0.3 * radius), (x, y + 0.6 * radius)), pen, paper)
    ink.line(((x - 0.32 * radius, y - 0.12 * radius), (x + 0.32 * radius, y - 0.12 * radius)), pen, paper)
    turns = np.linspace(0.15, math.pi - 0.15, 12)
    arc = [(x + 0.56 * radius * math.cos(t), y + (0.08 + 0.52 * math.sin(t)) * radius) for t in turns]
    ink.line(arc, pen, paper)


def _derrick(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    x, y = center
    pen = 0.2 * radius
    for end in (-1, 1):
        foot, top = (x + end * 0.42 * radius, y + 0.58 * radius), (x + end * 0.1 * radius, y - 0.6 * radius)
        ink.line((foot, top), pen, paper)
    for level, half in ((-0.2, 0.2), (0.2, 0.32), (0.55, 0.42)):
        ink.line(
            ((x - half * radius, y + level * radius), (x + half * radius, y + level * radius)),
            pen * 0.8,
            paper,
        )


_CHIMNEY = ((-0.6, 0.5), (-0.6, -0.55), (-0.38, -0.55), (-0.34, 0.02))
_ROOF = (*_CHIMNEY, (0.0, -0.25), (0.0, 0.02), (0.34, -0.25), (0.34, 0.02), (0.6, 0.02), (0.6, 0.5))


def _factory(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    x, y = center
    ink.fill([(x + a * radius, y + b * radius) for a, b in _ROOF], paper)


def _mine(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    x, y = center
    pen = 0.2 * radius
    for end in (-1, 1):
        ink.line(
            ((x - end * 0.5 * radius, y + 0.55 * radius), (x + end * 0.45 * radius, y - 0.4 * radius)),
            pen,
            paper,
        )
        head = [
            (x + end * a * radius, y + b * radius)
            for a, b in ((0.12, -0.6), (0.62, -0.12), (0.72, -0.3), (0.32, -0.7))
        ]
        ink.fill(head, paper)


def _recruit(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    x, y = center
    ink.line(((x - 0.5 * radius, y), (x + 0.5 * radius, y)), 0.28 * radius, paper)
    ink.line(((x, y - 0.5 * radius), (x, y + 0.5 * radius)), 0.28 * radius, paper)


def _star(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    ink.fill(star((center[0], center[1] + 0.04 * radius), 0.74 * radius, 5, 0.42), paper)


def _fort(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    ink.fill(star(center, 0.78 * radius, 6, 0.6), paper)
    ink.disc(*center, 0.26 * radius, ground)


def _citadel(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    """A square with a bastion at each corner."""
    x, y = center
    for dx, dy, half in ((0.0, 0.0, 0.44), *((a, b, 0.24) for a in (-0.42, 0.42) for b in (-0.42, 0.42))):
        across, down, reach = x + dx * radius, y + dy * radius, half * radius
        ink.fill(
            [
                (across - reach, down - reach),
                (across + reach, down - reach),
                (across + reach, down + reach),
                (across - reach, down + reach),
            ],
            paper,
        )
    ink.disc(x, y, 0.2 * radius, ground)


def _flag(ink: Ink, center: Point, radius: float, paper: Color, ground: Color) -> None:
    x, y = center
    ink.line(
        ((x - 0.34 * radius, y - 0.62 * radius), (x - 0.34 * radius, y + 0.66 * radius)), 0.2 * radius, paper
    )
    ink.fill([(x + a * radius, y + b * radius) for a, b in _CLOTH], paper)


_CLOTH = ((-0.34, -0.62), (0.6, -0.5), (0.34, -0.2), (0.6, 0.12), (-0.34, 0.1))

_SIGNS: dict[str, Callable[[Ink, Point, float, Color, Color], None]] = {
    "anchor": _anchor,
    "wharf": _anchor,
    "derrick": _derrick,
    "citadel": _citadel,
    "factory": _factory,
    "flag": _flag,
    "fort": _fort,
    "mine": _mine,
    "recruit": _recruit,
    "star": _star,
}
