"""An audit as a text to paste into a mail to both players."""

from __future__ import annotations

from collections.abc import Sequence

from fieldpost.phrases import count
from validator.audit import sources
from validator.audit.game import Audit
from validator.audit.sources import Unusable
from validator.audit.summary import with_what_is_left
from validator.model.findings import Verdict
from validator.report import reply
from validator.report.describe import Namer

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
    unusable = sources.spoiled(unusable)
    if len(audits) == 1:
        return _game(audits[0], policy, _not_used(unusable, "{0.name} could not be used: {0.why}"))
    texts = [_game(audit, policy) for audit in audits]
    if unusable:
        lines = [line for text in _not_used(unusable) for line in reply.filled(f"  {text}", "    ")]
        texts.append("\n".join(["Not used:", *lines]) + "\n")
    return f"\n{'-' * reply.WIDTH}\n\n".join(texts)


def _not_used(unusable: Sequence[Unusable], form: str = "{0.name}: {0.why}") -> list[str]:
    more = len(unusable) - UNUSABLE_TOLD
    rest = [f"{more:,} more files could not be used"] if more > 0 else []
    return [form.format(item) for item in unusable[:UNUSABLE_TOLD]] + rest


def _game(audit: Audit, policy: str, not_used: Sequence[str] = ()) -> str:
    parts = [
        reply.Part(entry.name, report, entry.turn.counts, entry.turn.typed)
        for entry, report in zip(audit.chain.entries, audit.reports, strict=True)
    ]
    remarks = [*(link.message for link in audit.chain.links), *not_used]
    namer = Namer(audit.game, audit.scenario)
    verdict = (SENTENCES if len(parts) > 1 else ALONE)[audit.verdict].format(
        faults=count(audit.counts[Verdict.ILLEGAL], "fault"),
        actions=count(audit.actions, "action"),
        files=count(len(parts), "file"),
    )
    verdict = with_what_is_left(f"{audit.game.title}, {audit.scenario.title}: {verdict}", audit)
    return reply.render_game(verdict, parts, namer, policy, remarks)
