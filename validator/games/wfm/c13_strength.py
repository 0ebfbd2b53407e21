"""Chapter 13.3, and 13.17 for what may not be delayed: strength markers and partisans that arrive."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.wfm.book import RULES
from validator.games.wfm.partisans import PARTISAN, markers_on_hexes
from validator.games.wfm.state import Case
from validator.model.events import PhaseBegan, Returned
from validator.model.findings import Fault

STRENGTH = "strength"


def due(case: Case, marker: str) -> int | None:
    """The turn that is printed on a marker."""
    code = case.game.marker[marker].enters or ""
    return int(code[2:]) if code.startswith("GT") and code[2:].isdigit() else None


def _class(case: Case, marker: str) -> str:
    return str(case.game.marker[marker].values.get("class", ""))


@RULES.rule("wfm-13.32")
@RULES.before(Returned, unit=None)
def new_strength_markers_go_into_their_cups(case: Case, event: Returned) -> Faults:
    """Not before their turn, and each into the cup of its class; that none is left out is 13.17."""
    if event.deck is None or case.game.marker[event.marker].kind != STRENGTH:
        return
    cup = next(deck for deck in case.game.decks if deck.id == event.deck)
    turn = due(case, event.marker)
    if cup.where.get("class") != _class(case, event.marker):
        yield Fault("wfm-13.32", f"{event.marker} goes into {event.deck}, the cup of another class")
    elif turn is not None and turn > case.turn:
        yield Fault("wfm-13.32", f"{event.marker} is due in turn {turn} and goes into its cup in {case.turn}")


@RULES.rule("wfm-13.17", "wfm-13.32")
@RULES.at_phase_end("supply")
def strength_markers_are_not_delayed(case: Case) -> Faults:
    """Asked only where the phase was seen from its beginning, and the cups are known."""
    if not case.in_phase.of(PhaseBegan) or not any(case.phase_start.decks.values()):
        return
    for marker in case.game.markers:
        if marker.kind != STRENGTH or due(case, marker.id) != case.turn:
            continue
        come = len(case.in_phase.of(Returned, marker=marker.id))
        if come < marker.count:
            text = f"{marker.count - come} of {marker.count} markers {marker.id} are due in turn {case.turn}"
            yield Fault("wfm-13.17", f"{text} and were not put into their cup")


@RULES.rule("wfm-13.17")
@RULES.at_phase_end("admin")
def partisans_are_not_delayed(case: Case) -> Faults:
    """In the turn they arrive; scenarios with a schedule of their own list no partisans (16.31)."""
    began = (event for event in case.in_turn.events if isinstance(event, PhaseBegan))
    if case.scenario.reinforcements or not any(event.phase == "sov-move" for event in began):
        return
    there = {marker for marker, _ in markers_on_hexes(case, PARTISAN)}
    for marker in case.game.markers:
        if marker.kind == PARTISAN and due(case, marker.id) == case.turn and marker.id not in there:
            yield Fault("wfm-13.17", f"{marker.id} arrives in turn {case.turn} and was not set")
