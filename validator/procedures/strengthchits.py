"""Strength chits: armies whose strength is drawn from a cup, carried under them, and given back.

A game says which class a unit draws from (`class_of`), who stands beside the enemy, and its rules' ids
(`ChitRules`); `register` gives its rulebook the judges and the reducers. What a phase remembers is `Chits`,
which the game keeps as `in_phase.chits`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Drawn, Marked, Removed, Returned, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, on_map
from validator.procedures import battlebook
from validator.procedures.ask_each import each, note_each, units_of
from validator.procedures.battlebook import Battle, printed_steps_left
from validator.procedures.faults import doubts, first_that_holds, plainest_that_holds, unless
from validator.procedures.field import printed
from validator.procedures.moves import spot_of

STRENGTH = "strength"
FULL, REDUCED = 1, 2  # faces


@dataclass
class Chits:
    """What became of chits in a phase."""

    drawn: dict[str, str] = field(default_factory=dict)  # by unit, its new chit
    in_hand: dict[str, Drawn] = field(default_factory=dict)  # drawn, on no unit yet
    returned: dict[str, set[str]] = field(default_factory=dict)  # by unit, what left it
    steps: dict[str, int] = field(default_factory=dict)  # by unit, what it had left when its chit left it
    left: list[tuple[str, str]] = field(default_factory=list)  # dead units and their chits


@dataclass(frozen=True)
class ChitRules:
    """The rules of a game for its chits, by what they forbid."""

    cup: str  # a chit of another class or cup
    once: str  # a second chit for a unit
    arrived: str  # a chit that was not in the cup yet
    new: str  # new chits come in their turn, each into its cup
    full: str  # a fresh chit lies with its stronger side up
    fights: str  # who fights has one
    beside: str  # beside the enemy, at the turn's end, has one
    away: str  # away from the enemy, at the turn's end, has none
    dead: str  # the chit of a dead unit goes too
    back: str  # where chits go that are not starred
    starred: str  # where starred chits go
    cups: str  # the ids of the cups: chits-{}
    fighting: Sequence[str]  # phases
    supply: str
    admin: str
    beside_enemy: Callable[[Any, Unit], bool]
    starred_back: Callable[[Any, bool], Collection[bool]]  # into its cup, of a living unit or not
    cups_known: Callable[[Any], bool] = lambda case: any(case.position.decks.values())

    def cup_of(self, class_: object) -> str:
        return self.cups.format(str(class_).lower())


def is_chit(case: AnyCase, marker: str) -> bool:
    return case.game.marker[marker].kind == STRENGTH


def draws(unit: Unit) -> bool:
    return unit.has("draws-strength")


def class_of(unit: Unit) -> str:
    """The letter on the counter; in brackets for a unit that only defends."""
    own = unit.counter.values.get("class", unit.type.values.get("class", ""))
    return str(own) if draws(unit) else ""


def chit_of(case: AnyCase, unit: Unit) -> str | None:
    """The chit a unit carries."""
    return next((mark for mark in unit.marks if is_chit(case, mark)), None)


def strength_of(case: AnyCase, unit: Unit, factor: str) -> int | None:
    """A factor of the chit a unit carries; None without a chit."""
    chit = chit_of(case, unit)
    if chit is None:
        return None
    face = "" if unit.marks[chit] == FULL else "back-"
    return int(case.game.marker[chit].values[f"{face}{factor}"])


def printed_or_drawn(case: AnyCase, unit: Unit, factor: str) -> int | None:
    """A factor on the counter, or on the chit of a unit that draws; None while it has none."""
    return strength_of(case, unit, factor) if draws(unit) else printed(unit, factor)


def steps_left(case: AnyCase, unit: Unit) -> int:
    """Of an army the sides of its chit; else by the side that its counter shows."""
    left = chit_steps_left(case, unit)
    return printed_steps_left(unit) if left is None else left


def chit_steps_left(case: AnyCase, unit: Unit) -> int | None:
    """The sides of its chit, or of the one that was taken off it in this phase; None without one."""
    chit = chit_of(case, unit)
    return case.in_phase.chits.steps.get(unit.id) if chit is None else REDUCED + 1 - unit.marks[chit]


def entry_turn(case: AnyCase, marker: str) -> int:
    """The turn in which a marker comes in; 0 if it is there from the start."""
    code = (case.game.marker[marker].enters or "").removeprefix("GT")
    return int(code) if code.isdigit() else 0


def battle_of(case: AnyCase, name: str) -> bool:
    return any(battle.party(name) is not None for battle in case.in_phase.battles)


def may_draw(case: AnyCase, event: Drawn, beside: bool) -> bool:
    """For permissions: a unit that fights, or stands beside the enemy; a battle may be declared after."""
    return event.unit is None or not is_chit(case, event.marker) or battle_of(case, event.unit) or beside


def may_return(case: AnyCase, event: Returned, admin: str) -> bool:
    """For permissions: from a unit that died or fought, or is left by the enemy; or as a reinforcement."""
    drawn = case.in_phase.chits.drawn
    return case.phase == admin or all(
        not unit.on_map or drawn.get(unit.id) == event.marker or _has_fought(case, unit)
        for unit in case.units(event.concerned)
    )


def _has_fought(case: AnyCase, unit: Unit) -> bool:
    return any(battle.rolled and battle.party(unit.id) is not None for battle in case.in_phase.battles)


def may_carry(case: AnyCase, unit: Unit) -> bool:
    """For permissions: a unit's own chit is turned over, or laid on it when it was drawn."""
    held = chit_of(case, unit) or unit.id in case.in_phase.chits.drawn or case.in_phase.chits.in_hand
    return draws(unit) and bool(held)


