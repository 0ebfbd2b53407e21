"""What players of a game can declare, worked out from its data: no game is named here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from builder.module import keys
from builder.module.keys import Command
from fieldpost.definition.model import Game, MarkerFace, Phase, Step, UnitType
from fieldpost.definition.words import beyond, is_declared


@dataclass(frozen=True)
class SupplyStatus:
    name: str
    face: MarkerFace
    command: Command


@dataclass(frozen=True)
class Vocabulary:
    modes: tuple[tuple[str, Command], ...]
    supply: tuple[SupplyStatus, ...]
    overrun: Command | None
    declarations: dict[str, tuple[Command, ...]]  # by side
    results: tuple[str, ...]
    manners: tuple[str, ...] = ()  # of volleys; without any, no unit throws dice of its own
    moving: tuple[
        tuple[str, ...], ...
    ] = ()  # where types of units differ in it: ways of moving that go together

    @property
    def volleys(self) -> bool:
        return bool(self.manners)

    def ways(self, unit_type: UnitType) -> tuple[str, ...] | None:
        """The ways of moving that a type has to itself; None if it has those of all units."""
        return own_ways(unit_type) if self.moving else None

    def some(self, names: tuple[str, ...]) -> tuple[tuple[str, Command], ...]:
        return tuple((name, command) for name, command in self.modes if name in names)

    @property
    def fighting(self) -> tuple[Command, ...]:
        """The menu entries of a battle."""
        overrun = (self.overrun,) if self.overrun else ()
        return (keys.ATTACK, *overrun, keys.TARGET, keys.SUPPORT, keys.NO_BATTLE)


def of(game: Game) -> Vocabulary:
    verbs = {verb for part in _parts(game) for verb in part.may}
    modes = sorted(
        verb.removesuffix("-move") for verb in verbs if verb.endswith("-move") and _is_mode(verb, game)
    )
    return Vocabulary(
        modes=tuple((name, keys.mode(name)) for name in modes),
        supply=tuple(_supply(game)),
        overrun=keys.overrun(game.called.get("overrun", "overrun")) if "overrun" in verbs else None,
        declarations={side.id: _declarations(game, side.id) for side in game.sides},
        results=tuple(_results(game)),
        manners=game.words.manners,
        moving=tuple(dict.fromkeys(own_ways(t) for t in game.unit_types))
        if any("modes" in t.values for t in game.unit_types)
        else (),
    )


def own_ways(unit_type: UnitType) -> tuple[str, ...]:
    """The ways of moving that the value `modes` of a type lists."""
    return tuple(str(unit_type.values.get("modes", "")).split())


def _parts(game: Game) -> Iterator[Phase | Step]:
    for phase in game.sequence:
        yield phase
        yield from phase.steps


def _is_mode(verb: str, game: Game) -> bool:
    """Open to many types; `airbase-move` names the one type without a zone that it is for."""
    word = verb.removesuffix("-move")
    bearers = [unit_type for unit_type in game.unit_types if word in (unit_type.id, *unit_type.traits)]
    return not bearers or any(unit_type.zoc for unit_type in bearers)


def _supply(game: Game) -> Iterator[SupplyStatus]:
    faces = [face for marker in game.markers if marker.kind == "supply" for face in marker.faces]
    for index, face in enumerate(faces):
        name = slug(f"{face.text} {face.small}")
        yield SupplyStatus(name, face, keys.supply(name, index))


def _declarations(game: Game, side: str) -> tuple[Command, ...]:
    verbs: dict[str, None] = {}
    for part in _parts(game):
        if part.active in (side, "both"):
            verbs |= dict.fromkeys(filter(is_declared, part.may))
    return tuple(keys.declare(verb, number) for number, verb in enumerate(verbs, 1))


def _results(game: Game) -> Iterator[str]:
    """Every result of the combat tables, once, in the order of the tables."""
    seen: dict[str, None] = {}
    for table in game.tables:
        if table.kind == "combat-results":
            seen |= {cell: None for row in table.rows for cell in row.cells}
    yield from (cell for cell in dict.fromkeys((*seen, *beyond(game))) if cell not in ("", "-", "–"))


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
