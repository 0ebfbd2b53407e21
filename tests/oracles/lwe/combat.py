"""Chapter 11: a prepared assault worked out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from fieldpost.hexes import Hex, neighbors
from tests.oracles.lwe.field import (
    DRY,
    GERMAN,
    MUD,
    RAIN,
    SNOW,
    SOVIET,
    STRAITS,
    Piece,
    Position,
    game,
    ground,
)

THAWED = (DRY, RAIN, MUD)  # 10.6, 10.7: rivers and marsh count
RIVERLESS = range(1, 4)  # 5.4
LOWEST, HIGHEST = -2, 5  # 1:3 and 6:1, counted from 1:1


@dataclass(frozen=True)
class Battle:
    attackers: tuple[Piece, ...]
    target: Hex


def may_attack(position: Position, piece: Piece, target: Hex) -> bool:
    """11.1, 11.18, 11.19; straits are left to cases."""
    if target not in neighbors(piece.hex):
        return False
    kinds = ground().side(piece.hex, target)
    if kinds & (STRAITS | {"sea"}):
        return False
    if "lake" in kinds and position.weather != SNOW:
        return False
    special = ("aircraft", "artillery-command", "satellite", "static", "sea-only", "fortified-zone")
    return piece.printed("attack") > 0 and not any(map(piece.has, special))


def causes(position: Position, piece: Piece, target: Hex) -> tuple[str, ...]:
    """11.16, 11.17, 11.22: what halves an attacker."""
    thawed = position.weather in THAWED
    rivers = thawed and not (piece.side == GERMAN and position.turn in RIVERLESS)
    found = []
    if rivers and "river" in ground().side(piece.hex, target):
        found.append("river")
    if thawed and ground().terrain[target] == "marsh" and piece.mechanized:
        found.append("marsh")
    if piece.has("panzer") and ground().has(target, "city"):
        found.append("city")
    return tuple(found)


def attack(position: Position, battle: Battle) -> int:
    """11.12: those of a common reduction are added, halved, rounded down; never below one."""
    groups: Counter[tuple[str, ...]] = Counter()
    for piece in battle.attackers:
        groups[causes(position, piece, battle.target)] += piece.printed("attack")
    return sum(max(int(Fraction(total, 2 ** len(why))), 1) for why, total in groups.items())


def defense(position: Position, target: Hex) -> int:
    """11.22: Soviet mechanized units and cavalry have one each in a city."""
    city = ground().has(target, "city")
    return sum(
        1 if city and piece.has("weak-in-cities") else piece.printed("defense")
        for piece in position.at(target)
    )


def rung(strong: int, weak: int) -> int:
    """11.8, 11.9: 3:1 is two above 1:1, 1:3 two below; remainders favor the defender."""
    return strong // weak - 1 if strong >= weak else 1 - -(-weak // strong)


def shift(position: Position, battle: Battle) -> int:
    """11.13 to 11.24, 11.27"""
    target, side = battle.target, battle.attackers[0].side
    city = ground().has(target, "city")
    terrain = "" if city else ground().terrain[target]
    total = {"forest": -1, "hills": -2}.get(terrain, 0) - 2 * city - ground().has(target, "large-town")
    total += terrain == "marsh" and position.weather in THAWED
    line = position.intact(target) and side == GERMAN
    zone = any(piece.has("fortified-zone") for piece in position.at(target))
    total -= line + zone
    if not (city or line or zone) and concentric(battle):
        total += 2 if side == GERMAN else 1
    return total


def concentric(battle: Battle) -> bool:
    """11.27: two opposite hexes, three with one between each and the next, more than three."""
    six = list(neighbors(battle.target))
    stood = {six.index(piece.hex) for piece in battle.attackers}
    opposite = any((at + 3) % 6 in stood for at in stood)
    return opposite or len(stood) > 3 or stood in ({0, 2, 4}, {1, 3, 5})


def final(position: Position, battle: Battle) -> int:
    return rung(attack(position, battle), defense(position, battle.target)) + shift(position, battle)


def result(position: Position, battle: Battle, die: int) -> tuple[str, bool]:
    """11.10, 11.28: the result, and whether a die is thrown for it; 11.22, 11.24: what it becomes."""
    place = final(position, battle)
    if LOWEST <= place <= HIGHEST:
        table = game().table["combat-results"]
        cell, thrown = table.cell(str(die), table.columns[place - LOWEST]), True
    else:
        cell, thrown = ("DE" if place > HIGHEST else "AL1"), False
    return converted(position, battle, cell), thrown


def converted(position: Position, battle: Battle, cell: str) -> str:
    if ground().has(battle.target, "city") and cell in ("AS", "DR"):
        return "AL1"
    zone = any(piece.has("fortified-zone") for piece in position.at(battle.target))
    town = ground().has(battle.target, "large-town") and battle.attackers[0].side != SOVIET
    return "AL1" if zone and town and cell == "DR" else cell
