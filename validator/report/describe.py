"""A report as plain data, and a finding as sentences: what every form of report is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from types import NoneType
from typing import Any

from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex
from validator.model.findings import Finding, NotJudged, Report, Verdict

HEADINGS = {
    Verdict.ILLEGAL: "Illegal",
    Verdict.WARNING: "Doubtful",
    Verdict.JUDGEMENT: "For you to judge",
}
SHORT_HEADINGS = {
    Verdict.ILLEGAL: "illegal",
    Verdict.WARNING: "doubtful",
    Verdict.JUDGEMENT: "to judge",
}


def verdict_counts(findings: Iterable[Finding]) -> Counter[Verdict]:
    return Counter(finding.fault.verdict for finding in findings)


class Namer:
    """Names hexes as the scenario's own sheet prints them."""

    def __init__(self, game: Game, scenario: Scenario | None) -> None:
        self._lattice = game.map.lattice
        self._sheet = scenario.sheet if scenario else None
        self._phases = {phase.id: phase.name for phase in game.sequence}
        self._sides: dict[str | None, str] = {None: ""} | {side.id: side.name for side in game.sides}

    def hex(self, hex_: Hex) -> str:
        return self._lattice.label(hex_, self._sheet)

    def phase(self, id_: str) -> str:
        return self._phases.get(id_, id_)

    def side(self, id_: str | None) -> str:
        return self._sides.get(id_, str(id_))

    def plain(self, value: Any) -> Any:
        """Evidence as JSON can hold it; hexes become labels, fractions text."""
        if isinstance(value, Hex):
            return self.hex(value)
        if isinstance(value, dict):
            return {str(self.plain(key)): self.plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.plain(item) for item in value]
        return value if isinstance(value, str | int | NoneType) else str(value)


def finding_data(finding: Finding, namer: Namer) -> dict[str, Any]:
    fault = finding.fault
    return {
        "rule": fault.rule,
        "guess": fault.guess,
        "statement": finding.statement,
        "verdict": fault.verdict.value,
        "source": finding.origin.source,
        "step": finding.origin.step,
        "inferred": finding.origin.inferred,
        "turn": finding.turn,
        "phase": finding.phase,
        "side": finding.side,
        "units": list(fault.units),
        "hexes": [namer.hex(hex_) for hex_ in fault.hexes],
        "message": fault.message,
        "evidence": namer.plain(fault.evidence),
        "dice_followed": finding.dice_followed,
        "remedy": finding.remedy,
    }


def short_message(finding: Finding) -> str:
    """Without the way step by step, which stands in the evidence."""
    steps = finding.fault.evidence.get("steps") or ()
    way = "; ".join(map(str, steps))
    return finding.fault.message.removesuffix(f": {way}") if way else finding.fault.message


def report_data(report: Report, namer: Namer, file: str) -> dict[str, Any]:
    return {
        "file": file,
        "game": report.game,
        "scenario": report.scenario,
        "verdict": report.verdict,
        "actions": report.actions,
        "findings": [finding_data(finding, namer) for finding in report.findings],
        **left_data([report]),
        "broken": report.broken,
    }


def unreadable_data(file: str, error: FieldpostError) -> dict[str, Any]:
    """Of a file that could not be judged: the keys of a report, and what is wrong."""
    nothing: dict[str, Any] = {"verdict": "unreadable", "actions": 0, "findings": [], **left_data([])}
    why = {"broken": error.message, "hint": error.hint or ""}
    return {"file": file, "game": None, "scenario": None, **nothing, **why}


def left_data(reports: Sequence[Report]) -> dict[str, Any]:
    """What keeps reports from being complete, as programs read it."""
    return {
        "unchecked": _rows(report.unchecked for report in reports),
        "not_understood": _rows(report.not_understood for report in reports),
        "ways": _rows(report.ways for report in reports),
        "not_judged": [_not_judged_data(item) for report in reports for item in report.not_judged],
        "judged": "part" if any(report.not_judged for report in reports) else "all",
        "open": _rows(report.open for report in reports),
        "options": _merged(report.options for report in reports),
        "untried": _merged(report.untried for report in reports),
    }


def _not_judged_data(item: NotJudged) -> dict[str, Any]:
    words = ("step", "turn", "phase", "kind", "reason", "line")
    return {word: getattr(item, word) for word in words}


def _rows(parts: Iterable[Iterable[Any]]) -> list[dict[str, Any]]:
    return [asdict(item) for item in chain.from_iterable(parts)]


def _merged(choices: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return dict(chain.from_iterable(choice.items() for choice in choices))
