"""Battles as they are declared in a hurry: without "New battle", the die first, with the wrong button."""

from __future__ import annotations

import pytest

from tests.validator.interpret.desk import Desk, hexes
from validator.model.events import Attacked, Event, OtherDie, PhaseBegan, ResultNamed, Rolled, StepChanged


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.write([PhaseBegan(22, "sov-combat")])
    return desk


def _read(desk: Desk, *lines: str) -> list[Event]:
    for line in lines:
        desk.say(line)
    return desk.events()[1:]  # without the phase


def _attack(number: int, unit: str, target: str) -> Attacked:
    return Attacked(number, (unit,), hexes(target))  # type: ignore[arg-type]


def _die(battle: int, value: int = 3) -> Rolled:
    return Rolled((value,), 6, "combat", None, battle)


def test_a_declaration_after_the_die_opens_the_next_battle(desk: Desk) -> None:
    read = _read(
        desk,
        "attack 65A @E4510 #0", "target 11AK @E4611 #0", "roll combat 1d6=3 #0",
        "attack 57A @E4908 #0", "target 51AK @E4709 #0", "roll combat 1d6=5 #0",
    )  # fmt: skip
    assert read == [_attack(0, "65A", "4611"), _die(0), _attack(1, "57A", "4709"), _die(1, 5)]


def test_a_number_that_was_taken_is_given_to_no_second_battle(desk: Desk) -> None:
    read = _read(
        desk,
        "attack 65A @E4510 #1", "target 11AK @E4611 #1", "roll combat 1d6=3 #1",
        "attack 57A @E4908 #1", "target 51AK @E4709 #1", "roll combat 1d6=5 #1",
        "attack 21A @E4511 #2", "target 11AK @E4611 #2", "roll combat 1d6=1 #2",
    )  # fmt: skip
    assert [event.battle for event in read if isinstance(event, Attacked)] == [1, 2, 3]
    assert [event.battle for event in read if isinstance(event, Rolled)] == [1, 2, 3]


@pytest.mark.parametrize("number", [0, 1], ids=["the old module", "the module opens the next"])
def test_a_die_before_its_declaration_finds_its_battle(desk: Desk, number: int) -> None:
    read = _read(
        desk, "roll combat 1d6=3 #0", f"attack 65A @E4510 #{number}", f"target 11AK @E4611 #{number}"
    )
    assert read == [_attack(number, "65A", "4611"), _die(number)]


def test_a_die_between_attackers_and_target_finds_its_battle(desk: Desk) -> None:
    read = _read(desk, "attack 65A @E4510 #1", "roll combat 1d6=3 #1", "target 11AK @E4611 #2")
    assert read == [_attack(1, "65A", "4611"), _die(1)]


def test_a_second_die_is_one_of_the_same_battle(desk: Desk) -> None:
    declared = ("attack 65A @E4510 #1", "target 11AK @E4611 #1")
    read = _read(desk, *declared, "roll combat 1d6=3 #1", "roll combat 1d6=6 #1")
    assert read == [_attack(1, "65A", "4611"), _die(1), _die(1, 6)]


def test_a_second_die_after_which_another_battle_is_declared_and_rolled_for_is_one_too_many(
    desk: Desk,
) -> None:
    read = _read(
        desk,
        "attack 65A @E4510 #1", "target 11AK @E4611 #1", "roll combat 1d6=3 #1", "roll combat 1d6=6 #1",
        "attack 57A @E4908 #2", "target 51AK @E4709 #2", "roll combat 1d6=5 #2",
    )  # fmt: skip
    assert [(e.battle, e.values) for e in read if isinstance(e, Rolled)] == [(1, (3,)), (1, (6,)), (2, (5,))]


def test_the_result_by_the_chart_is_known_and_named_by_nobody(desk: Desk) -> None:
    declared = ("attack 65A @E4510 #1", "target 11AK @E4611 #1", "roll combat 1d6=3 #1")
    read = _read(desk, *declared, "result D1 #1 chart")
    assert read == [_attack(1, "65A", "4611"), _die(1)]
    overruled = _read(desk, "result A1 #1")
    assert overruled[-1] == ResultNamed("A1", 1)


def test_a_die_of_the_wrong_button_is_named(desk: Desk) -> None:
    for line in ("attack 65A @E4510 #1", "target 11AK @E4611 #1", "roll attrition 1d6=3"):
        desk.say(line)
    desk.write([PhaseBegan(22, "sov-move")])
    events = [event for event in desk.events() if isinstance(event, (Attacked, OtherDie, Rolled))]
    assert events == [Rolled((3,), 6, "attrition"), _attack(1, "65A", "4611"), OtherDie(1, "attrition", (3,))]


def test_a_battle_waits_for_its_die_no_longer_than_its_phase(desk: Desk) -> None:
    for line in ("attack 65A @E4510 #1", "target 11AK @E4611 #1"):
        desk.say(line)
    desk.write([PhaseBegan(22, "sov-move")])
    desk.say("roll attrition 1d6=3")
    desk.write([PhaseBegan(22, "sov-combat")])
    assert [event for event in desk.events() if isinstance(event, OtherDie)] == []


def test_people_read_first_and_the_machine_last(desk: Desk) -> None:
    for line in (
        "* Ann: 65A attacks [fp] attack 65A @E4510 #1",
        "* Ann: 11AK and its hex are attacked [fp] target 11AK @E4611 #1",
        "* Ann rolls 3 for combat (15:4 = 3:1, snow +1) [fp] roll combat 1d6=3 #1",
        "* Ann: by the chart D1 (15:4 = 3:1) [fp] result D1 #1 chart",
        "* Ann: 11AK loses a step, now step 2",
    ):
        desk.builder.report(line.removeprefix("* "))
    assert desk.events()[1:] == [_attack(1, "65A", "4611"), _die(1)]


def test_a_loss_before_the_next_declaration_belongs_to_the_battle_that_was_fought(desk: Desk) -> None:
    for line in ("attack 65A @E4510 #0", "target 11AK @E4611 #0", "roll combat 1d6=3 #0"):
        desk.say(line)
    desk.builder.level(desk.unit("11AK"), "Step", 2)
    desk.say("attack 57A @E4908 #0")
    (loss,) = [event for event in desk.events() if isinstance(event, StepChanged)]
    assert loss.battle == 0
