"""After the game: what was hidden, opened with each side's word for it, and whether it stayed what it was.

Nothing is opened before every side that hid something has agreed: by its password, or because at the end of
the last log it hides nothing any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Any

from fieldpost.errors import FieldpostError
from fieldpost.phrases import count, listed
from fieldpost.vassal import hiding, windows
from fieldpost.vassal.changes import Added, Change, Moved, Removed
from fieldpost.vassal.pieces import PieceType
from fieldpost.vassal.secret import Secret
from fieldpost.vassal.sight import EVERYTHING, eyes, sides_that_sat
from fieldpost.vassal.steps import Log, Step
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Piece
from validator.anygame.one_log import Clean, Modules, Replay, cleaner

NO_SIDE = ""
"""Of a piece that is hidden, and nothing says by whom: every side has to agree."""
_FARTHER = 1.05
Words = Mapping[str, Secret]
"""A side's password, by the side."""


@dataclass(frozen=True)
class Found:
    """Something that a player could not have seen, and that does not fit."""

    log: str
    step: int
    side: str
    text: str
    is_certain: bool

    def data(self) -> dict[str, Any]:
        verdict = "illegal" if self.is_certain else "warning"
        return {
            "log": self.log,
            "step": self.step,
            "side": self.side,
            "verdict": verdict,
            "message": self.text,
        }


@dataclass
class Course:
    """A piece from where it went out of sight to where it was shown."""

    name: str
    side: str
    stations: list[str] = field(default_factory=list)
    shown: str = ""


@dataclass
class Opened:
    agreed: dict[str, str]
    found: list[Found]
    courses: list[Course]
    unmeasured: int
    """Pieces that moved while hidden, and none like them moved in public."""

    @property
    def verdict(self) -> str:
        return "illegal" if any(one.is_certain for one in self.found) else "legal"

    def data(self) -> dict[str, Any]:
        return {
            "seen_by": eyes(EVERYTHING),
            "agreed": self.agreed,
            "verdict": self.verdict,
            "findings": [one.data() for one in self.found],
            "hidden": [vars(course) for course in self.courses],
            "not_measured": self.unmeasured,
        }

    def lines(self) -> Iterator[str]:
        yield eyes(EVERYTHING)
        yield from (f"Opened for {side}: {how}." for side, how in self.agreed.items())
        yield ""
        if not self.found:
            yield "What was hidden is what was shown, and moved no farther than what all saw."
        for one in self.found:
            verdict = "Does not fit" if one.is_certain else "Doubtful"
            yield f"  {verdict}: {one.log}, step {one.step}: {one.text}"
        if self.unmeasured:
            yield f"Not measured: {count(self.unmeasured, 'piece')} like which none moved in public."
        yield from ("", f"{count(len(self.courses), 'piece')} hidden at some time:")
        for course in self.courses:
            way = ", ".join(dict.fromkeys(course.stations))
            ended = f"; shown {course.shown}" if course.shown else "; never shown"
            yield f"  {course.name} ({course.side or 'nobody known'}): {way}{ended}"


def open_secrets(logs: Sequence[tuple[str, Log]], modules: Modules, words: Words) -> Opened:
    """Judge what was hidden in the logs of one game, in their order; raises unless every side agrees."""
    agreed = _agreement(logs, modules, words)
    judge = _Judge()
    for name, log in logs:
        judge.play(name, log, modules)
    return Opened(agreed, [*judge.found, *judge.too_far()], list(judge.courses), judge.unmeasured)


# --- agreement -------------------------------------------------------------------------------------