def may_be_turned(case: AnyCase, event: Marked) -> bool:
    """For permissions: no chit grows stronger than it was when the phase began."""
    start = case.phase_start.units
    return all(
        event.face >= min(unit.marks.get(event.marker, 0), start[unit.id].marks.get(event.marker, event.face))
        for unit in case.units(event.concerned)
    )


def register(rules: Rulebook, of: ChitRules) -> None:
    """The judges and reducers of a game with chits."""
    _judge_draws(rules, of)
    _judge_fights(rules, of)
    _judge_returns(rules, of)
    _judge_the_dead(rules, of)
    _judge_the_living(rules, of)


def _judge_draws(rules: Rulebook, of: ChitRules) -> None:
    @rules.rule(of.cup, of.once, of.arrived)
    @rules.before(Drawn, kind=STRENGTH)
    @each(units_of)
    def chits_are_drawn_from_their_own_cup_and_kept(case: AnyCase, event: Drawn, unit: Unit) -> Faults:
        yield from _of_draw(of, case, event, unit)

    @rules.track(Drawn, when=JUDGED, kind=STRENGTH, unit=None)
    def note_the_draw_for_nobody(case: AnyCase, event: Drawn) -> None:
        case.in_phase.chits.in_hand[event.marker] = event

    @rules.track(Drawn, when=JUDGED, kind=STRENGTH)
    @note_each(units_of)
    def note_the_draw(case: AnyCase, event: Drawn, unit: Unit) -> None:
        case.in_phase.chits.drawn[unit.id] = event.marker

    @rules.rule(of.cup, of.once, of.arrived)
    @rules.before(Marked, kind=STRENGTH, on=str)
    @each(units_of)
    def chits_come_to_units_by_a_draw(case: AnyCase, event: Marked, unit: Unit) -> Faults:
        chits = case.in_phase.chits
        if event.marker in unit.marks:
            return
        if event.marker in chits.in_hand:
            yield from _of_draw(of, case, chits.in_hand[event.marker], unit)
        elif chits.drawn.get(unit.id) != event.marker:
            text = f"{event.marker} came to {unit.id} without being drawn"
            own = case.game.marker[event.marker].values["class"] == class_of(unit)
            yield Fault(of.cup, text, (unit.id,), verdict=unless(own))

    @rules.rule(of.full)
    @rules.before(Marked, kind=STRENGTH, on=str, face=REDUCED)
    @each(units_of)
    def a_fresh_chit_shows_its_stronger_side(case: AnyCase, event: Marked, unit: Unit) -> Faults:
        chits = case.in_phase.chits
        in_hand = event.marker in chits.in_hand and event.marker not in unit.marks
        fresh = in_hand or chits.drawn.get(unit.id) == event.marker
        if fresh and not _may_be_a_loss(of, case, unit.id):
            text = f"{event.marker}, just drawn for {unit.id}, lies with its weaker side up"
            yield Fault(of.full, text, (unit.id,))

    @rules.track(Marked, when=JUDGED, on=str)
    @note_each(units_of)
    def note_the_unit_of_a_drawn_chit(case: AnyCase, event: Marked, unit: Unit) -> None:
        chits = case.in_phase.chits
        if event.marker in chits.in_hand and event.marker not in unit.marks:
            del chits.in_hand[event.marker]
            chits.drawn[unit.id] = event.marker


