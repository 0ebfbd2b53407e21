"""Chapters 7.4, 11.8 to 11.12, 11.28 to 11.36, 11.39: odds, the die, the result and what changes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.combat import Worksheet
from validator.core.odds import Shift
from validator.core.results import Result
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe import c11_odds as odds
from validator.games.lwe.battles import FIGHTING, Battle, battles, numbered
from validator.games.lwe.book import FIGHT, GERMAN, RULES, SUPPLY_ROLL
from validator.games.lwe.c11_doubts import other_sums
from validator.games.lwe.c11_exits import note_exits
from validator.games.lwe.c11_mistakes import mistakes
from validator.games.lwe.control import on_line
from validator.games.lwe.course import AUGUST, course_of
from validator.games.lwe.field import field_of
from validator.games.lwe.state import Case
from validator.model.events import ResultNamed, Rolled
from validator.model.findings import Fault, Verdict
from validator.procedures.faults import as_guess

WRONG_RESULT = "lwe-11.28a"


def battle_rolled_for(case: Case, event: Rolled) -> Battle | None:
    """Of no number: the latest that has no die yet."""
    if event.battle is not None:
        return numbered(case, event.battle)
    return next((b for b in reversed(battles(case)) if not b.rolled), None)


# --- attenuated supply (7.4) -------------------------------------------------------------------------


@RULES.rule("lwe-7.4a")
@RULES.before(Rolled, phases=FIGHTING)
def the_die_for_attenuated_supply_falls_first(case: Case, event: Rolled) -> Faults:
    if event.reason.lower() != SUPPLY_ROLL:
        return
    battle = _fed_by(case, event)
    if len(event.values) != 1 or event.sides != 6:
        case.not_checked("a die for attenuated supply that is not one six-sided die")
    elif battle is not None and battle.die is not None:
        text = f"the die for attenuated supply falls after that of battle {battle.number}"
        fault = _fault(case, battle, "lwe-7.4a", text)
        yield fault if battle.supply_due is None else replace(fault, verdict=Verdict.WARNING)
    elif battle is not None and battle.supply_die is not None:
        yield _fault(case, battle, "lwe-7.4a", "a second die for attenuated supply")


@RULES.track(Rolled, when=JUDGED, phases=FIGHTING)
def note_the_die_for_supply(case: Case, event: Rolled) -> None:
    """Of no battle yet: for the attack that is declared next."""
    if event.reason.lower() != SUPPLY_ROLL or len(event.values) != 1 or event.sides != 6:
        return
    battle = _fed_by(case, event)
    if battle is None:
        case.in_phase.supply_die = event.values[0]
    elif battle.supply_due is not None:
        draft = battle.draft()
        draft.supply_die, draft.supply_due = event.values[0], None
        draft.accused.discard(odds.SUPPLY)
        if (sum_ := odds.sum_of(case, draft, draft.attacker.doubtful)) is not None:
            draft.sum = sum_
            _take(case, draft, odds.worksheet(case, sum_, draft.die))
        _put(case, battle, draft)
    elif battle.die is None and battle.supply_die is None:
        battle.supply_die = event.values[0]
        course_of(case).supply_dice = True


def _put(case: Case, battle: Battle, draft: Battle) -> None:
    """For reducers: a draft takes the place of its battle; a result may have ruined a fortified line."""
    known = battles(case)
    known[known.index(battle)] = draft
    case.in_game.ruined.update(_ruined_line(case, draft))


def _fed_by(case: Case, event: Rolled) -> Battle | None:
    """The battle a die for attenuated supply is for: one that waits for it, else the latest without a die."""
    if event.battle is not None:
        return numbered(case, event.battle)
    waiting = next((b for b in reversed(battles(case)) if b.supply_due is not None), None)
    return waiting or battle_rolled_for(case, event)


def _note_missing_supply(case: Case, battle: Battle) -> None:
    """The die for attenuated supply is due; it may still fall before the result is named."""
    rule = odds.needs_supply_die(case, field_of(case), battle)
    course = field_of(case).course
    if rule is None or battle.supply_die is not None:
        return
    if course.may_be_rested(case.turn) and not course.supply_dice:
        case.not_checked("whether a pause before the log begins has freed from dice for attenuated supply")
    else:
        battle.supply_due = rule
        battle.accused.add(odds.SUPPLY)


def supply_overdue(case: Case, battle: Battle) -> Iterator[Fault]:
    if battle.supply_due is None:
        return
    why = "in August" if case.turn in AUGUST else "from beyond the GAS Line"
    text = f"an attack {why} needs a die for attenuated supply first"
    doubtful = field_of(case).course.may_be_rested(case.turn)  # but for dice that were rolled for others
    doubt = Verdict.WARNING if doubtful else Verdict.ILLEGAL
    fault = _fault(case, battle, battle.supply_due, text)
    yield replace(fault, verdict=doubt, once=("supply", battle.number))


# --- odds and die (11.8 to 11.28) -----------------------------------------------------------------------


@RULES.rule("lwe-11.8a", "lwe-11.9a", "lwe-11.10a", "lwe-11.11a", "lwe-11.12a", "lwe-11.28a", "lwe-11.28b")
@RULES.rule("lwe-11.13a", "lwe-11.14a", "lwe-11.15a", "lwe-11.16a", "lwe-11.17a", "lwe-11.19a", "lwe-11.20a")
@RULES.rule(
    "lwe-11.21a",
    "lwe-11.22a",
    "lwe-11.22c",
    "lwe-11.22d",
    "lwe-11.23a",
    "lwe-11.23b",
    "lwe-11.23c",
    "lwe-11.24a",
)
@RULES.rule("lwe-11.24b", "lwe-11.25b", "lwe-11.26b", "lwe-11.27a", "lwe-11.27b", "lwe-11.27c", "lwe-11.38b")
@RULES.rule(
    "lwe-1.3a", "lwe-1.3b", "lwe-2.10a", "lwe-5.3c", "lwe-5.4c", "lwe-9.24e", "lwe-9.30a", "lwe-9.30b"
)
@RULES.rule("lwe-11.2a", "lwe-11.34a", "lwe-7.4a", "lwe-7.4b", "lwe-7.4c")
@RULES.before(Rolled, phases=FIGHTING)
def the_odds_are_right_when_the_die_falls(case: Case, event: Rolled) -> Faults:
    if event.reason.lower() not in FIGHT:
        return
    battle = numbered(case, event.battle)
    if battle is None or (battle.rolled and event.battle is None):
        if event.reason:
            yield Fault("lwe-11.28a", "a combat die without a declared attack", verdict=Verdict.WARNING)
        return
    if battle.rolled:
        yield _fault(case, battle, "lwe-11.28a", f"a second die for battle {battle.number}")
        return
    if len(event.values) != 1 or event.sides != 6:
        yield _fault(case, battle, "lwe-11.28a", "one six-sided die decides a battle")
    yield from of_die(case, battle, event)[1]


Drafted = tuple[Battle, list[Fault]]
"""A battle as it has been worked out, and what is wrong with it."""


def of_die(case: Case, battle: Battle, event: Rolled) -> Drafted:
    return case.about("die", lambda: _of_die(case, battle.draft(), event))


def _of_die(case: Case, battle: Battle, event: Rolled) -> Drafted:
    battle.die = event.values[0] if event.sides == 6 else None
    faults = list(_reckon(case, battle))
    sheet = battle.sheet
    sound = not (battle.accused or battle.attacker.doubtful or battle.defender.doubtful)
    if sheet is not None and sheet.column.automatic is not None and sound:
        battle.accused.add("die")
        text = f"at {sheet.column.label} the result is {sheet.column.automatic} without a die"
        faults.append(replace(_fault(case, battle, "lwe-11.10a", text), verdict=Verdict.WARNING))
    return battle, faults


@RULES.track(Rolled, when=JUDGED, phases=FIGHTING)
def note_the_die(case: Case, event: Rolled) -> None:
    battle = numbered(case, event.battle) if event.reason.lower() in FIGHT else None
    if battle is not None and not battle.rolled:
        draft = of_die(case, battle, event)[0]
        if not battle.revealed:
            case.in_phase.supply_die = None
        _put(case, battle, draft)


def _reckon(case: Case, battle: Battle) -> Iterator[Fault]:
    """Once for each battle, when its die falls or its result is named; `battle` is a draft."""
    if battle.revealed:
        return
    battle.revealed = True
    note_exits(case, battle)
    if battle.supply_die is None and odds.needs_supply_die(case, field_of(case), battle) is not None:
        battle.supply_die = case.in_phase.supply_die
    sum_ = odds.sum_of(case, battle, battle.attacker.doubtful)
    if sum_ is None:
        case.not_checked("a battle whose strengths are not known")
        return
    battle.sum, battle.doubts = sum_, other_sums(case, battle, sum_, battle.attacker.doubtful)
    yield from _fought_twice(case, battle)
    _take(case, battle, odds.worksheet(case, sum_, battle.die))
    if battle.attacker.doubtful or battle.defender.doubtful:
        case.not_checked("the odds of an attack that should not have been made so")
        battle.else_ = _with_everybody(case, battle)
        return
    _note_missing_supply(case, battle)
    yield from _odds_fault(case, battle, sum_)


def _fought_twice(case: Case, battle: Battle) -> Iterator[Fault]:
    """Declared while an earlier declaration was open, and then both were rolled for."""
    others = (b for b in battles(case) if b is not battle and not b.idle and b.overrun == battle.overrun)
    again = {name for b in others for name in b.attacker.steps} & battle.attacker.steps.keys()
    names = tuple(sorted(again - battle.attacker.doubtful))
    if names:
        what = "makes a second mobile assault" if battle.overrun else "attacks a second time"
        yield Fault("lwe-9.23b" if battle.overrun else "lwe-11.4a", f"{'+'.join(names)} {what}", names)


def _with_everybody(case: Case, battle: Battle) -> Result | None:
    """The result as players had it who counted those that should not have fought."""
    sum_ = odds.sum_of(case, battle)
    cell = odds.worksheet(case, sum_, battle.die).cell if sum_ is not None else None
    return None if cell is None else odds.read_result(odds.converted(case, field_of(case), battle, cell)[0])


def _ruined_line(case: Case, battle: Battle) -> frozenset[Hex]:
    """DE and BB destroy a fortified line for good, whoever is left in it (11.35, 11.36)."""
    german = battle.attacker.side == GERMAN and case.option("line-falls") != "off"
    if battle.result is None or not german or battle.result.text.upper() not in ("DE", "BB"):
        return frozenset()
    return on_line(case).intersection(field_of(case).board.hexes[h] for h in battle.targets)


def _take(case: Case, battle: Battle, sheet: Worksheet) -> None:
    """The result of a worksheet, as the defender's ground makes it (11.22, 11.24)."""
    battle.sheet, battle.raw = sheet, sheet.cell
    if sheet.cell is not None:
        cell, _ = odds.converted(case, field_of(case), battle, sheet.cell)
        battle.result = odds.read_result(cell)


