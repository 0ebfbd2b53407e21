"""The replay of a game in the browser: one file with boards, pieces and every step of all its logs."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fieldpost import bounds
from fieldpost.errors import FieldpostError
from fieldpost.pages import Pages, embedded
from fieldpost.phrases import listed
from fieldpost.progress import track
from fieldpost.vassal import commands, gridlines, looks, sight
from fieldpost.vassal.grid import Point, Size
from fieldpost.vassal.looks import Look, Part
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import Board, chosen_boards
from fieldpost.vassal.module_tree import Component
from fieldpost.vassal.steps import Log
from fieldpost.vassal.table import Table
from validator.anygame import summary
from validator.anygame.audit import GameAudit
from validator.anygame.games import Chain
from validator.anygame.one_log import Clean, Modules, Replay, cleaner
from validator.anygame.picturefiles import BYTES, Dropped, PictureFiles
from validator.anygame.sentences import Teller, Told
from validator.anygame.stage import Cast, Op, Stage
from validator.anygame.tale import open_chain, remark_before
from validator.audit.sources import Item

PAGE_BYTES = 10_000_000
_LEAST_FOR_PICTURES = 1_000_000
PAPER = "#ffffff"
"""Below a board, where its picture lets it shine through."""
PAGES = Pages("replay", ("scene.js", "draw.js", "steps.js", "main.js"), "replay.css")
_MOST_FRAMES = 60_000


def render(
    audit: GameAudit,
    items: Sequence[Item],
    modules: Modules,
    art: PictureFiles | None,
    side: str | None = None,
) -> str:
    """`side` asks for that side's view; it must have sat at the table in these logs."""
    return fill(film_of(audit.chain, items, modules, art, side).data(audit), audit)


def film_of(
    chain: Chain, items: Sequence[Item], modules: Modules, art: PictureFiles | None, side: str | None = None
) -> Film:
    film = Film(art, side)
    for name, log in track(open_chain(chain, items), len(chain.entries), "logs drawn"):
        with bounds.time_held(spent=chain.seconds(name)):
            film.add(name, log, modules(log.metadata.module), remark_before(chain, name))
    return film


