"""Chapters 7.4, 11.8 to 11.12, 11.28 to 11.36, 11.39: odds, the die, the result and what changes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from fieldpost.hexes import Hex
from validator.core.odds import Shift
from validator.core.results import Result
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe import c11_odds as odds
from validator.games.lwe.battles import FIGHTING, SETTING, Battle, artillery_of, battles, numbered
from validator.games.lwe.book import FIGHT, GERMAN, RULES, SUPPLY_ROLL
from validator.games.lwe.c11_doubts import other_sums
from validator.games.lwe.c11_exits import note_exits
from validator.games.lwe.c11_mistakes import mistakes
from validator.games.lwe.c11_odds import Sum
from validator.games.lwe.control import on_line
from validator.games.lwe.course import AUGUST, course_of
from validator.games.lwe.field import field_of
from validator.games.lwe.state import Case
from validator.model.events import Attacked, ResultNamed, Rolled
from validator.model.findings import Fault, Verdict
from validator.procedures import faults
from validator.procedures.battle import result
from validator.procedures.battlebook import Party

ODDS_ENDS = (odds.LADDER.lowest, odds.LADDER.highest)
GROUNDED = ("lwe-11.25a", "lwe-11.25b", "lwe-11.25c", "lwe-8.12d")  # accused of an aircraft that may not fly


def battle_rolled_for(case: Case, event: Rolled) -> Battle | None:
    """Of no number: the latest that has no die yet."""
    if event.battle is not None:
        return numbered(case, event.battle)
    return next((b for b in reversed(battles(case)) if not b.rolled), None)


# --- attenuated supply (7.4) -------------------------------------------------------------------------


@RULES.rule("lwe-7.4a")
@RULES.before(Rolled, phases=FIGHTING, reason=SUPPLY_ROLL)
def the_die_for_attenuated_supply_falls_first(case: Case, event: Rolled) -> Faults:
    battle = _fed_by(case, event)
    if not event.is_one(6):
        case.not_checked("a die for attenuated supply that is not one six-sided die")
    elif battle is not None:
        waiting = battle.supply_due is not None
        needless = odds.needs_supply_die(case, field_of(case), battle) is None
        late = f"the die for attenuated supply falls after that of battle {battle.number}"
        wrong = faults.all_true(
            (battle.die is not None, (late, waiting)),
            (battle.supply_die is not None, ("a second die for attenuated supply", False)),
            (needless, (f"battle {battle.number} needs no die for attenuated supply", True)),
        )
        for text, doubtful in islice(wrong, 1):
            yield RESULTS.fault(case, battle, "lwe-7.4a", text, faults.unless(doubtful))


@RULES.track(Rolled, when=JUDGED, phases=FIGHTING, reason=SUPPLY_ROLL)
def note_the_die_for_supply(case: Case, event: Rolled) -> None:
    """Of no battle yet: for the attack that is declared next."""
    if not event.is_one(6):
        return
    battle = _fed_by(case, event)
    if battle is None:
        case.in_phase.supply_die = event.values[0]
    elif battle.supply_due is not None:
        draft = battle.draft()
        draft.supply_die, draft.supply_due = event.values[0], None
        draft.accused.discard(odds.SUPPLY)
        if (sum_ := odds.ODDS.sum_of(case, draft, draft.attacker.doubtful)) is not None:
            draft.sum = sum_
            RESULTS.take(case, draft, odds.ODDS.worksheet(case, sum_, draft.die))
        RESULTS.put(case, battle, draft)
    elif battle.die is None and battle.supply_die is None:
        battle.supply_die = event.values[0]
        course_of(case).supply_dice = True


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
    if battle.supply_due is not None:
        why = "in August" if case.turn in AUGUST else "from beyond the GAS Line"
        text = f"an attack {why} needs a die for attenuated supply first"
        doubt = faults.unless(field_of(case).course.may_be_rested(case.turn))  # but for dice of others
        fault = RESULTS.fault(case, battle, battle.supply_due, text)
        yield replace(fault, verdict=doubt, once=("supply", battle.number))


def artillery_unrolled(case: Case, battle: Battle) -> Iterator[Fault]:
    """Its three dice are due, but where the others win without a die (11.26)."""
    guns = artillery_of(case, battle)
    if not guns or battle.dice or case.in_phase.gun_dice or battle.attacker.doubtful:
        return
    without = odds.ODDS.sum_of(case, battle, guns)
    if without is not None and odds.ODDS.worksheet(case, without).column.automatic != odds.DE:
        text = f"{guns[0]} attacks and its three dice were not rolled"
        yield RESULTS.fault(case, battle, "lwe-11.26b", text, faults.unless(case.by_hand))


# --- odds, die and result (11.8 to 11.39) ---------------------------------------------------------------


def _fought_before_it_was_declared(case: Case, battle: Battle) -> set[int | None]:
    """The battles whose dice had fallen by then."""
    fought: set[int | None] = set()
    for event in case.in_phase.events:
        if isinstance(event, Attacked) and event.battle == battle.number:
            break
        if isinstance(event, Rolled | ResultNamed):
            fought.add(event.battle)
    return fought


def _fought_twice(case: Case, battle: Battle) -> set[str]:
    """Attackers of a battle who have fought another one of its kind since it was declared."""
    fought = _fought_before_it_was_declared(case, battle)
    alike = (b for b in battles(case) if b.attacker is not battle.attacker and b.overrun == battle.overrun)
    others = (b.attacker.steps for b in alike if not b.idle and b.number not in fought)
    return battle.attacker.steps.keys() & {*chain.from_iterable(others)}


class Results(result.Results[Battle, Party, Sum]):
    reasons = FIGHT
    undeclared = second = misrolled = misread = "lwe-11.28a"
    needless = missing = "lwe-11.10a"
    missing_verdict = Verdict.ILLEGAL

    def before_working_out(self, case: Case, battle: Battle) -> None:
        note_exits(case, battle)
        if battle.supply_die is None and odds.needs_supply_die(case, field_of(case), battle) is not None:
            battle.supply_die = case.in_phase.supply_die
        if not battle.dice and artillery_of(case, battle):
            battle.dice = case.in_phase.gun_dice

    def other_sums(self, case: Case, battle: Battle, sum_: Sum) -> list[Sum]:
        return other_sums(case, battle, sum_, battle.attacker.doubtful)

    def told_with_odds(self, case: Case, battle: Battle) -> Iterator[Fault]:
        """Declared while an earlier declaration was open, and then both were rolled for."""
        names = tuple(sorted(_fought_twice(case, battle) - battle.attacker.doubtful))
        what = "makes a second mobile assault" if battle.overrun else "attacks a second time"
        rule = "lwe-9.23b" if battle.overrun else "lwe-11.4a"
        for fault in faults.of_units(rule, names, what):
            yield replace(fault, once=("again", battle.number))
        if not battle.attacker.doubtful:
            _note_missing_supply(case, battle)

    def told_with_result(self, case: Case, battle: Battle, result: Result) -> Iterator[Fault]:
        yield from artillery_unrolled(case, battle)
        yield from supply_overdue(case, battle)
        battle.supply_due = None
        if result.text.upper() == odds.DL1:
            yield from self._of_standing(case, battle)

    def _of_standing(self, case: Case, battle: Battle) -> Iterator[Fault]:
        """11.39"""
        if battle.attacker.side == GERMAN or not odds.may_stand(case, battle):
            text = "DL1 is for defenders of a prepared assault who are all German"
            yield self.fault(case, battle, "lwe-11.39a", text)
        elif battle.raw is not None and self.odds.converted(case, battle, battle.raw)[1]:
            yield self.fault(case, battle, "lwe-11.39a", "DL1 where DR is AL1")

    def is_near(self, case: Case, battle: Battle, sum_: Sum, place: int) -> bool:
        """Beyond an end of the table all odds are alike; a die for supply that is missing may cost three."""
        automatic = battle.sheet.column.automatic if battle.sheet and battle.sheet.column else None
        lowest, highest = (self.odds.announced(case, sum_, end) or 0 for end in ODDS_ENDS)
        if automatic is not None:
            return place >= highest if automatic == odds.LADDER.above else place <= lowest
        return odds.SUPPLY in battle.accused and 0 <= self.odds.place(case, sum_) - place <= 3

    def sums_after_faults(self, case: Case, battle: Battle, sums: Sequence[Sum]) -> Iterator[Sum]:
        """Any die for supply that is missing; without an aircraft that may not fly."""
        if odds.SUPPLY in battle.accused:
            lost = [Shift(odds.SUPPLY, "", -columns) for columns in range(4)]
            yield from (replace(one, supply=shift) for one in sums for shift in lost)
        if not battle.accused.isdisjoint(GROUNDED):
            yield battle.sum.without(odds.AIR)

    def accepts(self, case: Case, battle: Battle, result: Result, acceptable: set[str]) -> bool:
        stands = result.text.upper() == odds.DL1 and odds.DR in acceptable
        return stands or super().accepts(case, battle, result, acceptable)

    def is_told(self, battle: Battle, result: Result) -> bool:
        return result.text.upper() == odds.DL1 or super().is_told(battle, result)

    def take_named(self, case: Case, battle: Battle, result: Result) -> None:
        """DR in a city is AL1 whatever it is called; who stands, loses a step instead."""
        if result.text.upper() == odds.DL1:
            battle.result = result
        else:
            super().take_named(case, battle, result)

    def mistakes(self, case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
        return mistakes(case, battle, sum_)

    def rule_of_odds(self, sum_: Sum) -> str:
        return "lwe-11.11a" if sum_.shifts else odds.plain_rule(sum_)

    def put(self, case: Case, battle: Battle, draft: Battle) -> None:
        """Dice that fell ahead of the battle are used up; a result may have ruined a fortified line."""
        if draft.revealed and not battle.revealed:
            case.in_phase.supply_die = None
            if artillery_of(case, battle):
                case.in_phase.gun_dice = ()
        super().put(case, battle, draft)
        case.in_game.ruined.update(_ruined_line(case, draft))


RESULTS = Results(SETTING, odds.ODDS)
RESULTS.enforce(
    odds=[
        "lwe-11.8a",
        "lwe-11.9a",
        "lwe-11.10a",
        "lwe-11.11a",
        "lwe-11.12a",
        "lwe-11.28a",
        "lwe-11.28b",
        "lwe-11.13a",
        "lwe-11.14a",
        "lwe-11.15a",
        "lwe-11.16a",
        "lwe-11.17a",
        "lwe-11.19a",
        "lwe-11.20a",
        "lwe-11.21a",
        "lwe-11.22a",
        "lwe-11.22c",
        "lwe-11.22d",
        "lwe-11.23a",
        "lwe-11.23b",
        "lwe-11.23c",
        "lwe-11.24a",
        "lwe-11.24b",
        "lwe-11.25b",
        "lwe-11.26b",
        "lwe-11.27a",
        "lwe-11.27b",
        "lwe-11.27c",
        "lwe-11.38b",
        "lwe-1.3a",
        "lwe-1.3b",
        "lwe-2.10a",
        "lwe-5.3c",
        "lwe-5.4c",
        "lwe-9.24e",
        "lwe-9.30a",
        "lwe-9.30b",
        "lwe-11.2a",
        "lwe-11.34a",
        "lwe-7.4a",
        "lwe-7.4b",
        "lwe-7.4c",
    ],
    results=[
        "lwe-11.22b",
        "lwe-11.24d",
        "lwe-11.28a",
        "lwe-11.39a",
        "lwe-11.10a",
        "lwe-5.3c",
    ],
)


def _ruined_line(case: Case, battle: Battle) -> frozenset[Hex]:
    """DE and BB destroy a fortified line for good, whoever is left in it (11.35, 11.36)."""
    result = "" if battle.result is None else battle.result.text.upper()
    german = battle.attacker.side == GERMAN and case.option("line-falls") != "off"
    falls = german and result in ("DE", "BB")
    return on_line(case).intersection(field_of(case).hexes(battle.targets)) if falls else frozenset()


def settle_unrolled(case: Case, battle: Battle) -> tuple[Battle, list[Fault]]:
    """Beyond the ends of the table nothing is rolled, and the result need not be named (11.10)."""
    draft = battle.draft()
    worked_out = [] if draft.rolled else list(RESULTS.worked_out(case, draft))
    return draft, [*worked_out, *supply_overdue(case, draft)]
