"""The position that a log ends in, as the save that the next log begins with."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.vassal import codec, commands, pieces, steps, tree
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.pieces import BasicState
from fieldpost.vassal.steps import LOG, Log
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Container, Deck, Piece


def save_of(log: Log) -> Log:
    """A save of the end of a log, read as one reads it from a file."""
    table = Table.of(log)
    for step in log.steps:
        table.step(step)
    parts = [_renewed(part, table) for part in log.parts if not part.startswith((LOG, "'" + LOG))]
    return steps.parse(codec.encode(parts, ESC), log.metadata, log.name)


def _renewed(part: str, table: Table) -> str:
    parsed = commands.parse(part) if part else None
    if isinstance(parsed, commands.Turn):
        return commands.Turn(parsed.tracker, table.turns[parsed.tracker]).text
    if any(isinstance(commands.parse(text), commands.AddPiece) for text in tree.read(part) if text):
        return codec.encode(["", *_pieces(table)], ESC)
    return part


def _pieces(table: Table) -> Iterator[str]:
    """Members before their stack or deck; what lies loose by itself."""
    for thing in table.layout.things.values():
        if isinstance(thing, Piece) and thing.parent is None and thing.map is not None:
            yield _piece(thing)
    for number, container in enumerate(_containers(table), 1):
        for member in container.contents:
            yield _piece(member)
        place = container.place
        members = container.members
        if isinstance(container, Deck):
            yield pieces.deck(
                container.id, container.type, place.map or "", place.x, place.y, members, container.face_down
            )
        else:
            yield pieces.stack(f"stack-{number}", place.map, place.x, place.y, members)


def _containers(table: Table) -> Iterator[Container]:
    for thing in table.layout.things.values():
        if isinstance(thing, Deck) or (isinstance(thing, Container) and thing.contents):
            yield thing


def _piece(piece: Piece) -> str:
    place, basic = piece.place, piece.basic
    now = BasicState(place.map, place.x, place.y, basic.gpid, basic.properties, basic.fixed).write()
    return pieces.add(piece.id, piece.type.text, codec.nest([*piece.states[:-1], now]))
