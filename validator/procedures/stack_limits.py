"""Hexes that hold too many units when a phase ends. A game states its limits as `Limits`."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from validator.core.board import HexId
from validator.core.stacking import Piece, StackRules, StackVerdict, check_stack
from validator.engine.case import AnyCase
from validator.engine.rulebook import Faults, Rulebook
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.field import Field


@dataclass(frozen=True)
class Limits:
    """`rule_of` gives the rule that a stack breaks, `lasting` that of one left so by the phase before.
    The game remembers `in_game.overfull`: what was overfull, by hex.
    """

    field_of: Callable[[Any], Any]
    at_start: Callable[[Any], Any]
    rules_of: Callable[[Any, str], StackRules]
    piece: Callable[[Any, Unit], Piece]
    rule_of: Callable[[Any, StackVerdict], str]
    lasting: str
    others: tuple[str, ...]
    told: Callable[[Any], Container[HexId]] = lambda case: ()  # hexes that were named already in this phase


def stack(of: Limits, case: AnyCase, units: Iterable[Unit], side: str) -> StackVerdict:
    pieces = [of.piece(case, unit) for unit in units if unit.side == side]
    return check_stack(of.rules_of(case, side), pieces)


def register(rules: Rulebook, of: Limits) -> None:
    @rules.rule(of.lasting, *of.others)
    @rules.at_phase_end()
    def no_hex_is_overstacked_when_a_phase_ends(case: AnyCase) -> Faults:
        """A stack that was overfull before is reported once."""
        field = of.field_of(case)
        for hex_id, side, verdict in overfull(of, case, field):
            known = case.in_game.overfull.get(hex_id, frozenset())
            if _names(verdict) <= known or hex_id in of.told(case):
                continue
            rule = of.lasting if _began_so(of, case, hex_id, side) else of.rule_of(case, verdict)
            yield faults.overstacked(field, hex_id, verdict, rule)

    @rules.track_end()
    def note_what_is_overstacked(case: AnyCase) -> None:
        for hex_id, _, verdict in overfull(of, case, of.field_of(case)):
            case.in_game.overfull[hex_id] = _names(verdict)


def overfull(of: Limits, case: AnyCase, field: Field) -> Iterator[tuple[HexId, str, StackVerdict]]:
    for side in (side.id for side in case.game.sides):
        for hex_id in suspects(field, side, of.rules_of(case, side)):
            verdict = stack(of, case, field.units(hex_id), side)
            if not verdict.legal:
                yield hex_id, side, verdict


def suspects(field: Field, side: str, rules: StackRules) -> list[HexId]:
    """Hexes that may break the limits: those too full, where the sum of sizes decides alone."""
    sum_decides = not (rules.slots or rules.mixes or rules.most or rules.free)
    crowded = field.occupancy.fuller_than(side, rules.limit) if sum_decides else field.occupied(side)
    return field.board.members(crowded)


def _names(verdict: StackVerdict) -> frozenset[str]:
    return frozenset(unit for breach in verdict.breaches for unit in breach.units)


def _began_so(of: Limits, case: AnyCase, hex_id: HexId, side: str) -> bool:
    return not stack(of, case, of.at_start(case).units(hex_id), side).legal
