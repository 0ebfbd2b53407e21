"""The symbol in a unit's box, drawn: one table from the symbol's id to what draws it."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from typing import NamedTuple

from builder.counters import signs
from builder.counters.pen import Pen
from fieldpost.errors import FieldpostError

Drawing = Callable[[Pen], None]


class Symbol(NamedTuple):
    draw: Drawing
    framed: bool = True  # in a box; a sign stands free


# --- arms --------------------------------------------------------------------------------------


def infantry(pen: Pen) -> None:
    pen.line((0, 0), (1, 1))
    pen.line((0, 1), (1, 0))


def slash(pen: Pen) -> None:
    pen.line((0, 1), (1, 0))


def track(pen: Pen) -> None:
    pen.stadium(0.15, 0.21, 0.85, 0.79)


def solid_track(pen: Pen) -> None:
    pen.stadium(0.15, 0.21, 0.85, 0.79, filled=True)


def wheels(pen: Pen) -> None:
    """Two wheels hanging under the box."""
    for x in (0.25, 0.75):
        pen.ring((x, 1.0 + (pen.stroke_px + 0.115 * pen.area.height) / pen.area.height), 0.115, 0.8)


def peak(pen: Pen) -> None:
    pen.polygon((0.5, 0.56), (0.71, 1), (0.29, 1))


def gull_wings(pen: Pen) -> None:
    for x in (0.5 - 0.115, 0.5 + 0.115):
        pen.arc((x, 0.93), 0.165, 180, 360)


def anchor_below(pen: Pen) -> None:
    pen.line((0.5, 0.58), (0.5, 0.96), width=0.9)
    pen.ring((0.5, 0.6), 0.075, 0.8)
    pen.line((0.43, 0.75), (0.57, 0.75), width=0.8)
    pen.arc((0.5, 0.74), 0.19, 20, 160, 0.9)


def dot(pen: Pen) -> None:
    pen.disc((0.5, 0.5), 0.2)


def small_star(pen: Pen) -> None:
    pen.star((0.5, 0.79), 0.235)


def blade_tips(pen: Pen) -> None:
    pen.polygon((0, 0), (1, 0), (0.5, 0.5))


def letter_below(pen: Pen, letter: str) -> None:
    with pen.erasing():
        pen.rectangle(0.4, 0.56, 0.6, 1)
    pen.text((0.5, 0.77), letter, 0.37, "condensed-bold")


def word(pen: Pen, text: str, cap_h: float = 0.5) -> None:
    pen.text((0.5, 0.5), text, cap_h, "condensed-bold")


def staff(pen: Pen) -> None:
    """HQ on a dark field: the commander's flag."""
    pen.rectangle(0, 0, 1, 1)
    with pen.erasing():
        pen.text((0.5, 0.5), "HQ", 0.6, "condensed-bold")


def comb(pen: Pen) -> None:
    """A bridge on three piers: engineers."""
    pen.line((0.2, 0.3), (0.8, 0.3))
    for x in (0.2, 0.5, 0.8):
        pen.line((x, 0.27), (x, 0.75))


def wedge(pen: Pen) -> None:
    pen.line((0, 1), (0.5, 0), (1, 1))


def dome(pen: Pen) -> None:
    pen.arc((0.5, 1.06), 0.5, 180, 360)


def supply_line(pen: Pen) -> None:
    pen.line((0, 0.75), (1, 0.75))


def rockets(pen: Pen) -> None:
    pen.disc((0.5, 0.74), 0.13)
    for y in (0.46, 0.28):
        pen.line((0.38, y), (0.5, y - 0.17), (0.62, y))


def barrage(pen: Pen) -> None:
    """Three guns firing upward: massed support of an offensive."""
    for x in (0.22, 0.5, 0.78):
        pen.disc((x, 0.72), 0.13)
        pen.line((x, 0.72), (x, 0.3))
        pen.polygon((x - 0.08, 0.36), (x, 0.12), (x + 0.08, 0.36))


def skis(pen: Pen) -> None:
    for x0, x1 in ((0.36, 0.56), (0.64, 0.44)):
        pen.line((x0, 0.7), (x1, 0.98), width=0.8)


def cross_arm(pen: Pen) -> None:
    pen.line((0.5, 0), (0.5, 1))
    pen.line((0, 0.5), (1, 0.5))


def upright(pen: Pen) -> None:
    pen.line((0.5, 0), (0.5, 1))


def saw(pen: Pen) -> None:
    """A wall with battlements."""
    pen.line((0, 0.66), (0.2, 0.66), (0.2, 0.34), (0.4, 0.34), (0.4, 0.66), (0.6, 0.66))
    pen.line((0.6, 0.66), (0.6, 0.34), (0.8, 0.34), (0.8, 0.66), (1, 0.66))


def _all(*parts: Drawing) -> Symbol:
    def draw(pen: Pen) -> None:
        for part in parts:
            part(pen)

    return Symbol(draw)


def _letter(letter: str) -> Drawing:
    return partial(letter_below, letter=letter)


def _word(text: str, cap_h: float = 0.5) -> Symbol:
    return Symbol(partial(word, text=text, cap_h=cap_h))


def _sign(draw: Drawing) -> Symbol:
    return Symbol(draw, framed=False)


# --- the table ---------------------------------------------------------------------------------

