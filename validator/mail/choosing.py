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

OUTLOOK = b"\xd0\xcf\x11\xe0"  # how a mail begins that Outlook saved in its own form
LOG, SAVE, SHEET = range(3)  # a log tells most; a sheet beside it is a transcript
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
    found = list(sources.gather([path]))
    items = _distinct([item for item in found if isinstance(item, Item)])
    unusable = [item for item in found if isinstance(item, Unusable)]
    passed = _passed(data)
    if not items:
        raise _nothing(path, unusable, passed)
    chosen = _named(path, items, wanted) if wanted else _best(path, items)
    return Chosen(chosen, tuple(_remarks(path, chosen, items, unusable, passed)))


def _distinct(items: list[Item]) -> list[Item]:
    return list({item.data: item for item in reversed(items)}.values())[::-1]


def _best(path: Path, items: list[Item]) -> Item:
    ranked = [(_rank(item), item) for item in items]
    best = min(rank for rank, _ in ranked)
    fitting = [item for rank, item in ranked if rank == best]
    if len(fitting) > 1:
        raise FieldpostError(
            f"{path.name} holds {len(fitting)} turns: {_listed([item.name for item in fitting])}",
            f'Choose one: --attachment "{fitting[0].name}"; or take all as a game: '
            f"fieldpost audit {path.name}",
        )
    return fitting[0]


def _named(path: Path, items: list[Item], wanted: str) -> Item:
    found = next((item for item in items if item.name == wanted), None)
    if found is None:
        raise FieldpostError(
            f"{path.name} holds no turn named {wanted!r}",
            f"It holds {_listed([item.name for item in items])}.",
        )
    return found


def _rank(item: Item) -> int:
    try:
        return LOG if archive.parse(item.data, item.name).kind == "log" else SAVE
    except ArchiveError as error:
        partial = error.partial
        if partial is None:
            return SHEET if item.data.isascii() or b"\0" not in item.data else SAVE
        return LOG if partial.kind == "log" else SAVE


def _passed(data: bytes) -> tuple[mail.Passed, ...]:
    return mail.read(mail.parse(data), "mail").passed if mail.looks_like_mail(data) else ()


def _remarks(
    path: Path, chosen: Item, items: list[Item], unusable: list[Unusable], passed: tuple[mail.Passed, ...]
) -> list[str]:
    remarks = [f"Judged is {chosen.name} out of {_way(path, chosen)}."]
    if _rank(chosen) == SHEET and chosen.name.startswith(path.name):
        remarks.append("Its lines are counted from the one that begins with “game”.")
    others = [item.name for item in items if item is not chosen]
    others += [item.name for item in passed if not item.why]
    if others:
        remarks.append(f"Not judged: {_listed(others)}.")
    remarks += [f"{item.name} was left aside: {item.why}." for item in passed if item.why]
    remarks += [f"{item.name} could not be used: {item.why}." for item in unusable]
    return remarks


def _way(path: Path, item: Item) -> str:
    via = item.pointer.via
    return f"{via} in {path.name}" if via and via != path.name else path.name


def _nothing(path: Path, unusable: list[Unusable], passed: tuple[mail.Passed, ...]) -> FieldpostError:
    why = [f"{item.name}: {item.why}" for item in unusable]
    why += [f"{item.name}: {item.why}" for item in passed if item.why and not unusable]
    others = [item.name for item in passed if not item.why]
    if others:
        why.append(f"it holds {_listed(others)}")
    hint = "A turn is a log (.vlog), a zip of one, or a turn sheet in the text of the mail."
    return FieldpostError(f"{path.name} holds no turn that can be read", "; ".join(why) or hint)


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
