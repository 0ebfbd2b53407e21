"""Disorder accuses nobody, and hides no fault: random legal games, one battle or move at a time."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest

from players.game import Played, play
from tests.validator.acts.disorder import KINDS, Phase, as_log, head_and_rest, illegal, phases, with_fault
from validator import sheet
from validator.acts import judging
from validator.engine.claims import ORDER
from validator.model.events import Event

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
EACH = 200 if SOAK else 6
FLOOR = 0.97
IN_LOGS = ("parts in any order", "two rolled before either is paid")

Reader = Callable[[list[Event]], list[Event]]


@dataclass(frozen=True)
class Sample:
    game: str
    scenario: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.game}-{self.seed}"


FIRST = (
    Sample("wfm", "turning-point", 1),
    Sample("ftm", "turn-of-the-tide", 1),
    Sample("lwe", "army-group-centre", 1),
)
SAMPLES = [Sample(s.game, s.scenario, seed) for s in FIRST for seed in range(1, 9 if SOAK else 2)]
each_sample = pytest.mark.parametrize(
    "sample", [pytest.param(s, id=s.name, marks=pytest.mark.xdist_group(f"acts-{s.name}")) for s in SAMPLES]
)


@cache
def played(sample: Sample) -> Played:
    return play(sample.game, sample.scenario, sample.seed)


@cache
def known_phases(sample: Sample) -> list[Phase]:
    return list(phases(played(sample)))


def as_sheet(sample: Sample) -> Reader:
    """The events as a turn sheet gives them: numbers of battles only where somebody would write them."""
    game = played(sample).referee.case.game
    scenario = game.scenario[sample.scenario]

    def read(events: list[Event]) -> list[Event]:
        return sheet.read(sheet.write(game, scenario, events), lambda _: game).events

    return read


@each_sample
@pytest.mark.parametrize("kind", KINDS)
def test_disorder_accuses_nobody(sample: Sample, kind: str) -> None:
    random, read = Random(sample.seed), as_sheet(sample)
    tried: Counter[str] = Counter()
    known = known_phases(sample)
    for phase in random.sample(known, len(known)):
        events = KINDS[kind](phase, random)
        if events is None or list(events) == list(phase.events):
            continue
        form: Reader = read if tried["all"] % 2 else list
        accused = [(fault.rule, fault.message) for fault in illegal(phase.judged(events, form))]
        assert accused == [], events
        tried["all"] += 1
        if tried["all"] == EACH:
            break
    assert tried["all"] >= min(EACH, 2)


@each_sample
def test_disorder_in_logs_accuses_nobody(sample: Sample) -> None:
    """The same, dragged in VASSAL: what a drag was for is a guess of the reader."""
    random, known = Random(sample.seed), [phase for phase in known_phases(sample) if phase.battles]
    tried: Counter[str] = Counter()
    for phase in random.sample(known, len(known)):
        for kind in IN_LOGS:
            events = KINDS[kind](phase, random)
            if tried[kind] == EACH // 3 or events is None or list(events) == list(phase.events):
                continue
            accused = [
                (fault.rule, fault.message) for fault in illegal(as_log(played(sample), phase, events))
            ]
            assert accused == [], (kind, events)
            tried[kind] += 1
    assert set(tried) == set(IN_LOGS)


@each_sample
def test_faults_in_disorder_are_found_by_the_same_rule(sample: Sample) -> None:
    random = Random(sample.seed)
    planted = found = 0
    known = known_phases(sample)
    for phase in random.sample(known, len(known)):
        for block in phase.battles:
            wrong = with_fault(phase.of(block), random)
            rules = {f.rule for f in illegal(phase.judged(phase.with_parts(block, wrong or []), list))}
            if wrong is None or not rules:
                continue
            head, rest = head_and_rest(wrong, random)
            told = {f.rule for f in illegal(phase.judged(phase.with_parts(block, [*head, *rest]), list))}
            planted += 1
            found += bool(told & rules)
        if planted >= 3 * EACH:
            break
    assert planted >= EACH
    assert found >= FLOOR * planted, f"{found} of {planted}"


@each_sample
def test_a_legal_game_is_judged_once(sample: Sample) -> None:
    """Nothing of it is put in order: the referee who judged it as it was written goes on."""
    case = played(sample).referee.case
    referee = judging.Referee(case.game, case.scenario, played(sample).referee.rules, {}, dict(case.options))
    after = judging.play(referee, played(sample).events).referee
    assert after is referee
    assert [finding.fault.rule for finding in after.findings if finding.fault.rule == ORDER] == []
