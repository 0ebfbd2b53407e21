"""Chapter 5: what planes do: missions and their range, bombing, drops, transport, interception."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.explain import counted
from validator.engine.rulebook import APPLIED, JUDGED, Faults
from validator.games.wie.book import (
    ANTI_AIR,
    AXIS,
    BOMBED,
    BOMBING,
    CITY,
    CITY_DIE,
    CLEAR,
    COMBAT,
    COMPLEX,
    COMPLEX_DIE,
    DROP,
    ENEMY,
    ESCORT,
    EXPLOIT,
    HOME,
    INTERCEPTION,
    INTERDICTION,
    INTERDICTION_DIE,
    MISSIONS,
    MOVE,
    OIL,
    OIL_BOMB_DIE,
    PLAYER_TURNS,
    REDEPLOY,
    RULES,
    SUPPORT,
    TRANSPORT,
    both,
    part_of,
    side_of,
)
from validator.games.wie.c05_movement import ploesti_lost
from validator.games.wie.c07_weather import kindest, weather_of
from validator.games.wie.field import Field, field_of
from validator.games.wie.state import Case, Flight
from validator.games.wie.units import (
    ARMOR,
    BOMBER,
    CLASS_1,
    DIVE_BOMBER,
    FIGHTER,
    GUNS,
    JET,
    flight_range,
    is_air,
)
from validator.model.events import AFTER_COMBAT, Fired, Moved, Removed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.moves import spot_of
from validator.procedures.rounds import Toll

PLOESTI_RANGE, INTERCEPT_RANGE, DROP_RANGE = 4, 2, 2
DICE = {CITY_DIE: (CITY, 4), OIL_BOMB_DIE: (OIL, 6), COMPLEX_DIE: (COMPLEX, 12)}
RULE_OF_MISSION = {CITY: "wie-air.12", OIL: "wie-air.14", COMPLEX: "wie-air.15"}
MOST_GUNS = 2
FOR_BOMBERS = (*BOMBING, INTERDICTION, DROP, TRANSPORT)


def range_of(case: Case, field: Field, unit: Unit) -> int:
    """Halved in mud and snow, four at most for Germans without Ploesti."""
    hexes = flight_range(unit)
    if weather_of(case) is not None and kindest(case) != CLEAR:
        hexes //= 2
    if unit.side == AXIS and ploesti_lost(field):
        hexes = min(hexes, PLOESTI_RANGE)
    return hexes


def fliers(case: Case, event: Moved) -> list[Unit]:
    return [unit for name in event.units if is_air(unit := case.position.units[name])]


def flying(case: Case, event: Moved, *, mine: bool) -> list[tuple[Unit, HexId, HexId]]:
    """Planes of the side whose turn it is, or of the other, from hex to hex."""
    ids = field_of(case).ids((event.start, event.end))
    planes = [unit for unit in fliers(case, event) if (unit.side == side_of(case.phase)) == mine]
    return [(unit, ids[0], ids[1]) for unit in planes if len(ids) == 2]


def cargo(case: Case, event: Moved) -> list[Unit]:
    return [unit for name in event.units if not is_air(unit := case.position.units[name])]


def flight_of(case: Case, unit: Unit) -> Flight | None:
    turn = case.in_turn.by(side_of(case.phase))
    return (turn.flights if unit.side == side_of(case.phase) else turn.defending).get(unit.id)


def is_at_base(case: Case, unit: Unit) -> bool:
    """A plane that has not left a city of its side in this turn."""
    field = field_of(case)
    hex_id = field.id(unit.spot)
    return flight_of(case, unit) is None and hex_id is not None and _at_home(field, hex_id, unit)


# --- missions -----------------------------------------------------------------------------------------------


@RULES.rule("wie-air.1", "wie-air.2", "wie-air.3", "wie-air.17", "wie-air.19", "wie-wx.6", "wie-plo.1")
@RULES.before(Moved, phases=both(MOVE, EXPLOIT))
def missions_are_flown_by_rule(case: Case, event: Moved) -> Faults:
    """One in a turn, from a city of one's own, as far as the range goes."""
    field = field_of(case)
    for unit, start, end in flying(case, event, mine=True):
        flight = flight_of(case, unit)
        base = flight.base if flight else start
        picks_up = unit.id in case.in_turn.by(unit.side).picking_up
        hexes = field.hexes((base, end))
        flown = (
            [m for m in flight.missions if m in MISSIONS and not (m == DROP and picks_up)] if flight else []
        )
        again = flown and event.mode in MISSIONS and end != start
        what = f"flies {event.mode.replace('-', ' ')}"
        rows = [
            (again, "wie-air.1", f"{what} after {''.join(flown[:1])} in the same turn"),
            (DROP in flown and event.mode == TRANSPORT, "wie-air.1", "dropped paratroops and carries nobody"),
        ]
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,), hexes)
        if event.mode in ("", "march") and end not in (start, base) and field.holder(end) == unit.side:
            text = f"{unit.id} flies to {case.label(hexes[1])} without a mission: bases change in action 4"
            yield Fault("wie-air.1", text, (unit.id,), hexes, verdict=Verdict.WARNING)
        if base not in case.in_game.interdicting.values() and not _at_home(field, base, unit):
            text = f"{unit.id} starts in {case.label(hexes[0])}, which is no city that its side holds"
            leaves = not event.mode and _at_home(field, end, unit)  # what the text has no word for
            sure = Verdict.WARNING if leaves else Verdict.ILLEGAL
            yield Fault("wie-air.3", text, (unit.id,), hexes, verdict=sure)
        yield from _range(case, field, unit, base, end, event.mode)
        if event.mode in FOR_BOMBERS and not unit.has(BOMBER):
            sure = Verdict.WARNING if event.mode in BOMBING else Verdict.ILLEGAL
            yield Fault("wie-air.19", f"{unit.id} is no bomber and {what}", (unit.id,), hexes, verdict=sure)
        if event.mode in BOMBING and unit.side == AXIS and ploesti_lost(field):
            yield Fault("wie-plo.1", f"{unit.id} bombs, and Ploesti is lost", (unit.id,), hexes)


