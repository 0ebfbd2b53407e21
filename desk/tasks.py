"""What the children do: check files, tell of the games, build a module. Each works in a folder of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from validator.audit.sources import Found, Item, Unusable

INPUT = "in"
TEXT = "verdict.txt"
MAP_PX = 1600
POLITE = 10
LISTED_ONLY = {
    "ftm": "For the Motherland!",
    "wie": "War in the East 1941-1945",
    "efs": "Barbarossa: Army Group Center",
}


def load_all() -> None:
    """All that a check needs, into memory."""
    from desk import verdict  # noqa: F401
    from fieldpost.definition import games_in_the_box
    from validator.audit import audit, paging, replying  # noqa: F401
    from validator.engine import rulebook
    from validator.services import turnfile

    for game in games_in_the_box():
        turnfile.load_game(game)
        rulebook.load(game)


# --- check ---------------------------------------------------------------------------------------


def check(
    folder: Path,
    files: Sequence[tuple[str, str]],
    wanted: Mapping[str, str],
    policy: str,
    modules: Mapping[str, str],
) -> dict[str, Any]:
    """Judge what lies in `in/` as (name there, name for people); reports and texts go beside it."""
    from desk import verdict
    from validator.audit import audit, telling
    from validator.services.turnfile import Wanted

    try:
        turns = [file for file in files if not _is_module(file)] or files  # a module alone is no turn
        theirs = next((folder / INPUT / file[0] for file in files if _is_module(file)), None)
        said = Wanted(wanted.get("game") or None, wanted.get("scenario") or None, theirs)
        audits, unusable = audit(_found(folder, turns), said, (), policy)
        strangers = [one.foreign for one in unusable if one.foreign is not None]
        if strangers and not audits:
            return _check_foreign(folder, strangers, theirs, unusable)
    finally:
        remove_input(folder)
    for number, one in enumerate(audits):
        _write(folder / report_name(number), _page(one, modules.get(one.game.id)))
        _write(folder / start_name(number), _start(one))
    if audits:
        _write(folder / TEXT, telling.render(audits, unusable))
    return verdict.view(audits, unusable) | {"reply": _reply(audits, unusable, policy) if audits else ""}


def _check_foreign(
    folder: Path, items: Sequence[Item], module: Path | None, unusable: Sequence[Unusable]
) -> dict[str, Any]:
    """Logs of a game whose rules we do not know."""
    from desk import foreign

    return foreign.check(
        items,
        module,
        [one for one in unusable if one.foreign is None],
        lambda number, page: _write(folder / report_name(number), page),
        lambda text: _write(folder / TEXT, text),
    )


def _is_module(file: tuple[str, str]) -> bool:
    """Sent along with logs that were played with it."""
    return file[1].lower().endswith(".vmod")


def remove_input(folder: Path) -> None:
    """What was sent is not kept longer than it takes to check it."""
    shutil.rmtree(folder / INPUT, ignore_errors=True)


def report_name(number: int) -> str:
    return f"report-{number}.html"


def start_name(number: int) -> str:
    return f"start-{number}.txt"


def _start(audit: Any) -> str:
    """The head of a turn sheet that begins where the last of these files ends."""
    from validator import sheet

    return sheet.write_position(audit.game, audit.scenario, audit.chain.entries[-1].end)


def _found(folder: Path, files: Iterable[tuple[str, str]]) -> Iterator[Found]:
    from validator.audit import sources

    for name, label in files:
        for found in sources.gather([folder / INPUT / name]):
            yield _labelled(found, name, label)


def _labelled(found: Found, name: str, label: str) -> Found:
    """Under the name people know it by, not that of our disk."""
    from validator.audit.sources import Unusable

    if isinstance(found, Unusable):
        return Unusable(found.name.replace(name, label), found.why.replace(name, label))
    pointer = found.pointer
    named = replace(pointer, name=pointer.name.replace(name, label), via=pointer.via.replace(name, label))
    return replace(found, pointer=named)


def _page(audit: Any, module: str | None) -> str:
    from fieldpost.errors import FieldpostError
    from validator.audit import paging
    from validator.report.html.pictures import ModulePictures

    try:
        pictures = ModulePictures.read(Path(module)) if module else None
    except FieldpostError:
        pictures = None
    return paging.render(audit, pictures)


def _reply(audits: Sequence[Any], unusable: Sequence[Any], policy: str) -> str:
    from validator.audit import replying
    from validator.report import reply
    from validator.report.describe import Namer

    if len(audits) == 1 and len(audits[0].reports) == 1 and not unusable and not audits[0].chain.links:
        (one,) = audits
        (entry,) = one.chain.entries
        namer = Namer(one.game, one.scenario)
        return reply.render(one.reports[0], namer, entry.name, counts=entry.turn.counts, policy=policy)
    return replying.render(audits, unusable, policy)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


# --- games ---------------------------------------------------------------------------------------


def tell_games(folder: Path) -> list[dict[str, Any]]:
    """Every game with its scenarios, where its tables come from, and its rules."""
    from fieldpost.definition import games_in_the_box
    from fieldpost.definition.rulelist import rule_lists
    from validator.commands import rules

    names = dict.fromkeys([*games_in_the_box(), *rule_lists()])
    return [_told(name) | {"rules": rules.describe(name)} for name in names]


def _told(name: str) -> dict[str, Any]:
    from fieldpost.commands import games
    from fieldpost.definition import games_in_the_box, load
    from fieldpost.errors import FieldpostError

    if name in games_in_the_box():
        with suppress(FieldpostError):  # a game that cannot be used stands in nobody's way
            return games.describe(load(name)) | {"playable": True}
    return {"id": name, "title": LISTED_ONLY.get(name, name), "playable": False, "scenarios": []}


def build(folder: Path, game: str) -> dict[str, Any]:
    """The module and a picture of its map, without haste: checks go before."""
    from builder.module import drawnmaps
    from builder.module.package import HEX_PX
    from builder.module.package import build as build_module
    from builder.module.pictures import default_cache
    from fieldpost.definition import load

    os.nice(POLITE)
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
