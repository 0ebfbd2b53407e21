"""The battles of a phase, and the steps of units."""

from __future__ import annotations

from validator.games.ftm.book import FIGHTING, RULES
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Battle, Party
from validator.procedures import battlebook
from validator.procedures.battle.step import Setting

_BOOK = battlebook.BattleBook[Battle, Party]()
SETTING = Setting(RULES, _BOOK, field_of, FIGHTING)
