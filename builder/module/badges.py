"""Badges: the small signs a counter wears for movement, supply and battle."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PIL import Image, ImageDraw

from builder.fonts import font
from builder.module.designs import Art
from builder.module.vocabulary import Vocabulary

_SCALE = 4
_BATTLE = {
    "attacker": ("A", "#b3261e"),
    "target": ("T", "#1d4e89"),
    "support": ("S", "#6b4f9a"),
    "overrun": ("O", "#c2570c"),
}
_MODES = "#2f6b4f"


def all_badges(art: Art, words: Vocabulary) -> Iterator[tuple[str, Callable[[], Image.Image]]]:
    """File name and drawing of every badge the pieces refer to."""
    size = max(art.counter_px // 3, 16)
    yield art.MOVED, lambda: _disc(size * 2 // 3, "", "#f2c230", "#3a2f00")
    for role, (letter, color) in _BATTLE.items():
        if role != "overrun" or words.overruns:
            yield art.badge("battle", role), _maker(size, letter, color, "#ffffff")
    for name, _ in words.modes:
        yield art.badge("mode", name), _maker(size, name[0].upper(), _MODES, "#ffffff")
    for status in words.supply:
        letter = "".join(word[0] for word in status.name.split("-") if word != "of").upper()[:2]
        yield art.badge("supply", status.name), _maker(size, letter, status.face.color, status.face.ink)


def _maker(size: int, text: str, ground: str, ink: str) -> Callable[[], Image.Image]:
    return lambda: _disc(size, text, ground, ink)


def _disc(size: int, text: str, ground: str, ink: str) -> Image.Image:
    large = size * _SCALE
    image = Image.new("RGBA", (large, large), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.ellipse((1, 1, large - 2, large - 2), fill=ground, outline="#1b1b1b", width=_SCALE)
    if text:
        face = font("condensed-bold", large * (0.72 if len(text) == 1 else 0.58))
        pen.text((large / 2, large * 0.52), text, font=face, fill=ink, anchor="mm")
    return image.resize((size, size), Image.Resampling.LANCZOS)
