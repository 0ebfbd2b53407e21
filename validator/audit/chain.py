"""Whether each log goes on where the one before ended: gaps, several versions, what changed between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

from fieldpost.phrases import listed
from validator.audit import restarts
from validator.audit.differences import differences
from validator.audit.entries import Entry, rebased
from validator.audit.restarts import NO_ACTS, Restart
from validator.audit.sequence import are_versions
from validator.model.events import Event, Fired, Rolled, Thrown
from validator.model.position import Position
from validator.report.describe import Namer

GAP, BROKEN, VERSIONS, REROLLED = "gap", "broken", "versions", "re-rolled"
COPY, MODULE, SHEET, SAVED, RESTARTED = "copy", "module", "sheet", "saved", "restarted"
HARMLESS = (COPY, MODULE, SHEET, SAVED, RESTARTED)
MOST_DIFFERENCES = 20


@dataclass(frozen=True)
class Link:
    """Something about two files that follow each other, or that claim the same place."""

    kind: str
    before: str
    after: str
    message: str
    differences: tuple[str, ...] = ()

    def data(self) -> dict[str, object]:
        """As `--json` tells it."""
        return {**asdict(self), "differences": list(self.differences)}

    @property
    def harmless(self) -> bool:
        return self.kind in HARMLESS


@dataclass(frozen=True)
class Chain:
    """The files that make up the game, in order, and what is to say about how they hang together."""

    entries: tuple[Entry, ...]
    set_aside: tuple[Entry, ...]
    links: tuple[Link, ...]


def join(entries: Sequence[Entry], namer: Namer) -> Chain:
    """From entries in order, without copies."""
    links = [
        Link(COPY, entry.name, copy, f"{copy} is a copy of {entry.name}")
        for entry in entries
        for copy in entry.copies
    ]
    kept: list[Entry] = []
    aside = [entry for entry in entries if _told_by_logs(entry, entries)]
    links += [
        Link(SHEET, "", entry.name, f"{entry.name} tells of the same turns as the logs; the logs count")
        for entry in aside
    ]
    for group in _claims([entry for entry in entries if entry not in aside]):
        chosen = _chosen(group, entries)
        kept.append(chosen)
        others = [entry for entry in group if entry is not chosen]
        aside += others
        links += [_versions(chosen, other, namer) for other in others]
    links += [_doubt(entry, namer) for entry in kept if entry.pointer.apart_from]
    played, void, restarted = restarts.without_void(rebased(kept))
    links += [_restarted(restart) for restart in restarted]
    for before, after in pairwise(played):
        links += _between(before, after, namer)
    return Chain(tuple(played), (*aside, *void), tuple(links))


def _told_by_logs(sheet: Entry, entries: Sequence[Entry]) -> bool:
    """A turn sheet of the same time as logs is a transcript of them."""
    return not sheet.says_start and any(
        log.says_start and sheet.begins < log.ends and log.begins < sheet.ends for log in entries
    )


def _doubt(entry: Entry, namer: Namer) -> Link:
    """It lies with another game, and only the threads of the mails say that it is not of it."""
    other = entry.pointer.apart_from
    text = (
        f"{entry.name} begins in {moment(entry.start, namer)}, and no log before it is here; it may also go "
        f"on from {other} with logs missing between, whose mails are of another thread"
    )
    return Link(GAP, other, entry.name, text)


# --- several versions ----------------------------------------------------------------------------


def _claims(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Files that start in the same position at the same time, together."""
    groups: list[list[Entry]] = []
    for entry in entries:
        group = next((group for group in groups if _same_start(group[0], entry)), None)
        if group is None:
            groups.append([entry])
        else:
            group.append(entry)
    return groups


def _same_start(a: Entry, b: Entry) -> bool:
    if not (a.says_start and b.says_start and a.events and b.events):
        return False
    alike = a.begins == b.begins and next(differences(a.start, b.start), None) is None
    return alike and are_versions(a, b)


