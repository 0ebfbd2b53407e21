"""Stacking: what a hex holds of one side at the end of a phase."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import StackingRules
from validator.core.board import HexId, Mask
from validator.core.stacking import Piece, StackRules, StackVerdict, check_stack
from validator.engine.rulebook import Faults, Rulebook
from validator.model.position import Unit
from validator.procedures import faults
from validator.standard.book import STACKING, cited, rules_of
from validator.standard.field import Field, field_at_phase_start, field_of
from validator.standard.state import Case


def install(rules: Rulebook, game: Game) -> None:
    if rules_of(game).stacking is not None:
        rules.rule(cited(game, STACKING))(rules.at_phase_end()(no_hex_is_overstacked))


def no_hex_is_overstacked(case: Case) -> Faults:
    """Where a phase found too many already, and none came, nobody is accused again."""
    field, before = field_of(case), field_at_phase_start(case)
    for side in case.game.sides:
        for hex_id in sorted({hex_id for hex_id, _ in field.of_side(side.id)}):
            units = field.units(hex_id, side.id)
            verdict = stack_of(case, field, hex_id, units)
            if not verdict.legal and {u.id for u in units} - {u.id for u in before.units(hex_id, side.id)}:
                yield faults.overstacked(field, hex_id, verdict, cited(case.game, STACKING))


def stack_of(case: Case, field: Field, hex_id: HexId, units: Iterable[Unit]) -> StackVerdict:
    told = rules_of(case.game).stacking
    assert told is not None
    rules = StackRules(limit_of(told, field, hex_id), mixes=None if told.mixed else frozenset())
    return check_stack(rules, [_piece(told, unit) for unit in units])


def limit_of(told: StackingRules, field: Field, hex_id: HexId) -> Fraction:
    """A place goes before the terrain it stands on."""
    places = (place.kind for place in field.board.places.get(hex_id, ()))
    kinds = (*places, field.board.terrain[hex_id])
    return next((told.at[kind] for kind in kinds if kind in told.at), told.limit)


def _piece(told: StackingRules, unit: Unit) -> Piece:
    size = unit.type.stacking if told.count == "size" else Fraction(1)
    free = any(unit.has(trait) for trait in told.free)
    return Piece(unit.id, Fraction(0) if free else size, unit.nationality)


def full_for(case: Case, field: Field, unit: Unit) -> Mask:
    """Hexes that have no room for a unit."""
    found = {hex_id for hex_id, _ in field.of_side(unit.side)}
    crowded = (h for h in found if not _room(case, field, h, unit))
    return field.board.mask(crowded)


def _room(case: Case, field: Field, hex_id: HexId, unit: Unit) -> bool:
    there = [other for other in field.units(hex_id, unit.side) if other.id != unit.id]
    return stack_of(case, field, hex_id, [*there, unit]).legal
