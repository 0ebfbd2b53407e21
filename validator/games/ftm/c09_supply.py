"""Chapter 9: what the players marked, expended and took off the map, against what the rules say."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.supply import LENGTH
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.ftm.book import AXIS, RULES, SOVIET, SUPPLY
from validator.games.ftm.c10_partisans import engaged, marks_by_partisans
from validator.games.ftm.c14_air import in_air_range
from validator.games.ftm.field import field_at_phase_start
from validator.games.ftm.lines import SEA_BASES, Kind, ships_supply
from validator.games.ftm.state import Case
from validator.games.ftm.supply import EXPENDED, LEAVES_THE_MAP, Status, Supply, supply_at_start, supply_now
from validator.model.events import Declared, Marked, Moved, Removed, Replaced, Unmarked
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import supplymarks
from validator.procedures.supplylines import line_evidence
from validator.procedures.supplymarks import LACK, MARKER, NAMES, OUT, SUPPLIED, shown_statuses, status_of

EXPEND, AIR_SUPPLY = "expend-base", "air-supply"
BASE_RULES = {AXIS: "ftm-9.3", SOVIET: "ftm-9.4"}


# --- supply bases that are expended (9.3.4) ----------------------------------------------------------


def _bases(case: Case, event: Declared | Marked) -> list[Unit]:
    """The bases that are turned over by an event."""
    units = case.position.units
    if isinstance(event, Declared):
        return [units[name] for name in event.units if event.what == EXPEND]
    if event.marker != EXPENDED:
        return []
    there = case.position.at(event.on) if isinstance(event.on, Hex) else [units[event.on]]
    return [unit for unit in there if unit.has("supply-base")][:1]


@RULES.rule("ftm-9.3.4")
@RULES.before(Declared, Marked, phases=[SUPPLY])
def only_bases_without_a_railway_are_expended(case: Case, event: Declared | Marked) -> Faults:
    for base in _bases(case, event):
        linked = supply_at_start(case).tracing.linked_bases(Kind(AXIS, False, False))
        if field_at_phase_start(case).id(base.spot) in linked:
            text = f"{base.id} has an open railway to a source and is expended"
            yield Fault("ftm-9.3.4", text, (base.id,))


@RULES.track(Declared, Marked, when=JUDGED, phases=[SUPPLY])
def note_what_is_expended(case: Case, event: Declared | Marked) -> None:
    _expended(case, *(base.id for base in _bases(case, event)))


@RULES.track(Removed, Moved, when=APPLIED, phases=[SUPPLY])
def a_base_taken_off_was_expended(case: Case, event: Removed | Moved) -> None:
    names = event.units if isinstance(event, Moved) else (event.unit,)
    units = case.position.units
    _expended(case, *(n for n in names if units[n].has("supply-base") and not units[n].on_map))


def _expended(case: Case, *names: str) -> None:
    start = field_at_phase_start(case)
    case.in_phase.expended.update(start.where(case.phase_start.units[name] for name in names))


@RULES.rule("ftm-9.3.4")
@RULES.at_phase_end(SUPPLY)
def expended_bases_leave_the_map(case: Case) -> Faults:
    for name in case.in_phase.expended:
        base = case.position.units[name]
        if base.on_map:
            yield Fault("ftm-9.3.4", f"{name} was expended and is still on the map", (name,), (base.hex,))


# --- air supply (9.3.5, 14.2) --------------------------------------------------------------------------


@RULES.rule("ftm-9.3.5")
@RULES.before(Declared, phases=[SUPPLY])
def air_supply_lifts_a_german_unit_in_range(case: Case, event: Declared) -> Faults:
    for name in event.units if event.what == AIR_SUPPLY else ():
        unit = case.position.units[name]
        if not unit.has("german"):
            yield Fault("ftm-9.3.5", f"{name} is supplied from the air; only German units are", (name,))
        elif unit.on_map and not in_air_range(case, unit.hex):
            text = f"{name} is supplied from the air, farther than four hexes from every air base"
            yield Fault("ftm-9.3.5", text, (name,), (unit.hex,))


@RULES.track(Declared, when=JUDGED, phases=[SUPPLY])
def note_air_supply(case: Case, event: Declared) -> None:
    if event.what == AIR_SUPPLY:
        case.in_phase.airlifted.update(event.units)


# --- the markers at the end of the supply phase (9.1) -----------------------------------------------------


def statuses(case: Case, unit: Unit) -> Iterator[tuple[Supply, HexId, Status]]:
    """What may have been found for a unit: as the phase began, or after what left the map in it."""
    start = case.phase_start.units[unit.id]
    befores = {status_of(start), *([SUPPLIED] if engaged(case, unit) else [])}
    for supply in (supply_at_start(case), supply_now(case)):
        hex_id = supply.field.id(supply.field.position.units[unit.id].spot)
        if hex_id is not None:
            yield from ((supply, hex_id, supply.of(unit, hex_id, was)) for was in befores)


def _allowed(case: Case, unit: Unit, found: list[Status]) -> set[int]:
    """The faces a unit may show: by its lines, lifted by aircraft, engaged by partisans, by sea or not."""
    faces = {status.status for status in found}
    if OUT in faces and _lifted(case, unit):
        faces = faces - {OUT} | {LACK}
    by_sea = any(status.by == "sea" for status in found)
    if marks_by_partisans(case, unit):
        faces.add(OUT)
    return faces | ({LACK, OUT} if by_sea else set())


def _lifted(case: Case, unit: Unit) -> bool:
    """A mission that was declared for it; or any that was flown, undeclared, in a log of counters moved."""
    return unit.id in case.in_phase.airlifted or (case.by_hand and unit.has("german"))


@RULES.rule("ftm-9.1", "ftm-9.1.1", "ftm-9.1.2", "ftm-9.2", "ftm-9.2.2", "ftm-9.3", "ftm-9.3.3", "ftm-9.4")
@RULES.rule("ftm-9.6.1", "ftm-9.6.1b", "ftm-9.6.2", "ftm-9.6.3", "ftm-9.6z", "ftm-10.3", "ftm-9.3.5")
@RULES.at_phase_end(SUPPLY)
def markers_show_what_the_rules_say(case: Case) -> Faults:
    for unit in list(case.position.on_map()):
        if unit.has("always-supplied") or not case.phase_start.units[unit.id].on_map:
            continue
        found = list(statuses(case, unit))
        shown = shown_statuses(case, unit)
        allowed = _allowed(case, unit, [status for _, _, status in found])
        if _leaves(unit) and not any(status.supplied for _, _, status in found):
            yield _left_on_the_map(unit, *found[0])
        elif not _leaves(unit) and allowed.isdisjoint(shown):
            yield _wrongly_marked(unit, shown[0], *found[0])


def _leaves(unit: Unit) -> bool:
    return any(unit.has(trait) for trait in LEAVES_THE_MAP)


def _left_on_the_map(unit: Unit, supply: Supply, hex_id: HexId, status: Status) -> Fault:
    text = f"{unit.id} has no line of supply and stays on the map: {supply.text(unit, hex_id, status)}"
    rule = "ftm-9.6z" if _sea_rule(supply, unit, hex_id) == "ftm-9.6z" else "ftm-9.1.1"
    return Fault(rule, text, (unit.id,), (unit.hex,))


def _wrongly_marked(unit: Unit, shown: int, supply: Supply, hex_id: HexId, status: Status) -> Fault:
    is_shown = f"is marked {NAMES[shown]}" if shown else "is not marked"
    text = f"{unit.id} {is_shown}, but has {NAMES[status.status]}: {supply.text(unit, hex_id, status)}"
    rule = "ftm-9.1"
    if status.by == "factory" and shown == OUT:
        rule = "ftm-9.1.2"
    elif shown == LACK and status.status == OUT and unit.has("german"):
        rule = "ftm-9.3.5"
    elif shown == SUPPLIED:
        rule = _cause(supply, unit, hex_id)
    proof = dict(line_evidence(supply.field.board, supply.line(unit, hex_id, status.net)))
    return Fault(rule, text, (unit.id,), (unit.hex,), proof)


@RULES.rule("ftm-9.1.1")
@RULES.at_phase_end(SUPPLY)
def only_the_unsupplied_leave_the_map(case: Case) -> Faults:
    for start in case.phase_start.on_map():
        unit = case.position.units[start.id]
        if not unit.on_map and _leaves(unit):
            found = list(statuses(case, unit))
            if found and all(status.supplied for _, _, status in found):
                supply, hex_id, status = found[0]
                text = f"{unit.id} is taken off, but is in supply: {supply.text(unit, hex_id, status)}"
                yield Fault("ftm-9.1.1", text, (unit.id,), (start.hex,))


# --- which rule leaves a unit without supply -----------------------------------------------------------


def _cause(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    kind, tracing = Kind.of(unit), supply.tracing
    verdict = supply.line(unit, hex_id)
    key = verdict.key or ""
    if unit.has("finnish") and tracing.helsinki_lost:
        return "ftm-9.3"
    if tracing.near_partisans(kind).lines.length(hex_id) is not None and unit.side == AXIS:
        return "ftm-10.3"
    if rule := _sea_rule(supply, unit, hex_id):
        return rule
    if key not in (LENGTH, ""):
        return "ftm-9.2"
    if unit.side == AXIS and tracing.distant(kind).lines.length(hex_id) is not None:
        return "ftm-9.3.3" if not tracing.far_away[hex_id] and _nearly_far(supply, hex_id) else "ftm-9.3"
    return BASE_RULES[unit.side]


def _nearly_far(supply: Supply, hex_id: HexId) -> bool:
    """Five hexes from the enemy: a miscount."""
    enemies = [h for h, _ in supply.field.of_side(SOVIET)]
    return all(supply.field.board.distance(hex_id, h) >= 5 for h in enemies)


def _sea_rule(supply: Supply, unit: Unit, hex_id: HexId) -> str:
    """The rule of sea supply that fails a unit near a port of its side; "" if the sea is no matter."""
    tracing, board = supply.tracing, supply.field.board
    features = [feature for side, feature in SEA_BASES if side == unit.side]
    near = [h for h in board.with_feature(*features) if board.distance(h, hex_id) <= 2]
    own = [h for h in near if supply.field.holder(h) == unit.side]
    if not own:
        return ""
    if not ships_supply(unit):
        return "ftm-9.6z" if tracing.ports(Kind.of(unit)) else ""
    bases = [(f, labels) for (s, f), (_, labels) in SEA_BASES.items() if s == unit.side]
    hope = any(supply.field.holds(unit.side, label) for _, labels in bases for label in labels)
    if unit.side == SOVIET:
        return "ftm-9.6.1b" if tracing.ports(Kind.of(unit)) else "ftm-9.6.3"
    black = board.has_feature(own[0], "black-sea-port")
    return ("ftm-9.6.1" if black else "ftm-9.6.2") if hope else ""


# --- markers at other times ----------------------------------------------------------------------------


@RULES.rule("ftm-9.1")
@RULES.before(Marked, Unmarked)
def status_lasts_the_turn(case: Case, event: Marked | Unmarked) -> Faults:
    for unit, text in supplymarks.changes_later(case, event, SUPPLY):
        yield Fault("ftm-9.1", text, (unit.id,), (unit.hex,))


@RULES.rule("ftm-12.0a")
@RULES.before(Marked)
def bases_and_assets_are_always_supplied(case: Case, event: Marked) -> Faults:
    unit = case.position.units.get(event.on) if isinstance(event.on, str) else None
    if event.marker == MARKER and unit is not None and unit.has("always-supplied"):
        rule = "ftm-12.0a" if unit.side == SOVIET else "ftm-9.1"
        yield Fault(rule, f"{unit.id} is always in supply and is marked", (unit.id,))


@RULES.track(Replaced, when=APPLIED)
def who_takes_a_unit_s_place_has_its_status(case: Case, event: Replaced) -> None:
    supplymarks.hand_down(case, event)
