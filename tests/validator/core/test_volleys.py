"""Dice of many units, and partners for as many as can have one."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from validator.core.volleys import Shot, matched, room_for_help, shots


def test_dice_are_dealt_out_in_the_order_of_the_units() -> None:
    dealt = shots(["bomber", "tank"], [3, 9, 7], lambda name: 2 if name == "bomber" else 1, 7)
    assert dealt == [Shot("bomber", (3, 9), 1), Shot("tank", (7,), 1)]
    assert dealt[0].highest == 9


def test_units_without_a_die_have_no_shot() -> None:
    assert shots(["one", "two"], [12], lambda name: 1, 3) == [Shot("one", (12,), 0)]


def test_each_supporter_helps_as_many_as_it_can() -> None:
    assert room_for_help({"gun": 1, "guards": 2}) == 3


@given(st.dictionaries(st.sampled_from("abcd"), st.lists(st.sampled_from("xyz"), max_size=3), max_size=4))
def test_as_many_as_can_be_have_partners_of_their_own(wanted: dict[str, list[str]]) -> None:
    found = matched(wanted)
    assert len(set(found.values())) == len(found)
    assert all(partner in wanted[one] for one, partner in found.items())
    names = list(wanted)
    most = max(
        sum(partner in wanted[one] for one, partner in zip(names, chosen, strict=False))
        for chosen in permutations([*"xyz", *"----"], len(names))
    )
    assert len(found) == most
