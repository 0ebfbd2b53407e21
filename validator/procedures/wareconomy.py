"""A war economy on the map: assets that are lost box by box, factories that are evacuated, support produced.

A game states its `Economy`; `register` gives its rulebook the judges and reducers. Its phase remembers how
many factories were `evacuated` and how much was `produced`. Counters have the traits `economic-asset`,
`evacuates` (factories) and `offensive-support`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fieldpost.hexes import Hex
from validator.core.board import HexId, Mask
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Moved, Placed, Removed, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit, having
from validator.procedures.faults import Wrong, first_of
from validator.procedures.moves import spot_of

ASSET, FACTORY, SUPPORT = "economic-asset", "evacuates", "offensive-support"
PRODUCTION = "production"


@dataclass(frozen=True)
class Economy:
    """Boxes: `lost` (with a number, first to last), `evacuated`, `waiting`. Rules it names: `assets`, which
    stay and die box by box; `die` of production; `place` of what is made; `reserve`."""

    side: str
    phase: str  # in which is produced and evacuated
    lost: str
    evacuated: str
    waiting: str
    table: str
    most_support: int
    assets: str
    die: str
    place: str
    reserve: str
    field_of: Callable[[Any], Any]
    supplied: Callable[[Any, Unit], Mask]


@dataclass(frozen=True)
class Evacuation:
    """Factories that leave the map by rail. Rules it names: `only` factories do; `time`, in the phase of a
    production turn; `way`, so many of them, out of enemy zones, along an open railway."""

    side: str
    phase: str
    box: str
    most: int
    at_start: Callable[[Any], Any]
    rail_line: Callable[[Any, HexId], tuple[HexId, ...]]
    only: str
    time: str
    way: str


def produces(case: AnyCase) -> bool:
    """Whether this is a production turn."""
    turn = case.game.turn.get(case.turn)
    return turn is not None and turn.production is not None


def lost_boxes(of: Economy, case: AnyCase) -> set[int]:
    """The boxes of the track that hold an asset."""
    spots = (unit.spot for unit in having(case.position.units.values(), ASSET))
    held = (spot for spot in spots if isinstance(spot, str) and spot.startswith(of.lost))
    return {int(spot.removeprefix(of.lost)) for spot in held}


def first_free_box(of: Economy, case: AnyCase) -> str:
    taken = lost_boxes(of, case)
    return f"{of.lost}{next(n for n in range(1, 99) if n not in taken)}"


def production_number(of: Economy, case: AnyCase) -> int:
    return int(case.game.table[of.table].cell(str(max(lost_boxes(of, case), default=0)), "number"))


def production_dice(case: AnyCase) -> list[Rolled]:
    return [e for e in case.in_phase.events if isinstance(e, Rolled) and e.reason == PRODUCTION]


def register_evacuation(rules: Rulebook, of: Evacuation) -> None:
    @rules.rule(of.only, of.time, of.way)
    @rules.before(Removed, box=of.box)
    def factories_are_evacuated_by_rail(case: AnyCase, event: Removed) -> Faults:
        unit = case.unit(event.unit)
        wrong = _not_evacuated(of, case, unit) if unit.on_map else ()
        yield from first_of(wrong, f"{unit.id} is evacuated: ", (unit.id,), spot_of(unit.spot))

    @rules.track(Removed, when=JUDGED, box=of.box)
    def note_the_evacuation(case: AnyCase, event: Removed) -> None:
        case.in_phase.evacuated += case.unit(event.unit).on_map


def _not_evacuated(of: Evacuation, case: AnyCase, unit: Unit) -> Wrong:
    start = of.at_start(case)
    hex_id = start.id(unit.spot)
    if not unit.has(FACTORY):
        yield of.only, "only factories are"
    if case.phase != of.phase or not produces(case):
        yield of.time, f"that is done in the {case.phase_name(of.phase)} of a production turn"
    if case.in_phase.evacuated >= of.most:
        yield of.way, f"{case.in_phase.evacuated} evacuated in this phase already"
    if hex_id is not None and start.enemy_zones(of.side).holds(hex_id):
        yield of.way, "it begins the phase in an enemy zone of control"
    if hex_id is not None and not of.rail_line(case, hex_id):
        yield of.way, "no open railway leads from it to a source of supply"


def register(rules: Rulebook, of: Economy) -> None:
    @rules.rule(of.assets)
    @rules.before(Removed)
    def lost_assets_go_to_the_first_free_box(case: AnyCase, event: Removed) -> Faults:
        unit, wanted = case.position.units[event.unit], first_free_box(of, case)
        if unit.has(ASSET) and event.box not in (wanted, of.evacuated):
            text = f"{unit.id} goes to {event.box or 'no box'}; the first free box of the track is {wanted}"
            yield Fault(of.assets, text, (unit.id,))

    @rules.rule(of.assets)
    @rules.before(Moved, Placed)
    def assets_never_move(case: AnyCase, event: Moved | Placed) -> Faults:
        names = event.units if isinstance(event, Moved) else (event.unit,)
        for unit in case.units(names):
            lost = isinstance(unit.spot, str) and unit.spot.startswith(of.lost)
            if unit.has(ASSET) and (lost or (isinstance(event, Moved) and unit.spot is not None)):
                yield Fault(of.assets, f"{unit.id} is an economic asset and never moves", (unit.id,))

    @rules.rule(of.die)
    @rules.before(Rolled)
    def one_die_is_rolled_in_a_production_turn(case: AnyCase, event: Rolled) -> Faults:
        if event.reason != PRODUCTION:
            return
        if not produces(case) or case.phase != of.phase:
            yield Fault(of.die, f"a production die; turn {case.turn} {case.phase} has none")
        elif production_dice(case):
            yield Fault(of.die, "a second production die")

    @rules.rule(of.die, of.place, of.reserve)
    @rules.before(Placed)
    def support_is_produced_where_it_may(case: AnyCase, event: Placed) -> Faults:
        unit = case.position.units[event.unit]
        if _is_made(of, case, event) and isinstance(event.spot, Hex):
            for rule, reason in _not_produced(of, case, unit, event.spot):
                yield Fault(rule, f"{unit.id} is produced: {reason}", (unit.id,), (event.spot,))
                return
        elif unit.has(SUPPORT) and unit.spot == of.waiting and isinstance(event.spot, Hex):
            text = f"{unit.id} waits in its box until it is produced"
            yield Fault(of.reserve, text, (unit.id,))

    @rules.track(Placed, when=JUDGED)
    def note_the_production(case: AnyCase, event: Placed) -> None:
        case.in_phase.produced += _is_made(of, case, event)


def _is_made(of: Economy, case: AnyCase, event: Placed) -> bool:
    support = case.position.units[event.unit].has(SUPPORT)
    return case.phase == of.phase and support and isinstance(event.spot, Hex)


def _not_produced(of: Economy, case: AnyCase, unit: Unit, spot: Hex) -> Iterator[tuple[str, str]]:
    hex_id = of.field_of(case).id(spot)
    made = sum(roll.values[0] <= production_number(of, case) for roll in production_dice(case))
    known = any(other.spot == of.waiting for other in case.position.units.values())
    if case.in_phase.produced >= made:
        yield of.die, "no production die of this turn is at most the production number"
    if unit.spot != of.waiting and known and not case.position.partial:
        yield of.reserve, "it does not wait in its box"
    if len(having(case.position.on_map(), SUPPORT)) >= of.most_support:
        yield of.place, f"{of.most_support} such units are on the map"
    if hex_id is not None and of.field_of(case).enemy_zones(of.side).holds(hex_id):
        yield of.place, "the hex is in an enemy zone of control"
    if hex_id is not None and not of.supplied(case, unit)[hex_id]:
        yield of.place, "the hex is out of supply"
