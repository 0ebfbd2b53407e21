"""Logs in any order become games: which belong together, what follows what, and where they do not fit.

VASSAL numbers pieces by the clock, so that logs of one game share the ids of their pieces and logs of two
games do not, unless both began with the same set-up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from fieldpost.phrases import grouped, phrase
from validator.anygame.one_log import Entry
from validator.anygame.state import differences
from validator.audit.chain import BROKEN, COPY, GAP, MODULE, REROLLED, SAVED, VERSIONS, Link

RESTARTED = "restarted"
ALIKE = 0.5  # of the pieces are the same: the least for logs of one game
MANY = 4  # pieces that differ: more than a hand slips between two logs
MOST_DIFFERENCES = 20
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Chain:
    """The logs of one game in order, those set aside, and what is to say of how they hang together."""

    entries: tuple[Entry, ...]
    set_aside: tuple[Entry, ...]
    links: tuple[Link, ...]

    def seconds(self, name: str) -> float:
        """Of processor time, that reading a log took: as much less it has when it is read again."""
        return next((entry.seconds for entry in self.entries if entry.name == name), 0.0)

    @property
    def all(self) -> tuple[Entry, ...]:
        return (*self.entries, *self.set_aside)


def games(entries: Iterable[Entry]) -> list[Chain]:
    """Every game among the logs."""
    return [_chain(group) for group in _groups(_distinctly_named(list(entries)))]


def _distinctly_named(entries: list[Entry]) -> list[Entry]:
    names = Counter(entry.name for entry in entries)
    seen: Counter[str] = Counter()
    for entry in entries:
        if names[entry.name] > 1:
            seen[entry.name] += 1
            name = f"{entry.name} ({seen[entry.name]})"
            entry.pointer = replace(entry.pointer, name=name)
    return entries


# --- which belong together -------------------------------------------------------------------------


def _groups(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Logs of one module that share most of their pieces, and a player or a folder."""
    kept: list[list[Entry]] = []
    for entry in sorted(entries, key=_order):
        fitting = [group for group in kept if any(_together(entry, other) for other in group)]
        if not fitting:
            kept.append([entry])
            continue
        fitting[0].append(entry)
        for other in fitting[1:]:
            fitting[0].extend(other)
            kept.remove(other)
    return kept


def _together(one: Entry, other: Entry) -> bool:
    if one.content == other.content:
        return True
    if one.module != other.module:
        return False
    strangers = bool(one.players and other.players) and one.players.keys().isdisjoint(other.players)
    if strangers and one.pointer.home != other.pointer.home:
        return False
    follows = one.end.digest == other.start.digest or other.end.digest == one.start.digest
    return follows or max(one.end.likeness(other.start), other.end.likeness(one.start)) >= ALIKE


def _order(entry: Entry) -> tuple[object, ...]:
    return entry.date, _natural(entry.name)


def _sorted(entries: Iterable[Entry]) -> list[Entry]:
    """By date; a log without one stands behind that whose name comes before its own."""
    ordered = sorted(entries, key=_order)
    dated = [entry for entry in ordered if entry.dated]
    for entry in ordered:
        if not entry.dated:
            earlier = [at for at, other in enumerate(dated) if _natural(other.name) < _natural(entry.name)]
            dated.insert(max(earlier, default=-1) + 1, entry)
    return dated


def _natural(name: str) -> tuple[object, ...]:
    """`turn10` comes after `turn9`."""
    return tuple(
        (1, int(part), "") if part.isdigit() and len(part) < 18 else (0, 0, part)
        for part in re.split(r"(\d+)", name)
    )


# --- in order --------------------------------------------------------------------------------------


def _chain(group: Sequence[Entry]) -> Chain:
    originals, copies = _without_copies(_sorted(group))
    links = [
        Link(COPY, first.name, copy.name, f"{copy.name} is a copy of {first.name}") for first, copy in copies
    ]
    played, saves = _without_saves(originals)
    kept, aside, rivals = _without_versions(played)
    links += rivals
    ordered = _joined(kept)
    for before, after in pairwise(ordered):
        links += _between(before, after)
    return Chain(tuple(ordered), (*aside, *saves), tuple(links))


def _without_saves(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """A save of a position that a log starts from or ends in has nothing to add."""
    known = {state.digest for entry in entries if entry.done for state in (entry.start, entry.end)}
    saves = [entry for entry in entries if not entry.done and entry.start.digest in known]
    return [entry for entry in entries if entry not in saves], saves


def _without_copies(entries: Sequence[Entry]) -> tuple[list[Entry], list[tuple[Entry, Entry]]]:
    first: dict[str, Entry] = {}
    copies = []
    for entry in entries:
        kept = first.setdefault(entry.content, entry)
        if kept is not entry:
            kept.copies.append(entry.name)
            copies.append((kept, entry))
    return list(first.values()), copies


def _without_versions(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry], list[Link]]:
    """Of logs that start in the same position one is kept: that which others go on from, else the latest."""
    claims = grouped((entry for entry in entries if entry.done), lambda entry: entry.start.digest)
    kept = [entry for entry in entries if not entry.done]
    rivals: list[tuple[Entry, Entry]] = []
    for group in claims.values():
        chosen = group[0] if len(group) == 1 else _chosen(group, entries, claims)
        kept.append(chosen)
        rivals += [(chosen, other) for other in group if other is not chosen]
    return kept, [other for _, other in rivals], [_versions(*pair) for pair in rivals]


