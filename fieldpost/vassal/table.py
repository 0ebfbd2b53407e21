"""The table: a log replayed as VASSAL replays it.

    log = steps.read("turn.vlog")
    table = Table.of(log)
    for step in log.steps:
        for change in table.step(step):
            ...

Players appear under aliases (`player-1`); no password enters. A command that cannot be
carried out is passed over and listed in `problems`, as the engine would go on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from fieldpost.errors import FieldpostError
from fieldpost.vassal import codec, commands, pieces
from fieldpost.vassal.changes import (
    Added,
    Change,
    ChatLine,
    DeckTurned,
    Missing,
    Moved,
    NoteChanged,
    OrderChanged,
    PlayerSat,
    PropertyChanged,
    Removed,
    StateChanged,
    TurnChanged,
)
from fieldpost.vassal.commands import (
    AddPiece,
    BeginSave,
    Boards,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    Notes,
    Player,
    PlayerLeaves,
    PropertyChange,
    PropertyValue,
    PublicNotes,
    RemovePiece,
    Turn,
    Unknown,
)
from fieldpost.vassal.layout import Layout
from fieldpost.vassal.pieces import NONE, DeckState, StackState, integer, map_name
from fieldpost.vassal.steps import Log, Step
from fieldpost.vassal.things import Container, Deck, Piece, Place, Stack, Thing


class Seat(NamedTuple):
    """A player at the table."""

    name: str
    side: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A command passed over; `step` 0 is the initial position."""

    step: int
    message: str


class Aliases:
    """Names for passwords, in order of appearance. Those that match `kept` are aliases already."""

    def __init__(self, ending: str = "", kept: re.Pattern[str] | None = None) -> None:
        self._alias: dict[str, str] = {}
        self._ending, self._kept = ending, kept

    def of(self, secret: str) -> str:
        if self._kept is not None and self._kept.fullmatch(secret):
            return secret
        return self._alias.setdefault(secret, f"player-{len(self._alias) + 1}{self._ending}")

    def secret_of(self, alias: str) -> str:
        """The password behind an alias: for writing files, never for showing."""
        return next((secret for secret, other in self._alias.items() if other == alias), alias)

    def secrets(self) -> Iterator[str]:
        """The passwords themselves: for finding them in an output, never for showing."""
        return iter(self._alias)


_Watched = list[tuple[Piece, Place, Container | None]]


