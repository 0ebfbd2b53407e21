"""What the course of a game has settled where a sheet or log begins within it."""

from __future__ import annotations

import pytest

from fieldpost.definition import load
from validator import registry, sheet
from validator.games.lwe.course import course_of
from validator.referee import Referee

GAME = load("lwe")


def judged(text: str) -> Referee:
    """Lines that begin with the set-up of the campaign."""
    read = sheet.read(f"game lwe campaign\n{text}", lambda _: GAME)
    rules = registry.load("lwe")
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
    referee.case.in_game.notes.clear()
    course = course_of(referee.case)
    assert (course.dd3, course.north, course.south, course.broken) == (False, "snow", "mud", True)
