"""Supply lines and reach of units, for players who ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from fieldpost.hexes import Hex
from validator.core.board import HexId, Mask, minus
from validator.core.costs import ONE, points, points_text
from validator.core.movement import MoveRules
from validator.core.movement import Reach as Search
from validator.core.movement import reach as search
from validator.core.supply import Lines
from validator.games.lwe.book import ENEMY, GERMAN, MOVING, SOVIET
from validator.games.lwe.c06_stacking import fits, strangers
from validator.games.lwe.c07_claims import why_cut
from validator.games.lwe.c08_refits import MARKER as REFIT
from validator.games.lwe.c09_march import ONE_HEX, move_rules, road_rules, supply_at_start
from validator.games.lwe.c09_mobile_assault import ASSAULTS
from validator.games.lwe.c09_movement import STATIC
from validator.games.lwe.c09_sea import BY_SEA_ONLY, SEA, SEA_ONLY, by_sea, sea_rules
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.lines import (
    ATTENUATED,
    OUT,
    RANGE,
    GermanLines,
    german_lines,
    soviet_lines,
    state_of,
)
from validator.games.lwe.state import Case, trip_of
from validator.model.events import Moved
from validator.model.position import Unit
from validator.procedures.faults import all_true
from validator.procedures.marches import MARCH, has_moved
from validator.queries import answers
from validator.queries.answers import Asked, Reach, SupplyLine
from validator.queries.targets import with_targets

MODES = (MARCH, SEA)
SUPPLIED = "supplied"
MARKER = "out-of-supply"  # nobody needs to lay it; its other face is attenuated supply
MARKED = {1: OUT, 2: ATTENUATED}


def zones(case: Case, side: str) -> set[Hex]:
    """There are no zones of control in this game."""
    return set()


# --- supply ------------------------------------------------------------------------------------


def supply(case: Case) -> list[SupplyLine]:
    """Every unit on the map, as it would be judged now."""
    field = field_of(case)
    ask = {GERMAN: _german, SOVIET: _soviet}
    return [ask[side](case, field, hex_id, unit) for side in ENEMY for hex_id, unit in field.of_side(side)]


def _german(case: Case, field: Field, hex_id: HexId, unit: Unit) -> SupplyLine:
    """Straight to a source; or to a Rollbahn (7.3)."""
    lines, state = german_lines(case, field), state_of(case, unit, field)
    status = state if state in (OUT, ATTENUATED) else SUPPLIED
    if state == OUT:
        return _without_line(unit, OUT, "", lines.why_out(hex_id))
    if lines.direct.reaches(hex_id):
        return _along(field, unit, status, "source", lines.direct)
    return _along(field, unit, status, "Rollbahn", lines.to_roads(hex_id))


def _soviet(case: Case, field: Field, hex_id: HexId, unit: Unit) -> SupplyLine:
    lines = soviet_lines(case, field)
    if lines.regular(hex_id):
        return _along(field, unit, SUPPLIED, "source", lines.lines)
    if lines.coastal(hex_id):
        return _without_line(unit, SUPPLIED, "sea", "by sea: a town on its coast")
    if lines.oranienbaum(hex_id):
        return _without_line(unit, SUPPLIED, "Leningrad", "Leningrad is held and supplied")
    why = why_cut(case, hex_id)[1]
    if field.course.dd3 is not False:
        return _without_line(unit, SUPPLIED, "Directive 3", f"by Directive 3 alone: {why}")
    return _without_line(unit, OUT, "", why)


def _without_line(unit: Unit, status: str, by: str, text: str) -> SupplyLine:
    marked = MARKED.get(unit.marks.get(MARKER, 0), "")
    return SupplyLine(unit.id, unit.side, unit.hex, status, status != OUT, marked, by, None, None, (), text)


def _along(field: Field, unit: Unit, status: str, by: str, lines: Lines) -> SupplyLine:
    path = lines.path(field.board.id_of[unit.hex])
    length = lines.length(path[0]) or 0
    limit = RANGE * ONE if unit.side == GERMAN else None
    allowed = f" of {points_text(limit)}" if limit else ""
    beyond = ", beyond the GAS Line" if status == ATTENUATED else ""
    text = f"{points_text(length)}{allowed} hexes to {by} {field.ground.wording.hex(path[-1])}{beyond}"
    return replace(
        _without_line(unit, status, by, text),
        length=points(length),
        limit=points(limit) if limit else None,
        line=field.hexes(path),
    )


# --- reach -------------------------------------------------------------------------------------


def reach(case: Case, unit: str, mode: str, target: Hex | None) -> Reach:
    """Where a unit may go: in the present phase if that is its own, else as its next one begins."""
    asked = answers.ask(case, field_of, MOVING, unit, target)
    stays = next(_stays(asked, mode), "")
    if stays:
        return asked.nowhere(mode, f"{unit} {stays}")
    return replace({MARCH: _march, SEA: _sea}[mode](asked), leaves_out=(answers.ALONE,))


def _stays(asked: Asked[Field], mode: str) -> Iterator[str]:
    """Why a unit does not move at all."""
    case, unit = asked.case, asked.unit
    trip = trip_of(case, unit)
    finished = trip.ended or trip.whole or SEA in (trip.mode, mode)
    return all_true(
        (unit.has("aircraft"), "flies and does not move from hex to hex"),
        (unit.has(STATIC), "is static and stays in its hex"),
        (unit.has(SEA_ONLY) and mode != SEA, BY_SEA_ONLY),
        (REFIT in unit.marks, "carries a refit marker"),
        (unit.id in case.in_turn.by_town, "entered in a Rollbahn town this turn"),
        (has_moved(case, unit) and finished, "has finished its movement in this phase"),
    )


def _march(asked: Asked[Field]) -> Reach:
    case, field, unit = asked.case, asked.field, asked.unit
    rules = move_rules(case, field, unit)
    rules = replace(rules, no_end={**rules.no_end, **_no_end(asked)})
    if unit.side == SOVIET:
        return answers.searched(asked, MARCH, rules)
    if supply_at_start(case, field, unit) != OUT:
        return with_targets(ASSAULTS, asked, _fed_march(asked, rules))
    if case.option("one-hex-unsupplied") == "off":
        why = german_lines(case, field).why_out(asked.start)
        return asked.nowhere(MARCH, f"{unit.id} is out of supply and may not move: {why}")
    near = field.board.near([asked.start], 1)
    far = bytes(not inside for inside in near)
    return answers.searched(asked, MARCH, replace(rules, forbidden={**rules.forbidden, ONE_HEX: far}))


def _no_end(asked: Asked[Field]) -> dict[str, Mask]:
    """Hexes in which the unit may not stop: of another nation (6.3), or north of the sector line (9.31)."""
    field, unit = asked.field, asked.unit
    closed = {"nations": strangers(asked.case, field, [unit])}
    if unit.has("satellite"):
        closed["north"] = minus(bytes([1]) * len(field.board), field.ground.southern)
    return closed


def _fed_march(asked: Asked[Field], rules: MoveRules) -> Reach:
    """Germans do not go out of supply (7.16); the extra hexes of a Rollbahn are for who is fed all along."""
    case, field, unit = asked.case, asked.field, asked.unit
    fed = _Fed(asked, rules)
    roads = [road_rules(case, field, unit, rules)] if field.roads_open else []

    def refuses(used: MoveRules, way: tuple[HexId, ...]) -> str:
        every_hex = used is not rules or case.option("no-entry-unsupplied") == "every-hex"
        cut = next((h for h in (way[1:] if every_hex else way[-1:]) if not fed.after(way, h)), None)
        return "" if cut is None else f"moves out of supply: {german_lines(case, field).why_out(cut)}"

    return answers.searched(
        asked,
        MARCH,
        rules,
        *roads,
        refuses=refuses,
        detours=fed.detours,
        bonus="the extra hexes of a Rollbahn",
    )


class _Fed:
    """Supply of the German side as a way opens it: cities, lines and Rollbahn hexes are taken as they are
    entered."""

    def __init__(self, asked: Asked[Field], rules: MoveRules) -> None:
        self.asked, self.rules = asked, rules
        self.field, self.board = asked.field, asked.field.board
        self._lines: dict[frozenset[HexId], GermanLines] = {}

    def after(self, way: tuple[HexId, ...], hex_id: HexId) -> bool:
        """Whether a hex is in supply when a unit has gone this way."""
        return self._after(way).supplied(hex_id)

    def _after(self, way: Iterable[HexId]) -> GermanLines:
        ground, field, case = self.field.ground, self.field, self.asked.case
        counts = (h for h in way if ground.barriers[h] or ground.roads[h])
        taken = frozenset(h for h in counts if field.holder(h) != GERMAN)
        if taken not in self._lines:
            position = case.position.supposing({self.board.hexes[h]: GERMAN for h in taken})
            supposed = Field(ground, case, position) if taken else field
            self._lines[taken] = german_lines(case, supposed)
        return self._lines[taken]

    def detours(self, end: HexId) -> Iterator[tuple[HexId, ...]]:
        """Ways to a hex through what, once taken, would let a line of supply through to it."""
        first = self._first
        barred = [h for h in first if self.field.ground.barriers[h] and self.field.holder(h) != GERMAN]
        opened = self._after(barred)
        if not opened.supplied(end):
            return
        lines = opened.direct if opened.direct.reaches(end) else opened.to_roads(end)
        for gate in set(lines.path(end)).intersection(barred):
            left = replace(
                self.rules, budget=self.rules.budget - first.costs[gate], one_hex=False, moved=True
            )
            onward = search(self.board, left, gate)
            if end in onward:
                yield (*first.path(gate), *onward.path(end)[1:])

    @cached_property
    def _first(self) -> Search:
        return search(self.board, self.rules, self.asked.start)


def _sea(asked: Asked[Field]) -> Reach:
    def faults(end: HexId) -> list[str]:
        way = [asked.start, end]
        event = Moved((asked.unit.id,), asked.hexes(way), SEA)
        wrong = [fault.message for fault in by_sea(asked.case, asked.field, asked.unit, way, event)]
        full = end != asked.start and not fits(asked.field, SOVIET, end, [asked.unit])
        return wrong or ([f"no room in {asked.field.ground.wording.hex(end)}"] if full else [])

    return answers.voyages(asked, SEA, sea_rules(asked.field), faults)
