"""War in the East by two programs: the oracle of `tests/oracles/wie`, and the referee.

Both ways: what the oracle allows is not accused, and what it forbids is. A fault planted in the oracle is
found out by the same comparison.
"""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracles.wie import compare, forbidden, rules
from tests.oracles.wie.board import Hex, Piece, World

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
POSITIONS, BATTLES = (3000, 5000) if SOAK else (25, 50)
WITHIN = 60
"""Positions or battles by which a planted fault must have been found."""
alone = pytest.mark.xdist_group("oracle wie")


@alone
def test_ways_supply_and_marches_are_the_same_twice() -> None:
    apart = [f"{seed}: {line}" for seed in range(POSITIONS) for line in compare.positions_apart(Random(seed))]
    assert apart == []


@alone
def test_battles_are_the_same_twice() -> None:
    apart: list[str] = []
    tried: Counter[str] = Counter()
    for seed in range(BATTLES):
        found, kinds = compare.battles_apart(Random(seed))
        apart += [f"{seed}: {line}" for line in found]
        tried.update(kinds)
    assert apart == []
    assert tried.keys() == forbidden.CHANGES.keys()


def test_the_oracle_knows_nothing_of_the_program() -> None:
    """But where it is asked what it says."""
    for path in Path(rules.__file__).parent.glob("*.py"):
        imported = [
            node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
        ]
        knows = any((node.module or "").startswith(("validator", "players")) for node in imported)
        assert knows is (path.name == "compare.py"), path.name


# --- planted faults -----------------------------------------------------------------------------------------


def three_hexes_of_supply(world: World) -> int:
    return 3


def everybody_in_command(world: World, piece: Piece) -> bool:
    return True


def soviets_shaken_by_eleven(piece: Piece) -> int:
    return max(rules_before["disrupted_from"](piece), 11)


def no_mud(world: World, piece: Piece, target: Hex) -> set[int]:
    return {piece.shown["attack"]}


def no_terrain(world: World, piece: Piece, attackers: object) -> set[int]:
    return {piece.shown["defense"]}


def any_way_back(world: World, piece: Piece, fought: object) -> dict[Hex, set[Hex]]:
    return {h: {h} for h in rules.steps(world, piece.hex, piece.side)}


def a_point_more(world: World, piece: Piece) -> int:
    return int(rules_before["allowance"](world, piece)) + 1


def two_help_each(piece: Piece) -> int:
    return 2


def exploiting_always(world: World, piece: Piece) -> bool:
    return True


rules_before: dict[str, Any] = {name: getattr(rules, name) for name in ("disrupted_from", "allowance")}
PLANTED: list[tuple[str, Callable[..., object], str]] = [
    ("limit", three_hexes_of_supply, "position"),
    ("in_command", everybody_in_command, "position"),
    ("allowance", a_point_more, "position"),
    ("disrupted_from", soviets_shaken_by_eleven, "battle"),
    ("attack_values", no_mud, "battle"),
    ("defense_values", no_terrain, "battle"),
    ("ways_back", any_way_back, "battle"),
    ("helps", two_help_each, "battle"),
    ("may_exploit", exploiting_always, "battle"),
]


@alone
@pytest.mark.parametrize(("name", "fault", "of"), PLANTED, ids=[name for name, _, _ in PLANTED])
def test_a_planted_fault_is_found(
    name: str, fault: Callable[..., object], of: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, name, fault)

    def differs(seed: int) -> bool:
        random = Random(seed)
        return bool(compare.positions_apart(random) if of == "position" else compare.battles_apart(random)[0])

    found = next(seed for seed in count() if seed >= WITHIN or differs(seed))
    assert found < WITHIN
