"""Drawings that use parts of other drawings of the module show them."""

from __future__ import annotations

import io
import zipfile

import resvg_py
from PIL import Image

from validator.anygame.art import Art
from validator.anygame.svgparts import with_parts

SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HEAD = f'<svg {SPACES} width="20" height="20">'
COUNTER = f'{HEAD}<use xlink:href="symbols.svg#infantry"/></svg>'.encode()
SYMBOLS = (
    f"{HEAD}<style>.r {{ fill: #ff0000 }}</style>"
    '<linearGradient id="g"><stop stop-color="#00f"/></linearGradient>'
    '<rect id="box" class="r" width="20" height="10"/>'
    '<g id="infantry"><use xlink:href="#box"/><rect y="10" width="20" height="10" fill="url(#g)"/></g></svg>'
).encode()


def painted(drawing: bytes) -> Image.Image:
    return Image.open(io.BytesIO(resvg_py.svg_to_bytes(svg_string=drawing.decode()))).convert("RGBA")


def test_a_part_comes_with_all_that_it_uses() -> None:
    picture = painted(with_parts(COUNTER, {"symbols.svg": SYMBOLS}.get))
    assert picture.getpixel((10, 5)) == (255, 0, 0, 255)
    assert picture.getpixel((10, 15)) == (0, 0, 255, 255)


def test_a_drawing_of_its_own_keeps_its_bytes() -> None:
    assert with_parts(SYMBOLS, {}.get) == SYMBOLS


def test_what_is_missing_turns_in_a_circle_or_is_no_drawing_does_no_harm() -> None:
    circle = f'{HEAD}<use id="a" xlink:href="b.svg#a"/></svg>'.encode()
    for files in ({}, {"symbols.svg": b"no drawing"}, {"symbols.svg": b'<!DOCTYPE s [<!ENTITY a "b">]><s/>'}):
        assert with_parts(COUNTER, files.get)
    assert with_parts(circle, {"b.svg": circle.replace(b"b.svg", b"c.svg"), "c.svg": circle}.get)


def test_the_pictures_of_a_page_hold_the_parts() -> None:
    module = io.BytesIO()
    with zipfile.ZipFile(module, "w") as made:
        made.writestr("images/counter.svg", COUNTER)
        made.writestr("images/symbols.svg", SYMBOLS)
    data = Art(module).bytes_of("counter.svg") or b""
    assert b"symbols.svg" not in data
    assert painted(data).getpixel((10, 5)) == (255, 0, 0, 255)
