"""Who controls a hex (3.6), and which fortified line hexes are intact (11.23)."""

from __future__ import annotations

from dataclasses import replace

from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex
from validator.engine.referee import Case
from validator.engine.rulebook import Faults
from validator.games.lwe.book import GERMAN, RULES
from validator.model.events import Event, Moved, Placed
from validator.model.position import Position
from validator.procedures.control import holder, taken
from validator.procedures.moves import AFTER_COMBAT, since_return

TAKEN_BACK = "taken-back"  # spots at the start of a path that were left again by hand
LINE = "fortified-line"
RUINED = "ruined-lines"


def controller(position: Position, hex_: Hex) -> str:
    return holder(position, hex_) or ""


def on_line(case: Case) -> frozenset[Hex]:
    """Every hex that a fortified line runs through, and the one-hex line."""
    return case.once(LINE, lambda: _on_line(case.game.map))


def _on_line(map_: GameMap) -> frozenset[Hex]:
    lines = {hex_ for line in map_.lines if line.kind == LINE for hex_ in line.hexes}
    return frozenset(lines.union(*(area.hexes for area in map_.areas if area.kind == LINE)))


def ruined(case: Case) -> set[Hex]:
    """Line hexes that a unit of the German side has entered, or that a result destroyed: for good."""
    return case.in_game.note(RUINED, set[Hex])


def intact(case: Case, position: Position) -> list[Hex]:
    """Line hexes not destroyed; one that the German side holds has been entered."""
    gone = ruined(case)
    return [h for h in on_line(case) if h not in gone and controller(position, h) != GERMAN]


@RULES.at_phase_start()
def who_stands_in_a_hex_holds_it(case: Case) -> Faults:
    """Where a log begins in mid-game: what its units held then is theirs when they have left it."""
    if case.position.partial and not case.in_game.notes.get("occupied"):
        case.in_game.notes["occupied"] = True
        for unit in case.position.on_map():
            if not unit.has("aircraft"):
                case.position.control[unit.hex] = unit.side
                if unit.side == GERMAN and unit.hex in on_line(case):
                    ruined(case).add(unit.hex)
    yield from ()


def _entered(case: Case, unit: str) -> dict[Hex, str]:
    """Hexes that a unit entered in this phase, and who had them before."""
    found: dict[str, dict[Hex, str]] = case.in_phase.note("entered", dict)
    return found.setdefault(unit, {})


def give_back(case: Case, unit: str) -> None:
    """A unit that was dragged back by hand has entered nothing."""
    for hex_, side in _entered(case, unit).items():
        if side and not any(other.id != unit for other in case.position.at(hex_)):
            case.position.control[hex_] = side
    _entered(case, unit).clear()


@RULES.after(Moved, Placed)
def whoever_enters_controls(case: Case, event: Event) -> Faults:
    """Entering is enough, at any time; a mobile assault that fails enters nothing."""
    if isinstance(event, Moved) and event.mode in ("assault", "return"):
        return
    names = (
        event.units[:1] if isinstance(event, Moved) else (event.unit,) if isinstance(event, Placed) else ()
    )
    if any(case.position.units[name].has("aircraft") for name in names):
        return
    if isinstance(event, Moved):
        known = event.path if event.mode in AFTER_COMBAT else None
        back = (
            case.in_phase.notes.pop(TAKEN_BACK, 0) if known is None else len(known) - len(since_return(known))
        )
        event = replace(event, path=event.path[back:])
    side, hexes = taken(case.position, event)
    for hex_ in hexes:
        for name in names:
            _entered(case, name).setdefault(hex_, controller(case.position, hex_))
        case.position.control[hex_] = side
        if side == GERMAN and hex_ in on_line(case):
            ruined(case).add(hex_)
    yield from ()
