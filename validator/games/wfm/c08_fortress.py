"""Chapter 8.47: fortresses fall for good when an Axis unit enters them."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.rulebook import APPLIED, Faults
from validator.games.wfm.book import AXIS, RULES
from validator.games.wfm.c10_air import is_fortress
from validator.games.wfm.state import Case
from validator.model.events import Moved, Placed, Unmarked
from validator.model.findings import Fault

MARKER = "destroyed"


@RULES.track(Moved, Placed, when=APPLIED)
def fortresses_fall(case: Case, event: Moved | Placed) -> None:
    """Places where Axis units are set up count too; chapter 8.1 reads the row of odds by it."""
    entered = event.entered if case.unit(event.concerned[0]).side == AXIS else ()
    fallen = {hex_ for hex_ in entered if is_fortress(case, hex_)} - case.in_game.fortresses_fallen
    case.in_phase.fortresses_fallen |= fallen
    case.in_game.fortresses_fallen |= fallen


@RULES.rule("wfm-8.47")
@RULES.at_phase_end()
def fallen_fortresses_are_marked(case: Case) -> Faults:
    for hex_ in case.in_phase.fortresses_fallen:
        if MARKER not in case.position.marks.get(hex_, {}):
            text = f"an Axis unit entered the fortress {case.label(hex_)}: it is marked as destroyed"
            yield Fault("wfm-8.47", text, hexes=(hex_,))


@RULES.rule("wfm-8.47")
@RULES.before(Unmarked, marker=MARKER, on=Hex)
def fortresses_are_not_repaired(case: Case, event: Unmarked) -> Faults:
    if isinstance(event.on, Hex) and is_fortress(case, event.on):
        text = f"the fortress {case.label(event.on)} is not repaired"
        yield Fault("wfm-8.47", text, hexes=(event.on,))
