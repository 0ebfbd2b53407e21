"""Steps put into sentences, with the names of places and pieces that everybody at the table could see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fieldpost.vassal import chat, story
from fieldpost.vassal.changes import (
    Added,
    Change,
    ChatLine,
    DeckTurned,
    Moved,
    NoteChanged,
    OrderChanged,
    PlayerSat,
    PropertyChanged,
    Removed,
    StateChanged,
    TurnChanged,
)
from fieldpost.vassal.sight import CARD, HIDDEN
from fieldpost.vassal.steps import Step
from fieldpost.vassal.things import Deck, Piece, Place
from fieldpost.vassal.traits import Trait
from validator.anygame.reading import Clean, Replay
from validator.anygame.rolls import Roll

_QUIET = (
    "footprint;",
    "markmoved;",
    "report;",
    "piece;",
    "sendto;",
    "restrict;",
    "mat;",
    "matPiece;",
    "attach;",
)
_VALUES = ("PROP;", "label;", "emb2;")
_CONCEALED = (HIDDEN, CARD)
_LONGEST = 300
_MOST_NAMES = 12


@dataclass(frozen=True)
class Told:
    """A step as a reader sees it. `turn` is what the turn trackers show behind it."""

    number: int
    who: str
    sentences: tuple[str, ...]
    rolls: tuple[Roll, ...]
    turn: str
    undoes: int | None = None
    undone_by: int | None = None
    pieces: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.sentences)


class Teller:
    """Plays a log and tells each step."""

    def __init__(self, replay: Replay, clean: Clean) -> None:
        self.replay, self.clean = replay, clean
        self._names = {id: replay.sight.name(piece) for id, piece in replay.table.pieces.items()}
        self._turn = clean(replay.turn())

    def tell(self, step: Step) -> Told:
        return self.told(step, self.replay.table.step(step))

    def told(self, step: Step, changes: Sequence[Change]) -> Told:
        """The step, whose changes have been made on the table."""
        lines = [change.line for change in changes if isinstance(change, ChatLine)]
        rolls = tuple(roll for line in lines if (roll := self.replay.rolls.read(line)))
        who = story.who(self.replay.table, changes) or next((roll.who for roll in rolls if roll.who), "")
        before = self._renamed(changes)
        changes = _settled(changes)
        said = [*self._turned(changes), *self._moves(changes, before), *self._others(changes, before)]
        said += self._talk(lines, told=bool(said))
        if step.undoes is not None:
            said = [
                f"Takes back step {step.undoes}." if step.undoes else "Takes back a step before this log."
            ]
        return Told(
            step.number,
            self.clean(who),
            tuple(self.clean(_short(sentence)) for sentence in _each_once(said)),
            rolls,
            self._turn,
            step.undoes,
            step.undone_by,
            tuple(dict.fromkeys(self.clean(name) for name in before.values() if name not in _CONCEALED)),
        )

    def _renamed(self, changes: Sequence[Change]) -> dict[str, str]:
        """What the pieces of a step were called before it, or are now if nobody could see them."""
        names = {}
        for piece in _pieces(changes):
            now = self.replay.sight.name(piece)
            before = self._names.get(piece.id, now)
            gone = piece.id not in self.replay.table.pieces  # nor is it in a deck any more that hid it
            names[piece.id] = now if before in _CONCEALED and not gone else before
            self._names[piece.id] = now
        return names

    # -- sentences

    def _turned(self, changes: Sequence[Change]) -> Iterator[str]:
        if not any(isinstance(change, TurnChanged) for change in changes):
            return
        turn = self.clean(self.replay.turn())
        if turn != self._turn:
            self._turn = turn
            yield f"Now it is {turn}."
        elif not turn:
            yield "The turn goes on."

    def _moves(self, changes: Sequence[Change], names: dict[str, str]) -> Iterator[str]:
        groups: dict[tuple[Place, Place, Deck | None, Deck | None], list[str]] = {}
        for change in changes:
            if isinstance(change, Moved) and names[change.piece.id] != HIDDEN:
                key = (change.old, change.new, change.deck, change.old_deck)
                groups.setdefault(key, []).append(names[change.piece.id])
        for (old, new, deck, old_deck), moved in groups.items():
            start, end = self._place(old, old_deck), self._place(new, deck)
            moves = "moves" if len(moved) == 1 else "move"
            if start != end:
                yield f"{_listed(moved)} {moves} from {start} to {end}."
            elif len(groups) == 1:
                yield f"{_listed(moved)} {moves} within {start}."

    def _place(self, place: Place, deck: Deck | None) -> str:
        if deck is not None:
            return f"the deck {deck.name}" if deck.name else "a deck"
        return self.replay.spot(place)

    def _others(self, changes: Sequence[Change], names: dict[str, str]) -> Iterator[str]:
        for change in changes:
            match change:
                case Added(piece, place) if place.map is not None and names[piece.id] != HIDDEN:
                    yield f"{names[piece.id]} is placed at {self.replay.spot(place)}."
                case Removed(piece, place) if names[piece.id] != HIDDEN:
                    yield f"{names[piece.id]} is removed from {self.replay.spot(place)}."
                case StateChanged(piece, trait) if trait.prefix not in _QUIET:
                    yield from self._state(change, names[piece.id])
                case OrderChanged(Deck() as deck, old, new) if sorted(old) == sorted(new):
                    yield f"The deck {deck.name} is shuffled."
                case DeckTurned(deck, face_down):
                    yield f"The deck {deck.name} is turned face {'down' if face_down else 'up'}."
                case PropertyChanged(name, _, old_value, new_value) if _tells(name, old_value, new_value):
                    was = f" (was {chat.plain(old_value)})" if old_value else ""
                    yield f"{name} is now {chat.plain(new_value)}{was}."
                case PlayerSat(_, player, side):
                    yield f"{player} takes the side {side}."
                case NoteChanged():
                    yield "The notes are changed."

    def _state(self, change: StateChanged, name: str) -> Iterator[str]:
        piece, trait, new = change.piece, change.trait, change.new
        spot = self.replay.spot(piece.place)
        now = self._names[piece.id]
        if trait.prefix == "obs;":
            down = not new.startswith("null")
            up = "up" if now in _CONCEALED else f"up: {now}"
            yield f"{name} at {spot} is turned face {'down' if down else up}."
        elif trait.prefix == "hide;":
            hidden = new not in ("null", "")
            yield f"{name} at {spot} is hidden." if hidden else f"{now} at {spot} is shown."
        elif now in _CONCEALED or not self.replay.sight.sees_face(piece):
            return
        elif trait.prefix == "emb2;":
            yield f"{name} becomes {now}." if now != name else f"{name} at {spot}: {_layer(trait, new)}."
        elif trait.prefix == "rotate;":
            yield f"{name} at {spot} turns."
        elif trait.prefix == "PROP;" and _readable(new):
            yield f"{name} at {spot}: {trait.text_of('name')} is now {chat.plain(new) or 'empty'}."
        elif trait.prefix == "label;":
            yield f'{name} at {spot} is labelled "{new}".' if new else f"{name} at {spot} loses its label."

    def _talk(self, lines: Sequence[str], *, told: bool) -> Iterator[str]:
        for line in lines:
            roll = self.replay.rolls.read(line)
            if roll is not None:
                yield f"Rolls {roll.die}: {roll.shown}."
                continue
            spoken = chat.parse(line)
            if isinstance(spoken, chat.Said):
                if spoken.text.strip():
                    yield f'"{spoken.text}"'
            elif not isinstance(spoken, chat.Undone) and (not told or not line.startswith("* ")):
                yield chat.plain(spoken.text).strip("* ") or spoken.text


def _settled(changes: Sequence[Change]) -> list[Change]:
    """Of a value that a step sets again and again only what it is in the end; modules reckon in steps."""
    first: dict[object, str | None] = {}
    last: dict[object, Change] = {}
    for change in changes:
        if (key := _value_of(change)) is not None and isinstance(change, PropertyChanged | StateChanged):
            first.setdefault(key, change.old)
            last[key] = change
    found: list[Change] = []
    for change in changes:
        key = _value_of(change)
        if key is None:
            found.append(change)
        elif change is last[key] and isinstance(change, PropertyChanged):
            found.append(replace(change, old=first[key]))
        elif change is last[key] and isinstance(change, StateChanged) and change.new != first[key]:
            found.append(change)
    return found


def _value_of(change: Change) -> object:
    if isinstance(change, PropertyChanged):
        return change.container, change.name
    if isinstance(change, StateChanged) and change.trait.prefix in _VALUES:
        return change.piece.id, change.trait.text
    return None


def _tells(name: str, old: str | None, new: str) -> bool:
    """The results of dice buttons are properties too, with an underscore."""
    return "_" not in name and old != new and _readable(new)


def _readable(value: str) -> bool:
    """False for a value that is pictures alone."""
    return not value or bool(chat.plain(value).strip())


def _pieces(changes: Sequence[Change]) -> list[Piece]:
    found = [change.piece for change in changes if isinstance(change, Added | Removed | Moved | StateChanged)]
    return list({piece.id: piece for piece in found}.values())


def _layer(trait: Trait, state: str) -> str:
    name = trait.text_of("name") or trait.text_of("description") or "a layer"
    level = state.split(";")[0]
    return f"{name} is off" if level.startswith("-") else f"{name} is now at level {level}"


def _listed(names: Sequence[str]) -> str:
    counted: dict[str, int] = {}
    for name in names:
        counted[name] = counted.get(name, 0) + 1
    shown = [_times(name, times) for name, times in counted.items()]
    if len(shown) > _MOST_NAMES:
        shown = [*shown[:_MOST_NAMES], f"{len(shown) - _MOST_NAMES} more"]
    return ", ".join(shown[:-1]) + f" and {shown[-1]}" if len(shown) > 1 else shown[0]


def _times(name: str, times: int) -> str:
    if times == 1:
        return name
    return f"{times} {name.removeprefix('a ')}s" if name.startswith("a ") else f"{name} ({times})"


def _each_once(sentences: Iterable[str]) -> Iterator[str]:
    """What happens to several pieces alike is said once, with how often."""
    for sentence, times in Counter(sentences).items():
        said = sentence[0].upper() + sentence[1:] if sentence.startswith("a ") else sentence
        yield said if times == 1 else f"{said.removesuffix('.')} ({times} times)."


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."
