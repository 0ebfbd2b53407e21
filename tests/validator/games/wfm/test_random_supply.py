"""Supply phases played by the rules are not accused; single faults put into them are found."""

from __future__ import annotations

from random import Random

import pytest

from tests.validator.games.wfm.random_supply import SupplyPhase, replayed, spoilings


@pytest.mark.parametrize("seed", range(40))
def test_supply_phase_by_the_rules_is_not_accused(seed: int) -> None:
    phase = SupplyPhase(seed)
    phase.play()
    assert phase.accused == []


def test_single_faults_in_supply_phases_are_found_and_accused_under_one_rule() -> None:
    found, missed, more = 0, [], []
    for seed in range(12):
        chosen = list(spoilings(SupplyPhase(seed).play()))
        for name, events in Random(seed).sample(chosen, min(6, len(chosen))):
            said = replayed(seed, events)
            rules = {text.partition(":")[0] for text in said}
            found += len(rules) == 1
            missed += [f"{seed} {name}"] * (not rules)
            more += [f"{seed} {name}: {said}"] * (len(rules) > 1)
    assert more == []
    assert found >= 0.95 * (found + len(missed)), missed
