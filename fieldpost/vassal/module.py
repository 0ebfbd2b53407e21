"""A VASSAL module, as far as replaying and checking its logs need it.

    module = Module.read("game.vmod")
    module.locate("Main Map", 205, 168)     # Location(board='East', zone=None, label='0304')
    module.pixel("Main Map", "0304")        # Point(x=205, y=168)

What has no type of its own stays in `root`, the whole tree.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from fieldpost.vassal import archive
from fieldpost.vassal.archive import DEFAULT_LIMITS, Limits
from fieldpost.vassal.grid import Point, Size, has_numbers
from fieldpost.vassal.layout import MapHabits
from fieldpost.vassal.module_extension import joined
from fieldpost.vassal.module_map import OFF_BOARD, Chosen, GameMap, Layout, Location, read_map
from fieldpost.vassal.module_parts import (
    Chart,
    Dice,
    GlobalProperty,
    Setup,
    TurnTracker,
    read_charts,
    read_dice,
    read_properties,
    read_setups,
    read_sides,
    read_trackers,
)
from fieldpost.vassal.module_pictures import picture_sizes
from fieldpost.vassal.module_pieces import Definition, Slot, prototypes, slots
from fieldpost.vassal.module_tree import NUMBER_LIMIT, Component, ModuleError, parse
from fieldpost.vassal.pieces import TraitText

__all__ = ["GameMap", "Location", "Module", "ModuleError"]

_PICKER = "BoardPicker"


@dataclass(frozen=True)
class Module:
    """A module or an extension.

    `entries` are the names of everything in its archive, `sizes` those of its boards' pictures.
    """

    name: str
    version: str
    engine: str
    root: Component = field(repr=False)
    maps: tuple[GameMap, ...] = field(default=(), repr=False)
    entries: frozenset[str] = field(default=frozenset(), repr=False)
    sizes: Mapping[str, Size] = field(default_factory=dict, repr=False)

    @classmethod
    def read(cls, path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> Module:
        """Read a `.vmod` or `.vmdx`; raises ModuleError or ArchiveError."""
        with archive.opened(path, limits) as stream:
            return cls.parse_from(stream, Path(path).name, limits)

    @classmethod
    def parse(cls, data: bytes, name: str, limits: Limits = DEFAULT_LIMITS) -> Module:
        """Read a module already in memory; `name` is for messages."""
        return cls.parse_from(io.BytesIO(data), name, limits)

    @classmethod
    def parse_from(cls, stream: BinaryIO, name: str, limits: Limits = DEFAULT_LIMITS) -> Module:
        """The same of a file that is open."""
        stream.seek(0)
        read = archive.parse_from(stream, name, limits)
        entries = frozenset(entry.name for entry in read.entries)
        build_file = next((entry for entry in archive.BUILD_FILES if entry in entries), None)
        if build_file is None:
            raise ModuleError(
                f"{name}: not a module, it has no build file",
                "A module is a .vmod file made by VASSAL's editor.",
            )
        within = replace(limits, saved_game_bytes=limits.build_file_bytes)
        [found] = archive.extract_from(stream, name, [build_file], within)
        if isinstance(found, archive.ArchiveError):
            raise found
        root = parse(found, name)
        return cls.of(root, picture_sizes(stream, _board_pictures(root)), entries)

    @classmethod
    def of(
        cls, root: Component, sizes: Mapping[str, Size] | None = None, entries: frozenset[str] = frozenset()
    ) -> Module:
        """From a tree."""
        maps = tuple(read_map(part, number, sizes or {}) for number, part in enumerate(_maps(root)))
        return cls(
            name=root.get("name") or root.get("module"),
            version=root.get("version"),
            engine=root.get("VassalVersion") or root.get("vassalVersion"),
            root=root,
            maps=maps,
            entries=entries,
            sizes=sizes or {},
        )

    def extended(self, extensions: Sequence[Module]) -> Module:
        """With all that extensions add to it; where a picture is in several files, the module's counts."""
        if not extensions:
            return self
        root = joined(self.root, [one.root for one in extensions])
        sizes = {name: size for one in (*extensions, self) for name, size in one.sizes.items()}
        entries = self.entries.union(*(one.entries for one in extensions))
        return Module.of(root, sizes, entries)

    @property
    def is_extension(self) -> bool:
        """It adds to a module, whose pictures and prototypes it uses."""
        return self.root.kind.endswith(".ModuleExtension")

    def map(self, name_or_ident: str) -> GameMap:
        """A map by its name or by its MapN; raises ModuleError."""
        found = self._maps_by_name.get(name_or_ident)
        if found is None:
            raise ModuleError(
                f"the module has no map {name_or_ident!r}",
                f"It has {', '.join(repr(one.name) for one in self.maps) or 'none'}.",
            )
        return found

    @cached_property
    def has_numbers(self) -> bool:
        """Whether hexes of any of its boards have numbers."""
        return any(has_numbers(board.grid) for one in self.maps for board in one.boards)

    @cached_property
    def numbered(self) -> Module:
        """Itself; where no board has numbers, hexes are counted by us: columns and rows from 01."""
        if self.has_numbers:
            return self
        return replace(self, maps=tuple(one.numbered for one in self.maps))

    def locate(self, map_name_or_ident: str, x: int, y: int, board: str | None = None) -> Location:
        """What a map's pixel is called, on the module's usual boards or with `board` at the top left."""
        if max(abs(x), abs(y)) >= NUMBER_LIMIT:
            return OFF_BOARD
        return self._layout(map_name_or_ident, board).locate(x, y)

    def pixel(self, map_name_or_ident: str, label: str, board: str | None = None) -> Point:
        """The pixel of a location's name; raises GridError."""
        return self._layout(map_name_or_ident, board).pixel(label)

    def _layout(self, map_name_or_ident: str, board: str | None) -> Layout:
        game_map = self.map(map_name_or_ident)
        return game_map.usual if board is None else game_map.layout([Chosen(board)])

    @cached_property
    def _maps_by_name(self) -> dict[str, GameMap]:
        named = {one.ident: one for one in self.maps}
        return named | {one.name: one for one in reversed(self.maps)}

    @cached_property
    def map_parts(self) -> tuple[Component, ...]:
        """The component of each map, in the order of `maps`."""
        return tuple(_maps(self.root))

    @cached_property
    def habits(self) -> dict[str, MapHabits]:
        """By the name of the map."""
        return {
            game_map.name: _habits(part) for game_map, part in zip(self.maps, self.map_parts, strict=True)
        }

    @cached_property
    def prototypes(self) -> dict[str, tuple[TraitText, ...]]:
        """The traits of each; `pieces.expand` and `PieceDesign.expand` take them as they are."""
        return prototypes(self.root)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every piece of palettes, decks and stacks at start."""
        return tuple(slots(self.root))

    def slot(self, gpid: str) -> Slot | None:
        return self._slots_by_gpid.get(gpid)

    @cached_property
    def _slots_by_gpid(self) -> dict[str, Slot]:
        return {slot.gpid: slot for slot in reversed(self.slots)}

    def definition(self, slot: Slot) -> Definition | None:
        """A slot's piece as it is put into play: with its prototypes written out."""
        return slot.definition.expanded(self.prototypes) if slot.definition else None

    @cached_property
    def sides(self) -> tuple[str, ...]:
        return read_sides(self.root)

    @cached_property
    def turn_trackers(self) -> tuple[TurnTracker, ...]:
        """In the order that numbers them in logs: TurnTracker0, TurnTracker1."""
        return read_trackers(self.root)

    @cached_property
    def dice(self) -> tuple[Dice, ...]:
        return read_dice(self.root)

    @cached_property
    def charts(self) -> tuple[Chart, ...]:
        return read_charts(self.root)

    @cached_property
    def setups(self) -> tuple[Setup, ...]:
        return read_setups(self.root)

    @cached_property
    def properties(self) -> tuple[GlobalProperty, ...]:
        return read_properties(self.root)


def _maps(root: Component) -> list[Component]:
    """Whatever holds a board picker is a map: modules bring map classes of their own."""
    found = [root] if any(part.kind.endswith(_PICKER) for part in root.children) else []
    for child in root.children:
        found += _maps(child)
    return found


def _board_pictures(root: Component) -> set[str]:
    return {board.get("image") for board in root.all(".boardPicker.Board")} - {""}


def _habits(part: Component) -> MapHabits:
    metrics, marks = part.first(".StackMetrics"), part.first(".HighlightLastMoved")
    layers = part.first(".LayeredPieceCollection")
    return MapHabits(
        stacks=metrics is None or not metrics.flag("disabled"),
        raises=marks is None or marks.get("enabled") != "false",
        layer_property=layers.get("property") if layers else "",
        layers=tuple(name for name in layers.get("layerOrder").split(",") if name) if layers else None,
    )
