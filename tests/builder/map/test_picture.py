from __future__ import annotations

import numpy as np
import pytest

from builder.map import draw
from builder.map.picture import MapPicture
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Orientation
from tests.builder.map.samples import boxed, example, island

Rect = tuple[int, int, int, int]


@pytest.fixture(scope="module")
def picture() -> MapPicture:
    return draw(example(), workers=1)


def apart(a: Rect, b: Rect) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_the_same_map_gives_the_same_bytes_on_one_core_and_on_two(picture: MapPicture) -> None:
    again = draw(example(), workers=2)
    assert picture.image.tobytes() == again.image.tobytes()
    assert picture.encode(".jpg")[0] == again.encode(".jpg")[0]


def test_every_box_and_turn_has_room_for_a_counter(picture: MapPicture) -> None:
    game = example()
    assert set(picture.boxes) == {box.id for box in game.boxes}
    assert set(picture.track) == {turn.number for turn in game.turn_track.turns}
    for left, top, right, bottom in [*picture.boxes.values(), *picture.track.values()]:
        assert right - left >= 75
        assert bottom - top >= 75


def test_boxes_and_turns_lie_in_the_picture_apart_from_each_other_and_from_every_hex(
    picture: MapPicture,
) -> None:
    rects = [*picture.boxes.values(), *picture.track.values()]
    for index, rect in enumerate(rects):
        assert apart(rect, (-(10**6), -(10**6), 0, 10**6))
        assert rect[2] <= picture.image.width
        assert rect[3] <= picture.image.height
        assert all(apart(rect, other) for other in rects[:index])
    clear_of_hexes(picture, list(picture.panels.values()))


def clear_of_hexes(picture: MapPicture, rects: list[Rect]) -> None:
    for h in picture.hexes:
        xs, ys = zip(*picture.layout.corners(h), strict=True)
        hull = (int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1)
        assert all(apart(hull, rect) for rect in rects)


def test_wfm_has_its_track_and_boxes_in_its_empty_corners() -> None:
    from builder.map import furniture, packing, waiting_counters
    from builder.map.frame import frame
    from builder.map.palette import style
    from fieldpost.definition import load

    game = load("wfm")
    shown = frame(game.map, 88)
    looks, board = style("classic"), waiting_counters.beside(game, None)
    legend = furniture.legend_panels(game.map, game, looks, shown)
    playing = furniture.play_panels(game, board, looks, shown.unit, shown.width)
    groups = [[packing.Wish(p.id, p.width, p.height) for p in panels] for panels in (legend, playing)]
    packed = packing.pack(groups, shown)
    assert (packed.width, packed.height) == (shown.width, shown.height), "the sheet had to grow"
    for h in shown.hexes:
        x, y = shown.layout.exact(h)
        for wish in [*groups[0], *groups[1]]:
            left, top = packed.places[wish.id]
            assert not (left - 44 < x < left + wish.width + 44 and top - 44 < y < top + wish.height + 44)


def test_colours_fit_the_terrain(picture: MapPicture) -> None:
    pixels = np.asarray(picture.image, np.float64)
    tones = {}
    for kind in ("clear", "forest"):
        spots = [picture.layout.exact(h) for h, k in sorted(example().map.terrain.items()) if k == kind]
        near = [pixels[int(y) + 12 : int(y) + 22, int(x) - 24 : int(x) - 14].mean((0, 1)) for x, y in spots]
        tones[kind] = np.median(near, axis=0)
    assert tones["forest"][1] > tones["forest"][0] + 8  # greener than red
    assert tones["clear"].sum() > tones["forest"].sum() + 60  # lighter


@pytest.mark.parametrize("style_id", ["classic", "safe", "print"])
def test_styles_differ_and_draw_every_feature(style_id: str) -> None:
    shown = draw(island(), style_id, hex_px=44, furniture=False, workers=1)
    assert shown.faults == ()
    mean = np.asarray(shown.image, np.float64).mean()
    assert (mean > 235) == (style_id == "print"), "print spares ink, the others do not"


def test_flat_and_pointed_hexes_are_drawn() -> None:
    sizes = {draw(island(o), hex_px=40, furniture=False, workers=1).image.size for o in Orientation}
    assert len(sizes) == 2


def test_an_area_is_drawn_alone_and_numbered_by_its_sheet() -> None:
    shown = draw(boxed("wfm"), area="turning-point", hex_px=32, furniture=False, workers=1)
    assert shown.hexes == boxed("wfm").area["turning-point"].hexes
    numbers = {label.text for label in shown.labels if label.kind == "number"}
    assert "E4708" in numbers
    x, y = shown.layout.exact(boxed("wfm").lattice.hex("E4708"))
    assert 0 < x < shown.image.width
    assert 0 < y < shown.image.height


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"style": "neon"}, "no map style 'neon'"),
        ({"area": "atlantis"}, "no area or sheet 'atlantis'"),
        ({"hex_px": 5}, "hexes of 5 px"),
    ],
)
def test_a_wrong_wish_ends_in_a_clear_error(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(FieldpostError, match=message) as caught:
        draw(island(), **arguments)  # type: ignore[arg-type]
    assert caught.value.hint


def test_small_maps_become_png_and_large_ones_jpeg(
    picture: MapPicture, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, ending = picture.encode()
    assert ending == ".png"
    assert data.startswith(b"\x89PNG")
    monkeypatch.setattr("builder.map.picture.PNG_PIXELS", 1000)
    data, ending = picture.encode()
    assert ending == ".jpg"
    assert data.startswith(b"\xff\xd8")
    with pytest.raises(FieldpostError, match=r"cannot be written as '\.bmp'"):
        picture.encode(".bmp")
