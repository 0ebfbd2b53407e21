"""Chapter 13.5 to 13.7: units that come back after they were lost, and units that leave for good.

A lost headquarters or army is rolled for (`roll "army return" 1d6=3 for 24A`); it then waits on the turn
track (`place 24A turn-28`) or in its side's returns box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.events import Event, Moved, Placed, Removed, Replaced, Rolled
from validator.findings import Fault, Verdict
from validator.games.wfm.book import AXIS, RULES
from validator.position import Unit
from validator.referee import Case
from validator.registry import Faults

AFTER = 4  # turns until an airbase or depot returns (13.52, 13.53)
WITHDRAWN = "axis-withdrawn"
KEPT = ("evacuated-factories", WITHDRAWN, "soviet-converted", "axis-pool")


def losses(case: Case) -> dict[str, tuple[int, str]]:
    """By unit, the turn it was lost and the rule of its return."""
    found: dict[str, tuple[int, str]] = case.in_game.notes.setdefault("lost", {})
    return found


def return_rule(unit: Unit) -> str:
    """The rule by which a lost unit comes back; "" if it never does."""
    if unit.has("depot"):
        return "wfm-9.27"
    if unit.has("airbase"):
        return "wfm-13.52"
    if unit.has("hq"):
        return "wfm-13.54"
    if unit.has("converts"):
        return "wfm-13.57"
    if unit.has("draws-strength"):
        return "wfm-13.56" if unit.has("armor") else "wfm-13.55"
    return ""


@RULES.after(Removed)
def note_what_is_lost(case: Case, event: Removed) -> Faults:
    """Kampfgruppen are used again as needed, withdrawn and evacuated units are gone in another way."""
    unit = case.position.units[event.unit]
    if (
        event.box not in KEPT
        and not unit.has("kg")
        and not unit.has("economic-asset")
        and not unit.has("osg")
    ):
        losses(case)[unit.id] = (case.turn, return_rule(unit))
    yield from ()


@RULES.rule("wfm-13.54", "wfm-13.55", "wfm-13.56", "wfm-13.57")
@RULES.before(Placed, Moved)
def lost_units_wait_as_long_as_the_die_says(case: Case, event: Event) -> Faults:
    """Where a lost unit is put on the turn track."""
    spot = event.spot if isinstance(event, Placed) else event.end if isinstance(event, Moved) else None
    names = (event.unit,) if isinstance(event, Placed) else event.units if isinstance(event, Moved) else ()
    target = re.fullmatch(r"turn-(\d+)", spot) if isinstance(spot, str) else None
    if target is None:
        return
    for name in names:
        turn, rule = losses(case).get(name, (0, ""))
        due = _due(case, name, turn, rule)
        if due is not None and int(target[1]) != due:
            yield Fault(rule, f"{name} was lost in turn {turn} and returns in turn {due}", (name,))


def _due(case: Case, name: str, turn: int, rule: str) -> int | None:
    die = _die(case, name)
    if die is None or rule not in ("wfm-13.54", "wfm-13.55", "wfm-13.56"):
        return None
    if rule == "wfm-13.54":
        return turn + (1 if die <= 3 else 2)
    return turn + 2 * die


def _die(case: Case, name: str) -> int | None:
    rolls = [
        e for e in case.in_game.events if isinstance(e, Rolled) and e.about == name and "return" in e.reason
    ]
    return rolls[-1].values[0] if rolls else None


def came_back(case: Case, unit: Unit) -> Iterator[tuple[str, str]] | None:
    """What is wrong with a unit that was lost before and enters again; None if it never was on the map."""
    converted = any(unit.id in old for old in _converted(case))
    if converted and unit.has("convertible"):
        return iter((("wfm-13.26", "was converted and comes back only by being rebuilt"),))
    if unit.id not in losses(case):
        return None
    return _too_soon(case, unit)


def _converted(case: Case) -> Iterator[tuple[str, ...]]:
    return (e.old for e in case.in_game.events if isinstance(e, Replaced) and e.why == "convert")


def _too_soon(case: Case, unit: Unit) -> Iterator[tuple[str, str]]:
    turn, rule = losses(case)[unit.id]
    if not rule:
        yield "wfm-13.59", "was lost and never returns"
        return
    if rule == "wfm-13.57":
        yield rule, "returns to the Conversion Waiting box, not onto the map"
        return
    due = turn + AFTER if rule in ("wfm-13.52", "wfm-9.27") else _due(case, unit.id, turn, rule)
    if due is not None and case.turn < due:
        yield rule, f"was lost in turn {turn} and returns in turn {due}"
    elif rule in ("wfm-13.55", "wfm-13.56") and _die(case, unit.id) == 1:
        yield rule, "a 1 was rolled: it never returns, a corps does"


def returns(case: Case) -> Iterator[Fault]:
    """Lost headquarters and armies are rolled for in the phase in which they are lost."""
    for event in case.in_phase.events:
        if not isinstance(event, Removed) or event.unit not in losses(case):
            continue
        unit = case.position.units[event.unit]
        rule = losses(case)[event.unit][1]
        if rule in ("", "wfm-13.52", "wfm-9.27") or (unit.has("hq") and case.phase == "supply"):
            continue  # of headquarters out of supply 9.57 speaks
        rolled = any(isinstance(e, Rolled) and "return" in e.reason for e in case.in_phase.events)
        if _die(case, unit.id) is None and not rolled:
            yield Fault(rule, f"{unit.id} was lost, and no die was rolled for its return", (unit.id,))
        if rule == "wfm-13.57" and unit.spot != "conversion-waiting" and event.box != "conversion-waiting":
            yield Fault(
                rule, f"{unit.id} goes to the Conversion Waiting box", (unit.id,), verdict=Verdict.WARNING
            )


# --- units that leave for good (13.6, 13.7) ------------------------------------------------------------


@RULES.rule("wfm-13.6")
@RULES.at_phase_end("admin")
def italy_surrenders_in_turn_34(case: Case) -> Faults:
    if case.turn == 34:
        for unit in case.position.on_map(AXIS):
            if unit.type.id == "italian-army":
                yield Fault("wfm-13.6", f"{unit.id} leaves the game in turn 34", (unit.id,), (unit.hex,))


@RULES.rule("wfm-13.7")
@RULES.at_phase_end("ger-mech")
def an_airbase_is_withdrawn(case: Case) -> Faults:
    """Turns 11 and 31: one airbase and its fleet."""
    if case.turn not in (11, 31):
        return
    gone = [e for e in case.in_phase.events if isinstance(e, Removed) and e.box == WITHDRAWN]
    bases = [e.unit for e in gone if case.position.units[e.unit].has("airbase")]
    present = [unit for unit in case.position.on_map(AXIS) if unit.has("airbase")]
    if len(bases) != 1 and present:
        text = f"{len(bases)} airbases are withdrawn in turn {case.turn}; it is one"
        yield Fault("wfm-13.7", text, tuple(bases))


@RULES.rule("wfm-13.7")
@RULES.before(Placed, Moved)
def withdrawn_units_stay_away(case: Case, event: Event) -> Faults:
    names = (event.unit,) if isinstance(event, Placed) else event.units if isinstance(event, Moved) else ()
    for name in names:
        if case.position.units[name].spot == WITHDRAWN and _enters(event):
            yield Fault("wfm-13.7", f"{name} was withdrawn for good", (name,))


def _enters(event: Event) -> bool:
    spot = event.spot if isinstance(event, Placed) else event.end if isinstance(event, Moved) else None
    return isinstance(spot, Hex)
