"""Signs that stand without a box: installations, weapons, aircraft, and those of markers.

All are drawn in an area half again as wide as high; see `Pen` for the coordinates.
"""

from __future__ import annotations

from math import cos, pi, sin

from builder.counters.pen import Pen, Point

# --- weapons and vehicles ----------------------------------------------------------------------


def _barrel(pen: Pen, breech: Point, muzzle: Point, thick: float) -> None:
    """A tapering gun barrel with a muzzle ring."""
    (bx, by), (mx, my) = breech, muzzle
    dx, dy = (mx - bx) * 1.5, my - by
    length = (dx * dx + dy * dy) ** 0.5
    nx, ny = -dy / length / 1.5 * thick, dx / length * thick
    pen.polygon(
        (bx + nx, by + ny),
        (bx - nx, by - ny),
        (mx - nx * 0.55, my - ny * 0.55),
        (mx + nx * 0.55, my + ny * 0.55),
    )


def siege_gun(pen: Pen) -> None:
    _barrel(pen, (0.22, 0.74), (0.92, 0.08), 0.1)
    pen.polygon((0.1, 0.66), (0.27, 0.5), (0.4, 0.66), (0.3, 0.86))
    pen.polygon((0.04, 0.86), (0.6, 0.86), (0.68, 0.98), (0.0, 0.98))
    pen.disc((0.5, 0.8), 0.16)
    with pen.erasing():
        pen.disc((0.5, 0.8), 0.06)


def rail_gun(pen: Pen) -> None:
    _barrel(pen, (0.2, 0.56), (0.98, 0.06), 0.085)
    pen.polygon((0.12, 0.68), (0.16, 0.44), (0.34, 0.44), (0.46, 0.68))
    pen.rectangle(0.02, 0.66, 0.9, 0.76)
    for x in (0.12, 0.25, 0.67, 0.8):
        pen.disc((x, 0.83), 0.085)
    pen.rectangle(0, 0.93, 1, 1)


def armored_train(pen: Pen) -> None:
    pen.polygon((0.04, 0.72), (0.04, 0.44), (0.14, 0.34), (0.86, 0.34), (0.96, 0.44), (0.96, 0.72))
    for x in (0.3, 0.7):
        pen.rectangle(x - 0.1, 0.18, x + 0.1, 0.34)
        pen.rectangle(x + 0.08, 0.22, x + 0.25, 0.28)
    for x in (0.16, 0.32, 0.5, 0.68, 0.84):
        pen.disc((x, 0.81), 0.08)
    pen.rectangle(0, 0.92, 1, 1)


def ship(pen: Pen) -> None:
    pen.polygon((0, 0.64), (1, 0.6), (0.9, 0.9), (0.1, 0.9))
    pen.rectangle(0.36, 0.42, 0.68, 0.64)
    pen.rectangle(0.42, 0.28, 0.54, 0.42)
    pen.line((0.48, 0.28), (0.48, 0.04), width=0.8)
    for x0, x1, y in ((0.14, 0.3, 0.53), (0.72, 0.88, 0.51)):
        pen.rectangle(x0, y, x1, y + 0.1)


def aircraft(pen: Pen) -> None:
    """A twin-engined bomber from above."""
    pen.ellipse((0.5, 0.52), 0.16, 0.96)
    pen.polygon((0.47, 0.32), (0.53, 0.32), (0.98, 0.47), (0.98, 0.55), (0.53, 0.56), (0.47, 0.56))
    pen.polygon((0.53, 0.32), (0.47, 0.32), (0.02, 0.47), (0.02, 0.55), (0.47, 0.56), (0.53, 0.56))
    pen.polygon((0.5, 0.84), (0.69, 0.89), (0.69, 0.95), (0.5, 0.96), (0.31, 0.95), (0.31, 0.89))
    for x in (0.31, 0.69):
        pen.ellipse((x, 0.4), 0.13, 0.34)


