"""What this game remembers of a phase, of a turn and of the whole game."""

from __future__ import annotations

from dataclasses import dataclass, field

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.ledger import Ledger
from validator.engine import case
from validator.procedures.flights import Flight
from validator.procedures.rounds import Engagement, Toll

BOMBS = ("city bombing", "oil bombing", "complex bombing")
"""What dice for bombs are rolled for."""

WHOSE = ("axis", "soviet", "")
"""Whose turn a phase can be: nobody's, in those of both sides."""


@dataclass
class Trip:
    """The movement of one ground unit in one phase."""

    origin: HexId
    spent: int = 0  # twelfths of a movement point


@dataclass(frozen=True)
class Fall:
    """A unit that was lost in this phase: where it stood, and how the hit was scored."""

    place: HexId
    manner: str  # a manner of firing; "round" in a battle


@dataclass(frozen=True)
class Retreat:
    """How far a defender has retreated from a battle, and how far it was to go."""

    battle: int
    due: int
    far: int  # from where it stood, in a straight line
    walked: int  # by the way it went


@dataclass
class PlayerTurn:
    """What one side has done in its own turn, and the enemy's planes in it."""

    ledger: Ledger = field(default_factory=lambda: Ledger(None))
    declared: dict[str, int] = field(default_factory=dict)  # lines of the money, as players booked them
    ahead: dict[str, int] = field(default_factory=dict)  # of them, what was booked before it was spent
    oil_dice: list[int] = field(default_factory=list)
    bought: list[str] = field(default_factory=list)
    lend_lease: int = 0  # points of it that armor has used
    replaced: list[str] = field(default_factory=list)  # free replacements
    reinforced: list[str] = field(default_factory=list)
    placed: dict[HexId, list[str]] = field(default_factory=dict)  # units placed in a hex, by action 2
    placed_as: dict[str, str] = field(default_factory=dict)  # of them, how they came
    rebuilt: set[Hex] = field(default_factory=set)
    trips: dict[str, Trip] = field(default_factory=dict)
    flights: dict[str, Flight] = field(default_factory=dict)
    defending: dict[str, Flight] = field(default_factory=dict)  # of the enemy's planes
    dropped: set[str] = field(default_factory=set)
    picking_up: set[str] = field(default_factory=set)  # bombers that flew to the city of their paratroops
    transported: set[str] = field(default_factory=set)
    activated: dict[str, int] = field(default_factory=dict)  # headquarters, and the price
    fought: set[str] = field(default_factory=set)  # units in battles of the combat phase
    captured: set[HexId] = field(default_factory=set)  # hexes taken in this turn's combat
    vacated: set[HexId] = field(default_factory=set)  # hexes fought free that nobody advanced into
    exploited: dict[str, int] = field(default_factory=dict)  # twelfths of a movement point spent on it
    exploited_before: set[str] = field(default_factory=set)  # in the first of two exploitations
    second_exploitation: bool = False
    salvos: set[str] = field(default_factory=set)
    bombed: dict[str, set[str]] = field(default_factory=lambda: {reason: set() for reason in BOMBS})
    """By reason of the dice, bombers that have one."""
    city_dice: dict[HexId, int] = field(default_factory=dict)  # bombs on a city so far
    disrupted: set[str] = field(default_factory=set)  # of both sides: they take no further part in combat
    led: dict[str, int] = field(default_factory=dict)  # by side, the battle that its headquarters leads
    rail: set[str] = field(default_factory=set)  # units redeployed
    into_finland: dict[str, str] = field(default_factory=dict)  # units, and how they came
    redeploying: bool = False  # a strategic redeployment was made
    free_offensive: bool = False
    rockets: set[str] = field(default_factory=set)
    range_at_start: frozenset[str] | None = None  # units in range of headquarters as movement began
    starved: set[HexId] = field(default_factory=set)  # red cities that lost their unit


@dataclass
class Unsupplied:
    """A unit found without general supply at its owner's check."""

    turns: int = 1  # checks in a row
    sure: bool = True  # by every reading


