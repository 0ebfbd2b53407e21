"""What the cells of a combat results table ask of each side, as most games print them."""

from __future__ import annotations

import re

from fieldpost.definition.model import Game, Table
from fieldpost.definition.rulesmodel import CombatRules, RetreatRules, Toll

Tolls = tuple[Toll, Toll]
"""Of the attacker and of the defender."""

NOTHING = ("", "-", "ne", "none", "no effect", "\N{EN DASH}", "\N{EM DASH}", "\N{BULLET}")
FORMS = "AE, DR, DR2, A1, D2, D1R, 1/2, A1/D1, NE or -"
_PART = re.compile(
    r"(?P<side>[AD])(?:(?P<all>E)|R(?P<only>\d?)|L?(?P<lose>\d)(?:R(?P<then>\d?))?)", re.IGNORECASE
)
_STEPS = re.compile(r"(\d|-)\s*/\s*(\d|-)")


def tolls_of(combat: CombatRules, cell: str) -> Tolls | None:
    """By the `results` of the game, else by the usual reading; None for what is neither."""
    for known in combat.results:
        if known.cell.strip().lower() == cell.strip().lower():
            return known.attacker, known.defender
    return usual(cell, (combat.retreat or RetreatRules()).hexes)


def usual(cell: str, retreat: int) -> Tolls | None:
    """AE, DE: every unit is lost. A1, D2: so many steps. AR, DR2: hexes. D1R: both. 1/2: steps of each."""
    text = cell.strip()
    if text.lower() in NOTHING:
        return Toll(), Toll()
    if steps := _STEPS.fullmatch(text):
        attacker, defender = (0 if number == "-" else int(number) for number in steps.groups())
        return Toll(lose=attacker), Toll(lose=defender)
    found: dict[str, Toll] = {}
    for part in re.split(r"[\s/,+]+", text):
        said = _PART.fullmatch(part)
        if said is None or said["side"].upper() in found:
            return None
        found[said["side"].upper()] = _toll(said, retreat)
    return found.get("A", Toll()), found.get("D", Toll())


def _toll(said: re.Match[str], retreat: int) -> Toll:
    if said["all"]:
        return Toll(all=True)
    if said["lose"] is None:
        return Toll(retreat=int(said["only"] or retreat))
    hexes = 0 if said["then"] is None else int(said["then"] or retreat)
    return Toll(lose=int(said["lose"]), retreat=hexes)


def table_of(game: Game, kind: str, named: str | None) -> Table | None:
    """The table that is named, or the only one of its kind."""
    if named is not None:
        return game.table.get(named)
    found = [table for table in game.tables if table.kind == kind]
    return found[0] if len(found) == 1 else None
