"""The referee of For the Motherland! against a second, plain computation, on random positions, both ways.

`tests/oracles/ftm` was written from the rulebook, in its order and with its numbers, and imports nothing of
the referee's. Long runs: HYPOTHESIS_PROFILE=soak.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest

from tests.oracles.aftermaths_of_ftm import allowed, beside_a_fixed_unit, forbidden, left_behind
from tests.oracles.ftm import aftermath, combat, field, movement, supply
from tests.oracles.ftm.combat import Battle
from tests.oracles.ftm.field import AXIS, ENEMY, SOVIET, Position, ground
from tests.oracles.positions_of_ftm import given, judged, random_position, standing
from validator.games.ftm import queries
from validator.model.findings import Finding, Verdict

TIMES = 100 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 1
STATES = {"supplied": "supplied", "lack of supply": "lack", "out of supply": "out", "isolated": "isolated"}
MOVING = ("axis-move", "sov-move", "axis-exploit", "sov-exploit")


def side_of(phase: str) -> str:
    return AXIS if phase.startswith("axis") else SOVIET


def illegal(found: list[Finding]) -> list[tuple[str, str]]:
    """What is told beside stacks that are too full, which the aftermath does not look at."""
    faults = (finding.fault for finding in found if finding.fault.verdict is Verdict.ILLEGAL)
    return [(fault.rule, fault.message) for fault in faults if not fault.rule.startswith("ftm-6")]


# --- comparisons: what differs, as text -----------------------------------------------------------------


def different_supply(seed: int) -> Iterator[str]:
    position = random_position(Random(seed), "supply")
    units = {piece.name: piece for piece in position.pieces}
    for line in queries.supply(standing(position)):
        ours = supply.state(position, units[line.unit])
        if ours != STATES[line.status]:
            yield f"{line.unit}: {ours}, the referee has {line.status} ({line.text}): {given(position)}"


def different_reach(seed: int) -> Iterator[str]:
    random = Random(seed)
    phase = random.choice(MOVING)
    position = random_position(random, phase)
    case = standing(position)
    ways = {"march": movement.march, "strategic": movement.strategic}
    for number, piece in enumerate([*position.of(side_of(phase))][:4]):
        for mode in ("march",) if number or phase.endswith("exploit") else ways:
            found = queries.reach(case, piece.name, mode, None)
            theirs = {h.hex: None if h.minimum else int(h.cost) for h in found.hexes}
            ours = ways[mode](position, piece)
            if (found.turn, found.phase) == (position.turn, phase) and ours != theirs:
                hexes = {h for h in {*ours, *theirs} if ours.get(h, 0) != theirs.get(h, 0)}
                shown = sorted(map(ground().label, hexes))
                yield f"{piece.name} {mode} differs at {shown}: {position.turn} {phase} {given(position)}"


def random_battle(random: Random, position: Position) -> Battle | None:
    side = side_of(position.phase)
    targets = sorted({piece.hex for piece in position.of(ENEMY[side])})
    random.shuffle(targets)
    for target in targets:
        able = [unit for unit in position.of(side) if combat.may_attack(position, unit, target)]
        some = tuple(random.sample(able, random.randint(1, len(able)))) if able else ()
        battle = Battle(some, target)
        if some and combat.may_attack_together(some) and combat.defense(position, battle):
            air = random.random() < 0.5 and combat.air_to_be_had(position, battle)
            return Battle(some, target, air=air)
    return None


def different_result(seed: int) -> Iterator[str]:
    random = Random(seed)
    position = random_position(random, random.choice(("axis-combat", "sov-combat")))
    battle = random_battle(random, position)
    if battle is None:
        return
    die = random.randint(1, 6)
    right = combat.result(position, battle, die)
    wrong = random.choice(
        [result for result in ("A1", "A3", "D1", "D2", "DE", "1/1", "AE") if result != right]
    )
    names = "+".join(unit.name for unit in battle.attackers)
    start = (
        f"attack {names} x {ground().label(battle.target)}{' with air' if battle.air else ''} : 1d6={die} ="
    )
    told = illegal(judged(position, [f"{start} {right}"], ends=False))
    if told:
        yield f"{start} {right} is right, and the referee says {told}: {given(position)}"
    if not illegal(judged(position, [f"{start} {wrong}"], ends=False)):
        yield f"{start} {wrong} passes, and {right} is right: {given(position)}"


def different_aftermath(seed: int) -> Iterator[str]:
    random = Random(seed)
    duel = allowed(random)
    if duel is None:
        return
    told = illegal(judged(duel.position, duel.lines()))
    if told:
        yield f"{duel.lines()} is allowed, and the referee says {told}: {given(duel.position)}"
        return
    changed = [*forbidden(duel)]
    for what, wrong in random.sample(changed, min(len(changed), 2)):
        if not illegal(judged(wrong.position, wrong.lines())):
            yield f"{what}: {wrong.lines()} passes: {given(wrong.position)}"


def different_for_the_fixed(seed: int) -> Iterator[str]:
    duel = beside_a_fixed_unit(Random(seed))
    if duel is None:
        return
    told = illegal(judged(duel.position, duel.lines()))
    if told:
        yield f"{duel.lines()} is allowed, and the referee says {told}: {given(duel.position)}"
    if not illegal(judged(duel.position, left_behind(duel).lines())):
        yield f"{left_behind(duel).lines()} passes: {given(duel.position)}"


COMPARED = {
    "supply": (different_supply, 60),
    "reach": (different_reach, 20),
    "result": (different_result, 200),
    "aftermath": (different_aftermath, 200),
    "fixed": (different_for_the_fixed, 400),
}


@pytest.mark.parametrize("what", COMPARED)
def test_referee_and_oracle_agree(what: str) -> None:
    different, seeds = COMPARED[what]
    assert [text for seed in range(seeds * TIMES) for text in different(seed)] == []


PLANTED = [
    ("supply", supply, "RANGE", 5),
    ("supply", supply, "FAR", 5),
    ("reach", movement, "LEAVING", 1),
    ("reach", movement, "STRATEGIC", 14),
    ("result", combat, "RIVERS", {"major-river", "strait", "frozen-access"}),
    ("aftermath", aftermath, "RIVERS", {"major-river", "strait"}),
]


@pytest.mark.parametrize(("what", "module", "name", "value"), PLANTED)
def test_oracle_with_a_fault_is_found_out(
    what: str, module: object, name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, value)
    different, seeds = COMPARED[what]
    assert any(True for seed in range(seeds * 4) for _ in different(seed))


def test_oracle_imports_nothing_of_the_referee() -> None:
    from fieldpost.data import path

    folder = path("games", "ftm").parent.parent / "tests" / "oracles" / "ftm"
    sources = [file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py"))]
    assert len(sources) == 5
    assert not any("validator" in source for source in sources)
    assert field.__file__ is not None
