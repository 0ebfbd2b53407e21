"""Chapter 11.24: fortified zones go with Directive 3; and what of chapters 8 and 11 no log decides."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.lwe.battles import ZONE
from validator.games.lwe.book import RULES, SOVIET, TURN_START, WEATHER
from validator.games.lwe.field import field_of
from validator.games.lwe.state import Case
from validator.model.findings import Fault
from validator.model.position import names_of


@RULES.rule("lwe-11.24g")
@RULES.at_phase_end(TURN_START, WEATHER)
def zones_outside_large_towns_go_with_the_directive(case: Case) -> Faults:
    """Once, in the phase that ends Directive 3; by choice cities count as large towns."""
    field = field_of(case)
    ended = field.course.dd3 is False and not case.in_game.zones_gone
    kinds = ("large-town", "city") if case.option("zones-in-cities") == "stay" else ("large-town",)
    left = field.of_side(SOVIET, ZONE) if ended else ()
    outside = [(h, unit) for h, unit in left if not field.board.has_place(h, *kinds)]
    names, hexes = names_of(unit for _, unit in outside), field.hexes(h for h, _ in outside)
    if names:
        text = f"Directive 3 is ended: {'+'.join(names)} is removed, for it is in no large town"
        yield Fault("lwe-11.24g", text, names, hexes)


@RULES.track_end(TURN_START, WEATHER)
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
