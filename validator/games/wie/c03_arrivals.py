"""Chapter 3: what is bought, what comes by the chart, what comes back for nothing; the Siberian army."""

from __future__ import annotations

import re
from collections import Counter

from validator.core.explain import counted
from validator.engine.rulebook import JUDGED, LAST, Faults
from validator.games.wie.battles import fighter_of
from validator.games.wie.book import (
    AXIS,
    COUNTER_OFFENSIVE,
    PLACE,
    PLAYER_TURNS,
    REINFORCE,
    RULES,
    SIBERIAN,
    SOVIET,
    SUPPLY,
    both,
    part_of,
    side_of,
)
from validator.games.wie.field import allies_stand, field_of, ours
from validator.games.wie.sources import (
    CHART,
    ELIMINATED,
    FREE,
    REINFORCEMENTS,
    SIBERIAN_BOX,
    Arrival,
    arriving,
    bought_box,
    box_of,
    in_pool,
    price_of,
    shown,
)
from validator.games.wie.state import Case
from validator.games.wie.units import (
    OPTION_OF,
    PARTISAN,
    ROCKET,
    but_headquarters,
    finnish,
    is_hq,
    kind,
    kind_text,
    light_grey,
    manpower,
    replaces,
    value,
)
from validator.model.events import Declared, Moved, Placed, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.ask_each import each, note_each, units_of
from validator.procedures.rounds import owing
from validator.procedures.transfers import Transfer, transfers

REINFORCING = both(REINFORCE)
MANPOWER = {AXIS: {"light-infantry": 3, "infantry": 9}, SOVIET: {"light-infantry": 6, "infantry": 6}}
FREE_ONES = {
    AXIS: {"air": 1, "armor": 1, "artillery": 1, "infantry": 3},
    SOVIET: {"air": 1, "armor": 1, "artillery": 1, "infantry": 4},
}
FREE_AIR = ("dive-bomber", "fighter", "bomber")
SIBERIAN_TURN = 3
HEAVY = "heavy-armor"


# --- what is bought ----------------------------------------------------------------------------------------


def bought_now(case: Case, event: Placed | Moved) -> list[Unit]:
    """Units that an event puts among those bought."""
    box = bought_box(side_of(case.phase))
    return [transfer.unit for transfer in transfers(case, event) if transfer.new == box]


@RULES.rule("wie-rep.6", "wie-unit.9", "wie-unit.12", "wie-opt.11", "wie-hq.10")
@RULES.after(Placed, Moved, phases=REINFORCING)
@each(bought_now)
def what_may_be_bought(case: Case, event: Placed | Moved, unit: Unit) -> Faults:
    yield from _manpower(case, unit)
    first, option = value(unit, "from-turn"), OPTION_OF.get(kind(unit))
    rocket = unit.has(ROCKET)
    off = option is not None and case.option(option) == "no"
    early = f"may be bought from turn {first} on, and this is turn {case.turn}"
    rows: faults.Rows = [
        (is_hq(unit), "wie-hq.10", "comes back free and is not bought"),
        (first > case.turn, "wie-opt.11" if rocket else "wie-unit.9", early),
        (off, "wie-opt.11" if rocket else "wie-unit.12", f"is bought without the option {option}"),
    ]
    yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,))


def _manpower(case: Case, unit: Unit) -> Faults:
    name, side = manpower(unit), side_of(case.phase)
    alike = [other for other in case.units(case.in_turn.by(side).bought) if manpower(other) == name]
    german = sum(not light_grey(other) for other in alike)
    most, number = MANPOWER[side].get(name, len(alike)), len(alike)
    if number > most:
        text = f"{number} {name.replace('-', ' ')} are bought in this turn, and {most} may be"
        sure, once = faults.unless(german <= most), ("manpower", name, number)
        yield Fault("wie-rep.6", text, (unit.id,), verdict=sure, once=once)


def may_be_built(unit: Unit) -> bool:
    """A light grey unit that is not in the game, or was lost."""
    away = in_pool(unit, unit.spot) or unit.spot == box_of(AXIS, ELIMINATED)
    return away and light_grey(unit) and not is_hq(unit)


