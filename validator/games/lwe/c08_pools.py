"""What chapter 8 counts by: who is dead, who arrived, and the board as a player turn began."""

from __future__ import annotations

from validator.core.board import HexId
from validator.games.lwe.battles import FIGHTING
from validator.games.lwe.book import RULES, SOVIET, SOVIET_ENTRY, SOVIET_PA
from validator.games.lwe.field import Field, field_at_phase_start, field_of
from validator.games.lwe.lines import soviet_lines
from validator.games.lwe.state import Case
from validator.model.events import Removed, Spot
from validator.model.position import Unit

DEAD_BOXES = ("soviet-eliminated", "german-eliminated", "soviet-removed")
GERMAN_PHASES = (
    "german-declaration",
    "german-refit-start",
    "german-new-units",
    "german-pa-first",
    "german-move",
)


def dead(case: Case, unit: Unit) -> bool:
    """Eliminated: in a dead pile, or taken off the map in this log and not put back."""
    if unit.on_map:
        return False
    return unit.spot in DEAD_BOXES or (unit.spot is None and unit.id in case.in_game.removed)


@RULES.track(Removed)
def note_the_dead(case: Case, event: Removed) -> None:
    if case.position.units[event.unit].on_map:
        case.in_game.removed.add(event.unit)


@RULES.track_start(*GERMAN_PHASES)
def note_how_the_german_turn_begins(case: Case) -> None:
    if case.in_turn.asterisk_clear is None:
        case.in_turn.asterisk_clear = asterisk_clear(case)


def asterisk_clear(case: Case) -> bool:
    """No Soviet unit stood where asterisked units enter when the first phase of the turn began."""
    if case.in_turn.asterisk_clear is not None:
        return case.in_turn.asterisk_clear
    field = field_of(case)
    return not any(field.units(h, SOVIET) for h in field.ground.edge("asterisk-entry"))


@RULES.track_start(SOVIET_PA, SOVIET_ENTRY)
def note_how_the_soviet_turn_begins(case: Case) -> None:
    case.in_turn.soviet_turn = case.in_turn.soviet_turn or field_at_phase_start(case)


def soviet_turn_begins(case: Case) -> Field:
    """The board as the Soviet player turn opened (8.5)."""
    return case.in_turn.soviet_turn or field_at_phase_start(case)


def cut_off(case: Case, spot: Spot | None) -> bool:
    """A hex in play that is not in regular supply."""
    hex_id = field_of(case).id(spot)
    return hex_id is not None and not soviet_lines(case).regular(hex_id)


def supplied_for_entry(case: Case, field: Field, hex_id: HexId) -> bool:
    """Regular supply, whether Directive 3 is in force or not; coastal supply by option (A4)."""
    lines = soviet_lines(case, field)
    if lines.regular(hex_id):
        return True
    return case.option("coastal-entry") == "on" and lines.supplied(hex_id)


def losing_phases() -> tuple[str, ...]:
    return (*FIGHTING, "soviet-supply")
