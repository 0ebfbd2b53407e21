"""Steps put into sentences, with the names of places and pieces that everybody at the table could see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

from fieldpost.phrases import grouped, listed, phrase
from fieldpost.vassal import chat
from fieldpost.vassal.changes import Change, NoteChanged, PlayerSat, PropertyChanged, TurnChanged
from fieldpost.vassal.seen import (
    Came,
    DeckFlipped,
    DeckShuffled,
    Removed,
    Seen,
    SeenMoved,
    StateSeen,
    TurnedOver,
    Vanished,
    Watch,
)
from fieldpost.vassal.sight import CARD, UNKNOWN, Spot
from fieldpost.vassal.steps import Step
from fieldpost.vassal.traits import Trait
from validator.anygame.one_log import Clean, Replay, chat_lines
from validator.anygame.rolls import Roll

_LONGEST = 300
_MOST_NAMES = 12


def _another_layer(seen: StateSeen, at: str) -> str:
    if seen.piece.name != seen.name:
        return f"{_quoted(seen.name)} becomes {_quoted(seen.piece.name)}."
    return f"{at}: {_layer(seen.trait, seen.new)}."


def _turns(_: StateSeen, at: str) -> str:
    return f"{at} turns."


def _another_value(seen: StateSeen, at: str) -> str:
    value = chat.plain(seen.new) or "empty"
    return f"{at}: {seen.trait.text_of('name')} is now {value}." if _readable(seen.new) else ""


def _label(seen: StateSeen, at: str) -> str:
    return f'{at} is labelled "{seen.new}".' if seen.new else f"{at} loses its label."


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
        self._watch = Watch(replay.sight)
        self._turn = clean(replay.turn())

    def tell(self, step: Step) -> Told:
        return self.told(step, self.replay.table.step(step))

    def told(self, step: Step, changes: Sequence[Change]) -> Told:
        """The step, whose changes have been made on the table."""
        lines = chat_lines(changes)
        rolls = self.replay.rolls.among(lines)
        who = self.clean(self.replay.who(changes, rolls))
        seen = _settled(self._watch.see(changes))
        said = [*self._turned(seen), *self._moves(seen), *self._others(seen)]
        said += self._talk(lines, told=bool(said))
        if step.undoes is not None:
            said = [f"Takes back {phrase('step {}', step.undoes) or 'a step before this log'}."]
        return Told(
            step.number,
            who,
            tuple(self.clean(_short(sentence)) for sentence in _each_once(said)),
            rolls,
            self._turn,
            step.undoes,
            step.undone_by,
            tuple(dict.fromkeys(map(self.clean, _names(seen)))),
        )

    # -- sentences

    def _turned(self, seen: Sequence[Seen]) -> Iterator[str]:
        if not any(isinstance(change, TurnChanged) for change in seen):
            return
        turn = self.clean(self.replay.turn())
        if turn != self._turn:
            self._turn = turn
            yield f"Now it is {turn}."
        elif not turn:
            yield "The turn goes on."

    def _moves(self, seen: Sequence[Seen]) -> Iterator[str]:
        moves = [change for change in seen if isinstance(change, SeenMoved)]
        groups = grouped(moves, lambda move: (move.old, move.new))
        for (old, new), alike in groups.items():
            start, end = self._spot(old), self._spot(new)
            who = _listed([_quoted(move.name) for move in alike])
            verb = "moves" if len(alike) == 1 else "move"
            if start != end:
                yield f"{who} {verb} from {start} to {end}."
            elif len(groups) == 1:
                yield f"{who} {verb} within {start}."

    def _spot(self, spot: Spot) -> str:
        if spot.deck is None:
            return self.replay.spot(spot.place)
        return phrase("the deck {}", spot.deck) or "a deck"

    def _others(self, seen: Sequence[Seen]) -> Iterator[str]:
        for change in seen:
            match change:
                case Came(piece, is_new):
                    came = "is placed" if is_new else "comes into sight"
                    yield f"{_quoted(piece.name)} {came} at {self._spot(piece.spot)}."
                case Removed(piece):
                    yield f"{_quoted(piece.name)} is removed from {self._spot(piece.spot)}."
                case Vanished():
                    yield "a piece goes out of sight."
                case TurnedOver(piece, name, is_covered):
                    face = "down" if is_covered else f"up: {_quoted(piece.name)}"
                    yield f"{_quoted(name)} at {self._spot(piece.spot)} is turned face {face}."
                case StateSeen(piece, name, trait) if trait.prefix in _FACES:
                    at = f"{_quoted(name)} at {self._spot(piece.spot)}"
                    yield from filter(None, [_FACES[trait.prefix](change, at)])
                case DeckShuffled(deck):
                    yield f"The deck {deck} is shuffled."
                case DeckFlipped(deck, face_down):
                    yield f"The deck {deck} is turned face {'down' if face_down else 'up'}."
                case PropertyChanged(name, _, old_value, new_value) if _tells(name, old_value, new_value):
                    was = phrase(" (was {})", chat.plain(old_value or ""))
                    yield f"{name} is now {chat.plain(new_value)}{was}."
                case PlayerSat(_, player, side):
                    yield f"{player} takes the side {side}."
                case NoteChanged():
                    yield "The notes are changed."

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


# fmt: off
_WORDS = frozenset((
    "a", "and", "at", "becomes", "card", "comes", "deck", "down", "face", "from", "goes", "hidden", "is",
    "labelled", "loses", "move", "moves", "notes", "now", "of", "off", "on", "out", "piece", "placed",
    "removed", "sight", "takes", "the", "to", "turned", "turns", "up", "within",
))  # those of our own sentences
# fmt: on


def _quoted(name: str) -> str:
    """A name that would read as a number or as a word of the sentence, marked as a name."""
    is_plain = name.casefold() in _WORDS or not any(letter.isalpha() for letter in name)
    return f'"{name}"' if is_plain and name != UNKNOWN else name


def _names(seen: Sequence[Seen]) -> Iterator[str]:
    """What the pieces of a step are called that have a name to filter by."""
    for change in seen:
        match change:
            case Came(piece) | Removed(piece) if piece.name != CARD:
                yield piece.name
            case SeenMoved(_, name) | TurnedOver(_, name) | StateSeen(_, name) if name != CARD:
                yield name


def _settled(seen: Sequence[Seen]) -> list[Seen]:
    """Of a property that a step sets again and again only what it is in the end; modules count in steps."""
    set_again = grouped(enumerate(seen), lambda each: _property_of(each[1]) or each[0])
    last = {alike[-1][0]: _in_the_end([change for _, change in alike]) for alike in set_again.values()}
    return [change for _, change in sorted(last.items(), key=itemgetter(0))]


def _in_the_end(alike: Sequence[Seen]) -> Seen:
    first, last = alike[0], alike[-1]
    if isinstance(first, PropertyChanged) and isinstance(last, PropertyChanged):
        return replace(last, old=first.old)
    return last


def _property_of(change: Seen) -> object:
    return (change.container, change.name) if isinstance(change, PropertyChanged) else None


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
