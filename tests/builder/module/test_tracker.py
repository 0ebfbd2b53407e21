"""The turn tracker of a game whose phases change their order."""

from __future__ import annotations

from dataclasses import replace

from builder.module import tracker
from fieldpost.definition import load
from fieldpost.definition.model import Order
from fieldpost.vassal.saving import turn_state

WFM = load("wfm")
TURNED = replace(
    WFM,
    orders=(
        Order(1, ("supply", "axis-move", "axis-combat")),
        Order(12, ("supply", "sov-move", "sov-combat")),
    ),
)


def test_a_game_of_one_order_has_one_counter() -> None:
    assert tracker.stages(WFM) == [tracker.Stage(1, -1, WFM.sequence)]
    assert turn_state(*tracker.state(WFM, 22, 2)).startswith("0|22;0;false;-1;2\\;")


def test_each_order_has_a_counter_of_its_own_and_the_first_ends_where_the_next_begins() -> None:
    first, second = tracker.stages(TURNED)
    assert (first.first, first.last) == (1, 11)
    assert (second.first, second.last) == (12, -1)
    assert [phase.id for phase in second.phases] == ["supply", "sov-move", "sov-combat"]


def test_the_counter_of_the_turn_is_the_one_that_counts() -> None:
    entries = "true,true,true"
    assert turn_state(*tracker.state(TURNED, 4, 1)) == (
        f"0|4;0;true;11;1\\;0\\;0\\;{entries}|12;0;false;-1;0\\;0\\;0\\;{entries}"
    )
    assert turn_state(*tracker.state(TURNED, 13, 2)) == (
        f"1|1;0;true;11;0\\;0\\;0\\;{entries}|13;0;false;-1;2\\;0\\;0\\;{entries}"
    )


def test_a_scenario_with_an_order_of_its_own_begins_in_a_counter_behind_the_games() -> None:
    wie = load("wie")
    stages = tracker.stages(wie)
    assert stages[0].phases[1].id == "axis-reinforce"
    levels, active = tracker.state(wie, 4, 0, wie.scenario["typhoon"])
    assert levels[active].current == 4
    assert [phase.id for phase in stages[active].phases[:2]] == ["weather", "soviet-reinforce"]
    assert tracker.state(wie, 1, 0, wie.scenario["barbarossa"])[1] == 0
