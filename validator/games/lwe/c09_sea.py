"""Chapter 9.17: Soviet units that go by sea, from port to port of the Black Sea and the Sea of Azov."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from validator.core import explain as say
from validator.core.board import HexId
from validator.core.breach import Breach
from validator.core.capacity import Load
from validator.core.sea import SeaRules, check_voyage
from validator.games.lwe.book import GERMAN, SOVIET
from validator.games.lwe.field import Field, field_at_phase_start
from validator.games.lwe.state import SEA_ROOM, Case
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit

SEA = "sea"
BLACK_SEA, AZOV = "black-sea", "azov"
KERCH = ("3448", "3348", "3449")  # 7.14, 9.17
FERRIED = "sea-transport"
FOOT = ("militia", "nkvd")


def sea_load(unit: Unit) -> Load:
    return Load(unit.id, Fraction(unit.type.values.get("sea-size", 1)))


def sea_faults(
    case: Case, field: Field, unit: Unit, way: list[HexId], aboard: Sequence[Unit] = ()
) -> Iterator[Fault]:
    """What is wrong with a voyage; `aboard` are units of the same move that were looked at before."""
    book = case.in_phase
    begun = field_at_phase_start(case).id(case.phase_start.units[unit.id].spot)
    if unit.side == GERMAN:
        yield Fault("lwe-9.17e", f"{unit.id}: no unit of the German side moves by sea", (unit.id,))
    elif not _may_sail(case, unit):
        text = f"{unit.id}: {unit.type.name.lower()} units do not move by sea"
        foot = any(unit.has(kind) for kind in FOOT)
        yield Fault("lwe-9.17a", text, (unit.id,), (), {}, Verdict.WARNING if foot else Verdict.ILLEGAL)
    elif unit.id in book.trips or begun != way[0]:
        yield Fault(
            "lwe-9.17b", f"{unit.id} began the phase elsewhere than in {_name(field, way[0])}", (unit.id,)
        )
    else:
        yield from _voyage(case, field, unit, way)
        ships = replace(book.ships, loads=[*book.ships.loads, *map(sea_load, aboard)])
        for breach in ships.check(sea_load(unit)):
            text = f"{'+'.join(breach.units)}: {breach.needed} divisions by sea, {SEA_ROOM} in a phase"
            yield Fault("lwe-9.17a", text, breach.units)


def _name(field: Field, hex_id: HexId) -> str:
    return field.ground.place_name(field.board.hexes[hex_id])


def _may_sail(case: Case, unit: Unit) -> bool:
    if unit.has(FERRIED):
        return True
    return case.option("sea-foot") == "foot" and any(unit.has(kind) for kind in FOOT)


def _voyage(case: Case, field: Field, unit: Unit, way: list[HexId]) -> Iterator[Fault]:
    rules = sea_rules(field)
    for breach in check_voyage(rules, way[0], way[-1])[:1]:
        hexes = field.hexes(breach.hexes)
        text = f"{unit.id}: {say.breach_text(field.ground.wording, breach)}"
        if breach.key == "other-sea":
            text += ", and not every hex of the Kerch Straits is Soviet"
        yield Fault(_sea_rule(breach, way), text, (unit.id,), hexes)


def _sea_rule(breach: Breach, way: list[HexId]) -> str:
    if breach.key == "other-sea":
        return "lwe-9.17d"
    if breach.key == "no-port" and len(breach.hexes) == 2:
        return "lwe-9.17e"  # the Baltic, or no sea at all
    return "lwe-9.17c" if way[-1] in breach.hexes else "lwe-9.17b"


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