def _chosen(group: list[Entry], entries: Sequence[Entry]) -> Entry:
    """The version that ends most like the next log starts; if none does, the latest."""
    if len(group) == 1:
        return group[0]
    last = max(entries.index(entry) for entry in group)
    following = next((entry for entry in entries[last + 1 :] if entry.says_start), None)

    def likeness(entry: Entry) -> int:
        return -sum(1 for _ in differences(entry.end, following.start)) if following else 0

    return max(group, key=lambda entry: (likeness(entry), entry.date, entry.name))


def _versions(kept: Entry, other: Entry, namer: Namer) -> Link:
    where = moment(kept.start, namer)
    rolls = first_other_roll(kept, other)
    if rolls is None:
        text = f"two versions of {where}: {kept.name} and {other.name}; the game goes on from {kept.name}"
        return Link(VERSIONS, kept.name, other.name, text)
    text = (
        f"two versions of {where} from the same start, alike up to the roll of step {rolls[0].origin.step}, "
        f"then other dice: {_shown(rolls[0])} in {kept.name}, {_shown(rolls[1])} in {other.name}"
    )
    return Link(REROLLED, kept.name, other.name, text)


def first_other_roll(a: Entry, b: Entry) -> tuple[Thrown, Thrown] | None:
    """The first rolls that differ where all before them is the same."""
    pairs = zip(_acts(a), _acts(b), strict=False)
    match next((pair for pair in pairs if pair[0] != pair[1]), None):
        case (Rolled() | Fired()) as mine, (Rolled() | Fired()) as yours:
            return mine, yours
    return None


def _acts(entry: Entry) -> list[Event]:
    return [event for event in entry.events if not isinstance(event, NO_ACTS)]


def _shown(roll: Thrown) -> str:
    return f"{', '.join(map(str, roll.values))}{f' for {roll.reason}' if roll.reason else ''}"


def _restarted(restart: Restart) -> Link:
    before, after = restart.before.name, restart.after.name
    step = restart.step
    where = f"step {step} of {before}" if step else f"the start of {before}"
    text = f"{after} was restarted from {where}: what followed there is void"
    if restart.set_aside:
        text += f", and so is {listed([entry.name for entry in restart.set_aside])}"
    if not restart.chance:
        return Link(RESTARTED, before, after, text)
    then = next((event for event in restart.after.events if isinstance(event, Rolled | Fired)), None)
    shown = [f"{_shown(event)} in {before}" for event in restart.thrown]
    again = [f"then {_shown(then)} in {after}"] if then is not None else []
    fallen = listed(shown, 6) if shown else "a chit was drawn"
    return Link(REROLLED, before, after, "; ".join([f"{text}, and dice had fallen there: {fallen}", *again]))


# --- one after the other -------------------------------------------------------------------------


def _between(before: Entry, after: Entry, namer: Namer) -> Iterator[Link]:
    yield from _modules(before, after)
    if not after.says_start:
        return
    changes = list(differences(before.end, after.start, namer))
    if not changes:
        return
    if after.begins > before.ends:
        text = (
            f"a log is missing between {before.name}, which ends in {moment(before.end, namer)}, "
            f"and {after.name}, which begins in {moment(after.start, namer)}"
        )
        yield Link(GAP, before.name, after.name, text)
        return
    text = f"{after.name} does not start where {before.name} ended: {changes[0]}"
    yield Link(BROKEN, before.name, after.name, text, tuple(changes[:MOST_DIFFERENCES]))


def _modules(before: Entry, after: Entry) -> Iterator[Link]:
    for what in ("module", "version"):
        a, b = getattr(before.metadata, what), getattr(after.metadata, what)
        if a and b and a != b:
            text = f"{after.name} was played with {what} {b}, {before.name} with {a}"
            yield Link(MODULE, before.name, after.name, text)


def moment(position: Position, namer: Namer) -> str:
    return f"turn {position.turn}, {namer.phase(position.phase)}"
