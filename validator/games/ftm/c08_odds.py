"""Chapters 8.1 to 8.4, 13 and 14.1: a battle worked out, and which mistake a player's result fits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from fieldpost.hexes import Hex
from validator.core.battle import all_across
from validator.core.combat import Worksheet
from validator.core.odds import Columns, Shift, odds_text
from validator.core.results import Modifier, Result
from validator.core.strength import HALF, Change, Fighter, Force, Per, Rounding, total
from validator.engine.rulebook import LAST, Faults
from validator.games.ftm.battles import SETTING
from validator.games.ftm.book import AXIS, FIGHTING, RULES, SNOW, SOVIET
from validator.games.ftm.c14_air import AIR, is_mixed, used_generals
from validator.games.ftm.field import ICE, field_of
from validator.games.ftm.state import Battle, Case, Party
from validator.model.events import Attacked, Drawn
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, any_has
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
from validator.procedures.battle.odds import supporters
from validator.procedures.printedvalues import die_modifier

SUPPORT, GUN, GENERAL, WEATHER, TERRAIN = "offensive-support", "rail-gun", "general", "snow", "terrain"
MINOR, MAJOR = ("minor-river", ICE), ("major-river", "strait")
PLUS_TWO, DOUBLED = Change("ftm-8.4.1", "minor river", plus=2), Change("ftm-8.4.1", "major river", 2)
GRAMMAR = results_in_steps_or_hexes("attacker", r"-|none|no effect")
# 8.4.1 doubles the total of what 9.5 has halved and rounded.
EACH, TOGETHER = Rounding(total_last=True), Rounding(per=Per.GROUP, total_last=True)
HALVED = Change("ftm-9.5", "lack or out of supply", HALF)


# --- strengths (8.1, 9.5) --------------------------------------------------------------------------


HALVING = Halving(out=HALVED, lack=HALVED)


def attack_zero(case: Case, unit: Unit) -> bool:
    """8.3.8; a unit whose strength is not drawn yet may attack."""
    return strengthchits.printed_or_drawn(case, unit, ATTACK) == 0


@dataclass(frozen=True)
class Sum(odds.Sum):
    overrun: bool = False
    halving_defense: Rounding = EACH  # each defender or the stack, by the option


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
            halving_defense=TOGETHER if case.option("out-defense") == "stack" else EACH,
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
        value = printed_modifier(case, SUPPORT, 3)
        yield Modifier(SUPPORT, "offensive support", value * (number if each else 1))
    if GUN in battle.support:
        yield Modifier(GUN, "railroad gun", printed_modifier(case, "railroad-gun", 4))
    if case.season == SNOW:
        key, usual = ("snow-soviet", 1) if side == SOVIET else ("snow-axis", -1)
        yield Modifier(WEATHER, "snow", printed_modifier(case, key, usual))
    units = case.units(battle.attacker.steps)
    if GENERAL in battle.support or _turned_over_for(case, battle, units):
        yield from with_generals(case, units)


def printed_modifier(case: Case, key: str, otherwise: int) -> int:
    return die_modifier(case.game, ODDS.table, key, otherwise)


def general(case: Case) -> Modifier:
    """8.2.1"""
    return Modifier(GENERAL, GENERAL, printed_modifier(case, GENERAL, 1))


def with_generals(case: Case, units: Iterable[Unit]) -> Iterator[Modifier]:
    """The generals with some units who were not used when the phase began."""
    for unit in units:
        used = set(used_generals(case, case.phase_start.units[unit.id].marks.items()))
        for name in generals_of(case, unit):
            if name not in used:
                yield general(case)


def _turned_over_for(case: Case, battle: Battle, units: Iterable[Unit]) -> bool:
    """Whether a general was turned over in this phase, and not for an earlier attack of his army."""
    earlier = [
        b for b in case.in_phase.battles if b.number < battle.number and b.sum and b.sum.value(GENERAL)
    ]
    spent = {name for b in earlier for name in b.attacker.names}
    fresh = [unit for unit in units if unit.id not in spent]
    return any(_turned_over(case, unit) for unit in fresh)


def _turned_over(case: Case, unit: Unit) -> bool:
    before = set(used_generals(case, case.phase_start.units[unit.id].marks.items()))
    return bool(set(used_generals(case, unit.marks.items())) - before)


def generals_of(case: Case, unit: Unit) -> Iterator[str]:
    return (name for name in unit.marks if case.game.marker[name].kind == GENERAL)


# --- readings: what the log does not show, or the text leaves open ---------------------------------------

GENERAL_NOT_NAMED = (
    "the result counts a general who was not named; his counter is turned over with the attack"
)
SUPPORT_LEFT_OUT = (
    "the result leaves out the Offensive Support in range, which an overrun may use (7.2.3) and an attack "
    "must (13.0)"
)


@dataclass(frozen=True)
class Reading:
    """A sum, and the points in which it differs from the plain one."""

    sum: Sum
    points: frozenset[str] = frozenset()

    def but(self, point: str, sum_: Sum) -> Reading:
        return Reading(sum_, self.points | {point})


def readings(case: Case, battle: Battle, sum_: Sum) -> list[Reading]:
    """The sum as declared, then those that may be meant as well."""
    found = [Reading(sum_)]
    units = case.units(battle.attacker.steps)
    generals = [] if sum_.value(GENERAL) else [*with_generals(case, units)]
    if generals:
        found += [r.but(GENERAL, replace(r.sum, modifiers=(*r.sum.modifiers, *generals))) for r in found]
    if _may_leave_support_out(case, battle):
        found += [r.but(SUPPORT, r.sum.without(SUPPORT)) for r in found if r.sum.value(SUPPORT)]
    if AIR in battle.support and is_mixed(units) and case.option("mixed-air") == "judge":
        found += [r.but(AIR, r.sum.without(AIR)) for r in found]
    over = {unit.id for unit in panzers_over_kerch(case, units, field_of(case).hexes(battle.targets))}
    if over and over < set(battle.attacker.steps) and case.option("kerch-panzer") == "judge":
        found += [r.but(MAJOR[1], replace(r.sum, attack=_without(r.sum.attack, over))) for r in found]
    return found


def _may_leave_support_out(case: Case, battle: Battle) -> bool:
    """7.2.3 says that it may be used in an overrun, 13.0 that it is used in all attacks."""
    named = any(name == SUPPORT or name in case.position.units for name in battle.support)
    return battle.overrun and not named and case.option("overrun-support") != "must"


def _without(fighters: Iterable[Fighter], units: Collection[str]) -> tuple[Fighter, ...]:
    return tuple(fighter for fighter in fighters if fighter.unit not in units)


def panzers_over_kerch(case: Case, units: Iterable[Unit], targets: Sequence[Hex]) -> list[Unit]:
    """Panzer units that attack over the Kerch Strait (8.4.2)."""
    board = field_of(case).board
    strait = {board.hexes[board.ends(step)[0]] for step in board.members(board.steps_across("strait"))}
    return [unit for unit in units if unit.has("panzer") and {unit.spot, *targets} <= strait]


def _points_of(case: Case, battle: Battle, result: Result) -> frozenset[str]:
    """The points of the reading nearest to the plain one that a named result fits."""
    if battle.sum is None or battle.die is None or battle.attacker.doubtful or battle.accused:
        return frozenset()
    known = readings(case, battle, battle.sum)
    fitting = [r for r in known if result.text.upper() in ODDS.cells(case, battle, [r.sum])]
    best = min(fitting, key=lambda reading: len(reading.points), default=known[0])
    mute = {SUPPORT} if case.option("overrun-support") == "may" else set()
    return best.points - mute


# --- which mistake it was ---------------------------------------------------------------------------


def mistakes(case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
    """Sums with one thing wrong, each with the rule that it breaks, the likeliest first; only what is there
    to be mistaken: ground, rivers, support."""
    yield from _of_die(case, battle, sum_)
    if any(any(generals_of(case, unit)) for unit in case.units(battle.attacker.steps)):
        yield (
            "ftm-8.2.1",
            sum_.plus(general(case)),
        )
    yield from _of_shifts(case, battle, sum_)
    yield from changes_forgotten(sum_)
    for ground in ((), (PLUS_TWO,), (DOUBLED,)) if _near_a_river(case, battle) else ():
        yield "ftm-8.4.1", replace(sum_, of_defense=ground)
    yield "ftm-8.1a", replace(sum_, upward=True)
    yield from (("ftm-8.3.3", some) for _, some in defenders_left_out(sum_))
    yield from (("ftm-8.3.5", part) for part in attackers_used_in_part(sum_))


def _near_a_river(case: Case, battle: Battle) -> bool:
    """Whether any attacker comes over a river, alone or not."""
    board = field_of(case).board
    pairs = product(battle.attacker.stood.values(), battle.targets)
    sides = (board.side_of(a, t) for a, t in pairs if board.are_adjacent(a, t))
    return any(set(side) & {*MINOR, *MAJOR} for side in sides)


def _of_die(case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
    yield from forgotten(sum_, {SUPPORT: "ftm-13.0"})
    if sum_.value(SUPPORT):
        yield "ftm-13.0", sum_.without(SUPPORT).plus(Modifier(SUPPORT, SUPPORT, 2 * sum_.value(SUPPORT)))
    elif battle.attacker.side == SOVIET and any_has(case.position.on_map(SOVIET), SUPPORT):
        yield (
            "ftm-13.0",
            sum_.plus(Modifier(SUPPORT, SUPPORT, printed_modifier(case, SUPPORT, 3))),
        )
    yield from forgotten(sum_, {modifier.key: "ftm-8.2.1" for modifier in sum_.modifiers})


def _of_shifts(case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
    yield from forgotten(sum_, {AIR: "ftm-14.1a"})
    if sum_.value(AIR):
        yield "ftm-14.1a", sum_.without(AIR).shifted(AIR, 1)
    for left in range(4) if sum_.value(TERRAIN) else ():
        yield "ftm-8.4a", sum_.without(TERRAIN).shifted(TERRAIN, -left)
    if battle.attacker.side == AXIS and not sum_.value(AIR) and air_bases(case):
        yield "ftm-14.1a", sum_.shifted(AIR, 2)


def air_bases(case: Case) -> bool:
    return any_has(case.position.on_map(AXIS), "air-base")


class Results(result.Results[Battle, Party, Sum]):
    undeclared, needless = "ftm-8.0", "ftm-7.1b"
    second = twice = misrolled = missing = misread = "ftm-8.1d"
    needless_verdict = Verdict.ILLEGAL
    odds_text = "odds of {} were announced, the column is {}"

    def other_sums(self, case: Case, battle: Battle, sum_: Sum) -> list[Sum]:
        """The other readings of a battle."""
        return [reading.sum for reading in readings(case, battle, sum_)[1:]]

    def told_with_result(self, case: Case, battle: Battle, result: Result) -> Iterator[Fault]:
        """What a result counts or leaves out that was not declared."""
        for point in _points_of(case, battle, result):
            if point == SUPPORT:
                yield self.fault(case, battle, "ftm-7.2.3", SUPPORT_LEFT_OUT, Verdict.JUDGEMENT)
            elif point == GENERAL and not case.by_hand:
                yield self.fault(case, battle, "ftm-8.2.1", GENERAL_NOT_NAMED, Verdict.WARNING)

    def mistakes(self, case: Case, battle: Battle, sum_: Sum) -> Iterator[Mistake[Sum]]:
        return mistakes(case, battle, sum_)

    def rule_of_odds(self, sum_: Sum) -> str:
        return "ftm-8.1d"


RESULTS = Results(SETTING, ODDS)


@RULES.rule("ftm-8.2.1")
@RULES.at_phase_end(*FIGHTING)
def generals_who_count_are_turned_over(case: Case) -> Faults:
    """A general who was neither named nor turned over helps no attack."""
    for battle in case.in_phase.battles:
        named = ODDS.read(battle.named) if battle.named else None
        if named is not None and GENERAL in _points_of(case, battle, named) and battle.sum:
            text = f"{battle.named} counts a general, and none was named or turned over"
            yield RESULTS.fault(case, battle, "ftm-8.2.1", text)


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
RESULTS.enforce(odds=["ftm-8.0", *RULES_OF_SUMS], results=RULES_OF_SUMS)
