"""The battles of a phase: what this game's parties and battles remember besides what all do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from validator.games.wfm.book import ENEMY, RULES
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked
from validator.model.position import Unit, having
from validator.procedures import battlebook, strengthchits
from validator.procedures.battle.step import Setting
from validator.procedures.battle.zones import residents
from validator.procedures.field import printed

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


def declared(case: Case, field_now: Field, event: Attacked) -> Battle:
    """A battle as it was declared, with those who stand in the attacked hexes."""
    position = case.position
    attackers = [position.units[name] for name in event.units]
    side = attackers[0].side if attackers else "axis"
    targets = tuple(field_now.ids(event.targets))
    there = [u for h in targets for u in field_now.units(h, ENEMY[side])]
    defenders, guests = residents([] if event.overrun else battles(case), there)
    parties = _party(case, side, attackers, ()), _party(case, ENEMY[side], defenders, guests)
    return Battle.declared(event, *parties, targets)


def _party(case: Case, side: str, units: Sequence[Unit], guests: tuple[str, ...]) -> Party:
    field_now = field_of(case)
    return Party(
        side,
        {unit.id: steps_left(case, unit) for unit in units},
        field_now.where(units),
        frozenset(unit.id for unit in units if printed(unit, "movement") == 0),
        guests,
        with_zone=frozenset(unit.id for unit in units if unit.on_map and field_now.has_zone(unit)),
        armor=frozenset(unit.id for unit in having(units, "armor")),
    )


def steps_left(case: Case, unit: Unit) -> int:
    """8.91 to 8.93; an army's steps are the sides of its strength marker."""
    left = strengthchits.steps_left(case, unit)
    return battlebook.printed_steps_left(unit) if left is None else left
