"""Small modules and saves, written by hand, that the engine opens."""

from __future__ import annotations

import zipfile
from pathlib import Path

BUILD = "VASSAL.build.module."
NAME, VERSION, ENGINE = "Kit sample", "1", "3.5.8"  # the newest number every engine from 3.5 on accepts

_EMPTY_PARTS = (
    "BasicCommandEncoder",
    "Documentation",
    "PlayerRoster",
    "GlobalOptions",
    "PrototypesContainer",
    "Chatter",
    "KeyNamer",
)
PIECE_TYPE = "piece;;;/images/die.gif;Counter"
_SLOT = f"+/null/{PIECE_TYPE.replace('/', chr(92) + '/')}/null;0;0;1;0"
PALETTE = (
    f'<{BUILD}PieceWindow name="Counters"><VASSAL.build.widget.ListWidget entryName="All">'
    f'<VASSAL.build.widget.PieceSlot entryName="Counter" gpid="1" width="30" height="30">{_SLOT}'
    f"</VASSAL.build.widget.PieceSlot></VASSAL.build.widget.ListWidget></{BUILD}PieceWindow>"
)
_METADATA = (
    '<?xml version="1.0" encoding="UTF-8"?><data version="1"><version>{version}</version>'
    "<VassalVersion>{engine}</VassalVersion><dateSaved>0</dateSaved><description/>{name}</data>"
)
MODULEDATA = _METADATA.format(version=VERSION, engine=ENGINE, name=f"<name>{NAME}</name>")
SAVEDATA = _METADATA.format(version=VERSION, engine=ENGINE, name="")


def map_component(name: str, boards: str, edge_width: int = 0, edge_height: int = 0) -> str:
    """A map with all its boards laid out by the caller's save or, if it has one board only, by itself."""
    picker = f"{BUILD}map.BoardPicker"
    return (
        f'<{BUILD}Map mapName="{name}" edgeWidth="{edge_width}" edgeHeight="{edge_height}">'
        f"<{picker}>{boards}</{picker}></{BUILD}Map>"
    )


def board(name: str, grid: str = "", width: int = 300, height: int = 200) -> str:
    tag = f"{BUILD}map.boardPicker.Board"
    return f'<{tag} name="{name}" width="{width}" height="{height}" color="200,220,200">{grid}</{tag}>'


def module(path: Path, maps: str | None = None, parts: str = "") -> Path:
    """A module of one counter and the given maps (one plain board when none is given)."""
    empty = "".join(f"<{BUILD}{part}/>" for part in _EMPTY_PARTS)
    root = "VASSAL.build.GameModule"
    build_file = (
        f'<?xml version="1.0" encoding="UTF-8"?><{root} name="{NAME}" version="{VERSION}" '
        f'VassalVersion="{ENGINE}" description="" nextPieceSlotId="2">{empty}{parts}'
        f"{map_component('Main', board('Board')) if maps is None else maps}{PALETTE}</{root}>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("moduledata", MODULEDATA)
        archive.writestr("buildFile.xml", build_file)
    return path


def save(path: Path, commands: list[str]) -> Path:
    """A save in plain text, of the commands between begin_save and end_save."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", "\x1b".join(["begin_save", "", *commands, "end_save"]))
        archive.writestr("savedata", SAVEDATA)
        archive.writestr("moduledata", MODULEDATA)
    return path


def counter(ident: str, map_name: str, x: int, y: int) -> str:
    """The command that puts the module's counter on a map."""
    escaped = PIECE_TYPE.replace("/", "\\/")
    return f"+/{ident}/{escaped}/{map_name};{x};{y};1;0"