class Film:
    """Frames: the start of each log, then its steps; each holds what changes on the boards."""

    def __init__(self, art: PictureFiles | None, side: str | None) -> None:
        self.art, self.side = art, side
        self.cast = Cast()
        self.stage = Stage(self.cast, self._size)
        self.frames: list[dict[str, Any]] = []
        self.boards: dict[str, list[dict[str, Any]]] = {}
        self.seen_by: dict[str, None] = {}
        """What there is to say of whose eyes these are, and of what was left out."""
        self._cleaners: list[Clean] = []

    def _size(self, image: str) -> Size | None:
        return self.art.size(image) if self.art else None

    def add(self, name: str, log: Log, module: Module | None, remark: str) -> None:
        replay = Replay(log, module, self.side)
        if self.side is not None:
            sight.check_side(self.side, [replay.table])
        clean = cleaner(log)
        self._cleaners.append(clean)
        teller = Teller(replay, clean)
        self._lay_out(replay.table, module)
        self._number_maps(replay)
        text = remark or ("The log begins." if log.steps else "A saved game.")
        begins = {"log": name, "text": text, "turn": clean(replay.turn())}
        self.frames.append(begins | {"ops": self.stage.enter(replay)})
        for step in track(log.steps, len(log.steps), "steps"):
            if len(self.frames) > _MOST_FRAMES:
                raise FieldpostError(
                    f"more than {_MOST_FRAMES:,} steps", "Replay some of the logs at a time."
                )
            changes = replay.table.step(step)
            ops = self.stage.after(changes)
            self.frames.append(_frame(teller.told(step, changes), ops))
        self.seen_by |= dict.fromkeys(map(clean, [*replay.sight.remarks(), *self._undrawn(replay)]))

    def _number_maps(self, replay: Replay) -> None:
        """Maps stand in the module's order, windows of players behind them."""
        used = {piece.place.map for piece in replay.table.pieces.values()}
        for game_map in replay.module.maps if replay.module else ():
            is_open = game_map.name in used and replay.sight.sees_window(game_map.name)
            if is_open and game_map.kind.endswith(".Map"):
                self.cast.map(game_map.name)

    def _undrawn(self, replay: Replay) -> list[str]:
        """The maps on which something lies, and of which there is no board to draw."""
        if replay.module is None:
            return ["Without its module there are neither boards nor pictures."]
        bare = [name for name in self.cast.maps if not self.boards.get(name)]
        if not bare:
            return []
        apart = any(isinstance(commands.parse(text), commands.VaslBoards) for text in replay.log.setup)
        why = "its boards are files of their own" if apart else "the module has none that the log chose"
        return [f"No board is drawn for {listed(bare)}: {why}."]

    def _lay_out(self, table: Table, module: Module | None) -> None:
        """The boards of each map as this log chose them; a later log does not change them."""
        for game_map, part in zip(module.maps, module.map_parts, strict=True) if module else ():
            if game_map.name not in self.boards:
                drawn = {board.get("name"): board for board in part.all(".Board")}
                command = table.boards.get(game_map.name)
                chosen = chosen_boards(command) if command else ()
                layout = game_map.layout(chosen) if chosen else game_map.usual
                self.boards[game_map.name] = [
                    _board(one.board, one.origin, drawn[one.board.name], turned=one.reversed)
                    for one in layout.placed
                    if all(one.board.size)
                ]

    def data(self, audit: GameAudit) -> dict[str, Any]:
        used = self._images()
        pictures = self.art.pictures(used, self._room()) if self.art else {}
        numbers = {name: at for at, name in enumerate(pictures)}
        return {
            "title": audit.module or "A game",
            "seen_by": list(self.seen_by),
            "images": [pictures[name].uri for name in numbers],
            "maps": [self._map(name, numbers) for name in self.cast.maps],
            "looks": [self._look(look, numbers) for look in self.cast.looks],
            "frames": self.frames,
            "marks": _marks(audit),
        }

    def _room(self) -> int:
        """Bytes for all pictures, so that the page is no larger than it may be."""
        left = PAGE_BYTES - len(json.dumps(self.frames))
        return min(BYTES, max(_LEAST_FOR_PICTURES, left * 2 // 3))

    def _images(self) -> list[str]:
        """Those of boards on which something lies, and those of every look; each once."""
        boards = itertools.chain.from_iterable(self.boards.get(name, ()) for name in self.cast.maps)
        images = itertools.chain.from_iterable(map(looks.images, self.cast.looks))
        return list(dict.fromkeys((*filter(None, (board["image"] for board in boards)), *images)))

    def _map(self, name: str, numbers: dict[str, int]) -> dict[str, Any]:
        boards = [board | {"image": numbers.get(board["image"], -1)} for board in self.boards.get(name, ())]
        return {"name": self._clean(name), "boards": boards}

    def _clean(self, text: str) -> str:
        """What is printed on a piece, without what any of the logs keeps secret."""
        for clean in self._cleaners:
            text = "\n".join(map(clean, text.split("\n")))
        return text

    def _look(self, look: Look, numbers: dict[str, int]) -> list[Any]:
        """Name, shape and parts; a 1 behind them where none of its pictures is there: then a box."""
        parts = filter(None, (_part(part, numbers, self._size, self._clean) for part in look.parts))
        row = [self._clean(look.name), list(map(round, look.box)), list(parts)]
        wanted = set(looks.images(look))
        return [*row, 1] if wanted and wanted.isdisjoint(numbers) else row


def _board(board: Board, origin: Point, drawn: Component, *, turned: bool) -> dict[str, Any]:
    return {
        "image": board.image,
        "x": origin.x,
        "y": origin.y,
        "w": board.size.width,
        "h": board.size.height,
        "turned": turned,
        "colour": gridlines.colour_of(drawn.get("color")) or PAPER,
        "grids": [dataclasses.asdict(grid) for grid in gridlines.of_board(drawn, board.size)],
    }


def _part(part: object, numbers: dict[str, int], sizes: looks.Sizes, clean: Clean) -> list[Any] | None:
    if isinstance(part, Part):
        size = sizes(part.image)
        if part.image not in numbers or size is None:
            return None
        width, height = round(size.width * part.scale, 1), round(size.height * part.scale, 1)
        row: list[Any] = [numbers[part.image], round(part.x, 1), round(part.y, 1), width, height]
        return [*row, round(part.angle, 1), part.opacity] if part.angle or part.opacity != 1 else row
    if isinstance(part, looks.Frame):
        return [None, *part]
    assert isinstance(part, looks.Text)
    place = [round(part.x, 1), round(part.y, 1)]
    return [
        clean(part.text),
        *place,
        part.across,
        part.down,
        part.size,
        part.ink,
        part.ground,
        part.style,
        part.angle,
    ]


def _frame(told: Told, ops: list[Op]) -> dict[str, Any]:
    rolls = [
        [roll.who or told.who, roll.die, list(roll.values), roll.shown, roll.sides, roll.dice]
        for roll in told.rolls
    ]
    optional = {"who": told.who, "turn": told.turn, "pieces": list(told.pieces[:20]), "rolls": rolls}
    undo = {"undone": told.undone_by, "undoes": told.undoes}
    return {
        "n": told.number,
        "text": told.text,
        "ops": ops,
        **{key: value for key, value in optional.items() if value},
        **{key: value for key, value in undo.items() if value is not None},
    }


def _marks(audit: GameAudit) -> list[dict[str, str]]:
    return [
        {"text": link.message, "log": link.after, "harmless": "yes" if link.harmless else ""}
        for link in audit.chain.links
    ]


# --- the file --------------------------------------------------------------------------------------


def fill(film: dict[str, Any], audit: GameAudit) -> str:
    return PAGES.fill(
        "replay.html.j2",
        title=film["title"],
        note=summary.NO_RULES,
        headline=summary.headline(audit),
        seen_by=film["seen_by"],
        entries=[summary.entry_line(entry) for entry in audit.chain.entries],
        links=audit.chain.links,
        tallies=[summary.tally_line(one) for one in audit.luck.tallies],
        players=[summary.player_line(one) for one in audit.players],
        film=embedded(film),
    )


def art_for(path: Path | None, extensions: Sequence[Path] = ()) -> PictureFiles | None:
    """The module's own pictures; in a browser, where there is no Pillow, the page itself scales them.

    It takes them from the module alone.
    """
    if path is None:
        return None
    try:
        from validator.anygame.art import Art
    except ImportError:
        return Dropped.read(path)
    return Art.read(path, *extensions)
