"""Chapters 8.1, 8.4 and 11.2: a battle worked out, and which mistake a player's own result fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from validator.core.battle import all_across, sides_across
from validator.core.board import HexId
from validator.core.odds import Columns, Shift
from validator.core.results import Modifier
from validator.core.strength import Change, Fighter, Rounding, total
from validator.games.wfm.battles import Battle
from validator.games.wfm.book import AXIS, ENEMY, SOVIET
from validator.games.wfm.c07_strength import HALVING, halved_together, rounded_early
from validator.games.wfm.c10_air import SIEGE, air_shift, destroyed, fleets, group_supports, siege_fault
from validator.games.wfm.field import CLEAR, SNOW, Field, field_of
from validator.games.wfm.state import Case
from validator.procedures.battle import odds
from validator.procedures.battle.armies import results_in_steps_or_hexes
from validator.procedures.battle.mistakes import (
    attackers_used_in_part,
    changes_forgotten,
    defenders_left_out,
    forgotten,
)
from validator.procedures.battle.odds import Sum
from validator.procedures.faults import first_true
from validator.procedures.printedvalues import die_modifier

MINOR, MAJOR = "minor-river", ("major-river", "strait")
FIRST_WINTER = 11
OVERRUN, GROUP, GUN, AIR, WINTER = "overrun", "osg", "siege", "air", "winter"
MAJOR_RIVER = Change("major-river", "major river", 2)
GRAMMAR = results_in_steps_or_hexes("defender", r"NE|-|none|no effect")


class Odds(odds.Odds[Battle, Sum]):
    grammar, high = GRAMMAR, 10

    def sum_of(self, case: Case, battle: Battle, left_out: Collection[str] = ()) -> Sum | None:
        forces = HALVING.forces(case, battle, left_out)
        if forces is None:
            return None
        field = field_of(case)
        targets = [field.board.hexes[h] for h in battle.targets]
        side, shift = battle.attacker.side, air_shift(case, battle.attacker.side, targets)
        return Sum(
            *forces,
            of_defense=river(case, field, battle, forces[1]),
            shifts=(Shift(AIR, "air support", shift),) if shift else (),
            modifiers=tuple(_modifiers(case, battle)),
            rows=tuple(dict.fromkeys(row_of(case, field, h, ENEMY[side]) for h in battle.targets)),
        )

    def scales(self, case: Case, sum_: Sum) -> Sequence[Columns]:
        table = case.game.table["odds"]
        cells = ([table.cell(row, column) for column in table.columns] for row in sum_.rows)
        return [Columns.from_cells(row, table.columns) for row in cells]


ODDS = Odds()


# --- what goes in ----------------------------------------------------------------------------


def river(case: Case, field: Field, battle: Battle, defense: Sequence[Fighter]) -> tuple[Change, ...]:
    """8.42 to 8.46: only if every attacker comes across a river."""
    ice = "ice-road"
    minor = (MINOR, ice) if case.option("ice-road-combat") == "minor-river" else (MINOR,)
    major = MAJOR if ice in minor else (*MAJOR, ice)
    stood = list(battle.attacker.stood.values())
    if not all_across(field.board, stood, battle.targets, (*minor, *major)):
        return ()
    crossed = frozenset().union(*(sides_across(field.board, hex_id, battle.targets) for hex_id in stood))
    return (MAJOR_RIVER,) if crossed.intersection(major) else (minor_river(defense),)


def minor_river(defense: Sequence[Fighter]) -> Change:
    """+2, or +1 for a defence of one point."""
    return Change("minor-river", "minor river", plus=1 if total(defense, Rounding()).value == 1 else 2)


def row_of(case: Case, field: Field, hex_id: HexId, defender: str) -> str:
    """The row of odds by the defender's ground (8.1 step 4, 8.47, 5.27)."""
    places, terrain = field.board.place_kinds(hex_id), field.board.terrain[hex_id]
    fortress = "fortress" in places
    stands = fortress and defender == SOVIET and not destroyed(case, field.board.hexes[hex_id])
    return first_true(
        (stands or "major-city" in places, "major-city"),
        (fortress or "minor-city" in places, "minor-city"),
        (terrain == "swamp" and field.season == SNOW, "forest"),
        otherwise=terrain,
    )


def printed_modifier(case: Case, key: str, otherwise: int) -> int:
    return die_modifier(case.game, ODDS.table, key, otherwise)


def support_group(case: Case) -> Modifier:
    """8.62"""
    return Modifier(GROUP, "offensive support group", printed_modifier(case, GROUP, 3))


def siege_gun(case: Case) -> Modifier:
    """8.71"""
    return Modifier(GUN, "siege artillery", printed_modifier(case, GUN, 4))


def overrun(case: Case) -> Modifier:
    """6.1"""
    return Modifier(OVERRUN, OVERRUN, printed_modifier(case, OVERRUN, 1))