def _agreement(logs: Sequence[tuple[str, Log]], modules: Modules, words: Words) -> dict[str, str]:
    """How each side that hid something has agreed."""
    hid: set[str] = set()
    hides: set[str] = set()
    sat: set[str] = set()
    ids: dict[str, set[Secret]] = defaultdict(set)
    for _, log in logs:
        table = Table.of(log)
        owners = _Owners(table, modules(log.metadata.module))
        hid |= _sides_of(owners, table.pieces.values())
        for step in log.steps:
            touched = {change.piece.id: change.piece for change in _of_pieces(table.step(step))}
            hid |= _sides_of(owners, touched.values())
        hides = _sides_of(owners, table.pieces.values())
        sat.update(sides_that_sat([table]))
        for alias, seat in table.players.items():
            ids[seat.side].add(Secret(table.aliases.secret_of(alias)))
    if NO_SIDE in hid:
        hid = (hid - {NO_SIDE}) | sat
    agreed = {side: _how_agreed(side, hides, ids[side], words) for side in sorted(hid)}
    missing = [side for side, how in agreed.items() if not how]
    if missing:
        raise FieldpostError(
            f"{listed(missing)} did not agree that its hidden pieces are opened",
            "A side agrees by its password (--passwords), or by a last log in which it hides nothing.",
        )
    return agreed


def _sides_of(owners: _Owners, found: Iterable[Piece]) -> set[str]:
    return {side for side in map(owners.side_of, found) if side is not None}


def _how_agreed(side: str, hides: set[str], ids: set[Secret], words: Words) -> str:
    if words.get(side) in ids:
        return "by its player's password"
    return "" if side in hides or NO_SIDE in hides else "it hides nothing at the end of the last log"


class _Owners:
    """Says who hides a piece: the owner of a trait in force, or of the window it lies in."""

    def __init__(self, table: Table, module: Any) -> None:
        self.table = table
        self._windows = windows.private_windows(module) if module is not None else {}

    def side_of(self, piece: Piece) -> str | None:
        """None for a piece that is not hidden; cards that lie face down are nobody's."""
        if isinstance(piece.parent, Deck) or piece.place.map is None:
            return None
        for hider in hiding.hiders(piece.type):
            owner = hiding.owner_of(hider, piece.states[hider.at])
            if owner is not None:
                seat = self.table.players.get(owner)
                return seat.side if seat else owner if owner in sides_that_sat([self.table]) else NO_SIDE
        owners = self._windows.get(piece.place.map)
        return None if owners is None else next(iter(owners)) if len(owners) == 1 else NO_SIDE


# --- continuity ------------------------------------------------------------------------------------


@dataclass
class _Known:
    """A piece as it was last: its type, who hides it, what it is called, the way it has made in this turn."""

    type: str
    side: str | None
    name: str
    course: Course | None = None


