"""What a result allows, what it does not, and that one fault is named once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.validator.games.wfm.random_battles import game
from validator.engine import rulebook
from validator.model.findings import Finding, Verdict
from validator.services import cases

STACK = ("place 64A 5606", "place 8AK 5506", "place 11AK 5506")
AMBUSH = (*STACK, "place 62A 5306", "place 57A 5508")  # every hex round 5506 is beside a Soviet army
D2 = "attack 64A x 5506 = D2"


def judge(
    given: Sequence[str],
    lines: Sequence[str],
    turn: str = "23 sov-combat",
    ends: bool = True,
    options: Mapping[str, str] | None = None,
    scenario: str = "turning-point",
) -> list[Finding]:
    rules = rulebook.load("wfm")
    assert rules is not None
    case = cases.Case("", "test", turn, scenario, given, ends=ends, options=options or {})
    return cases.play(case, lines, game(), rules)


def accused(found: list[Finding]) -> list[str]:
    return [f.fault.rule for f in found if f.fault.verdict is Verdict.ILLEGAL]


@pytest.mark.parametrize(
    "payment",
    [
        ["step 8AK 1>2", "step 11AK 1>2"],
        ["retreat 8AK+11AK 5506-5406-5306"],
        ["retreat 8AK 5506-5406-5306", "retreat 11AK 5506-5407-5307"],
        ["step 8AK 1>2", "retreat 8AK+11AK 5506-5406"],
        ["retreat 11AK 5506-5407", "step 11AK 1>2", "retreat 8AK 5506-5507"],
    ],
)
def test_a_result_may_be_met_by_steps_hexes_or_both(payment: list[str]) -> None:
    assert accused(judge(STACK, [D2, *payment])) == []


@pytest.mark.parametrize(
    ("payment", "rule"),
    [
        (["step 8AK 1>2"], "wfm-8.84"),
        (["step 8AK 1>2", "step 11AK 1>2", "replace 8AK with InfKG-5 at 5506"], "wfm-8.84"),
        (["step 8AK 1>2", "replace 8AK with InfKG-5 at 5506"], "wfm-8.85"),
        (["retreat 8AK 5506-5406-5306"], "wfm-8.102"),
        (["remove 8AK"], "wfm-8.94"),
        (["retreat 8AK+11AK 5506-5406"], "wfm-8.84"),
    ],
)
def test_a_result_met_wrongly_is_named_once(payment: list[str], rule: str) -> None:
    assert accused(judge(STACK, [D2, *payment])) == [rule]


def test_a_stack_beside_the_enemy_loses_one_step_in_all() -> None:
    go = ["attack 64A x 5506 = D1", "retreat 8AK+11AK 5506-5406"]
    assert accused(judge(AMBUSH, go)) == ["wfm-4.29a"]
    assert accused(judge(AMBUSH, [*go, "step 11AK 1>2"])) == []
    assert accused(judge(AMBUSH, [*go, "step 11AK 1>2", "step 8AK 1>2"])) == ["wfm-8.84"]


def test_a_stack_that_retreats_one_by_one_loses_no_more_than_together() -> None:
    go = ["attack 64A x 5506 = D1", "retreat 8AK 5506-5406", "step 8AK 1>2", "retreat 11AK 5506-5406"]
    assert accused(judge(AMBUSH, go)) == []


def test_parts_of_a_stack_lose_a_step_each_in_hexes_of_their_own() -> None:
    go = ["attack 64A x 5506 = D1", "retreat 8AK 5506-5406", "step 8AK 1>2", "retreat 11AK 5506-5407"]
    assert accused(judge(AMBUSH, go)) == ["wfm-8.104"]
    assert accused(judge(AMBUSH, [*go, "step 11AK 1>2"])) == []


def test_a_retreat_into_a_full_hex_goes_on_for_one_more() -> None:
    given = ["place 64A 5506", "place 3PzK 5606", "place 40PzK 5306", "place 57PzK 5508", "place 62A 5407"]
    given.append("mark 64A csm-c-3-5")
    go = ["attack 3PzK x 5506 = D1", "retreat 64A 5506-5407-5408"]
    assert accused(judge(given, [*go, 'mark 64A csm-c-3-5:2'], turn="23 axis-combat")) == []  # fmt: skip


def test_retreats_shown_by_their_ends_take_the_way_that_costs_least() -> None:
    given = (*STACK, "place 62A 5305")  # 5406 is beside it, 5407 is not
    assert accused(judge(given, [D2, "retreat 8AK+11AK 5506-5307"])) == []
    assert accused(judge(given, [D2, "retreat 8AK+11AK 5506-5406-5307"])) == ["wfm-8.106"]


def test_battles_settled_in_a_batch_are_doubtful_at_most() -> None:
    given = ("place 3PzK 5606", "place 64A 5506", "mark 64A csm-c-3-5", "place 40PzK 5206", "place 1RK 5106")
    lines = ["attack 3PzK x 5506 = D1", "attack 40PzK x 5106 = D1"]
    lines += ["mark 64A csm-c-3-5:2", "remove 1RK in 2"]
    found = judge(given, lines, turn="23 axis-combat")
    assert {(f.fault.rule, f.fault.verdict) for f in found} == {("wfm-8.1d", Verdict.WARNING)}
    late = "battle 1 is judged in the order of the rules: 64A paid after the die of battle 2"
    assert [f.fault.message for f in found if "no die was rolled" not in f.fault.message] == [late]


def test_the_worksheet_is_the_evidence() -> None:
    given = ("place 3PzK 5606", "place 64A 5506", "mark 64A csm-c-3-5")
    (found,) = judge(given, ["attack 3PzK x 5506 at 2:1 : 1d6=4 = 1/1"], turn="23 axis-combat", ends=False)
    steps = found.fault.evidence["steps"]
    assert "attack 9" in steps
    assert "odds 1:1, column 3:2" in steps
    assert "result 1/1" in steps


def test_a_misnamed_result_is_not_accused_again_when_it_is_paid() -> None:
    given = ("place 3PzK 5606", "place 64A 5506", "mark 64A csm-c-3-5")
    for payment in (["mark 64A csm-c-3-5:2", "step 3PzK 1>2"], ["retreat 64A 5506-5406"]):
        lines = ["attack 3PzK x 5506 at 3:2 : 1d6=4 = D1", *payment]
        assert len(accused(judge(given, lines, turn="23 axis-combat"))) == 1


def test_odds_may_be_announced_as_a_column_or_as_they_are() -> None:
    given = ("place 3PzK 5606", "place 1RK 5506")
    for odds in ("4:1", "9:2"):
        lines = [f"attack 3PzK x 5506 at {odds} : 1d6=3 = D1"]
        assert accused(judge(given, lines, turn="23 axis-combat", ends=False)) == []


def test_a_battle_whose_strengths_are_unknown_is_accused_of_that_alone() -> None:
    given = ("place 3PzK 5606", "place 64A 5506")
    lines = ["attack 3PzK x 5506 at 6:1 : 1d6=3 = DE"]
    assert accused(judge(given, lines, turn="23 axis-combat", ends=False)) == ["wfm-7.11"]


def test_losses_of_units_that_did_not_fight_are_doubtful_without_a_battle_named() -> None:
    given = (*STACK, "place 51AK 5203")
    found = judge(given, [D2, "step 8AK 1>2", "step 11AK 1>2", "step 51AK 1>2"])
    assert [(f.fault.rule, f.fault.verdict) for f in found] == [("wfm-8.22", Verdict.WARNING)]


def test_once_only_by_option() -> None:
    given = ("place 64A 5606", "place 62A 5306", "place 57A 5508", "place 8AK 5506", "place 21A 5304")
    lines = [D2, "retreat 8AK 5506-5406-5305", "step 8AK 1>2"]
    assert accused(judge(given, lines)) == ["wfm-8.104"]
    assert accused(judge(given, lines, options={"retreat-loss": "once"})) == []


def test_an_overrun_that_wins_goes_on_for_what_is_left() -> None:
    given = ("place 3PzK 5506", "place 1RK 5606")
    win = ["overrun 3PzK x 5606 = D1", "remove 1RK"]
    on = "move 3PzK 5506-5606-5706-5806-5807"
    assert accused(judge(given, [*win, on], turn="23 axis-move")) == []
    assert accused(judge(given, [*win, on + "-5808-5809"], turn="23 axis-move")) == ["wfm-5.11"]


def test_an_overrun_that_costs_a_step_enters_and_stops() -> None:
    given = ("place 3PzK 5506", "place 1RK 5606")
    lines = ["overrun 3PzK x 5606 = 1/1", "remove 1RK", "step 3PzK 1>2"]
    assert accused(judge(given, [*lines, "advance 3PzK 5506-5606"], turn="23 axis-move")) == []
    assert accused(judge(given, lines, turn="23 axis-move")) == ["wfm-6.26"]
    gone_on = [*lines, "move 3PzK 5506-5606-5706"]
    assert accused(judge(given, gone_on, turn="23 axis-move")) == ["wfm-6.26"]


@pytest.mark.parametrize("result", ["D1", "1/2"])
def test_support_that_was_not_to_be_had_is_accused_once(result: str) -> None:
    """Whether its column is used or not."""
    given = ("place 3PzK 5606", "place 40PzK 5606", "place 64A 5506", "mark 64A csm-c-3-5", "mark 5306 4AF")
    lines = [f"attack 3PzK+40PzK x 5506 with air : 1d6=4 = {result}"]
    assert accused(judge(given, lines, turn="23 axis-combat", ends=False)) == ["wfm-8.55"]


@pytest.mark.parametrize("result", ["A1", "D1"])
def test_siege_artillery_that_may_not_support_is_accused_once(result: str) -> None:
    given = ("place SiegeArt 5605", "place 3PzK 5606", "place 64A 5506", "mark 64A csm-c-3-5")
    lines = [f"attack 3PzK x 5506 with siege-gun : 1d6={3 if result == 'A1' else 2} = {result}"]
    assert accused(judge(given, lines, turn="23 axis-combat", ends=False)) == ["wfm-8.71"]


def test_a_fallen_fortress_is_a_minor_city() -> None:
    given = ("place 51AK 6312", "place 64A 6313", "mark 64A csm-c-3-5")
    attack = "attack 51AK x 6313 at 1:1 : 1d6=5 = "
    turn = "16 axis-combat"
    for marks, result in (([], "A2"), (["mark 6313 destroyed"], "A1")):
        found = judge(
            [*given, *marks], [attack + result], turn, ends=False, scenario="war-for-the-motherland"
        )
        assert accused(found) == []
