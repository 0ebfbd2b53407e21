"""What the game sees: the events a log or a turn sheet is read into, and the position is made of.

A spot is where a counter can be: a hex, or the id of a box beside the map.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fieldpost.hexes import Hex

Spot = Hex | str

AFTER_COMBAT = ("retreat", "advance")
"""Modes in which units move because of a battle."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an event was read: the file, and the step of the log or the line of the turn sheet."""

    source: str = ""
    step: int = 0
    inferred: bool = False  # the log does not say so; it was concluded from what pieces did


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    origin: Origin = field(default=Origin(), compare=False)

    def at(self, origin: Origin) -> Event:
        return replace(self, origin=origin)

    @property
    def concerned(self) -> tuple[str, ...]:
        """The units it is about."""
        return ()

    @property
    def comes_to(self) -> Spot | None:
        """The hex or box that units come to by it."""
        return None


def _named(unit: str | None) -> tuple[str, ...]:
    """The unit that something is about, if it is about one."""
    return () if unit is None else (unit,)


@dataclass(frozen=True, slots=True)
class UnitEvent(Event):
    """What befalls one unit."""

    unit: str

    @property
    def concerned(self) -> tuple[str, ...]:
        return (self.unit,)


@dataclass(frozen=True, slots=True)
class MarkerEvent(Event):
    """What befalls a marker on a unit or a hex."""

    marker: str
    on: str | Hex  # a unit id, or a hex

    @property
    def concerned(self) -> tuple[str, ...]:
        return (self.on,) if isinstance(self.on, str) else ()


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    turn: int
    phase: str


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """Counters went from the first hex of the path to the last. `mode` is "" if nothing was declared."""

    units: tuple[str, ...]
    path: tuple[Spot, ...]  # the start, the way-points shown, the end
    mode: str = ""  # march, sea, strategic, rail, retreat, advance, airbase ...
    battle: int | None = None
    dragged: bool = field(default=False, compare=False)  # only ends are known: of drags, by whatever way
    implied: bool = field(default=False, compare=False)  # no hand wrote the number of its battle

    @property
    def start(self) -> Spot:
        return self.path[0]

    @property
    def end(self) -> Spot:
        return self.path[-1]

    @property
    def ends_elsewhere(self) -> bool:
        """Whether it ends in another spot than it began in."""
        return self.path[0] != self.path[-1]

    @property
    def by_battle(self) -> bool:
        return self.mode in AFTER_COMBAT

    @property
    def by_land(self) -> bool:
        """A move from hex to hex that is no retreat and no advance."""
        return not self.by_battle and str not in map(type, self.path)

    @property
    def concerned(self) -> tuple[str, ...]:
        return self.units

    @property
    def comes_to(self) -> Spot:
        return self.path[-1]

    @property
    def entered(self) -> tuple[Hex, ...]:
        """The hexes units came into; a path shown by its ends tells of its end."""
        return tuple(spot for spot in self.path[1:] if isinstance(spot, Hex))


@dataclass(frozen=True, slots=True)
class StepChanged(UnitEvent):
    old: int
    new: int  # a greater number is a weaker step; 1 is full strength
    battle: int | None = None

    @property
    def gained(self) -> bool:
        return self.new < self.old


@dataclass(frozen=True, slots=True)
class Placed(UnitEvent):
    """A unit that was not on the map or in a box came there."""

    spot: Spot
    step: int = 1

    @property
    def comes_to(self) -> Spot:
        return self.spot

    @property
    def entered(self) -> tuple[Hex, ...]:
        return (self.spot,) if isinstance(self.spot, Hex) else ()


@dataclass(frozen=True, slots=True)
class Removed(UnitEvent):
    """A unit left the map for a box, or the game."""

    box: str | None = None
    battle: int | None = None

    @property
    def comes_to(self) -> Spot | None:
        return self.box


@dataclass(frozen=True, slots=True)
class Replaced(Event):
    """Counters gave way to others in one hex: breakdown, buildup, conversion, step exchange."""

    old: tuple[str, ...]
    new: tuple[tuple[str, int], ...]  # unit and step
    spot: Spot
    why: str = ""

    @property
    def concerned(self) -> tuple[str, ...]:
        return (*self.old, *self.comers)

    @property
    def comers(self) -> tuple[str, ...]:
        """The units that take the place of others."""
        return tuple(name for name, _ in self.new)

    @property
    def comes_to(self) -> Spot:
        return self.spot


@dataclass(frozen=True, slots=True)
class Marked(MarkerEvent):
    """A marker was put on a unit or a spot, or turned to another face."""

    face: int = 1


