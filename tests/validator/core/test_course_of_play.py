"""Sequence, arrivals, control and points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fieldpost.definition.model import Order, Phase, Step
from fieldpost.definition.scenariomodel import VictoryBand
from tests.validator.core import boards
from validator.core.explain import Wording, score_text
from validator.core.reinforcement import Arrival, check_arrival
from validator.core.sequence import Moment, Progress, SequenceOfPlay
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