def fighter(pen: Pen) -> None:
    """A single-engined fighter from above."""
    pen.ellipse((0.5, 0.5), 0.17, 0.92)
    pen.rectangle(0.41, 0.06, 0.59, 0.09)
    for flip in (1, -1):
        pen.polygon(
            (0.5, 0.26),
            (0.5 + 0.36 * flip, 0.36),
            (0.5 + 0.4 * flip, 0.43),
            (0.5 + 0.34 * flip, 0.5),
            (0.5, 0.52),
        )
    pen.polygon((0.5, 0.82), (0.65, 0.86), (0.65, 0.92), (0.5, 0.94), (0.35, 0.92), (0.35, 0.86))


# --- installations -----------------------------------------------------------------------------


def crates(pen: Pen) -> None:
    """A pyramid of crates."""
    high, wide = 0.44, 0.3
    for x, y in ((0.5, 0.27), (0.5 - wide / 2 - 0.025, 0.77), (0.5 + wide / 2 + 0.025, 0.77)):
        left, top, right, bottom = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
        pen.rectangle(left, top, right, bottom)
        with pen.erasing():
            pen.line((left + 0.05, bottom - 0.075), (right - 0.05, top + 0.075), width=0.75)
            pen.line((left + 0.05, top + 0.075), (right - 0.05, bottom - 0.075), width=0.75)


def airbase(pen: Pen) -> None:
    """An aircraft in a ring."""
    pen.disc((0.5, 0.5), 0.5)
    with pen.erasing():
        pen.ellipse((0.5, 0.5), 0.14, 0.72)
        pen.polygon((0.5, 0.32), (0.77, 0.47), (0.77, 0.55), (0.5, 0.53), (0.23, 0.55), (0.23, 0.47))
        pen.polygon((0.5, 0.72), (0.61, 0.78), (0.61, 0.84), (0.5, 0.82), (0.39, 0.84), (0.39, 0.78))


def factory(pen: Pen) -> None:
    pen.polygon((0.02, 1), (0.02, 0.06), (0.13, 0.06), (0.15, 0.52), (0.2, 0.52), (0.2, 0.18), (0.31, 0.18))
    pen.rectangle(0.2, 0.18, 0.31, 0.6)
    for x in (0.31, 0.535, 0.76):
        pen.polygon((x - 0.01, 0.7), (x + 0.2, 0.4), (x + 0.225, 0.4), (x + 0.225, 0.72), (x - 0.01, 0.72))
    pen.polygon((0.02, 0.5), (0.31, 0.5), (0.31, 0.69), (0.985, 0.69), (0.985, 1), (0.02, 1))
    with pen.erasing():
        for x in (0.12, 0.29, 0.46, 0.63, 0.8):
            pen.rectangle(x, 0.79, x + 0.09, 0.91)


def derrick(pen: Pen) -> None:
    legs = ((0.24, 1.0), (0.44, 0.1)), ((0.76, 1.0), (0.56, 0.1))
    for foot, top in legs:
        pen.line(foot, top)
    for y in (0.36, 0.62, 0.86):
        pen.line((_on(legs[0], y), y), (_on(legs[1], y), y), width=0.8)
    for y0, y1 in ((0.36, 0.62), (0.62, 0.86)):
        pen.line((_on(legs[0], y1), y1), (_on(legs[1], y0), y0), width=0.7)
        pen.line((_on(legs[0], y0), y0), (_on(legs[1], y1), y1), width=0.7)
    pen.rectangle(0.4, 0.02, 0.6, 0.14)
    pen.rectangle(0.16, 0.94, 0.84, 1)


def _on(leg: tuple[Point, Point], y: float) -> float:
    (x0, y0), (x1, y1) = leg
    return x0 + (x1 - x0) * (y - y0) / (y1 - y0)


def hammers(pen: Pen) -> None:
    """Crossed hammers: a mine."""
    for flip in (1, -1):
        pen.line((0.5 - 0.3 * flip, 0.98), (0.5 + 0.2 * flip, 0.22), width=1.5)
        x, y = 0.5 + 0.215 * flip, 0.2
        across, up = (0.125 * flip, 0.13), (0.055 * flip, -0.125)
        pen.polygon(
            (x - across[0] - up[0], y - across[1] - up[1]),
            (x - across[0] + up[0], y - across[1] + up[1]),
            (x + across[0] + up[0], y + across[1] + up[1]),
            (x + across[0] - up[0], y + across[1] - up[1]),
        )


