"""Chapter 8: optional rules: rockets, partisans, tank destroyers, a new head of state."""

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import battles_of
from validator.games.wie.book import (
    ASSASSINATION_DIE,
    AXIS,
    COMBAT,
    COUNTER_OFFENSIVE,
    EXPLOIT,
    INCOME,
    MOVE,
    PARTISAN_DIE,
    PARTS,
    REINFORCE,
    ROCKET_DIE,
    RULES,
    SOVIET,
    both,
    side_of,
)
from validator.games.wie.c02_set_up import forces
from validator.games.wie.c03_money import income_of
from validator.games.wie.field import Field, field_of, original
from validator.games.wie.levels import marks_at
from validator.games.wie.sources import COUNTER_BOX, HIDDEN, box_of
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, ROCKET, is_hq, kind
from validator.model.events import Declared, Marked, Moved, Placed, Rolled, RoundBegan, Spot
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each
from validator.procedures.moves import spot_of
from validator.procedures.rounds import Engagement
from validator.procedures.transfers import Transfer, transfers

ROCKETS_FROM, ROCKET_RANGE = 10, 4
ASSASSINATION_TURN, FALLS, HITLER = 19, 9, "OKW"
COUNTER_FROM = 21
PARTISAN_EFFECT = "partisan-effect"
AXIS_TURN = [f"{AXIS}-{part}" for part in PARTS]


# --- rockets ------------------------------------------------------------------------------------------------


def rocket_loss(case: Case, die: int) -> int:
    table = case.game.table["rockets"]
    ranges = ((row.id.partition("-"), row.cells[0]) for row in table.rows)
    return next((int(loss) for (low, _, high), loss in ranges if int(low) <= die <= int(high or low)), 0)


@RULES.rule("wie-opt.11")
@RULES.before(Rolled, reason=ROCKET_DIE)
def rockets_fly_by_rule(case: Case, event: Rolled) -> Faults:
    """From turn 10, one of each launcher in a turn, at a complex four hexes away at most."""
    number, field = 1 if event.about else len(event.values), field_of(case)
    units, launched = launchers(case, event)[:number], case.in_turn.by(AXIS).rockets
    foreign = case.turn < ROCKETS_FROM or side_of(case.phase) != AXIS
    early = f"rockets fly in turn {case.turn}: German ones do, from turn {ROCKETS_FROM} on"
    rows: list[tuple[object, str]] = [
        (foreign, early),
        (number > len(units), "a rocket, and every launcher on the map has launched its own"),
    ]
    wrong = [*faults.first_that_holds(faults.of_rule("wie-opt.11", rows), "", tuple(u.id for u in units))]
    yield from wrong
    for unit in () if wrong else units:
        here = field.ids((unit.spot,))
        rows = [
            (not (unit.has(ROCKET) and here), "is no launcher on the map"),
            (unit.id in launched, "launches a second rocket in this turn"),
            (not _in_reach(field, here), f"has no Soviet complex within {ROCKET_RANGE} hexes"),
        ]
        told = faults.of_rule("wie-opt.11", rows)
        yield from faults.first_that_holds(told, f"{unit.id} ", (unit.id,))


def launchers(case: Case, event: Rolled) -> list[Unit]:
    """Who launches a rocket: who is named, or those that have launched none yet."""
    launched = case.in_turn.by(AXIS).rockets
    waiting = (u for u in case.position.on_map(AXIS) if u.has(ROCKET) and u.id not in launched)
    return case.units(event.concerned) or list(waiting)


def _in_reach(field: Field, hexes: list[HexId]) -> bool:
    near = [h for here in hexes for h in field.board.within(here, ROCKET_RANGE)]
    return any(field.complexes(h) and field.holder(h) == SOVIET for h in near)


@RULES.track(Rolled, when=JUDGED, reason=ROCKET_DIE, phases=AXIS_TURN)
def rockets_cost_the_enemy(case: Case, event: Rolled) -> None:
    launched, damage = case.in_turn.by(AXIS).rockets, case.in_game.damage
    waiting = [unit for unit in launchers(case, event) if unit.id not in launched]
    for unit, die in zip(waiting, event.values, strict=False):
        damage[SOVIET] = damage.get(SOVIET, 0) + rocket_loss(case, die)
        launched.add(unit.id)


