"""What the rules of a game let happen, and when: permissions that claim events.

A game states its permissions as values (`Permissions`); `grant` gives them to its rulebook. An event that
nothing claims is a finding of the referee (`validator.engine.claims`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fieldpost.hexes import Hex
from validator.core.results import Result
from validator.engine.case import AnyCase
from validator.engine.rulebook import Rulebook
from validator.model import events as ev
from validator.model.position import Unit
from validator.procedures.battlebook import Battle
from validator.procedures.control import may_hold
from validator.procedures.corrections import is_put_back

ANY = ""  # of phases and of markers: any
NEVER: tuple[str, ...] = ()  # in no phase
Phases = Iterable[str]
OfUnit = Callable[[AnyCase, Unit], bool]
OfHex = Callable[[AnyCase, Hex], bool]
OfBox = Callable[[AnyCase, ev.Pointed], bool]


def anybody(case: AnyCase, unit: Unit) -> bool:
    return True


def always(case: AnyCase, event: ev.Event) -> bool:
    return True


def nobody(case: AnyCase, unit: Unit) -> bool:
    return False


def nowhere(case: AnyCase, hex_: Hex) -> bool:
    return False


def anywhere(case: AnyCase, hex_: Hex) -> bool:
    return True


def held_by(side: str, where: OfHex) -> OfHex:
    """Hexes of some kind, while a side holds them."""
    return lambda case, hex_: where(case, hex_) and may_hold(case.position, side, hex_)


def owned_by(side: str) -> OfUnit:
    """Units of a side."""
    return lambda case, unit: unit.side == side


def with_units(case: AnyCase, hex_: Hex) -> bool:
    """Hexes in which somebody stands."""
    return bool(case.position.at(hex_))


def with_units_in(phase: str) -> OfHex:
    """The same, in a phase."""
    return lambda case, hex_: case.phase == phase and with_units(case, hex_)


def with_trait(*traits: str) -> OfUnit:
    """Units with one of some traits."""
    return lambda case, unit: any(map(unit.has, traits))


def as_a_reminder(case: AnyCase, event: ev.Pointed) -> bool:
    """Beside the map it says nothing: it may lie in any box."""
    return True


def in_boxes(*beginnings: str) -> OfBox:
    """A marker that shows something by the box in which it lies; the boxes, by how their names begin."""
    return lambda case, event: event.box.startswith(beginnings)


def in_no_box(case: AnyCase, event: ev.Pointed) -> bool:
    return False


def on_the_turn(case: AnyCase, event: ev.Pointed) -> bool:
    """The marker of the turn goes on as the turn does, a little before or after."""
    return event.box in (f"turn-{case.turn}", f"turn-{case.turn + 1}")


@dataclass(frozen=True)
class MarkerRule:
    """Where markers of a kind may be put, or taken from, and in which phases."""

    on_unit: OfUnit = nobody
    off_unit: OfUnit | None = None  # as on_unit, if it is None
    in_hex: OfHex = nowhere
    out_of_hex: OfHex | None = None  # as in_hex, if it is None
    phases: Phases = (ANY,)
    turned: Callable[[AnyCase, ev.Marked], bool] = always  # whether it may be turned, or laid, so


NOWHERE = MarkerRule()


@dataclass(frozen=True)
class Permissions:
    """What may be done in which phases. ANY stands for every phase.

    `moving` gives the side that moves in each phase of movement; `fighting` are phases with battles. `rolls`
    gives the phases of each reason of dice, by a part of it, and `waits_for` tells whether such a die is due.
    `declared` gives the phases of declarations that the sequence of play does not name. `boxes` tells which
    units belong into a box, `beside` to which boxes a marker may be set, by its id or its kind (ANY: of any
    kind). `replaced` gives the phases of each reason for counters to give way to others.
    """

    moving: Mapping[str, str]
    fighting: Phases
    read_result: Callable[[str], Result | None]
    fights: Phases = ("combat", "overrun", "")
    chosen: Collection[str] = ()  # results that a side may choose instead of the one that was named
    rolls: Mapping[str, Phases] = field(default_factory=dict)
    waits_for: Mapping[str, Callable[[AnyCase, ev.Rolled], bool]] = field(default_factory=dict)
    declared: Mapping[str, Phases] = field(default_factory=dict)
    declares: Mapping[str, OfUnit] = field(default_factory=dict)  # the units that a declaration may name
    markers: Mapping[str, MarkerRule] = field(default_factory=dict)
    boxes: Mapping[str, OfUnit] = field(default_factory=dict)
    beside: Mapping[str, OfBox] = field(default_factory=lambda: {ANY: as_a_reminder})
    replaced: Mapping[str, Phases] = field(default_factory=dict)
    replaces: OfUnit = anybody  # which units may give way to others, but by a battle
    arrives: Callable[[AnyCase, Unit], bool] = nobody  # onto the map, in this phase
    loses: Callable[[AnyCase, Unit], bool] = nobody  # a step, otherwise than in battle
    breaks_up: Callable[[AnyCase, Unit], bool] = nobody  # into a weaker counter, otherwise than in battle
    gains: Callable[[AnyCase, Unit], bool] = nobody  # a step
    leaves: Callable[[AnyCase, Unit, str | None], bool] = lambda case, unit, box: False  # but by a battle
    draws: Callable[[AnyCase, ev.Drawn], bool] = lambda case, event: False
    returns: Callable[[AnyCase, ev.Returned], bool] = lambda case, event: False


def grant(rules: Rulebook, may: Permissions) -> None:
    """Gives a rulebook the permissions of its game."""
    _let_units_move(rules, may)
    _let_units_leave_and_change(rules, may)
    _let_markers_be_put(rules, may)
    _let_battles_be_fought(rules, may)
    rules.claim(ev.Drawn)(may.draws)
    rules.claim(ev.Returned)(may.returns)

    @rules.claim(ev.Declared)
    def is_declared(case: AnyCase, event: ev.Declared) -> bool:
        by = may.declares.get(event.what, anybody)
        return all(by(case, unit) for unit in case.units(event.units)) and _is_its_time(may, case, event)


def _let_units_move(rules: Rulebook, may: Permissions) -> None:
    @rules.claim(ev.Moved, ev.Placed, comes_to=str)
    def units_come_into_a_box(case: AnyCase, event: ev.Moved | ev.Placed) -> bool:
        return all(_belongs(may, case, unit, str(event.comes_to)) for unit in case.units(event.concerned))

    @rules.claim(ev.Moved, comes_to=Hex, by_battle=True)
    def units_retreat_and_advance(case: AnyCase, event: ev.Moved) -> bool:
        return _fought(may, case, *event.units)

    @rules.claim(ev.Moved, comes_to=Hex, by_battle=False, phases=may.moving)
    def units_move(case: AnyCase, event: ev.Moved) -> bool:
        return True  # the procedure of movement judges the way, and whose phase it is

    @rules.claim(ev.Moved, comes_to=Hex, by_battle=False)
    def units_come_out_of_a_box(case: AnyCase, event: ev.Moved) -> bool:
        return all(_arrived(case, unit) or _comes_in(may, case, unit) for unit in case.units(event.units))

    @rules.claim(ev.Placed, comes_to=Hex)
    def a_unit_is_put_onto_the_map(case: AnyCase, event: ev.Placed) -> bool:
        unit = case.unit(event.unit)
        return _arrived(case, unit) or may.arrives(case, unit) or _is_put_back(case, event)


def _let_units_leave_and_change(rules: Rulebook, may: Permissions) -> None:
    @rules.claim(ev.Removed)
    def is_taken_off(case: AnyCase, event: ev.Removed) -> bool:
        unit = case.unit(event.unit)
        sent = event.box is None or _belongs(may, case, unit, event.box)
        free = not unit.on_map or _fought(may, case, unit.id) or _arrived(case, unit)
        return sent and (free or may.leaves(case, unit, event.box))

    @rules.claim(ev.StepChanged, gained=True)
    def gains_a_step(case: AnyCase, event: ev.StepChanged) -> bool:
        return may.gains(case, case.unit(event.unit)) or _is_turned_back(case, event)

    @rules.claim(ev.StepChanged, gained=False)
    def loses_a_step(case: AnyCase, event: ev.StepChanged) -> bool:
        return _fought(may, case, event.unit) or may.loses(case, case.unit(event.unit))

    @rules.claim(ev.Replaced)
    def gives_way_for_a_reason(case: AnyCase, event: ev.Replaced) -> bool:
        in_time = _in_phase(case, may.replaced.get(event.why, NEVER))
        return in_time and all(may.replaces(case, unit) for unit in case.units(event.old))

    @rules.claim(ev.Replaced)
    def gives_way_by_a_loss(case: AnyCase, event: ev.Replaced) -> bool:
        if event.why and event.why in may.replaced:
            return False
        breaks_up = all(may.breaks_up(case, unit) for unit in case.units(event.old))
        return breaks_up or _fought(may, case, *event.old)


def _let_markers_be_put(rules: Rulebook, may: Permissions) -> None:
    def rule_of(case: AnyCase, event: ev.MarkerEvent) -> MarkerRule:
        kind = case.game.marker[event.marker].kind
        rule = may.markers.get(event.marker, may.markers.get(kind, NOWHERE))
        return rule if _in_phase(case, rule.phases) else NOWHERE

    @rules.claim(ev.Marked, on=Hex)
    def is_put_into_a_hex(case: AnyCase, event: ev.Marked) -> bool:
        rule = rule_of(case, event)
        return rule.turned(case, event) and rule.in_hex(case, _hex(event))

    @rules.claim(ev.Marked, on=str)
    def is_put_on_a_unit(case: AnyCase, event: ev.Marked) -> bool:
        rule = rule_of(case, event)
        return rule.turned(case, event) and rule.on_unit(case, case.unit(str(event.on)))

    @rules.claim(ev.Unmarked, on=Hex)
    def is_taken_out_of_a_hex(case: AnyCase, event: ev.Unmarked) -> bool:
        rule = rule_of(case, event)
        return (rule.out_of_hex or rule.in_hex)(case, _hex(event))

    @rules.claim(ev.Unmarked, on=str)
    def is_taken_off_a_unit(case: AnyCase, event: ev.Unmarked) -> bool:
        rule = rule_of(case, event)
        return (rule.off_unit or rule.on_unit)(case, case.unit(str(event.on)))

    @rules.claim(ev.Pointed)
    def is_set_into_a_box(case: AnyCase, event: ev.Pointed) -> bool:
        of_any = may.beside.get(ANY, in_no_box)
        of_kind = may.beside.get(case.game.marker[event.marker].kind, of_any)
        return may.beside.get(event.marker, of_kind)(case, event)


def _let_battles_be_fought(rules: Rulebook, may: Permissions) -> None:
    @rules.claim(ev.Attacked, overrun=True, phases=may.moving)
    @rules.claim(ev.Attacked, overrun=False, phases=may.fighting)
    def attacks(case: AnyCase, event: ev.Attacked) -> bool:
        return True

    @rules.claim(ev.Rolled, reason=tuple(may.fights), phases=may.fighting)
    def is_rolled_for_a_battle(case: AnyCase, event: ev.Rolled) -> bool:
        return any(battle.die is None for battle in _battles(case)) or event.battle is not None

    @rules.claim(ev.Rolled)
    def is_rolled_for_something_else(case: AnyCase, event: ev.Rolled) -> bool:
        parts = [part for part in may.rolls if part in event.reason.lower()]
        return any(
            _in_phase(case, may.rolls[part]) and may.waits_for.get(part, always)(case, event)
            for part in parts
        )

    @rules.claim(ev.ResultNamed)
    def is_named(case: AnyCase, event: ev.ResultNamed) -> bool:
        meant = [b for b in _battles(case) if event.battle in (None, b.number)]
        chosen = event.result.upper() in may.chosen
        return may.read_result(event.result) is not None and any(b.named is None or chosen for b in meant)

    @rules.claim(ev.RoundBegan, ev.Fired)
    def is_a_volley(case: AnyCase, event: ev.Event) -> bool:
        return False  # a battle of these games has one die


def _hex(event: ev.MarkerEvent) -> Hex:
    assert isinstance(event.on, Hex)
    return event.on


def _is_its_time(may: Permissions, case: AnyCase, event: ev.Declared) -> bool:
    """By the game's own list, else where the sequence of play names it."""
    if event.what in may.declared:
        return _in_phase(case, may.declared[event.what])
    sides = {unit.side for unit in case.units(event.units)} or {side.id for side in case.game.sides}
    return any(event.what in case.sequence.verbs(case.phase, side) for side in sides)