def gem(pen: Pen) -> None:
    """A cut crystal: a mineral."""
    rim = (0.2, 0.36), (0.33, 0.06), (0.67, 0.06), (0.8, 0.36), (0.5, 0.98)
    pen.polygon(*rim)
    with pen.erasing():
        pen.line((0.2, 0.38), (0.8, 0.38), width=0.75)
        pen.line((0.39, 0.38), (0.5, 0.96), (0.61, 0.38), (0.5, 0.06), (0.39, 0.38), width=0.75)


def anchor(pen: Pen) -> None:
    pen.ring((0.5, 0.13), 0.12, 1.3)
    pen.line((0.5, 0.22), (0.5, 0.94), width=1.6)
    pen.line((0.34, 0.36), (0.66, 0.36), width=1.4)
    pen.arc((0.5, 0.5), 0.42, 15, 165, 1.6)
    for flip in (1, -1):
        pen.polygon((0.5 + 0.21 * flip, 0.68), (0.5 + 0.33 * flip, 0.5), (0.5 + 0.345 * flip, 0.78))


def pipeline(pen: Pen) -> None:
    pen.rectangle(0, 0.54, 1, 0.82)
    for x in (0.0, 0.3, 0.62, 0.92):
        pen.rectangle(x, 0.46, x + 0.08, 0.9)
    pen.rectangle(0.475, 0.22, 0.525, 0.54)
    pen.rectangle(0.34, 0.14, 0.66, 0.26)


def fortified_zone(pen: Pen) -> None:
    """A hexagon in a hexagon."""
    outer = (0.115, 0.5), (0.308, 0.0), (0.692, 0.0), (0.885, 0.5), (0.692, 1.0), (0.308, 1.0)
    pen.polygon(*outer)
    with pen.erasing():
        pen.polygon(*((0.5 + (x - 0.5) * 0.74, 0.5 + (y - 0.5) * 0.74) for x, y in outer))
    pen.polygon(*((0.5 + (x - 0.5) * 0.46, 0.5 + (y - 0.5) * 0.46) for x, y in outer))


# --- signs of markers --------------------------------------------------------------------------


def disc(pen: Pen) -> None:
    pen.disc((0.5, 0.5), 0.46)


def ring(pen: Pen) -> None:
    pen.ring((0.5, 0.5), 0.46, 2.2)


def square(pen: Pen) -> None:
    pen.rectangle(0.2, 0.05, 0.8, 0.95)


def diamond(pen: Pen) -> None:
    pen.polygon((0.5, 0.0), (0.83, 0.5), (0.5, 1.0), (0.17, 0.5))


def triangle(pen: Pen) -> None:
    pen.polygon((0.5, 0.04), (0.86, 0.96), (0.14, 0.96))


def star(pen: Pen) -> None:
    pen.star((0.5, 0.54), 0.54, inner=0.4)


def burst(pen: Pen) -> None:
    """An explosion: a battle."""
    pen.star((0.5, 0.5), 0.52, points=9, inner=0.55)
    with pen.erasing():
        pen.star((0.5, 0.5), 0.22, points=7, inner=0.6)


def cross(pen: Pen) -> None:
    """A straight cross with flared ends."""
    for spin in range(4):
        pen.polygon(*_spun(((-0.07, 0.0), (0.07, 0.0), (0.17, -0.48), (-0.17, -0.48)), spin * pi / 2))


def saltire(pen: Pen) -> None:
    """A struck-out place."""
    for spin in range(4):
        pen.polygon(
            *_spun(((-0.09, 0.09), (0.09, 0.09), (0.09, -0.6), (-0.09, -0.6)), pi / 4 + spin * pi / 2)
        )


def arrow(pen: Pen, degrees: float = 0.0) -> None:
    """An arrow that points up, or as far clockwise from there as said."""
    shape = (
        (0.0, -0.5),
        (0.38, -0.08),
        (0.14, -0.08),
        (0.14, 0.5),
        (-0.14, 0.5),
        (-0.14, -0.08),
        (-0.38, -0.08),
    )
    pen.polygon(*_spun(shape, degrees * pi / 180))


