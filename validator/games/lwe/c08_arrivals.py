"""Chapters 8.1 to 8.5 and 3.5: units that come onto the map, when and where."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.lwe.battles import AIRCRAFT, ARTILLERY, ZONE
from validator.games.lwe.book import (
    ASSAULTING,
    GERMAN,
    GERMAN_ENTRY,
    GERMAN_MOVE,
    MOVING,
    RULES,
    SOVIET,
    SOVIET_ENTRY,
    TURN_START,
)
from validator.games.lwe.c06_stacking import LIMIT, fits, load_of
from validator.games.lwe.c08_pools import (
    asterisk_clear,
    dead,
    soviet_turn_begins,
    supplied_for_entry,
)
from validator.games.lwe.field import TOWNS, Field, field_of
from validator.games.lwe.lines import LENINGRAD, REGULAR, german_lines, soviet_lines
from validator.games.lwe.state import Case
from validator.model.events import Attacked, Event, Moved, Placed, Removed
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having, names_of, on_map
from validator.procedures.arrivals import entry_turn
from validator.procedures.corrections import puts_back
from validator.procedures.faults import Wrong, first_of, first_true, of_units, those_that_hold, unless
from validator.procedures.moves import must_rest, spot_of

RESERVE, ASTERISK, OTHER_BOXES = "okh-reserve", "off-map", ("special-entry", "airfield")
ENTRIES = (GERMAN_ENTRY, SOVIET_ENTRY)
ASTERISK_EDGE = "asterisk-entry"
SPECIAL = "*"
NO_LINE = "had no line of supply when the Soviet turn began"
WANTS_LINE = ("lwe-7.16b", "lwe-8.5c")


Comer = tuple[Unit, Hex, str | None]
"""A unit that comes onto the map, the hex it enters, and the box it comes from."""


def coming(case: Case, event: Event) -> list[Comer]:
    """Who comes onto the map by an event that is being judged."""
    return case.about(coming, lambda: _coming(case, event))


def _coming(case: Case, event: Event) -> list[Comer]:
    units = case.units(event.concerned)
    match event:
        case _ if puts_back(case, event):
            return []
        case Placed(_, Hex() as hex_):
            return [(unit, hex_, _box(unit)) for unit in units if not unit.on_map]
        case Moved(names, (*_, Hex() as hex_)) if case.phase in ENTRIES and _just_came(case, names):
            return [(unit, hex_, _box(case.phase_start.units[unit.id])) for unit in units]
        case Moved(_, (str(box), Hex() as first, *_)) if case.phase in MOVING:
            return [(unit, first, box) for unit in units]
        case Moved(_, (str(box), *_, Hex() as hex_)) if case.phase not in MOVING:
            return [(unit, hex_, box) for unit in units]
    return []


def _just_came(case: Case, names: Sequence[str]) -> bool:
    """Not on the map when the phase began: it is dragged on to another hex to arrive in."""
    before = case.phase_start.units
    return not any(before[name].on_map or before[name].has(ARTILLERY) for name in names)


def _box(unit: Unit) -> str | None:
    return unit.spot if isinstance(unit.spot, str) else None


@RULES.rule("lwe-8.1a", "lwe-8.1b", "lwe-8.2a", "lwe-8.2b", "lwe-8.2c", "lwe-8.2f", "lwe-8.3a", "lwe-8.4a")
@RULES.rule("lwe-8.4b", "lwe-8.5a", "lwe-8.5b", "lwe-8.5c", "lwe-8.5e", "lwe-8.5f", "lwe-3.5c", "lwe-8.6c")
@RULES.rule("lwe-11.24f", "lwe-2.12b", "lwe-8.5d")
@RULES.before(Placed, Moved)
def units_come_when_and_where_they_may(case: Case, event: Event) -> Faults:
    for unit, hex_, box in _reinforcements(case, event):
        wrong = _german(case, unit, hex_, box) if unit.side == GERMAN else _soviet(case, unit, hex_)
        reduced = getattr(event, "step", 1) > 1 and not dead(case, unit)
        weak = those_that_hold((reduced, "lwe-2.12b", "comes reduced; units come at full strength"))
        doubt = partial(coastal_doubt, case, hex_)
        yield from first_of(chain(weak, wrong), f"{unit.id}: ", (unit.id,), (hex_,), doubt)


def _reinforcements(case: Case, event: Event) -> Iterator[Comer]:
    """Who comes otherwise than in the set-up, by Stavka Directive 1, or by replacement."""
    for unit, hex_, box in coming(case, event) if case.phase != TURN_START else ():
        replaced = unit.side == SOVIET and returns(case, unit, box)
        if not unit.has(AIRCRAFT) and not replaced:
            yield unit, hex_, box


@RULES.track(Placed, Moved, when=JUDGED)
def note_the_arrival(case: Case, event: Event) -> None:
    for unit, hex_, box in list(_reinforcements(case, event)):
        if unit.on_map:
            case.in_turn.by_town.discard(unit.id)
            case.forgive(unit.id)
        case.in_turn.arrived[unit.id] = "reinforcement"
        case.in_game.commands_came.update(names_of(having([unit], ARTILLERY)))
        if not dead(case, unit) and (replaced := _gives_a_place(case, unit, hex_)):
            case.in_phase.swaps[unit.id] = replaced
        if _enters_by_town(case, unit, hex_, box):
            case.in_turn.by_town.add(unit.id)


def coastal_doubt(case: Case, hex_: Hex, rule: str) -> Verdict:
    """Whether coastal supply is enough to enter is read in two ways (7.10, 8.5, 8.7)."""
    fed = any(map(soviet_lines(case).coastal, field_of(case).ids([hex_])))
    return unless(fed and rule in WANTS_LINE)


def returns(case: Case, unit: Unit, box: str | None) -> bool:
    """A Soviet unit that comes back by replacement (8.7), rightly or not."""
    if any(map(unit.has, (ZONE, "guards", "coastal-army"))):
        return False
    if unit.on_map:
        return case.in_turn.arrived.get(unit.id) == "replacement"
    if case.phase == SOVIET_ENTRY and case.phase_start.units[unit.id].on_map:  # it gave way to Guards
        return True
    return box in ("soviet-eliminated", "replacement-pool") or dead(case, unit) or unit.counter.setup == "RP"


# --- the German side (3.5, 8.2 to 8.4) ----------------------------------------------------------------


def _german(case: Case, unit: Unit, hex_: Hex, box: str | None) -> Wrong:
    field = field_of(case)
    for hex_id in field.ids([hex_]):
        yield from _way_in(case, unit, box)(case, field, unit, hex_id)


def _way_in(case: Case, unit: Unit, box: str | None) -> Callable[[Case, Field, Unit, HexId], Wrong]:
    """How a unit comes, as its own rules have it."""
    return first_true(
        (unit.has(ARTILLERY), _artillery),
        (dead(case, unit) or box == "german-eliminated", _eliminated),
        (box == RESERVE, _from_reserve),
        (unit.counter.setup == SPECIAL or box == ASTERISK, _asterisked),
        otherwise=_reinforcement,
    )


def _eliminated(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    yield "lwe-8.6c", "was eliminated, and German units do not come back"


def _reinforcement(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    yield from _in_time(case, unit)
    yield from _german_place(case, field, unit, hex_id)


def _in_time(case: Case, unit: Unit) -> Wrong:
    due = entry_turn(case, unit)
    wait = 0 if due is None else due - case.turn
    return those_that_hold(
        (case.phase != GERMAN_ENTRY, "lwe-8.1a", "reinforcements come in the New Unit Entry Phase"),
        (wait > 0, "lwe-8.1b", f"is due in turn {due}, not in turn {case.turn}"),
        (wait < 0, "lwe-8.2a", f"was due in turn {due} and is forfeit"),
    )


def _german_place(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    satellite, where = unit.has("satellite"), field.ground.wording.hex(hex_id)
    if field.surely_holds(SOVIET, hex_id):
        yield "lwe-8.2f", f"{where} is under Soviet control"
    elif satellite and not at_edge(field, hex_id, "romania"):
        yield "lwe-8.2c", "satellites enter by the edge of the map in Romania"
    elif not at_edge(field, hex_id, "greater-germany", "romania"):
        yield from _rollbahn_town(case, field, unit, hex_id)


def at_edge(field: Field, hex_id: HexId, *countries: str) -> bool:
    return bool(field.ground.rim[hex_id]) and field.ground.country(hex_id) in countries


def _rollbahn_town(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    town = field.ground.roads[hex_id] and field.board.has_place(hex_id, *TOWNS)
    state = german_lines(case, field).state(hex_id)
    return those_that_hold(
        (
            not town,
            "lwe-8.2b",
            "enters neither by the edge in Germany or Romania nor in a town on a Rollbahn",
        ),
        (state != REGULAR, "lwe-8.2b", f"enters in a town whose supply is {state}, not regular"),
    )


def _enters_by_town(case: Case, unit: Unit, hex_: Hex, box: str | None) -> bool:
    """A reinforcement that enters in a Rollbahn town, as it may."""
    field = field_of(case)
    comes = unit.side == GERMAN and _way_in(case, unit, box) is _reinforcement and not unit.has("satellite")
    hexes = [h for h in field.ids([hex_]) if not at_edge(field, h, "greater-germany", "romania")]
    return comes and any(not any(_german_place(case, field, unit, h)) for h in hexes)


def _from_reserve(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    late = case.phase != GERMAN_MOVE or case.turn > 2
    astray = not at_edge(field, hex_id, "greater-germany")
    return those_that_hold(
        (late, "lwe-3.5c", "the OKH reserve enters in the German movement phases of turns 1 and 2"),
        (astray, "lwe-3.5c", "the OKH reserve enters by the edge of the map in Greater Germany"),
    )


def _asterisked(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    edge, clear = field.ground.edge(ASTERISK_EDGE), asterisk_clear(case)
    return those_that_hold(
        (case.phase != GERMAN_MOVE, "lwe-8.3a", "asterisked units enter in the movement phase"),
        (hex_id not in edge, "lwe-8.3a", "asterisked units enter between 1025 and 1030"),
        (
            not clear,
            "lwe-8.3a",
            "a Soviet unit stood between 1025 and 1030 when the German turn began",
        ),
    )


def _artillery(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    again = unit.id in case.in_game.commands_came or dead(case, unit)
    state = german_lines(case, field).state(hex_id)
    soviet = field.ground.country(hex_id) == "soviet-union" and field.board.has_place(hex_id, *TOWNS)
    taken = soviet and field.may_hold(GERMAN, hex_id)
    return those_that_hold(
        (again, "lwe-8.4b", "enters once in the game"),
        (case.phase != GERMAN_ENTRY, "lwe-8.4a", "enters in the German New Unit Entry Phase"),
        (not taken, "lwe-8.4a", "enters in a Soviet town or city that the German side holds"),
        (state != REGULAR, "lwe-8.4a", f"enters in a town whose supply is {state}, not regular"),
    )


@RULES.rule("lwe-8.4b")
@RULES.before(Removed, Moved, having=ARTILLERY, comes_to=(str, None))
def the_artillery_command_stays(case: Case, event: Removed | Moved) -> Faults:
    """It leaves the map by combat alone; in phases of combat and movement nobody leaves it (9.21)."""
    guns = on_map(having(case.units(event.concerned), ARTILLERY))
    lost = () if case.phase in (*MOVING, *ASSAULTING) else names_of(guns)
    yield from of_units("lwe-8.4b", lost, "leaves the map without being lost in combat")


@RULES.rule("lwe-8.2d")
@RULES.before(Moved, Attacked)
def arrivals_in_towns_rest(case: Case, event: Moved | Attacked) -> Faults:
    """They neither move nor attack in that turn."""
    tired = tuple(name for name in event.units if name in case.in_turn.by_town)
    yield from must_rest(event, tired, "lwe-8.2d", "entered in a Rollbahn town this turn")


@RULES.rule("lwe-8.3b")
@RULES.at_phase_end(GERMAN_MOVE)
def asterisked_units_come_at_once(case: Case) -> Faults:
    """In the first turn that begins with their hexes clear, as far as there is room."""
    field = field_of(case)
    waiting = case.position.at(ASTERISK) if asterisk_clear(case) else []
    room = sum(LIMIT - load_of(field.units(h, GERMAN)) for h in field.ground.edge(ASTERISK_EDGE))
    late = (u.id for u in waiting if u.counter.setup == SPECIAL and u.type.stacking <= room)
    yield from of_units("lwe-8.3b", late, "could have entered between 1025 and 1030")


# --- the Soviet side (8.5) --------------------------------------------------------------------------------


def _soviet(case: Case, unit: Unit, hex_: Hex) -> Wrong:
    field, guards, due = field_of(case), unit.has("guards"), entry_turn(case, unit)
    hexes = field.ids([hex_])
    if unit.has("coastal-army"):
        return chain.from_iterable(_coastal_army(case, field, unit, hex_id) for hex_id in hexes)
    wrong = those_that_hold(
        (unit.has(ZONE), "lwe-11.24f", "fortified zones never come back"),
        (guards and dead(case, unit), "lwe-8.13d", "Guards that were eliminated never come back"),
        (
            guards and not _gives_a_place(case, unit, hex_),
            "lwe-8.13a",
            "Guards enter by conversion only",
        ),
        (
            not guards and case.phase != SOVIET_ENTRY,
            "lwe-8.1a",
            "reinforcements come in the New Unit Entry Phase",
        ),
        (
            not guards and due not in (None, case.turn),
            "lwe-8.5a",
            f"is due in turn {due}, not in turn {case.turn}",
        ),
    )
    places = (_soviet_place(case, field, unit, hex_id) for hex_id in hexes if not guards)
    return chain(wrong, *places)


def _gives_a_place(case: Case, guards: Unit, hex_: Hex) -> list[str]:
    """Guards exchanged by hand, undeclared: counters that began the phase in the hex and may have made room.

    The phase's end looks for one of them.
    """
    kind = guards.type.values.get("converts-from")
    in_time = case.phase == SOVIET_ENTRY and entry_turn(case, guards) == case.turn and guards.has("guards")
    there = case.phase_start.at(hex_) if in_time else []
    return [unit.id for unit in there if unit.type.id == kind]


def entry_hexes(case: Case, unit: Unit) -> list[Hex] | None:
    """The hexes printed on a Soviet reinforcement; None for any town."""
    code = unit.counter.setup or ""
    if not code[:4].isdigit():
        return None
    return [case.game.map.lattice.hex(label) for label in code.split()]


def _soviet_place(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    hexes, where = entry_hexes(case, unit), field.ground.wording.hex(hex_id)
    before, town = soviet_turn_begins(case), field.board.has_place(hex_id, *TOWNS)
    opened = soviet_lines(case, field).regular(hex_id) or field.course.dd3 is False
    no_line = first_true(
        (field.board.label(hex_id) == LENINGRAD, "lwe-8.5d"), (opened, "lwe-8.5b"), otherwise="lwe-8.5c"
    )
    return those_that_hold(
        (
            hexes is not None and field.board.hexes[hex_id] not in hexes,
            "lwe-8.5e" if len(hexes or ()) > 1 else "lwe-8.5a",
            f"enters at {unit.counter.setup}, not at {where}",
        ),
        (hexes is None and not town, "lwe-8.5e", "enters in a town or city"),
        (
            not before.may_hold(SOVIET, hex_id),
            "lwe-8.5b",
            f"{where} was not Soviet when the Soviet turn began",
        ),
        (not supplied_for_entry(case, before, hex_id), no_line, f"{where} {NO_LINE}"),
    )


def _coastal_army(case: Case, field: Field, unit: Unit, hex_id: HexId) -> Wrong:
    due, hexes = entry_turn(case, unit), entry_hexes(case, unit) or []
    ours = soviet_turn_begins(case).may_hold(SOVIET, hex_id)
    return those_that_hold(
        (dead(case, unit), "lwe-8.9a", "was eliminated and does not come back"),
        (
            case.phase != SOVIET_ENTRY or case.turn != due,
            "lwe-8.5f",
            f"enters in turn {due}, in the Soviet New Unit Entry Phase",
        ),
        (field.board.hexes[hex_id] not in hexes, "lwe-8.5f", "enters at Odessa or Sevastopol"),
        (not ours, "lwe-8.5f", f"{field.ground.wording.hex(hex_id)} is not Soviet"),
    )


@RULES.rule("lwe-8.1d")
@RULES.after(Placed, phases=[SOVIET_ENTRY], comes_to=Hex)
def hexes_are_overfull_only_where_they_must_be(case: Case, event: Placed) -> Faults:
    """A reinforcement with several hexes to choose from takes one with room."""
    unit, field, before = case.unit(event.unit), field_of(case), soviet_turn_begins(case)
    comes = case.in_turn.arrived.get(unit.id) == "reinforcement"
    choice = field.ids(entry_hexes(case, unit) or []) if comes else []
    crowded = field.id(event.spot) in choice and load_of(case.position.at(event.spot)) > LIMIT
    roomy = (h for h in choice if fits(field, SOVIET, h, [unit]) and _open_for_entry(case, before, h))
    for other in islice(roomy, 1) if crowded else ():
        room = field.ground.wording.hex(other)
        text = f"{unit.id} overfills {case.label(event.spot)} while {room} has room"
        yield Fault("lwe-8.1d", text, (unit.id,), spot_of(event.spot))


def _open_for_entry(case: Case, before: Field, hex_id: HexId) -> bool:
    return before.surely_holds(SOVIET, hex_id) and supplied_for_entry(case, before, hex_id)
