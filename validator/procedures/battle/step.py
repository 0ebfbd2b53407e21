"""What all steps of battles stand on: a game's rulebook, the battles of the phase, the field."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.case import AnyCase
from validator.engine.rulebook import Rulebook
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import settlement
from validator.procedures.battlebook import Battle, BattleBook, Party
from validator.procedures.field import Field

B = TypeVar("B", bound=Battle[Any])
P = TypeVar("P", bound=Party)


@dataclass(frozen=True)
class Setting(Generic[B, P]):
    """Made once by a game: `phases` are those in which it has battles."""

    rules: Rulebook
    book: BattleBook[B, P]
    field_of: Callable[[Any], Field]
    phases: tuple[str, ...]


class Step(Generic[B, P]):
    """A step of battles; `enforce` gives the rulebook its judges and reducers, and the rules they judge."""

    def __init__(self, setting: Setting[B, P]) -> None:
        self.setting = setting

    def field(self, case: AnyCase) -> Field:
        return self.setting.field_of(case)

    def battles(self, case: AnyCase) -> list[B]:
        return self.setting.book.of(case)

    def numbered(self, case: AnyCase, number: int | None) -> B | None:
        return self.setting.book.numbered(case, number)

    def engaged(self, case: AnyCase, unit: str, number: int | None) -> tuple[B, P] | None:
        return self.setting.book.engaged(case, unit, number)

    def fought(self, case: AnyCase, event: Moved) -> tuple[B, P] | None:
        """The battle after which units move, and their side of it."""
        joined = (self.engaged(case, name, event.battle) for name in event.units)
        return next((found for found in joined if found is not None), None)

    def units(self, case: AnyCase, names: Iterable[str]) -> list[Unit]:
        return case.units(names)

    def hexes(self, case: AnyCase, ids: Iterable[HexId]) -> tuple[Hex, ...]:
        return self.field(case).hexes(ids)

    def fault(
        self, case: AnyCase, battle: B, rule: str, text: str, verdict: Verdict = Verdict.ILLEGAL
    ) -> Fault:
        """Of a whole battle: who attacks, what is attacked, and how it was worked out."""
        evidence = settlement.sums_of(self.field(case), battle)
        return Fault(
            rule, text, tuple(battle.attacker.steps), self.hexes(case, battle.targets), evidence, verdict
        )
