"""Every command of a saved game: one class each, from which reader, writer and reference are made.

A command's text is a prefix and fields; its class says which. What no class claims stays
as it was written (`Unknown`), and so does a known command whose fields are not canonical:
`read(text).text` is always `text`.
"""

# ruff: noqa: RUF009  (the field helpers return dataclasses.field)

from __future__ import annotations

from dataclasses import dataclass

from fieldpost.vassal.codec import TAB
from fieldpost.vassal.command_fields import (
    SPECS as SPECS,
)
from fieldpost.vassal.command_fields import (
    WHOLE as WHOLE,
)
from fieldpost.vassal.command_fields import (
    Command as Command,
)
from fieldpost.vassal.command_fields import (
    CommandSpec as CommandSpec,
)
from fieldpost.vassal.command_fields import (
    Unknown as Unknown,
)
from fieldpost.vassal.command_fields import (
    a_secret,
    a_state,
    a_text,
    command_row,
    of_kind,
    prose,
    read_fields,
    write_fields,
)
from fieldpost.vassal.secret import Secret


@command_row("begin_save", WHOLE, "exact")
@dataclass(frozen=True)
class BeginSave(Command):
    """Closes the running game and forgets every piece."""


@command_row("end_save", WHOLE, "exact")
@dataclass(frozen=True)
class EndSave(Command):
    """Starts the game: every component is set up."""


@command_row("+/", "/")
@dataclass(frozen=True)
class AddPiece(Command):
    """Creates a piece, stack or deck and applies its state."""

    id: str | None = of_kind("none")
    type: str = of_kind("text")
    state: str = a_state()


@command_row("-/", WHOLE)
@dataclass(frozen=True)
class RemovePiece(Command):
    """Takes a piece from its stack, its map and the game."""

    id: str = of_kind("text")


@command_row("D/", "/")
@dataclass(frozen=True)
class ChangePiece(Command):
    """Changes a state; with the old one given only what differs between old and new."""

    id: str = of_kind("text")
    new: str = a_state()
    old: str | None = a_state("missing", None)


@command_row("M/", "/")
@dataclass(frozen=True)
class MovePiece(Command):
    """Moves a piece or stack; the old fields serve an undo only. `player` is a password."""

    id: str = of_kind("text")
    map: str | None = of_kind("none")
    x: int = of_kind("integer")
    y: int = of_kind("integer")
    under: str | None = of_kind("none", None)
    old_map: str | None = of_kind("none", None)
    old_x: int = of_kind("integer", 0)
    old_y: int = of_kind("integer", 0)
    old_under: str | None = of_kind("none", None)
    player: Secret = a_secret()


@command_row("LOG\t", WHOLE)
@dataclass(frozen=True)
class LogStep(Command):
    """Goes before every command of a step in a log."""

    command: str = a_state()


@command_row("CHAT", WHOLE)
@dataclass(frozen=True)
class Chat(Command):
    """A line in the chat window: typed, reported by the engine, or rolled."""

    line: str = a_state()


@command_row("PLAYER\t")
@dataclass(frozen=True)
class Player(Command):
    """Sits a player down. `id` is the password."""

    id: Secret = of_kind("secret")
    name: str = a_text(optional=False)
    side: str = a_text(optional=False)


@command_row("PYREMOVE\t")
@dataclass(frozen=True)
class PlayerLeaves(Command):
    """A player leaves his side. `id` is the password."""

    id: Secret = of_kind("secret")


@command_row("UNDO\t")
@dataclass(frozen=True)
class Undo(Command):
    """Brackets an undo: true opens it, false closes it."""

    opens: bool = of_kind("flag")


@command_row("MutableProperty\t")
@dataclass(frozen=True)
class PropertyChange(Command):
    """A global property changes during play; dice leave their result this way too."""

    name: str = of_kind("text")
    old: str = a_text(optional=False)
    new: str = a_text(optional=False)
    container: str = a_text()


