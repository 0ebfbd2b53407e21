"""Chapters 13.1, 16.31, 19.44 and 20.32: reinforcements, when and where they enter."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core.board import HexId, Mask
from validator.core.explain import counted
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.battles import FIGHTING, battles
from validator.games.wfm.book import AXIS, ENEMY, RULES, SOVIET, special
from validator.games.wfm.c05_transport import enemies_that_count
from validator.games.wfm.c09_supply import rail_line, supplied_mask, supply_now
from validator.games.wfm.c13_returns import CONVERSION_BOX, WITHDRAWN, answer_a_loss, came_back
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.lines import MINORS, MURMANSK, Tracing
from validator.games.wfm.state import Case, Worth
from validator.model.events import Marked, Moved, PhaseBegan, Placed
from validator.model.findings import Fault
from validator.model.position import Unit, names_of
from validator.procedures.arrivals import entry_turn
from validator.procedures.corrections import is_put_back
from validator.procedures.entries import box_turn
from validator.procedures.faults import Wrong, first_of, first_that_holds, those_that_hold
from validator.procedures.supplymarks import MARKER, unsupplied

ARRIVAL = {"axis-move": AXIS, "sov-move": SOVIET}
DROP_BOX = "paratroop-waiting"
FAR = 4  # hexes that arrivals of the Axis and headquarters keep from the enemy
NORTH = "N"  # the sheet whose sources admit only Finns (19.44)


@RULES.rule("wfm-13.11", "wfm-13.12", "wfm-13.13a", "wfm-13.14", "wfm-13.15", "wfm-13.16", "wfm-13.21")
@RULES.rule("wfm-13.26", "wfm-13.59", "wfm-16.31", "wfm-19.44", "wfm-20.32")
@RULES.before(Placed, comes_to=Hex)
def reinforcements_arrive_as_they_should(case: Case, event: Placed) -> Faults:
    unit = case.unit(event.unit)
    for spot in event.entered if _arrives(case, unit, event) else ():
        yield from first_of(_what_is_wrong(case, unit, event, spot), f"{unit.id} ", (unit.id,), (spot,))


@RULES.track(Placed, when=JUDGED, phases=["admin", "supply", *FIGHTING], comes_to=Hex)
def note_the_arrival(case: Case, event: Placed) -> None:
    unit = case.position.units[event.unit]
    if not _arrives(case, unit, event):
        return
    if case.phase != "admin" and not _left_out(case, event.entered[0]):
        answer_a_loss(case, unit)
    if case.phase in ARRIVAL:
        case.in_turn.arrived.add(unit.id)
        case.in_game.entered[_worth(unit)] += 1


def _arrives(case: Case, unit: Unit, event: Placed) -> bool:
    """Not a counter that is put back, that takes another's place, or that has rules of its own."""
    by_other_rules = any(map(unit.has, ("drop-only", "osg", "economic-asset")))
    if by_other_rules or unit.spot == WITHDRAWN or unit.id in case.in_game.withdrawn:
        return False
    put_back = unit.on_map or is_put_back(case, event)
    takes_a_place = unit.has("kg") and (case.phase not in ARRIVAL or bool(battles(case)))
    return not put_back and not takes_a_place


def _what_is_wrong(case: Case, unit: Unit, event: Placed, spot: Hex) -> Wrong:
    if case.phase == "admin":
        case.not_checked("a counter that came onto the map in the administrative phase undeclared")
        return
    field = field_of(case)
    hex_id = field.id(spot)
    if hex_id is None or _left_out(case, spot):
        return  # the playing area has its own rule
    if ARRIVAL.get(case.phase) != unit.side:
        yield "wfm-13.11", "enters; reinforcements do so when their side's movement phase begins"
    yield from _not_due(case, unit, event)
    if case.in_phase.trips:
        moved = ", ".join(list(case.in_phase.trips)[:3])
        yield "wfm-13.11", f"enters after other units have moved ({moved}); reinforcements enter first"
    yield from _wrong_place(case, field, unit, hex_id)


