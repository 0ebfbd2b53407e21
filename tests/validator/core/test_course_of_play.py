"""Sequence, arrivals, control and points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fieldpost.definition.model import Order, Phase, Step
from fieldpost.definition.scenariomodel import VictoryBand
from tests.validator.core import boards
from validator.core.control import Control, uncontested
from validator.core.explain import Wording, score_text
from validator.core.reinforcement import Arrival, Schedule, check_arrival
from validator.core.sequence import Moment, Progress, SequenceOfPlay, check_advance
from validator.core.victory import ScoreItem, score

MOVE = Phase(
    "red-move",
    "Red moves",
    "red",
    steps=(
        Step("arrive", "Arrivals", "red", ("place",)),
        Step("sea", "By sea", "red", ("sea-move",)),
        Step("march", "March", "red", ("move", "overrun")),
        Step("last", "Bases", "red", ("base-move",)),
    ),
)
PLAY = SequenceOfPlay(
    (
        Phase("supply", "Supply", "both", may=("set-supply",)),
        MOVE,
        Phase("red-combat", "Red fights", "red", may=("attack",)),
        Phase("blue-combat", "Blue fights", "blue", may=("attack",)),
    )
)


def test_phases_follow_each_other_and_the_turn_begins_anew() -> None:
    assert PLAY.after(Moment(3, "supply")) == Moment(3, "red-move")
    assert PLAY.after(Moment(3, "blue-combat")) == Moment(4, "supply")


def test_phases_passed_over_are_named() -> None:
    assert check_advance(PLAY, Moment(3, "supply"), Moment(3, "red-move")) == ()
    skipped = check_advance(PLAY, Moment(3, "red-move"), Moment(4, "supply"))
    assert [(b.key, b.available, b.detail) for b in skipped] == [("phase-order", 2, "red-combat")]
    back = check_advance(PLAY, Moment(3, "red-move"), Moment(3, "supply"))
    assert [b.detail for b in back] == ["supply"]


# From turn 4 on blue fights before red, and red no longer moves.
TURNED = SequenceOfPlay(
    PLAY.phases,
    (
        Order(1, ("supply", "red-move", "red-combat")),
        Order(4, ("supply", "blue-combat", "red-combat")),
    ),
)


def test_the_order_of_phases_changes_with_the_turn() -> None:
    assert TURNED.after(Moment(3, "red-combat")) == Moment(4, "supply")
    assert TURNED.after(Moment(4, "supply")) == Moment(4, "blue-combat")
    passed = TURNED.between(Moment(3, "red-move"), Moment(4, "red-combat"))
    assert passed == [Moment(3, "red-combat"), Moment(4, "supply"), Moment(4, "blue-combat")]


def test_a_phase_that_a_turn_lacks_follows_nothing_there() -> None:
    assert TURNED.between(Moment(4, "supply"), Moment(4, "red-move")) is None
    assert TURNED.between(Moment(4, "red-move"), Moment(5, "blue-combat")) == [Moment(5, "supply")]


@pytest.mark.parametrize(
    ("phase", "side", "verb", "keys"),
    [
        ("red-move", "red", "move", []),
        ("supply", "blue", "set-supply", []),
        ("red-move", "blue", "move", ["side"]),
        ("red-combat", "red", "move", ["phase"]),
        ("blue-combat", "red", "attack", ["side"]),
    ],
)
def test_what_may_be_done_depends_on_phase_and_side(
    phase: str, side: str, verb: str, keys: list[str]
) -> None:
    assert [b.key for b in PLAY.check(phase, side, verb)] == keys


def test_verbs_are_found_where_they_are_allowed() -> None:
    assert PLAY.where("attack", "red") == ("red-combat",)
    assert PLAY.where("set-supply", "blue") == ("supply",)
    assert PLAY.where("attack", "green") == ()


def test_step_that_is_over_does_not_come_back() -> None:
    done = Progress.of(MOVE, "red").after("sea-move").after("sea-move").after("move")
    late = done.check("sea-move")
    assert [(b.key, b.detail) for b in late] == [("step-order", "march")]
    assert done.after("sea-move").check("overrun") == ()
    last = done.after("overrun").after("base-move")
    assert [b.detail for b in last.check("move")] == ["last"]
    assert last.check("say") == ()


def test_what_two_steps_allow_shuts_nothing_between_them() -> None:
    first, second, third = (Step(v, v, "red", (v,)) for v in ("say", "go", "say"))
    phase = Phase("p", "P", "red", steps=(first, second, third))
    progress = Progress.of(phase, "red")
    for verb in ("say", "go", "say", "go"):
        assert progress.check(verb) == ()
        progress = progress.after(verb)


def test_unit_arrives_when_due_and_where_it_may() -> None:
    on = boards.board("...")
    arrival = Arrival(23, on.mask([0, 1]), {"enemy": on.mask([1])})
    assert check_arrival("57PzK", arrival, 23, 0) == ()
    assert check_arrival("57PzK", arrival, 24, 0) == ()
    assert [b.key for b in check_arrival("57PzK", arrival, 22, 0)] == ["too-early"]
    assert [b.key for b in check_arrival("57PzK", arrival, 23, 1)] == ["enemy"]
    assert [b.key for b in check_arrival("57PzK", arrival, 23, 2)] == ["place"]
    assert [b.key for b in check_arrival("ghost", Arrival(None), 23, 2)] == ["not-due"]


def test_schedule_holds_those_of_the_scenario_and_those_that_return() -> None:
    schedule = Schedule({"57PzK": 23})
    schedule.delay("depot", 26)
    assert schedule.waiting(22) == []
    assert schedule.waiting(23) == ["57PzK"]
    schedule.arrived("57PzK")
    assert schedule.waiting(30) == ["depot"]
    assert schedule.due("depot") == 26


def test_last_to_occupy_holds_a_hex() -> None:
    held = Control(4, {0: "red"}, default="blue")
    assert held.enter("red", [0, 1, 2]) == [1, 2]
    assert held.enter("blue", [1]) == [1]
    assert [held[h] for h in range(4)] == ["red", "blue", "red", "blue"]
    assert list(held.mask("red")) == [1, 0, 1, 0]


def test_zone_controls_a_hex_that_no_enemy_zone_or_unit_contests() -> None:
    occupied, zone = bytes((1, 0, 0, 0)), bytes((0, 1, 1, 1))
    enemy, enemy_zone = bytes((0, 0, 0, 1)), bytes((1, 0, 1, 0))
    assert list(uncontested(occupied, zone, enemy, enemy_zone)) == [1, 1, 0, 0]


BANDS = (
    VictoryBand("Red victory", low=58, winner="red"),
    VictoryBand("Draw", low=51, high=57),
    VictoryBand("Blue victory", high=50, winner="blue"),
)


def test_points_are_counted_item_by_item() -> None:
    counted = score(
        [
            ScoreItem("city", "Stalingrad", 1, 20),
            ScoreItem("step", "57PzK 4K", 7, 2),
            ScoreItem("half", "garrison", 3, Fraction(1, 2)),
            ScoreItem("nothing", "-", 0, 5),
        ]
    )
    assert counted.points == Fraction(71, 2)
    assert counted.of("step") == 14
    words = Wording.of(boards.board("."))
    assert score_text(words, counted).splitlines()[1:] == [
        "step: 57PzK 4K 7 x 2 = 14",
        "half: garrison 3 x 1/2 = 1 1/2",
        "in all 35 1/2",
    ]


@pytest.mark.parametrize(
    ("points", "result"), [(50, "Blue victory"), (51, "Draw"), (57, "Draw"), (58, "Red victory")]
)
def test_points_fall_into_one_band(points: int, result: str) -> None:
    band = score([ScoreItem("all", "", points, 1)]).band(BANDS)
    assert band is not None
    assert band.result == result
