"""Chapter 8: optional rules: rockets, partisans, tank destroyers, a new head of state."""

from __future__ import annotations

from collections import Counter

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.battles import battle_of
from validator.games.wie.book import (
    ASSASSINATION_DIE,
    AXIS,
    COMBAT,
    COUNTER_OFFENSIVE,
    EXPLOIT,
    INCOME,
    MOVE,
    PARTISAN_DIE,
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
from validator.games.wie.sources import COUNTER_BOX, HIDDEN, box_of, boxed
from validator.games.wie.state import Case
from validator.games.wie.units import PARTISAN, ROCKET, is_hq, kind
from validator.model.events import Declared, Marked, Moved, Placed, Rolled, RoundBegan, Spot
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults

ROCKETS_FROM, ROCKET_RANGE = 10, 4
ASSASSINATION_TURN, FALLS, HITLER = 19, 9, "OKW"
COUNTER_FROM = 21
PARTISAN_EFFECT = "partisan-effect"


# --- rockets ------------------------------------------------------------------------------------------------


def rocket_loss(case: Case, die: int) -> int:
    table = case.game.table["rockets"]
    for row in table.rows:
        low, _, high = row.id.partition("-")
        if int(low) <= die <= int(high or low):
            return int(row.cells[0])
    return 0


@RULES.rule("wie-opt.11")
@RULES.before(Rolled, reason=ROCKET_DIE)
def rockets_fly_by_rule(case: Case, event: Rolled) -> Faults:
    """From turn 10, one of each launcher in a turn, at a complex four hexes away at most."""
    waiting, number = launchers(case, event), 1 if event.about else len(event.values)
    units, field = case.units(waiting[:number]), field_of(case)
    names = tuple(unit.id for unit in units)
    if case.turn < ROCKETS_FROM or side_of(case.phase) != AXIS:
        text = f"rockets fly in turn {case.turn}: German ones do, from turn {ROCKETS_FROM} on"
        yield Fault("wie-opt.11", text, names)
    elif number > len(units):
        yield Fault("wie-opt.11", "a rocket, and every launcher on the map has launched its own")
    else:
        yield from _launches(case, field, units)


def _launches(case: Case, field: Field, units: list[Unit]) -> Faults:
    for unit in units:
        here = field.id(unit.spot)
        rows = [
            (not unit.has(ROCKET) or here is None, "is no launcher on the map"),
            (unit.id in case.in_turn.by(AXIS).rockets, "launches a second rocket in this turn"),
            (
                here is not None and not _in_reach(field, here),
                f"has no Soviet complex within {ROCKET_RANGE} hexes",
            ),
        ]
        told = faults.of_rule("wie-opt.11", rows)
        yield from faults.first_that_holds(told, f"{unit.id} ", (unit.id,))


def launchers(case: Case, event: Rolled) -> list[str]:
    """Who launches a rocket: who is named, or those that have launched none yet."""
    if event.about:
        return [event.about]
    there = [unit.id for unit in case.position.on_map(AXIS) if unit.has(ROCKET)]
    return [name for name in there if name not in case.in_turn.by(AXIS).rockets]


def _in_reach(field: Field, hex_id: int) -> bool:
    near = field.board.within(hex_id, ROCKET_RANGE)
    return any(field.complexes(h) and field.holder(h) == SOVIET for h in near)


@RULES.track(Rolled, when=JUDGED, reason=ROCKET_DIE)
def rockets_cost_the_enemy(case: Case, event: Rolled) -> None:
    if side_of(case.phase) == AXIS:
        turn = case.in_turn.by(AXIS)
        waiting = [name for name in launchers(case, event) if name not in turn.rockets]
        for name, die in zip(waiting, event.values, strict=False):
            turn.rockets.add(name)
            loss = rocket_loss(case, die)
            case.in_game.damage[SOVIET] = case.in_game.damage.get(SOVIET, 0) + loss


@RULES.rule("wie-opt.11")
@RULES.at_phase_end(*both(MOVE, COMBAT, EXPLOIT))
def captured_launchers_are_removed(case: Case) -> Faults:
    field = field_of(case)
    for unit in case.position.on_map(AXIS):
        hex_id = field.id(unit.spot)
        if unit.has(ROCKET) and hex_id is not None and field.holder(hex_id) == SOVIET:
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
@RULES.before(Placed, Moved)
def partisans_rise_in_cities(case: Case, event: Placed | Moved) -> Faults:
    """After the German player has placed his units, as many as the die shows, where no German stands."""
    field, began = field_of(case), case.phase_start.units
    there = [unit for unit in case.position.on_map(SOVIET) if unit.has(PARTISAN)]
    rose, die = sum(not began[unit.id].on_map for unit in there), case.in_turn.partisan_die or 0
    for unit, old, new in boxed(case, event):
        hex_id = field.id(new)
        if not unit.has(PARTISAN) or hex_id is None or isinstance(old, Hex):
            continue
        where = field.ground.named_place(field.board.hexes[hex_id])
        no_city = not field.city(hex_id) or original(case, hex_id) != SOVIET
        rows = [
            (case.option("partisans") == "no", "rises without the option"),
            (case.phase != "axis-place", f"rises in the {case.phase_name()}, not as Germans are placed"),
            (no_city, f"rises in {where}, no Soviet city"),
            (field.ground_units(hex_id, AXIS), f"rises in {where}, where Germans stand"),
            (any(u.has(PARTISAN) for u in field.units(hex_id)), f"is the second in {where}"),
            (rose >= die, f"is partisan {rose + 1} of the turn, and the die shows {die or 'nothing'}"),
        ]
        told, hexes = faults.of_rule("wie-opt.5", rows), (field.board.hexes[hex_id],)
        wrong = [*faults.first_that_holds(told, f"{unit.id} ", (unit.id,), hexes)]
        yield from wrong
        rose += 1
        if not wrong and field.holder(hex_id) == SOVIET:
            text = f"{unit.id} rises in {where}, which is not occupied"
            yield Fault("wie-opt.5", text, (unit.id,), hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-opt.6")
@RULES.before(Marked, kind=PARTISAN_EFFECT, on=Hex)
def partisans_have_one_effect(case: Case, event: Marked) -> Faults:
    assert isinstance(event.on, Hex)
    markers, where = case.game.marker, case.label(event.on)
    others = [n for n in case.position.marks.get(event.on, {}) if markers[n].kind == PARTISAN_EFFECT]
    there = any(unit.has(PARTISAN) for unit in case.position.at(event.on))
    rows = [
        (not there, "wie-opt.6", f"no partisans are in {where}"),
        ({*others} - {event.marker}, "wie-opt.6", f"the partisans in {where} have two effects"),
    ]
    yield from faults.first_that_holds(rows, "", (), (event.on,), faults.doubtful("wie-opt.6"))


# --- counter-offensive --------------------------------------------------------------------------------------


@RULES.track(Declared, when=JUDGED, what=COUNTER_OFFENSIVE)
def the_counter_offensive_begins(case: Case, event: Declared) -> None:
    if not case.in_game.counter_offensive:
        case.in_game.counter_offensive = case.turn


@RULES.rule("wie-opt.4")
@RULES.before(Declared, what=COUNTER_OFFENSIVE)
def one_counter_offensive(case: Case, event: Declared) -> Faults:
    if case.turn < COUNTER_FROM or side_of(case.phase) != AXIS:
        yield Fault("wie-opt.4", f"a counter-offensive is German, after turn {COUNTER_FROM - 1}")
    elif case.in_game.counter_offensive:
        yield Fault("wie-opt.4", f"the counter-offensive began in turn {case.in_game.counter_offensive}")


@RULES.rule("wie-opt.4")
@RULES.after(Placed, Moved, phases=["axis-place"])
def the_units_of_the_counter_offensive(case: Case, event: Placed | Moved) -> Faults:
    new = [unit for unit, old, _ in boxed(case, event) if old == COUNTER_BOX]
    if not new:
        return
    due = forces(case, "counter-offensive")
    sources = case.in_turn.by(AXIS).placed_as
    came = Counter(
        kind(case.position.units[name]) for name, how in sources.items() if how == COUNTER_OFFENSIVE
    )
    for unit in new:
        if came[kind(unit)] > due[kind(unit)]:
            text = f"{came[kind(unit)]} {kind(unit)} come for the counter-offensive, of {due[kind(unit)]}"
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
def his_headquarters_is_gone(case: Case) -> Faults:
    unit = case.position.units.get(HITLER)
    if case.in_game.assassinated and unit is not None and unit.on_map:
        text = f"{HITLER} is on the map after the death of Hitler: it leaves the game"
        yield Fault("wie-opt.13", text, (HITLER,), (unit.hex,))


@RULES.rule("wie-opt.13")
@RULES.before(Moved, Placed, end=Hex)
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


@RULES.rule("wie-opt.3")
@RULES.before(Moved, Placed)
def hidden_piles_belong_to_headquarters(case: Case, event: Moved | Placed) -> Faults:
    """Units hide in the hex of a headquarters, and come out where it stands."""
    field = field_of(case)
    for unit, old, new in boxed(case, event):
        start, end = field.id(old), field.id(new)
        pile = pile_of(unit, new)
        if pile and start is not None:
            if not hiding(case, start, unit.side):
                text = f"{unit.id} is hidden in {case.label(field.board.hexes[start])}, without headquarters"
                yield Fault("wie-opt.3", text, (unit.id,), (field.board.hexes[start],))
            continue
        known = case.in_game.piles.get(pile_of(unit, old))
        if end is None or not known or known & hiding(case, end, unit.side):
            continue
        text = f"{unit.id} comes out of hiding in {case.label(field.board.hexes[end])}, "
        text += f"where {' or '.join(sorted(known))} does not stand"
        fighting = case.phase in both(COMBAT, EXPLOIT)
        sure = Verdict.ILLEGAL if fighting else Verdict.WARNING  # elsewhere it may have moved out of sight
        yield Fault("wie-opt.3", text, (unit.id,), (field.board.hexes[end],), verdict=sure)


@RULES.track(Moved, Placed, when=JUDGED)
def note_the_pile(case: Case, event: Moved | Placed) -> None:
    for unit, old, new in boxed(case, event):
        start = field_of(case).id(old)
        if pile_of(unit, new) and start is not None:
            case.in_game.piles[pile_of(unit, new)] = hiding(case, start, unit.side)
        elif pile_of(unit, old) and not pile_of(unit, new):
            case.in_phase.revealed.add(unit.id)


@RULES.rule("wie-opt.3")
@RULES.before(RoundBegan, phases=both(COMBAT, EXPLOIT))
def who_is_attacked_comes_out(case: Case, event: RoundBegan) -> Faults:
    """Units are shown when their headquarters' hex is attacked; what lies in a pile only its owner knows."""
    battle = battle_of(case, event.battle)
    if battle is None:
        return
    here = hiding(case, battle.target, battle.defender.side)
    for pile, known in case.in_game.piles.items():
        units = [unit.id for unit in case.position.at(pile)]
        if known & here and units:
            text = f"{'+'.join(units)} is attacked with {'+'.join(sorted(known & here))} and stays hidden"
            yield Fault("wie-opt.3", text, tuple(units), verdict=Verdict.WARNING, once=("hidden", pile))
