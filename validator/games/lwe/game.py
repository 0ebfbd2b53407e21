"""The page of contents of Land Without End: how its battles are settled."""

from __future__ import annotations

from validator.acts.settlement import Settlement
from validator.games.lwe.battles import SETTING
from validator.games.lwe.book import ASSAULTING, GERMAN_MOVE, RULES

RULES.settlement = Settlement(
    battles=SETTING.book.of,
    late="lwe-11.5a",
    attacks=ASSAULTING,
    overruns=(GERMAN_MOVE,),
    one_by_one=True,  # 11.5, 11.37
)