def _odds_fault(case: Case, battle: Battle, sum_: odds.Sum) -> Iterator[Fault]:
    if battle.announced is None or battle.sheet is None:
        return
    named = odds.announced_place(battle.announced)
    if named is None:
        case.not_checked("announced odds that are no odds")
        return
    if _beyond(battle, named):
        return
    if any(_announced_rightly(case, battle, one, named) for one in (sum_, *battle.doubts)):
        return
    battle.accused.add("odds")
    guess = next((g for g in _mistakes(case, battle, sum_) if named in odds.places(case, g.sum)), None)
    attack, defense = odds.forces(sum_)
    plain = "lwe-11.8a" if attack.value >= defense.value else "lwe-11.9a"
    rule = "lwe-11.11a" if sum_.shifts else plain
    battle.else_ = battle.result
    cell = _cell_at(case, named, battle.die)
    if cell is not None:
        battle.result = odds.read_result(odds.converted(case, field_of(case), battle, cell)[0])
    text = f"odds of {battle.announced} were announced, they are {battle.sheet.column.label}"
    yield _with_guess(case, battle, _fault(case, battle, rule, text), guess)


def _announced_rightly(case: Case, battle: Battle, sum_: odds.Sum, named: int) -> bool:
    if named in odds.places(case, sum_):
        return True
    return odds.SUPPLY in battle.accused and _within_supply(case, sum_, named)


