"""Chapters 5.5 and 5.6: movement by sea and strategic movement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from validator.core import explain as say
from validator.core.board import HexId, minus
from validator.core.capacity import Capacity, Load
from validator.core.movement import BUDGET, MoveRules, PathVerdict, explain
from validator.core.sea import SeaRules, check_voyage
from validator.core.strategic import strategic_rules
from validator.games.wfm.book import AXIS, ENEMY
from validator.games.wfm.c05_march import KEYS, both_ways, fault_of_path
from validator.games.wfm.c09_supply import supplied_mask
from validator.games.wfm.control import friendly_ports
from validator.games.wfm.field import MUD, SNOW, Field, field_of
from validator.games.wfm.partisans import AIR_FLEET, hindering, markers_on_hexes
from validator.games.wfm.state import Case
from validator.games.wfm.travel import STRATEGIC, modes_of, trip_of
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.supplymarks import out_of_supply, unsupplied

# --- strategic movement (5.6) ---

STRATEGIC_HEXES = 25
ICE = "ice"  # closes the northern ports (5.57)


def strategically(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    barred = list(may_use_strategic(case, unit))
    yield from barred
    if any(fault.verdict is Verdict.ILLEGAL for fault in barred):
        return
    rules = replace(strategic_move_rules(case, field, unit), exact=not event.dragged)
    verdict = explain(field.board, rules, way[0], way[-1], way[1:-1])
    if not verdict.legal:
        fault = fault_of_path(case, field, unit, verdict)
        keys = verdict.obstacle.keys if verdict.obstacle else ()
        rule = next((KEYS[key] for key in ("too-near", "out-of-supply") if key in keys), "wfm-5.64")
        text = f"{unit.id}: {_strategic_text(field, verdict)}"
        doubt = _supplied_this_turn(rules, way[0], keys)
        yield Fault(rule, text, fault.units, fault.hexes, fault.evidence, doubt)


def _strategic_text(field: Field, verdict: PathVerdict) -> str:
    """Hexes count, not what they cost."""
    words, obstacle = field.ground.wording, verdict.obstacle
    if obstacle is None:
        return say.path_text(words, verdict)
    path = obstacle.way.path
    reasons = [
        f"{len(path) - 1} hexes, {STRATEGIC_HEXES} allowed" if b.key == BUDGET else say.breach_text(words, b)
        for b in obstacle.breaches
    ]
    return f"{'; '.join(reasons)}: {'-'.join(map(words.hex, path))}"


def _supplied_this_turn(rules: MoveRules, start: HexId, keys: tuple[str, ...]) -> Verdict:
    """A unit found in supply stays so for the turn (9.12), even where no line reaches it any more."""
    begins_cut_off = rules.forbidden["out-of-supply"][start]
    return Verdict.WARNING if keys == ("out-of-supply",) and begins_cut_off else Verdict.ILLEGAL


def strategic_move_rules(case: Case, field: Field, unit: Unit) -> MoveRules:
    """25 hexes, away from the enemy and in supply all the way (5.62 to 5.67)."""
    table = field.ground.rail_table if unit.has("rail-only") else field.ground.strategic_table
    closed = {"out-of-supply": minus(field.board.mask(range(len(field.board))), supplied_mask(case, unit))}
    enemies = _distance_units(case, field, unit)
    return strategic_rules(table, STRATEGIC_HEXES, enemies, closest(case), closed)


def may_use_strategic(case: Case, unit: Unit) -> Iterator[Fault]:
    used = modes_of(case, unit)
    if not (unit.has("strategic") or (unit.has("strategic-mud") and case.season == MUD)):
        when = " outside mud turns" if unit.has("strategic-mud") else ""
        rule = "wfm-20.33" if unit.has("security") else "wfm-5.66"
        yield Fault(rule, f"{unit.id} may not use strategic movement{when}", (unit.id,))
    elif trip_of(case, unit):
        yield Fault("wfm-5.61", f"{unit.id} has moved in this phase already", (unit.id,))
    elif STRATEGIC in used:
        yield Fault("wfm-5.61", f"{unit.id} used strategic movement in its other phase already", (unit.id,))
    elif unsupplied(unit):
        state = "Out of Supply" if out_of_supply(unit) else "Lack of Supply"
        yield Fault("wfm-5.67", f"{unit.id} is marked {state} and may not use strategic movement", (unit.id,))
    elif used:
        yield from both_ways(case, unit)


def closest(case: Case) -> int:
    """The least distance that strategic movement keeps from the enemy (5.62)."""
    return int(case.option("strategic-distance"))


def enemies_that_count(case: Case, field: Field, side: str) -> list[HexId]:
    """Where the units of a side are that distance is kept from (5.62, 13.12, 20.34)."""
    all_units = case.option("distance-units") == "all"
    return [h for h, other in field.of_side(side) if all_units or field.has_zone(other)]


def _distance_units(case: Case, field: Field, unit: Unit) -> list[HexId]:
    """The enemies that distance is kept from; fleets and partisans that are felt count too (9.84, 10.24)."""
    hexes = enemies_that_count(case, field, ENEMY[unit.side])
    if unit.side == AXIS:
        return [*hexes, *hindering(case, field)]
    fleets = (field.id(hex_) for _, hex_ in markers_on_hexes(case, AIR_FLEET))
    return [*hexes, *(h for h in fleets if h is not None)]


# --- sea movement (5.5) ---


def sea_rules(case: Case, field: Field, unit: Unit) -> SeaRules:
    return SeaRules(
        field.ground.ports(case.option("azov-ports") == "on"),
        friendly_ports(case, field, unit.side),
        {ICE: field.ground.winter_ports} if case.season == SNOW else {},
    )


def by_sea(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    if case.phase == "ger-mech":
        text = f"{unit.id}: no unit moves by sea in the German Mechanized Movement Phase"
        yield Fault("wfm-5.51", text, (unit.id,))
    elif not unit.has("sea-transport"):
        rule = "wfm-20.33" if unit.has("security") else "wfm-5.54"
        yield Fault(rule, f"{unit.id}: {unit.type.name.lower()} units may not move by sea", (unit.id,))
    elif trip_of(case, unit):
        yield Fault("wfm-5.53b", f"{unit.id} has moved in this phase already", (unit.id,))
    else:
        yield from _voyage(case, field, unit, way, event)


def _ships(case: Case, unit: Unit, event: Moved) -> Capacity:
    """The ships as the units before this one, of the same move, have left them."""
    ships = case.in_phase.journal.ships
    before = event.units[: event.units.index(unit.id)]
    way = field_of(case).ids(event.path)
    loads = (load(case.position.units[name], way) for name in before)
    return replace(ships, loads=[*ships.loads, *loads])


def _voyage(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    """From port to port; and one unit a phase, or two halves together."""
    rules = sea_rules(case, field, unit)
    breaches = check_voyage(rules, way[0], way[-1])
    if breaches:
        breach = breaches[0]
        black = "black-sea" in rules.ports.get(way[0], ())
        found = {"other-sea": "wfm-5.58" if black else "wfm-5.57a", ICE: "wfm-5.57b"}
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        text = f"{unit.id}: {say.breach_text(field.ground.wording, breach)}"
        yield Fault(found.get(breach.key, "wfm-5.53a"), text, (unit.id,), hexes)
        return
    for breach in _ships(case, unit, event).check(load(unit, way)):
        text = "one unit a phase moves by sea, or two halves between the same ports"
        yield Fault("wfm-5.51", f"{'+'.join(breach.units)}: {text}", breach.units)
        return


def load(unit: Unit, way: list[HexId]) -> Load:
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)), (way[0], way[-1]))