def _left_out(case: Case, spot: Hex) -> bool:
    return case.option("no-arctic") == "on" and case.game.map.lattice.sheet_of(spot).id == NORTH


# --- when (13.11, 16.31, 20.32) -------------------------------------------------------------------


def _not_due(case: Case, unit: Unit, event: Placed) -> Wrong:
    returned, laid = came_back(case, unit), box_turn(unit.spot) or 0
    if returned is not None:
        yield from returned
        return
    if laid > case.turn:
        yield "wfm-13.11", f"lies on turn {laid} of the track, and this is turn {case.turn}"
    if event.step > 1:
        yield "wfm-13.16", "enters on its weaker side; reinforcements come whole"
    if unit.has("converts") and not special(case, "direct-conversion-armies"):
        yield "wfm-13.21", "goes to the Conversion Waiting box, not onto the map"
    if case.scenario.reinforcements:
        yield from _by_schedule(case, unit)
    else:
        yield from _by_code(case, unit)


def _by_schedule(case: Case, unit: Unit) -> Wrong:
    """Any counter with the same values may stand for the one that is listed (16.2)."""
    listed = [r.turn for r in case.scenario.reinforcements for name in r.units if _same(case, unit, name)]
    early = [turn for turn in listed if turn > case.turn]
    if len(listed) - len(early) > case.in_game.entered[_worth(unit)]:
        return
    if early:
        yield "wfm-13.11", f"is due in turn {min(early)}, and this is turn {case.turn}"
    elif not _from_before(case, unit):
        yield "wfm-16.31", "is not among the reinforcements of this scenario"


def _same(case: Case, unit: Unit, name: str) -> bool:
    return _worth(case.position.units[name]) == _worth(unit)


def _worth(unit: Unit) -> Worth:
    return unit.type.id, tuple(unit.counter.steps)


def _from_before(case: Case, unit: Unit) -> bool:
    """Whether a loss in turns that were not seen may bring it: a headquarters, or a corps for a dead army."""
    first, opening = case.scenario.first_turn, case.game.sequence[0].id
    seen = bool(case.in_game.of(PhaseBegan, turn=first, phase=opening))
    returns = any(map(unit.has, ("hq", "rebuilds", "depot", "airbase")))
    if seen or not returns or case.turn == case.scenario.first_turn:
        return False
    case.not_checked("the return of a unit whose loss was not seen")
    return True


def _by_code(case: Case, unit: Unit) -> Wrong:
    """By the turn that is printed on the counter."""
    due, security = entry_turn(case, unit), unit.has("security")
    return those_that_hold(
        (
            security and case.option("security-divisions") == "off",
            "wfm-20.32",
            "enters; security divisions are an option that is not in play",
        ),
        (
            due is not None and due > case.turn,
            "wfm-20.32" if security else "wfm-13.11",
            f"is due in turn {due}, and this is turn {case.turn}",
        ),
        (
            due is None and unit.has("kg"),
            "wfm-13.16",
            "enters as a part of a corps; reinforcements are not broken down on arrival",
        ),
    )


@RULES.rule("wfm-13.11", "wfm-16.31")
@RULES.before(Placed, Moved, comes_to=(CONVERSION_BOX, DROP_BOX))
def waiting_boxes_fill_in_time(case: Case, event: Placed | Moved) -> Faults:
    """Guard and Shock armies, and airborne corps, come to their boxes in their turn (13.21, 13.41)."""
    for unit in case.units(set(event.concerned) - case.in_game.lost.keys()):
        due = entry_turn(case, unit)
        direct = unit.has("converts") and special(case, "direct-conversion-armies")
        rows = (
            (
                due is not None and due > case.turn,
                "wfm-13.11",
                f"is due in turn {due}, and this is turn {case.turn}",
            ),
            (direct, "wfm-16.31", "enters directly on the map, not by conversion"),
        )
        yield from first_that_holds(rows, f"{unit.id} ", (unit.id,))


# --- where (13.12 to 13.15, 19.44) -----------------------------------------------------------------


