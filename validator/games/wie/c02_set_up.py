"""Chapter 2: set-up by the players; chapter 9: the forces of each scenario."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fieldpost.hexes import Hex
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
    SOVIET,
)
from validator.games.wie.c03_money import price_of_levels
from validator.games.wie.field import FINLAND, field_of
from validator.games.wie.state import Case
from validator.games.wie.units import OPTION_OF, finnish, is_air, is_hq, kind, light_grey, value
from validator.model.events import Marked, Moved, Placed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.moves import spot_of


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


def placing(case: Case, event: Placed | Moved) -> Iterator[tuple[Unit, Hex]]:
    for unit in case.units(event.concerned):
        if isinstance(event.comes_to, Hex):
            yield unit, event.comes_to


@RULES.rule("wie-set.1", "wie-scn.1", "wie-scn.2", "wie-scn.3", "wie-scn.4")
@RULES.before(Placed, Moved, phases=SET_UP)
def each_side_sets_up_in_its_time(case: Case, event: Placed | Moved) -> Faults:
    """In hexes that are its own as the scenario begins."""
    field, side = field_of(case), who_sets_up(case)
    for unit, hex_ in placing(case, event):
        hex_id = field.id(hex_)
        if unit.side != side:
            text = f"{unit.id} is placed in the part of the set-up that is the {NAMES[side]} player's"
            yield Fault(_order_rule(case), text, (unit.id,), (hex_,))
        elif hex_id is not None and field.holder(hex_id) != side:
            text = f"{unit.id} is set up in {case.label(hex_)}, which is not its side's"
            yield Fault("wie-set.1", text, (unit.id,), (hex_,))


@RULES.rule("wie-plc.3", "wie-hq.11", "wie-set.4")
@RULES.before(Placed, Moved, phases=SET_UP)
def units_are_set_up_where_they_can_be(case: Case, event: Placed | Moved) -> Faults:
    """Planes in cities, headquarters from their turn on; whether Germans may begin in Finland is not said."""
    field = field_of(case)
    for unit, hex_ in placing(case, event):
        hex_id = field.id(hex_)
        first, where = value(unit, "from-turn", 1), case.label(hex_)
        at_home = hex_id is None or field.ground.country(hex_id) != FINLAND or unit.side == SOVIET
        no_city = is_air(unit) and hex_id is not None and not field.city(hex_id)
        early = is_hq(unit) and first > case.turn
        rows = [
            (no_city, "wie-plc.3", f"is set up in {where}, where no city is"),
            (early, "wie-hq.11", f"comes from turn {first} on, and this is turn {case.turn}"),
            (not at_home and not light_grey(unit), "wie-set.4", f"is set up in {where} among the Finns"),
        ]
        yield from faults.first_that_holds(
            rows, f"{unit.id} ", (unit.id,), (hex_,), faults.doubtful("wie-set.4")
        )


@RULES.rule("wie-scn.1")
@RULES.before(Marked, phases=SET_UP, kind="complex", on=Hex)
def complexes_begin_in_their_cities(case: Case, event: Marked) -> Faults:
    assert isinstance(event.on, Hex)
    name, places = case.game.marker[event.marker].name, field_of(case).board.places
    hex_id = field_of(case).id(event.on)
    if not any(place.kind == "industrial-complex" for place in places.get(hex_id or -1, ())):
        text = f"{name} is set up in {case.label(event.on)}, where the scenario has none"
        yield Fault("wie-scn.1", text, (), (event.on,))


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
def note_adjustments(case: Case, event: Placed | Moved) -> None:
    case.in_phase.adjusted |= {unit.id for unit, _ in placing(case, event)}


@RULES.rule("wie-set.2")
@RULES.after(Placed, Moved, phases=[SET_UP_ADJUST])
def no_more_than_the_dice_allow(case: Case, event: Placed | Moved) -> Faults:
    number, most = len(case.in_phase.adjusted), sum(case.in_turn.reserve.values())
    units = tuple(unit.id for unit, _ in placing(case, event))
    if not case.in_turn.reserve:
        yield Fault(
            "wie-set.2",
            "units are placed or moved after the other side, without a roll",
            units,
            once="no roll",
        )
    elif number > most:
        text = f"{number} units are placed or moved after the other side, and the dice allow {most}"
        yield Fault("wie-set.2", text, units)


# --- numbers (9) --------------------------------------------------------------------------------------------


@RULES.rule("wie-set.3", "wie-set.4", "wie-set.5")
@RULES.after(Placed, Moved, phases=SET_UP)
def no_more_than_the_scenario_has(case: Case, event: Placed | Moved) -> Faults:
    """Of each kind; the Finns in Finland and the minor allies out of the Axis numbers."""
    for unit, hex_ in placing(case, event):
        name = kind(unit)
        due = forces(case, f"{base_of(case)}-{unit.side}")[name]
        there = [u for u in case.position.on_map(unit.side) if kind(u) == name]
        what = name.replace("-", " ")
        if len(there) > due:
            sure = Verdict.WARNING if is_hq(unit) else Verdict.ILLEGAL
            text = f"{len(there)} {NAMES[unit.side]} {what} set up, and the scenario has {due}"
            yield Fault("wie-set.3", text, (unit.id,), (hex_,), verdict=sure)
        elif light_grey(unit) and not is_hq(unit):
            yield from _light_grey(case, unit, [u for u in there if light_grey(u)], hex_)


def _light_grey(case: Case, unit: Unit, there: list[Unit], hex_: Hex) -> Faults:
    field, what = field_of(case), kind(unit).replace("-", " ")
    hex_id = field.id(hex_)
    if finnish(unit):
        number, due = sum(map(finnish, there)), forces(case, "finland")[kind(unit)]
        at_home = hex_id is not None and field.ground.country(hex_id) == FINLAND
        if number > due or not at_home:
            text = f"{number} Finnish {what} set up, one in {case.label(hex_)}: {due} are due, in Finland"
            yield Fault("wie-set.4", text, (unit.id,), (hex_,))
        return
    number, due = sum(not finnish(u) for u in there), forces(case, "minor-allies")[kind(unit)]
    if number > due:
        text = f"{number} {what} of the minor allies set up, and there are {due}"
        yield Fault("wie-set.5", text, (unit.id,), (hex_,), verdict=Verdict.WARNING)


@RULES.rule("wie-set.3")
@RULES.at_phase_end(SET_UP_ADJUST)
def all_forces_are_set_up(case: Case) -> Faults:
    for side in SIDES:
        due = forces(case, f"{base_of(case)}-{side}")
        units = [u for u in case.position.units.values() if u.on_map and u.side == side]
        there = Counter(kind(unit) for unit in units)
        for name in sorted(due):
            if there[name] < due[name]:
                text = f"{there[name]} {NAMES[side]} {name.replace('-', ' ')} set up, of {due[name]}"
                sure = Verdict.WARNING if name == "headquarters" else Verdict.ILLEGAL
                yield Fault("wie-set.3", text, verdict=sure)


@RULES.rule("wie-set.4", "wie-set.5")
@RULES.at_phase_end(SET_UP_ADJUST)
def the_allies_are_among_them(case: Case) -> Faults:
    """Finns and minor allies; a kind of which units lack altogether is told alone."""
    units = [unit for unit in case.position.on_map(AXIS) if not is_hq(unit)]
    there, whole = Counter(map(kind, units)), forces(case, f"{base_of(case)}-axis")
    finns = Counter(kind(unit) for unit in units if finnish(unit))
    others = Counter(kind(unit) for unit in units if light_grey(unit) and not finnish(unit))
    for rule, whose, some, column, sure in (
        ("wie-set.4", "Finnish", finns, "finland", Verdict.ILLEGAL),
        ("wie-set.5", "of the minor allies", others, "minor-allies", Verdict.WARNING),
    ):
        due = forces(case, column)
        short = [n for n in due if n != "headquarters" and some[n] < due[n] and there[n] >= whole[n]]
        if short:
            lack = ", ".join(f"{some[name]} {name.replace('-', ' ')} of {due[name]}" for name in short)
            yield Fault(rule, f"too few units are set up that are {whose}: {lack}", verdict=sure)


@RULES.rule("wie-fort.3")
@RULES.after(Marked, phases=SET_UP, kind="fortification", on=Hex)
def levels_within_the_points(case: Case, event: Marked) -> Faults:
    """A point of the scenario is a level, or by option a point of money."""
    markers = case.game.marker
    side = markers[event.marker].side
    faces = [
        face
        for marks in case.position.marks.values()
        for name, face in marks.items()
        if markers[name].kind == "fortification" and markers[name].side == side
    ]
    money = case.option("fortification-point") == "ip"
    spent = sum(price_of_levels(0, face) if money else face for face in faces)
    most = int(case.game.table["scenarios"].cell(base_of(case), f"fortifications-{side}"))
    if spent > most:
        text = (
            f"fortifications of {spent} points are set up for the {NAMES[str(side)]} side, and it has {most}"
        )
        yield Fault("wie-fort.3", text, (), spot_of(event.on))
