"""Files in, verdict out: what both homes of the desk do with what was dropped.

Runs in a browser as well: it and all it imports need no process, no thread, no Pillow, no lxml.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from desk import verdict
from fieldpost.progress import track
from validator import mail, sheet
from validator.anygame.picturefiles import Dropped
from validator.audit import game, game_pages, mail_reply, sources, summary
from validator.audit.game import Audit
from validator.audit.sources import Found, Item, Unusable
from validator.report import describe, reply
from validator.report.html.board import Pictures
from validator.services.turnfile import WRAPPINGS, Wanted

MODULE, EXTENSION = ".vmod", ".vmdx"


@dataclass(frozen=True)
class Source:
    """A file, and the name its owner knows it by."""

    path: Path
    label: str

    @property
    def is_module(self) -> bool:
        """Sent along with logs that were played with it."""
        return self.label.lower().endswith(MODULE)

    @property
    def is_extension(self) -> bool:
        return self.label.lower().endswith(EXTENSION)


@dataclass(frozen=True)
class Asked:
    """What was chosen beside the files. `options` are NAME=CHOICE, by game."""

    game: str | None = None
    scenario: str | None = None
    options: Mapping[str, Sequence[str]] = field(default_factory=dict)
    policy: str = "replay"
    over: bool = False


@dataclass(frozen=True)
class Foreign:
    """Games whose rules we do not know: what there is to show of them, and a replay of each."""

    view: dict[str, Any]
    pages: Sequence[str]
    text: str
    dropped: Dropped | None = None
    """In a browser: whose pictures the pages name, for the page to put in."""


@dataclass(frozen=True)
class Judged:
    audits: Sequence[Audit]
    unusable: Sequence[Unusable]
    asked: Asked
    remarks: Sequence[str] = ()
    alone: bool = False  # one file with one turn in it
    foreign: Foreign | None = None  # instead of audits, where no game is one we know

    def view(self) -> dict[str, Any]:
        """What the page shows."""
        if self.foreign is not None:
            return self.foreign.view
        return verdict.view(self.audits, self.unusable) | {"reply": self.reply()}

    def data(self) -> dict[str, Any]:
        """What `fieldpost check --json` says of one file, `fieldpost audit --json` of several."""
        if not self._is_one_turn:
            return summary.data(self.audits, self.unusable)
        (one,) = self.audits
        (entry,) = one.chain.entries
        namer = describe.Namer(one.game, one.scenario)
        return describe.report_data(one.reports[0], namer, entry.name) | {"remarks": list(self.remarks)}

    def text(self) -> str:
        if self.foreign is not None:
            return self.foreign.text
        return summary.render(self.audits, self.unusable) if self.audits else ""

    def start(self, number: int) -> str:
        """The head of a turn sheet that begins where the last file of a game ends."""
        audit = self.audits[number]
        return sheet.write_position(audit.game, audit.scenario, audit.chain.entries[-1].end)

    def reply(self) -> str:
        """To paste into a mail."""
        if not self.audits:
            return ""
        if not self._is_one_turn or self.unusable:
            return mail_reply.render(self.audits, self.unusable, self.asked.policy)
        (one,) = self.audits
        (entry,) = one.chain.entries
        return reply.render(
            one.reports[0],
            describe.Namer(one.game, one.scenario),
            entry.name,
            counts=entry.turn.counts,
            policy=self.asked.policy,
            remarks=tuple(self.remarks),
        )

    def page(self, number: int, pictures: Callable[[str], Pictures | None]) -> str:
        """A game on its map, step by step, as one file; `pictures` knows those of a game by its id."""
        if self.foreign is not None:
            return self.foreign.pages[number]
        audit = self.audits[number]
        return game_pages.render(audit, pictures(audit.game.id))

    def pages(self, pictures: Callable[[str], Pictures | None]) -> Iterator[str]:
        count = len(self.audits) if self.foreign is None else len(self.foreign.pages)
        return (self.page(number, pictures) for number in range(count))

    def options(self, audit: Audit) -> Sequence[str]:
        return _options(self.asked, audit.game.id)

    @property
    def _is_one_turn(self) -> bool:
        return self.alone and len(self.audits) == 1 and len(self.audits[0].reports) == 1


def judge(given: Sequence[Source], asked: Asked) -> Judged:
    """Every game among the files, judged, and what is of none."""
    turns = [one for one in given if not (one.is_module or one.is_extension)]
    turns = turns or list(given)  # a module alone is no turn
    module = next((source.path for source in given if source.is_module), None)
    wanted = Wanted(asked.game, asked.scenario, module)
    groups, unusable = game.games(_found(turns), wanted)
    unusable = sources.spoiled(unusable)
    audits = [
        game.of_game(name, group, _options(asked, group[0].turn.game.id), asked.policy, over=asked.over)
        for name, group in groups
    ]
    strangers = [one.foreign for one in unusable if one.foreign is not None]
    if strangers and not audits:
        extensions = [source.path for source in given if source.is_extension]
        return Judged((), unusable, asked, foreign=_foreign(strangers, module, extensions, unusable))
    alone = len(turns) == 1
    remarks = _remarks(turns[0]) if alone and len(audits) == 1 else ()
    return Judged(audits, unusable, asked, remarks, alone)


def _foreign(
    items: Sequence[Item], module: Path | None, extensions: Sequence[Path], unusable: Sequence[Unusable]
) -> Foreign:
    from desk import foreign

    pages: dict[int, str] = {}
    texts: list[str] = []
    others = [one for one in unusable if one.foreign is None]
    library = foreign.library_of(module, extensions)
    art = foreign.pictures(library)
    view = foreign.check(items, library, art, others, pages.__setitem__, texts.append)
    dropped = art if isinstance(art, Dropped) else None
    return Foreign(view, [pages[number] for number in sorted(pages)], "".join(texts), dropped)


def _options(asked: Asked, game_id: str) -> Sequence[str]:
    return asked.options.get(game_id, ())


def _remarks(source: Source) -> tuple[str, ...]:
    """Where the turn came from, as `fieldpost check` says it."""
    from fieldpost.errors import FieldpostError
    from fieldpost.vassal import archive
    from validator.mail.choice import choose

    data = archive.read_bytes(source.path)
    if Path(source.label).suffix.lower() not in WRAPPINGS and not mail.looks_like_mail(data):
        return ()
    try:
        remarks = choose(source.path, data).remarks
    except FieldpostError:  # several turns, which together are a game
        return ()
    return tuple(_by_label(source, remark) for remark in remarks)


def _found(given: Sequence[Source]) -> Iterator[Found]:
    for source in track(given, len(given), "reading files"):
        for found in sources.gather([source.path]):
            yield _labelled(found, source)


def _labelled(found: Found, source: Source) -> Found:
    """Under the name people know it by, not that of our disk."""
    if isinstance(found, Unusable):
        return replace(found, name=_by_label(source, found.name), why=_by_label(source, found.why))
    pointer = found.pointer
    named = replace(pointer, name=_by_label(source, pointer.name), via=_by_label(source, pointer.via))
    return replace(found, pointer=named)


def _by_label(source: Source, text: str) -> str:
    return text.replace(source.path.name, source.label)
