"""Badges: the small signs a counter wears for movement, supply and battle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from PIL import Image, ImageDraw

from builder.fonts import font
from builder.module.designs import Art
from builder.module.pictures import Picture, key
from builder.module.vocabulary import Vocabulary

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
