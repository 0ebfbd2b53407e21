from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from builder.counters import draw
from builder.counters.colors import rgb
from builder.counters.face import YELLOW
from builder.counters.layout import layout
from builder.counters.sizes import size_mark
from builder.counters.text import factors, word
from fieldpost.errors import FieldpostError
from tests.builder.counters import samples

SIZES = (60, 75, 100)


def counter(ident: str, step: int = 1, size_px: int = 75) -> Image.Image:
    game = samples.game()
    return draw(game, game.counter[ident], step, size_px)


def share_of(picture: Image.Image, color: tuple[int, int, int]) -> float:
    pixels = samples.pixels(picture)
    return sum(pixel == color for pixel in pixels) / len(pixels)


def dark_rows(picture: Image.Image, left: int, right: int) -> list[int]:
    """The rows in which black ink stands between two columns."""
    gray = picture.convert("L").crop((left, 0, right, picture.height))
    return [y for y in range(gray.height) if min(gray.crop((0, y, gray.width, y + 1)).tobytes()) < 40]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ident", [c.id for c in samples.COUNTERS])
def test_a_counter_is_a_square_with_round_clear_corners(ident: str, size: int) -> None:
    picture = counter(ident, size_px=size)
    assert (picture.mode, picture.size) == ("RGBA", (size, size))
    corners = [(0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)]
    assert [picture.getpixel(c)[3] for c in corners] == [0, 0, 0, 0]  # type: ignore[index]
    assert picture.getpixel((size // 2, size // 2))[3] == 255  # type: ignore[index]


@pytest.mark.parametrize("size", SIZES)
def test_digits_stand_on_one_whole_pixel_baseline(size: int) -> None:
    lay = layout(size)
    for ident in ("51AK", "InfKG-1", "7M"):
        rows = [y for y in dark_rows(counter(ident, size_px=size), 8, size - 8) if y > lay.box[3] + 1]
        assert rows[0] == lay.baseline - lay.factor_cap
        assert rows[-1] == lay.baseline - 1


@pytest.mark.parametrize("size", SIZES)
def test_the_frame_of_the_box_is_sharp(size: int) -> None:
    """No grey between the frame's ink and the paper on either side of it."""
    picture, lay = counter("62A", size_px=size).convert("L"), layout(size)
    left, top = lay.box[0] - lay.aside, lay.box[1]
    y = top + 2 * lay.frame + 1 + (lay.box[3] - top) // 2 - lay.frame
    across = [picture.getpixel((left + dx, y)) for dx in range(-2, lay.frame + 1)]
    assert across[2:-1] == [0] * lay.frame
    assert across[1] > 100  # type: ignore[operator]
    assert across[-1] > 100  # type: ignore[operator]


def test_only_motorized_units_have_a_yellow_box() -> None:
    assert share_of(counter("57PzK"), YELLOW) > 0.08
    assert share_of(counter("51AK"), YELLOW) == 0


def test_a_trait_makes_a_unit_motorized_too() -> None:
    game = samples.with_type("infantry", traits=("motorized",))
    assert share_of(draw(game, game.counter["51AK"], 1, 75), YELLOW) > 0.08


def test_a_reduced_side_bears_a_stripe_for_each_step_lost() -> None:
    game, three = samples.with_counter(steps=("5-7-4", "3-4-4", "1-2-4"), enters=None, label="")
    column = 5

    def stripes(step: int) -> int:
        picture = draw(game, three, step, 75).convert("L")
        bright = [picture.getpixel((column, y)) > 205 for y in range(5, 70)]  # type: ignore[operator]
        return sum(now and not before for before, now in zip([False, *bright], bright, strict=False))

    assert [stripes(step) for step in (1, 2, 3)] == [0, 1, 2]


def test_codes_stand_on_the_front_only() -> None:
    game, coded = samples.with_counter(steps=("5-7-4", "5-7-4"))
    _, plain = samples.with_counter(steps=("5-7-4", "5-7-4"), enters=None)
    assert draw(game, coded, 1, 75) != draw(game, plain, 1, 75)
    assert draw(game, coded, 2, 75) == draw(game, plain, 2, 75)


def test_a_combat_class_is_larger_than_the_movement() -> None:
    lay = layout(75)
    rows = dark_rows(counter("62A"), 8, 67)
    below_the_box = [y for y in rows if y > lay.box[3] + 1]
    assert below_the_box[0] == lay.baseline - lay.class_cap


@pytest.mark.parametrize("label", ["Stalingrad Front", "Wwwwwwwwwwwwww", "1", "A B", "A B C D"])
@pytest.mark.parametrize("kind", ["infantry", "factory"])
@pytest.mark.parametrize("steps", ["12-12-12", "(10)-12-12", "-"])
def test_long_words_and_numbers_stay_on_the_counter(label: str, kind: str, steps: str) -> None:
    game, long = samples.with_counter(label=label, type=kind, steps=(steps,), enters="GT40", setup="N4708")
    picture = draw(game, long, 1, 75).convert("L")
    rim = [picture.getpixel((x, y)) for y in range(8, 67) for x in (2, 72)]
    assert min(rim) > 90  # type: ignore[type-var]


def test_a_long_identity_without_a_size_mark_stands_over_the_sign() -> None:
    lay = layout(75)
    assert dark_rows(counter("Plant"), 20, 55)[0] < lay.size_top + lay.size_cap


def test_a_step_that_is_not_printed_is_an_error() -> None:
    game = samples.game()
    with pytest.raises(FieldpostError, match="62A has no step 2"):
        draw(game, game.counter["62A"], 2, 75)


@pytest.mark.parametrize("size", [0, 39, 601])
def test_sizes_out_of_reason_are_errors(size: int) -> None:
    with pytest.raises(FieldpostError, match="cannot be"):
        counter("62A", size_px=size)


def test_the_nationality_of_a_counter_outranks_its_types() -> None:
    game = samples.game()
    guard = replace(game.counter["62A"], nationality="guard")
    red, green, blue = draw(game, guard, 1, 75).convert("RGB").getpixel((12, 55))  # type: ignore[misc]
    assert max(abs(a - b) for a, b in zip((red, green, blue), rgb("#c93c2f"), strict=True)) < 16


# --- the parts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cap", [5, 6, 11, 16, 20])
def test_capitals_are_as_high_as_asked(cap: int) -> None:
    for letter in ("H", "X", "7", "E"):
        assert word(letter, "sans-bold", cap).baseline == cap
        assert word(letter, "sans-bold", cap).mask.height == cap


def test_a_dash_stands_at_the_middle_of_the_digits() -> None:
    row = factors("1-1", "sans-bold", 16, 0)
    middle = row.mask.crop((row.width // 2, 0, row.width // 2 + 1, row.mask.height))
    inked = [y for y in range(middle.height) if middle.getpixel((0, y)) == 255]
    assert inked == [7, 8]


def test_a_bracketed_size_mark_is_higher_than_a_plain_one() -> None:
    assert size_mark("[XX]", 7).baseline > size_mark("XX", 7).baseline == 7


def test_each_x_makes_a_size_mark_wider() -> None:
    widths = [size_mark("X" * n, 7).width for n in range(1, 6)]
    assert widths == sorted(set(widths))
