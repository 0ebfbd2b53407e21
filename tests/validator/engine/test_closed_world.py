"""What no rule speaks of is told, in sheets and logs; what is put back is nobody's fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from players.table import game_of
from tests.validator.engine.holes import HOLES, read, reading_of, referee
from tests.validator.interpret.desk import Desk
from validator.engine.referee import Referee
from validator.model.findings import Verdict
from validator.model.position import Position
from validator.services import one_turn
from validator.sheet.tokens import SheetErrors


def judged(game: str, lines: Sequence[str], *, by_hand: bool = False) -> Referee:
    return referee(game, read(game, lines).events, by_hand=by_hand)


@pytest.mark.parametrize("name", HOLES)
def test_a_hole_is_closed_in_a_sheet(name: str) -> None:
    hole = HOLES[name]
    assert hole.sure in told(referee(hole.game, read(hole.game, hole.lines).events), hole.rule)


@pytest.mark.parametrize("name", [name for name, hole in HOLES.items() if hole.log])
def test_a_hole_is_closed_in_a_log(name: str) -> None:
    hole = HOLES[name]
    reading = reading_of(hole.game, read(hole.game, hole.lines).events)
    assert hole.log in told(referee(hole.game, reading.events, reading.start, by_hand=True))


def told(judged: Referee, rule: str | None = None) -> set[str]:
    """How sure the referee is of what is wrong, by one rule or any."""
    report = judged.report()
    said = {f.fault.verdict.value for f in report.findings if rule in (None, f.fault.rule)}
    said |= {"not judged" for _ in report.not_judged}
    return said | {"owed" for item in report.open if rule in (None, item.rule)}


@pytest.mark.parametrize("line", ["resalt 2/2 #2", "result ZZ", "roll bananas 1d6=3", "declare bananas"])
def test_a_word_of_a_log_that_is_none_keeps_all_from_being_checked(line: str) -> None:
    desk = Desk()
    desk.drag("9A", "6607")
    desk.say(line)
    reading = desk.reading()
    report = referee("wfm", reading.events, reading.start, by_hand=True).report()
    puzzles = one_turn.not_understood(reading.events)
    assert len(puzzles) == 1
    assert not replace(report, not_understood=puzzles).complete


WORDS = {
    "attack 51AK x 4708 with bananas : 1d6=5 = A1": "bananas",
    "move 3PzK 6407-6306 as bananas": "bananas",
    "roll bananas 1d6=3": "bananas",
    "declare bananas": "bananas",
    "result ZZ": "ZZ",
    "replace 3PzK with PzKG-5+PzKG-6 at 6407 for fun": "fun",
    "declare victory = Axis wine": "Axis wine",
    "step 62A 1>2": "62A has one step",
    "attack 51AK x 4708 at 1:0": "1:0",
}


def test_every_word_that_is_none_is_told_in_one_run() -> None:
    with pytest.raises(SheetErrors) as told_of:
        read("wfm", ["turn 23 axis-combat", *WORDS])
    assert len(told_of.value.each) == len(WORDS)
    for error, word in zip(told_of.value.each, WORDS.values(), strict=True):
        assert word in error.message


def test_dice_and_words_that_no_rule_asks_for_are_doubtful() -> None:
    lines = ["turn 23 axis-move", "roll attrition 1d6=3 for 3PzK", "roll return 1d6=3 for 3PzK"]
    found = judged("wfm", lines).findings
    assert found
    assert all(finding.fault.verdict is Verdict.WARNING for finding in found)


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
    [
        "move 4AB 5216..5217",
        "move 4AB 5217..5216",
        "move 3PzK 6407..6307",
    ],  # an airbase that moves is the last
]


@pytest.mark.parametrize("lines", AT_THE_TABLE, ids=lambda lines: lines[0])
def test_what_is_put_back_is_nobody_s_fault(lines: list[str]) -> None:
    assert judged("wfm", ["turn 23 axis-move", *lines], by_hand=True).findings == []


def test_a_move_put_right_by_hand_is_nobody_s_fault() -> None:
    """Dragged out, back to where it stood, and elsewhere: it counts from where it began."""
    lines = ["turn 23 axis-move", "move 3PzK 6407-6308", "move 3PzK 6308-6407", "move 3PzK 6407-6306"]
    reading = reading_of("wfm", read("wfm", lines).events)
    assert referee("wfm", reading.events, reading.start, by_hand=True).findings == []


# --- ways -------------------------------------------------------------------------------------------------

AROUND = ["position empty", "given place PzKG-4 5309", "given place SWHQ 5310", "turn 23 axis-move"]


def opened(lines: Sequence[str]) -> Referee:
    start = Position(game_of("wfm"))
    begun = read("wfm", lines)
    begun.opening.apply(start)
    return referee("wfm", begun.events, start)


def test_the_way_of_a_drag_is_told_where_the_straight_one_is_not_open() -> None:
    report = opened([*AROUND, "move PzKG-4 5309..5311"]).report()
    assert [(way.step, way.text) for way in report.ways] == [(6, "PzKG-4 by E5309-E5410-E5411-E5311")]
    assert report.complete


@pytest.mark.parametrize("path", ["5309-5410-5411-5311", "5309..5411", "5309-5311"])
def test_a_way_that_is_written_or_straight_is_not_told(path: str) -> None:
    assert opened([*AROUND, f"move PzKG-4 {path}"]).report().ways == ()


# --- what is still owed -----------------------------------------------------------------------------------

BATTLE = ["turn 23 axis-combat", "attack 51AK x 4708 : 1d6=5 = A1"]


def test_what_is_owed_when_a_turn_ends_is_said() -> None:
    report = judged("wfm", BATTLE).report()
    assert report.findings == ()
    assert [(item.rule, item.units) for item in report.open] == [("wfm-8.84", ("51AK",))]
    assert not report.complete


def test_nothing_is_owed_when_the_phase_is_over() -> None:
    closed = judged("wfm", BATTLE)
    closed.close()
    assert closed.report().open == ()
    assert [finding.fault.rule for finding in closed.findings] == ["wfm-8.84"]


def test_a_phase_in_which_nothing_was_done_owes_nothing() -> None:
    assert judged("wfm", ["turn 23 supply"]).report().open == ()


def test_asking_what_is_owed_changes_nothing() -> None:
    asked = judged("wfm", BATTLE)
    assert asked.report() == asked.report()


# --- bookkeeping ------------------------------------------------------------------------------------------

NEXT_TURN = "turn 4 german-move"


@pytest.mark.parametrize("shown", [["turn 4 turn-start"], []], ids=["shown", "skipped"])
def test_fortified_zones_cost_points_whether_their_phase_is_shown_or_not(shown: list[str]) -> None:
    known = ["turn 1 turn-start", "turn 3 turn-end"]
    named = judged("lwe", [*known, *shown, NEXT_TURN, "declare victory-points = 0"])
    (finding,) = [f for f in named.findings if "victory points" in f.fault.message]
    assert finding.fault.message == "0 victory points are named; it is -15"
