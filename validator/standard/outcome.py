"""What the results of a game ask of each side, as parts that can be paid."""

from __future__ import annotations

from collections.abc import Collection

from fieldpost.definition import results
from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import CombatRules, Toll
from validator.core.results import Part, Pays, Result


def part_of(toll: Toll) -> Part:
    if toll.all:
        return Part(Pays.ALL)
    if toll.exchange:
        return Part(Pays.SAME)
    if toll.each:
        return Part(Pays.EACH, toll.each)
    if toll.either:
        return Part(Pays.EITHER, toll.either)
    if toll.lose and toll.retreat:
        return Part(Pays.BOTH, toll.lose, toll.retreat)
    if toll.lose:
        return Part(Pays.STEPS, toll.lose)
    return Part(Pays.RETREAT, toll.retreat) if toll.retreat else Part()


def result_of(game: Game, text: str, known: Collection[str]) -> Result | None:
    """What a result asks; None for what is none of the game's."""
    combat = (game.rules.combat if game.rules else None) or CombatRules()
    if not same_as_any(text, known) and plain(text) not in results.NOTHING:
        return None
    tolls = results.tolls_of(combat, text)
    return None if tolls is None else Result(text.strip(), part_of(tolls[0]), part_of(tolls[1]))


def plain(text: str) -> str:
    said = text.strip().lower()
    return "-" if said in results.NOTHING else said


def same_as_any(text: str, cells: Collection[str]) -> bool:
    return any(plain(text) == plain(cell) for cell in cells)