@command_row("GlobalProperty\t", ";")
@dataclass(frozen=True)
class PropertyValue(Command):
    """The value of a global property in a save; of a zone: name TAB zone TAB board TAB map."""

    name: str = of_kind("text")
    value: str = a_text(optional=False)
    container: str = a_text(optional=False)


@command_row("TURN")
@dataclass(frozen=True)
class Turn(Command):
    """The state of a turn tracker."""

    tracker: str = of_kind("text")
    state: str = a_text(optional=False)


@command_row("BoardPicker", TAB, "suffix")
@dataclass(frozen=True)
class Boards(Command):
    """The boards of a map: name (and `rev`), column, row, repeated."""

    map: str = of_kind("text")
    boards: tuple[str, ...] = of_kind("rest", ())


@command_row("SETUP_STACK\t", WHOLE)
@dataclass(frozen=True)
class SetupStack(Command):
    """Says that the at-start stacks and decks are in the file."""

    rest: str = a_text()


@command_row("NOTES\t", WHOLE)
@dataclass(frozen=True)
class Notes(Command):
    """The scenario notes; newlines are written as |."""

    note: str = prose()


@command_row("PNOTES\t", WHOLE)
@dataclass(frozen=True)
class PublicNotes(Command):
    """The public notes."""

    note: str = prose()


@command_row("PNOTE\t")
@dataclass(frozen=True)
class PrivateNote(Command):
    """A note of one player's own; `owner` is the password."""

    owner: Secret = of_kind("secret")
    note: str = prose()


@command_row("SNOTE\t")
@dataclass(frozen=True)
class SecretNote(Command):
    """A sealed note; `owner` is the password."""

    name: str = of_kind("text")
    owner: Secret = a_secret()
    hidden: str = a_text()
    note: str = prose()
    date: str = a_text()
    handle: str = a_text()


@command_row("UNMASK\t")
@dataclass(frozen=True)
class Unmaskable(Command):
    """The players who let others lift their masks, by password."""

    ids: tuple[Secret, ...] = of_kind("secrets", ())


@command_row("LOS\t")
@dataclass(frozen=True)
class LineOfSight(Command):
    """A line-of-sight thread, drawn for all."""

    thread: str = of_kind("text")
    rest: tuple[str, ...] = of_kind("rest", ())


@command_row("SHOW_RESULTS\t")
@dataclass(frozen=True)
class SymbolDice(Command):
    """The faces of symbol dice."""

    dice: str = of_kind("text")
    faces: tuple[str, ...] = of_kind("rest", ())


@command_row("AUDIO\t")
@dataclass(frozen=True)
class Sound(Command):
    """Plays a sound."""

    name: str = a_text()


@command_row("EXT\t")
@dataclass(frozen=True)
class Extension(Command):
    """An extension the game was saved with."""

    name: str = a_text()
    version: str = a_text()


@command_row("SGKC\t")
@dataclass(frozen=True)
class StartupKey(Command):
    """A key command applied at the start."""

    id: str = a_text()
    applied: str = a_text()


@command_row("FLARE\t")
@dataclass(frozen=True)
class Flare(Command):
    """A flare on the map, to draw the others' eyes."""

    id: str = a_text()
    x: str = a_text()
    y: str = a_text()


@command_row("DECK\t", WHOLE)
@dataclass(frozen=True)
class LoadDeck(Command):
    """Deck contents loaded from a file."""

    rest: str = a_text()


@command_row("GlobalTranslatable\t")
@dataclass(frozen=True)
class Translatable(Command):
    """A translatable message's value."""

    rest: tuple[str, ...] = of_kind("rest", ())


@command_row("LOCKSPOTAB\t", WHOLE)
@dataclass(frozen=True)
class LockOptions(Command):
    """Locks the scenario options."""

    rest: str = a_text()


@command_row("CLOCKCONTROL\t", WHOLE)
@dataclass(frozen=True)
class ClockControl(Command):
    """Starts or stops the chess clocks."""

    rest: str = a_text()


