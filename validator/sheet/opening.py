"""How a sheet begins: at the scenario's set-up, at the end of another file, or with what it says itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fieldpost.definition.model import Game, Scenario
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event
from validator.model.position import Position
from validator.sheet.forms import Context
from validator.sheet.tokens import Line, SheetError, Word, nearest, word
from validator.sheet.verbs import BY_NAME

EMPTY, PARTIAL = "empty", "partial"
GIVEN = ("place", "remove", "step", "mark", "unmark", "set", "draw", "return")  # and `control`
_FILE = re.compile(r"[^/\\\x00-\x1f:]{1,200}")


@dataclass
class Opening:
    """What the lines before the first turn say of the position."""

    line: Line | None = None  # the line `position ...`
    position: str = ""
    given: list[Event] = field(default_factory=list)
    control: dict[Hex, str] = field(default_factory=dict)

    @property
    def file(self) -> str | None:
        """The name of the file at whose end it begins."""
        return None if self.position in ("", EMPTY, PARTIAL) else self.position

    @property
    def said(self) -> bool:
        return bool(self.position or self.given or self.control)

    def error(self, message: str, hint: str | None = None) -> SheetError:
        assert self.line is not None
        return self.line.error(message, self.line.words[1], hint)

    def apply(self, position: Position) -> None:
        for event in self.given:
            position.apply(event)
        position.stated |= {event.marker for event in self.given if isinstance(event, ev.Pointed)}
        position.control.update(self.control)
        position.version += 1


def read_position(opening: Opening, line: Line) -> None:
    said = line.phrase("'empty', 'partial' or the name of a file")
    if opening.position:
        raise line.error("the position is named twice", line.words[0])
    if not _FILE.fullmatch(said.text) or said.text.startswith("."):
        raise line.error(
            f"{said.text!r} is no name of a file beside this sheet", said, "A name without folders, please."
        )
    opening.line, opening.position = line, said.text


def read_given(opening: Opening, line: Line, context: Context) -> None:
    verb = line.take("what is given")
    name = verb.text.lower()
    if name == "control":
        hexes = line.hexes()
        side = line.choice("side", [side.id for side in line.game.sides])
        opening.control.update(dict.fromkeys(hexes, side))
    elif name in GIVEN:
        opening.given += BY_NAME[name].read(line, context)
    else:
        raise line.error(f"{verb.text!r} cannot be given", verb, _hint(verb))


def _hint(verb: Word) -> str:
    return nearest(verb.text, (*GIVEN, "control")) or f"Given are: {', '.join(GIVEN)}, control."


def write_position(game: Game, scenario: Scenario, position: Position) -> str:
    """The head of a sheet that begins with this position, whatever led to it."""
    lines = [f"game {game.id} {scenario.id}", f"position {PARTIAL if position.partial else EMPTY}"]
    lines += [f"given {line}" for line in _lines(Context(game, scenario.sheet), position)]
    return "\n".join([*lines, "", f"turn {position.turn} {position.phase}", ""])


def _lines(context: Context, position: Position) -> Iterator[str]:
    events = [*_units(position), *_markers(position)]
    for event in events:
        name = _VERBS[type(event)]
        yield " ".join([name, *BY_NAME[name].write(event, context)])
    sides: dict[str, list[str]] = {}
    for hex_, side in sorted(position.control.items()):
        sides.setdefault(side, []).append(context.spot(hex_))
    for side, hexes in sides.items():
        for at in range(0, len(hexes), 100):
            yield f"control {'+'.join(hexes[at : at + 100])} {word(side)}"


_VERBS: dict[type[Event], str] = {
    ev.Placed: "place", ev.Marked: "mark", ev.Pointed: "set", ev.Returned: "return",
}  # fmt: skip


def _units(position: Position) -> Iterator[Event]:
    for unit in position.units.values():
        if unit.spot is not None:
            yield ev.Placed(unit.id, unit.spot, unit.step)
        for marker, face in unit.marks.items():
            yield ev.Marked(marker, unit.id, face)


def _markers(position: Position) -> Iterator[Event]:
    for hex_, marks in position.marks.items():
        for marker, face in marks.items():
            yield ev.Marked(marker, hex_, face)
    for marker, (box, face) in position.pointers.items():
        yield ev.Pointed(marker, box, face)
    for marker, boxes in position.spread.items():
        for box in sorted(boxes):
            yield ev.Pointed(marker, box)
    for deck, chits in position.decks.items():
        for chit in chits:
            yield ev.Returned(chit, deck)