def _judge_fights(rules: Rulebook, of: ChitRules) -> None:
    @rules.rule(of.fights)
    @rules.before(Rolled, phases=of.fighting)
    def who_fights_has_a_chit(case: AnyCase, event: Rolled) -> Faults:
        battle = _waiting(case, event)
        for unit in _without_a_chit(case, battle) if battle is not None else ():
            if _is_empty(of, case, unit):
                case.not_checked("a battle of a unit whose cup is empty")
            else:
                text = f"{unit.id} fights without a strength chit"
                yield Fault(of.fights, text, (unit.id,), spot_of(unit.spot))

    @rules.rule(of.fights)
    @rules.at_phase_end(*of.fighting)
    def who_draws_a_chit_fights(case: AnyCase) -> Faults:
        """The draw may come before its battle is declared, not instead of one."""
        for name, chit in case.in_phase.chits.drawn.items():
            unit = case.unit(name)
            if not battle_of(case, name) and unit.on_map:
                text = f"{chit} was drawn for {name}, which fought nobody in this phase"
                yield Fault(of.fights, text, (name,), spot_of(unit.spot), verdict=Verdict.WARNING)

    @rules.rule(of.fights)
    @rules.at_phase_end()
    def who_draws_a_chit_has_a_unit_for_it(case: AnyCase) -> Faults:
        for chit in case.in_phase.chits.in_hand:
            yield Fault(of.fights, f"{chit} was drawn for no unit", verdict=Verdict.WARNING)


def _judge_returns(rules: Rulebook, of: ChitRules) -> None:
    @rules.rule(of.back, of.starred)
    @rules.before(Returned, kind=STRENGTH)
    def chits_go_back_where_they_came_from(case: AnyCase, event: Returned) -> Faults:
        if not _just_arrives(of, case, event):
            yield from _of_return(of, case, event)

    @rules.rule(of.new)
    @rules.before(Returned, kind=STRENGTH, unit=None, deck=str)
    def new_chits_come_in_their_turn(case: AnyCase, event: Returned) -> Faults:
        """That none is left out is the game's matter."""
        yield from _of_new(of, case, event)

    @rules.rule(of.new)
    @rules.before(Returned, kind=STRENGTH, deck=str)
    def chits_come_from_somewhere(case: AnyCase, event: Returned) -> Faults:
        yield from _of_origin(of, case, event)

    @rules.track(Returned, kind=STRENGTH)
    @note_each(units_of)
    def note_the_return(case: AnyCase, event: Returned, unit: Unit) -> None:
        case.in_phase.chits.returned.setdefault(unit.id, set()).add(event.marker)
        left = chit_steps_left(case, unit)
        if left is not None:
            case.in_phase.chits.steps[unit.id] = left


def _judge_the_dead(rules: Rulebook, of: ChitRules) -> None:
    @rules.track(Removed)
    def a_dead_unit_leaves_its_chit(case: AnyCase, event: Removed) -> None:
        chit = chit_of(case, case.position.units[event.unit])
        if chit is not None:
            case.in_phase.chits.left.append((event.unit, chit))

    @rules.rule(of.dead)
    @rules.at_phase_end()
    def chits_of_dead_units_go_too(case: AnyCase) -> Faults:
        back = [event.marker for event in case.in_phase.of(Returned)]
        for army, chit in case.in_phase.chits.left:
            if chit in back:
                back.remove(chit)
            elif taken := [event for event in _laid(case, chit) if event.on != army]:
                yield Fault(of.dead, f"{chit} of {army} went to {taken[0].on}", (army,))
            elif case.phase != of.admin:
                yield Fault(of.dead, f"{army} was eliminated; its {chit} was not taken off", (army,))


