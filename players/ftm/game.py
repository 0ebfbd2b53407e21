"""What is done in each phase of For the Motherland!."""

from __future__ import annotations

from functools import partial

from players.ftm import fighting, moving, upkeep
from players.ftm.table import Table
from players.game import Player
from validator.games.ftm.book import AXIS, SOVIET

PLAYER = Player(
    Table,
    {
        "supply": (upkeep.supply,),
        "axis-move": (partial(moving.movement, side=AXIS),),
        "axis-combat": (partial(fighting.combat, side=AXIS),),
        "axis-exploit": (partial(moving.exploitation, side=AXIS),),
        "sov-move": (partial(moving.movement, side=SOVIET),),
        "sov-combat": (partial(fighting.combat, side=SOVIET),),
        "sov-exploit": (partial(moving.exploitation, side=SOVIET),),
        "admin": (upkeep.administration,),
    },
    (("sov-move", "axis"), ("axis-move", "soviet"), ("supply", "axis-end")),
)
