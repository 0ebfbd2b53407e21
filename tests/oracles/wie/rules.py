"""War in the East a second time: sums, ways, supply and what follows a die, in the rulebook's order.

Written from the rulebook and the game's data, to be read beside it; numbers are its chapters. What the text
leaves open is read as docs/wie.md says.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

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
    distance,
    neighbors,
)

MOST = 6
NEVER = 13

# --- 4 Game units: what a unit is ---------------------------------------------------------------------------


def is_armor(piece: Piece) -> bool:
    """4, 7 Zones of Control: class 2 that moves three; guns, rockets and rail guns are none."""
    return piece.has("armor")


def dice(piece: Piece, *, attacks: bool) -> int:
    """4: bombers attack twice, the rail gun fires twice in support of an attack."""
    return 2 if attacks and piece.has("bomber", "rail-gun") else 1


def helps(piece: Piece) -> int:
    """4, 5 Artillery Infantry Support: infantry at +1 by a gun, a tank, two by Guards and SS tanks."""
    if piece.has("motorized", "katyusha", "rail-gun"):
        return 0
    if piece.type.id in ("soviet-guard-armor", "german-ss-panzer"):
        return 2
    return 1 if piece.has("guns") or is_armor(piece) else 0


def lifts(piece: Piece) -> int:
    """4 Air Units: a fighter or dive bomber gives a +1 to one armored unit."""
    return 1 if piece.has("fighter", "dive-bomber") else 0


# --- 5 Movement and Combat: rounds --------------------------------------------------------------------------


def disrupted_from(piece: Piece) -> int:
    """5: a 12 of Germans, not of SS; 10 to 12 of Soviets. 7: 10 to 12 of the minor allies."""
    if not piece.is_soldier or piece.has("ss"):
        return NEVER
    return 12 if piece.side == AXIS and not piece.has("minor") else 10


def steadies(hex_: Hex) -> bool:
    """5: in a red city (no complex is laid out here) nobody is disrupted."""
    return hex_ in board().red


def attack_values(world: World, piece: Piece, target: Hex) -> set[int]:
    """5, with 7 Weather and Terrain: at or below which an attacker hits, without help."""
    values = {piece.shown["attack"]}
    if world.weather == MUD and is_armor(piece):
        values = {value - 1 for value in values}
    elif world.weather == MUD and piece.has("class-1") and piece.shown["movement"] == 3:
        values |= {value - 1 for value in values}  # panzer grenadiers: open
    if world.weather == SNOW and piece.side == SOVIET:
        raised = {value + 1 for value in values}
        values = values | raised if piece.is_plane else raised  # planes: open
    marsh = piece.hex != target and "marsh-side" in board().over(piece.hex, target)
    if marsh and is_armor(piece):
        values = {value - 2 for value in values}
    elif marsh and piece.has("class-2"):
        values |= {value - 2 for value in values}  # guns: open
    return values


def defense_values(world: World, piece: Piece, attackers: Iterable[Piece]) -> set[int]:
    """5, with 7 Terrain (nothing adds up) and Supply (half, rounded down)."""
    target = piece.hex
    sides = [board().over(start, target) for start in {a.hex for a in attackers if not a.is_plane}]
    sure, open_ = [0], []
    if target in board().red:
        sure.append(2)
    for kind, more in (("river", 1), ("strait", 2), ("marsh-side", 2), ("mountain-side", 3)):
        if kind == "marsh-side" and not piece.has("class-1"):
            continue
        over = [kind in side for side in sides]
        if over and all(over):
            sure.append(more)
        elif any(over) and kind != "river":
            open_.append(more)  # some attackers come over it, some do not
    more = {max(sure), *(value for value in open_ if value > max(sure))}
    printed = piece.shown["defense"]
    if piece.unsupplied and target not in board().red:
        halved = {half for by in more for half in (printed // 2 + by, (printed + by) // 2)}
        again = target in supplied(world, piece.side)  # since the check: open
        return halved | {printed + by for by in more} if again else halved
    return {printed + by for by in more}


# --- 5 Retreats ---------------------------------------------------------------------------------------------


def column(hex_: Hex, side: str) -> int:
    """How far it is to the western edge, for the Axis, or to the eastern."""
    return hex_.q if side == AXIS else -hex_.q


def is_open(world: World, piece: Piece, hex_: Hex, fought: Iterable[Hex]) -> bool:
    """A friendly hex with room in which nobody fights."""
    hostile = world.holder(hex_) != piece.side or world.on_foot(hex_, ENEMY[piece.side])
    room = sum(other.is_soldier for other in world.at(hex_, piece.side) if other is not piece)
    return not hostile and hex_ not in set(fought) and room < MOST


def ways_back(world: World, piece: Piece, fought: Iterable[Hex]) -> dict[Hex, set[Hex]]:
    """Where a defender retreats to, by its first hex: towards its edge if it can.

    One hex; for Soviets in turns 1 and 2 two, as far as any are open.
    """
    start, fought = piece.hex, list(fought)
    first = [h for h in steps(world, start, piece.side) if is_open(world, piece, h, fought)]
    ways = {h: {h} for h in first}
    if piece.side == SOVIET and world.turn in (1, 2):
        two = {
            h: {
                far
                for far in steps(world, h, piece.side)
                if distance(start, far) == 2 and is_open(world, piece, far, fought)
            }
            for h in first
        }
        ways = {h: ends for h, ends in two.items() if ends} or ways
    towards = {h: ends for h, ends in ways.items() if column(h, piece.side) < column(start, piece.side)}
    return towards or ways


# --- 5 Ground movement, with 7 Terrain, Weather and Headquarters --------------------------------------------


def steps(world: World, here: Hex, side: str) -> list[Hex]:
    """7 Crossing the straits: not for the Axis before Sevastopol has fallen."""
    shut = side == AXIS and any(world.holder(port) != AXIS for port in board().ports)
    return [there for there in board().steps(here) if not (shut and "strait" in board().over(here, there))]


def in_command(world: World, piece: Piece) -> bool:
    """7 Combat supply: within four hexes of a headquarters in general supply, two in snow."""
    far = 2 if world.weather == SNOW else 4
    mine = (hq for hq in world.of(piece.side) if hq.is_hq and not hq.unsupplied)
    return piece.is_hq or any(distance(hq.hex, piece.hex) <= far for hq in mine)


def reach(world: World, piece: Piece) -> dict[Hex, int]:
    """Where a ground unit may march in action 3, and at what price."""
    if piece.unsupplied and not piece.is_hq:
        return {}  # 7: no regular movement without general supply
    points = allowance(world, piece)
    one_hex = points > 0 and (not in_command(world, piece) or (world.weather == SNOW and not piece.is_hq))
    return ways(world, piece, points, one_hex=one_hex)


def allowance(world: World, piece: Piece) -> int:
    """7: headquarters six hexes, all else its movement; one less in mud, and of Germans without Ploesti."""
    points = 6 if piece.is_hq else piece.shown["movement"] - (1 if world.weather == MUD else 0)
    return max(points - 1, 1) if without_oil(world, piece) and points > 0 else points


def without_oil(world: World, piece: Piece) -> bool:
    """7 Ploesti: the Soviets have it."""
    return piece.side == AXIS and all(world.holder(hex_) == SOVIET for hex_ in board().ploesti)


def ways(
    world: World, piece: Piece, points: int, *, one_hex: bool = False, shut: Iterable[Hex] = ()
) -> dict[Hex, int]:
    """Hexes that so many points lead to, one for a hex and one more over a rough hexside; enemies bar."""
    barred = {other.hex for other in world.of(ENEMY[piece.side]) if not other.is_plane} | set(shut)
    costs, waiting = {piece.hex: 0}, [(0, piece.hex)]
    while waiting:
        spent, here = heappop(waiting)
        for there in steps(world, here, piece.side):
            rough = board().over(here, there) & {"marsh-side", "mountain-side"}
            cost = spent + (2 if rough else 1)
            if there in barred or (one_hex and here != piece.hex) or (not one_hex and cost > points):
                continue
            if cost < costs.get(there, NEVER):
                costs[there] = cost
                heappush(waiting, (cost, there))
    del costs[piece.hex]
    return costs if points > 0 else {}


# --- 6 Non-combat movement and strategic redeployment -------------------------------------------------------


def not_its_own(world: World, side: str) -> set[Hex]:
    return {hex_ for hex_ in board().hexes if world.holder(hex_) != side}


def non_combat(world: World, piece: Piece) -> dict[Hex, int]:
    """As a march, also without supply and beyond headquarters, through friendly hexes."""
    one_hex = world.weather == SNOW and not piece.is_hq
    shut = not_its_own(world, piece.side)
    return ways(world, piece, allowance(world, piece), one_hex=one_hex, shut=shut)


def by_rail(world: World, piece: Piece) -> dict[Hex, int]:
    """Eight hexes, six in mud, four in snow; of Germans in turns 1 to 3 six, four, two."""
    if piece.unsupplied:
        return {}
    most = {CLEAR: 8, MUD: 6, SNOW: 4}[world.weather]
    if piece.side == AXIS and world.turn <= 3:
        most -= 2
    return ways(world, piece, most, shut=not_its_own(world, piece.side))


# --- 7 Supply -----------------------------------------------------------------------------------------------


def supplied(world: World, side: str) -> set[Hex]:
    """Hexes of units in general supply: near a city or the own edge, or in a chain with such a unit."""
    own = {piece.hex for piece in world.of(side) if not piece.is_plane}
    enemy = [piece for piece in world.of(ENEMY[side]) if not piece.is_plane]
    zones = {near for piece in enemy if is_armor(piece) for near in ring(piece.hex)} - own
    cut = {piece.hex for piece in enemy} | zones
    cities = {h for h in board().cities if world.holder(h) == side}
    sources = {h for h in cities if not all(near in cut for near in board().steps(h))}
    sources |= {h for h in board().edge[side] if world.holder(h) == side}
    near = spread(sources - cut, {h for h in board().hexes if world.holder(h) == side} - cut, limit(world))
    return spread(own & near, own, len(board().hexes)) | near


def limit(world: World) -> int:
    """Two hexes, one in snow (7 Supply)."""
    return 1 if world.weather == SNOW else 2


def ring(hex_: Hex) -> list[Hex]:
    """A hex and the six around it."""
    return [hex_, *neighbors(hex_)]


def spread(sources: set[Hex], open_: set[Hex], most: int) -> set[Hex]:
    """Hexes within so many steps over land through open ones."""
    found, now = set(sources), set(sources)
    for _ in range(most):
        now = {there for here in now for there in board().steps(here) if there in open_} - found
        if not now:
            break
        found |= now
    return found


# --- 5 Air units --------------------------------------------------------------------------------------------


def flight(world: World, piece: Piece) -> int:
    """5, 7 Weather: its range, half in mud and snow; four at most of Germans without Ploesti."""
    most = piece.shown["movement"] // (1 if world.weather == CLEAR else 2)
    return min(most, 4) if without_oil(world, piece) else most


# --- 5 Breakthrough and exploitation ------------------------------------------------------------------------


def may_exploit(world: World, piece: Piece) -> bool:
    """Germans always, Soviets from turn 4; none in snow, only who moves three in mud."""
    if piece.side == SOVIET and world.turn < 4:
        return False
    return world.weather != SNOW and (world.weather == CLEAR or piece.shown["movement"] == 3)