def _at_home(field: Field, base: HexId, unit: Unit) -> bool:
    return field.city(base) and field.holder(base) == unit.side


def _range(case: Case, field: Field, unit: Unit, base: HexId, end: HexId, mode: str) -> Faults:
    far, most = field.board.distance(base, end), range_of(case, field, unit)
    hexes = (field.board.hexes[base], field.board.hexes[end])
    if far > most:
        rule = "wie-air.17" if mode == ESCORT else "wie-air.2"
        if most < flight_range(unit):
            rule = "wie-wx.6" if kindest(case) != CLEAR else "wie-plo.1"
        yield Fault(
            rule, f"{unit.id} flies {counted(far, 'hex')}, and {most} is its range", (unit.id,), hexes
        )
    elif 2 * far > most and case.option("flight-range") == "return" and mode != TRANSPORT:
        text = f"{unit.id} flies {far} hexes out and as many back, and {most} is its range"
        yield Fault("wie-air.2", text, (unit.id,), hexes)


@RULES.track(Moved, when=JUDGED, phases=both(MOVE, COMBAT, EXPLOIT))
def note_the_flight(case: Case, event: Moved) -> None:
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    for unit, start, end in [*flying(case, event, mine=True), *flying(case, event, mine=False)]:
        known = turn.flights if unit.side == side else turn.defending
        flight = known.get(unit.id)
        if flight is not None and end == flight.base and event.mode not in MISSIONS:
            continue
        if flight is None:
            flight = known[unit.id] = Flight(start)
            case.in_game.interdicting.pop(unit.id, None)
        if event.mode != HOME:
            flight.missions.append(event.mode)
            flight.targets.append(end)
        if event.mode == INTERDICTION:
            case.in_game.interdicting[unit.id] = end
        empty = event.mode == DROP and not cargo(case, event) and _at_home(field_of(case), end, unit)
        (turn.picking_up.add if empty else turn.picking_up.discard)(unit.id)
    carried = {DROP: turn.dropped, TRANSPORT: turn.transported}
    carried.get(event.mode, set()).update(unit.id for unit in cargo(case, event))


# --- targets ------------------------------------------------------------------------------------------------


@RULES.rule(*RULE_OF_MISSION.values())
@RULES.before(Moved, phases=both(MOVE), mode=BOMBING)
def bombs_fall_on_what_the_enemy_holds(case: Case, event: Moved) -> Faults:
    field, end = field_of(case), field_of(case).id(event.end)
    side = case.units(event.units)[0].side
    if end is not None and not _is_target(field, event.mode, end, side):
        text = f"{'+'.join(event.units)} flies {event.mode.replace('-', ' ')} to {case.label(event.end)}, "
        text += "where the enemy has no such target"
        yield Fault(RULE_OF_MISSION[event.mode], text, event.units, field.hexes((end,)))


