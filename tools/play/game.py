"""Whole games."""

from __future__ import annotations

from dataclasses import dataclass

from tools.play import fighting, moving, upkeep
from tools.play.table import Table
from validator.events import Event, PhaseBegan
from validator.games.wfm.book import AXIS, SOVIET
from validator.referee import Referee


@dataclass(frozen=True)
class Played:
    seed: int
    scenario: str
    events: list[Event]
    referee: Referee


def play(seed: int, scenario: str = "turning-point", *, strict: bool = True) -> Played:
    """A game from its first turn to its last; what is illegal by the referee raises `Accused`."""
    table = Table(scenario, seed, strict=strict)
    found = table.case.scenario
    for turn in range(found.first_turn, found.last_turn + 1):
        for phase in table.game.sequence:
            if _skipped(table, turn, phase.id):
                continue
            table.do(PhaseBegan(turn, phase.id))
            _phase(table, phase.id)
    upkeep.count(table)
    table.close()
    return Played(seed, scenario, table.events, table.referee)


def _skipped(table: Table, turn: int, phase: str) -> bool:
    rules = {rule.id: rule for rule in table.case.scenario.special_rules}
    rule = rules.get("no-axis-opening")
    return rule is not None and turn == rule.values["turn"] and phase in str(rule.values["phases"])


def _phase(table: Table, phase: str) -> None:
    match phase:
        case "supply":
            upkeep.supply(table)
        case "axis-move":
            moving.movement(table, AXIS)
        case "axis-combat":
            fighting.combat(table, AXIS)
        case "sov-combat":
            fighting.combat(table, SOVIET)
        case "sov-move":
            moving.movement(table, SOVIET)
        case "ger-mech":
            moving.mechanized(table)
            upkeep.fleets_return(table)
        case "admin":
            upkeep.administration(table)
