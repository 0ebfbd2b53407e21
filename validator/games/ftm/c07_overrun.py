"""Chapter 7: overruns, battles inside a move."""

from __future__ import annotations

from collections.abc import Iterator

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.engine.rulebook import Faults
from validator.games.ftm.book import EXPLOITING, MOVING, RULES, SNOW, SOVIET
from validator.games.ftm.c05_movement import MARCHING, late
from validator.games.ftm.c06_stacking import stack
from validator.games.ftm.field import BRIDGE, ICE, WATER, Field, field_of, open_sides
from validator.games.ftm.state import Case
from validator.model.events import Attacked
from validator.model.position import Unit, all_have, any_has, on_map
from validator.procedures import overruns
from validator.procedures.faults import those_that_hold
from validator.procedures.overruns import Overruns, Reason, Sequel, cheaper_in, ended_by_overrun
from validator.procedures.supplymarks import allowance, unsupplied

CLOSED_SIDES = (*WATER, ICE, BRIDGE, "major-river", "strait")


price = cheaper_in(SNOW, SOVIET, 2 * ONE, 3 * ONE)  # 7.1, 7.2.5


def barred(case: Case, field: Field, units: list[Unit], start: HexId, target: HexId) -> Iterator[Reason]:
    """7.2"""
    name = field.ground.wording.name
    barring = [name(kind) for kind in open_sides(field, start, target, CLOSED_SIDES)]
    terrain = field.board.terrain[target]
    if field.board.has_place(target, "city"):
        barring.append("a city")
    elif terrain in ("mountain", "high-mountain") or (terrain == "swamp" and case.season != SNOW):
        barring.append(name(terrain))
    if any_has(field.units(target), "fortress"):
        barring.append("a fortress")
    yield from (("ftm-7.2", what) for what in barring)


def wrong_units(case: Case, units: list[Unit], event: Attacked) -> Iterator[Reason]:
    """Who may not overrun: the unsupplied, overfull stacks, leg with mechanized units."""
    side, paces = units[0].side, {unit.type.mobility for unit in units}
    stacks = (stack(case, case.position.at(unit.hex), side) for unit in on_map(units))
    overfull = not all(verdict.legal for verdict in stacks)
    slow = case.phase in EXPLOITING and not all_have(units, "exploits")
    return those_that_hold(
        (any(map(unsupplied, units)), "ftm-7.2.1", "a unit that lacks supply does not overrun"),
        (overfull, "ftm-7.2.1", "the hex is overstacked, and no overrun starts from it"),
        (len(paces) > 1, "ftm-7.2.6", "leg and mechanized units do not overrun together"),
        (slow, "ftm-7.2.4", "in exploitation only panzer and tank units overrun"),
        (
            not slow and MOVING.get(case.phase) != side,
            "ftm-7.2.4",
            "overruns are made in movement phases of one's own side",
        ),
    )


STOPS, ENTERS = "ftm-7.1e", "ftm-7.1d"
OVERRUNS = Overruns(
    field_of=field_of,
    phases=tuple(MOVING),
    price=price,
    allowance=lambda case, unit: allowance(unit) * ONE,
    barred=barred,
    units=wrong_units,
    again=ended_by_overrun(STOPS, ENTERS),
    target="ftm-7.1c",
    empty="ftm-7.1c",
    adjacent="ftm-7.1c",
    cost=lambda case, unit, available: "ftm-7.1a",
    together="ftm-7.2.6",
    began="ftm-7.2.6",
    others=("ftm-7.1a", "ftm-7.2", "ftm-7.2.1", "ftm-7.2.4"),
)
overruns.register(RULES, OVERRUNS)
overruns.register_sequel(RULES, Sequel(OVERRUNS, STOPS, ENTERS, stage=MARCHING, losses_stop=False))


@RULES.rule("ftm-5.2.3", "ftm-3.1a")
@RULES.before(Attacked, phases=MOVING, overrun=True)
def overruns_keep_the_order_of_movement(case: Case, event: Attacked) -> Faults:
    """They are movement (3.1): none comes after bases and Offensive Support have moved."""
    units = case.units(event.units) if case.in_phase.stage > MARCHING else []
    yield from filter(None, (late(case, unit, MARCHING, event) for unit in units[:1]))