@RULES.rule("wie-air.12", "wie-air.14", "wie-air.15", "wie-seq.5", "wie-air.16")
@RULES.before(Rolled, reason=tuple(DICE))
def each_bomber_has_one_die(case: Case, event: Rolled) -> Faults:
    """A D4 for a city, a D6 for oil, a D12 for a complex, and a D4 besides where it is a red city too."""
    mission, sides = DICE[event.reason]
    rule = RULE_OF_MISSION[mission]
    if not event.is_one(sides):
        return
    if part_of(case.phase) != MOVE:
        text = f"{event.reason} is rolled in the {case.phase_name()}"
        yield Fault("wie-seq.5", text, verdict=Verdict.WARNING)
    if event.about is not None:
        yield from _die_of(case, case.unit(event.about), event, mission)
    elif not bombers_without_a_die(case, event.reason):
        text = f"a die for {event.reason}, and no bomber of that mission is without its own"
        whole = case.in_game.first != (case.turn, case.phase)  # else it may have flown before
        yield Fault(rule, text, verdict=Verdict.ILLEGAL if whole else Verdict.WARNING)


def _die_of(case: Case, unit: Unit, event: Rolled, mission: str) -> Faults:
    field, flight = field_of(case), flight_of(case, unit)
    flown, here = flight.missions if flight else [], field.id(unit.spot)
    besides = mission == CITY and COMPLEX in flown and mission not in flown
    done = unit.id in case.in_phase.bombed.get(event.reason, ())
    rows = [
        (mission not in flown and not besides, f"did not fly {mission.replace('-', ' ')}"),
        (done, f"rolls a second die for {event.reason}"),
        (besides and here is not None and not field.red(here), "bombs where no red city lies"),
    ]
    told = faults.of_rule(RULE_OF_MISSION[mission], rows)
    yield from faults.first_that_holds(told, f"{unit.id} ", (unit.id,))


def bombers_without_a_die(case: Case, reason: str) -> list[Unit]:
    """Bombers without a die yet that fly a mission, or one that nobody named to a place that fits."""
    field, mission = field_of(case), DICE[reason][0]
    done = case.in_phase.bombed.get(reason, set())
    found = []
    for name, flight in case.in_turn.by(side_of(case.phase)).flights.items():
        unit = case.position.units[name]
        hex_id = field.id(unit.spot)
        if hex_id is None or name in done or not unit.has(BOMBER):
            continue
        named = mission in flight.missions or (mission == CITY and COMPLEX in flight.missions)
        if (named or flight.missions[-1:] == [""]) and _is_target(field, mission, hex_id, unit.side):
            found.append(unit)
    return found


def _is_target(field: Field, mission: str, hex_id: HexId, side: str) -> bool:
    fits = {CITY: field.red(hex_id), COMPLEX: bool(field.complexes(hex_id)), OIL: hex_id in field.ground.oil}
    return fits[mission] and field.holder(hex_id) != side


@RULES.track(Rolled, when=JUDGED)
def bombs_cost_the_enemy(case: Case, event: Rolled) -> None:
    """At most a city's value; units that cannot be placed in a complex. Both in the enemy's next turn.

    A log does not say which bomber a die is for: the next one that has none. Where it matters which, the
    enemy's own book is taken as he keeps it.
    """
    side, field = side_of(case.phase), field_of(case)
    if event.reason not in DICE or not side:
        return
    named = [case.position.units[event.about]] if event.about else bombers_without_a_die(case, event.reason)
    hexes = list(dict.fromkeys(h for unit in named if (h := field.id(unit.spot)) is not None))
    if not hexes:
        return
    case.in_phase.bombed.setdefault(event.reason, set()).add(named[0].id)
    game, enemy, die = case.in_game, ENEMY[side], sum(event.values)
    if event.reason == COMPLEX_DIE:
        if len(hexes) > 1:
            case.not_checked("which of several complexes a die for bombs was rolled for")
            return
        game.shut_next[hexes[0]] = game.shut_next.get(hexes[0], 0) + die
        return
    if event.reason == CITY_DIE:
        left = {h: field.ground.values.get(h, 0) - case.in_phase.city_dice.get(h, 0) for h in hexes}
        if len({min(die, max(some, 0)) for some in left.values()}) > 1:
            game.guessed.add((BOMBED, enemy))
        case.in_phase.city_dice[hexes[0]] = case.in_phase.city_dice.get(hexes[0], 0) + die
        die = min(die, max(left[hexes[0]], 0))
    game.damage[enemy] = game.damage.get(enemy, 0) + die


