"""Stacking: what a hex holds of one side at the end of a phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import StackingRules
from validator.core.board import HexId, Mask
from validator.core.stacking import Piece, StackRules, StackVerdict, check_stack
from validator.engine.rulebook import Faults, Rulebook
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.battlebook import printed_steps_left
from validator.standard.book import STACKING, cited, cites
from validator.standard.field import Field, field_at_phase_start, field_of
from validator.standard.state import Case

FULL = "full"
UNLIMITED = StackingRules(Fraction(10**6))


def install(rules: Rulebook, game: Game) -> None:
    rules.rule(*cites(game, STACKING))(rules.at_phase_end()(no_hex_is_overstacked))


def no_hex_is_overstacked(case: Case) -> Faults:
    """Where a phase found too many already, and none came, nobody is accused again."""
    field, before = field_of(case), field_at_phase_start(case)
    for side in (side.id for side in case.game.sides):
        for hex_id in field.board.members(field.occupied(side)):
            units, stood = field.units(hex_id, side), before.where(before.units(hex_id, side))
            verdict = stack_of(field, hex_id, units)
            if not verdict.legal and any(unit.id not in stood for unit in units):
                yield faults.overstacked(field, hex_id, verdict, cited(case.game, STACKING))


def stack_of(field: Field, hex_id: HexId, units: Iterable[Unit]) -> StackVerdict:
    """Any stack is legal in a game that tells of no limit."""
    told = field.ground.rules.stacking or UNLIMITED
    rules = StackRules(limit_of(told, field, hex_id), mixes=None if told.mixed else frozenset())
    return check_stack(rules, [_piece(told, unit) for unit in units])


def limit_of(told: StackingRules, field: Field, hex_id: HexId) -> Fraction:
    """A place goes before the terrain it stands on."""
    return next((told.at[kind] for kind in field.kinds_at(hex_id) if kind in told.at), told.limit)


def _piece(told: StackingRules, unit: Unit) -> Piece:
    sizes = {"size": unit.type.stacking, "units": Fraction(1), "steps": Fraction(printed_steps_left(unit))}
    free = any(map(unit.has, told.free))
    return Piece(unit.id, Fraction(0) if free else sizes[told.count], unit.nationality)


def full_for(field: Field, unit: Unit) -> Mask:
    """Hexes that have no room for a unit."""
    occupied = field.board.members(field.occupied(unit.side))
    return field.board.mask(hex_id for hex_id in occupied if not has_room(field, hex_id, unit))


def has_room(field: Field, hex_id: HexId, unit: Unit) -> bool:
    there = [other for other in field.units(hex_id, unit.side) if other.id != unit.id]
    return stack_of(field, hex_id, [*there, unit]).legal


def closed_to_passing(field: Field, unit: Unit) -> Mapping[str, Mask]:
    """Hexes that a unit may not even pass through, by key."""
    told = field.ground.rules.stacking or UNLIMITED
    return {FULL: full_for(field, unit)} if told.passing else {}