SYMBOLS: dict[str, Symbol] = {
    "infantry": _all(infantry),
    "mountain": _all(infantry, peak),
    "cavalry": _all(slash),
    "armor": _all(track),
    "mechanized": _all(infantry, track),
    "motorized": _all(infantry, wheels),
    "motorized-cavalry": _all(slash, wheels),
    "cavalry-mechanized": _all(slash, track),
    "reconnaissance": _all(slash, wheels),
    "armored-reconnaissance": _all(slash, track),
    "motorcycle": _all(infantry, upright, wheels),
    "airborne": _all(infantry, gull_wings),
    "air-landing": _all(infantry, gull_wings, upright),
    "marine": _all(infantry, anchor_below),
    "ski": _all(infantry, skis),
    "security": _all(infantry, _letter("S")),
    "border-guard": _all(infantry, _letter("B")),
    "militia": _all(infantry, _letter("M")),
    "nkvd": _all(infantry, _letter("N")),
    "guard": _all(infantry, small_star),
    "guard-armor": _all(track, partial(Pen.star, center=(0.5, 0.5), radius_h=0.17)),
    "guard-cavalry": _all(slash, partial(Pen.star, center=(0.74, 0.72), radius_h=0.2)),
    "guard-mechanized": _all(infantry, track, partial(Pen.star, center=(0.5, 0.83), radius_h=0.17)),
    "shock": _all(infantry, blade_tips),
    "tank-army": _all(solid_track),
    "assault-gun": _all(track, upright),
    "artillery": _all(dot),
    "motorized-artillery": _all(dot, wheels),
    "armored-artillery": _all(track, partial(Pen.disc, center=(0.5, 0.5), radius_h=0.13)),
    "rocket-artillery": _all(rockets),
    "offensive-support": _all(barrage),
    "coast-artillery": _all(dot, dome),
    "anti-tank": _all(wedge),
    "motorized-anti-tank": _all(wedge, wheels),
    "armored-anti-tank": _all(wedge, track),
    "anti-aircraft": _all(dome),
    "motorized-anti-aircraft": _all(dome, wheels),
    "engineer": _all(comb),
    "motorized-engineer": _all(comb, wheels),
    "armored-engineer": _all(comb, track),
    "supply": _all(supply_line),
    "headquarters": _all(staff),
    "medical": _all(cross_arm),
    "fortress": _all(saw),
    "partisan": _word("P", 0.66),
    "cadre": _word("C", 0.66),
    "base": _word("BASE", 0.46),
    "none": Symbol(lambda pen: None),
    "siege-gun": _sign(signs.siege_gun),
    "rail-gun": _sign(signs.rail_gun),
    "armored-train": _sign(signs.armored_train),
    "fortified-zone": _sign(signs.fortified_zone),
    "supply-depot": _sign(signs.crates),
    "airbase": _sign(signs.airbase),
    "air-fleet": _sign(signs.aircraft),
    "fighter": _sign(signs.fighter),
    "bomber": _sign(signs.aircraft),
    "ship": _sign(signs.ship),
    "factory": _sign(signs.factory),
    "oil": _sign(signs.derrick),
    "coal": _sign(signs.hammers),
    "mineral": _sign(signs.gem),
    "port": _sign(signs.anchor),
    "pipeline": _sign(signs.pipeline),
}

# what markers may show besides
SIGNS: dict[str, Symbol] = {
    "aircraft": _sign(signs.aircraft),
    "arrow": _sign(signs.arrow),
    "arrow-ne": _sign(partial(signs.arrow, degrees=60)),  # over the hexsides of flat-topped hexes
    "arrow-se": _sign(partial(signs.arrow, degrees=120)),
    "arrow-sw": _sign(partial(signs.arrow, degrees=240)),
    "arrow-nw": _sign(partial(signs.arrow, degrees=300)),
    "arrow-right": _sign(partial(signs.arrow, degrees=90)),
    "arrow-down": _sign(partial(signs.arrow, degrees=180)),
    "arrow-left": _sign(partial(signs.arrow, degrees=270)),
    "burst": _sign(signs.burst),
    "check": _sign(signs.check),
    "cloud": _sign(signs.cloud),
    "cross": _sign(signs.cross),
    "diamond": _sign(signs.diamond),
    "dice": _sign(signs.dice),
    "disc": _sign(signs.disc),
    "drop": _sign(signs.drop),
    "flag": _sign(signs.flag),
    "flame": _sign(signs.flame),
    "parachute": _sign(signs.parachute),
    "rail": _sign(signs.rails),
    "rain": _sign(signs.rain),
    "retreat": _sign(signs.retreat),
    "ring": _sign(signs.ring),
    "saltire": _sign(signs.saltire),
    "snow": _sign(signs.snow),
    "square": _sign(signs.square),
    "star": _sign(signs.star),
    "sun": _sign(signs.sun),
    "triangle": _sign(signs.triangle),
}


def find(symbol: str) -> Symbol:
    return _find(symbol, SYMBOLS, "unit symbol")


def find_sign(symbol: str) -> Symbol:
    """The sign of a marker: any of SIGNS or a unit's symbol."""
    return _find(symbol, {**SIGNS, **SYMBOLS}, "sign of a marker")


def _find(symbol: str, table: dict[str, Symbol], what: str) -> Symbol:
    if symbol in table:
        return table[symbol]
    near = get_close_matches(symbol, table, n=1)
    guess = f"Did you mean {near[0]!r}? " if near else ""
    raise FieldpostError(f"there is no {what} {symbol!r}", f"{guess}Known are: {', '.join(sorted(table))}.")
