"""A small module and its logs, made by hand, with a secret word wherever something can be hidden."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fieldpost.vassal import archive, codec
from fieldpost.vassal.codec import ESC

NAME = "Secret game"
BLUE, RED = "blue-word", "red-word"
"""The passwords of the two players, Bruno and Rolf."""
MAIN, ROOM, HAND, SHOWN = "Main Map", "Blue Room", "Blue Hand", "Blue Shown"
_PARTS = "VASSAL.build.module."
SIZE_PX = 1000
_ZONE_PX = 20
_METADATA = (
    '<?xml version="1.0" encoding="UTF-8"?><data version="1"><version>1</version>'
    "<VassalVersion>3.5.8</VassalVersion><dateSaved>0</dateSaved><description/>{name}</data>"
)
_WINDOWS = {
    MAIN: ("Map", ""),
    ROOM: ("PrivateMap", 'side="Blue" visible="false" launch="true" buttonName="Window 1"'),
    HAND: ("PlayerHand", 'side="Blue" visible="false" launch="true" buttonName="Window 2"'),
    SHOWN: ("PrivateMap", 'side="Blue" visible="true" launch="true" buttonName="Window 3"'),
}


@dataclass(frozen=True)
class Location:
    """A zone of a map, by its centre."""

    map: str
    x: int
    y: int
    name: str


def module(locations: Sequence[Location], pictures: dict[str, bytes] | None = None) -> bytes:
    """Blue has a private map, a hand, and a window that all see; the rest lies on the main map."""
    parts = ("BasicCommandEncoder", "Documentation", "GlobalOptions", "PrototypesContainer", "Chatter")
    empty = "".join(f"<{_PARTS}{part}/>" for part in (*parts, "KeyNamer", "NotesWindow"))
    sides = "".join(f"<entry>{side}</entry>" for side in ("Blue", "Red"))
    maps = "".join(_window(name, [one for one in locations if one.map == name]) for name in _WINDOWS)
    build_file = (
        f'<?xml version="1.0" encoding="UTF-8"?><VASSAL.build.GameModule name="{NAME}" version="1" '
        f'VassalVersion="3.5.8" description="" nextPieceSlotId="2">{empty}'
        f"<{_PARTS}PlayerRoster>{sides}</{_PARTS}PlayerRoster>{maps}</VASSAL.build.GameModule>"
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as container:
        container.writestr("moduledata", _METADATA.format(name=f"<name>{NAME}</name>"))
        container.writestr("buildFile.xml", build_file)
        for name, data in (pictures or {}).items():
            container.writestr(f"images/{name}", data)
    return made.getvalue()


def _window(name: str, locations: Sequence[Location]) -> str:
    kind, attributes = _WINDOWS[name]
    picker, board = f"{_PARTS}map.BoardPicker", f"{_PARTS}map.boardPicker.Board"
    grid = f"{_PARTS}map.boardPicker.board.ZonedGrid"
    zones = "".join(map(_zone, locations))
    return (
        f'<{_PARTS}{kind} mapName="{name}" {attributes}><{picker}>'
        f'<{board} name="{name} board" width="{SIZE_PX}" height="{SIZE_PX}" color="255,255,255">'
        f"<{grid}>{zones}</{grid}></{board}></{picker}></{_PARTS}{kind}>"
    )


def _zone(location: Location) -> str:
    half = _ZONE_PX // 2
    left, top, right, bottom = location.x - half, location.y - half, location.x + half, location.y + half
    path = f"{left},{top};{right},{top};{right},{bottom};{left},{bottom}"
    tag = f"{_PARTS}map.boardPicker.board.mapgrid.Zone"
    return f'<{tag} name="{location.name}" locationFormat="$name$" path="{path}" useParentGrid="false"/>'


def nested(parts: Sequence[str]) -> str:
    """Types or states of traits, outermost first, as one text."""
    return codec.nest(list(parts))


def piece(id: str, types: Sequence[str], states: Sequence[str]) -> str:
    return "+/" + codec.encode([id, nested(types), nested(states)], "/")


def change(id: str, new: Sequence[str], old: Sequence[str]) -> str:
    return "D/" + codec.encode([id, nested(new), nested(old)], "/")


def move(id: str, old: Location, new: Location, player: str = BLUE) -> str:
    places = [new.map, str(new.x), str(new.y), "null", old.map, str(old.x), str(old.y), "null"]
    return "M/" + codec.encode([id, *places, player], "/")


def stack(id: str, at: Location, *members: str) -> str:
    state = codec.encode([at.map, str(at.x), str(at.y), *members, "@@1"], ";")
    return "+/" + codec.encode([id, "stack", state], "/")


def deck(id: str, name: str, at: Location, members: Sequence[str], *, face_down: bool) -> str:
    fields = ["true", "0,0,0", "40", "40", "Always" if face_down else "Never", "Never", "false", "false"]
    fields += ["false", "", "", "", name, "", "", "", "false", "false", "", "", "10"]
    lies = [at.map, str(at.x), str(at.y), "true" if face_down else "false", codec.encode(members, ",")]
    return "+/" + codec.encode([id, "deck;" + codec.encode(fields, ";"), codec.encode(lies, ";")], "/")


def basic(at: Location) -> str:
    return f"{at.map};{at.x};{at.y};1;0"


def log(setup: Sequence[str], steps: Sequence[Sequence[str]], players: Sequence[str] = ()) -> str:
    """The saved game's text; each step ends with a line that says nothing."""
    sat = players or (f"PLAYER\t{BLUE}\tBruno\tBlue", f"PLAYER\t{RED}\tRolf\tRed")
    boards = [f"{name}BoardPicker\t{name} board\t0\t0" for name in _WINDOWS]
    made = [codec.encode([f"LOG\t{text}" for text in (*step, "CHAT* step *")], ESC) for step in steps]
    return codec.encode(["begin_save", "", *setup, *sat, *boards, "SETUP_STACK\t", "end_save", *made], ESC)


def write(path: Path, text: str) -> Path:
    entries = {
        "savedGame": codec.obfuscate(text),
        "savedata": _METADATA.format(name="").encode(),
        "moduledata": _METADATA.format(name=f"<name>{NAME}</name>").encode(),
    }
    path.write_bytes(archive.pack(entries))
    return path
