"""What hides a piece, or its face, from the other side: one table, asked by `sight` alone.

A trait that is neither in the table nor known to hide nothing hides the piece from every side: modules bring
traits of their own, and what these do is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from fieldpost.vassal import codec
from fieldpost.vassal.pieces import NONE, PieceType
from fieldpost.vassal.traits import TRAITS, Trait


class Hides(Enum):
    """What a trait in force takes from other sides."""

    FACE = "all that lies within the trait"
    PIECE = "the piece"


_TABLE: Mapping[str, Hides] = {
    "obs;": Hides.FACE,
    "conceal;": Hides.FACE,  # VASL and VSQL
    "hide;": Hides.PIECE,
}
_OLD = (
    "emb;",  # layer, as engines before 3 wrote it
    "color;",  # box of one colour (VASL)
)
_HARMLESS = frozenset({*TRAITS, *_OLD} - _TABLE.keys())
_OF_SIDE, _OF_SIDES = "side:", "sides:"


class Hider(NamedTuple):
    """A trait of a type that can hide, and its place in it."""

    at: int
    trait: Trait
    hides: Hides


@lru_cache(maxsize=8192)
def hiders(type: PieceType) -> tuple[Hider, ...]:
    """Outermost first."""
    return tuple(
        Hider(at, trait, _TABLE[trait.prefix])
        for at, trait in enumerate(type.traits[:-1])
        if trait.prefix in _TABLE
    )


@lru_cache(maxsize=8192)
def unknown(type: PieceType) -> tuple[str, ...]:
    """The kinds of the traits of which nothing is known."""
    return tuple(trait.prefix for trait in type.traits[:-1] if trait.prefix not in _HARMLESS | _TABLE.keys())


def owner_of(hider: Hider, state: str) -> str | None:
    """Who hides the piece by this trait; None if it is not in force. A player without a password is ''."""
    owner = state if hider.hides is Hides.PIECE else codec.head(state, ";")
    return None if owner == NONE else owner


def may_look(hider: Hider, owner: str, side: str, sides_of_players: Mapping[str, str]) -> bool:
    """True if what the trait hides is not hidden from a side. Owners are sides, or aliases of players."""
    access = str(hider.trait.values.get("access") or "")
    if access.startswith(_OF_SIDES):
        return side in codec.decode(access.removeprefix(_OF_SIDES), ":")
    if access.startswith(_OF_SIDE):
        return owner == side
    return sides_of_players.get(owner) == side
