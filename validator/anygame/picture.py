"""A map of any module as a picture, with the pieces on it; and a series of them as moving pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageColor, ImageDraw

from fieldpost.errors import FieldpostError
from fieldpost.progress import track
from fieldpost.vassal.archive import write_bytes
from fieldpost.vassal.looks import Frame, Look, Part, Text
from validator.anygame.art import Art
from validator.anygame.replay import Film
from validator.anygame.stage import Op
from validator.report.picture import font
from validator.tell.film import encode, form_of

WIDTH_PX, HEIGHT_PX = 1000, 800
MAX_STILLS = 80
MAX_BYTES = 5_000_000
STILL_MS, LAST_MS = 500, 4000
CAPTION_PX = 34
COLOURS = 200
_LARGEST_PX = 12_000
_LEGIBLE_PX = 5
_GROUND, _PAPER, _INK, _LINE = "#b9b3a5", "#efe9da", "#22252a", "#555555"
_MARK, _MOST_MARKS = "#e02818", 60
BARE_PX = 60  # around what lies on a map without boards
_BOX = (-28, -20, 28, 20)
Extent = tuple[float, float, float, float]
Spot = Sequence[float]


class Painter:
    """Draws one map of a film: its boards once, the pieces onto copies of them."""

    def __init__(self, film: Film, map: str, scale: float | None = None) -> None:
        self.film, self.map = film, film.cast.maps[map]
        self.looks: list[Look] = list(film.cast.looks)
        self.boards = film.boards.get(map, [])
        self.extent = self._extent()
        left, top, right, bottom = self.extent
        fitting = min(WIDTH_PX / (right - left), HEIGHT_PX / (bottom - top), 1.0)
        self.scale = min(fitting if scale is None else scale, _LARGEST_PX / max(right - left, bottom - top))
        self.picture = lru_cache(maxsize=2000)(self._picture)
        self.ground = self._ground()

    def _extent(self) -> Extent:
        """Of the boards, with as much room behind them as before; else of what lies there."""
        if self.boards:
            right, bottom = (
                max(one[at] + one[length] for one in self.boards) + min(one[at] for one in self.boards)
                for at, length in (("x", "w"), ("y", "h"))
            )
            return 0, 0, right, bottom
        spots = [spot for frame in self.film.frames for spot in placed(frame) if spot[0] == self.map]
        _, xs, ys, *_ = zip(*(spots or [(self.map, 0.0, 0.0)]), strict=True)
        return min(xs) - BARE_PX, min(ys) - BARE_PX, max(xs) + BARE_PX, max(ys) + BARE_PX

    def _ground(self) -> Image.Image:
        left, top, right, bottom = self.extent
        size = max(1, round((right - left) * self.scale)), max(1, round((bottom - top) * self.scale))
        ground = Image.new("RGB", size, _GROUND)
        for board in self.boards:
            corner = self._px(board["x"], board["y"])
            extent = max(1, round(board["w"] * self.scale)), max(1, round(board["h"] * self.scale))
            ground.paste(self._board(board, extent), corner)
        return ground

    def _board(self, board: dict[str, Any], extent: tuple[int, int]) -> Image.Image:
        sheet = Image.new("RGB", extent, board["colour"])
        image = self._image(board["image"])
        if image is not None:
            image = image.resize(extent)
            sheet.paste(image, (0, 0), image)
        for grid in board["grids"]:
            self._grid(sheet, grid)
        return sheet.rotate(180) if board["turned"] else sheet

    def _grid(self, sheet: Image.Image, grid: dict[str, Any]) -> None:
        over = sheet.copy() if grid["clip"] else sheet
        pen = ImageDraw.Draw(over)
        for line in grid["lines"]:
            pen.line([value * self.scale for value in line], fill=grid["colour"])
        size = round(grid["label_px"] * self.scale)
        if size >= _LEGIBLE_PX:
            letters = font(size)
            for text, x, y in grid["labels"]:
                at = x * self.scale, y * self.scale
                pen.text(at, text, fill=grid["label_colour"], font=letters, anchor="ma")
        if grid["clip"]:
            mask = Image.new("L", sheet.size)
            corners = [(x * self.scale, y * self.scale) for x, y in grid["clip"]]
            ImageDraw.Draw(mask).polygon(corners, fill=255)
            sheet.paste(over, (0, 0), mask)

    def paint(self, spots: Iterable[Spot]) -> Image.Image:
        """The map with what lies on it; of all spots those of this map."""
        picture = self.ground.copy()
        here = [spot for spot in spots if spot[0] == self.map]
        for spot in sorted(here, key=lambda spot: (spot[3], spot[4])):
            self._look(picture, spot, self.looks[int(spot[5])])
        return picture

    def mark(self, picture: Image.Image, moves: Iterable[tuple[Spot | None, Spot]]) -> None:
        """A frame around what came or moved, and a line from where it was."""
        pen = ImageDraw.Draw(picture)
        for old, new in moves:
            box = self.looks[int(new[5])].box
            left, top = self._px(new[1] + box.left, new[2] + box.top)
            right, bottom = self._px(new[1] + box.right, new[2] + box.bottom)
            corners = (left - 3, top - 3, max(right, left) + 3, max(bottom, top) + 3)
            pen.rectangle(corners, outline=_MARK, width=2)
            if old is not None and old[0] == self.map:
                pen.line((self._px(old[1], old[2]), self._px(new[1], new[2])), fill=_MARK, width=2)

    def _look(self, picture: Image.Image, spot: Spot, look: Look) -> None:
        """A box stands for a piece of which no picture is there."""
        drawn = [_DRAWN[type(part)](self, picture, spot, part) for part in look.parts]
        if {True, False}.intersection(drawn) == {False}:
            self._box(picture, spot, look.name)

    def _part(self, picture: Image.Image, spot: Spot, part: Part) -> bool:
        image = self.picture(part.image, part.scale, part.angle, part.opacity)
        if image is None:
            return False
        x, y = self._px(spot[1] + part.x, spot[2] + part.y)
        picture.paste(image, (x - image.width // 2, y - image.height // 2), image)
        return True

    def _image(self, name: str) -> Image.Image | None:
        art = self.film.art
        return art.image(name) if isinstance(art, Art) else None

    def _picture(self, name: str, scale: float, angle: float, opacity: float) -> Image.Image | None:
        image = self._image(name)
        if image is None:
            return None
        share = scale * self.scale
        size = max(1, round(image.width * share)), max(1, round(image.height * share))
        if max(size) > _LARGEST_PX:
            return None
        image = image.resize(size)
        if angle:
            image = image.rotate(-angle, Image.Resampling.BILINEAR, expand=True)
        if opacity < 1:
            image.putalpha(image.getchannel("A").point(lambda value: int(value * opacity)))
        return image

    def _frame(self, picture: Image.Image, spot: Spot, frame: Frame) -> None:
        x, y = self._px(spot[1] + frame.x, spot[2] + frame.y)
        corner = x + round(frame.width * self.scale), y + round(frame.height * self.scale)
        ImageDraw.Draw(picture).rectangle((x, y, *corner), fill=frame.fill or None, outline=frame.edge)

    def _text(self, picture: Image.Image, spot: Spot, text: Text) -> None:
        pen = ImageDraw.Draw(picture)
        letters = font(max(5, round(text.size * self.scale)))
        left, top, right, bottom = pen.multiline_textbbox((0, 0), text.text, font=letters)
        x, y = self._px(spot[1] + text.x, spot[2] + text.y)
        x -= {"c": (right - left) / 2, "r": right - left}.get(text.across, 0)  # type: ignore[assignment]
        y -= {"c": (bottom - top) / 2, "b": bottom - top}.get(text.down, 0)  # type: ignore[assignment]
        if text.ground:
            pen.rectangle((x, y, x + right - left, y + bottom - top), fill=text.ground)
        pen.multiline_text((x - left, y - top), text.text, fill=text.ink, font=letters)

    def _box(self, picture: Image.Image, spot: Spot, name: str) -> None:
        pen = ImageDraw.Draw(picture)
        x, y = self._px(spot[1], spot[2])
        left, top, right, bottom = (edge * self.scale for edge in _BOX)
        pen.rectangle((x + left, y + top, x + right, y + bottom), fill=_PAPER, outline=_LINE)
        if self.scale > 0.4:
            pen.text((x, y), name[:10], fill=_INK, font=font(9), anchor="mm")

    def _px(self, x: float, y: float) -> tuple[int, int]:
        return round((x - self.extent[0]) * self.scale), round((y - self.extent[1]) * self.scale)


_DRAWN: dict[type, Callable[[Painter, Image.Image, Spot, Any], bool | None]] = {
    Part: Painter._part,
    Frame: Painter._frame,
    Text: Painter._text,
}


def placed(frame: dict[str, Any]) -> list[Spot]:
    """Where a frame puts what comes, moves or changes."""
    return [spot for _, *spot in frame["ops"] if spot]


def play(frames: Iterable[dict[str, list[Op]]]) -> Iterator[dict[float, list[float]]]:
    """Who stands where after each frame; the same table each time, which goes on changing."""
    actors: dict[float, list[float]] = {}
    for frame in frames:
        for actor, *spot in frame["ops"]:
            if spot:
                actors[actor] = spot
            else:
                actors.pop(actor, None)
        yield actors


# --- moving pictures -------------------------------------------------------------------------------


def animate(path: Path, film: Film) -> int:
    """The map with the most moves, over all logs; how many pictures it has."""
    form = form_of(path)
    map = busiest(film)
    scale = 1.0
    for _ in range(4):
        painter = Painter(film, map)
        if scale < 1:
            painter = Painter(film, map, painter.scale * scale)
        stills = list(track(_stills(film, painter), MAX_STILLS, "pictures"))
        durations = [STILL_MS] * (len(stills) - 1) + [LAST_MS]
        data = encode(stills, durations, form)
        if len(data) <= MAX_BYTES:
            write_bytes(path, data)
            return len(stills)
        scale *= (0.85 * MAX_BYTES / len(data)) ** 0.5
    raise FieldpostError(f"{path.name} would take more than {MAX_BYTES:,} bytes", "Name fewer logs.")


def busiest(film: Film) -> str:
    """The map on which most happens behind the first position."""
    maps = film.cast.maps
    if not maps:
        raise FieldpostError("there is nothing to show", "No piece lies on a map in these logs.")
    steps = (frame for frame in film.frames if not frame.get("log"))
    counts = Counter(spot[0] for frame in steps for spot in placed(frame))
    return max(maps, key=lambda name: counts[maps[name]])


def _stills(film: Film, painter: Painter) -> Iterator[Image.Image]:
    """As many as the limit allows, evenly spread over the steps that changed this map."""
    number = painter.map
    moving = [
        at
        for at, frame in enumerate(film.frames)
        if at == 0 or any(spot[0] == number for spot in placed(frame))
    ]
    every = max(1, -(-len(moving) // MAX_STILLS))
    chosen = {*moving[::every], moving[-1]}
    palette: Image.Image | None = None
    before: dict[float, list[float]] = {}
    for at, actors in enumerate(play(film.frames)):
        if at not in chosen:
            continue
        painted = painter.paint(actors.values())
        moves = _moves(before, actors, number)
        if len(moves) <= _MOST_MARKS and not film.frames[at].get("log"):
            painter.mark(painted, moves)
        before = dict(actors)
        picture = _captioned(painted, film.frames[at])
        if palette is None:
            palette = _palette(picture)
        yield picture.quantize(palette=palette, dither=Image.Dither.NONE)


def _moves(
    before: dict[float, list[float]], now: dict[float, list[float]], map: int
) -> list[tuple[Spot | None, Spot]]:
    """What lies elsewhere on this map than in the picture before, and where it lay."""
    return [
        (before.get(actor), spot)
        for actor, spot in now.items()
        if spot[0] == map and before.get(actor, [])[:3] != spot[:3]
    ]


def _palette(picture: Image.Image) -> Image.Image:
    """The colours of the first picture, and that of the marks, for all."""
    found = picture.quantize(COLOURS, dither=Image.Dither.NONE)
    found.putpalette([*(found.getpalette() or [])[: 3 * COLOURS], *ImageColor.getrgb(_MARK)])
    return found


def _captioned(picture: Image.Image, frame: dict[str, object]) -> Image.Image:
    whole = Image.new("RGB", (picture.width, picture.height + CAPTION_PX), _PAPER)
    whole.paste(picture, (0, CAPTION_PX))
    words = [str(frame[key]) for key in ("log", "turn", "who", "text") if frame.get(key)]
    line = ": ".join(words)[: picture.width // 7]
    ImageDraw.Draw(whole).text((8, CAPTION_PX / 2), line, fill=_INK, font=font(15), anchor="lm")
    return whole
