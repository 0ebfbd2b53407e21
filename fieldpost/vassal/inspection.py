"""What is in a module, and what in it is broken, wasteful or unusual. Nothing of the module is run."""

from __future__ import annotations

import os
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import Any, BinaryIO

from fieldpost.progress import doing
from fieldpost.vassal import archive, traits
from fieldpost.vassal.grid import HexGrid, RegionGrid, SquareGrid, ZonedGrid
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import Board, GameMap
from fieldpost.vassal.module_pictures import head_of, picture_size
from fieldpost.vassal.module_pieces import Definition, Slot
from fieldpost.vassal.module_tree import Component
from fieldpost.vassal.pieces import TraitText
from fieldpost.vassal.traits import Trait

BROKEN, WASTE, HINT = "broken", "waste", "hint"
BOARD_PIXELS = 60_000_000
PIECE_PX = 800
PICTURE_BYTES = 8 << 20
MODULE_BYTES = 150 << 20
YOUNG_TRAITS = {"attach;": "3.7"}
_MOST_DEPTH = 4
_GIF = ".gif"  # the one ending that the engine adds
_OWN_PICTURES = {
    "Edit16.gif", "Help16.gif", "Save16.gif", "SaveAs16.gif", "Splash.gif", "Splash.png",
    "StepForward16.gif", "Undo16.gif", "VASSAL-256x256.png", "black.jpg", "camera.gif", "chart.gif",
    "chess_clock.png", "connect.gif", "counter.gif", "die.gif", "disconnect.gif", "getMessages.gif",
    "globe_selected.gif", "globe_unselected.gif", "inventory.gif", "keyCommand.gif", "lockedRoom.gif",
    "map.gif", "mm-extension-active.png", "mm-extension-inactive.png", "mm-file.png",
    "mm-gamefolder-closed.png", "mm-gamefolder-open.png", "mm-module.png", "moved.gif", "notes.gif",
    "overview.gif", "playerAway.gif", "playerLooking.gif", "postMessage.gif", "recenter.gif", "status.gif",
    "thread.gif", "unmoved.gif", "zoom.png", "zoomIn.gif", "zoomIn.png", "zoomOut.gif", "zoomOut.png",
}  # fmt: skip
"""The engine brings these itself: a module that has no picture of the name gets them."""
_BETWEEN_WORDS = re.compile(r"[;,|:\"<>\t\n]+")
_PAGES = (".html", ".htm")
_PASSED_OVER = ("buttonIcon", "Retire")  # written by old editors, never looked up
_SHOWN = re.compile(r"""<img\b[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_PICTURE_FIELDS = ("image", "images")
_GRIDS = {HexGrid: "hexes", SquareGrid: "squares", RegionGrid: "regions", ZonedGrid: "zones"}
_STANDARD = ("GameModule", "module.", "widget.", "AbstractConfigurable", "Component")
_OF_THE_ENGINE = ("VASSAL.",)
_ICONS = re.compile(r"icon$|^image$", re.IGNORECASE)


@dataclass(frozen=True)
class Problem:
    """`weight` is broken, waste or hint; `count` says how often the same was found.

    `subject` is the name of what is missing or named twice.
    """

    weight: str
    kind: str
    where: str
    text: str
    subject: str = ""
    count: int = 1

    def data(self) -> dict[str, Any]:
        return {
            "weight": self.weight,
            "kind": self.kind,
            "where": self.where,
            "text": self.text,
            "subject": self.subject,
            "count": self.count,
        }


@dataclass(frozen=True)
class Inspection:
    module: Module
    size: int
    pictures: dict[str, int]
    problems: tuple[Problem, ...]

    @property
    def title(self) -> str:
        module = self.module
        if module.is_extension:
            return f"Extension {module.version} of {module.name or 'any module'}"
        return f"{module.name or 'A module without a name'} {module.version}"

    def data(self) -> dict[str, Any]:
        module = self.module
        return {
            "module": module.name,
            "version": module.version,
            "engine": module.engine,
            "bytes": self.size,
            "maps": [_map_data(one) for one in module.maps],
            "pieces": len(module.slots),
            "palettes": dict(Counter(slot.path[0] if slot.path else "" for slot in module.slots)),
            "prototypes": len(module.prototypes),
            "decks": [deck.name for one in module.maps for deck in one.decks],
            "dice": [
                {"name": one.name, "kind": one.kind, "dice": one.count, "sides": one.sides}
                for one in module.dice
            ],
            "charts": [chart.name for chart in module.charts],
            "sides": list(module.sides),
            "turn_trackers": [one.name for one in module.turn_trackers],
            "setups": [one.name for one in module.setups],
            "properties": len(module.properties),
            "pictures": {"number": len(self.pictures), "bytes": sum(self.pictures.values())},
            "problems": [problem.data() for problem in self.problems],
        }


def _map_data(one: GameMap) -> dict[str, Any]:
    return {
        "name": one.name,
        "boards": [
            {
                "name": board.name,
                "image": board.image,
                "width": board.size.width,
                "height": board.size.height,
                "grid": _grid_name(board),
                "numbered": _is_numbered(board),
            }
            for board in one.boards
        ],
        "decks": len(one.decks),
        "stacks_at_start": len(one.stacks),
    }


def _grid_name(board: Board) -> str | None:
    return _GRIDS.get(type(board.grid)) if board.grid else None


def _is_numbered(board: Board) -> bool:
    grid = board.grid
    if isinstance(grid, ZonedGrid):
        inner = [grid.background, *(zone.grid for zone in grid.zones)]
        return any(zone.title for zone in grid.zones) or any(
            getattr(one, "numbering", None) is not None for one in inner if one is not None
        )
    return isinstance(grid, RegionGrid) or getattr(grid, "numbering", None) is not None


def inspect(path: Path) -> Inspection:
    """Read a module or an extension; raises ModuleError or ArchiveError."""
    with doing("looking through the module"), archive.opened(path) as stream:
        return inspect_read(Module.parse_from(stream, path.name), stream, path.name)


def inspect_read(module: Module, stream: BinaryIO, name: str) -> Inspection:
    """A module that is read already, from its file."""
    size = stream.seek(0, os.SEEK_END)
    with zipfile.ZipFile(stream) as opened:
        sizes = {info.filename: info.file_size for info in opened.infolist()}
        pictures = {
            name.removeprefix("images/"): size
            for name, size in sizes.items()
            if name.startswith("images/") and not name.endswith("/")
        }
        build_file = next(name for name in archive.BUILD_FILES if name in sizes)
        text = unescape(archive.extract_one(stream, name, build_file).decode("utf-8", "replace"))
        inspector = _Inspector(module, pictures, text, opened)
        problems = tuple(_counted([*inspector.problems(), *_whole(size)]))
    return Inspection(module, size, pictures, problems)


def _whole(size: int) -> Iterator[Problem]:
    if size > MODULE_BYTES:
        yield Problem(WASTE, "large-module", "", f"{size / 1e6:.0f} MB; most modules have less than 150 MB")


def _counted(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The same problem once, with its number; the gravest first."""
    counts = Counter(problems)
    order = (BROKEN, WASTE, HINT)
    for problem, count in sorted(counts.items(), key=lambda item: order.index(item[0].weight)):
        yield replace(problem, count=count)


class _Inspector:
    def __init__(self, module: Module, pictures: dict[str, int], text: str, opened: zipfile.ZipFile) -> None:
        self.module, self.pictures, self.text, self.opened = module, pictures, text, opened
        self.by_lower = {name.lower(): name for name in pictures}
        self.words = set(_BETWEEN_WORDS.split(text.replace("\\", "")))
        self.all_words = "\n".join(self.words)  # much shorter than the text
        self.definitions = list(definitions(module))

    def problems(self) -> Iterator[Problem]:
        yield from self._named_pictures()
        yield from self._prototypes()
        yield from self._ids()
        yield from self._traits()
        yield from self._maps()
        yield from self._files()
        yield from self._classes()
        yield from self._unused()
        yield from self._oversized()

    # -- pictures

    def _named_pictures(self) -> Iterator[Problem]:
        for where, definition in self.definitions:
            for name in _pictures(definition):
                yield from self._picture(where, name)
        for game_map in self.module.maps:
            for board in game_map.boards:
                if board.image:
                    yield from self._picture(f"board {board.name} of {game_map.name}", board.image)
        for part in self.module.root.each():
            for key, value in part.attributes.items():
                if (key, value) == _PASSED_OVER:
                    continue
                if _ICONS.search(key) and not part.kind.endswith(".Board") and value:
                    yield from self._picture(f"{_title(part)}, {key}", value)

    def _picture(self, where: str, name: str) -> Iterator[Problem]:
        if not name.strip() or name.startswith("/") or "{" in name or "$" in name or self._has(name):
            return
        other = self.by_lower.get(name.lower())
        if other:
            text = f"the picture {name!r} is called {other!r} in the file: not every computer finds it"
            yield Problem(BROKEN, "picture-case", where, text, name)
        elif self.module.is_extension:
            yield _elsewhere("picture", where, name)
        else:
            yield Problem(BROKEN, "missing-picture", where, f"the picture {name!r} is missing", name)

    def _has(self, name: str) -> bool:
        """As the engine looks for it."""
        names = (name, name + _GIF, unicodedata.normalize("NFD", name))
        return any(one in self.pictures or one in _OWN_PICTURES for one in names)

    def _unused(self) -> Iterator[Problem]:
        """Named nowhere in the build file; a name put together by an expression cannot be seen."""
        unused = [name for name in self.pictures if not self._is_named(name)]
        if unused:
            size = sum(self.pictures[name] for name in unused)
            names = ", ".join(sorted(unused)[:8]) + (" ..." if len(unused) > 8 else "")
            text = f"named nowhere in the build file: {len(unused)} in all, {size / 1e6:.1f} MB: {names}"
            yield Problem(WASTE, "unused-pictures", "images", text)

    def _is_named(self, name: str) -> bool:
        stem = name.rpartition(".")[0] or name
        if name in self.words or stem in self.words:
            return True
        return stem in (self.text if _BETWEEN_WORDS.search(name) else self.all_words)

    def _oversized(self) -> Iterator[Problem]:
        boards = {board.image for one in self.module.maps for board in one.boards}
        pieces = {name for _, definition in self.definitions for name in _pictures(definition)}
        for name, size in self.pictures.items():
            if size > PICTURE_BYTES:
                yield Problem(WASTE, "large-picture", name, f"takes {size / 1e6:.1f} MB")
        for game_map in self.module.maps:
            for board in game_map.boards:
                if board.size.width * board.size.height > BOARD_PIXELS:
                    text = f"{board.size.width} x {board.size.height} pixels: old computers cannot show it"
                    yield Problem(WASTE, "large-board", f"board {board.name} of {game_map.name}", text)
        for name in sorted((pieces - boards) & self.pictures.keys()):
            found = picture_size(self.opened, name) if self.pictures[name] > 100_000 else None
            if found and max(found) > PIECE_PX:
                yield Problem(
                    WASTE, "large-piece", name, f"{found.width} x {found.height} pixels for a piece"
                )

    # -- pieces

    def _prototypes(self) -> Iterator[Problem]:
        known = self.module.prototypes
        for where, definition in self.definitions:
            for trait in _read(definition.traits):
                if trait.prefix == "prototype;" and trait.text_of("name") not in known:
                    name = trait.text_of("name")
                    if self.module.is_extension:
                        yield _elsewhere("prototype", where, name)
                        continue
                    yield Problem(
                        BROKEN, "dangling-prototype", where, f"there is no prototype {name!r}", name
                    )
        names = Counter(part.get("name") for part in self.module.root.all(".PrototypeDefinition"))
        for name, count in names.items():
            if count > 1:
                text = f"defined {count} times; the last one counts"
                yield Problem(BROKEN, "double-prototype", name, text, name)

    def _ids(self) -> Iterator[Problem]:
        slots = [slot for slot in self.module.slots if slot.gpid]
        by_id: dict[str, list[Slot]] = {}
        for slot in slots:
            by_id.setdefault(slot.gpid, []).append(slot)
        for gpid, found in by_id.items():
            if len(found) > 1:
                names = ", ".join(_place(slot) for slot in found[:4])
                text = f"{len(found)} pieces share it: {names}"
                yield Problem(BROKEN, "double-id", f"gpid {gpid}", text, gpid)
        without = len(self.module.slots) - len(slots)
        if without:
            yield Problem(
                HINT, "no-id", "", f"{without} pieces have no gpid: saves cannot be brought up to date"
            )

    def _traits(self) -> Iterator[Problem]:
        for where, definition in self.definitions:
            found = list(_read(definition.traits))
            for trait in found:
                if trait.spec is None:
                    text = f"the trait {trait.prefix!r} is not known to fieldpost"
                    yield Problem(HINT, "unknown-trait", "", text)
                elif trait.prefix in YOUNG_TRAITS:
                    text = f"the trait {trait.name} needs VASSAL {YOUNG_TRAITS[trait.prefix]}"
                    yield Problem(HINT, "young-trait", "", text)
                yield from _expressions(where, trait)
                yield from _unreachable(where, trait)

    # -- the rest

    def _maps(self) -> Iterator[Problem]:
        for name, count in Counter(one.name for one in self.module.maps).items():
            if count > 1:
                yield Problem(BROKEN, "double-map", name, f"{count} maps have this name")
        for game_map in self.module.maps:
            names = {board.name for board in game_map.boards}
            for board in game_map.boards:
                where = f"board {board.name} of {game_map.name}"
                if board.grid is None:
                    yield Problem(HINT, "no-grid", where, "no grid: places have no names in reports and logs")
                elif not _is_numbered(board):
                    yield Problem(HINT, "no-numbers", where, "its grid has no numbers")
            placed = [(one.name, one.board) for one in game_map.stacks]
            placed += [(one.name, one.board) for one in game_map.decks]
            for title, board_name in placed:
                if board_name and board_name not in names:
                    text = f"it never appears: the map has no board {board_name!r}"
                    where = f"{title} of {game_map.name}"
                    yield Problem(BROKEN, "lost-stack", where, text, board_name)

    def _files(self) -> Iterator[Problem]:
        for setup in self.module.setups:
            if setup.file and setup.file not in self.module.entries:
                yield Problem(
                    BROKEN, "missing-setup", setup.name, f"its file {setup.file!r} is missing", setup.file
                )
        for chart in self.module.charts:
            entries = (chart.file, f"images/{chart.file}", f"images/{chart.file}{_GIF}")
            if chart.file and not any(entry in self.module.entries for entry in entries):
                text = f"its file {chart.file!r} is missing"
                yield Problem(BROKEN, "missing-chart", chart.name, text, chart.file)
            else:
                page = head_of(self.opened, chart.file) if chart.file.lower().endswith(_PAGES) else None
                for names in _SHOWN.findall((page or b"").decode("utf-8", "replace")):
                    name = unescape("".join(names))
                    if ":" not in name and "/" not in name:  # elsewhere than in this module
                        yield from self._picture(f"chart {chart.name}", name)

    def _classes(self) -> Iterator[Problem]:
        for part in self.module.root.each():
            own = "." in part.kind and not part.kind.startswith((*_STANDARD, *_OF_THE_ENGINE))
            if own:
                text = (
                    f"brings Java code of its own, {part.kind}: it opens only in engines that the code fits"
                )
                yield Problem(HINT, "own-code", "", text)


def _elsewhere(what: str, where: str, name: str) -> Problem:
    text = f"the {what} {name!r} is not in the extension: the module must have it"
    return Problem(HINT, f"{what}-of-the-module", where, text, name)


def definitions(module: Module) -> Iterator[tuple[str, Definition]]:
    """Every piece and prototype, also those within place-marker and replace traits, with its name."""
    for slot in module.slots:
        if slot.definition:
            yield from _nested(_place(slot), slot.definition)
    for part in module.root.all(".PrototypeDefinition"):
        found = Definition.read(part.text)
        if found:
            yield from _nested(f"prototype {part.get('name')}", found)


def _nested(where: str, definition: Definition, depth: int = 0) -> Iterator[tuple[str, Definition]]:
    yield where, definition
    for trait in _read(definition.traits) if depth < _MOST_DEPTH else ():
        if trait.prefix in ("placemark;", "replace;"):
            inner = Definition.read(str(trait.values.get("piece") or ""))
            if inner:
                yield from _nested(f"{where}, {trait.name}", inner, depth + 1)


def _read(found: Sequence[TraitText]) -> Iterator[Trait]:
    return (traits.read(trait.type) for trait in found)


def _pictures(definition: Definition) -> Iterator[str]:
    if definition.image:
        yield definition.image
    for trait in _read(definition.traits):
        for field in _PICTURE_FIELDS:
            value = trait.values.get(field)
            names = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
            yield from (str(name) for name in names if name)
        style = str(trait.values.get("style") or "") if trait.prefix == "obs;" else ""
        if style.startswith("G") and len(style) > 1:
            yield style[1:]
        outline = str(trait.values.get("shape") or "") if trait.prefix.startswith("nonRect") else ""
        if outline.startswith("n"):  # the picture that the shape was taken from
            yield outline[1:].partition(",")[0]


def _expressions(where: str, trait: Trait) -> Iterator[Problem]:
    for field, value in trait.values.items():
        if isinstance(value, str) and value.startswith("{") and not _is_balanced(value):
            shown = value if len(value) < 60 else f"{value[:56]} ..."
            text = f"{trait.name}, {field}: brackets or quotes do not match in {shown}"
            yield Problem(BROKEN, "broken-expression", where, text)


def _is_balanced(text: str) -> bool:
    if not text.endswith("}"):
        return False
    open_: list[str] = []
    quote = ""
    pairs = {")": "(", "}": "{", "]": "["}
    previous = ""
    for letter in text:
        if quote:
            quote = "" if letter == quote and previous != "\\" else quote
        elif letter == '"':
            quote = letter
        elif letter in "({[":
            open_.append(letter)
        elif letter in pairs and (not open_ or open_.pop() != pairs[letter]):
            return False
        previous = letter
    return not open_ and not quote


def _unreachable(where: str, trait: Trait) -> Iterator[Problem]:
    """A command that neither a menu nor a key leads to."""
    values = trait.values
    if trait.prefix == "macro;":
        if not values.get("text") and not values.get("key") and not any(values.get("watch") or ()):  # type: ignore[arg-type]
            name = values.get("name") or "without a name"
            yield Problem(HINT, "unreachable", where, f"nothing can trigger the trigger {name}")
    elif trait.prefix in ("sendto;", "return;", "setprop;", "globalkey;", "clone;", "delete;"):
        keyed = values.get("key") or values.get("back_key") or values.get("commands")
        if not values.get("text") and not keyed:
            yield Problem(
                HINT, "unreachable", where, f"neither a menu nor a key leads to its trait {trait.name}"
            )


def _title(part: Component) -> str:
    name = part.get("name") or part.get("mapName") or part.get("entryName") or part.get("text")
    kind = part.kind.rpartition(".")[2]
    return f"{kind} {name}" if name else kind


def _place(slot: Slot) -> str:
    return f"{slot.name} ({slot.path[-1]})" if slot.path else slot.name
