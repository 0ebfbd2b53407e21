"""python -m tools.mapgen.inset: the picture of the inset of Smolensk, out of the small map in efs/inset/.

Drawn as all maps are, with what an inset has besides (17.12, 17.13): its black boundary, a yellow dot in each
transition hex, and the outlines of the groups of seven hexes with the number of their hex on the main map.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw

from builder import map as maps
from builder.fonts import cap_font
from builder.map.picture import MapPicture
from fieldpost.definition import load_map
from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex, Hexside, neighbors

HERE = Path(__file__).resolve().parent / "efs" / "inset"
PICTURE = HERE.parents[3] / "games" / "efs" / "art" / "smolensk.png"
HEX_PX = 88
MEGA, BOUNDARY, DOT = "#8c2f39", "#1c1c1c", "#f4cf2e"


def draw(map_: GameMap) -> Image.Image:
    picture = maps.draw(map_, furniture=False, hex_px=HEX_PX)
    image = picture.image.convert("RGB")
    pen = ImageDraw.Draw(image, "RGBA")
    groups = map_.grid["mega-hex"].values
    rivers = {side for side, kinds in map_.side_kinds.items() if kinds}
    for hex_, group in groups.items():
        for other in neighbors(hex_):
            if other not in groups:
                _side(pen, picture, hex_, other, BOUNDARY, 7)
            elif groups[other] != group and hex_ < other and Hexside.between(hex_, other) not in rivers:
                _side(pen, picture, hex_, other, MEGA, 3)
    for hex_ in map_.area["transition"].hexes:
        _dot(pen, *picture.layout.center(hex_))
    for group in sorted(set(groups.values())):
        _number(pen, picture, (h for h, found in groups.items() if found == group), group)
    return image


def _side(
    pen: ImageDraw.ImageDraw, picture: MapPicture, hex_: Hex, other: Hex, color: str, width: int
) -> None:
    a, b = picture.layout.side(Hexside.between(hex_, other))
    pen.line((*a, *b), fill=color, width=width, joint="curve")


def _dot(pen: ImageDraw.ImageDraw, x: float, y: float) -> None:
    y += HEX_PX * 0.32
    pen.ellipse((x - 6, y - 6, x + 6, y + 6), fill=DOT, outline=BOUNDARY, width=1)


def _number(pen: ImageDraw.ImageDraw, picture: MapPicture, hexes: Iterable[Hex], text: str) -> None:
    centers = [picture.layout.center(hex_) for hex_ in hexes]
    x, y = (sum(values) / len(centers) for values in zip(*centers, strict=True))
    font = cap_font("sans-bold", 11)
    place = (x - HEX_PX * 0.2, y + HEX_PX * 0.36)
    pen.text(place, text, fill=MEGA, font=font, anchor="mm", stroke_width=3, stroke_fill="#fffbea")


def main() -> int:
    map_ = load_map(str(HERE))
    PICTURE.parent.mkdir(exist_ok=True)
    draw(map_).quantize(200, dither=Image.Dither.FLOYDSTEINBERG).save(PICTURE, optimize=True)
    picture = maps.draw(map_, furniture=False, hex_px=HEX_PX)
    for label in ("S0504", "S0104", "S0904"):
        print(label, picture.layout.center(map_.lattice.hex(label)))
    print(PICTURE, picture.image.size, PICTURE.stat().st_size)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