@RULES.rule("wie-plc.8")
@RULES.at_phase_end("axis-reinforce")
def the_allies_build_too(case: Case) -> Faults:
    """At least one light grey unit, until the last city of a minor ally with a complex is Soviet."""
    turn = case.in_turn.by(AXIS)
    bought, left = case.units(turn.bought), list(filter(may_be_built, case.position.units.values()))
    if any(map(light_grey, bought)) or all(map(finnish, left)) or not allies_stand(field_of(case)):
        return
    if bought:
        text = f"nothing of the minor allies is among the {counted(len(bought), 'unit')} bought"
        others = case.units([*turn.replaced, *turn.reinforced])  # whether they are "built" is not said
        verdict = Verdict.WARNING if any(map(light_grey, others)) else Verdict.ILLEGAL
        yield Fault("wie-plc.8", text, tuple(turn.bought), verdict=verdict)
        return
    balance, cheapest = turn.ledger.balance, min(price_of(case, unit) for unit in left)
    poor = balance is not None and balance < cheapest
    told = case.in_game.allies_unseen and not case.in_phase.events
    if not (poor or told or case.position.at(bought_box(AXIS))):  # who buys nothing may have nothing to build
        text = "nothing is bought, and each turn a unit of the minor allies is to be built"
        yield Fault("wie-plc.8", text, verdict=Verdict.WARNING)


@RULES.track_end("axis-reinforce")
def an_action_that_nobody_shows(case: Case) -> None:
    """Told once, not in each turn that the log goes past."""
    if not case.in_phase.events:
        case.in_game.allies_unseen = True


# --- free replacements -------------------------------------------------------------------------------------


@RULES.track(Removed, when=JUDGED)
def the_dead_are_remembered(case: Case, event: Removed) -> None:
    unit = case.position.units[event.unit]
    fought = event.battle is not None or fighter_of(case, event.unit) is not None
    fell = fought or is_hq(unit) or owing(case.in_phase.tolls, event.unit) is not None
    if unit.on_map and part_of(case.phase) in ("move", "combat", "exploit") and fell:
        case.in_game.dead.setdefault(unit.side, []).append(unit.id)


@RULES.track(Removed, when=JUDGED, phases=both(SUPPLY))
def the_starved_are_remembered(case: Case, event: Removed) -> None:
    """Lost for want of supply, not in combat."""
    unit = case.unit(event.unit)
    if unit.on_map and not is_hq(unit):
        case.in_game.starved.append(unit.id)


@RULES.track(Placed, Moved, when=JUDGED)
@note_each(transfers)
def the_starved_are_bought_again(case: Case, event: Placed | Moved, transfer: Transfer) -> None:
    """Any counter of the kind is as good as another."""
    unit, starved = transfer.unit, case.in_game.starved
    alike = [name for name in starved if _are_alike(case.unit(name), unit)]
    goes = transfer.old == box_of(unit.side, ELIMINATED) and transfer.changes
    if alike and goes and transfer.new != box_of(unit.side, FREE):
        starved.remove(unit.id if unit.id in alike else alike[0])


def _are_alike(one: Unit, other: Unit) -> bool:
    return (one.side, kind(one)) == (other.side, kind(other))


@RULES.track(Placed, Moved, when=JUDGED, phases=REINFORCING)
@note_each(transfers)
def note_what_comes(case: Case, event: Placed | Moved, transfer: Transfer) -> None:
    """Into the boxes of free units and of reinforcements, and out of them into another box."""
    side, unit = side_of(case.phase), transfer.unit
    turn, free_air = case.in_turn.by(side), case.in_game.free_air
    for what, names in ((FREE, turn.replaced), (REINFORCEMENTS, turn.reinforced)):
        box = box_of(side, what)
        if transfer.new == box and unit.id not in names:
            names.append(unit.id)
            counts = what == FREE and replaces(unit) == "air"
            free_air[side] = free_air.get(side, 0) + counts
        elif transfer.old == box and transfer.new != box and unit.id in names and not transfer.on_map:
            names.remove(unit.id)


def replacing(case: Case, event: Placed | Moved) -> list[Transfer]:
    """Units that an event puts among the free replacements."""
    box = box_of(side_of(case.phase), FREE)
    return [transfer for transfer in transfers(case, event) if transfer.new == box]


