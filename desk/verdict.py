"""What the page says of checked files, as plain data for its template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validator.audit import Audit
from validator.audit.sources import Unusable
from validator.model.findings import Finding, Verdict
from validator.report import reply, text
from validator.report.describe import HEADINGS, Namer, short_message
from validator.report.left import Left, remedies
from validator.tell import render
from validator.tell.chronicle import chronicle
from validator.tell.from_files import remark_before
from validator.tell.places import Gazetteer

UNREADABLE = "unreadable"
UNUSABLE_SHOWN = 200
WORST_FIRST = ("illegal", "broken", UNREADABLE, "legal")


def view(audits: Sequence[Audit], unusable: Sequence[Unusable]) -> dict[str, Any]:
    verdicts = {audit.verdict for audit in audits} or {UNREADABLE}
    return {
        "verdict": next(word for word in WORST_FIRST if word in verdicts),
        "games": [_game(audit) for audit in audits],
        "foreign": [],
        "unusable": not_used(unusable),
    }


def not_used(unusable: Sequence[Unusable]) -> dict[str, Any]:
    """How many, and the first of them."""
    shown = [{"name": item.name, "why": item.why} for item in unusable[:UNUSABLE_SHOWN]]
    return {"count": len(unusable), "shown": shown}


def _game(audit: Audit) -> dict[str, Any]:
    namer = Namer(audit.game, audit.scenario)
    return {
        "title": audit.game.title,
        "scenario": audit.scenario.title,
        "verdict": audit.verdict,
        "actions": audit.actions,
        "counts": [[verdict.value, HEADINGS[verdict], _count(audit, verdict)] for verdict in Verdict],
        "logs": _logs(audit, namer),
        "links": [
            {"message": link.message, "harmless": link.harmless, "differences": list(link.differences[1:])}
            for link in audit.chain.links
        ],
        "findings": _findings(audit, namer),
        "complete": all(report.complete for report in audit.reports),
        "unchecked": [{"reason": item.reason, "count": item.count} for item in audit.unchecked],
        "remedies": [
            line
            for entry, report in zip(audit.chain.entries, audit.reports, strict=True)
            for line in remedies(report.findings, entry.turn.counts)
        ],
        "left": Left.of(audit.reports).data(),
        "tale": _tale(audit),
    }


def _tale(audit: Audit) -> list[dict[str, Any]]:
    """What happened, by turns and phases. A fault in the telling must not cost the verdict."""
    entries = audit.chain.entries
    parts = [(entry.start, entry.events, remark_before(audit.chain, entry)) for entry in entries]
    try:
        told = chronicle(audit.game, Gazetteer(audit.game.map), parts, None)
        turns: list[dict[str, Any]] = render.data(render.Telling(audit.game, audit.scenario, told))["turns"]
    except Exception:
        return []
    return turns


def _count(audit: Audit, verdict: Verdict) -> int:
    return sum(finding.fault.verdict is verdict for finding in audit.findings)


def _logs(audit: Audit, namer: Namer) -> list[dict[str, Any]]:
    return [
        {
            "name": entry.name,
            "begins": f"turn {entry.start.turn}, {namer.phase(entry.start.phase)}",
            "ends": f"turn {entry.end.turn}, {namer.phase(entry.end.phase)}",
            "verdict": report.verdict,
            "headline": text.headline(report),
            "broken": report.broken,
        }
        for entry, report in zip(audit.chain.entries, audit.reports, strict=True)
    ]


def _findings(audit: Audit, namer: Namer) -> list[dict[str, Any]]:
    """In the order of the report, whose addresses count them."""
    pairs = zip(audit.chain.entries, audit.reports, strict=True)
    found = [(finding, entry.turn.counts) for entry, report in pairs for finding in report.findings]
    return [
        _finding(finding, namer) | {"number": number, "place": reply.where(finding, counts)}
        for number, (finding, counts) in enumerate(found)
    ]


def _finding(finding: Finding, namer: Namer) -> dict[str, Any]:
    fault, origin = finding.fault, finding.origin
    return {
        "verdict": fault.verdict.value,
        "heading": HEADINGS[fault.verdict],
        "rule": fault.rule,
        "statement": finding.statement,
        "message": short_message(finding),
        "steps": [str(namer.plain(step)) for step in fault.evidence.get("steps") or ()],
        "log": origin.source,
        "inferred": origin.inferred,
        "turn": finding.turn,
        "phase": namer.phase(finding.phase),
        "side": namer.side(finding.side),
        "dice_followed": finding.dice_followed,
        "remedy": finding.remedy,
    }
