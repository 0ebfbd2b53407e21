"""The page of contents of For the Motherland!: how its battles are settled."""

from __future__ import annotations

from validator.acts.settlement import Settlement
from validator.games.ftm.battles import SETTING
from validator.games.ftm.book import COMBAT, MOVING, RULES
from validator.procedures.strengthchits import is_chit

RULES.settlement = Settlement(
    battles=SETTING.book.of,
    late="ftm-8.1f",
    first="ftm-8.1e",
    attacks=COMBAT,
    overruns=tuple(MOVING),
    is_chit=is_chit,
)
