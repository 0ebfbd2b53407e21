"""A turn as it comes: a log or a turn sheet, with the game and scenario it belongs to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

from fieldpost.definition import load
from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.geometry import GAME_PROPERTY, SCENARIO_PROPERTY
from fieldpost.phrases import count, sentence
from fieldpost.vassal import archive, codec, steps
from fieldpost.vassal.metadata import Metadata
from fieldpost.vassal.module import Module
from fieldpost.vassal.steps import Log
from fieldpost.vassal.table import Table
from validator import mail, sheet
from validator.interpret import interpret
from validator.mail import kinds
from validator.mail.body import CLOSING, Left, Turn, ranges
from validator.model import position as positions
from validator.model.events import Attacked, Event, PhaseBegan
from validator.model.position import Position
from validator.services import missing_files
from validator.sheet import Opening, Sheet
from validator.sheet.encoding import is_sheet, text_of
from validator.sheet.opening import PARTIAL

SAVED = "It is a saved game: it shows where everything stands, not what was done. The log is needed (.vlog)."
MOST_LEFT = 6  # groups of lines that are named as not read
MAX_SHEET = 2_000_000
MOST_SHEETS = 20  # that begin with the end of another one, one after the other
UNKNOWN_PIECES = (
    "Pieces are found by their names in counters.yaml, hexes by the numbers of the module's grid. Is it the "
    "module that was played, and the game of it? 'fieldpost dump LOG --module FILE.vmod' shows what it holds."
)
PROPERTIES = ("GlobalProperty\t", "MutableProperty\t", "begin_save")
PLAYER = "PLAYER\t"
WRAPPINGS = (".eml", ".emlx", ".mbox", ".mbx", ".msg", ".oft", ".zip")
HOLD_OTHERS = (kinds.MAILBOX, kinds.OUTLOOK, kinds.WINMAIL, kinds.PACKED)


_TURNS = "A turn is a log (.vlog), or plain text that begins, for example: game wfm turning-point"
PACKED = (b"PK", *codec.MARKS)  # how VASSAL's begin


class ForeignLog(FieldpostError):
    """A log of a game we do not know: no rule can judge it, but what it shows can be told."""


@dataclass
class Turnfile:
    name: str
    game: Game
    scenario: Scenario
    start: Position
    events: list[Event]
    options: dict[str, str] = field(default_factory=dict)
    broken: str | None = None
    remarks: tuple[str, ...] = ()  # where it came from, and what else was there
    metadata: Metadata = field(default_factory=Metadata)
    content: str = ""  # a digest, alike for files that hold the same, whatever they are wrapped in
    players: frozenset[str] = frozenset()  # digests of the names of those at the table
    counts: str = "step"  # what the numbers of its events count: steps of a log, lines of a turn sheet
    own: Path | None = None  # the folder of its rules, if the user named one
    concealed: Mapping[str, str] = field(default_factory=dict)  # units hidden at its end, with their side
    side: str | None = None  # whose log it is, if one side alone moved
    foreign: bool = False  # a log that was played with a module that is not ours
    typed: Mapping[int, str] = field(default_factory=dict)  # the lines of a turn sheet as they were typed
    before: Before | None = None  # what was played before it, in a file that its sheet names


@dataclass
class Before:
    """The file at whose end a sheet begins, and what the sheet says is different there."""

    turn: Turnfile
    opening: Opening


@dataclass(frozen=True)
class Wanted:
    """What the user says of a file that does not say it itself."""

    game: str | None = None
    scenario: str | None = None
    module: Path | None = None
    overlays: Sequence[str] = ()
    attachment: str | None = None  # which turn of a mail or a zip
    own: Path | None = None  # the folder of a game of his own, whose rules.py may be run


load_game = lru_cache(maxsize=4)(load)  # the logs of a game come one after the other
_read_module = lru_cache(maxsize=2)(Module.read)


def read(path: Path, wanted: Wanted) -> Turnfile:
    """A log, a save or a turn sheet; also the one in a mail or a zip."""
    if not path.exists() and not path.is_symlink():
        raise FieldpostError(f"{path}: no such file", missing_files.hint(path))
    data = archive.read_bytes(path)
    if not _is_wrapping(path, data):
        if wanted.attachment is not None:
            raise FieldpostError(f"{path.name} is no mail and no zip", "Leave out --attachment.")
        return of_bytes(path.name, data, wanted, beside=path.parent)
    from validator.mail.choice import choose  # which gathers as the audit does, and the audit reads turns

    chosen = choose(path, data, wanted.attachment)
    turn = of_bytes(chosen.item.name, chosen.item.data, wanted)
    return replace(turn, remarks=(*chosen.remarks, *turn.remarks))


def _is_wrapping(path: Path, data: bytes) -> bool:
    """What it is decides, not its ending: a zip of a log may be called a log."""
    kind = kinds.of(data, path.name).name
    if kind == kinds.CLOSED:
        return False
    if path.suffix.lower() in WRAPPINGS or kind in HOLD_OTHERS or mail.looks_like_mail(data):
        return True
    try:
        return archive.is_wrapping(data, path.name)
    except FieldpostError:  # it is read as a log, which tells more of what is wrong
        return False


def of_bytes(
    name: str, data: bytes, wanted: Wanted, beside: Path | None = None, after: Sequence[str] = ()
) -> Turnfile:
    """The same of a file that is in memory. A sheet may begin with the end of a file that lies beside it.

    `after` are the sheets that are read because of this file: each begins with the end of the next.
    """
    typed = _typed(name, data)
    if typed is None:
        turn = _read_log(name, data, wanted)
    else:
        turn = _read_sheet(name, typed, wanted, beside, (*after, name))
    turn.own = wanted.own
    return turn


def _typed(name: str, data: bytes) -> Turn | None:
    """The turn that was typed into a text; None for anything else."""
    if len(data) <= MAX_SHEET:
        return mail.turn_of(data)
    if is_sheet(data):
        raise FieldpostError(f"{name}: too long for a turn sheet", f"The limit is {MAX_SHEET} bytes.")
    return None


def _read_sheet(
    name: str, typed: Turn, wanted: Wanted, beside: Path | None, sheets: Sequence[str]
) -> Turnfile:
    def load(game: str) -> Game:
        return load_game(wanted.game or game, tuple(wanted.overlays))

    earlier: list[Before] = []

    def last_battle(begun: Sheet) -> int:
        before = _before(begun, wanted, beside, sheets)
        earlier.extend([before] if before is not None else [])
        return _last_battle(before)

    read_ = sheet.read_lines(typed.lines, load, name, last_battle, mailed=True)
    before = earlier[0] if earlier else None
    start = _start(read_, before)
    turn = Turnfile(name, read_.game, read_.scenario, start, read_.events, read_.options, counts="line")
    turn.content, turn.before = _digest("\n".join(_plainly(line.text) for line in read_.lines)), before
    turn.typed = {line.number: line.as_typed for line in read_.lines}
    turn.remarks = tuple(_what_was_read(typed, read_))
    return turn


def _plainly(line: str) -> str:
    """Alike for a line and what a mail program made of it."""
    return " ".join(line.lower().split())


def _what_was_read(typed: Turn, read_: Sheet) -> Iterator[str]:
    """How many lines are the turn, and which are not and why; nothing if all are."""
    closing = ranges((line.number for line in read_.below), CLOSING)
    left = sorted([*typed.left, *closing], key=lambda each: each.first)
    if typed.joined:
        yield f"Joined again: {count(typed.joined, 'line')} that a mail program had broken."
    if left:
        shown = ", ".join(f"{_lines_shown(each)} ({each.what})" for each in left[:MOST_LEFT])
        more = f" and {len(left) - MOST_LEFT} more" if len(left) > MOST_LEFT else ""
        yield f"{count(len(read_.lines), 'line')} of it are the turn. Not read as such: {shown}{more}."


def _lines_shown(left: Left) -> str:
    return f"line {left.first}" if left.first == left.last else f"lines {left.first} to {left.last}"


def _before(read_: Sheet, wanted: Wanted, beside: Path | None, sheets: Sequence[str]) -> Before | None:
    """The file that `position FILE` names."""
    opening = read_.opening
    if opening.file is None:
        return None
    if beside is None:
        raise opening.error(
            "a file is named here, and none lies beside this sheet",
            "Check the sheet by itself, 'fieldpost check', from the folder where both are.",
        )
    path = beside / opening.file
    if not path.is_file():
        raise opening.error(f"there is no file {opening.file!r} beside this sheet")
    if opening.file in sheets:
        raise opening.error(f"{opening.file} begins with the end of this sheet, and this one with its end")
    if len(sheets) > MOST_SHEETS:
        raise opening.error(f"more than {MOST_SHEETS} sheets begin with the end of another one each")
    of_scenario = replace(wanted, scenario=read_.scenario.id)
    turn = of_bytes(opening.file, archive.read_bytes(path), of_scenario, beside, sheets)
    if (turn.game.id, turn.scenario.id) != (read_.game.id, read_.scenario.id):
        raise opening.error(f"{opening.file} is of {turn.game.id} {turn.scenario.id}")
    return Before(turn, opening)


def _last_battle(before: Before | None) -> int:
    """The number of the battle that was declared last, in this file or in those before it."""
    if before is None:
        return 0
    numbers = [event.battle for event in before.turn.events if isinstance(event, Attacked)]
    return numbers[-1] if numbers else _last_battle(before.turn.before)


def _start(read_: Sheet, before: Before | None) -> Position:
    opening = read_.opening
    if before is not None:
        start = before.turn.start.copy()
        for event in before.turn.events:
            start.apply(sheet.expand(event, start))
    elif opening.position:
        start = Position(read_.game)
        start.partial = opening.position == PARTIAL
    else:
        start = positions.start(read_.game, read_.scenario)
    opening.apply(start)
    first = next((event for event in read_.events if isinstance(event, PhaseBegan)), None)
    if opening.position and first is None and before is None:
        raise opening.error(
            "a position is stated, and no turn", "Write the turn and its phase below it: turn 3 axis-combat."
        )
    if opening.said and first is not None and before is None:
        start.turn, start.phase = first.turn, first.phase
    return start


def _read_log(name: str, data: bytes, wanted: Wanted) -> Turnfile:
    content, broken = _archive(data, name)
    log = steps.of(content)
    if broken:
        log = _without_half_step(log)
    properties = dict(_properties(log))
    game, scenario = _game_of(log.name, properties, wanted, broken)
    module = _read_module(wanted.module) if wanted.module else None
    reading = interpret(log, game, scenario, module)
    understood = reading.understood
    if understood is not None and understood.too_little:
        raise FieldpostError(f"{name}: too little of it is understood. {understood.words}", UNKNOWN_PIECES)
    turn = Turnfile(name, game, scenario, reading.start, reading.events, broken=broken)
    turn.concealed, turn.side = reading.concealed, reading.side
    turn.metadata, turn.content = content.metadata, _digest(content.text or "")
    turn.players = frozenset(_players(log))
    turn.foreign = _game_said(properties) != game.id
    turn.remarks = (SAVED,) if content.kind == "save" else ()
    if understood is not None:
        turn.remarks = (*turn.remarks, understood.words)
    return turn


def _without_half_step(log: Log) -> Log:
    """What is left of a step in whose middle a file breaks off would accuse a player of what he never did."""
    half = bool(log.steps) and log.steps[-1].part == len(log.parts) - 1
    return replace(log, steps=log.steps[:-1]) if half else log


def _archive(data: bytes, name: str) -> tuple[archive.Archive, str | None]:
    """What could be read, and why it is not all."""
    try:
        return archive.parse(data, name), None
    except archive.ArchiveError as error:
        if error.partial is None or error.partial.text is None:
            raise _explained(data, name) or error from None
        return error.partial, error.message.removeprefix(f"{name}: ")


def _explained(data: bytes, name: str) -> FieldpostError | None:
    """What is wrong with a file that is not VASSAL's, where that can be seen."""
    kind = kinds.of(data, name)
    if kind.name == kinds.CLOSED:
        what, _, remedy = kind.words.partition(": ")
        return FieldpostError(f"{name}: {what}, no log", sentence(remedy))
    if kind.name == kinds.OTHER:
        return FieldpostError(f"{name}: {kind.words}, no log", _TURNS)
    if data.startswith(PACKED) or not (text_of(data) or "").strip():
        return None
    line = mail.quoted_at(data)
    if line is not None:
        return FieldpostError(
            f"{name}:{line}: the turn sheet in it is quoted", "Take the signs before its lines away: > or |"
        )
    return FieldpostError(
        f"{name}: neither a log nor a turn sheet", "A turn sheet begins, for example: game wfm turning-point"
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _players(log: Log) -> Iterator[str]:
    for text in chain(log.setup, *(step.commands for step in log.steps)):
        if text.startswith(PLAYER):
            name = [*codec.decode(text, codec.TAB), "", ""][2]
            if name:
                yield _digest(name)[:12]


def _properties(log: Log) -> Iterator[tuple[str, str]]:
    """The values the log begins with, without its pieces."""
    table = Table()
    table.apply(text for text in log.setup if text.startswith(PROPERTIES))
    return ((name, value) for (_, name), value in table.properties.items())


def _game_said(properties: Mapping[str, str]) -> str | None:
    """The game that a module of ours writes into its logs."""
    return next(iter(properties.get(GAME_PROPERTY, "").split()), None)


def _game_of(
    file: str, properties: Mapping[str, str], wanted: Wanted, broken: str | None
) -> tuple[Game, Scenario]:
    """What the log says of itself, unless the user says otherwise."""
    name = wanted.game or _game_said(properties)
    if name is None:
        raise _without_game(file, broken)
    game = load_game(name, tuple(wanted.overlays))
    only = next(iter(game.scenario)) if len(game.scenario) == 1 else ""
    chosen = wanted.scenario or properties.get(SCENARIO_PROPERTY, "") or only
    if chosen not in game.scenario:
        listed = ", ".join(game.scenario)
        raise FieldpostError(f"{file}: no scenario {chosen!r}", f"Name it with --scenario: {listed}")
    return game, game.scenario[chosen]


def _without_game(file: str, broken: str | None) -> FieldpostError:
    if broken:
        return FieldpostError(
            f"{file}: {broken}", "Too little of it is left to judge: ask for the file again, zipped."
        )
    return ForeignLog(
        f"{file}: this log does not say which game it is of",
        "It was not played with a module of ours. 'fieldpost audit' and 'fieldpost tell' read it without "
        "rules; to judge it, name the game: --game wfm --scenario turning-point",
    )
