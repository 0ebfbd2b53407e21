"""Chapter 9.1.3: isolated units, a die for each of their hexes, and what they lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import Faults
from validator.games.ftm.battles import steps_left
from validator.games.ftm.book import RULES, SUPPLY
from validator.games.ftm.c09_supply import statuses
from validator.games.ftm.state import Case
from validator.model.events import Replaced, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.supplymarks import OUT, shown_statuses

ATTRITION = "attrition"


def isolated_hexes(case: Case) -> tuple[set[Hex], set[Hex]]:
    """Hexes with units that must check, and with units that may have had to."""
    must, may = set(), set()
    for start in case.phase_start.on_map():
        unit = case.position.units[start.id]
        found = [status.isolated for _, _, status in statuses(case, unit)] if unit.on_map else []
        if not unit.on_map or (any(found) and OUT in shown_statuses(case, unit)):
            may.add(start.hex)
        if found and all(found) and OUT in shown_statuses(case, unit):
            must.add(start.hex)
    return must, may


def loss_due(case: Case, die: int) -> int:
    return int(case.game.table[ATTRITION].cell(str(min(max(die, 1), 6)), "steps"))


def _rolls(case: Case) -> Iterator[Rolled]:
    return (e for e in case.in_phase.events if isinstance(e, Rolled) and e.reason == ATTRITION)


@RULES.rule("ftm-9.1.3")
@RULES.at_phase_end(SUPPLY)
def isolated_hexes_check_once_each(case: Case) -> Faults:
    must, may = isolated_hexes(case)
    rolls = list(_rolls(case))
    starts = case.phase_start.units
    named = Counter(starts[roll.about].spot for roll in rolls if roll.about)
    nameless = sum(not roll.about for roll in rolls)
    waiting = [hex_ for hex_ in must if not named[hex_]]
    for hex_ in sorted(waiting, key=str)[nameless:]:
        units = tuple(u.id for u in case.position.at(hex_))
        yield Fault("ftm-9.1.3", f"{case.label(hex_)} is isolated and has not checked", units, (hex_,))
    for spot, count in named.items():
        isolated = spot in may
        if count > 1 or not isolated:
            why = f"checks {count} times" if isolated else "is not isolated and checks"
            yield Fault("ftm-9.1.3", f"{case.label(spot)} {why}", _at(case, spot))
    if nameless > len({*must, *may} - set(named)):
        yield Fault("ftm-9.1.3", f"{nameless} attrition dice name no unit, more than hexes are isolated")


def _at(case: Case, spot: object) -> tuple[str, ...]:
    return tuple(unit.id for unit in case.phase_start.on_map() if unit.spot == spot)


@RULES.rule("ftm-9.1.3")
@RULES.at_phase_end(SUPPLY)
def attrition_costs_what_the_table_says(case: Case) -> Faults:
    """By hex where the dice name units; else in all."""
    lost, rolls = losses(case), list(_rolls(case))
    if any(not roll.about for roll in rolls):
        due = sum(loss_due(case, roll.values[0]) for roll in rolls)
        if not sum(lost.values()) <= due:
            yield Fault("ftm-9.1.3", f"{sum(lost.values())} steps lost by attrition, {due} due")
        return
    for hex_ in {*lost, *(case.phase_start.units[str(roll.about)].spot for roll in rolls)}:
        dice = [roll.values[0] for roll in rolls if case.phase_start.units[str(roll.about)].spot == hex_]
        there = sum(_steps(case, unit) for unit in case.phase_start.on_map() if unit.spot == hex_)
        due = min(sum(loss_due(case, die) for die in dice), there)
        if lost.get(hex_, 0) != due:
            shown = ", ".join(map(str, dice)) or "none"
            text = f"{case.label(hex_)} lost {lost.get(hex_, 0)} steps by attrition, {due} due: die {shown}"
            yield Fault("ftm-9.1.3", text, _at(case, hex_), evidence={"due": due, "dice": dice})


def _steps(case: Case, unit: Unit) -> int:
    return steps_left(case, unit) if _suffers(unit) else 0


def _suffers(unit: Unit) -> bool:
    return not any(unit.has(trait) for trait in ("always-supplied", "air-base", "offensive-support"))


def losses(case: Case) -> dict[object, int]:
    """Steps lost in the phase, by hex; a Kampfgruppe that took a corps' place counts for it."""
    heirs = {e.old[0]: e.new for e in case.in_phase.events if isinstance(e, Replaced) and e.old}
    found: Counter[object] = Counter()
    reused = {name for new in heirs.values() for name, _ in new}
    for start in case.phase_start.on_map():
        names = [start.id, *(name for name, _ in heirs.get(start.id, ()))]
        now = sum(_left(case, name) for name in names)
        if _suffers(start) and start.id not in reused and now != steps_left(case, start):
            found[start.spot] += steps_left(case, start) - now
    return dict(found)


def _left(case: Case, name: str) -> int:
    unit = case.position.units[name]
    return steps_left(case, unit) if unit.on_map else 0
