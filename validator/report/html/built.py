"""The module of a game in the box, built when a page needs its pictures, and kept for later pages."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fieldpost import __version__
from fieldpost.definition.model import Game
from fieldpost.definition.places import find, games_in_the_box
from fieldpost.errors import FieldpostError
from validator.report.html.pictures import ModulePictures

LONGEST_S = 900
HOW = (
    "drawing {game} for the page, once: it takes half a minute, later pages have it at once "
    "(--plain-map draws a plain map instead)"
)
FAILED = "the map could not be drawn, so the page shows a plain one; `fieldpost build {id} -o dist` says why"


def pictures(game: Game) -> ModulePictures | None:
    """None for a game of one's own, whose module is to be built by hand, and where the building fails."""
    if game.id not in games_in_the_box():
        return None
    path = _folder() / f"{game.id}-{_key(game.id)}.vmod"
    if not path.is_file():
        print(HOW.format(game=game.title), file=sys.stderr)
        if not _build(game.id, path):
            print(FAILED.format(id=game.id), file=sys.stderr)
            return None
    try:
        return ModulePictures.read(path)
    except FieldpostError:  # half of it was written, once
        path.unlink(missing_ok=True)
        return None


def _build(game: str, path: Path) -> bool:
    """By the command, as the builder is another half of the program."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as part:
            command = [sys.executable, "-m", "fieldpost", "build", game, "-o", part]
            done = subprocess.run(command, stdout=subprocess.DEVNULL, timeout=LONGEST_S, check=False)
            made = sorted(Path(part).glob("*.vmod"))
            if done.returncode or not made:
                return False
            for old in path.parent.glob(f"{game}-*.vmod"):
                old.unlink(missing_ok=True)
            made[0].replace(path)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "fieldpost" / "modules"


def _key(game: str) -> str:
    """Changes with the game's data and with the program."""
    digest = hashlib.sha256(__version__.encode())
    for file in _sources(game):
        told = file.stat()
        digest.update(f"{file.name} {told.st_size} {told.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


def _sources(game: str) -> Iterator[Path]:
    files = find(game)
    yield from sorted(files.game.parent.rglob("*.yaml"))
    yield files.counters
    yield from sorted(files.map.glob("*.yaml"))
    package = Path(__file__).resolve().parents[3]
    for part in ("builder", "fieldpost"):
        yield from sorted((package / part).rglob("*.py"))