def _chosen(group: Sequence[Entry], entries: Sequence[Entry], starts: Collection[str]) -> Entry:
    """The one that others go on from, else the longest, else the latest."""
    return max(
        group, key=lambda entry: (*_continued(entry, entries, starts), len(entry.done), *_order(entry))
    )


def _continued(entry: Entry, entries: Sequence[Entry], starts: Collection[str]) -> tuple[bool, int]:
    """Whether another log starts where this one ended; else how near the nearest does."""
    if entry.end.digest in starts and entry.end.digest != entry.start.digest:
        return True, 0
    later = [
        other
        for other in entries
        if other.start.digest != entry.start.digest and _order(other) > _order(entry)
    ]
    return False, -min((entry.end.distance(other.start) for other in later), default=0)


def _joined(entries: Sequence[Entry]) -> list[Entry]:
    """Logs that follow each other exactly stand together; the pieces of the chain follow by date and name."""
    rest = _sorted(entries)
    before: dict[int, Entry] = {}
    after: dict[int, Entry] = {}
    for entry in rest:
        loose = (one for one in rest if one.start.digest == entry.end.digest and id(one) not in before)
        follower = next((one for one in loose if id(entry) not in map(id, _run(one, after))), None)
        if follower is not None:
            before[id(follower)], after[id(entry)] = entry, follower
    first = (entry for entry in rest if id(entry) not in before)
    return [entry for start in first for entry in _run(start, after)]


def _run(start: Entry, after: dict[int, Entry]) -> Iterator[Entry]:
    """A log and those that follow each other from it."""
    entry: Entry | None = start
    while entry is not None:
        yield entry
        entry = after.get(id(entry))


# --- several versions ------------------------------------------------------------------------------


def _versions(kept: Entry, other: Entry) -> Link:
    """Two logs from the same start: a roll made again, a log begun again, or two ways to go on."""
    mine, yours = ([done for done in entry.done if done.deed] for entry in (kept, other))
    pairs = list(zip(mine, yours, strict=False))
    number = next((at for at, (a, b) in enumerate(pairs) if a.deed != b.deed), None)
    if number is None:
        longer, shorter = (kept, other) if len(mine) >= len(yours) else (other, kept)
        text = f"{longer.name} begins as {shorter.name} does and goes further: the log was written twice"
        return Link(RESTARTED, kept.name, other.name, text)
    a, b = pairs[number]
    if (a.act, a.dice) == (b.act, b.dice) and a.rolls:
        text = (
            f"{kept.name} and {other.name} start alike and are alike up to step {a.number}, "
            f"then the dice are other: {'; '.join(a.rolled)} in {kept.name}, "
            f"{'; '.join(b.rolled)} in {other.name}"
        )
        return Link(REROLLED, kept.name, other.name, text)
    same = phrase("alike for {} steps", number) or "other from the first step on"
    names = f"{kept.name} and {other.name}; the game goes on from {kept.name}"
    return Link(VERSIONS, kept.name, other.name, f"two versions from the same start, {same}: {names}")


# --- one after the other ---------------------------------------------------------------------------


def _between(before: Entry, after: Entry) -> Iterator[Link]:
    for what in ("module", "version"):
        a, b = getattr(before.metadata, what), getattr(after.metadata, what)
        if a and b and a != b:
            text = f"{after.name} was played with {what} {b}, {before.name} with {a}"
            yield Link(MODULE, before.name, after.name, text)
    found = list(differences(before.end, after.start))
    if not found:
        return
    if not before.done and not after.done:
        kind, text = SAVED, f"no log tells what was done between the saves {before.name} and {after.name}"
    elif _log_is_missing(before, after):
        kind, text = GAP, f"a log seems to be missing between {before.name} and {after.name}"
    else:
        kind, text = BROKEN, f"{after.name} does not start where {before.name} ended"
    yield Link(kind, before.name, after.name, f"{text}: {found[0]}", tuple(found[:MOST_DIFFERENCES]))


def _log_is_missing(before: Entry, after: Entry) -> bool:
    """The turn went on, the file names leave out a number, or more changed than a hand slips."""
    if before.end.turns != after.start.turns:
        return True
    return _skips_a_number(before.name, after.name) or before.end.distance(after.start) > MANY


def _skips_a_number(before: str, after: str) -> bool:
    """`turn1` and `turn3`: alike but for one number, which jumps."""
    if _DIGITS.sub("#", before) != _DIGITS.sub("#", after):
        return False
    pairs = [(a, b) for a, b in zip(_DIGITS.findall(before), _DIGITS.findall(after), strict=True) if a != b]
    return len(pairs) == 1 and len(pairs[0][1]) < 9 and int(pairs[0][1]) - int(pairs[0][0]) > 1
