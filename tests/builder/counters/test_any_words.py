"""Whatever words a stranger's game holds, a counter of it can be drawn."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from builder.counters import draw, draw_marker
from fieldpost.definition.model import Marker, MarkerFace
from tests.builder.counters import samples

WORDS = st.text(st.characters(codec="utf-8"), max_size=24)


@given(label=WORDS, step=WORDS, size=WORDS, code=WORDS, kind=st.sampled_from(["infantry", "factory", "army"]))
def test_any_words_make_a_counter(label: str, step: str, size: str, code: str, kind: str) -> None:
    game, counter = samples.with_counter(label=label, steps=(step,), type=kind, enters=code, setup=code)
    types = tuple(replace(t, size=size) if t.id == kind else t for t in game.unit_types)
    assert draw(replace(game, unit_types=types), counter, 1, 60).size == (60, 60)


@given(text=WORDS, small=WORDS, symbol=st.sampled_from([None, "arrow", "infantry"]))
def test_any_words_make_a_marker(text: str, small: str, symbol: str | None) -> None:
    marker = Marker("m", "M", "status", (MarkerFace(text, small, symbol),))
    assert draw_marker(samples.game(), marker, 1, 60).size == (60, 60)
