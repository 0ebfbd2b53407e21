"""Supply phases played by the rules are not accused; single faults put into them are found."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.validator.games.wfm.random_supply import SupplyPhase, replayed, spoilings


@pytest.mark.parametrize("seed", range(40))
def test_supply_phase_by_the_rules_is_not_accused(seed: int) -> None:
    phase = SupplyPhase(seed)
    phase.play()
    assert phase.accused == []


def test_single_faults_in_supply_phases_are_found() -> None:
    found: Counter[bool] = Counter()
    missed = []
    for seed in range(12):
        done = SupplyPhase(seed).play()
        chosen = list(spoilings(done))
        for name, events in Random(seed).sample(chosen, min(6, len(chosen))):
            said = replayed(seed, events)
            found[bool(said)] += 1
            if not said:
                missed.append(f"{seed} {name}")
    assert found[True] >= 0.95 * found.total(), "\n".join(missed)
