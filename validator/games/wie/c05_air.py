"""Chapter 5: what planes do: missions and their range, bombing, drops, transport, interception."""

from __future__ import annotations

from collections.abc import Iterator

from validator.core.board import HexId
from validator.core.explain import counted
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wie.book import (
    BOMBED,
    BOMBING,
    CITY,
    CITY_DIE,
    CLEAR,
    COMBAT,
    COMPLEX,
    COMPLEX_DIE,
    DEFENSIVE,
    DROP,
    ENEMY,
    ESCORT,
    EXPLOIT,
    HOME,
    INTERCEPTION,
    INTERDICTION,
    MISSIONS,
    MOVE,
    OIL,
    OIL_BOMB_DIE,
    PLAYER_TURNS,
    REDEPLOY,
    RULES,
    SALVO,
    SUPPORT,
    TRANSPORT,
    both,
    part_of,
    side_of,
)
from validator.games.wie.c05_movement import german_without_oil
from validator.games.wie.c07_weather import kindest
from validator.games.wie.field import Field, field_of
from validator.games.wie.state import Case, PlayerTurn
from validator.games.wie.units import (
    BOMBER,
    CLASS_1,
    DIVE_BOMBER,
    FIGHTER,
    JET,
    flight_range,
    is_air,
    on_the_ground,
    planes_among,
)
from validator.model.events import Moved, Removed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults, flights
from validator.procedures.ask_each import each, note_each, units_of
from validator.procedures.flights import Flight, Sortie
from validator.procedures.moves import Journey, spot_of

PLOESTI_RANGE, INTERCEPT_RANGE, DROP_RANGE = 4, 2, 2
DICE = {CITY_DIE: (CITY, 4), OIL_BOMB_DIE: (OIL, 6), COMPLEX_DIE: (COMPLEX, 12)}
RULE_OF_MISSION = {CITY: "wie-air.12", OIL: "wie-air.14", COMPLEX: "wie-air.15"}
FOR_BOMBERS = (*BOMBING, INTERDICTION, DROP, TRANSPORT)


def range_of(case: Case, field: Field, unit: Unit) -> int:
    """Halved in mud and snow, four at most for Germans without Ploesti."""
    hexes = flight_range(unit) // (1 if kindest(case) == CLEAR else 2)
    return min(hexes, PLOESTI_RANGE) if german_without_oil(field, unit) else hexes


def planes_of(case: Case, event: Moved) -> list[Unit]:
    return planes_among(case.units(event.units))


def cargo(case: Case, event: Moved) -> list[Unit]:
    return on_the_ground(case.units(event.units))


def _turn(case: Case) -> PlayerTurn:
    """What the side whose turn it is has done in it."""
    return case.in_turn.by(side_of(case.phase))


def flights_of(case: Case, side: str) -> dict[str, Flight]:
    """What the planes of a side have flown in this turn: its own, or the other side's."""
    turn = case.in_turn.by(side_of(case.phase))
    return turn.flights if side == side_of(case.phase) else turn.defending


def flight_of(case: Case, unit: Unit) -> Flight | None:
    return flights_of(case, unit.side).get(unit.id)


def sorties(case: Case, event: Moved) -> list[Sortie]:
    """The planes of a move from hex to hex."""
    field = field_of(case)
    start, end = field.id(event.start), field.id(event.end)
    if start is None or end is None:
        return []
    planes = planes_of(case, event)
    return [Sortie(unit, start, end, event.mode, flight_of(case, unit), field.board) for unit in planes]


def own_sorties(case: Case, event: Moved) -> list[Sortie]:
    side = side_of(case.phase)
    return [sortie for sortie in sorties(case, event) if sortie.unit.side == side]


def defending(case: Case, event: Moved) -> list[Sortie]:
    """Of the side whose turn it is not, unless they fly home."""
    side, away = side_of(case.phase), event.mode not in (HOME, "retreat")
    foreign = [sortie for sortie in sorties(case, event) if sortie.unit.side != side]
    return [sortie for sortie in foreign if away and not sortie.returns]


def is_at_base(case: Case, unit: Unit) -> bool:
    """A plane that has not left a city of its side in this turn."""
    field = field_of(case)
    return flight_of(case, unit) is None and any(
        field.own_city(here, unit.side) for here in field.ids((unit.spot,))
    )


