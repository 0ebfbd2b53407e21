"""Phases of a log whose tracker shows turns only: read from who moves, and from when dice fall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fieldpost.definition.model import Game, Phase, Scenario
from fieldpost.hexes import Hex, neighbors
from validator.model import events as ev
from validator.model.events import Event
from validator.model.position import Position

NOTE = "the tracker shows no phases: they were read from who moves and when dice fall"
ATTACK = "attack"


def with_phases(events: Iterable[Event], start: Position, game: Game, scenario: Scenario) -> Iterator[Event]:
    """The events, each phase that they show with a line of its own."""
    position = start.copy()
    for event in events:
        wanted = _wanted(event, position, game)
        if wanted is not None:
            side, attacks = wanted
            phase = _next(position, game, scenario, side, attacks=attacks)
            if phase is not None:
                began = ev.PhaseBegan(position.turn, phase, origin=replace(event.origin, inferred=True))
                position.apply(began)
                yield began
                yield ev.Unread(NOTE, origin=event.origin)
        position.apply(event)
        yield event


def _wanted(event: Event, position: Position, game: Game) -> tuple[str, bool] | None:
    """The side that acts, and whether it attacks, where the present phase is not for that."""
    now = next((phase for phase in game.sequence if phase.id == position.phase), None)
    if now is None:
        return None
    match event:
        case ev.Moved(units=(first, *_)) if isinstance(event.start, Hex) and isinstance(event.end, Hex):
            side = position.units[first].side
            fights = ATTACK in _verbs(now, "") and _beside_the_enemy(position, first)
            return None if fights or _moves(now, side) else (side, False)
        case ev.Attacked(units=(first, *_)):
            side = position.units[first].side
            return None if ATTACK in _verbs(now, side) else (side, True)
        case ev.Rolled():
            return None if ATTACK in _verbs(now, "") or now.active == "both" else (now.active, True)
    return None


def _next(position: Position, game: Game, scenario: Scenario, side: str, *, attacks: bool) -> str | None:
    """The first phase of the turn from here on in which a side may do so."""
    phases = list(game.phases(position.turn, scenario))
    at = next((number for number, phase in enumerate(phases) if phase.id == position.phase), -1)
    for phase in phases[at + 1 :]:
        if (ATTACK in _verbs(phase, side)) if attacks else _moves(phase, side):
            return phase.id
        if attacks and phase.active not in (side, "both"):
            return None
    return None


def _verbs(phase: Phase, side: str) -> set[str]:
    """What a side may do in a phase; what any side may, if none is named."""
    parts = [(phase.active, phase.may), *((step.active, step.may) for step in phase.steps)]
    return {verb for active, may in parts if side in ("", active) or active == "both" for verb in may}


def _moves(phase: Phase, side: str) -> bool:
    return any(verb == "move" or verb.endswith("-move") for verb in _verbs(phase, side))


def _beside_the_enemy(position: Position, name: str) -> bool:
    unit = position.units[name]
    around = neighbors(unit.hex) if unit.on_map else ()
    return any(other.side != unit.side for hex_ in around for other in position.at(hex_))
