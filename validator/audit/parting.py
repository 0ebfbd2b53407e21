"""Which turns belong to one game, where the logs of many lie together.

What a log starts from and what another ended with tells most: a log that goes on from another is of its game.
Two logs that go on from the same position are two games if both were played on; else one is another version.
What hangs on nothing (a log is missing, or was changed) joins a game of the same folder, mailbox or zip
whose turns do not overlap with its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from validator.audit.entries import Time
from validator.audit.survey import Record, State

ALIKE = 0.75  # of the units stand the same: the least for turns of different mail threads


@dataclass
class Line:
    """Turns that follow each other; `others` are versions, copies, transcripts of them."""

    turns: list[Record]
    others: list[Record] = field(default_factory=list)

    @property
    def records(self) -> list[Record]:
        return [*self.turns, *self.others]

    @property
    def homes(self) -> set[str]:
        return {record.pointer.home for record in self.records}

    @property
    def threads(self) -> set[str]:
        return {record.pointer.thread for record in self.records} - {""}

    @property
    def players(self) -> set[str]:
        return {player for record in self.records for player in record.players}

    @property
    def first(self) -> Record:
        return self.turns[0]


@dataclass(frozen=True)
class Group:
    """One game and what people may call it."""

    name: str
    records: tuple[Record, ...]


def part(records: Iterable[Record]) -> list[Group]:
    """The games, each with all files that have to do with it."""
    kinds: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in records:
        kinds[record.game, record.scenario].append(record)
    lines = [line for kind in sorted(kinds) for line in _of_one_kind(kinds[kind])]
    return [Group(name, tuple(line.records)) for name, line in zip(_names(lines), lines, strict=True)]


def _of_one_kind(records: list[Record]) -> list[Line]:
    logs = sorted((r for r in records if r.start is not None), key=lambda r: r.order)
    sheets = sorted((r for r in records if r.start is None), key=lambda r: r.order)
    originals, copies = _without_copies(logs)
    games = _joined(_without_double(_Weaver(originals).lines()))
    line_of = {id(record): line for line in games for record in line.records}
    for copy, original in copies:
        line_of[id(original)].others.append(copy)
    for sheet in sheets:
        _add_sheet(sheet, games)
    return games


def _without_copies(logs: list[Record]) -> tuple[list[Record], list[tuple[Record, Record]]]:
    """Each log once in each home, and the copies: two games may begin with the very same turn."""
    first: dict[tuple[str, str], Record] = {}
    copies = []
    for log in logs:
        kept = first.setdefault((log.content, log.pointer.home), log)
        if kept is not log:
            copies.append((log, kept))
    return list(first.values()), copies


def _without_double(lines: list[Line]) -> list[Line]:
    """A line that lies whole in another is that game, kept twice."""
    held = [{turn.content for turn in line.turns} for line in lines]
    having: dict[str, list[int]] = defaultdict(list)
    for number, contents in enumerate(held):
        for content in contents:
            having[content].append(number)
    kept = dict(enumerate(lines))
    for number in sorted(kept, key=lambda number: (len(held[number]), -number)):
        around = [n for n in having[lines[number].first.content] if n != number and n in kept]
        whole = next((n for n in around if held[number] <= held[n]), None)
        if whole is not None:
            lines[whole].others += kept.pop(number).records
    return list(kept.values())


# --- what goes on from what ----------------------------------------------------------------------


class _Weaver:
    """Follows the logs, in their order, from the position one ended in to the next that starts there."""

    def __init__(self, logs: Sequence[Record]) -> None:
        self.logs = logs
        self.number = {id(log): number for number, log in enumerate(logs)}
        self.ending: dict[str, list[Record]] = defaultdict(list)
        for log in logs:
            self.ending[log.end.digest].append(log)
        self.before = {id(log): self._before(log) for log in logs}
        self.length = self._lengths()

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        line_of: dict[int, Line] = {}
        for rivals in self._rivals():
            before = self.before[id(rivals[0])]
            line = line_of[id(before)] if before is not None else None
            new = _continued(line, *self._divided(rivals))
            lines += [one for one in new if one is not line]
            line_of |= {id(log): one for one in new for log in one.records}
        return lines

    def _before(self, log: Record) -> Record | None:
        """The log that ended where this one starts; one of the same home, if there are several."""
        assert log.start is not None
        found = [
            other
            for other in self.ending[log.start.digest]
            if self.number[id(other)] < self.number[id(log)] and _may_share(other.players, log.players)
        ]
        return max(found, key=lambda other: (*_nearness(other, log), other.played), default=None)

    def _lengths(self) -> dict[int, int]:
        """How many logs follow each other from each on."""
        length = dict.fromkeys((id(log) for log in self.logs), 1)
        for log in reversed(self.logs):
            before = self.before[id(log)]
            if before is not None:
                length[id(before)] = max(length[id(before)], length[id(log)] + 1)
        return length

    def _rivals(self) -> list[list[Record]]:
        """Logs that go on from the same log or, where there is none, from the same position."""
        groups: dict[object, list[Record]] = {}
        for log in self.logs:
            before = self.before[id(log)]
            assert log.start is not None
            groups.setdefault(id(before) if before is not None else log.start.digest, []).append(log)
        return list(groups.values())

    def _divided(self, rivals: list[Record]) -> tuple[list[Record], list[Record]]:
        """Those that were played on, the longest first, and those that were not."""
        on = [log for log in rivals if self.length[id(log)] > 1]
        return sorted(on, key=lambda log: -self.length[id(log)]), [log for log in rivals if log not in on]


def _continued(line: Line | None, on: list[Record], ends: list[Record]) -> list[Line]:
    """Lines that rivals make: each that was played on is one, the first of them that of the log before."""
    found: list[Line] = []
    for log in on or ends[:1]:
        if line is not None and not found:
            line.turns.append(log)
            found.append(line)
        else:
            found.append(Line([log]))
    for log in ends if on else ends[1:]:
        rival = _version_of(log, found)
        if rival is not None:
            rival.others.append(log)
        else:
            found.append(Line([log]))
    return found


def _version_of(log: Record, lines: list[Line]) -> Line | None:
    """The line of which a log that was not played on is another version."""
    known = [line for line in lines if _may_share(line.players, log.players)]
    alike = [line for line in known if _alike(line.turns[-1], log)]
    if alike:
        return max(alike, key=lambda line: _nearness(line.turns[-1], log))
    near = [line for line in known if log.pointer.home in line.homes and _same_thread(line.threads, log)]
    return near[0] if len(near) == 1 else None


def _alike(one: Record, other: Record) -> bool:
    """The same up to the first roll, or all of it."""
    return one.content == other.content or bool(one.opening and one.opening == other.opening)


def _nearness(one: Record, other: Record) -> tuple[bool, bool]:
    a, b = one.pointer, other.pointer
    return a.home == b.home, bool(a.thread) and a.thread == b.thread


def _same_thread(threads: set[str], log: Record) -> bool:
    return not threads or not log.pointer.thread or log.pointer.thread in threads


def _may_share(one: Iterable[str], other: Iterable[str]) -> bool:
    """Whether two tables could be the same: names are known of both, and none is at both, is no."""
    a, b = set(one), set(other)
    return not a or not b or bool(a & b)


# --- what hangs on nothing -----------------------------------------------------------------------


def _joined(lines: list[Line]) -> list[Line]:
    """Lines that a missing or a changed log broke, put together again."""
    games: list[Line] = []
    for line in sorted(lines, key=lambda line: line.first.order):
        game = _best(line, [game for game in games if _fits(line, game)])
        if game is None:
            games.append(line)
            continue
        game.turns = sorted([*game.turns, *line.turns], key=lambda record: record.order)
        game.others += line.others
    return games


def _fits(line: Line, game: Line) -> bool:
    if not (line.homes & game.homes or line.players & game.players):
        return False
    if not _may_share(line.players, game.players) or _overlap(line.turns, game.turns):
        return False
    apart = line.threads and game.threads and not line.threads & game.threads
    return not apart or _likeness(line, game) >= ALIKE


def _best(line: Line, games: list[Line]) -> Line | None:
    def score(game: Line) -> tuple[bool, float]:
        return bool(line.threads & game.threads), _likeness(line, game)

    return max(games, key=score, default=None)


def _likeness(line: Line, game: Line) -> float:
    """How much the line starts like the game stood when it began."""
    before = [turn for turn in game.turns if turn.ends <= line.first.begins]
    start = line.first.start
    return before[-1].end.likeness(start) if before and isinstance(start, State) else 0.0


def _overlap(some: Sequence[Record], others: Sequence[Record]) -> bool:
    return any(_meet(_span(a), _span(b)) for a in some for b in others if a.played and b.played)


def _span(record: Record) -> tuple[Time, Time]:
    return record.begins, record.ends


def _meet(a: tuple[Time, Time], b: tuple[Time, Time]) -> bool:
    return a[0] == b[0] or (a[0] < b[1] and b[0] < a[1])


# --- turn sheets ---------------------------------------------------------------------------------


def _add_sheet(sheet: Record, games: list[Line]) -> None:
    """A sheet goes with the only game of its home, or with the one that ends as it does."""
    near = [game for game in games if sheet.pointer.home in game.homes and _same_thread(game.threads, sheet)]
    with_logs = [game for game in near if game.first.start is not None]
    ended = [game for game in with_logs if any(turn.end.digest == sheet.end.digest for turn in game.turns)]
    if len(ended) == 1 or len(with_logs) == 1:
        (ended if len(ended) == 1 else with_logs)[0].others.append(sheet)
        return
    free = [game for game in near if game not in with_logs and not _overlap([sheet], game.turns)]
    if free:
        free[0].turns.append(sheet)
    else:
        games.append(Line([sheet]))


# --- names ---------------------------------------------------------------------------------------


def _names(lines: list[Line]) -> list[str]:
    """A game is called as its folder, mailbox or zip; if several lie in it, with its first file too."""
    homes = [line.first.pointer.home for line in lines]
    short = _shortest(set(homes))
    names = []
    for line, home in zip(lines, homes, strict=True):
        alone = homes.count(home) == 1
        names.append(short[home] if alone else f"{short[home]}: {_first_file(line.first)}")
    seen: dict[str, int] = {}
    for number, name in enumerate(names):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            names[number] = f"{name} ({seen[name]})"
    return names


def _first_file(record: Record) -> str:
    via = record.pointer.via
    return f"{record.name} in {via}" if via else record.name


def _shortest(homes: set[str]) -> dict[str, str]:
    """As many of the last parts of each path as tell it from the others."""
    parts = {home: PurePath(home).parts[-1:] for home in homes}
    for depth in range(2, 40):
        shown = list(parts.values())
        doubled = [home for home in homes if shown.count(parts[home]) > 1]
        if not doubled:
            break
        parts |= {home: PurePath(home).parts[-depth:] for home in doubled}
    return {home: "/".join(shown) or home or "." for home, shown in parts.items()}
