"""Chapters 7.1, 8.1 to 8.4, 9.5, 13 and 14.1: a battle worked out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from fieldpost.hexes import Hex, adjacent, distance
from tests.oracles.ftm.field import AXIS, LACK, OUT, SNOW, SOVIET, Piece, Position, game, ground
from tests.oracles.ftm.movement import HOME

COLUMNS = ("1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1")
RATIOS = (Fraction(1, 3), Fraction(1, 2), *(Fraction(number) for number in range(1, 8)))
RIVERS = {"minor-river", "major-river", "strait", "frozen-access"}


@dataclass(frozen=True)
class Battle:
    """Who attacks which hex, from where they stand, with what support."""

    attackers: tuple[Piece, ...]
    target: Hex
    air: bool = False
    gun: bool = False
    overrun: bool = False


def factor(piece: Piece, name: str) -> int:
    """8.1, step 1: printed, or on the strength chit; 9.5 halves and rounds up."""
    if piece.has("draws-strength"):
        assert piece.chit is not None
        marker, face = piece.chit
        value = int(game().marker[marker].values[name if face == 1 else f"back-{name}"])
    else:
        value = piece.printed(name)
    halved = piece.status == OUT or (piece.status == LACK and name == "attack")
    return ceil(Fraction(value, 2)) if halved else value


def attack(battle: Battle) -> int:
    return sum(factor(piece, "attack") for piece in battle.attackers)


def defense(position: Position, battle: Battle) -> int:
    """8.3.3: all units in the hex; 8.4.1: rivers change the total, if all attack across them."""
    total = sum(factor(piece, "defense") for piece in position.at(battle.target))
    if position.option("out-defense") == "stack":
        total = _halved_together(position, battle)
    sides = [ground().side(piece.hex, battle.target) & RIVERS for piece in battle.attackers]
    if not all(sides):
        return total
    major = any(kinds & {"major-river", "strait"} for kinds in sides)  # 8.4.2
    return 2 * total if major else total + 2


def _halved_together(position: Position, battle: Battle) -> int:
    there = position.at(battle.target)
    whole = [factor(piece, "defense") for piece in there if piece.status != OUT]
    out = [piece for piece in there if piece.status == OUT]
    full = sum(factor(Piece(p.name, p.hex, p.step, "", p.chit), "defense") for p in out)
    return sum(whole) + ceil(Fraction(full, 2))


def column(position: Position, battle: Battle) -> int:
    """8.1, step 2, in the defender's favor; 8.2: shifts begin at the end columns."""
    odds = Fraction(attack(battle), defense(position, battle))
    start = max((i for i, ratio in enumerate(RATIOS) if ratio <= odds), default=0)
    shift = 2 * battle.air - terrain_shift(position, battle.target)  # 14.1, 8.4
    return min(max(start + shift, 0), len(COLUMNS) - 1)


def terrain_shift(position: Position, hex_: Hex) -> int:
    row = "city" if ground().has(hex_, "city") else ground().terrain[hex_]
    cell = game().table["terrain-effects"].cell(row, "combat-snow" if position.season == SNOW else "combat")
    return int(cell[0]) if cell.endswith("L") else 0


def die_modifier(position: Position, battle: Battle) -> int:
    """8.2.1: cumulative."""
    side = battle.attackers[0].side
    total = 4 * battle.gun  # 8.1, step 3
    if side == SOVIET:
        total += support(position, battle.target)
    if position.season == SNOW:  # 18.2.3, 18.2.4
        total += 1 if side == SOVIET else -1
    return total


def support(position: Position, target: Hex) -> int:
    """13.0"""
    units = [unit for unit in position.of(SOVIET) if unit.has("offensive-support")]
    number = sum(distance(unit.hex, target) <= 3 for unit in units)
    return 3 * (number if position.option("support-sum") == "each" else min(number, 1))


def result(position: Position, battle: Battle, die: int) -> str:
    """8.1, step 5; 7.1: an overrun below 1:3 is A2."""
    if battle.overrun and 3 * attack(battle) < defense(position, battle):
        return "A2"
    final = min(max(die + die_modifier(position, battle), 1), 9)
    return game().table["combat-results"].cell(str(final), COLUMNS[column(position, battle)])


def results(position: Position, battle: Battle) -> list[str]:
    return [result(position, battle, die) for die in range(1, 7)]


def may_attack(position: Position, piece: Piece, target: Hex) -> bool:
    """8.3.6, 8.3.8, 8.3.9, 8.4.2, 8.4.3"""
    if piece.has("never-attacks") or not adjacent(piece.hex, target):
        return False
    kinds = ground().side(piece.hex, target)
    if kinds & {"sea", "lake", "rail-bridge"}:
        return False
    if "frozen-access" in kinds and not (position.season == SNOW and piece.has("frozen-access")):
        return False
    if "strait" in kinds and piece.has("armor"):
        return False  # panzers too: the text leaves them open
    return factor(piece, "attack") > 0


def may_attack_together(pieces: Sequence[Piece]) -> bool:
    """8.3.7"""
    allies = {nation for nation in HOME for p in pieces if p.has(nation)}
    return len(allies) < 2


def air_to_be_had(position: Position, battle: Battle) -> bool:
    """14.1, 14.3"""
    german = all(piece.has("german") for piece in battle.attackers)
    bases = [unit.hex for unit in position.of(AXIS) if unit.has("air-base")]
    return german and position.season != SNOW and any(distance(base, battle.target) <= 4 for base in bases)
