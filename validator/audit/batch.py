"""Many games: each file is read twice, never all at once. First which game each is of, then game by game.

A work item says where its files lie, so any process that sees the same paths can do it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from fieldpost import __version__, data
from fieldpost.errors import FieldpostError
from fieldpost.progress import track
from validator.audit import entries, game, grouping, sources, summary, survey
from validator.audit.engines import Engine, Failed
from validator.audit.grouping import Group
from validator.audit.results import FAILED
from validator.audit.sources import MAX_ITEMS, Budget, Item, Pointer, Unusable
from validator.audit.survey import Record
from validator.services.turnfile import Wanted

AT_ONCE = 8  # files of one item of the survey
PACKAGE = Path(__file__).resolve().parents[2]
DATA = ("games", "counters", "maps")


@dataclass(frozen=True)
class Settings:
    """How all games are judged."""

    wanted: Wanted
    options: tuple[str, ...] = ()
    policy: str = "replay"
    over: bool = False


@dataclass(frozen=True)
class Look:
    """A work item: say of which game each of these files is."""

    pointers: tuple[Pointer, ...]
    settings: Settings


@dataclass(frozen=True)
class Judge:
    """A work item: audit a game of which these are the files."""

    key: str
    program: str
    group: Group
    settings: Settings

    def files(self) -> list[str]:
        return [record.name for record in self.group.records]


Seen = Record | Pointer | Unusable


# --- the survey ----------------------------------------------------------------------------------


def look(work: Look) -> list[Seen]:
    """Each file as a record, or as pointers to what is in it."""
    return [seen for item in sources.load_each(work.pointers) for seen in _seen(item, work.settings.wanted)]


def _seen(item: Item | Unusable, wanted: Wanted) -> Iterator[Seen]:
    if isinstance(item, Unusable):
        yield item
        return
    inner = sources.unfold(item, Budget.of(item))
    if inner is not None:
        yield from (part.pointer if isinstance(part, Item) else part for part in inner)
        return
    found = sources.leaf(item)
    if isinstance(found, Unusable):
        yield found
    else:
        entry = entries.entry(found, wanted)
        yield entry if isinstance(entry, Unusable) else survey.record(entry)


def find_games(
    paths: Sequence[Path], settings: Settings, engine: Engine
) -> tuple[list[Group], list[Unusable]]:
    """The games in the paths, and what is of none. Archives in archives are looked into round by round."""
    records: list[Record] = []
    pointers, unusable = sources.apart(chain.from_iterable(map(sources.point, paths)))
    while pointers:
        if len(pointers) + len(records) > MAX_ITEMS:
            raise FieldpostError(f"more than {MAX_ITEMS:,} files", "Audit a part of the archive at a time.")
        seen, spoiled = sources.apart(_looked(pointers, settings, engine))
        unusable += spoiled
        records += [record for record in seen if isinstance(record, Record)]
        pointers = [pointer for pointer in seen if isinstance(pointer, Pointer)]
    records, unusable = entries.without_repeats(records, unusable, lambda record: record.pointer)
    return grouping.part(sorted(records, key=_place)), sorted(unusable, key=lambda item: item.name)


def _place(record: Record) -> tuple[str, str]:
    pointer = record.pointer
    return pointer.path, repr((pointer.span, pointer.inner))


def _looked(pointers: list[Pointer], settings: Settings, engine: Engine) -> Iterator[Seen]:
    """What the files hold. Where several spoil an item, each is looked at by itself to find which."""
    works = [Look(tuple(pointers[at : at + AT_ONCE]), settings) for at in range(0, len(pointers), AT_ONCE)]
    alone: list[Look] = []
    for work, seen in track(engine.map(look, works), len(works), "parts read"):
        if not isinstance(seen, Failed):
            yield from seen
        elif len(work.pointers) == 1:
            yield Unusable(work.pointers[0].name, seen.why)
        else:
            alone += [replace(work, pointers=(pointer,)) for pointer in work.pointers]
    for work, seen in engine.map(look, alone) if alone else ():
        yield from [Unusable(work.pointers[0].name, seen.why)] if isinstance(seen, Failed) else seen


# --- the games -----------------------------------------------------------------------------------


def works(groups: Iterable[Group], settings: Settings) -> list[Judge]:
    return [Judge(_key(group, settings), program(), group, settings) for group in groups]


def judge(work: Judge) -> str:
    """The audit of a game as a line of JSON."""
    if work.program != program():
        raise FieldpostError(f"it was sent to another version of the program ({program()})")
    items = sources.load_each(record.pointer for record in work.group.records)
    read, spoiled = sources.apart(entries.read(items, work.settings.wanted))
    if not read:
        raise FieldpostError("none of its files can be read any more")
    settings = work.settings
    done = game.of_game(work.group.name, read, settings.options, settings.policy, over=settings.over)
    return _line(work, summary.game_data(done) | {"unusable": summary.unusable_data(spoiled)})


def failure(work: Judge, why: str) -> str:
    """The line of a game that could not be audited."""
    first = work.group.records[0]
    about = {"name": work.group.name, "game": first.game, "scenario": first.scenario}
    return _line(work, about | {"verdict": FAILED, "why": why, "files": work.files()})


def _line(work: Judge, told: dict[str, Any]) -> str:
    return json.dumps({"key": work.key, "program": work.program, **told})


def _key(group: Group, settings: Settings) -> str:
    """Alike for the same files, judged by the same program, data and options."""
    wanted = settings.wanted
    told = [
        program(),
        group.name,
        *sorted(f"{record.name} {record.content}" for record in group.records),
        *(f"{value}" for value in (wanted.game, wanted.scenario, settings.policy, settings.over)),
        *settings.options,
        *(_digest(str(path)) for path in (*wanted.overlays, wanted.module, wanted.game) if path),
    ]
    return sha256("\n".join(told).encode(errors="surrogatepass")).hexdigest()[:32]


@cache
def _digest(path: str) -> str:
    """Of a file, or of the code and data in a folder; of nothing for a name."""
    place, digest = Path(path), sha256()
    for file in sorted([place, *place.rglob("*.py"), *place.rglob("*.yaml")]):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


@cache
def program() -> str:
    """The version, and what the code and the games' data are: these change between versions too."""
    parts = [PACKAGE / "fieldpost", PACKAGE / "validator", *(data.path(kind) for kind in DATA)]
    return f"{__version__}+{sha256(''.join(_digest(str(part)) for part in parts).encode()).hexdigest()[:8]}"
