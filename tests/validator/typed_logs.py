"""Logs made of lines of turn sheets: what is typed is done to the pieces of a built module."""

from __future__ import annotations

from pathlib import Path

from players.logs import LogWriter, plain_board
from players.table import game_of
from validator import sheet
from validator.model import position as positions
from validator.model.events import Event
from validator.model.position import Position


class Table:
    """A game at its set-up; `play` does what lines say, `cut` gives the log up to here."""

    def __init__(self, game: str, scenario: str) -> None:
        self.game, self.scenario = game_of(game), game_of(game).scenario[scenario]
        self.writer = LogWriter(plain_board(self.game, self.scenario), self.game, self.scenario)
        self.position: Position = positions.start(self.game, self.scenario)
        self._head = f"game {game} {scenario}"

    def events(self, *lines: str) -> list[Event]:
        read = sheet.read("\n".join([self._head, *lines]), lambda _: self.game)
        played = []
        for event in read.events:
            event = sheet.expand(event, self.position)
            self.position.apply(event)
            played.append(event)
        return played

    def play(self, *lines: str) -> None:
        self.writer.write(self.events(*lines))

    def drag(self, units: str, *labels: str) -> None:
        """By hand, without a word; a drag for each hex."""
        for label in labels:
            hex_ = self.game.map.lattice.hex(label, self.scenario.sheet)
            pieces = [piece for unit in units.split("+") for piece in self.writer._load(unit)]
            self.writer._move(pieces, hex_, "moved")
            for unit in units.split("+"):
                self.position.put(unit, hex_)

    def say(self, text: str) -> None:
        self.writer.builder.say("player", text)

    def cut(self, path: Path) -> Path:
        path.write_bytes(self.writer.cut())
        return path
