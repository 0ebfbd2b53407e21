"""Chapter 3: what is bought, what comes by the chart, what comes back for nothing; the Siberian army."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

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
    both,
    part_of,
    side_of,
)
from validator.games.wie.field import allies_stand, field_of
from validator.games.wie.sources import (
    CHART,
    ELIMINATED,
    FREE,
    HIDDEN,
    SIBERIAN_BOX,
    arriving,
    bought_box,
    box_of,
    boxed,
    in_pool,
    price_of,
)
from validator.games.wie.state import Case
from validator.games.wie.units import (
    OPTION_OF,
    PARTISAN,
    ROCKET,
    finnish,
    is_hq,
    kind,
    light_grey,
    manpower,
    replaces,
    value,
)
from validator.model.events import Declared, Moved, PhaseBegan, Placed, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import faults
from validator.procedures.rounds import owing

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


@RULES.rule("wie-rep.6", "wie-unit.9", "wie-unit.12", "wie-opt.11", "wie-hq.10")
@RULES.after(Placed, Moved, phases=REINFORCING)
def what_may_be_bought(case: Case, event: Placed | Moved) -> Faults:
    side = side_of(case.phase)
    bought = [case.position.units[name] for name in case.in_turn.by(side).bought]
    for unit, _, new in boxed(case, event):
        if new != bought_box(side):
            continue
        yield from _manpower(unit, bought, side)
        first, option = value(unit, "from-turn"), OPTION_OF.get(kind(unit))
        hq, rocket = is_hq(unit), unit.has(ROCKET)
        off = option is not None and case.option(option) == "no"
        early = f"may be bought from turn {first} on, and this is turn {case.turn}"
        rows = [
            (hq, "wie-hq.10", "comes back free and is not bought"),
            (first > case.turn, "wie-opt.11" if rocket else "wie-unit.9", early),
            (off, "wie-opt.11" if rocket else "wie-unit.12", f"is bought without the option {option}"),
        ]
        yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,))


def _manpower(unit: Unit, bought: Iterable[Unit], side: str) -> Faults:
    name = manpower(unit)
    if name not in MANPOWER[side]:
        return
    number = sum(manpower(other) == name for other in bought)
    german = sum(manpower(other) == name and not light_grey(other) for other in bought)
    most = MANPOWER[side][name]
    if number > most:
        sure = Verdict.ILLEGAL if german > most else Verdict.WARNING
        text = f"{number} {name.replace('-', ' ')} are bought in this turn, and {most} may be"
        yield Fault("wie-rep.6", text, (unit.id,), verdict=sure, once=("manpower", name, number))


@RULES.rule("wie-plc.8")
@RULES.at_phase_end("axis-reinforce")
def the_allies_build_too(case: Case) -> Faults:
    """At least one light grey unit, until the last city of a minor ally with a complex is Soviet."""
    bought, units = case.units(case.in_turn.by(AXIS).bought), case.position.units.values()
    away = (unit for unit in units if light_grey(unit) and not unit.on_map and not is_hq(unit))
    left = [unit for unit in away if in_pool(unit, unit.spot) or unit.spot == box_of(AXIS, ELIMINATED)]
    turn = case.in_turn.by(AXIS)
    balance, cheapest = turn.ledger.balance, min((price_of(case, unit) for unit in left), default=0)
    idle = not bought and (case.position.at(bought_box(AXIS)) or (balance is not None and balance < cheapest))
    owed = not any(map(light_grey, bought)) and allies_stand(field_of(case)) and not idle
    if owed and not all(map(finnish, left)):
        text = f"nothing of the minor allies is among the {counted(len(bought), 'unit')} bought"
        text = (
            text if bought else "nothing is bought, and each turn a unit of the minor allies is to be built"
        )
        others = case.units([*turn.replaced, *turn.reinforced])  # whether they are "built" is not said
        open_ = not bought or any(map(light_grey, others))  # who buys nothing may have nothing to build
        sure = Verdict.WARNING if open_ else Verdict.ILLEGAL
        yield Fault("wie-plc.8", text, tuple(unit.id for unit in bought), verdict=sure)


# --- free replacements -------------------------------------------------------------------------------------


@RULES.track(Removed, when=JUDGED)
def the_dead_are_remembered(case: Case, event: Removed) -> None:
    unit = case.position.units[event.unit]
    fought = event.battle is not None or fighter_of(case, event.unit) is not None
    fell = fought or is_hq(unit) or owing(case.in_phase.tolls, event.unit) is not None
    if unit.on_map and part_of(case.phase) in ("move", "combat", "exploit") and fell:
        case.in_game.dead.setdefault(unit.side, []).append(unit.id)


@RULES.track(Placed, Moved, when=JUDGED, phases=REINFORCING)
def note_what_comes(case: Case, event: Placed | Moved) -> None:
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    lists = {box_of(side, FREE): turn.replaced, box_of(side, "reinforcements"): turn.reinforced}
    for unit, old, new in boxed(case, event):
        comes_to = lists.get(new, []) if isinstance(new, str) else []
        leaves = lists.get(old, []) if isinstance(old, str) and isinstance(new, str) and new != old else []
        if unit.id not in comes_to:
            comes_to.append(unit.id)
            if comes_to is turn.replaced and replaces(unit) == "air":
                case.in_game.free_air[side] = case.in_game.free_air.get(side, 0) + 1
        if unit.id in leaves:
            leaves.remove(unit.id)


@RULES.rule("wie-rep.4", "wie-rep.5")
@RULES.after(Placed, Moved, phases=REINFORCING)
def free_replacements_of_what_was_lost(case: Case, event: Placed | Moved) -> Faults:
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    for unit, old, new in boxed(case, event):
        if new != box_of(side, FREE):
            continue
        free = [case.position.units[name] for name in turn.replaced]
        group = replaces(unit)
        number, most = sum(replaces(other) == group for other in free), FREE_ONES[side].get(group, 0)
        if number > most:
            what = {"air": "planes"}.get(group, group) or kind(unit)
            text = f"free replacements: {number} {what}, and {most} may come back in a turn"
            yield Fault("wie-rep.4", text, (unit.id,), once=("free", what, number))
        elif old != box_of(side, "eliminated") and not _was_lost(case, unit):
            text = f"no {kind(unit).replace('-', ' ')} has been lost in combat that {unit.id} could replace"
            yield Fault("wie-rep.4", text, (unit.id,))
        yield from _air_in_order(case, unit, side)


@RULES.track(Placed, Moved, when=LAST, phases=REINFORCING)
def the_dead_are_replaced_once(case: Case, event: Placed | Moved) -> None:
    for unit, old, new in boxed(case, event):
        dead = case.in_game.dead.get(unit.side, [])
        alike = [name for name in dead if kind(case.unit(name)) == kind(unit)]
        comes = isinstance(event, Placed) or old != new
        if alike and new == box_of(unit.side, FREE) and comes and not is_hq(unit):
            dead.remove(unit.id if unit.id in alike else alike[0])


def _was_lost(case: Case, unit: Unit) -> bool:
    """A like unit lies among the eliminated, or may: a log that begins in mid-game does not tell all."""
    dead = [u for u in case.position.at(box_of(unit.side, "eliminated")) if kind(u) == kind(unit)]
    dead += case.units(case.in_game.dead.get(unit.side, ()))
    return any(kind(u) == kind(unit) for u in dead)


def _air_in_order(case: Case, unit: Unit, side: str) -> Faults:
    if replaces(unit) != "air" or not case.in_game.from_start:
        return
    number = case.in_game.free_air.get(side, 1) - 1
    due = FREE_AIR[number % len(FREE_AIR)]
    lost = {kind(u) for u in case.position.at(box_of(side, "eliminated"))}
    if kind(unit) != due and due in lost:
        text = f"{unit.id} is the free replacement, and a {due.replace('-', ' ')} is due"
        yield Fault("wie-rep.5", text, (unit.id,), verdict=Verdict.WARNING)


# --- the chart ----------------------------------------------------------------------------------------------

_LISTED = re.compile(r"(\d+) (minor )?([a-z-]+)(?: \(([a-z-]+)\))?")


def chart(case: Case, side: str, turn: int) -> Counter[tuple[str, bool]]:
    """Kinds, and whether of the minor allies, that come in a turn; heavy armor only with its option."""
    table = case.game.table["reinforcements"]
    if str(turn) not in {row.id for row in table.rows}:
        return Counter()
    found: Counter[tuple[str, bool]] = Counter()
    heavy = case.option(HEAVY) == "yes"
    for number, minor, name, instead in _LISTED.findall(table.cell(str(turn), side)):
        for chosen in filter(None, (name, instead)):  # by option the owner may choose
            if chosen != HEAVY or heavy:
                found[chosen, bool(minor)] += int(number)
    return found


def charted(case: Case, side: str, upto: int) -> Counter[tuple[str, bool]]:
    """All that has come by the chart since the scenario began, this turn's included."""
    first = case.scenario.first_turn
    return sum((chart(case, side, turn) for turn in range(first, upto + 1)), Counter())


