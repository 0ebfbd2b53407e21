"""A tale as text, Markdown or data."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fieldpost.definition.model import Game, Scenario
from fieldpost.definition.scenariomodel import VictoryBand
from fieldpost.phrases import joined, listed, phrase
from validator.report.describe import Namer
from validator.tell.acts import Fight, Tale, TurnTale
from validator.tell.places import Gazetteer
from validator.tell.sentences import Teller, Told, losses, losses_text

WIDTH = 78
_MARKS = re.compile(r"[\\`*_\[\]<>#|]")


@dataclass(frozen=True)
class Telling:
    """A tale with what is needed to tell it. `turn` and `side` choose a part of it."""

    game: Game
    scenario: Scenario
    tale: Tale
    turn: int | None = None
    side: str | None = None

    @property
    def turns(self) -> list[TurnTale]:
        return [turn for turn in self.tale.turns if self.turn in (None, turn.number)]

    @property
    def namer(self) -> Namer:
        return Namer(self.game, self.scenario)

    @property
    def teller(self) -> Teller:
        return Teller(self.game, self.namer, Gazetteer(self.game.map), self.side)


def data(telling: Telling) -> dict[str, Any]:
    teller = telling.teller
    return {
        "game": telling.game.id,
        "scenario": telling.scenario.id,
        "turns": [_turn_data(telling, teller, turn) for turn in telling.turns],
        "losses": {side: dict(count) for side, count in losses(_fights(telling)).items()},
    }


def _turn_data(telling: Telling, teller: Teller, turn: TurnTale) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "date": turn.date,
        "season": turn.season,
        "phases": [
            {
                "phase": phase.phase,
                "name": phase.name,
                "side": phase.active,
                "told": [{"kind": told.kind, "text": told.text} for told in teller.phase(phase)],
            }
            for phase in turn.phases
        ],
        "taken": [
            {"name": town.name, "hex": telling.namer.hex(town.hex), "by": town.by, "before": town.before}
            for town in turn.taken
        ],
        "losses": {side: dict(count) for side, count in losses(turn.fights()).items()},
        "victory_points": turn.points or None,
        "victory": telling.namer.side(turn.outcome) or None,
    }


@dataclass(frozen=True)
class Form:
    """How the parts of a tale are written: each becomes lines."""

    title: Callable[[str], list[str]]
    heading: Callable[[str], list[str]]
    section: Callable[[str], list[str]]
    item: Callable[[str], list[str]]
    sums: Callable[[Sequence[str]], list[str]]
    after: Callable[[str], list[str]]


def text(telling: Telling) -> str:
    """For a terminal or a mail."""
    return _written(telling, _TEXT)


def markdown(telling: Telling) -> str:
    return _written(telling, _MARKDOWN)


def _written(telling: Telling, form: Form) -> str:
    lines = form.title(f"{telling.game.title}: {telling.scenario.title}")
    for heading, told, sums in _chapters(telling):
        lines += form.heading(heading)
        for name, sentences in told:
            lines += form.section(name)
            for item in sentences:
                lines += form.item(item.text)
        lines += form.sums(sums)
    for line in _after(telling):
        lines += form.after(line)
    return "\n".join(lines) + "\n"


def _chapters(telling: Telling) -> Iterator[tuple[str, list[tuple[str, list[Told]]], list[str]]]:
    """Each turn: its heading, its phases in which something happened, and its sum."""
    teller = telling.teller
    for turn in telling.turns:
        told = [(phase.name, sentences) for phase in turn.phases if (sentences := teller.phase(phase))]
        yield turn.heading, told, list(_sum(telling, turn))


def _sum(telling: Telling, turn: TurnTale) -> Iterator[str]:
    namer = telling.namer
    for side in telling.game.sides:
        towns = dict.fromkeys(town.name for town in turn.taken if town.by == side.id)
        if towns:
            yield f"Taken by the {side.name} side: {listed([*towns])}."
    lost = _losses_text(telling, losses(turn.fights()))
    if lost:
        yield f"Battle losses: {lost}."
    if turn.points:
        yield f"Victory points: {turn.points}{_level(telling, turn.points)}."
    if turn.outcome:
        yield f"The outcome as declared: {namer.side(turn.outcome)}."


def _after(telling: Telling) -> Iterator[str]:
    """The sum of it all, where more than one turn was told."""
    lost = _losses_text(telling, losses(_fights(telling)))
    if lost and len(telling.turns) > 1:
        yield f"Battle losses of all {len(telling.turns)} turns: {lost}."


def _fights(telling: Telling) -> list[Fight]:
    return [fight for turn in telling.turns for fight in turn.fights()]


def _losses_text(telling: Telling, found: Mapping[str, Counter[str]]) -> str:
    texts = {side.name: losses_text(found.get(side.id, Counter())) for side in telling.game.sides}
    return joined((phrase(f"{side} {{}}", text) for side, text in texts.items()), "; ")


def _level(telling: Telling, points: str) -> str:
    """What so many points would mean."""
    victory = telling.scenario.victory
    if victory is None or not points.lstrip("-").isdigit():
        return ""
    number = int(points)
    results = (band.result for band in victory.bands if _holds(band, number))
    return phrase(" ({}, if the game ended so)", next(results, ""))


def _holds(band: VictoryBand, number: int) -> bool:
    low, high = (number if end is None else end for end in (band.low, band.high))
    return low <= number <= high


# --- lines ---------------------------------------------------------------------------------------


def _bullet(text_: str) -> list[str]:
    return textwrap.wrap(text_, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _wrapped(text_: str) -> list[str]:
    return textwrap.wrap(text_, WIDTH, break_on_hyphens=False)


def _safe(text_: str) -> str:
    """As Markdown shows it, letter by letter."""
    return _MARKS.sub(r"\\\g<0>", text_)


_TEXT = Form(
    title=lambda title: [title],
    heading=lambda heading: ["", heading, "=" * len(heading)],
    section=lambda name: ["", name],
    item=_bullet,
    sums=lambda sums: ["", *(line for item in sums for line in _wrapped(item))] if sums else [],
    after=lambda item: ["", *_wrapped(item)],
)
_MARKDOWN = Form(
    title=lambda title: [f"# {_safe(title)}"],
    heading=lambda heading: ["", f"## {_safe(heading)}"],
    section=lambda name: ["", f"### {_safe(name)}", ""],
    item=lambda item: [f"- {_safe(item)}"],
    sums=lambda sums: [line for item in sums for line in ("", f"*{_safe(item)}*")],
    after=lambda item: ["", _safe(item)],
)