def _judge_the_living(rules: Rulebook, of: ChitRules) -> None:
    @rules.rule(of.away)
    @rules.at_phase_end(*of.fighting)
    def chits_of_the_living_stay(case: AnyCase) -> Faults:
        """A chit may be taken off before its unit, if both go."""
        for name, chits in case.in_phase.chits.returned.items():
            unit = case.position.units[name]
            if unit.on_map and _has_fought(case, unit) and chits.isdisjoint(unit.marks):
                text = f"{min(chits)} was taken off {name}, which fought and lives"
                yield Fault(of.away, text, (name,), spot_of(unit.spot))

    @rules.rule(of.beside, of.away)
    @rules.at_phase_end(of.admin)
    @each(_armies)
    def chits_lie_where_the_enemy_is_adjacent(case: AnyCase, unit: Unit) -> Faults:
        faced, chit = of.beside_enemy(case, unit), chit_of(case, unit)
        gone = case.in_phase.chits.returned.get(unit.id, set())
        text = f"{unit.id} is {'' if faced else 'not '}adjacent to an enemy unit"
        lacks = faced and chit is None and not _is_empty(of, case, unit)
        rows = (
            (faced and gone and chit not in gone, of.away, f"{text}; its {min(gone, default='')} stays"),
            (lacks, of.beside, f"{text} and has no strength chit"),
            (not faced and chit is not None, of.away, f"{text}; {chit} must be taken off"),
        )
        for fault in first_that_holds(rows, "", (unit.id,), (unit.hex,)):
            yield replace(fault, alike=(faced, chit is None))


def _without_a_chit(case: AnyCase, battle: Battle[Any]) -> list[Unit]:
    """Units of a battle that draw, and have drawn no chit; not those that should not fight."""
    units = case.units((*battle.attacker.steps, *battle.defender.steps))
    lacking = [unit for unit in units if draws(unit) and chit_of(case, unit) is None]
    return [unit for unit in lacking if unit.id not in battle.attacker.doubtful]


def _armies(case: AnyCase) -> list[Unit]:
    return [unit for unit in case.position.on_map() if draws(unit)]


def _of_draw(of: ChitRules, case: AnyCase, event: Drawn, unit: Unit) -> Iterator[Fault]:
    wanted, drawn = class_of(unit), str(case.game.marker[event.marker].values["class"])
    due = entry_turn(case, event.marker)
    held = unit.id in case.in_phase.chits.drawn or chit_of(case, unit) is not None
    missing = of.cups_known(case) and event.marker not in case.position.decks.get(event.deck, ())
    arrival = f": it arrives in turn {due}" if due else ""
    rows = (
        (not wanted, of.cup, f"{unit.id} has a strength of its own and draws no chit"),
        (
            drawn != wanted or event.deck != of.cup_of(wanted),
            of.cup,
            f"{unit.id} is of class {wanted}; {event.marker} was drawn from {event.deck}",
        ),
        (held, of.once, f"{unit.id} had its strength chit; another was drawn"),
        (missing, of.arrived, f"{event.marker} was not in the cup{arrival}"),
    )
    yield from plainest_that_holds(rows, "", (unit.id,), (), doubts({of.arrived: due <= case.turn}))


def _may_be_a_loss(of: ChitRules, case: AnyCase, name: str) -> bool:
    """In a battle, or by an attrition die for a unit that had no chit to turn over yet."""
    if case.phase == of.supply:
        return bool(case.in_phase.of(Rolled))
    return any(battle.rolled and battle.party(name) for battle in case.in_phase.battles)


def _is_empty(of: ChitRules, case: AnyCase, unit: Unit) -> bool:
    """Whether a cup holds nothing; where a log begins in mid-game, the cups are not known."""
    return of.cups_known(case) and not case.position.decks.get(of.cup_of(class_of(unit)))


def _waiting(case: AnyCase, event: Rolled) -> Battle[Any] | None:
    """The battle that a combat die is for, if it is its first."""
    battle = battlebook.numbered(case.in_phase.battles, event.battle)
    waits = battle is not None and not battle.rolled and event.reason in ("combat", "overrun")
    return battle if waits else None


