"""The page: a template, its style and its script made one file that needs no network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fieldpost.definition.model import Game, Scenario
from fieldpost.hexes import Hex
from fieldpost.pages import Pages, embedded
from validator.report import drawn
from validator.report.describe import HEADINGS, Namer, verdict_counts
from validator.report.html.board import Board, Pictures, Sprites, hexes_in_play
from validator.report.html.frames import Chapter, Film, film
from validator.report.html.story import Story, finding_rows
from validator.report.html.veil import Veil
from validator.report.left import Left, remedies

PAGES = Pages(
    "report",
    (
        *("js/state.js", "js/map.js", "js/carry.js", "js/overlay.js", "js/findings.js", "js/desk.js"),
        *("js/chronicle.js", "js/timeline.js", "js/play.js", "js/dice.js", "js/comments.js"),
        *("js/tabs.js", "js/theme.js", "js/main.js"),
    ),
    "report.css",
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
    view: str | None = None,
) -> str:
    """The report of one file, or of a game of many.

    `notes` are what else there is to say of the files, `dice` what chance says of the dice, `view` is the
    side whose concealed units are shown, or `veil.EVERYTHING`.
    """
    namer = Namer(game, scenario)
    veil = Veil(game, chapters, view)
    made = veil.film(film(game, scenario, chapters))
    board = _board(game, scenario, made, namer, pictures)
    chapters = [veil.chapter(chapter) for chapter in chapters]
    notes = [replace(note, text=veil.text_of(note.text)) for note in notes]
    if veil.remark:
        notes = [Note(veil.remark, harmless=True), *notes]
    story = Story(veil.game, scenario, made, board, namer)
    sprites = pictures.sprites(story.sprite_names()) if pictures else None
    return _fill(story, chapters, sprites, notes, dice)


def _board(game: Game, scenario: Scenario, made: Film, namer: Namer, pictures: Pictures | None) -> Board:
    spots = (state.spot for frame in made.frames for state in frame.units.values())
    hexes = hexes_in_play(game, scenario, (spot for spot in spots if isinstance(spot, Hex)))
    return (pictures.board(hexes) if pictures else None) or drawn.draw(game, hexes, namer)


def _fill(
    story: Story,
    chapters: Sequence[Chapter],
    sprites: Sprites | None,
    notes: Sequence[Note],
    dice: Sequence[Passage],
) -> str:
    reports = [chapter.report for chapter in chapters]
    rows = finding_rows(story)
    counts = verdict_counts(finding for finding, _ in story.film.findings)
    warnings = [note.text for note in notes if not note.harmless]
    return PAGES.fill(
        "report.html.j2",
        game=story.game,
        scenario=story.scenario,
        board=story.board,
        sprites=sprites,
        data=embedded(story.data(chapters, sprites)),
        findings=rows,
        counts=[(verdict.value, heading, counts[verdict]) for verdict, heading in HEADINGS.items()],
        rules=sorted({row["rule"] for row in rows}),
        remedies=dict.fromkeys(line for one in reports for line in remedies(one.findings, one.counts)),
        left=Left.of(reports),
        complete=all(report.complete for report in reports),
        chapters=chapters,
        notes=notes,
        dice=dice,
        warnings=warnings,
        actions=sum(report.actions for report in reports),
        names=[chapter.name for chapter in chapters],
        verdict=_verdict({report.verdict for report in reports}, broken=bool(warnings)),
    )


def _verdict(verdicts: set[str], *, broken: bool) -> str:
    """The gravest."""
    if broken:
        verdicts = {*verdicts, "broken"}
    return next((word for word in ("illegal", "broken", "unreadable") if word in verdicts), "legal")
