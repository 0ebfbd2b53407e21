"""Stacking: exact sizes, slots, limits of classes, nationality."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from validator.core.stacking import Piece, StackRules, check_stack, mixed, mixing, smallest_removals

F = Fraction
CORPS, DIVISION, GROUP = F(1), F(1, 3), F(1, 2)
TWO_CORPS_AND_A_DIVISION = StackRules(F(7, 3))


def pieces(*sizes: Fraction) -> list[Piece]:
    return [Piece(f"u{i}", size) for i, size in enumerate(sizes)]


def keys(rules: StackRules, stack: list[Piece]) -> list[str]:
    return [breach.key for breach in check_stack(rules, stack).breaches]


def test_thirds_and_halves_add_up_exactly() -> None:
    full = pieces(CORPS, GROUP, GROUP, DIVISION)
    assert check_stack(TWO_CORPS_AND_A_DIVISION, full).load == F(7, 3)
    assert check_stack(TWO_CORPS_AND_A_DIVISION, full).legal
    assert keys(TWO_CORPS_AND_A_DIVISION, [*full, Piece("x", DIVISION)]) == ["stacking"]


def test_units_without_size_do_not_count() -> None:
    verdict = check_stack(TWO_CORPS_AND_A_DIVISION, pieces(CORPS, CORPS, DIVISION, F(0), F(0)))
    assert verdict.legal
    assert [unit for unit, _ in verdict.sizes] == ["u0", "u1", "u2"]


def test_slots_may_refuse_what_the_sum_allows() -> None:
    slotted = StackRules(F(7, 3), slots=(CORPS, CORPS, DIVISION))
    assert keys(slotted, pieces(CORPS, CORPS, DIVISION)) == []
    assert keys(slotted, pieces(CORPS, GROUP, GROUP, DIVISION)) == []
    assert keys(slotted, pieces(GROUP, GROUP, GROUP, DIVISION, DIVISION)) == []
    uneven = StackRules(F(2), slots=(F(3, 2), GROUP))
    assert keys(uneven, pieces(CORPS, GROUP, GROUP)) == []
    assert keys(uneven, pieces(CORPS, CORPS)) == ["stacking-slots"]


def test_some_of_a_class_are_free_and_no_more_than_a_number_may_share_a_hex() -> None:
    rules = StackRules(F(2), most={"train": 1}, free={"engineer": 1})
    engineers = [Piece(f"e{i}", F(1), classes=frozenset({"engineer"})) for i in range(2)]
    assert keys(rules, [*pieces(F(1)), *engineers]) == []
    assert keys(rules, [*pieces(F(1), F(1)), *engineers]) == ["stacking"]
    trains = [Piece(f"t{i}", F(0), classes=frozenset({"train"})) for i in range(2)]
    assert keys(rules, trains) == ["class:train"]


def test_groups_that_mix_with_one_do_not_mix_with_each_other() -> None:
    rules = StackRules(F(9), mixes=mixing("german", ["italian", "rumanian"]))
    german, italian, rumanian = (Piece(g, F(1), g) for g in ("german", "italian", "rumanian"))
    assert mixed(rules, [german, italian, Piece("other", F(1), "italian")]) == ()
    assert mixed(rules, [german, italian, rumanian])[0].units == ("italian", "rumanian")
    assert keys(rules, [italian, rumanian]) == ["nationality"]


def test_smallest_removals_are_what_the_owner_may_choose_from() -> None:
    stack = pieces(CORPS, CORPS, CORPS, DIVISION)
    assert smallest_removals(TWO_CORPS_AND_A_DIVISION, stack) == [("u0",), ("u1",), ("u2",)]
    assert smallest_removals(TWO_CORPS_AND_A_DIVISION, pieces(CORPS)) == [()]


sizes = st.lists(st.sampled_from([F(1), F(1, 2), F(1, 3), F(2), F(0)]), max_size=6)
slots = st.lists(st.sampled_from([F(1), F(1, 3), F(3, 2)]), min_size=1, max_size=3)


@given(sizes, slots)
def test_units_fit_slots_when_some_way_to_deal_them_out_does(
    drawn: list[Fraction], rooms: list[Fraction]
) -> None:
    counted = [size for size in drawn if size]
    fits = any(
        all(
            sum((s for s, where in zip(counted, dealt, strict=True) if where == i), F(0)) <= room
            for i, room in enumerate(rooms)
        )
        for dealt in product(range(len(rooms)), repeat=len(counted))
    )
    rules = StackRules(F(100), slots=tuple(rooms))
    assert check_stack(rules, pieces(*drawn)).legal == fits
