"""Faults that read alike in every game; the game gives the rule that each breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

from fieldpost.hexes import Hex
from validator.core import explain as say
from validator.core.board import HexId
from validator.core.combat import Worksheet
from validator.core.costs import points_text
from validator.core.explain import Wording
from validator.core.movement import PathVerdict
from validator.core.stacking import StackVerdict
from validator.engine.case import AnyCase
from validator.model.events import Attacked, Moved, OtherDie
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.battlebook import Battle, Loss
from validator.procedures.field import Field

T = TypeVar("T")
Rows = Sequence[tuple[object, str, str]]
"""Conditions, each with the rule that is broken where it holds, and what is wrong then."""

Wrong = Iterator[tuple[str, str]]
"""What is wrong with something: the rule, and why in words; the plainest first."""


def first_of(
    wrong: Iterable[tuple[str, str]],
    before: str,
    units: tuple[str, ...],
    hexes: tuple[Hex, ...] = (),
    doubt: Callable[[str], Verdict] = lambda rule: Verdict.ILLEGAL,
) -> Iterator[Fault]:
    """The first thing that is surely wrong, else the first: others often follow from it. `doubt` says how
    sure a rule is."""
    doubtful = None
    for rule, text in wrong:
        fault = Fault(rule, f"{before}{text}", units, hexes, verdict=doubt(rule))
        if fault.verdict is Verdict.ILLEGAL:
            yield fault
            return
        doubtful = doubtful or fault
    if doubtful is not None:
        yield doubtful


def surest(found: Iterable[Fault]) -> Iterator[Fault]:
    """The first fault that is illegal, else the first: others often follow from it."""
    doubtful = None
    for fault in found:
        if fault.verdict is Verdict.ILLEGAL:
            yield fault
            return
        doubtful = doubtful or fault
    if doubtful is not None:
        yield doubtful


def those_that_hold(*rows: tuple[object, str, str]) -> Wrong:
    """Of the conditions that hold, the rule that is broken and what is wrong; the plainest stands first."""
    return ((rule, text) for holds, rule, text in rows if holds)


def first_true(*rows: tuple[object, T], otherwise: T) -> T:
    """What stands beside the first condition that holds."""
    return next((value for holds, value in rows if holds), otherwise)


def all_true(*rows: tuple[object, T]) -> Iterator[T]:
    """What stands beside the conditions that hold."""
    return (value for holds, value in rows if holds)


def of_rule(rule: str, rows: Iterable[tuple[object, str]]) -> Rows:
    """Conditions of one rule."""
    return [(holds, rule, text) for holds, text in rows]


def first_that_holds(
    rows: Rows,
    before: str,
    units: tuple[str, ...],
    hexes: tuple[Hex, ...] = (),
    doubt: Callable[[str], Verdict] = lambda rule: Verdict.ILLEGAL,
) -> Iterator[Fault]:
    """The first condition that holds: the plainest stands first."""
    return first_of(those_that_hold(*rows), before, units, hexes, doubt)


def unless(doubt: object) -> Verdict:
    """Illegal, unless something makes it doubtful."""
    return Verdict.WARNING if doubt else Verdict.ILLEGAL


def doubtful(*rules: str) -> Callable[[str], Verdict]:
    """Some rules at most as doubtful."""
    return lambda rule: unless(rule in rules)


def doubts(open_: Mapping[str, object]) -> Callable[[str], Verdict]:
    """Rules, and what makes the breach of each doubtful."""
    return lambda rule: unless(open_.get(rule))


def plainest_that_holds(
    rows: Rows,
    before: str,
    units: tuple[str, ...],
    hexes: tuple[Hex, ...] = (),
    doubt: Callable[[str], Verdict] = lambda rule: Verdict.ILLEGAL,
) -> Iterator[Fault]:
    """The first condition that holds, however sure it is: the others follow from it."""
    return first_of(islice(those_that_hold(*rows), 1), before, units, hexes, doubt)


def all_that_hold(
    rows: Rows,
    before: str,
    units: tuple[str, ...],
    hexes: tuple[Hex, ...] = (),
    doubt: Callable[[str], Verdict] = lambda rule: Verdict.ILLEGAL,
) -> Iterator[Fault]:
    """All conditions that hold, each told by itself."""
    for rule, text in those_that_hold(*rows):
        yield Fault(rule, f"{before}{text}", units, hexes, verdict=doubt(rule))


def of_units(
    rule: str,
    names: Iterable[str],
    text: str,
    verdict: Verdict = Verdict.ILLEGAL,
    hexes: tuple[Hex, ...] = (),
) -> Iterator[Fault]:
    """What some units do wrong, all named together; nothing if there are none."""
    units = tuple(names)
    if units:
        yield Fault(rule, f"{'+'.join(units)} {text}", units, hexes, verdict=verdict)


def wrong_units(rule: str, names: Iterable[str], text: str) -> Wrong:
    """The same as a reason among others."""
    for fault in of_units(rule, names, text):
        yield rule, fault.message


def overstacked(field: Field, hex_id: HexId, verdict: StackVerdict, rule: str) -> Fault:
    words = field.ground.wording
    units = tuple(unit for unit, _ in verdict.sizes)
    text = f"{words.hex(hex_id)} is overstacked: {say.stack_text(words, verdict)}"
    return Fault(rule, text, units, (field.board.hexes[hex_id],), {"limit": str(verdict.limit)})


def no_attacker(case: AnyCase, event: Attacked, rule: str) -> Fault:
    """An attack is declared out of hexes in which nobody stands."""
    where = ", ".join(map(case.label, event.targets))
    return Fault(
        rule, f"an attack on {where} by no unit: nobody stands where it comes from", (), event.targets
    )


def no_die(case: AnyCase, field: Field, battle: Battle[Any], rule: str) -> Iterator[Fault]:
    """An attack was declared, and nothing came of it: it may have been called off, or its die is missing.

    A die that fell for something else while it waited is told by itself (`log-button`).
    """
    if case.in_phase.of(OtherDie, battle=battle.number):
        return
    names = tuple(battle.attacker.steps)
    later = case.in_phase.battles[case.in_phase.battles.index(battle) + 1 :]
    if not names or any(battle.is_declared_anew_by(other) for other in later):
        return  # told when it was declared, or the other one counts
    where = field.ground.wording.hexes(battle.targets)
    text = f"{'+'.join(names)} attacks {where}: no die and no result followed"
    yield Fault(rule, text, names, field.hexes(battle.targets), verdict=Verdict.WARNING)


def of_path(
    field: Field,
    unit: Unit,
    verdict: PathVerdict,
    rule: str,
    keys: Mapping[str, str],
    words: Wording | None = None,
    doubt: Verdict = Verdict.ILLEGAL,
) -> Fault:
    """A move that cannot be made, with the way that shows it; `keys` gives the rules of what it breaks."""
    words, obstacle = words or field.ground.wording, verdict.obstacle
    evidence: dict[str, object] = {"available": points_text(verdict.budget)}
    if obstacle is not None:
        evidence |= {
            "path": [field.board.hexes[h] for h in obstacle.way.path],
            "steps": say.way_text(words, obstacle.way).split("; "),
            "breaks": [keys.get(key, key) for key in obstacle.keys],
        }
    ends = (field.board.hexes[verdict.start], field.board.hexes[verdict.target])
    return Fault(rule, f"{unit.id}: {say.path_text(words, verdict)}", (unit.id,), ends, evidence, doubt)


# --- battles -------------------------------------------------------------------------------------------


def as_guess(words: Wording, right: Worksheet, wrong: Worksheet, rule: str) -> str:
    """Which mistake would explain a wrong column or result; the rule broken is that of battle sums."""
    return f"; it would fit {say.difference_text(words, right, wrong)} ({rule.partition('-')[2]})"


def _part(number: int | None) -> str:
    return f"took no part in battle {number}" if number else "took part in no battle of this phase"


def _without_battles(case: AnyCase) -> bool:
    """A turn sheet in whose phase nobody fights: what belongs to a battle belongs to none."""
    return not (case.by_hand or case.in_phase.battles)


def outsider(rule: str, loss: Loss) -> Fault:
    """A unit that did not fight loses a step; doubtful if nothing says for which battle."""
    verdict = Verdict.WARNING if loss.battle is None else Verdict.ILLEGAL
    what = "is taken off the map" if loss.whole else "loses a step"
    text = f"{loss.unit} {what} and {_part(loss.battle)}"
    return Fault(rule, text, (loss.unit,), verdict=verdict)


def no_part(case: AnyCase, rule: str, event: Moved, what: str) -> Fault:
    """Certain only where battles are declared and this one is named, or where nobody fights at all."""
    named = event.battle is not None and any(b.number == event.battle for b in case.in_phase.battles)
    sure = named or _without_battles(case)
    text = f"{'+'.join(event.units)} {what} and {_part(event.battle)}"
    return Fault(rule, text, event.units, verdict=Verdict.ILLEGAL if sure else Verdict.WARNING)
