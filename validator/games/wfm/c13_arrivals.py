"""Chapter 13.1 to 13.4, 16.31 and 19.44: reinforcements, conversion, strength markers, parachute drops."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.events import Event, Marked, Moved, Placed, Replaced, Returned, Rolled
from validator.findings import Fault, Verdict
from validator.games.wfm.book import AXIS, ENEMY, RULES, SOVIET, special
from validator.games.wfm.c09_supply import rail_line, supplied_mask
from validator.games.wfm.c13_returns import came_back, returns
from validator.games.wfm.c14_breakdown import entry_turn
from validator.games.wfm.field import MUD, SNOW, Field, field_of
from validator.games.wfm.status import MARKER, unsupplied
from validator.games.wfm.travel import journal
from validator.position import Unit
from validator.referee import Case
from validator.registry import Faults

ARRIVAL = {"axis-move": AXIS, "sov-move": SOVIET}
CONVERSION_BOX, DROP_BOX = "conversion-waiting", "paratroop-waiting"
FAR = 4  # hexes that arrivals of the Axis and headquarters keep from the enemy


def arrivals(case: Case) -> set[str]:
    """Units that came onto the map in this turn."""
    found: set[str] = case.in_turn.notes.setdefault("arrived", set())
    return found


# --- where and when (13.1) -----------------------------------------------------------------------


@RULES.rule(
    "wfm-13.11", "wfm-13.12", "wfm-13.13a", "wfm-13.14", "wfm-13.16", "wfm-13.21", "wfm-16.31", "wfm-19.44"
)
@RULES.rule("wfm-20.32", "wfm-13.26", "wfm-13.59", "wfm-13.52", "wfm-9.27")
@RULES.before(Placed, phases=ARRIVAL)
def reinforcements_arrive_as_they_should(case: Case, event: Placed) -> Faults:
    unit = case.position.units[event.unit]
    if not isinstance(event.spot, Hex) or unit.has("drop-only") or _goes_on(case, unit):
        return
    arrivals(case).add(unit.id)
    for rule, text in _what_is_wrong(case, unit, event):
        yield Fault(rule, f"{unit.id}: {text}", (unit.id,), (event.spot,))
        return


def _goes_on(case: Case, unit: Unit) -> bool:
    """A Kampfgruppe or corps that takes the place of a unit that lost steps in an overrun is no arrival."""
    return unit.has("kg") and case.in_phase.notes.get("battle-running", False) is True


def _what_is_wrong(case: Case, unit: Unit, event: Placed) -> Iterator[tuple[str, str]]:
    yield from _not_due(case, unit, event)
    assert isinstance(event.spot, Hex)
    field = field_of(case)
    hex_id = field.id(event.spot)
    if hex_id is None:
        return
    if journal(case).trips:
        yield "wfm-13.11", "arrives after other units have moved"
    yield from _wrong_place(case, field, unit, hex_id)


def _not_due(case: Case, unit: Unit, event: Placed) -> Iterator[tuple[str, str]]:
    if unit.side != ARRIVAL[case.phase]:
        yield "wfm-13.11", "arrives in the other side's phase"
    back = came_back(case, unit)
    if back is not None:
        yield from back
        return
    due = entry_turn(case, unit)
    listed = any(unit.id in r.units for r in case.scenario.reinforcements)
    if case.scenario.id == "turning-point" and not listed:
        yield "wfm-16.31", "is not among the arrivals of this scenario"
    if unit.has("security"):
        if case.option("security-divisions") == "off" or (due is not None and due > case.turn):
            yield "wfm-20.32", f"security divisions arrive by option only, this one in turn {due}"
    elif due is not None and due > case.turn:
        yield "wfm-13.11", f"is due in turn {due}, not in turn {case.turn}"
    if (unit.has("kg") and due is None) or event.step > 1:
        yield "wfm-13.16", "reinforcements arrive whole and as printed"
    if unit.has("converts") and not special(case, "direct-conversion-armies"):
        yield "wfm-13.21", "goes to the Conversion Waiting box, not onto the map"


def _wrong_place(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Iterator[tuple[str, str]]:
    enemies = [h for h, _ in field.of_side(ENEMY[unit.side])]
    near = min((field.board.distance(hex_id, h) for h in enemies), default=99)
    if unit.has("hq"):
        if near < FAR or not _on_a_line(case, field, unit, hex_id):
            yield "wfm-13.14", f"{near} hexes from the enemy, or on no railway to its source"
    elif unit.side == AXIS:
        if near < FAR:
            yield "wfm-13.12", f"{near} hexes from the nearest Soviet unit, at least {FAR} are asked"
        if not supplied_mask(case, unit)[hex_id]:
            yield _unsupplied_place(case, unit), "appears in a hex without Axis supply"
    else:
        yield from _away_from_headquarters(case, field, unit, hex_id)


def _on_a_line(case: Case, field: Field, unit: Unit, hex_id: HexId) -> bool:
    if unit.side == SOVIET:
        return bool(rail_line(case, hex_id))
    return bool(supplied_mask(case, unit)[hex_id])


def _unsupplied_place(case: Case, unit: Unit) -> str:
    north = case.scenario.id == "war-for-the-motherland" and unit.nationality != "finnish"
    return (
        "wfm-19.44"
        if north and special(case, "murmansk-source") and case.in_game.notes.get("north")
        else "wfm-13.12"
    )


def _away_from_headquarters(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Iterator[tuple[str, str]]:
    staffs = [h for h, other in field.of_side(SOVIET) if other.has("hq") and not unsupplied(other)]
    if all(field.board.distance(hex_id, h) > 1 for h in staffs):
        yield "wfm-13.13a", "appears neither in nor beside a Soviet headquarters"
    elif field.enemy_zones(SOVIET).holds(hex_id) or field.occupied(AXIS)[hex_id]:
        yield "wfm-13.13a", "appears in an Axis zone of control"
    elif not supplied_mask(case, unit)[hex_id]:
        yield "wfm-13.13a", "appears in a hex without Soviet supply"


@RULES.rule("wfm-13.15")
@RULES.before(Marked)
def arrivals_count_as_supplied(case: Case, event: Marked) -> Faults:
    if event.marker == MARKER and isinstance(event.on, str) and event.on in arrivals(case):
        yield Fault("wfm-13.15", f"{event.on} arrived this turn and is in supply", (event.on,))


@RULES.rule("wfm-13.21")
@RULES.before(Moved, Replaced)
def waiting_armies_enter_by_conversion_only(case: Case, event: Event) -> Faults:
    if isinstance(event, Moved) and event.start == CONVERSION_BOX and isinstance(event.end, Hex):
        yield Fault("wfm-13.21", f"{'+'.join(event.units)} leaves the box without a conversion", event.units)


# --- conversion (13.2) ---------------------------------------------------------------------------------


@RULES.rule("wfm-13.22", "wfm-13.23")
@RULES.before(Replaced)
def armies_convert_one_for_one(case: Case, event: Replaced) -> Faults:
    if event.why != "convert":
        return
    old = [case.position.units[name] for name in event.old]
    new = [case.position.units[name] for name, _ in event.new]
    names = tuple(unit.id for unit in (*old, *new))
    for rule, text in _bad_conversion(case, old, new, event):
        yield Fault(rule, f"{'+'.join(event.old)}: {text}", names)
        break
    note: dict[str, str] = case.in_phase.notes.setdefault("converted", {})
    note.update(zip((u.id for u in new), (u.id for u in old), strict=False))


def _bad_conversion(
    case: Case, old: list[Unit], new: list[Unit], event: Replaced
) -> Iterator[tuple[str, str]]:
    kinds = "convertible" if case.option("convert-types") == "infantry" else "draws-strength"
    if case.phase != "admin":
        yield "wfm-13.22", "armies convert in the administrative phase"
    if len(old) != 1 or len(new) != 1 or not old[0].has(kinds) or old[0].has("converts"):
        yield "wfm-13.22", "one regular army converts at a time"
    elif not new[0].has("converts") or new[0].spot != CONVERSION_BOX or old[0].spot != event.spot:
        yield "wfm-13.22", f"{new[0].id} is no army from the Conversion Waiting box"
    field = field_of(case)
    for army in old:
        if unsupplied(army):
            yield "wfm-13.23", "it is out of supply"
        elif case.season != MUD and field.in_enemy_zone(army):
            yield "wfm-13.23", "it is in an Axis zone of control, and it is no mud turn"


@RULES.rule("wfm-13.24")
@RULES.at_phase_end("admin")
def converted_armies_change_their_marker(case: Case) -> Faults:
    """The C marker goes back, and a B marker is drawn."""
    for new, old in case.in_phase.notes.get("converted", {}).items():
        held = _strengths(case, case.position.units[old]) or _strengths(case, case.phase_start.units[old])
        if held and not any(_class(case, m) == "B" for m in _strengths(case, case.position.units[new])):
            yield Fault("wfm-13.24", f"{new} draws no B marker for the {held[0]} of {old}", (new, old))
        elif _strengths(case, case.position.units[old]):
            yield Fault("wfm-13.24", f"the {held[0]} of {old} was not given back", (new, old))


def _strengths(case: Case, unit: Unit) -> list[str]:
    return [marker for marker in unit.marks if case.game.marker[marker].kind == "strength"]


def _class(case: Case, marker: str) -> str:
    return str(case.game.marker[marker].values.get("class", ""))


# --- strength markers that arrive (13.3) -------------------------------------------------------------------


@RULES.rule("wfm-13.32")
@RULES.before(Returned)
def new_strength_markers_go_into_their_cups(case: Case, event: Returned) -> Faults:
    """In the supply phase of their turn, each into the cup of its class."""
    if event.unit is not None or event.deck is None or case.game.marker[event.marker].kind != "strength":
        return
    if event.marker in case.in_turn.notes.get("taken-off", ()):
        return
    cup = next(deck for deck in case.game.decks if deck.id == event.deck)
    if cup.where.get("class") != _class(case, event.marker):
        yield Fault("wfm-13.32", f"{event.marker} goes into the wrong cup, {event.deck}")
    elif case.phase != "supply" and _due(case, event.marker) == case.turn:
        yield Fault("wfm-13.32", f"{event.marker} arrives in the Mutual Supply Phase")


def _due(case: Case, marker: str) -> int | None:
    code = case.game.marker[marker].enters or ""
    return int(code[2:]) if code.startswith("GT") and code[2:].isdigit() else None


@RULES.rule("wfm-13.17")
@RULES.at_phase_end("supply")
def strength_markers_are_not_delayed(case: Case) -> Faults:
    """Where no cup holds anything, the position is a worked case without them."""
    if not any(case.phase_start.decks.values()):
        return
    for marker in case.game.markers:
        if marker.kind != "strength" or _due(case, marker.id) != case.turn:
            continue
        if case.turn == case.scenario.first_turn:
            continue
        come = sum(isinstance(e, Returned) and e.marker == marker.id for e in case.in_phase.events)
        if come < marker.count:
            yield Fault(
                "wfm-13.17", f"{marker.count - come} of {marker.id} are due and were not put into the cup"
            )


# --- parachute drops (13.4) ------------------------------------------------------------------------


@RULES.rule("wfm-13.42", "wfm-13.43", "wfm-13.43b", "wfm-13.44", "wfm-11.13")
@RULES.before(Placed)
def airborne_corps_enter_by_a_drop(case: Case, event: Placed) -> Faults:
    unit = case.position.units[event.unit]
    if not unit.has("drop-only") or not isinstance(event.spot, Hex):
        return
    for rule, text in _bad_drop(case, unit, event.spot):
        verdict = Verdict.WARNING if rule == "wfm-13.43b" else Verdict.ILLEGAL
        yield Fault(rule, f"{unit.id}: {text}", (unit.id,), (event.spot,), {}, verdict)
        break
    drops: list[str] = case.in_phase.notes.setdefault("drops", [])
    drops.append(unit.id)
    case.in_game.notes.setdefault("dropped", set()).add(unit.id)
    arrivals(case).add(unit.id)


def _bad_drop(case: Case, unit: Unit, spot: Hex) -> Iterator[tuple[str, str]]:
    field = field_of(case)
    hex_id = field.id(spot)
    if case.phase != "sov-move":
        yield "wfm-13.42", "drops in the Soviet Movement Phase only"
    if case.in_phase.notes.get("drops"):
        yield "wfm-13.44", "is the second drop of this phase"
    if unit.id in case.in_game.notes.get("dropped", ()):
        yield "wfm-13.44", "has dropped before"
    staffs = [h for h, other in field.of_side(SOVIET) if other.has("hq") and not unsupplied(other)]
    reach = int(unit.type.values.get("drop-range", 6))
    if hex_id is None or field.occupied(AXIS)[hex_id]:
        yield "wfm-13.42", "drops onto an Axis unit or off the map"
    elif all(field.board.distance(hex_id, h) > reach for h in staffs):
        yield "wfm-13.42", f"drops farther than {reach} hexes from a supplied headquarters"
    else:
        yield from _failed_roll(case, field, hex_id)


def _failed_roll(case: Case, field: Field, hex_id: HexId) -> Iterator[tuple[str, str]]:
    """13.43: 1 or 2 lands, after +1 in an Axis zone and the weather."""
    rolls = [e for e in case.in_phase.events if isinstance(e, Rolled) and "drop" in e.reason]
    if not rolls:
        yield "wfm-13.43", "landed without a die"
        return
    die = rolls[-1].values[0] + (1 if field.enemy_zones(SOVIET).holds(hex_id) else 0)
    weather = 0
    if case.season in (MUD, SNOW):
        weather = -3 if case.option("drop-weather") == "minus-3" else 3
    if die + weather > 2:
        rule = "wfm-13.43" if not weather else "wfm-11.13"
        yield rule, f"landed with {die}{f' {weather:+d} for the weather' if weather else ''}; 2 or less lands"


RULES.needs_judgement(
    "wfm-13.43b",
    "The text lets mud and snow help a drop although they should hinder it; the option drop-weather chooses, "
    "and 11.13 is judged by it.",
)


@RULES.at_phase_end()
def note_returns(case: Case) -> Faults:
    yield from returns(case)
