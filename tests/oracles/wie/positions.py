"""Random positions: a front anywhere on the map, in any weather, with units of all kinds."""

from __future__ import annotations

from random import Random

from tests.oracles.wie.board import (
    AXIS,
    CLEAR,
    ENEMY,
    MUD,
    SNOW,
    SOVIET,
    Hex,
    Piece,
    World,
    board,
    counters,
    distance,
)

TURNS = {CLEAR: (1, 2, 7, 13), MUD: (2, 5, 11), SNOW: (4, 10)}
"""Turns in which the weather may be so by the chart."""
LEFT_OUT = {"air", "headquarters", "partisan", "v2-site", "tank-destroyer", "heavy-tank", "rail-gun"}
HEADQUARTERS = {AXIS: "german-headquarters", SOVIET: "soviet-headquarters"}
CROWDED = 5


def kinds(side: str, *traits: str) -> list[str]:
    """Types of a side: soldiers that need no option, or those of some traits."""
    types = {kind: some[0][1] for kind, some in counters().items()}
    return [
        kind
        for kind, type_ in types.items()
        if type_.side == side
        and (set(traits) <= set(type_.traits) if traits else LEFT_OUT.isdisjoint(type_.traits))
    ]


def front(random: Random) -> World:
    """Two armies within four hexes of a place, each on ground of its own; some units marked out of supply."""
    weather = random.choice((CLEAR, CLEAR, MUD, SNOW))
    world = World(random.choice((AXIS, SOVIET)), weather, random.choice(TURNS[weather]))
    center = random.choice(board().land)
    near = [hex_ for hex_ in board().land if distance(hex_, center) <= 4]
    lean = random.choice((-1, 0, 1))
    for hex_ in near:
        west = hex_.q - center.q + lean * (hex_.r - center.r) < 0
        side = AXIS if west != (random.random() < 0.12) else SOVIET
        if random.random() < 0.9:
            world.control[hex_] = side
    for side in (AXIS, SOVIET):
        own = [hex_ for hex_ in near if world.holder(hex_) == side]
        for kind in random.choices(kinds(side), k=random.randint(2, 8)) + [HEADQUARTERS[side]] * 2:
            room = [h for h in own if len(world.at(h)) < CROWDED and h != board().berlin]
            if room and (kind != HEADQUARTERS[side] or random.random() < 0.7):
                piece = world.put(kind, random.choice(room))
                if piece is not None:
                    piece.unsupplied = random.random() < 0.1
    world.control = {h: side for h, side in world.control.items() if not world.on_foot(h, ENEMY[side])}
    world.control.pop(board().berlin, None)  # the game is over where it falls
    return world


def before_a_battle(random: Random) -> tuple[World, Hex, list[Piece]] | None:
    """Units of the side to move around a hex of the enemy; the hex, and those that attack it."""
    weather = random.choice((CLEAR, CLEAR, CLEAR, MUD, SNOW))
    world = World(random.choice((AXIS, SOVIET)), weather, random.choice(TURNS[weather]))
    side, enemy = world.side, ENEMY[world.side]
    target = random.choice(board().land)
    around = [hex_ for hex_ in board().steps(target) if world.holder(hex_)]
    if len(around) < 2:
        return None
    for hex_ in board().land:
        if distance(hex_, target) <= 3:
            world.control[hex_] = random.choice((side, enemy, enemy))
    starts = random.sample(around, random.randint(1, min(3, len(around) - 1)))
    for _ in range(random.randint(1, 4)):
        piece = world.put(random.choice(kinds(enemy)), target)
        if piece is not None:
            piece.unsupplied = random.random() < 0.1
    attackers = []
    for start in starts:
        for _ in range(random.randint(1, 3)):
            piece = world.put(random.choice(kinds(side)), start)
            if piece is not None:
                attackers.append(piece)
        for _ in range(2):
            world.put(HEADQUARTERS[side], start)
    closed = {*board().ports, board().berlin}
    if not world.at(target) or not attackers or closed & {target, *starts}:
        return None
    if random.random() < 0.3:
        world.levels[target, random.choice(starts)] = random.randint(1, 3)
    taken = {piece.hex for piece in world.pieces}
    taken.add(board().berlin)  # the game is over where it falls
    world.control = {hex_: of for hex_, of in world.control.items() if hex_ not in taken}
    return world, target, attackers
