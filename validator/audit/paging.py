"""An audit as a page to step through."""

from __future__ import annotations

from validator.audit.game import Audit
from validator.report import html
from validator.report.html.pictures import ModulePictures


def render(audit: Audit, pictures: ModulePictures | None) -> str:
    chapters = [
        html.Chapter(entry.name, entry.start, entry.events, report)
        for entry, report in zip(audit.chain.entries, audit.reports, strict=True)
    ]
    notes = [html.Note(link.message, link.harmless) for link in audit.chain.links]
    return html.render(audit.game, audit.scenario, chapters, pictures, notes)
