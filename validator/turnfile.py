"""A turn as it comes: a log or a turn sheet, with the game and scenario it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from fieldpost.definition import load
from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.geometry import GAME_PROPERTY, SCENARIO_PROPERTY
from fieldpost.vassal import archive, steps
from fieldpost.vassal.module import Module
from fieldpost.vassal.steps import Log
from fieldpost.vassal.table import Table
from validator import position as positions
from validator import sheet
from validator.events import Event
from validator.interpret import interpret
from validator.position import Position

MAX_SHEET = 2_000_000


@dataclass
class Turnfile:
    name: str
    game: Game
    scenario: Scenario
    start: Position
    events: list[Event]
    options: dict[str, str] = field(default_factory=dict)
    broken: str | None = None
    counts: str = "step"  # what the numbers of its events count: steps of a log, lines of a turn sheet


@dataclass(frozen=True)
class Wanted:
    """What the user says of a file that does not say it itself."""

    game: str | None = None
    scenario: str | None = None
    module: Path | None = None
    overlays: Sequence[str] = ()


_load = lru_cache(maxsize=4)(load)  # the logs of a game come one after the other


def read(path: Path, wanted: Wanted) -> Turnfile:
    """A log, a save or a turn sheet."""
    text = _sheet_text(path)
    if text is not None:
        return _read_sheet(path, text, wanted)
    return _read_log(path, wanted)


def _sheet_text(path: Path) -> str | None:
    """The text of a turn sheet; None for anything else."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_SHEET + 1)
    except OSError as error:
        raise FieldpostError(f"{path.name}: {error.strerror or 'cannot be read'}") from error
    if data[:2] == b"PK" or b"\0" in data[:4096] or data[:5] in (b"!VCSK", b"VOBS\1"):
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    first = next((line.strip() for line in text.splitlines() if line.strip() and line.strip()[0] != "#"), "")
    if not first.startswith("game "):
        return None
    if len(data) > MAX_SHEET:
        raise FieldpostError(f"{path.name}: too long for a turn sheet", f"The limit is {MAX_SHEET} bytes.")
    return text


def _read_sheet(path: Path, text: str, wanted: Wanted) -> Turnfile:
    read_ = sheet.read(text, lambda game: _load(wanted.game or game, tuple(wanted.overlays)), path.name)
    start = positions.start(read_.game, read_.scenario)
    return Turnfile(path.name, read_.game, read_.scenario, start, read_.events, read_.options, counts="line")


def _read_log(path: Path, wanted: Wanted) -> Turnfile:
    broken = None
    try:
        log = steps.read(path)
    except archive.ArchiveError as error:
        if error.partial is None or error.partial.text is None:
            raise
        broken = error.message
        log = steps.parse(error.partial.text, error.partial.metadata, path.name)
    game, scenario = _game_of(log, wanted)
    module = Module.read(wanted.module) if wanted.module else None
    reading = interpret(log, game, scenario, module)
    return Turnfile(path.name, game, scenario, reading.start, reading.events, {}, broken)


def _game_of(log: Log, wanted: Wanted) -> tuple[Game, Scenario]:
    """What the log says of itself, unless the user says otherwise."""
    properties = {name: value for (_, name), value in Table.of(log).properties.items()}
    said = properties.get(GAME_PROPERTY, "").split()
    name = wanted.game or (said[0] if said else None)
    if name is None:
        raise FieldpostError(
            f"{log.name}: this log does not say which game it is of",
            "It was not played with a module of ours. Name the game: --game wfm --scenario turning-point",
        )
    game = _load(name, tuple(wanted.overlays))
    chosen = wanted.scenario or properties.get(SCENARIO_PROPERTY, "")
    if chosen not in game.scenario:
        known = ", ".join(game.scenario)
        raise FieldpostError(f"{log.name}: no scenario {chosen!r}", f"Name it with --scenario: {known}")
    return game, game.scenario[chosen]