# --- missions -----------------------------------------------------------------------------------------------


@RULES.rule("wie-air.1", "wie-air.2", "wie-air.3", "wie-air.17", "wie-air.19", "wie-wx.6", "wie-plo.1")
@RULES.before(Moved, phases=both(MOVE, EXPLOIT))
@each(own_sorties)
def missions_are_flown_by_rule(case: Case, event: Moved, sortie: Sortie) -> Faults:
    """One in a turn, from a city of one's own, as far as the range goes."""
    for rule, text, verdict in (
        *_missions_before(case, sortie),
        *_this_mission(case, sortie),
        *_range(case, field_of(case), sortie),
    ):
        yield Fault(rule, f"{sortie.unit.id} {text}", (sortie.unit.id,), sortie.hexes, verdict=verdict)


Reason = tuple[str, str, Verdict]
"""The rule that is broken, how in words, and how surely."""


def _missions_before(case: Case, sortie: Sortie) -> Iterator[Reason]:
    """One combat mission in a turn; a transport besides, but for bombers that drop paratroops."""
    unit, mode = sortie.unit, sortie.mode
    picking_up = {DROP} if unit.id in _turn(case).picking_up else set()
    flown = [mission for mission in sortie.missions if mission in {*MISSIONS} - picking_up]
    if flown and mode in MISSIONS and sortie.end != sortie.start:
        text = f"flies {mode.replace('-', ' ')} after {flown[0]} in the same turn"
        yield "wie-air.1", text, Verdict.ILLEGAL
    elif mode == TRANSPORT and DROP in flown:
        yield "wie-air.1", "dropped paratroops and carries nobody", Verdict.ILLEGAL
    elif mode == DROP and TRANSPORT in sortie.missions:
        text = "carried units in this turn and drops nobody: who drops paratroops flies nothing else"
        yield "wie-air.1", text, Verdict.ILLEGAL


def _this_mission(case: Case, sortie: Sortie) -> Iterator[Reason]:
    field, unit, mode, end = field_of(case), sortie.unit, sortie.mode, sortie.end
    home, there = map(case.label, sortie.hexes)
    away = end not in (sortie.start, sortie.base)
    if mode in ("", "march") and away and field.holder(end) == unit.side:
        text = f"flies to {there} without a mission: bases change in action 4"
        yield "wie-air.1", text, Verdict.WARNING
    if sortie.base not in case.in_game.interdicting.values() and not field.own_city(sortie.base, unit.side):
        leaves = not mode and field.own_city(end, unit.side)  # what the text has no word for
        text = f"starts in {home}, which is no city that its side holds"
        yield "wie-air.3", text, Verdict.WARNING if leaves else Verdict.ILLEGAL
    if mode in FOR_BOMBERS and not unit.has(BOMBER):
        text = f"is no bomber and flies {mode.replace('-', ' ')}"
        yield "wie-air.19", text, Verdict.WARNING if mode in BOMBING else Verdict.ILLEGAL
    if mode in BOMBING and german_without_oil(field, unit):
        yield "wie-plo.1", "bombs, and Ploesti is lost", Verdict.ILLEGAL


def _range(case: Case, field: Field, sortie: Sortie) -> Iterator[Reason]:
    far, most = sortie.far, range_of(case, field, sortie.unit)
    if far > most:
        text = f"flies {counted(far, 'hex')}, and {most} is its range"
        yield _rule_of_range(case, sortie, most), text, Verdict.ILLEGAL
    elif most < 2 * far and sortie.mode != TRANSPORT and case.option("flight-range") == "return":
        text = f"flies {far} hexes out and as many back, and {most} is its range"
        yield "wie-air.2", text, Verdict.ILLEGAL


def _rule_of_range(case: Case, sortie: Sortie, most: int) -> str:
    if most < flight_range(sortie.unit):
        return "wie-wx.6" if kindest(case) != CLEAR else "wie-plo.1"
    return "wie-air.17" if sortie.mode == ESCORT else "wie-air.2"


