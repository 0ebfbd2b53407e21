"""Which turns belong to one game, where the logs of many lie together.

What a log starts from and what another ended with tells most: a log that goes on from another is of its game.
Two logs that go on from the same position are two games if both were played on; else one is another version.
What hangs on nothing (a log is missing, or was changed) joins a game of the same folder, mailbox or zip
whose turns do not overlap with its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from validator.audit.entries import numbered
from validator.audit.sequence import are_versions, in_sequence, restarts_within
from validator.audit.survey import Record

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

    def is_near(self, record: Record) -> bool:
        """Whether a file lies with these, and is of the same exchange of mails as far as is known."""
        thread = {record.pointer.thread} - {""}
        return record.pointer.home in self.homes and _may_share(self.threads, thread)


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
    in_order = in_sequence(records)
    originals, copies = _without_copies([record for record in in_order if record.start is not None])
    games = _joined(_without_double(_Weaver(originals).lines()))
    line_of = {id(record): line for line in games for record in line.records}
    for copy, original in copies:
        line_of[id(original)].others.append(copy)
    sheets: dict[tuple[str, str], Record] = {}
    for record in in_order:
        if record.start is not None:
            continue
        first = sheets.setdefault((record.content, record.pointer.home), record)
        if first is record:
            _add_sheet(record, games)
        else:
            next(game for game in games if any(first is one for one in game.records)).others.append(record)
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
            lines += [each for each in new if each is not line]
            line_of |= {id(log): each for each in new for log in each.records}
        return lines

    def _before(self, log: Record) -> Record | None:
        """The log that ended where this one starts; one of the same home, if there are several."""
        assert log.start is not None
        ended_there = [
            other
            for other in self.ending[log.start.digest]
            if self.number[id(other)] < self.number[id(log)] and _may_share(other.players, log.players)
        ]
        before = [other for other in ended_there if not (other.still and are_versions(other, log))]

        def score(other: Record) -> tuple[bool, bool, bool, int]:
            return *_nearness(other, log), other.played, self.number[id(other)] if other.still else -1

        return max(before, key=score, default=None)

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
        """Those that were played on, the longest first, and those that were not; of these alone one was."""
        longest_first = sorted(rivals, key=lambda log: -self.length[id(log)])
        number = sum(self.length[id(log)] > 1 for log in rivals) or 1
        return longest_first[:number], longest_first[number:]


def _continued(line: Line | None, on: list[Record], ends: list[Record]) -> list[Line]:
    """Lines that rivals make: each that was played on is one, the first of them that of the log before."""
    lines = [Line([log]) for log in on]
    if line is not None:
        line.turns.append(on[0])
        lines[0] = line
    for log in ends:
        rival = _version_of(log, lines)
        if rival is not None:
            rival.others.append(log)
        else:
            lines.append(Line([log]))
    return lines


def _version_of(log: Record, lines: list[Line]) -> Line | None:
    """The line of which a log that was not played on is another version."""
    possible = [line for line in lines if _may_share(line.players, log.players)]
    alike = [line for line in possible if _alike(line.turns[-1], log)]
    if alike:
        return max(alike, key=lambda line: _nearness(line.turns[-1], log))
    return the_only(line for line in possible if line.is_near(log))


def _alike(one: Record, other: Record) -> bool:
    """The same up to the first roll, or all of it."""
    return one.content == other.content or bool(one.opening and one.opening == other.opening)


def _nearness(one: Record, other: Record) -> tuple[bool, bool]:
    a, b = one.pointer, other.pointer
    return a.home == b.home, bool(a.thread) and a.thread == b.thread


def the_only(lines: Iterable[Line]) -> Line | None:
    several = list(lines)
    return several[0] if len(several) == 1 else None


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
            games.append(_with_doubt(line, games))
            continue
        game.turns = in_sequence([*game.turns, *line.turns])
        game.others += line.others
    return games


def _with_doubt(line: Line, games: Sequence[Line]) -> Line:
    """A line that is a game of its own by its mails alone; what it shows does not tell."""
    other = _best(line, [game for game in games if _may_fit(line, game)])
    if other is not None:
        first = line.turns[0]
        before = [turn for turn in other.turns if turn.ends <= first.begins] or other.turns
        line.turns[0] = replace(first, pointer=replace(first.pointer, apart_from=before[-1].name))
    return line


def _fits(line: Line, game: Line) -> bool:
    return _may_fit(line, game) and (not _are_apart(line, game) or _likeness(line, game) >= ALIKE)


def _may_fit(line: Line, game: Line) -> bool:
    """By where they lie, who plays, and when: one mail of a thread tells nothing, each turn may begin one."""
    if not (line.homes & game.homes or line.players & game.players):
        return False
    if not _may_share(line.players, game.players):
        return False
    return not _overlap(line.turns, game.turns) or restarts_within(line.first, game.turns)


def _are_apart(line: Line, game: Line) -> bool:
    """Whether both are exchanges of mails of their own, each of several turns."""
    return not line.threads & game.threads and all(
        any(
            number > 1
            for number in Counter(turn.pointer.thread for turn in each.turns if turn.pointer.thread).values()
        )
        for each in (line, game)
    )


def _best(line: Line, games: list[Line]) -> Line | None:
    def score(game: Line) -> tuple[bool, float]:
        return bool(line.threads & game.threads), _likeness(line, game)

    return max(games, key=score, default=None)


def _likeness(line: Line, game: Line) -> float:
    """How much the line starts like the game stood when it began."""
    before = [turn for turn in game.turns if turn.ends <= line.first.begins]
    start = line.first.start
    return before[-1].end.likeness(start) if before and start is not None else 0.0


def _overlap(some: Sequence[Record], others: Sequence[Record]) -> bool:
    return any(_meet(a, b) for a in some for b in others)


def _meet(a: Record, b: Record) -> bool:
    together = a.begins == b.begins or (a.begins < b.ends and b.begins < a.ends)
    return together and a.played and b.played


# --- turn sheets ---------------------------------------------------------------------------------


def _add_sheet(sheet: Record, games: list[Line]) -> None:
    """A sheet goes with the only game of its home, or with the one that ends as it does."""
    near = [game for game in games if game.is_near(sheet)]
    with_logs = [game for game in near if game.first.start is not None]
    ended = [game for game in with_logs if sheet.end.digest in {turn.end.digest for turn in game.turns}]
    told = the_only(ended) or the_only(with_logs)
    free = [game for game in near if game not in with_logs and not _overlap([sheet], game.turns)]
    if told is not None:
        told.others.append(sheet)
    elif free:
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
    return numbered(names)


def _first_file(record: Record) -> str:
    via = record.pointer.via
    return f"{record.name} in {via}" if via else record.name


def _shortest(homes: set[str]) -> dict[str, str]:
    """As many of the last parts of each path as tell it from the others."""
    shown = {home: PurePath(home).parts[-1:] for home in homes}
    for depth in range(2, 40):
        times = Counter(shown.values())
        shown |= {home: PurePath(home).parts[-depth:] for home in homes if times[shown[home]] > 1}
    return {home: "/".join(parts) or home or "." for home, parts in shown.items()}
