"""Chapter 2: set-up by the players; chapter 9: the forces of each scenario."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import (
    AXIS,
    ENEMY,
    NAMES,
    RESERVE,
    RULES,
    SET_UP,
    SET_UP_ADJUST,
    SET_UP_SECOND,
    SIDES,
)
from validator.games.wie.c03_money import price_of_levels
from validator.games.wie.field import FINLAND, Field, field_of
from validator.games.wie.levels import FORTIFICATION
from validator.games.wie.state import Case
from validator.games.wie.units import (
    OPTION_OF,
    but_headquarters,
    finnish,
    is_air,
    is_hq,
    kind,
    kind_text,
    light_grey,
    of_minor_ally,
    value,
)
from validator.model.events import Marked, Moved, Placed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each, units_of
from validator.procedures.moves import spot_of

COMPLEX = "Industrial Complex "
"""How the names of its markers begin."""


def base_of(case: Case) -> str:
    return case.scenario.id.removesuffix("-free")


def first_to_set_up(case: Case) -> str:
    return case.game.table["scenarios"].cell(base_of(case), "first-to-set-up")


def who_sets_up(case: Case) -> str:
    first = first_to_set_up(case)
    return ENEMY[first] if case.phase == SET_UP_SECOND else first


def forces(case: Case, column: str) -> Counter[str]:
    """Kinds and numbers of a column of the order of battle; optional units only with their option."""
    table = case.game.table["order-of-battle"]
    found: Counter[str] = Counter()
    for row in table.rows:
        cell = table.cell(row.id, column)
        option = OPTION_OF.get(row.id)
        if cell.isdigit() and (option is None or case.option(option) == "yes"):
            found[row.id] = int(cell)
    return found


@dataclass(frozen=True)
class SetUp:
    """A unit that is set up in a hex, or moved there."""

    unit: Unit
    hex_: Hex
    field: Field

    @property
    def ids(self) -> list[HexId]:
        """The hex, if it is in play."""
        return self.field.ids((self.hex_,))

    @property
    def country(self) -> str:
        return "".join(map(self.field.ground.country, self.ids))


def placing(case: Case, event: Placed | Moved) -> list[SetUp]:
    field = field_of(case)
    return [SetUp(unit, hex_, field) for hex_ in spot_of(event.comes_to) for unit in units_of(case, event)]


@RULES.rule("wie-set.1", "wie-scn.1", "wie-scn.2", "wie-scn.3", "wie-scn.4")
@RULES.before(Placed, Moved, phases=SET_UP)
@each(placing)
def each_side_sets_up_in_its_time(case: Case, event: Placed | Moved, put: SetUp) -> Faults:
    """In hexes that are its own as the scenario begins."""
    side, unit, field = who_sets_up(case), put.unit, put.field
    early = f"is placed in the part of the set-up that is the {NAMES[side]} player's"
    abroad = any(field.holder(hex_id) != side for hex_id in put.ids)
    rows: faults.Rows = [
        (unit.side != side, _order_rule(case), early),
        (abroad, "wie-set.1", f"is set up in {case.label(put.hex_)}, which is not its side's"),
    ]
    yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,), (put.hex_,))


@RULES.rule("wie-plc.3", "wie-hq.11", "wie-set.4")
@RULES.before(Placed, Moved, phases=SET_UP)
@each(placing)
def units_are_set_up_where_they_can_be(case: Case, event: Placed | Moved, put: SetUp) -> Faults:
    """Planes in cities, headquarters from their turn on; whether Germans may begin in Finland is not said."""
    unit, first, where = put.unit, value(put.unit, "from-turn", 1), case.label(put.hex_)
    no_city = is_air(unit) and not all(map(put.field.city, put.ids))
    early = is_hq(unit) and first > case.turn
    german = unit.side == AXIS and not light_grey(unit)
    rows: faults.Rows = [
        (no_city, "wie-plc.3", f"is set up in {where}, where no city is"),
        (early, "wie-hq.11", f"comes from turn {first} on, and this is turn {case.turn}"),
        (german and put.country == FINLAND, "wie-set.4", f"is set up in {where} among the Finns"),
    ]
    doubt = faults.doubtful("wie-set.4")
    yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,), (put.hex_,), doubt)


@RULES.rule("wie-scn.1")
@RULES.before(Marked, phases=SET_UP, kind="complex", on=Hex)
def complexes_begin_in_their_cities(case: Case, event: Marked) -> Faults:
    field, name = field_of(case), case.game.marker[event.marker].name
    places = [place.name for hex_id in field.ids((event.on,)) for place in field.board.places.get(hex_id, ())]
    if f"{name.removeprefix(COMPLEX)} complex" not in places:
        text = f"{name} is set up in {case.label(event.on)}, where the scenario has none"
        yield Fault("wie-scn.1", text, (), spot_of(event.on))


def _order_rule(case: Case) -> str:
    return {"typhoon": "wie-scn.2", "uranus": "wie-scn.3", "citadel": "wie-scn.4"}.get(
        base_of(case), "wie-set.1"
    )


@RULES.track(Rolled, when=JUDGED, reason=RESERVE)
def the_reserve_is_rolled(case: Case, event: Rolled) -> None:
    if case.phase in SET_UP:
        case.in_turn.reserve.setdefault(case.phase, sum(event.values))


@RULES.rule("wie-set.2")
@RULES.before(Rolled, reason=RESERVE)
def one_roll_for_the_reserve(case: Case, event: Rolled) -> Faults:
    if case.phase not in SET_UP:
        yield Fault("wie-set.2", f"the reserve is rolled for in the {case.phase_name()}")
    elif case.in_turn.reserve:
        twice = case.phase in case.in_turn.reserve
        sure = Verdict.ILLEGAL if twice else Verdict.WARNING  # one roll to hold back, one to adjust?
        yield Fault("wie-set.2", "the reserve is rolled for a second time", verdict=sure)


@RULES.track(Placed, Moved, when=JUDGED, phases=[SET_UP_ADJUST])
@note_each(placing)
def note_adjustments(case: Case, event: Placed | Moved, put: SetUp) -> None:
    case.in_phase.adjusted.add(put.unit.id)


@RULES.rule("wie-set.2")
@RULES.after(Placed, Moved, phases=[SET_UP_ADJUST])
def no_more_than_the_dice_allow(case: Case, event: Placed | Moved) -> Faults:
    number, most = len(case.in_phase.adjusted), sum(case.in_turn.reserve.values())
    units, what = tuple(put.unit.id for put in placing(case, event)), "placed or moved after the other side"
    if not case.in_turn.reserve:
        yield Fault("wie-set.2", f"units are {what}, without a roll", units, once="no roll")
    elif number > most:
        yield Fault("wie-set.2", f"{number} units are {what}, and the dice allow {most}", units)


# --- numbers (9) --------------------------------------------------------------------------------------------


@RULES.rule("wie-set.3", "wie-set.4", "wie-set.5")
@RULES.after(Placed, Moved, phases=SET_UP)
@each(placing)
def no_more_than_the_scenario_has(case: Case, event: Placed | Moved, put: SetUp) -> Faults:
    """Of each kind; the Finns in Finland and the minor allies out of the Axis numbers."""
    unit, name, what = put.unit, kind(put.unit), kind_text(put.unit)
    there = [other for other in case.position.on_map(unit.side) if kind(other) == name]
    finns, allies = sum(map(finnish, there)), sum(map(of_minor_ally, there))
    due = forces(case, f"{base_of(case)}-{unit.side}")[name]
    due_finns, due_allies = (forces(case, column)[name] for column in ("finland", "minor-allies"))
    too_many = len(there) > due
    abroad = finns > due_finns or put.country != FINLAND
    finnish_text = f"{finns} Finnish {what} set up, one in {case.label(put.hex_)}: {due_finns} are due, in"
    allied_text = f"{allies} {what} of the minor allies set up, and there are {due_allies}"
    rows: faults.Rows = [
        (too_many, "wie-set.3", f"{len(there)} {NAMES[unit.side]} {what} set up, and the scenario has {due}"),
        (finnish(unit) and not is_hq(unit) and abroad, "wie-set.4", f"{finnish_text} Finland"),
        (of_minor_ally(unit) and not is_hq(unit) and allies > due_allies, "wie-set.5", allied_text),
    ]
    doubt = faults.doubts({"wie-set.3": is_hq(unit), "wie-set.5": True})
    yield from faults.plainest_that_holds(rows, "", (unit.id,), (put.hex_,), doubt)


@RULES.rule("wie-set.3")
@RULES.at_phase_end(SET_UP_ADJUST)
def all_forces_are_set_up(case: Case) -> Faults:
    for side in SIDES:
        due, there = forces(case, f"{base_of(case)}-{side}"), Counter(map(kind, case.position.on_map(side)))
        for name in sorted(due - there):
            text = f"{there[name]} {NAMES[side]} {name.replace('-', ' ')} set up, of {due[name]}"
            yield Fault("wie-set.3", text, verdict=faults.unless(name == "headquarters"))


ALLIES = (
    ("wie-set.4", "Finnish", finnish, "finland", Verdict.ILLEGAL),
    ("wie-set.5", "of the minor allies", of_minor_ally, "minor-allies", Verdict.WARNING),
)


@RULES.rule("wie-set.4", "wie-set.5")
@RULES.at_phase_end(SET_UP_ADJUST)
def the_allies_are_among_them(case: Case) -> Faults:
    """Finns and minor allies; a kind of which units lack altogether is told alone."""
    units = but_headquarters(case.position.on_map(AXIS))
    lacking = forces(case, f"{base_of(case)}-axis") - Counter(map(kind, units))
    for rule, whose, is_ally, column, sure in ALLIES:
        due, there = forces(case, column), Counter(map(kind, filter(is_ally, units)))
        short = [name for name in due - there if name != "headquarters" and name not in lacking]
        if short:
            lack = ", ".join(f"{there[name]} {name.replace('-', ' ')} of {due[name]}" for name in short)
            yield Fault(rule, f"too few units are set up that are {whose}: {lack}", verdict=sure)


@RULES.rule("wie-fort.3")
@RULES.after(Marked, phases=SET_UP, kind="fortification", on=Hex)
def levels_within_the_points(case: Case, event: Marked) -> Faults:
    """A point of the scenario is a level, or by option a point of money."""
    markers = case.game.marker
    side = markers[event.marker].side
    own = {marker.id for marker in case.game.markers if marker.side == side and marker.kind == FORTIFICATION}
    laid = [item for marks in case.position.marks.values() for item in marks.items()]
    faces = [face for name, face in laid if name in own]
    money = case.option("fortification-point") == "ip"
    spent = sum(price_of_levels(0, face) for face in faces) if money else sum(faces)
    most = int(case.game.table["scenarios"].cell(base_of(case), f"fortifications-{side}"))
    if spent > most:
        text = (
            f"fortifications of {spent} points are set up for the {NAMES[str(side)]} side, and it has {most}"
        )
        yield Fault("wie-fort.3", text, (), spot_of(event.on))
