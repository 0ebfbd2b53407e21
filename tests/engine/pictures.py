"""A replay's boards in a browser beside the engine's own pictures: piece by piece, after some steps of a log.

A piece is the same if the pixels it shows, uppermost where it lies, are those of the engine: then it lies in
the same place with the same image. Of a piece that is nothing but labels both must have letters there.
What only one of them draws is counted as a piece that differs.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from fieldpost import pages
from fieldpost.vassal import steps, windows
from fieldpost.vassal.looks import Look, Text
from fieldpost.vassal.module import Module
from tests.browser import chromium
from tests.browser.chromium import Browser, Page
from tests.engine import engine
from validator.anygame import one_log, replay
from validator.anygame.art import Art
from validator.anygame.audit import of_chain
from validator.anygame.picture import Painter, Spot, play
from validator.anygame.replay import Film
from validator.audit import sources
from validator.audit.sources import Item
from validator.commands import any_game
from validator.report.picture import font

FAR = 60
"""Of 255: pixels further apart are not the same colour."""
ALIKE = 0.12
"""As large a share of a piece's pixels may be far apart: letters are drawn by other fonts."""
LARGEST_PX = 4500
_INK, _LEAST_INK, _MOST_INK = 50, 0.03, 0.6
_FEWEST_PX = 30  # of a piece that can be compared
_CELL_PX = 24
_CELL_FULL = 0.25


_GO_TO = """(() => {
  const slider = document.getElementById('slider');
  slider.value = %d;
  slider.dispatchEvent(new Event('input'));
})()"""


@dataclass
class Shot:
    """One map after one step."""

    step: int
    map: str
    pieces: int = 0
    same: int = 0
    covered: int = 0
    alone: list[tuple[int, int]] = field(default_factory=list)
    """Where the engine draws something that the replay does not, or the other way round."""
    different: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.same / max(1, self.pieces + len(self.alone))


class _Owners(Painter):
    """Draws every piece in a colour of its own, so that a pixel says whose it is."""

    colour: tuple[int, int, int] = (0, 0, 0)

    def owners(self, spots: Sequence[Spot]) -> np.ndarray[Any, Any]:
        picture = Image.new("RGB", self.ground.size)
        for number, spot in enumerate(spots, 1):
            self.colour = number & 255, number >> 8 & 255, number >> 16
            self.picture.cache_clear()
            self._look(picture, spot, self.looks[int(spot[5])])
        parts = np.asarray(picture).astype(np.int32)
        return parts[..., 0] + (parts[..., 1] << 8) + (parts[..., 2] << 16)  # type: ignore[no-any-return]

    def _picture(self, name: str, scale: float, angle: float, opacity: float) -> Image.Image | None:
        image = super()._picture(name, scale, angle, 1) or self._vector(name, scale, angle)
        if image is None:
            return None
        plain = Image.new("RGBA", image.size, self.colour)
        plain.putalpha(image.getchannel("A").point(lambda alpha: 255 * (alpha > 127)))
        return plain

    def _vector(self, name: str, scale: float, angle: float) -> Image.Image | None:
        """The box of a picture that only the browser can draw."""
        size = self.film.art.size(name) if self.film.art else None
        if size is None or angle:
            return None
        return Image.new("RGBA", tuple(max(1, round(edge * scale * self.scale)) for edge in size), "white")

    def _frame(self, picture: Image.Image, spot: Spot, frame: Any) -> None:
        super()._frame(picture, spot, frame._replace(fill=frame.fill and self._hex, edge=self._hex))

    @property
    def _hex(self) -> str:
        return "#{:02x}{:02x}{:02x}".format(*self.colour)

    def _text(self, picture: Image.Image, spot: Spot, text: Any) -> None:
        """The box of a label is its piece's, where the piece is nothing but labels."""
        if not is_lettering(self.looks[int(spot[5])]):
            return
        pen = ImageDraw.Draw(picture)
        letters = font(max(5, round(text.size * self.scale)))
        left, top, right, bottom = pen.multiline_textbbox((0, 0), text.text, font=letters)
        width, height = right - left, bottom - top
        x, y = self._px(spot[1] + text.x, spot[2] + text.y)
        x -= round({"c": width / 2, "r": width}.get(text.across, 0))
        y -= round({"c": height / 2, "b": height}.get(text.down, 0))
        pen.rectangle((x, y, x + width, y + height), fill=self.colour)

    def _box(self, picture: Image.Image, spot: Spot, name: str) -> None:
        pass


