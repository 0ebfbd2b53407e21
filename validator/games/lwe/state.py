"""What this game remembers of a phase, of a turn and of the whole game."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from fieldpost.hexes import Hex
from validator.core.board import HexId
from validator.core.capacity import Capacity
from validator.engine import case
from validator.model.position import Unit
from validator.procedures import marches

if TYPE_CHECKING:
    from validator.games.lwe.battles import Battle
    from validator.games.lwe.course import Course
    from validator.games.lwe.field import Field

SEA_ROOM = 5  # divisions in a phase (9.17)


# --- movement ---------------------------------------------------------------------------------------------


@dataclass
class Trip(marches.Trip):
    """The movement of one unit in one phase."""

    supply: str = ""  # the state it was in when it began to move (7.7)
    way: tuple[HexId, ...] = ()  # the hexes of its last move, as found
    on_road: bool = True  # every step so far went along a Rollbahn
    whole: bool = False  # its one hex, or a crossing, took the whole allowance (9.3, 9.16)
    crossed: bool = False  # it was a crossing
    entered: str = ""  # the box it came from, onto the edge of the map


# --- victory ----------------------------------------------------------------------------------------------


@dataclass
class Ledger:
    """`known` is the last count that was agreed on, and what the board was worth then; None before any."""

    known: int | None = None
    sure: bool = False  # the log shows the game from its start: who holds what is certain
    board: dict[str, int] = field(default_factory=dict)
    debits: dict[str, int] = field(default_factory=dict)  # since then, by rule
    moscow: bool = False  # has been German
    rolls: int = 0
    roll_due: bool = False
    collapsed: bool = False


# --- what lasts how long ----------------------------------------------------------------------------------


@dataclass
class InPhase(case.Memory):
    trips: dict[str, Trip] = field(default_factory=dict)
    parent: HexId | None = None  # where the stack that moves now began
    finished: set[HexId] = field(default_factory=set)  # where stacks before it began
    ships: Capacity = field(default_factory=lambda: Capacity("sea-capacity", Fraction(SEA_ROOM)))
    battles: list[Battle] = field(default_factory=list)
    german_set_up: bool = False  # a German unit was set up (3.1)
    overstacked: set[HexId] = field(default_factory=set)  # hexes that were named so
    cut_down: set[HexId] = field(default_factory=set)  # overfull hexes that a unit was removed from (6.2)
    entered: dict[str, dict[Hex, str]] = field(default_factory=dict)  # by unit, hexes and who had them before
    roads_ahead: set[HexId] = field(default_factory=set)  # Rollbahn hexes entered that were in supply (7.3)
    came_back: list[str] = field(default_factory=list)  # Soviet units, by replacement (8.7)
    flipped: list[tuple[str, int]] = field(default_factory=list)  # coastal armies, and the price (8.9)
    corps_lost: list[tuple[str, int]] = field(default_factory=list)  # and the divisions each releases (8.10)
    released: list[str] = field(default_factory=list)  # divisions of the pool
    swaps: dict[str, list[str]] = field(default_factory=dict)  # Guards, and units that may make room (8.13)
    refit_dice: dict[str, int] = field(default_factory=dict)  # 8.11
    supply_die: int | None = None  # for attenuated supply, of a battle that is declared next
    gun_dice: tuple[int, ...] = ()  # of the artillery command, for a battle that is declared next
    aircraft_ahead: set[HexId] = field(default_factory=set)  # where it flew before an attack was declared

    def goes_on_with(self, origin: HexId | None) -> None:
        """Another stack than the last moves: that one has finished."""
        if self.parent is not None and self.parent != origin:
            self.finished.add(self.parent)
        self.parent = origin


@dataclass
class InTurn(case.Memory):
    arrived: dict[str, str] = field(default_factory=dict)  # units that came onto the map, and how
    by_town: set[str] = field(default_factory=set)  # of these, those that entered in a Rollbahn town (8.2)
    withdrawn: list[str] = field(default_factory=list)  # 8.12
    asterisk_clear: bool | None = None  # no Soviet unit stood where asterisked units enter (8.3)
    soviet_turn: Field | None = None  # the board as the Soviet player turn opened (8.5)
    assault_phases: set[str] = field(default_factory=set)  # 5.3
    refits: set[str] = field(default_factory=set)  # declared, with or without a marker (8.11)
    aircraft: list[int] = field(default_factory=list)  # battles it has supported (11.25)
    zones_scored: bool = False  # 4.2
    withdrawals_scored: bool = False  # 8.12
    count_named: bool = False  # in the victory phase of this turn
    supply_checked: bool = False  # 5.6
    concentrated: bool = False  # declared in this turn (7.6)
    weather_rolled: bool = False
    weather_missed: bool = False
    weather_seen: bool = False  # its phase was shown


@dataclass
class InGame(case.Memory):
    course: Course | None = None  # weather, Directive 3, pause: made when the first phase begins
    ledger: Ledger | None = None  # likewise
    begun: bool = False  # what the first phase shows was read
    ruined: set[Hex] = field(default_factory=set)  # fortified line hexes gone for good (11.23)
    removed: set[str] = field(default_factory=set)  # units that were taken off the map
    commands_came: set[str] = field(default_factory=set)  # artillery commands (8.4)
    steps_at_start: int | None = None  # German replacement steps (8.6)
    steps_spent: list[str] = field(default_factory=list)  # divisions that were given one
    unused_steps: tuple[int, int] = (0, 0)  # the turn, and Soviet steps left over in it (8.7)
    rescinded: bool = False  # Directive 3, by declaration (7.12)
    zones_gone: bool = False  # fortified zones outside towns, with Directive 3 (11.24)
    weather_to_come: tuple[int, int] = (0, 0)  # the turn it is for, and the die (an option)


Case = case.Case[InGame, InTurn, InPhase]


UNMOVED = Trip(-1)  # of all who have not moved in the phase: to compare with, never to change


def trip_of(case: Case, unit: Unit) -> Trip:
    return case.in_phase.trips.get(unit.id, UNMOVED)
