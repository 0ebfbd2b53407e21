"""What is done in each phase of Land Without End, and by which module."""

from __future__ import annotations

from itertools import chain

from tools.play.game import Deed, Player
from tools.play.lwe import fighting, moving, upkeep
from tools.play.lwe.table import Table
from validator.games.lwe.book import GERMAN_PA, GERMAN_PA_FIRST

MODULES = (upkeep, moving, fighting)
"""Each has its own `DEEDS` by phase; what several do in one phase is done in this order."""

FIGHTS_FIRST = 0.3


def _deeds() -> dict[str, list[Deed]]:
    found: dict[str, list[Deed]] = {}
    for phase, deed in chain.from_iterable(module.DEEDS.items() for module in MODULES):
        found.setdefault(phase, []).append(deed)
    return found


def _skipped(table: Table, turn: int, phase: str) -> bool:
    """The German player moves first or fights first, for all units of the turn (5.3)."""
    if turn not in table.fights_first:
        table.fights_first[turn] = table.chance(FIGHTS_FIRST)
    return phase == (GERMAN_PA if table.fights_first[turn] else GERMAN_PA_FIRST)


PLAYER = Player(Table, _deeds(), upkeep.ENDING, _skipped, lambda table: table.over)
