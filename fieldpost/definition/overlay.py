"""Overlays: files in which owners replace reconstructed tables, counters or hexes by their own copy's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol, TypeVar

from fieldpost.definition.annotations import Id, LabelList, PieceId
from fieldpost.definition.atlas import Atlas
from fieldpost.definition.mapmodel import GameMap, Grid, Place, Reason, SideRun
from fieldpost.definition.model import Counter, Game, Marker, Provenance, Table, TurnTrack
from fieldpost.definition.problems import nearest
from fieldpost.definition.reader import Reader
from fieldpost.definition.references import known, unique

OWNER = Provenance("owner")


@dataclass(frozen=True, kw_only=True)
class OwnTable(Table):
    CALLED = "table"

    provenance: Provenance = OWNER


@dataclass(frozen=True, kw_only=True)
class OwnTurnTrack(TurnTrack):
    CALLED = "turn track"

    provenance: Provenance = OWNER


@dataclass(frozen=True)
class OwnUnit:
    """What differs of a unit; with `type` and `steps` it may be a new one."""

    CALLED = "unit"

    id: PieceId
    type: str | None = None
    name: str | None = None
    steps: tuple[str, ...] | None = None
    label: str | None = None
    nationality: str | None = None
    enters: str | None = None
    setup: str | None = None
    group: str | None = None
    traits: tuple[str, ...] | None = None
    values: Mapping[str, str | int | Fraction] | None = None


@dataclass(frozen=True)
class OwnHexes:
    """The value of a grid in some hexes."""

    CALLED = "change of hexes"

    hexes: LabelList
    grid: str
    value: str


@dataclass(frozen=True)
class OwnPlace:
    CALLED = "place"

    hex: str
    name: str
    kind: str
    features: tuple[str, ...] = ()
    values: Mapping[str, str | int] = field(default_factory=dict)
    rule: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class OwnSides:
    """What lies on some hexsides: these kinds and no other."""

    CALLED = "change of hexsides"

    sides: LabelList
    kinds: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class OverlayFile:
    CALLED = "overlay"

    game: Id
    note: str = ""
    tables: tuple[OwnTable, ...] = ()
    counters: tuple[OwnUnit, ...] = ()
    markers: tuple[Marker, ...] = ()
    turn_track: OwnTurnTrack | None = None
    hexes: tuple[OwnHexes, ...] = ()
    places: tuple[OwnPlace, ...] = ()  # in the hexes they name, they replace all places
    no_places: LabelList = ()  # hexes without any place
    hexsides: tuple[OwnSides, ...] = ()


class Overlay:
    def __init__(self, file: OverlayFile, reader: Reader) -> None:
        self.file = file
        self.reader = reader

    # --- game

    def change_game(self, game: Game) -> Game:
        file, reader = self.file, self.reader
        if file.game and file.game != game.id:
            reader.fault(file, ("game",), f"this overlay is of the game {file.game!r}", game.id)
        unique(reader, file.tables, lambda t: t.id, "the table")
        unique(reader, file.counters, lambda u: u.id, "the unit")
        unique(reader, file.markers, lambda m: m.id, "the marker")
        markers = [self._owned(marker) for marker in file.markers]
        changed = replace(
            game,
            tables=_replaced(game.tables, file.tables),
            markers=_replaced(game.markers, markers),
            counters=self._counters(game),
            turn_track=file.turn_track or game.turn_track,
        )
        reader.follow(changed, game)
        return changed

    def _owned(self, marker: Marker) -> Marker:
        owned = replace(marker, provenance=OWNER)
        self.reader.follow(owned, marker)
        return owned

    def _counters(self, game: Game) -> tuple[Counter, ...]:
        counters = {c.id: c for c in game.counters}
        for unit in self.file.counters:
            alike = re.compile(rf"{re.escape(unit.id)}(-\d+)?")
            ids = [unit.id] if unit.id in counters else [name for name in counters if alike.fullmatch(name)]
            for name in ids:
                counters[name] = self._changed(counters[name], unit)
            if not ids:
                self._new(game, unit, counters)
        return tuple(counters.values())

    def _changed(self, counter: Counter, unit: OwnUnit) -> Counter:
        names = (
            "type",
            "name",
            "steps",
            "label",
            "nationality",
            "enters",
            "setup",
            "group",
            "traits",
            "values",
        )
        given = {name: value for name in names if (value := getattr(unit, name)) is not None}
        changed = replace(counter, **given, provenance=OWNER)
        self.reader.follow(changed, unit)
        return changed

    def _new(self, game: Game, unit: OwnUnit, counters: dict[str, Counter]) -> None:
        if unit.type is None or unit.steps is None:
            expected = "a unit of the game, or type and steps for a new one"
            near = nearest(unit.id, counters)
            self.reader.fault(unit, ("id",), f"there is no unit {unit.id!r}", expected, near)
            return
        if not known(self.reader, unit, ("type",), unit.type, game.unit_type, "unit type"):
            return
        kind = game.unit_type[unit.type]
        blank = Counter(unit.id, kind.name, kind.id, unit.steps, unit.id, kind.nationality, group=kind.name)
        counters[unit.id] = self._changed(blank, unit)

    # --- map

    def change_map(self, map_: GameMap, atlas: Atlas) -> GameMap:
        return replace(
            map_,
            grids=self._grids(map_, atlas),
            places=self._places(map_, atlas),
            side_runs=self._side_runs(map_, atlas),
        )

    def _grids(self, map_: GameMap, atlas: Atlas) -> tuple[Grid, ...]:
        grids = dict(map_.grid)
        for change in self.file.hexes:
            if not known(self.reader, change, ("grid",), change.grid, grids, "grid") or not change.grid:
                continue
            grid = grids[change.grid]
            terrain = [k.id for k in map_.terrain_kinds] if grid.id == "terrain" else None
            values = terrain or sorted(set(grid.values.values()))
            known(self.reader, change, ("value",), change.value, values, f"value of {grid.id}")
            hexes = atlas.hexes(change, ("hexes",), change.hexes)
            grids[grid.id] = replace(
                grid,
                values={**grid.values, **dict.fromkeys(hexes, change.value)},
                because={**grid.because, **dict.fromkeys(hexes, Reason("owner"))},
            )
        return tuple(grids.values())

    def _places(self, map_: GameMap, atlas: Atlas) -> tuple[Place, ...]:
        cleared = set(atlas.hexes(self.file, ("no_places",), self.file.no_places))
        new = []
        for place in self.file.places:
            known(self.reader, place, ("kind",), place.kind, [k.id for k in map_.place_kinds], "place kind")
            hex_ = atlas.hex(place, ("hex",), place.hex) if place.hex else None
            if hex_ is None:
                continue
            cleared.add(hex_)
            new.append(
                Place(
                    hex_,
                    place.name,
                    place.kind,
                    "owner",
                    place.rule,
                    place.features,
                    place.values,
                    place.note,
                )
            )
        return (*(p for p in map_.places if p.hex not in cleared), *new)

    def _side_runs(self, map_: GameMap, atlas: Atlas) -> tuple[SideRun, ...]:
        runs = list(map_.side_runs)
        kinds = [k.id for k in map_.hexside_kinds]
        for change in self.file.hexsides:
            for index, kind in enumerate(change.kinds):
                known(self.reader, change, ("kinds", index), kind, kinds, "hexside kind")
            found = (atlas.hexside(change, ("sides",), text) for text in change.sides)
            sides = tuple(side for side in found if side is not None)
            runs = [replace(run, sides=tuple(s for s in run.sides if s not in sides)) for run in runs]
            runs += [SideRun(kind, change.name, "owner", sides) for kind in change.kinds]
        return tuple(run for run in runs if run.sides)


class _Named(Protocol):
    @property
    def id(self) -> str: ...


N = TypeVar("N", bound=_Named)


def _replaced(values: Iterable[N], own: Iterable[N]) -> tuple[N, ...]:
    """The values, those with the id of an own one replaced in their place, new ones last."""
    return tuple({**{v.id: v for v in values}, **{v.id: v for v in own}}.values())