def _beyond(battle: Battle, named: int) -> bool:
    """Beyond an end of the table all odds are alike; the end's own may stand for them: the result shows."""
    column = battle.sheet.column if battle.sheet else None
    if column is None or column.automatic is None:
        return False
    if column.automatic == odds.LADDER.above:
        return named >= odds.place(odds.LADDER.highest)
    return named <= odds.place(odds.LADDER.lowest)


def _within_supply(case: Case, sum_: odds.Sum, named: int) -> bool:
    return 0 <= odds.rung(case, sum_) - named <= 3


def _cell_at(case: Case, place: int, die: int | None) -> str | None:
    """The result at some odds, without a die beyond the ends of the table."""
    ladder, table = odds.LADDER, case.game.table["combat-results"]
    low, high = odds.place(ladder.lowest), odds.place(ladder.highest)
    if place < low or place > high:
        return ladder.below if place < low else ladder.above
    return None if die is None else table.cell(str(die), table.columns[place - low])


# --- the result named (11.22, 11.24, 11.28, 11.39) ------------------------------------------------------


@RULES.rule("lwe-11.22b", "lwe-11.24d", "lwe-11.28a", "lwe-11.39a", "lwe-11.10a", "lwe-5.3c")
@RULES.before(ResultNamed, phases=FIGHTING)
def the_named_result_is_right(case: Case, event: ResultNamed) -> Faults:
    battle = numbered(case, event.battle)
    if battle is not None:
        yield from of_name(case, battle, event)[1]