@RULES.track_start(*both("reinforce"))
def bombed_complexes(case: Case) -> None:
    """What was bombed in the enemy's turn is shut in this one."""
    side, field = side_of(case.phase), field_of(case)
    mine = {h: n for h, n in case.in_game.shut_next.items() if field.holder(h) == side}
    case.in_game.shut = mine
    for hex_id in mine:
        del case.in_game.shut_next[hex_id]


# --- paratroops and transport -------------------------------------------------------------------------------


@RULES.rule("wie-unit.1", "wie-unit.9")
@RULES.before(Moved, phases=both(MOVE), mode=(DROP, TRANSPORT))
def what_bombers_carry(case: Case, event: Moved) -> Faults:
    """Class 1; panzer grenadiers and jets drop nobody."""
    hexes = tuple(spot for spot in (event.start, event.end) if isinstance(spot, Hex))
    drops = event.mode == DROP
    for unit in cargo(case, event):
        if not unit.has(CLASS_1) or (drops and not unit.has("paratroops")):
            yield Fault("wie-unit.1", f"{unit.id} is not flown by bombers", (unit.id,), hexes)
    for plane in fliers(case, event):
        if drops and plane.has(JET):
            yield Fault("wie-unit.9", f"{plane.id} drops no paratroops", (plane.id,), hexes)


@RULES.rule("wie-air.5")
@RULES.before(Moved, phases=both(MOVE), mode=TRANSPORT)
def bombers_carry_two_from_city_to_city(case: Case, event: Moved) -> Faults:
    field, names, planes = field_of(case), _names(cargo(case, event)), fliers(case, event)
    start, end = field.id(event.start), field.id(event.end)
    if not names or start is None or end is None:
        return
    side, hexes = case.unit(names[0]).side, field.hexes((start, end))
    if len(names) > 2 * len(planes):
        text = f"{len(names)} units are carried by {counted(len(planes), 'bomber')}, two each"
        yield Fault("wie-air.5", text, names, hexes)
    if not field.city(start) or field.holder(end) != side:
        text = "bombers carry units from a city of their side to another"
        yield Fault("wie-air.5", text, names, hexes)
    elif not field.city(end):
        text = f"{case.label(hexes[1])} is no city: units are carried from city to city"
        yield Fault("wie-air.5", text, names, hexes, verdict=Verdict.WARNING)


@RULES.rule("wie-air.7")
@RULES.before(Moved, phases=both(MOVE), mode=DROP)
def one_unit_a_turn_is_dropped(case: Case, event: Moved) -> Faults:
    """Out of a city, into a hex of the enemy near one's own."""
    field, names = field_of(case), _names(cargo(case, event))
    start, end = field.id(event.start), field.id(event.end)
    if not names or start is None or end is None:
        return
    side, hexes = case.unit(names[0]).side, field.hexes((start, end))
    number = len(case.in_turn.by(side).dropped) + len(names)
    from_city = field.city(start) and field.holder(start) == side
    near = field.board.within(end, DROP_RANGE)
    far = not any(field.holder(h) == side or field.occupied(side)[h] for h in near)
    rows = [
        (number > 1, f"{number} units are dropped in this turn, and one may be"),
        (not from_city, "paratroops are picked up in a city of their side"),
        (field.holder(end) == side, "paratroops are dropped into a hex that the enemy holds"),
        (far, f"no hex of their side is within {DROP_RANGE} hexes of {case.label(hexes[1])}"),
    ]
    yield from faults.first_that_holds(faults.of_rule("wie-air.7", rows), "", names, hexes)


def _names(units: list[Unit]) -> tuple[str, ...]:
    return tuple(unit.id for unit in units)


@RULES.rule("wie-brk.6")
@RULES.before(Moved, phases=both(MOVE, COMBAT, EXPLOIT, REDEPLOY))
def paratroops_stay_where_they_land(case: Case, event: Moved) -> Faults:
    for name in event.units:
        unit = case.position.units[name]
        if name in case.in_turn.by(unit.side).dropped and event.mode not in (DROP, "retreat"):
            text = f"{name} was dropped in this turn and stays in its hex"
            yield Fault("wie-brk.6", text, (name,), (unit.hex,) if unit.on_map else ())


# --- interception and defensive support ---------------------------------------------------------------------


