"""The battles of a phase, and the steps of units."""

from __future__ import annotations

from collections.abc import Sequence

from validator.games.ftm.book import ENEMY, FIGHTING, RULES, SOVIET
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Battle, Case, Party
from validator.model.events import Attacked
from validator.model.position import Unit, lacking
from validator.procedures import battlebook, strengthchits
from validator.procedures.battle.step import Setting
from validator.procedures.battle.zones import residents
from validator.procedures.battlebook import printed_steps_left
from validator.procedures.field import printed

_BOOK = battlebook.BattleBook[Battle, Party]()
SETTING = Setting(RULES, _BOOK, field_of, FIGHTING)


def declared(case: Case, event: Attacked) -> Battle:
    """A battle as it was declared, with those who stand in the attacked hexes."""
    field, attackers = field_of(case), case.units(event.units)
    side = attackers[0].side if attackers else SOVIET
    targets = tuple(field.ids(event.targets))
    there = [unit for hex_id in targets for unit in field.units(hex_id, ENEMY[side])]
    defenders, guests = residents([] if event.overrun else _BOOK.of(case), there)
    parties = _party(case, side, attackers, ()), _party(case, ENEMY[side], defenders, guests)
    return Battle.declared(event, *parties, targets)


def _party(case: Case, side: str, units: Sequence[Unit], guests: tuple[str, ...]) -> Party:
    fixed = (unit.id for unit in lacking(units, "rail-only") if printed(unit, "movement") == 0)
    steps = {unit.id: steps_left(case, unit) for unit in units}
    return Party(side, steps, field_of(case).where(units), frozenset(fixed), guests)


def steps_left(case: Case, unit: Unit) -> int:
    """8.5.2, 8.5.3: a chit's sides are the steps of its army."""
    left = strengthchits.steps_left(case, unit)
    return printed_steps_left(unit) if left is None else left
