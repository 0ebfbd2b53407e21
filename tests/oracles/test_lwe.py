"""The referee of Land Without End against a second, plain computation, on random positions, both ways.

`tests/oracles/lwe` was written from the rulebook, in its order and with its numbers, and imports nothing of
the referee's. Long runs: HYPOTHESIS_PROFILE=soak.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.oracles.lwe import combat, movement, supply
from tests.oracles.lwe.combat import Battle
from tests.oracles.lwe.field import ENEMY, GERMAN, SOVIET, Position, ground
from tests.oracles.positions_of_lwe import given, judged, random_position, standing
from validator.games.lwe import queries
from validator.model.findings import Finding, Verdict

TIMES = 100 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 1
GAS = range(6, 10)  # 7.4: all German attacks take the die for attenuated supply
RESULTS = ("AL1", "AS", "DR", "DE", "BB")


def illegal(found: list[Finding]) -> list[tuple[str, str]]:
    faults = (finding.fault for finding in found if finding.fault.verdict is Verdict.ILLEGAL)
    return [(fault.rule, fault.message) for fault in faults]


# --- comparisons: what differs, as text -----------------------------------------------------------------


def different_supply(seed: int) -> Iterator[str]:
    position = random_position(Random(seed), "german-move", range(2, 23))
    ours = supply.Supply(position)
    for line in queries.supply(standing(position)):
        if line.side == GERMAN and ours.supplied(line.hex) != line.supplied:
            yield f"{line.unit}: {not line.supplied}, the referee has {line.text}: {given(position)}"


def different_reach(seed: int) -> Iterator[str]:
    """In snow lakes are left to the program's reading (10.7)."""
    random = Random(seed)
    phase = random.choice(("german-move", "soviet-move"))
    position = random_position(random, phase, range(1, 23), snow=False)
    case = standing(position)
    for piece in [*position.of(GERMAN if phase == "german-move" else SOVIET)][:3]:
        found = queries.reach(case, piece.name, "march", None)
        theirs = {h.hex: None if h.minimum else int(h.cost) for h in found.hexes}
        ours = movement.march(position, piece)
        for h in found.hexes:
            way = h.path if h.path[0] == piece.hex else (piece.hex, *h.path)
            if h.hex not in ours and movement.opens_itself(position, piece, way, int(h.cost)):
                del theirs[h.hex]
        if _in_straits(piece.hex) or (found.turn, found.phase) != (position.turn, phase) or ours == theirs:
            continue
        hexes = {h for h in {*ours, *theirs} if ours.get(h, 0) != theirs.get(h, 0)}
        shown = sorted(map(ground().label, hexes))
        yield f"{piece.name} differs at {shown}: {position.turn} {phase} {position.weather} {given(position)}"


def _in_straits(hex_: object) -> bool:
    """9.16: crossings begin in these hexes, as whole moves."""
    return any(ground().side(hex_, other) & {"sivash", "strait"} for other in ground().around(hex_))  # type: ignore[arg-type]


def random_battle(random: Random, position: Position) -> Battle | None:
    side = GERMAN if position.phase.startswith("german") else SOVIET
    fed = supply.Supply(position)
    targets = sorted({piece.hex for piece in position.of(ENEMY[side])})
    random.shuffle(targets)
    for target in targets:
        able = [unit for unit in position.of(side) if combat.may_attack(position, unit, target)]
        if side == GERMAN:
            able = [
                u for u in able if fed.supplied(u.hex) and ground().supply_zone.get(u.hex) != "attenuated"
            ]
        some = tuple(random.sample(able, random.randint(1, len(able)))) if able else ()
        if some and combat.defense(position, target):
            return Battle(some, target)
    return None


def different_result(seed: int) -> Iterator[str]:
    random = Random(seed)
    phase = random.choice(("german-pa", "soviet-pa"))
    turns = [turn for turn in range(2, 23) if phase == "soviet-pa" or turn not in GAS]
    position = random_position(random, phase, turns)
    battle = random_battle(random, position)
    if battle is None:
        return
    die = random.randint(1, 6)
    right, thrown = combat.result(position, battle, die)
    wrong = random.choice([result for result in RESULTS if result != right])
    names = "+".join(unit.name for unit in battle.attackers)
    start = f"attack {names} x {ground().label(battle.target)}{f' : 1d6={die}' if thrown else ''} ="
    told = illegal(judged(position, [f"{start} {right}"]))
    if told:
        yield f"{start} {right} is right, and the referee says {told}: {position.turn} {given(position)}"
    if not illegal(judged(position, [f"{start} {wrong}"])):
        yield f"{start} {wrong} passes, and {right} is right: {position.turn} {given(position)}"


COMPARED = {
    "supply": (different_supply, 40),
    "reach": (different_reach, 15),
    "result": (different_result, 120),
}


@pytest.mark.parametrize("what", COMPARED)
def test_referee_and_oracle_agree(what: str) -> None:
    different, seeds = COMPARED[what]
    assert [text for seed in range(seeds * TIMES) for text in different(seed)] == []


PLANTED = [
    ("supply", supply, "RANGE", 11),
    ("reach", movement, "EXTRA", {True: 1, False: 0}),
    ("reach", movement, "RAINY", {True: 1, False: 1}),
    ("result", combat, "RIVERLESS", range(1, 23)),
    ("result", combat, "HIGHEST", 4),
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
        path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "lwe").glob("*.py"))
    ]
    assert len(sources) == 4
    assert not any("validator" in source for source in sources)
