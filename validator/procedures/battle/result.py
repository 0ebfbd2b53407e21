"""The die falls and the result is named: odds and result are compared with the battle worked out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Generic

from fieldpost.definition.results import NOTHING
from validator.core.combat import Worksheet
from validator.core.results import Result
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults
from validator.model.events import ResultNamed, Rolled
from validator.model.findings import Fault, Verdict
from validator.procedures.battle.mistakes import Mistake, first_that_fits
from validator.procedures.battle.odds import Odds, S
from validator.procedures.battle.step import B, P, Setting, Step
from validator.procedures.faults import as_guess, of_units

ODDS, DIE = "odds", "die"  # what a battle is accused of
Drafted = tuple[B, list[Fault]]
"""A battle as it has been worked out, and what is wrong with it."""


class Results(Step[B, P], Generic[B, P, S]):
    """Works a battle out once, when its die falls or its result is named; says which rule a player forgot.

    Judges work on drafts of a battle; reducers take them over. What is wrong by an earlier fault
    (`accused`) is not told again, and what follows from it is accepted.

    Values: `reasons` of dice that decide battles; the rules `undeclared` (a die without an attack),
    `second` (one more die for a battle), `twice` (a die for a battle that was declared anew and fought),
    `misrolled` (others than `dice` of `sides` sides), `needless` (a die where the result is automatic),
    `missing` (a result without a die where it is not), `misread` (a wrong result) and `early` (steps and
    hexes that were paid before the die; without it, nobody asks).
    """

    reasons: Sequence[str] = ("combat", "overrun", "")
    dice, sides = 1, 6
    undeclared = ""
    misrolled = ""
    second = ""
    twice = ""
    needless = ""
    missing = ""
    misread = ""
    early = ""
    needless_verdict = missing_verdict = Verdict.WARNING
    die_text = "one six-sided die decides a battle"
    odds_text = "odds of {} were announced, they are {}"

    def __init__(self, setting: Setting[B, P], odds: Odds[B, S]) -> None:
        super().__init__(setting)
        self.odds = odds

    def enforce(self, odds: Iterable[str], results: Iterable[str]) -> None:
        """`odds` are the rules of the worksheet, `results` those of the result that is named."""
        book, phases = self.setting.rules, self.setting.phases
        book.rule(*odds)(book.before(Rolled, phases=phases)(self.judge_die))
        book.track(Rolled, when=JUDGED, phases=phases)(self.note_die)
        book.rule(*results)(book.before(ResultNamed, phases=phases)(self.judge_result))
        book.track(ResultNamed, when=JUDGED, phases=phases)(self.note_result)

    # --- what a game overrides ---

    def before_working_out(self, case: AnyCase, battle: B) -> None:
        """Writes into a draft what is to be known of the moment."""

    def other_sums(self, case: AnyCase, battle: B, sum_: S) -> list[S]:
        """What a battle may come to besides, by what the log does not show."""
        return []

    def told_with_odds(self, case: AnyCase, battle: B) -> Iterator[Fault]:
        """What comes to light when a battle is worked out; may accuse the draft."""
        return iter(())

    def told_with_result(self, case: AnyCase, battle: B, result: Result) -> Iterator[Fault]:
        """What must have been done before a result is named."""
        return iter(())

    def is_near(self, case: AnyCase, battle: B, sum_: S, place: int) -> bool:
        """Whether odds are right by something else that a game grants."""
        return False

    def sums_after_faults(self, case: AnyCase, battle: B, sums: Sequence[S]) -> Iterable[S]:
        """What follows from faults that the battle is accused of."""
        return ()

    def accepts(self, case: AnyCase, battle: B, result: Result, acceptable: set[str]) -> bool:
        texts = [self.odds.read(text) for text in acceptable] if result.idle else []
        return result.text.upper() in acceptable or any(text is not None and text.idle for text in texts)

    def is_told(self, battle: B, result: Result) -> bool:
        """Whether a wrong result follows from what was reported already."""
        return bool(battle.attacker.doubtful or battle.defender.doubtful)

    def mistakes(self, case: AnyCase, battle: B, sum_: S) -> Iterator[tuple[str, S]]:
        """Sums with one thing wrong, each with the rule that it breaks, the likeliest first."""
        return iter(())

    def mistakes_of_odds(self, case: AnyCase, battle: B, sum_: S) -> Iterator[tuple[str, S]]:
        """Those that show in the odds already."""
        return self.mistakes(case, battle, sum_)

    def rule_of_odds(self, sum_: S) -> str:
        """The rule that wrong odds break, whatever mistake explains them."""
        raise NotImplementedError

    def rule_of_result(self, battle: B) -> str:
        """The rule that a wrong result breaks, whatever mistake explains it."""
        return self.needless if DIE in battle.accused or battle.die is None else self.misread

    def put(self, case: AnyCase, battle: B, draft: B) -> None:
        """For reducers: a battle becomes what its draft says."""
        for each in fields(draft):
            setattr(battle, each.name, getattr(draft, each.name))

    # --- the die ---

    def judge_die(self, case: AnyCase, event: Rolled) -> Faults:
        if event.reason.lower() not in self.reasons:
            return
        battle = self.numbered(case, event.battle)
        if battle is None or (battle.rolled and event.battle is None):
            if event.reason:
                text = "a combat die without a declared attack"
                yield Fault(self.undeclared, text, verdict=Verdict.WARNING)
        elif battle.rolled:
            text = f"a second die for battle {battle.number}, which has its die"
            yield self.fault(case, battle, self.second, text)
        else:
            behind = self.battles(case)[self.battles(case).index(battle) + 1 :]
            later = [b for b in behind if b.rolled and battle.is_declared_anew_by(b)]
            if later and self.twice:
                text = f"a die for battle {battle.number}, which was fought as battle {later[0].number}"
                yield self.fault(case, battle, self.twice, text)
            if len(event.values) != self.dice or event.sides != self.sides:
                yield self.fault(case, battle, self.misrolled, self.die_text)
            yield from self._paid_early(case, battle)
            yield from self._of_die(case, battle, event)[1]

    def _paid_early(self, case: AnyCase, battle: B) -> Iterator[Fault]:
        """Where counters are moved by hand, the die's button may come late."""
        names = [name for party in battle.parties for name in dict.fromkeys((*party.lost, *party.paths))]
        if self.early and not case.by_hand:
            text = f"paid for battle {battle.number} before its die"
            yield from of_units(self.early, names, text, Verdict.WARNING)

    def note_die(self, case: AnyCase, event: Rolled) -> None:
        battle = self.numbered(case, event.battle) if event.reason.lower() in self.reasons else None
        if battle is not None and not battle.rolled:
            self.put(case, battle, self._of_die(case, battle, event)[0])

    def _of_die(self, case: AnyCase, battle: B, event: Rolled) -> Drafted[B]:
        def work_out() -> Drafted[B]:
            draft = battle.draft()
            draft.die = sum(event.values[: self.dice]) if event.sides == self.sides else None
            return draft, [*self.worked_out(case, draft), *self._of_needless_die(case, draft)]

        return case.about(self._of_die, work_out)

    def _of_needless_die(self, case: AnyCase, battle: B) -> Iterator[Fault]:
        column = battle.sheet.column if battle.sheet else None
        sound = not (battle.accused or battle.attacker.doubtful or battle.defender.doubtful)
        if column is not None and column.automatic is not None and sound:
            battle.accused.add(DIE)
            text = f"at {column.label} the result is {column.automatic} without a die"
            yield self.fault(case, battle, self.needless, text, self.needless_verdict)

    # --- odds ---

    def worked_out(self, case: AnyCase, battle: B) -> Iterator[Fault]:
        """A draft is worked out, once; what is wrong with its odds."""
        if battle.revealed:
            return
        battle.revealed = True
        self.before_working_out(case, battle)
        doubtful = battle.attacker.doubtful
        sum_ = self.odds.sum_of(case, battle, doubtful)
        if sum_ is None:
            case.not_checked("a battle whose strengths are not known")
            return
        battle.sum, battle.doubts = sum_, self.other_sums(case, battle, sum_)
        self.take(case, battle, self.odds.worksheet(case, sum_, battle.die))
        yield from self.told_with_odds(case, battle)
        if doubtful or battle.defender.doubtful:
            case.not_checked("the odds of an attack that should not have been made so")
            everybody = self.odds.sum_of(case, battle)
            sheet = self.odds.worksheet(case, everybody, battle.die) if everybody else None
            battle.else_ = self.odds.result(case, battle, sheet.cell) if sheet else None
        else:
            yield from self._of_announced(case, battle, sum_)

    def take(self, case: AnyCase, battle: B, sheet: Worksheet) -> None:
        """The result of a worksheet, as the defender's ground makes it."""
        battle.sheet, battle.raw = sheet, sheet.cell
        if sheet.cell is not None:
            battle.result = self.odds.result(case, battle, sheet.cell)

    def _of_announced(self, case: AnyCase, battle: B, sum_: S) -> Iterator[Fault]:
        if battle.announced is None or battle.sheet is None:
            return
        place = self.odds.announced(case, sum_, battle.announced)
        if place is None:
            battle.announced = None
            case.not_checked("announced odds that are no odds")
            return
        if any(self._is_right(case, battle, one, place) for one in (sum_, *battle.doubts)):
            return
        battle.accused.add(ODDS)
        battle.else_ = battle.result
        cell = self.odds.cell_at(case, sum_, place, battle.die)
        if cell is not None:
            battle.result = self.odds.result(case, battle, cell)
        mistakes = self.mistakes_of_odds(case, battle, sum_)
        guess = first_that_fits(mistakes, lambda wrong: self.odds.shows(case, wrong, place))
        text = self.odds_text.format(battle.announced, battle.sheet.column.label)
        fault = self.fault(case, battle, self.rule_of_odds(sum_), text)
        yield self.with_guess(case, battle, fault, guess)

    def with_guess(self, case: AnyCase, battle: B, fault: Fault, guess: Mistake[S] | None) -> Fault:
        """Tells which mistake would explain it; what is surely broken is the rule of working battles out."""
        if guess is None or battle.sheet is None:
            return fault
        rule, wrong = guess
        words, sheet = self.field(case).ground.wording, self.odds.worksheet(case, wrong, battle.die)
        told = as_guess(words, battle.sheet, sheet, rule)
        return replace(fault, message=fault.message + told, guess=rule)

    def _is_right(self, case: AnyCase, battle: B, sum_: S, place: int) -> bool:
        return self.odds.shows(case, sum_, place) or self.is_near(case, battle, sum_, place)

    # --- the result ---

    def judge_result(self, case: AnyCase, event: ResultNamed) -> Faults:
        battle = self.numbered(case, event.battle)
        if battle is not None:
            yield from self._of_name(case, battle, event)[1]

    def note_result(self, case: AnyCase, event: ResultNamed) -> None:
        battle = self.numbered(case, event.battle)
        if battle is not None:
            self.put(case, battle, self._of_name(case, battle, event)[0])

    def _of_name(self, case: AnyCase, battle: B, event: ResultNamed) -> Drafted[B]:
        def work_out() -> Drafted[B]:
            draft, result = battle.draft(), self.odds.read(event.result)
            draft.named = battle.named if result is None else event.result
            faults = list(self.worked_out(case, draft))
            if result is None:
                case.not_checked("a result that is none of this game's")
                return draft, faults
            faults += self.told_with_result(case, draft, result)
            faults += self._of_missing_die(case, draft)
            return draft, [*faults, *self._of_named(case, draft, result)]

        return case.about(self._of_name, work_out)

    def _of_missing_die(self, case: AnyCase, battle: B) -> Iterator[Fault]:
        """Only beyond the ends of the table nothing is rolled; in a log another button may have rolled."""
        unsound = battle.accused or battle.attacker.doubtful or battle.defender.doubtful
        if battle.die is not None or battle.sum is None or unsound:
            return
        sheets = [self.odds.worksheet(case, sum_, None) for sum_ in (battle.sum, *battle.doubts)]
        if any(sheet.column.automatic is not None for sheet in sheets):
            return
        text = (
            f"{_in_words(battle.named)} was named and no die was rolled; at {sheets[0].column.label} one is"
        )
        doubt = Verdict.WARNING if case.by_hand else self.missing_verdict
        yield self.fault(case, battle, self.missing, text, doubt)

    def _of_named(self, case: AnyCase, battle: B, result: Result) -> Iterator[Fault]:
        worked, sheet = battle.result, battle.sheet
        known = battle.sum is not None and sheet is not None and sheet.cell is not None
        fits = not known or self.accepts(case, battle, result, self._acceptable(case, battle))
        self.take_named(case, battle, result)
        if fits:
            return
        battle.else_ = worked
        if sheet is not None and not self.is_told(battle, result):
            text = f"{_in_words(battle.named)} was named, the worksheet gives {_in_words(sheet.cell)}"
            fault = self.fault(case, battle, self.rule_of_result(battle), text)
            yield self.with_guess(case, battle, fault, self._guess(case, battle, result))

    def take_named(self, case: AnyCase, battle: B, result: Result) -> None:
        """A result counts as it is named, but for what the ground makes of it."""
        battle.raw = result.text.upper()
        battle.result = self.odds.result(case, battle, battle.raw)

    def _acceptable(self, case: AnyCase, battle: B) -> set[str]:
        """What may be named: the cell, what it becomes; after a fault also what follows from it."""
        odds, worked_out = self.odds, [battle.sum, *battle.doubts]
        sums = [*worked_out, *self.sums_after_faults(case, battle, worked_out)]
        cells = odds.cells(case, battle, sums)
        announced = battle.announced if ODDS in battle.accused else None
        for sum_ in sums if announced else ():
            place = odds.announced(case, sum_, announced or "")
            offsets = odds.offsets(sum_) if place is not None else ()
            shown = {odds.cell_at(case, sum_, (place or 0) + by, battle.die) for by in offsets}
            cells |= odds.with_converted(case, battle, shown)
        return cells

    def _guess(self, case: AnyCase, battle: B, result: Result) -> Mistake[S] | None:
        """The mistake that would give the named result; none where nothing was to be rolled."""
        if DIE in battle.accused or battle.die is None:
            return None

        def fits(wrong: Any) -> bool:
            return result.text.upper() in self.odds.cells(case, battle, [wrong])

        return first_that_fits(self.mistakes(case, battle, battle.sum), fits)


def _in_words(result: str | None) -> str:
    """A result as people say it: tables show a dash where nothing happens."""
    return "no effect" if (result or "-").lower() in NOTHING else str(result)
