"""The module file: pictures, build file, set-ups and help packed into a .vmod, always the same bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PIL import Image

import builder.map as maps
from builder.module import badges, boards, buildfile, charts, cups, helping, setups
from builder.module.buildfile import SetupFile
from builder.module.pictures import Picture, default_cache, key, render
from builder.module.plan import Plan
from fieldpost.definition.model import Game, Scenario
from fieldpost.vassal import archive

COUNTER_PX = 75
HEX_PX = 88


@dataclass(frozen=True)
class Options:
    style: str = "classic"
    counter_px: int = COUNTER_PX
    hex_px: int = HEX_PX
    cache: Path | None = None
    jobs: int = 0

    @property
    def processes(self) -> int:
        return self.jobs or os.cpu_count() or 1


@dataclass(frozen=True)
class Built:
    path: Path
    size: int
    pieces: int
    setups: tuple[str, ...]


def build(game: Game, folder: Path, options: Options | None = None) -> Built:
    """Write `<id>-<version>.vmod` into a folder."""
    chosen = options or Options()
    if chosen.cache is None:
        chosen = replace(chosen, cache=default_cache())
    entries, plan, made = _contents(game, chosen)
    path = folder / f"{game.id}-{game.version}.vmod"
    folder.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(path, archive.pack(entries))
    return Built(path, path.stat().st_size, plan.next_slot - 1, tuple(setup.name for setup in made))


def _contents(game: Game, options: Options) -> tuple[dict[str, bytes], Plan, list[SetupFile]]:
    drawn = {name: _drawn_board(game, name, area, options) for name, area in _areas(game).items()}
    plan = Plan(game, options.counter_px, tuple(board for board, _ in drawn.values()))
    cup_board = cups.board(game, options.counter_px)
    files: dict[str, bytes] = {}
    made: list[SetupFile] = []
    for scenario in game.scenarios:
        if scenario.playable:
            name = f"{scenario.id}.vsav"
            board = drawn[_board_name(scenario)][0]
            files[name] = setups.write(plan, scenario, board, cup_board)
            made.append(SetupFile(scenario.title, name))
    pages = helping.pages(plan)
    pictures = render([*_pictures(plan, cup_board)], options.cache, options.processes)
    pictures |= {board.image: data for board, data in drawn.values()}
    entries = {
        "moduledata": setups.metadata(plan, game.title).moduledata(),
        "buildFile.xml": buildfile.write(plan, cup_board, pages, made),
        **{f"images/{name}": data for name, data in sorted(pictures.items())},
        **files,
        **{page.file: page.text.encode() for page in pages},
    }
    return entries, plan, made


# --- boards ---


def _board_name(scenario: Scenario) -> str:
    return scenario.title if scenario.area else "Whole map"


def _areas(game: Game) -> dict[str, str | None]:
    """The boards of a module: one for each scenario with an area of its own, and the whole map."""
    areas: dict[str, str | None] = {s.title: s.area for s in game.scenarios if s.playable and s.area}
    whole = any(scenario.area is None for scenario in game.scenarios)
    return {**areas, **({"Whole map": None} if whole or not areas else {})}


def _drawn_board(game: Game, name: str, area: str | None, options: Options) -> tuple[boards.Board, bytes]:
    picture = maps.draw(game, style=options.style, hex_px=options.hex_px, area=area)
    sheet = next((s.sheet for s in game.scenarios if s.title == name), None)
    image = f"map-{area or 'whole'}.png"
    board = boards.Board(
        name=name,
        image=image,
        width=picture.image.width,
        height=picture.image.height,
        game_map=game.map,
        layout=picture.layout,
        hexes=picture.hexes,
        sheet=sheet,
        boxes=picture.boxes,
        box_names={box.id: box.name for box in game.boxes},
        track=picture.track,
    )
    return board, maps.png(picture)


# --- pictures ---


def _pictures(plan: Plan, cup_board: cups.CupBoard | None) -> Iterator[Picture]:
    for face in plan.pictures.faces():
        yield Picture(face.file, partial(face.draw, plan.counter_px), face.draw.key(plan.counter_px))
    yield from badges.all_badges(plan.art, plan.words)
    for table in plan.game.tables:
        yield Picture(
            buildfile.chart_file(table), partial(charts.draw, table), key("module/charts.py", table)
        )
    if cup_board is not None:
        yield Picture(cups.IMAGE, cup_board.draw, key("module/cups.py", cup_board))
    yield Picture(buildfile.ABOUT, partial(_about, plan.game), key("module/helping.py", plan.game.title))


def _about(game: Game) -> Image.Image:
    return helping.about_picture(game)