@dataclass
class InPhase(case.Memory):
    battles: list[Engagement] = field(default_factory=list)
    tolls: list[Toll] = field(default_factory=list)  # hits in the air and by salvos
    placed: dict[str, list[str]] = field(default_factory=dict)  # set-up: units by side
    adjusted: set[str] = field(default_factory=set)
    interdicted: dict[str, int] = field(default_factory=dict)  # dice of armor in interdicted hexes
    nobodys_dice: list[int] = field(default_factory=list)  # of them, those that no unit was named for
    shot_at: dict[str, int] = field(default_factory=dict)  # guns that fired at a plane
    downed: dict[str, str] = field(default_factory=dict)  # planes that were hit, by how; gone by the end
    arrived: dict[str, tuple[int, int]] = field(default_factory=dict)  # defensive support: battle, round
    revealed: set[str] = field(default_factory=set)  # units out of hidden piles
    boosted: dict[HexId, list[str]] = field(default_factory=dict)  # infantry taken along, by where it began
    fallen: dict[str, Fall] = field(default_factory=dict)  # units lost in this phase
    advanced: set[str] = field(default_factory=set)  # units that entered a hex they had fought free
    retreats: dict[str, Retreat] = field(default_factory=dict)  # of defenders that go on foot
    gun_shots: set[tuple[str, str]] = field(default_factory=set)  # guns, and the planes that each fired at


@dataclass
class InTurn(case.Memory):
    turns: dict[str, PlayerTurn] = field(default_factory=lambda: {who: PlayerTurn() for who in WHOSE})
    reserve: dict[str, int] = field(default_factory=dict)  # two dice of the set-up, by phase
    partisan_die: int | None = None

    def by(self, side: str) -> PlayerTurn:
        """What a side has done in this turn so far."""
        return self.turns[side]


@dataclass
class InGame(case.Memory):
    begun: bool = False
    first: tuple[int, str] = (0, "")  # the turn and phase that the log begins with
    counted: set[tuple[str, str]] = field(default_factory=set)  # lines of a side's money that the log tells
    from_start: bool = False  # the log shows the game from its first phase
    weather: dict[int, str] = field(default_factory=dict)  # by turn, as the dice made it
    weather_rolls: dict[int, int] = field(default_factory=dict)  # dice for the weather of a turn
    treasury: dict[str, int] = field(default_factory=dict)  # at the end of the side's last turn
    debt: dict[str, int] = field(default_factory=dict)  # for headquarters of its last turn
    dearer: dict[str, int] = field(default_factory=dict)  # of them, those that ordered an exploitation
    damage: dict[str, int] = field(default_factory=dict)  # by bombs and rockets, for its next turn
    guessed: set[tuple[str, str]] = field(default_factory=set)  # lines of a side's money that rest on a guess
    interdicting: dict[str, HexId] = field(default_factory=dict)  # bombers, and the hex they watch
    shut: dict[HexId, int] = field(default_factory=dict)  # units that cannot be placed in a complex
    shut_next: dict[HexId, int] = field(default_factory=dict)
    unsupplied: dict[str, Unsupplied] = field(default_factory=dict)
    checked: dict[str, int] = field(default_factory=dict)  # the turn of a side's last supply check
    doubled: frozenset[str] | None = None  # Soviet complexes whose cities count double since turn 6
    captured: set[str] = field(default_factory=set)  # complexes that were German at any time
    free_air: dict[str, int] = field(default_factory=dict)  # air units replaced freely so far
    dead: dict[str, list[str]] = field(default_factory=dict)  # lost in combat, by side
    starved: list[str] = field(default_factory=list)  # lost for want of supply, and not bought again
    siberian: int = 0  # the turn it was called
    moved_complexes: set[str] = field(default_factory=set)
    taken: dict[Hex, int] = field(default_factory=dict)  # the turn a hex changed hands last
    offensives: set[int] = field(default_factory=set)  # years of free offensives
    trio: int = 0  # turns in a row that Germany held Leningrad, Moscow and Stalingrad at the end
    trio_broken: int = 0  # the turn in which it last did not hold all three
    allies_unseen: bool = False  # the log has gone past an action 1 of the Axis
    reached: dict[tuple[str, str], int] = field(default_factory=dict)
    """Victories, by side and level, and the turn in which a check first showed them."""
    over: str = ""  # how the game ended
    piles: dict[str, set[str]] = field(default_factory=dict)  # by hidden pile, the headquarters that hide it
    counter_offensive: int = 0
    assassinated: bool | None = None


Case = case.Case[InGame, InTurn, InPhase]