@RULES.rule("wie-rep.4")
@RULES.after(Placed, Moved, phases=REINFORCING)
@each(replacing)
def free_replacements_of_what_was_lost(case: Case, event: Placed | Moved, transfer: Transfer) -> Faults:
    side, unit = side_of(case.phase), transfer.unit
    group = replaces(unit)
    free = map(replaces, case.units(case.in_turn.by(side).replaced))
    number, most = sum(other == group for other in free), FREE_ONES[side].get(group, 0)
    if number > most:
        what = {"air": "planes"}.get(group, group) or kind(unit)
        text = f"free replacements: {number} {what}, and {most} may come back in a turn"
        yield Fault("wie-rep.4", text, (unit.id,), once=("free", what, number))
    elif not fell_in_combat(case, unit):
        text = f"no {kind_text(unit)} has been lost in combat that {unit.id} could replace"
        yield Fault("wie-rep.4", text, (unit.id,))


@RULES.track(Placed, Moved, when=LAST, phases=REINFORCING)
@note_each(replacing)
def the_dead_are_replaced_once(case: Case, event: Placed | Moved, transfer: Transfer) -> None:
    unit = transfer.unit
    dead = case.in_game.dead.get(unit.side, [])
    alike = [name for name in dead if kind(case.unit(name)) == kind(unit)]
    comes = isinstance(event, Placed) or transfer.changes
    if alike and comes and unit.side == side_of(case.phase) and not is_hq(unit):
        dead.remove(unit.id if unit.id in alike else alike[0])


def fell_in_combat(case: Case, unit: Unit) -> bool:
    """Whether a unit of its kind was lost otherwise than for want of supply.

    As the phase began, the box of the eliminated tells it: a log that begins in mid-game does not tell all.
    """
    began, names = case.phase_start.at(box_of(unit.side, ELIMINATED)), case.in_game.dead.get(unit.side, ())
    if any(kind(other) == kind(unit) for other in case.units(names)):
        return True
    starved = [name for name in case.in_game.starved if _are_alike(case.unit(name), unit)]
    replaced = [
        other.id
        for other in case.units(case.in_turn.by(unit.side).replaced)
        if _are_alike(other, unit) and other.id != unit.id
    ]
    return sum(_are_alike(other, unit) for other in began) > len(starved) + len(replaced)


@RULES.rule("wie-rep.5")
@RULES.after(Placed, Moved, phases=REINFORCING)
@each(replacing)
def free_planes_come_in_order(case: Case, event: Placed | Moved, transfer: Transfer) -> Faults:
    unit, side = transfer.unit, side_of(case.phase)
    number = case.in_game.free_air.get(side, 1) - 1
    due = FREE_AIR[number % len(FREE_AIR)]
    lost = map(kind, case.position.at(box_of(side, ELIMINATED)))
    in_order = replaces(unit) != "air" or kind(unit) == due or due not in lost
    if not in_order and case.in_game.from_start:
        text = f"{unit.id} is the free replacement, and a {due.replace('-', ' ')} is due"
        yield Fault("wie-rep.5", text, (unit.id,), verdict=Verdict.WARNING)


# --- the chart ----------------------------------------------------------------------------------------------

_LISTED = re.compile(r"(\d+) (minor )?([a-z-]+)(?: \(([a-z-]+)\))?")


Kind = tuple[str, bool]
"""What a unit is, and whether it is light grey."""


def kind_in_chart(unit: Unit) -> Kind:
    return kind(unit), light_grey(unit)


def chart(case: Case, side: str, turn: int) -> Counter[Kind]:
    """What comes in a turn; heavy armor only with its option, and then the owner may choose."""
    table = case.game.table["reinforcements"]
    found: Counter[Kind] = Counter()
    if str(turn) not in {row.id for row in table.rows}:
        return found
    left_out = {HEAVY, ""} if case.option(HEAVY) != "yes" else {""}
    for number, minor, *names in _LISTED.findall(table.cell(str(turn), side)):
        for name in set(names) - left_out:
            found[name, bool(minor)] += int(number)
    return found


def charted(case: Case, side: str, upto: int) -> Counter[Kind]:
    """All that has come by the chart since the scenario began, this turn's included; of a log that begins
    later also what may have been held back from before."""
    first = case.scenario.first_turn if case.in_game.from_start else 1
    return sum((chart(case, side, turn) for turn in range(first, upto + 1)), Counter())


