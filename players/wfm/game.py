"""What is done in each phase of War for the Motherland."""

from __future__ import annotations

from functools import partial

from players.game import Player
from players.wfm import fighting, moving, upkeep
from players.wfm.table import Table
from validator.games.wfm.book import AXIS, SOVIET


def _skipped(table: Table, turn: int, phase: str) -> bool:
    rules = {rule.id: rule for rule in table.case.scenario.special_rules}
    rule = rules.get("no-axis-opening")
    return rule is not None and turn == rule.values["turn"] and phase in str(rule.values["phases"])


PLAYER = Player(
    Table,
    {
        "supply": (upkeep.supply,),
        "axis-move": (partial(moving.movement, side=AXIS),),
        "axis-combat": (partial(fighting.combat, side=AXIS),),
        "sov-combat": (partial(fighting.combat, side=SOVIET),),
        "sov-move": (partial(moving.movement, side=SOVIET),),
        "ger-mech": (moving.mechanized, upkeep.fleets_return),
        "admin": (upkeep.administration,),
    },
    (("sov-combat", "axis"), ("ger-mech", "soviet"), ("supply", "axis-end")),
    ending=(upkeep.count,),
    skipped=_skipped,
)
