"""Chapters 11.8 to 11.28: which mistake a player's own sum of a battle fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from validator.core.battle import sides_across
from validator.core.board import HexId
from validator.core.strength import HALF, Change, Fighter, Per, Round, Rounding
from validator.games.lwe.battles import ZONE, Battle, battles
from validator.games.lwe.book import GERMAN
from validator.games.lwe.c11_odds import (
    AIR,
    CONCENTRIC,
    FIRST,
    ODDS,
    RIVER,
    ROUNDING,
    SUPPLY,
    Sum,
    barred_from_concentric,
    concentric_columns,
    concentric_rule,
    needs_supply_die,
    plain_rule,
    shift_for,
    supply_modifier,
)
from validator.games.lwe.control import on_line
from validator.games.lwe.course import AUGUST, RIVERLESS
from validator.games.lwe.field import field_of, printed
from validator.games.lwe.state import Case
from validator.model.position import all_have
from validator.procedures import battlebook
from validator.procedures.battle.mistakes import (
    changes_forgotten,
    defenders_left_out,
    forgotten,
    with_fighters,
)
from validator.procedures.faults import first_true


def mistakes(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Sums with one thing wrong, each with the rule that it breaks, the likeliest first."""
    yield from forgotten(sum_, {key: key for key in sum_.keys if key not in (AIR, CONCENTRIC)})
    yield from changes_forgotten(sum_)
    if sum_.reduced:
        yield from _of_rounding_reduced(sum_)
    yield from _of_free_rivers(case, battle, sum_)
    yield from _wrong_concentric(case, battle, sum_)
    yield from _of_air(case, battle, sum_)
    yield from _of_guns(sum_)
    yield plain_rule(sum_), replace(sum_, upward=True)
    yield from _of_ends(case, sum_)
    yield from _of_supply(case, battle, sum_)
    yield from ((_left_behind(case, battle, gone), some) for gone, some in defenders_left_out(sum_))
    yield from _of_factors(case, sum_)
    yield from _added(case, battle, sum_)


def _of_factors(case: Case, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """The wrong one of a counter's combat factors taken (2.10)."""
    for side, wrong in (("attack", "defense"), ("defense", "attack")):
        fighters: tuple[Fighter, ...] = getattr(sum_, side)
        units = case.units(one.unit for one in fighters)
        factors = [printed(unit, wrong if unit.has("mechanized") else side) for unit in units]
        others = tuple(replace(one, printed=factor) for one, factor in zip(fighters, factors, strict=True))
        if others != fighters:
            yield "lwe-2.10a", with_fighters(sum_, side, others)


def _of_rounding_reduced(sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Fractions kept, each unit rounded by itself, or rounded up."""
    yield "lwe-11.12a", replace(sum_, rounding=Rounding(Round.NONE))
    yield "lwe-1.3b", replace(sum_, rounding=replace(ROUNDING, per=Per.UNIT))
    yield "lwe-1.3b", replace(sum_, rounding=Rounding(Round.DOWN, Per.UNIT))
    yield "lwe-1.3a", replace(sum_, rounding=replace(ROUNDING, how=Round.UP))


def _of_free_rivers(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Halved for a river that counts for nothing (5.4, 10.6)."""
    board, river = field_of(case).board, Change(RIVER, "river", HALF)
    wet = {u for u, h in battle.attacker.stood.items() if "river" in sides_across(board, h, battle.targets)}
    free = case.turn in RIVERLESS and battle.attacker.side == GERMAN
    counted = any(river in one.changes for one in sum_.attack)
    halved = [replace(one, changes=(*one.changes, river)) if one.unit in wet else one for one in sum_.attack]
    if wet and not counted:
        yield "lwe-5.4c" if free else RIVER, replace(sum_, attack=tuple(halved))


def _wrong_concentric(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    field, rule = field_of(case), concentric_rule(case, battle)
    due = concentric_columns(case, field, battle)
    if due:
        bare = sum_.without(rule)
        yield rule, bare.shifted(rule, 3 - due)
        yield rule, bare
    elif battle.overrun:
        yield "lwe-9.24e", sum_.shifted("lwe-9.24e", 2)
    elif len(set(battle.attacker.stood.values())) > 1:
        barred = barred_from_concentric(case, field, battle)
        rule = "lwe-11.27c" if barred else CONCENTRIC
        yield rule, sum_.shifted(rule, 2)
        yield rule, sum_.shifted(rule, 1)


def _of_air(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    toward = 1 if battle.attacker.side == GERMAN else -1
    if battle.air:
        yield AIR, sum_.without(AIR)
        yield AIR, sum_.without(AIR).shifted(AIR, 2 * toward)
        yield AIR, sum_.without(AIR).shifted(AIR, -toward)


def _of_guns(sum_: Sum) -> Iterator[tuple[str, Sum]]:
    if sum_.artillery is not None:
        yield "lwe-11.26b", replace(sum_, uncapped=True)
        yield "lwe-11.26b", replace(sum_, artillery=None)


def _of_ends(case: Case, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    attack, defense = ODDS.forces(sum_)
    if attack.value >= 7 * defense.value:
        yield "lwe-11.28b", replace(sum_, held_first=True)


def _of_supply(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """A modifier of the die for supply that was not due, or left out (7.4)."""
    if battle.supply_die is None:
        return
    field = field_of(case)
    if needs_supply_die(case, field, battle) is None:
        yield SUPPLY, replace(sum_, supply=shift_for(case, battle.supply_die))
        return
    due = supply_modifier(case, field, battle)
    rule = "lwe-7.4c" if case.turn in AUGUST else "lwe-7.4b"
    for wrong in (-1, 0, 1, 2, 3):
        if wrong != due:
            yield rule, replace(sum_, supply=shift_for(case, battle.supply_die + wrong))
    yield SUPPLY, replace(sum_, supply=None)


def _left_behind(case: Case, battle: Battle, gone: set[str]) -> str:
    """The rule by which those left out defend."""
    if gone <= battlebook.retreated(battles(case), overruns=True):
        return "lwe-9.30a" if battle.overrun else "lwe-11.34a"
    zone = len(gone) == 1 and all_have(case.units(gone), ZONE)
    return "lwe-11.24b" if zone else "lwe-11.2a"


def _added(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Shifts that are not due."""
    board, target = field_of(case).board, battle.targets[0]
    if FIRST not in sum_.keys and battle.attacker.side == GERMAN:
        rule = "lwe-9.30b" if battle.overrun else FIRST
        yield rule, sum_.shifted(rule, 1)
    sheltered = any(shift.columns < 0 for shift in sum_.shifts)
    if board.terrain[target] == "clear" and not sheltered:
        rule = _of_clear_ground(case, battle, target)
        yield rule, sum_.shifted(rule, -1)
    if battle.overrun:
        yield "lwe-9.30b", sum_.shifted("lwe-9.30b", -1)


def _of_clear_ground(case: Case, battle: Battle, target: HexId) -> str:
    """The rule by which nothing in a clear hex helps the defender."""
    board = field_of(case).board
    hex_ = board.hexes[target]
    return first_true(
        (battle.defender.side == GERMAN and hex_ in on_line(case), "lwe-11.23a"),
        (hex_ in case.in_game.ruined, "lwe-11.23c"),
        (board.has_place(target, "small-town"), "lwe-11.20a"),
        otherwise="lwe-11.13a",
    )
