"""What the course of a game has settled where a sheet or log begins within it."""

from __future__ import annotations

import pytest

from fieldpost.definition import load
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.games.lwe.book import SNOW
from validator.games.lwe.course import NORTH, Course, course_of, may_be
from validator.model.events import Pointed

GAME = load("lwe")


def judged(text: str) -> Referee:
    """Lines that begin with the set-up of the campaign."""
    read = sheet.read(f"game lwe campaign\n{text}", lambda _: GAME)
    rules = rulebook.load("lwe")
    assert rules is not None
    referee = Referee(GAME, GAME.scenario["campaign"], rules, {})
    for event in read.events:
        referee.judge(sheet.expand(event, referee.case.position))
    return referee


def test_a_sheet_that_begins_late_does_not_know_whether_directive_3_is_in_force() -> None:
    referee = judged("turn 12 weather\nturn 12 german-move\nturn 12 soviet-pa\nturn 12 soviet-new-units\n")
    assert course_of(referee.case).dd3 is None
    assert not [f for f in referee.findings if f.fault.rule in ("lwe-5.6a", "lwe-11.1b")]
    assert "whether Directive 3 is in force" in {u.reason for u in referee.report().unchecked}


def test_a_sheet_that_begins_late_does_not_know_the_weather() -> None:
    assert not course_of(judged("turn 14 german-move\n").case).known


@pytest.mark.parametrize("turn", [1, 7])
def test_before_turn_8_the_directive_is_in_force_and_the_weather_dry(turn: int) -> None:
    course = course_of(judged(f"turn {turn} german-move\n").case)
    assert (course.dd3, course.known, course.broken) == (True, True, False)


def test_markers_tell_a_late_sheet_what_went_before() -> None:
    text = "set directive-3:2 directive\nset weather-north weather-snow\nset weather-south weather-mud\n"
    referee = judged(f"turn 1 turn-start\n{text}")
    referee.case.position.turn = 14
    referee.case.in_game.course = None
    course = course_of(referee.case)
    assert (course.dd3, course.north, course.south, course.broken) == (False, "snow", "mud", True)


def test_three_markers_on_the_turn_track_tell_of_a_pause() -> None:
    laid = "".join(f"set paulus-pause turn-{turn}\n" for turn in (6, 4, 5))
    assert course_of(judged(f"turn 3 turn-end\n{laid}").case).pause == 3


def begun_in(turn: int, *boxes: int) -> Course:
    """The course as a log shows it that begins in mid-game, with markers of a pause on the turn track."""
    referee = judged("turn 1 turn-start\n")
    position = referee.case.position
    position.turn, position.partial = turn, True
    for box in boxes:
        position.apply(Pointed("paulus-pause", f"turn-{box}"))
    referee.case.in_game.course = None
    return course_of(referee.case)


def test_a_log_from_the_middle_is_told_of_a_pause_by_its_markers_alone() -> None:
    told, untold = begun_in(9, 4, 5, 6), begun_in(9)
    assert (told.pause, told.pause_told, told.rested(9)) == (3, True, True)
    assert (untold.pause, untold.pause_told, untold.rested(9), untold.may_be_rested(9)) == (
        None,
        False,
        False,
        True,
    )
    assert begun_in(5, 6).pausing(5)  # those of the turns gone by were taken off
    assert begun_in(2).pause_told


def test_snow_that_may_have_come_before_leaves_the_die_in_doubt() -> None:
    late, early = (
        judged("turn 21 weather\nroll weather 1d6=2\n"),
        judged("turn 12 weather\nroll weather 1d6=6\n"),
    )
    assert course_of(early.case).known
    assert not course_of(late.case).known
    assert may_be(late.case, NORTH) == {course_of(late.case).read[0], SNOW}


def test_weather_that_the_die_cannot_have_given_is_no_weather() -> None:
    said = judged("turn 12 weather\nroll weather 1d6=1\ndeclare weather = snow/snow\n")
    assert [f.fault.rule for f in said.findings] == ["lwe-10.2a"]


def test_a_second_mobile_assault_is_told_once() -> None:
    """When it is declared, and not again when its die falls."""
    lines = ["turn 2 german-move", *["overrun 7Pz x 1711 : 1d6=2"] * 2]
    rules = [finding.fault.rule for finding in judged("\n".join(lines)).findings]
    assert rules.count("lwe-9.23b") == 1
