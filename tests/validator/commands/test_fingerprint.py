"""The numbers of `docs/fingerprints.md` are those that the command prints."""

from __future__ import annotations

import json
import re

import pytest

from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY

PAGE = (REPOSITORY / "docs" / "fingerprints.md").read_text(encoding="utf-8")
SCENARIO = re.compile(r"^(\w+) ([\w-]+)(?:: .*)?\n((?:  .*\n)*)", re.MULTILINE)
SHOWN = {(match[1], match[2]): match[0] for match in SCENARIO.finditer(PAGE)}
QUICK = {("ftm", "turn-of-the-tide"), ("wfm", "turning-point")}


def test_page_names_every_game_with_rules() -> None:
    assert {game for game, _ in SHOWN} == {"wfm", "ftm", "lwe", "wie"}


@pytest.mark.parametrize(
    ("game", "scenario"),
    [pytest.param(*of, marks=() if of in QUICK else pytest.mark.slow, id="-".join(of)) for of in SHOWN],
)
def test_page_shows_what_the_command_prints(
    game: str, scenario: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "fingerprint", game, "--scenario", scenario) == (0, SHOWN[game, scenario], "")


def test_fingerprint_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "fingerprint", "ftm", "--scenario", "turn-of-the-tide", "--json")
    told = json.loads(out)["scenarios"]["turn-of-the-tide"]
    assert (status, told["axis"]["units"], told["axis"]["supply"]) == (0, 66, {"supplied": 66})


def test_scenario_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, told = run(capsys, "fingerprint", "ftm", "--scenario", "nowhere")
    assert status == 2
    assert "turn-of-the-tide" in told


def test_game_without_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "fingerprint", "efs")[0] == 2
