"""The picture of the README: Turning Point's set-up around Stalingrad, as the module shows it.

python tools/readme_picture.py docs/pictures/turning-point.jpg
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from builder import counters
from builder import map as maps
from fieldpost.definition import load
from fieldpost.definition.model import Game, Scenario
from fieldpost.definition.scenariomodel import PlacedUnit

CENTER, WIDTH, HEIGHT = "4711", 1180, 690
QUALITY = 80
SHIFT_PX = 6


def main(out: Path) -> None:
    game = load("wfm")
    scenario = next(one for one in game.scenarios if one.id == "turning-point")
    picture = maps.draw(game, area=scenario.area, furniture=False)
    lattice = game.map.lattice
    for placement in scenario.set_up:
        if placement.hex is None:
            continue
        x, y = picture.layout.exact(lattice.hex(placement.hex, scenario.sheet))
        faces = [face for placed in placement.units for face in drawn(game, placed)]
        for place, face in enumerate(faces):
            shift = SHIFT_PX * place - SHIFT_PX * (len(faces) - 1) // 2
            corner = (round(x - face.width / 2) + shift, round(y - face.height / 2) - shift)
            picture.image.paste(face, corner, face)
    crop(picture, game, scenario).save(out, quality=QUALITY, optimize=True)
    print(f"wrote {out}: {out.stat().st_size // 1000} kB")


def drawn(game: Game, placed: PlacedUnit) -> list[Image.Image]:
    """A unit on top of its markers, bottom first."""
    markers = {marker.id: marker for marker in game.markers}
    unit = next(counter for counter in game.counters if counter.id == placed.id)
    below = [counters.draw_marker(game, markers[mark.id], mark.face) for mark in placed.markers]
    return [*below, counters.draw(game, unit, placed.step)]


def crop(picture: maps.MapPicture, game: Game, scenario: Scenario) -> Image.Image:
    x, y = map(round, picture.layout.exact(game.map.lattice.hex(CENTER, scenario.sheet)))
    left = min(max(0, x - WIDTH // 2), picture.image.width - WIDTH)
    top = min(max(0, y - HEIGHT // 2), picture.image.height - HEIGHT)
    return picture.image.crop((left, top, left + WIDTH, top + HEIGHT)).convert("RGB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