def _wrong_place(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    near = field.board.nearest(hex_id, _distant(case, field, unit))
    too_near, away = near is not None and near < FAR, counted(near or 0, "hex")
    if unit.has("hq"):
        goal = "a Soviet supply source" if unit.side == SOVIET else "its capital"
        yield from those_that_hold(
            (
                too_near,
                "wfm-13.14",
                f"enters {away} from an enemy unit; headquarters keep {FAR} away",
            ),
            (
                not _on_a_line(case, unit, hex_id),
                "wfm-13.14",
                f"enters in a hex without an open railway to {goal}",
            ),
        )
    elif unit.side == AXIS:
        wrong = f"enters {away} from a Soviet unit; Axis reinforcements keep {FAR} away"
        yield from those_that_hold((too_near, "wfm-13.12", wrong))
        yield from _unsupplied(case, unit, hex_id, "wfm-13.12", "Axis")
        if special(case, "murmansk-source") and not _by_other_sources(case, field, unit)[hex_id]:
            yield "wfm-19.44", "enters in supply of a northern source that admits only Finnish units"
    else:
        yield from _away_from_headquarters(case, field, unit, hex_id)
        yield from _unsupplied(case, unit, hex_id, "wfm-13.13a", "Soviet")


def _distant(case: Case, field: Field, unit: Unit) -> list[HexId]:
    return enemies_that_count(case, field, ENEMY[unit.side])


def _on_a_line(case: Case, unit: Unit, hex_id: HexId) -> bool:
    if unit.side == SOVIET:
        return bool(rail_line(case, hex_id))
    return bool(supplied_mask(case, unit)[hex_id])


def _unsupplied(case: Case, unit: Unit, hex_id: HexId, rule: str, side: str) -> Wrong:
    """By what the supply phase seen, where it was seen (13.15): that holds for the turn (9.12)."""
    now = supplied_mask(case, unit)
    seen = case.in_turn.supply
    then = seen.would_supply(unit) if seen else now
    late = "enters in a hex that was out of supply in this turn's supply phase"
    return those_that_hold(
        (now[hex_id] > then[hex_id], "wfm-13.15", late),
        (not then[hex_id], rule, f"enters in a hex without {side} supply"),
    )


class _WithoutTheNorth(Tracing):
    """Lines to sources other than those on sheet N; Murmansk stays one (19.44)."""

    def _sources(self) -> Iterator[HexId]:
        for hex_id in super()._sources():
            north = self.board.lattice.sheet_of(self.board.hexes[hex_id]).id == NORTH
            if not north or self.board.label(hex_id) == MURMANSK:
                yield hex_id


def _by_other_sources(case: Case, field: Field, unit: Unit) -> Mask:
    if unit.nationality in MINORS:
        return supplied_mask(case, unit)
    supply = supply_now(case)
    return _WithoutTheNorth(case, field, AXIS, supply.expended).main.would_reach


def supplied_headquarters(field: Field) -> list[HexId]:
    """Where Soviet units may enter, or drop within reach of."""
    return field.places_of(SOVIET, lambda unit: not unsupplied(unit), "hq")


def _away_from_headquarters(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    near = field.board.near(supplied_headquarters(field), 1)
    owners = ", ".join(names_of(field.zone_owners(SOVIET, hex_id)))
    return those_that_hold(
        (
            not near[hex_id],
            "wfm-13.13a",
            "enters neither in nor next to a Soviet headquarters",
        ),
        (field.occupied(AXIS)[hex_id], "wfm-13.13a", "enters in a hex with Axis units"),
        (owners, "wfm-13.13a", f"enters in the zone of control of {owners}"),
    )


@RULES.rule("wfm-13.15")
@RULES.before(Marked, marker=MARKER)
def arrivals_count_as_supplied(case: Case, event: Marked) -> Faults:
    for name in case.in_turn.arrived.intersection(event.concerned):
        yield Fault("wfm-13.15", f"{name} arrived in this turn and counts as supplied", (name,))
