"""Markers on hexes that are never eliminated: what is taken up is laid down again, elsewhere in one phase."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Marked, Unmarked
from validator.model.findings import Fault
from validator.procedures.moves import spot_of


def markers_on_hexes(case: AnyCase, kind: str) -> list[tuple[str, Hex]]:
    """Markers of a kind on the map, and where."""
    markers = case.game.marker
    return [(m, h) for h, marks in case.position.marks.items() for m in marks if markers[m].kind == kind]


def laid_anew(case: AnyCase, event: Marked) -> tuple[Hex, ...]:
    """The hex that a marker is laid in; nothing where it lies already."""
    return tuple(h for h in spot_of(event.on) if event.marker not in case.position.marks.get(h, {}))


def register(rules: Rulebook, kind: str, phase: str, rule: str) -> None:
    """The phase remembers those `taken_up`, and where they were."""

    @rules.track(Unmarked, when=JUDGED)
    def note_markers_taken_up(case: AnyCase, event: Unmarked) -> None:
        if isinstance(event.on, Hex) and case.game.marker[event.marker].kind == kind:
            case.in_phase.taken_up[event.marker] = event.on

    @rules.rule(rule)
    @rules.at_phase_end()
    def markers_stay_on_the_map(case: AnyCase) -> Faults:
        there = dict(markers_on_hexes(case, kind))
        for marker, hex_ in case.in_phase.taken_up.items():
            if marker not in there:
                yield Fault(rule, f"{marker} was taken off; it is never eliminated", (), (hex_,))
            elif case.phase != phase and there[marker] != hex_:
                yield Fault(rule, f"{marker} was moved outside its phase", (), (hex_,))
