"""Slips in the rules of a game: a function that names a phase, side, trait or kind that nothing has."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from fieldpost.definition.model import Game
from fieldpost.definition.problems import nearest
from fieldpost.errors import FieldpostError
from validator.engine.rulebook import Hook, Rulebook, place_of


def check(book: Rulebook, game: Game) -> None:
    """Raise for the first function of a book that could never be asked in this game."""
    slip = next(slips(book, game), None)
    if slip is not None:
        raise FieldpostError(*slip)


def slips(book: Rulebook, game: Game) -> Iterator[tuple[str, str]]:
    """Each slip as a message, with file and line, and a hint."""
    known = Known(game)
    for hook in _hooks(book):
        for what, name, names in known.missing(hook):
            near = nearest(name, names)
            hint = f"Did you mean {near}?" if near else f"The game has {', '.join(sorted(names))}."
            yield f"{place_of(hook.ask)}: the game has no {what} {name!r}, so this is never asked", hint
    for phase in (*book.passed, *book.duties):
        if phase not in known.phases:
            yield f"the rules of {book.game} name a phase {phase!r} that the game has not", ""


class Known:
    """What the hooks of a game may name."""

    def __init__(self, game: Game) -> None:
        self.phases = {phase.id for phase in game.sequence}
        self.sides = {side.id for side in game.sides}
        self.kinds = {marker.kind for marker in game.markers}
        types, counters = game.unit_types, game.counters
        self.traits = {*chain(*(kind.traits for kind in types), *(counter.traits for counter in counters))}

    def missing(self, hook: Hook) -> Iterator[tuple[str, str, Collection[str]]]:
        for what, wanted, names in (
            ("phase", hook.phases or (), self.phases),
            ("side", filter(None, [hook.side]), self.sides),
            ("kind of marker", filter(None, [hook.kind]), self.kinds),
            ("trait", hook.having, self.traits),
        ):
            yield from ((what, name, names) for name in wanted if name not in names)


def _hooks(book: Rulebook) -> Iterator[Hook]:
    for table in (book.before_event, book.after_event, book.claims, *book.reducers.values()):
        yield from chain.from_iterable(table.values())
    yield from chain(book.phase_start, book.phase_end, book.reducers_at_start, book.reducers_at_end)
