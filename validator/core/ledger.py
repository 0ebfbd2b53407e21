"""A side's money over a turn: lines booked one by one, and what is left.

What is left of the turn before may not be known (a log that begins in mid-game); then no sum is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """A line: what for, and by how much the treasury changes."""

    line: str
    amount: int
    detail: str = ""


@dataclass
class Ledger:
    """One turn of one side. `opening` is what was carried into it; None where nobody knows."""

    opening: int | None
    entries: list[Entry] = field(default_factory=list)

    def book(self, line: str, amount: int, detail: str = "") -> None:
        self.entries.append(Entry(line, amount, detail))

    def total(self, line: str) -> int:
        """All that was booked under a line, as players write it: what is paid counts as positive."""
        return abs(sum(entry.amount for entry in self.entries if entry.line == line))

    @property
    def balance(self) -> int | None:
        """What is left; None if it is not known what there was."""
        if self.opening is None:
            return None
        return self.opening + sum(entry.amount for entry in self.entries)

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.line for entry in self.entries))


def ledger_text(ledger: Ledger, order: Iterable[str] = ()) -> str:
    """carried 3, income 62, debt -8, purchases -40: 17 left"""
    lines = [*(line for line in order if line in ledger.lines), *ledger.lines]
    sums = {line: sum(e.amount for e in ledger.entries if e.line == line) for line in dict.fromkeys(lines)}
    opening = [] if ledger.opening is None else [f"carried {ledger.opening}"]
    said = ", ".join([*opening, *(f"{line} {amount}" for line, amount in sums.items())])
    left = "" if ledger.balance is None else f": {ledger.balance} left"
    return f"{said or 'nothing booked'}{left}"