@dataclass(frozen=True, slots=True)
class Unmarked(MarkerEvent):
    """A marker was taken off."""


@dataclass(frozen=True, slots=True)
class Pointed(Event):
    """A marker was put into a box beside the map, where it tells something: points, the weather."""

    marker: str
    box: str
    face: int = 1


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """A chit was drawn from a deck for a unit, or for nothing that the log shows."""

    marker: str
    deck: str
    unit: str | None = None

    @property
    def concerned(self) -> tuple[str, ...]:
        return _named(self.unit)


@dataclass(frozen=True, slots=True)
class Returned(Event):
    """A chit went back into a deck, or out of the game if there is no deck. `unit` carried it."""

    marker: str
    deck: str | None
    unit: str | None = None

    @property
    def concerned(self) -> tuple[str, ...]:
        return _named(self.unit)


@dataclass(frozen=True, slots=True)
class Attacked(Event):
    """An attack, or an overrun, was declared."""

    battle: int
    units: tuple[str, ...]
    targets: tuple[Hex, ...]
    overrun: bool = False
    support: tuple[str, ...] = ()  # air, siege-gun, offensive-support ... as declared
    column: str | None = None  # odds as announced

    @property
    def concerned(self) -> tuple[str, ...]:
        return self.units


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    values: tuple[int, ...]
    sides: int = 6
    reason: str = ""
    about: str | None = None  # a unit, if the roll is for one
    battle: int | None = None

    @property
    def concerned(self) -> tuple[str, ...]:
        return _named(self.about)

    def is_one(self, sides: int) -> bool:
        """A single die of so many sides."""
        return len(self.values) == 1 and self.sides == sides


@dataclass(frozen=True, slots=True)
class RoundBegan(Event):
    """A round of a battle of many rounds began; `under` are the headquarters that order it."""

    battle: int
    number: int
    under: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fired(Event):
    """A volley: the units' dice in the order of the units, each a hit at `value` or less.

    `support` are units whose help is counted in the value. `aimed` are the units fired at, where a die is for
    one of them. The manner is "" for a round of a battle; else anti-air, salvo, interception ...
    """

    units: tuple[str, ...]
    value: int
    values: tuple[int, ...]
    sides: int = 12
    support: tuple[str, ...] = ()
    aimed: tuple[str, ...] = ()
    manner: str = ""
    battle: int | None = None

    @property
    def concerned(self) -> tuple[str, ...]:
        return self.units

    @property
    def hits(self) -> int:
        return sum(die <= self.value for die in self.values)

    @property
    def reason(self) -> str:
        return self.manner or "fire"


Thrown = Rolled | Fired
"""Dice that fell."""


@dataclass(frozen=True, slots=True)
class ResultNamed(Event):
    """The players said what the result of a battle or a roll is."""

    result: str
    battle: int | None = None


@dataclass(frozen=True, slots=True)
class Declared(Event):
    """Anything else a player declared: expend a depot, use an option, a supply state, a choice."""

    what: str
    units: tuple[str, ...] = ()
    hexes: tuple[Hex, ...] = ()
    value: str = ""

    @property
    def number(self) -> int | None:
        """The value, if it is a whole number."""
        return int(self.value) if self.value.lstrip("-").isdigit() else None

    @property
    def concerned(self) -> tuple[str, ...]:
        return self.units


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """Steps that were taken back; they are evidence, and no longer part of the game."""

    steps: tuple[int, ...]
    rolls: int = 0
    values: tuple[int, ...] = field(default=(), compare=False)  # what the dice showed, if a log tells


@dataclass(frozen=True, slots=True)
class Doubled(Event):
    """A second counter of a unit that is in play already was laid out."""

    unit: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class OtherDie(Event):
    """A battle got no die of its own, but one fell for something else while it waited."""

    battle: int
    reason: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Undeclared(Event):
    """In the combat phase that has begun a log declares no battle, or shows the dice of none.

    `talk` are the steps of chat about one.
    """

    talk: tuple[int, ...] = ()
    without_dice: bool = False


@dataclass(frozen=True, slots=True)
class ClockUnknown(Event):
    """The tracker of a log shows the first phase of the scenario, and the board that more has been played."""

    differences: tuple[str, ...] = ()  # from the set-up


@dataclass(frozen=True, slots=True)
class Said(Event):
    text: str


@dataclass(frozen=True, slots=True)
class NotUnderstood(Event):
    """A line that is written as our modules write, with a word that the game does not know."""

    text: str
    nearest: str = ""  # the known word that comes nearest


@dataclass(frozen=True, slots=True)
class Unread(Event):
    """Something the log shows that no rule can be asked about, and why."""

    reason: str
    text: str = ""
