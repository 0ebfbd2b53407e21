"""Badges: the small signs a counter wears for movement, supply and battle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from PIL import Image, ImageColor, ImageDraw

from builder.fonts import font
from builder.module.designs import HIDDEN, Art
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
        if role != "overrun" or words.overruns:
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
    """The backs of units that may be concealed, one for each side that has such."""
    for side in game.sides:
        types = [unit_type for unit_type in game.unit_types if unit_type.side == side.id]
        ids = {unit_type.id for unit_type in types}
        worn = {trait for unit_type in types for trait in unit_type.traits}
        worn |= {trait for counter in game.counters if counter.type in ids for trait in counter.traits}
        if HIDDEN in worn:
            facts = art.counter_px, side.name, side.color
            yield Picture(art.back(side.id), partial(_back, *facts), key("module/badges.py", *facts))


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