def retreat(pen: Pen) -> None:
    """An arrow that turns back."""
    pen.arc((0.5, 0.5), 0.3, 180, 360, 2.6)
    pen.line((0.7 + 0.018, 0.48), (0.7 + 0.018, 0.94), width=2.6)
    pen.polygon((0.28 - 0.14, 0.5), (0.28 + 0.14, 0.5), (0.28, 0.92))


def flag(pen: Pen) -> None:
    pen.rectangle(0.22, 0.0, 0.27, 1.0)
    pen.polygon((0.27, 0.04), (0.82, 0.04), (0.74, 0.31), (0.82, 0.58), (0.27, 0.58))


def check(pen: Pen) -> None:
    pen.line((0.22, 0.52), (0.42, 0.84), (0.8, 0.12), width=2.6, cap=True)


def snow(pen: Pen) -> None:
    for spin in range(3):
        (x0, y0), (x1, y1) = _spun(((0.0, -0.5), (0.0, 0.5)), spin * pi / 3)
        pen.line((x0, y0), (x1, y1), width=1.1)
    for spin in range(6):
        pen.line(*_spun(((-0.13, -0.44), (0.0, -0.3), (0.13, -0.44)), spin * pi / 3), width=0.9)


def sun(pen: Pen) -> None:
    pen.disc((0.5, 0.5), 0.24)
    for spin in range(8):
        pen.polygon(*_spun(((-0.06, -0.31), (0.06, -0.31), (0.0, -0.5)), spin * pi / 4))


def rain(pen: Pen) -> None:
    """A cloud over three drops: mud."""
    for x, y, r in ((0.36, 0.34, 0.2), (0.52, 0.24, 0.24), (0.67, 0.36, 0.18)):
        pen.disc((x, y), r)
    pen.rectangle(0.34, 0.36, 0.69, 0.54)
    for x in (0.35, 0.52, 0.69):
        pen.line((x, 0.66), (x - 0.08, 0.96), width=1.3, cap=True)


def cloud(pen: Pen) -> None:
    for x, y, r in ((0.32, 0.56, 0.26), (0.52, 0.42, 0.32), (0.7, 0.58, 0.24)):
        pen.disc((x, y), r)
    pen.rectangle(0.3, 0.58, 0.72, 0.82)


def flame(pen: Pen) -> None:
    pen.disc((0.5, 0.68), 0.31)
    pen.polygon(
        (0.303, 0.6), (0.36, 0.32), (0.42, 0.42), (0.52, 0.0), (0.64, 0.36), (0.66, 0.26), (0.7, 0.62)
    )
    with pen.erasing():
        pen.disc((0.5, 0.8), 0.13)
        pen.polygon((0.415, 0.78), (0.49, 0.48), (0.585, 0.78))


def drop(pen: Pen) -> None:
    pen.disc((0.5, 0.66), 0.32)
    pen.polygon((0.5, 0.02), (0.69, 0.55), (0.31, 0.55))


def parachute(pen: Pen) -> None:
    pen.disc((0.5, 0.42), 0.42)
    with pen.erasing():
        pen.rectangle(0.1, 0.42, 0.9, 1.0)
        for x in (0.36, 0.5, 0.64):
            pen.ellipse((x, 0.43), 0.2, 0.16)
    for x in (0.23, 0.41, 0.59, 0.77):
        pen.line((x, 0.4), (0.5, 0.9), width=0.6)
    pen.rectangle(0.44, 0.84, 0.56, 1.0)


def rails(pen: Pen) -> None:
    for y in (0.3, 0.62):
        pen.rectangle(0.0, y, 1.0, y + 0.08)
    for x in (0.08, 0.29, 0.5, 0.71, 0.92):
        pen.rectangle(x - 0.04, 0.18, x + 0.04, 0.82)


def dice(pen: Pen) -> None:
    pen.rectangle(0.18, 0.02, 0.82, 0.98)
    with pen.erasing():
        for x, y in ((0.32, 0.24), (0.68, 0.24), (0.5, 0.5), (0.32, 0.76), (0.68, 0.76)):
            pen.disc((x, y), 0.09)


def _spun(points: tuple[Point, ...], angle: float) -> list[Point]:
    """Points about the centre, in heights, turned clockwise."""
    c, s = cos(angle), sin(angle)
    return [(0.5 + (x * c - y * s) / 1.5, 0.5 + (x * s + y * c)) for x, y in points]
