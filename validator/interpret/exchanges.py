"""Counters that give way to others: gathered from what left and what came, told as one event."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from validator.model import events as ev
from validator.model.events import Event, Spot

_HEIR = "breaks-into"  # the value of a unit type that names the type of what is left of it


@dataclass
class Exchange:
    """One declared exchange: open until something else is done."""

    kinds: Container[str] = ()  # the words that begin one
    why: str = ""
    gone: list[str] = field(default_factory=list)
    boxes: dict[str, str] = field(default_factory=dict)  # where those went that left for a box
    came: dict[str, int] = field(default_factory=dict)
    spot: Spot | None = None

    def open(self, what: str) -> None:
        self.why = what if what in self.kinds else ""
        self.gone, self.boxes, self.came, self.spot = [], {}, {}, None

    def goes_on(self, spot: Spot | None) -> bool:
        """Whether one is open, and in this hex."""
        return bool(self.why) and self.spot in (None, spot)

    def left(self, unit: str, spot: Spot | None, box: str | None) -> None:
        self.gone.append(unit)
        if box is not None:
            self.boxes[unit] = box
        self.spot = spot if self.spot is None else self.spot

    def entered(self, unit: str, step: int, spot: Spot) -> None:
        self.came[unit], self.spot = step, spot

    def turned(self, unit: str, step: int) -> bool:
        """A counter that has just come was turned to another step."""
        if unit in self.came:
            self.came[unit] = step
            return True
        return False

    def close(self) -> Iterator[Event]:
        """What happened, once nothing more belongs to it."""
        if self.gone and not self.came:
            yield from (ev.Removed(unit, self.boxes.get(unit)) for unit in self.gone)
        elif self.came and self.spot is not None:
            yield ev.Replaced(tuple(self.gone), tuple(self.came.items()), self.spot, self.why)
            yield from (ev.Removed(unit, box) for unit, box in self.boxes.items())
        self.open("")


def losses_replaced(events: list[Event], game: Game) -> Iterator[Event]:
    """A counter that left and one of its heirs that came to its hex next to it are one event."""
    at = 0
    while at < len(events):
        pair = events[at : at + 2]
        match pair:
            case [ev.Removed(old, _, _) as gone, ev.Placed(new, Hex() as spot, step)] | [
                ev.Placed(new, Hex() as spot, step),
                ev.Removed(old, _, _) as gone,
            ] if is_heir(game, new, old):
                at += 2
                step, taken = _turned(events[at : at + 1], new, step)
                at += taken
                yield ev.Replaced((old,), ((new, step),), spot, origin=replace(gone.origin, inferred=True))
            case _:
                at += 1
                yield pair[0]


def is_heir(game: Game, unit: str, of: str) -> bool:
    """Whether a counter is of the type that is left of another when it loses steps."""
    old, new = game.counter[of].type, game.counter[unit].type
    return game.unit_type[old].values.get(_HEIR) == new


def _turned(following: list[Event], unit: str, step: int) -> tuple[int, int]:
    """The step of a counter just placed, if it is turned at once."""
    match following:
        case [ev.StepChanged(turned, old, new, None)] if turned == unit and old == step:
            return new, 1
    return step, 0
