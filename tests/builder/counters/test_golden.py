"""Small pictures kept in golden/; `FIELDPOST_GOLDEN=write pytest ...` draws them anew, then look at them."""

from __future__ import annotations

import os

import pytest
from PIL import Image, ImageChops, ImageStat

from builder.counters import draw, draw_marker
from tests.builder.counters import samples

WRITE = os.environ.get("FIELDPOST_GOLDEN") == "write"
MEAN_TOLERANCE = 2.0  # of 255, over the picture: font engines differ in a shade here and there
PIXEL_TOLERANCE = 90
NAMES = [
    *(f"{c.id}-{step}-{size}" for c, step, size in (
        (samples.COUNTERS[0], 2, 60),
        (samples.COUNTERS[1], 1, 75),
        (samples.COUNTERS[4], 2, 75),
        (samples.COUNTERS[5], 1, 100),
        (samples.COUNTERS[6], 1, 75),
        (samples.COUNTERS[7], 1, 75),
        (samples.COUNTERS[8], 1, 60),
    )),
    "out-of-supply-1-75",
    "csm-1-60",
    "moved-1-100",
]  # fmt: skip


def picture(name: str) -> Image.Image:
    ident, number, size = name.rsplit("-", 2)
    game = samples.game()
    if ident in game.counter:
        return draw(game, game.counter[ident], int(number), int(size))
    return draw_marker(game, game.marker[ident], int(number), int(size))


@pytest.mark.parametrize("name", NAMES)
def test_a_counter_looks_as_it_did(name: str) -> None:
    path = samples.GOLDEN / f"{name}.png"
    drawn = picture(name)
    if WRITE:
        drawn.save(path, optimize=True)
    kept = Image.open(path)
    assert kept.size == drawn.size
    difference = ImageChops.difference(kept.convert("RGBA"), drawn)
    assert max(ImageStat.Stat(difference).mean) < MEAN_TOLERANCE
    assert max(high for _, high in difference.getextrema()) < PIXEL_TOLERANCE  # type: ignore[misc]


def test_a_shift_by_one_pixel_would_be_noticed() -> None:
    drawn = picture(NAMES[1])
    moved = ImageChops.offset(drawn, 1, 0)
    assert max(ImageStat.Stat(ImageChops.difference(drawn, moved)).mean) > MEAN_TOLERANCE


def test_golden_pictures_are_small_and_all_in_use() -> None:
    files = list(samples.GOLDEN.glob("*.png"))
    assert {f.stem for f in files} == set(NAMES)
    assert max(f.stat().st_size for f in files) < 12_000
