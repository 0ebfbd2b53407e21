"""What ground does in combat: effects that the module's battle plate shows and the referee judges by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from fieldpost.definition.model import BattlePlate, Game, PlateEffect
from fieldpost.definition.results import table_of

FORMS = "1 left, 2 right, +1 or -1 (the die), x2 (the defense), no (no attack) or -"
NO_ATTACK = "no"
_COLUMNS = re.compile(r"(\d)\s*(left|right|l|r)", re.IGNORECASE)
_DIE = re.compile(r"[+-]\d")
_TIMES = re.compile(r"x\s*([2-9])", re.IGNORECASE)


def plate_of(game: Game) -> BattlePlate:
    """The plate of a game with the effects of ground that its rules read from the terrain effects."""
    plate = game.battle_plate or BattlePlate()
    return replace(plate, effects=(*plate.effects, *_of_ground(game)))


def read_cell(cell: str) -> PlateEffect | None:
    """What a cell says of combat, for any ground; None for what says nothing that is known."""
    text = cell.strip()
    if text in ("", "-", NO_ATTACK):
        return PlateEffect("")
    if found := _COLUMNS.fullmatch(text):
        number = int(found[1])
        return PlateEffect("", columns=-number if found[2].lower().startswith("l") else number)
    if _DIE.fullmatch(text):
        return PlateEffect("", die=int(text))
    if found := _TIMES.fullmatch(text):
        return PlateEffect("", times=int(found[1]))
    return None


def closed_to_attack(game: Game) -> frozenset[str]:
    """Kinds of hexsides that no attack crosses, and of ground that none is made into."""
    combat = game.rules.combat if game.rules else None
    said = (row for row, cell in _cells(game).items() if cell.strip() == NO_ATTACK)
    return frozenset((*(combat.not_across if combat else ()), *said))


def _cells(game: Game) -> dict[str, str]:
    """What the terrain effects tell of combat, by the kind of ground."""
    combat = game.rules.combat if game.rules else None
    movement = game.rules.movement if game.rules else None
    table = table_of(game, "terrain-effects", movement.table if movement else None)
    if combat is None or combat.terrain is None or table is None or combat.terrain not in table.columns:
        return {}
    return {row.id: table.cell(row.id, combat.terrain) for row in table.rows}


def _of_ground(game: Game) -> Iterator[PlateEffect]:
    """A place takes the place of the terrain it stands on, where the table has something to say of it."""
    combat = game.rules.combat if game.rules else None
    said = {row: read_cell(cell) for row, cell in _cells(game).items()}
    effects = {row: effect for row, effect in said.items() if effect and effect != PlateEffect("")}
    across_all = combat is not None and combat.across == "all"
    places = {kind.id: kind.name for kind in game.map.place_kinds}
    terrain = {kind.id: kind.name for kind in game.map.terrain_kinds}
    hexsides = {kind.id: kind.name for kind in game.map.hexside_kinds}
    for row, effect in effects.items():
        name = (places.get(row) or terrain.get(row) or hexsides.get(row) or row).lower()
        if row in places:
            yield replace(effect, text=name, places=(row,))
        if row in terrain:
            others = tuple(place for place in places if place in effects)
            yield replace(effect, text=name, terrain=(row,), without=others)
        if row in hexsides and across_all:
            yield replace(effect, text=name, across=(row,))
        elif row in hexsides:
            yield replace(effect, text=name, some_across=(row,))
