"""An inspection as a page for module makers: what is wrong and what to do, the maps, the pieces."""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from fieldpost.pages import Pages, data_uri
from fieldpost.phrases import grouped
from fieldpost.progress import track
from fieldpost.vassal import archive, shown
from fieldpost.vassal.inspection import Inspection, Problem
from fieldpost.vassal.module_pictures import picture_size
from fieldpost.vassal.module_pieces import Slot
from fieldpost.vassal.unzipping import ZIP_FAULTS

PAGES = Pages("inspect", (), "inspect.css")
BOARD_PX, PIECE_PX = 440, 72
PICTURES_BYTES = 6_000_000
"""For all small pictures; what comes later goes by its name alone."""
MOST = 200  # problems of one kind
MOST_PICTURES = 600
PIXELS = 40_000_000
FILE_BYTES = 64 << 20
_FAULTS = (*ZIP_FAULTS, ImportError, KeyError, SyntaxError)
WEIGHTS = {"broken": "Broken", "waste": "Wasteful", "hint": "Worth knowing"}
LISTS = {
    "Sides": "sides",
    "Turn trackers": "turn_trackers",
    "Decks": "decks",
    "Charts": "charts",
    "Set-ups": "setups",
}
ADVICE = {
    "missing-picture": (
        "Missing pictures",
        "Add a picture of this name to the module's images, or choose another where it is named.",
    ),
    "picture-case": (
        "Pictures in other capitals",
        "Rename the picture, or write its name as the file has it: some systems tell capitals apart.",
    ),
    "unused-pictures": (
        "Pictures that nothing names",
        "Remove them from the module's images, unless an expression puts their names together.",
    ),
    "large-picture": ("Large picture files", "Save them as JPEG, or with fewer pixels."),
    "large-board": ("Large boards", "Scale the board's picture down, or divide it into several boards."),
    "large-piece": ("Large pictures of pieces", "Scale them down to the size in which they are shown."),
    "large-module": ("A large module", "Large and unused pictures are usually the reason."),
    "dangling-prototype": (
        "Prototypes that nobody defined",
        "Define a prototype of this name, or remove the trait Prototype that names it.",
    ),
    "double-prototype": ("Prototypes defined twice", "Remove or rename all but one: only the last counts."),
    "double-id": (
        "Pieces that share an id",
        "Cut and paste all but one of them in VASSAL's editor: each gets an id of its own.",
    ),
    "no-id": (
        "Pieces without an id",
        "Open the module in VASSAL's editor and save it: the pieces get ids, and saved games can be updated.",
    ),
    "double-map": ("Maps of one name", "Rename all but one: pieces are kept by the name of their map."),
    "no-grid": ("Boards without a grid", "Add a grid to the board, so that reports can name places."),
    "no-numbers": ("Grids without numbers", "Add grid numbering, so that reports can name places."),
    "lost-stack": (
        "Pieces on boards that the map does not have",
        "Choose one of the map's boards for the At-Start Stack or the deck.",
    ),
    "missing-setup": (
        "Missing set-ups",
        "Save the set-up once more under this name, or remove its menu item.",
    ),
    "missing-chart": ("Missing charts", "Add the chart's file to the module, or remove the chart."),
    "broken-expression": (
        "Expressions whose brackets do not match",
        "Open the expression in VASSAL's editor and close its brackets and quotation marks.",
    ),
    "unknown-trait": ("Traits we do not know", ""),
    "young-trait": ("Traits that old engines do not know", ""),
    "unreachable": ("Traits that nothing leads to", "Give them a menu item or a key, or remove them."),
    "own-code": ("Java code of its own", "Ask its maker whether it fits the engines that players have."),
    "picture-of-the-module": ("Pictures that the module must have", ""),
    "prototype-of-the-module": ("Prototypes that the module must have", ""),
}
"""What a kind of problem is called, and what to do about it."""


def render(found: Inspection, path: Path) -> str:
    data: dict[str, Any] = shown.data(found.data())  # type: ignore[assignment]
    module = found.module
    palettes = grouped(module.slots, lambda slot: "".join(slot.path[:1]))
    boards = (board.image or "" for game_map in module.maps for board in game_map.boards)
    longest = dict.fromkeys(map(_face, module.slots), PIECE_PX) | dict.fromkeys(boards, BOARD_PX)
    return PAGES.fill(
        "inspect.html.j2",
        title=shown.text(found.title),
        file=path.name,
        module=data,
        weights=list(_weights(found.problems)),
        most=MOST,
        pictures=defaultdict(str, _pictures(path, longest)),
        palettes={shown.text(name): list(map(_piece, slots)) for name, slots in palettes.items()},
        lists={name: data[key] for name, key in LISTS.items() if data[key]},
    )


def _piece(slot: Slot) -> Mapping[str, str]:
    return {"name": shown.text(slot.name), "image": _face(slot)}


def _face(slot: Slot) -> str:
    return slot.definition.image if slot.definition else ""


def _weights(problems: Sequence[Problem]) -> Iterator[dict[str, Any]]:
    """By weight and kind, in their order."""
    for weight, alike in groupby(problems, key=lambda problem: problem.weight):
        kinds = grouped(alike, lambda problem: problem.kind)
        yield {"id": weight, "heading": WEIGHTS[weight], "kinds": [_kind(*each) for each in kinds.items()]}


def _kind(kind: str, problems: Sequence[Problem]) -> dict[str, Any]:
    heading, advice = ADVICE[kind]
    rows = [shown.data(problem.data()) for problem in problems]
    return {"heading": heading, "advice": advice, "problems": rows}


def _pictures(path: Path, longest: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Small ones of those that can be shown, those of boards first, as many as the page may hold."""
    left = PICTURES_BYTES
    with archive.opened(path) as stream, zipfile.ZipFile(stream) as opened:
        names = sorted(longest, key=lambda name: -longest[name])[:MOST_PICTURES]
        for name in track(names, len(names), "pictures"):
            picture = _small(opened, name, longest[name])
            left -= len(picture)
            if picture and left > 0:
                yield name, data_uri("webp", picture)


def _small(opened: zipfile.ZipFile, name: str, longest: int) -> bytes:
    """Empty where there is no picture, one that is too large, or no Pillow to make it smaller."""
    entry = next((one for one in (name, f"{name}.gif") if f"images/{one}" in opened.namelist()), "")
    size = picture_size(opened, entry)
    if size is None or size.width * size.height > PIXELS:
        return b""
    small = io.BytesIO()
    try:
        from PIL import Image

        info = opened.getinfo(f"images/{entry}")
        with opened.open(info) as stream, Image.open(io.BytesIO(stream.read(FILE_BYTES))) as picture:
            picture.thumbnail((longest, longest))
            picture.convert("RGBA").save(small, "WEBP", quality=70)
    except _FAULTS:
        return b""
    return small.getvalue()
