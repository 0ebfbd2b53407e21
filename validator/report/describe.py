"""A report as plain data, and a finding as sentences: what every form of report is made of."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fieldpost.definition.model import Game, Scenario
from fieldpost.hexes import Hex
from validator.model.findings import Finding, Report, Verdict

HEADINGS = {
    Verdict.ILLEGAL: "Illegal",
    Verdict.WARNING: "Doubtful",
    Verdict.JUDGEMENT: "For you to judge",
}


class Namer:
    """Names hexes as the scenario's own sheet prints them."""

    def __init__(self, game: Game, scenario: Scenario | None) -> None:
        self._lattice = game.map.lattice
        self._sheet = scenario.sheet if scenario else None
        self._phases = {phase.id: phase.name for phase in game.sequence}
        self._sides = {side.id: side.name for side in game.sides}

    def hex(self, hex_: Hex) -> str:
        return self._lattice.label(hex_, self._sheet)

    def phase(self, id_: str) -> str:
        return self._phases.get(id_, id_)

    def side(self, id_: str | None) -> str:
        return self._sides.get(id_, id_) if id_ else ""

    def plain(self, value: Any) -> Any:
        """Evidence as JSON can hold it; hexes become labels, fractions text."""
        if isinstance(value, Hex):
            return self.hex(value)
        if isinstance(value, Fraction):
            return str(value)
        if isinstance(value, dict):
            return {str(self.plain(key)): self.plain(item) for key, item in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.plain(item) for item in value]
        return value if isinstance(value, (str, int, bool)) or value is None else str(value)


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


def left_data(reports: Sequence[Report]) -> dict[str, Any]:
    """What keeps reports from being complete, as programs read it."""
    return {
        "unchecked": [{"reason": item.reason, "count": item.count} for r in reports for item in r.unchecked],
        "not_understood": [
            {"step": item.step, "text": item.text, "nearest": item.nearest}
            for report in reports
            for item in report.not_understood
        ],
        "ways": [{"step": way.step, "text": way.text} for report in reports for way in report.ways],
        "open": [
            {"rule": item.rule, "text": item.text, "units": list(item.units)}
            for report in reports
            for item in report.open
        ],
        "options": {id_: choice for report in reports for id_, choice in report.options.items()},
        "untried": {id_: choice for report in reports for id_, choice in report.untried.items()},
    }
