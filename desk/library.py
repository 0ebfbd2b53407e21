"""The games: what is told of them, and their modules, built one after the other and kept for the run."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk import tasks
from desk.lane import DONE, WAITING, Lane

UNBUILT = "unbuilt"
WITHHELD = "withheld"  # its rights are others', and the page is for anyone


@dataclass
class Module:
    """`state` is unbuilt, waiting, working or done; `facts` what the builder said."""

    game: str
    state: str = UNBUILT
    folder: Path = Path()
    facts: dict[str, Any] = field(default_factory=dict)
    fault: dict[str, Any] | None = None
    work: asyncio.Task[None] | None = None

    @property
    def ready(self) -> bool:
        return bool(self.facts)

    @property
    def path(self) -> Path:
        return self.folder / str(self.facts["file"])

    @property
    def picture(self) -> Path:
        return self.folder / "map.webp"

    def changed(self, state: str) -> None:
        self.state = state


class Library:
    """`prepare`: build the modules as soon as the games are known, so that they are there when asked for."""

    def __init__(self, folder: Path, telling: Lane, building: Lane, *, prepare: bool) -> None:
        self.folder = folder
        self._prepare = prepare
        self._telling, self._building = telling, building
        self._told: asyncio.Task[dict[str, dict[str, Any]]] | None = None
        self._modules: dict[str, Module] = {}

    async def games(self) -> dict[str, dict[str, Any]]:
        """What there is to tell of each game, by its id; asked of a child once."""
        if self._told is None or (self._told.done() and self._told.exception() is not None):
            self._told = asyncio.create_task(self._tell())
        return await asyncio.shield(self._told)

    async def _tell(self) -> dict[str, dict[str, Any]]:
        folder = self._new_folder()
        outcome = await self._telling.run(object(), lambda state: None, folder, tasks.tell_games, {})
        if "done" not in outcome:
            raise RuntimeError(outcome["error"])
        games = {game["id"]: game for game in outcome["done"]}
        for game in games.values():
            if self._prepare and game["playable"]:
                self.build(game["id"])
        return games

    def module(self, game: str) -> Module:
        return self._modules.setdefault(game, Module(game))

    def ready_modules(self) -> dict[str, str]:
        return {module.game: str(module.path) for module in self._modules.values() if module.ready}

    def build(self, game: str) -> Module:
        """Begin, unless it is built or being built."""
        module = self.module(game)
        if not module.ready and (module.work is None or module.work.done()):
            module.changed(WAITING)
            module.work = asyncio.create_task(self._build(module))
        return module

    async def _build(self, module: Module) -> None:
        module.folder, module.fault = self._new_folder(), None
        outcome = await self._building.run(
            module, module.changed, module.folder, tasks.build, {"game": module.game}
        )
        if "done" in outcome:
            module.facts = outcome["done"]
            module.changed(DONE)
        else:
            module.fault = outcome
            module.changed(UNBUILT)

    def _new_folder(self) -> Path:
        folder = self.folder / secrets.token_urlsafe(16)
        folder.mkdir(mode=0o700)
        return folder

    async def stop(self) -> None:
        works: list[asyncio.Task[Any]] = [m.work for m in self._modules.values() if m.work is not None]
        if self._told is not None:
            works.append(self._told)
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
