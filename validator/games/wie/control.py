"""Who holds a hex: its last occupant on the ground, before anyone came whoever the map gives it to."""

from __future__ import annotations

from fieldpost.hexes import Hex
from validator.engine.rulebook import APPLIED, FIRST
from validator.games.wie.book import MOVE, PARTS, RULES, part_of, side_of
from validator.games.wie.state import Case, InGame
from validator.games.wie.units import holds_nothing
from validator.model.events import Moved, PhaseBegan, Placed
from validator.model.position import Position, Unit
from validator.procedures.control import holder, taken


def controller(position: Position, hex_: Hex) -> str:
    there = position.at(hex_)
    if not any(map(holds_nothing, there)):
        return holder(position, hex_) or ""
    marked = position.marked_holder(hex_)
    if marked is None:
        holding = {unit.side for unit in there if not holds_nothing(unit)}
        marked = holding.pop() if len(holding) == 1 else position.game.holder_at_start(hex_)
    return marked or holder(position, hex_) or ""


LASTING = (
    *("events", "weather", "weather_rolls", "free_air", "dead", "starved", "siberian", "moved_complexes"),
    *("taken", "captured", "offensives", "reached", "over", "piles", "counter_offensive", "assassinated"),
    *("trio_broken", "allies_unseen"),
)
"""What is remembered over turns that a log does not show."""


@RULES.track(PhaseBegan, when=FIRST)
def what_a_gap_hides(case: Case, event: PhaseBegan) -> None:
    """Where a whole turn is missing, the log begins anew: nobody saw what was paid, bombed and checked."""
    if case.in_game.begun and event.turn > case.turn + 1:
        kept = {name: getattr(case.in_game, name) for name in LASTING}
        case.in_game = InGame(**kept)


@RULES.track_start()
def what_a_log_begins_with(case: Case) -> None:
    """Where a log begins in mid-game, a unit's hex is its side's, also when it has left it."""
    game = case.in_game
    if game.begun:
        return
    game.begun = True
    game.first = (case.turn, case.phase)
    opening = case.game.phases(case.scenario.first_turn, case.scenario)
    first = {phase.id for phase in opening[: [part_of(p.id) for p in opening].index("reinforce") + 1]}
    game.from_start = (
        not case.position.partial and case.turn == case.scenario.first_turn and case.phase in first
    )
    for unit in list(case.position.on_map()):
        if not holds_nothing(unit):
            case.position.take(unit.hex, unit.side)


def begins_after(case: Case, part: str) -> bool:
    """Whether the log begins in this player turn, and after such an action of it."""
    turn, phase = case.in_game.first
    later = side_of(phase) == side_of(case.phase) and part_of(phase) in PARTS[PARTS.index(part) + 1 :]
    return later and turn == case.turn


@RULES.track_start()
def paratroops_that_have_landed(case: Case) -> None:
    """Where a log begins after the movement: those that stand among enemies."""
    if begins_after(case, MOVE) and case.in_game.first == (case.turn, case.phase):
        side = side_of(case.phase)
        landed = (unit for unit in case.position.on_map(side) if unit.has("paratroops"))
        among = (unit.id for unit in landed if _enemies(case.position, unit))
        case.in_turn.by(side).dropped.update(among)


def _enemies(position: Position, unit: Unit) -> bool:
    return any(other.side != unit.side and not holds_nothing(other) for other in position.at(unit.hex))


@RULES.track(Moved, Placed, when=APPLIED)
def whoever_enters_holds(case: Case, event: Moved | Placed) -> None:
    """All hexes that ground units go through are theirs; planes take nothing."""
    if all(map(holds_nothing, case.units(event.concerned))):
        return
    side, hexes = taken(case.position, event)
    flown = isinstance(event, Moved) and event.mode in ("drop", "transport")
    for hex_ in hexes[-1:] if flown else hexes:
        if controller(case.position, hex_) != side and side_of(case.phase):
            case.in_game.taken[hex_] = case.turn
        standing = {unit.side for unit in case.position.at(hex_) if not holds_nothing(unit)}
        if standing <= {side}:
            case.position.take(hex_, side)
