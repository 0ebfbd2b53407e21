"""An audit as a text to paste into a mail to both players."""

from __future__ import annotations

from collections.abc import Sequence

from validator.audit.game import Audit
from validator.audit.sources import Unusable
from validator.model.findings import Verdict
from validator.report import reply
from validator.report.describe import Namer
from validator.report.left import Left

SENTENCES = {
    "legal": "nothing illegal was found, and each file goes on where the one before ended",
    "illegal": "the game is not legal as played, {faults} in {actions} of {files}",
    "broken": "nothing illegal was found, but the files do not hang together",
    "unreadable": "nothing illegal was found in what could be read, which is not all",
}
UNUSABLE_TOLD = 20
ALONE = {**SENTENCES, "legal": "nothing illegal was found"}


def render(audits: Sequence[Audit], unusable: Sequence[Unusable], policy: str) -> str:
    """One game after the other."""
    texts = [_game(audit, policy, unusable if len(audits) == 1 else ()) for audit in audits]
    if len(audits) != 1 and unusable:
        told = [f"{item.name}: {item.why}" for item in unusable[:UNUSABLE_TOLD]] + _more(unusable)
        lines = [line for text in told for line in reply.filled(f"  {text}", "    ")]
        texts.append("\n".join(["Not used:", *lines]) + "\n")
    return f"\n{'-' * reply.WIDTH}\n\n".join(texts)


def _more(unusable: Sequence[Unusable]) -> list[str]:
    more = len(unusable) - UNUSABLE_TOLD
    return [f"{more:,} more files could not be used"] if more > 0 else []


def _game(audit: Audit, policy: str, unusable: Sequence[Unusable]) -> str:
    parts = [
        reply.Part(entry.name, report, entry.turn.counts)
        for entry, report in zip(audit.chain.entries, audit.reports, strict=True)
    ]
    remarks = [link.message for link in audit.chain.links]
    remarks += [f"{item.name} could not be used: {item.why}" for item in unusable[:UNUSABLE_TOLD]]
    remarks += _more(unusable)
    namer = Namer(audit.game, audit.scenario)
    illegal = sum(finding.fault.verdict is Verdict.ILLEGAL for finding in audit.findings)
    verdict = (SENTENCES if len(parts) > 1 else ALONE)[audit.verdict].format(
        faults=reply.number(illegal, "fault"),
        actions=reply.number(audit.actions, "action"),
        files=reply.number(len(parts), "file"),
    )
    left = Left.of(audit.reports)
    if left.owed:
        verdict = verdict.replace("nothing illegal was found", "nothing illegal was found so far")
    verdict = ", ".join([f"{audit.game.title}, {audit.scenario.title}: {verdict}", *left.headlines])
    return reply.render_game(verdict, parts, namer, policy, remarks)
