"""Chapter 13.2: Guard and Shock armies take the place of regular ones."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import Faults
from validator.games.wfm.book import RULES
from validator.games.wfm.c13_returns import CONVERSION_BOX
from validator.games.wfm.field import MUD, field_of
from validator.games.wfm.state import Case, Conversion
from validator.model.events import Drawn, Moved, Replaced, Returned
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.faults import Wrong, first_of, those_that_hold
from validator.procedures.supplymarks import unsupplied

CONVERT = "convert"


@RULES.rule("wfm-13.21")
@RULES.before(Moved, start=CONVERSION_BOX, comes_to=Hex)
def waiting_armies_enter_by_conversion_only(case: Case, event: Moved) -> Faults:
    yield Fault("wfm-13.21", f"{'+'.join(event.units)} leaves the box without a conversion", event.units)


@RULES.rule("wfm-13.22", "wfm-13.23")
@RULES.before(Replaced, why=CONVERT)
def armies_convert_one_for_one(case: Case, event: Replaced) -> Faults:
    before = f"{'+'.join(event.old)} to {'+'.join(event.comers)}: "
    yield from first_of(_bad_conversion(case, event), before, event.concerned)


@RULES.track(Replaced, why=CONVERT)
def note_the_conversion(case: Case, event: Replaced) -> None:
    for army, (guard, _) in zip(event.old, event.new, strict=False):
        markers = tuple(_markers(case, case.position.units[army]))
        case.in_phase.conversions.append(Conversion(army, guard, markers))


def _bad_conversion(case: Case, event: Replaced) -> Wrong:
    if len(event.old) != 1 or len(event.new) != 1:
        return iter([("wfm-13.22", "one army converts into one")])
    (old,), (new,) = case.units(event.old), case.units(event.comers)
    kinds = "convertible" if case.option("convert-types") == "infantry" else "draws-strength"
    regular = old.has(kinds) and not old.has("converts")
    beset = case.season != MUD and field_of(case).in_enemy_zone(old)
    return those_that_hold(
        (case.phase != "admin", "wfm-13.22", "armies convert in the Administrative Phase"),
        (not regular, "wfm-13.22", f"{old.id} is no regular infantry army"),
        (not new.has("converts"), "wfm-13.22", f"{new.id} is no Guard or Shock army"),
        (
            new.spot != CONVERSION_BOX,
            "wfm-13.22",
            f"{new.id} is not in the Conversion Waiting box",
        ),
        (old.spot != event.spot, "wfm-13.22", f"{new.id} is placed in another hex"),
        (unsupplied(old), "wfm-13.23", f"{old.id} is out of supply"),
        (
            beset,
            "wfm-13.23",
            f"{old.id} is in an Axis zone of control, and this is no mud turn",
        ),
    )


def _markers(case: Case, army: Unit) -> Iterator[str]:
    """The strength marker an army carries, or gave back in this phase."""
    yield from _strengths(case, army)
    yield from (event.marker for event in case.in_phase.of(Returned, unit=army.id))


def _strengths(case: Case, unit: Unit) -> list[str]:
    return [marker for marker in unit.marks if case.game.marker[marker].kind == "strength"]


@RULES.rule("wfm-13.24")
@RULES.at_phase_end("admin")
def converted_armies_change_their_marker(case: Case) -> Faults:
    """The C marker goes back, and a B marker is drawn. Beside the enemy 7.12 insists."""
    given = [event.marker for event in case.in_phase.of(Returned)]
    for conversion in case.in_phase.conversions:
        names = (conversion.new, conversion.old)
        kept = [marker for marker in conversion.markers if marker not in given]
        if kept:
            text = f"{conversion.old} was converted, and its {kept[0]} was not given back"
            yield Fault("wfm-13.24", text, names)
        elif conversion.markers and not _drew(case, conversion.new):
            text = f"{conversion.new} draws no B marker for the {conversion.markers[0]} of {conversion.old}"
            yield Fault("wfm-13.24", text, names, verdict=Verdict.WARNING)


def _drew(case: Case, guard: str) -> bool:
    drawn = case.in_phase.of(Drawn, unit=(guard, None))
    return any(case.game.marker[event.marker].values.get("class") == "B" for event in drawn)
