"""Putting the picture together: tiles of land, water, ink and lettering, painted on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from builder.map.frame import Frame
from builder.map.ground import paint, paper_grain
from builder.map.ink import FINE, Mark, draw
from builder.map.lettering import Label, write
from builder.map.palette import Style, rgb
from builder.map.raster import Array, Field, Tile, blur
from builder.map.survey import CELLS_PER_HEX, Ground
from fieldpost.hexes import Hex

TILE = (1024, 768)
MOST_WORKERS = 4  # more would cost memory and save little


@dataclass(frozen=True)
class Scene:
    """Everything the tiles are painted from."""

    frame: Frame
    style: Style
    ground: Ground
    shadow: Field
    water: dict[tuple[int, int], list[Mark]]
    ink: dict[tuple[int, int], list[Mark]]
    labels: dict[tuple[int, int], list[Label]]


@dataclass(frozen=True)
class Job:
    column: int
    row: int
    tile: Tile
    hexes: tuple[Hex, ...]


def shadow(frame: Frame) -> Field:
    """The soft shadow that the map throws on its paper."""
    cell_px = frame.hex_px / CELLS_PER_HEX * 2
    size = (int(frame.width / cell_px) + 2, int(frame.height / cell_px) + 2)
    image = Image.new("L", size)
    pen = ImageDraw.Draw(image)
    drop = 5 * frame.unit
    for h in frame.ordered:
        pen.polygon(
            [((x + drop) / cell_px, (y + drop) / cell_px) for x, y in frame.layout.corners(h)], fill=255
        )
    return Field(blur(np.asarray(image, np.float32) / np.float32(255), 1.4), cell_px)


def jobs(frame: Frame) -> list[Job]:
    near: dict[tuple[int, int], list[Hex]] = {}
    for h in frame.ordered:
        corners = frame.layout.corners(h)
        columns = {int(x // TILE[0]) for x, _ in corners}
        rows = {int(y // TILE[1]) for _, y in corners}
        for column in columns:
            for row in rows:
                near.setdefault((column, row), []).append(h)
    found = []
    for row in range(-(-frame.height // TILE[1])):
        for column in range(-(-frame.width // TILE[0])):
            left, top = column * TILE[0], row * TILE[1]
            tile = Tile(left, top, min(TILE[0], frame.width - left), min(TILE[1], frame.height - top))
            found.append(Job(column, row, tile, tuple(near.get((column, row), ()))))
    return found


def paint_tile(scene: Scene, job: Job) -> Image.Image:
    tile = job.tile
    sheet = _image(_paper(scene, tile))
    if job.hexes:
        sheet.paste(_land_and_water(scene, job), (0, 0), _map_mask(scene.frame, job))
    marks = scene.ink.get((job.column, job.row))
    if marks:
        inked = draw(marks, tile)
        sheet.paste(inked.convert("RGB"), (0, 0), inked.getchannel("A"))
    write(sheet, scene.labels.get((job.column, job.row), ()), (tile.left, tile.top))
    return sheet


def _land_and_water(scene: Scene, job: Job) -> Image.Image:
    color, land = paint(scene.ground, scene.style, job.tile, scene.frame.unit)
    image = _image(color)
    streams = scene.water.get((job.column, job.row))
    if streams:
        rivers = draw(streams, job.tile)
        banks = Image.fromarray((np.asarray(rivers.getchannel("A"), np.float32) * land).astype(np.uint8))
        image.paste(rivers.convert("RGB"), (0, 0), banks)
    return image


def _paper(scene: Scene, tile: Tile) -> Array:
    grain = paper_grain()
    size = grain.shape[0]
    rows = np.arange(tile.top, tile.top + tile.height) % size
    columns = np.arange(tile.left, tile.left + tile.width) % size
    light = 1 + grain[np.ix_(rows, columns)] * np.float32(0.8 * scene.style.grain)
    light -= scene.shadow.tile(tile) * np.float32(0.30)
    return np.array(rgb(scene.style.paper)[:3], np.float32) * light[..., None]


def _map_mask(frame: Frame, job: Job) -> Image.Image:
    """White where the map is, grey on pixels that its edge cuts."""
    tile = job.tile
    mask = Image.new("L", (tile.width * FINE, tile.height * FINE))
    pen = ImageDraw.Draw(mask)
    for h in job.hexes:
        pen.polygon(
            [((x - tile.left) * FINE, (y - tile.top) * FINE) for x, y in frame.layout.corners(h)],
            fill=255,
            outline=255,
        )
    return mask.reduce(FINE)


def _image(color: Array) -> Image.Image:
    return Image.fromarray(np.clip(color + np.float32(0.5), 0, 255).astype(np.uint8))


# --- on all cores -------------------------------------------------------------------------------

_scene: list[Scene] = []


def _begin(scene: Scene) -> None:
    _scene[:] = [scene]


def _work(job: Job) -> tuple[Tile, bytes]:
    return job.tile, paint_tile(_scene[0], job).tobytes()


def render(scene: Scene, workers: int | None = None) -> Image.Image:
    """The whole picture, without what stands beside the map."""
    todo = jobs(scene.frame)
    picture = Image.new("RGB", (scene.frame.width, scene.frame.height))
    for tile, data in _painted(scene, todo, workers or min(MOST_WORKERS, os.cpu_count() or 1)):
        picture.paste(Image.frombytes("RGB", (tile.width, tile.height), data), (tile.left, tile.top))
    return picture


def _painted(scene: Scene, todo: Sequence[Job], workers: int) -> Iterator[tuple[Tile, bytes]]:
    if workers == 1 or len(todo) < 3:
        for job in todo:
            yield job.tile, paint_tile(scene, job).tobytes()
        return
    with ProcessPoolExecutor(workers, initializer=_begin, initargs=(scene,)) as pool:
        yield from pool.map(_work, todo)
