"""Draws one face of a marker or chit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from builder.counters import art, symbols, text
from builder.counters.colors import mix
from builder.counters.ground import ground
from builder.counters.layout import Layout, layout
from builder.counters.look import MarkerLook, SideLook
from builder.counters.pen import Area, Pen
from builder.counters.text import Setting

FACES = ("sans-bold", "condensed-bold")
SMALL_FACES = ("sans-semibold", "condensed-semibold")
_NUMBERS = re.compile(r"[-–\d()*½+/]*\d[-–\d()*½+/]*|\S{1,2}")
LEADING = 4.5
HEX_OF_COUNTER = 72 / 61  # how wide a hex is, in counters
SHRINK = (1.0, 0.88, 0.76, 0.66, 0.58)  # of lettering that would otherwise fill the marker


class Line(NamedTuple):
    mask: Image.Image
    above: int  # from its top to its baseline


def draw_marker_look(look: MarkerLook, size_px: int) -> Image.Image:
    lay = layout(size_px)
    picture = ground(lay, look.ground).copy()
    _keyline(picture, lay, look)
    lines = _lettering(look, lay)
    gap = lay.units(LEADING)
    block = sum(line.above for line in lines) + gap * (len(lines) - 1)
    signed = look.symbol is not None or look.picture is not None
    high = _sign_height(lay, lines) if signed else 0
    top = (lay.size - block - high - (gap if high and lines else 0)) // 2
    if look.picture is not None:
        art.stamp(picture, look.picture, Area(lay.margin, top, lay.size - lay.margin, top + high), look.ink)
    elif look.symbol:
        picture.paste(look.ink, mask=_sign_mask(lay, look.symbol, top, high))
    if signed:
        top += high + gap
    for line in lines:
        picture.paste(look.ink, ((lay.size - line.mask.width) // 2, top), line.mask)
        top += line.above + gap
    return picture


def draw_side_look(look: SideLook, size_px: int) -> Image.Image:
    """A plate on the first hexside of a hex whose middle is that of the picture."""
    lay = layout(size_px)
    width, height = lay.units(64), lay.units(26)
    reach = round(size_px * HEX_OF_COUNTER)
    plate = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    edge = mix(look.ground, look.ink, 0.75)
    ImageDraw.Draw(plate).rounded_rectangle(
        (0, 0, width - 1, height - 1), lay.units(4), fill=look.ground, outline=edge, width=1
    )
    lines = _on_plate(look.text.upper(), width - lay.units(7), lay)
    gap = lay.units(2.5)
    top = (height - sum(line.above for line in lines) - gap * (len(lines) - 1) + 1) // 2
    for line in lines:
        plate.paste(look.ink, ((width - line.mask.width) // 2, top), line.mask)
        top += line.above + gap
    picture = Image.new("RGBA", (width, reach + height), (0, 0, 0, 0))
    picture.paste(plate, (0, 0))
    return picture if look.flat else picture.rotate(-30, Image.Resampling.BICUBIC, expand=True)


def _on_plate(words: str, room: int, lay: Layout) -> list[Line]:
    """Words in one line if they can be as large as in two."""
    tries = [_settings(_broken(words, 1), room, SMALL_FACES, range(lay.units(13), 3, -1))]
    if " " in words:
        tries.append(_settings(_broken(words, 2), room, SMALL_FACES, range(lay.units(8.5), 3, -1)))
    best = max(tries, key=lambda settings: min(setting.cap for setting in settings))
    return [Line(setting.mask, setting.baseline) for setting in best]


def _keyline(picture: Image.Image, lay: Layout, look: MarkerLook) -> None:
    """A fine line inside the edge tells a marker from a unit."""
    inset = lay.units(3)
    frame = (inset, inset, lay.size - inset - 1, lay.size - inset - 1)
    color = mix(look.ground, look.ink, 0.4)
    ImageDraw.Draw(picture).rounded_rectangle(frame, lay.radius - inset + 1, outline=color, width=1)


def _lettering(look: MarkerLook, lay: Layout) -> list[Line]:
    """The lines of a marker, shrunk until they leave room above and below (and for a sign)."""
    room = lay.size - 2 * lay.units(8) - (lay.units(22) if look.symbol or look.picture else 0)
    for share in SHRINK:
        lines = _lines(look, lay, share)
        if sum(line.above for line in lines) + lay.units(LEADING) * (len(lines) - 1) <= room:
            break
    return lines


def _lines(look: MarkerLook, lay: Layout, share: float) -> list[Line]:
    room = lay.size - 2 * lay.units(7)
    lines: list[Line] = []
    if look.text:
        lines += _main_lines(
            look.text, room, lay, lay.units((14 if look.symbol or look.picture else 24) * share)
        )
    if look.small:
        largest = lay.units((9 if look.text else 13) * share)
        lines += _set_lines(look.small, room, SMALL_FACES, _caps(largest, lay), largest)
    return lines


def _caps(largest: int, lay: Layout) -> range:
    return range(largest, min(largest, lay.units(4.5)) - 1, -1)


def _main_lines(words: str, room: int, lay: Layout, tall: int) -> Iterator[Line]:
    if _NUMBERS.fullmatch(words):
        yield _numbers(words.replace("–", "-"), room, lay, tall)
        return
    caps = _caps(min(tall, lay.units(16)), lay)
    yield from _set_lines(words, room, FACES, caps, lay.units(12))


def _numbers(words: str, room: int, lay: Layout, tall: int) -> Line:
    for cap in range(min(tall, lay.units(24)), 4, -1):
        row = text.factors(words, FACES[0] if cap > lay.units(14) else FACES[1], cap, 0)
        if row.width <= room:
            break
    return Line(row.mask, row.baseline)


def _set_lines(words: str, room: int, faces: Sequence[str], caps: range, split_above: int) -> Iterator[Line]:
    """The words in the largest size that fits, in one line or, where that must shrink, in up to three."""
    best: tuple[int, list[Setting]] = (0, [])
    for count in range(1, min(3, len(words.split())) + 1):
        settings = _settings(_broken(words, count), room, tuple(faces), caps)
        cap = min(s.cap for s in settings)
        if cap > best[0]:
            best = cap, settings
        if cap >= split_above:
            break
    for setting in best[1]:
        yield Line(setting.mask, setting.baseline)


@lru_cache(maxsize=1024)
def _settings(lines: tuple[str, ...], room: int, faces: tuple[str, ...], caps: range) -> list[Setting]:
    for cap in caps:
        for face in faces:
            settings = [text.word(line, face, cap) for line in lines]
            if all(s.width <= room for s in settings):
                return settings
    return [text.word(line, faces[-1], caps[-1]) for line in lines]


def _broken(words: str, count: int) -> tuple[str, ...]:
    """The words in so many lines, the longest as short as can be."""
    parts = words.split()
    if count == 1:
        return (" ".join(parts),)
    splits = (
        (" ".join(parts[:cut]), *_broken(" ".join(parts[cut:]), count - 1))
        for cut in range(1, len(parts) - count + 2)
    )
    return min(splits, key=lambda lines: max(map(len, lines)))


def _sign_height(lay: Layout, lines: Sequence[Line]) -> int:
    taken = sum(line.above for line in lines) + lay.units(LEADING) * len(lines)
    return min(lay.units(42), lay.size - 2 * lay.units(8) - taken)


@lru_cache(maxsize=256)
def _sign_mask(lay: Layout, name: str, top: int, high: int) -> Image.Image:
    symbol = symbols.find_sign(name)
    width = round(high * 1.5)
    left = (lay.size - width) // 2
    frame = (left, top, left + width - 1, top + high - 1)
    inset = lay.frame if symbol.framed else 0
    area = Area(left + inset, top + inset, left + width - inset, top + high - inset)
    pen = Pen((lay.size, lay.size), area, lay.stroke * max(1.0, high / lay.units(25)))
    symbol.draw(pen)
    mask = pen.mask()
    if symbol.framed:
        ImageDraw.Draw(mask).rectangle(frame, outline=255, width=lay.frame)
    return mask
