"""Strategic movement: so many hexes, whatever the ground, never near an enemy. Also rail movement.

Both are searches under `MoveRules` made for them, so they explain themselves as movement does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from validator.core.board import Board, HexId, Mask
from validator.core.costs import ONE, CostTable, Local, Prices
from validator.core.movement import MoveRules

TOO_NEAR = "too-near"


def flat_table(
    board: Board,
    bans: Iterable[str] = (),
    terrain_bans: Iterable[str] = (),
    local: Local | None = None,
    only_along: tuple[str, ...] = (),
) -> CostTable:
    """One point a hex, no step over hexsides of the banned kinds. Compile once."""
    prices = Prices(terrain=dict.fromkeys(terrain_bans), hexsides=dict.fromkeys(bans), only_along=only_along)
    return CostTable(board, prices, local)


def strategic_rules(
    table: CostTable,
    hexes: int,
    enemies: Iterable[HexId],
    distance: int,
    forbidden: Mapping[str, Mask] | None = None,
    no_end: Mapping[str, Mask] | None = None,
) -> MoveRules:
    """A move of at most so many hexes that is nowhere, at its start neither, nearer than `distance`
    to an enemy. `forbidden` holds hexes for which the same is true, by key."""
    board = table.board
    nowhere = {**(forbidden or {}), TOO_NEAR: board.near(enemies, distance - 1)}
    return MoveRules(
        costs=table,
        budget=hexes * ONE,
        enemy=board.mask(),
        zone=board.mask(),
        forbidden=nowhere,
        no_start=nowhere,
        no_end=no_end or {},
    )
