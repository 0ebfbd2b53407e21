"""Turn sheets told, so that a test can read what a player would."""

from __future__ import annotations

import functools

from fieldpost.definition import load
from fieldpost.definition.model import Game
from validator import sheet
from validator.model import position as positions
from validator.tell.chronicle import chronicle
from validator.tell.places import Gazetteer
from validator.tell.render import Telling

WFM = load("wfm")
LWE = load("lwe")
GAMES = {"wfm": WFM, "lwe": LWE}


@functools.cache
def game_of(name: str) -> Game:
    return GAMES.get(name) or load(name)


def telling(text: str, scenario: str = "turning-point", game: str = "wfm", **choice: object) -> Telling:
    read = sheet.read(f"game {game} {scenario}\n{text}", game_of)
    start = positions.start(read.game, read.scenario)
    position, events = start.copy(), []
    for event in read.events:
        events.append(sheet.expand(event, position))
        position.apply(events[-1])
    tale = chronicle(read.game, Gazetteer(read.game.map), [(start, events, "")])
    return Telling(read.game, read.scenario, tale, **choice)  # type: ignore[arg-type]


def told(text: str, scenario: str = "turning-point", game: str = "wfm", **choice: object) -> list[str]:
    """Every sentence of every phase."""
    found = telling(text, scenario, game, **choice)
    return [item.text for turn in found.turns for phase in turn.phases for item in found.teller.phase(phase)]
