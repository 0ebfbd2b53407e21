"""Chapters 2.4 and 7: halving and doubling, and the strengths of Soviet armies."""

from __future__ import annotations

from fractions import Fraction

from validator.core.strength import HALF, Change, Fighter
from validator.games.wfm.battles import FIGHTING
from validator.games.wfm.book import RULES
from validator.games.wfm.field import field_of
from validator.games.wfm.state import Case
from validator.model.position import Unit
from validator.procedures import strengthchits
from validator.procedures.battle.armies import Halving

OUT, LACK = Change("wfm-9.52", "out of supply", HALF), Change("wfm-9.53", "lack of supply", HALF)
HALVING = Halving(OUT, LACK)


def halved_together(fighters: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """The mistake of 2.4: adding up first and halving the sum."""
    whole = [f for f in fighters if not f.changes]
    halved = [f for f in fighters if f.changes]
    if len(halved) < 2:
        return fighters
    name = "+".join(f.unit for f in halved)
    return (*whole, Fighter(name, sum((Fraction(f.printed) for f in halved), Fraction(0)), halved[0].changes))


def rounded_early(fighters: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """The mistake of 2.4: rounding the half before it is doubled."""
    return tuple(Fighter(f.unit, -(-f.printed // 2)) if f.changes else f for f in fighters)


# --- strength markers (7.1, 7.2) ----------------------------------------------------------------


def beside_enemy(case: Case, unit: Unit) -> bool:
    return field_of(case).beside_enemy(unit)


def _starred_back(case: Case, alive: bool) -> tuple[bool, ...]:
    """Once the die for Moscow is cast, starred markers may come back (19.43)."""
    return (False, True) if case.in_game.moscow_rolled else (False,)


def _cups_known(case: Case) -> bool:
    """What Turning Point's cups hold is 16.44."""
    return case.scenario.id != "turning-point" and any(case.position.decks.values())


CHITS = strengthchits.ChitRules(
    cup="wfm-7.14a",
    once="wfm-7.14b",
    arrived="wfm-7.15",
    new="wfm-13.32",
    full="wfm-7.16",
    fights="wfm-7.11",
    beside="wfm-7.12",
    away="wfm-7.21",
    dead="wfm-7.22",
    back="wfm-7.23",
    starred="wfm-7.24",
    cups="csm-{}",
    fighting=FIGHTING,
    supply="supply",
    admin="admin",
    beside_enemy=beside_enemy,
    starred_back=_starred_back,
    cups_known=_cups_known,
)
strengthchits.register(RULES, CHITS)