def of_name(case: Case, battle: Battle, event: ResultNamed) -> Drafted:
    return case.about("name", lambda: _of_name(case, battle.draft(), event))


def _of_name(case: Case, battle: Battle, event: ResultNamed) -> Drafted:
    battle.named = event.result
    faults = list(_reckon(case, battle))
    faults += supply_overdue(case, battle)
    battle.supply_due = None
    faults += _named(case, battle, event)
    return battle, faults


@RULES.track(ResultNamed, when=JUDGED, phases=FIGHTING)
def note_the_result(case: Case, event: ResultNamed) -> None:
    battle = numbered(case, event.battle)
    if battle is not None:
        draft = of_name(case, battle, event)[0]
        if not battle.revealed:
            case.in_phase.supply_die = None
        _put(case, battle, draft)


def _named(case: Case, battle: Battle, event: ResultNamed) -> Iterator[Fault]:
    found = odds.read_result(event.result)
    if found is None:
        case.not_checked("a result that is none of this game's")
        return
    worked = battle.result
    stands = found.text.upper() == odds.DL1
    if stands and (fault := _cannot_stand(case, battle)) is not None:
        yield fault
    if battle.sum is None or battle.sheet is None or battle.sheet.cell is None:
        battle.result = _changed(case, battle, found.text)
        return
    if stands and odds.DR in _acceptable(case, battle):
        battle.result = found
        return
    if found.text.upper() in _acceptable(case, battle):
        battle.result = _changed(case, battle, found.text)
        return
    battle.else_, battle.result = worked, _changed(case, battle, found.text)
    if stands or battle.attacker.doubtful:
        return
    text = f"{event.result} was named, the worksheet gives {battle.sheet.cell}"
    if "die" in battle.accused or battle.die is None:
        yield _fault(case, battle, "lwe-11.10a", text)
    else:
        guess = _mistake(case, battle, found.text.upper())
        yield _with_guess(case, battle, _fault(case, battle, WRONG_RESULT, text), guess)


