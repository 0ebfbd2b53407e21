"""A copy of a log fit for publishing: what every player may see of it, and nothing else.

The copy is written anew. It holds the pieces that are in sight, a blank piece for each whose face is covered
and each card that lies face down, and steps that bring about what each step changed of this. What was said
and rolled stays. An engine steps through it as through the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from fieldpost.vassal import codec, commands, hiding, pieces
from fieldpost.vassal.changes import Added, Change, DeckTurned, Moved, OrderChanged, PlayerSat, Removed
from fieldpost.vassal.changes import StateChanged as Changed
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.module import Module
from fieldpost.vassal.pieces import BasicState, DeckState, PieceType, StackState
from fieldpost.vassal.sight import CARD, Sealed, Sight
from fieldpost.vassal.steps import LOG, UNDO_CHAT, Log, Step
from fieldpost.vassal.story import WITH_PLACES
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Container, Deck, Piece, Stack, Thing

NOTHING_SEEN = "CHAT* Nothing that all may see *"
"""In place of a step of which nothing is left: the steps of the copy go by the numbers of the log's."""
_PUBLIC = (
    commands.BeginSave,
    commands.EndSave,
    commands.Chat,
    commands.Player,
    commands.PlayerLeaves,
    commands.Undo,
    commands.Turn,
    commands.Boards,
    commands.VaslBoards,
    commands.SetupStack,
    commands.Notes,
    commands.PublicNotes,
    commands.SymbolDice,
    commands.Sound,
    commands.Extension,
    commands.StartupKey,
    commands.VersionCheck,
    commands.ClockControl,
    commands.Clock,
)


@dataclass(frozen=True)
class Written:
    """A stack, deck or loose piece of the copy: its pieces by their ids there, and itself."""

    pieces: dict[str, tuple[str, str]] = field(default_factory=dict)
    container: tuple[str, str, str] | None = None


_NOTHING = Written()


