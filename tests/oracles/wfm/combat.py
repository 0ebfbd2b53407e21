"""Chapters 2.4, 8.1 to 8.6 and 11.27: a battle worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from fieldpost.hexes import Hex, distance
from tests.oracles.wfm.field import LACK, OUT, SNOW, SOVIET, Piece, Position, game, ground

MAJOR = {"major-river", "strait", "ice-road"}  # 8.43, 8.46
RIVERS = MAJOR | {"minor-river"}
FIRST_WINTER, LATER_WINTERS = 3, 1  # 11.27, 11.28
SUPPORT, REACH = 3, 3  # 8.62
HIGHEST = 10


@dataclass(frozen=True)
class Battle:
    attackers: tuple[Piece, ...]
    target: Hex


def factor(piece: Piece, name: str, times: int = 1) -> int:
    """9.52, 9.53, 2.4: what is halved and doubled stays; a unit that is halved is rounded up."""
    if piece.has("draws-strength"):
        assert piece.chit is not None
        marker, face = piece.chit
        value = Fraction(int(game().marker[marker].values[name if face == 1 else f"back-{name}"]))
    else:
        value = Fraction(piece.printed(name))
    if piece.status == OUT or (piece.status == LACK and name == "attack"):
        value /= 2
    return ceil(value * times)


def may_attack(position: Position, piece: Piece, target: Hex) -> bool:
    """8.21, 8.24, 8.46"""
    if target not in ground().near[piece.hex]:
        return False
    kinds = ground().kinds[piece.hex, target]
    if kinds & {"sea", "lake", "causeway"} or ("ice-road" in kinds and not position.crosses_ice(piece)):
        return False
    return factor(piece, "attack") > 0


def may_attack_together(pieces: Sequence[Piece]) -> bool:
    """8.36"""
    return len({piece.ally for piece in pieces} - {""}) < 2


def attack(battle: Battle) -> int:
    return sum(factor(piece, "attack") for piece in battle.attackers)


def defense(position: Position, battle: Battle) -> int:
    """8.42 to 8.46"""
    sides = [ground().kinds[piece.hex, battle.target] & RIVERS for piece in battle.attackers]
    there = position.at(battle.target)
    if all(sides) and any(kinds & MAJOR for kinds in sides):
        return sum(factor(piece, "defense", 2) for piece in there)
    total = sum(factor(piece, "defense") for piece in there)
    if not all(sides):
        return total
    return total + (1 if total == 1 else 2)


def row(position: Position, battle: Battle) -> str:
    """8.1, step 4; 8.47, 5.27"""
    target = battle.target
    fortress = ground().has(target, "fortress")
    if ground().has(target, "major-city") or (fortress and battle.attackers[0].side != SOVIET):
        return "major-city"
    if fortress or ground().has(target, "minor-city"):
        return "minor-city"
    terrain = ground().terrain[target]
    return "forest" if terrain == "swamp" and position.season == SNOW else terrain


def column(position: Position, battle: Battle) -> str:
    """8.1, steps 3 and 4"""
    table = game().table["odds"]
    labels = [table.cell(row(position, battle), name) for name in table.columns]
    odds = Fraction(attack(battle), defense(position, battle))
    ratios = [Fraction(*map(int, label.split(":"))) for label in labels]
    return table.columns[max((i for i, ratio in enumerate(ratios) if ratio <= odds), default=0)]


def die_modifier(position: Position, battle: Battle) -> int:
    """8.1, step 6"""
    total = 0
    if position.season == SNOW:
        total += FIRST_WINTER if position.turn <= 11 else LATER_WINTERS
    groups = [unit for unit in position.of(SOVIET) if unit.has("osg")]
    if battle.attackers[0].side == SOVIET and any(distance(u.hex, battle.target) <= REACH for u in groups):
        total += SUPPORT
    return total


def result(position: Position, battle: Battle, die: int) -> str:
    final = min(die + die_modifier(position, battle), HIGHEST)
    return game().table["combat-results"].cell(str(final), column(position, battle))