class Table:
    """Pieces by id, what is on which point, turn trackers, properties, notes, chat, players."""

    def __init__(self) -> None:
        self.layout = Layout()
        self.chat: list[str] = []
        self.turns: dict[str, str] = {}
        self.properties: dict[tuple[str, str], str] = {}
        self.notes: dict[str, str] = {}
        self.boards: dict[str, str] = {}
        """The BoardPicker command of each map, as `module_map.chosen_boards` reads it."""
        self.players: dict[str, Seat] = {}
        self.aliases = Aliases()
        self.problems: list[Problem] = []
        self.now = 0
        self._changes: list[Change] = []

    @classmethod
    def of(cls, log: Log) -> Table:
        """The initial position of a save or log."""
        table = cls()
        table.apply(log.setup)
        return table

    def step(self, step: Step) -> list[Change]:
        """Carry out a step and say what it did, in order."""
        self.now = step.number
        return self.apply(step.commands)

    def apply(self, texts: Iterable[str]) -> list[Change]:
        """Carry out commands."""
        changes: list[Change] = []
        self._changes = changes
        for text in texts:
            try:
                self._carry_out(text)
            except (FieldpostError, ValueError, IndexError) as error:
                why = error.message if isinstance(error, FieldpostError) else "its fields do not fit"
                self.problems.append(Problem(self.now, f"a command could not be carried out: {why}"))
        return changes

    @property
    def pieces(self) -> dict[str, Piece]:
        """All pieces in the game by id, in order of creation."""
        return {id: thing for id, thing in self.layout.things.items() if isinstance(thing, Piece)}

    @property
    def stacks(self) -> dict[str, Stack]:
        """All stacks that hold a piece."""
        return {
            id: thing
            for id, thing in self.layout.things.items()
            if isinstance(thing, Stack) and thing.contents
        }

    @property
    def decks(self) -> dict[str, Deck]:
        return {id: thing for id, thing in self.layout.things.items() if isinstance(thing, Deck)}

    def piece(self, id: str) -> Piece | None:
        thing = self.layout.things.get(id)
        return thing if isinstance(thing, Piece) else None

    def at(self, map: str, x: int, y: int) -> list[Piece]:
        """The pieces on a point, bottom to top, decks left out."""
        found: list[Piece] = []
        for thing in self.layout.at(map, x, y):
            if isinstance(thing, Piece):
                found.append(thing)
            elif isinstance(thing, Stack):
                found.extend(thing.contents)
        return found

    def _carry_out(self, text: str) -> None:
        command = commands.parse(text)
        carry_out = _CARRIED_OUT.get(type(command))
        if carry_out is not None:
            carry_out(self, command)
        elif isinstance(command, Unknown) and commands.find(text) is not None:
            raise ValueError("its fields do not fit")

    # -- pieces

    def _add(self, command: AddPiece) -> None:
        id = NONE if command.id is None else command.id
        known = self.layout.things.get(id)
        if known is not None and not known.contents:  # a stack that holds pieces stays, without its id
            self.layout.drop(known)
        thing = self.layout.things[id] = _thing(id, command.type)
        if isinstance(thing, Piece):
            self._set_piece(thing, command.state)
            self._changes.append(Added(thing, thing.place))
        else:
            self._set_container(thing, command.state)
        if self.now:
            self.layout.raise_(thing)

    def _remove(self, command: RemovePiece) -> None:
        thing = self.layout.things.get(command.id)
        if thing is None:
            return
        if isinstance(thing, Piece):
            self._changes.append(Removed(thing, thing.place))
        self.layout.raise_(thing)
        self.layout.drop(thing)

    def _change(self, command: ChangePiece) -> None:
        thing = self.layout.things.get(command.id)
        if thing is None:
            self._changes.append(Missing("changed"))
            return
        new, old = command.new, command.old
        if isinstance(thing, Piece):
            watched = self._watch([thing])
            self._merge_piece(thing, new, old) if old is not None else self._set_piece(thing, new)
            self._report_moves(watched, None)
        elif isinstance(thing, Stack) and old is not None:
            self._set_container(thing, _merged_stack(thing, new, old))
        else:
            self._set_container(thing, new)

    def _set_piece(self, piece: Piece, state: str) -> None:
        states = self._disguised(piece, piece.type.states(state))
        former, piece.states = piece.states, states
        for trait, old, new in zip(piece.type.traits[:-1], former, states, strict=False):
            if old != new:
                self._changes.append(StateChanged(piece, trait, old, new))
        self._set_basic(piece)

    def _merge_piece(self, piece: Piece, new: str, old: str) -> None:
        wanted, before = piece.type.states(new), piece.type.states(old)
        differing = [at for at, state in enumerate(wanted) if state != before[at]]
        wanted = self._disguised(piece, wanted)
        last = len(wanted) - 1
        for at in differing:
            present, piece.states[at] = piece.states[at], wanted[at]
            if at == last:
                self._set_basic(piece)
            elif present != wanted[at]:
                self._changes.append(StateChanged(piece, piece.type.traits[at], present, wanted[at]))

    def _disguised(self, piece: Piece, states: list[str]) -> list[str]:
        """Put aliases for the passwords in states that name a player."""
        for at in piece.type.owned:
            trait = piece.type.traits[at]
            owner = pieces.owner_of(trait, states[at])
            if owner is not None:
                states[at] = pieces.with_owner(trait, states[at], self.aliases.of(owner))
        return states

    def _set_basic(self, piece: Piece) -> None:
        tokens = codec.decode(piece.states[-1], ";")
        map = map_name(tokens[0])
        present = piece.place.map
        if len(tokens) > 2:
            self.layout.set_position(piece, integer(tokens[1]), integer(tokens[2]))
        if map == present:
            return
        if map is None:
            self.layout.leave(piece)
            piece.map = None
        else:
            self.layout.put_on_map(piece, map)

    def _set_container(self, container: Thing, text: str) -> None:
        assert isinstance(container, Container)
        before = container.members
        state = StackState.read(text) if isinstance(container, Stack) else DeckState.read(text)
        members = [self.layout.things.get(id) for id in state.members]
        watched = self._watch(member for member in members if isinstance(member, Piece))
        self.layout.set_position(container, state.x, state.y)
        container.contents = []
        if isinstance(container, Deck):
            self.layout.to_map(container, state.map)
        for member in members:
            if isinstance(member, Piece):
                self.layout.adopt(container, member, len(container.contents))
        self.layout.to_map(container, state.map)
        self._finish_container(container, state, before)
        self._report_moves(watched, None)

    def _finish_container(
        self, container: Container, state: StackState | DeckState, before: tuple[str, ...]
    ) -> None:
        if isinstance(container, Stack) and isinstance(state, StackState):
            container.layer = state.layer
        if isinstance(container, Deck) and isinstance(state, DeckState):
            if container.face_down != state.face_down and self.now:
                self._changes.append(DeckTurned(container, state.face_down))
            container.face_down = state.face_down
        if before and before != container.members:
            self._changes.append(OrderChanged(container, before, container.members))

    def _move(self, command: MovePiece) -> None:
        thing = self.layout.things.get(command.id)
        if thing is None:
            self._changes.append(Missing("moved"))
            return
        secret = command.player.reveal()
        player = self.aliases.of(secret) if secret else None
        watched = self._watch([thing] if isinstance(thing, Piece) else thing.contents)
        if command.map is None:
            if thing.map is not None and thing.map == command.old_map:
                self.layout.leave(thing)
            for piece, old, _ in watched:
                self._changes.append(Moved(piece, old, Place(None, 0, 0), player))
            return
        stack = thing.parent
        order = stack.members if stack else ()
        self.layout.move(thing, command.map, command.x, command.y, command.under, player)
        self.layout.raise_(thing)
        self._report_moves(watched, player)
        if stack is not None and thing.parent is stack and stack.members != order:
            self._changes.append(OrderChanged(stack, order, stack.members))

    def _watch(self, found: Iterable[Piece]) -> _Watched:
        return [(piece, piece.place, piece.parent) for piece in found]

    def _report_moves(self, watched: _Watched, player: str | None) -> None:
        for piece, old, parent in watched:
            new = piece.place
            deck, old_deck = _deck(piece.parent), _deck(parent)
            if new != old or deck is not old_deck:
                self._changes.append(Moved(piece, old, new, player, deck, old_deck))

    # -- everything else

    def _begin(self, command: BeginSave) -> None:
        self.layout.clear()

    def _say(self, command: Chat) -> None:
        self.chat.append(command.line)
        self._changes.append(ChatLine(command.line))

    def _turn(self, command: Turn) -> None:
        former = self.turns.get(command.tracker)
        self._changes.append(TurnChanged(command.tracker, former, command.state))
        self.turns[command.tracker] = command.state

    def _property_value(self, command: PropertyValue) -> None:
        self._set_property(command.name, command.container, None, command.value)

    def _property_change(self, command: PropertyChange) -> None:
        self._set_property(command.name, command.container, command.old, command.new)

    def _set_property(self, name: str, container: str, old: str | None, new: str) -> None:
        key = (container, name)
        self._changes.append(PropertyChanged(name, container, self.properties.get(key, old), new))
        self.properties[key] = new

    def _sit(self, command: Player) -> None:
        alias = self.aliases.of(command.id.reveal())
        seat = Seat(command.name, command.side)
        if self.players.get(alias) != seat:
            self.players[alias] = seat
            self._changes.append(PlayerSat(alias, seat.name, seat.side))

    def _leave(self, command: PlayerLeaves) -> None:
        self.players.pop(self.aliases.of(command.id.reveal()), None)

    def _note(self, command: Notes | PublicNotes) -> None:
        kind = command.spec.prefix.strip()
        lines = "\n".join(codec.decode(command.note, "|"))
        if self.notes.get(kind, "") != lines:
            self._changes.append(NoteChanged(kind, lines))
        self.notes[kind] = lines

    def _boards(self, command: Boards) -> None:
        self.boards[command.map] = command.text


