"""Chapters 5.3 and 5.5: strategic movement and sea transport."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from validator.core import explain as say
from validator.core.board import HexId, Mask
from validator.core.capacity import Capacity, Load
from validator.core.movement import BUDGET, MoveRules, explain
from validator.core.sea import SeaRules, check_voyage
from validator.core.strategic import strategic_rules
from validator.games.ftm.book import AXIS, ENEMY, EXPLOITING, MUD, SOVIET
from validator.games.ftm.c05_march import JUDGE, KEYS, fault_of_path
from validator.games.ftm.c10_partisans import partisans
from validator.games.ftm.field import KONIGSBERG, LENINGRAD, SEVASTOPOL, Field, field_of
from validator.games.ftm.state import Case
from validator.games.ftm.supply import supplied_mask
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.marching import begun, trip_of
from validator.procedures.supplymarks import unsupplied

HEXES, DISTANCE = 15, 3  # never within two hexes of an enemy (5.3.1)
BALTIC, BLACK, AZOV = "baltic-port", "black-sea-port", "azov-port"
PORTS = (BALTIC, BLACK, AZOV)
SEA_KEYS = {"no-port": "ftm-5.5b", "enemy-port": "ftm-5.5b", "other-sea": "ftm-5.5b"}


# --- strategic movement (5.3) -----------------------------------------------------------------------


def may_use_strategic(case: Case, unit: Unit) -> Iterator[Fault]:
    able = unit.has("strategic") or (unit.has("strategic-mud") and case.season == MUD)
    if case.phase in EXPLOITING:
        yield Fault("ftm-5.4.3", f"{unit.id}: no strategic movement in exploitation", (unit.id,))
    elif not able:
        when = " outside mud turns" if unit.has("strategic-mud") else ""
        yield Fault("ftm-5.3.2", f"{unit.id} has no strategic movement{when}", (unit.id,))
    elif trip_of(case, unit) is not None:
        yield Fault("ftm-5.3b", f"{unit.id} has moved in this phase already", (unit.id,))
    elif unsupplied(unit):
        text = f"{unit.id} lacks supply and may not use strategic movement"
        yield Fault("ftm-5.3.1b", text, (unit.id,))


def near_enemies(case: Case, field: Field, unit: Unit, *, combat_only: bool) -> list[HexId]:
    """Enemies that distance is kept from; for the Axis partisans too (5.3.1)."""
    foes = [h for h, foe in field.of_side(ENEMY[unit.side]) if foe.type.zoc or not combat_only]
    return foes + (field.ids(hex_ for _, hex_ in partisans(case)) if unit.side == AXIS else [])


def strategic_move_rules(case: Case, field: Field, unit: Unit, *, strict: bool = False) -> MoveRules:
    """15 hexes, away from the enemy, from supply to supply, not through cities the enemy took."""
    board = field.board
    cities = board.mask(board.with_place("city"))
    taken = bytes(a and b for a, b in zip(cities, field.marked(ENEMY[unit.side]), strict=True))
    combat_only = not strict and case.option("distance-units") != "all"
    closed: dict[str, Mask] = {"enemy-city": taken, "country": field.ground.closed_to(unit)}
    if unit.has("never-ezoc"):
        closed["never-zone"] = field.enemy_zones(unit.side).mask
    unfed = bytes(0 if fed else 1 for fed in supplied_mask(case, unit))
    return replace(
        strategic_rules(
            field.ground.strategic_costs(unit, field.season),
            HEXES,
            near_enemies(case, field, unit, combat_only=combat_only),
            DISTANCE,
            closed,
            {"out-of-supply": unfed},
        ),
        enemy=field.occupied(ENEMY[unit.side]),
    )


STRATEGIC_KEYS = {
    **KEYS,
    "too-near": "ftm-5.3.1a",
    "enemy-city": "ftm-5.3.1c",
    "out-of-supply": "ftm-5.3.1b",
    BUDGET: "ftm-5.3a",
    "terrain:high-mountain": "ftm-5.3a",
}


def strategically(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    barred = list(may_use_strategic(case, unit))
    yield from barred
    rules = replace(strategic_move_rules(case, field, unit), exact=not event.dragged)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    if not barred and not verdict.legal:
        fault = fault_of_path(case, field, unit, verdict, [unit])
        keys = verdict.obstacle.keys if verdict.obstacle else ()
        rule = next((STRATEGIC_KEYS[key] for key in STRATEGIC_KEYS if key in keys), "ftm-5.3a")
        rule = fault.rule if "country" in keys else rule
        yield replace(fault, rule=rule)
    elif not barred and case.option("distance-units") == JUDGE:
        near = replace(strategic_move_rules(case, field, unit, strict=True), exact=rules.exact)
        if not explain(field.board, near, way[0], way[-1], way[1:-1]).legal:
            text = f"{unit.id} comes within two hexes of enemy units that are no combat units"
            yield Fault("ftm-5.3.1a", text, (unit.id,), verdict=Verdict.JUDGEMENT)


# --- sea transport (5.5) ------------------------------------------------------------------------------


def sea_rules(case: Case, field: Field, unit: Unit) -> SeaRules:
    """Ports and the waters they lie on; friendly are those of the side."""
    board = field.board
    waters = {BALTIC: BALTIC, BLACK: BLACK, AZOV: BLACK if case.option("azov-ports") == "on" else AZOV}
    ports = {
        h: frozenset({waters[f] for f in PORTS if board.has_feature(h, f)})
        for h in board.with_feature("port")
    }
    friendly = board.mask(h for h in ports if field.holder(h) == unit.side)
    return SeaRules(ports, friendly)


def may_sail(case: Case, unit: Unit) -> bool:
    """5.5.1"""
    mountain = unit.has("mountain") and case.option("mountain-sea") == "on"
    return unit.has("sea-transport") or mountain


def by_sea(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    name, names = unit.id, (unit.id,)
    if case.phase in EXPLOITING:
        yield Fault("ftm-5.4.3", f"{name}: no sea transport in exploitation", names)
    elif not may_sail(case, unit):
        yield Fault("ftm-5.5.1a", f"{name}: {unit.type.name.lower()} units are not shipped", names)
    elif trip_of(case, unit) is not None:
        yield Fault("ftm-5.5c", f"{name} has moved in this phase already", names)
    else:
        for rule, reason in _of_voyage(case, field, unit, way, event):
            yield Fault(rule, f"{name}: {reason}", names, (field.board.hexes[way[-1]],))
            return


def _of_voyage(
    case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved
) -> Iterator[tuple[str, str]]:
    rules, start, end = sea_rules(case, field, unit), way[0], way[-1]
    waters = rules.ports.get(start, frozenset())
    breaches = check_voyage(rules, start, end)
    far = BALTIC in waters | rules.ports.get(end, frozenset()) and "other-sea" in {b.key for b in breaches}
    for breach in breaches:
        rule = "ftm-5.5.4b" if far else SEA_KEYS[breach.key]
        yield rule, say.breach_text(field.ground.wording, breach)
    if field.ground.closed_to(unit)[end]:
        yield "ftm-5.2.1a" if unit.has("german") else "ftm-5.2.1b", "it may not enter that country"
    if field.id(begun(case, unit)) != start:
        yield "ftm-5.5b", "it did not begin the phase in that port"
    if unit.has("supply-base") and field.board.label(end) not in (KONIGSBERG, LENINGRAD):
        yield "ftm-5.5.1b", "supply bases are shipped to Konigsberg or Leningrad only"
    if BLACK in waters and not field.holds(unit.side, SEVASTOPOL):
        yield "ftm-5.5.4a", "the side that does not hold Sevastopol ships nothing on the Black Sea"
    if BALTIC in waters and unit.side == SOVIET and not field.holds(SOVIET, LENINGRAD):
        yield "ftm-5.5.5", "without Leningrad no Soviet unit is shipped on the Baltic"
    if BALTIC in waters and unit.side == AXIS and not field.holds(AXIS, KONIGSBERG):
        yield "ftm-5.5.6", "without Konigsberg no Axis unit is shipped on the Baltic"
    if _ships(case, unit, event).check(load(unit, way)):
        yield "ftm-5.5a", "one unit a phase goes by sea, or two Kampfgruppen to the same port"


def _ships(case: Case, unit: Unit, event: Moved) -> Capacity:
    """The ships as the units before this one, of the same move, have left them."""
    ships = case.in_phase.ships
    before = event.units[: event.units.index(unit.id)]
    way = field_of(case).ids(event.path)
    return replace(ships, loads=[*ships.loads, *(load(case.position.units[name], way) for name in before)])


def load(unit: Unit, way: list[HexId]) -> Load:
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)), way[-1])
