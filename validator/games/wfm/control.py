"""Who controls a city or port (5.7): its last occupant, and before that the country it lies in."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.core.board import HexId, Mask
from validator.engine.rulebook import APPLIED, Faults
from validator.games.wfm.book import ENEMY, RULES, SOVIET, special
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Event, Moved, Placed
from validator.model.findings import Fault, Verdict
from validator.procedures.control import holder, taken

CONTROL_PLACES = ("major-city", "fortress")


def contested(field: Field, hex_id: HexId) -> bool:
    """Major cities and ports have a controller."""
    board = field.board
    return board.has_place(hex_id, *CONTROL_PLACES) or board.has_feature(hex_id, "port")


def controller(case: Case, hex_: Hex) -> str:
    return holder(case.position, hex_) or SOVIET


def friendly_ports(case: Case, field: Field, side: str) -> Mask:
    """5.52, as it was when the phase began."""
    ports = field.board.with_feature("port")
    return field.board.mask(h for h in ports if controller(case, field.board.hexes[h]) == side)


@RULES.track(Moved, Placed, when=APPLIED)
def the_last_occupant_controls(case: Case, event: Event) -> None:
    """5.72: passing through is enough; a path shown by its ends takes its ends."""
    side, hexes = taken(case.position, event)
    for hex_ in hexes:
        case.in_phase.entered[hex_] = side
        case.position.take(hex_, side)


# --- markers (5.73) ------------------------------------------------------------------------------


@RULES.rule("wfm-5.73")
@RULES.at_phase_end()
def control_markers_show_who_holds_cities_and_ports(case: Case) -> Faults:
    """Of hexes entered in this phase. A marker shows what the map does not: a city in foreign hands."""
    if special(case, "no-sea-movement") and not (case.scenario.victory and case.scenario.victory.cities):
        return  # nothing hangs on control
    field = field_of(case)
    for hex_ in case.in_phase.entered:
        if any(contested(field, hex_id) for hex_id in field.ids([hex_])):
            yield from _marked_wrongly(case, hex_)


def _marked_wrongly(case: Case, hex_: Hex) -> Faults:
    held, marks = case.position.control[hex_], case.position.marks.get(hex_, {})
    shown = next((side for side in ENEMY if f"{side}-control" in marks), None)
    wanted = None if held == case.game.holder_at_start(hex_) else held
    if shown == wanted:
        return
    place = f"{field_of(case).ground.named_place(hex_)} is held by the {held.title()} side"
    missing = (
        f"no {wanted.title()} Control marker lies there" if wanted else f"its {shown} marker still lies there"
    )
    yield Fault("wfm-5.73", f"{place}, and {missing}", (), (hex_,), verdict=Verdict.WARNING)
