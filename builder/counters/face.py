"""Draws one side of a unit's counter."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from builder.counters import art, symbols, text
from builder.counters.colors import BLACK, Rgb, mix, stripe_on
from builder.counters.ground import ground
from builder.counters.layout import Layout, layout
from builder.counters.look import BackLook, CounterLook, FactorGround
from builder.counters.pen import Pen
from builder.counters.sizes import size_mark
from builder.counters.text import Setting

YELLOW: Rgb = (255, 218, 61)
FACTOR_FACES = ("sans-bold", "condensed-bold")
LABEL_FACES = ("sans-semibold", "condensed-semibold")
CODE_FACES = ("sans-semibold", "condensed-semibold")
SMALLEST_CAP = 4


def draw_counter(look: CounterLook, size_px: int) -> Image.Image:
    lay = layout(size_px)
    stripe = stripe_on(look.ground, look.ink) if look.lost else None
    picture = ground(lay, look.ground, stripe, look.lost).copy()
    place = _label_place(look, lay)
    aside = lay.aside if place == "side" else 0
    _formation(picture, lay, look)
    _band(picture, lay, look)
    _unit_box(picture, lay, look, aside)
    _codes(picture, lay, look, place)
    _left_corner(picture, lay, look)
    if look.factors:
        _factors(picture, lay, look)
    _LABELS[place](picture, lay, look)
    return picture


def draw_back(look: BackLook, size_px: int) -> Image.Image:
    """The nationality's ground and a faint symbol in its middle."""
    lay = layout(size_px)
    picture = ground(lay, look.ground).copy()
    faint = mix(look.ground, BLACK, 0.22)
    mask = symbol_mask(lay, look.symbol)
    picture.paste(faint, (0, (lay.size - lay.box[1] - lay.box[3]) // 2), mask)
    return picture


# --- the parts ---------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _label_place(look: CounterLook, lay: Layout) -> str:
    """Where the identity stands: beside the box, over it if too long for that, or as the factors would."""
    if not look.label:
        return "nowhere"
    if not look.factors:
        return "bottom"
    return "side" if look.size or _lying(look.label, lay) else "top"


def _formation(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    if look.formation is not None:
        left, top, right, bottom = lay.formation
        edge = mix(look.formation, BLACK, 0.5)
        ImageDraw.Draw(picture).rectangle(
            (left, top, right - 1, bottom - 1), fill=look.formation, outline=edge
        )


def _band(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    """Across the counter between unit box and factors."""
    if look.band is not None:
        top = lay.box[3] + lay.units(2.5)
        ImageDraw.Draw(picture).rectangle(
            (lay.units(1), top, lay.size - 1 - lay.units(1), top + lay.units(3.5) - 1),
            fill=look.band,
            outline=mix(look.band, BLACK, 0.5),
        )


def _left_corner(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    """What a unit takes of a stack, and under it the letter of what is special about it."""
    if look.stacking:
        setting = text.word(look.stacking, CODE_FACES[0], lay.code_cap)
        _set(picture, look.ink, setting, lay.margin, lay.size_top + lay.code_cap)
    if look.code:
        setting = text.word(look.code, CODE_FACES[0], lay.code_cap)
        _set(picture, look.ink, setting, lay.size - lay.margin - setting.width, lay.box[3] + lay.units(1))


def _unit_box(picture: Image.Image, lay: Layout, look: CounterLook, aside: int) -> None:
    """The box with its symbol and size mark, so far left of the middle."""
    left, top, right, bottom = lay.box
    if look.picture is not None:
        art.stamp(picture, look.picture, lay.sign_area, look.ink, -aside)
    elif symbols.find(look.symbol).framed:
        frame = (left - aside, top, right - aside - 1, bottom - 1)
        ImageDraw.Draw(picture).rectangle(frame, fill=look.box)
    if look.picture is None:
        picture.paste(look.ink, (-aside, 0), symbol_mask(lay, look.symbol))
    if look.size:
        mark = size_mark(look.size, lay.size_cap)
        x = (left + right - mark.width) // 2 - aside
        _set(picture, look.ink, mark, x, lay.size_top + lay.size_cap)


@lru_cache(maxsize=256)
def symbol_mask(lay: Layout, name: str) -> Image.Image:
    """A symbol with its box, where it stands on the counter."""
    symbol = symbols.find(name)
    area = lay.box_area if symbol.framed else lay.sign_area
    pen = Pen((lay.size, lay.size), area, lay.stroke)
    symbol.draw(pen)
    mask = pen.mask()
    if symbol.framed:
        left, top, right, bottom = lay.box
        frame = (left, top, right - 1, bottom - 1)
        ImageDraw.Draw(mask).rectangle(frame, outline=255, width=lay.frame)
    return mask


def _codes(picture: Image.Image, lay: Layout, look: CounterLook, place: str) -> None:
    """Set-up hex or reinforcement turn in the right corner; what has no room there stands left of the box."""
    codes = [code for code in (look.setup, look.enters) if code]
    aside = lay.aside if place == "side" else 0
    if codes and place != "top":
        mark = size_mark(look.size, lay.size_cap).width if look.size else 0
        room = (lay.size - mark) // 2 + aside - lay.margin - lay.units(1.5)
        setting = _shrunk(codes.pop(0), room, CODE_FACES, lay.code_cap)
        _set(picture, look.ink, setting, lay.size - lay.margin - setting.width, lay.size_top + lay.code_cap)
    left, right = lay.box[0] - aside, lay.box[2] - aside
    for code, middle in zip(codes, (left // 2 + 1, (right + lay.size) // 2 - 1), strict=False):
        standing = _standing(code, lay.box[3] - lay.box[1], CODE_FACES, lay.code_cap)
        picture.paste(look.ink, (middle - standing.width // 2, lay.middle - standing.height // 2), standing)


def _factors(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    row = _factor_row(look.factors, lay, look.classed, look.motorized, bool(look.grounds))
    x = (lay.size - row.width) // 2
    ink = look.ink
    if look.motorized:
        _yellow_box(picture, lay, row)
        ink = BLACK
    _set(picture, ink, row, x, lay.baseline)
    for each in look.grounds:
        if each.place < len(row.spans):
            _factor_ground(picture, lay, row, x, each)


def _factor_ground(picture: Image.Image, lay: Layout, row: Setting, x: int, each: FactorGround) -> None:
    """A factor once more, on its own ground and in its own frame."""
    left, right = row.spans[each.place]
    side, above = lay.units(2.2), lay.units(3)
    frame = (x + left - side, lay.baseline - row.cap - above, x + right + side - 1, lay.baseline + above - 1)
    line = mix(each.ground, BLACK, 0.6) if each.ground is not None else None
    width = lay.units(2) if each.frame is not None else 1
    ImageDraw.Draw(picture).rectangle(frame, fill=each.ground, outline=each.frame or line, width=width)
    if each.ground is not None:
        part = row.mask.crop((left, 0, right, row.mask.height))
        picture.paste(each.ink, (x + left, lay.baseline - row.baseline), part)


@lru_cache(maxsize=2048)
def _factor_row(factors: str, lay: Layout, classed: bool, boxed: bool, apart: bool) -> Setting:
    room = lay.size - 2 * lay.margin - (lay.units(6) if boxed else lay.units(3) if apart else 0)
    for cap in range(lay.factor_cap, lay.units(9), -1):
        for face in FACTOR_FACES:
            large = cap + lay.class_cap - lay.factor_cap if classed else 0
            row = text.factors(factors, face, cap, large, lay.units(2) if apart else 0)
            if row.width <= room:
                return row
    return row


def _yellow_box(picture: Image.Image, lay: Layout, row: Setting) -> None:
    side, above = lay.units(4), lay.units(3)
    left = (lay.size - row.width) // 2 - side
    top = lay.baseline - max(lay.factor_cap, row.cap) - above
    frame = (left, top, left + row.width + 2 * side - 1, lay.baseline + above - 1)
    ImageDraw.Draw(picture).rectangle(frame, fill=YELLOW, outline=mix(YELLOW, BLACK, 0.75), width=1)


def _side_room(lay: Layout) -> int:
    return lay.size - lay.units(5) - (lay.box[2] - lay.aside + lay.units(2))


@lru_cache(maxsize=2048)
def _lying(label: str, lay: Layout) -> tuple[Setting, ...] | None:
    """A short identity, in a line for each of its words; None if it is too long to stand beside the box."""
    words = label.split()
    largest = lay.label_caps[0] - (lay.units(2) if len(words) > 1 else 0)
    for cap in range(largest, lay.label_caps[-1] - 1, -1):
        lines = tuple(text.fitted(word, _side_room(lay), LABEL_FACES, (cap,)) for word in words)
        if len(words) <= 2 and all(lines):
            return tuple(line for line in lines if line)
    return None


def _label_beside(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    """The identity, right of the box; upright if it is too long to lie."""
    start, room = lay.box[2] - lay.aside + lay.units(2), _side_room(lay)
    lines = _lying(look.label, lay)
    if lines:
        leading = lay.units(3)
        high = sum(line.cap + leading for line in lines) - leading
        baseline = lay.middle - (high - 1) // 2 - (lay.units(5) if look.code else 0)
        for line in lines:
            baseline += line.cap
            _set(picture, look.ink, line, start + (room - line.width) // 2, baseline)
            baseline += leading
        return
    long = lay.baseline - lay.class_cap - lay.units(2) - lay.margin
    standing = _standing(look.label, long, LABEL_FACES, lay.units(8))
    x = start + (room - standing.width) // 2
    picture.paste(look.ink, (x, max(lay.margin, lay.middle - standing.height // 2)), standing)


def _label_over(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    _centred(picture, lay, look, lay.units(8), lay.size_top + lay.size_cap)


def _label_under(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    _centred(picture, lay, look, lay.units(12), lay.baseline)


def _no_label(picture: Image.Image, lay: Layout, look: CounterLook) -> None:
    pass


_LABELS = {"side": _label_beside, "top": _label_over, "bottom": _label_under, "nowhere": _no_label}


def _centred(picture: Image.Image, lay: Layout, look: CounterLook, cap: int, baseline: int) -> None:
    setting = _shrunk(look.label, lay.size - 2 * lay.units(6), LABEL_FACES, cap)
    _set(picture, look.ink, setting, (lay.size - setting.width) // 2, baseline)


def _shrunk(word: str, room: int, faces: tuple[str, ...], cap: int) -> Setting:
    """A word as large as the room lets it be, and at least in the smallest size."""
    return text.fitted(word, room, faces, range(cap, SMALLEST_CAP, -1)) or text.word(
        word, faces[-1], SMALLEST_CAP
    )


def _standing(word: str, room: int, faces: tuple[str, ...], cap: int) -> Image.Image:
    """A word turned upright, as large as the room lets it be."""
    return _shrunk(word, room, faces, cap).mask.transpose(Image.Transpose.ROTATE_90)


def _set(picture: Image.Image, ink: Rgb, setting: Setting, x: int, baseline: int) -> None:
    picture.paste(ink, (x, baseline - setting.baseline), setting.mask)