def is_lettering(look: Look) -> bool:
    return bool(look.parts) and all(isinstance(part, Text) for part in look.parts)


def compare(
    browser: Browser, module: Path, game: Path, wanted: Collection[int], folder: Path
) -> tuple[list[Shot], dict[str, Any]]:
    """The folder keeps the replay and the pictures of both; the engine's report comes with the comparison."""
    known = Module.read(module)
    found = list(sources.gather([game]))
    items = [one for one in found if isinstance(one, Item)]
    library = one_log.Library([], module)
    chain, _ = any_game.chain_of(items, library)
    audit = of_chain(chain)
    film = replay.film_of(chain, items, library, Art.read(module))
    data = film.data(audit)
    page = folder / "replay.html"
    pages.write(page, replay.fill(data, audit))
    report = engine.vlog_replay(module, game, full=False, trace=False, shots=(folder, wanted))
    hands = windows.private_windows(known)  # of other players: not ours to see
    taken = {(one["step"], one["map"]): folder / one["file"] for one in report["pictures"]}
    taken = {key: path for key, path in taken.items() if key[1] not in hands}
    return list(_shots(browser, film, data, page, taken)), report


def spread(last: int, number: int) -> list[int]:
    """So many steps, evenly over a log, its end among them."""
    return sorted({round(last * part / number) for part in range(1, number + 1)})


def _shots(
    browser: Browser, film: Film, data: dict[str, Any], page: Path, taken: dict[tuple[int, str], Path]
) -> Iterator[Shot]:
    with browser.page() as tab:
        tab.open(page.as_uri())
        tab.js("for (const one of ['follow', 'trace']) document.getElementById(one).checked = false")
        for number, actors in enumerate(play(film.frames)):
            for map in [name for step, name in taken if step == number]:
                with Image.open(taken[number, map]) as picture:
                    theirs = picture.convert("RGB")
                if map not in film.cast.maps:
                    yield Shot(number, map, alone=[(0, 0)])
                    continue
                path = taken[number, map].with_suffix(".ours.png")
                board = _photo(tab, data, film.cast.maps[map], number, path, theirs.size)
                yield _compared(Shot(number, map), film, list(actors.values()), board, theirs)


@dataclass(frozen=True)
class _Board:
    """A photo of the replay's board: the map as it stands in it."""

    picture: Image.Image
    scale: float


def _photo(tab: Page, data: dict[str, Any], map: int, step: int, path: Path, size: tuple[int, int]) -> _Board:
    """The whole map in a window large enough for it, at most at its own size."""
    boards = data["maps"][map]["boards"] or [{"x": 0, "y": 0, "w": size[0], "h": size[1]}]
    right, bottom = (
        max(one[key] + one[length] for one in boards) + max(0, min(one[key] for one in boards))
        for key, length in ("xw", "yh")
    )
    share = min(1.0, LARGEST_PX / max(right, bottom))
    wide, high = max(1, round(right * share)), max(1, round(bottom * share))
    tab.size(wide + 500, high + 400)
    tab.js(_GO_TO % step)
    board = tab.box("#board")
    tab.size(round(wide + 500 + wide - board.width), round(high + 400 + high - board.height))
    tab.js(f"document.getElementById('maps').children[{map}]?.click()")
    tab.js("document.querySelector('.zoom').style.display = 'none'")
    tab.press("0")
    tab.js("new Promise(done => setTimeout(done, 700))")
    board = tab.box("#board")
    tab.shot(path)
    with Image.open(path) as shot:
        canvas = shot.convert("RGB").crop(board)
    scale = min(board.width / right, board.height / bottom)
    at = (board.width - right * scale) / 2, (board.height - bottom * scale) / 2
    whole = tuple(max(1, round(edge * scale)) for edge in (right, bottom))
    picture = canvas.crop((round(at[0]), round(at[1]), round(at[0]) + whole[0], round(at[1]) + whole[1]))
    picture.save(path)
    return _Board(picture, scale)