@RULES.track(Moved, when=JUDGED, phases=both(MOVE, COMBAT, EXPLOIT))
@note_each(sorties)
def note_the_flight(case: Case, event: Moved, sortie: Sortie) -> None:
    unit, interdicting = sortie.unit, case.in_game.interdicting
    if sortie.returns and sortie.mode not in MISSIONS:
        return
    if sortie.flight is None:
        interdicting.pop(unit.id, None)
    if sortie.mode == INTERDICTION:
        interdicting[unit.id] = sortie.end
    flights.note(flights_of(case, unit.side), sortie, home=(HOME,))
    empty = event.mode == DROP and not cargo(case, event) and field_of(case).own_city(sortie.end, unit.side)
    picking_up = case.in_turn.by(side_of(case.phase)).picking_up
    (picking_up.add if empty else picking_up.discard)(unit.id)


@RULES.track(Moved, when=JUDGED, phases=both(MOVE, COMBAT, EXPLOIT), mode=(DROP, TRANSPORT))
def note_who_is_carried(case: Case, event: Moved) -> None:
    turn = case.in_turn.by(side_of(case.phase))
    carried = {DROP: turn.dropped, TRANSPORT: turn.transported}[event.mode]
    carried.update(unit.id for unit in cargo(case, event))


def goes_down_with_a_bomber(case: Case, unit: Unit) -> bool:
    """A unit that was flown in this phase, and planes of its side were hit."""
    turn = case.in_turn.by(unit.side)
    hit = any(toll.hits and toll.side == unit.side and toll.manner != SALVO for toll in case.in_phase.tolls)
    return unit.id in turn.dropped | turn.transported and (hit or bool(case.in_phase.downed))


@RULES.rule("wie-air.5", "wie-air.7")
@RULES.before(Removed, phases=both(MOVE))
def cargo_that_is_lost(case: Case, event: Removed) -> Faults:
    """Whether it goes down with its bomber is not said."""
    unit = case.unit(event.unit)
    if goes_down_with_a_bomber(case, unit) and not is_air(unit):
        rule = "wie-air.7" if unit.id in case.in_turn.by(unit.side).dropped else "wie-air.5"
        text = f"{unit.id} is taken off with the bomber that carried it"
        yield Fault(rule, text, (unit.id,), verdict=Verdict.WARNING)


# --- targets ------------------------------------------------------------------------------------------------


@RULES.rule(*RULE_OF_MISSION.values())
@RULES.before(Moved, phases=both(MOVE), mode=BOMBING)
def bombs_fall_on_what_the_enemy_holds(case: Case, event: Moved) -> Faults:
    field, side = field_of(case), case.unit(event.units[0]).side
    for end in field.ids((event.end,)):
        if not _is_target(field, event.mode, end, side):
            text = (
                f"{'+'.join(event.units)} flies {event.mode.replace('-', ' ')} to {case.label(event.end)}, "
            )
            text += "where the enemy has no such target"
            yield Fault(RULE_OF_MISSION[event.mode], text, event.units, field.hexes((end,)))


def _is_target(field: Field, mission: str, hex_id: HexId, side: str) -> bool:
    fits = {CITY: field.red(hex_id), COMPLEX: bool(field.complexes(hex_id)), OIL: hex_id in field.ground.oil}
    return fits[mission] and field.holder(hex_id) != side


@RULES.rule("wie-air.12", "wie-air.14", "wie-air.15", "wie-air.16", "wie-aa.1")
@RULES.before(Rolled, reason=tuple(DICE))
def each_bomber_has_one_die(case: Case, event: Rolled) -> Faults:
    """A D4 for a city, a D6 for oil, a D12 for a complex, and a D4 besides where it is a red city too."""
    mission, sides = DICE[event.reason]
    number = len(event.values)
    if event.sides != sides or (event.about and number > 1):
        return
    for unit in case.units(event.concerned):
        yield from _die_of(case, unit, event, mission)
    without = {unit.id for unit, _ in bombers_without_a_die(case, event.reason)}
    waiting = len(without) - shot_down(case, without)
    if event.about is None and number > waiting:
        dice = "a die" if number == 1 else f"{number} dice"
        bombers = counted(waiting, "bomber") if waiting else "no bomber"
        text = f"{dice} for {event.reason}, and {bombers} of that mission without one"
        flown_before = case.in_game.first == (case.turn, case.phase)
        yield Fault(RULE_OF_MISSION[mission], text, verdict=faults.unless(flown_before))


