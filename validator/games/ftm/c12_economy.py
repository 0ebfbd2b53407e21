"""Chapters 12 and 13: economic assets, evacuation, production of Offensive Support units."""

from __future__ import annotations

from collections.abc import Iterator

from fieldpost.hexes import Hex
from validator.engine.rulebook import JUDGED, Faults
from validator.games.ftm.book import ADMIN, RULES, SOVIET
from validator.games.ftm.field import field_at_phase_start, field_of
from validator.games.ftm.state import Case
from validator.games.ftm.supply import rail_line, supplied_mask
from validator.model.events import Moved, Placed, Removed, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit

LOST, EVACUATED, WAITING = "lost-asset-", "evacuated-factories", "osm-waiting"
PRODUCTION = "production"


def produces(case: Case) -> bool:
    """Whether this is a production turn (12.1)."""
    turn = case.game.turn.get(case.turn)
    return turn is not None and turn.production is not None


# --- economic assets (12.0) ------------------------------------------------------------------------


def lost_boxes(case: Case) -> set[int]:
    """The boxes of the track that hold an asset."""
    spots = (unit.spot for unit in case.position.units.values() if unit.has("economic-asset"))
    return {int(spot.removeprefix(LOST)) for spot in spots if isinstance(spot, str) and spot.startswith(LOST)}


def first_free_box(case: Case) -> int:
    taken = lost_boxes(case)
    return next(n for n in range(1, 99) if n not in taken)


@RULES.rule("ftm-12.0a")
@RULES.before(Removed)
def lost_assets_go_to_the_first_free_box(case: Case, event: Removed) -> Faults:
    unit = case.position.units[event.unit]
    wanted = f"{LOST}{first_free_box(case)}"
    if unit.has("economic-asset") and event.box not in (wanted, EVACUATED):
        text = f"{unit.id} goes to {event.box or 'no box'}; the first free box of the track is {wanted}"
        yield Fault("ftm-12.0a", text, (unit.id,))


@RULES.rule("ftm-12.0a")
@RULES.before(Moved, Placed)
def assets_never_move(case: Case, event: Moved | Placed) -> Faults:
    names = event.units if isinstance(event, Moved) else (event.unit,)
    for unit in (case.position.units[name] for name in names):
        stays = isinstance(event, Moved) or (isinstance(unit.spot, str) and unit.spot.startswith(LOST))
        if unit.has("economic-asset") and stays and unit.spot is not None:
            yield Fault("ftm-12.0a", f"{unit.id} is an economic asset and never moves", (unit.id,))


# --- evacuation (12.2) -----------------------------------------------------------------------------


@RULES.rule("ftm-12.2")
@RULES.before(Removed)
def factories_are_evacuated_by_rail(case: Case, event: Removed) -> Faults:
    unit = case.position.units[event.unit]
    if event.box == EVACUATED and isinstance(unit.spot, Hex):
        for reason in _not_evacuated(case, unit, unit.spot):
            yield Fault("ftm-12.2", f"{unit.id} is evacuated: {reason}", (unit.id,), (unit.spot,))
            return


def _not_evacuated(case: Case, unit: Unit, spot: Hex) -> Iterator[str]:
    start, hex_id = field_at_phase_start(case), field_of(case).id(spot)
    if not unit.has("evacuates"):
        yield "only factories are"
    if case.phase != ADMIN or not produces(case):
        yield "that is done in the Administrative Phase of a production turn"
    if case.in_phase.evacuated:
        yield "one factory was evacuated in this phase already"
    if hex_id is not None and start.enemy_zones(SOVIET).holds(hex_id):
        yield "it begins the phase in an Axis zone of control"
    if hex_id is not None and not rail_line(case, hex_id):
        yield "no open railway leads from it to a Soviet source"


@RULES.track(Removed, when=JUDGED)
def note_the_evacuation(case: Case, event: Removed) -> None:
    case.in_phase.evacuated += event.box == EVACUATED


# --- Offensive Support (12.1, 13.0) -----------------------------------------------------------------


def production_number(case: Case) -> int:
    return int(case.game.table[PRODUCTION].cell(str(max(lost_boxes(case), default=0)), "number"))


def successes(case: Case) -> int:
    rolls = (e for e in case.in_phase.events if isinstance(e, Rolled) and e.reason == PRODUCTION)
    return sum(roll.values[0] <= production_number(case) for roll in rolls)


@RULES.rule("ftm-12.1a")
@RULES.before(Rolled)
def one_die_is_rolled_in_a_production_turn(case: Case, event: Rolled) -> Faults:
    if event.reason != PRODUCTION:
        return
    if not produces(case) or case.phase != ADMIN:
        yield Fault("ftm-12.1a", f"a production die; turn {case.turn} {case.phase} has none")
    elif any(isinstance(e, Rolled) and e.reason == PRODUCTION for e in case.in_phase.events):
        yield Fault("ftm-12.1a", "a second production die")


@RULES.rule("ftm-12.1a", "ftm-12.1b", "ftm-13.0b")
@RULES.before(Placed)
def support_is_produced_where_it_may(case: Case, event: Placed) -> Faults:
    unit = case.position.units[event.unit]
    if case.phase == ADMIN and unit.has("offensive-support") and isinstance(event.spot, Hex):
        for rule, reason in _not_produced(case, unit, event.spot):
            yield Fault(rule, f"{unit.id} is produced: {reason}", (unit.id,), (event.spot,))
            return


def _not_produced(case: Case, unit: Unit, spot: Hex) -> Iterator[tuple[str, str]]:
    field = field_of(case)
    hex_id = field.id(spot)
    if case.in_phase.produced >= successes(case):
        yield "ftm-12.1a", "no production die of this turn is at most the production number"
    if unit.spot != WAITING and not case.position.partial and _waiting_known(case):
        yield "ftm-13.0b", "it does not wait in the OSM Waiting box"
    if sum(other.has("offensive-support") for other in case.position.on_map()) >= 10:
        yield "ftm-12.1b", "ten Offensive Support units are on the map"
    if hex_id is not None and field.enemy_zones(SOVIET).holds(hex_id):
        yield "ftm-12.1b", "the hex is in an Axis zone of control"
    if hex_id is not None and not supplied_mask(case, unit)[hex_id]:
        yield "ftm-12.1b", "the hex is out of supply"


def _waiting_known(case: Case) -> bool:
    """A log that begins with nothing beside the map does not tell."""
    return any(unit.spot == WAITING for unit in case.position.units.values())


@RULES.track(Placed, when=JUDGED)
def note_the_production(case: Case, event: Placed) -> None:
    unit = case.position.units[event.unit]
    made = case.phase == ADMIN and unit.has("offensive-support") and isinstance(event.spot, Hex)
    case.in_phase.produced += made


@RULES.rule("ftm-13.0b")
@RULES.before(Placed)
def support_in_reserve_waits_in_its_box(case: Case, event: Placed) -> Faults:
    """It comes by production; otherwise only back from the turn track (9.1.4)."""
    unit = case.position.units[event.unit]
    waits = unit.has("offensive-support") and unit.spot == WAITING and isinstance(event.spot, Hex)
    if waits and case.phase != ADMIN:
        text = f"{unit.id} waits in the OSM Waiting box until it is produced"
        yield Fault("ftm-13.0b", text, (unit.id,))
