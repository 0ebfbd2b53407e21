"""Chapter 9: who is in supply."""

from __future__ import annotations

from collections.abc import Iterable

from fieldpost.hexes import Hex
from tests.oracles.ftm.field import AXIS, ENEMY, OUT, SNOW, SOVIET, WATER, Piece, Position, ground, near

RANGE, BY_SEA, FAR = 4, 2, 6  # 9.3, 9.6, 9.3.3
ANY = 1000
HELSINKI, SEVASTOPOL, ODESSA = "1402", "0826", "0723"
DANZIG, KONIGSBERG = "0307", "0507"
TUAPSE, NOVOROSSIYSK = "1530", "1428"


def state(position: Position, piece: Piece) -> str:
    """What a unit is found to be when supply is judged: supplied, lack, out or isolated (9.1)."""
    if is_supplied(position, piece):
        return "supplied"
    helsinki = piece.has("finnish") and _helsinki_lost(position)
    if piece.side == SOVIET and not piece.has("offensive-support") and _near_factory(position, piece):
        return "lack"  # 9.1.2
    out_at_once = helsinki and position.option("helsinki-lost") == "out"  # 9.3.2
    if not piece.status and not out_at_once:
        return "lack"
    way = _reaches(position, piece, ANY, sources(position, piece))
    return "out" if way and not helsinki else "isolated"  # 9.1.3


def is_supplied(position: Position, piece: Piece) -> bool:
    if piece.has("always-supplied") or piece.has("economic-asset"):  # 9.1, note
        return True
    if piece.has("finnish") and _helsinki_lost(position):  # 9.3.2
        return False
    if _reaches(position, piece, RANGE, _ends(position, piece)):
        return True
    if piece.side == AXIS and _is_far(position, piece):  # 9.3.3
        bases = {base.hex for base in position.of(AXIS) if base.has("supply-base")}
        if _reaches(position, piece, ANY, bases | sources(position, piece)):
            return True
    return _reaches(position, piece, BY_SEA, _ports(position, piece))  # 9.6


def supplied_at(position: Position, piece: Piece, hex_: Hex) -> bool:
    """Whether a unit would be in supply elsewhere."""
    after = position.moved(piece, hex_)
    return is_supplied(after, next(unit for unit in after.pieces if unit.name == piece.name))


def sources(position: Position, piece: Piece) -> set[Hex]:
    """9.3.1, 9.4.1"""
    if piece.side == SOVIET:
        return ground().sources["ES"]
    if position.option("finnish-source") == "any":
        return ground().sources["F"] | ground().sources["WHR"]
    return ground().sources["F" if piece.has("finnish") else "WHR"]


def _ends(position: Position, piece: Piece) -> set[Hex]:
    """9.3: a source, or a base on a railroad to one; 9.4: a source, or a railroad hex."""
    linked = railroad(position, piece)
    if piece.side == AXIS:
        linked &= {base.hex for base in position.of(AXIS) if base.has("supply-base")}
    return linked | sources(position, piece)


def railroad(position: Position, piece: Piece) -> set[Hex]:
    """Hexes on open railroads back to a source."""
    shut = closed(position, piece.side)
    found = {hex_ for hex_ in sources(position, piece) if ground().on_rails(hex_) and hex_ not in shut}
    waiting = list(found)
    for here in waiting:
        for there in ground().around(here):
            if there not in found and there not in shut and ground().rails(here, there):
                found.add(there)
                waiting.append(there)
    return found


def closed(position: Position, side: str) -> set[Hex]:
    """9.2: enemy units, markers, and zones without a friendly unit."""
    enemy = ENEMY[side]
    uncovered = position.zones(enemy) - position.held(side)
    return position.held(enemy) | position.marked(enemy) | uncovered


def _reaches(position: Position, piece: Piece, limit: int, ends: Iterable[Hex]) -> bool:
    """9.2: a path of hexes, the unit's own not counted."""
    ends, shut = set(ends), closed(position, piece.side)
    found, waiting = {piece.hex: 0}, [piece.hex]
    if piece.hex in shut:
        return False
    for here in waiting:
        if here in ends:
            return True
        for there in ground().around(here) if found[here] < limit else ():
            if there not in found and there not in shut and _passes(position, piece, here, there):
                found[there] = found[here] + 1
                waiting.append(there)
    return False


def _passes(position: Position, piece: Piece, here: Hex, there: Hex) -> bool:
    """9.2: no sea or lake hexside; 9.2.1: ice in snow for Soviet infantry; the Chongar bridge (9.2.2)."""
    kinds = ground().side(here, there)
    on_ice = position.season == SNOW and (piece.has("frozen-access") or piece.has("fortress"))
    if kinds & WATER or ground().terrain[there] in WATER:
        return False
    return "frozen-access" not in kinds or on_ice


def _is_far(position: Position, piece: Piece) -> bool:
    """9.3.3"""
    every = position.option("distance-units") != "combat"
    enemies = [u.hex for u in position.of(SOVIET) if u.status != OUT and (every or u.controls)]
    return piece.hex not in near(enemies, FAR - 1)


def _near_factory(position: Position, piece: Piece) -> bool:
    return piece.hex in near((u.hex for u in position.of(SOVIET) if u.has("evacuates")), 1)


def _helsinki_lost(position: Position) -> bool:
    return position.holder(ground().hex(HELSINKI)) == SOVIET


def _ports(position: Position, piece: Piece) -> set[Hex]:
    """9.6.1 to 9.6.3"""
    if any(map(piece.has, ("offensive-support", "supply-base", "air-base", "allied"))):
        return set()
    linked = railroad(position, piece)

    def based(*labels: str) -> list[bool]:
        hexes = map(ground().hex, labels)
        return [position.holder(hex_) == piece.side and hex_ in linked for hex_ in hexes]

    ports: set[Hex] = set()
    if piece.side == AXIS:
        ports |= set(ground().with_feature("black-sea-port")) if all(based(ODESSA, SEVASTOPOL)) else set()
        ports |= set(ground().with_feature("baltic-port")) if all(based(DANZIG, KONIGSBERG)) else set()
    elif any(based(TUAPSE, NOVOROSSIYSK)):
        ports = set(ground().with_feature("black-sea-port"))
        if position.holder(ground().hex(SEVASTOPOL)) == AXIS:  # the note of 9.6.1
            ports.discard(ground().hex(ODESSA))
    if position.option("supply-port-control") == "on":
        ports = {port for port in ports if position.holder(port) == piece.side}
    return ports
