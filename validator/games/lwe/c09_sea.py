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
from validator.model.findings import Fault
from validator.model.position import Unit, any_has
from validator.procedures import transport
from validator.procedures.faults import first_true, those_that_hold, unless
from validator.procedures.marches import has_moved
from validator.procedures.transport import Reason, Sea, judge_voyage

SEA = transport.SEA
BLACK_SEA, AZOV = "black-sea", "azov"
KERCH = ("3448", "3348", "3449")  # 7.14, 9.17
SEA_ONLY, BY_SEA_ONLY = "sea-only", "moves by sea only"
FERRIED = "sea-transport"
FOOT = ("militia", "nkvd")


def not_shipped(case: Case, unit: Unit) -> Iterator[Reason]:
    never = f"does not move by sea: {unit.type.name.lower()} units never do"
    return those_that_hold(
        (unit.side == GERMAN, "lwe-9.17e", "does not move by sea: no unit of the German side does"),
        (not may_sail(case, unit), "lwe-9.17a", never),
        (has_moved(case, unit), "lwe-9.17b", "has moved in this phase already"),
    )


def may_sail(case: Case, unit: Unit) -> bool:
    return unit.has(FERRIED) or (any_has([unit], *FOOT) and case.option("sea-foot") == "foot")


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
    """Whether militia and NKVD go by sea is read in two ways. A move that does not say how it was made is a
    voyage only from port to port."""
    if event.mode != SEA and not (len(way) == 2 and sea_rules(field).ports.keys() >= {*way}):
        how = BY_SEA_ONLY if unit.has(SEA_ONLY) else "does not go from port to port"
        yield Fault("lwe-9.17f", f"{unit.id} {how}", (unit.id,))
        return
    doubtful = any_has([unit], *FOOT) and not may_sail(case, unit)
    voyage = judge_voyage(VOYAGES, case, field, unit, way, event)
    yield from (replace(fault, verdict=unless(doubtful)) for fault in voyage)


def sea_rules(field: Field) -> SeaRules:
    """Every town and city on the Black Sea and the Sea of Azov; they are one while Kerch is Soviet."""
    board = field.board
    kerch = field.ids(map(board.lattice.hex, KERCH))
    joined = all(field.may_hold(SOVIET, h) for h in kerch)
    both = frozenset({AZOV, BLACK_SEA})
    of_azov = both if joined else frozenset({AZOV})
    of_the_black_sea = both if joined else frozenset({BLACK_SEA})
    hexes = (*board.with_feature("port"), *board.with_feature("coastal-supply"))
    ports = dict.fromkeys(hexes, of_the_black_sea) | dict.fromkeys(board.with_feature("azov-port"), of_azov)
    return SeaRules(ports, board.mask(h for h in ports if field.may_hold(SOVIET, h)))
