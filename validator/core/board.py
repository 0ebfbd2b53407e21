"""The map compiled for play: hexes numbered from 0, six directions, kinds as bits, masks as bytes.

A *hex id* is a number below `len(board)`. A *step* is one hex into a neighbour: step id = hex id * 6 +
direction. A *mask* holds a byte for every hex (or every step), 0 or not 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from fieldpost.definition.mapmodel import GameMap, Place
from fieldpost.hexes import Hex, HexError, Hexside, Lattice, distance, neighbors, within
from validator.core.recent import made

HexId = int
StepId = int
Mask = bytes | bytearray

Link = tuple[HexId, int]  # a neighbour and the price of going there

OFF_MAP = -1
DIRECTIONS = 6


def back(direction: int) -> int:
    """The direction straight opposite."""
    return (direction + 3) % DIRECTIONS


class Kinds:
    """Names of kinds as bits of one number."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        self._bit = {name: 1 << i for i, name in enumerate(self.names)}
        self._of: dict[int, tuple[str, ...]] = {}

    def bits(self, names: Iterable[str]) -> int:
        """Unknown names have no bit: a map need not use every kind a rule speaks of."""
        bits = 0
        for name in names:
            bits |= self._bit.get(name, 0)
        return bits

    def of(self, bits: int) -> tuple[str, ...]:
        return made(self._of, bits, lambda: tuple(name for name in self.names if bits & self._bit[name]))


class Face(NamedTuple):
    """All that prices ask of a step: the hex entered, the hexside crossed, the lines along it."""

    terrain: str
    places: tuple[str, ...]
    sides: tuple[str, ...]
    lines: tuple[str, ...]


