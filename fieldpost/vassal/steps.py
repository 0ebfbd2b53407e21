"""A saved game as VASSAL steps through it: a position, then one step an action.

A step is one `LOG` part at the top level in which at least one command is known.
Undone steps stay in a log: an undo is a step of its own that carries the inverse.
New engines bracket it (`UNDO true` ... `UNDO false`), all mark its chat with `* UNDO: `.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from fieldpost.phrases import listed
from fieldpost.vassal import archive, codec, commands, tree
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.metadata import Metadata

LOG = "LOG\t"
UNDO_CHAT = "CHAT* UNDO: "
UNDO_OPENS = "UNDO\ttrue"
UNDO_CLOSES = "UNDO\tfalse"
_FURTHEST = 100
MOST_COMMANDS = 500_000  # the largest log we know has 77,000
LONGEST_COMMAND = 4 << 20  # the longest we know has 200,000 characters
_MOST_NAMED = 8
_WITHOUT_GAME = {
    "module": "a module",
    "extension": "an extension",
    "container": "an archive of logs and saves",
    "other": "a zip archive without one of VASSAL's files",
}
"""What a file is that has no saved game in it."""


@dataclass(slots=True)
class Step:
    """One press of the step button; `number` counts from 1.

    `part` is its place among the parts of the saved game. `undoes` is the number of the step
    it takes back (0: an undo of something not in this log), `undone_by` of the one that took it back.
    """

    number: int
    part: int
    commands: list[str] = field(repr=False)
    undoes: int | None = None
    undone_by: int | None = None

    @property
    def is_undo(self) -> bool:
        return self.undoes is not None

    @property
    def empty(self) -> bool:
        """True if nothing in it does anything: no command, or empty ones only."""
        return not any(self.commands)


@dataclass(slots=True)
class Log:
    """A save or log. A save has no steps.

    `setup` are the commands of the initial position in order of execution.
    """

    parts: list[str] = field(repr=False)
    setup: list[str] = field(repr=False)
    steps: list[Step] = field(repr=False)
    metadata: Metadata = field(default_factory=Metadata)
    name: str = ""
    remarks: tuple[str, ...] = ()
    """What was left aside in its file, and what looks like a trick."""

    @property
    def text(self) -> str:
        """The saved game written anew; equals what was read."""
        return codec.encode(self.parts, ESC)


def read(path: str | os.PathLike[str]) -> Log:
    """Read a save or log, also one that is alone in a zip."""
    content = archive.read(path)
    if content.kind == "container" and len(content.games) == 1:
        content = archive.member(archive.read_bytes(path), content.name, *content.games)
    return of(content)


def read_all(path: str | os.PathLike[str]) -> Iterator[Log]:
    """Read a save or log, or each of those in a zip of several, by name."""
    content = archive.read(path)
    if content.kind != "container":
        yield of(content)
        return
    data = archive.read_bytes(path)
    for inner in sorted(content.games):
        yield of(archive.member(data, content.name, inner))


def of(content: archive.Archive) -> Log:
    """The save or log of a file as read."""
    if content.text is None:
        holds = listed(content.games, _MOST_NAMED)
        raise archive.ArchiveError(
            f"{content.name}: {_WITHOUT_GAME[content.kind]}, neither a save nor a log",
            f"It holds {holds}. Take one out and name that." if holds else None,
        )
    return replace(parse(content.text, content.metadata, content.name), remarks=content.remarks)


def parse(text: str, metadata: Metadata | None = None, name: str = "") -> Log:
    """Read a saved game's plain text; one with too many commands, or too long ones, is refused."""
    if text.count(ESC) > MOST_COMMANDS:
        raise archive.ArchiveError(f"{name}: more than {MOST_COMMANDS:,} commands")
    parts = codec.decode(text, ESC)
    setup: list[str] = []
    steps: list[Step] = []
    for at, part in enumerate(parts):
        if part.startswith((LOG, "'" + LOG)):
            found = list(_logged(part))
            if found:
                steps.append(Step(len(steps) + 1, at, found))
        elif part:
            setup.extend(command for command in tree.read(part) if command)
    for command in chain(setup, *(step.commands for step in steps)):
        if len(command) > LONGEST_COMMAND:
            raise archive.ArchiveError(f"{name}: a command of more than {LONGEST_COMMAND:,} characters")
    link_undos(steps)
    return Log(parts, setup, steps, metadata or Metadata(), name)


def _logged(part: str) -> Iterator[str]:
    """The known commands of a step, without `LOG`."""
    for text in tree.read(part):
        command = text[4:] if text.startswith(LOG) else text
        if command and command != "null" and commands.find(command) is not None:
            yield command


def link_undos(steps: Sequence[Step]) -> None:
    """Find what each undo takes back: the latest step still standing that fits it."""
    standing: dict[int, Step] = {}
    by_chat: dict[tuple[str, ...], list[Step]] = {}
    for step in steps:
        if not _is_undo(step):
            standing[step.number] = step
            by_chat.setdefault(tuple(_chat(step)), []).append(step)
            continue
        undone = _undone(step, standing, by_chat)
        step.undoes = 0
        if undone is not None:
            step.undoes = undone.number
            undone.undone_by = step.number
            del standing[undone.number]


def _is_undo(step: Step) -> bool:
    first = step.commands[0]
    return first == UNDO_OPENS or any(command.startswith(UNDO_CHAT) for command in step.commands)


def _undone(undo: Step, standing: dict[int, Step], by_chat: dict[tuple[str, ...], list[Step]]) -> Step | None:
    texts = [command[len(UNDO_CHAT) :] for command in undo.commands if command.startswith(UNDO_CHAT)]
    if texts:
        fitting = by_chat.get(tuple(texts[::-1]), [])
        while fitting:
            step = fitting.pop()
            if step.number in standing:
                return step
        return None
    touched = _touched(undo)
    latest = islice(reversed(standing.values()), _FURTHEST)
    return next((step for step in latest if touched <= _touched(step)), None)


def _chat(step: Step) -> list[str]:
    return [command[4:] for command in step.commands if command.startswith("CHAT")]


def _touched(step: Step) -> set[str]:
    """The ids a step creates, removes, changes or moves."""
    return {
        codec.head(command[2:], "/")
        for command in step.commands
        if command.startswith(("+/", "-/", "D/", "M/"))
    }
