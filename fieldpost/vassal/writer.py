"""Write logs the engine steps through: each call one step, applied to a table as it goes.

    log = LogBuilder.of(save)                      # a SaveBuilder, or LogBuilder(steps.read(path))
    log.say("Axis player", "good morning")
    log.move(["u1"], "Main Map", 216, 274, "1st moves 0304 -> 0404")
    with log.one_step():
        log.level("u1", "Step", 2)
        log.report("1st is reduced")
    log.write("turn.vlog")

Every step carries a chat line: VASSAL 3.6 drops steps that hold only what it does not know.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fieldpost.vassal import archive, codec, commands, pieces, steps
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.layout import INVENTED
from fieldpost.vassal.pieces import BasicState, PieceDesign, PieceError, find_trait
from fieldpost.vassal.saving import SaveBuilder, TurnLevel, turn_state
from fieldpost.vassal.secret import Secret
from fieldpost.vassal.steps import LOG, Log
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Container, Deck, Piece, Place, Thing

__all__ = ["LogBuilder", "SaveBuilder", "TurnLevel", "turn_state"]


class LogBuilder:
    """Appends steps to a position; `table` always stands after the last one."""

    def __init__(self, start: Log, player: str = "player-1") -> None:
        """`player` is the id written into moves: any text that is nobody's password."""
        self.start = start
        self.table = Table.of(start)
        for step in start.steps:
            self.table.step(step)
        self._player = Secret(player)
        self._steps: list[list[str]] = []
        self._open: list[str] | None = None
        self._serial = 0

    @classmethod
    def of(cls, save: SaveBuilder, player: str = "player-1") -> LogBuilder:
        return cls(steps.parse(save.text(), save.metadata), player)

    # -- steps

    @contextmanager
    def one_step(self) -> Iterator[None]:
        """Make everything inside one step."""
        if self._open is not None:
            raise PieceError("a step within a step")
        self._open = []
        try:
            yield
            if self._open:
                self._steps.append(self._open)
        finally:
            self._open = None

    def add(self, *texts: str) -> None:
        """Append commands as one step (or to the open one)."""
        if self._open is not None:
            self._open.extend(texts)
        else:
            self._steps.append(list(texts))
        self.table.apply(texts)

    # -- chat

    def say(self, name: str, text: str) -> None:
        """A line typed by a player."""
        self.add(commands.Chat(f"<{name}> - {text}").text)

    def report(self, text: str) -> None:
        """A line as the engine reports it."""
        self.add(_report(text))

    def roll(self, label: str, result: str, name: str) -> None:
        """A roll of the dice in the form of a dice button's usual report."""
        self.add(commands.Chat(f"*** {label} = {result} *** &lt;{name}&gt;").text)

    # -- pieces

    def move(self, ids: Sequence[str], map: str, x: int, y: int, text: str | None = None) -> None:
        """Move pieces together, in the order given (bottom to top), onto a point.

        Whole stacks move as the engine moves them, by the stack's id.
        """
        with self._joined():
            movers = [self._piece(id) for id in ids]
            stack = _whole_stack(movers)
            for mover in movers:
                self._mark_moved(mover)
            if stack is not None:
                self.add(self._move_text(stack, stack.place, Place(map, x, y), None))
            else:
                for mover in movers:
                    self._move_one(mover, Place(map, x, y))
            self.report(text or f"{', '.join(mover.name for mover in movers)} moved")

    def draw(self, deck: str, map: str, x: int, y: int, text: str | None = None) -> str:
        """Take the top card of a deck to a point; returns its id."""
        pile = self.table.layout.things.get(deck)
        if not isinstance(pile, Deck) or not pile.contents:
            raise PieceError(f"there is no card in a deck {deck!r}")
        card = pile.contents[-1]
        self.move([card.id], map, x, y, text or f"{card.name} drawn from {pile.name}")
        return card.id

    def discard(self, id: str, deck: str, text: str | None = None) -> None:
        """Put a piece onto a deck."""
        pile = self.table.layout.things.get(deck)
        if not isinstance(pile, Deck) or pile.map is None:
            raise PieceError(f"there is no deck {deck!r}")
        self.move([id], pile.map, pile.x, pile.y, text or f"{self._piece(id).name} put onto {pile.name}")

    def reorder(self, container: str, ids: Sequence[str], text: str | None = None) -> None:
        """Set the order of a stack or deck, bottom to top."""
        thing = self.table.layout.things.get(container)
        if not isinstance(thing, Container) or sorted(ids) != sorted(thing.members):
            raise PieceError(f"{container!r} does not hold exactly these pieces")
        place = thing.place
        if isinstance(thing, Deck):  # without the old state: 3.6 snapshots ignore it otherwise
            state = pieces.DeckState(place.map, place.x, place.y, thing.face_down, tuple(ids)).write()
            change = commands.ChangePiece(container, state)
        else:
            layer = pieces.ORDINARY_LAYER
            new = pieces.StackState(place.map, place.x, place.y, tuple(ids), layer).write()
            old = pieces.StackState(place.map, place.x, place.y, thing.members, layer).write()
            change = commands.ChangePiece(container, new, old)
        with self._joined():
            self.add(change.text)
            self.report(text or "order changed")

    def set_state(
        self, id: str, prefix: str, state: str, name: str | None = None, text: str | None = None
    ) -> None:
        """Change the state of one trait: the outermost of that kind (and name)."""
        piece = self._piece(id)
        at = find_trait([trait.text for trait in piece.type.traits], prefix, name)
        new = [*piece.states[:at], state, *piece.states[at + 1 :]]
        with self._joined():
            self.add(_change(piece, new))
            self.report(text or f"{piece.name}: {piece.type.traits[at].name}")

    def level(self, id: str, layer: str, level: int, text: str | None = None) -> None:
        """Set a named layer, for instance the step."""
        self.set_state(id, "emb2;", str(level), layer, text)

    def create(self, id: str, design: PieceDesign, map: str, x: int, y: int, text: str | None = None) -> None:
        """Bring a new piece onto a point, on top of what is there."""
        if id in self.table.layout.things:
            raise PieceError(f"the id {id!r} is used twice")
        top = self._top(map, x, y)
        with self._joined():
            if top is None:
                self.add(design.add(id, map, x, y), pieces.stack(self._stack_id(), map, x, y, [id]))
            else:
                self.add(design.add(id, None, 0, 0))
                piece = self._piece(id)
                self.add(self._move_text(piece, Place(None, 0, 0), Place(map, x, y), top.id))
            self.report(text or f"{self._piece(id).name} created")

    def delete(self, id: str, text: str | None = None) -> None:
        name = self._piece(id).name
        with self._joined():
            self.add(commands.RemovePiece(id).text)
            self.report(text or f"{name} deleted")

    # -- the rest

    def turn(
        self,
        levels: Sequence[TurnLevel],
        active: int = 0,
        tracker: str = "TurnTracker0",
        text: str | None = None,
    ) -> None:
        with self._joined():
            self.report(text or "turn changed")
            self.add(commands.Turn(tracker, turn_state(levels, active)).text)

    def property(self, name: str, value: str, container: str = "Module", text: str | None = None) -> None:
        old = self.table.properties.get((container, name), "")
        with self._joined():
            self.report(text or f"{name}: {value}")
            self.add(commands.PropertyChange(name, old, value, container).text)

    def undo(self) -> None:
        """Take back the last step of this builder, as the engine does: a step with the inverse."""
        if self._open is not None or not self._steps:
            raise PieceError("there is no step to take back")
        inverse = [text for command in reversed(self._steps[-1]) for text in _inverse(command)]
        with self.one_step():
            self.add(steps.UNDO_OPENS, *inverse)
            self.add(*self._named_stacks(), steps.UNDO_CLOSES)

    def _named_stacks(self) -> list[str]:
        """Stacks for what an undo leaves loose, or in a stack the engine invents and no step can name."""
        invented = [stack for stack in self.table.stacks.values() if stack.id.startswith(INVENTED)]
        found = [(stack.place, stack.members) for stack in invented]
        found += [(piece.place, (piece.id,)) for piece in self.table.pieces.values() if _is_loose(piece)]
        return [pieces.stack(self._stack_id(), *place, members) for place, members in found]

    # -- the file

    def text(self) -> str:
        """The saved game with all steps."""
        added = [codec.encode([LOG + command for command in step], ESC) for step in self._steps]
        return codec.encode([*self.start.parts, *added], ESC)

    def log(self) -> Log:
        return steps.parse(self.text(), self.start.metadata, self.start.name)

    def bytes(self) -> bytes:
        return archive.game_bytes(self.text(), self.start.metadata)

    def write(self, path: str | os.PathLike[str]) -> None:
        archive.write_bytes(path, self.bytes())

    # -- inside

    @contextmanager
    def _joined(self) -> Iterator[None]:
        """One step of what is inside, or part of the step already open."""
        if self._open is not None:
            yield
        else:
            with self.one_step():
                yield

    def _piece(self, id: str) -> Piece:
        piece = self.table.piece(id)
        if piece is None:
            raise PieceError(f"there is no piece {id!r}")
        return piece

    def _top(self, map: str, x: int, y: int, without: Piece | None = None) -> Piece | None:
        found = [piece for piece in self.table.at(map, x, y) if piece is not without]
        return found[-1] if found else None

    def _stack_id(self) -> str:
        while True:
            self._serial += 1
            id = f"stack-log-{self._serial}"
            if id not in self.table.layout.things:
                return id

    def _mark_moved(self, piece: Piece) -> None:
        at = piece.type.find("markmoved;")
        if at is not None and piece.states[at] != "true":
            self.add(_change(piece, [*piece.states[:at], "true", *piece.states[at + 1 :]]))

    def _move_one(self, piece: Piece, to: Place) -> None:
        assert to.map is not None
        deck = next((thing for thing in self.table.layout.at(*to) if isinstance(thing, Deck)), None)
        if deck is not None:
            under = deck.contents[-1].id if deck.contents else None
        else:
            top = self._top(to.map, to.x, to.y, piece)
            under = top.id if top else None
        self.add(self._move_text(piece, piece.place, to, under))
        if under is None and deck is None:
            self.add(pieces.stack(self._stack_id(), to.map, to.x, to.y, [piece.id]))

    def _move_text(self, thing: Thing, old: Place, to: Place, under: str | None) -> str:
        return commands.MovePiece(
            thing.id, to.map, to.x, to.y, under, old.map, old.x, old.y, _below(thing), self._player
        ).text


