"""A report for people to read in a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from fieldpost.phrases import count, joined, phrase
from validator.model.findings import Finding, Report, Verdict
from validator.report.describe import HEADINGS, SHORT_HEADINGS, Namer, short_message, verdict_counts
from validator.report.left import Left, remedies

_COLORS = {Verdict.ILLEGAL: "31;1", Verdict.WARNING: "33", Verdict.JUDGEMENT: "36"}


def render(
    report: Report, namer: Namer, file: str, remarks: Sequence[str] = (), *, color: bool = False
) -> str:
    """`remarks` are what else there is to say of the file."""
    return "\n".join(_lines(report, namer, file, remarks, color)) + "\n"


def headline(report: Report) -> str:
    left, counts = Left.of([report]), verdict_counts(report.findings)
    actions = count(report.actions, "action")
    if report.judged < report.actions:
        actions = f"the {report.judged} of {actions} that could be judged"
    if report.findings:
        words = joined(phrase("{} " + word, counts[verdict]) for verdict, word in SHORT_HEADINGS.items())
        return joined([f"{words} in {actions}", *left.headlines])
    read = phrase(" that could be read", report.broken)
    if left.headlines:
        where = phrase(" in {}", report.judged < report.actions and actions)
        return joined([f"nothing illegal{phrase(' so far', report.open)}{where}", *left.headlines]) + read
    return f"nothing illegal in {actions}{read}"


def _lines(report: Report, namer: Namer, file: str, remarks: Sequence[str], color: bool) -> Iterator[str]:
    yield f"{file}: {headline(report)}"
    yield from remarks
    if report.broken:
        yield f"Reading stopped: {report.broken}. What came before was checked."
    if report.not_understood:
        yield ""
        yield "Not understood, and so not judged:"
        yield from (f"  {line}" for line in Left.of([report]).not_understood)
    for heading, lines in Left.of([report]).not_judged:
        yield from ("", heading, *(f"  {line}" for line in lines))
    yield from Left.of([report]).how_to
    for (turn, phase), group in groupby(report.findings, key=lambda f: (f.turn, f.phase)):
        yield ""
        yield f"Turn {turn}, {namer.phase(phase)}"
        for finding in group:
            yield from _finding(finding, report.counts, namer, color)
    to_do = remedies(report.findings, report.counts)
    if to_do:
        yield from ("", *to_do)
    yield from _left(report)


def _finding(finding: Finding, counts: str, namer: Namer, color: bool) -> Iterator[str]:
    fault = finding.fault
    heading = HEADINGS[fault.verdict]
    if color:
        heading = f"\x1b[{_COLORS[fault.verdict]}m{heading}\x1b[0m"
    where = phrase(counts + " {}", finding.origin.step) or "end of the phase"
    inferred = phrase(" (the log does not declare this; it is inferred)", finding.origin.inferred)
    yield f"  {heading} [{fault.rule}] {where}: {short_message(finding)}{inferred}"
    if finding.statement:
        yield f"      Rule: {finding.statement}"
    for item in fault.evidence.get("steps", ()):
        yield f"        {namer.plain(item)}"
    if finding.dice_followed:
        yield "      Dice were rolled after this in the same phase."


def _left(report: Report) -> Iterator[str]:
    """What is still to be said; that all was checked, only where there is nothing."""
    left, actions = Left.of([report]), report.actions
    yield ""
    for heading, lines in left.passages():
        yield heading
        yield from (f"  {line}" for line in lines)
    if left.unchecked:
        yield f"Not checked: {count(sum(item.count for item in left.unchecked), 'thing')}."
        yield from (f"  {item.count} x {item.reason}" for item in left.unchecked)
    elif not actions:
        yield "There was nothing to check: no action in it."
    elif report.complete:
        yield f"Checked: {'the one action' if actions == 1 else f'all {actions:,} actions'}."
    else:
        yield f"Checked: {count(report.judged, 'action')}."
