"""A desk to write logs on: the set-up of Turning Point, things done to it, and what is read of them."""

from __future__ import annotations

from players.logs import LogWriter, plain_board
from players.table import game_of
from validator.interpret import Reading, interpret
from validator.model.events import Event, Said

GAME = game_of()
SCENARIO = GAME.scenario["turning-point"]


class Desk(LogWriter):
    def __init__(self) -> None:
        super().__init__(plain_board(GAME, SCENARIO), GAME, SCENARIO)

    def drag(self, units: str, *labels: str) -> None:
        """One drag for each hex; units joined by + go together."""
        for label in labels:
            pieces = [piece for unit in units.split("+") for piece in self._load(unit)]
            self._move(pieces, GAME.map.lattice.hex(label, "E"), "moved")

    def unit(self, name: str) -> str:
        return self._unit(name).id

    def chit(self, marker: str, unit: str) -> str:
        return self._chit(marker, unit).id

    def reading(self) -> Reading:
        return interpret(self.log(), GAME, SCENARIO)

    def events(self) -> list[Event]:
        return [event for event in self.reading().events if not isinstance(event, Said)]


def hex_(label: str) -> object:
    return GAME.map.lattice.hex(label, "E")


def hexes(*labels: str) -> tuple[object, ...]:
    return tuple(map(hex_, labels))
