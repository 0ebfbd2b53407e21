"""What keeps a report from saying that all is well, in sentences: the same in every form of report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fieldpost.phrases import count, grouped, listed, phrase
from validator.model.findings import Finding, NotUnderstood, Open, Report, Unchecked

UNTRIED = "Nobody chose these options, and there is too much here to try their other choices"
MOST_PLACES = 8


class Passage(NamedTuple):
    """Something left to say: a heading, or a sentence by itself."""

    heading: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Left:
    """What is left to say of one report, or of many."""

    not_understood: tuple[str, ...]
    owed: tuple[str, ...]
    decided: tuple[str, ...]  # options that decided something, as chosen or by default
    untried: tuple[str, ...]  # options at their default whose other choices nobody tried
    ways: tuple[str, ...]  # of drags, where the straight way is not open
    unchecked: tuple[Unchecked, ...]
    not_judged: tuple[Passage, ...] = ()
    how_to: tuple[str, ...] = ()  # what to do so that it can be judged

    @classmethod
    def of(cls, reports: Sequence[Report]) -> Left:
        return cls(
            tuple(_word(item, report.counts) for report in reports for item in report.not_understood),
            tuple(_owed(item) for report in reports for item in report.open),
            _chosen(report.options for report in reports),
            _chosen(report.untried for report in reports),
            tuple(f"{report.counts} {way.step}: {way.text}" for report in reports for way in report.ways),
            tuple(item for report in reports for item in report.unchecked),
            tuple(passage for report in reports for passage in _not_judged(report)),
            tuple(dict.fromkeys(item.hint for report in reports for item in report.not_judged)),
        )

    @property
    def headlines(self) -> list[str]:
        """What the first line of a report must not keep back."""
        owed = phrase("{} still owed", self.owed and count(len(self.owed), "thing"))
        unknown = phrase("{} not understood", self.not_understood and count(len(self.not_understood), "line"))
        number = sum(len(passage.lines) for passage in self.not_judged)
        return [*filter(None, (owed, unknown, phrase("{} not judged", number and count(number, "thing"))))]

    def passages(self, still_owed: str = "The phase is not over. Still owed:") -> Iterator[Passage]:
        """Behind the findings, where there is something to say."""
        if self.owed:
            yield Passage(still_owed, self.owed)
        if self.ways:
            yield Passage("The direct path is not open; this path was judged instead:", self.ways)
        if self.decided:
            yield Passage(f"Decided by options: {', '.join(self.decided)}.")
        if self.untried:
            yield Passage(self.untried_line)

    @property
    def untried_line(self) -> str:
        """Empty if the other choices of all options were tried."""
        return phrase(f"{UNTRIED}: {{}}.", ", ".join(self.untried))

    def data(self) -> dict[str, Any]:
        return {
            "not_understood": list(self.not_understood),
            "owed": list(self.owed),
            "decided": list(self.decided),
            "untried": self.untried_line,
            "ways": list(self.ways),
            "not_judged": [{"heading": each.heading, "lines": list(each.lines)} for each in self.not_judged],
            "how_to": list(self.how_to),
            "headlines": self.headlines,
        }


def _not_judged(report: Report) -> Iterator[Passage]:
    """By phase and reason, each thing with its step and the line that would say it."""
    alike = grouped(report.not_judged, lambda item: (item.turn, item.phase, item.reason))
    for (turn, phase, reason), items in alike.items():
        in_order = sorted(items, key=lambda item: item.step)
        lines = tuple(dict.fromkeys(f"{report.counts} {item.step}: {item.line}" for item in in_order))
        yield Passage(f"Not judged, turn {turn} {phase}: {reason}.", lines)


def _chosen(options: Iterable[Mapping[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{id_} = {choice}" for chosen in options for id_, choice in chosen.items()))


def _word(item: NotUnderstood, counts: str) -> str:
    return f"{counts} {item.step}: {item.text}{phrase('; did you mean {!r}?', item.nearest)}"


def _owed(item: Open) -> str:
    who = ", ".join(unit for unit in item.units if unit not in item.text)
    return f"{phrase('{}: ', who)}{item.text} ({item.rule})"


def remedies(findings: Iterable[Finding], counts: str) -> list[str]:
    """What is to be done, said once; where it differs, with the steps or lines it is for."""
    to_be_done = grouped((finding for finding in findings if finding.remedy), lambda finding: finding.remedy)
    if len(to_be_done) == 1:
        return [f"Remedy: {remedy}" for remedy in to_be_done]
    return [f"Remedy for {_places(alike, counts)}: {remedy}" for remedy, alike in to_be_done.items()]


def _places(findings: Iterable[Finding], counts: str) -> str:
    places = (phrase(counts + " {}", f.origin.step) or "the end of the phase" for f in findings)
    return listed(list(dict.fromkeys(places)), MOST_PLACES)
