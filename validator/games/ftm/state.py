"""What this game remembers of a phase, of a turn and of the whole game."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.capacity import Capacity
from validator.core.sequence import Progress
from validator.engine import case
from validator.procedures import battlebook
from validator.procedures.marches import Stages, Trip
from validator.procedures.strengthchits import Chits

Party = battlebook.Party
Battle = battlebook.Battle[battlebook.Party]


@dataclass
class InPhase(Stages, case.Memory):
    battles: list[Battle] = field(default_factory=list)
    chits: Chits = field(default_factory=Chits)
    trips: dict[str, Trip] = field(default_factory=dict)
    ships: Capacity = field(default_factory=lambda: Capacity("sea-capacity", Fraction(1), shared_route=True))
    progress: dict[str, Progress] = field(default_factory=dict)  # by side, of the steps of the phase (3.1)
    expended: dict[str, HexId] = field(default_factory=dict)  # supply bases, and where they stood (9.3.4)
    airlifted: set[str] = field(default_factory=set)  # units of air supply missions (14.2)
    taken_up: dict[str, Hex] = field(default_factory=dict)  # 10.5
    partisans_at_start: dict[str, Hex] = field(default_factory=dict)
    evacuated: int = 0  # factories (12.2)
    produced: int = 0  # Offensive Support units (12.1)
    converted: int = 0  # armies (17.2)
    points: int = 0  # replacement points spent (15.1)


@dataclass
class InTurn(case.Memory):
    railed: set[str] = field(default_factory=set)  # units that used strategic movement (5.3)
    shipped: set[str] = field(default_factory=set)  # units that went by sea (5.5)
    missions: int = 0  # of air units (14.0)


@dataclass
class InGame(case.Memory):
    lost: dict[str, int] = field(default_factory=dict)  # by unit, the turn of its last loss (9.1.3)
    air_units: int | None = None  # how many lay in their box at the start (14.0)
    engaged: set[str] = field(default_factory=set)  # units that partisans marked last turn (10.1)
    overfull: dict[HexId, frozenset[str]] = field(default_factory=dict)  # as the last phase left them
    assets: set[str] = field(default_factory=set)  # economic assets eliminated (12.0)


Case = case.Case[InGame, InTurn, InPhase]
