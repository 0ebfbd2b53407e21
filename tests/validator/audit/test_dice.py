"""Chances, held against values from tables and against counting every case."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from tests.validator.report import stories
from validator import sheet
from validator.audit import dice
from validator.audit.dice import Tally, chi_square_tail, exact_tail
from validator.audit.entries import Entry
from validator.audit.sources import Pointer
from validator.model import position as positions
from validator.services.turnfile import Turnfile


# The printed tables: the value a chi-square exceeds with this chance.
@pytest.mark.parametrize(
    ("value", "degrees", "chance"),
    [
        (11.070, 5, 0.05),
        (15.086, 5, 0.01),
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (16.919, 9, 0.05),
        (30.144, 19, 0.05),
    ],
)
def test_chi_square_agrees_with_the_tables(value: float, degrees: int, chance: float) -> None:
    assert chi_square_tail(value, degrees) == pytest.approx(chance, abs=2e-4)


@pytest.mark.parametrize(("number", "sides"), [(1, 6), (2, 6), (3, 6), (4, 4)])
def test_exact_chances_agree_with_counting(number: int, sides: int) -> None:
    sums = [sum(faces) for faces in product(range(1, sides + 1), repeat=number)]
    middle = number * (sides + 1) / 2
    for total in range(number, number * sides + 1):
        far = sum(abs(one - middle) >= abs(total - middle) for one in sums)
        assert exact_tail(total, number, sides) == pytest.approx(far / len(sums))


@pytest.mark.parametrize(("number", "sides"), [(1, 6), (4, 6), (5, 4), (7, 3), (6, 2)])
def test_unevenness_of_few_dice_agrees_with_counting(number: int, sides: int) -> None:
    squares = [
        sum(faces.count(face) ** 2 for face in range(sides)) for faces in product(range(sides), repeat=number)
    ]
    for faces in ([0] * number, [face % sides for face in range(number)]):
        counts = [faces.count(face) for face in range(sides)]
        seen = sum(count**2 for count in counts)
        share = sum(square >= seen for square in squares) / len(squares)
        assert dice.exact_unevenness(counts) == pytest.approx(share)


def test_few_dice_are_counted_out_and_many_go_by_chi_square() -> None:
    few, many = Tally("axis", 6, [9, 4, 4, 4, 4, 4]), Tally("axis", 6, [10, 4, 4, 4, 4, 4])
    assert few.p_even == dice.exact_unevenness(few.counts)
    assert many.p_even == chi_square_tail(many.chi_square, 5)
    assert few.p_even == pytest.approx(chi_square_tail(few.chi_square, 5), abs=0.05)
    assert Tally("axis", 6, [5] * 6).p_even == 1.0
    assert Tally("axis", 20, [3] + [0] * 19).p_even is None


def test_loaded_dice_stand_out_and_nobody_is_accused() -> None:
    tally = Tally("axis", 6, [1, 1, 2, 2, 4, 50])
    assert tally.p_mean < 1e-6
    assert "chance alone gives so much about once in" in tally.words()
    assert Tally("axis", 6, [9, 11, 10, 10, 12, 8]).words() == "nothing that chance does not often give"


def _entry(text: str) -> Entry:
    game, scenario = stories.game(), stories.scenario()
    read = sheet.read(f"game wfm turning-point\n{text}", lambda _: game, "s.turn")
    start = positions.start(game, scenario)
    turn = Turnfile("s.turn", game, scenario, start, read.events, counts="line")
    return Entry(Pointer("s.turn"), turn, start, read.events, start)


def test_rolls_are_counted_by_the_side_whose_phase_it_is() -> None:
    found = dice.study([_entry("turn 22 sov-combat\nroll 1d6=5\nturn 22 ger-mech\nroll surrender 2d6=1,2\n")])
    assert [(t.side, t.counts) for t in found.tallies] == [
        ("axis", [1, 1, 0, 0, 0, 0]),
        ("soviet", [0, 0, 0, 0, 1, 0]),
    ]
    assert [row["step"] for row in found.without_reason] == [3]


def test_a_second_roll_for_a_battle_and_rolls_taken_back_are_listed() -> None:
    found = dice.study(
        [_entry("turn 22 sov-combat\nroll combat 1d6=5 in 1\nroll combat 1d6=6 in 1\nundone 2,3 with 1\n")]
    )
    assert [(row["step"], row["battle"]) for row in found.surplus] == [(4, 1)]
    assert [(row["step"], row["rolls"]) for row in found.undone] == [(5, 1)]


def test_values_no_die_shows_do_not_stop_the_count() -> None:
    entry = _entry("turn 22 sov-combat\nroll 1d6=5\n")
    roll = entry.rolls[0]
    entry.events.append(replace(roll, values=(9,)))
    assert [tally.number for tally in dice.study([entry]).tallies] == [1]
