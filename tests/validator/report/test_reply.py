"""The reply: what a player can paste into a mail, whatever stands in the report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldpost.hexes import Hex
from players.table import game_of
from tests.fieldpost.commands.running import run
from validator.model.events import Origin
from validator.model.findings import Fault, Finding, Report, Unchecked, Verdict
from validator.report import reply
from validator.report.describe import Namer
from validator.services import one_turn
from validator.services.turnfile import Wanted

Capture = pytest.CaptureFixture[str]
FAULTY = Path(__file__).parents[3] / "examples" / "faulty-turn.txt"
GAME = game_of()
NAMER = Namer(GAME, GAME.scenario["turning-point"])


def finding(verdict: Verdict = Verdict.ILLEGAL, message: str = "11AK: too far", step: int = 8) -> Finding:
    fault = Fault("wfm-4.26b", message, verdict=verdict)
    return Finding(
        fault, "Only tanks may.", Origin("a.vlog", step), 23, "axis-move", "axis", remedy="take it back"
    )


def told(*findings: Finding, unchecked: tuple[Unchecked, ...] = (), broken: str | None = None) -> str:
    return reply.render(Report("wfm", None, 5, findings, unchecked, broken), NAMER, "a.vlog")


def test_the_verdict_is_the_first_sentence() -> None:
    assert told().startswith("Nothing illegal was found in the 5 actions of a.vlog.\n")
    assert told(finding()).startswith("a.vlog is not legal as played: 1 fault in 5 actions.\n")
    assert "but 1 point should be looked at" in told(finding(Verdict.WARNING)).replace("\n", " ")
    broken = told(broken="the file ends")
    assert broken.startswith("a.vlog could be read only in part")
    assert "Everything that could be read could be checked." in broken


def test_a_fault_says_where_what_which_rule_and_the_remedy() -> None:
    said = told(finding())
    assert " 1. Turn 23, Axis Movement Phase, step 8\n" in said
    assert "    11AK: too far.\n" in said
    assert "    Rule 4.26 (also 5.43): Only tanks may.\n" in said
    assert "\nRemedy: take it back.\n" in said


def test_a_fault_found_when_a_phase_ends_has_no_step() -> None:
    assert "Axis Movement Phase, at its end" in told(finding(step=0))


def test_faults_come_before_doubts_before_what_was_not_checked() -> None:
    said = told(
        finding(Verdict.JUDGEMENT), finding(Verdict.WARNING), finding(), unchecked=(Unchecked("no die", 2),)
    )
    places = [
        said.index(word) for word in ("FAULTS", "DOUBTFUL", "FOR YOU TO JUDGE", "NOT CHECKED", "2 x no die")
    ]
    assert places == sorted(places)


def test_the_sum_is_worked_out_line_by_line() -> None:
    said = reply.render(one_turn.check(FAULTY, Wanted()).report, NAMER, FAULTY.name, counts="line")
    assert "The sum:\n      E4611-E4711 clear 1, leaving the zone of 21A and 65A +3\n" in said
    assert "        result A1\n" not in said
    assert "Axis Movement Phase, line 8" in said


def test_rules_of_a_game_without_a_list_are_cited_by_their_id() -> None:
    report = Report("a-game-of-mine", None, 1, (finding(),))
    assert "Rule 4.26b: " in reply.render(report, NAMER, "a.vlog")


def test_only_the_name_of_a_file_is_told() -> None:
    report = Report("wfm", None, 5, (finding(),))
    assert "secret" not in reply.render(report, NAMER, "/home/secret/a.vlog")


TEXT = st.text(max_size=200)


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, TEXT, TEXT)
def test_any_words_become_short_lines_of_plain_ascii(
    message: str, statement: str, step: str, name: str
) -> None:
    fault = Fault("wfm-4.26b", message, hexes=(Hex(0, 0),), evidence={"steps": [step]})
    found = Finding(fault, statement, Origin("", 3), 23, "axis-move", None)
    said = reply.render(Report("wfm", None, 5, (found,)), NAMER, name)
    assert all(len(line) <= reply.WIDTH for line in said.splitlines())
    assert re.fullmatch(r"[ -~\n]*", said)


def test_umlauts_are_written_out_and_letters_with_accents_keep_their_shape() -> None:
    assert "Muenchen - 3 1/2" in told(finding(message="München – 3½"))


# --- on the command line ---


def test_check_answers_with_a_reply(capsys: Capture) -> None:
    done = run(capsys, "check", FAULTY, "--reply")
    assert (done.status, done.out.splitlines()[0]) == (
        1,
        "faulty-turn.txt is not legal as played: 3 faults in 8 actions.",
    )
    assert run(capsys, "check", FAULTY, "--reply", "--json").json["reply"] == done.out


def test_a_policy_changes_the_remedy(capsys: Capture) -> None:
    assert (
        "Remedy: the referee decides." in run(capsys, "check", FAULTY, "--reply", "--policy", "referee").out
    )


def test_audit_answers_with_a_reply(capsys: Capture) -> None:
    done = run(capsys, "audit", FAULTY, "--reply")
    assert done.out.replace("\n", " ").startswith(
        "War for the Motherland, Turning Point: the game is not legal as played, 3 faults in 8 actions of 1 "
    )
    assert "line 8 of" not in done.out
    assert run(capsys, "audit", FAULTY, "--reply", "--json").json["reply"] == done.out
