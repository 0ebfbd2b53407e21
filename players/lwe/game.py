"""What is done in each phase of Land Without End, and by which module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain

from players.game import Deed, Player
from players.lwe import fighting, moving, upkeep
from players.lwe.table import Table
from validator.games.lwe.book import GERMAN_PA, GERMAN_PA_FIRST, SOVIET_PA, TURN_START

MODULES = (upkeep, moving, fighting)
"""Each has its own `DEEDS` by phase; what several do in one phase is done in this order."""

FIGHTS_FIRST = 0.3


def _deeds(*modules: Mapping[str, Deed]) -> dict[str, list[Deed]]:
    found: dict[str, list[Deed]] = {}
    for phase, deed in chain.from_iterable(deeds.items() for deeds in modules):
        found.setdefault(phase, []).append(deed)
    return found


def _skipped(table: Table, turn: int, phase: str) -> bool:
    """The German player moves first or fights first, for all units of the turn (5.3)."""
    if turn not in table.fights_first:
        table.fights_first[turn] = table.chance(FIGHTS_FIRST)
    return phase == (GERMAN_PA if table.fights_first[turn] else GERMAN_PA_FIRST)


STANDING: dict[str, Deed] = {
    **moving.DEEDS,
    "german-move": moving.only_enter,
    "soviet-move": moving.only_make_room,
}
PLAYER = Player(
    Table,
    _deeds(*(module.DEEDS for module in MODULES)),
    ((SOVIET_PA, "german"), (TURN_START, "soviet")),
    upkeep.ENDING,
    _skipped,
    lambda table: table.over,
)
WAITING = replace(PLAYER, phases=_deeds(upkeep.DEEDS, STANDING, fighting.DEEDS))
"""Nobody moves but where he must, and all fight where they stand: the year goes by in a tenth of the time."""