def winter(case: Case) -> int:
    """11.27, 11.28"""
    first = case.turn <= FIRST_WINTER
    key, usual = ("first-winter", 3) if first else ("later-winters", 1)
    return printed_modifier(case, key, usual) if case.season == SNOW else 0


def _modifiers(case: Case, battle: Battle) -> Iterator[Modifier]:
    return (modifier for modifier in _due(case, battle) if modifier.value)


def _due(case: Case, battle: Battle) -> Iterator[Modifier]:
    side = battle.attacker.side
    targets = [field_of(case).board.hexes[h] for h in battle.targets]
    if winter(case) and (side == SOVIET or case.option("winter-die") == "both"):
        yield Modifier(WINTER, "snow", winter(case))
    if battle.overrun:
        yield overrun(case)
    if group_supports(case, side, targets):
        yield support_group(case)
    if SIEGE in battle.support and SIEGE not in battle.accused:
        yield siege_gun(case)


# --- which mistake it was ----------------------------------------------------------------------


def mistakes_of_odds(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Mistakes that show in the column already."""
    if fleets(case):
        yield from mistakes_of_air(case, battle, sum_)
    yield "wfm-2.4a", replace(sum_, attack=halved_together(sum_.attack))
    yield "wfm-2.4a", replace(sum_, defense=halved_together(sum_.defense))
    yield "wfm-2.4b", replace(sum_, defense=rounded_early(sum_.defense))
    yield from changes_forgotten(sum_)
    yield from _of_rivers(sum_)
    yield "wfm-8.1a", replace(sum_, upward=True)
    yield from (("wfm-8.22", some) for _, some in defenders_left_out(sum_))
    yield from (("wfm-8.23c", part) for part in attackers_used_in_part(sum_))


def mistakes_of_air(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    axis = battle.attacker.side == AXIS
    own = first_true((battle.overrun and axis, "wfm-6.29a"), (axis, "wfm-8.52"), otherwise="wfm-8.53")
    toward, bare = 1 if axis else -1, sum_.without(AIR)
    if sum_.value(AIR):
        yield own, bare
        yield "wfm-8.54", bare.shifted(AIR, 2 * toward)
    else:
        yield "wfm-8.55" if case.season != CLEAR else own, sum_.shifted(AIR, toward)


def _of_rivers(sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """A river that does not count, left out, or taken for another."""
    minor, river = minor_river(sum_.defense), sum_.of_defense
    wrong: list[tuple[str, tuple[Change, ...]]] = first_true(
        (not river, [("wfm-8.42", (minor,)), ("wfm-8.43", (MAJOR_RIVER,))]),
        (river == (MAJOR_RIVER,), [("wfm-8.43", ()), ("wfm-8.43", (minor,))]),
        otherwise=[("wfm-8.42", changes) for changes in ((), (MAJOR_RIVER,), (replace(minor, plus=2),))],
    )
    for rule, changes in wrong:
        yield rule, replace(sum_, of_defense=changes)


def mistakes_of_result(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Modifiers forgotten, another row read, modifiers that were not due."""
    if fleets(case):
        yield from mistakes_of_air(case, battle, sum_)
    yield from _left_out(case, battle, sum_)
    if battle.city:
        yield from _siege(case, battle, sum_)
    yield from _of_row(case, battle, sum_)
    if battle.announced is None:
        yield from mistakes_of_odds(case, battle, sum_)
    yield from _added(case, battle, sum_)
    yield from mistakes_of_air(case, battle, sum_)


def _left_out(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Modifiers of the die that are due and were forgotten, or taken for another."""
    season = "wfm-11.27" if case.turn <= FIRST_WINTER else "wfm-11.28"
    group = "wfm-6.29b" if battle.overrun else "wfm-8.64"
    yield from forgotten(sum_, {OVERRUN: "wfm-6.1b", WINTER: season, GROUP: group, GUN: "wfm-8.71"})
    if sum_.value(WINTER):
        yield season, sum_.without(WINTER).plus(Modifier(WINTER, "snow", 4 - sum_.value(WINTER)))


def _siege(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    if battle.attacker.side == AXIS and not sum_.value(GUN):
        yield "wfm-8.71" if siege_fault(case, battle) else "wfm-8.72", sum_.plus(siege_gun(case))


def _added(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    """Modifiers that were not due."""
    if battle.attacker.side == SOVIET:
        yield "wfm-8.62", sum_.plus(support_group(case))
    if not battle.overrun:
        yield "wfm-8.1c", sum_.plus(overrun(case))
    yield from _siege(case, battle, sum_)
    yield "wfm-8.1c", replace(sum_, modifiers=())


def _of_row(case: Case, battle: Battle, sum_: Sum) -> Iterator[tuple[str, Sum]]:
    board = field_of(case).board
    fortress = any(board.has_place(h, "fortress") for h in battle.targets)
    rule = first_true((len(sum_.rows) > 1, "wfm-8.35"), (fortress, "wfm-8.47"), otherwise="wfm-8.1b")
    for row in case.game.table["odds"].rows:
        yield rule, replace(sum_, rows=(row.id,))


read_result = ODDS.read