class _Judge:
    """Follows every piece by its number through all logs."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self.courses: list[Course] = []
        self.unmeasured = 0
        self._known: dict[str, _Known] = {}
        self._public: dict[object, float] = defaultdict(float)
        self._hidden: dict[tuple[str, str, str], tuple[float, object, int, str, str]] = {}

    def play(self, name: str, log: Log, modules: Modules) -> None:
        self.log = name
        self.replay = Replay(log, modules(log.metadata.module), EVERYTHING)
        self.owners = _Owners(self.replay.table, self.replay.module)
        self.clean: Clean = cleaner(log)
        self._begin()
        for step in log.steps:
            changes = self.replay.table.step(step)
            self._step(step, changes)

    def _begin(self) -> None:
        """A piece that is another one now than at the end of the log before was changed between the two."""
        for id, piece in self.replay.table.pieces.items():
            known = self._known.get(id)
            now = self._as_it_is(piece, known)
            if known is not None and known.type != now.type and None not in (known.side, now.side):
                self._report(
                    0, now.side, f"{known.name} was hidden, and is {now.name} when this log begins", True
                )
            self._known[id] = now

    def _as_it_is(self, piece: Piece, known: _Known | None) -> _Known:
        side = self.owners.side_of(piece)
        name = self.clean(piece.name or "a piece")
        course = known.course if known else None
        if side is None:
            course = None
        elif course is None:
            course = Course(name, side, [self.clean(self.replay.spot(piece.place))])
            self.courses.append(course)
        return _Known(piece.type.text, side, name, course)

    def _step(self, step: Step, changes: Sequence[Change]) -> None:
        touched = {change.piece.id: change.piece for change in _of_pieces(changes)}
        if not step.is_undo and step.undone_by is None:
            self._swaps(step, changes)
            self._ways(step, changes)
        for id, piece in touched.items():
            if id in self.replay.table.pieces:
                self._follow(step, id, piece)
            else:
                self._known.pop(id, None)

    def _swaps(self, step: Step, changes: Sequence[Change]) -> None:
        """A hidden piece that is taken away, and one that comes hidden: nobody saw that it is another."""
        gone = [change.piece.id for change in changes if isinstance(change, Removed)]
        came = [change.piece for change in changes if isinstance(change, Added)]
        for id in gone:
            known = self._known.get(id)
            if known is not None and known.side is not None:
                new = [self.clean(piece.name) for piece in came if self.owners.side_of(piece) is not None]
                instead = f", and {listed(new)} put in its place" if new else ""
                text = f"{known.name} is taken out of the game while it is hidden{instead}"
                self._report(step.number, known.side, text, bool(new))

    def _follow(self, step: Step, id: str, piece: Piece) -> None:
        before = self._known.get(id)
        now = self._known[id] = self._as_it_is(piece, before)
        place = self.clean(self.replay.spot(piece.place))
        if before is None or before.course is None:
            return
        if now.side is not None:
            before.course.stations.append(place)
            return
        before.course.shown = f"as {now.name} at {place} ({self.log}, step {step.number})"
        if before.course.name != now.name:
            text = f"{before.course.name} was hidden, and is shown as {now.name}"
            self._report(step.number, before.side, text, before.type != now.type)

    def _report(self, step: int, side: str | None, text: str, is_certain: bool) -> None:
        self.found.append(Found(self.log, step, side or NO_SIDE, text, is_certain))

    # -- ways

    def _ways(self, step: Step, changes: Iterable[Change]) -> None:
        turn = self.replay.turn()
        for change in changes:
            if (
                not isinstance(change, Moved)
                or change.old.map != change.new.map
                or change.deck
                or change.old_deck
            ):
                continue
            piece, known = change.piece, self._known.get(change.piece.id)
            way = hypot(change.new.x - change.old.x, change.new.y - change.old.y)
            side = self.owners.side_of(piece)
            if side is None and (known is None or known.side is None):
                self._public[_kind(piece.type)] = max(way, self._public[_kind(piece.type)])
            elif piece.id in self.replay.table.pieces:
                key = piece.id, self.log, turn
                longest = max(way, self._hidden.get(key, (0.0,))[0])
                name = self.clean(piece.name or "a piece")
                owner = side if side is not None else known.side if known else NO_SIDE
                self._hidden[key] = longest, _kind(piece.type), step.number, name, owner or NO_SIDE

    def too_far(self) -> Iterator[Found]:
        """Drags of hidden pieces that are longer than any that all saw of a piece of their kind."""
        unlike: set[str] = set()
        for (id, log, _), (way, kind, step, name, side) in self._hidden.items():
            longest = self._public.get(kind)
            if longest is None:
                unlike.add(id)
            elif way > longest * _FARTHER:
                text = f"{name} moves {way:.0f} pixels while hidden, pieces of its kind at most {longest:.0f}"
                yield Found(log, step, side, text, False)
        self.unmeasured = len(unlike)


def _of_pieces(changes: Iterable[Change]) -> Iterator[Any]:
    return (change for change in changes if hasattr(change, "piece"))


def _kind(type: PieceType) -> object:
    """Pieces are of a kind that were made alike: by the same traits in the same order."""
    return tuple(trait.prefix for trait in type.traits)


def words_from(lines: Iterable[str]) -> dict[str, Secret]:
    """Passwords as they are written: `SIDE=password`, one on a line."""
    found = {}
    for number, line in enumerate(lines, 1):
        side, is_given, word = line.rstrip("\r\n").partition("=")
        if not is_given and line.strip():
            raise FieldpostError(f"line {number} of the passwords has no `=`", "Write SIDE=password.")
        if is_given:
            found[side.strip()] = Secret(word)
    return found
