"""A war economy on the map: assets that are lost box by box, factories that are evacuated, support produced.

A game states its `Economy`; `register` gives its rulebook the judges and reducers. Its phase remembers how
many factories were `evacuated` and how much was `produced`. Counters have the traits `economic-asset`,
`evacuates` (factories) and `offensive-support`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fieldpost.hexes import Hex
from validator.core.board import HexId, Mask
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Moved, Placed, Removed, Rolled
from validator.model.findings import Fault
from validator.model.position import Unit, having
from validator.procedures.ask_each import each, units_of
from validator.procedures.faults import Wrong, first_of, first_that_holds, of_rule, those_that_hold
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
    assets = having(case.position.units.values(), ASSET)
    return {int(str(unit.spot).removeprefix(of.lost)) for unit in assets if _is_lost(of, unit)}


def _is_lost(of: Economy, unit: Unit) -> bool:
    return str(unit.spot).startswith(of.lost)


def first_free_box(of: Economy, case: AnyCase) -> str:
    taken = lost_boxes(of, case)
    return f"{of.lost}{next(n for n in range(1, 99) if n not in taken)}"


def production_number(of: Economy, case: AnyCase) -> int:
    return int(case.game.table[of.table].cell(str(max(lost_boxes(of, case), default=0)), "number"))


def production_dice(case: AnyCase) -> list[Rolled]:
    rolls: list[Rolled] = case.in_phase.of(Rolled, reason=PRODUCTION)
    return rolls


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
    start, evacuated = of.at_start(case), case.in_phase.evacuated
    out_of_time = case.phase != of.phase or not produces(case)
    hexes = start.ids([unit.spot])
    beset = any(map(start.enemy_zones(of.side).holds, hexes))
    return those_that_hold(
        (not unit.has(FACTORY), of.only, "only factories are"),
        (out_of_time, of.time, f"that is done in the {case.phase_name(of.phase)} of a production turn"),
        (evacuated >= of.most, of.way, f"{evacuated} evacuated in this phase already"),
        (beset, of.way, "it begins the phase in an enemy zone of control"),
        (
            not all(of.rail_line(case, hex_id) for hex_id in hexes),
            of.way,
            "no open railway leads from it to a source of supply",
        ),
    )


def register(rules: Rulebook, of: Economy) -> None:
    @rules.rule(of.assets)
    @rules.before(Removed, having=ASSET)
    def lost_assets_go_to_the_first_free_box(case: AnyCase, event: Removed) -> Faults:
        wanted = first_free_box(of, case)
        if event.box not in (wanted, of.evacuated):
            text = (
                f"{event.unit} goes to {event.box or 'no box'}; the first free box of the track is {wanted}"
            )
            yield Fault(of.assets, text, (event.unit,))

    @rules.rule(of.assets)
    @rules.before(Moved, Placed, having=ASSET)
    @each(units_of)
    def assets_never_move(case: AnyCase, event: Moved | Placed, unit: Unit) -> Faults:
        moved = isinstance(event, Moved) and unit.spot is not None
        if unit.has(ASSET) and (moved or _is_lost(of, unit)):
            yield Fault(of.assets, f"{unit.id} is an economic asset and never moves", (unit.id,))

    @rules.rule(of.die)
    @rules.before(Rolled, reason=PRODUCTION)
    def one_die_is_rolled_in_a_production_turn(case: AnyCase, event: Rolled) -> Faults:
        out_of_time = not produces(case) or case.phase != of.phase
        rows = (
            (out_of_time, f"a production die; turn {case.turn} {case.phase} has none"),
            (production_dice(case), "a second production die"),
        )
        yield from first_that_holds(of_rule(of.die, rows), "", ())

    @rules.rule(of.die, of.place, of.reserve)
    @rules.before(Placed, having=SUPPORT, comes_to=Hex)
    def support_is_produced_where_it_may(case: AnyCase, event: Placed) -> Faults:
        unit = case.unit(event.unit)
        if case.phase == of.phase:
            wrong = _not_produced(of, case, unit, event.entered[0])
            yield from first_of(wrong, f"{unit.id} is produced: ", (unit.id,), event.entered)
        elif unit.spot == of.waiting:
            yield Fault(of.reserve, f"{unit.id} waits in its box until it is produced", (unit.id,))

    @rules.track(Placed, when=JUDGED, phases=[of.phase], having=SUPPORT, comes_to=Hex)
    def note_the_production(case: AnyCase, event: Placed) -> None:
        case.in_phase.produced += 1


def _not_produced(of: Economy, case: AnyCase, unit: Unit, spot: Hex) -> Wrong:
    field = of.field_of(case)
    number = production_number(of, case)
    made = sum(roll.values[0] <= number for roll in production_dice(case))
    unseen = unit.spot is None and (case.position.partial or not case.position.at(of.waiting))
    strays = unit.spot != of.waiting and not unseen
    too_many = len(having(case.position.on_map(), SUPPORT)) >= of.most_support
    hexes = field.ids([spot])
    beset, fed = any(map(field.enemy_zones(of.side).holds, hexes)), of.supplied(case, unit)
    return those_that_hold(
        (
            case.in_phase.produced >= made,
            of.die,
            "no production die of this turn is at most the production number",
        ),
        (strays, of.reserve, "it does not wait in its box"),
        (too_many, of.place, f"{of.most_support} such units are on the map"),
        (beset, of.place, "the hex is in an enemy zone of control"),
        (not all(fed[hex_id] for hex_id in hexes), of.place, "the hex is out of supply"),
    )