@RULES.rule("wie-air.8", "wie-air.13", "wie-air.16", "wie-air.1", "wie-air.4", "wie-air.2", "wie-unit.9")
@RULES.before(Moved, phases=PLAYER_TURNS)
def defending_planes_by_rule(case: Case, event: Moved) -> Faults:
    """Fighters alone, once in the enemy's turn: two hexes to intercept, their range to support a defense."""
    field, part = field_of(case), part_of(case.phase)
    for unit, start, end in flying(case, event, mine=False):
        flight, hexes = flight_of(case, unit), field.hexes((start, end))
        if (flight is not None and end == flight.base) or event.mode in (HOME, "retreat"):
            continue
        dive = unit.has(DIVE_BOMBER) and part != MOVE and case.option("dive-bomber-defense") == "yes"
        rule = "wie-air.8" if part == MOVE else "wie-air.13"
        met = part in (MOVE, COMBAT, EXPLOIT)
        over = missions_over(case, field, end, ENEMY[unit.side])
        meets = _air_defense if over & set(BOMBING) else _interception if part == MOVE else _defense
        rows = [
            (not met, "wie-air.4", f"flies in the {case.phase_name()}, when no plane is met"),
            (not unit.has(FIGHTER) and not dive, rule, "is no fighter and does not defend"),
            (flight is not None, "wie-air.1", "defended before in this turn"),
            *meets(case, field, unit, start, end),
        ]
        named = meets is _air_defense and event.mode == INTERCEPTION
        if named and INTERCEPT_RANGE < field.board.distance(start, end) <= range_of(case, field, unit):
            text = f"{unit.id} intercepts bombers from afar, which is air defense: "
            text += f"interception reaches {INTERCEPT_RANGE} hexes"
            yield Fault("wie-air.8", text, (unit.id,), hexes, verdict=Verdict.WARNING)
        far = INTERDICTION in over and field.board.distance(start, end) <= range_of(case, field, unit)
        open_ = ("wie-air.8",) if far else ()  # planes "in range" meet those on interdiction
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,), hexes, faults.doubtful(*open_))


def missions_over(case: Case, field: Field, hex_id: HexId, side: str) -> set[str]:
    """What the planes of a side that are over a hex fly."""
    flights = (flight_of(case, unit) for unit in field.units(hex_id, side) if is_air(unit))
    return {flight.missions[-1] for flight in flights if flight is not None and flight.missions}


def _air_defense(case: Case, field: Field, unit: Unit, start: HexId, end: HexId) -> faults.Rows:
    """Against bombers over a city, a complex or oil: out of flight range (5 Strategic Air Defense)."""
    far, most = field.board.distance(start, end), range_of(case, field, unit)
    planes = [u for u in field.units(end, ENEMY[unit.side]) if is_air(u)]
    return [
        (far > most, "wie-air.16", f"comes {far} hexes against bombers, and {most} is its range"),
        (all(plane.has(JET) for plane in planes), "wie-unit.9", "intercepts jets, which nobody can"),
    ]


def _defense(case: Case, field: Field, unit: Unit, start: HexId, end: HexId) -> faults.Rows:
    far, most = field.board.distance(start, end), range_of(case, field, unit)
    fought, where = any(b.target == end for b in case.in_phase.battles), case.label(field.board.hexes[end])
    return [
        (far > most, "wie-air.13", f"comes {far} hexes to support a defense, and {most} is its range"),
        (not fought, "wie-air.13", f"supports a defense in {where}, where no battle is fought"),
    ]


def _interception(case: Case, field: Field, unit: Unit, start: HexId, end: HexId) -> faults.Rows:
    far, where = field.board.distance(start, end), case.label(field.board.hexes[end])
    planes = [u for u in field.units(end, ENEMY[unit.side]) if is_air(u)]
    most = INTERCEPT_RANGE
    return [
        (far > most, "wie-air.8", f"intercepts {far} hexes away, and {most} is the most"),
        (not planes, "wie-air.8", f"intercepts in {where}, where no enemy plane is"),
        (all(plane.has(JET) for plane in planes), "wie-unit.9", "intercepts jets, which nobody can"),
    ]


# --- anti-air and combat in the air -------------------------------------------------------------------------


