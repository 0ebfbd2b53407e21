"""Chapter 8.47: fortresses fall for good when an Axis unit enters them."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.rulebook import APPLIED, Faults
from validator.games.wfm.book import AXIS, RULES
from validator.games.wfm.c10_air import fortress_hexes
from validator.games.wfm.state import Case
from validator.model.events import Event, Moved, Placed, Unmarked
from validator.model.findings import Fault

MARKER = "destroyed"


@RULES.track(Moved, Placed, when=APPLIED)
def fortresses_fall(case: Case, event: Event) -> None:
    """Chapter 8.1 reads the row of odds by it."""
    fallen = _entered(case, event) & fortress_hexes(case.game.map) - case.in_game.fortresses_fallen
    case.in_phase.fortresses_fallen |= fallen
    case.in_game.fortresses_fallen |= fallen


def _entered(case: Case, event: Event) -> set[Hex]:
    """The hexes Axis units came into; places where they are set up count too."""
    if isinstance(event, Moved) and case.position.units[event.units[0]].side == AXIS:
        return {spot for spot in event.path[1:] if isinstance(spot, Hex)}
    if isinstance(event, Placed) and case.position.units[event.unit].side == AXIS:
        return {event.spot} if isinstance(event.spot, Hex) else set()
    return set()


@RULES.rule("wfm-8.47")
@RULES.at_phase_end()
def fallen_fortresses_are_marked(case: Case) -> Faults:
    for hex_ in case.in_phase.fortresses_fallen:
        if MARKER not in case.position.marks.get(hex_, {}):
            text = f"an Axis unit entered the fortress {case.label(hex_)}: it is marked as destroyed"
            yield Fault("wfm-8.47", text, hexes=(hex_,))


@RULES.rule("wfm-8.47")
@RULES.before(Unmarked)
def fortresses_are_not_repaired(case: Case, event: Unmarked) -> Faults:
    if event.marker == MARKER and isinstance(event.on, Hex) and event.on in fortress_hexes(case.game.map):
        yield Fault("wfm-8.47", f"the fortress {case.label(event.on)} is not repaired", hexes=(event.on,))
