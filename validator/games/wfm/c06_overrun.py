"""Chapter 6: overruns, battles inside a move. Chapter 8 is imported first: it opens the battle."""

from __future__ import annotations

from collections.abc import Iterator

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.costs import ONE
from validator.engine.rulebook import APPLIED, JUDGED
from validator.games.wfm.battles import MOVING, battles
from validator.games.wfm.book import RULES, SOVIET, rivers_are_ignored
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c05_march import PHASES
from validator.games.wfm.c05_movement import STAGES
from validator.games.wfm.c08_combat import WATER
from validator.games.wfm.c10_air import standing_city
from validator.games.wfm.field import SNOW, Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Attacked, Event, Placed, Replaced
from validator.model.position import Unit, all_have, having, lacking, names_of
from validator.procedures import overruns
from validator.procedures.faults import those_that_hold
from validator.procedures.field import printed
from validator.procedures.marches import MARCH
from validator.procedures.overruns import (
    Overruns,
    Reason,
    Sequel,
    cheaper_in,
    ended_by_overrun,
    overrun_of,
)
from validator.procedures.supplymarks import allowance, unsupplied

RIVERS = ("minor-river", "major-river", "strait")
NO_ICE = (*WATER, "ice-road")


price = cheaper_in(SNOW, SOVIET, 2 * ONE, 3 * ONE)  # 6.1, 11.29


def barred(case: Case, field: Field, units: list[Unit], start: HexId, target: HexId) -> Iterator[Reason]:
    """6.28"""
    free = rivers_are_ignored(case) and all_have(units, "german")
    kinds = NO_ICE if free else (*NO_ICE, *RIVERS)
    crossed = set(field.board.side_of(start, target)).intersection(kinds)
    terrain = field.board.terrain[target]
    rough = terrain == "mountain" or (terrain == "swamp" and field.season != SNOW)
    city = standing_city(case, field, target)
    return those_that_hold(
        *((True, "wfm-6.28", field.ground.wording.name(kind)) for kind in sorted(crossed)),
        (city, "wfm-6.28", "a major city or fortress"),
        (rough and not city, "wfm-6.28", terrain),
    )


def wrong_units(case: Case, units: list[Unit], event: Attacked) -> Iterator[Reason]:
    """Who may not overrun, and when (6.21 to 6.23, 8.65)."""
    idle = names_of(unit for unit in units if PHASES.get(case.phase) != unit.side)
    slow = names_of(lacking(units, "panzer")) if case.phase == "ger-mech" and not idle else ()
    groups = names_of(having(case.units(case.in_phase.trips), "osg")) if case.phase == "sov-move" else ()
    hungry = names_of(filter(unsupplied, units))
    yield from those_that_hold(
        (idle, "wfm-6.21", f"{'+'.join(idle)} overruns outside its own movement phase"),
        (slow, "wfm-6.21", f"{'+'.join(slow)} overruns in the phase of the panzer units"),
        (groups, "wfm-8.65", f"no overrun is made after {'+'.join(groups[:1])} has moved"),
        (hungry, "wfm-6.22", f"{'+'.join(hungry)} lacks supply and does not overrun"),
    )
    if len({unit.spot for unit in units}) == 1:
        yield from _wrong_stack(case, units)


def _wrong_stack(case: Case, units: list[Unit]) -> Iterator[Reason]:
    verdict = stack(case, units, units[0].side)
    paces = sorted({str(printed(unit, "movement")) for unit in units})
    overfull, uneven = verdict.load > verdict.limit, len(paces) > 1
    return those_that_hold(
        (overfull, "wfm-6.23b", "one stack overruns, within its limit"),
        (uneven and not overfull, "wfm-6.23a", f"they have {say.listed(paces)} MP"),
    )


def cost_rule(case: Case, unit: Unit, available: int) -> str:
    """Two points would do in snow, for Soviet units (11.29)."""
    in_snow = unit.side == SOVIET and case.season != SNOW and available >= 2 * ONE
    return "wfm-11.29" if in_snow else "wfm-6.1a"


@RULES.track(Attacked, when=JUDGED, phases=MOVING)
def note_who_overruns(case: Case, event: Attacked) -> None:
    if overrun_of(case, event) is not None:
        case.in_phase.last_moved = event.units
        for name in event.units:
            case.in_turn.modes.setdefault(name, set()).add((case.phase, MARCH))


@RULES.track(Placed, Replaced, when=APPLIED, phases=MOVING)
def note_who_takes_a_place(case: Case, event: Event) -> None:
    """A Kampfgruppe goes on with the stack of its corps."""
    known = [battle for battle in battles(case)[-1:] if battle.overrun]
    heirs = [heir for battle in known for heir in battle.attacker.heirs]
    case.in_phase.last_moved += tuple(heir for heir in heirs if heir not in case.in_phase.last_moved)


STOPS, ENTERS = "wfm-6.26", "wfm-6.27a"
OVERRUNS = Overruns(
    field_of=field_of,
    phases=MOVING,
    price=price,
    allowance=lambda case, unit: allowance(unit) * ONE,
    barred=barred,
    units=wrong_units,
    again=ended_by_overrun(STOPS, ENTERS),
    target="wfm-6.1b",
    empty="wfm-6.1b",
    adjacent="wfm-6.1a",
    cost=cost_rule,
    together="wfm-6.23b",
    began="wfm-6.23a",
    others=("wfm-6.21", "wfm-6.22", "wfm-6.28", "wfm-8.65", "wfm-11.29"),
)
overruns.register(RULES, OVERRUNS)
overruns.register_sequel(RULES, Sequel(OVERRUNS, STOPS, ENTERS, stage=STAGES[MARCH], losses_stop=True))
