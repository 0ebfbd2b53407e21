"""Supply worked out anew from the map and the counters: where lines reach, without asking the referee.

Random play lives by it, and faults are planted by it: what it finds and what the referee finds must be alike.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache

from validator.core.board import Board, HexId
from validator.games.lwe.book import ENEMY, GERMAN, SNOW, SOVIET
from validator.games.lwe.course import NORTH, course_of
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.state import Case
from validator.model.position import Unit
from validator.procedures.control import holders

REGULAR, ATTENUATED, OUT = "regular", "attenuated", "out of supply"
RANGE = 12  # hexes to a source or a Rollbahn (7.3)
NEAREST_FROM = 4  # the turn from which the nearest Rollbahn counts (5.4)
ROLLBAHN, MARKER = "rollbahn", "supply-concentration"
COASTAL = "coastal-supply"
LENINGRAD, ORANIENBAUM = "3802", "3701"


Links = list[list[HexId]]


@lru_cache(maxsize=4)
def dry_links(board: Board, *, lakes: bool) -> Links:
    """No step over all-sea hexsides but Sivash and straits (7.14); over lakes as it is asked."""
    wet = {"sea"} if lakes else {"sea", "lake"}
    return [
        [b for b in near if board.terrain[a] not in wet and not wet & set(board.side_of(a, b))]
        for a, near in enumerate(board.adjacent)
    ]


@lru_cache(maxsize=4)
def road_links(board: Board) -> Links:
    return [[b for b in near if ROLLBAHN in board.line_of(a, b)] for a, near in enumerate(board.adjacent)]


@lru_cache(maxsize=4)
def road_hexes(board: Board) -> list[HexId]:
    on_line = board.on_line(ROLLBAHN)
    return [h for h in range(len(board)) if on_line[h]]


class SupplyMap:
    """Supply of both sides in one state of the position."""

    def __init__(self, case: Case, field: Field | None = None) -> None:
        self.case, self.field = case, field or field_of(case)
        self.board: Board = self.field.board
        self.course = course_of(case)
        self.holders = holders(self.field.position, self.board.hexes)
        self.stand = {side: {h for h, _ in self.field.of_side(side)} for side in ENEMY}
        self._shut = {side: self._shut_to(side) for side in ENEMY}
        self._reach: dict[tuple[HexId, ...], dict[HexId, int]] = {}
        self._direct = self._german_reach(self.sources(GERMAN))
        self._working = self._working_roads()
        self._soviet = self._flood(self.sources(SOVIET), SOVIET, dry_links(self.board, lakes=True), 10**6)

    # --- the ground ---

    def sources(self, side: str) -> list[HexId]:
        """Printed sources that the side holds (7.3, 7.9, 7.15)."""
        names = ("german-supply",) if side == GERMAN else ("soviet-supply-east", "soviet-supply-south")
        edges = {h for edge in self.board.map.edges if edge.id in names for h in edge.hexes}
        scenario, map_ = self.case.scenario, self.case.game.map
        for source in scenario.supply_sources:
            if source.side == side:
                edges.update(map_.hexes_of(source.hexes, scenario.sheet))
        ids = sorted(self.board.id_of[h] for h in edges if h in self.board.id_of)
        return [h for h in ids if self.holders[h] == side]

    def _shut_to(self, side: str) -> set[HexId]:
        """Hexes no line enters: the enemy's, his cities, and for Germans intact fortified lines (7.13)."""
        enemy = ENEMY[side]
        cities = {h for h in self.board.with_place("city") if self.holders[h] == enemy}
        lines = self.board.members(self.field.intact_lines) if side == GERMAN else ()
        return self.stand[enemy] | cities | set(lines)

    def _flood(self, starts: Iterable[HexId], side: str, links: Links, limit: int) -> dict[HexId, int]:
        """Hexes to the nearest start along open ground."""
        shut = self._shut[side]
        found = {h: 0 for h in starts if h not in shut}
        queue = deque(found)
        while queue:
            here = queue.popleft()
            far = found[here] + 1
            if far > limit:
                continue
            for near in links[here]:
                if near not in found and near not in shut:
                    found[near] = far
                    queue.append(near)
        return found

    # --- the German side ---

    def _german_reach(self, starts: Collection[HexId]) -> dict[HexId, int]:
        key = tuple(sorted(starts))
        if key not in self._reach:
            frozen = self.course.weather(NORTH) == SNOW
            self._reach[key] = self._flood(key, GERMAN, dry_links(self.board, lakes=frozen), RANGE)
        return self._reach[key]

    @cached_property
    def _roads(self) -> list[HexId]:
        return [h for h in road_hexes(self.board) if self.holders[h] == GERMAN]

    def _working_roads(self) -> set[HexId]:
        """Rollbahn hexes from which the road itself leads back to a source (7.3)."""
        on_line = set(road_hexes(self.board))
        starts = [h for h in self.sources(GERMAN) if h in on_line]
        return set(self._flood(starts, GERMAN, road_links(self.board), len(self.board)))

    def fed(self, hex_id: HexId) -> bool:
        """Whether a German line reaches, attenuated or not."""
        if hex_id in self._direct:
            return True
        ends = self._roads
        if self.case.turn >= NEAREST_FROM:
            distance = self.board.distances(hex_id, ends)
            nearest = min(distance.values(), default=0)
            ends = [h for h in ends if distance[h] == nearest]
        return hex_id in self._german_reach([h for h in ends if h in self._working])

    def by_any_road(self, hex_id: HexId) -> bool:
        """Whether a line reaches some Rollbahn hex that works, the nearest or not."""
        return hex_id in self._german_reach([h for h in self._roads if h in self._working])

    def state(self, hex_id: HexId) -> str:
        """7.2 to 7.4; east of the GAS Line it is attenuated, until a pause has been completed (7.5)."""
        if not self.fed(hex_id):
            return OUT
        beyond = self.field.ground.attenuated[hex_id] and not self.course.rested(self.case.turn)
        return ATTENUATED if beyond else REGULAR

    def state_of(self, unit: Unit) -> str:
        hex_id = self.field.id(unit.spot)
        if hex_id is None:
            return OUT
        state = self.state(hex_id)
        return REGULAR if state == ATTENUATED and MARKER in unit.marks else state

    # --- the Soviet side ---

    def regular(self, hex_id: HexId) -> bool:
        return hex_id in self._soviet

    def supplied(self, hex_id: HexId) -> bool:
        """Regular, coastal, or Oranienbaum's (7.9 to 7.11); whether Directive 3 is in force or not."""
        if self.regular(hex_id) or self.board.has_feature(hex_id, COASTAL):
            return True
        city = self.board.id_of.get(self.board.lattice.hex(LENINGRAD))
        held = city is not None and self.holders[city] == SOVIET and self.regular(city)
        return self.board.label(hex_id) == ORANIENBAUM and held
