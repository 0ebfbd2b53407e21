"""A report for people to read in a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from validator.model.findings import Finding, Report, Verdict
from validator.report.describe import HEADINGS, Namer

_COLORS = {Verdict.ILLEGAL: "31;1", Verdict.WARNING: "33", Verdict.JUDGEMENT: "36"}


def render(
    report: Report, namer: Namer, file: str, remarks: Sequence[str] = (), *, color: bool = False
) -> str:
    """`remarks` are what else there is to say of the file."""
    return "\n".join(_lines(report, namer, file, remarks, color)) + "\n"


def headline(report: Report) -> str:
    counts = dict.fromkeys(Verdict, 0)
    for finding in report.findings:
        counts[finding.fault.verdict] += 1
    if not report.findings:
        read = " that could be read" if report.broken else ""
        return f"nothing illegal in {_count(report.actions, 'action')}{read}"
    words = [
        f"{counts[verdict]} {word}"
        for verdict, word in (
            (Verdict.ILLEGAL, "illegal"),
            (Verdict.WARNING, "doubtful"),
            (Verdict.JUDGEMENT, "to judge"),
        )
        if counts[verdict]
    ]
    return f"{', '.join(words)} in {_count(report.actions, 'action')}"


def _lines(report: Report, namer: Namer, file: str, remarks: Sequence[str], color: bool) -> Iterator[str]:
    yield f"{file}: {headline(report)}"
    yield from remarks
    if report.broken:
        yield f"Reading stopped: {report.broken}. What came before was checked."
    for (turn, phase), group in groupby(report.findings, key=lambda f: (f.turn, f.phase)):
        yield ""
        yield f"Turn {turn}, {namer.phase(phase)}"
        for finding in group:
            yield from _finding(finding, report.counts, namer, color)
    yield from _unchecked(report)


def _finding(finding: Finding, counts: str, namer: Namer, color: bool) -> Iterator[str]:
    fault = finding.fault
    heading = HEADINGS[fault.verdict]
    if color:
        heading = f"\x1b[{_COLORS[fault.verdict]}m{heading}\x1b[0m"
    where = f"{counts} {finding.origin.step}" if finding.origin.step else "end of the phase"
    inferred = " (the log does not declare this; it is inferred)" if finding.origin.inferred else ""
    yield f"  {heading} [{fault.rule}] {where}: {fault.message}{inferred}"
    if finding.statement:
        yield f"      Rule: {finding.statement}"
    for item in fault.evidence.get("steps", ()):
        yield f"        {namer.plain(item)}"
    if finding.dice_followed:
        yield "      Dice were rolled after this in the same phase."
    if finding.remedy:
        yield f"      Remedy: {finding.remedy}"


def _unchecked(report: Report) -> Iterator[str]:
    yield ""
    if not report.unchecked:
        if report.actions:
            yield f"Checked: {'the one action' if report.actions == 1 else f'all {report.actions} actions'}."
        else:
            yield "There was nothing to check: no action in it."
        return
    total = sum(item.count for item in report.unchecked)
    yield f"Not checked: {_count(total, 'thing')}."
    for item in report.unchecked:
        yield f"  {item.count} x {item.reason}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