def charted_now(case: Case, event: Placed | Moved) -> list[Unit]:
    """Units of the side that an event brings by the chart."""
    side = side_of(case.phase)
    placed_as, box = case.in_turn.by(side).placed_as, box_of(side, REINFORCEMENTS)
    units = but_headquarters(ours(case, units_of(case, event)))
    return [unit for unit in units if event.comes_to == box or placed_as.get(unit.id) == CHART]


def came_by_chart(case: Case) -> list[Unit]:
    return case.units(case.in_turn.by(side_of(case.phase)).reinforced)


@RULES.rule("wie-rep.3", "wie-opt.10")
@RULES.after(Placed, Moved, phases=[*REINFORCING, *both(PLACE)])
@each(charted_now)
def reinforcements_by_the_chart(case: Case, event: Placed | Moved, unit: Unit) -> Faults:
    """On their turn, as many as it lists; what comes late is doubtful."""
    side, name = side_of(case.phase), kind_in_chart(unit)
    due = chart(case, side, case.turn)[name]
    number = Counter(map(kind_in_chart, came_by_chart(case)))[name]
    if number <= due:
        return
    heavy = name[0] == HEAVY and case.option(HEAVY) == "no"
    late = number <= charted(case, side, case.turn)[name]
    what = f"{'minor ' if name[1] else ''}{kind_text(unit)}"
    text = f"reinforcements: {number} {what}, and turn {case.turn} lists {due}"
    alike = tuple(u.id for u in case.units(event.concerned) if kind_in_chart(u) == name)
    rule, once = "wie-opt.10" if heavy else "wie-rep.3", ("chart", side, case.turn, name, number)
    yield Fault(rule, text, alike, verdict=faults.unless(late), once=once)


@RULES.rule("wie-opt.10")
@RULES.after(Placed, Moved, phases=[*REINFORCING, *both(PLACE)])
@each(charted_now)
def armor_or_heavy_armor_comes(case: Case, event: Placed | Moved, unit: Unit) -> Faults:
    """Where the chart lists one or the other; more than it lists of one is told by itself."""
    side, due = side_of(case.phase), chart(case, side_of(case.phase), case.turn)
    came = Counter(map(kind_in_chart, came_by_chart(case)))
    either = {HEAVY, "armor"}
    number = sum(came[name, minor] for name in either for minor in (False, True))
    most = max(due[name, False] for name in either)
    listed = due[HEAVY, False] and came[kind_in_chart(unit)] <= due[kind_in_chart(unit)]
    if kind(unit) in either and listed and number > most:
        text = f"{number} armor and heavy armor come by the chart, which lists one or the other"
        once = ("either", side, case.turn, number)
        yield Fault("wie-opt.10", text, (unit.id,), verdict=Verdict.WARNING, once=once)


# --- where units come from ---------------------------------------------------------------------------------


@RULES.track(Placed, Moved, when=JUDGED, phases=[*REINFORCING, *both(PLACE)])
@note_each(shown)
def note_the_source(case: Case, event: Placed | Moved, arrival: Arrival) -> None:
    unit, turn = arrival.unit, case.in_turn.by(side_of(case.phase))
    if unit.side == side_of(case.phase):
        turn.placed_as[unit.id] = arrival.source
    if turn.placed_as.get(unit.id) == CHART and unit.id not in turn.reinforced:
        turn.reinforced.append(unit.id)


@RULES.rule("wie-plc.9")
@RULES.before(Placed, Moved, phases=PLAYER_TURNS)
@each(shown)
def units_come_in_action_2(case: Case, event: Placed | Moved, arrival: Arrival) -> Faults:
    """Of their side; a counter that was taken off in this phase by a slip of the hand is put back."""
    unit = arrival.unit
    put_back = case.phase_start.units[unit.id].on_map
    if case.phase != f"{unit.side}-{PLACE}" and not put_back and not unit.has(PARTISAN):
        text = f"{unit.id} comes onto the map in the {case.phase_name()}, not in action 2 of its side"
        yield Fault("wie-plc.9", text, (unit.id,))


@RULES.rule("wie-rep.11", "wie-rep.15", "wie-hq.10", "wie-hq.11", "wie-opt.4")
@RULES.before(Placed, Moved, phases=both(PLACE))
@each(arriving)
def every_new_unit_has_one_source(case: Case, event: Placed | Moved, arrival: Arrival) -> Faults:
    """Bought, by the chart, free, of the Siberian army, a headquarters."""
    unit = arrival.unit
    if case.phase == f"{unit.side}-{PLACE}" and not unit.has(PARTISAN):
        rows = _headquarters(case, unit) if is_hq(unit) else _by_source(case, arrival.source)
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,))