@RULES.rule("wie-aa.1", "wie-air.4", "wie-air.11", "wie-unit.9")
@RULES.before(Fired, manner=ANTI_AIR)
def guns_fire_at_planes(case: Case, event: Fired) -> Faults:
    """One on a D10, a die of each gun at each plane, two guns at most; not at jets, nor as planes go home."""
    field, units, names = field_of(case), case.units(event.units), event.units
    no_guns = "+".join(unit.id for unit in units if not unit.has(GUNS))
    most = 2 if case.option("anti-air-hits") == "two" else 1
    met, bombing = part_of(case.phase) in (MOVE, COMBAT, EXPLOIT), event.value == 2 and _bombing(case, event)
    rows = [
        (not met, "wie-air.4", f"fires in the {case.phase_name()}, when planes are not fired at"),
        (no_guns, "wie-aa.1", f"fires at planes, and {no_guns} is no artillery"),
        (event.sides != 10, "wie-aa.1", f"fires at planes with D{event.sides}, not with D10"),
        (
            event.value > most and not bombing,
            "wie-aa.1",
            f"claims hits on {event.value} of a D10, not on {most}",
        ),
        (
            event.aimed and len(event.values) > len(units) * len(event.aimed),
            "wie-aa.1",
            "fires too many dice",
        ),
    ]
    yield from faults.first_that_holds(rows, f"{'+'.join(names)} ", names)
    if event.value > most and bombing:
        text = f"planes are hit on {most} of a D10, and {event.value} is claimed"
        yield Fault("wie-aa.1", text, names, verdict=Verdict.WARNING)
    for plane in case.units(event.aimed):
        shots = case.in_phase.shot_at.get(plane.id, 0) + len(units)
        twice = [gun.id for gun in units if (gun.id, plane.id) in case.in_phase.gun_shots]
        aside = [gun for gun in units if not passes(case, field, gun, plane)]
        where = "".join(f"{case.label(gun.spot)}, where {gun.id} fires" for gun in aside[:1])
        open_ = ("wie-air.11",) if _supports(case, plane) else ()  # "each" gun of the hex, and two at most
        rows = [
            (plane.has(JET), "wie-unit.9", "is a jet, which guns do not hit"),
            (twice, "wie-aa.1", f"is fired at twice by {'+'.join(twice)}, and each gun has one die for it"),
            (
                shots > MOST_GUNS,
                "wie-air.11" if open_ else "wie-aa.1",
                f"is fired at by {shots} guns, and {MOST_GUNS} may",
            ),
            (plane.side == units[0].side, "wie-aa.1", "is of the side that fires"),
            (aside, "wie-aa.1", f"does not come near {where}"),
        ]
        yield from faults.first_that_holds(
            rows, f"{plane.id} ", (plane.id, *names), (), faults.doubtful(*open_)
        )


def _supports(case: Case, plane: Unit) -> bool:
    """Whether it was sent to the hex that is attacked, to support the attack."""
    flight = flight_of(case, plane)
    return flight is not None and SUPPORT in flight.missions[-1:]


def _bombing(case: Case, event: Fired) -> bool:
    """Where the text has hits on 1 and 2: over complexes, at interdiction, before support of an attack."""
    if set(event.aimed) & set(case.in_game.interdicting):
        return True  # it leaves the hex that it watched
    flights = [flight_of(case, case.position.units[name]) for name in event.aimed]
    return any(f is not None and {COMPLEX, INTERDICTION} & set(f.missions) for f in flights)


def passes(case: Case, field: Field, gun: Unit, plane: Unit) -> bool:
    """Whether a flight can have come by a gun, with a small detour; yes where nobody saw the flight."""
    flight, here = flight_of(case, plane), field.id(gun.spot)
    if flight is None or not flight.targets or here is None:
        return True
    start, end = flight.base, flight.targets[-1]
    detour = field.board.distance(start, here) + field.board.distance(here, end)
    return detour <= field.board.distance(start, end) + 2


def in_reach_of(case: Case, guns: list[Unit]) -> set[str]:
    """Planes that may have come by some guns: of the enemy, no jets, and not at home."""
    field = field_of(case)
    flown = [unit for _, unit in field.planes(ENEMY[guns[0].side]) if not unit.has(JET)]
    return {
        plane.id
        for plane in flown
        if flight_of(case, plane) is not None and any(passes(case, field, gun, plane) for gun in guns)
    }