@RULES.rule("wie-opt.11")
@RULES.at_phase_end(*both(MOVE, COMBAT, EXPLOIT))
def captured_launchers_are_removed(case: Case) -> Faults:
    field = field_of(case)
    launchers_ = [unit for unit in case.position.on_map(AXIS) if unit.has(ROCKET)]
    for unit, hex_id in field.standing(launchers_):
        if field.holder(hex_id) == SOVIET:
            yield Fault("wie-opt.11", f"{unit.id} was captured and is not removed", (unit.id,), (unit.hex,))


# --- partisans ----------------------------------------------------------------------------------------------


@RULES.track(Rolled, when=JUDGED, reason=PARTISAN_DIE)
def partisans_are_rolled_for(case: Case, event: Rolled) -> None:
    if case.in_turn.partisan_die is None:
        case.in_turn.partisan_die = sum(event.values)


@RULES.rule("wie-opt.5")
@RULES.before(Rolled, reason=PARTISAN_DIE)
def one_die_a_turn_for_partisans(case: Case, event: Rolled) -> Faults:
    if case.in_turn.partisan_die is not None:
        yield Fault("wie-opt.5", "partisans are rolled for twice in one turn")


@RULES.rule("wie-opt.5")
@RULES.at_phase_end("axis-place")
def partisans_are_rolled_for_each_turn(case: Case) -> Faults:
    """While a city is open to them; the Soviets may have let it be: doubtful."""
    field = field_of(case)
    occupied = (h for h in field.ground.cities if original(case, h) == SOVIET and field.holder(h) == AXIS)
    open_ = any(not field.ground_units(h) for h in occupied)
    if case.option("partisans") == "yes" and case.in_turn.partisan_die is None and open_:
        text = "nobody rolled for partisans, and cities are open to them"
        yield Fault("wie-opt.5", text, verdict=Verdict.WARNING)


@dataclass(frozen=True)
class Rising:
    """A partisan that comes onto the map, the hex, and how many did so before in the phase."""

    unit: Unit
    hex_id: HexId
    before: int


def partisans_rising(case: Case, event: Placed | Moved) -> list[Rising]:
    comers = (transfer.unit for transfer in transfers(case, event) if transfer.arrives)
    partisans = having(comers, PARTISAN)
    if not partisans:  # as nearly always: the others are looked through for them alone
        return []
    began, field = case.phase_start.units, field_of(case)
    there = having(case.position.on_map(SOVIET), PARTISAN)
    rose = sum(not began[unit.id].on_map for unit in there)
    hexes = field.ids((event.comes_to,))
    return [Rising(unit, h, rose + n) for n, unit in enumerate(partisans) for h in hexes]


@RULES.rule("wie-opt.5")
@RULES.before(Placed, Moved)
@each(partisans_rising)
def partisans_rise_in_cities(case: Case, event: Placed | Moved, rising: Rising) -> Faults:
    """After the German player has placed his units, as many as the die shows, where no German stands."""
    field, unit, hex_id, rose = field_of(case), rising.unit, rising.hex_id, rising.before
    die, where = case.in_turn.partisan_die or 0, field.ground.named_place(field.board.hexes[hex_id])
    no_city = not field.city(hex_id) or original(case, hex_id) != SOVIET
    rows: list[tuple[object, str]] = [
        (case.option("partisans") == "no", "rises without the option"),
        (case.phase != "axis-place", f"rises in the {case.phase_name()}, not as Germans are placed"),
        (no_city, f"rises in {where}, no Soviet city"),
        (field.ground_units(hex_id, AXIS), f"rises in {where}, where Germans stand"),
        (any(u.has(PARTISAN) for u in field.units(hex_id)), f"is the second in {where}"),
        (rose >= die, f"is partisan {rose + 1} of the turn, and the die shows {die or 'nothing'}"),
    ]
    free: list[tuple[object, str]] = [
        (field.holder(hex_id) == SOVIET, f"rises in {where}, which is not occupied")
    ]
    who, doubt = (f"{unit.id} ", (unit.id,), field.hexes((hex_id,))), faults.doubtful("wie-opt.5")
    surely = [*faults.first_that_holds(faults.of_rule("wie-opt.5", rows), *who)]
    yield from surely or faults.first_that_holds(faults.of_rule("wie-opt.5", free), *who, doubt)