_CARRIED_OUT: dict[type[Command], Callable[[Table, Any], None]] = {
    AddPiece: Table._add,
    RemovePiece: Table._remove,
    ChangePiece: Table._change,
    MovePiece: Table._move,
    Chat: Table._say,
    Turn: Table._turn,
    PropertyChange: Table._property_change,
    PropertyValue: Table._property_value,
    Player: Table._sit,
    PlayerLeaves: Table._leave,
    Notes: Table._note,
    PublicNotes: Table._note,
    BeginSave: Table._begin,
    Boards: Table._boards,
}


def _thing(id: str, type: str) -> Thing:
    if type == "stack":
        return Stack(id)
    if type.startswith("deck;"):
        return Deck(id, type)
    return Piece(id, pieces.read_type(type))


def _deck(container: Container | None) -> Deck | None:
    return container if isinstance(container, Deck) else None


def _merged_stack(stack: Stack, new: str, old: str) -> str:
    """A stack's new state; members that neither state knows of stay, each after its predecessor."""
    place = [str(stack.x), str(stack.y)] if stack.map is not None else []
    present = codec.encode(
        [stack.map or NONE, *place, *stack.members, *([stack.layer] if stack.layer else [])], ";"
    )
    if present == old:
        return new
    state, former = StackState.read(new), StackState.read(old)
    members = list(state.members)
    known = {*state.members, *former.members}
    for at, id in enumerate(stack.members):
        if id not in known:
            before = stack.members[at - 1] if at else None
            members.insert(members.index(before) + 1 if before in members else 0, id)
    return StackState(state.map, state.x, state.y, tuple(members), state.layer).write()
