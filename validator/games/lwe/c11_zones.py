"""Chapter 11.24: fortified zones go with Directive 3; and what of chapters 8 and 11 no log decides."""

from __future__ import annotations

from validator.core.board import HexId
from validator.engine.rulebook import Faults
from validator.games.lwe.battles import ZONE
from validator.games.lwe.book import RULES, SOVIET, TURN_START, WEATHER
from validator.games.lwe.course import FIRST_WEATHER
from validator.games.lwe.field import field_of
from validator.games.lwe.state import Case
from validator.model.events import Removed
from validator.model.findings import Fault
from validator.model.position import Unit, having, names_of
from validator.procedures.ask_each import each, units_of
from validator.procedures.faults import of_units, unless

OPENING = (TURN_START, WEATHER)  # the phases that Directive 3 ends in


def _outlasts_the_directive(case: Case, hex_id: HexId) -> bool:
    """By choice cities count as large towns."""
    in_a_city = case.option("zones-in-cities") == "stay" and field_of(case).board.has_place(hex_id, "city")
    return in_a_city or _in_a_large_town(case, hex_id)


def _in_a_large_town(case: Case, hex_id: HexId) -> bool:
    return field_of(case).board.has_place(hex_id, "large-town")


@RULES.rule("lwe-11.24g")
@RULES.at_phase_end(*OPENING)
def zones_outside_large_towns_go_with_the_directive(case: Case) -> Faults:
    """Once, in the phase that ends Directive 3."""
    field = field_of(case)
    ended = field.course.dd3 is False and not case.in_game.zones_gone
    left = field.of_side(SOVIET, ZONE) if ended else ()
    outside = [(h, unit) for h, unit in left if not _outlasts_the_directive(case, h)]
    names, hexes = names_of(unit for _, unit in outside), field.hexes(h for h, _ in outside)
    if names:
        text = f"Directive 3 is ended: {'+'.join(names)} is removed, for it is in no large town"
        yield Fault("lwe-11.24g", text, names, hexes)


@RULES.before(Removed, phases=OPENING, having=ZONE)
@each(units_of)
def zones_in_large_towns_stay(case: Case, event: Removed, zone: Unit) -> Faults:
    """To the letter a city is no large town: there it is doubtful."""
    for _, hex_id in field_of(case).standing([zone]):
        if _outlasts_the_directive(case, hex_id):
            place = "large town" if _in_a_large_town(case, hex_id) else "city"
            text, verdict = f"{zone.id} is in a {place} and stays", unless(place == "city")
            yield Fault("lwe-11.24g", text, (zone.id,), (zone.hex,), verdict=verdict)


@RULES.at_phase_end(*OPENING)
def no_zone_goes_while_the_directive_lasts(case: Case) -> Faults:
    """Where weather is rolled it may end the Directive next."""
    zones = having(case.units(case.in_phase.concerned(Removed)), ZONE)
    gone = [zone.id for zone in zones if not zone.on_map] if field_of(case).course.dd3 else ()
    doubt = unless(case.turn >= FIRST_WEATHER and case.phase == TURN_START)
    yield from of_units("lwe-11.24g", gone, "is removed while Directive 3 is in force", verdict=doubt)


@RULES.track_end(*OPENING)
def note_that_zones_have_gone(case: Case) -> None:
    case.in_game.zones_gone |= field_of(case).course.dd3 is False


for _id, _why in {
    "lwe-11.4b": "A permission: a defender may be attacked again in a phase; its whole strength is 11.2a.",
    "lwe-11.37b": "A permission: nobody needs to advance; who may is 11.37a.",
    "lwe-8.1c": "A permission: arrivals act at once; the exception is 8.2d.",
    "lwe-8.2e": "A permission: the hex of entry is free; the reserve pays for it by 3.5c.",
    "lwe-8.13c": "A permission: Guards move at once; the order of phases is 5.3b.",
}.items():
    RULES.cannot_check(_id, _why)
