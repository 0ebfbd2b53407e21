"""Write a saved game that the engine opens without a warning.

    save = SaveBuilder(Metadata(module="My Game", version="1.0", engine="3.5.8"))
    save.boards("Main Map", "Board")
    save.player("Axis player", "Axis")
    save.place("Main Map", 161, 242, [("u1", design)])
    save.write(path)

The order the engine needs (members before their stack, pieces before what refers to them)
and the commands it misses when absent are seen to here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fieldpost.vassal import archive, codec, commands, pieces
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.pieces import PieceDesign, PieceError
from fieldpost.vassal.secret import Secret

HARMLESS_ID = "player-{number}"


@dataclass(frozen=True, slots=True)
class TurnLevel:
    """One level of a turn tracker: a counter when `entries` is 0, else an entry of a list."""

    current: int
    entries: int = 0
    children: tuple[TurnLevel, ...] = ()
    active_child: int = 0
    first: int = 0
    loop: bool = False
    loop_limit: int = -1

    def write(self) -> str:
        below = [child.write() for child in self.children]
        if self.entries:
            shown = ",".join(["true"] * self.entries)
            own = [str(self.current), str(self.active_child), str(self.first), shown]
        else:
            own = [str(self.current), str(self.active_child), str(self.loop).lower(), str(self.loop_limit)]
        return codec.encode([*own, *below], ";")


def turn_state(levels: Sequence[TurnLevel], active: int = 0) -> str:
    """The state of a turn tracker from its top levels."""
    return codec.encode([str(active), *(level.write() for level in levels)], "|")


class SaveBuilder:
    """Collects a position and writes it; ids are the caller's, stacks get theirs here."""

    def __init__(self, metadata: Metadata) -> None:
        self.metadata = metadata
        self.ids: set[str] = set()
        self._pieces: list[str] = []
        self._state: list[str] = []
        self._boards: list[str] = []
        self._players = 0
        self._stacks = 0

    def player(self, name: str, side: str, id: str | None = None) -> None:
        """Sit a player down, with an id that is nobody's password unless one is given."""
        self._players += 1
        secret = Secret(id or HARMLESS_ID.format(number=self._players))
        self._state.append(commands.Player(secret, name, side).text)

    def boards(self, map: str, *names: str) -> None:
        """Lay out a map's boards in one row, left to right."""
        layout = [token for column, name in enumerate(names) for token in (name, str(column), "0")]
        self._boards.append(commands.Boards(map, tuple(layout)).text)

    def property(self, name: str, value: str, container: str = "Module") -> None:
        """Set a global property of the module, or of the map `container`."""
        self._state.append(commands.PropertyValue(name, value, container).text)

    def zone_property(self, name: str, value: str, zone: str, board: str, map: str) -> None:
        self._state.append(commands.PropertyValue("\t".join([name, zone, board, map]), value, "").text)

    def turn(self, levels: Sequence[TurnLevel], active: int = 0, tracker: str = "TurnTracker0") -> None:
        self._state.append(commands.Turn(tracker, turn_state(levels, active)).text)

    def notes(self, scenario: str = "", public: str = "") -> None:
        self._state.append(commands.Notes(codec.encode(scenario.split("\n"), "|")).text)
        self._state.append(commands.PublicNotes(codec.encode(public.split("\n"), "|")).text)

    def command(self, command: commands.Command) -> None:
        """Add any other command of the position."""
        self._state.append(command.text)

    def place(
        self,
        map: str,
        x: int,
        y: int,
        members: Iterable[tuple[str, PieceDesign]],
        stack: str | None = None,
    ) -> str:
        """Put pieces on a point, bottom to top, in a stack of their own; returns the stack's id."""
        ids = [self._piece(id, design, map, x, y) for id, design in members]
        self._stacks += 1
        stack = self._claim(stack or f"stack-{self._stacks}")
        self._pieces.append(pieces.stack(stack, map, x, y, ids))
        return stack

    def loose(self, map: str, x: int, y: int, id: str, design: PieceDesign) -> None:
        """Put down a piece that does not stack."""
        self._piece(id, design, map, x, y)

    def deck(
        self,
        id: str,
        type: str,
        map: str,
        x: int,
        y: int,
        cards: Iterable[tuple[str, PieceDesign]] = (),
        face_down: bool = True,
    ) -> None:
        """Put down a deck, cards bottom to top; `type` from `pieces.deck_type`."""
        ids = [self._piece(card, design, map, x, y) for card, design in cards]
        self._pieces.append(pieces.deck(self._claim(id), type, map, x, y, ids, face_down))

    def parts(self) -> list[str]:
        """The commands at the top level of the saved game."""
        return [
            "begin_save",
            "",
            codec.encode(["", *self._pieces], ESC),
            *self._state,
            *self._boards,
            commands.SetupStack().text,
            "end_save",
        ]

    def text(self) -> str:
        return codec.encode(self.parts(), ESC)

    def bytes(self) -> bytes:
        return archive.game_bytes(self.text(), self.metadata)

    def write(self, path: str | os.PathLike[str]) -> None:
        archive.write_bytes(path, self.bytes())

    def _piece(self, id: str, design: PieceDesign, map: str, x: int, y: int) -> str:
        if any(trait.type.startswith("prototype;") for trait in design.traits):
            raise PieceError(f"piece {id}: a running game holds no prototypes", "Call expand() before.")
        self._pieces.append(design.add(self._claim(id), map, x, y))
        return id

    def _claim(self, id: str) -> str:
        if id in self.ids:
            raise PieceError(f"the id {id!r} is used twice")
        if not id or id == pieces.NONE or any(mark in id for mark in "\\/;,|'\t\x1b") or id.startswith("@@"):
            raise PieceError(f"{id!r} cannot be an id: it holds a character of the format")
        self.ids.add(id)
        return id
