"""Single faults put into random games: the referee finds them, each under a rule that it breaks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

import pytest

from players.faults import Trial, kinds, meant, new_referee, trials
from players.game import Played, Player, play
from players.lwe.game import WAITING
from tests.processes import alone

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
FLOORS = {"wie": 0.99}
FLOOR = 0.95  # of the other games


@dataclass(frozen=True)
class Sample:
    """Games to put faults into, and how many kinds of fault and rules must have come up in them."""

    game: str
    scenario: str
    seeds: range
    each: int
    kinds: int
    rules: int
    player: Player | None = field(default=None, hash=False)

    def played(self, seed: int) -> Played:
        return play(self.game, self.scenario, seed, player=self.player)


TURNING_POINT = Sample("wfm", "turning-point", range(20 if SOAK else 2), 3 if SOAK else 1, 40, 40)
ARMY_GROUP = Sample("lwe", "army-group-centre", range(20 if SOAK else 2), 3 if SOAK else 1, 70, 60)
QUIET_YEAR = Sample("lwe", "campaign", range(10 if SOAK else 1), 3 if SOAK else 1, 110, 70, WAITING)
TURN_OF_THE_TIDE = Sample("ftm", "turn-of-the-tide", range(10 if SOAK else 1), 3 if SOAK else 1, 35, 30)
CITADEL = Sample("wie", "citadel", range(6 if SOAK else 1), 3 if SOAK else 1, 60, 40)
SAMPLES = [TURNING_POINT, ARMY_GROUP, QUIET_YEAR, TURN_OF_THE_TIDE, CITADEL]
if SOAK:
    SAMPLES.append(Sample("lwe", "campaign", range(3), 4, 150, 120))
    SAMPLES.append(Sample("wie", "barbarossa", range(2), 4, 62, 50))
FEWEST = {"wfm": 60, "lwe": 200, "ftm": 55, "wie": 60}  # kinds that there are at all


@cache
def tried(sample: Sample) -> list[Trial]:
    return alone(_tried, SAMPLES.index(sample))


def _tried(index: int) -> list[Trial]:
    sample = SAMPLES[index]
    return [
        trial for seed in sample.seeds for trial in trials(sample.played(seed), Random(seed), sample.each)
    ]


def grouped(samples: list[Sample]) -> Iterator[object]:
    """The tests of one sample share what was tried: they run in one process."""
    for sample in samples:
        name = f"{sample.game}-{sample.scenario}{'-quiet' if sample.player else ''}"
        yield pytest.param(sample, id=name, marks=pytest.mark.xdist_group(f"mutations-{name}"))


each_sample = pytest.mark.parametrize("sample", list(grouped(SAMPLES)))


@each_sample
def test_faults_are_found(sample: Sample) -> None:
    made = tried(sample)
    found, total = Counter(t.fault.name for t in made if t.found), Counter(t.fault.name for t in made)
    for name, number in sorted(total.items()):
        print(f"{name:55} {found[name]:4} of {number:4}")
    missed = [(t.fault.name, t.fault.turn, t.fault.phase, t.said) for t in made if not t.found]
    assert len(made) - len(missed) >= FLOORS.get(sample.game, FLOOR) * len(made), missed


@pytest.mark.xdist_group("mutations-wie-citadel")
def test_a_money_mistake_of_one_point_is_found_both_ways() -> None:
    by_name = {trial.fault.name: trial.found for trial in tried(CITADEL)}
    assert by_name["a point too many"]
    assert by_name["a point too few"]


@each_sample
def test_the_sample_is_of_many_kinds(sample: Sample) -> None:
    assert len({trial.fault.name for trial in tried(sample)}) >= sample.kinds
    assert len(kinds(sample.game)) >= FEWEST[sample.game]


@each_sample
def test_the_rules_found_are_many(sample: Sample) -> None:
    assert len({rule for trial in tried(sample) for rule in trial.accused}) >= sample.rules


def test_no_kind_of_fault_is_there_twice() -> None:
    for game in FEWEST:
        names = Counter(kind.name for kind in kinds(game))
        assert not [name for name, number in names.items() if number > 1]


SURE = {"wfm": ["a fleet that stays", "a second die"], "lwe": ["a second die", "two dice for one"]}
LATE = {"wfm": ["points miscounted", "a marker into the wrong cup"], "lwe": ["points miscounted"]}


@pytest.mark.parametrize("sample", [TURNING_POINT, ARMY_GROUP], ids=["wfm", "lwe"])
def test_a_fault_tried_apart_leaves_the_game_as_it_was(sample: Sample) -> None:
    before, found, after = alone(_findings_around_trials, SAMPLES.index(sample))
    assert found
    assert after == before


def _findings_around_trials(index: int) -> tuple[int, bool, int]:
    played = SAMPLES[index].played(0)
    before = len(new_referee(played).findings)
    found = any(trial.said for trial in trials(played, Random(0), 1, SURE[played.game]))
    referee = new_referee(played)
    referee.feed(played.events)
    return before, found, len(referee.findings)


@pytest.mark.parametrize("sample", [TURNING_POINT, ARMY_GROUP], ids=["wfm", "lwe"])
def test_what_the_child_judges_is_what_judging_the_whole_spoiled_game_says(sample: Sample) -> None:
    played = sample.played(1)
    for trial in alone(_late, SAMPLES.index(sample)):
        referee = new_referee(played)
        referee.feed(trial.fault.applied(played.events))
        referee.close()
        assert trial.said
        assert set(trial.said) <= {(meant(f), f.fault.message) for f in referee.findings}


def _late(index: int) -> list[Trial]:
    played = SAMPLES[index].played(1)
    return list(trials(played, Random(5), 1, LATE[played.game]))