def _changed(case: Case, battle: Battle, cell: str) -> Result | None:
    """A named result as the ground changes it: DR in a city is AL1 whatever it is called."""
    battle.raw = cell.upper()
    return odds.read_result(odds.converted(case, field_of(case), battle, cell.upper())[0])


def _cannot_stand(case: Case, battle: Battle) -> Fault | None:
    if battle.attacker.side != GERMAN and odds.may_stand(case, battle):
        changed = battle.raw is not None and odds.converted(case, field_of(case), battle, battle.raw)[1]
        return _fault(case, battle, "lwe-11.39a", "DL1 where DR is AL1") if changed else None
    text = "DL1 is for defenders of a prepared assault who are all German"
    return _fault(case, battle, "lwe-11.39a", text)


def _acceptable(case: Case, battle: Battle) -> set[str]:
    """What may be named: the cell, what it becomes; where a fault was found, also what follows from it."""
    sums = [battle.sum, *battle.doubts]
    if odds.SUPPLY in battle.accused:
        sums += [replace(one, supply=Shift(odds.SUPPLY, "", -n)) for one in sums for n in range(4)]
    cells = {odds.worksheet(case, sum_, battle.die).cell for sum_ in sums}
    if any(key.startswith("lwe-11.25") or key == "lwe-8.12d" for key in battle.accused):
        cells.add(odds.worksheet(case, battle.sum.without(odds.AIR), battle.die).cell)
    if "odds" in battle.accused and (named := odds.announced_place(battle.announced or "")) is not None:
        supply = battle.sum.supply.columns if battle.sum.supply else 0
        shift = sum(s.columns for s in battle.sum.shifts)
        cells |= {_cell_at(case, named + by, battle.die) for by in (0, supply, shift, shift + supply)}
    named_cells = {cell for cell in cells if cell is not None}
    return named_cells | {odds.converted(case, field_of(case), battle, cell)[0] for cell in named_cells}


@dataclass(frozen=True)
class Guess:
    """A battle as a player reckons it who misreads a rule."""

    rule: str
    sum: odds.Sum
    sheet: Worksheet


def _mistakes(case: Case, battle: Battle, sum_: odds.Sum) -> Iterator[Guess]:
    for rule, wrong in mistakes(case, battle, sum_):
        yield Guess(rule, wrong, odds.worksheet(case, wrong, battle.die))


def _mistake(case: Case, battle: Battle, named: str) -> Guess | None:
    """The mistake that would give the named result."""
    for guess in _mistakes(case, battle, battle.sum):
        cell = guess.sheet.cell
        if cell is not None and named in (cell, odds.converted(case, field_of(case), battle, cell)[0]):
            return guess
    return None


def _with_guess(case: Case, battle: Battle, fault: Fault, guess: Guess | None) -> Fault:
    if guess is None or battle.sheet is None:
        return fault
    told = as_guess(field_of(case).ground.wording, battle.sheet, guess.sheet, guess.rule)
    return replace(fault, message=fault.message + told, guess=guess.rule)


def _fault(case: Case, battle: Battle, rule: str, text: str) -> Fault:
    field = field_of(case)
    steps = say.worksheet_text(field.ground.wording, battle.sheet).split("\n") if battle.sheet else []
    hexes = tuple(field.board.hexes[h] for h in battle.targets)
    return Fault(rule, text, tuple(battle.attacker.steps), hexes, {"steps": steps})


def settle_unrolled(case: Case, battle: Battle) -> Drafted:
    """Beyond the ends of the table nothing is rolled, and the result need not be named (11.10)."""
    draft = battle.draft()
    faults: list[Fault] = []
    if not draft.rolled:
        faults += _reckon(case, draft)
    faults += supply_overdue(case, draft)
    return draft, faults