@RULES.track(Fired, when=JUDGED, manner=ANTI_AIR)
def note_hits_on_planes(case: Case, event: Fired) -> None:
    """On the planes that are named; a log names none, and any that came by may take the hit."""
    units = [case.position.units[name] for name in event.units]
    place = field_of(case).id(units[0].spot)
    if not event.aimed and event.hits and place is not None:
        side = ENEMY[units[0].side]
        case.in_phase.tolls.append(Toll(ANTI_AIR, side, place, in_reach_of(case, units), event.hits))
    for name in event.aimed:
        case.in_phase.shot_at[name] = case.in_phase.shot_at.get(name, 0) + len(event.units)
        case.in_phase.gun_shots |= {(gun, name) for gun in event.units}
    each = len(event.values) // len(event.aimed) if event.aimed else 0
    for number, name in enumerate(event.aimed):
        if any(value <= event.value for value in event.values[number * each : (number + 1) * each]):
            case.in_phase.downed[name] = ANTI_AIR


@RULES.rule("wie-aa.1", "wie-air.11")
@RULES.at_phase_end(*both(MOVE, COMBAT, EXPLOIT))
def planes_that_were_hit_are_gone(case: Case) -> Faults:
    for name in case.in_phase.downed:
        unit = case.position.units[name]
        if unit.on_map:
            yield Fault("wie-aa.1", f"{name} was hit from the ground and is not removed", (name,))


@RULES.rule("wie-air.11")
@RULES.before(Fired)
def planes_that_were_hit_fire_no_more(case: Case, event: Fired) -> Faults:
    """Where nobody says which one was hit: as many as others that stand can have been."""
    for toll in case.in_phase.tolls:
        firing = toll.exposed & set(event.units)
        others = sum(case.position.units[name].on_map for name in toll.exposed - firing)
        if toll.manner == ANTI_AIR and event.manner != ANTI_AIR and firing and toll.owed > others:
            text = "hits from the ground are taken before planes fire: "
            text += f"{'one is' if toll.owed == 1 else f'{toll.owed} are'} still to be taken"
            yield Fault("wie-air.11", text, tuple(sorted(firing)), once=("guns", toll.place))
    for name in event.units:
        if name in case.in_phase.downed:
            text = f"{name} was hit from the ground before the rounds began and may not fire"
            yield Fault("wie-air.11", text, (name,))


# --- interdiction -------------------------------------------------------------------------------------------


@RULES.track(Rolled, when=JUDGED, reason=INTERDICTION_DIE)
def note_interdiction(case: Case, event: Rolled) -> None:
    if event.about:
        case.in_phase.interdicted[event.about] = event.values[0]
    else:
        case.in_phase.nobodys_dice += event.values


@RULES.track(Moved, when=JUDGED, phases=both(MOVE, EXPLOIT))
def a_die_finds_its_unit(case: Case, event: Moved) -> None:
    """One that was rolled for nobody by name is that of the next unit that needs it, the highest first."""
    for name, die in dice_under_interdiction(case, event):
        if die is not None and name not in case.in_phase.interdicted:
            case.in_phase.nobodys_dice.remove(die)
            case.in_phase.interdicted[name] = die


@RULES.track(Removed, when=JUDGED, phases=both(MOVE, EXPLOIT))
def a_one_is_paid(case: Case, event: Removed) -> None:
    if event.unit not in case.in_phase.interdicted and may_be_the_one(case, case.position.units[event.unit]):
        case.in_phase.nobodys_dice.remove(1)


def may_be_the_one(case: Case, unit: Unit) -> bool:
    """Whether a 1 under interdiction, rolled for nobody by name, can have been its die."""
    return 1 in case.in_phase.nobodys_dice and unit.on_map and unit.has(ARMOR)


def dice_under_interdiction(case: Case, event: Moved) -> list[tuple[str, int | None]]:
    """Armor that moves into or out of a hex that a bomber watches, and its die, if there is one."""
    field, found = field_of(case), []
    left = sorted(case.in_phase.nobodys_dice)
    ends = set(field.ids(event.path))
    for name in event.units if event.mode not in AFTER_COMBAT else ():  # then it is fighting, not moving
        unit = case.position.units[name]
        if unit.has(ARMOR) and ends & watched_by(case, ENEMY[unit.side]):
            die = case.in_phase.interdicted.get(name)
            found.append((name, left.pop() if die is None and left else die))
    return found


def watched_by(case: Case, side: str) -> set[HexId]:
    """Hexes that bombers of a side watch."""
    units = case.position.units
    planes = case.in_game.interdicting.items()
    return {h for plane, h in planes if units[plane].side == side and units[plane].on_map}


