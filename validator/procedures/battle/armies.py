"""Battles of corps that lose steps and armies that carry chits: who stands on each side, and how strong.

`Opening` opens them, `Halving` tells the strengths of units by their supply, `NextStep` what takes the place
of a unit that loses a step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from validator.core.advance import AdvanceRules
from validator.core.breach import Breach
from validator.core.results import Grammar, Pays, Phrase
from validator.core.strength import Change, Fighter
from validator.engine.case import AnyCase
from validator.engine.rulebook import Faults, Rulebook
from validator.model.events import Attacked, Moved, Replaced
from validator.model.findings import Fault
from validator.model.position import Unit, lacking
from validator.procedures.battle.advance import Advances
from validator.procedures.battle.declaration import Declaration
from validator.procedures.battle.step import B, P
from validator.procedures.battle.zones import residents
from validator.procedures.battlebook import Battle
from validator.procedures.field import printed
from validator.procedures.strengthchits import printed_or_drawn, steps_left
from validator.procedures.supplymarks import lack_of_supply, out_of_supply

ATTACK, DEFENSE = "attack", "defense"


def results_in_steps_or_hexes(first: str, nothing: str) -> Grammar:
    """`D2` is paid in steps or hexes, `2/3` in steps, by the side named first; `nothing` is a pattern."""
    return Grammar(
        (
            Phrase("AE", attacker=(Pays.ALL, 0, 0)),
            Phrase("DE", defender=(Pays.ALL, 0, 0)),
            Phrase(r"A(?P<n>\d)", attacker=(Pays.EITHER, "n", 0)),
            Phrase(r"D(?P<n>\d)", defender=(Pays.EITHER, "n", 0)),
            Phrase(r"(?P<a>\d)/(?P<d>\d)", (Pays.STEPS, "a", 0), (Pays.STEPS, "d", 0), first),
            Phrase(nothing),
        )
    )


# --- who fights ------------------------------------------------------------------------------------------


class Opening(Declaration[B, P]):
    """Values: `battle` and `side` are the types a game remembers battles and their sides by."""

    battle: type[B]
    side: type[P]

    def declared(self, case: AnyCase, event: Attacked) -> B:
        """With those who stand in the attacked hexes; the rest there are guests."""
        field: Any = self.field(case)
        attackers, targets = case.units(event.units), tuple(field.ids(event.targets))
        side = attackers[0].side if attackers else case.game.sides[0].id
        there = [unit for hex_id in targets for unit in field.units(hex_id, field.opponent(side))]
        defenders, guests = residents([] if event.overrun else self.battles(case), there)
        parties = self.party(case, side, attackers), self.party(case, field.opponent(side), defenders, guests)
        return self.battle.declared(event, *parties, targets)

    def party(self, case: AnyCase, side: str, units: Sequence[Unit], guests: tuple[str, ...] = ()) -> P:
        """Units without movement points cannot retreat, but along railways."""
        fixed = (unit.id for unit in lacking(units, "rail-only") if printed(unit, "movement") == 0)
        steps = {unit.id: steps_left(case, unit) for unit in units}
        return self.side(side, steps, self.field(case).where(units), frozenset(fixed), guests)


# --- how strong ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Halving:
    """Out of Supply halves both factors, Lack of Supply the attack."""

    out: Change
    lack: Change

    def fighter(self, case: AnyCase, unit: Unit, factor: str) -> Fighter | None:
        """None for an army without a strength chit."""
        value = printed_or_drawn(case, unit, factor)
        return None if value is None else Fighter(unit.id, Fraction(value), self._changes(unit, factor))

    def forces(
        self, case: AnyCase, battle: Battle[Any], left_out: Collection[str]
    ) -> tuple[tuple[Fighter, ...], tuple[Fighter, ...]] | None:
        """Attack and defense, without attackers that are left out (all, if that leaves nobody); None if a
        strength is not known, or nobody is there to fight."""
        attack = self._force(case, battle.attackers_but(left_out), ATTACK)
        defense = self._force(case, battle.defender.steps, DEFENSE)
        return (attack, defense) if attack and defense else None

    def _force(self, case: AnyCase, names: Iterable[str], factor: str) -> tuple[Fighter, ...]:
        """Nothing if the strength of one is not known."""
        fighters = [self.fighter(case, unit, factor) for unit in case.units(names)]
        return () if None in fighters else tuple(filter(None, fighters))

    def _changes(self, unit: Unit, factor: str) -> tuple[Change, ...]:
        if out_of_supply(unit):
            return (self.out,)
        return (self.lack,) if lack_of_supply(unit) and factor == ATTACK else ()


# --- what follows ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NextStep:
    """`rules` are those of what takes a unit's place, by side; replacements for a reason in `exchanges` have
    rules of their own."""

    rules: Mapping[str, str]
    exchanges: Collection[str]
    phases: Collection[str] | None = None  # None: any

    def enforce(self, book: Rulebook) -> None:
        book.rule(*dict.fromkeys(self.rules.values()))(book.before(Replaced, phases=self.phases)(self.judge))

    def judge(self, case: AnyCase, event: Replaced) -> Faults:
        """The weaker side, then one counter of the next type, then nothing."""
        if event.why in self.exchanges or len(event.old) != 1:
            return
        unit = case.unit(event.old[0])
        heir = str(unit.type.values.get("breaks-into", ""))
        named = unit.counter.values.get("star")
        types = [comer.type.id for comer in case.units(event.comers)]
        if types != [heir] or named not in (None, *event.comers) or event.spot != unit.spot:
            wanted = f"one counter of type {heir} in its hex" if heir else "nothing"
            text = f"{unit.id} gives way to {'+'.join(event.comers) or 'nothing'}; it is replaced by {wanted}"
            yield Fault(self.rules[unit.side], text, (unit.id,))


class ZoneAdvances(Advances[B, P]):
    """Values: `limits` says how far and where a unit advances, `keys` gives the rules of what is breached,
    `otherwise` that of the rest.
    """

    limits: Callable[[Any, Any, B, P, Unit], AdvanceRules]
    keys: Mapping[str, str] = {}
    otherwise = ""

    def rules_of(self, case: AnyCase, battle: B, party: P, unit: Unit) -> AdvanceRules:
        return type(self).limits(case, self.field(case), battle, party, unit)

    def is_next(self, battle: B, other: B) -> bool:
        """Only the die of the next battle ends the time to advance."""
        return other.rolled and super().is_next(battle, other)

    def rule_of(self, case: AnyCase, battle: B, party: P, breach: Breach, event: Moved) -> str:
        return self.keys.get(breach.key, self.otherwise)
