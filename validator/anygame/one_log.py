"""One log of a game we do not know: where it starts and ends, what its steps did, who rolled what."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from html import unescape
from pathlib import Path

from fieldpost import bounds
from fieldpost.errors import FieldpostError
from fieldpost.phrases import joined
from fieldpost.progress import doing, track
from fieldpost.vassal import archive, chat, secrets, shown, steps, story, turns
from fieldpost.vassal.archive import ArchiveError
from fieldpost.vassal.changes import (
    Added,
    Change,
    ChatLine,
    DeckTurned,
    Moved,
    OrderChanged,
    Removed,
    StateChanged,
    TurnChanged,
)
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.module import Module
from fieldpost.vassal.sight import Sight
from fieldpost.vassal.steps import Log
from fieldpost.vassal.story import Namer
from fieldpost.vassal.table import Table
from validator.anygame import state as states
from validator.anygame.rolls import Roll, RollReader
from validator.anygame.state import State
from validator.audit.sources import Found, Item, Pointer, Unusable

Clean = Callable[[str], str]
_BORN = re.compile(r"\+/(1\d{12})/")  # the engine numbers new pieces by its clock, in milliseconds


@dataclass(frozen=True)
class Done:
    """A step in short. `act` is alike for the same deed in two logs; `time` is set where the log tells."""

    number: int
    who: str
    act: tuple[object, ...] = field(repr=False)
    rolls: tuple[Roll, ...] = ()
    chat: int = 0
    undoes: int | None = None
    undone_by: int | None = None
    time: datetime | None = None

    @property
    def dice(self) -> list[str]:
        return [roll.die for roll in self.rolls]

    @property
    def rolled(self) -> list[str]:
        return [f"{roll.die} = {roll.shown}" for roll in self.rolls]

    @property
    def deed(self) -> object:
        """Alike for the same with the same luck; None where nothing was done."""
        luck = [(roll.die, roll.values, roll.faces) for roll in self.rolls]
        return (self.act, luck) if self.act or luck else None


@dataclass
class Entry:
    """One log or save. `content` is a digest, alike for files that hold the same."""

    pointer: Pointer
    metadata: Metadata
    content: str
    start: State
    end: State
    done: list[Done]
    players: dict[str, str]
    problems: int
    broken: str | None = None
    copies: list[str] = field(default_factory=list)
    seen_by: tuple[str, ...] = ()
    """Whose eyes it was seen with, and what had to be left out."""
    seconds: float = 0.0
    """Of processor time, that reading it took."""

    @property
    def name(self) -> str:
        return self.pointer.name

    @property
    def module(self) -> str:
        return self.metadata.module or ""

    @property
    def date(self) -> datetime:
        date = self.metadata.date or self.pointer.sent or max(self.times, default=datetime.min)
        return date if date.tzinfo else date.replace(tzinfo=UTC)

    @property
    def dated(self) -> bool:
        return any((self.metadata.date, self.pointer.sent, self.times))

    @property
    def times(self) -> list[datetime]:
        return [done.time for done in self.done if done.time is not None]

    @property
    def rolls(self) -> list[tuple[Done, Roll]]:
        return [(done, roll) for done in self.done for roll in done.rolls]


@dataclass(frozen=True)
class Opened:
    """A log and what else is known of its file."""

    item: Item
    log: Log
    broken: str | None


Modules = Callable[[str | None], Module | None]
"""Gives the module of a name, if it is at hand."""


def open_log(item: Item) -> Opened | Unusable:
    """The log of a file; of a damaged one its readable beginning."""
    broken = None
    try:
        content = archive.parse(item.data, item.name)
    except ArchiveError as error:
        if error.partial is None or not error.partial.text:
            return Unusable(item.name, error.message.replace(f"{item.name}: ", ""))
        content, broken = error.partial, error.message.removeprefix(f"{item.name}: ")
    try:
        return Opened(item, steps.of(content), broken)
    except FieldpostError as error:
        return Unusable(item.name, error.message.replace(f"{item.name}: ", ""))


def read(items: Iterable[Found], modules: Modules) -> Iterator[Entry | Unusable]:
    for item in items:
        started = time.process_time()
        opened = item if isinstance(item, Unusable) else open_log(item)
        yield opened if isinstance(opened, Unusable) else _entry_in_time(opened, modules, started)


def _entry_in_time(opened: Opened, modules: Modules, started: float) -> Entry | Unusable:
    try:
        with bounds.time_held(spent=time.process_time() - started):
            made = entry(opened, modules)
    except bounds.TooMuch as error:
        return Unusable(opened.item.name, error.message)
    if isinstance(made, Entry):
        made.seconds = time.process_time() - started
    return made


def entry(opened: Opened, modules: Modules) -> Entry | Unusable:
    log = opened.log
    if not any(text.startswith("+/") for text in log.setup) and not log.steps:
        return Unusable(opened.item.name, "neither pieces nor steps are in it")
    module = modules(log.metadata.module)
    replay = Replay(log, module)
    start = replay.state()
    done = [replay.step(step) for step in track(log.steps, len(log.steps), "steps read")]
    clean = cleaner(log)
    players = {
        clean(unescape(seat.name)): clean(seat.side) for seat in replay.table.players.values() if seat.name
    }
    return Entry(
        pointer=opened.item.pointer,
        metadata=_with_module(log.metadata, module),
        content=hashlib.sha256("\x1b".join(log.parts).encode(errors="surrogatepass")).hexdigest(),
        start=start,
        end=replay.state(),
        done=[_cleaned(one, clean) for one in done],
        players=players,
        problems=len(replay.table.problems),
        broken=opened.broken,
        seen_by=tuple(map(clean, replay.sight.remarks())),
    )


def _with_module(metadata: Metadata, module: Module | None) -> Metadata:
    """Old logs do not say what module they are of: then the one at hand tells."""
    return replace(metadata, module=module.name) if module and not metadata.module else metadata


def cleaner(log: Log) -> Clean:
    """Takes out passwords and mail addresses; the log is searched only if there is something to clean."""
    redactor = cache(lambda: secrets.redactor(log))

    def clean(text: str) -> str:
        return shown.text(text, redactor()) if text else text

    return clean


def _cleaned(done: Done, clean: Clean) -> Done:
    rolls = tuple(
        replace(roll, die=clean(roll.die), who=clean(roll.who), faces=tuple(map(clean, roll.faces)))
        for roll in done.rolls
    )
    return replace(done, who=clean(done.who), rolls=rolls)


class Replay:
    """A log played from its start, with what is needed to put words to it."""

    def __init__(self, log: Log, module: Module | None, side: str | None = None) -> None:
        self.log, self.module = log, module
        self.table = Table.of(log)
        self.table.layout.habits = module.habits if module else {}
        self.sight = Sight(self.table, module, side, log.metadata.module)
        self.spot: Namer = states.spot_namer(module, self.table)
        self.rolls = RollReader(module)
        self._trackers = {one.ident: one for one in module.turn_trackers} if module else {}

    def state(self) -> State:
        return states.of(self.table, self.sight, self.spot, self.turn())

    def turn(self) -> str:
        """What the turn trackers show; without the module nobody can say."""
        properties = {name: value for (_, name), value in self.table.properties.items()}
        states_ = ((one, self.table.turns.get(id, "")) for id, one in self._trackers.items())
        return joined(turns.words(one, state, properties) for one, state in states_)

    def who(self, changes: Iterable[Change], rolls: Iterable[Roll]) -> str:
        """Whose step it is, if it or its dice say so."""
        return story.who(self.table, changes) or next(filter(None, (roll.who for roll in rolls)), "")

    def step(self, step: steps.Step) -> Done:
        changes = self.table.step(step)
        lines = chat_lines(changes)
        rolls = self.rolls.among(lines)
        return Done(
            step.number,
            self.who(changes, rolls),
            tuple(_acts(changes)),
            rolls,
            sum(isinstance(chat.parse(line), chat.Said) for line in lines),
            step.undoes,
            step.undone_by,
            _time(step.commands),
        )


def chat_lines(changes: Iterable[Change]) -> list[str]:
    return [change.line for change in changes if isinstance(change, ChatLine)]


def _acts(changes: Iterable[Change]) -> Iterator[object]:
    """What was done, without what differs from sitting to sitting: ids of new pieces, stacks."""
    for change in changes:
        match change:
            case Added(piece, place):
                yield "added", piece.basic_name, place
            case Removed(piece, _):
                yield "removed", piece.id
            case Moved(piece, _, new):
                yield "moved", piece.id, new
            case StateChanged(piece, trait, _, new) if trait.prefix not in ("footprint;", "report;"):
                yield "changed", piece.id, trait.prefix, new
            case TurnChanged(tracker, _, new):
                yield "turn", tracker, new
            case DeckTurned(deck, face_down):
                yield "turned", deck.name, face_down
            case OrderChanged(container) if hasattr(container, "name"):
                yield "order", container.name


def _time(commands: Sequence[str]) -> datetime | None:
    """When the step was made, if it made a piece or a stack."""
    for text in commands:
        born = _BORN.match(text)
        if born:
            return datetime.fromtimestamp(int(born[1]) / 1000, UTC)
    return None


class Library:
    """Modules by name: the one asked for, whatever its name, else those that lie beside the logs.

    With a module come its extensions: those in the folder where VASSAL keeps them, and those beside the logs.
    """

    def __init__(
        self, paths: Iterable[Path] = (), wanted: Path | None = None, extensions: Iterable[Path] = ()
    ) -> None:
        self._wanted = wanted
        folders = {path if path.is_dir() else path.parent for path in paths}
        self._near = sorted(file for folder in folders for file in folder.glob("*.vmod"))
        self._more = [*extensions, *sorted(file for folder in folders for file in folder.glob("*.vmdx"))]
        self.module = cache(self._read)
        self.path = cache(self._find)
        self._extensions = cache(self._extending)

    def __call__(self, name: str | None) -> Module | None:
        return self.module(name if self._wanted is None else None)

    def extensions(self, name: str | None) -> list[Path]:
        """The files of a module's extensions."""
        path = self.path(name)
        return [file for file, _ in self._extensions(path)] if path else []

    def _read(self, name: str | None) -> Module | None:
        path = self.path(name)
        if path is None:
            return None
        with doing("reading the module"):
            module = Module.read(path)
            if module.is_extension:
                raise FieldpostError(
                    f"{path.name} is an extension of {module.name or 'any module'}, not a module",
                    "Name the module; extensions beside it or beside the logs are read with it.",
                )
            with bounds.time_held():
                return module.extended([one for _, one in self._extensions(path)])

    def _extending(self, path: Path) -> list[tuple[Path, Module]]:
        """What cannot be read, or extends another module, stands in nobody's way."""
        files = [*sorted(path.with_name(f"{path.stem}_ext").glob("*.vmdx")), *self._more]
        found: list[tuple[Path, Module]] = []
        for file in {each.name: each for each in files}.values():
            try:
                one = Module.read(file)
                fits = one.is_extension and (one.root.flag("anyModule") or one.name == Module.read(path).name)
            except FieldpostError:
                continue
            if fits:
                found.append((file, one))
        return found

    def _find(self, name: str | None) -> Path | None:
        """The file of a module; one that cannot be read stands in nobody's way unless it was asked for."""
        if self._wanted is not None or not name:
            return self._wanted
        for file in self._near:
            try:
                if archive.read(file).metadata.module == name:
                    return file
            except FieldpostError:
                continue
        return None
