"""Chapter 9: what the players marked, expended and took off the map, against what the rules say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from validator.core.board import HexId
from validator.core.supply import LENGTH
from validator.engine.rulebook import JUDGED, Faults
from validator.games.ftm.book import AXIS, RULES, SOVIET, SUPPLY
from validator.games.ftm.c10_partisans import engaged, marks_by_partisans
from validator.games.ftm.c14_air import in_air_range
from validator.games.ftm.field import field_at_phase_start
from validator.games.ftm.lines import FAR, SEA_BASES, SEA_RANGE, Kind, ships_supply
from validator.games.ftm.state import Case
from validator.games.ftm.supply import EXPENDED, LEAVES_THE_MAP, Status, Supply, supply_at_start, supply_now
from validator.model.events import Declared
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, on_map
from validator.procedures import supply_phase
from validator.procedures.ask_each import each, units_of
from validator.procedures.faults import first_that_holds, first_true, of_rule
from validator.procedures.moves import spot_of
from validator.procedures.supply_phase import SupplyPhase
from validator.procedures.supplylines import line_evidence
from validator.procedures.supplymarks import LACK, OUT, SUPPLIED, status_of

EXPEND, AIR_SUPPLY = "expend-base", "air-supply"
BASE_RULES = {AXIS: "ftm-9.3", SOVIET: "ftm-9.4"}


# --- air supply (9.3.5, 14.2) --------------------------------------------------------------------------


@RULES.rule("ftm-9.3.5")
@RULES.before(Declared, phases=[SUPPLY], what=AIR_SUPPLY)
@each(units_of)
def air_supply_lifts_a_german_unit_in_range(case: Case, event: Declared, unit: Unit) -> Faults:
    far = unit.on_map and not in_air_range(case, unit.hex)
    rows = (
        (not unit.has("german"), "is supplied from the air; only German units are"),
        (far, "is supplied from the air, farther than four hexes from every air base"),
    )
    hexes = spot_of(unit.spot) if unit.has("german") else ()
    yield from first_that_holds(of_rule("ftm-9.3.5", rows), f"{unit.id} ", (unit.id,), hexes)


@RULES.track(Declared, when=JUDGED, phases=[SUPPLY], what=AIR_SUPPLY)
def note_air_supply(case: Case, event: Declared) -> None:
    case.in_phase.airlifted.update(event.units)


@RULES.rule("ftm-9.3.5")
@RULES.at_phase_end(SUPPLY)
def air_supply_is_for_units_out_of_supply(case: Case) -> Faults:
    """Flown for another it changes nothing, and the air unit is used."""
    for unit in on_map(case.units(case.in_phase.airlifted)):
        lines = {status.status for _, _, status in statuses(case, unit)}
        if unit.has("german") and OUT not in lines and not marks_by_partisans(case, unit):
            text = f"{unit.id} is supplied from the air and is not Out of Supply"
            yield Fault("ftm-9.3.5", text, (unit.id,), (unit.hex,), verdict=Verdict.WARNING)


# --- the markers at the end of the supply phase (9.1) -----------------------------------------------------


def statuses(case: Case, unit: Unit) -> Iterator[tuple[Supply, HexId, Status]]:
    """What may have been found for a unit: as the phase began, or after what left the map in it; near units
    that may not count (9.3.3), by either reading."""
    start = case.phase_start.units[unit.id]
    befores = {status_of(start), *([SUPPLIED] if engaged(case, unit) else [])}
    for supply in (supply_at_start(case), supply_now(case)):
        hex_id = supply.field.id(supply.field.position.units[unit.id].spot)
        if hex_id is not None:
            for reading, was in product(supply.readings(unit, hex_id), befores):
                yield reading, hex_id, reading.of(unit, hex_id, was)


def _allowed(case: Case, unit: Unit, statuses: list[Status]) -> set[int]:
    """The faces a unit may show: by its lines, lifted by aircraft, engaged by partisans, by sea or not."""
    faces = {status.status for status in statuses}
    if OUT in faces and unit.id in case.in_phase.airlifted:
        faces = faces - {OUT} | {LACK}
    elif OUT in faces and case.by_hand and unit.has("german"):
        faces.add(LACK)  # lifted, and a log of counters moved does not show by what
    by_sea = any(status.by == "sea" for status in statuses)
    if marks_by_partisans(case, unit):
        faces.add(OUT)
    return faces | ({LACK, OUT} if by_sea else set())


def _leaves(unit: Unit) -> bool:
    return any(map(unit.has, LEAVES_THE_MAP))


def _kept(case: Case, base: Unit) -> tuple[str, Verdict] | None:
    linked = supply_at_start(case).tracing.linked_bases(Kind(AXIS, False, False))
    if field_at_phase_start(case).id(base.spot) not in linked:
        return None
    return "has an open line to a source and is expended", Verdict.ILLEGAL


def _left(unit: Unit, supply: Supply, hex_id: HexId) -> str:
    """A base or Offensive Support that stays without a line."""
    return "ftm-9.6z" if _sea_rule(supply, unit, hex_id) == "ftm-9.6z" else "ftm-9.1.1"


def _evidence(unit: Unit, supply: Supply, hex_id: HexId, status: Status) -> dict[str, object]:
    return dict(line_evidence(supply.field.board, supply.line(unit, hex_id, status.net)))


# --- which rule leaves a unit without supply -----------------------------------------------------------


def _face(unit: Unit, shown: int, supply: Supply, hex_id: HexId, status: Status) -> tuple[str, Verdict]:
    """What a wrong face breaks."""
    return _rule_of(unit, shown, supply, hex_id, status), Verdict.ILLEGAL


def _rule_of(unit: Unit, shown: int, supply: Supply, hex_id: HexId, status: Status) -> str:
    if status.by == "factory" and shown == OUT:
        return "ftm-9.1.2"
    if shown == LACK and status.status == OUT and unit.has("german"):
        return "ftm-9.3.5"
    return _cause(supply, unit, hex_id) if shown == SUPPLIED else "ftm-9.1"


def _cause(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    kind, tracing = Kind.of(unit), supply.tracing
    key, axis = supply.line(unit, hex_id).key or "", unit.side == AXIS
    sea = _sea_rule(supply, unit, hex_id)
    distant = axis and tracing.distant(kind).lines.length(hex_id) is not None
    miscounted = not tracing.is_far(hex_id) and _nearly_far(supply, hex_id)
    return first_true(
        (unit.has("finnish") and tracing.helsinki_lost, "ftm-9.3"),
        (axis and tracing.near_partisans(kind).lines.length(hex_id) is not None, "ftm-10.3"),
        (sea, sea),
        (key not in (LENGTH, ""), "ftm-9.2"),
        (distant, "ftm-9.3.3" if miscounted else "ftm-9.3"),
        otherwise=BASE_RULES[unit.side],
    )


def _nearly_far(supply: Supply, hex_id: HexId) -> bool:
    """Five hexes from the enemy: a miscount."""
    nearest = supply.field.board.nearest(hex_id, (h for h, _ in supply.field.of_side(SOVIET)))
    return nearest is None or nearest >= FAR - 1


def _sea_rule(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    """The rule of sea supply that fails a unit near a port of its side; "" if the sea is no matter."""
    tracing, board, field = supply.tracing, supply.field.board, supply.field
    bases = {feature: labels for (side, feature), (_, labels) in SEA_BASES.items() if side == unit.side}
    near = [h for h in board.with_feature(*bases) if board.distance(h, hex_id) <= SEA_RANGE]
    own = [h for h in near if field.holder(h) == unit.side]
    if not own:
        return ""
    open_ = tracing.ports(Kind.of(unit))
    hope = any(field.holds(unit.side, label) for labels in bases.values() for label in labels)
    black = board.has_feature(own[0], "black-sea-port")
    return first_true(
        (not ships_supply(unit), "ftm-9.6z" if open_ else ""),
        (unit.side == SOVIET, "ftm-9.6.1b" if open_ else "ftm-9.6.3"),
        (not hope, ""),
        otherwise="ftm-9.6.1" if black else "ftm-9.6.2",
    )


OTHERS = (
    "9.1",
    "9.1.1",
    "9.1.2",
    "9.2",
    "9.3",
    "9.3.3",
    "9.3.5",
    "9.4",
    "9.6.1",
    "9.6.1b",
    "9.6.2",
    "9.6.3",
    "9.6z",
)
supply_phase.register(
    RULES,
    SupplyPhase(
        phase=SUPPLY,
        expend=EXPEND,
        marker=EXPENDED,
        base="supply-base",
        at_start=field_at_phase_start,
        kept=_kept,
        moments=statuses,
        allowed=_allowed,
        text=lambda unit, supply, hex_id, status: supply.text(unit, hex_id, status),
        evidence=_evidence,
        leaves=_leaves,
        cause=_face,
        left=_left,
        taken=lambda unit: "ftm-9.1.1",
        expended="ftm-9.3.4",
        lasts="ftm-9.1",
        always=lambda unit: "ftm-12.0a" if unit.side == SOVIET else "ftm-9.1",
        others=tuple(f"ftm-{rule}" for rule in (*OTHERS, "10.3")),
    ),
)
