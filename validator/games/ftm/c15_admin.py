"""Chapters 15 to 17: what the Administrative Phase exchanges: corps, steps, Guards and Shock armies."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import JUDGED, Faults
from validator.games.ftm.book import ADMIN, MUD, RULES
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.model.events import Event, Placed, Removed, Replaced, StepChanged
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures.arrivals import entry_turn
from validator.procedures.supplymarks import out_of_supply

BUILDUP, STEPS, CONVERT, REBUILD = "buildup", "exchange-steps", "convert", "rebuild"
EXCHANGES = (BUILDUP, STEPS, CONVERT, REBUILD)
MOST_CONVERTED = 2
LAST_OF_GROUPS = 4  # the turn at whose end mechanized groups go (3.1)
REMOVED, POOL = "soviet-removed", "axis-pool"
FRESH = {"back": 2, "front": 1}  # the side of a corps that is built


def _units(case: Case, event: Replaced) -> tuple[list[Unit], list[Unit]]:
    units = case.position.units
    return [units[name] for name in event.old], [units[name] for name, _ in event.new]


def _names(event: Replaced) -> tuple[str, ...]:
    return (*event.old, *(name for name, _ in event.new))


def _told(event: Replaced, faults: Iterator[tuple[str, str]]) -> Faults:
    """The first fault of an exchange."""
    for rule, reason in faults:
        spot = (event.spot,) if isinstance(event.spot, Hex) else ()
        yield Fault(rule, f"{'+'.join(_names(event))}: {reason}", _names(event), spot)
        return


def _at_hand(unit: Unit) -> bool:
    return not unit.on_map


# --- Kampfgruppen become corps (15.2) ---------------------------------------------------------------


@RULES.rule("ftm-3.1f", "ftm-9.5.1")
@RULES.before(Replaced)
def two_kampfgruppen_become_a_corps(case: Case, event: Replaced) -> Faults:
    if event.why == BUILDUP:
        yield from _told(event, _of_buildup(case, event))


def _of_buildup(case: Case, event: Replaced) -> Iterator[tuple[str, str]]:
    old, new = _units(case, event)
    types = {unit.type.values.get("builds") for unit in old}
    side = FRESH[case.option("built-corps-side")]
    if len(old) != 2 or len(types) != 1 or [unit.type.id for unit in new] != [*types]:
        yield "ftm-3.1f", "two Kampfgruppen of one type become one corps of that type"
    elif not all(_at_hand(unit) for unit in new):
        yield "ftm-3.1f", "the corps is on the map"
    elif any(step < side for _, step in event.new):
        yield "ftm-3.1f", f"the corps comes with its side {side} up"
    if any(out_of_supply(unit) for unit in old):
        yield "ftm-9.5.1", "units that are Out of Supply do not combine"
    if case.season != MUD and any(field_of(case).in_enemy_zone(unit) for unit in old):
        yield "ftm-3.1f", "they are in an enemy zone of control, and this is no mud turn"


# --- replacements (15.1) ------------------------------------------------------------------------------


def points_of_turn(case: Case) -> int:
    """On the turn track, in mud turns."""
    rows = {row.id for row in case.game.table["replacements"].rows}
    return (
        int(case.game.table["replacements"].cell(str(case.turn), "points")) if str(case.turn) in rows else 0
    )


def price(unit: Unit, steps: int) -> int:
    return steps * int(unit.type.values.get("points", 1))


def _recovered(case: Case, event: Event) -> tuple[Unit, int] | None:
    """The German unit that gets steps back by an event, and how many."""
    units = case.position.units
    match event:
        case StepChanged(name, old, new) if new < old:
            return units[name], old - new
        case Replaced((name,), ((heir, step),), _, why) if why == STEPS:
            return units[heir], units[heir].type.steps - step + 1 - units[name].type.steps
    return None


@RULES.rule("ftm-3.1g", "ftm-9.5.1")
@RULES.before(StepChanged, Replaced, phases=[ADMIN])
def replacements_restore_steps_of_german_units(case: Case, event: Event) -> Faults:
    found = _recovered(case, event)
    if found is None or _put_right(case, event):
        return
    unit, steps = found
    left = points_of_turn(case) - case.in_phase.points
    names = (*event.old, unit.id) if isinstance(event, Replaced) else (unit.id,)
    if not unit.has("german"):
        yield Fault("ftm-3.1g", f"{unit.id} is no German unit and gets no replacements", (unit.id,))
    elif case.season != MUD:
        yield Fault("ftm-3.1g", f"{unit.id} gets steps back; replacements come in mud turns only", names)
    elif any(out_of_supply(case.position.units[name]) for name in names):
        yield Fault("ftm-9.5.1", f"{unit.id} is Out of Supply and gets no replacements", names)
    elif price(unit, steps) > left:
        text = f"{unit.id} takes {price(unit, steps)} replacement points, {left} are left"
        yield Fault("ftm-3.1g", text, names)


def _put_right(case: Case, event: Event) -> bool:
    """A step lost by a slip of the hand in this phase, and turned back."""
    start = case.phase_start.units
    return isinstance(event, StepChanged) and event.new >= start[event.unit].step and start[event.unit].on_map


@RULES.track(StepChanged, Replaced, when=JUDGED, phases=[ADMIN])
def note_the_points(case: Case, event: Event) -> None:
    found = _recovered(case, event)
    if found is not None and not _put_right(case, event):
        case.in_phase.points += price(*found)


# --- Guards and Shock armies (17.2) ---------------------------------------------------------------------


@RULES.rule("ftm-3.1j", "ftm-9.5.1")
@RULES.before(Replaced)
def combined_arms_become_guards_or_shock(case: Case, event: Replaced) -> Faults:
    if event.why == CONVERT:
        yield from _told(event, _of_conversion(case, event))


def _of_conversion(case: Case, event: Replaced) -> Iterator[tuple[str, str]]:
    old, new = _units(case, event)
    elite = all(unit.has("guards") or unit.has("shock") for unit in new)
    if len(old) != 1 or len(new) != 1 or not old[0].has("combined-arms") or not elite:
        yield "ftm-3.1j", "a Combined Arms army gives way to one Guards or Shock army"
    if any(out_of_supply(unit) for unit in old):
        yield "ftm-9.5.1", "an army that is Out of Supply is not converted"
    if case.phase != ADMIN:
        yield "ftm-3.1j", "armies are converted in the Administrative Phase"
    if any((entry_turn(case, unit) or 0) > case.turn for unit in new):
        yield "ftm-3.1j", "its turn has not come"
    if case.in_phase.converted >= MOST_CONVERTED:
        yield "ftm-3.1j", f"{MOST_CONVERTED} armies were converted in this turn already"


@RULES.track(Replaced, when=JUDGED)
def note_the_conversion(case: Case, event: Replaced) -> None:
    case.in_phase.converted += event.why == CONVERT


@RULES.rule("ftm-3.1j")
@RULES.before(Placed)
def elite_armies_come_by_conversion(case: Case, event: Placed) -> Faults:
    unit = case.position.units[event.unit]
    elite = (unit.has("guards") or unit.has("shock")) and not unit.has("tank")
    if elite and isinstance(event.spot, Hex) and not _was_on_map(case, unit):
        text = f"{unit.id} is placed; it takes the place of a Combined Arms army"
        yield Fault("ftm-3.1j", text, (unit.id,), (event.spot,))


def _was_on_map(case: Case, unit: Unit) -> bool:
    """It returns (9.1.4), or is put back."""
    return unit.id in case.in_game.lost or case.phase_start.units[unit.id].on_map or case.position.partial


# --- mechanized groups (3.1, 16.4) ------------------------------------------------------------------------


@RULES.rule("ftm-3.1e")
@RULES.before(Replaced)
def armies_take_the_place_of_mechanized_groups(case: Case, event: Replaced) -> Faults:
    if event.why == REBUILD:
        yield from _told(event, _of_rebuild(case, event))


def _of_rebuild(case: Case, event: Replaced) -> Iterator[tuple[str, str]]:
    old, new = _units(case, event)
    fits = all(u.has("mechanized-group") for u in old) and all(u.has("combined-arms") for u in new)
    if len(old) != 1 or len(new) != 1 or not fits:
        yield "ftm-3.1e", "a mechanized group gives way to one Combined Arms army"
    elif (case.turn, case.phase) != (LAST_OF_GROUPS, ADMIN):
        yield "ftm-3.1e", "mechanized groups are replaced at the end of turn 4"
    elif new[0].id not in case.in_game.lost and not case.position.partial and not _in_eliminated(new[0]):
        yield "ftm-3.1e", f"{new[0].id} was not eliminated"


def _in_eliminated(unit: Unit) -> bool:
    return isinstance(unit.spot, str) and unit.spot in (
        "soviet-eliminated",
        *(f"turn-{n}" for n in range(30)),
    )


@RULES.rule("ftm-3.1e")
@RULES.at_phase_end(ADMIN)
def mechanized_groups_leave_the_game(case: Case) -> Faults:
    """Without an eliminated army left, by the option."""
    if case.turn < LAST_OF_GROUPS:
        return
    spare = [u for u in case.position.units.values() if u.has("combined-arms") and _eliminated(case, u)]
    for unit in case.position.on_map():
        if unit.has("mechanized-group") and (spare or case.option("groups-without-army") == "removed"):
            yield Fault("ftm-3.1e", f"{unit.id} is still on the map after turn 4", (unit.id,), (unit.hex,))


def _eliminated(case: Case, unit: Unit) -> bool:
    return not unit.on_map and unit.id in case.in_game.lost


@RULES.rule("ftm-3.1e")
@RULES.before(Removed, Placed)
def mechanized_groups_never_come_back(case: Case, event: Removed | Placed) -> Faults:
    unit = case.position.units[event.unit]
    comes = isinstance(event, Placed) and isinstance(event.spot, Hex)
    if comes and unit.has("mechanized-group") and case.turn > LAST_OF_GROUPS:
        yield Fault("ftm-3.1e", f"{unit.id} enters after turn 4", (unit.id,))
