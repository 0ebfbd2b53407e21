"""What keeps a report from saying that all is well, in sentences: the same in every form of report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validator.model.findings import Finding, NotUnderstood, Open, Report

UNTRIED = "Nobody chose these options, and there is too much here to try their other choices"


@dataclass(frozen=True)
class Left:
    """What is left to say of one report, or of many."""

    not_understood: tuple[str, ...]
    owed: tuple[str, ...]
    decided: tuple[str, ...]  # options that decided something, as chosen or by default
    untried: tuple[str, ...]  # options at their default whose other choices nobody tried
    ways: tuple[str, ...]  # of drags, where the straight way is not open

    @classmethod
    def of(cls, reports: Sequence[Report]) -> Left:
        puzzles = [_word(item, report.counts) for report in reports for item in report.not_understood]
        return cls(
            tuple(puzzles),
            tuple(_owed(item) for report in reports for item in report.open),
            _chosen(report.options for report in reports),
            _chosen(report.untried for report in reports),
            tuple(f"{report.counts} {way.step}: {way.text}" for report in reports for way in report.ways),
        )

    @property
    def headlines(self) -> list[str]:
        """What the first line of a report must not keep back."""
        owed = f"{_count(len(self.owed), 'thing')} still owed"
        unknown = f"{_count(len(self.not_understood), 'line')} not understood"
        return [words for words, known in ((owed, self.owed), (unknown, self.not_understood)) if known]

    @property
    def untried_line(self) -> str:
        """Empty if the other choices of all options were tried."""
        return f"{UNTRIED}: {', '.join(self.untried)}." if self.untried else ""

    def data(self) -> dict[str, Any]:
        return {
            "not_understood": list(self.not_understood),
            "owed": list(self.owed),
            "decided": list(self.decided),
            "untried": self.untried_line,
            "ways": list(self.ways),
            "headlines": self.headlines,
        }


def _chosen(options: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{id_} = {choice}" for of_one in options for id_, choice in of_one.items()))


def _word(item: NotUnderstood, counts: str) -> str:
    hint = f"; did you mean {item.nearest!r}?" if item.nearest else ""
    return f"{counts} {item.step}: {item.text}{hint}"


def _owed(item: Open) -> str:
    who = ", ".join(unit for unit in item.units if unit not in item.text)
    return f"{f'{who}: ' if who else ''}{item.text} ({item.rule})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def remedies(findings: Iterable[Finding], counts: str) -> list[str]:
    """What is to be done, said once; where it differs, with the steps or lines it is for."""
    places: dict[str, list[str]] = {}
    for finding in findings:
        if finding.remedy:
            where = f"{counts} {finding.origin.step}" if finding.origin.step else "the end of the phase"
            places.setdefault(finding.remedy, []).append(where)
    if len(places) == 1:
        return [f"Remedy: {remedy}" for remedy in places]
    return [f"Remedy for {_some(where)}: {remedy}" for remedy, where in places.items()]


def _some(places: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(dict.fromkeys(places[:most]))
    return shown if len(places) <= most else f"{shown} and {len(places) - most} more"