class Sealer:
    """Plays a log whose secrets have been taken out, and writes what is seen of it."""

    def __init__(self, log: Log, module: Module | None) -> None:
        self.log = log
        self.table = Table.of(log)
        self.table.layout.habits = module.habits if module else {}
        self.sight = Sight(self.table, module, None, log.metadata.module)
        self._ids: dict[str, str] = {}
        self._blanks = 0
        self._home: dict[str, str] = {}
        self._written: dict[str, Written] = {}
        self._made: set[str] = set()

    def text(self) -> str:
        """The saved game."""
        setup = list(self._setup())
        steps = [self._step(step, self.table.step(step)) for step in self.log.steps]
        return codec.encode([*setup, *steps], ESC)

    def _setup(self) -> Iterator[str]:
        begun = False
        placed = list(self._rewritten(self._all_tops()))
        for text in self.log.setup:
            if text.startswith("+/") and not begun:
                begun = True
                yield from placed
            if self._is_public(text):
                yield text

    def _step(self, step: Step, changes: list[Change]) -> str:
        everything = any(isinstance(change, PlayerSat) for change in changes)
        tops = self._all_tops() if everything else self._touched(changes)
        said = [text for text in step.commands if self._is_public(text)]
        if not any(text.startswith("CHAT") for text in said):
            said += self._bond(step)
        opens = [text for text in said[:1] if text.startswith("UNDO")]
        made = [*opens, *self._rewritten(tops), *said[len(opens) :]] or [NOTHING_SEEN]
        return codec.encode([LOG + text for text in made], ESC)

    def _bond(self, step: Step) -> list[str]:
        """Lines that tie a silent step to the one that takes it back: their pieces may be out of sight."""
        if step.undone_by is not None:
            return [f"CHAT* Step {step.number} *"]
        if not step.undoes:
            return []
        undone = self.log.steps[step.undoes - 1].commands
        lines = [text.removeprefix("CHAT") for text in undone if text.startswith("CHAT")]
        return [UNDO_CHAT + line for line in reversed(lines or [f"* Step {step.undoes} *"])]

    def _is_public(self, text: str) -> bool:
        command = commands.parse(text)
        match command:
            case commands.PropertyValue(name=name, container=container):
                return self.sight.sees_property(container, name)
            case commands.PropertyChange(name=name, container=container):
                return self.sight.sees_property(container, name)
            case commands.SecretNote(hidden=hidden):
                return hidden == "false"
        return isinstance(command, _PUBLIC)

    # -- what is to be written anew

    def _all_tops(self) -> list[str]:
        now = [thing.id for _, things in self.table.layout.spots() for thing in things]
        return list(dict.fromkeys([*self._written, *now]))

    def _touched(self, changes: Iterable[Change]) -> list[str]:
        """Stacks, decks and loose pieces whose contents, place or looks may have changed."""
        found: dict[str, None] = {}
        for change in changes:
            match change:
                case Moved(piece) | Changed(piece) | Added(piece) | Removed(piece):
                    found[self._home.get(piece.id, piece.id)] = None
                    found[_top(piece).id] = None
                case OrderChanged(container) | DeckTurned(container):
                    found[container.id] = None
        return list(found)

    def _rewritten(self, tops: Iterable[str]) -> Iterator[str]:
        """The commands that make of these things what is seen of them now."""
        tops = list(tops)
        before = [self._written.pop(top, _NOTHING) for top in tops]
        now = [self._write(top) for top in tops]
        self._written |= {top: one for top, one in zip(tops, now, strict=True) if one != _NOTHING}
        old = {id: form for one in before for id, form in one.pieces.items()}
        new = {id: form for one in now for id, form in one.pieces.items()}
        loose = {id for one in now if one.container is None for id in one.pieces}
        was_loose = {id for one in before if one.container is None for id in one.pieces}
        stays = {
            id
            for id in old.keys() & new.keys()
            if old[id][0] == new[id][0] and (id not in loose or id in was_loose)
        }  # what leaves its stack and lies alone is put down anew: an engine loses it otherwise
        yield from (f"-/{id}" for id in old if id not in stays)
        for id, (type, state) in new.items():
            if id not in stays:
                yield pieces.add(id, type, state)
            elif old[id][1] != state:
                yield "D/" + codec.encode([id, state], "/")
        kept = {one.container for one in before}
        for one in now:
            if one.container is not None and (one.container not in kept or one.pieces.keys() - old.keys()):
                yield self._container(*one.container)

    def _container(self, id: str, type: str, state: str) -> str:
        if id in self._made:
            return "D/" + codec.encode([id, state], "/")
        self._made.add(id)
        return pieces.add(id, type, state)

    # -- one thing

    def _write(self, id: str) -> Written:
        thing = self.table.layout.things.get(id)
        if thing is None or not self.table.layout.on_map(thing) or not self.sight.sees_window(thing.map):
            return _NOTHING
        if isinstance(thing, Deck):
            return self._deck(thing)
        found = dict(filter(None, map(self._piece, _pieces_of(thing))))
        if not isinstance(thing, Stack) or not found:
            return Written(found)
        state = StackState(thing.map, thing.x, thing.y, tuple(found), thing.layer or pieces.ORDINARY_LAYER)
        return Written(found, (id, "stack", state.write()))

    def _deck(self, deck: Deck) -> Written:
        if deck.face_down:
            back = _back(deck.contents[-1]) if deck.contents else ""
            at = BasicState(deck.map, deck.x, deck.y).write()
            found = {f"{deck.id}-{number}": (_blank(back, CARD), at) for number in range(len(deck.contents))}
            for card in deck.contents:
                self._ids.pop(card.id, None)
                self._home[card.id] = deck.id
        else:
            found = dict(filter(None, map(self._piece, deck.contents)))
        state = DeckState(deck.map, deck.x, deck.y, deck.face_down, tuple(found))
        return Written(found, (deck.id, deck.type, state.write()))

    def _piece(self, piece: Piece) -> tuple[str, tuple[str, str]] | None:
        """Its id in the copy, its type and its state; None for a piece out of sight."""
        self._home[piece.id] = _top(piece).id
        sealed = self.sight.seal(piece)
        if not sealed.in_sight:
            self._ids.pop(piece.id, None)
            return None
        return self._id_of(sealed), self._form(piece, sealed)

    def _id_of(self, sealed: Sealed) -> str:
        """Its own id while its face is seen; else another, so that nothing tells which it was."""
        if sealed.has_face:
            self._ids.pop(sealed.id, None)
            return sealed.id
        if sealed.id not in self._ids:
            self._blanks += 1
            self._ids[sealed.id] = f"blank-{self._blanks}"
        return self._ids[sealed.id]

    def _form(self, piece: Piece, sealed: Sealed) -> tuple[str, str]:
        place = piece.place
        basic = replace(piece.basic, map=place.map, x=place.x, y=place.y, properties=(), fixed=5)
        outer = list(sealed.traits())[::-1]
        states = [self._state(piece.type, at, state) for at, _, state in outer]
        types = [trait.text for _, trait, _ in outer]
        if sealed.cover is None:
            types.append(piece.type.basic.text)
        else:
            types.append(_blank(str(sealed.cover.values.get("image") or ""), sealed.name))
            basic = replace(basic, gpid="")
        return codec.nest(types), codec.nest([*states, basic.write()])

    def _state(self, type: PieceType, at: int, state: str) -> str:
        """A trait's state as the log has it, but for what tells of other places and pieces."""
        trait = type.traits[at]
        if trait.prefix in WITH_PLACES and trait.spec is not None:
            return trait.spec.fresh
        if at in type.owned and (owner := pieces.owner_of(trait, state)) is not None:
            return pieces.with_owner(trait, state, self.table.aliases.secret_of(owner))
        return state


def _blank(image: str, name: str) -> str:
    return "piece;" + codec.encode(["", "", image, name], ";")


def _back(card: Piece) -> str:
    masks = (one.trait for one in hiding.hiders(card.type) if one.hides is hiding.Hides.FACE)
    return next((str(trait.values.get("image") or "") for trait in masks), "")


def _pieces_of(thing: Thing) -> list[Piece]:
    if isinstance(thing, Container):
        return thing.contents
    return [thing] if isinstance(thing, Piece) else []


def _top(piece: Piece) -> Thing:
    return piece.parent or piece
