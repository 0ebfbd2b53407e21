"""A tale as text, Markdown or data."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fieldpost.definition.model import Game, Scenario
from fieldpost.definition.scenariomodel import VictoryBand
from fieldpost.phrases import listed
from validator.report.describe import Namer
from validator.tell.acts import Tale, TurnTale
from validator.tell.places import Gazetteer
from validator.tell.wording import Teller, Told, losses, losses_text

WIDTH = 78


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
        "victory": _outcome(telling, turn) or None,
    }


def text(telling: Telling) -> str:
    """For a terminal or a mail."""
    lines = [f"{telling.game.title}: {telling.scenario.title}"]
    for heading, told, last in _chapters(telling):
        lines += ["", heading, "=" * len(heading)]
        for name, sentences in told:
            lines += ["", name]
            lines += [line for item in sentences for line in _bullet(item.text)]
        lines += ["", *(line for item in last for line in _wrapped(item))] if last else []
    return "\n".join([*lines, *_after(telling, _wrapped)]) + "\n"


def markdown(telling: Telling) -> str:
    lines = [f"# {_safe(telling.game.title)}: {_safe(telling.scenario.title)}"]
    for heading, told, last in _chapters(telling):
        lines += ["", f"## {_safe(heading)}"]
        for name, sentences in told:
            lines += ["", f"### {_safe(name)}", "", *(f"- {_safe(item.text)}" for item in sentences)]
        for item in last:
            lines += ["", f"*{_safe(item)}*"]
    return "\n".join([*lines, *_after(telling, lambda item: [_safe(item)])]) + "\n"


def _chapters(telling: Telling) -> Iterator[tuple[str, list[tuple[str, list[Told]]], list[str]]]:
    """Each turn: its heading, its phases in which something happened, and its sum."""
    teller = telling.teller
    for turn in telling.turns:
        told = [(phase.name, sentences) for phase in turn.phases if (sentences := teller.phase(phase))]
        yield _heading(turn), told, list(_sum(telling, turn))


def _heading(turn: TurnTale) -> str:
    about = ", ".join(part for part in (turn.date, turn.season) if part)
    return f"Turn {turn.number}{f': {about}' if about else ''}"


def _sum(telling: Telling, turn: TurnTale) -> Iterator[str]:
    namer = telling.namer
    for side in telling.game.sides:
        towns = [town.name for town in turn.taken if town.by == side.id]
        if towns:
            yield f"Taken by the {side.name} side: {listed(list(dict.fromkeys(towns)))}."
    lost = _losses_text(telling, losses(turn.fights()))
    if lost:
        yield f"Battle losses: {lost}."
    if turn.points:
        yield f"Victory points: {turn.points}{_level(telling, turn.points)}."
    if turn.outcome:
        yield f"The outcome as declared: {namer.side(turn.outcome)}."


def _after(telling: Telling, shaped: Callable[[str], list[str]]) -> Iterator[str]:
    """The sum of it all, where more than one turn was told."""
    if len(telling.turns) > 1:
        lost = _losses_text(telling, losses(_fights(telling)))
        if lost:
            yield ""
            yield from shaped(f"Battle losses of all {len(telling.turns)} turns: {lost}.")


def _fights(telling: Telling) -> list[Any]:
    return [fight for turn in telling.turns for fight in turn.fights()]


def _losses_text(telling: Telling, found: dict[str, Any]) -> str:
    parts = [
        f"{side.name} {losses_text(found[side.id])}" for side in telling.game.sides if found.get(side.id)
    ]
    return "; ".join(parts)


def _level(telling: Telling, points: str) -> str:
    band = _band(telling, points)
    return f" ({band.result}, if the game ended so)" if band else ""


def _band(telling: Telling, points: str) -> VictoryBand | None:
    victory = telling.scenario.victory
    if victory is None or not points.lstrip("-").isdigit():
        return None
    number = int(points)
    bands = (
        b
        for b in victory.bands
        if (b.low is None or b.low <= number) and (b.high is None or number <= b.high)
    )
    return next(bands, None)


def _outcome(telling: Telling, turn: TurnTale) -> str:
    return telling.namer.side(turn.outcome)


# --- lines ---------------------------------------------------------------------------------------


def _bullet(text_: str) -> list[str]:
    return textwrap.wrap(text_, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _wrapped(text_: str) -> list[str]:
    return textwrap.wrap(text_, WIDTH, break_on_hyphens=False)


def _safe(text_: str) -> str:
    """As Markdown shows it, letter by letter."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in text_)
