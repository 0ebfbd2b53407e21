"""Reads the files of a game, links and checks them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from fieldpost.definition import compiled
from fieldpost.definition import files as shapes
from fieldpost.definition.atlas import Atlas
from fieldpost.definition.converters import read_as
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.mapreader import MapFiles, link_map
from fieldpost.definition.model import Game, Scenario
from fieldpost.definition.overlay import Overlay, OverlayFile
from fieldpost.definition.places import GameFiles, find, find_map, has_game, shown
from fieldpost.definition.problems import DefinitionError, Problem
from fieldpost.definition.reader import Reader
from fieldpost.definition.rules_checks import check_citations, check_rules_block
from fieldpost.definition.tree import Source, read_source

T = TypeVar("T")


def load(game: str | Path, overlays: Iterable[str | Path] = ()) -> Game:
    """A game by its id, or by the folder of a game of one's own. All faults come at once."""
    others = [Path(path) for path in overlays]
    if not others and isinstance(game, str) and (ready := compiled.load(game)) is not None:
        return ready.game
    loading = Loading(find(game), others)
    made = loading.game()
    loading.raise_faults()
    assert made is not None
    return made


def load_map(game: str | Path, overlays: Iterable[str | Path] = ()) -> GameMap:
    """The map of a game alone."""
    loading = Loading(find_map(game), [Path(path) for path in overlays])
    made, _ = loading.map()
    loading.raise_faults()
    assert made is not None
    return made


def load_game_or_map(game: str | Path, overlays: Iterable[str | Path] = ()) -> tuple[GameMap, Game | None]:
    """A game and its map; the map alone where the game is not written yet."""
    if has_game(game):
        made = load(game, overlays)
        return made.map, made
    return load_map(game, overlays), None


class Loading:
    """One run over the files of a game."""

    def __init__(self, where: GameFiles, overlays: Sequence[Path] = ()) -> None:
        self.where = where
        self.reader = Reader()
        self.sources: list[Source] = []
        self.overlays = [
            Overlay(file, self.reader) for path in overlays if (file := self.read(OverlayFile, path))
        ]

    def read(self, kind: type[T], path: Path, reader: Reader | None = None) -> T | None:
        """A file that must be there. With a reader of its own it is forgotten where its parts stand."""
        from fieldpost.definition.yamltree import parse  # not there where games come compiled

        source = read_source(path, shown(path))
        self.sources.append(source)
        node = parse(source)
        return None if node is None else read_as(kind, reader or self.reader, source, node)

    def read_if_there(self, kind: type[T], path: Path, reader: Reader | None = None) -> T | None:
        return self.read(kind, path, reader) if path.exists() else None

    @property
    def problems(self) -> list[Problem]:
        return [problem for source in self.sources for problem in source.problems]

    def raise_faults(self) -> None:
        if self.problems:
            raise DefinitionError(self.problems)

    # --- map

    def map(self) -> tuple[GameMap | None, Atlas | None]:
        folder = self.where.map
        files = MapFiles(
            self.read(shapes.MapFile, folder / "map.yaml"),
            self.read(shapes.GridsFile, folder / "grids.yaml"),
            self.read_if_there(shapes.PlacesFile, folder / "places.yaml"),
            self.read_if_there(shapes.HexsidesFile, folder / "hexsides.yaml"),
            self.read_if_there(shapes.LinesFile, folder / "lines.yaml"),
            self.read_if_there(shapes.AreasFile, folder / "areas.yaml"),
        )
        made, atlas = link_map(self.reader, files)
        for overlay in self.overlays:
            if made is not None and atlas is not None:
                made = overlay.change_map(made, atlas)
        return made, atlas

    # --- game

    def game(self) -> Game | None:
        from fieldpost.definition.art_checks import check_art
        from fieldpost.definition.linking import link_game

        file = self.read(shapes.GameFile, self.where.game)
        rules = self.rule_list()
        counters = self.read(shapes.CountersFile, self.where.counters)
        scenarios = [s for path in self.where.scenario_files() if (s := self.read(Scenario, path))]
        map_, atlas = self.map()
        if file is None:
            return None
        if self.where.boxed and file.id and file.id != self.where.id:
            self.reader.fault(
                file, ("id",), f"the game in {self.where.id}/ is called {file.id!r}", self.where.id
            )
        game = link_game(self.reader, file, counters, scenarios, map_, atlas, self.overlays)
        art, passed = check_art(self.reader, game, self.where.game.parent)
        game = replace(game, art=art, passed=passed) if art or passed else game
        if rules is not None and not self.problems:  # else one slip would be told as many
            check_rules_block(self.reader, game)
            check_citations(self.reader, game, rules)
        return game

    def rule_list(self) -> list[str] | None:
        """The ids of the game's rules; None where they cannot be known."""
        from fieldpost.definition.rulelist import RulesFile, check_rules

        path, reader = self.where.game.parent / "rules.yaml", Reader()
        rules = self.read_if_there(RulesFile, path, reader)
        if rules is None:
            return None if path.exists() else []
        check_rules(reader, rules)
        return [rule.id for rule in rules.rules]
