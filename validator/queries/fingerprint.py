"""A scenario in numbers: what units reach, how they are supplied, the columns of all possible attacks.

For anybody who writes a second program for a game: where the numbers differ, the programs read a rule or the
map in two ways. What is counted stands in `docs/fingerprints.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, neighbors
from validator.engine.case import AnyCase
from validator.engine.referee import Referee
from validator.engine.rulebook import Rulebook
from validator.model import position as positions
from validator.model.events import Attacked, PhaseBegan, Rolled
from validator.model.findings import Verdict
from validator.model.position import Position, Unit
from validator.procedures.strengthchits import chit_of, class_of, draws
from validator.queries import answers

FULL = 1  # the face of a chit that is drawn


@dataclass(frozen=True)
class Fingerprint:
    """Of one side in the set-up of one scenario."""

    units: int
    reach: Mapping[str, int]  # by way of moving, the hexes of all units together
    supply: Mapping[str, int]  # by state
    attacks: Mapping[str, int] = field(default_factory=dict)  # by column


def of_scenario(game: Game, scenario: Scenario, rules: Rulebook) -> dict[str, Fingerprint]:
    """By side; empty where the scenario sets nothing up."""
    position = positions.start(game, scenario)
    referee = Referee(game, scenario, rules, {}, {}, position)
    referee.judge(PhaseBegan(position.turn, position.phase))
    case = referee.case
    return {
        side.id: _of_side(case, rules, side.id) for side in game.sides if any(case.position.on_map(side.id))
    }


def _of_side(case: AnyCase, rules: Rulebook, side: str) -> Fingerprint:
    able = answers.of(case.game)
    units = list(case.position.on_map(side))
    reach = {mode: sum(_reached(case, able, unit, mode) for unit in units) for mode in able.MODES}
    supply = Counter(line.status for line in able.supply(case) if line.side == side)
    return Fingerprint(len(units), reach, dict(sorted(supply.items())), _columns(case, rules, side))


def _reached(case: AnyCase, able: answers.Queries, unit: Unit, mode: str) -> int:
    """None for a unit that is never asked, or has no phase to move in."""
    try:
        return len(able.reach(case, unit.id, mode, None).hexes)
    except FieldpostError:
        return 0


# --- attacks -----------------------------------------------------------------------------------------


def _columns(case: AnyCase, rules: Rulebook, side: str) -> dict[str, int]:
    """Each hex with an enemy beside the side, attacked by each unit alone and by all together."""
    phase = _phase_of_attacks(case, side)
    if phase is None:
        return {}
    position = _with_chits(case)
    found: Counter[str] = Counter()
    for attackers, target in _attacks(position, side):
        column = _column(case, rules, _in_phase(position, phase), attackers, target)
        found.update([column] if column is not None else [])
    return dict(sorted(found.items(), key=_by_odds))


def _by_odds(item: tuple[str, int]) -> tuple[float, str]:
    left, _, right = item[0].rstrip("+").partition(":")
    try:
        return float(left) / float(right or 1), item[0]
    except (ValueError, ZeroDivisionError):
        return 0.0, item[0]


def _phase_of_attacks(case: AnyCase, side: str) -> str | None:
    """The first phase of the turn in which the side may attack."""
    for phase in case.game.phases(case.turn, case.scenario):
        verbs = {*phase.may, *(verb for step in phase.steps for verb in step.may)}
        if "attack" in verbs and phase.active == side:
            return phase.id
    return None


def _in_phase(position: Position, phase: str) -> Position:
    copy = position.copy()
    copy.phase = phase
    return copy


def _with_chits(case: AnyCase) -> Position:
    """Each unit that draws its strength carries the first chit of its cup."""
    position = case.position.copy()
    cups = {str(deck.where.get("class")): deck.id for deck in case.game.decks}
    for unit in list(position.on_map()):
        chits = position.decks.get(cups.get(class_of(unit), ""), ()) if draws(unit) else ()
        if chits and chit_of(case, unit) is None:
            position.mark(unit.id, chits[0], FULL)
    return position


def _attacks(position: Position, side: str) -> Iterator[tuple[Sequence[str], Hex]]:
    held = {unit.hex for unit in position.on_map() if unit.side != side}
    for target in sorted(held):
        beside = [unit.id for hex_ in neighbors(target) for unit in position.at(hex_) if unit.side == side]
        yield from (([unit], target) for unit in beside)
        if len(beside) > 1:
            yield beside, target


def _column(
    case: AnyCase, rules: Rulebook, position: Position, attackers: Sequence[str], target: Hex
) -> str | None:
    """None for an attack that is illegal, or has no column."""
    referee = Referee(case.game, case.scenario, rules, {}, {}, position)
    number = 1
    referee.judge(PhaseBegan(position.turn, position.phase))
    before = len(referee.findings)
    referee.judge(Attacked(number, tuple(attackers), (target,)))
    if any(finding.fault.verdict is Verdict.ILLEGAL for finding in referee.findings[before:]):
        return None
    referee.judge(Rolled((1,), 6, "combat", None, number))
    battles = getattr(referee.case.in_phase, "battles", None)
    sheet = getattr(battles[-1], "sheet", None) if battles else None
    return None if sheet is None else str(sheet.column.label)


# --- as data and text ----------------------------------------------------------------------------------


def data(found: Mapping[str, Fingerprint]) -> dict[str, object]:
    return {
        side: {"units": of.units, "reach": of.reach, "supply": of.supply, "attacks": of.attacks}
        for side, of in found.items()
    }
