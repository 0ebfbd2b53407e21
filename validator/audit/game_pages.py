"""An audit as a page to step through; several games as a page each, and one that leads to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fieldpost.definition.model import Game
from validator.audit import dice_words, sources
from validator.audit.game import Audit
from validator.audit.sources import Unusable
from validator.audit.summary import verdict_in_words
from validator.model.findings import Verdict
from validator.report import html
from validator.report.html.board import Pictures

Find = Callable[[Game], Pictures | None]


def render(audit: Audit, pictures: Pictures | None, view: str | None = None) -> str:
    """`view` as in `html.render`; one log is seen by the side whose it is, if nothing else is asked for."""
    entries = audit.chain.entries
    view = view or (entries[0].turn.side if len(entries) == 1 else None)
    chapters = [
        html.Chapter(entry.name, entry.start, entry.events, report, entry.turn.concealed)
        for entry, report in zip(audit.chain.entries, audit.reports, strict=True)
    ]
    notes = [html.Note(link.message, link.harmless) for link in audit.chain.links]
    dice = dice_words.passages(audit.dice, {side.id: side.name for side in audit.game.sides})
    return html.render(audit.game, audit.scenario, chapters, pictures, notes, dice, view)


def write(
    path: Path,
    audits: Sequence[Audit],
    unusable: Sequence[Unusable],
    find: Find,
    view: str | None = None,
) -> list[Path]:
    """One game as this file; several beside it, by number, and this file leads to them."""
    if len(audits) == 1:
        html.write(path, render(audits[0], find(audits[0].game), view))
        return [path]
    pages = [path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(1, len(audits) + 1)]
    for page, audit in zip(pages, audits, strict=True):
        html.write(page, render(audit, find(audit.game), view))
    rows = [_row(page, audit) for page, audit in zip(pages, audits, strict=True)]
    html.write(path, html.PAGES.fill("games.html.j2", games=rows, unusable=sources.spoiled(unusable)))
    return [path, *pages]


def _row(page: Path, audit: Audit) -> dict[str, Any]:
    return {
        "file": quote(page.name),
        "title": f"{audit.game.title}, {audit.scenario.title}",
        "name": audit.name,
        "verdict": audit.verdict,
        "words": verdict_in_words(audit),
        "logs": len(audit.reports),
        "counts": [audit.counts[verdict] for verdict in Verdict],
    }
