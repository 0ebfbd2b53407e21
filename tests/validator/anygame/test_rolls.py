"""Dice out of chat lines, with and without the module's own report formats."""

from __future__ import annotations

import pytest

from fieldpost.vassal.module import Module
from fieldpost.vassal.module_parts import Dice
from fieldpost.vassal.module_tree import Component
from validator.anygame.rolls import Roll, RollReader


def reader(*buttons: Dice) -> RollReader:
    parts = tuple(
        Component(
            f"module.{button.kind}",
            {
                "name": button.name,
                "nDice": str(button.count),
                "nSides": str(button.sides),
                "reportFormat": button.report,
            },
        )
        for button in buttons
    )
    return RollReader(Module.of(Component("GameModule", {}, parts)))


@pytest.mark.parametrize(
    ("line", "roll"),
    [
        ("*** d6 = 2 *** <Ann>", Roll("d6", (2,), (), "Ann", 6)),
        ("*** 2d6 = 6 *** <Ann>", Roll("2d6", (6,), (), "Ann", 6, 2)),
        ("*** 2d6 = 4, 2 *** <Ann>", Roll("2d6", (4, 2), (), "Ann", 6)),
        ("*** (IFT DR) 5,2 *** <Ann> [..]", Roll("IFT DR", (5, 2), (), "Ann")),
        ("<Ann> - I roll 6", None),
        ("* UNDO: *** d6 = 2 *** <Ann>", None),
        ("* 3rd Blue moves 0101 -> 0202 *", None),
    ],
)
def test_rolls_are_read_without_the_module(line: str, roll: Roll | None) -> None:
    assert RollReader().read(line) == roll


def test_a_buttons_own_format_is_read() -> None:
    read = reader(Dice("DiceButton", "Attack", 2, 10, "$PlayerName$ attacks ($name$): $result$!")).read
    assert read("* Ann attacks (Attack): 7,10!") == Roll("Attack", (7, 10), (), "Ann", 10)
    assert read("* Ann attacks (Attack): 17!") == Roll("Attack", (17,), (), "Ann", 10, 2)


def test_a_name_between_brackets_is_no_tag() -> None:
    read = reader(Dice("DiceButton", "2d6", 2, 6, "** $name$ = [$result$] *** <$PlayerName$>")).read
    assert read("*** 2d6 = [3,4] *** <Ann Bee>") == Roll("2d6", (3, 4), (), "Ann Bee", 6)
    read = reader(Dice("DiceButton", "2d6", 2, 6, "<b>$name$</b> $result$ $PlayerName$")).read
    assert read("* <b>2d6</b> 3,4 Ann") == Roll("2d6", (3, 4), (), "Ann", 6)


def test_symbol_dice_are_faces() -> None:
    form = "** $name$ = [$result1$] [$result2$] ** $PlayerName$"
    read = reader(Dice("SpecialDiceButton", "Battle", 2, 6, form)).read
    assert read("*** Battle = [hit] [miss] ** Ann") == Roll("Battle", (), ("hit", "miss"), "Ann")


def test_symbol_dice_with_the_numbers_of_a_die_are_counted_as_one() -> None:
    faces = tuple(
        Component("module.SpecialDieFace", {"text": str(number), "value": "0"}) for number in range(1, 7)
    )
    form = {"name": "Grey Die", "format": "** $name$ = [$result1$] ** &lt;$PlayerName$&gt;"}
    die = Component("module.SpecialDie", {}, faces)
    module = Module.of(Component("GameModule", {}, (Component("module.SpecialDiceButton", form, (die,)),)))
    read = RollReader(module).read
    assert read("*** Grey Die = [4] ** &lt;Ann&gt;") == Roll("Grey Die", (4,), (), "Ann", 6)
