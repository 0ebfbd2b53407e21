"""Steps put into sentences, with the names of places and pieces that everybody at the table could see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, NamedTuple

from fieldpost.phrases import grouped, listed, phrase
from fieldpost.vassal import chat
from fieldpost.vassal.changes import (
    Added,
    Change,
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
from fieldpost.vassal.things import Deck, Place
from fieldpost.vassal.traits import Trait
from validator.anygame.one_log import Clean, Replay, chat_lines
from validator.anygame.rolls import Roll

_VALUES = ("PROP;", "label;", "emb2;")
_CONCEALED = (HIDDEN, CARD)
_LONGEST = 300
_MOST_NAMES = 12
PIECE_CHANGES = (Added, Removed, Moved, StateChanged)


def _is_shown(name: str) -> bool:
    return name not in _CONCEALED


class Seen(NamedTuple):
    """A piece whose state changes: its name before and now, where it is, the trait and its new state."""

    name: str
    now: str
    spot: str
    trait: Trait
    new: str

    @property
    def at(self) -> str:
        return f"{self.name} at {self.spot}"


def _turned_over(seen: Seen) -> str:
    if not seen.new.startswith("null"):
        return f"{seen.at} is turned face down."
    return f"{seen.at} is turned face up{phrase(': {}', _is_shown(seen.now) and seen.now)}."


def _hidden(seen: Seen) -> str:
    if seen.new not in ("null", ""):
        return f"{seen.at} is hidden."
    return f"{seen.now} at {seen.spot} is shown."


def _another_layer(seen: Seen) -> str:
    if seen.now != seen.name:
        return f"{seen.name} becomes {seen.now}."
    return f"{seen.at}: {_layer(seen.trait, seen.new)}."


def _turns(seen: Seen) -> str:
    return f"{seen.at} turns."


def _another_value(seen: Seen) -> str:
    value = chat.plain(seen.new) or "empty"
    return f"{seen.at}: {seen.trait.text_of('name')} is now {value}." if _readable(seen.new) else ""


def _label(seen: Seen) -> str:
    return f'{seen.at} is labelled "{seen.new}".' if seen.new else f"{seen.at} loses its label."


_SHOWING = {"obs;": _turned_over, "hide;": _hidden}
_FACES = {"emb2;": _another_layer, "rotate;": _turns, "PROP;": _another_value, "label;": _label}


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

    def data(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "who": self.who,
            "turn": self.turn,
            "text": self.text,
            "undoes": self.undoes,
            "undone_by": self.undone_by,
        }


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
        lines = chat_lines(changes)
        rolls = self.replay.rolls.among(lines)
        before = self._renamed(changes)
        changes = _settled(changes)
        said = [*self._turned(changes), *self._moves(changes, before), *self._others(changes, before)]
        said += self._talk(lines, told=bool(said))
        if step.undoes is not None:
            said = [f"Takes back {phrase('step {}', step.undoes) or 'a step before this log'}."]
        return Told(
            step.number,
            self.clean(self.replay.who(changes, rolls)),
            tuple(self.clean(_short(sentence)) for sentence in _each_once(said)),
            rolls,
            self._turn,
            step.undoes,
            step.undone_by,
            tuple(dict.fromkeys(map(self.clean, filter(_is_shown, before.values())))),
        )

    def _renamed(self, changes: Sequence[Change]) -> dict[str, str]:
        """What the pieces of a step were called before it, or are now if nobody could see them."""
        pieces = {change.piece.id: change.piece for change in changes if isinstance(change, PIECE_CHANGES)}
        now = {id: self.replay.sight.name(piece) for id, piece in pieces.items()}
        before = now | {id: self._names[id] for id in now if _is_shown(self._names.get(id, HIDDEN))}
        gone = now.keys() - self.replay.table.pieces.keys()  # nor are they in a deck any more that hid them
        before |= {id: self._names[id] for id in gone if id in self._names}
        self._names |= now
        return before

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
        moves = [
            change for change in changes if isinstance(change, Moved) and names[change.piece.id] != HIDDEN
        ]
        groups = grouped(moves, lambda move: (move.old, move.old_deck, move.new, move.deck))
        for (old, old_deck, new, deck), alike in groups.items():
            start, end = self._place(old, old_deck), self._place(new, deck)
            who = _listed([names[move.piece.id] for move in alike])
            verb = "moves" if len(alike) == 1 else "move"
            if start != end:
                yield f"{who} {verb} from {start} to {end}."
            elif len(groups) == 1:
                yield f"{who} {verb} within {start}."

    def _place(self, place: Place, deck: Deck | None) -> str:
        if deck is None:
            return self.replay.spot(place)
        return phrase("the deck {}", deck.name) or "a deck"

    def _others(self, changes: Sequence[Change], names: dict[str, str]) -> Iterator[str]:
        for change in changes:
            match change:
                case Added(piece, place) if place.map is not None and names[piece.id] != HIDDEN:
                    yield f"{names[piece.id]} is placed at {self.replay.spot(place)}."
                case Removed(piece, place) if names[piece.id] != HIDDEN:
                    yield f"{names[piece.id]} is removed from {self.replay.spot(place)}."
                case StateChanged(piece):
                    yield from self._state(change, names[piece.id])
                case OrderChanged(Deck() as deck, old, new) if sorted(old) == sorted(new):
                    yield f"The deck {deck.name} is shuffled."
                case DeckTurned(deck, face_down):
                    yield f"The deck {deck.name} is turned face {'down' if face_down else 'up'}."
                case PropertyChanged(name, _, old_value, new_value) if _tells(name, old_value, new_value):
                    was = phrase(" (was {})", chat.plain(old_value or ""))
                    yield f"{name} is now {chat.plain(new_value)}{was}."
                case PlayerSat(_, player, side):
                    yield f"{player} takes the side {side}."
                case NoteChanged():
                    yield "The notes are changed."

    def _state(self, change: StateChanged, name: str) -> Iterator[str]:
        """What shows a piece or hides it is told of all; the rest only of those whose face is seen."""
        piece, kind = change.piece, change.trait.prefix
        seen = Seen(name, self._names[piece.id], self.replay.spot(piece.place), change.trait, change.new)
        if kind in _SHOWING:
            yield _SHOWING[kind](seen)
        elif kind in _FACES and _is_shown(seen.now) and self.replay.sight.sees_face(piece):
            yield from filter(None, [_FACES[kind](seen)])

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
    """Of a value that a step sets again and again only what it is in the end; modules count in steps."""
    set_again = grouped(enumerate(changes), lambda each: _value_of(each[1]) or each[0])
    last = {alike[-1][0]: _in_the_end([change for _, change in alike]) for alike in set_again.values()}
    return [change for _, change in sorted(last.items(), key=itemgetter(0)) if change is not None]


def _in_the_end(alike: Sequence[Change]) -> Change | None:
    """None where a piece is at last what it was before."""
    match alike[0], alike[-1]:
        case PropertyChanged() as first, PropertyChanged() as last:
            return replace(last, old=first.old)
        case StateChanged() as first, StateChanged() as last if _value_of(last) and first.old == last.new:
            return None
    return alike[-1]


def _value_of(change: Change) -> object:
    """What of a property or a state goes by its value; None for all else."""
    match change:
        case PropertyChanged(name, container):
            return container, name
        case StateChanged(piece, trait) if trait.prefix in _VALUES:
            return piece.id, trait.text
    return None


def _tells(name: str, old: str | None, new: str) -> bool:
    """The results of dice buttons are properties too, with an underscore."""
    return "_" not in name and old != new and _readable(new)


def _readable(value: str) -> bool:
    """False for a value that is pictures alone."""
    return not value or bool(chat.plain(value).strip())


def _layer(trait: Trait, state: str) -> str:
    name = trait.text_of("name") or trait.text_of("description") or "a layer"
    level = state.split(";")[0]
    return f"{name} is off" if level.startswith("-") else f"{name} is now at level {level}"


def _listed(names: Sequence[str]) -> str:
    return listed([_times(name, times) for name, times in Counter(names).items()], _MOST_NAMES)


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
