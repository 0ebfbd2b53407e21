"""Who may see what on the table: `Sight` seals pieces, and only sealed ones are drawn, told and written out.

A `Sight` without a side sees what every player sees. With a side it sees what that side's players see, with
`EVERYTHING` all there is, as a referee may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from fieldpost.errors import FieldpostError
from fieldpost.phrases import count, listed
from fieldpost.vassal import hiding
from fieldpost.vassal.hiding import Hides
from fieldpost.vassal.module import Module
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Piece, Place, lookups
from fieldpost.vassal.traits import Trait
from fieldpost.vassal.windows import Windows

EVERYTHING = "*"
"""In place of a side: all that is hidden is seen."""
UNKNOWN = "?"
HIDDEN = "a hidden piece"
CARD = "a card"
NAMELESS = "a piece"
NOWHERE = Place(None, 0, 0)
_NO_WINDOW = ("", "Module")
"""What global properties are contained in that are no map's."""


class Spot(NamedTuple):
    """Where a piece is seen: a point of a map, or a deck by its name."""

    place: Place
    deck: str | None = None


@dataclass(frozen=True, slots=True)
class Sealed:
    """A piece as a viewer sees it.

    Out of sight it has neither name nor place; covered, only what lies outside of the cover.
    """

    id: str = field(repr=False)
    name: str
    spot: Spot
    in_sight: bool
    has_face: bool
    is_half_seen: bool = field(repr=False)
    """The viewer's own, and hidden from the others."""
    _piece: Piece = field(repr=False, compare=False)
    _covered_from: int | None = field(repr=False)
    """The place of the trait that covers all within it."""

    @property
    def is_in_deck(self) -> bool:
        return self.spot.deck is not None

    @property
    def is_off_map(self) -> bool:
        """Nobody sees it, for it lies nowhere."""
        return self._piece.place.map is None

    @property
    def cover(self) -> Trait | None:
        return None if self._covered_from is None else self._piece.type.traits[self._covered_from]

    @property
    def image(self) -> str:
        """The picture of the piece without its layers."""
        return self._piece.image if self._is_open else ""

    def traits(self) -> Iterator[tuple[int, Trait, str]]:
        """What may be drawn, with states, from the inside out, without the cover itself."""
        if not self.in_sight:
            return
        first = len(self._piece.type.traits) - 1 if self._covered_from is None else self._covered_from
        states = self._piece.states
        for at in range(first - 1, -1, -1):
            yield at, self._piece.type.traits[at], states[at] if at < len(states) else ""

    def value(self, name: str) -> str | None:
        """A property, if a trait that may be seen has it."""
        if self._is_open:
            return self._piece.value(name)
        at, _ = lookups(self._piece.type).get(name, (-1, 0))
        is_outside = self.in_sight and self._covered_from is not None and 0 <= at < self._covered_from
        return self._piece.value(name) if is_outside else None

    @property
    def _is_open(self) -> bool:
        return self.in_sight and self._covered_from is None