def _of_return(of: ChitRules, case: AnyCase, event: Returned) -> Iterator[Fault]:
    marker, units = case.game.marker[event.marker], case.units(event.concerned)
    cup, goes = of.cup_of(marker.values["class"]), f"{event.marker} goes to {event.deck or 'none'}"
    back = of.starred_back(case, bool(on_map(units))) if marker.values.get("starred") else (True,)
    rows = (
        (
            event.deck is not None and True not in back,
            of.starred,
            f"{goes}; it has a star and leaves the game",
        ),
        (event.deck != cup and False not in back, of.back, f"{goes}, not back to {cup}"),
    )
    yield from first_that_holds(rows, "", event.concerned)


def _of_new(of: ChitRules, case: AnyCase, event: Returned) -> Iterator[Fault]:
    due, cup = entry_turn(case, event.marker), of.cup_of(case.game.marker[event.marker].values["class"])
    late = f"was due in turn {due}" if due else "was in its cup from the start"
    if event.deck != cup:
        yield Fault(of.new, f"{event.marker} goes into {event.deck}, the cup of another class")
    elif due > case.turn:
        yield Fault(of.new, f"{event.marker} is due in turn {due} and goes into its cup in {case.turn}")
    elif not _lay_in_play(case, event.marker) and (due, case.phase) != (case.turn, of.supply):
        text = f"{event.marker} goes into its cup from no unit; it {late}"
        once = ("chits from nowhere", case.turn, case.phase)
        yield Fault(of.new, text, verdict=Verdict.WARNING, once=once)


def _of_origin(of: ChitRules, case: AnyCase, event: Returned) -> Iterator[Fault]:
    """A chit into the cup that its unit does not carry, or one more than there are."""
    number = case.game.marker[event.marker].count
    if _in_play(case, event.marker) - _carried(case, event) + 1 > number:
        there = "there is one" if number == 1 else f"there are {number}"
        text = f"{event.marker} goes into {event.deck}: {there} in the game, in play and in the cup already"
        yield Fault(of.new, text, event.concerned, verdict=unless(case.by_hand))
        return
    for unit in case.units(event.concerned):
        died_before = not unit.on_map and unit.id not in dict(case.in_phase.chits.left)
        if not _carried(case, event) and not case.position.partial:
            text = f"{unit.id} carries no {event.marker}, and one goes into {event.deck}"
            yield Fault(of.new, text, (unit.id,), verdict=unless(case.by_hand or died_before))


def _carried(case: AnyCase, event: Returned) -> int:
    """Whether the unit has the chit under it, or left it when it died in this phase."""
    left = case.in_phase.chits.left.count((event.unit, event.marker))
    gone = len(case.in_phase.of(Returned, marker=event.marker, unit=event.unit))
    here = any(event.marker in unit.marks for unit in case.units(event.concerned))
    drawn = not gone and event.unit is not None and case.in_phase.chits.drawn.get(event.unit) == event.marker
    return int(here or left > gone or drawn)


def _in_play(case: AnyCase, marker: str) -> int:
    """In cups and under units; not what was drawn for none yet, or lies beside the dead."""
    cups = sum(chits.count(marker) for chits in case.position.decks.values())
    return cups + sum(marker in unit.marks for unit in case.position.units.values())


def _lay_in_play(case: AnyCase, marker: str) -> bool:
    """A chit that was drawn in this phase, or that a unit carries or carried when the phase began."""
    chits = case.in_phase.chits
    held = [unit.marks for at in (case.position, case.phase_start) for unit in at.units.values()]
    return marker in chits.in_hand or marker in chits.drawn.values() or any(marker in m for m in held)


def _just_arrives(of: ChitRules, case: AnyCase, event: Returned) -> bool:
    """Chits put into cups in the supply phase are reinforcements."""
    left = set().union(*case.in_phase.chits.returned.values())
    arrives = case.phase == of.supply and event.unit is None and event.deck is not None
    return arrives and event.marker not in left


def _laid(case: AnyCase, chit: str) -> list[Marked]:
    """Where a chit was put without being drawn."""
    laid = case.in_phase.of(Marked, marker=chit)
    return [event for event in laid if event.on not in case.in_phase.chits.drawn]
