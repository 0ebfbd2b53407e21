"""What no rule speaks of is told: each hole that was found, as a turn sheet; what is put back is not told."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest

from fieldpost.definition import load
from fieldpost.definition.model import Game
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.model.findings import Verdict

SCENARIOS = {"wfm": "turning-point", "lwe": "campaign"}


@functools.cache
def definition(game: str) -> Game:
    return load(game)


def judged(game: str, lines: Sequence[str], *, by_hand: bool = False) -> Referee:
    text = "\n".join([f"game {game} {SCENARIOS[game]}", *lines])
    read = sheet.read(text, lambda _: definition(game), "turn.txt")
    book = rulebook.load(game)
    assert book is not None
    referee = Referee(definition(game), read.scenario, book, {}, read.options, by_hand=by_hand)
    for event in read.events:
        referee.judge(sheet.expand(event, referee.case.position))
    return referee


ILLEGAL = {
    "a move from where the unit does not stand": ("wfm", ["turn 23 axis-move", "move 3PzK 5005-5004"]),
    "a unit placed that is on the map": ("wfm", ["turn 24 axis-move", "place 8AK 4708"]),
    "strength restored outside its phase": ("wfm", ["turn 22 sov-move", "mark 62A csm-c-6-9"]),
    "a step restored that was not lost": ("wfm", ["turn 23 axis-move", "step 11AK 2>1"]),
    "a chit handed back beside the enemy": (
        "wfm",
        ["turn 22 sov-combat", "return csm-c-6-9 to csm-c from 62A"],
    ),
    "an advance without a battle": ("lwe", ["turn 2 german-move", "advance 7ID 1214-4618"]),
    "a retreat without a battle": ("lwe", ["turn 2 german-move", "retreat 7ID 1214-1215"]),
    "an assault in a phase without any": ("lwe", ["turn 2 soviet-supply", "overrun 7ID x 1315"]),
    "a step given back while moving": ("lwe", ["turn 2 german-move", "step 7ID 2>1"]),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_a_hole_is_closed(name: str) -> None:
    game, lines = ILLEGAL[name]
    said = [finding.fault for finding in judged(game, lines).findings]
    assert any(fault.verdict is Verdict.ILLEGAL for fault in said), said


def test_dice_and_words_that_no_rule_asks_for_are_doubtful() -> None:
    lines = ["turn 23 axis-move", "roll attrition 1d6=3 for 3PzK", "roll return 1d6=3 for 3PzK"]
    referee = judged("wfm", lines)
    assert referee.findings
    assert all(finding.fault.verdict is Verdict.WARNING for finding in referee.findings)


def test_a_correction_is_as_likely_where_counters_are_moved_by_hand() -> None:
    lines = ["turn 22 sov-move", "mark 62A csm-c-6-9"]
    (finding,) = judged("wfm", lines, by_hand=True).findings
    assert finding.fault.verdict is Verdict.WARNING


AT_THE_TABLE = [
    ["remove 3PzK", "place 3PzK 6407"],
    ["mark 3PzK out-of-supply", "unmark 3PzK out-of-supply"],
    ["mark 5005 destroyed", "unmark 5005 destroyed"],
    ['say "a fine morning"'],
    ["mark 3PzK moved"],
]


@pytest.mark.parametrize("lines", AT_THE_TABLE, ids=lambda lines: lines[0])
def test_what_is_put_back_is_nobody_s_fault(lines: list[str]) -> None:
    assert judged("wfm", ["turn 23 axis-move", *lines], by_hand=True).findings == []


# --- what is still owed -----------------------------------------------------------------------------------

BATTLE = ["turn 23 axis-combat", "attack 51AK x 4708 : 1d6=5 = A1"]


def test_what_is_owed_when_a_turn_ends_is_said() -> None:
    report = judged("wfm", BATTLE).report()
    assert report.findings == ()
    assert [(item.rule, item.units) for item in report.open] == [("wfm-8.84", ("51AK",))]
    assert not report.complete


def test_nothing_is_owed_when_the_phase_is_over() -> None:
    referee = judged("wfm", BATTLE)
    referee.close()
    assert referee.report().open == ()
    assert [finding.fault.rule for finding in referee.findings] == ["wfm-8.84"]


def test_a_phase_in_which_nothing_was_done_owes_nothing() -> None:
    assert judged("wfm", ["turn 23 supply"]).report().open == ()


def test_asking_what_is_owed_changes_nothing() -> None:
    referee = judged("wfm", BATTLE)
    assert referee.report() == referee.report()


# --- bookkeeping ------------------------------------------------------------------------------------------

NEXT_TURN = "turn 4 german-move"


@pytest.mark.parametrize("shown", [["turn 4 turn-start"], []], ids=["shown", "skipped"])
def test_fortified_zones_cost_points_whether_their_phase_is_shown_or_not(shown: list[str]) -> None:
    known = ["turn 1 turn-start", "turn 3 turn-end"]
    named = judged("lwe", [*known, *shown, NEXT_TURN, "declare victory-points = 0"])
    (finding,) = [f for f in named.findings if "victory points" in f.fault.message]
    assert finding.fault.message == "0 victory points are named; it is -15"
