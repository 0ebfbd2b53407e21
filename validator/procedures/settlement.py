"""How battles are settled: losses in their time, and what each side has paid of what it owes.

A game says what a side has done wrong in each reading of a result (`Bill`); what is told, and when, is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from validator.core import explain as say
from validator.model.findings import Fault, Verdict
from validator.procedures.battlebook import Battle, Party
from validator.procedures.field import Field

B = TypeVar("B", bound=Battle[Any])
P = TypeVar("P", bound=Party)


@dataclass(frozen=True)
class Bill:
    """What is wrong with how a side paid; `open` if later losses or retreats could still put it right."""

    rule: str
    text: str
    units: tuple[str, ...] = ()
    open: bool = False
    verdict: Verdict = Verdict.ILLEGAL


def bill_of(rule: str, names: Iterable[str], text: str, *, open_: bool = False) -> Iterator[Bill]:
    """What some units have not paid, all named together; nothing if there are none."""
    units = tuple(names)
    if units:
        yield Bill(rule, f"{'+'.join(units)} {text}", units, open_)


def fewest(readings: Iterable[Sequence[Bill]]) -> Sequence[Bill]:
    """The faults of the reading that has fewest; none as soon as one reading is right."""
    best: Sequence[Bill] | None = None
    for bills in readings:
        if not bills:
            return ()
        best = bills if best is None or len(bills) < len(best) else best
    return best or ()


def settle(field: Field, battle: B, judge: Callable[[B, P], Bill | None], *, final: bool) -> Iterator[Fault]:
    """What each side did wrong, once in a phase; what may still be put right only when it is final."""
    if battle.result is None:
        return
    hexes = field.hexes(battle.targets)
    for party in battle.parties:
        bill = judge(battle, party)
        if bill is None or (bill.open and not final):
            continue
        who = "attacker" if party is battle.attacker else "defender"
        text = f"battle {battle.number}, {battle.result.text}, {who}: {bill.text}"
        once = ("settled", battle.number, party.side)
        evidence, sure = sums_of(field, battle), not bill.open
        yield Fault(bill.rule, text, bill.units, hexes, evidence, bill.verdict, once, settled=sure)


def sums_of(field: Field, battle: Battle[Any]) -> dict[str, object]:
    """The battle worked out, as evidence."""
    if battle.sheet is None:
        return {}
    return {"steps": say.worksheet_text(field.ground.wording, battle.sheet).split("\n")}


# --- losses in their time ---------------------------------------------------------------------------------


def late(rule: str, known: Sequence[Battle[Any]], battle: Battle[Any], unit: str) -> Iterator[Fault]:
    """A battle is settled before the next is fought; reported once."""
    later = [other for other in known if other.number > battle.number and other.rolled]
    if later:
        text = f"battle {battle.number} is settled after the die of battle {later[0].number}"
        yield Fault(rule, text, (unit,), verdict=Verdict.WARNING, once=("late", battle.number))


def out_of_order(battle: Battle[Any], party: Party) -> bool:
    """Whether a side that pays its part of the result first pays after the other."""
    first = battle.result.first if battle.result else None
    pays_first = {"attacker": battle.attacker, "defender": battle.defender}.get(first or "")
    return party is pays_first and battle.opponent(party).lost_steps > 0