class Board:
    """The hexes of a map that are in play. `playable` is a scenario's part of the map; all of it if None."""

    def __init__(self, game_map: GameMap, playable: Collection[Hex] | None = None) -> None:
        self.map = game_map
        chosen = game_map.hexes - game_map.unplayable
        if playable is not None:
            chosen &= frozenset(playable)
        self.hexes: tuple[Hex, ...] = tuple(sorted(chosen, key=lambda h: (h.r, h.q)))
        self.id_of: dict[Hex, HexId] = {hex_: i for i, hex_ in enumerate(self.hexes)}
        self.terrain: tuple[str, ...] = tuple(game_map.terrain[h] for h in self.hexes)
        get = self.id_of.get
        self.neighbors: tuple[tuple[int, ...], ...] = tuple(
            tuple(get(n, OFF_MAP) for n in neighbors(h)) for h in self.hexes
        )
        """The six neighbours by direction, OFF_MAP where there is none."""
        self.adjacent: tuple[tuple[HexId, ...], ...] = tuple(
            tuple(n for n in six if n >= 0) for six in self.neighbors
        )
        self.side_kinds = Kinds(kind.id for kind in game_map.hexside_kinds)
        self.line_kinds = Kinds(kind.id for kind in game_map.line_kinds)
        self.sides: list[int] = self._edge_bits(game_map.side_kinds, self.side_kinds)
        """The kinds of the hexside each step crosses, as bits of `side_kinds`."""
        self.lines: list[int] = self._edge_bits(game_map.line_steps, self.line_kinds)
        """The kinds of lines along each step, as bits of `line_kinds`."""
        self._joined: dict[int, tuple[tuple[tuple[HexId, int], ...], ...]] = {}
        self._lined: dict[int, bytes] = {}
        self._across: dict[int, bytes] = {}
        self._disks: dict[tuple[HexId, int], tuple[HexId, ...]] = {}
        self._chosen: dict[tuple[str, tuple[str, ...]], tuple[HexId, ...]] = {}  # by kinds, by features
        self._open: dict[tuple[HexId, tuple[int | None, ...]], tuple[Link, ...]] = {}

    def __len__(self) -> int:
        return len(self.hexes)

    def _edge_bits(self, edges: Mapping[Hexside, Collection[str]], kinds: Kinds) -> list[int]:
        bits = [0] * (len(self) * DIRECTIONS)
        for side, names in edges.items():
            a, b = self.id_of.get(side.a), self.id_of.get(side.b)
            if a is not None and b is not None:
                step = self.step(a, b)
                bits[step] = bits[self.reverse(step)] = kinds.bits(names)
        return bits

    # --- names ------------------------------------------------------------------------------

    @property
    def lattice(self) -> Lattice:
        return self.map.lattice

    def id(self, label: str, sheet: str | None = None) -> HexId:
        """The hex of a printed label."""
        hex_ = self.lattice.hex(label, sheet)
        hex_id = self.id_of.get(hex_)
        if hex_id is None:
            raise HexError(f"hex {label} is not in play", "It lies outside the scenario's part of the map.")
        return hex_id

    def ids(self, labels: str, sheet: str | None = None) -> list[HexId]:
        """Hexes of labels with spaces or dashes between them."""
        return [self.id(label, sheet) for label in labels.replace("-", " ").split()]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.lattice.label(hex_) for hex_ in self.hexes)

    def label(self, hex_id: HexId) -> str:
        return self.labels[hex_id]

    def path_text(self, path: Iterable[HexId]) -> str:
        return "-".join(self.labels[h] for h in path)

    # --- steps ------------------------------------------------------------------------------

    def step(self, a: HexId, b: HexId) -> StepId:
        """The step from a hex to its neighbour; -1 if they are not neighbours."""
        six = self.neighbors[a]
        return a * DIRECTIONS + six.index(b) if b in six else -1

    def reverse(self, step: StepId) -> StepId:
        """The same hexside, crossed the other way."""
        a, direction = divmod(step, DIRECTIONS)
        return self.neighbors[a][direction] * DIRECTIONS + back(direction)

    def ends(self, step: StepId) -> tuple[HexId, HexId]:
        a, direction = divmod(step, DIRECTIONS)
        return a, self.neighbors[a][direction]

    def steps_from(self, hex_id: HexId) -> list[StepId]:
        return [self.step(hex_id, n) for n in self.adjacent[hex_id]]

    def steps_into(self, hex_id: HexId) -> list[StepId]:
        return [self.step(n, hex_id) for n in self.adjacent[hex_id]]

    def steps(self) -> Iterator[tuple[StepId, HexId, HexId]]:
        """Every step on the map with its two hexes."""
        for a, six in enumerate(self.neighbors):
            for direction, b in enumerate(six):
                if b >= 0:
                    yield a * DIRECTIONS + direction, a, b

    @cached_property
    def _numbered_faces(self) -> tuple[list[Face], list[int]]:
        numbers: dict[tuple[str, tuple[str, ...], int, int], int] = {}
        of_step = [OFF_MAP] * (len(self) * DIRECTIONS)
        for step, _, b in self.steps():
            key = (self.terrain[b], self.place_kinds(b), self.sides[step], self.lines[step])
            of_step[step] = numbers.setdefault(key, len(numbers))
        faces = [
            Face(terrain, places, self.side_kinds.of(sides), self.line_kinds.of(lines))
            for terrain, places, sides, lines in numbers
        ]
        return faces, of_step

    @property
    def faces(self) -> list[Face]:
        """Every different face of a step on this board."""
        return self._numbered_faces[0]

    @property
    def face_of(self) -> list[int]:
        """The number of each step's face."""
        return self._numbered_faces[1]

    @cached_property
    def real_steps(self) -> bytes:
        """Step mask: those that lead to a hex."""
        return bytes(0 if face == OFF_MAP else 1 for face in self.face_of)

    @cached_property
    def faces_outward(self) -> tuple[tuple[int, ...], ...]:
        """For every hex the faces of the steps to its neighbours."""
        face = self.face_of
        return tuple(
            tuple(face[a * DIRECTIONS + d] for d, b in enumerate(row) if b >= 0)
            for a, row in enumerate(self.neighbors)
        )

    @cached_property
    def faces_inward(self) -> tuple[tuple[int, ...], ...]:
        """For every hex the faces of the steps from its neighbours."""
        face = self.face_of
        return tuple(
            tuple(face[a * DIRECTIONS + back(d)] for d, a in enumerate(row) if a >= 0)
            for row in self.neighbors
        )

    def open_links(self, hex_id: HexId, prices: tuple[int | None, ...]) -> tuple[Link, ...]:
        """A hex's neighbours with the price of each, without those that have none.

        Tables of costs differ in few hexes, so they share these.
        """
        key = (hex_id, prices)
        if key not in self._open:
            priced = zip(self.adjacent[hex_id], prices, strict=True)
            self._open[key] = tuple([(n, price) for n, price in priced if price is not None])
        return self._open[key]

    def side_of(self, a: HexId, b: HexId) -> tuple[str, ...]:
        """The kinds of the hexside between two neighbours."""
        return self.side_kinds.of(self.sides[self.step(a, b)])

    def line_of(self, a: HexId, b: HexId) -> tuple[str, ...]:
        return self.line_kinds.of(self.lines[self.step(a, b)])

    def are_adjacent(self, a: HexId, b: HexId) -> bool:
        return b in self.neighbors[a]

    def steps_across(self, *kinds: str) -> bytes:
        """Step mask: hexsides of any of these kinds."""
        bits = self.side_kinds.bits(kinds)
        return made(self._across, bits, lambda: bytes(1 if side & bits else 0 for side in self.sides))

    # --- hexes ------------------------------------------------------------------------------

    def mask(self, ids: Iterable[HexId] = ()) -> bytearray:
        mask = bytearray(len(self))
        for i in ids:
            mask[i] = 1
        return mask

    @cached_property
    def nowhere(self) -> bytes:
        """Mask of no hex."""
        return bytes(len(self))

    def any_of(self, masks: Iterable[Mask]) -> bytes:
        """Hexes of any of the masks; of none, if there are none."""
        return union(self.nowhere, *masks)

    def members(self, mask: Mask) -> list[HexId]:
        return list(compress(range(len(mask)), mask))

    def of_terrain(self, *kinds: str) -> bytearray:
        return bytearray(1 if terrain in kinds else 0 for terrain in self.terrain)

    @cached_property
    def places(self) -> dict[HexId, tuple[Place, ...]]:
        at = self.map.places_at
        return {i: at[hex_] for i, hex_ in enumerate(self.hexes) if hex_ in at}

    @cached_property
    def _place_kinds(self) -> dict[HexId, tuple[str, ...]]:
        return {h: tuple(place.kind for place in places) for h, places in self.places.items()}

    def place_kinds(self, hex_id: HexId) -> tuple[str, ...]:
        """The kinds of the places in a hex."""
        return self._place_kinds.get(hex_id, ())

    def has_place(self, hex_id: HexId, *kinds: str) -> bool:
        return any(kind in kinds for kind in self.place_kinds(hex_id))

    def with_place(self, *kinds: str) -> Sequence[HexId]:
        return self._those_with("places", kinds, self.has_place)

    def has_feature(self, hex_id: HexId, *features: str) -> bool:
        return any(f in place.features for place in self.places.get(hex_id, ()) for f in features)

    def with_feature(self, *features: str) -> Sequence[HexId]:
        return self._those_with("features", features, self.has_feature)

    def _those_with(self, what: str, names: tuple[str, ...], has: Callable[..., bool]) -> tuple[HexId, ...]:
        """Hexes with a place of which something holds."""
        return made(self._chosen, (what, names), lambda: tuple(i for i in self.places if has(i, *names)))

    def in_area(self, area: str) -> bytearray:
        return self.mask(self.id_of[h] for h in self.map.area[area].hexes if h in self.id_of)

    def on_line(self, *kinds: str) -> bytes:
        """Hex mask: hexes that a line of these kinds runs through."""
        bits = self.line_kinds.bits(kinds)
        lined = (a for step, a, _ in self.steps() if self.lines[step] & bits)
        return made(self._lined, bits, lambda: bytes(self.mask(lined)))

    def joined(self, *kinds: str) -> Sequence[tuple[tuple[HexId, int], ...]]:
        """For every hex its neighbours along lines of these kinds, each one hex away."""
        bits = self.line_kinds.bits(kinds)
        return made(self._joined, bits, lambda: self._along(bits))

    def _along(self, bits: int) -> tuple[tuple[Link, ...], ...]:
        joined: list[list[Link]] = [[] for _ in self.hexes]
        for step, a, b in self.steps():
            if self.lines[step] & bits:
                joined[a].append((b, 1))
        return tuple(map(tuple, joined))

    # --- distance ---------------------------------------------------------------------------

    def distance(self, a: HexId, b: HexId) -> int:
        """Hexes from one to the other as the crow flies, the first not counted."""
        return distance(self.hexes[a], self.hexes[b])

    def distances(self, start: HexId, hexes: Iterable[HexId]) -> dict[HexId, int]:
        """Of many hexes at once: as `distance`, worked out here because lines of supply ask it so often."""
        q, r = self.hexes[start]
        away: dict[HexId, int] = {}
        for hex_id in hexes:
            other_q, other_r = self.hexes[hex_id]
            dq, dr = other_q - q, other_r - r
            away[hex_id] = (abs(dq) + abs(dr) + abs(dq + dr)) // 2
        return away

    def nearest(self, start: HexId, hexes: Iterable[HexId]) -> int | None:
        """How far the nearest of these hexes is; None if there are none."""
        return min(self.distances(start, hexes).values(), default=None)

    def within(self, center: HexId, radius: int) -> tuple[HexId, ...]:
        """Every hex in play at most so far away, whatever lies between; the centre among them."""
        key = (center, radius)
        disk = self._disks.get(key)
        if disk is None:
            near = within(self.hexes[center], radius)
            disk = self._disks[key] = tuple(self.id_of[hex_] for hex_ in near if hex_ in self.id_of)
        return disk

    def near(self, centers: Iterable[HexId], radius: int) -> bytearray:
        """Hex mask: at most so far from any of the centres."""
        mask = bytearray(len(self))
        for center in set(centers):
            for i in self.within(center, radius):
                mask[i] = 1
        return mask


def those_in(mask: Mask, hexes: Iterable[HexId]) -> tuple[HexId, ...]:
    """Those of the hexes that are in a mask, in their order."""
    return tuple([h for h in hexes if mask[h]])


def union(*masks: Mask) -> bytes:
    """Hexes of any of the masks. Every byte must be 0 or 1."""
    bits = 0
    for mask in masks:
        bits |= int.from_bytes(mask, "little")
    return bits.to_bytes(len(masks[0]), "little")


def minus(mask: Mask, *others: Mask) -> bytes:
    """Hexes of a mask that are in none of the others. Every byte must be 0 or 1."""
    bits = int.from_bytes(mask, "little")
    for other in others:
        bits &= ~int.from_bytes(other, "little")
    return bits.to_bytes(len(mask), "little")


def both(*masks: Mask) -> bytes:
    """Hexes that are in every mask. Every byte must be 0 or 1."""
    bits = int.from_bytes(masks[0], "little")
    for mask in masks[1:]:
        bits &= int.from_bytes(mask, "little")
    return bits.to_bytes(len(masks[0]), "little")
