"""What is owed, not understood or decided by an option is told in every form of report."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from fieldpost.definition import load
from validator.model.findings import NotUnderstood, Open, Report, Way
from validator.model.position import start
from validator.report import describe, html, junit, reply, text
from validator.report.describe import Namer

GAME = load("wfm")
SCENARIO = GAME.scenario["turning-point"]
NAMER = Namer(GAME, SCENARIO)
CLEAN = Report("wfm", "turning-point", 4, ())
OWING = replace(CLEAN, open=(Open("wfm-8.64", "51AK one step or a hex", ("51AK",)),))
PUZZLED = replace(CLEAN, not_understood=(NotUnderstood(12, "[fp] resalt 2/2 #2", "result"),))
CHOSEN = replace(CLEAN, options={"stack-sum": "slots"})

UNTRIED = replace(CLEAN, untried={"stack-sum": "slots"})


def forms(report: Report) -> dict[str, str]:
    chapter = html.Chapter("turn.vlog", start(GAME, SCENARIO), [], report)
    return {
        "text": text.render(report, NAMER, "turn.vlog"),
        "reply": reply.render(report, NAMER, "turn.vlog"),
        "page": html.render(GAME, SCENARIO, [chapter]),
        "junit": junit.render(report, NAMER, "turn.vlog"),
    }


def test_what_is_owed_stands_in_the_first_line() -> None:
    first = forms(OWING)["text"].splitlines()[0]
    assert first == "turn.vlog: nothing illegal so far, 1 thing still owed"


def test_what_is_owed_is_told_in_every_form() -> None:
    for form, told in forms(OWING).items():
        assert "51AK one step or a hex (wfm-8.64)" in told, form
    assert describe.report_data(OWING, NAMER, "turn.vlog")["open"] == [
        {"rule": "wfm-8.64", "text": "51AK one step or a hex", "units": ("51AK",)}
    ]


def test_the_way_of_a_drag_is_told_in_every_form() -> None:
    report = replace(CLEAN, ways=(Way(7, "PzKG-4 by E5309-E5410-E5411-E5311"),))
    for form in ("text", "reply", "page"):
        assert "7: PzKG-4 by E5309-E5410-E5411-E5311" in " ".join(forms(report)[form].split()), form
    assert describe.report_data(report, NAMER, "turn.vlog")["ways"] == [
        {"step": 7, "text": "PzKG-4 by E5309-E5410-E5411-E5311"}
    ]


def test_what_was_not_understood_is_told_in_every_form() -> None:
    for form, told in forms(PUZZLED).items():
        assert "step 12: [fp] resalt 2/2 #2; did you mean" in told, form
    assert "1 line not understood" in forms(PUZZLED)["text"].splitlines()[0]
    assert describe.report_data(PUZZLED, NAMER, "turn.vlog")["not_understood"] == [
        {"step": 12, "text": "[fp] resalt 2/2 #2", "nearest": "result"}
    ]


def test_an_option_that_decided_is_named() -> None:
    for form in ("text", "reply", "page"):
        assert "Decided by options: stack-sum = slots." in forms(CHOSEN)[form], form
    assert describe.report_data(CHOSEN, NAMER, "turn.vlog")["options"] == {"stack-sum": "slots"}


def test_options_that_were_not_tried_are_named() -> None:
    for form in ("text", "reply", "page"):
        told = " ".join(forms(UNTRIED)[form].split())
        assert "too much here to try their other choices: stack-sum = slots." in told, form
    assert describe.report_data(UNTRIED, NAMER, "turn.vlog")["untried"] == {"stack-sum": "slots"}


@pytest.mark.parametrize("report", [OWING, PUZZLED, CHOSEN, UNTRIED])
def test_all_is_checked_only_where_nothing_is_left(report: Report) -> None:
    praise = {
        "text": "Checked: all 4 actions.",
        "reply": "Everything in it could be checked.",
        "page": "Nothing was left unchecked.",
    }
    clean, told = forms(CLEAN), forms(report)
    for form, words in praise.items():
        assert words in clean[form]
        assert words not in told[form]


def test_the_answer_for_programs_has_the_keys_always() -> None:
    said = json.loads(json.dumps(describe.report_data(CLEAN, NAMER, "turn.vlog")))
    assert (said["open"], said["not_understood"], said["options"]) == ([], [], {})


def test_junit_skips_what_cannot_be_judged_yet() -> None:
    suite = ElementTree.fromstring(forms(OWING)["junit"])
    assert suite[0].find("skipped") is not None
