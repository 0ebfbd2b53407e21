"""What is done in each phase of War in the East, and by which module."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from players.game import Deed, Player
from players.wie import fighting, moving, setting_up, upkeep
from players.wie.table import Table
from validator.games.wie.c01_sequence import BERLIN

MODULES = (setting_up, upkeep, moving, fighting)


def _deeds(*modules: Mapping[str, Deed]) -> dict[str, list[Deed]]:
    found: dict[str, list[Deed]] = {}
    for phase, deed in chain.from_iterable(deeds.items() for deeds in modules):
        found.setdefault(phase, []).append(deed)
    return found


PLAYER = Player(
    Table,
    _deeds(*(module.DEEDS for module in MODULES)),
    (("soviet-reinforce", "axis"), ("weather", "soviet")),
    over=lambda table: table.case.in_game.over == BERLIN,
)
