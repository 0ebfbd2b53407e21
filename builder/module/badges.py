"""Badges: the small signs a counter wears for movement, supply and battle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from PIL import Image, ImageColor, ImageDraw

from builder.fonts import font
from builder.module import fog
from builder.module.designs import Art
from builder.module.pictures import Picture, key
from builder.module.vocabulary import Vocabulary
from fieldpost.definition.model import Game

_SCALE = 4
_BATTLE = {
    "attacker": ("A", "#b3261e"),
    "target": ("T", "#1d4e89"),
    "support": ("S", "#6b4f9a"),
    "overrun": ("O", "#c2570c"),
}
_MODES = "#2f6b4f"


def all_badges(art: Art, words: Vocabulary) -> Iterator[Picture]:
    """Every badge the pieces refer to."""
    size = max(art.counter_px // 3, 16)
    yield _picture(art.MOVED, size * 2 // 3, "", "#f2c230", "#3a2f00")
    for role, (letter, color) in _BATTLE.items():
        if role != "overrun" or words.overrun:
            yield _picture(art.badge("battle", role), size, letter, color, "#ffffff")
    for name, _ in words.modes:
        yield _picture(art.badge("mode", name), size, name[0].upper(), _MODES, "#ffffff")
    for status in words.supply:
        letters = "".join(word[0] for word in status.name.split("-") if word != "of").upper()[:2]
        yield _picture(art.badge("supply", status.name), size, letters, status.face.color, status.face.ink)


def _picture(name: str, *facts: Any) -> Picture:
    return Picture(name, partial(_disc, *facts), key("module/badges.py", *facts))


def _disc(size: int, text: str, ground: str, ink: str) -> Image.Image:
    large = size * _SCALE
    image = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.ellipse((1, 1, large - 2, large - 2), fill=ground, outline="#1b1b1b", width=_SCALE)
    if text:
        face = font("condensed-bold", large * (0.72 if len(text) == 1 else 0.58))
        pen.text((large / 2, large * 0.52), text, font=face, fill=ink, anchor="mm")
    return image.resize((size, size), Image.Resampling.LANCZOS)


def backs(art: Art, game: Game) -> Iterator[Picture]:
    """The backs of units that may be concealed, one for each side that has such, and their owner's veil."""
    hiding = {
        game.unit_type[c.type].side for c in game.counters if fog.is_concealable(c, game.unit_type[c.type])
    }
    for side in (side for side in game.sides if side.id in hiding):
        facts = art.counter_px, side.name, side.color
        yield Picture(art.back(side.id), partial(_back, *facts), key("module/badges.py", *facts))
    if hiding:
        yield Picture(
            art.VEIL, partial(_veil, art.counter_px), key("module/badges.py", "veil", art.counter_px)
        )


def _veil(size: int) -> Image.Image:
    """What the owner sees over a unit that the other side does not see: slanting lines, the face legible."""
    large = size * _SCALE
    lines = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    pen = ImageDraw.Draw(lines)
    step = large // 7
    for left in range(-large, large, step):
        pen.line((left, large, left + large, 0), fill=(255, 255, 255, 120), width=large // 34)
    pen.rounded_rectangle(
        (1, 1, large - 2, large - 2), large // 14, outline=(20, 20, 20, 255), width=large // 22
    )
    shape = Image.new("L", (large, large))
    ImageDraw.Draw(shape).rounded_rectangle((1, 1, large - 2, large - 2), large // 14, fill=255)
    veil = Image.composite(lines, Image.new("RGBA", (large, large)), shape)
    return veil.resize((size, size), Image.Resampling.LANCZOS)


def _back(size: int, name: str, color: str) -> Image.Image:
    large = size * _SCALE
    image = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(
        (1, 1, large - 2, large - 2), large // 14, fill=color, outline="#1b1b1b", width=_SCALE
    )
    ink = "#ffffff" if sum(ImageColor.getrgb(color)[:3]) < 380 else "#1b1b1b"
    pen.text((large / 2, large * 0.44), "?", font=font("condensed-bold", large * 0.5), fill=ink, anchor="mm")
    pen.text(
        (large / 2, large * 0.84), name, font=font("condensed-bold", large * 0.17), fill=ink, anchor="mm"
    )
    return image.resize((size, size), Image.Resampling.LANCZOS)
