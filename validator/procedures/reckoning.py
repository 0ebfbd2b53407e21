"""A battle worked out, from strengths to result, and which mistake a player's own reckoning fits.

A game states its `Reckoning`; `register` gives its rulebook the judges of announced odds, dice and named
results, and the reducers that keep them in the battles of the phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from fieldpost.errors import FieldpostError
from validator.core import explain as say
from validator.core.combat import CombatRules, Worksheet, prepare, resolve
from validator.core.odds import Columns, Shift, parse_odds
from validator.core.results import Grammar, Modifier, Result
from validator.core.strength import Change, Fighter, Rounding, total
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import ResultNamed, Rolled
from validator.model.findings import Fault, Verdict
from validator.procedures.battlebook import Battle, numbered

ROUNDED_UP = Rounding()
FIGHT = ("combat", "overrun", "")


@dataclass(frozen=True)
class Sum:
    """All that goes into a battle before the die; a mistake is a sum with one thing changed."""

    attack: tuple[Fighter, ...]
    defense: tuple[Fighter, ...]
    ground: tuple[Change, ...] = ()  # of the whole defense: rivers
    shifts: tuple[Shift, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    upward: bool = False  # the mistake of rounding odds in the attacker's favour

    def without_modifier(self, key: str) -> Sum:
        return replace(self, modifiers=tuple(m for m in self.modifiers if m.key != key))

    def without_shift(self, key: str) -> Sum:
        return replace(self, shifts=tuple(s for s in self.shifts if s.key != key))

    def value(self, key: str) -> int:
        return sum(m.value for m in self.modifiers if m.key == key)

    def columns(self, key: str) -> int:
        return sum(s.columns for s in self.shifts if s.key == key)


Mistake = tuple[str, Sum]
"""A rule, and the sum as it would be without it."""


@dataclass(frozen=True)
class Reckoning:
    """How battles of a game are reckoned. Rules it names: `odds`, the ratio; `die`, one die and its result;
    `undeclared`, a combat die without an attack. `others` are what its mistakes may break."""

    field_of: Callable[[Any], Any]
    table: str
    grammar: Grammar
    low: int
    high: int
    sum_of: Callable[[Any, Any], Sum | None]
    mistakes: Callable[[Any, Any, Sum], Iterable[Mistake]]  # the likeliest first; of odds and of the die
    automatic: Callable[[Any, Any, Sum], str | None]  # a result without a die
    odds: str
    die: str
    undeclared: str
    no_die: str
    others: tuple[str, ...] = ()
    doubts: dict[str, Verdict] = field(default_factory=dict)


def rules_of(of: Reckoning, case: AnyCase) -> CombatRules:
    return CombatRules(case.game.table[of.table], of.grammar, of.low, of.high)


def columns(of: Reckoning, case: AnyCase) -> Columns:
    ids = case.game.table[of.table].columns
    return Columns.from_cells(ids, ids)


def worksheet(of: Reckoning, case: AnyCase, sum_: Sum, die: int | None = None) -> Worksheet:
    attack, defense = total(sum_.attack, ROUNDED_UP), total(sum_.defense, ROUNDED_UP, sum_.ground)
    if sum_.upward:
        attack = replace(attack, value=attack.value + defense.value - 1)
    sheet = prepare(rules_of(of, case), attack, defense, [columns(of, case)], sum_.shifts, sum_.modifiers)
    return sheet if die is None else resolve(rules_of(of, case), sheet, die)


def ratio(sum_: Sum) -> Fraction | None:
    """Attack to defense as they are, without shifts; None without a defense."""
    attack, defense = total(sum_.attack, ROUNDED_UP), total(sum_.defense, ROUNDED_UP, sum_.ground)
    return attack.value / defense.value if defense.value else None


def cell_at(of: Reckoning, case: AnyCase, index: int, sum_: Sum, die: int) -> str:
    """The result in some column, by its place, with the die as it is modified."""
    table = case.game.table[of.table]
    final = min(max(die + sum(m.value for m in sum_.modifiers), of.low), of.high)
    return table.cell(str(final), table.columns[min(max(index, 0), len(table.columns) - 1)])


def read(of: Reckoning, text: str) -> Result | None:
    return next((found for phrase in of.grammar.phrases if (found := phrase.read(text))), None)


def same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one.strip().upper() == other.strip().upper()


def column_named(of: Reckoning, case: AnyCase, announced: str | None) -> int | None:
    """The column that announced odds mean: the last one not above them. None if they are no odds."""
    try:
        odds = parse_odds(announced or "")
    except FieldpostError:
        return None
    return columns(of, case).find(odds, Fraction(1)).index


# --- mistakes that every game knows --------------------------------------------------------------------


def unhalved(fighters: Sequence[Fighter]) -> Iterator[tuple[str, tuple[Fighter, ...]]]:
    """One unit counted whole that is halved: the key of its change is the rule."""
    for i, one in enumerate(fighters):
        if one.changes:
            yield one.changes[0].key, (*fighters[:i], replace(one, changes=()), *fighters[i + 1 :])


def left_out(fighters: Sequence[Fighter]) -> Iterator[tuple[Fighter, ...]]:
    """One unit not counted."""
    for i in range(len(fighters) if len(fighters) > 1 else 0):
        yield (*fighters[:i], *fighters[i + 1 :])


def in_part(fighters: Sequence[Fighter]) -> Iterator[tuple[Fighter, ...]]:
    """One unit counted with a part of its strength."""
    for i, one in enumerate(fighters):
        for less in range(1, int(one.printed)):
            yield (*fighters[:i], replace(one, printed=less), *fighters[i + 1 :])


# --- odds and die ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reckoned:
    """A battle worked out when its die falls; `named` is the column of the odds that were announced."""

    sum: Sum
    sheet: Worksheet
    named: int | None
    misnamed: bool


def waiting(case: AnyCase, event: Rolled) -> Battle[Any] | None:
    """The battle that a combat die is for."""
    known: list[Battle[Any]] = case.in_phase.battles
    return numbered(known, event.battle) if event.reason in FIGHT else None


def register(rules: Rulebook, of: Reckoning) -> None:
    def reckoned(case: AnyCase, event: Rolled, battle: Battle[Any]) -> Reckoned | None:
        return case.about("reckoned", lambda: _reckon(of, case, battle, _die(event)))

    @rules.rule(of.odds, of.die, of.undeclared, of.no_die, *of.others)
    @rules.before(Rolled)
    def the_announced_column_is_right(case: AnyCase, event: Rolled) -> Faults:
        """The odds are reckoned when the die falls: strength chits are drawn after the declaration."""
        battle = waiting(case, event)
        if battle is None and event.reason in FIGHT[:2]:
            text = "a combat die without a declared attack"
            yield Fault(of.undeclared, text, verdict=Verdict.WARNING)
        if battle is None:
            return
        units = tuple(battle.attacker.steps)
        if battle.rolled:
            yield Fault(of.die, f"a second die for battle {battle.number}", units)
            return
        if _die(event) is None:
            yield Fault(of.die, "one six-sided die decides a battle", units)
        found = reckoned(case, event, battle)
        if found is None:
            case.not_checked("a battle whose strengths are not known")
        elif of.automatic(case, battle, found.sum):
            yield Fault(of.no_die, "a die for odds below 1:3, whose result stands without one", units)
        elif _doubtful(battle):
            case.not_checked("the odds of an attack that should not have been made so")
        elif found.misnamed:
            yield _column_fault(of, case, battle, found)

    @rules.track(Rolled, when=JUDGED)
    def note_the_die(case: AnyCase, event: Rolled) -> None:
        battle = waiting(case, event)
        if battle is None or battle.rolled:
            return
        battle.die = _die(event)
        found = reckoned(case, event, battle)
        if found is None:
            return
        battle.sum, battle.sheet, battle.result = found.sum, found.sheet, found.sheet.result
        if found.misnamed and found.named is not None and battle.die is not None:
            battle.accused.add("column")
            battle.else_ = battle.result
            battle.result = read(of, cell_at(of, case, found.named, found.sum, battle.die))

    @rules.rule(of.die, of.no_die, *of.others)
    @rules.before(ResultNamed)
    def the_named_result_is_right(case: AnyCase, event: ResultNamed) -> Faults:
        known: list[Battle[Any]] = case.in_phase.battles
        battle = numbered(known, event.battle)
        if battle is None or read(of, event.result) is None or battle.named is not None:
            return
        if battle.die is None:
            yield from _without_a_die(of, case, battle, event.result)
        elif battle.sheet is not None and _misnamed(of, case, battle, event.result):
            rule = _mistake(of, case, battle, event.result)
            text = f"{event.result} was named, the worksheet gives {battle.sheet.cell}"
            yield _battle_fault(of, case, battle, rule, text, battle.sheet)

    @rules.track(ResultNamed, when=JUDGED)
    def note_the_result(case: AnyCase, event: ResultNamed) -> None:
        known: list[Battle[Any]] = case.in_phase.battles
        battle, result = numbered(known, event.battle), read(of, event.result)
        if battle is None or result is None:
            return
        if _doubtful(battle):
            battle.else_ = battle.result
        elif (
            battle.die is not None and battle.sheet is not None and _misnamed(of, case, battle, event.result)
        ):
            battle.else_ = battle.sheet.result
        battle.named, battle.result = event.result, result


def _die(event: Rolled) -> int | None:
    return event.values[0] if len(event.values) == 1 and event.sides == 6 else None


def _doubtful(battle: Battle[Any]) -> bool:
    return bool(battle.attacker.doubtful or battle.defender.doubtful)


def _reckon(of: Reckoning, case: AnyCase, battle: Battle[Any], die: int | None) -> Reckoned | None:
    sum_ = of.sum_of(case, battle)
    if sum_ is None:
        return None
    sheet = worksheet(of, case, sum_, die)
    named = column_named(of, case, battle.announced)
    plain = worksheet(of, case, replace(sum_, shifts=())).column.index
    sound = die is not None and not _doubtful(battle)
    right: tuple[int | None, ...] = (None, sheet.column.index, plain)
    return Reckoned(sum_, sheet, named, sound and named not in right)


def _without_a_die(of: Reckoning, case: AnyCase, battle: Battle[Any], named: str) -> Iterator[Fault]:
    """A result that stands without a die, or does not."""
    sum_ = of.sum_of(case, battle)
    stands = None if sum_ is None else of.automatic(case, battle, sum_)
    if stands is not None and not same(stands, named):
        yield Fault(of.no_die, f"{named} was named; the odds give {stands}", tuple(battle.attacker.steps))


def _column_fault(of: Reckoning, case: AnyCase, battle: Battle[Any], found: Reckoned) -> Fault:
    def fits(wrong: Sum) -> bool:
        plain = replace(wrong, shifts=())
        return found.named in [worksheet(of, case, w).column.index for w in (wrong, plain)]

    rules = (rule for rule, wrong in of.mistakes(case, battle, found.sum) if fits(wrong))
    text = f"odds of {battle.announced} were announced, the column is {found.sheet.column.label}"
    return _battle_fault(of, case, battle, next(rules, of.odds), text, found.sheet)


def _battle_fault(
    of: Reckoning, case: AnyCase, battle: Battle[Any], rule: str, text: str, sheet: Worksheet
) -> Fault:
    field_now = of.field_of(case)
    steps = say.worksheet_text(field_now.ground.wording, sheet).split("\n")
    hexes = tuple(field_now.board.hexes[h] for h in battle.targets)
    verdict = of.doubts.get(rule, Verdict.ILLEGAL)
    return Fault(rule, text, tuple(battle.attacker.steps), hexes, {"steps": steps}, verdict)


def _misnamed(of: Reckoning, case: AnyCase, battle: Battle[Any], named: str) -> bool:
    """Whether a result differs from what the sound reckoning of a battle allows, and what follows from odds
    that were called wrong already."""
    if _doubtful(battle) or battle.sum is None or battle.die is None or battle.named is not None:
        return False
    cells = [worksheet(of, case, battle.sum, battle.die).cell]
    if "column" in battle.accused:
        at = column_named(of, case, battle.announced) or 0
        shifts = {0, sum(s.columns for s in battle.sum.shifts)}
        cells += [cell_at(of, case, at + shift, battle.sum, battle.die) for shift in shifts]
    return not any(same(named, cell) for cell in cells)


def _mistake(of: Reckoning, case: AnyCase, battle: Battle[Any], named: str) -> str:
    """The rule whose breach would give the named result."""
    fits = (
        rule
        for rule, wrong in of.mistakes(case, battle, battle.sum)
        if same(worksheet(of, case, wrong, battle.die).cell, named)
    )
    return next(fits, of.die)
