"""Chapter 9.17: Soviet units that go by sea, from port to port of the Black Sea and the Sea of Azov."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from validator.core.board import HexId
from validator.core.breach import Breach
from validator.core.capacity import Load
from validator.core.sea import SeaRules
from validator.games.lwe.book import GERMAN, SOVIET
from validator.games.lwe.field import Field
from validator.games.lwe.state import SEA_ROOM, Case
from validator.model.events import Moved
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import transport
from validator.procedures.faults import first_true
from validator.procedures.marching import has_moved
from validator.procedures.transport import Reason, Sea, judge_voyage

SEA = transport.SEA
BLACK_SEA, AZOV = "black-sea", "azov"
KERCH = ("3448", "3348", "3449")  # 7.14, 9.17
SEA_ONLY, BY_SEA_ONLY = "sea-only", "moves by sea only"
FERRIED = "sea-transport"
FOOT = ("militia", "nkvd")


def not_shipped(case: Case, unit: Unit) -> Iterator[Reason]:
    if unit.side == GERMAN:
        yield "lwe-9.17e", "does not move by sea: no unit of the German side does"
    elif not may_sail(case, unit):
        yield "lwe-9.17a", f"does not move by sea: {unit.type.name.lower()} units never do"
    elif has_moved(case, unit):
        yield "lwe-9.17b", "has moved in this phase already"


def may_sail(case: Case, unit: Unit) -> bool:
    foot = case.option("sea-foot") == "foot" and any(map(unit.has, FOOT))
    return unit.has(FERRIED) or foot


def _sea_rule(rules: SeaRules, breach: Breach, way: list[HexId]) -> str:
    nowhere = breach.key == "no-port" and len(breach.hexes) == 2  # the Baltic, or no sea at all
    return first_true(
        (breach.key == "other-sea", "lwe-9.17d"),
        (nowhere, "lwe-9.17e"),
        (way[-1] in breach.hexes, "lwe-9.17c"),
        otherwise="lwe-9.17b",
    )


def sea_load(unit: Unit) -> Load:
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)))


VOYAGES = Sea(
    barred=not_shipped,
    rules_of=lambda case, field, unit: sea_rules(field),
    rule_of=_sea_rule,
    begins="lwe-9.17b",
    room="lwe-9.17a",
    load=lambda unit, way: sea_load(unit),
    full=f"finds no room: {SEA_ROOM} divisions go by sea in a phase",
)


def by_sea(case: Case, field: Field, unit: Unit, way: list[HexId], event: Moved) -> Iterator[Fault]:
    """Whether militia and NKVD go by sea is read in two ways."""
    if unit.has(SEA_ONLY) and event.mode != SEA and not all(field.board.has_feature(h, "port") for h in way):
        yield Fault("lwe-9.17f", f"{unit.id} {BY_SEA_ONLY}", (unit.id,))
        return
    doubtful = any(map(unit.has, FOOT)) and not may_sail(case, unit)
    for fault in judge_voyage(VOYAGES, case, field, unit, way, event):
        yield replace(fault, verdict=Verdict.WARNING) if doubtful else fault


def sea_rules(field: Field) -> SeaRules:
    """Every town and city on the Black Sea and the Sea of Azov; they are one while Kerch is Soviet."""
    board = field.board
    kerch = [board.id_of[h] for label in KERCH if (h := board.lattice.hex(label)) in board.id_of]
    joined = all(field.may_hold(SOVIET, h) for h in kerch)
    ports = {}
    for hex_id in {*board.with_feature("port"), *board.with_feature("coastal-supply")}:
        water = AZOV if board.has_feature(hex_id, "azov-port") else BLACK_SEA
        ports[hex_id] = frozenset({AZOV, BLACK_SEA}) if joined else frozenset({water})
    return SeaRules(ports, board.mask(h for h in ports if field.may_hold(SOVIET, h)))
