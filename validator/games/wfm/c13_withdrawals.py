"""Chapters 13.6 and 13.7: units that leave the game for good."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES
from validator.games.wfm.c13_returns import WITHDRAWN
from validator.games.wfm.state import Case
from validator.model.events import Moved, Placed, Removed
from validator.model.findings import Fault
from validator.model.position import Unit, having, names_of

SURRENDER = 34
WITHDRAWALS = (11, 31)


@RULES.rule("wfm-13.6")
@RULES.at_phase_end("admin")
def italy_surrenders_in_turn_34(case: Case) -> Faults:
    if case.turn == SURRENDER:
        for unit in case.position.on_map(AXIS):
            if unit.type.id == "italian-army":
                text = f"{unit.id} is still on the map; it leaves the game in turn {SURRENDER}"
                yield Fault("wfm-13.6", text, (unit.id,), (unit.hex,))


@RULES.rule("wfm-13.7")
@RULES.before(Removed, Moved, phases=["ger-mech"])
def one_airbase_is_withdrawn(case: Case, event: Removed | Moved) -> Faults:
    """An airbase that leaves in this phase is set aside; one that waits for its return may be (an option)."""
    for unit in _set_aside(case, event):
        names = (*case.in_phase.withdrawn, unit.id)
        if len(names) > 1:
            text = f"{' and '.join(names)} are withdrawn; it is one airbase with its fleet"
            yield Fault("wfm-13.7", text, names)
        elif not unit.on_map and case.option("withdraw-absent") == "off":
            yield Fault("wfm-13.7", f"{unit.id} is withdrawn, but it is not on the map", (unit.id,))


@RULES.track(Removed, Moved, when=JUDGED, phases=["ger-mech"])
def note_what_is_withdrawn(case: Case, event: Removed | Moved) -> None:
    for unit in _set_aside(case, event):
        case.in_phase.withdrawn.append(unit.id)
        case.in_game.withdrawn.add(unit.id)


def _set_aside(case: Case, event: Removed | Moved) -> list[Unit]:
    if case.turn not in WITHDRAWALS:
        return []
    leaves = isinstance(event, Removed) or event.end == WITHDRAWN
    return having(case.units(event.concerned), "airbase") if leaves else []


@RULES.rule("wfm-13.7")
@RULES.at_phase_end("ger-mech")
def an_airbase_is_withdrawn(case: Case) -> Faults:
    """Turns 11 and 31; it may not be put off. Without an airbase on the map one that waits may be named."""
    present = having(case.position.on_map(AXIS), "airbase")
    if case.turn in WITHDRAWALS and present and not case.in_phase.withdrawn:
        names = names_of(present)
        text = f"one of {', '.join(names)} leaves the game at the end of this phase, and none did"
        yield Fault("wfm-13.7", text, names)


@RULES.rule("wfm-13.7")
@RULES.before(Placed, comes_to=Hex)
def withdrawn_units_stay_away(case: Case, event: Placed) -> Faults:
    unit = case.unit(event.unit)
    if unit.spot == WITHDRAWN or unit.id in case.in_game.withdrawn:
        yield Fault("wfm-13.7", f"{unit.id} was withdrawn for good", (unit.id,), event.entered)
