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
from validator.model.events import AFTER_COMBAT
from validator.model.position import Unit
from validator.procedures.battlebook import Battle
from validator.procedures.control import may_hold
from validator.procedures.corrections import is_put_back

ANY = ""  # of phases: any
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


@dataclass(frozen=True)
class Permissions:
    """What may be done in which phases. ANY stands for every phase.

    `moving` gives the side that moves in each phase of movement; `fighting` are phases with battles. `rolls`
    gives the phases of each reason of dice, by a part of it, and `waits_for` tells whether such a die is due.
    `declared` gives the phases of declarations that the sequence of play does not name. `boxes` tells which
    units belong into a box, `beside` to which boxes a marker may be set, by its id or its kind (without it to
    all). `replaced` gives the phases of each reason for counters to give way to others.
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
    beside: Mapping[str, OfBox] | None = None
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

    @rules.claim(ev.Moved)
    def moves(case: AnyCase, event: ev.Moved) -> bool:
        units = case.units(event.units)
        if isinstance(event.end, str):
            return all(_belongs(may, case, unit, event.end) for unit in units)
        if event.mode in AFTER_COMBAT:
            return _fought(may, case, *event.units)
        if case.phase in may.moving:
            return True  # the procedure of movement judges the way, and whose phase it is
        return all(_arrived(case, unit) or _comes_in(may, case, unit) for unit in units)

    @rules.claim(ev.Placed)
    def is_placed(case: AnyCase, event: ev.Placed) -> bool:
        unit = case.position.units[event.unit]
        if isinstance(event.spot, str):
            return _belongs(may, case, unit, event.spot)
        return _arrived(case, unit) or may.arrives(case, unit) or _is_put_back(case, event)

    @rules.claim(ev.Removed)
    def is_taken_off(case: AnyCase, event: ev.Removed) -> bool:
        unit = case.unit(event.unit)
        sent = event.box is None or _belongs(may, case, unit, event.box)
        free = not unit.on_map or _fought(may, case, unit.id) or _arrived(case, unit)
        return sent and (free or may.leaves(case, unit, event.box))

    @rules.claim(ev.StepChanged)
    def changes_step(case: AnyCase, event: ev.StepChanged) -> bool:
        unit = case.unit(event.unit)
        if event.new < event.old:
            return may.gains(case, unit) or _is_turned_back(case, event)
        return _fought(may, case, unit.id) or may.loses(case, unit)

    @rules.claim(ev.Replaced)
    def gives_way(case: AnyCase, event: ev.Replaced) -> bool:
        units = case.units(event.old)
        if event.why in may.replaced and _in_phase(case, may.replaced[event.why]):
            return all(may.replaces(case, unit) for unit in units)
        if event.why in may.replaced and event.why:
            return False
        return _fought(may, case, *event.old) or all(may.breaks_up(case, unit) for unit in units)

    @rules.claim(ev.Marked, ev.Unmarked)
    def is_marked(case: AnyCase, event: ev.Marked | ev.Unmarked) -> bool:
        rule = may.markers.get(event.marker, may.markers.get(case.game.marker[event.marker].kind))
        if rule is None or not _in_phase(case, rule.phases):
            return False
        match event:
            case ev.Marked(_, Hex() as spot):
                return rule.turned(case, event) and rule.in_hex(case, spot)
            case ev.Marked(_, str(name)):
                return rule.turned(case, event) and rule.on_unit(case, case.unit(name))
            case ev.Unmarked(_, Hex() as spot):
                return (rule.out_of_hex or rule.in_hex)(case, spot)
        return (rule.off_unit or rule.on_unit)(case, case.unit(str(event.on)))

    @rules.claim(ev.Pointed)
    def is_set(case: AnyCase, event: ev.Pointed) -> bool:
        kind = case.game.marker[event.marker].kind
        rules = may.beside if may.beside is not None else {kind: as_a_reminder}
        return rules.get(event.marker, rules.get(kind, in_no_box))(case, event)

    @rules.claim(ev.Attacked)
    def attacks(case: AnyCase, event: ev.Attacked) -> bool:
        return case.phase in (may.moving if event.overrun else may.fighting)

    @rules.claim(ev.Rolled)
    def is_rolled(case: AnyCase, event: ev.Rolled) -> bool:
        reason = event.reason.lower()
        if reason in may.fights and case.phase in may.fighting:
            return any(battle.die is None for battle in _battles(case)) or event.battle is not None
        part = next((part for part in may.rolls if part and part in reason), "")
        due = may.waits_for.get(part, always)
        return bool(part) and _in_phase(case, may.rolls[part]) and due(case, event)

    @rules.claim(ev.ResultNamed)
    def is_named(case: AnyCase, event: ev.ResultNamed) -> bool:
        meant = [b for b in _battles(case) if event.battle in (None, b.number)]
        chosen = event.result.upper() in may.chosen
        return may.read_result(event.result) is not None and any(b.named is None or chosen for b in meant)

    @rules.claim(ev.RoundBegan, ev.Fired)
    def is_a_volley(case: AnyCase, event: ev.Event) -> bool:
        return False  # a battle of these games has one die

    @rules.claim(ev.Declared)
    def is_declared(case: AnyCase, event: ev.Declared) -> bool:
        units, by = case.units(event.units), may.declares.get(event.what, anybody)
        if not all(by(case, unit) for unit in units):
            return False
        if event.what in may.declared:
            return _in_phase(case, may.declared[event.what])
        sides = {unit.side for unit in units} or {side.id for side in case.game.sides}
        return any(event.what in case.sequence.verbs(case.phase, side) for side in sides)

    @rules.claim(ev.Drawn)
    def is_drawn(case: AnyCase, event: ev.Drawn) -> bool:
        return may.draws(case, event)

    @rules.claim(ev.Returned)
    def goes_back(case: AnyCase, event: ev.Returned) -> bool:
        return may.returns(case, event)


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
