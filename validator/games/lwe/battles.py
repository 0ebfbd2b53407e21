"""The battles of a phase: prepared and mobile assaults, with what this game remembers of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from validator.core.board import HexId
from validator.games.lwe.book import ASSAULTING, ENEMY, GERMAN, MOVING, RULES
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.state import Case
from validator.model.events import Attacked, Moved
from validator.model.position import Unit, having, lacking, names_of
from validator.procedures import battlebook
from validator.procedures.battle.step import Setting
from validator.procedures.battlebook import Party, printed_steps_left

FIGHTING = (*ASSAULTING, *MOVING)
AIRCRAFT, ARTILLERY, ZONE, STATIC = "aircraft", "artillery-command", "fortified-zone", "static"


@dataclass
class Battle(battlebook.Battle[Party]):
    """`exits` are the hexes the defenders could have retreated into when the die fell, `rooms` those of them
    with room for a single one of them."""

    exits: frozenset[HexId] = frozenset()
    rooms: dict[HexId, int] = field(default_factory=dict)
    air: bool = False  # the aircraft supports one side of it
    dice: tuple[int, ...] = ()  # of the artillery command
    supply_die: int | None = None  # for attenuated supply
    supply_due: str | None = None  # the rule by which that die is missing
    entered: list[Moved] = field(default_factory=list)  # by mobile assault, before the defenders had left


_BOOK = battlebook.BattleBook[Battle, Party]()
battles, numbered, engaged = _BOOK.of, _BOOK.numbered, _BOOK.engaged
SETTING = Setting(RULES, _BOOK, field_of, FIGHTING)


def combatants(units: Iterable[Unit]) -> list[Unit]:
    """Without the aircraft, which takes no part itself (11.25)."""
    return lacking(units, AIRCRAFT)


def declared(case: Case, field_now: Field, event: Attacked) -> Battle:
    """A battle as it was declared, with everybody who stands in the attacked hex (11.2, 11.34)."""
    attackers = combatants(case.units(event.units))
    side = attackers[0].side if attackers else GERMAN
    targets = tuple(field_now.ids(event.targets))
    defenders = combatants(u for h in targets for u in field_now.units(h, ENEMY[side]))
    parties = _party(field_now, side, attackers), _party(field_now, ENEMY[side], defenders)
    return Battle.declared(event, *parties, targets)


def artillery_of(case: Case, battle: Battle) -> tuple[str, ...]:
    """The artillery commands that attack."""
    return names_of(having(case.units(battle.attacker.steps), ARTILLERY))


def _party(field_now: Field, side: str, units: Sequence[Unit]) -> Party:
    return Party(
        side,
        {unit.id: printed_steps_left(unit) for unit in units},
        field_now.where(units),
        frozenset(unit.id for unit in having(units, STATIC)),
    )
