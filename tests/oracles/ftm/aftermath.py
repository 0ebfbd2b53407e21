"""Chapters 8.5 to 8.7: what may follow a result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from fieldpost.hexes import Hex, adjacent, distance
from tests.oracles.ftm.field import ENEMY, OUT, WATER, Piece, Position, ground
from tests.oracles.ftm.movement import closed_countries

RIVERS = {"minor-river", "major-river", "strait"}
Way = tuple[Hex, ...]


@dataclass(frozen=True)
class Paid:
    """What a side may do for its part of a result: by unit the steps it loses and the way it goes."""

    steps: Mapping[str, int]
    ways: Mapping[str, Way]

    @property
    def hexes(self) -> int:
        return max((len(way) - 1 for way in self.ways.values()), default=0)


def parts(result: str) -> tuple[tuple[str, int], tuple[str, int]]:
    """8.5: what the attacker and what the defender owe."""
    nothing = ("nothing", 0)
    if result in ("AE", "DE"):
        everything = ("all", 0)
        return (everything, nothing) if result == "AE" else (nothing, everything)
    if match := re.fullmatch(r"([AD])(\d)", result):
        part = ("either", int(match[2]))
        return (part, nothing) if match[1] == "A" else (nothing, part)
    if match := re.fullmatch(r"(\d)/(\d)", result):
        return ("steps", int(match[1])), ("steps", int(match[2]))
    return nothing, nothing


def one_unit_pays(position: Position, piece: Piece, part: tuple[str, int]) -> Iterator[Paid]:
    """Every way in which a side of one unit may pay."""
    kind, points = part
    left = piece.steps_left
    if kind == "nothing":
        yield Paid({}, {})
    elif kind == "all":
        yield Paid({piece.name: left}, {})
    elif kind == "steps":
        yield Paid({piece.name: min(points, left)}, {})
    else:
        for hexes in range(points + 1):
            steps = points - hexes
            if hexes == 0:
                yield Paid({piece.name: min(steps, left)}, {})
            elif steps < left and (piece.printed("movement") or piece.has("rail-only")):
                for way in retreats(position, piece, hexes):
                    yield Paid({piece.name: min(steps + cost(position, piece, way), left)}, {piece.name: way})


def retreats(position: Position, piece: Piece, hexes: int) -> Iterator[Way]:
    """8.6, 8.6.1: each hex farther away, of the best class there is."""
    ways: list[Way] = [(piece.hex,)]
    for _ in range(hexes):
        ways = [(*way, there) for way in ways for there in _best(position, piece, way)]
    yield from ways


def _best(position: Position, piece: Piece, way: Way) -> list[Hex]:
    here, far = way[-1], distance(way[0], way[-1])
    open_ = [
        b for b in ground().around(here) if distance(way[0], b) > far and _may_go(position, piece, here, b)
    ]
    classes = [_class(position, piece, hex_) for hex_ in open_]
    return [hex_ for hex_, class_ in zip(open_, classes, strict=True) if class_ == min(classes)]


def _class(position: Position, piece: Piece, hex_: Hex) -> int:
    """8.6.1"""
    friend = any(unit.name != piece.name and unit.side == piece.side for unit in position.at(hex_))
    zone = hex_ in position.zones(ENEMY[piece.side])
    return {(False, False): 1, (True, False): 2, (True, True): 3, (False, True): 4}[friend, zone]


def _may_go(position: Position, piece: Piece, here: Hex, there: Hex) -> bool:
    """8.6.4, 5.2.1, 5.1.5, 4.2.2, 4.2.3"""
    kinds, enemy = ground().side(here, there), ENEMY[piece.side]
    if kinds & (WATER | {"frozen-access", "rail-bridge"}) or ground().terrain[there] in WATER:
        return False
    if there in position.held(enemy) or closed_countries(piece, there):
        return False
    if ground().terrain[there] == "high-mountain" and not piece.has("mountain"):
        return False
    if piece.has("rail-only") and not ground().rails(here, there):
        return False
    class_ = _class(position, piece, there)
    return not (class_ == 4 and piece.status == OUT) and not (class_ > 2 and piece.has("never-ezoc"))


def cost(position: Position, piece: Piece, way: Way) -> int:
    """4.2.1, 8.6.2: a step for each zone; 8.6.3: one for rivers, by the default option."""
    zones = sum(_class(position, piece, hex_) == 4 for hex_ in way[1:])
    rivers = any(ground().side(a, b) & RIVERS for a, b in pairwise(way))
    return zones + (piece.has("armor") and rivers)


def farthest(piece: Piece, result: str, paid: Paid, died: bool) -> int:
    """8.7, 8.7.1: how far a winner may advance; -1 where the text leaves it open."""
    kind, points = next(part for part in parts(result) if part[0] != "nothing")
    most = 2 if piece.has("armor") else 1
    if kind == "steps":
        return 0
    if kind == "all":
        return most
    if died:
        return -1
    return min(paid.hexes, points, most)


def advances(position: Position, piece: Piece, vacated: Hex, hexes: int) -> Iterator[Way]:
    """8.7.2: first into the vacated hex, then anywhere but over rivers; zones are ignored."""
    if not hexes or not _may_advance(position, piece, piece.hex, vacated):
        return
    yield (piece.hex, vacated)
    for there in ground().around(vacated) if hexes > 1 else ():
        river = ground().side(vacated, there) & RIVERS
        if there != piece.hex and not river and _may_advance(position, piece, vacated, there):
            yield (piece.hex, vacated, there)


def _may_advance(position: Position, piece: Piece, here: Hex, there: Hex) -> bool:
    """8.7.2, 8.7.3, 5.1.5, 5.2.1"""
    if piece.has("no-advance") or not piece.printed("movement") or not adjacent(here, there):
        return False
    kinds = ground().side(here, there)
    if kinds & (WATER | {"frozen-access", "rail-bridge"}) or ground().terrain[there] in WATER:
        return False
    high = ground().terrain[there] == "high-mountain" and not piece.has("mountain")
    return not (high or there in position.held(ENEMY[piece.side]) or closed_countries(piece, there))
