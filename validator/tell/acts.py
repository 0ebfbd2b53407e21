"""What happened, as data: the acts that a turn is told in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from fieldpost.hexes import Hex
from validator.model.events import Spot


@dataclass
class Act:
    KIND: ClassVar[str] = "act"


@dataclass
class March(Act):
    """One unit's way through a phase, from where it stood to where it came."""

    KIND = "move"
    unit: str
    side: str
    start: Spot
    end: Spot
    mode: str = ""
    round: int = 0  # of the battle that it belongs to


@dataclass
class Loss:
    """What a battle cost a unit. `into` are the counters that took its place."""

    unit: str
    side: str
    steps: int = 0
    gone: bool = False
    into: tuple[str, ...] = ()
    round: int = 0


@dataclass(frozen=True)
class Volley:
    """What units of a side threw in a round of a battle."""

    round: int
    side: str
    units: tuple[str, ...]
    value: int
    values: tuple[int, ...]
    hits: int


@dataclass
class Fight(Act):
    KIND = "battle"
    number: int
    side: str
    attackers: tuple[str, ...]
    targets: tuple[Hex, ...]
    defenders: tuple[str, ...]
    overrun: bool = False
    support: tuple[str, ...] = ()
    column: str = ""
    strengths: dict[str, str] = field(default_factory=dict)  # what a chit said of a unit
    dice: list[int] = field(default_factory=list)
    rounds: int = 0
    volleys: list[Volley] = field(default_factory=list)
    result: str = ""
    losses: list[Loss] = field(default_factory=list)
    retreats: list[March] = field(default_factory=list)
    advances: list[March] = field(default_factory=list)

    @property
    def won(self) -> bool:
        """Whether an attacker came into a hex that was attacked, or no defender stayed."""
        left = {loss.unit for loss in self.losses if loss.gone} | {march.unit for march in self.retreats}
        return any(march.end in self.targets for march in self.advances) or left.issuperset(self.defenders)

    def holds(self, unit: str) -> bool:
        return unit in self.attackers or unit in self.defenders or self.heir(unit)

    def heir(self, unit: str) -> bool:
        return any(unit in loss.into for loss in self.losses)


@dataclass
class Transfer(March):
    """From box to box."""

    KIND = "transfer"


@dataclass
class Arrival(Act):
    KIND = "arrival"
    unit: str
    side: str
    spot: Spot


@dataclass
class Departure(Act):
    KIND = "departure"
    unit: str
    side: str
    start: Spot | None
    box: str | None


@dataclass
class Exchange(Act):
    KIND = "exchange"
    old: tuple[str, ...]
    new: tuple[str, ...]
    side: str
    spot: Spot
    why: str = ""


@dataclass
class Steps(Act):
    KIND = "steps"
    unit: str
    side: str
    lost: int  # below zero: got back


@dataclass
class Mark(Act):
    KIND = "mark"
    marker: str
    face: int
    on: str | Hex
    side: str | None
    off: bool = False


@dataclass
class Weather(Act):
    """A weather marker was put into a box beside the map."""

    KIND = "weather"
    marker: str
    box: str


@dataclass
class Dice(Act):
    KIND = "dice"
    reason: str
    values: tuple[int, ...]
    about: str | None


@dataclass
class Shot(Act):
    """A volley outside the rounds of a battle: guns at planes, planes at planes, a salvo."""

    KIND = "volley"
    manner: str
    units: tuple[str, ...]
    aimed: tuple[str, ...]
    values: tuple[int, ...]
    hits: int


@dataclass
class Word(Act):
    """A declaration."""

    KIND = "declaration"
    what: str
    value: str
    units: tuple[str, ...]
    hexes: tuple[Hex, ...]


@dataclass
class Remark(Act):
    """Something about the files: one is missing here."""

    KIND = "remark"
    text: str


@dataclass(frozen=True)
class Taken:
    """A town that changed hands."""

    hex: Hex
    name: str
    by: str
    before: str | None


@dataclass
class PhaseTale:
    phase: str
    name: str
    active: str
    acts: list[Act] = field(default_factory=list)


@dataclass
class TurnTale:
    number: int
    date: str
    season: str
    phases: list[PhaseTale] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    points: str = ""  # victory points as declared
    outcome: str = ""  # what they mean, if the game is over

    def fights(self) -> list[Fight]:
        return [act for phase in self.phases for act in phase.acts if isinstance(act, Fight)]


@dataclass(frozen=True)
class Tale:
    turns: list[TurnTale]
