"""What chapter 8 counts by: who is dead, who arrived, and the board as a player turn began."""

from __future__ import annotations

from dataclasses import dataclass

from validator.core.board import HexId
from validator.engine.referee import Case
from validator.engine.rulebook import Faults
from validator.games.lwe.battles import FIGHTING
from validator.games.lwe.book import RULES, SOVIET, SOVIET_ENTRY, SOVIET_PA
from validator.games.lwe.field import Field, field_at_phase_start, field_of
from validator.games.lwe.lines import soviet_lines
from validator.model.events import Removed
from validator.model.position import Unit

DEAD_BOXES = ("soviet-eliminated", "german-eliminated", "soviet-removed")
GERMAN_PHASES = (
    "german-declaration",
    "german-refit-start",
    "german-new-units",
    "german-pa-first",
    "german-move",
)


@dataclass(frozen=True)
class GermanTurn:
    """`clear`: no Soviet unit in the hexes where asterisked units enter."""

    clear: bool


def dead(case: Case, unit: Unit) -> bool:
    """Eliminated: in a dead pile, or taken off the map in this log and not put back."""
    if unit.on_map:
        return False
    return unit.spot in DEAD_BOXES or (unit.spot is None and unit.id in _removed(case))


def _removed(case: Case) -> set[str]:
    found: set[str] = case.in_game.notes.setdefault("removed-from-map", set())
    return found


@RULES.before(Removed)
def note_the_dead(case: Case, event: Removed) -> Faults:
    if case.position.units[event.unit].on_map:
        _removed(case).add(event.unit)
    yield from ()


def arrived(case: Case) -> dict[str, str]:
    """Units that came onto the map in this turn, and how."""
    found: dict[str, str] = case.in_turn.notes.setdefault("arrived", {})
    return found


@RULES.at_phase_start(*GERMAN_PHASES)
def note_how_the_german_turn_begins(case: Case) -> Faults:
    german_turn_begins(case)
    yield from ()


def german_turn_begins(case: Case) -> GermanTurn:
    """As the first phase of the turn that the log shows began."""
    found = case.in_turn.notes.get("german-turn")
    if found is None:
        field = field_of(case)
        hexes = field.ground.edge("asterisk-entry")
        clear = not any(field.units(h, SOVIET) for h in hexes)
        found = case.in_turn.notes["german-turn"] = GermanTurn(clear)
    assert isinstance(found, GermanTurn)
    return found


@RULES.at_phase_start(SOVIET_PA, SOVIET_ENTRY)
def note_how_the_soviet_turn_begins(case: Case) -> Faults:
    case.in_turn.notes.setdefault("soviet-turn", field_at_phase_start(case))
    yield from ()


def soviet_turn_begins(case: Case) -> Field:
    """The board as the Soviet player turn opened (8.5)."""
    found = case.in_turn.notes.setdefault("soviet-turn", field_at_phase_start(case))
    assert isinstance(found, Field)
    return found


def supplied_for_entry(case: Case, field: Field, hex_id: HexId) -> bool:
    """Regular supply, whether Directive 3 is in force or not; coastal supply by option (A4)."""
    lines = soviet_lines(case, field)
    if lines.regular(hex_id):
        return True
    return case.option("coastal-entry") == "on" and lines.supplied(hex_id)


def losing_phases() -> tuple[str, ...]:
    return (*FIGHTING, "soviet-supply")
