"""Chapter 5: who may move, by what means, and in what order."""

from __future__ import annotations

from validator.engine.rulebook import Faults
from validator.games.ftm.book import AXIS, EXPLOITING, MOVING, RULES
from validator.games.ftm.c05_march import COUNTRY, KEYS, fault_of_path, forbids, move_rules
from validator.games.ftm.c05_transport import STRATEGIC_KEYS, by_sea, strategically
from validator.games.ftm.field import field_of
from validator.games.ftm.state import Case
from validator.model.events import Attacked, Moved, Placed, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import marches
from validator.procedures.marches import MARCH, STRATEGIC, Leg, March, Order, by_rules
from validator.procedures.transport import SEA, load

BAKU = "baku"
FIRST, MARCHING, BASES, LAST = 1, 2, 3, 4
BASES_LAST = {  # what moving after a supply base breaks, by the option
    "on": ("ftm-5.2.3", Verdict.ILLEGAL),
    "judge": ("ftm-3.1a", Verdict.JUDGEMENT),
}
NAMES = {FIRST: "strategic movement or sea transport", MARCHING: "movement", BASES: "a base", LAST: "a unit"}


def stage_of(case: Case, unit: Unit, mode: str) -> int:
    """3.1: strategic movement and sea transport, movement and overruns, last bases and Offensive Support."""
    if mode != MARCH:
        return FIRST
    if unit.has("moves-last"):
        return LAST
    return BASES if unit.has("supply-base") and case.phase not in EXPLOITING else MARCHING


def late(case: Case, unit: Unit, stage: int, event: Moved | Attacked) -> Fault | None:
    """After an Air Base or Offensive Support nobody moves (5.2.3); the rest of the order is doubtful."""
    if case.phase in EXPLOITING or stage == BASES:
        return None
    if case.in_phase.stage == LAST:
        text = f"{unit.id} moves after {'air bases' if unit.side == AXIS else 'Offensive Support'} moved"
        return Fault("ftm-5.2.3", text, (unit.id,))
    text = f"{unit.id} moves by {NAMES[stage]} after a later kind of movement had begun"
    broken: tuple[str, Verdict] | None = ("ftm-3.1a", Verdict.WARNING)
    if case.in_phase.stage == BASES:
        broken = BASES_LAST.get(case.option("supply-base-last"))
    return None if broken is None else Fault(broken[0], text, (unit.id,), verdict=broken[1])


@RULES.rule("ftm-5.2.4")
@RULES.before(Moved, Placed, Removed)
def units_stay_on_the_map(case: Case, event: Moved | Placed | Removed) -> Faults:
    """Baku's box is an option (21.1.1), whose text we lack; for evacuation see 12.2."""
    names = event.concerned
    leaves, returns = event.comes_to == BAKU, any(unit.spot == BAKU for unit in case.units(names))
    played, way = case.option("baku") == "on", "to" if leaves else "out of"
    if played and leaves != returns:
        text = (
            f"{'+'.join(names)} goes {way} the box of Baku; who may, and how, is the players' to say (21.1.1)"
        )
        yield Fault("ftm-5.2.4", text, names, verdict=Verdict.JUDGEMENT)
    elif leaves and not played:
        yield Fault("ftm-5.2.4", f"{'+'.join(names)} leaves the map for Baku", names)


def booked(case: Case, leg: Leg) -> None:
    if leg.mode == STRATEGIC:
        case.in_turn.railed.add(leg.unit.id)
    elif leg.mode == SEA:
        case.in_turn.shipped.add(leg.unit.id)
        case.in_phase.ships.book(load(leg.unit, leg.way))


OTHERS = {*KEYS.values(), *STRATEGIC_KEYS.values(), *COUNTRY.values()} | {
    *("ftm-3.1a", "ftm-4.2a", "ftm-4.2.3b", "ftm-5.0a", "ftm-5.1b", "ftm-5.1.3", "ftm-5.1.4", "ftm-5.1.5a"),
    *("ftm-5.1.8", "ftm-5.1.9", "ftm-5.2.1c", "ftm-5.2.3", "ftm-5.3b", "ftm-5.3.2", "ftm-5.4.1a", "ftm-9.5"),
    *(
        "ftm-5.5b",
        "ftm-5.4.1b",
        "ftm-5.4.2a",
        "ftm-5.4.2b",
        "ftm-5.4.3",
        "ftm-5.5a",
        "ftm-5.5c",
        "ftm-5.5.1a",
    ),
    *("ftm-5.5.1b", "ftm-5.5.4a", "ftm-5.5.4b", "ftm-5.5.5", "ftm-5.5.6"),
}
legs = marches.register(
    RULES,
    March(
        phases=MOVING,
        field_of=field_of,
        best_way=by_rules(move_rules),
        fault_of=fault_of_path,
        forbids=forbids,
        modes={SEA: by_sea, STRATEGIC: strategically},
        side="ftm-3.0a",
        off_map="ftm-5.2.4",
        immobile="ftm-5.0a",
        together="ftm-5.1a",
        order=Order(stage_of, late),
        others=tuple(sorted(OTHERS)),
        booked=booked,
    ),
)
