"""The figures of docs/evidence.md and of the README are those of the program."""

from __future__ import annotations

import re

import pytest

from fieldpost.definition.rulelist import load_rules
from tests.places import REPOSITORY
from validator.engine import rulebook
from validator.services import cases

GAMES = ("wfm", "ftm", "lwe", "wie")
PAGE = (REPOSITORY / "docs" / "evidence.md").read_text(encoding="utf-8")
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def figures(game: str) -> tuple[int, ...]:
    rules, book = load_rules(game), rulebook.load(game)
    assert book is not None
    decided = sum(rule.id in book.enforced for rule in rules)
    rest = sum(bool(rule.rests_on) for rule in rules)
    return len(rules), decided, len(book.doubtful), rest, len(cases.load(game))


@pytest.mark.parametrize("game", GAMES)
def test_the_table_shows_each_game_as_it_is(game: str) -> None:
    row = re.search(rf"^\| {game} \| (.*) \|$", PAGE, re.MULTILINE)
    assert row
    *shown, worked = map(int, row[1].split(" | "))
    *found, played = figures(game)
    assert shown == found
    assert worked <= played  # more are added all the time; none may go unseen


@pytest.mark.parametrize("game", GAMES)
def test_the_readme_shows_the_same(game: str) -> None:
    total, decided, doubtful, *_ = figures(game)
    row = re.search(
        rf"\(`{game}`\).*\| (\d+) of (\d+) \((\d+) at most as doubtful\) \|$", README, re.MULTILINE
    )
    assert row
    assert tuple(map(int, row.groups())) == (decided, total, doubtful)


def test_the_readme_says_how_many_rules_rest_on_something_of_ours() -> None:
    said = ", ".join(str(figures(game)[3]) for game in ("wfm", "lwe", "ftm"))
    assert f"{said} and {figures('wie')[3]} of these rules" in " ".join(README.split())
