"""Ways of moving that the menu of a counter offers."""

from __future__ import annotations

import pytest

from builder.module import vocabulary
from fieldpost.definition import load


@pytest.mark.parametrize(
    ("game", "modes"),
    [("wfm", ["sea", "strategic"]), ("lwe", ["rollbahn", "sea"]), ("ftm", ["sea", "strategic"])],
)
def test_a_way_of_moving_that_many_types_have_is_offered_and_a_move_of_one_type_is_not(
    game: str, modes: list[str]
) -> None:
    """`strategic-move` is open to most; `airbase-move` and `osg-move` name the one type they are for."""
    assert [name for name, _ in vocabulary.of(load(game)).modes] == modes
