"""Chapter 9.8: partisans, where and when they are set."""

from __future__ import annotations

from fieldpost.hexes import Hex, distance
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES
from validator.games.wfm.partisans import PARTISAN
from validator.games.wfm.state import Case
from validator.model.events import Marked, Unmarked
from validator.model.findings import Fault
from validator.model.position import having, names_of, of_side
from validator.procedures.faults import Rows, all_that_hold, first_that_holds, of_rule, unless
from validator.procedures.lastingmarkers import laid_anew, markers_on_hexes
from validator.procedures.moves import spot_of
from validator.procedures.strengthchits import entry_turn

COUNTRY = "soviet-union"
SECURITY_DISTANCE = 2
PHASES = {"sov-move": "movement", "admin": "administrative"}  # and the choices of the option


@RULES.rule("wfm-9.81", "wfm-9.82", "wfm-20.35")
@RULES.before(Marked, kind=PARTISAN)
def partisans_are_set_in_their_time_and_country(case: Case, event: Marked) -> Faults:
    for hex_ in laid_anew(case, event):
        where = f"{event.marker} is set in {case.label(hex_)}: "
        yield from _time(case, event.marker, hex_)
        yield from all_that_hold(_place(case, event.marker, hex_), where, (), (hex_,))
        yield from all_that_hold(_near_security(case, hex_), where, (), (hex_,))


@RULES.track(Marked, when=JUDGED, kind=PARTISAN)
def note_the_partisan(case: Case, event: Marked) -> None:
    case.in_turn.partisans_set[event.marker] += len(laid_anew(case, event))


def _time(case: Case, marker: str, hex_: Hex) -> Faults:
    """9.81 and 3.0 name two phases; once a turn in either."""
    choice, due = case.option("partisan-phase"), entry_turn(case, marker)
    again = case.in_turn.partisans_set[marker]
    rows = (
        (case.phase not in PHASES, "is set in a phase that is not for partisans"),
        (
            choice not in ("either", PHASES.get(case.phase)),
            f"is set; partisans are set in the {choice} phase",
        ),
        (case.turn < due, f"comes in turn {due}"),
    )
    twice = (again, "is set a second time in this turn")
    sure = any(holds for holds, _ in rows)
    yield from first_that_holds(
        of_rule("wfm-9.81", (*rows, twice)), f"{marker} ", (), (hex_,), lambda rule: unless(not sure)
    )


def _place(case: Case, marker: str, hex_: Hex) -> Rows:
    country = case.game.map.grid["country"].values.get(hex_)
    where = (country or "no country").replace("-", " ").title()
    axis = names_of(of_side(case.position.at(hex_), AXIS))
    others = [m for m, h in markers_on_hexes(case, PARTISAN) if h == hex_ and m != marker]
    rows = (
        (country != COUNTRY, f"that is in {where}"),
        (axis, f"{'+'.join(axis)} is there"),
        (others, f"{'+'.join(others)} is there"),
    )
    return of_rule("wfm-9.82", rows)


def _near_security(case: Case, hex_: Hex) -> Rows:
    """20.35"""
    played = case.option("security-divisions") == "on"
    units = having(case.position.on_map(AXIS), "security") if played else ()
    away = ((unit.id, distance(unit.hex, hex_)) for unit in units)
    asked = f"more than {SECURITY_DISTANCE} are asked"
    rows = ((hexes <= SECURITY_DISTANCE, f"{hexes} hexes from {name}, {asked}") for name, hexes in away)
    return of_rule("wfm-20.35", rows)


# --- never eliminated (9.84) -----------------------------------------------------------------------


@RULES.track(Unmarked, kind=PARTISAN, on=Hex)
def partisans_are_never_eliminated(case: Case, event: Unmarked) -> None:
    """Taken up in their own phases they may be set again in the other; elsewhere they stay."""
    for hex_ in spot_of(event.on) if case.phase not in PHASES else ():
        case.in_phase.partisans_taken_up[event.marker] = hex_


@RULES.rule("wfm-9.84")
@RULES.at_phase_end()
def partisans_that_were_taken_off_are_missed(case: Case) -> Faults:
    there = {marker for marker, _ in markers_on_hexes(case, PARTISAN)}
    for marker, hex_ in case.in_phase.partisans_taken_up.items():
        if marker not in there:
            yield Fault("wfm-9.84", f"{marker} was taken off; partisans are never eliminated", (), (hex_,))
