"""Chapters 8.1 to 8.4, 13 and 14.1: a battle worked out, and which mistake a player's result fits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from validator.core.battle import all_across
from validator.core.combat import Worksheet
from validator.core.odds import Columns, Shift, odds_text
from validator.core.results import Modifier
from validator.core.strength import HALF, Change, Force, Per, Rounding, total
from validator.engine.rulebook import LAST
from validator.games.ftm.battles import SETTING
from validator.games.ftm.book import AXIS, FIGHTING, RULES, SNOW, SOVIET
from validator.games.ftm.c14_air import AIR, used_generals
from validator.games.ftm.field import ICE, field_of
from validator.games.ftm.state import Battle, Case, Party
from validator.model.events import Attacked, Drawn
from validator.model.findings import Verdict
from validator.model.position import Unit
from validator.procedures import strengthchits
from validator.procedures.battle import odds, result
from validator.procedures.battle.armies import ATTACK, Halving, results_in_steps_or_hexes
from validator.procedures.battle.mistakes import (
    Mistake,
    attackers_used_in_part,
    changes_forgotten,
    defenders_left_out,
    forgotten,
)
from validator.procedures.battle.odds import ROUNDED_UP, supporters

SUPPORT, GUN, GENERAL, WEATHER, TERRAIN = "offensive-support", "rail-gun", "general", "snow", "terrain"
MINOR, MAJOR = ("minor-river", ICE), ("major-river", "strait")
PLUS_TWO, DOUBLED = Change("ftm-8.4.1", "minor river", plus=2), Change("ftm-8.4.1", "major river", 2)
GRAMMAR = results_in_steps_or_hexes("attacker", r"-|none|no effect")
TOGETHER = Rounding(per=Per.GROUP)
HALVED = Change("ftm-9.5", "lack or out of supply", HALF)


# --- strengths (8.1, 9.5) --------------------------------------------------------------------------


HALVING = Halving(out=HALVED, lack=HALVED)


def attack_zero(case: Case, unit: Unit) -> bool:
    """8.3.8; a unit whose strength is not drawn yet may attack."""
    return strengthchits.printed_or_drawn(case, unit, ATTACK) == 0


@dataclass(frozen=True)
class Sum(odds.Sum):
    overrun: bool = False
    halving_defense: Rounding = ROUNDED_UP  # each defender or the stack, by the option


class Odds(odds.Odds[Battle, Sum]):
    grammar, high = GRAMMAR, 9

    def sum_of(self, case: Case, battle: Battle, left_out: Collection[str] = ()) -> Sum | None:
        forces = HALVING.forces(case, battle, left_out)
        if forces is None:
            return None
        return Sum(
            *forces,
            tuple(_rivers(case, battle)),
            tuple(_shifts(case, battle)),
            tuple(_modifiers(case, battle)),
            overrun=battle.overrun,
            halving_defense=TOGETHER if case.option("out-defense") == "stack" else ROUNDED_UP,
        )

    def forces(self, sum_: Sum) -> tuple[Force, Force]:
        defense = total(sum_.defense, sum_.halving_defense, sum_.of_defense)
        return total(sum_.attack, sum_.rounding), defense

    def scales(self, case: Case, sum_: Sum) -> Sequence[Columns]:
        ids = case.game.table[self.table].columns
        return (Columns.from_cells(ids, ids),)

    def worksheet(self, case: Case, sum_: Sum, die: int | None = None) -> Worksheet:
        """7.1: an overrun below 1:3 is A2 without a die, whatever the shifts."""
        sheet = super().worksheet(case, sum_, die)
        if not sum_.overrun or sheet.attack.value * 3 >= sheet.defense.value:
            return sheet
        label = odds_text(sheet.attack.value, sheet.defense.value)
        column = replace(sheet.column, automatic=TOO_WEAK, label=label)
        return replace(sheet, column=column, cell=TOO_WEAK, result=self.read(TOO_WEAK))


ODDS = Odds()
TOO_WEAK = "A2"


def sum_of(case: Case, battle: Battle) -> Sum | None:
    return ODDS.sum_of(case, battle, battle.attacker.doubtful)


def automatic(case: Case, battle: Battle, sum_: Sum) -> str | None:
    return ODDS.worksheet(case, sum_).column.automatic


@RULES.track(Attacked, when=LAST, overrun=True)
@RULES.track(Drawn, when=LAST, phases=FIGHTING)
def note_an_overrun_that_is_too_weak(case: Case, event: Attacked | Drawn) -> None:
    """Its A2 needs neither a die nor a name (7.1); known once every army has its chit."""
    battle = case.in_phase.battles[-1] if case.in_phase.battles else None
    if battle is not None and battle.overrun and not (battle.rolled or battle.attacker.doubtful):
        sum_ = ODDS.sum_of(case, battle)
        cell = automatic(case, battle, sum_) if sum_ is not None else None
        battle.automatic = ODDS.read(cell) if cell is not None else None


def _rivers(case: Case, battle: Battle) -> Iterator[Change]:
    """8.4.1: only if every attacker comes across a river; a major one doubles."""
    board, stood = field_of(case).board, list(battle.attacker.stood.values())
    if all_across(board, stood, battle.targets, (*MINOR, *MAJOR)):
        pairs = [(a, t) for a in stood for t in battle.targets if board.are_adjacent(a, t)]
        major = any(set(board.side_of(a, t)) & set(MAJOR) for a, t in pairs)
        yield DOUBLED if major else PLUS_TWO


def _shifts(case: Case, battle: Battle) -> Iterator[Shift]:
    """Terrain to the left (8.4), an air unit two to the right (14.1)."""
    left = max((terrain_shift(case, h) for h in battle.targets), default=0)
    if left:
        yield Shift(TERRAIN, "terrain", -left)
    if AIR in battle.support:
        yield Shift(AIR, "air support", 2)


def terrain_shift(case: Case, hex_id: int) -> int:
    board, table = field_of(case).board, case.game.table["terrain-effects"]
    row = "city" if board.has_place(hex_id, "city") else board.terrain[hex_id]
    column = "combat-snow" if case.season == SNOW else "combat"
    cell = table.cell(row, column)
    return int(cell[:-1]) if cell.endswith("L") else 0


def _modifiers(case: Case, battle: Battle) -> Iterator[Modifier]:
    side = battle.attacker.side
    targets = [field_of(case).board.hexes[h] for h in battle.targets]
    number = len(supporters(case, "offensive-support", targets)) if side == SOVIET else 0
    if number:
        each = case.option("support-sum") == "each"
        yield Modifier(SUPPORT, "offensive support", 3 * (number if each else 1))
    if GUN in battle.support:
        yield Modifier(GUN, "railroad gun", 4)
    if case.season == SNOW:
        yield Modifier(WEATHER, "snow", 1 if side == SOVIET else -1)
    if GENERAL in battle.support:
        yield from with_generals(case, case.units(battle.attacker.steps))


def with_generals(case: Case, units: Iterable[Unit]) -> Iterator[Modifier]:
    """The generals with some units who were not used when the phase began."""
    for unit in units:
        used = set(used_generals(case, case.phase_start.units[unit.id].marks.items()))
        for name in generals_of(case, unit):
            if name not in used:
                yield Modifier(GENERAL, "general", 1)


def generals_of(case: Case, unit: Unit) -> Iterator[str]:
    return (name for name in unit.marks if case.game.marker[name].kind == GENERAL)


# --- which mistake it was ---------------------------------------------------------------------------


def mistakes(case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
    """Sums with one thing wrong, each with the rule that it breaks, the likeliest first."""
    yield from _of_die(battle, sum_)
    if any(any(generals_of(case, unit)) for unit in case.units(battle.attacker.steps)):
        yield "ftm-8.2.1", sum_.plus(Modifier(GENERAL, GENERAL, 1))
    yield from _of_shifts(battle, sum_)
    yield from changes_forgotten(sum_)
    for ground in ((), (PLUS_TWO,), (DOUBLED,)):
        yield "ftm-8.4.1", replace(sum_, of_defense=ground)
    yield "ftm-8.1a", replace(sum_, upward=True)
    yield from (("ftm-8.3.3", some) for _, some in defenders_left_out(sum_))
    yield from (("ftm-8.3.5", part) for part in attackers_used_in_part(sum_))


def _of_die(battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
    yield from forgotten(sum_, {SUPPORT: "ftm-13.0"})
    if sum_.value(SUPPORT):
        yield "ftm-13.0", sum_.without(SUPPORT).plus(Modifier(SUPPORT, SUPPORT, 6))
    elif battle.attacker.side == SOVIET:
        yield "ftm-13.0", sum_.plus(Modifier(SUPPORT, SUPPORT, 3))
    yield from forgotten(sum_, {modifier.key: "ftm-8.2.1" for modifier in sum_.modifiers})


def _of_shifts(battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
    yield from forgotten(sum_, {AIR: "ftm-14.1a"})
    if sum_.value(AIR):
        yield "ftm-14.1a", sum_.without(AIR).shifted(AIR, 1)
    for left in range(4):
        yield "ftm-8.4a", sum_.without(TERRAIN).shifted(TERRAIN, -left)
    if battle.attacker.side == AXIS and not sum_.value(AIR):
        yield "ftm-14.1a", sum_.shifted(AIR, 2)


class Results(result.Results[Battle, Party, Sum]):
    undeclared, needless = "ftm-8.0", "ftm-7.1b"
    second = twice = misrolled = missing = misread = "ftm-8.1d"
    needless_verdict = Verdict.ILLEGAL
    odds_text = "odds of {} were announced, the column is {}"

    def other_sums(self, case: Case, battle: Battle, sum_: Sum) -> list[Sum]:
        """With a general whom nobody named: his counter is turned over, before the die or after it."""
        generals = [] if sum_.value(GENERAL) else [*with_generals(case, case.units(battle.attacker.steps))]
        return [replace(sum_, modifiers=(*sum_.modifiers, *generals))] if generals else []

    def mistakes(self, case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
        return mistakes(case, battle, sum_)

    def rule_of_odds(self, sum_: Sum) -> str:
        return "ftm-8.1d"


RULES_OF_SUMS = (
    "ftm-8.1a",
    "ftm-8.2.1",
    "ftm-8.3.3",
    "ftm-8.3.5",
    "ftm-8.4a",
    "ftm-8.4.1",
    "ftm-9.5",
    "ftm-13.0",
    "ftm-14.1a",
    "ftm-7.1b",
    "ftm-8.1d",
)
Results(SETTING, ODDS).enforce(odds=["ftm-8.0", *RULES_OF_SUMS], results=RULES_OF_SUMS)
