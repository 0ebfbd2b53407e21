"""The front over a game as an animated GIF or WebP: a small map, units as dots, the line between them."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, Hexside, neighbors
from fieldpost.progress import track
from fieldpost.vassal.archive import write_bytes
from validator.report.describe import Namer
from validator.report.hexsheet import HexSheet, around
from validator.report.html.board import hexes_in_play
from validator.report.picture import HALO, INK, font
from validator.tell.acts import TurnTale
from validator.tell.places import Gazetteer
from validator.tell.stills import Stand, Still, territory, thinned

MAX_BYTES = 5_000_000
MAX_STILLS = 80  # of more phases than these, one for each side's part of a turn, or for each turn
WIDTH_PX, HEIGHT_PX = 880, 760  # what the map may take
SHARPER = 2  # drawn so much larger and made smaller, for smooth edges
HEX_PX = (6, 40)
TRIES = 4
ROOM = 0.9  # of what it may take, when it has to be smaller
MARGIN_PX = 8
CAPTION_PX = 46
PHASE_MS, TURN_MS, LAST_MS = 650, 1300, 4000
COLOURS = 128
UNCHANGED = 255  # the number of no colour: as in the picture before
SWATCH_PX = 70  # of a colour that is seldom but matters
GROUND = {
    "forest": "#e1e6d0",
    "swamp": "#dfe7dc",
    "marsh": "#dfe7dc",
    "mountain": "#e5dbc8",
    "hill": "#e9e1cd",
    "tundra": "#ebebe4",
    "sea": "#bcd5e4",
    "lake": "#bcd5e4",
}
OTHER_GROUND = "#f1ecdc"
WATER = {"minor-river": 1, "river": 1, "major-river": 2, "strait": 2}
RIVER, GRID, FRONT, BATTLE = "#7fa9c9", "#e4dcc8", "#8e1b14", "#ffd83d"
FORMS = {".gif": "GIF", ".webp": "WEBP"}
Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]


def make(path: Path, game: Game, scenario: Scenario, stills: Sequence[Still]) -> int:
    """Writes the film; how many pictures it has. Smaller pictures, where it would be too large a file."""
    form = form_of(path)
    shown = thinned(stills, {phase.id: phase.active for phase in game.sequence}, MAX_STILLS)
    if not any(still.units for still in shown):
        raise FieldpostError("there is nothing to show", "No unit stands on the map in these files.")
    smaller = 1.0
    for _ in range(TRIES):
        studio = Studio(game, scenario, shown, smaller)
        frames = list(track(studio.frames(shown), len(shown), "pictures"))
        data = encode(frames, list(_durations(shown)), form)
        if len(data) <= MAX_BYTES:
            write_bytes(path, data)
            return len(frames)
        smaller *= (ROOM * MAX_BYTES / len(data)) ** 0.5
    raise FieldpostError(
        f"{path.name} would take more than {MAX_BYTES:,} bytes", "Show fewer turns: --turn N"
    )


def form_of(path: Path) -> str:
    form = FORMS.get(path.suffix.lower())
    if form is None:
        raise FieldpostError(
            f"{path.name}: neither .gif nor .webp", f"Name it {path.stem}.gif or {path.stem}.webp."
        )
    return form


def encode(frames: Sequence[Image.Image], durations: list[int], form: str) -> bytes:
    options: dict[str, Any] = {"save_all": True, "duration": durations, "loop": 0}
    if form == "WEBP":
        options |= {"lossless": True, "quality": 50, "method": 2}
        frames = [frame.convert("RGB") for frame in frames]
    else:
        options |= {"optimize": False, "disposal": 1, "transparency": UNCHANGED}
        frames = list(_changes(frames))
    data = io.BytesIO()
    frames[0].save(data, form, append_images=frames[1:], **options)
    return data.getvalue()


def _changes(frames: Sequence[Image.Image]) -> Iterator[Image.Image]:
    """Each picture with what is as before left out, which takes far less room."""
    yield frames[0]
    for before, frame in pairwise(frames):
        numbers = [np.asarray(picture) for picture in (before, frame)]
        changed = Image.fromarray(np.where(numbers[0] == numbers[1], np.uint8(UNCHANGED), numbers[1]))
        changed.putpalette(frame.getpalette() or [])
        yield changed


def _durations(stills: Sequence[Still]) -> Iterator[int]:
    """A turn's end stays longer, the game's end longest."""
    for number, still in enumerate(stills):
        last = number + 1 == len(stills)
        yield LAST_MS if last else TURN_MS if stills[number + 1].turn != still.turn else PHASE_MS


class Studio:
    """Draws the map once, and every still onto a copy of it."""

    def __init__(self, game: Game, scenario: Scenario, stills: Sequence[Still], smaller: float = 1.0) -> None:
        self.game, self.scenario, self.map = game, scenario, game.map
        self.namer = Namer(game, scenario)
        self.colors = {side.id: side.color for side in game.sides}
        used = {hex_ for still in stills for hex_ in still.units}
        self.hexes = sorted(around(used, hexes_in_play(game, scenario, used), self.map.lattice.orientation))
        self.hex_px = self._hex_px(smaller)
        sheet = HexSheet.of(
            self.map.lattice.orientation, self.hexes, self.hex_px * SHARPER, MARGIN_PX * SHARPER
        )
        self.layout, self.shown = sheet.layout, sheet.shown
        self.corners = {hex_: self.layout.corners(hex_) for hex_ in self.hexes}
        self.width, self.map_height = max(sheet.size[0], 420 * SHARPER), sheet.size[1]
        self.rivers = list(sheet.within(self.map.side_kinds))
        self.labels = list(self._place_labels())
        self.ground = self._ground()
        self.palette = self._palette(stills)

    def _hex_px(self, smaller: float) -> int:
        """As large as the room allows."""
        bare = HexSheet.of(self.map.lattice.orientation, self.hexes, 100)
        spans = [max(axis) - min(axis) for axis in bare.axes]
        fitting = 100 * min(WIDTH_PX / spans[0], HEIGHT_PX / spans[1])
        return max(HEX_PX[0], min(HEX_PX[1], int(fitting * smaller)))

    # --- the map ---

    def _ground(self) -> Image.Image:
        size = (self.width, self.map_height + CAPTION_PX * SHARPER)
        image = Image.new("RGB", size, HALO)
        draw = ImageDraw.Draw(image)
        for hex_ in self.hexes:
            terrain = self.map.terrain[hex_]
            colour = next((c for word, c in GROUND.items() if word in terrain), OTHER_GROUND)
            draw.polygon(self.corners[hex_], fill=colour, outline=GRID if self.hex_px > 14 else colour)
        for side, kinds in self.rivers:
            width = max(WATER.get(kind, 0) for kind in kinds)
            if width:
                draw.line(self.layout.side(side), RIVER, width * SHARPER)
        return image

    def _palette(self, stills: Sequence[Still]) -> Image.Image:
        """The colours of all pictures, so that what does not change is not written again."""
        samples = [self._picture(still) for still in (stills[0], stills[len(stills) // 2], stills[-1])]
        width, height = samples[0].size
        sheet = Image.new("RGB", (width, height * len(samples) + SWATCH_PX))
        for number, sample in enumerate(samples):
            sheet.paste(sample, (0, number * height))
        strong: list[str | Colour] = [FRONT, BATTLE, INK]
        strong += [_darker(color, 0.86) for color in self.colors.values()]
        for number, colour in enumerate(strong):
            sheet.paste(
                colour, (number * SWATCH_PX, sheet.height - SWATCH_PX, (number + 1) * SWATCH_PX, sheet.height)
            )
        return sheet.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    # --- the pictures ---

    def frames(self, stills: Iterable[Still]) -> Iterator[Image.Image]:
        for still in stills:
            yield self._picture(still).quantize(palette=self.palette, dither=Image.Dither.NONE)

    def _picture(self, still: Still) -> Image.Image:
        image = self.ground.copy()
        draw = ImageDraw.Draw(image, "RGBA")
        owner = territory(self.map, self.shown, still.units)
        for hex_, side in owner.items():
            draw.polygon(self.corners[hex_], fill=(*_rgb(self.colors[side]), 84))
        self._front(draw, owner)
        self._units(draw, still.units)
        for hex_ in still.battles:
            if hex_ in self.shown:
                self._battle(draw, hex_)
        self._towns(draw)
        self._caption(draw, still)
        return image.resize((image.width // SHARPER, image.height // SHARPER), Image.Resampling.LANCZOS)

    def _front(self, draw: ImageDraw.ImageDraw, owner: dict[Hex, str]) -> None:
        width = max(2, self.hex_px // 7) * SHARPER
        for hex_, side in owner.items():
            for other in neighbors(hex_):
                if hex_ < other and owner.get(other, side) != side:
                    ends = self.layout.side(Hexside.between(hex_, other))
                    draw.line(ends, FRONT, width)
                    for x, y in ends:
                        draw.ellipse(_around(x, y, width / 2 - 0.5), fill=FRONT)

    def _units(self, draw: ImageDraw.ImageDraw, units: Stand) -> None:
        for hex_, sides in units.items():
            if hex_ not in self.shown:
                continue
            x, y = self.layout.exact(hex_)
            for number, (side, count) in enumerate(sides):
                size = self.hex_px * SHARPER * min(0.16 + 0.05 * count, 0.34)
                shift = number * self.hex_px * SHARPER * 0.2
                box = _around(x + shift, y + shift, size)
                draw.rectangle(box, fill=_darker(self.colors[side], 0.86), outline=INK, width=SHARPER)

    def _battle(self, draw: ImageDraw.ImageDraw, hex_: Hex) -> None:
        x, y = self.layout.exact(hex_)
        reach = self.hex_px * SHARPER * 0.42
        for dx, dy in ((1, 1), (1, -1)):
            ends = [(x - dx * reach, y - dy * reach), (x + dx * reach, y + dy * reach)]
            draw.line(ends, INK, 4 * SHARPER)
            draw.line(ends, BATTLE, 2 * SHARPER)

    def _towns(self, draw: ImageDraw.ImageDraw) -> None:
        for hex_, box, name in self.labels:
            x, y = self.layout.exact(hex_)
            draw.ellipse(_around(x, y, 2.2 * SHARPER), fill=INK, outline=HALO)
            draw.text(
                box[:2],
                name,
                INK,
                font(11 * SHARPER),
                stroke_width=2 * SHARPER,
                stroke_fill=(255, 255, 255, 170),
            )

    def _place_labels(self) -> Iterator[tuple[Hex, Box, str]]:
        """The greater towns first, as long as their names have room."""
        taken: list[Box] = []
        for hex_, place in Gazetteer(self.map).towns.items():
            if hex_ not in self.shown:
                continue
            x, y = self.layout.exact(hex_)
            length = font(11 * SHARPER).getlength(place.name)
            left = min(max(x - length / 2, 2), self.width - length - 2)
            below = y + 16 * SHARPER < self.map_height
            top = y + 3 * SHARPER if below else y - 17 * SHARPER
            box = (left, top, left + length, top + 13 * SHARPER)
            if not any(_overlap(box, other) for other in taken):
                taken.append(
                    (
                        box[0] - 30 * SHARPER,
                        box[1] - 14 * SHARPER,
                        box[2] + 30 * SHARPER,
                        box[3] + 14 * SHARPER,
                    )
                )
                yield hex_, box, place.name

    def _caption(self, draw: ImageDraw.ImageDraw, still: Still) -> None:
        top, left = self.map_height, MARGIN_PX * SHARPER
        heading = TurnTale.of(self.game, still.turn).heading
        draw.text((left, top), heading, INK, font(16 * SHARPER))
        phase = self.namer.phase(still.phase)
        draw.text((left, top + 23 * SHARPER), phase, "#6a6458", font(12 * SHARPER))
        right = self.width - MARGIN_PX * SHARPER
        for number, side in enumerate(self.game.sides):
            words = f"{side.name}: {still.eliminated.get(side.id, 0)} lost in battle"
            y = top + (2 + 21 * number) * SHARPER
            start = right - font(12 * SHARPER).getlength(words)
            draw.text((start, y), words, INK, font(12 * SHARPER))
            box = _around(start - 12 * SHARPER, y + 7 * SHARPER, 5 * SHARPER)
            draw.rectangle(box, fill=_darker(side.color, 0.86), outline=INK, width=SHARPER)


def _around(x: float, y: float, reach: float) -> list[float]:
    return [x - reach, y - reach, x + reach, y + reach]


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _rgb(color: str) -> Colour:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _darker(color: str, share: float) -> Colour:
    red, green, blue = _rgb(color)
    return int(red * share), int(green * share), int(blue * share)
