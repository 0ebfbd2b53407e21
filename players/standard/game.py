"""What is done in each phase of a game with a `rules:` block."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import Rules
from fieldpost.definition.words import POINTS, WINNER
from players import table as tables
from players.game import Player
from players.standard import fighting
from players.standard.table import Table
from validator.core.board import HexId
from validator.core.movement import reach
from validator.model.events import Declared, Moved, Placed
from validator.model.position import Unit
from validator.standard.arrivals import _closed, places_of, schedule
from validator.standard.movement import memory_of, mode_of, move_rules
from validator.standard.sequence import ARRIVE, ATTACK, MOVE, phases_with
from validator.standard.victory import score_of


def movement(table: Table) -> None:
    for side in table.active():
        units = table.units(side)
        table.random.shuffle(units)
        for unit in units:
            if table.chance(0.8):
                _move(table, unit)


def _move(table: Table, unit: Unit) -> None:
    modes = [mode.id for mode in table.rules.movement.modes] if table.rules.movement else []
    mode = table.random.choice(["", "", *modes])
    told = mode_of(table.case, mode)
    rules = move_rules(table.case, table.field, unit, told) if table.rules.movement and told else None
    if rules is None:
        return
    found = reach(table.field.board, rules, table.at(unit))
    ends = [h for h in found if h != table.at(unit) and table.has_room(h, unit)]
    ends = [h for h in ends if _may_cross(table, unit, found.path(h))]
    if not ends:
        return
    path = found.path(table.random.choice(ends))
    hexes = table.field.hexes(path if table.chance(0.5) else (path[0], path[-1]))
    table.do(Moved((unit.id,), tuple(hexes), mode))


def _may_cross(table: Table, unit: Unit, path: tuple[HexId, ...]) -> bool:
    """Whether there is room left on what only so many may cross."""
    told = table.rules.movement
    for crossing in told.crossings if told else ():
        memory = memory_of(table.case, crossing)
        steps = table.field.board.steps_across(crossing.hexside)
        across = any(steps[table.field.board.step(a, b)] for a, b in pairwise(path))
        others = [name for name in memory.crossed.get(crossing.hexside, []) if name != unit.id]
        if across and len(others) >= crossing.units:
            return False
    return True


def arrivals(table: Table) -> None:
    for side in table.active():
        for name, due in schedule(table.case).items():
            unit = table.position.units[name]
            waits = unit.spot is None and due.turn <= table.case.turn and unit.side == side
            if waits and name not in table.case.in_game.began and table.chance(0.8):
                _arrive(table, unit)


def _arrive(table: Table, unit: Unit) -> None:
    field = table.field
    places = places_of(table.case, field, schedule(table.case)[unit.id])
    closed = _closed(table.case, field, unit).values()
    hexes = [h for h in range(len(field.board)) if places is None or places[h]]
    hexes = [h for h in hexes if not any(mask[h] for mask in closed) and table.has_room(h, unit)]
    if hexes:
        table.do(Placed(unit.id, field.board.hexes[table.random.choice(hexes)]))


def count(table: Table) -> None:
    victory = table.case.scenario.victory
    if table.rules.victory is None or victory is None:
        return
    right = score_of(table.case)
    table.do(Declared(POINTS, value=str(right.points)))
    band = right.band(victory.bands)
    if band is not None:
        table.do(Declared(WINNER, value=band.result))


def player(game: Game) -> Player:
    """Somebody who plays a game by its data."""

    class OfGame(Table):
        game_of_table = game

    arrive = phases_with(game, ARRIVE) or phases_with(game, MOVE)
    deeds = {
        phase.id: (
            *((arrivals,) if phase.id in arrive else ()),
            *((movement,) if phase.id in phases_with(game, MOVE) else ()),
            *((fighting.combat,) if phase.id in phases_with(game, ATTACK) else ()),
        )
        for phase in game.sequence
    }
    return Player(OfGame, deeds, (), ending=(count,))


def with_rules(game: Game, **parts: object) -> Game:
    """The same game with other parts in its block."""
    return replace(game, rules=replace(game.rules or Rules(), **parts))  # type: ignore[arg-type]


PLAYER = player(tables.game_of(tables.EXAMPLE))