def _compared(shot: Shot, film: Film, all: list[list[float]], board: _Board, theirs: Image.Image) -> Shot:
    painter = _Owners(film, shot.map, board.scale)
    here = [spot for spot in all if spot[0] == painter.map]
    spots = sorted(here, key=lambda spot: (spot[3], spot[4]))
    owners = painter.owners(spots)
    ours = board.picture
    if board.scale != 1:
        theirs = theirs.resize(
            tuple(max(1, round(edge * board.scale)) for edge in theirs.size), Image.Resampling.BOX
        )
    size = min(ours.width, theirs.width, owners.shape[1]), min(ours.height, theirs.height, owners.shape[0])
    owners = owners[: size[1], : size[0]]
    far = _far(ours.crop((0, 0, *size)), theirs.crop((0, 0, *size)))
    visible = np.bincount(owners.ravel(), minlength=len(spots) + 1)
    wrong = np.bincount(owners[far], minlength=len(spots) + 1)
    for number, spot in enumerate(spots, 1):
        if visible[number] < _FEWEST_PX:
            shot.covered += 1
            continue
        shot.pieces += 1
        share = wrong[number] / visible[number]
        here = owners == number
        lettered = (
            is_lettering(painter.looks[int(spot[5])]) and _written(ours, here) and _written(theirs, here)
        )
        if share <= ALIKE or lettered:
            shot.same += 1
        else:
            name = film_name(film, spot)
            shot.different.append(
                f"{name} at {spot[1]:.0f},{spot[2]:.0f}: {share:.0%} of {visible[number]} px"
            )
    shot.alone = _lumps(far & (owners == 0) & _boards(film, shot.map, board.scale, far.shape))
    return shot


def _written(picture: Image.Image, where: np.ndarray[Any, Any]) -> bool:
    """Letters of any font are there: neither bare ground nor a picture."""
    grey = np.asarray(picture.convert("L"))[: where.shape[0], : where.shape[1]]
    pixels = grey[where].astype(np.int32)
    share = float(np.mean(np.abs(pixels - np.median(pixels)) > _INK))
    return _LEAST_INK < share < _MOST_INK


def _boards(film: Film, map: str, scale: float, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Where boards lie: what is beside them has a colour of its own in each program."""
    mask = np.zeros(shape, dtype=bool)
    for one in film.boards.get(map, ()):
        left, top = (max(0, round(one[key] * scale)) for key in "xy")
        mask[top : round((one["y"] + one["h"]) * scale), left : round((one["x"] + one["w"]) * scale)] = True
    return mask


def film_name(film: Film, spot: Spot) -> str:
    return list(film.cast.looks)[int(spot[5])].name


def _far(one: Image.Image, other: Image.Image) -> np.ndarray[Any, Any]:
    blur = ImageFilter.BoxBlur(1)
    difference = ImageChops.difference(one.filter(blur), other.filter(blur))
    return np.asarray(difference).max(axis=2) > FAR  # type: ignore[no-any-return]


def _lumps(far: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """The middles of what lies together, seen in coarse cells."""
    rows, columns = far.shape[0] // _CELL_PX, far.shape[1] // _CELL_PX
    cells = far[: rows * _CELL_PX, : columns * _CELL_PX].reshape(rows, _CELL_PX, columns, _CELL_PX)
    todo = {(int(y), int(x)) for y, x in np.argwhere(cells.mean(axis=(1, 3)) > _CELL_FULL)}
    found = []
    while todo:
        lump, edge = [], [todo.pop()]
        while edge:
            y, x = edge.pop()
            lump.append((y, x))
            near = {(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & todo
            todo -= near
            edge += near
        y, x = (sum(cell[axis] for cell in lump) // len(lump) for axis in (0, 1))
        found.append((x * _CELL_PX, y * _CELL_PX))
    return found


def main() -> int:
    """python -m tests.engine.pictures MODULE.vmod LOG.vlog FOLDER STATES"""
    module, game, folder = map(Path, sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = spread(len(steps.read(game).steps), int(sys.argv[4]))
    with tempfile.TemporaryDirectory() as profile, chromium.running(Path(profile)) as browser:
        shots, _ = compare(browser, module, game, wanted, folder)
    total: Counter[str] = Counter()
    for shot in shots:
        print(f"step {shot.step}, {shot.map}: {shot.same} of {shot.pieces} the same, {shot.covered} covered,")
        print(f"- {len(shot.alone)} drawn by one only {shot.alone[:8]}")
        for line in shot.different[:12]:
            print(f"- differs: {line}")
        total.update(pieces=shot.pieces + len(shot.alone), same=shot.same)
    print(f"{total['same']} of {total['pieces']} pieces the same over {len(shots)} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
