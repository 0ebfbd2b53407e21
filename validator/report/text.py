"""A report for people to read in a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from validator.model.findings import Finding, Report, Verdict
from validator.report.describe import HEADINGS, Namer, short_message
from validator.report.left import Left, remedies

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
    left_over = Left.of([report]).headlines
    if not report.findings:
        read = " that could be read" if report.broken else ""
        if left_over:
            return ", ".join([f"nothing illegal{' so far' if report.open else ''}", *left_over]) + read
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
    return ", ".join([f"{', '.join(words)} in {_count(report.actions, 'action')}", *left_over])


def _lines(report: Report, namer: Namer, file: str, remarks: Sequence[str], color: bool) -> Iterator[str]:
    yield f"{file}: {headline(report)}"
    yield from remarks
    if report.broken:
        yield f"Reading stopped: {report.broken}. What came before was checked."
    if report.not_understood:
        yield ""
        yield "Not understood, and so not judged:"
        yield from (f"  {line}" for line in Left.of([report]).not_understood)
    for (turn, phase), group in groupby(report.findings, key=lambda f: (f.turn, f.phase)):
        yield ""
        yield f"Turn {turn}, {namer.phase(phase)}"
        for finding in group:
            yield from _finding(finding, report.counts, namer, color)
    if any(finding.remedy for finding in report.findings):
        yield ""
        yield from remedies(report.findings, report.counts)
    yield from _left(report)


def _finding(finding: Finding, counts: str, namer: Namer, color: bool) -> Iterator[str]:
    fault = finding.fault
    heading = HEADINGS[fault.verdict]
    if color:
        heading = f"\x1b[{_COLORS[fault.verdict]}m{heading}\x1b[0m"
    where = f"{counts} {finding.origin.step}" if finding.origin.step else "end of the phase"
    inferred = " (the log does not declare this; it is inferred)" if finding.origin.inferred else ""
    yield f"  {heading} [{fault.rule}] {where}: {short_message(finding)}{inferred}"
    if finding.statement:
        yield f"      Rule: {finding.statement}"
    for item in fault.evidence.get("steps", ()):
        yield f"        {namer.plain(item)}"
    if finding.dice_followed:
        yield "      Dice were rolled after this in the same phase."


def _left(report: Report) -> Iterator[str]:
    """What is still to be said; that all was checked, only where there is nothing."""
    left = Left.of([report])
    yield ""
    if left.owed:
        yield "The phase is not over. Still owed:"
        yield from (f"  {line}" for line in left.owed)
    if left.ways:
        yield "The direct path is not open; this path was judged instead:"
        yield from (f"  {line}" for line in left.ways)
    if left.decided:
        yield f"Decided by options: {', '.join(left.decided)}."
    if left.untried:
        yield left.untried_line
    if report.unchecked:
        yield f"Not checked: {_count(sum(item.count for item in report.unchecked), 'thing')}."
        yield from (f"  {item.count} x {item.reason}" for item in report.unchecked)
    elif not report.actions:
        yield "There was nothing to check: no action in it."
    elif report.complete:
        yield f"Checked: {'the one action' if report.actions == 1 else f'all {report.actions} actions'}."
    else:
        yield f"Checked: {_count(report.actions, 'action')}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
