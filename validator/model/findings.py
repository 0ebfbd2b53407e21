"""What the referee says, as data. Sentences are made in `validator.report`."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from fieldpost.hexes import Hex
from validator.model.events import Event, Origin


class Verdict(Enum):
    ILLEGAL = "illegal"  # no reading of the rules allows it
    WARNING = "warning"  # allowed only under something the log does not show
    JUDGEMENT = "judgement"  # needs a human eye, and says why


@dataclass(frozen=True)
class Fault:
    """What a rule reports: the referee adds when and where it happened."""

    rule: str
    message: str
    units: tuple[str, ...] = ()
    hexes: tuple[Hex, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    verdict: Verdict = Verdict.ILLEGAL
    once: Hashable = None  # of faults alike in this, one is told in a phase
    settled: bool = False  # found at a phase's end, but nothing that is still done could put it right
    at: Origin | None = field(default=None, compare=False)  # where it happened, if not by the event judged
    guess: str = ""  # the rule whose misreading would explain it; the message tells it as a guess
    alike: Hashable = None  # of faults of one event, or of one `once`, alike in this, one names all units

    def like(self, other: Fault) -> bool:
        """Whether both are reported as one."""
        ours, theirs = (self.rule, self.verdict, self.alike), (other.rule, other.verdict, other.alike)
        return self.alike is not None and ours == theirs

    def joined(self, others: Sequence[Fault]) -> Fault:
        """One for all: the words of the first, with the names of the rest."""
        units = tuple(dict.fromkeys(unit for other in others for unit in other.units))
        more = tuple(unit for unit in units if unit not in self.units)
        hexes = dict.fromkeys((*self.hexes, *(hex_ for other in others for hex_ in other.hexes)))
        link = ", " if "; likewise " in self.message else "; likewise "
        message = f"{self.message}{link}{', '.join(more)}" if more else self.message
        return replace(self, message=message, units=(*self.units, *more), hexes=tuple(hexes))


def joined(faults: Iterable[Fault]) -> list[Fault]:
    """Faults that are alike as one."""
    heads: list[Fault] = []
    rest: dict[int, list[Fault]] = {}
    for fault in faults:
        at = next((i for i, head in enumerate(heads) if fault.like(head)), None)
        if at is None:
            heads.append(fault)
        else:
            rest.setdefault(at, []).append(fault)
    return [head.joined(rest[i]) if i in rest else head for i, head in enumerate(heads)]


@dataclass(frozen=True)
class Finding:
    fault: Fault
    statement: str  # the rule in one line
    origin: Origin
    turn: int
    phase: str
    side: str | None
    dice_followed: bool = False  # dice were rolled in this phase after the fault
    remedy: str = ""


@dataclass(frozen=True)
class Unchecked:
    reason: str
    count: int


@dataclass(frozen=True)
class NotUnderstood:
    """A line of a log that is written as our modules write, with a word that the game does not know."""

    step: int
    text: str
    nearest: str = ""  # the known word that comes nearest, if one is near


@dataclass(frozen=True)
class Open:
    """What is still owed where the file ends: nobody is accused of it, and the phase is not over."""

    rule: str
    text: str
    units: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotJudged:
    """What cannot be judged, for a reason that is named: no side is accused of it, and none is cleared."""

    step: int
    turn: int
    phase: str
    kind: str  # die, loss, move, words
    reason: str
    event: Event
    hint: str = ""  # what to do so that it can be judged
    line: str = ""  # as a turn sheet would say it, with what is not known left open


@dataclass(frozen=True)
class Way:
    """A drag shows its ends alone: the way by which it was judged, where the straight one is not open."""

    step: int
    text: str


@dataclass(frozen=True)
class Report:
    game: str
    scenario: str | None
    actions: int
    findings: tuple[Finding, ...]
    unchecked: tuple[Unchecked, ...] = ()
    broken: str | None = None  # where and why reading stopped, if it did
    counts: str = "step"  # what the numbers of its findings count: steps of a log, lines of a turn sheet
    not_understood: tuple[NotUnderstood, ...] = ()
    open: tuple[Open, ...] = ()
    ways: tuple[Way, ...] = ()
    not_judged: tuple[NotJudged, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)  # those that decided something, as they stood
    untried: Mapping[str, str] = field(default_factory=dict)  # asked for, chosen by nobody, not tried

    @property
    def verdict(self) -> str:
        if any(f.fault.verdict is Verdict.ILLEGAL for f in self.findings):
            return "illegal"
        return "unreadable" if self.broken else "legal"

    @property
    def complete(self) -> bool:
        """Whether everything in it was read and judged, and nothing is left to say."""
        left = (self.unchecked, self.not_understood, self.open, self.options, self.untried, self.broken)
        return not any(left) and not self.not_judged

    @property
    def judged(self) -> int:
        """How many actions could be judged."""
        return self.actions - len(self.not_judged)