class Sight:
    """What one side, or everybody, sees of a table."""

    def __init__(
        self,
        table: Table,
        module: Module | None = None,
        side: str | None = None,
        log_of: str | None = None,
    ) -> None:
        """`log_of` is the name of its module as the log states it."""
        self.table = table
        self.side = side
        self.windows = Windows(table, module, log_of)
        self._unknown: dict[str, set[str]] = {}

    def seal(self, piece: Piece) -> Sealed:
        """The piece as it may be seen where it is."""
        deck = piece.parent if isinstance(piece.parent, Deck) else None
        return self._sealed(piece, self._covered_from(piece), deck)

    def seal_in_deck(self, card: Piece, *, face_down: bool, is_top: bool) -> Sealed:
        """A card as the engine paints it in its deck: face down by its mask, the uppermost else without it.

        Whatever else hides it goes on hiding it.
        """
        covered = self._covered_from(card)
        masks = [hider.at for hider in hiding.hiders(card.type) if hider.hides is Hides.FACE]
        if face_down:
            covered = masks[0] if masks else None
        elif is_top and masks and covered == masks[0]:
            covered = self._covered_from(card, beyond=masks[0])
        return self._sealed(card, covered, None)

    def _sealed(self, piece: Piece, covered: int | None, deck: Deck | None) -> Sealed:
        place = piece.place
        if not self._is_in_sight(piece):
            return Sealed(piece.id, HIDDEN, Spot(NOWHERE), False, False, False, piece, None)
        spot = Spot(place, deck.name if deck else None)
        is_covered = covered is not None or (deck is not None and deck.face_down and self.side != EVERYTHING)
        if deck is not None and deck.face_down and is_covered:
            name = CARD
        elif covered is not None:
            name = _name_of_cover(piece.type.traits[covered])
        else:
            name = piece.name or NAMELESS
        half_seen = self.side is not None and any(True for _ in self._in_force(piece, Hides.PIECE))
        return Sealed(piece.id, name, spot, True, not is_covered, half_seen, piece, covered)

    def sees_window(self, name: str | None) -> bool:
        """False off every map, and for a window that is not surely the viewer's to see."""
        return name is not None and (self.side == EVERYTHING or self.windows.sees(name, self.side))

    def sees_property(self, container: str, name: str) -> bool:
        """False for a global property of a window, or of a zone in one, that is not the viewer's to see."""
        window = name.rpartition("\t")[2] if "\t" in name else container
        return window in _NO_WINDOW or self.sees_window(window)

    def remarks(self) -> list[str]:
        """What an output says at its head: whose eyes these are, and what had to be left out."""
        said = [eyes(self.side)]
        if self.side != EVERYTHING:
            said += self.windows.remarks()
            left_out = {kind: len(ids) for kind, ids in self._unknown.items()}
            said += [
                f"{count(number, 'piece')} left out: nothing is known of what their trait {kind} hides."
                for kind, number in sorted(left_out.items())
            ]
        return said

    def _is_in_sight(self, piece: Piece) -> bool:
        if self.side == EVERYTHING:
            return piece.place.map is not None
        if not self.sees_window(piece.place.map):
            return False
        unknown = hiding.unknown(piece.type)
        for kind in unknown:
            self._unknown.setdefault(_kind(kind), set()).add(piece.id)
        return not unknown and all(self._is_mine(*one) for one in self._in_force(piece, Hides.PIECE))

    def _covered_from(self, piece: Piece, beyond: int = -1) -> int | None:
        """The place of the outermost mask in force; `beyond` leaves out those further out."""
        if self.side == EVERYTHING:
            return None
        masks = self._in_force(piece, Hides.FACE)
        return next(
            (one.at for one, owner in masks if one.at > beyond and not self._is_mine(one, owner)), None
        )

    def _in_force(self, piece: Piece, what: Hides) -> Iterator[tuple[hiding.Hider, str]]:
        for hider in hiding.hiders(piece.type):
            if hider.hides is what:
                owner = hiding.owner_of(hider, piece.states[hider.at])
                if owner is not None:
                    yield hider, owner

    def _is_mine(self, hider: hiding.Hider, owner: str) -> bool:
        if self.side is None:
            return False
        players = {alias: seat.side for alias, seat in self.table.players.items()}
        return hiding.may_look(hider, owner, self.side, players)


def eyes(side: str | None) -> str:
    """The line that says who looks."""
    if side is None:
        return "Seen as every player may see it: what is hidden from one is left out."
    if side == EVERYTHING:
        return "Everything is shown, what is hidden from the players too: for a referee alone."
    return f"Seen with the eyes of {side}: what only that side may see is in it."


def _name_of_cover(trait: Trait) -> str:
    return str(trait.values.get("name") or UNKNOWN)


def _kind(prefix: str) -> str:
    """A word of a stranger's, cut to what a kind of trait may be called."""
    word = "".join(letter for letter in prefix.rstrip(";") if letter.isascii() and letter.isalnum())
    return repr(word[:20])


def sides_that_sat(tables: Iterable[Table]) -> list[str]:
    return sorted(
        {seat.side for table in tables for seat in table.players.values() if seat.side[:1] not in ("", "<")}
    )


def check_side(side: str, tables: Iterable[Table]) -> None:
    """A side's view is given only of a side that sat at the table."""
    sides = sides_that_sat(tables)
    if side not in (*sides, EVERYTHING):
        known = listed(sides) if sides else "none"
        raise FieldpostError(f"nobody played the side {side!r} in these logs", f"Sides: {known}")
