"""Chapter 9.8: partisans, where and when they are set."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex, distance
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.book import AXIS, RULES
from validator.games.wfm.partisans import PARTISAN
from validator.games.wfm.state import Case
from validator.model.events import Marked, Unmarked
from validator.model.findings import Fault, Verdict
from validator.model.position import having, names_of, of_side
from validator.procedures.lastingmarkers import markers_on_hexes
from validator.procedures.moves import spot_of
from validator.procedures.strengthchits import entry_turn

COUNTRY = "soviet-union"
SECURITY_DISTANCE = 2
PHASES = {"sov-move": "movement", "admin": "administrative"}  # and the choices of the option


def is_partisan(case: Case, marker: str) -> bool:
    return case.game.marker[marker].kind == PARTISAN


@RULES.rule("wfm-9.81", "wfm-9.82", "wfm-20.35")
@RULES.before(Marked)
def partisans_are_set_in_their_time_and_country(case: Case, event: Marked) -> Faults:
    for hex_ in _newly_set(case, event):
        yield from _time(case, event.marker, hex_)
        where = f"{event.marker} is set in {case.label(hex_)}"
        for reason in _place(case, event.marker, hex_):
            yield Fault("wfm-9.82", f"{where}: {reason}", (), (hex_,))
        for reason in _near_security(case, hex_):
            yield Fault("wfm-20.35", f"{where}: {reason}", (), (hex_,))


@RULES.track(Marked, when=JUDGED)
def note_the_partisan(case: Case, event: Marked) -> None:
    case.in_turn.partisans_set[event.marker] += len(_newly_set(case, event))


def _newly_set(case: Case, event: Marked) -> tuple[Hex, ...]:
    """The hex a partisan is set in; nothing of other markers, and of one that lies there."""
    new = isinstance(event.on, Hex) and event.marker not in case.position.marks.get(event.on, {})
    return spot_of(event.on) if new and is_partisan(case, event.marker) else ()


def _time(case: Case, marker: str, hex_: Hex) -> Iterator[Fault]:
    """9.81 and 3.0 name two phases; once a turn in either."""
    choice = case.option("partisan-phase")
    if case.phase not in PHASES:
        yield Fault("wfm-9.81", f"{marker} is set in a phase that is not for partisans", (), (hex_,))
    elif choice not in ("either", PHASES[case.phase]):
        yield Fault("wfm-9.81", f"{marker} is set; partisans are set in the {choice} phase", (), (hex_,))
    elif case.turn < entry_turn(case, marker):
        text = f"{marker} comes in turn {entry_turn(case, marker)}"
        yield Fault("wfm-9.81", text, (), (hex_,))
    elif case.in_turn.partisans_set[marker]:
        text = f"{marker} is set a second time in this turn"
        yield Fault("wfm-9.81", text, (), (hex_,), verdict=Verdict.WARNING)


def _place(case: Case, marker: str, hex_: Hex) -> Iterator[str]:
    country = case.game.map.grid["country"].values.get(hex_)
    if country != COUNTRY:
        yield f"that is in {(country or 'no country').replace('-', ' ').title()}"
    others = [m for m, h in markers_on_hexes(case, PARTISAN) if h == hex_ and m != marker]
    for names in (names_of(of_side(case.position.at(hex_), AXIS)), others):
        if names:
            yield f"{'+'.join(names)} is there"


def _near_security(case: Case, hex_: Hex) -> Iterator[str]:
    """20.35"""
    for unit in (
        having(case.position.on_map(AXIS), "security") if case.option("security-divisions") == "on" else ()
    ):
        if distance(unit.hex, hex_) <= SECURITY_DISTANCE:
            yield f"{distance(unit.hex, hex_)} hexes from {unit.id}, more than {SECURITY_DISTANCE} are asked"


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