def _in_phase(case: AnyCase, phases: Phases) -> bool:
    return ANY in phases or case.phase in phases


def _battles(case: AnyCase) -> list[Battle[Any]]:
    battles: list[Battle[Any]] = case.in_phase.battles
    return battles


def _fought(may: Permissions, case: AnyCase, *units: str) -> bool:
    """A log of a game whose battles were not declared shows dice only."""
    if case.phase not in may.fighting:
        return False
    if not _battles(case):
        return bool(case.in_phase.of(ev.Rolled))
    return all(any(battle.party(unit) is not None for battle in _battles(case)) for unit in units)


def _belongs(may: Permissions, case: AnyCase, unit: Unit, box: str) -> bool:
    return may.boxes.get(box, nobody)(case, unit)


def _comes_in(may: Permissions, case: AnyCase, unit: Unit) -> bool:
    """From a box: what stands on the map does not arrive."""
    return not unit.on_map and may.arrives(case, unit)


def _arrived(case: AnyCase, unit: Unit) -> bool:
    """It came onto the map in this phase, and is still being put where it belongs."""
    return not case.phase_start.units[unit.id].on_map and bool(case.in_phase.of(ev.Placed, unit=unit.id))


def _is_put_back(case: AnyCase, event: ev.Placed) -> bool:
    """A counter taken off in this phase by mistake."""
    return bool(case.in_phase.of(ev.Removed, unit=event.unit)) and is_put_back(case, event)


def _is_turned_back(case: AnyCase, event: ev.StepChanged) -> bool:
    """No stronger than it was when the phase began: a slip that is put right."""
    return event.new >= case.phase_start.units[event.unit].step and case.phase_start.units[event.unit].on_map
