"""Small crops of maps as they were when somebody last looked at them.

After a change that is meant: `python -m tests.builder.map.test_golden`, then look at the crops.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from builder.map import draw
from tests.builder.map.samples import example, island

GOLDEN = Path(__file__).parent / "golden"
TOLERANCE = 3.0  # mean difference of a crop, of 255
CROPS = {
    "example-ferry": ("example", "classic", (300, 210, 520, 400)),
    "island-lake": ("island", "classic", (130, 200, 350, 400)),
    "island-mountains": ("island", "classic", (500, 60, 720, 260)),
    "island-safe": ("island", "safe", (500, 200, 720, 400)),
    "island-print": ("island", "print", (500, 200, 720, 400)),
}


def crop(name: str) -> Image.Image:
    source, style, box = CROPS[name]
    found = draw(example() if source == "example" else island(), style, furniture=False, workers=1)
    return found.image.crop(box)


def difference(a: Image.Image, b: Image.Image) -> float:
    return float(np.abs(np.asarray(a, np.float64) - np.asarray(b.convert("RGB"), np.float64)).mean())


@pytest.mark.parametrize("name", sorted(CROPS))
def test_the_picture_is_as_it_was(name: str) -> None:
    assert difference(crop(name), Image.open(GOLDEN / f"{name}.png")) < TOLERANCE


def test_the_comparison_tells_a_shifted_picture() -> None:
    known = Image.open(GOLDEN / "island-lake.png").convert("RGB")
    moved = known.transform(known.size, Image.Transform.AFFINE, (1, 0, 4, 0, 1, 0))
    assert difference(known, moved) > TOLERANCE


if __name__ == "__main__":
    for crop_name in CROPS:
        crop(crop_name).save(GOLDEN / f"{crop_name}.png", optimize=True)
