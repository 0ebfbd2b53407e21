"""What happened, as data: the acts that a turn is told in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar, TypeVar

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex
from fieldpost.phrases import joined, phrase
from validator.model.events import Spot

ELIMINATED, REDUCED = "eliminated", "reduced"


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

    @property
    def reduced(self) -> int:
        """The steps lost by a unit that is still there."""
        return 0 if self.gone or self.into else self.steps

    @property
    def fate(self) -> str:
        """Empty for a unit that can take no loss any more."""
        if self.gone:
            return ELIMINATED
        return REDUCED if self.into or self.steps else ""


R = TypeVar("R", March, Loss)


@dataclass(frozen=True)
class Volley:
    """What units of a side threw in a round of a battle."""

    round: int
    side: str
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
        """Also one that took the place of another."""
        heirs = chain.from_iterable(loss.into for loss in self.losses)
        return unit in (*self.attackers, *self.defenders, *heirs)

    @property
    def cost(self) -> bool:
        """Whether anything came of it."""
        return any((self.losses, self.retreats, self.advances))

    def of_round(self, number: int) -> Fight:
        """With what came of one round alone."""
        return replace(
            self,
            losses=_of(self.losses, number),
            retreats=_of(self.retreats, number),
            advances=_of(self.advances, number),
        )


def _of(events: Iterable[R], number: int) -> list[R]:
    return [event for event in events if event.round == number]


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

    @property
    def books(self) -> bool:
        """Whether it is a number in an account."""
        return self.value.lstrip("+-").isdecimal() and not (self.units or self.hexes)


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

    @property
    def fights(self) -> list[Fight]:
        return [act for act in self.acts if isinstance(act, Fight)]


@dataclass
class TurnTale:
    number: int
    date: str
    season: str
    phases: list[PhaseTale] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    points: str = ""  # victory points as declared
    outcome: str = ""  # what they mean, if the game is over

    @classmethod
    def of(cls, game: Game, number: int) -> TurnTale:
        turn = game.turn.get(number)
        date, season = (turn.date, turn.season) if turn else ("", "")
        return cls(number, date, season)

    @property
    def heading(self) -> str:
        return f"Turn {self.number}{phrase(': {}', joined((self.date, self.season)))}"

    def fights(self) -> list[Fight]:
        return [fight for phase in self.phases for fight in phase.fights]


@dataclass(frozen=True)
class Tale:
    turns: list[TurnTale]
