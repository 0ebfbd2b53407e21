"""Chapter 13.3, and 13.17 for what may not be delayed: strength markers and partisans that arrive."""

from __future__ import annotations

from fieldpost.definition.model import Marker
from validator.engine.rulebook import Faults
from validator.games.wfm.book import RULES
from validator.games.wfm.partisans import PARTISAN
from validator.games.wfm.state import Case
from validator.model.events import PhaseBegan, Returned
from validator.model.findings import Fault
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.strengthchits import STRENGTH, entry_turn


def _arriving(case: Case, kind: str) -> list[Marker]:
    """The markers of a kind that are due in this turn."""
    return [m for m in case.game.markers if m.kind == kind and entry_turn(case, m.id) == case.turn]


@RULES.rule("wfm-13.17", "wfm-13.32")
@RULES.at_phase_end("supply")
def strength_markers_are_not_delayed(case: Case) -> Faults:
    """Asked only where the phase was seen from its beginning, and the cups are known."""
    if not case.in_phase.of(PhaseBegan) or not any(case.phase_start.decks.values()):
        return
    for marker in _arriving(case, STRENGTH):
        come = len(case.in_phase.of(Returned, marker=marker.id))
        if come < marker.count:
            text = f"{marker.count - come} of {marker.count} markers {marker.id} are due in turn {case.turn}"
            yield Fault("wfm-13.17", f"{text} and were not put into their cup")


@RULES.rule("wfm-13.17")
@RULES.at_phase_end("admin")
def partisans_are_not_delayed(case: Case) -> Faults:
    """In the turn they arrive; scenarios with a schedule of their own list no partisans (16.31)."""
    if case.scenario.reinforcements or not case.in_turn.of(PhaseBegan, phase="sov-move"):
        return
    there = {marker for marker, _ in markers_on_hexes(case, PARTISAN)}
    for marker in _arriving(case, PARTISAN):
        if marker.id not in there:
            yield Fault("wfm-13.17", f"{marker.id} arrives in turn {case.turn} and was not set")
