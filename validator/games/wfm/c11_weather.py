"""Chapter 11: weather outside combat. What it does to movement, lines and strengths is in their chapters."""

from __future__ import annotations

from validator.events import Placed, Rolled
from validator.findings import Fault
from validator.games.wfm.book import RULES
from validator.games.wfm.field import CLEAR, field_of
from validator.position import Unit
from validator.referee import Case
from validator.registry import Faults

SUCCESS = 2  # or less (13.43)
IN_ZONE, WEATHER = 1, 3


def drop_modifier(case: Case) -> int:
    """11.13, 11.26: what mud and snow add to the die of a drop."""
    if case.season == CLEAR:
        return 0
    return -WEATHER if case.option("drop-weather") == "minus-3" else WEATHER


def drop_rolls(case: Case) -> list[Rolled]:
    """The dice of drops in this phase."""
    return [e for e in case.in_phase.events if isinstance(e, Rolled) and "drop" in e.reason]


def dropped(case: Case) -> list[Unit]:
    """Airborne corps that came onto the map in this phase."""
    units = case.position.units
    names = dict.fromkeys(event.unit for event in case.in_phase.events if isinstance(event, Placed))
    return [units[name] for name in names if units[name].has("drop-only") and units[name].on_map]


def modified_drop(case: Case, corps: Unit, die: int) -> tuple[int, str]:
    """The die of a drop that landed, and how it came about."""
    zone = IN_ZONE if field_of(case).in_enemy_zone(corps) else 0
    weather = drop_modifier(case)
    parts = [f"die {die}", *([f"{zone:+d} zone of control"] if zone else [])]
    if weather:
        parts.append(f"{weather:+d} {case.season}")
    return die + zone + weather, ", ".join(parts)


@RULES.rule("wfm-11.13")
@RULES.at_phase_end("sov-move")
def mud_and_snow_help_a_drop(case: Case) -> Faults:
    """Read as 3 off the die; the other reading and clear turns are judged with 13.43."""
    rolls, landed = drop_rolls(case), dropped(case)
    if case.season == CLEAR or case.option("drop-weather") != "minus-3" or len(rolls) != 1:
        return
    die = rolls[0].values[0]
    if len(landed) == 1:
        total, sum_ = modified_drop(case, landed[0], die)
        if total > SUCCESS:
            text = f"{landed[0].id} landed with {total}, {SUCCESS} or less needed: {sum_}"
            yield Fault("wfm-11.13", text, (landed[0].id,), (landed[0].hex,))
    elif not landed and rolls[0].about and die - WEATHER + IN_ZONE <= SUCCESS:
        text = (
            f"{rolls[0].about} is not on the map, but its drop succeeded: die {die}, -{WEATHER} {case.season}"
        )
        yield Fault("wfm-11.13", text, (rolls[0].about,))
