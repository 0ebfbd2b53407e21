"""The referee of War for the Motherland against a second, plain computation, on random positions, both ways.

`tests/oracles/wfm` was written from the rulebook, in its order and with its numbers, and imports nothing of
the referee's. Long runs: HYPOTHESIS_PROFILE=soak.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.oracles.positions_of_wfm import given, judged, random_position, standing
from tests.oracles.wfm import combat, movement, supply
from tests.oracles.wfm.combat import Battle
from tests.oracles.wfm.field import AXIS, ENEMY, SOVIET, Position, ground
from validator.games.wfm import queries
from validator.model.findings import Finding, Verdict

TIMES = 100 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 1
RESULTS = ("AE", "A3", "A2", "A1", "1/1", "1/2", "D1", "D2", "D3", "DE")
LEFT_OUT = ("rumanian", "finnish", "hq", "economic-asset")


def illegal(found: list[Finding]) -> list[tuple[str, str]]:
    faults = (finding.fault for finding in found if finding.fault.verdict is Verdict.ILLEGAL)
    return [(fault.rule, fault.message) for fault in faults]


# --- comparisons: what differs, as text -----------------------------------------------------------------


def different_supply(seed: int) -> Iterator[str]:
    position = random_position(Random(seed), "axis-move")
    units = {piece.name: piece for piece in position.pieces}
    for line in queries.supply(standing(position)):
        unit = units[line.unit]
        if line.by == "sea" or any(map(unit.has, LEFT_OUT)):
            continue
        if supply.is_supplied(position, unit) != line.supplied:
            yield f"{line.unit}: {not line.supplied}, the referee has {line.text}: {given(position)}"


def different_reach(seed: int) -> Iterator[str]:
    random = Random(seed)
    phase = random.choice(("axis-move", "sov-move", "ger-mech"))
    position = random_position(random, phase)
    case = standing(position)
    for piece in [*position.of(SOVIET if phase == "sov-move" else AXIS)][:4]:
        if phase == "ger-mech" and not piece.has("panzer"):
            continue
        found = queries.reach(case, piece.name, "march", None)
        theirs = {h.hex: None if h.minimum else int(h.cost) for h in found.hexes}
        ours = movement.march(position, piece)
        if (found.turn, found.phase) == (position.turn, phase) and ours != theirs:
            hexes = {h for h in {*ours, *theirs} if ours.get(h, 0) != theirs.get(h, 0)}
            shown = sorted(map(ground().label, hexes))
            yield f"{piece.name} differs at {shown}: {position.turn} {phase} {given(position)}"


def random_battle(random: Random, position: Position) -> Battle | None:
    side = AXIS if position.phase.startswith("axis") else SOVIET
    targets = sorted({piece.hex for piece in position.of(ENEMY[side])})
    random.shuffle(targets)
    for target in targets:
        able = [unit for unit in position.of(side) if combat.may_attack(position, unit, target)]
        some = tuple(random.sample(able, random.randint(1, len(able)))) if able else ()
        if some and combat.may_attack_together(some) and combat.defense(position, Battle(some, target)):
            return Battle(some, target)
    return None


def different_result(seed: int) -> Iterator[str]:
    random = Random(seed)
    position = random_position(random, random.choice(("axis-combat", "sov-combat")))
    battle = random_battle(random, position)
    if battle is None:
        return
    die = random.randint(1, 6)
    right = combat.result(position, battle, die)
    wrong = random.choice([result for result in RESULTS if result != right])
    names = "+".join(unit.name for unit in battle.attackers)
    start = f"attack {names} x {ground().label(battle.target)} : 1d6={die} ="
    told = illegal(judged(position, [f"{start} {right}"]))
    if told:
        yield f"{start} {right} is right, and the referee says {told}: {position.turn} {given(position)}"
    if not illegal(judged(position, [f"{start} {wrong}"])):
        yield f"{start} {wrong} passes, and {right} is right: {position.turn} {given(position)}"


COMPARED = {
    "supply": (different_supply, 40),
    "reach": (different_reach, 40),
    "result": (different_result, 150),
}


@pytest.mark.parametrize("what", COMPARED)
def test_referee_and_oracle_agree(what: str) -> None:
    different, seeds = COMPARED[what]
    assert [text for seed in range(seeds * TIMES) for text in different(seed)] == []


PLANTED = [
    ("supply", supply, "RANGE", {AXIS: 4, SOVIET: 3}),
    ("reach", movement, "LEAVING", 2),
    ("result", combat, "FIRST_WINTER", 1),
    ("result", combat, "RIVERS", {"minor-river"}),
]


@pytest.mark.parametrize(("what", "module", "name", "value"), PLANTED)
def test_oracle_with_a_fault_is_found_out(
    what: str, module: object, name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, value)
    different, seeds = COMPARED[what]
    assert any(True for seed in range(seeds * 4) for _ in different(seed))


def test_oracle_imports_nothing_of_the_referee() -> None:
    sources = [
        path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "wfm").glob("*.py"))
    ]
    assert len(sources) == 4
    assert not any("validator" in source for source in sources)
