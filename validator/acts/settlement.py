"""What a game says of how its battles are settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validator.engine.case import AnyCase
from validator.engine.claims import ORDER
from validator.procedures.battlebook import Battle


@dataclass(frozen=True)
class Settlement:
    """A battle is settled in this order: declaration, chits, die, result; who pays first; the other side's
    advance; who pays second; the first side's advance. The result says who pays first, else the attacker.
    """

    battles: Callable[[AnyCase], Sequence[Battle[Any]]]
    reasons: Sequence[str] = ("combat", "overrun", "")  # of dice that decide battles
    late: str = ORDER  # the rule that a battle is settled before the next is fought
    first: str = ORDER  # the rule that says who pays first
    attacks: Mapping[str, str] = field(default_factory=dict)  # phases in which battles are declared, by whom
    overruns: Sequence[str] = ()  # phases in which overruns are
    advances_late: bool = False  # units may advance when later battles were rolled
    one_by_one: bool = False  # the declaration of the next battle ends the time to advance, not its die
    is_chit: Callable[[AnyCase, str], bool] = lambda case, marker: False
