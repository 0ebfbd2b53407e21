"""A log told: what each step did, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from fieldpost.vassal import chat
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
from fieldpost.vassal.steps import Step
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Place

Namer: TypeAlias = Callable[[Place], str]
"""Gives a point of a map its name: the printed hex, else board or pixels."""

SHORT = 200
_OF_DICE = ("_result", "_total", "_keep", "_summary")
_QUIET = ("footprint;", "markmoved;", "report;", "piece;", "sendto;")


def by_pixels(place: Place) -> str:
    if place.map is None:
        return "off the map"
    return f"{place.map} {place.x},{place.y}"


def who(table: Table, changes: Iterable[Change]) -> str:
    """The name of the player a step belongs to, if the step says so."""
    for change in changes:
        if isinstance(change, Moved) and change.player:
            seat = table.players.get(change.player)
            return seat.name if seat else change.player
        if isinstance(change, ChatLine):
            line = chat.parse(change.line)
            if isinstance(line, chat.Said):
                return line.name
            if isinstance(line, chat.Dice) and line.name:
                return line.name
    return ""


def line(changes: list[Change], name: Namer, most: int | None = SHORT) -> str:
    """What a step did, in one line: what was said, rolled and reported, what moved, then the rest.

    The rest is cut off behind `most` characters.
    """
    moves, others = list(_moves(changes, name)), list(_others(changes, name))
    talk = [text for text in _talk(changes) if not _says_the_same(text, changes, name)]
    if not talk and any(isinstance(change, TurnChanged) for change in changes):
        others.append("turn tracker moved")
    return _one_line("; ".join([*talk, *_short(moves, most), *_short(others, most)])) or "nothing"


def _short(told: list[str], most: int | None) -> Iterator[str]:
    """As many of these as fit, the first in any case, and how many more there are."""
    left = most
    for number, text in enumerate(told):
        if left is not None:
            left -= len(text)
            if left < 0 and number:
                yield f"{len(told) - number} more"
                return
        yield text if most is None or len(text) <= most else f"{text[:most]} ..."


def _says_the_same(report: str, changes: list[Change], name: Namer) -> bool:
    """A report of the engine that only repeats the moves: it names each piece and both its places."""
    moved = [change for change in changes if isinstance(change, Moved)]
    return bool(moved) and all(
        word in report
        for change in moved
        for word in (change.piece.name, _start(change, name), _end(change, name))
    )


def _start(change: Moved, name: Namer) -> str:
    return change.old_deck.name if change.old_deck else name(change.old)


def _end(change: Moved, name: Namer) -> str:
    return change.deck.name if change.deck else name(change.new)


def link(step: Step) -> str:
    """What a step has to do with another: taken back, taking back."""
    if step.undoes:
        return f"takes back {step.undoes}"
    if step.undoes == 0:
        return "takes back a step before this log"
    return f"taken back by {step.undone_by}" if step.undone_by else ""


def _moves(changes: list[Change], name: Namer) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        if isinstance(change, Moved):
            groups.setdefault((_start(change, name), _end(change, name)), []).append(change.piece.name)
    for (start, end), names in groups.items():
        yield f"{', '.join(names)}: {start} -> {end}"
    lost = [change for change in changes if isinstance(change, Missing)]
    for done in dict.fromkeys(change.done for change in lost):
        number = sum(change.done == done for change in lost)
        yield f"{done}: a piece that is not in the game" + (f" ({number} times)" if number > 1 else "")


def _others(changes: list[Change], name: Namer) -> Iterator[str]:
    for change in changes:
        match change:
            case Added(piece, place) if place.map is not None:
                yield f"{piece.name} placed at {name(place)}"
            case Removed(piece, place):
                yield f"{piece.name} removed from {name(place)}"
            case StateChanged(trait=trait) if trait.prefix not in _QUIET:
                yield _state(change)
            case OrderChanged(Deck() as deck, old, new) if sorted(old) == sorted(new):
                yield f"{deck.name} shuffled"
            case DeckTurned(deck, face_down):
                yield f"{deck.name} turned face {'down' if face_down else 'up'}"
            case PropertyChanged(property, _, old_value, new_value) if not property.endswith(_OF_DICE):
                yield f"{property} {old_value} -> {new_value}"
            case PlayerSat(_, player, side):
                yield f"{player} takes {side}"
            case NoteChanged():
                yield "notes changed"


def _state(change: StateChanged) -> str:
    piece, trait = change.piece, change.trait
    match trait.prefix:
        case "obs;":
            return f"{piece.name} {'unmasked' if change.new.startswith('null') else 'masked'}"
        case "hide;":
            return f"{piece.name} {'shown' if change.new in ('null', '') else 'hidden'}"
        case "emb2;" | "PROP;" | "rotate;":
            return f"{piece.name}: {trait.text_of('name') or trait.name} {change.old} -> {change.new}"
    return (
        f"{piece.name}: {trait.name} {change.new}" if len(change.new) < 80 else f"{piece.name}: {trait.name}"
    )


def _talk(changes: list[Change]) -> Iterator[str]:
    for change in changes:
        if not isinstance(change, ChatLine):
            continue
        spoken = chat.parse(change.line)
        match spoken:
            case chat.Said(text):
                yield f'"{text}"'
            case chat.Dice():
                yield f"{spoken.label} = {', '.join(map(str, spoken.values))}"
            case chat.Undone():
                continue
            case chat.Line(text):
                yield chat.plain(text).strip("* ") or text


def _one_line(text: str) -> str:
    return " ".join(text.split())


def as_data(change: Change, name: Namer) -> dict[str, object]:
    """A change for programs."""
    kind = type(change).__name__
    match change:
        case Added(piece, place) | Removed(piece, place):
            return {"change": kind, **_piece(piece.id, piece.name), "place": _place(place, name)}
        case Moved(piece, old, new, player, deck, old_deck):
            data: dict[str, object] = {"change": kind, **_piece(piece.id, piece.name)}
            data |= {"from": _place(old, name), "to": _place(new, name), "player": player}
            if deck or old_deck:
                data |= {"deck": deck and deck.name, "from_deck": old_deck and old_deck.name}
            return data
        case StateChanged(piece, trait, before, after):
            known = trait.values.get("name")
            return {
                "change": kind,
                **_piece(piece.id, piece.name),
                "trait": trait.name,
                "name": known if isinstance(known, str) else None,
                "old": before,
                "new": after,
            }
        case OrderChanged(container, before_ids, after_ids):
            deck_name = container.name if isinstance(container, Deck) else None
            return {"change": kind, "deck": deck_name, "old": list(before_ids), "new": list(after_ids)}
        case DeckTurned(turned, face_down):
            return {"change": kind, "deck": turned.name, "face_down": face_down}
        case ChatLine(text):
            return {"change": kind, **_chat(text)}
        case TurnChanged(tracker, former, state):
            return {"change": kind, "tracker": tracker, "old": former, "new": state}
        case PropertyChanged(property, container_name, former, value):
            data = {"change": kind, "name": property, "container": container_name}
            return data | {"old": former, "new": value}
        case PlayerSat(alias, player_name, side):
            return {"change": kind, "player": alias, "name": player_name, "side": side}
        case NoteChanged(note, text):
            return {"change": kind, "kind": note, "text": text}
        case Missing(done):
            return {"change": kind, "done": done}
    return {"change": kind}


def _piece(id: str, name: str) -> dict[str, object]:
    return {"piece": id, "piece_name": name}


def _place(place: Place, name: Namer) -> dict[str, object] | None:
    if place.map is None:
        return None
    return {"map": place.map, "x": place.x, "y": place.y, "name": name(place)}


def _chat(text: str) -> dict[str, object]:
    spoken = chat.parse(text)
    data: dict[str, object] = {"kind": type(spoken).__name__.lower(), "line": text}
    if isinstance(spoken, chat.Dice):
        data |= {"label": spoken.label, "values": list(spoken.values), "name": spoken.name}
    if isinstance(spoken, chat.Said):
        data |= {"name": spoken.name, "text": spoken.text}
    return data
