"""The battles of a phase: what this game's parties and battles remember besides what all do."""

from __future__ import annotations

from dataclasses import dataclass, field

from validator.games.wfm.book import RULES
from validator.games.wfm.field import field_of
from validator.procedures import battlebook
from validator.procedures.battle.step import Setting

MOVING = ("axis-move", "sov-move", "ger-mech")
FIGHTING = ("axis-combat", "sov-combat", *MOVING)


@dataclass
class Party(battlebook.Party):
    """8.107: guests; Kampfgruppen are heirs of corps; 8.105: for lack of room."""

    with_zone: frozenset[str] = frozenset()
    armor: frozenset[str] = frozenset()


@dataclass
class Battle(battlebook.Battle[Party]):
    city: bool = False  # a major city or fortress that stands was attacked (20.41)
    armored: tuple[str, ...] = ()  # attackers that roll for additional losses (20.41)
    additional: dict[str, bool] = field(default_factory=dict)  # unit rolled for: a step is due
    paid: set[str] = field(default_factory=set)  # ... and was lost


_BOOK = battlebook.BattleBook[Battle, Party]()
battles, numbered, engaged = _BOOK.of, _BOOK.numbered, _BOOK.engaged
SETTING = Setting(RULES, _BOOK, field_of, FIGHTING)
