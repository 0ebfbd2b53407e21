"""The example under other rules, so that every key of the block is played: an open river, more battles."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fieldpost.definition.model import Game
from fieldpost.definition.rulesmodel import (
    AdvanceRules,
    CombatRules,
    Crossing,
    MovementMode,
    MovementRules,
    ResultRule,
    RetreatRules,
    StackingRules,
    SupplyRules,
    Toll,
    Unsupplied,
    ZoneRules,
)
from players.standard.game import with_rules
from players.table import EXAMPLE, game_of

EITHER = (
    ResultRule("AR", Toll(either=2)),
    ResultRule("DR", defender=Toll(either=2)),
    ResultRule("AE", Toll(exchange=True), Toll(each=1)),
    ResultRule("DE", Toll(lose=1), Toll(all=True)),
    ResultRule("D1", defender=Toll(lose=1, retreat=1)),
)


def with_ford(game: Game) -> Game:
    """The river may be crossed and attacked across."""
    open_ = {"river": ("+1", "+1", "1 left")}
    tables = [
        replace(t, rows=tuple(replace(row, cells=open_.get(row.id, row.cells)) for row in t.rows))
        for t in game.tables
    ]
    return replace(game, tables=tuple(tables))


def variants() -> dict[str, Game]:
    example = game_of(EXAMPLE)
    ford = with_ford(example)
    assert example.rules is not None
    combat = example.rules.combat
    assert combat is not None
    return {
        "as it is": example,
        "ford": ford,
        "zones that cost": with_rules(
            ford,
            zones=ZoneRules(enter=Fraction(1), leave=Fraction(1, 2), zone_to_zone=False),
            combat=replace(combat, results=EITHER, advance=AdvanceRules(hexes=2, defenders=True)),
        ),
        "zones that bind": with_rules(
            ford,
            zones=ZoneRules(stop=True, lock=True, cancelled_by_units=("movement", "supply", "retreat")),
            stacking=StackingRules(
                Fraction(2), count="units", passing=True, mixed=False, at={"hill": Fraction(1)}
            ),
            supply=SupplyRules(Fraction(2), without=Unsupplied(Fraction(0), may_attack=False)),
        ),
        "other ways": with_rules(
            ford,
            movement=MovementRules(
                modes=(
                    MovementMode("road", times=Fraction(2), only_along=("road",), near_enemy=False),
                    MovementMode("column", hexes=3, near_enemy=False),
                ),
                crossings=(Crossing("river", 2, "phase"), Crossing("ferry", 1, "turn")),
            ),
            combat=replace(combat, across="any", retreat=RetreatRules(hexes=1, zones="open"), once=False),
            zones=ZoneRules(ignored_by=("armor",), not_into=("hill",), stop=True),
        ),
        "little told": with_rules(
            ford,
            movement=None,
            zones=None,
            stacking=None,
            supply=None,
            reinforcements=None,
            victory=None,
            combat=CombatRules(),
        ),
    }