def shot_down(case: Case, names: set[str]) -> int:
    """How many of these planes are surely lost: hit by name, or by more hits than all others can take."""
    by_name = {name for name in names & case.in_phase.downed.keys() if case.unit(name).on_map}
    unnamed = 0
    for toll in case.in_phase.tolls:
        others = sum(unit.on_map for unit in case.units(toll.exposed - names))
        unnamed += max(min(toll.owed, len(toll.exposed & names)) - others, 0)
    return min(len(by_name) + unnamed, len(names))


def _die_of(case: Case, unit: Unit, event: Rolled, mission: str) -> Faults:
    """The first reason why a bomber rolls no such die, if there is one."""
    field, flight, rule = field_of(case), flight_of(case, unit), RULE_OF_MISSION[mission]
    flown = flight.missions if flight else []
    besides = mission == CITY and COMPLEX in flown and mission not in flown
    if mission not in flown and not besides:
        yield Fault(rule, f"{unit.id} did not fly {mission.replace('-', ' ')}", (unit.id,))
    elif unit.id in _turn(case).bombed[event.reason]:
        yield Fault(rule, f"{unit.id} rolls a second die for {event.reason}", (unit.id,))
    elif besides and not all(map(field.red, field.ids((unit.spot,)))):
        yield Fault(rule, f"{unit.id} bombs where no red city lies", (unit.id,))
    elif shot_down(case, {unit.id}):
        rule = "wie-aa.1" if unit.id in case.in_phase.downed else "wie-air.16"
        yield Fault(rule, f"{unit.id} was hit before its bombs fell", (unit.id,))


def bombers_without_a_die(case: Case, reason: str) -> list[tuple[Unit, HexId]]:
    """Bombers without a die yet that fly a mission, or one that nobody named to a place that fits."""
    field, mission = field_of(case), DICE[reason][0]
    flown = flights_of(case, side_of(case.phase))
    waiting = [name for name in flown if name not in _turn(case).bombed[reason]]
    bombers = [unit for unit in case.units(waiting) if unit.has(BOMBER)]
    missions = {mission, COMPLEX} if mission == CITY else {mission}
    return [
        (unit, hex_id)
        for unit, hex_id in field.standing(bombers)
        if (missions.intersection(flown[unit.id].missions) or flown[unit.id].missions[-1:] == [""])
        and _is_target(field, mission, hex_id, unit.side)
    ]


@RULES.track(Rolled, when=JUDGED, reason=tuple(DICE), phases=PLAYER_TURNS)
def bombs_cost_the_enemy(case: Case, event: Rolled) -> None:
    """At most a city's value; units that cannot be placed in a complex. Both in the enemy's next turn.

    A log does not say which bomber a die is for: the next one that has none. Where it matters which, the
    enemy's own book is taken as he keeps it.
    """
    named = field_of(case).standing(case.units(event.concerned))
    bomb = {CITY_DIE: _bomb_city, OIL_BOMB_DIE: _bomb_oil, COMPLEX_DIE: _bomb_complex}[event.reason]
    for die in event.values:
        bombers = named if event.about else bombers_without_a_die(case, event.reason)
        _turn(case).bombed[event.reason].update(unit.id for unit, _ in bombers[:1])
        if bombers:
            bomb(case, list(dict.fromkeys(hex_id for _, hex_id in bombers)), die)


def _bomb_complex(case: Case, hexes: list[HexId], die: int) -> None:
    if len(hexes) > 1:
        case.not_checked("which of several complexes a die for bombs was rolled for")
        return
    case.in_game.shut_next[hexes[0]] = case.in_game.shut_next.get(hexes[0], 0) + die


def _bomb_oil(case: Case, hexes: list[HexId], die: int) -> None:
    enemy = ENEMY[side_of(case.phase)]
    case.in_game.damage[enemy] = case.in_game.damage.get(enemy, 0) + die


def _bomb_city(case: Case, hexes: list[HexId], die: int) -> None:
    """No more than it is worth; a guess, where bombers without a die are over cities that it matters for."""
    values, bombs = field_of(case).ground.values, _turn(case).city_dice
    costs = [min(die, max(values.get(hex_id, 0) - bombs.get(hex_id, 0), 0)) for hex_id in hexes]
    if len(set(costs)) > 1:
        case.in_game.guessed.add((BOMBED, ENEMY[side_of(case.phase)]))
    bombs[hexes[0]] = bombs.get(hexes[0], 0) + die
    _bomb_oil(case, hexes, costs[0])


