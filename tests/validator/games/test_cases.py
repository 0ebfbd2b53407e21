"""Every worked case of every game is judged as it says; every enforced rule has both kinds of case."""

from __future__ import annotations

import functools

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.definition.rulelist import load_rules
from players.faults import meant
from validator.engine import rulebook
from validator.model.findings import Verdict
from validator.services import cases

GAMES = ["wfm", "lwe", "ftm", "wie"]
ALL = [(game, case) for game in GAMES for case in cases.load(game)]


@functools.cache
def definition(game: str) -> Game:
    return load(game)


def _parameters(kind: str) -> list[object]:
    chosen = [(game, case) for game, case in ALL if getattr(case, kind)]
    return [pytest.param(game, case, id=f"{case.rule}-{kind}-{case.source}") for game, case in chosen]


@pytest.mark.parametrize(("game", "case"), _parameters("legal"))
def test_legal_case_is_not_accused(game: str, case: cases.Case) -> None:
    rules = rulebook.load(game)
    assert rules is not None
    found = cases.play(case, case.legal, definition(game), rules)
    accused = [(f.fault.rule, f.fault.message) for f in found if f.fault.verdict is Verdict.ILLEGAL]
    assert accused == [], case.source


@pytest.mark.parametrize(("game", "case"), _parameters("illegal"))
def test_illegal_case_is_found_under_its_rule_and_no_other(game: str, case: cases.Case) -> None:
    rules = rulebook.load(game)
    assert rules is not None
    found = cases.play(case, case.illegal, definition(game), rules)
    named = {meant(f) for f in found}
    assert case.rule in named, (case.source, [(f.fault.rule, f.fault.message) for f in found])
    accused = {meant(f) for f in found if f.fault.verdict is Verdict.ILLEGAL}
    assert accused <= {case.rule}, (case.source, accused)
    messages = [f.fault.message for f in found if meant(f) == case.rule]
    assert any(case.says in message for message in messages), (case.source, messages)


# --- every rule of the inventory is in one of three states ------------------------------------------


def _book(game: str) -> rulebook.Rulebook:
    found = rulebook.load(game)
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
def test_each_rule_is_enforced_or_says_why_not(game: str) -> None:
    book = _book(game)
    listed = {rule.id for rule in load_rules(game)}
    excused = {rule for rule in listed if book.judgement.get(rule) or book.not_checkable.get(rule)}
    assert listed - book.enforced.keys() - excused == set(), "in no state"
    assert book.enforced.keys() & excused == set(), "enforced and excused"


@pytest.mark.parametrize("game", GAMES)
def test_each_enforced_rule_has_a_legal_and_an_illegal_case(game: str) -> None:
    enforced = set(_book(game).enforced)
    for kind in ("legal", "illegal"):
        assert enforced - {case.rule for of, case in ALL if of == game and getattr(case, kind)} == set(), kind


@pytest.mark.parametrize("game", GAMES)
def test_code_and_cases_name_no_rule_that_the_list_lacks(game: str) -> None:
    book, known = _book(game), {rule.id for rule in load_rules(game)}
    assert {*book.enforced, *book.judgement, *book.not_checkable} <= known
    assert {case.rule for of, case in ALL if of == game} <= known


@functools.cache
def surest(game: str) -> dict[str, bool]:
    """Whether an illegal case of a rule is called illegal under it."""
    found: dict[str, bool] = {}
    for of, case in ALL:
        if of == game and case.illegal and not found.get(case.rule):
            said = cases.play(case, case.illegal, definition(game), _book(game))
            found[case.rule] = any(meant(f) == case.rule and f.fault.verdict is Verdict.ILLEGAL for f in said)
    return found


IN_WHOLE_GAMES = {"lwe-2.2a", "lwe-4.2a", "lwe-4.2b", "lwe-4.2c", "lwe-4.3a", "lwe-4.3b", "lwe-4.5b"}
"""Doubtful in a case, which begins in mid-game; illegal where the log shows the game from its start."""


@pytest.mark.parametrize("game", GAMES)
def test_rules_that_are_never_more_than_doubtful_say_so(game: str) -> None:
    never = {rule for rule, sure in surest(game).items() if not sure}
    assert never - IN_WHOLE_GAMES == set(_book(game).doubtful)


@pytest.mark.parametrize("game", GAMES)
def test_nine_rules_of_ten_are_enforced(game: str) -> None:
    rules = [rule.id for rule in load_rules(game)]
    assert 10 * sum(rule in _book(game).enforced for rule in rules) >= 9 * len(rules)
