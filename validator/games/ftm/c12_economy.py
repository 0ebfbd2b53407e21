"""Chapters 12 and 13: economic assets, evacuation, production of Offensive Support units."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.ftm.book import ADMIN, RULES, SOVIET
from validator.games.ftm.field import field_at_phase_start, field_of
from validator.games.ftm.state import Case
from validator.games.ftm.supply import rail_line, supplied_mask
from validator.model.events import Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import having
from validator.procedures import wareconomy
from validator.procedures.faults import unless
from validator.procedures.wareconomy import (
    Economy,
    Evacuation,
    produces,
    production_dice,
    production_number,
)

LOST, EVACUATED, WAITING = "lost-asset-", "evacuated-factories", "osm-waiting"

ECONOMY = Economy(
    side=SOVIET,
    phase=ADMIN,
    lost=LOST,
    evacuated=EVACUATED,
    waiting=WAITING,
    table="production",
    most_support=10,
    assets="ftm-12.0a",
    die="ftm-12.1a",
    place="ftm-12.1b",
    reserve="ftm-13.0b",
    field_of=field_of,
    supplied=supplied_mask,
)
wareconomy.register(RULES, ECONOMY)


@RULES.rule("ftm-12.1a")
@RULES.at_phase_end(ADMIN)
def production_is_not_forgotten(case: Case) -> Faults:
    """Where support waits and there is room for it; doubtful, since it harms nobody but the Soviets."""
    waiting = having(case.position.at(WAITING), "offensive-support")
    on_map = having(case.position.on_map(), "offensive-support")
    if not produces(case) or not waiting or len(on_map) >= ECONOMY.most_support:
        return
    rolls, number = production_dice(case), production_number(ECONOMY, case)
    made = sum(roll.values[0] <= number for roll in rolls)
    if not rolls:
        yield Fault("ftm-12.1a", "no die was rolled for production", verdict=Verdict.WARNING)
    elif made > case.in_phase.produced:
        text = f"the production die is at most {number}, and no Offensive Support was placed"
        yield Fault("ftm-12.1a", text, verdict=Verdict.WARNING)


@RULES.rule("ftm-13.0b")
@RULES.before(Removed, having="offensive-support", box=WAITING)
def what_is_lost_does_not_wait_for_production(case: Case, event: Removed) -> Faults:
    """It returns three turns later (9.1.3)."""
    if case.unit(event.unit).on_map:
        text = f"{event.unit} goes from the map to the box of what has not been produced yet"
        yield Fault("ftm-13.0b", text, (event.unit,), verdict=unless(case.by_hand))


wareconomy.register_evacuation(
    RULES,
    Evacuation(
        side=SOVIET,
        phase=ADMIN,
        box=EVACUATED,
        most=1,
        at_start=field_at_phase_start,
        rail_line=rail_line,
        only="ftm-12.2",
        time="ftm-12.2",
        way="ftm-12.2",
    ),
)