@RULES.rule("wie-opt.6")
@RULES.before(Marked, kind=PARTISAN_EFFECT, on=Hex)
def partisans_have_one_effect(case: Case, event: Marked) -> Faults:
    markers, where = case.game.marker, case.label(event.on)
    effects = {n for n in marks_at(case.position, event.on) if markers[n].kind == PARTISAN_EFFECT}
    there = any(unit.has(PARTISAN) for unit in case.position.at(event.on))
    rows: faults.Rows = [
        (not there, "wie-opt.6", f"no partisans are in {where}"),
        (effects - {event.marker}, "wie-opt.6", f"the partisans in {where} have two effects"),
    ]
    yield from faults.first_that_holds(rows, "", (), spot_of(event.on), faults.doubtful("wie-opt.6"))


# --- counter-offensive --------------------------------------------------------------------------------------


@RULES.track(Declared, when=JUDGED, what=COUNTER_OFFENSIVE)
def the_counter_offensive_begins(case: Case, event: Declared) -> None:
    case.in_game.counter_offensive = case.in_game.counter_offensive or case.turn


@RULES.rule("wie-opt.4")
@RULES.before(Declared, what=COUNTER_OFFENSIVE)
def one_counter_offensive(case: Case, event: Declared) -> Faults:
    begun, early = case.in_game.counter_offensive, case.turn < COUNTER_FROM
    foreign = side_of(case.phase) != AXIS
    rows: faults.Rows = [
        (early or foreign, "wie-opt.4", f"a counter-offensive is German, after turn {COUNTER_FROM - 1}"),
        (begun, "wie-opt.4", f"the counter-offensive began in turn {begun}"),
    ]
    yield from faults.first_that_holds(rows, "", ())


def of_the_counter_offensive(case: Case, event: Placed | Moved) -> list[Unit]:
    return [transfer.unit for transfer in transfers(case, event) if transfer.old == COUNTER_BOX]


@RULES.rule("wie-opt.4")
@RULES.after(Placed, Moved, phases=["axis-place"])
@each(of_the_counter_offensive)
def the_units_of_the_counter_offensive(case: Case, event: Placed | Moved, unit: Unit) -> Faults:
    due, sources = forces(case, "counter-offensive")[kind(unit)], case.in_turn.by(AXIS).placed_as
    came = case.units(name for name, source in sources.items() if source == COUNTER_OFFENSIVE)
    number = sum(kind(other) == kind(unit) for other in came)
    if number > due:
        text = f"{number} {kind(unit)} come for the counter-offensive, of {due}"
        yield Fault("wie-opt.4", text, (unit.id,))


# --- assassination ------------------------------------------------------------------------------------------


@RULES.track(Rolled, when=JUDGED, reason=ASSASSINATION_DIE)
def the_die_falls(case: Case, event: Rolled) -> None:
    if case.in_game.assassinated is None:
        case.in_game.assassinated = event.values[0] >= FALLS
        if case.in_game.assassinated and case.phase == f"{AXIS}-{REINFORCE}":
            book = case.in_turn.by(AXIS).ledger
            due = sum(income_of(case, field_of(case), AXIS).values())
            book.book(INCOME, due - book.total(INCOME), "doubled")


@RULES.rule("wie-opt.13")
@RULES.before(Rolled, reason=ASSASSINATION_DIE)
def one_die_before_turn_19(case: Case, event: Rolled) -> Faults:
    if case.in_game.assassinated is not None:
        yield Fault("wie-opt.13", "the assassination is rolled for a second time")
    elif case.turn not in (ASSASSINATION_TURN - 1, ASSASSINATION_TURN) or case.phase in both(MOVE):
        text = f"the die falls in turn {case.turn}, not before the German turn {ASSASSINATION_TURN}"
        yield Fault("wie-opt.13", text)


@RULES.rule("wie-opt.13")
@RULES.at_phase_end(f"{AXIS}-{REINFORCE}")
def the_die_has_fallen(case: Case) -> Faults:
    """By option; a log that begins later may not show it."""
    agreed = case.option("assassination") == "yes" and case.turn == ASSASSINATION_TURN
    if agreed and case.in_game.assassinated is None:
        late = case.in_game.first[0] >= ASSASSINATION_TURN - 1
        text = f"nobody rolled for the assassination before the German turn {ASSASSINATION_TURN}"
        yield Fault("wie-opt.13", text, verdict=faults.unless(late))


@RULES.rule("wie-opt.13")
@RULES.at_phase_end(f"{AXIS}-{REINFORCE}")
def his_headquarters_is_gone(case: Case) -> Faults:
    unit = case.position.units.get(HITLER)
    if case.in_game.assassinated and unit is not None and unit.on_map:
        text = f"{HITLER} is on the map after the death of Hitler: it leaves the game"
        yield Fault("wie-opt.13", text, (HITLER,), (unit.hex,))


