"""A battle is worked out: what goes into it before the die, the worksheet, what announced odds mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Self, TypeVar

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, distance
from validator.core.combat import CombatRules, Scale, Worksheet, prepare, resolve
from validator.core.odds import Shift, best_for_defender, parse_odds
from validator.core.results import Grammar, Modifier, Result, look_up, modified
from validator.core.strength import Change, Fighter, Force, Rounding, total
from validator.engine.case import AnyCase
from validator.model.position import Unit, having
from validator.procedures.battlebook import Battle

B = TypeVar("B", bound=Battle[Any])
ROUNDED_UP = Rounding()


@dataclass(frozen=True)
class Sum:
    """All that goes into a battle before the die; a mistake is a sum with one thing changed."""

    attack: tuple[Fighter, ...]
    defense: tuple[Fighter, ...]
    of_defense: tuple[Change, ...] = ()  # changes of the whole defense, as by rivers
    shifts: tuple[Shift, ...] = ()
    modifiers: tuple[Modifier, ...] = ()  # of the die
    rows: tuple[str, ...] = ()  # of odds, by the ground
    rounding: Rounding = ROUNDED_UP
    upward: bool = False  # the mistake of rounding odds in the attacker's favor

    def without(self, *keys: str) -> Self:
        """Without the shifts and modifiers of these keys."""
        shifts = tuple(shift for shift in self.shifts if shift.key not in keys)
        return replace(self, shifts=shifts, modifiers=tuple(m for m in self.modifiers if m.key not in keys))

    def shifted(self, key: str, columns: int, subject: str = "") -> Self:
        return replace(self, shifts=(*self.shifts, Shift(key, subject or key, columns)))

    def plus(self, modifier: Modifier) -> Self:
        return replace(self, modifiers=(*self.modifiers, modifier))

    def value(self, key: str) -> int:
        """What all shifts and modifiers of a key come to."""
        shifted = sum(shift.columns for shift in self.shifts if shift.key == key)
        return shifted + sum(modifier.value for modifier in self.modifiers if modifier.key == key)

    @property
    def keys(self) -> tuple[str, ...]:
        """Of all shifts and modifiers."""
        return (*(shift.key for shift in self.shifts), *(modifier.key for modifier in self.modifiers))

    @property
    def reduced(self) -> bool:
        """Whether the strength of some unit is changed."""
        return any(one.changes for one in (*self.attack, *self.defense))


S = TypeVar("S", bound=Sum)


class Odds(Generic[B, S]):
    """How a game works battles out.

    Values: `grammar` reads results, `table` is the id of the table of results, `low` and `high` are the ends
    between which a modified die is held.
    """

    grammar: Grammar
    table = "combat-results"
    low, high = 1, 6

    # --- what a game overrides ---

    def sum_of(self, case: AnyCase, battle: B, left_out: Collection[str] = ()) -> S | None:
        """What goes into a battle, without attackers that are left out (all, if that leaves nobody)."""
        raise NotImplementedError

    def scales(self, case: AnyCase, sum_: S) -> Sequence[Scale]:
        """The rows or ladder of odds; of several the one best for the defender is used."""
        raise NotImplementedError

    def forces(self, sum_: S) -> tuple[Force, Force]:
        attack = total(sum_.attack, sum_.rounding)
        return attack, total(sum_.defense, sum_.rounding, sum_.of_defense)

    def shifts(self, sum_: S) -> tuple[Shift, ...]:
        return sum_.shifts

    def unshifted(self, sum_: S) -> Sequence[S]:
        """The sum without some of its shifts: players may announce odds before these."""
        return (replace(sum_, shifts=()),)

    def offsets(self, sum_: S) -> set[int]:
        """Columns by which a result may differ from odds announced before shifts."""
        return {0, sum(shift.columns for shift in self.shifts(sum_))}

    def converted(self, case: AnyCase, battle: B, cell: str) -> tuple[str, str | None]:
        """A result as the defender's ground makes it, and the rule that changes it."""
        return cell, None

    # --- what they share ---

    def read(self, text: str) -> Result | None:
        """None if a text is none of the game's results."""
        return self.grammar.find(text)

    def rules(self, case: AnyCase) -> CombatRules:
        return CombatRules(case.game.table[self.table], self.grammar, self.low, self.high)

    def worksheet(self, case: AnyCase, sum_: S, die: int | None = None) -> Worksheet:
        attack, defense = self.forces(sum_)
        if sum_.upward:
            attack = replace(attack, value=_rounded_up(attack.value, defense.value))
        scales, rules = self.scales(case, sum_), self.rules(case)
        sheet = prepare(rules, attack, defense, scales, self.shifts(sum_), sum_.modifiers)
        return sheet if die is None else resolve(rules, sheet, die)

    def place(self, case: AnyCase, sum_: S) -> int:
        return self.worksheet(case, sum_).column.place

    def shows(self, case: AnyCase, sum_: S, place: int) -> bool:
        """Whether odds are those of a sum: the final ones, or those before shifts."""
        return place == self.place(case, sum_) or any(
            place == self.place(case, bare) for bare in self.unshifted(sum_)
        )

    def announced(self, case: AnyCase, sum_: S, text: str) -> int | None:
        """The place of announced odds; None if they are no odds."""
        try:
            odds = parse_odds(text)
        except FieldpostError:
            return None
        known = [place for scale in self.scales(case, sum_) if (place := scale.place(odds)) is not None]
        return min(known, default=None)

    def cell_at(self, case: AnyCase, sum_: S, place: int, die: int | None) -> str | None:
        """The result at a place by the modified die; None without a die, unless it is automatic."""
        column = best_for_defender(scale.at(place) for scale in self.scales(case, sum_))
        if column.automatic is not None or die is None:
            return column.automatic
        rules = self.rules(case)
        return look_up(rules.table, modified(die, sum_.modifiers, rules.low, rules.high), column.id)

    def cells(self, case: AnyCase, battle: B, sums: Iterable[S]) -> set[str]:
        """What sums come to with the die of a battle: as the table has it, and as the ground makes it."""
        found = {self.worksheet(case, sum_, battle.die).cell for sum_ in sums}
        return self.with_converted(case, battle, found)

    def with_converted(self, case: AnyCase, battle: B, cells: Iterable[str | None]) -> set[str]:
        known = {cell for cell in cells if cell is not None}
        return known | {self.converted(case, battle, cell)[0] for cell in known}

    def result(self, case: AnyCase, battle: B, cell: str | None) -> Result | None:
        """What a cell of the table comes to on the defender's ground."""
        return None if cell is None else self.read(self.converted(case, battle, cell)[0])


def _rounded_up(attack: Fraction, defense: Fraction) -> Fraction:
    """A strength that gives the next better odds where there was a remainder."""
    if attack >= defense:
        return attack if attack % defense == 0 else (attack // defense + 1) * defense
    times = defense // attack if attack else Fraction(1)
    return defense / times


def supporters(case: AnyCase, trait: str, targets: Sequence[Hex]) -> list[Unit]:
    """Units with a trait that have every target in their range: groups, guns."""
    return [unit for unit in having(case.position.on_map(), trait) if _in_range(unit, targets)]


def _in_range(unit: Unit, targets: Sequence[Hex]) -> bool:
    return all(distance(unit.hex, target) <= int(unit.type.values["support-range"]) for target in targets)
