"""A log told: what each step did, for people and for programs, of what the viewer may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from fieldpost.vassal import chat
from fieldpost.vassal.changes import (
    Change,
    ChatLine,
    Missing,
    Moved,
    NoteChanged,
    PlayerSat,
    PropertyChanged,
    TurnChanged,
)
from fieldpost.vassal.seen import (
    Came,
    DeckFlipped,
    DeckShuffled,
    Removed,
    Seen,
    SeenMoved,
    StackReordered,
    StateSeen,
    TurnedOver,
    Vanished,
    Watch,
)
from fieldpost.vassal.sight import Sealed, Spot
from fieldpost.vassal.steps import Step
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Place

Namer: TypeAlias = Callable[[Place], str]
"""Gives a point of a map its name: the printed hex, else board or pixels."""

SHORT = 200
_OF_DICE = ("_result", "_total", "_keep", "_summary")
WITH_PLACES = ("footprint;", "FTPfootprint;", "sendto;", "mat;", "matPiece;", "attach;")
"""Their states name places and other pieces, which may be hidden."""
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


def line(changes: Sequence[Seen], name: Namer, most: int | None = SHORT) -> str:
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


def _says_the_same(report: str, changes: Sequence[Seen], name: Namer) -> bool:
    """A report of the engine that only repeats the moves: it names each piece and both its places."""
    moved = [change for change in changes if isinstance(change, SeenMoved)]
    return bool(moved) and all(
        word in report
        for change in moved
        for word in (change.name, spot_name(change.old, name), spot_name(change.new, name))
    )


def spot_name(spot: Spot, name: Namer) -> str:
    return spot.deck if spot.deck is not None else name(spot.place)


def link(step: Step) -> str:
    """What a step has to do with another: taken back, taking back."""
    if step.undoes:
        return f"takes back {step.undoes}"
    if step.undoes == 0:
        return "takes back a step before this log"
    return f"taken back by {step.undone_by}" if step.undone_by else ""


def _moves(changes: Sequence[Seen], name: Namer) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        if isinstance(change, SeenMoved):
            ends = spot_name(change.old, name), spot_name(change.new, name)
            groups.setdefault(ends, []).append(change.name)
    for (start, end), names in groups.items():
        yield f"{', '.join(names)}: {start} -> {end}"
    lost = [change for change in changes if isinstance(change, Missing)]
    for done in dict.fromkeys(change.done for change in lost):
        number = sum(change.done == done for change in lost)
        yield f"{done}: a piece that is not in the game" + (f" ({number} times)" if number > 1 else "")


def _others(changes: Sequence[Seen], name: Namer) -> Iterator[str]:
    for change in changes:
        match change:
            case Came(piece, is_new):
                yield f"{piece.name} {'placed' if is_new else 'in sight'} at {spot_name(piece.spot, name)}"
            case Removed(piece):
                yield f"{piece.name} removed from {spot_name(piece.spot, name)}"
            case Vanished():
                yield "a piece goes out of sight"
            case TurnedOver(piece, before, is_covered):
                yield f"{before} masked" if is_covered else f"{piece.name} unmasked"
            case StateSeen(trait=trait) if trait.prefix not in _QUIET:
                yield _state(change)
            case DeckShuffled(deck):
                yield f"{deck} shuffled"
            case DeckFlipped(deck, face_down):
                yield f"{deck} turned face {'down' if face_down else 'up'}"
            case PropertyChanged(property, _, old_value, new_value) if not property.endswith(_OF_DICE):
                yield f"{property} {old_value} -> {new_value}"
            case PlayerSat(_, player, side):
                yield f"{player} takes {side}"
            case NoteChanged():
                yield "notes changed"


def _state(change: StateSeen) -> str:
    name, trait = change.name, change.trait
    match trait.prefix:
        case "obs;" | "conceal;":
            return f"{name} {'unmasked' if change.new.startswith('null') else 'masked'}"
        case "hide;":
            return f"{name} {'shown' if change.new == 'null' else 'hidden'}"
        case "emb2;" | "PROP;" | "rotate;":
            return f"{name}: {trait.text_of('name') or trait.name} {change.old} -> {change.new}"
    return f"{name}: {trait.name} {change.new}" if len(change.new) < 80 else f"{name}: {trait.name}"


def _talk(changes: Sequence[Seen]) -> Iterator[str]:
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


def as_data(change: Seen, name: Namer, watch: Watch) -> dict[str, object]:
    """A change for programs."""
    match change:
        case Came(piece, is_new):
            spot = _spot(piece.spot, name)
            return {
                "change": "Added" if is_new else "Came",
                **_piece(watch, piece, piece.name),
                "place": spot,
            }
        case Removed(piece):
            named: dict[str, object] = {"piece": watch.id_left(piece), "piece_name": piece.name}
            return {"change": "Removed", **named, "place": _spot(piece.spot, name)}
        case Vanished(id):
            return {"change": "Vanished", "piece": id}
        case SeenMoved(piece, piece_name, old, player):
            data: dict[str, object] = {"change": "Moved", **_piece(watch, piece, piece_name)}
            data |= {"from": _spot(old, name), "to": _spot(change.new, name), "player": player}
            if old.deck is not None or change.new.deck is not None:
                data |= {"deck": change.new.deck, "from_deck": old.deck}
            return data
        case TurnedOver(piece, piece_name, is_covered):
            return {"change": "TurnedOver", **_piece(watch, piece, piece_name), "covered": is_covered}
        case StateSeen(piece, piece_name, trait, before, after):
            known = trait.values.get("name")
            keeps_places = trait.prefix in WITH_PLACES
            return {
                "change": "StateChanged",
                **_piece(watch, piece, piece_name),
                "trait": trait.name,
                "name": known if isinstance(known, str) else None,
                "old": None if keeps_places else before,
                "new": None if keeps_places else after,
            }
        case DeckShuffled(deck):
            return {"change": "OrderChanged", "deck": deck}
        case StackReordered():
            return {"change": "OrderChanged", "deck": None}
        case DeckFlipped(deck, face_down):
            return {"change": "DeckTurned", "deck": deck, "face_down": face_down}
        case _:
            return _open_to_all(change)


def _open_to_all(change: Change) -> dict[str, object]:
    kind = type(change).__name__
    match change:
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


def _piece(watch: Watch, piece: Sealed, name: str) -> dict[str, object]:
    return {"piece": watch.id_of(piece), "piece_name": name}


def _spot(spot: Spot, name: Namer) -> dict[str, object]:
    place = spot.place
    return {"map": place.map, "x": place.x, "y": place.y, "name": name(place)}


def _chat(text: str) -> dict[str, object]:
    spoken = chat.parse(text)
    data: dict[str, object] = {"kind": type(spoken).__name__.lower(), "line": text}
    if isinstance(spoken, chat.Dice):
        data |= {"label": spoken.label, "values": list(spoken.values), "name": spoken.name}
    if isinstance(spoken, chat.Said):
        data |= {"name": spoken.name, "text": spoken.text}
    return data
