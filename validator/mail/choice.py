"""Which turn of a mail, zip or mailbox is meant, and what is said of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fieldpost.errors import FieldpostError
from fieldpost.vassal import archive
from fieldpost.vassal.archive import ArchiveError
from validator import mail
from validator.audit import sources
from validator.audit.sources import Item, Unusable
from validator.mail.body import IN_OLDER, IN_QUOTE

OUTLOOK = b"\xd0\xcf\x11\xe0"  # how a mail begins that Outlook saved in its own form
LOG, SAVE, SHEET, OLDER = range(4)  # a log tells most; a sheet beside it is a transcript
QUOTED = "the turn in it is quoted; take the signs before its lines away, > or |"
MOST_NAMED = 8


@dataclass(frozen=True)
class Chosen:
    item: Item
    remarks: tuple[str, ...]


def choose(path: Path, data: bytes, wanted: str | None = None) -> Chosen:
    """The one turn in it; if there are several, the one of the name that is wanted."""
    if data.startswith(OUTLOOK):
        raise FieldpostError(
            f"{path.name}: a mail in Outlook's own form, which cannot be read",
            "Save the attachment from it and name that, or save the mail as .eml.",
        )
    items, unusable = sources.apart(sources.gather([path]))
    quoted = [item for item in items if item.pointer.standing == IN_QUOTE]
    items = _distinct([item for item in items if item not in quoted])
    unusable += [Unusable(item.name, QUOTED) for item in quoted if not items]
    left = Left.of(data, unusable)
    if not items:
        raise left.error(path)
    chosen = _named(path, items, wanted) if wanted else _best(path, items)
    others = [item.name for item in items if item is not chosen]
    return Chosen(chosen, (*_remarks(path, chosen), *left.remarks(others)))


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
    """What is said of the rest: files that spoiled, parts of the mail that hide something, all others."""

    unusable: list[Unusable]
    hidden: list[mail.Passed]
    others: list[str]

    @classmethod
    def of(cls, data: bytes, unusable: list[Unusable]) -> Left:
        if not mail.looks_like_mail(data):
            return cls(unusable, [], [])
        contents = mail.read(mail.parse(data), "mail")
        return cls(unusable, contents.hidden, contents.others)

    def remarks(self, turns: list[str]) -> list[str]:
        """`turns` are those that were not chosen."""
        others = _listed([*turns, *self.others])
        return [
            *([f"Not judged: {others}."] if others else []),
            *(f"{item.name} was left aside: {item.why}." for item in self.hidden),
            *(f"{item.name} could not be used: {item.why}." for item in self.unusable),
        ]

    def error(self, path: Path) -> FieldpostError:
        why = [f"{item.name}: {item.why}" for item in self.unusable or self.hidden]
        if self.others:
            why.append(f"it holds {_listed(self.others)}")
        hint = "A turn is a log (.vlog), a zip of one, or a turn sheet in the text of the mail."
        return FieldpostError(f"{path.name} holds no turn that can be read", "; ".join(why) or hint)


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
