"""Which turn of a mail, zip or mailbox is meant, and what is said of the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError
from validator.audit import sources
from validator.audit.entries import numbered
from validator.audit.sources import Item, Unusable
from validator.mail.body import IN_OLDER, IN_QUOTE

LOG, SAVE, SHEET, OLDER = range(4)  # a log tells most; a sheet beside it is a transcript
QUOTED = "the turn in it is quoted; take the signs before its lines away, > or |"
MOST_NAMED = 8


@dataclass(frozen=True)
class Chosen:
    item: Item
    remarks: tuple[str, ...]


def choose(path: Path, data: bytes, wanted: str | None = None) -> Chosen:
    """The one turn in it; if there are several, the one of the name that is wanted."""
    if not data.strip():
        raise FieldpostError(f"{path.name}: the file is empty", "Save the mail again, or ask for it again.")
    items, unusable = sources.apart(sources.gather([path]))
    quoted = [item for item in items if item.pointer.standing == IN_QUOTE]
    items = _numbered(_distinct([item for item in items if item not in quoted]))
    unusable += [Unusable(item.name, QUOTED) for item in quoted if not items]
    left = Left.of(path, unusable)
    if not items:
        raise left.error(path)
    chosen = _named(path, items, wanted) if wanted else _best(path, items)
    others = [item.name for item in items if item is not chosen]
    return Chosen(chosen, (*_remarks(path, chosen), *left.remarks(others)))


def _numbered(items: list[Item]) -> list[Item]:
    """Files of one name can be chosen by a number behind it."""
    names = numbered(item.name for item in items)
    return [
        replace(item, pointer=replace(item.pointer, name=name))
        for item, name in zip(items, names, strict=True)
    ]


def _distinct(items: list[Item]) -> list[Item]:
    return list({item.data: item for item in reversed(items)}.values())[::-1]


def _best(path: Path, items: list[Item]) -> Item:
    by_rank: dict[int, list[Item]] = {}
    for item in items:
        by_rank.setdefault(_rank(item), []).append(item)
    fitting = by_rank[min(by_rank)]
    if len(fitting) > 1:
        raise FieldpostError(
            f"{path.name} holds {len(fitting)} turns: {_listed([item.name for item in fitting])}",
            f'Choose one: --attachment "{fitting[0].name}"; or take all as a game: '
            f"fieldpost audit {path.name}",
        )
    return fitting[0]


def _named(path: Path, items: list[Item], wanted: str) -> Item:
    by_name = {item.name: item for item in reversed(items)}
    if wanted not in by_name:
        raise FieldpostError(
            f"{path.name} holds no turn named {wanted!r}",
            f"It holds {_listed([item.name for item in items])}.",
        )
    return by_name[wanted]


def _rank(item: Item) -> int:
    try:
        read: archive.Archive | None = archive.parse(item.data, item.name)
    except ArchiveError as error:
        read = error.partial
    if read is None and b"\0" not in item.data:
        return OLDER if item.pointer.standing == IN_OLDER else SHEET
    return LOG if read is not None and read.kind == "log" else SAVE


def _remarks(path: Path, chosen: Item) -> list[str]:
    remarks = [f"Judged is {chosen.name} out of {_way(path, chosen)}."]
    if _rank(chosen) >= SHEET and chosen.name.startswith(path.name):
        remarks.append("Its lines are counted from the one that begins with “game”.")
    return remarks


def _way(path: Path, item: Item) -> str:
    via = item.pointer.via
    return f"{via} in {path.name}" if via and via != path.name else path.name


@dataclass(frozen=True)
class Left:
    """What is said of the rest: files that may hold a turn and cannot be used, all others."""

    spoiled: list[Unusable]
    others: list[str]
    others_in_words: list[str]

    @classmethod
    def of(cls, path: Path, unusable: list[Unusable]) -> Left:
        named = [replace(item, name=_short(item.name, path)) for item in unusable]
        others = [item for item in named if item.harmless and item.name != path.name]
        return cls(
            [item for item in named if not item.harmless],
            [item.name for item in others],
            [f"{item.name} ({item.why})" for item in others],
        )

    def remarks(self, turns: list[str]) -> list[str]:
        """`turns` are those that were not chosen."""
        others = _listed([*turns, *self.others])
        return [
            *([f"Not judged: {others}."] if others else []),
            *(f"{item.name} could not be used: {item.why}." for item in self.spoiled),
        ]

    def error(self, path: Path) -> FieldpostError:
        why = [f"{item.name}: {item.why}" for item in self.spoiled]
        if self.others:
            why.append(f"it holds {_listed(self.others_in_words)}")
        hint = "A turn is a log (.vlog), a zip of one, or a turn sheet in the text of the mail."
        return FieldpostError(f"{path.name} holds no turn that can be read", "; ".join(why) or hint)


def _short(name: str, path: Path) -> str:
    return name.removesuffix(f" in {path.name}")


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
