"""Turns in the order in which they were played: by turn and phase, then by what goes on from what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from validator.audit.entries import Claim, Entry
from validator.audit.survey import Record

SAME_MOVES = 0.8  # of the units that have moved since the start of a log, where another begins within it


def in_sequence(records: Iterable[Record]) -> list[Record]:
    """Of several that begin in one phase, each log after the one at whose end it starts."""
    ordered: list[Record] = []
    for _, alike in groupby(sorted(records, key=lambda record: record.order), lambda record: record.begins):
        _add(ordered, list(alike))
    return ordered


def _add(ordered: list[Record], waiting: list[Record]) -> None:
    while waiting:
        following = [record for record in waiting if ordered and _follows(ordered[-1], record)]
        first = [record for record in waiting if not any(_follows(other, record) for other in waiting)]
        chosen = min(following, key=_still_first) if following else (first or waiting)[0]
        waiting.remove(chosen)
        ordered.append(chosen)


def _still_first(record: Record) -> tuple[bool, list[Claim]]:
    """A log that changes nothing on the board comes before what goes on from the same position."""
    return not record.still, sorted(record.claims)


def _follows(before: Record, after: Record) -> bool:
    if before is after or before.start is None or after.start is None:
        return False
    if before.end.digest != after.start.digest:
        return False
    return not before.still or (not are_versions(before, after) and _earlier(before, after))


def _earlier(still: Record, after: Record) -> bool:
    """Of two logs that change nothing, by the numbers of their battles, then by their dates."""
    return not after.still or (sorted(still.claims), still.order) < (sorted(after.claims), after.order)


def are_versions(a: Record | Entry, b: Record | Entry) -> bool:
    """Whether two logs that start alike claim the same place: both change the board, or tell of one die."""
    return not (a.still or b.still) or bool(a.claims & b.claims)


def restarts_within(log: Record, others: Sequence[Record]) -> bool:
    """Whether a log begins at a moment within another one."""
    return any(_begins_within(log, other) for other in others)


def _begins_within(log: Record, other: Record) -> bool:
    if log.start is None or other.start is None or not other.begins <= log.begins <= other.ends:
        return False
    moved = log.start.other_than(other.start)
    return bool(moved) and log.start.alike_in(other.end, moved) >= SAME_MOVES