@RULES.rule("wie-opt.13")
@RULES.before(Moved, Placed, comes_to=Hex)
def his_headquarters_does_not_return(case: Case, event: Moved | Placed) -> Faults:
    if case.in_game.assassinated and HITLER in event.concerned:
        yield Fault("wie-opt.13", f"{HITLER} moves after the death of Hitler: it left the game", (HITLER,))


# --- fog of war ---------------------------------------------------------------------------------------------


def hiding(case: Case, hex_id: HexId, side: str) -> set[str]:
    """The headquarters of a side in a hex."""
    return {unit.id for unit in field_of(case).units(hex_id, side) if is_hq(unit)}


def pile_of(unit: Unit, spot: Spot | None) -> str:
    """The hidden pile that a spot is; empty for any other."""
    return spot if isinstance(spot, str) and spot.startswith(box_of(unit.side, HIDDEN)) else ""


def hidden_now(case: Case, event: Moved | Placed) -> list[tuple[Transfer, HexId]]:
    """Units that go from a hex into a hidden pile."""
    hidden = [transfer for transfer in transfers(case, event) if pile_of(transfer.unit, transfer.new)]
    return [(transfer, hex_id) for transfer in hidden for hex_id in field_of(case).ids((transfer.old,))]


def come_out(case: Case, event: Moved | Placed) -> list[Transfer]:
    """Units that leave a hidden pile."""
    out = [transfer for transfer in transfers(case, event) if pile_of(transfer.unit, transfer.old)]
    return [transfer for transfer in out if not pile_of(transfer.unit, transfer.new)]


@RULES.rule("wie-opt.3")
@RULES.before(Moved, Placed)
@each(hidden_now)
def units_hide_with_headquarters(case: Case, event: Moved | Placed, hidden: tuple[Transfer, HexId]) -> Faults:
    (transfer, start), unit = hidden, hidden[0].unit
    if not hiding(case, start, unit.side):
        text = f"{unit.id} is hidden in {case.label(transfer.old)}, without headquarters"
        yield Fault("wie-opt.3", text, (unit.id,), spot_of(transfer.old))


@RULES.rule("wie-opt.3")
@RULES.before(Moved, Placed)
@each(come_out)
def units_come_out_where_their_headquarters_stands(
    case: Case, event: Moved | Placed, transfer: Transfer
) -> Faults:
    unit = transfer.unit
    stood = case.in_game.piles.get(pile_of(unit, transfer.old), set())
    for end in field_of(case).ids((transfer.new,)):
        if stood and stood.isdisjoint(hiding(case, end, unit.side)):
            text = f"{unit.id} comes out of hiding in {case.label(transfer.new)}, "
            text += f"where {' or '.join(sorted(stood))} does not stand"
            unseen = case.phase not in both(COMBAT, EXPLOIT)  # it may have moved out of sight
            yield Fault("wie-opt.3", text, (unit.id,), spot_of(transfer.new), verdict=faults.unless(unseen))


@RULES.track(Moved, Placed, when=JUDGED)
@note_each(hidden_now)
def note_the_pile(case: Case, event: Moved | Placed, hidden: tuple[Transfer, HexId]) -> None:
    transfer, start = hidden
    pile = pile_of(transfer.unit, transfer.new)
    case.in_game.piles[pile] = hiding(case, start, transfer.unit.side)


@RULES.track(Moved, Placed, when=JUDGED)
@note_each(come_out)
def note_who_is_revealed(case: Case, event: Moved | Placed, transfer: Transfer) -> None:
    case.in_phase.revealed.add(transfer.unit.id)


@RULES.rule("wie-opt.3")
@RULES.before(RoundBegan, phases=both(COMBAT, EXPLOIT))
@each(battles_of)
def who_is_attacked_comes_out(case: Case, event: RoundBegan, battle: Engagement) -> Faults:
    """Units are shown when their headquarters' hex is attacked; what lies in a pile only its owner knows."""
    here = hiding(case, battle.target, battle.defender.side)
    attacked = {pile: stood & here for pile, stood in case.in_game.piles.items() if stood & here}
    for pile, headquarters in attacked.items():
        units = tuple(unit.id for unit in case.position.at(pile))
        if units:
            text = f"{'+'.join(units)} is attacked with {'+'.join(sorted(headquarters))} and stays hidden"
            yield Fault("wie-opt.3", text, units, verdict=Verdict.WARNING, once=("hidden", pile))
