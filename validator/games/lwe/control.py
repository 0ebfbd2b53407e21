"""Who controls a hex (3.6), and which fortified line hexes are intact (11.23)."""

from __future__ import annotations

from dataclasses import replace

from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex
from validator.engine.rulebook import APPLIED
from validator.games.lwe.book import GERMAN, RULES
from validator.games.lwe.state import Case
from validator.model.events import AFTER_COMBAT, Moved, Placed
from validator.model.position import Position, lacking
from validator.procedures.control import holder, taken
from validator.procedures.moves import since_return

LEFT_AGAIN = "left-again"  # spots at the start of a path that were left again by hand (chapter 9)
LINE = "fortified-line"
FAILED = ("assault", "return")  # a mobile assault that failed


def controller(position: Position, hex_: Hex) -> str:
    return holder(position, hex_) or ""


def on_line(case: Case) -> frozenset[Hex]:
    """Every hex that a fortified line runs through, and the one-hex line."""
    return case.once(on_line, lambda: _on_line(case.game.map))


def _on_line(map_: GameMap) -> frozenset[Hex]:
    lines = {hex_ for line in map_.lines if line.kind == LINE for hex_ in line.hexes}
    return frozenset(lines.union(*(area.hexes for area in map_.areas if area.kind == LINE)))


def intact(case: Case, position: Position) -> list[Hex]:
    """Line hexes not destroyed; one that the German side holds has been entered."""
    gone = case.in_game.ruined
    return [h for h in on_line(case) if h not in gone and controller(position, h) != GERMAN]


@RULES.track_start()
def who_stands_in_a_hex_holds_it(case: Case) -> None:
    """Where a log begins in mid-game: what its units held then is theirs when they have left it."""
    if case.position.partial and not case.in_game.begun:
        for unit in lacking(case.position.on_map(), "aircraft"):
            _take(case, unit.hex, unit.side)
    case.in_game.begun = True


def _take(case: Case, hex_: Hex, side: str) -> None:
    case.position.take(hex_, side)
    if side == GERMAN and hex_ in on_line(case):
        case.in_game.ruined.add(hex_)


def give_back(case: Case, unit: str) -> None:
    """For reducers: a unit that was dragged back by hand has entered nothing."""
    for hex_, side in case.in_phase.entered.pop(unit, {}).items():
        if side and not any(other.id != unit for other in case.position.at(hex_)):
            case.position.take(hex_, side)


def enter(case: Case, event: Moved | Placed) -> None:
    """For reducers: entering is enough."""
    side, hexes = taken(case.position, event)
    before = case.in_phase.entered.setdefault(event.concerned[0], {})
    for hex_ in hexes:
        before.setdefault(hex_, controller(case.position, hex_))
        _take(case, hex_, side)


@RULES.track(Moved, Placed, when=APPLIED)
def whoever_enters_controls(case: Case, event: Moved | Placed) -> None:
    """At any time; a mobile assault that fails enters nothing. Moves of their phase are chapter 9's."""
    if isinstance(event, Moved) and event.mode in AFTER_COMBAT:
        event = replace(event, path=tuple(since_return(event.path)))
    elif isinstance(event, Moved):
        left_again: int = case.about(LEFT_AGAIN, lambda: 0)
        event = replace(event, path=event.path[left_again:]) if left_again else event
    flies = case.unit(event.concerned[0]).has("aircraft")
    if not flies and getattr(event, "mode", "") not in FAILED:
        enter(case, event)
