"""What the page of an audit says of the dice, and of several games."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY
from tests.validator.audit import mailed
from validator.audit.dice import Dice, Tally
from validator.audit.dice_words import passages, share

Capture = pytest.CaptureFixture[str]
SIDES = {"axis": "Axis"}


def said(*counts: int, **odd: tuple[dict[str, object], ...]) -> str:
    rows = {"undone": (), "without_reason": (), "surplus": ()} | odd
    found = passages(Dice((Tally("axis", len(counts), list(counts)),), **rows), SIDES)
    return "\n".join(line for passage in found for line in (passage.title, *passage.lines))


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.37, "37 of 100 such games"),
        (1.0, "100 of 100 such games"),
        (0.03, "3 of 100 such games"),
        (0.004, "4 of 1,000 such games"),
        (0.0004, "4 of 10,000 such games"),
        (0.00002, "20 of 1,000,000 such games"),
        (1e-9, "fewer than 3 of 1,000,000 such games"),
    ],
)
def test_chances_are_told_as_games(chance: float, words: str) -> None:
    assert share(chance) == words


def test_count_mean_and_both_chances_are_told() -> None:
    text = said(10, 10, 10, 10, 10, 10)
    assert "How likely: Axis phases, d6" in text
    assert "60 dice, mean 3.50, 3.5 expected" in text
    assert "(worked out exactly)" in text
    assert "(chi-square 0.0)" in text
    assert "In short: nothing that chance does not often give." in text


def test_few_dice_are_counted_out() -> None:
    assert "(counted out, since they are few)" in said(3, 2, 0, 0, 1, 0)


def test_rolls_that_stand_out_are_named_and_nobody_is_accused() -> None:
    text = said(1, 1, 2, 2, 4, 50, undone=({"log": "a.vlog", "step": 7},))
    assert "Taken back: a.vlog step 7." in text
    assert "None of this says why" in text
    assert not re.search("cheat|suspicious|loaded", text, re.IGNORECASE)


def test_a_game_without_dice_has_nothing_to_say() -> None:
    assert passages(Dice((), (), (), ()), SIDES) == []


# --- pages ---


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two games, each in a folder of its own."""
    folder = tmp_path / "games"
    (folder / "one").mkdir(parents=True)
    for log in mailed.whole():
        (folder / "one" / log.name).write_bytes(log.data)
    faulty = REPOSITORY / "examples" / "samples" / "turning-point-faulty"
    shutil.copytree(faulty, folder / "two", ignore=shutil.ignore_patterns("*.txt", "*.json"))
    return folder


def test_the_page_of_a_game_says_how_likely_its_dice_are(
    games: Path, tmp_path: Path, capsys: Capture
) -> None:
    page = tmp_path / "game.html"
    run(capsys, "audit", games / "one", "--html", page, "--plain-map")
    assert "How likely: Axis phases, d6" in page.read_text(encoding="utf-8")


def test_several_games_become_a_page_each_and_one_that_leads_to_them(
    games: Path, tmp_path: Path, capsys: Capture
) -> None:
    page = tmp_path / "our league.html"
    done = run(capsys, "audit", games, "--html", page, "--plain-map")
    assert done.status == 1
    index = page.read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)"', index)
    assert links == ["our%20league-1.html", "our%20league-2.html"]
    assert sorted(path.name for path in tmp_path.glob("*.html")) == [
        "our league-1.html", "our league-2.html", "our league.html",
    ]  # fmt: skip
    assert "not legal as played" in index
    assert "nothing illegal, and the logs hang together" in index
    assert str(tmp_path) not in index


def test_no_game_makes_no_page(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "empty").mkdir()
    done = run(capsys, "audit", tmp_path / "empty", "--html", tmp_path / "game.html")
    assert done.status == 2
    assert not (tmp_path / "game.html").exists()
