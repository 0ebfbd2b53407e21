"""Chapter 7.3 to 7.17: supply as players claim it, by a marker or in words, and what is wrong with it.

`declare in-supply for 3Pz`, or a marker of attenuated supply, says that a line reaches the unit.
"""

from __future__ import annotations

from dataclasses import replace

from validator.core.board import HexId
from validator.core.costs import ONE
from validator.core.supply import network, trace
from validator.engine.case import fields_of, matches
from validator.engine.rulebook import Faults
from validator.games.lwe.book import GERMAN, RULES
from validator.games.lwe.course import course_of
from validator.games.lwe.field import ROAD, field_of
from validator.games.lwe.lines import (
    FREE_ROADS,
    GERMAN_EDGE,
    ORANIENBAUM,
    OUT,
    RANGE,
    SOVIET_EDGES,
    GermanLines,
    SovietLines,
    german_lines,
    soviet_lines,
    state_of,
)
from validator.games.lwe.state import Case
from validator.model.events import Declared, Event, Marked
from validator.model.findings import Fault
from validator.model.position import Unit, on_map
from validator.procedures.faults import those_that_hold

IN_SUPPLY, MARKER, ATTENUATED_FACE, OUT_FACE = "in-supply", "supply", 2, 1
CLAIMS = fields_of({"what": IN_SUPPLY})
ATTENUATED = fields_of({"face": ATTENUATED_FACE})


@RULES.rule(
    "lwe-5.4e", "lwe-7.3a", "lwe-7.3b", "lwe-7.3c", "lwe-7.13a", "lwe-7.14a", "lwe-7.15a", "lwe-7.17a"
)
@RULES.rule("lwe-7.9a", "lwe-7.10a", "lwe-7.11a")
@RULES.before(Declared, Marked)
def claims_of_supply_are_true(case: Case, event: Event) -> Faults:
    for unit, hex_id in field_of(case).standing(_claimed(case, event)):
        wrong = _german(case, unit, hex_id) if unit.side == GERMAN else _soviet(case, hex_id)
        if wrong is not None:
            rule, why = wrong
            text = f"{unit.id} is said to be in supply, but {why}"
            yield Fault(rule, text, (unit.id,), (unit.hex,))


def _claimed(case: Case, event: Event) -> list[Unit]:
    shown = matches(event, ATTENUATED) and _is_of_supply(case, event)
    return case.units(event.concerned) if shown or matches(event, CLAIMS) else []


def _is_of_supply(case: Case, event: Event) -> bool:
    return isinstance(event, Marked) and case.game.marker[event.marker].kind == MARKER


@RULES.rule("lwe-7.3a")
@RULES.before(Marked, face=OUT_FACE, side=GERMAN, kind=MARKER)
def markers_of_want_are_true(case: Case, event: Marked) -> Faults:
    """A unit in supply that is marked out of supply: a slip, and no offense.

    In a log that begins in mid-game its line may hang on what the enemy took before.
    """
    units = [] if case.position.partial else on_map(case.units(event.concerned))
    for unit in (unit for unit in units if state_of(case, unit) != OUT):
        yield Fault("lwe-7.3a", f"{unit.id} is marked out of supply and is not", (unit.id,), (unit.hex,))


# --- German claims -------------------------------------------------------------------------------


def _german(case: Case, unit: Unit, hex_id: HexId) -> tuple[str, str] | None:
    lines = german_lines(case)
    if lines.supplied(hex_id):
        return None
    why = lines.why_out(hex_id)
    if case.turn not in FREE_ROADS and _any_road(lines, hex_id):
        return ("lwe-5.4e" if case.turn == FREE_ROADS[-1] + 1 else "lwe-7.3c"), why
    if trace(lines.rules, lines.field.ground.edge(GERMAN_EDGE)).reaches(hex_id):
        return "lwe-7.15a", f"its source is not held: {why}"
    if _leaving_the_road(lines, hex_id):
        return "lwe-7.3b", f"the line leaves the Rollbahn: {why}"
    return _by_lifting(lines, hex_id) or ("lwe-7.3a", why)


def _any_road(lines: GermanLines, hex_id: HexId) -> bool:
    return trace(lines.rules, lines.working_roads).reaches(hex_id)


def _leaving_the_road(lines: GermanLines, hex_id: HexId) -> bool:
    """A line would reach if it could leave a Rollbahn for a way round."""
    bridged = [h for h in lines.board.members(lines.field.ground.roads) if lines.supplied(h)]
    joined = network(lines.board, [ROAD], bridged, lines.closed)
    ends = [h for h in lines.roads if joined.length(h) is not None]
    return trace(lines.rules, ends).reaches(hex_id)


def _by_lifting(lines: GermanLines, hex_id: HexId) -> tuple[str, str] | None:
    """Which rule, forgotten, would give a line of twelve hexes."""
    rules = lines.rules
    foreign = [h for edge in SOVIET_EDGES for h in lines.field.ground.edge(edge)]
    tries = (
        ("lwe-7.14a", rules.lift("hexside:sea"), lines.sources, "the line crosses the sea"),
        ("lwe-7.13a", rules.lift(*rules.keys), lines.sources, "the line enters what it may not"),
        ("lwe-7.17a", rules, foreign, "an enemy source supplies nobody"),
    )
    for rule, lifted, ends, why in tries:
        limited = replace(lifted, lifted=lifted.lifted - {"length", "terrain:sea"})
        if trace(limited, ends).lengths[hex_id] <= RANGE * ONE:
            return rule, why
    return None


# --- Soviet claims -------------------------------------------------------------------------------


def _soviet(case: Case, hex_id: HexId) -> tuple[str, str] | None:
    if course_of(case).dd3 is not False:
        return None  # every unit is in supply
    return None if soviet_lines(case).supplied(hex_id) else why_cut(case, hex_id)


def why_cut(case: Case, hex_id: HexId) -> tuple[str, str]:
    """The rule that keeps a Soviet hex out of supply, and in words what cuts it off."""
    lines = soviet_lines(case)
    where = lines.field.ground.wording.hex(hex_id)
    sea = f"no line crosses the sea from {where}, but at the Sivash and the Kerch Straits"
    wrong = those_that_hold(
        (
            lines.board.label(hex_id) == ORANIENBAUM,
            "lwe-7.11a",
            "Leningrad is not held and supplied",
        ),
        (_on_the_coast(lines, hex_id), "lwe-7.10a", f"{where} lies on the coast but has no town"),
        (lines.over_the_sea(hex_id), "lwe-7.14a", sea),
        (True, "lwe-7.9a", f"no open line from {where} to the eastern edge"),
    )
    return next(wrong)


def _on_the_coast(lines: SovietLines, hex_id: HexId) -> bool:
    board = lines.board
    sea = [n for n in board.adjacent[hex_id] if board.terrain[n] == "sea"]
    return bool(sea) or any("sea" in board.side_of(hex_id, n) for n in board.adjacent[hex_id])
