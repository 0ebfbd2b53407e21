"""Every worked case of every game is judged as it says; every enforced rule has both kinds of case."""

from __future__ import annotations

import functools

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from validator import cases, registry
from validator.findings import Verdict

GAMES = ["wfm"]
ALL = [(game, case) for game in GAMES for case in cases.load(game)]


@functools.cache
def definition(game: str) -> Game:
    return load(game)


def _parameters(kind: str) -> list[object]:
    chosen = [(game, case) for game, case in ALL if getattr(case, kind)]
    return [
        pytest.param(game, case, id=f"{case.rule}-{kind}-{number}")
        for number, (game, case) in enumerate(chosen)
    ]


@pytest.mark.parametrize(("game", "case"), _parameters("legal"))
def test_legal_case_is_not_accused(game: str, case: cases.Case) -> None:
    rules = registry.load(game)
    assert rules is not None
    found = cases.play(case, case.legal, definition(game), rules)
    accused = [(f.fault.rule, f.fault.message) for f in found if f.fault.verdict is Verdict.ILLEGAL]
    assert accused == [], case.source


@pytest.mark.parametrize(("game", "case"), _parameters("illegal"))
def test_illegal_case_is_found_under_its_rule_and_no_other(game: str, case: cases.Case) -> None:
    rules = registry.load(game)
    assert rules is not None
    found = cases.play(case, case.illegal, definition(game), rules)
    named = {f.fault.rule for f in found}
    assert case.rule in named, (case.source, [(f.fault.rule, f.fault.message) for f in found])
    accused = {f.fault.rule for f in found if f.fault.verdict is Verdict.ILLEGAL}
    assert accused <= {case.rule}, (case.source, accused)
