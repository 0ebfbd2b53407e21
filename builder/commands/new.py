"""`fieldpost new`: a game of your own to start from, small and complete."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
from pathlib import Path

from fieldpost import data
from fieldpost.errors import FieldpostError

_ID = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"example: fieldpost new my-game --title 'My Game'\n\n{parser.epilog}"
    parser.add_argument("folder", type=Path, help="the folder to make; its name becomes the game's id")
    parser.add_argument("--title", help="title of the game (from the folder's name)")


def run(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    id_ = os.path.basename(os.path.realpath(folder)).lower()
    if not _ID.match(id_):
        raise FieldpostError(
            f"{folder.name!r} cannot be the id of a game", "Use small letters, figures and hyphens: my-game"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FieldpostError(f"{folder} exists already", "Choose a folder that does not exist yet.")
    title = arguments.title or id_.replace("-", " ").title()
    start(folder, id_, title)
    print(f"{folder}: {title}, a small game of one scenario to change as you like.")
    print(f"  fieldpost lint {folder}      says whether the data is sound")
    print(f"  fieldpost build {folder}     makes the module")
    return 0


def start(folder: Path, id_: str, title: str) -> None:
    """Copy the example under another id and title; nothing is left behind when that fails."""
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.copytree(data.path("examples", "first-game"), part)
        for file, keys in (("game.yaml", {"id": id_, "title": title}), ("map/map.yaml", {"id": id_})):
            _rewrite(part / file, keys)
        folder.parent.mkdir(parents=True, exist_ok=True)
        if folder.is_dir():
            folder.rmdir()
        part.replace(folder)
    except OSError as error:
        raise FieldpostError(f"{folder}: {error.strerror or 'cannot be written'}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _rewrite(file: Path, keys: dict[str, str]) -> None:
    """Give top-level keys of a file another value; comments and order stay."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines):
        key = line.partition(":")[0]
        if key in keys:
            lines[number] = f"{key}: {_quoted(keys[key])}\n"
    file.write_text("".join(lines), encoding="utf-8")


def _quoted(value: str) -> str:
    """A text in YAML that is read as a text, whatever it looks like."""
    return json.dumps(value, ensure_ascii=False)