@RULES.rule("wie-air.10")
@RULES.before(Moved, phases=both(MOVE, EXPLOIT))
def armor_runs_the_gauntlet(case: Case, event: Moved) -> Faults:
    """A die before it enters or leaves a hex that an enemy bomber watches: 1 is lost, 2 and 3 stay."""
    for name, die in dice_under_interdiction(case, event):
        if die is None:
            text = f"{name} moves into or out of a hex that a bomber watches, without a die"
            yield Fault("wie-air.10", text, (name,))
        elif die <= 3:
            what = "is destroyed" if die == 1 else "does not move"
            yield Fault("wie-air.10", f"{name} rolled {die} under interdiction and {what}", (name,))


@RULES.rule("wie-air.10")
@RULES.at_phase_end(*both(MOVE))
def who_rolled_1_is_lost(case: Case) -> Faults:
    for name, die in case.in_phase.interdicted.items():
        if die == 1 and case.position.units[name].on_map:
            yield Fault("wie-air.10", f"{name} rolled 1 under interdiction and is not removed", (name,))
    if 1 in case.in_phase.nobodys_dice:
        yield Fault("wie-air.10", "a 1 was rolled under interdiction, and no armor is removed")


@RULES.rule("wie-air.20")
@RULES.before(Rolled, reason=INTERDICTION_DIE)
def interdiction_dice_are_for_armor(case: Case, event: Rolled) -> Faults:
    if event.about in case.in_phase.interdicted:
        text = f"{event.about} rolls twice under interdiction in one phase"
        yield Fault("wie-air.20", text, event.concerned, verdict=Verdict.WARNING)


# --- the way home -------------------------------------------------------------------------------------------


@RULES.rule("wie-seq.3")
@RULES.before(Moved, phases=both(MOVE), mode=HOME)
def planes_stay_for_their_battle(case: Case, event: Moved) -> Faults:
    for unit, _, _ in flying(case, event, mine=True):
        flight = flight_of(case, unit)
        if flight is not None and flight.missions[-1:] == [SUPPORT]:
            text = f"{unit.id} flies home before the battle that it was sent to"
            yield Fault("wie-seq.3", text, (unit.id,), verdict=Verdict.WARNING)


@RULES.rule("wie-air.9")
@RULES.before(Moved, phases=both(COMBAT, EXPLOIT), mode=(HOME, ""), end=Hex)
def planes_go_back_where_they_came_from(case: Case, event: Moved) -> Faults:
    field, end = field_of(case), field_of(case).id(event.end)
    for unit in fliers(case, event):
        flight = flight_of(case, unit)
        if flight is not None and flight.base != end and _at_home(field, flight.base, unit):
            text = f"{unit.id} flies home to {case.label(event.end)}, and came from "
            text += case.label(field.board.hexes[flight.base])
            yield Fault("wie-air.9", text, (unit.id,), spot_of(event.end))


@RULES.rule("wie-air.9", "wie-ncm.4")
@RULES.at_phase_end(*both(REDEPLOY))
def planes_end_in_cities(case: Case) -> Faults:
    """Of both sides; a bomber on interdiction stays where it is."""
    field = field_of(case)
    for side in ENEMY:
        for hex_id, unit in field.planes(side):
            if unit.id in case.in_game.interdicting or _at_home(field, hex_id, unit):
                continue
            moved = case.in_turn.by(side_of(case.phase))
            flight = moved.flights.get(unit.id) or moved.defending.get(unit.id)
            if flight is not None and flight.base != hex_id:  # else its base was taken
                text = (
                    f"{unit.id} is over {case.label(unit.spot)} when the turn ends, not in a city of its side"
                )
                yield Fault("wie-air.9", text, (unit.id,), (unit.hex,))


@RULES.rule("wie-ncm.4", "wie-air.3")
@RULES.before(Moved, phases=both(REDEPLOY))
def bases_are_own_cities(case: Case, event: Moved) -> Faults:
    for unit, _, end in flying(case, event, mine=True):
        if not _at_home(field_of(case), end, unit):
            text = f"{unit.id} changes its base to {case.label(event.end)}, which is no city of its side"
            yield Fault("wie-ncm.4", text, (unit.id,), spot_of(event.end))


@RULES.track(Moved, when=APPLIED, phases=both(REDEPLOY))
def who_goes_home_watches_no_more(case: Case, event: Moved) -> None:
    for unit in fliers(case, event):
        case.in_game.interdicting.pop(unit.id, None)


@RULES.track(Removed, when=APPLIED)
def who_is_gone_watches_no_more(case: Case, event: Removed) -> None:
    case.in_game.interdicting.pop(event.unit, None)
