"""What the children do: check files, tell of the games, build a module. Each works in a folder of its own."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from validator.report.html.board import Pictures

INPUT = "in"
TEXT = "verdict.txt"
DATA = "verdict.json"
MAP_PX = 1600
POLITE = 10


def load_all() -> None:
    """All that a check needs, into memory."""
    from desk import judging, questions  # noqa: F401
    from fieldpost.definition import known_games
    from validator.services import rulebooks, turnfile

    for game in known_games():
        rulebooks.of(turnfile.load_game(game))


# --- check ---------------------------------------------------------------------------------------


def check(
    folder: Path,
    files: Sequence[tuple[str, str]],
    asked: Mapping[str, Any],
    modules: Mapping[str, str],
) -> dict[str, Any]:
    """Judge what lies in `in/` as (name there, name for people); reports and texts go beside it."""
    from desk import judging, questions

    try:
        given = [judging.Source(folder / INPUT / name, label) for name, label in files]
        judged = judging.judge(given, judging.Asked(**asked))
    finally:
        remove_input(folder)
    for number, page in enumerate(judged.pages(lambda game: _pictures(modules.get(game)))):
        _write(folder / report_name(number), page)
    for number, one in enumerate(judged.audits):
        _write(folder / start_name(number), judged.start(number))
        played = questions.Played.of(one, judged.options(one))
        (folder / played_name(number)).write_bytes(questions.keep(played))
    if judged.text():
        _write(folder / TEXT, judged.text())
    if judged.foreign is None:
        _write(folder / DATA, json.dumps(judged.data(), indent=1) + "\n")
    return judged.view()


def remove_input(folder: Path) -> None:
    """What was sent is not kept longer than it takes to check it."""
    shutil.rmtree(folder / INPUT, ignore_errors=True)


def report_name(number: int) -> str:
    return f"report-{number}.html"


def start_name(number: int) -> str:
    return f"start-{number}.txt"


def played_name(number: int) -> str:
    return f"played-{number}"


def _pictures(module: str | None) -> Pictures | None:
    from fieldpost.errors import FieldpostError
    from validator.report.html.pictures import ModulePictures

    try:
        return ModulePictures.read(Path(module)) if module else None
    except FieldpostError:
        return None


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


# --- questions ---------------------------------------------------------------------------------


def ask(folder: Path, kept: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked at a step of a game that was checked."""
    from desk import questions

    played = questions.restore(Path(kept).read_bytes())
    return questions.answer(played, questions.Question(**question))


def look(folder: Path, text: str) -> list[dict[str, Any]]:
    """What cannot be read in a turn sheet that is being typed."""
    from desk import sheets

    return sheets.problems(text)


# --- games ---------------------------------------------------------------------------------------


def tell_games(folder: Path) -> list[dict[str, Any]]:
    """Every game with its scenarios, where its tables come from, and its rules."""
    from fieldpost.definition import known_games
    from fieldpost.definition.rulelist import rule_lists
    from validator.commands import rules

    names = dict.fromkeys([*known_games(), *rule_lists()])
    return [_told(name) | {"rules": rules.describe(name, program=False)} for name in names]


def _told(name: str) -> dict[str, Any]:
    from fieldpost.commands import games
    from fieldpost.definition import known_games, load
    from fieldpost.errors import FieldpostError

    if name in known_games():
        with suppress(FieldpostError):  # a game that cannot be used stands in nobody's way
            return games.describe(load(name)) | {"playable": True}
    return {"id": name, "title": name, "playable": False, "scenarios": []}


def build(folder: Path, game: str) -> dict[str, Any]:
    """The module and a picture of its map, without haste: checks go before."""
    with suppress(AttributeError):  # a system without niceness
        os.nice(POLITE)
    return make_module(folder, game)


def make_module(folder: Path, game: str) -> dict[str, Any]:
    from builder.module import drawnmaps
    from builder.module.package import HEX_PX
    from builder.module.package import build as build_module
    from builder.module.pictures import default_cache
    from fieldpost.definition import load

    loaded = load(game)
    built = build_module(loaded, folder)
    _, picture = drawnmaps.drawn(loaded, drawnmaps.wanted(loaded)[0], "classic", HEX_PX, default_cache())
    return {
        "file": built.path.name,
        "bytes": built.size,
        "setups": list(built.setups),
        "map": _small(picture, folder / "map.webp"),
    }


def _small(picture: bytes, path: Path) -> list[int]:
    from io import BytesIO

    from PIL import Image

    with Image.open(BytesIO(picture)) as image:
        image.draft("RGB", (MAP_PX, MAP_PX))
        small = image.convert("RGB")
    small.thumbnail((MAP_PX, MAP_PX))
    small.save(path, "WEBP", quality=80)
    return list(small.size)
