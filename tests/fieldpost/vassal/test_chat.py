"""Which chat lines are rolls of dice."""

from __future__ import annotations

import pytest

from fieldpost.vassal import chat


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("* 2d6 = 7 *** <Hans>", (7,)),
        ("** 2d6 = 3,4 *** <Hans>", (3, 4)),
        ("*** d6 = 6: hit *** <Hans>", (6,)),
        ("* Hans rolls 1d6 = 5", (5,)),
    ],
)
def test_a_roll_is_read_with_its_dice(line: str, values: tuple[int, ...]) -> None:
    spoken = chat.parse(line)
    assert isinstance(spoken, chat.Dice)
    assert spoken.values == values
    assert chat.tells_of_dice(line)


@pytest.mark.parametrize(
    "line",
    [
        "* Hans: by the chart D3 (18:3 = 6:1)",
        "* Hans: by the chart D2 (32:3 = 10:1, -1 winter)",
        "* Hans: by the chart A1 (3:2 = 1:1)",
    ],
)
def test_odds_and_a_result_by_the_chart_are_no_dice(line: str) -> None:
    assert not isinstance(chat.parse(line), chat.Dice)
    assert not chat.tells_of_dice(line)