def _headquarters(case: Case, unit: Unit) -> faults.Rows:
    first = value(unit, "from-turn", 1)
    lay_dead = case.phase_start.units[unit.id].spot == box_of(unit.side, ELIMINATED)
    destroyed = lay_dead or unit.id in case.in_game.dead.get(unit.side, ())
    gone = destroyed and case.option("hq-destroyed") == "gone"
    return [
        (gone, "wie-hq.10", "was destroyed and does not come back"),
        (case.turn < first, "wie-hq.11", f"comes from turn {first} on, and this is turn {case.turn}"),
    ]


def _by_source(case: Case, source: str) -> faults.Rows:
    played = case.turn > 20 and case.option("counter-offensive") == "yes"
    early = source == SIBERIAN and case.turn < SIBERIAN_TURN
    offensive = "comes for a counter-offensive that is not played, or not yet"
    return [
        (early, "wie-rep.15", f"is of the Siberian army, which comes from turn {SIBERIAN_TURN} on"),
        (source == COUNTER_OFFENSIVE and not played, "wie-opt.4", offensive),
        (not source, "wie-rep.11", "was neither bought nor is it a reinforcement or a free replacement"),
    ]


# --- the Siberian army --------------------------------------------------------------------------------------


def from_siberia(case: Case, event: Placed | Moved) -> list[Transfer]:
    return [transfer for transfer in transfers(case, event) if transfer.old == SIBERIAN_BOX]


@RULES.track(Declared, when=JUDGED, what=SIBERIAN)
def the_siberian_army_is_called(case: Case, event: Declared) -> None:
    case.in_game.siberian = case.in_game.siberian or case.turn


@RULES.track(Placed, Moved, when=JUDGED, phases=["soviet-place"])
@note_each(from_siberia)
def it_is_called_as_it_is_placed(case: Case, event: Placed | Moved, transfer: Transfer) -> None:
    case.in_game.siberian = case.in_game.siberian or case.turn


@RULES.rule("wie-rep.15")
@RULES.before(Declared, what=SIBERIAN)
def the_siberian_army_comes_once(case: Case, event: Declared) -> Faults:
    called = case.in_game.siberian
    rows: faults.Rows = [
        (case.turn < SIBERIAN_TURN, "wie-rep.15", f"the Siberian army comes from turn {SIBERIAN_TURN} on"),
        (called not in (0, case.turn), "wie-rep.15", f"the Siberian army was called in turn {called}"),
    ]
    yield from faults.first_that_holds(rows, "", ())


@RULES.rule("wie-rep.15")
@RULES.after(Placed, Moved, phases=["soviet-place"])
@each(from_siberia)
def the_siberian_army_is_placed_in_the_east(case: Case, event: Placed | Moved, transfer: Transfer) -> Faults:
    """In cities not more than five hexes from the eastern edge; in the turn of its call."""
    field, unit, called = field_of(case), transfer.unit, case.in_game.siberian
    for hex_id in field.ids((transfer.new,)):
        if called not in (0, case.turn):
            text = f"{unit.id} of the Siberian army, called in turn {called}, comes in turn {case.turn}"
            yield Fault("wie-rep.15", text, (unit.id,), (), verdict=Verdict.WARNING, once=("siberian",))
        if not field.city(hex_id) or field.ground.from_edge(SOVIET, hex_id) > 5:
            text = f"{unit.id} of the Siberian army is placed in {case.label(transfer.new)}, "
            text += "which is no city within five hexes of the eastern edge"
            yield Fault("wie-rep.15", text, (unit.id,), field.hexes((hex_id,)))


# --- what waits -----------------------------------------------------------------------------------------


@RULES.rule("wie-seq.2")
@RULES.at_phase_end(*both(PLACE))
def what_was_bought_is_placed(case: Case) -> Faults:
    """The text lets nobody keep units for later: doubtful."""
    left = [u.id for u in case.position.at(bought_box(side_of(case.phase)))]
    if left:
        text = f"{'+'.join(left)} {'was' if len(left) == 1 else 'were'} bought and not placed"
        yield Fault("wie-seq.2", text, tuple(left), verdict=Verdict.WARNING)
