from __future__ import annotations

import pytest
from PIL import Image

from builder.counters import draw_marker
from fieldpost.definition.model import Marker, MarkerFace
from fieldpost.errors import FieldpostError
from tests.builder.counters import samples


def drawn(size_px: int = 75, **face: str) -> Image.Image:
    return draw_marker(samples.game(), Marker("m", "M", "status", (MarkerFace(**face),)), 1, size_px)


@pytest.mark.parametrize("size", [60, 75, 100])
@pytest.mark.parametrize(
    "face",
    [
        {"text": "OUT OF", "small": "SUPPLY"},
        {"text": "14-10", "small": "A*"},
        {"symbol": "star"},
        {"text": "Very Long Words Here", "small": "and more of them below", "symbol": "arrow"},
        {"text": "Unbreakablelongword"},
        {"small": "only small"},
    ],
)
def test_lettering_stays_inside_the_key_line(size: int, face: dict[str, str]) -> None:
    picture = drawn(size, **face).convert("L")
    inset = round(size * 0.04) + 3
    outside = [picture.getpixel((x, size // 2)) for x in (2, size - 3)]
    outside += [picture.getpixel((size // 2, y)) for y in (inset, size - inset - 1)]
    assert min(outside) > 100  # type: ignore[type-var]


def test_two_faces_differ() -> None:
    game = samples.game()
    marker = game.marker["out-of-supply"]
    assert draw_marker(game, marker, 1) != draw_marker(game, marker, 2)


def test_a_face_that_is_not_printed_is_an_error() -> None:
    game = samples.game()
    with pytest.raises(FieldpostError, match="csm has no face 2"):
        draw_marker(game, game.marker["csm"], 2)


def test_an_unknown_sign_is_an_error_that_guesses() -> None:
    with pytest.raises(FieldpostError) as caught:
        drawn(symbol="flagg")
    assert "Did you mean 'flag'?" in str(caught.value.hint)


def test_an_empty_face_is_blank() -> None:
    picture = drawn().convert("L")
    assert min(picture.crop((8, 8, 67, 67)).tobytes()) > 230