@RULES.track_start(*both("reinforce"))
def bombed_complexes(case: Case) -> None:
    """What was bombed in the enemy's turn is shut in this one."""
    side, field, game = side_of(case.phase), field_of(case), case.in_game
    game.shut = {h: n for h, n in game.shut_next.items() if field.holder(h) == side}
    for hex_id in game.shut:
        del game.shut_next[hex_id]


# --- paratroops and transport -------------------------------------------------------------------------------


@RULES.rule("wie-unit.1", "wie-unit.9")
@RULES.before(Moved, phases=both(MOVE, REDEPLOY), mode=(DROP, TRANSPORT))
@each(units_of)
def what_bombers_carry(case: Case, event: Moved, unit: Unit) -> Faults:
    """Class 1; panzer grenadiers and jets drop nobody."""
    drops, hexes = event.mode == DROP, (*spot_of(event.start), *spot_of(event.end))
    if not is_air(unit):
        fits = unit.has(CLASS_1) and (unit.has("paratroops") or not drops)
        if not fits:
            yield Fault("wie-unit.1", f"{unit.id} is not flown by bombers", (unit.id,), hexes)
    elif drops and unit.has(JET):
        yield Fault("wie-unit.9", f"{unit.id} drops no paratroops", (unit.id,), hexes)


def carried(case: Case, event: Moved) -> list[Journey]:
    """The way of what bombers carry, once for all of it."""
    ends = field_of(case).ids((event.start, event.end))
    return [Journey(unit, ends, field_of(case)) for unit in cargo(case, event)[:1] if len(ends) == 2]


