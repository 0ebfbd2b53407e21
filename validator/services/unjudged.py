"""What a report could not judge, as lines of a turn sheet to be filled in."""

from __future__ import annotations

from dataclasses import replace

from fieldpost.definition.model import Game, Scenario
from validator import sheet
from validator.model.events import Event, Fired, Rolled, Said
from validator.model.findings import NotJudged, Report
from validator.sheet.forms import roll_text

ATTACK = "attack UNITS x HEX"


def with_lines(report: Report, game: Game, scenario: Scenario) -> Report:
    items = [replace(item, line=_line(item, game, scenario)) for item in report.not_judged]
    return replace(report, not_judged=tuple(items))


def _line(item: NotJudged, game: Game, scenario: Scenario) -> str:
    if isinstance(item.event, Said):
        return f"the chat tells of a battle: {ATTACK}"
    return _of_event(item.event, game, scenario)


def _of_event(event: Event, game: Game, scenario: Scenario) -> str:
    match event:
        case Rolled(values, sides):
            return f"{ATTACK} : {roll_text(values, sides)}"
        case Fired():
            return f"{ATTACK}, then: {sheet.line(game, scenario, event)}"
    try:
        return sheet.line(game, scenario, event).removesuffix(" in none")
    except TypeError:  # no verb of sheets says it
        return type(event).__name__.lower()
