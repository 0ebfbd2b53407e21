"""Names for points of a map: printed hexes where the module is known, pixels where not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import Layout, chosen_boards
from fieldpost.vassal.story import by_pixels
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Place

MOST_NEIGHBOURS = 200


def namer(module: Module | None, table: Table) -> Callable[[Place], str]:
    """A namer for the boards of this game; falls back on pixels for what the module does not name."""
    if module is None:
        return by_pixels
    layouts: dict[str, Layout | None] = {}
    names: dict[Place, str] = {}

    def name(place: Place) -> str:
        if place not in names:
            names[place] = _name(place, _layout(module, table, place.map, layouts))
        return names[place]

    return name


def _name(place: Place, layout: Layout | None) -> str:
    if layout is None or max(abs(place.x), abs(place.y)) > 1_000_000:
        return by_pixels(place)
    board, zone, label = layout.locate(place.x, place.y)
    return label or zone or (f"{board} {place.x},{place.y}" if board else by_pixels(place))


def _layout(
    module: Module, table: Table, map: str | None, layouts: dict[str, Layout | None]
) -> Layout | None:
    if map is None:
        return None
    if map not in layouts:
        layouts[map] = _read_layout(module, map, table.boards.get(map))
    return layouts[map]


def _read_layout(module: Module, map: str, boards: str | None) -> Layout | None:
    try:
        game_map = module.map(map)
    except FieldpostError:
        return None
    chosen = chosen_boards(boards) if boards is not None else ()
    return game_map.layout(chosen) if chosen else game_map.usual


def beside(log: Path, name: str | None) -> tuple[Module | None, list[str]]:
    """The module of that name in the log's folder, if there is one; which files there could not be used."""
    unusable: list[str] = []
    for path in sorted(log.parent.glob("*.vmod"))[:MOST_NEIGHBOURS] if name else ():
        try:
            if archive.read(path).metadata.module == name:
                return Module.read(path), unusable
        except FieldpostError as error:
            unusable.append(f"{error.message}; left aside")
    return None, unusable
