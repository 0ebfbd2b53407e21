"""What the referee says, as data. Sentences are made in `validator.report`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from fieldpost.hexes import Hex
from validator.model.events import Origin


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
        return not any(left)
