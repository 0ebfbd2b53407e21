"""A battle worked out: strengths, what the ground does, the column."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Literal

from fieldpost.definition import effects
from fieldpost.definition.model import Game, PlateEffect, Table
from fieldpost.definition.rulesmodel import CombatRules
from fieldpost.hexes import Hex
from validator.core.battle import all_across, sides_across
from validator.core.board import HexId
from validator.core.combat import Scale
from validator.core.odds import Columns, Ladder, Shift
from validator.core.results import Modifier
from validator.core.strength import Change, Fighter, Round, Rounding
from validator.procedures.battle import odds
from validator.procedures.battle.odds import Sum
from validator.standard.book import rules_of
from validator.standard.field import Field, factor, field_of
from validator.standard.outcome import grammar_of
from validator.standard.state import Battle, Case
from validator.standard.supply import left_to

EXACT = Rounding(Round.NONE)
UNSUPPLIED, PLUS = "out of supply", "support"
MOST = "no more than this"
PLATE = "combat: what guns, aircraft and halved attackers of the battle plate add"
DIFFERENT_GROUND = "combat: an attack on several hexes of different ground"
NO_STRENGTH = "combat: a counter that shows no strength"


class Odds(odds.Odds[Battle, Sum]):
    """By the table of results, with what the battle plate of the module says of it."""

    def __init__(self, game: Game, told: CombatRules, table: Table) -> None:
        self.told, self.plate, self.grammar = told, effects.plate_of(game), grammar_of(game)
        self.table, self.columns = table.id, table.columns
        self.rows = game.table.get(self.plate.rows or "")  # of odds, for each kind of ground
        dice = [int(row.id) for row in table.rows]
        self.low, self.high = min(dice), max(dice)

    def sum_of(self, case: Case, battle: Battle, left_out: Collection[str] = ()) -> Sum | None:
        """None for what cannot be worked out; why is named in the report."""
        field = field_of(case)
        attack = self._fighters(case, battle.attackers_but(left_out), "attack")
        defense = self._fighters(case, battle.defender.steps, "defense")
        grounds = {tuple(self._applying(case, field, battle, target)) for target in battle.targets}
        unclear = (
            (DIFFERENT_GROUND, len(grounds) > 1),
            (NO_STRENGTH, None in (attack, defense)),
            (PLATE, any((self.plate.support, self.plate.close_support, self.plate.halved))),
        )
        reasons = [reason for reason, holds in unclear if holds]
        for reason in reasons:
            case.not_checked(reason)
        if reasons or not attack or not defense or not self.is_told(case, battle):
            return None
        applying = grounds.pop()
        shifts = [Shift(effect.text, effect.text, effect.columns) for effect in applying if effect.columns]
        shifts += self._supporting(case, battle)
        modifiers = [Modifier(effect.text, effect.text, effect.die) for effect in applying if effect.die]
        modifiers += self._held(modifiers)
        changes, row = tuple(_changes(defense, applying)), self._row_of(field, battle.targets[0])
        return Sum(attack, defense, changes, tuple(shifts), tuple(modifiers), row, EXACT)

    def is_told(self, case: Case, battle: Battle) -> bool:
        """Whether the rules tell of all that an attack is made with."""
        return not (battle.overrun or untold_support(case, battle.support))

    def _supporting(self, case: Case, battle: Battle) -> Iterator[Shift]:
        for name in battle.support:
            words = self.told.support.keys() & words_of(case, name)
            yield from (Shift(name, name, self.told.support[word]) for word in sorted(words))

    def _held(self, modifiers: Sequence[Modifier]) -> list[Modifier]:
        """All effects on the die together count for no more than the game says."""
        most, sum_ = self.plate.most_die, sum(modifier.value for modifier in modifiers)
        if most is None or abs(sum_) <= most:
            return []
        return [Modifier(MOST, MOST, (most if sum_ > 0 else -most) - sum_)]

    # --- the column -----------------------------------------------------------------------------------

    def scales(self, case: Case, sum_: Sum) -> Sequence[Scale]:
        if self._ladder is not None:
            return [self._ladder]
        cells = self.columns if self.rows is None else tuple(self.rows.row(sum_.rows[0]).values())
        columns = Columns.from_cells(cells, self.columns)
        return [replace(columns, below=self.plate.below, above=self.plate.above)]

    @cached_property
    def _ladder(self) -> Ladder | None:
        """Whole odds, where the game counts them and its table has them without a gap."""
        ladder = Ladder(self.columns[0], self.columns[-1], self.plate.below, self.plate.above)
        counts = self.plate.round_down and self.rows is None
        return ladder if counts and ladder.columns == self.columns else None

    def _row_of(self, field: Field, target: HexId) -> tuple[str, ...]:
        """By the ground of the attacked hex: the last row of a place in it, or that of the terrain."""
        ids = [row.id for row in self.rows.rows] if self.rows else []
        *places, terrain = field.kinds_at(target)
        fitting = sorted((row for row in ids if row in (terrain, *places)), key=places.__contains__)
        return tuple([*ids[:1], *fitting][-1:])

    # --- strengths ------------------------------------------------------------------------------------

    def _fighters(
        self, case: Case, names: Iterable[str], purpose: Literal["attack", "defense"]
    ) -> tuple[Fighter, ...] | None:
        """None where a counter shows another thing than a number; one without the factor has none."""
        printed: str = getattr(self.told, purpose)
        shown = [(unit, factor(unit, printed)) for unit in case.units(names)]
        if any(number is None and printed in unit.type.factors for unit, number in shown):
            return None
        return tuple(
            Fighter(unit.id, number or 0, _weakened(getattr(left_to(case, unit), purpose)))
            for unit, number in shown
        )

    # --- what the ground does -------------------------------------------------------------------------

    def _applying(self, case: Case, field: Field, battle: Battle, target: HexId) -> Iterator[PlateEffect]:
        """As the battle plate of the module works it out."""
        for effect in self.plate.effects:
            if all(_conditions(case, field, battle, target, effect)):
                yield effect


def words_of(case: Case, name: str) -> set[str]:
    """What support is called: a word, or a counter with its traits."""
    counter = case.position.units.get(name)
    return {name, *(counter.traits if counter else ())}


def untold_support(case: Case, support: Iterable[str]) -> list[str]:
    """Support that neither the rules nor the battle plate tell of."""
    told, plate = rules_of(case.game).combat or CombatRules(), effects.plate_of(case.game)
    known = {*told.support, *(effect.supported for effect in plate.effects)}
    return [name for name in support if known.isdisjoint(words_of(case, name))]


def _lies(case: Case, effect: PlateEffect, hex_: Hex) -> bool:
    """Whether the marker of an effect lies in a hex, with the face that counts."""
    face = case.position.marks.get(hex_, {}).get(effect.marker or "")
    return face is not None and effect.face in (None, face)


def _weakened(share: Fraction) -> tuple[Change, ...]:
    return (Change(UNSUPPLIED, times=share),) if share != 1 else ()


def _changes(defense: Sequence[Fighter], applying: Sequence[PlateEffect]) -> Iterator[Change]:
    """What is added doubles a defense at most; multipliers count for it, too."""
    yield from (Change(effect.text, times=effect.times) for effect in applying if effect.times != 1)
    plus = min(sum(fighter.printed for fighter in defense), sum(effect.plus for effect in applying))
    if plus:
        yield Change(PLUS, plus=plus * prod(effect.times for effect in applying))


def _conditions(
    case: Case, field: Field, battle: Battle, target: HexId, effect: PlateEffect
) -> Iterator[bool]:
    board, stood = field.board, list(battle.attacker.stood.values())
    *places, terrain = field.kinds_at(target)
    crossed = frozenset[str]().union(*(sides_across(board, start, [target]) for start in stood))
    areas = (area.kind for area in case.game.map.areas if board.hexes[target] in area.hexes)
    yield _one_of(effect.terrain, [terrain])
    yield _one_of(effect.places, places)
    yield set(effect.without).isdisjoint(places)
    yield _one_of(effect.turns, [case.turn])
    yield effect.overrun in (None, battle.overrun)
    yield effect.attacker in (None, battle.attacker.side)
    yield not effect.across or all_across(board, stood, [target], effect.across)
    yield _one_of(effect.some_across, crossed)
    yield crossed.isdisjoint(effect.none_across)
    yield _one_of(effect.areas, areas)
    yield effect.marker is None or _lies(case, effect, board.hexes[target])
    yield effect.supported is None or any(effect.supported in words_of(case, s) for s in battle.support)
    yield effect.near is None or any(
        board.distance(hex_id, target) <= effect.within
        for hex_id, _ in field.of_side(battle.attacker.side, effect.near)
    )


def _one_of(wanted: Collection[object], there: Iterable[object]) -> bool:
    """Whether something wanted is there, if anything is."""
    return not wanted or not set(wanted).isdisjoint(there)