@RULES.rule("wie-air.5")
@RULES.before(Moved, phases=both(MOVE, REDEPLOY), mode=TRANSPORT)
@each(carried)
def bombers_carry_two_from_city_to_city(case: Case, event: Moved, journey: Journey) -> Faults:
    field, side, hexes = field_of(case), journey.unit.side, journey.hexes
    names, planes = tuple(unit.id for unit in cargo(case, event)), len(planes_of(case, event))
    if len(names) > 2 * planes:
        text = f"{len(names)} units are carried by {counted(planes, 'bomber')}, two each"
        yield Fault("wie-air.5", text, names, hexes)
    if not field.city(journey.start) or field.holder(journey.end) != side:
        text = "bombers carry units from a city of their side to another"
        yield Fault("wie-air.5", text, names, hexes)
    elif not field.city(journey.end):
        text = f"{case.label(hexes[1])} is no city: units are carried from city to city"
        yield Fault("wie-air.5", text, names, hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-air.7")
@RULES.before(Moved, phases=both(MOVE), mode=DROP)
@each(carried)
def one_unit_a_turn_is_dropped(case: Case, event: Moved, journey: Journey) -> Faults:
    """Out of a city, into a hex of the enemy near one's own."""
    names = tuple(unit.id for unit in cargo(case, event))
    why = _why_no_drop(case, journey, len(names))
    if why:
        yield Fault("wie-air.7", why, names, journey.hexes)


def _why_no_drop(case: Case, journey: Journey, number: int) -> str:
    """Why so many units are not dropped there; empty if they may be."""
    field, side, end = field_of(case), journey.unit.side, journey.end
    number += len(case.in_turn.by(side).dropped)
    if number > 1:
        return f"{number} units are dropped in this turn, and one may be"
    if not field.own_city(journey.start, side):
        return "paratroops are picked up in a city of their side"
    if field.holder(end) == side:
        return "paratroops are dropped into a hex that the enemy holds"
    near = field.board.within(end, DROP_RANGE)
    if not any(field.holder(h) == side or field.occupied(side)[h] for h in near):
        return f"no hex of their side is within {DROP_RANGE} hexes of {case.label(journey.hexes[1])}"
    return ""


@RULES.rule("wie-brk.6")
@RULES.before(Moved, phases=both(MOVE, COMBAT, EXPLOIT, REDEPLOY))
@each(units_of)
def paratroops_stay_where_they_land(case: Case, event: Moved, unit: Unit) -> Faults:
    if unit.id in case.in_turn.by(unit.side).dropped and event.mode not in (DROP, "retreat"):
        text = f"{unit.id} was dropped in this turn and stays in its hex"
        yield Fault("wie-brk.6", text, (unit.id,), spot_of(unit.spot))


# --- interception and defensive support ---------------------------------------------------------------------


@RULES.rule("wie-air.8", "wie-air.13", "wie-air.16", "wie-air.1", "wie-air.4", "wie-air.2", "wie-unit.9")
@RULES.before(Moved, phases=PLAYER_TURNS)
@each(defending)
def defending_planes_by_rule(case: Case, event: Moved, sortie: Sortie) -> Faults:
    """Fighters alone, once in the enemy's turn: two hexes to intercept, their range to support a defense."""
    field, unit = field_of(case), sortie.unit
    over = missions_over(case, field, sortie.end, ENEMY[unit.side])
    reached = sortie.leg <= range_of(case, field, unit)
    hexes = field.hexes((sortie.start, sortie.end))
    bombed = not over.isdisjoint(BOMBING)
    if bombed and event.mode == INTERCEPTION and reached and sortie.leg > INTERCEPT_RANGE:
        text = f"{unit.id} intercepts bombers from afar, which is air defense: "
        text += f"interception reaches {INTERCEPT_RANGE} hexes"
        yield Fault("wie-air.8", text, (unit.id,), hexes, verdict=Verdict.WARNING)
    open_ = INTERDICTION in over and reached  # planes "in range" meet those
    yield from faults.surest(
        Fault(
            rule,
            f"{unit.id} {text}",
            (unit.id,),
            hexes,
            verdict=Verdict.WARNING if open_ and rule == "wie-air.8" else Verdict.ILLEGAL,
        )
        for rule, text in _why_no_defense(case, field, sortie, bombed=bombed)
    )


Wrong = Iterator[tuple[str, str]]
"""The rule that is broken, and how in words."""


def _why_no_defense(case: Case, field: Field, sortie: Sortie, *, bombed: bool) -> Wrong:
    part, unit = part_of(case.phase), sortie.unit
    moving = part == MOVE
    if part not in (MOVE, COMBAT, EXPLOIT):
        yield "wie-air.4", f"flies in the {case.phase_name()}, when no plane is met"
    dive = unit.has(DIVE_BOMBER) and not moving and case.option("dive-bomber-defense") == "yes"
    if not unit.has(FIGHTER) and not dive:
        yield "wie-air.8" if moving else "wie-air.13", "is no fighter and does not defend"
    if sortie.flight is not None:
        yield "wie-air.1", "defended before in this turn"
    if bombed:
        yield from _air_defense(case, field, sortie)
    elif moving:
        yield from _interception(case, field, sortie)
    else:
        yield from _defense(case, field, sortie)


def missions_over(case: Case, field: Field, hex_id: HexId, side: str) -> set[str]:
    """What the planes of a side that are over a hex fly."""
    return flights.last_missions(flights_of(case, side), field.planes_over(hex_id, side))


def _jets(field: Field, sortie: Sortie) -> Wrong:
    planes = field.planes_over(sortie.end, ENEMY[sortie.unit.side])
    if all(plane.has(JET) for plane in planes):
        yield "wie-unit.9", "intercepts jets, which nobody can"


def _air_defense(case: Case, field: Field, sortie: Sortie) -> Wrong:
    """Against bombers over a city, a complex or oil: out of flight range (5 Strategic Air Defense)."""
    far, most = sortie.leg, range_of(case, field, sortie.unit)
    if far > most:
        yield "wie-air.16", f"comes {far} hexes against bombers, and {most} is its range"
    yield from _jets(field, sortie)


def _defense(case: Case, field: Field, sortie: Sortie) -> Wrong:
    far, most = sortie.leg, range_of(case, field, sortie.unit)
    if far > most:
        yield "wie-air.13", f"comes {far} hexes to support a defense, and {most} is its range"
    if sortie.end not in {battle.target for battle in case.in_phase.battles}:
        where = case.label(sortie.hexes[1])
        yield "wie-air.13", f"supports a defense in {where}, where no battle is fought"


def _interception(case: Case, field: Field, sortie: Sortie) -> Wrong:
    far, where = sortie.leg, case.label(sortie.hexes[1])
    if far > INTERCEPT_RANGE:
        yield "wie-air.8", f"intercepts {far} hexes away, and {INTERCEPT_RANGE} is the most"
    if not field.planes_over(sortie.end, ENEMY[sortie.unit.side]):
        yield "wie-air.8", f"intercepts in {where}, where no enemy plane is"
    yield from _jets(field, sortie)


# --- the way home -------------------------------------------------------------------------------------------


@RULES.rule("wie-seq.3")
@RULES.before(Moved, phases=both(MOVE), mode=HOME)
@each(own_sorties)
def planes_stay_for_their_battle(case: Case, event: Moved, sortie: Sortie) -> Faults:
    if sortie.missions[-1:] == [SUPPORT]:
        text = f"{sortie.unit.id} flies home before the battle that it was sent to"
        yield Fault("wie-seq.3", text, (sortie.unit.id,), verdict=Verdict.WARNING)


@RULES.rule("wie-air.9")
@RULES.before(Moved, phases=both(COMBAT, EXPLOIT), mode=(HOME, ""))
@each(sorties)
def planes_go_back_where_they_came_from(case: Case, event: Moved, sortie: Sortie) -> Faults:
    in_the_air = sortie.flight is not None and not sortie.returns
    if in_the_air and field_of(case).own_city(sortie.base, sortie.unit.side):
        home, end = map(case.label, sortie.hexes)
        text = f"{sortie.unit.id} flies home to {end}, and came from {home}"
        yield Fault("wie-air.9", text, (sortie.unit.id,), sortie.hexes[1:])


@RULES.rule("wie-air.9", "wie-ncm.4")
@RULES.at_phase_end(*both(REDEPLOY))
def planes_end_in_cities(case: Case) -> Faults:
    """Of both sides; a bomber on interdiction stays where it is."""
    field, watching = field_of(case), case.in_game.interdicting
    planes = [(hex_id, unit) for side in ENEMY for hex_id, unit in field.planes(side)]
    for hex_id, unit in planes:
        flight = flight_of(case, unit)
        if flight is None or flight.base == hex_id:
            continue  # at home, or its base was taken
        if unit.id not in watching and not field.own_city(hex_id, unit.side):
            text = f"{unit.id} is over {case.label(unit.spot)} when the turn ends, not in a city of its side"
            yield Fault("wie-air.9", text, (unit.id,), (unit.hex,))
        elif came_to_defend(case, unit) and field.own_city(flight.base, unit.side):
            text = f"{unit.id} came to {case.label(unit.spot)} to defend and has not flown home"
            yield Fault("wie-air.9", text, (unit.id,), (unit.hex,), verdict=Verdict.WARNING)


def came_to_defend(case: Case, unit: Unit) -> bool:
    """Whether a plane of the side whose turn it is not flew interception or defensive support last."""
    flight = flight_of(case, unit)
    called = flight is not None and flight.last in (DEFENSIVE, INTERCEPTION)
    return called and unit.side != side_of(case.phase)


@RULES.rule("wie-air.1")
@RULES.before(Moved, phases=both(REDEPLOY), mode=TRANSPORT)
@each(own_sorties)
def who_dropped_paratroops_carries_nobody(case: Case, event: Moved, sortie: Sortie) -> Faults:
    for rule, text, verdict in _missions_before(case, sortie):
        yield Fault(rule, f"{sortie.unit.id} {text}", (sortie.unit.id,), sortie.hexes, verdict=verdict)


@RULES.rule("wie-ncm.4", "wie-air.3")
@RULES.before(Moved, phases=both(REDEPLOY))
@each(own_sorties)
def bases_are_own_cities(case: Case, event: Moved, sortie: Sortie) -> Faults:
    if not field_of(case).own_city(sortie.end, sortie.unit.side):
        where = case.label(event.end)
        text = f"{sortie.unit.id} changes its base to {where}, which is no city of its side"
        yield Fault("wie-ncm.4", text, (sortie.unit.id,), spot_of(event.end))


@RULES.track(Moved, when=APPLIED, phases=both(REDEPLOY))
@RULES.track(Removed, when=APPLIED)
@note_each(units_of)
def who_goes_watches_no_more(case: Case, event: Moved | Removed, unit: Unit) -> None:
    case.in_game.interdicting.pop(unit.id, None)
