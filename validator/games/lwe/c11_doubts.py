"""Chapters 11.8 to 11.28 where a log begins in mid-game: what a battle may come to, by what it does not show.

The weather, whether a fortified line has fallen, whether a pause has freed from the die for supply: a player
is right who is right in one of the cases.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import product

from validator.core.results import Result
from validator.games.lwe.battles import Battle
from validator.games.lwe.book import FROST, SNOW
from validator.games.lwe.c11_odds import ODDS, THAWED, Sum, sum_of
from validator.games.lwe.control import on_line
from validator.games.lwe.course import NORTH, SOUTH, may_be
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.state import Case


def other_sums(case: Case, battle: Battle, sum_: Sum, left_out: Collection[str]) -> list[Sum]:
    """All that differ from the one that was worked out."""
    shown = field_of(case).course.known and not case.position.partial
    fields = () if shown else _supposed(case, field_of(case), battle)
    sums = [sum_of(case, battle, left_out, field) for field in fields]
    others = [other for one in sums if one is not None for other in _with_and_without_pause(case, one)]
    unlike: list[Sum] = []
    unlike.extend(one for one in others if one != sum_ and one not in unlike)
    return unlike


def _supposed(case: Case, field: Field, battle: Battle) -> Iterator[Field]:
    line = case.position.partial and not on_line(case).isdisjoint(field.hexes(battle.targets))
    lines = [field.intact_lines, field.board.mask()] if line else [field.intact_lines]
    weathers = product(_kinds(may_be(case, NORTH)), _kinds(may_be(case, SOUTH)), lines)
    return (field.supposing(north, south, standing) for north, south, standing in weathers)


def _kinds(weathers: frozenset[str]) -> set[str]:
    """One of each kind that matters to a battle."""
    thawed = sorted(weathers & set(THAWED))
    return {*thawed[:1], *(weathers & {FROST, SNOW})}


def _with_and_without_pause(case: Case, sum_: Sum) -> Iterator[Sum]:
    yield sum_
    course = field_of(case).course
    if course.may_be_rested(case.turn) and not course.rested(case.turn):
        yield replace(sum_, supply=None)


def results_in_doubt(case: Case, battle: Battle) -> list[Result]:
    """What may have come of a battle whose result nobody named."""
    if battle.named is not None:
        return []
    cells = {ODDS.worksheet(case, sum_, battle.die).cell for sum_ in battle.doubts}
    possible = {ODDS.converted(case, battle, cell)[0] for cell in cells if cell is not None}
    return [result for cell in sorted(possible) if (result := ODDS.read(cell)) is not None]
