"""A hook that could never be asked is refused with its place."""

from __future__ import annotations

import re

import pytest

from fieldpost.errors import FieldpostError
from players.table import EXAMPLE, game_of
from validator.engine.rulebook import Rulebook
from validator.engine.slips import check
from validator.model.events import Marked, Moved, Rolled
from validator.services import rulebooks


def judge(case: object, event: object) -> list[object]:
    return []


@pytest.mark.parametrize("game", ["wfm", "lwe", "ftm", "wie", EXAMPLE])
def test_the_books_of_the_box_have_none(game: str) -> None:
    assert rulebooks.of(game_of(game)) is not None


def test_a_field_that_the_event_lacks_is_refused_at_once() -> None:
    place = rf"{re.escape('test_slips.py')}:\d+: Rolled has no field 'raeson'"
    with pytest.raises(TypeError, match=place):
        Rulebook("wfm").before(Rolled, raeson="weather")(judge)
    with pytest.raises(TypeError, match="Moved has no field 'marker'"):
        Rulebook("wfm").before(Moved, kind="supply")(judge)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"phases": ("axis-combta",)}, "no phase 'axis-combta'"),
        ({"side": "axsi"}, "no side 'axsi'"),
        ({"having": "panzre"}, "no trait 'panzre'"),
        ({"kind": "air-flete"}, "no kind of marker 'air-flete'"),
    ],
)
def test_what_the_game_lacks_is_refused_with_its_place(wanted: dict[str, str], words: str) -> None:
    book = Rulebook("wfm")
    book.before(Marked, **wanted)(judge)  # type: ignore[arg-type]
    with pytest.raises(FieldpostError, match=rf"test_slips.py:\d+: the game has {words}") as caught:
        check(book, game_of("wfm"))
    assert "Did you mean" in str(caught.value.hint)


def test_the_end_of_a_phase_that_is_not_there_is_refused() -> None:
    book = Rulebook("wfm")
    book.at_phase_end("axis-combta")(judge)
    with pytest.raises(FieldpostError, match="no phase"):
        check(book, game_of("wfm"))