@command_row("CLOCK\t", WHOLE)
@dataclass(frozen=True)
class Clock(Command):
    """The state of one chess clock."""

    rest: str = a_text()


@command_row("Events", WHOLE)
@dataclass(frozen=True)
class Events(Command):
    """The old list of scheduled events."""

    rest: str = a_text()


# -- of old engines, and of modules that bring commands of their own: kept as they stand


@command_row("CHECK\t", WHOLE)
@dataclass(frozen=True)
class VersionCheck(Command):
    """Warns players whose engine or module is too old (VASSAL 2 and 3.0)."""

    rest: str = a_text()


@command_row("SEMAIL\t", WHOLE)
@dataclass(frozen=True)
class SecondaryAddress(Command):
    """The mail address to which an internet dice server sends its rolls."""

    address: str = prose()


@command_row("INFO\t")
@dataclass(frozen=True)
class ScenarioInfo(Command):
    """The scenario's numbers and notes in VASL, then private notes, each after its owner's password."""

    rest: tuple[str, ...] = of_kind("rest", (), shown=False)


@command_row("bd\t", WHOLE)
@dataclass(frozen=True)
class VaslBoards(Command):
    """The boards of a map in VASL."""

    rest: str = a_text()


@command_row("OBA/", WHOLE)
@dataclass(frozen=True)
class VaslArtillery(Command):
    """A module of offboard artillery in VASL."""

    rest: str = prose()


@command_row("CLOCKCONTROL:", WHOLE)
@dataclass(frozen=True)
class OldClockControl(Command):
    """Starts or stops the chess clocks of a module's own."""

    rest: str = a_text()


@command_row("CLOCK:", WHOLE)
@dataclass(frozen=True)
class OldClock(Command):
    """The state of a chess clock of a module's own."""

    rest: str = prose()


@dataclass(frozen=True)
class Empty(Command):
    """The empty command: a head that only holds others together."""

    @property
    def text(self) -> str:
        return ""


EMPTY = Empty()
_BY_LENGTH = sorted(
    (spec for spec in SPECS.values() if spec.match == "prefix"), key=lambda spec: -len(spec.prefix)
)
_BY_FIRST: dict[str, list[CommandSpec]] = {}
for _spec in _BY_LENGTH:
    _BY_FIRST.setdefault(_spec.prefix[0], []).append(_spec)
_EXACT = {spec.prefix: spec for spec in SPECS.values() if spec.match == "exact"}
_BOARDS = SPECS["BoardPicker"]


def find(text: str) -> CommandSpec | None:
    """Return the row of a command, None when no row claims it."""
    for spec in _BY_FIRST.get(text[:1], ()):
        if text.startswith(spec.prefix):
            return spec
    if text in _EXACT:
        return _EXACT[text]
    end = text.find(TAB)
    first = text if end < 0 else text[:end]
    return _BOARDS if first.endswith("BoardPicker") else None


def known(text: str) -> bool:
    """True if an engine would decode the command."""
    return not text or find(text) is not None


def read(text: str) -> Command:
    """Read a command. Whatever the input, the result's `text` is the input."""
    if not text:
        return EMPTY
    spec = find(text)
    if spec is None:
        return Unknown(text)
    try:
        command = read_fields(spec, text)
    except (TypeError, ValueError):
        return Unknown(text)
    return command if write_fields(command) == text else Unknown(text)


def parse(text: str) -> Command:
    """Read a command for what it means, even where the engine would write it otherwise; `text` stays."""
    spec = find(text)
    if spec is None:
        return Unknown(text) if text else EMPTY
    try:
        return read_fields(spec, text)
    except (TypeError, ValueError):
        return Unknown(text)


def short(text: str) -> str:
    """A command's name for messages; never its fields."""
    spec = find(text)
    return spec.cls.__name__ if spec else "unknown command"
