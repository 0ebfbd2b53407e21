"""The page of contents of War for the Motherland: how its battles are settled."""

from __future__ import annotations

from validator.acts.settlement import Settlement
from validator.games.wfm.battles import MOVING, SETTING
from validator.games.wfm.book import RULES
from validator.games.wfm.c08_combat import PHASE_OF
from validator.procedures.strengthchits import is_chit

RULES.settlement = Settlement(
    battles=SETTING.book.of,
    late="wfm-8.1d",
    attacks=PHASE_OF,
    overruns=tuple(MOVING),
    is_chit=is_chit,
)
