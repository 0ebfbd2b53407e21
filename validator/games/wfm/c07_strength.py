"""Chapters 2.4 and 7: halving and doubling, and the strengths of Soviet armies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fieldpost.hexes import Hex
from validator.core.strength import HALF, Change, Fighter
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wfm.battles import (
    FIGHTING,
    battles,
    numbered,
    strength_marker,
)
from validator.games.wfm.book import AXIS, RULES, SOVIET
from validator.games.wfm.field import Field, field_of
from validator.games.wfm.state import Case
from validator.model.events import Drawn, Marked, Removed, Returned, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures.battlebook import units_of
from validator.procedures.field import printed
from validator.procedures.supplymarks import lack_of_supply, out_of_supply

OUT, LACK = Change("wfm-9.52", "out of supply", HALF), Change("wfm-9.53", "lack of supply", HALF)
ATTACK, DEFENSE = "attack", "defense"
STRENGTH = "strength"


def strength(case: Case, unit: Unit, factor: str) -> int | None:
    """A printed strength, on the counter or on the marker of an army; None without a marker."""
    if not unit.has("draws-strength"):
        return printed(unit, factor)
    marker = strength_marker(unit)
    if marker is None:
        return None
    face = "" if unit.marks[marker] == 1 else "back-"
    return int(case.game.marker[marker].values[f"{face}{factor}"])


def fighter(case: Case, unit: Unit, factor: str) -> Fighter | None:
    """A unit in a battle: Out of Supply halves both strengths, Lack of Supply the attack (9.52, 9.53)."""
    value = strength(case, unit, factor)
    if value is None:
        return None
    halved = OUT if out_of_supply(unit) else LACK if lack_of_supply(unit) and factor == ATTACK else None
    return Fighter(unit.id, Fraction(value), (halved,) if halved else ())


def halved_together(fighters: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """The mistake of 2.4: adding up first and halving the sum."""
    whole = [f for f in fighters if not f.changes]
    halved = [f for f in fighters if f.changes]
    if len(halved) < 2:
        return fighters
    name = "+".join(f.unit for f in halved)
    return (*whole, Fighter(name, sum((Fraction(f.printed) for f in halved), Fraction(0)), halved[0].changes))


def rounded_early(fighters: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """The mistake of 2.4: rounding the half before it is doubled."""
    return tuple(Fighter(f.unit, -(-f.printed // 2)) if f.changes else f for f in fighters)


# --- drawing strength markers (7.1) ------------------------------------------------------------


def is_strength(case: Case, marker: str) -> bool:
    return case.game.marker[marker].kind == STRENGTH


@RULES.rule("wfm-7.14a", "wfm-7.14b", "wfm-7.15")
@RULES.before(Drawn)
def markers_are_drawn_from_their_own_cup_and_kept(case: Case, event: Drawn) -> Faults:
    if is_strength(case, event.marker) and event.unit is not None:
        yield from _of_draw(case, event, case.position.units[event.unit])


@RULES.track(Drawn, when=JUDGED)
def note_the_draw(case: Case, event: Drawn) -> None:
    if is_strength(case, event.marker) and event.unit is not None:
        case.in_phase.strength_drawn[event.unit] = event.marker
    elif is_strength(case, event.marker):
        case.in_phase.strength_in_hand[event.marker] = event


def _of_draw(case: Case, event: Drawn, unit: Unit) -> Iterator[Fault]:
    wanted = str(unit.type.values.get("class", "")) if unit.has("draws-strength") else ""
    drawn = str(case.game.marker[event.marker].values["class"])
    if not wanted:
        yield Fault("wfm-7.14a", f"{unit.id} is no army: it has no strength marker", (unit.id,))
    elif drawn != wanted or event.deck != f"csm-{wanted.lower()}":
        text = f"{unit.id} is of class {wanted}; {event.marker} was drawn from {event.deck}"
        yield Fault("wfm-7.14a", text, (unit.id,))
    elif unit.id in case.in_phase.strength_drawn or strength_marker(unit) is not None:
        yield Fault("wfm-7.14b", f"{unit.id} had its strength marker; another was drawn", (unit.id,))
    else:
        yield from _not_in_cup(case, event, unit)


def _not_in_cup(case: Case, event: Drawn, unit: Unit) -> Iterator[Fault]:
    """7.15: the cups hold what has arrived by now; 16.44 tells for Turning Point."""
    cups = case.position.decks
    unknown = case.scenario.id == "turning-point" or not any(cups.values())
    if unknown or event.marker in cups.get(event.deck, ()):
        return
    enters = case.game.marker[event.marker].enters or ""
    due = int(enters.removeprefix("GT")) if enters.startswith("GT") else 0
    verdict = Verdict.ILLEGAL if due > case.turn else Verdict.WARNING
    text = f"{event.marker} was not in the cup {event.deck}" + (f": it arrives in turn {due}" if due else "")
    yield Fault("wfm-7.15", text, (unit.id,), verdict=verdict)


@RULES.rule("wfm-7.16")
@RULES.before(Marked)
def a_fresh_marker_shows_its_stronger_side(case: Case, event: Marked) -> Faults:
    if not is_strength(case, event.marker) or not isinstance(event.on, str):
        return
    unit, drawn = case.position.units[event.on], case.in_phase.strength_drawn.get(event.on)
    in_hand = None if event.marker in unit.marks else case.in_phase.strength_in_hand.get(event.marker)
    if in_hand is not None:
        yield from _of_draw(case, in_hand, unit)
    elif event.marker not in unit.marks and drawn != event.marker:
        text = f"{event.marker} came to {unit.id} without being drawn"
        yield Fault("wfm-7.14a", text, (unit.id,), verdict=Verdict.WARNING)
    just_drawn = in_hand is not None or drawn == event.marker
    if event.face == 2 and just_drawn and not _may_be_a_loss(case, unit.id):
        text = f"{event.marker}, just drawn for {unit.id}, lies with its weaker side up"
        yield Fault("wfm-7.16", text, (unit.id,))


@RULES.track(Marked, when=JUDGED)
def note_the_unit_of_a_drawn_marker(case: Case, event: Marked) -> None:
    new = isinstance(event.on, str) and event.marker not in case.position.units[event.on].marks
    if new and case.in_phase.strength_in_hand.pop(event.marker, None) is not None:
        case.in_phase.strength_drawn[str(event.on)] = event.marker


def _may_be_a_loss(case: Case, name: str) -> bool:
    """In a battle, or by an attrition die for an army that had no marker to turn over yet."""
    if case.phase == "supply":
        return any(isinstance(e, Rolled) and e.reason == "attrition" for e in case.in_phase.events)
    return any(battle.rolled and battle.party(name) for battle in battles(case))


@RULES.rule("wfm-7.11")
@RULES.before(Rolled, phases=FIGHTING)
def armies_that_fight_have_a_marker(case: Case, event: Rolled) -> Faults:
    battle = numbered(case, event.battle) if event.reason in ("combat", "overrun") else None
    if battle is None or battle.rolled:
        return
    names = [n for n in (*battle.attacker.steps, *battle.defender.steps) if n not in battle.attacker.doubtful]
    for unit in units_of(case, names):
        if unit.has("draws-strength") and strength_marker(unit) is None:
            yield Fault("wfm-7.11", f"{unit.id} fights without a strength marker", (unit.id,), _where(unit))


def _where(unit: Unit) -> tuple[Hex, ...]:
    return (unit.hex,) if unit.on_map else ()


@RULES.rule("wfm-7.11")
@RULES.at_phase_end(*FIGHTING)
def who_draws_a_marker_fights(case: Case) -> Faults:
    """The draw may come before its battle is declared, not instead of one."""
    for name, marker in case.in_phase.strength_drawn.items():
        fought = any(battle.party(name) is not None for battle in battles(case))
        if not fought and case.position.units[name].on_map:
            text = f"{marker} was drawn for {name}, which fought nobody in this phase"
            yield Fault("wfm-7.11", text, (name,), _where(case.position.units[name]), verdict=Verdict.WARNING)


# --- taking them off (7.2) ---------------------------------------------------------------------


@RULES.rule("wfm-7.23", "wfm-7.24")
@RULES.before(Returned)
def markers_go_back_where_they_came_from(case: Case, event: Returned) -> Faults:
    if not is_strength(case, event.marker):
        return
    marker = case.game.marker[event.marker]
    cup = f"csm-{str(marker.values['class']).lower()}"
    if event.unit is None and event.deck is not None and _just_arrives(case, event):
        return
    if marker.values.get("starred"):
        if event.deck is not None and not _moscow_fell(case):
            yield Fault("wfm-7.24", f"{event.marker} has a star: it leaves the game, not to {event.deck}")
    elif event.deck != cup:
        where = event.deck or "out of the game"
        yield Fault("wfm-7.23", f"{event.marker} goes back to {cup}, not {where}", _units(event))


@RULES.track(Returned)
def note_the_return(case: Case, event: Returned) -> None:
    if is_strength(case, event.marker) and event.unit is not None:
        case.in_phase.strength_returned.setdefault(event.unit, set()).add(event.marker)


def _units(event: Returned) -> tuple[str, ...]:
    return (event.unit,) if event.unit else ()


def _just_arrives(case: Case, event: Returned) -> bool:
    """Markers put into cups in the supply phase are reinforcements, of whatever kind (13.32)."""
    return case.phase == "supply" and not any(
        event.marker in marks for marks in case.in_phase.strength_returned.values()
    )


def _moscow_fell(case: Case) -> bool:
    return any(isinstance(e, Rolled) and "moscow" in e.reason.lower() for e in case.in_game.events)


@RULES.track(Removed)
def a_dead_army_leaves_its_marker(case: Case, event: Removed) -> None:
    marker = strength_marker(case.position.units[event.unit])
    if marker is not None:
        case.in_phase.strength_left.append((event.unit, marker))


@RULES.rule("wfm-7.22")
@RULES.at_phase_end()
def markers_of_dead_armies_go_too(case: Case) -> Faults:
    back = [e.marker for e in case.in_phase.events if isinstance(e, Returned)]
    for army, marker in case.in_phase.strength_left:
        if marker in back:
            back.remove(marker)
            continue
        taken = [e for e in case.in_phase.events if isinstance(e, Marked) and e.marker == marker]
        if any(e.on != army and e.face and e.on not in case.in_phase.strength_drawn for e in taken):
            yield Fault("wfm-7.22", f"{marker} of {army} went to another unit", (army,))
        elif case.phase != "admin":
            yield Fault("wfm-7.22", f"{army} was eliminated; its {marker} was not taken off", (army,))


@RULES.rule("wfm-7.12", "wfm-7.21")
@RULES.at_phase_end("admin")
def markers_lie_where_the_enemy_is_adjacent(case: Case) -> Faults:
    field = field_of(case)
    for hex_id, unit in field.of_side(SOVIET):
        if not unit.has("draws-strength"):
            continue
        faced, marker = beside_enemy(field, hex_id), strength_marker(unit)
        if faced and marker is None:
            gone = case.in_phase.strength_returned.get(unit.id)
            rule, text = "wfm-7.12", f"{unit.id} is adjacent to an Axis unit and has no strength marker"
            if gone:
                rule, text = "wfm-7.21", f"{unit.id} is adjacent to an Axis unit; its {min(gone)} stays"
            yield Fault(rule, text, (unit.id,), (field.board.hexes[hex_id],))
        elif not faced and marker is not None:
            text = f"{unit.id} is not adjacent to an Axis unit; {marker} must be taken off"
            yield Fault("wfm-7.21", text, (unit.id,), (field.board.hexes[hex_id],))


def beside_enemy(field: Field, hex_id: int) -> bool:
    """Whatever the enemy unit, and whatever the hexside."""
    return any(field.occupied(AXIS)[near] for near in field.board.adjacent[hex_id])
