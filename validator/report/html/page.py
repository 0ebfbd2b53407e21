"""The page: a template, its style and its script made one file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from fieldpost import __version__, data
from fieldpost.definition.model import Game, Scenario
from fieldpost.vassal.archive import write_bytes
from validator.model.findings import Verdict
from validator.report import drawn
from validator.report.describe import HEADINGS, Namer
from validator.report.html.board import Board, Pictures, Sprites, hexes_in_play
from validator.report.html.frames import Chapter, Film, film
from validator.report.html.story import Story, finding_rows
from validator.report.left import Left, remedies

SCRIPTS = (
    *("state", "map", "carry", "overlay", "findings", "desk", "chronicle", "timeline", "play"),
    *("dice", "comments", "tabs", "theme", "main"),
)


@dataclass(frozen=True)
class Note:
    """Something about the files as such: one is missing, one does not go on where the other ended ..."""

    text: str
    harmless: bool = False


@dataclass(frozen=True)
class Passage:
    """A heading and some sentences."""

    title: str
    lines: tuple[str, ...]


def render(
    game: Game,
    scenario: Scenario,
    chapters: Sequence[Chapter],
    pictures: Pictures | None = None,
    notes: Sequence[Note] = (),
    dice: Sequence[Passage] = (),
) -> str:
    """The report of one file, or of a game of many.

    `notes` are what else there is to say of the files, `dice` what chance says of the dice.
    """
    namer = Namer(game, scenario)
    made = film(game, scenario, chapters)
    board = _board(game, scenario, made, namer, pictures)
    story = Story(game, scenario, made, board, namer)
    sprites = pictures.sprites(story.sprite_names()) if pictures else None
    return _fill(story, chapters, sprites, notes, dice)


def script_digest() -> str:
    """What a policy names the script of every report by."""
    script = _script(data.path("templates", "report"))
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def write(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def _board(game: Game, scenario: Scenario, made: Film, namer: Namer, pictures: Pictures | None) -> Board:
    terrain = game.map.terrain
    spots = (state.spot for frame in made.frames for state in frame.units.values())
    used = {spot for spot in spots if spot in terrain}
    hexes = hexes_in_play(game, scenario, used)  # type: ignore[arg-type]
    return (pictures.board(hexes) if pictures else None) or drawn.draw(game, hexes, namer)


def _fill(
    story: Story,
    chapters: Sequence[Chapter],
    sprites: Sprites | None,
    notes: Sequence[Note],
    dice: Sequence[Passage],
) -> str:
    folder = data.path("templates", "report")
    script = _script(folder)
    rows = finding_rows(story)
    return fill(
        "report.html.j2",
        game=story.game,
        scenario=story.scenario,
        board=story.board,
        ground=story.board.markup,
        atlas=sprites.uri if sprites else "",
        sprites=sprites,
        style=(folder / "report.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=script_digest(),
        data=embedded(story.data(chapters, sprites)),
        findings=rows,
        counts=[(verdict.value, HEADINGS[verdict], _count(rows, verdict)) for verdict in Verdict],
        rules=sorted({row["rule"] for row in rows}),
        unchecked=[item for chapter in chapters for item in chapter.report.unchecked],
        remedies=list(
            dict.fromkeys(line for c in chapters for line in remedies(c.report.findings, c.report.counts))
        ),
        left=Left.of([chapter.report for chapter in chapters]),
        complete=all(chapter.report.complete for chapter in chapters),
        broken=[(chapter.name, chapter.report.broken) for chapter in chapters if chapter.report.broken],
        notes=notes,
        dice=dice,
        warnings=[note.text for note in notes if not note.harmless],
        actions=sum(chapter.report.actions for chapter in chapters),
        names=[chapter.name for chapter in chapters],
        verdict=_verdict(chapters, notes),
        version=__version__,
    )


def fill(template: str, **values: Any) -> str:
    """A page from a template, with what stands in the values made harmless."""
    folder = data.path("templates", "report")
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(template).render(**values)


def _script(folder: Path) -> str:
    parts = [(folder / "js" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS]
    return "(() => {\n'use strict';\n" + "\n".join(parts) + "\n})();"


def embedded(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _count(rows: Sequence[dict[str, Any]], verdict: Verdict) -> int:
    return sum(row["verdict"] == verdict.value for row in rows)


def _verdict(chapters: Sequence[Chapter], notes: Sequence[Note]) -> str:
    verdicts = {chapter.report.verdict for chapter in chapters}
    if "illegal" not in verdicts and any(not note.harmless for note in notes):
        return "broken"
    return next((word for word in ("illegal", "unreadable") if word in verdicts), "legal")
