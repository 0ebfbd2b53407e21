"""A report as JUnit XML, for those who keep their games under continuous integration."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from validator.model.findings import Finding, Report, Verdict
from validator.report.describe import Namer, verdict_counts
from validator.report.left import Left

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def render(report: Report, namer: Namer, file: str) -> str:
    """One test case a finding; illegal ones fail. A clean turn is one that passes, a broken log an error."""
    cases = [_case(finding, namer, report.counts) for finding in report.findings]
    left = Left.of([report])
    cases += [_skipped("owed", line) for line in left.owed]
    cases += [_skipped("not understood", line) for line in left.not_understood]
    if report.broken:
        cases.append(_broken(report.broken))
    if not cases:
        cases = [ElementTree.Element("testcase", classname=report.game, name=f"{report.actions} actions")]
    suite = ElementTree.Element(
        "testsuite",
        name=_clean(file),
        tests=str(len(cases)),
        failures=str(verdict_counts(report.findings)[Verdict.ILLEGAL]),
        errors=str(int(bool(report.broken))),
    )
    suite.extend(cases)
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def _broken(why: str) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname="reading", name="the file to its end")
    ElementTree.SubElement(case, "error", message=_clean(why))
    return case


def _skipped(what: str, line: str) -> ElementTree.Element:
    """What JUnit knows nearest to a thing that could not be judged yet."""
    case = ElementTree.Element("testcase", classname=what, name=_clean(line))
    ElementTree.SubElement(case, "skipped", message=_clean(line))
    return case


def _case(finding: Finding, namer: Namer, counts: str) -> ElementTree.Element:
    name = f"turn {finding.turn} {namer.phase(finding.phase)} {counts} {finding.origin.step}"
    case = ElementTree.Element("testcase", classname=finding.fault.rule, name=_clean(name))
    if finding.fault.verdict is Verdict.ILLEGAL:
        detail = ElementTree.SubElement(case, "failure", message=_clean(finding.fault.message))
    else:
        detail = ElementTree.SubElement(case, "system-out")
    detail.text = _clean(f"{finding.fault.message}\n{finding.statement}".strip())
    return case


def _clean(text: str) -> str:
    return _CONTROL.sub("?", text)
