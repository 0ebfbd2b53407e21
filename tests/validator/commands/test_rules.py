"""`fieldpost rules`."""

from __future__ import annotations

import pytest

from fieldpost.definition.rulelist import load_rules, rule_lists
from tests.fieldpost.commands.running import run
from tests.fieldpost.definition.patching import EXAMPLE
from tests.places import REPOSITORY
from validator.commands import rules
from validator.engine.rulebook import Rulebook
from validator.services import cases

Capture = pytest.CaptureFixture[str]
COUNTS = {"efs": 642, "ftm": 158, "lwe": 281, "wfm": 244, "wie": 185}


@pytest.mark.parametrize("game", COUNTS)
def test_every_rule_of_the_inventory_is_listed_and_decided(capsys: Capture, game: str) -> None:
    listed = run(capsys, "rules", game, "--json").json
    assert len(listed) == len({rule["id"] for rule in listed}) == COUNTS[game]
    for rule in listed:
        assert {"id", "title", "status", "reason", "cases"} <= rule.keys()
        assert rule["status"] in rules.STATUSES
        assert rule["status"] == "enforced" or rule["reason"]


def test_there_is_a_list_for_each_of_the_five_games() -> None:
    assert rule_lists() == sorted(COUNTS)


def test_what_the_code_says_goes_before_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third, fourth = [rule.id for rule in load_rules("wfm")][:4]
    book = Rulebook("wfm")
    book.rule(first)(lambda case: [])
    book.needs_judgement(second, "a matter of taste")
    book.cannot_check(third, "no log shows it")
    monkeypatch.setattr("validator.engine.rulebook.load", lambda game: book)
    found = {rule["id"]: (rule["status"], rule["reason"]) for rule in rules.describe("wfm")}
    assert found[first] == ("enforced", None)
    assert found[second] == ("judgement", "a matter of taste")
    assert found[third] == ("not-checkable", "no log shows it")
    assert found[fourth] == ("not-checkable", rules.NOT_WRITTEN)


def test_one_rule_is_found_by_its_id_or_its_number(capsys: Capture) -> None:
    (rule,) = run(capsys, "rules", "wfm", "wfm-4.26b", "--json").json
    assert rule["id"] == "wfm-4.26b"
    assert {rule["id"] for rule in run(capsys, "rules", "wfm", "4.26", "--json").json} >= {"wfm-4.26b"}
    assert "source: 4.26" in run(capsys, "rules", "wfm", "4.26b").out


def test_worked_cases_are_counted_and_shown(capsys: Capture) -> None:
    worked = cases.load("wfm")
    listed = {rule["id"]: rule["cases"] for rule in run(capsys, "rules", "wfm", "--json").json}
    assert sum(listed.values()) == len(worked) > 0
    out = run(capsys, "rules", "wfm", worked[0].rule).out
    assert f"    turn {worked[0].turn}" in out
    assert f"      illegal: {worked[0].illegal[0]}" in out


def test_a_rule_leads_to_its_code_and_its_cases(capsys: Capture) -> None:
    (rule,) = run(capsys, "rules", "wfm", "wfm-4.26b", "--json").json
    for place in rule["code"]:
        file, line = place.split(":")
        assert '"wfm-4.26b"' in (REPOSITORY / file).read_text().splitlines()[int(line) - 1]
    assert rule["code"]
    for case in rule["worked"]:
        file, line = case["place"].split(":")
        text = (REPOSITORY / "games" / "wfm" / file).read_text().splitlines()[int(line) - 1]
        assert text == "- rule: wfm-4.26b"


def test_a_chapter_lists_its_rules(capsys: Capture) -> None:
    found = [rule["id"] for rule in run(capsys, "rules", "wfm", "8.11", "--json").json]
    assert {"wfm-8.111", "wfm-8.118"} <= set(found)
    assert "wfm-8.101" not in found
    assert len(run(capsys, "rules", "wfm", "8", "--json").json) > len(found)


def test_the_list_ends_with_sums(capsys: Capture) -> None:
    last = run(capsys, "rules", "wie").out.splitlines()[-1]
    assert last.startswith("wie: 185 rules: ")


def test_a_folder_of_ones_own_may_list_its_rules(capsys: Capture) -> None:
    assert len(run(capsys, "rules", EXAMPLE, "--json").json) == 12


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["wfx"], "Did you mean wfm?"),
        (["wfm", "wfm-4.26z"], "there is no rule 'wfm-4.26z' in wfm"),
        (["wfm", "--status", "legal"], "invalid choice"),
    ],
)
def test_wrong_input_ends_with_status_2_and_a_helpful_line(
    capsys: Capture, arguments: list[str], words: str
) -> None:
    result = run(capsys, "rules", *arguments)
    assert result.status == 2
    assert words in result.err
