"""Where the files of a game lie: in the box, or in a folder of a stranger's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fieldpost import data
from fieldpost.definition.problems import nearest
from fieldpost.errors import FieldpostError


@dataclass(frozen=True)
class GameFiles:
    """The files of one game. Those of the map and the counters may not be there."""

    id: str
    game: Path
    scenarios: Path
    counters: Path
    map: Path
    boxed: bool = False  # it came with the program, and its folder has its id

    def scenario_files(self) -> list[Path]:
        return sorted(self.scenarios.glob("*.yaml")) if self.scenarios.is_dir() else []


def games_in_the_box() -> list[str]:
    """The ids of the games that came with the program."""
    written = {path.parent.name for path in data.path("games").glob("*/game.yaml")}
    return sorted(written | {path.stem for path in data.compiled().glob("*.game")})


OWN_GAMES = "FIELDPOST_GAMES"
"""The variable that names folders of games of one's own, which are then known by their ids."""
_ID = re.compile(r"^id:\s*[\"']?([a-z0-9][a-z0-9.-]*)", re.MULTILINE)


def own_games() -> dict[str, Path]:
    """The folders of the games that were named for this run, by the ids of the games."""
    named = (Path(name) for name in os.environ.get(OWN_GAMES, "").split(os.pathsep) if name)
    return {id_: folder for folder in named if (id_ := _id_of(folder / "game.yaml"))}


def name_own_games(folders: Iterable[Path]) -> None:
    """From now on, here and in child processes. Raises for a folder without a game, and for an id twice."""
    known = set(games_in_the_box())
    for folder in folders:
        id_ = _id_of(_folder(folder).game)
        if not id_ or id_ in known:
            told = "has no id" if not id_ else f"has the id {id_!r}, which another game has"
            raise FieldpostError(f"{folder}: the game {told}", "id: in its game.yaml, of its own")
        known.add(id_)
    os.environ[OWN_GAMES] = os.pathsep.join(os.path.realpath(folder) for folder in folders)


def _id_of(file: Path) -> str:
    found = _ID.search(file.read_text(encoding="utf-8", errors="replace")) if file.is_file() else None
    return found[1] if found else ""


def known_games() -> list[str]:
    """The games in the box, and those that were named for this run."""
    return [*games_in_the_box(), *own_games()]


def maps_in_the_box() -> list[str]:
    """The ids of the maps that came with the program, some of them ahead of their games."""
    return sorted(path.parent.name for path in data.path("maps").glob("*/map.yaml"))


def find(game: str | Path) -> GameFiles:
    """The files of a game by its id, or by the folder of a game that is not in the box."""
    if isinstance(game, str) and not is_path(game):
        if os.path.isfile(data.path("games", game) / "game.yaml"):
            return _boxed(game)
        own = own_games().get(game)
        if own is not None:
            return _folder(own)
        if not os.path.isdir(game):
            raise _unknown(game)
    return _folder(Path(game))


def find_map(game: str | Path) -> GameFiles:
    """As `find`, for a map that may be there before its game is."""
    if isinstance(game, str) and not is_path(game) and os.path.isfile(data.path("maps", game) / "map.yaml"):
        return _boxed(game)
    if not os.path.isdir(Path(game) / "map") and not os.path.isdir(game):
        raise _unknown(str(game))
    return _in_folder(Path(game))


def has_game(game: str | Path) -> bool:
    """Whether there is a whole game, and not a map alone; an unknown name counts as one, to be told so."""
    if isinstance(game, str) and not is_path(game):
        boxed = os.path.isfile(data.path("games", game) / "game.yaml")
        return boxed or not os.path.isfile(data.path("maps", game) / "map.yaml")
    return os.path.isfile(Path(game) / "game.yaml") or not os.path.isdir(Path(game) / "map")


def is_path(game: str) -> bool:
    """Whether a game is named by a folder rather than by an id."""
    return game in ("", ".", "..") or "/" in game or os.sep in game


def _boxed(name: str) -> GameFiles:
    folder = data.path("games", name)
    return GameFiles(
        name,
        folder / "game.yaml",
        folder / "scenarios",
        data.path("counters", f"{name}.yaml"),
        data.path("maps", name),
        boxed=True,
    )


def _in_folder(folder: Path) -> GameFiles:
    return GameFiles(
        os.path.basename(os.path.realpath(folder)),
        folder / "game.yaml",
        folder / "scenarios",
        folder / "counters.yaml",
        folder / "map",
    )


TAKEN = "game"
"""The folder with the game in one that a module was taken into."""


def _folder(folder: Path) -> GameFiles:
    files = _in_folder(folder)
    if not os.path.isfile(files.game) and os.path.isfile(folder / TAKEN / "game.yaml"):
        files = _in_folder(folder / TAKEN)
    if not os.path.isfile(files.game):
        raise UnknownGame(
            str(folder),
            f"there is no game in {str(folder)!r}: it holds no game.yaml",
            "A game is a folder with game.yaml, counters.yaml, map/, scenarios/: `fieldpost docs game-data`.",
        )
    return files


class UnknownGame(FieldpostError):
    """There is no game of this name; who read the name in a file can say where it stands."""

    def __init__(self, name: str, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.name = name


def _unknown(game: str) -> UnknownGame:
    box = games_in_the_box()
    maps = [name for name in maps_in_the_box() if name not in box]
    near = nearest(game, [*box, *maps])
    hint = f"Did you mean {near}? " if near else ""
    alone = f" Maps alone: {', '.join(maps)}." if maps else ""
    return UnknownGame(
        game,
        f"there is no game {game!r}",
        f"{hint}In the box: {', '.join(box) or 'none'}.{alone} A folder may be given too.",
    )


def shown(path: Path) -> str:
    """A file's name for messages: from the current folder, if it lies in it."""
    try:
        return str(Path(os.path.realpath(path)).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
