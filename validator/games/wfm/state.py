"""What this game remembers of a phase, of a turn and of the whole game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.capacity import Capacity
from validator.core.sequence import Progress
from validator.engine import case
from validator.model.events import Spot
from validator.procedures.marches import Stages, Trip
from validator.procedures.strengthchits import Chits

if TYPE_CHECKING:
    from validator.games.wfm.battles import Battle
    from validator.games.wfm.c09_supply import Supply


# --- losses and returns -------------------------------------------------------------------------------------


@dataclass
class Loss:
    """A unit that was lost, and the rule of its return. `answered` once what it brings has come."""

    unit: str
    turn: int
    phase: str
    spot: Spot | None
    rule: str
    since: int  # the number of the event from which on dice may be for it
    answered: bool = False


@dataclass(frozen=True)
class Die:
    """A die for the return of a lost unit."""

    number: int  # of the event
    kind: str  # headquarters, army, or "" if its reason does not say
    about: str | None
    value: int


@dataclass(frozen=True)
class Conversion:
    """A regular army that gave way to another, and the strength markers it had had in this phase."""

    old: str
    new: str
    markers: tuple[str, ...]


@dataclass(frozen=True)
class Recovery:
    """An army whose strength marker was turned to its full side."""

    army: str
    spot: Hex


# --- what lasts how long ----------------------------------------------------------------------------------

Worth = tuple[str, tuple[str, ...]]
"""Type and steps: counters alike in these may stand for each other (16.2)."""


@dataclass
class InPhase(Stages, case.Memory):
    trips: dict[str, Trip] = field(default_factory=dict)
    last_moved: tuple[str, ...] = ()
    dropped: set[str] = field(default_factory=set)  # left behind by a stack that went on (5.12)
    ships: Capacity = field(default_factory=lambda: Capacity("sea-capacity", Fraction(1), shared_route=True))
    battles: list[Battle] = field(default_factory=list)
    progress: dict[str, Progress] = field(default_factory=dict)  # by side, of the steps of the phase (3.0)
    entered: dict[Hex, str] = field(default_factory=dict)  # hexes that changed or kept their holder (5.72)
    fortresses_fallen: set[Hex] = field(default_factory=set)  # in this phase (8.47)
    expended: dict[str, HexId] = field(default_factory=dict)  # depots, and where they stood (9.26)
    partisans_taken_up: dict[str, Hex] = field(default_factory=dict)  # 9.84
    chits: Chits = field(default_factory=Chits)  # 7.1, 7.2
    evacuated: int = 0  # factories (12.3)
    produced: int = 0  # offensive support groups (12.2)
    conversions: list[Conversion] = field(default_factory=list)  # 13.2
    drops: dict[str, Hex] = field(default_factory=dict)  # airborne corps (13.4)
    withdrawn: list[str] = field(default_factory=list)  # airbases (13.7)
    regrouped: set[str] = field(default_factory=set)  # units that had their one action (14.25)
    misgrouped: set[Hex] = field(default_factory=set)  # hexes where that was found wrong
    divided: bool = False  # an army broke down (20.2)
    recoveries: list[Recovery] = field(default_factory=list)  # 14.4
    overstacked: set[HexId] = field(default_factory=set)  # reported at the end of a battle (8.105)


@dataclass
class InTurn(case.Memory):
    modes: dict[str, set[tuple[str, str]]] = field(default_factory=dict)  # by unit: phase and way (5.6)
    eliminated: list[str] = field(default_factory=list)  # in battles
    fleets_placed: set[str] = field(default_factory=set)  # 10.12
    partisans_set: Counter[str] = field(default_factory=Counter)  # how often (9.81)
    arrived: set[str] = field(default_factory=set)  # units that came onto the map (13.1)
    supply: Supply | None = None  # as the supply phase found it (13.15)


@dataclass
class InGame(case.Memory):
    fortresses_fallen: set[Hex] = field(default_factory=set)  # 8.47
    lost: dict[str, Loss] = field(default_factory=dict)  # the last loss of every unit (13.5)
    return_dice: list[Die] = field(default_factory=list)
    entered: Counter[Worth] = field(default_factory=Counter)  # reinforcements so far (13.11)
    dropped: set[str] = field(default_factory=set)  # airborne corps (13.44)
    withdrawn: set[str] = field(default_factory=set)  # airbases out of the game (13.7)
    overfull: dict[HexId, frozenset[str]] = field(default_factory=dict)  # as the last phase left them
    moscow_entered: bool = False  # by an Axis unit (9.32, 19.43)
    moscow_rolled: bool = False
    claimed: int | None = None  # victory points, as named last


Case = case.Case[InGame, InTurn, InPhase]
