"""Turns played in the real engine, as a player would: select, press, choose, drag, draw, undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from builder.module import keys
from builder.module.keys import Command, Tool
from fieldpost.definition.model import Game, Scenario
from fieldpost.vassal import steps
from fieldpost.vassal.keys import KeyStroke
from fieldpost.vassal.module import Module
from fieldpost.vassal.steps import Log
from validator.interpret import Reading, interpret

MAP = "Map"


@dataclass
class Script:
    """Actions for kit/harness/PlayLog.java; hexes as the board's labels."""

    module: Module
    board: str
    lines: list[str] = field(default_factory=list)

    def press(self, units: str, command: Command) -> None:
        """The key of a command, with these pieces selected."""
        self._add("key", units, _code(command.key))

    def choose(self, units: str, entry: str) -> None:
        self._add("menu", units, entry)

    def drag(self, units: str, *labels: str) -> None:
        """One drag to each hex in turn."""
        for label in labels:
            self._add("drag", units, MAP, *self._point(label))

    def drop(self, units: str, map_name: str, x: int, y: int) -> None:
        """One drag to a point of any map."""
        self._add("drag", units, map_name, str(x), str(y))

    def lay(self, units: str, zone: str) -> None:
        """One drag into a box, by its name."""
        boards = self.module.root.all(".Board")
        board = next(board for board in boards if board.get("name") == self.board)
        path = next(zone_.get("path") for zone_ in board.all(".Zone") if zone_.get("name") == zone)
        corners = [tuple(map(int, corner.split(","))) for corner in path.split(";")]
        x, y = (sum(values) // len(values) for values in zip(*corners, strict=True))
        self.drop(units, MAP, x, y)

    def draw(self, deck: str, label: str) -> None:
        self._add("draw", deck, MAP, *self._point(label))

    def draw_to(self, deck: str, map_name: str, x: int, y: int) -> None:
        """The next card of a deck, to a point of any map."""
        self._add("draw", deck, map_name, str(x), str(y))

    def button(self, text: str) -> None:
        self._add("button", text)

    def hotkey(self, tool: Tool, times: int = 1) -> None:
        assert tool.key is not None
        for _ in range(times):
            self._add("hotkey", _code(tool.key))

    def dice(self, *values: int) -> None:
        """What the next dice show."""
        self._add("dice", ",".join(map(str, values)))

    def roll(self, number: int) -> None:
        """The key of the dice for the n-th reason."""
        key = keys.die(number)
        assert key is not None
        self._add("hotkey", _code(key))

    def take(self, name: str, label: str) -> None:
        """Drag a counter out of the palette."""
        self._add("take", name, MAP, *self._point(label))

    def click(self, label: str, up: int = 0) -> None:
        """Which piece a click selects, for `clicked` of the report: `up` pixels above the middle of a hex."""
        x, y = self.module.pixel(MAP, label, self.board)
        self._add("click", MAP, str(x), str(y - up))

    def say(self, text: str) -> None:
        self._add("say", text)

    def sit(self, side: str) -> None:
        """Take a side, by its name."""
        self._add("side", side)

    def undo(self) -> None:
        self._add("undo")

    def _point(self, label: str) -> Sequence[str]:
        return [str(number) for number in self.module.pixel(MAP, label, self.board)]

    def _add(self, *fields: str) -> None:
        self.lines.append("\t".join(fields))


def inputs(lines: Sequence[str]) -> int:
    """How many clicks, keys and drags a player makes: a click for each counter selected, one for all else."""
    fields = [line.split("\t") for line in lines]
    return sum(
        len(names.split(",")) + 1 if kind in ("key", "menu") else 1
        for kind, names, *_ in ([*each, ""] for each in fields)
    )


def _code(key: KeyStroke) -> str:
    return f"{key.code},{key.modifiers}"


@dataclass(frozen=True)
class Played:
    file: Path
    report: dict[str, Any]
    log: Log
    reading: Reading

    @property
    def lines(self) -> list[str]:
        """The lines of the protocol in the order they were written, undone ones too."""
        said = [command for step in self.log.steps for command in step.commands if "[fp] " in command]
        return [text[text.index("[fp] ") + 5 :] for text in said]


def play(
    engine: ModuleType,
    module: Path,
    script: Script,
    file: Path,
    game: Game,
    scenario: Scenario,
    wizard: bool = False,
) -> Played:
    report = engine.play_log(module, "\n".join(script.lines) + "\n", file, scenario.title, wizard)
    log = steps.read(file)
    return Played(file, report, log, interpret(log, game, scenario))
