"""Chapter 5: interdiction: armor that moves into or out of a hex which an enemy bomber watches."""

from __future__ import annotations

from dataclasses import dataclass

from validator.core.board import HexId
from validator.engine.rulebook import JUDGED, Faults
from validator.games.wie.book import ENEMY, EXPLOIT, INTERDICTION_DIE, MOVE, RULES, both
from validator.games.wie.field import field_of
from validator.games.wie.state import Case
from validator.games.wie.units import ARMOR, on_the_map
from validator.model.events import AFTER_COMBAT, Moved, Removed, Rolled
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit, having
from validator.procedures.ask_each import each, note_each

MOVING = both(MOVE, EXPLOIT)
LOST, STAYS = 1, 3
"""Up to which die a unit is lost, or does not move."""


@dataclass(frozen=True)
class Gauntlet:
    """A unit that moves under interdiction, and its die; None if there is none for it."""

    unit: str
    die: int | None
    leaves: bool  # the hex that is watched, or one on its way
    named: bool  # the die was rolled for this unit by name


def watched_by(case: Case, side: str) -> set[HexId]:
    """Hexes that bombers of a side watch."""
    watching = case.in_game.interdicting
    planes = on_the_map(case.units(watching))
    return {watching[plane.id] for plane in planes if plane.side == side}


def under_interdiction(case: Case, event: Moved) -> list[Gauntlet]:
    """Armor that moves into or out of a hex that a bomber watches; retreats and advances are no moves.

    Dice that were rolled for nobody by name are those of the next units that need one, the highest first.
    """
    way = field_of(case).ids(event.path)
    named, left = case.in_phase.interdicted, sorted(case.in_phase.nobodys_dice)
    units = having(case.units(() if event.mode in AFTER_COMBAT else event.units), ARMOR)
    watched = {unit.id: watched_by(case, ENEMY[unit.side]) for unit in units}
    armor = [name for name, hexes in watched.items() if not hexes.isdisjoint(way)]
    waiting = [name for name in armor if name not in named]
    dice = {**named, **dict(zip(waiting, reversed(left), strict=False))}
    out = {name for name in armor if not watched[name].isdisjoint(field_of(case).ids(event.path[:-1]))}
    return [Gauntlet(name, dice.get(name), name in out, name in named) for name in armor]


@RULES.track(Rolled, when=JUDGED, reason=INTERDICTION_DIE)
def note_interdiction(case: Case, event: Rolled) -> None:
    if event.about:
        case.in_phase.interdicted[event.about] = event.values[0]
    else:
        case.in_phase.nobodys_dice += event.values


@RULES.track(Moved, when=JUDGED, phases=MOVING)
@note_each(under_interdiction)
def a_die_finds_its_unit(case: Case, event: Moved, gauntlet: Gauntlet) -> None:
    if gauntlet.die is not None and not gauntlet.named:
        case.in_phase.nobodys_dice.remove(gauntlet.die)
        case.in_phase.interdicted[gauntlet.unit] = gauntlet.die


@RULES.track(Removed, when=JUDGED, phases=MOVING)
def a_one_is_paid(case: Case, event: Removed) -> None:
    if event.unit not in case.in_phase.interdicted and may_be_the_one(case, case.unit(event.unit)):
        case.in_phase.nobodys_dice.remove(LOST)


def may_be_the_one(case: Case, unit: Unit) -> bool:
    """Whether a 1 under interdiction, rolled for nobody by name, can have been its die."""
    return LOST in case.in_phase.nobodys_dice and unit.on_map and unit.has(ARMOR)


@RULES.rule("wie-air.10")
@RULES.before(Moved, phases=MOVING)
@each(under_interdiction)
def armor_runs_the_gauntlet(case: Case, event: Moved, gauntlet: Gauntlet) -> Faults:
    """A die before it enters or leaves a hex that an enemy bomber watches: 1 is lost, 2 and 3 stay in it."""
    name, die = gauntlet.unit, gauntlet.die
    if die is None:
        text = f"{name} moves into or out of a hex that a bomber watches, without a die"
        yield Fault("wie-air.10", text, (name,))
    elif die == LOST or (die <= STAYS and gauntlet.leaves):
        what = "is destroyed" if die == LOST else "does not leave the hex"
        yield Fault("wie-air.10", f"{name} rolled {die} under interdiction and {what}", (name,))


@RULES.rule("wie-air.10")
@RULES.at_phase_end(*both(MOVE))
def who_rolled_1_is_lost(case: Case) -> Faults:
    for unit in case.units(name for name, die in case.in_phase.interdicted.items() if die == LOST):
        if unit.on_map:
            text = f"{unit.id} rolled 1 under interdiction and is not removed"
            yield Fault("wie-air.10", text, (unit.id,))
    if LOST in case.in_phase.nobodys_dice:
        yield Fault("wie-air.10", "a 1 was rolled under interdiction, and no armor is removed")


@RULES.rule("wie-air.20")
@RULES.before(Rolled, reason=INTERDICTION_DIE)
def interdiction_dice_are_for_armor(case: Case, event: Rolled) -> Faults:
    if event.about in case.in_phase.interdicted:
        text = f"{event.about} rolls twice under interdiction in one phase"
        yield Fault("wie-air.20", text, event.concerned, verdict=Verdict.WARNING)
