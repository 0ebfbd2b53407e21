"""The `rules:` block of a game: what the standard referee is told, part by part.

A part that is left out is not checked, and every report says so. `rule` names the id in `rules.yaml` that a
breach is told under; without one, a standard id such as `movement`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from fieldpost.definition.annotations import Id, Written

Traits = tuple[str, ...]
Kinds = tuple[Id, ...]
Cancels = Literal["movement", "supply", "retreat"]


@dataclass(frozen=True)
class SequenceRules:
    """The order of the phases, and what each allows (its `may`)."""

    CALLED = "block of sequence rules"

    rule: str | None = None


@dataclass(frozen=True)
class MovementMode:
    """Another way of moving, said by `move ... as ID`: in phases that may `ID-move`, or `move`."""

    id: Id
    hexes: int | None = None  # so many hexes whatever they cost; else the printed allowance
    times: Fraction = Fraction(1)  # the allowance
    only_along: Kinds = ()  # lines without which no step may be taken
    near_enemy: bool = True  # whether it may enter enemy zones, or begin in one
    traits: Traits = ()  # who may; without any, every unit
    rule: str | None = None


@dataclass(frozen=True)
class Crossing:
    """How many units may cross hexsides of a kind."""

    hexside: Id
    units: int
    each: Literal["phase", "turn"] = "turn"
    rule: str | None = None


@dataclass(frozen=True)
class MovementRules:
    """Prices are those of the table of terrain effects, in the column of the unit's `mobility`."""

    CALLED = "block of movement rules"

    rule: str | None = None
    allowance: str = "movement"  # the printed factor
    table: Id | None = None  # the only table of terrain effects, if it is not named
    one_hex: bool = False  # a unit may always go one hex, whatever it costs
    modes: tuple[MovementMode, ...] = ()
    crossings: tuple[Crossing, ...] = ()


@dataclass(frozen=True)
class ZoneRules:
    """Enemy zones of control: the six hexes around each unit whose type does not say `zoc: false`."""

    CALLED = "block of zone rules"

    rule: str | None = None
    stop: bool = False  # who enters one goes no farther
    lock: bool = False  # who begins in one does not move
    enter: Fraction = Fraction(0)  # points to enter one, on top of the ground
    leave: Fraction = Fraction(0)  # points to leave one
    zone_to_zone: bool = True  # a step from one straight into another is allowed
    not_across: Kinds = ()  # hexsides
    not_into: Kinds = ()  # terrain
    cancelled_by_units: tuple[Cancels, ...] = ()  # for what zones do not count where other own units stand
    ignored_by: Traits = ()  # units that move as if there were none


@dataclass(frozen=True)
class StackingRules:
    """What a hex holds of one side at the end of each phase."""

    CALLED = "block of stacking rules"

    limit: Fraction
    rule: str | None = None
    count: Literal["size", "units", "steps"] = "size"  # the `stacking` of the types, units, or steps left
    at: Mapping[Id, Fraction] = field(default_factory=dict)  # other limits by terrain or kind of place
    passing: bool = False  # the limit holds for hexes that are only passed through, too
    mixed: bool = True  # units of several nationalities may share a hex
    free: Traits = ()  # units that do not count


@dataclass(frozen=True)
class Unsupplied:
    """What is left to a unit without supply."""

    CALLED = "block of what is left without supply"

    movement: Fraction = Fraction(1)  # this share of its points, rounded down
    attack: Fraction = Fraction(1)  # of its strengths
    defense: Fraction = Fraction(1)
    may_attack: bool = True


@dataclass(frozen=True)
class SupplyRules:
    """A line of hexes to a source of the scenario's `supply_sources`; judged when a phase begins."""

    CALLED = "block of supply rules"

    range: Fraction | None = None  # hexes, or points; no limit without one
    rule: str | None = None
    mobility: str | None = None  # the column of the terrain effects that the line pays; else 1 a hex
    zones: bool = True  # lines do not enter enemy zones
    headquarters: str | None = None  # a trait: units that pass supply on, within their `supply-range`
    without: Unsupplied = field(default_factory=Unsupplied)
    always: Traits = ()  # units that need none


@dataclass(frozen=True)
class Toll:
    """What a result asks of one side."""

    all: bool = False  # every unit is lost
    lose: int = 0  # steps, together
    each: int = 0  # steps of every unit
    retreat: int = 0  # hexes
    either: int = 0  # steps lost and hexes retreated, together the number
    exchange: bool = False  # as many steps as the other side lost


@dataclass(frozen=True)
class ResultRule:
    """What a cell of the results table means, where the usual reading does not say it."""

    cell: Written
    attacker: Toll = field(default_factory=Toll)
    defender: Toll = field(default_factory=Toll)


@dataclass(frozen=True)
class RetreatRules:
    """Retreats lead away from the battle, never into a hex with enemy units."""

    CALLED = "block of retreat rules"

    rule: str | None = None
    hexes: int = 1  # of a result such as DR that names no number
    zones: Literal["closed", "open"] = "closed"  # enemy zones


@dataclass(frozen=True)
class AdvanceRules:
    """Who won may enter a hex that the enemy left, and go on from there."""

    CALLED = "block of advance rules"

    rule: str | None = None
    hexes: int = 1
    defenders: bool = False  # they may advance too


@dataclass(frozen=True)
class CombatRules:
    """Strengths, odds, die and result. Effects are those of `battle_plate` and of the column `terrain`."""

    CALLED = "block of combat rules"

    rule: str | None = None
    table: Id | None = None  # the only table of combat results, if it is not named
    attack: str = "attack"  # printed factors
    defense: str = "defense"
    range: str | None = None  # a printed factor: how far a unit fights; without it, one hex
    terrain: str | None = None  # the column of the terrain effects that tells of combat: 1 left, -1, x2
    across: Literal["all", "any"] = "all"  # its hexsides count if all attackers attack across, or if one does
    not_across: Kinds = ()  # hexsides that no attack crosses
    support: Mapping[str, int] = field(default_factory=dict)  # columns to the right, by what supports
    once: bool = True  # a unit attacks once in a phase, a hex is attacked once
    results: tuple[ResultRule, ...] = ()
    retreat: RetreatRules | None = None
    advance: AdvanceRules | None = None


@dataclass(frozen=True)
class ReinforcementRules:
    """Units of the scenario's `reinforcements`: not before their turn, where it says, in phases that may
    `place-reinforcement`, or else in the movement phases of their side."""

    CALLED = "block of reinforcement rules"

    rule: str | None = None
    zones: bool = False  # they may arrive in an enemy zone


@dataclass(frozen=True)
class VictoryRules:
    """The scenario's `victory`: what players declare of points and of the winner is worked out."""

    CALLED = "block of victory rules"

    rule: str | None = None


@dataclass(frozen=True)
class Rules:
    """The parts of the standard referee. `rules: {}` checks the sequence of play alone."""

    CALLED = "rules block"

    sequence: SequenceRules = field(default_factory=SequenceRules)
    movement: MovementRules | None = None
    zones: ZoneRules | None = None
    stacking: StackingRules | None = None
    supply: SupplyRules | None = None
    combat: CombatRules | None = None
    reinforcements: ReinforcementRules | None = None
    victory: VictoryRules | None = None
