"""Logs of games whose rules we do not know, checked in a child: audit, tale and replay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from validator.anygame.one_log import Library
    from validator.anygame.picturefiles import PictureFiles
    from validator.audit.sources import Item, Unusable

LONGEST_TALE = 400


def library_of(module: Path | None, extensions: Sequence[Path]) -> Library:
    from validator.anygame.one_log import Library

    return Library(wanted=module, extensions=extensions)


def pictures(library: Library) -> PictureFiles | None:
    from validator.anygame import replay

    return replay.art_for(library.path(None), library.extensions(None))


def check(
    items: Sequence[Item],
    library: Library,
    art: PictureFiles | None,
    unusable: Sequence[Unusable],
    write_report: Callable[[int, str], None],
    write_text: Callable[[str], None],
) -> dict[str, Any]:
    """What there is to show, as plain data; the replay of each game as a report."""
    from desk.verdict import not_used
    from validator.anygame import audit as anygame
    from validator.anygame import replay, summary

    audits, spoiled = anygame.audit(items, library)
    left = [*unusable, *spoiled]
    games = []
    for number, one in enumerate(audits):
        film = replay.film_of(one.chain, items, library, art)
        write_report(number, replay.fill(film.data(one), one))
        games.append(_game(one, film))
    write_text(summary.render(audits, left))
    return {
        "foreign": games,
        "note": " ".join([summary.NO_RULES, *_seen_by(audits)]),
        "with_module": library.path(None) is not None,
        "games": [],
        "unusable": not_used(left),
    }


def _seen_by(audits: Sequence[Any]) -> list[str]:
    """Whose eyes it is seen with, and what had to be left out."""
    from validator.anygame import summary

    return list(dict.fromkeys(line for audit in audits for line in summary.seen_by(audit)))


def _game(audit: Any, film: Any) -> dict[str, Any]:
    from validator.anygame import summary

    told = [frame for frame in film.frames if frame["text"] and not frame.get("undone")]
    return {
        "title": audit.module or "A module without a name",
        "verdict": audit.verdict,
        "headline": summary.headline(audit),
        "logs": [summary.entry_line(entry) for entry in audit.chain.entries],
        "links": [
            {"message": link.message, "harmless": link.harmless, "differences": list(link.differences[1:12])}
            for link in audit.chain.links
        ],
        "dice": [summary.tally_line(one) for one in audit.luck.tallies],
        "players": [summary.player_line(one) for one in audit.players],
        "tale": [
            {"log": frame.get("log", ""), "turn": frame.get("turn", ""), "text": _line(frame)}
            for frame in told[:LONGEST_TALE]
        ],
        "untold": max(0, len(told) - LONGEST_TALE),
    }


def _line(frame: dict[str, Any]) -> str:
    return f"{frame['who']}: {frame['text']}" if frame.get("who") else str(frame["text"])