@RULES.rule("wie-rep.3", "wie-opt.10")
@RULES.after(Placed, Moved, phases=[*REINFORCING, *both(PLACE)])
def reinforcements_by_the_chart(case: Case, event: Placed | Moved) -> Faults:
    """On their turn, as many as it lists; what comes late is doubtful."""
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    due = chart(case, side, case.turn)
    came = [case.position.units[name] for name in turn.reinforced]
    for unit, _, new in boxed(case, event):
        box = box_of(side, "reinforcements")
        if unit.side != side or is_hq(unit) or (new != box and turn.placed_as.get(unit.id) != CHART):
            continue
        name = (kind(unit), light_grey(unit))
        number = sum((kind(other), light_grey(other)) == name for other in came)
        either = due[HEAVY, False] and (name[0] in (HEAVY, "armor"))
        both_ = sum(kind(other) in (HEAVY, "armor") for other in came)
        if number <= due[name] and either and both_ > max(due[HEAVY, False], due["armor", False]):
            text = f"{both_} armor and heavy armor come by the chart, which lists one or the other"
            once = ("either", side, case.turn, both_)
            yield Fault("wie-opt.10", text, (unit.id,), verdict=Verdict.WARNING, once=once)
        if number <= due[name]:
            continue
        heavy = kind(unit) == HEAVY and case.option(HEAVY) == "no"
        before = charted(case, side, case.turn)[name] + _of_old(case, side, name)
        sure = Verdict.WARNING if number <= before else Verdict.ILLEGAL
        what = f"{'minor ' if name[1] else ''}{name[0].replace('-', ' ')}"
        text = f"reinforcements: {number} {what}, and turn {case.turn} lists {due[name]}"
        rule, those = "wie-opt.10" if heavy else "wie-rep.3", _alike(case, event, unit)
        yield Fault(rule, text, those, verdict=sure, once=("chart", side, case.turn, name, number))


