"""The module file: pictures, build file, set-ups and help packed into a .vmod, always the same bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from builder.module import (
    badges,
    battle,
    battleboard,
    buildfile,
    cards,
    charts,
    cups,
    drawnmaps,
    faults,
    furthermaps,
    help_pages,
    passed,
    setups,
)
from builder.module.buildfile import SetupFile
from builder.module.pictures import Picture, default_cache, key, render
from builder.module.plan import Plan
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.model import Game, Scenario
from fieldpost.progress import track
from fieldpost.vassal import archive

COUNTER_PX = 75
HEX_PX = 88
LARGE_MAP_HEXES = 5000
LARGE_COUNTER_PX, LARGE_HEX_PX = 61, 72


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
    faults.check(game)
    folder.mkdir(parents=True, exist_ok=True)  # before the drawing, which takes a while
    chosen = _sized(game, options or Options())
    if chosen.cache is None:
        chosen = replace(chosen, cache=default_cache())
    entries, plan, made = _contents(game, chosen)
    path = folder / f"{game.id}-{game.version}.vmod"
    archive.write_bytes(path, archive.pack(entries))
    return Built(path, path.stat().st_size, int(plan.battle_marker.gpid), tuple(setup.name for setup in made))


def _sized(game: Game, options: Options) -> Options:
    """A very large map is drawn smaller, and its counters with it: the engine holds all of it in memory."""
    usual = (options.counter_px, options.hex_px) == (COUNTER_PX, HEX_PX)
    if usual and hex_size(game.map) == LARGE_HEX_PX:
        return replace(options, counter_px=LARGE_COUNTER_PX, hex_px=LARGE_HEX_PX)
    return options


def hex_size(game_map: GameMap) -> int:
    """How many pixels wide the hexes of a map are in its module."""
    return LARGE_HEX_PX if len(game_map.hexes) > LARGE_MAP_HEXES else HEX_PX


def _contents(game: Game, options: Options) -> tuple[dict[str, bytes], Plan, list[SetupFile]]:
    wanted = drawnmaps.wanted(game)
    drawn = [
        drawnmaps.drawn(game, want, options.style, options.hex_px, options.cache)
        for want in track(wanted, len(wanted) + 1, "maps drawn")
    ]
    plan = Plan(game, options.counter_px, tuple(board for board, _ in drawn))
    cup_board = cups.board(game, options.counter_px)
    scenarios = setups.offered(game)
    made = [SetupFile(scenario.title, f"{scenario.id}.vsav") for scenario in scenarios]
    pages = help_pages.pages(plan)
    pictures = render([*_pictures(plan, cup_board)], options.cache, options.processes)
    pictures |= {board.image: data for board, data in drawn}
    pictures |= passed.images(game)
    entries = {
        "moduledata": setups.metadata(plan, game.title).moduledata(),
        "buildFile.xml": buildfile.write(plan, cup_board, pages, made),
        **{f"images/{name}": data for name, data in sorted(pictures.items())},
        **{f"{scenario.id}.vsav": _setup(plan, scenario, cup_board) for scenario in scenarios},
        **{page.file: page.text.encode() for page in pages},
    }
    return entries, plan, made


def _setup(plan: Plan, scenario: Scenario, cup_board: cups.CupBoard | None) -> bytes:
    name = scenario.title if scenario.area else drawnmaps.WHOLE
    board = next(board for board in plan.boards if board.name == name)
    return setups.write(plan, scenario, board, cup_board)


# --- pictures ---


def _pictures(plan: Plan, cup_board: cups.CupBoard | None) -> Iterator[Picture]:
    for face in plan.pictures.faces():
        yield Picture(face.file, partial(face.draw, plan.counter_px), face.draw.key(plan.counter_px))
    yield from badges.all_badges(plan.art, plan.words)
    yield from badges.backs(plan.art, plan.game)
    yield Picture(battle.IMAGE, battle.plate, key("module/battle.py"))
    if plan.words.volleys:
        yield Picture(battleboard.IMAGE, battleboard.draw, key("module/battleboard.py"))
    for table in plan.game.tables:
        yield Picture(
            buildfile.chart_file(table), partial(charts.draw, table), key("module/charts.py", table)
        )
    if cup_board is not None:
        if any(cup.hidden for cup in cup_board.cups):
            yield Picture(
                cups.BACK, partial(cups.back, plan.counter_px), key("module/cups.py", plan.counter_px)
            )
        yield Picture(cups.IMAGE, cup_board.draw, key("module/cups.py", cup_board))
    yield from cards.pictures(plan.game)
    if (card_board := cards.board(plan.game)) is not None:
        yield Picture(cards.IMAGE, card_board.draw, key("module/cards.py", card_board))
    yield from furthermaps.pictures(plan.game)
    about = help_pages.about(plan)
    yield Picture(buildfile.ABOUT, about.draw, key("module/help_pages.py", about))