def _is_loose(piece: Piece) -> bool:
    """Whether a piece lies on a map without the stack it should have."""
    return piece.parent is None and piece.map is not None and piece.type.stacks


def _report(text: str) -> str:
    return commands.Chat(f"* {text}").text


def _below(thing: Thing) -> str | None:
    """The id of the piece right below a member."""
    if not isinstance(thing, Piece) or thing.parent is None or thing not in thing.parent.contents:
        return None
    at = thing.parent.contents.index(thing)
    return thing.parent.contents[at - 1].id if at else None


def _whole_stack(movers: Sequence[Piece]) -> Container | None:
    """The stack that consists of just these pieces in this order, if it has more than one."""
    stack = movers[0].parent if movers else None
    if stack is None or isinstance(stack, Deck) or len(movers) < 2:
        return None
    return stack if stack.contents == list(movers) else None


def _change(piece: Piece, new: list[str]) -> str:
    """The change of a piece's state; its basic part, which moves nothing, stays as it is."""
    place = piece.place
    basic = piece.basic
    now = BasicState(place.map, place.x, place.y, basic.gpid, basic.properties, basic.fixed).write()
    wanted, old = [*new[:-1], now], [*piece.states[:-1], now]
    return commands.ChangePiece(piece.id, codec.nest(wanted), codec.nest(old)).text


def _inverse(text: str) -> list[str]:
    command = commands.parse(text)
    match command:
        case commands.Chat(line):
            return [commands.Chat(f"* UNDO: {line}").text]
        case commands.AddPiece(id=str(id)):
            return [commands.RemovePiece(id).text]
        case commands.ChangePiece(id, new, str(old)):
            return [commands.ChangePiece(id, old, new).text]
        case commands.MovePiece(id, map, x, y, under, old_map, old_x, old_y, old_under, player):
            back = commands.MovePiece(id, old_map, old_x, old_y, old_under, map, x, y, under, player)
            return [back.text]
        case commands.PropertyChange(name, old, new, container):
            return [commands.PropertyChange(name, new, old, container).text]
    return []