def _alike(case: Case, event: Placed | Moved, unit: Unit) -> tuple[str, ...]:
    """Those units of an event that are of the same kind."""
    units = case.units(event.concerned)
    return tuple(u.id for u in units if (kind(u), light_grey(u)) == (kind(unit), light_grey(unit)))


def _of_old(case: Case, side: str, name: tuple[str, bool]) -> int:
    """What may have been held back from before the log began."""
    if case.in_game.from_start:
        return 0
    return sum(chart(case, side, turn)[name] for turn in range(1, case.scenario.first_turn))


# --- where units come from ---------------------------------------------------------------------------------


@RULES.track(Placed, Moved, when=JUDGED, phases=[*REINFORCING, *both(PLACE)])
def note_the_source(case: Case, event: Placed | Moved) -> None:
    side = side_of(case.phase)
    turn = case.in_turn.by(side)
    for unit, source in arriving(case, event):
        if unit.side == side and source != HIDDEN:
            turn.placed_as[unit.id] = source
        if turn.placed_as.get(unit.id) == CHART and unit.id not in turn.reinforced:
            turn.reinforced.append(unit.id)


@RULES.rule("wie-plc.9")
@RULES.before(Placed, Moved, phases=PLAYER_TURNS)
def units_come_in_action_2(case: Case, event: Placed | Moved) -> Faults:
    """Of their side; a counter that was taken off in this phase by a slip of the hand is put back."""
    for unit, source in arriving(case, event):
        mine = case.phase == f"{unit.side}-{PLACE}" or case.phase_start.units[unit.id].on_map
        if not mine and not unit.has(PARTISAN) and source != HIDDEN:
            text = f"{unit.id} comes onto the map in the {case.phase_name()}, not in action 2 of its side"
            yield Fault("wie-plc.9", text, (unit.id,))


@RULES.rule("wie-rep.11", "wie-rep.15", "wie-hq.10", "wie-hq.11", "wie-opt.4")
@RULES.before(Placed, Moved, phases=both(PLACE))
def every_new_unit_has_one_source(case: Case, event: Placed | Moved) -> Faults:
    """Bought, by the chart, free, of the Siberian army, a headquarters."""
    for unit, source in arriving(case, event):
        if case.phase == f"{unit.side}-{PLACE}" and not unit.has(PARTISAN):
            rows = _headquarters(case, unit) if is_hq(unit) else _by_source(case, source)
            yield from faults.first_that_holds(rows, f"{unit.id} ", (unit.id,))


