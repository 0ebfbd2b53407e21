from __future__ import annotations

import pytest
from PIL import Image

from builder.counters import draw, problems
from builder.counters.colors import BLACK, NEEDED_CONTRAST, WHITE, contrast, rgb, stripe_on
from builder.counters.contrast import pairs
from builder.counters.look import looks
from fieldpost.definition import Game, games_in_the_box, load
from tests.builder.counters import samples

GAMES = [*games_in_the_box(), str(samples.REPOSITORY / "examples" / "first-game")]


@pytest.mark.parametrize("name", GAMES)
def test_every_word_on_every_counter_of_every_game_stands_out(name: str) -> None:
    game = load(name)
    found = [pair for _, look in looks(game) for pair in pairs(look)]
    assert len(found) >= 2 * len(game.counters)
    assert min(pair.ratio for pair in found) >= NEEDED_CONTRAST
    assert problems(game) == []


def test_black_on_white_has_the_greatest_contrast() -> None:
    assert contrast(BLACK, WHITE) == pytest.approx(21.0)
    assert contrast(rgb("#777777"), WHITE) == pytest.approx(4.48, abs=0.01)


def test_pale_ink_is_found_and_its_nationality_named() -> None:
    (first, *_) = problems(samples.with_ink("soviet", "#eda24c", "#ffffff"))
    assert first.startswith("nationality soviet: #ffffff on #")
    assert "4.5 is needed" in first


def test_the_ground_that_is_proposed_would_do() -> None:
    for color, ink in (("#eda24c", "#ffffff"), ("#334455", "#000000"), ("#808080", "#808080")):
        found = problems(samples.with_ink("soviet", color, ink))
        proposed = found[0].split("; ")[1][:7]
        assert not any("(text)" in p for p in problems(samples.with_ink("soviet", proposed, ink)))


@pytest.mark.parametrize("nation", samples.NATIONS, ids=lambda n: n.id)
def test_a_stripe_shows_and_leaves_the_ink_readable(nation: object) -> None:
    ground, ink = rgb(nation.color), rgb(nation.ink)  # type: ignore[attr-defined]
    stripe = stripe_on(ground, ink)
    assert contrast(stripe, ink) >= NEEDED_CONTRAST
    assert contrast(stripe, ground) >= 1.25


def reached(picture: Image.Image) -> float:
    """The contrast between the lightest and the darkest pixel that is really there."""
    pixels = set(samples.pixels(picture))
    bright, dark = (
        max(pixels, key=lambda p: contrast(p, BLACK)),
        min(pixels, key=lambda p: contrast(p, BLACK)),
    )
    return contrast(bright, dark)


@pytest.mark.parametrize("size", [60, 75, 100])
def test_the_pixels_of_the_factors_reach_the_contrast(size: int) -> None:
    game: Game = samples.game()
    for counter in game.counters:
        row = draw(game, counter, 1, size).crop((size // 4, size * 2 // 3, size * 3 // 4, size * 9 // 10))
        assert reached(row) >= NEEDED_CONTRAST
