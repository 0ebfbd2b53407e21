"""The logs of one game told: every step in sentences, under the turn it was played in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from fieldpost import bounds
from fieldpost.errors import FieldpostError
from fieldpost.phrases import listed, phrase
from fieldpost.vassal import sight
from fieldpost.vassal.steps import Log
from validator.anygame.games import Chain
from validator.anygame.one_log import Modules, Opened, Replay, cleaner, open_log
from validator.anygame.sentences import Teller, Told
from validator.anygame.summary import NO_RULES
from validator.audit.sources import Item, Unusable


@dataclass(frozen=True)
class Chapter:
    """One log: what to know before it, and its steps."""

    name: str
    remark: str
    steps: tuple[Told, ...]


@dataclass(frozen=True)
class Tale:
    module: str
    chapters: tuple[Chapter, ...]
    seen_by: tuple[str, ...]
    """Whose eyes it is told with, and what had to be left out."""


@dataclass(frozen=True)
class Choice:
    """The part of a tale that was asked for: a turn by its number, what one side's players did."""

    turn: int | None = None
    side: str | None = None


def open_chain(chain: Chain, items: Sequence[Item]) -> list[tuple[str, Log]]:
    """The logs of a chain in its order, opened again: an audit does not keep them."""
    found = []
    by_pointer = {(item.pointer.path, item.pointer.span, item.pointer.inner): item for item in items}
    for entry in chain.entries:
        key = entry.pointer.path, entry.pointer.span, entry.pointer.inner
        with bounds.time_held(spent=entry.seconds):
            opened = open_log(by_pointer[key])
        if not isinstance(opened, Opened):
            raise FieldpostError(f"{entry.name}: {opened.why}")
        found.append((entry.name, opened.log))
    return found


def tell(
    chain: Chain, items: Sequence[Item], modules: Modules, choice: Choice, side: str | None = None
) -> Tale:
    """`side` asks for that side's view; else everybody's."""
    chapters = []
    seen_by: dict[str, None] = {}
    for name, log in open_chain(chain, items):
        with bounds.time_held(spent=chain.seconds(name)):
            replay = Replay(log, modules(log.metadata.module), side)
            if side is not None:
                sight.check_side(side, [replay.table])
            clean = cleaner(log)
            teller = Teller(replay, clean)
            steps = tuple(told for step in log.steps if _chosen(told := teller.tell(step), replay, choice))
        seen_by |= dict.fromkeys(map(clean, replay.sight.remarks()))
        chapters.append(Chapter(name, remark_before(chain, name), steps))
    if not any(chapter.steps for chapter in chapters):
        if choice == Choice():
            raise FieldpostError(
                "there are no steps to tell",
                "A saved game is one position: `fieldpost replay` draws it, `fieldpost info` describes it.",
            )
        raise FieldpostError("nothing is told of that", "Leave out --turn and --side, or choose others.")
    module = next((entry.module for entry in chain.entries if entry.module), "")
    return Tale(module, tuple(chapters), tuple(seen_by))


def remark_before(chain: Chain, name: str) -> str:
    return next((link.message for link in chain.links if not link.harmless and link.after == name), "")


def _chosen(told: Told, replay: Replay, choice: Choice) -> bool:
    if choice.turn is not None and str(choice.turn) not in re.findall(r"\d+", told.turn):
        return False
    if choice.side is None:
        return True
    return any(seat.side == choice.side and seat.name == told.who for seat in replay.table.players.values())


# --- as text and data ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """How the parts of a tale are written: each becomes lines."""

    title: Callable[[str, Sequence[str]], list[str]]
    chapter: Callable[[str], list[str]]
    remark: Callable[[str], list[str]]
    turn: Callable[[str], list[str]]
    step: Callable[[Told], list[str]]


def text(tale: Tale) -> str:
    return _written(tale, _TEXT)


def markdown(tale: Tale) -> str:
    return _written(tale, _MARKDOWN)


def _written(tale: Tale, form: Form) -> str:
    lines = form.title(tale.module or "An unnamed module", (NO_RULES, *tale.seen_by))
    for chapter in tale.chapters:
        lines += form.chapter(chapter.name)
        lines += form.remark(chapter.remark)
        for turn, steps in groupby(filter(_is_told, chapter.steps), key=lambda told: told.turn):
            lines += form.turn(turn)
            for told in steps:
                lines += form.step(told)
    return "\n".join(lines) + "\n"


def data(tale: Tale) -> dict[str, Any]:
    return {
        "game": None,
        "module": tale.module,
        "note": NO_RULES,
        "seen_by": list(tale.seen_by),
        "logs": [
            {
                "file": chapter.name,
                "remark": chapter.remark,
                "steps": [told.data() for told in chapter.steps],
            }
            for chapter in tale.chapters
        ],
    }


def _is_told(told: Told) -> bool:
    """Not what was taken back, but for rolls: those everybody saw."""
    return bool(told.text) and (told.undone_by is None or bool(told.rolls))


def _line(told: Told) -> str:
    back = "" if told.undone_by is None else " (taken back)"
    return f"{phrase('{}: ', told.who)}{told.text}{back}"


def _escaped(line: str) -> str:
    return re.sub(r"([*_<`\[])", r"\\\1", line)


_TEXT = Form(
    title=lambda name, head: [f"{name}, told from its logs", *head],
    chapter=lambda name: ["", name],
    remark=lambda remark: [f"({remark})"] if remark else [],
    turn=lambda turn: [f"  {turn}"] if turn else [],
    step=lambda told: [f"  {told.number:>5}  {_line(told)}"],
)
_MARKDOWN = Form(
    title=lambda name, head: [f"# {name}", "", *(_escaped(line) for line in head)],
    chapter=lambda name: ["", f"## {name}"],
    remark=lambda remark: ["", f"*{remark}*"] if remark else [],
    turn=lambda turn: ["", f"### {turn}", ""] if turn else [""],
    step=lambda told: [f"- {_escaped(_line(told))}"],
)


def one_chain(chains: Sequence[Chain], unusable: Sequence[Unusable]) -> Chain:
    """The one game in these files."""
    if not chains:
        why = f"{unusable[0].name}: {unusable[0].why}" if unusable else "there is no log of a game"
        raise FieldpostError(why)
    if len(chains) > 1:
        names = "; ".join(listed([entry.name for entry in chain.entries], 1) for chain in chains[:4])
        raise FieldpostError(f"here are {len(chains)} games: {names}", "Name the files of one game.")
    return chains[0]