def _headquarters(case: Case, unit: Unit) -> faults.Rows:
    first = value(unit, "from-turn", 1)
    gone = _destroyed(case, unit) and case.option("hq-destroyed") == "gone"
    return [
        (gone, "wie-hq.10", "was destroyed and does not come back"),
        (case.turn < first, "wie-hq.11", f"comes from turn {first} on, and this is turn {case.turn}"),
    ]


def _by_source(case: Case, source: str) -> faults.Rows:
    played = source != COUNTER_OFFENSIVE or (case.turn > 20 and case.option("counter-offensive") == "yes")
    early = source == SIBERIAN and case.turn < SIBERIAN_TURN
    return [
        (early, "wie-rep.15", f"is of the Siberian army, which comes from turn {SIBERIAN_TURN} on"),
        (not played, "wie-opt.4", "comes for a counter-offensive that is not played, or not yet"),
        (not source, "wie-rep.11", "was neither bought nor is it a reinforcement or a free replacement"),
    ]


def _destroyed(case: Case, unit: Unit) -> bool:
    began = case.phase_start.units[unit.id].spot
    return unit.id in case.in_game.dead.get(unit.side, ()) or began == box_of(unit.side, ELIMINATED)


# --- the Siberian army --------------------------------------------------------------------------------------


@RULES.track(Declared, when=JUDGED, what=SIBERIAN)
def the_siberian_army_is_called(case: Case, event: Declared) -> None:
    if not case.in_game.siberian:
        case.in_game.siberian = case.turn


@RULES.track(Placed, Moved, when=JUDGED, phases=["soviet-place"])
def it_is_called_as_it_is_placed(case: Case, event: Placed | Moved) -> None:
    if not case.in_game.siberian and any(old == SIBERIAN_BOX for _, old, _ in boxed(case, event)):
        case.in_game.siberian = case.turn


@RULES.rule("wie-rep.15")
@RULES.before(Declared, what=SIBERIAN)
def the_siberian_army_comes_once(case: Case, event: Declared) -> Faults:
    if case.turn < SIBERIAN_TURN:
        yield Fault("wie-rep.15", f"the Siberian army comes from turn {SIBERIAN_TURN} on")
    elif case.in_game.siberian not in (0, case.turn):
        yield Fault("wie-rep.15", f"the Siberian army was called in turn {case.in_game.siberian}")


@RULES.rule("wie-rep.15")
@RULES.after(Placed, Moved, phases=["soviet-place"])
def the_siberian_army_is_placed_in_the_east(case: Case, event: Placed | Moved) -> Faults:
    """In cities not more than five hexes from the eastern edge."""
    field = field_of(case)
    for unit, old, new in boxed(case, event):
        hex_id = field.id(new)
        if old != SIBERIAN_BOX or hex_id is None:
            continue
        far = field.ground.from_edge(SOVIET, hex_id)
        called = case.in_game.siberian
        if called not in (0, case.turn):
            text = f"{unit.id} of the Siberian army, called in turn {called}, comes in turn {case.turn}"
            yield Fault("wie-rep.15", text, (unit.id,), (), verdict=Verdict.WARNING, once=("siberian",))
        if not field.city(hex_id) or far > 5:
            text = f"{unit.id} of the Siberian army is placed in {case.label(new)}, "
            text += "which is no city within five hexes of the eastern edge"
            yield Fault("wie-rep.15", text, (unit.id,), (field.board.hexes[hex_id],))


# --- what waits -----------------------------------------------------------------------------------------


@RULES.rule("wie-seq.2")
@RULES.before(PhaseBegan, phases=both(PLACE))
def what_was_bought_is_placed(case: Case, event: PhaseBegan) -> Faults:
    """The text lets nobody keep units for later: doubtful."""
    side = side_of(case.phase)
    left = [u.id for u in case.position.at(bought_box(side))]
    if left and event.phase != case.phase:
        text = f"{'+'.join(left)} {'was' if len(left) == 1 else 'were'} bought and not placed"
        yield Fault("wie-seq.2", text, tuple(left), verdict=Verdict.WARNING)
