"""Chapter 11: weather outside combat. What it does to movement, lines and strengths is in their chapters."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.wfm.book import RULES
from validator.games.wfm.field import CLEAR
from validator.games.wfm.state import Case
from validator.model.events import Rolled
from validator.model.findings import Fault

SUCCESS = 2  # or less (13.43)
IN_ZONE, WEATHER = 1, 3


@RULES.rule("wfm-11.13")
@RULES.at_phase_end("sov-move")
def mud_and_snow_help_a_drop(case: Case) -> Faults:
    """A corps whose drop succeeded is on the map; one that landed is judged with 13.43."""
    rolls = [event for event in case.in_phase.of(Rolled) if "drop" in event.reason]
    if case.season == CLEAR or case.option("drop-weather") != "minus-3" or len(rolls) != 1:
        return
    corps = case.position.units.get(rolls[0].about or "")
    die = rolls[0].values[0]
    if corps is not None and not corps.on_map and die - WEATHER + IN_ZONE <= SUCCESS:
        text = f"{corps.id} is not on the map, but its drop succeeded: die {die}, -{WEATHER} {case.season}"
        yield Fault("wfm-11.13", text, (corps.id,))
