from __future__ import annotations

from builder.map.frame import frame
from builder.map.packing import GAP, Wish, _below, _right, empty_regions, pack
from tests.builder.map.samples import boxed, island


def rects(wishes: list[Wish], places: dict[str, tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    return [(*places[w.id], places[w.id][0] + w.width, places[w.id][1] + w.height) for w in wishes]


def test_empty_corners_of_wfm_are_found() -> None:
    regions = empty_regions(frame(boxed("wfm"), 88))
    assert len(regions) >= 2
    assert all(region.width > 900 and region.height > 1500 for region in regions[:2])


def test_panels_that_find_no_corner_stand_beside_the_map_and_apart() -> None:
    shown = frame(island(), 44)
    wishes = [Wish(str(i), 200 + 30 * i, 120 + 10 * i) for i in range(7)]
    packed = pack([wishes], shown)
    found = rects(wishes, packed.places)
    for index, (left, top, right, bottom) in enumerate(found):
        assert left >= 0
        assert right <= packed.width
        assert top >= 0
        assert bottom <= packed.height
        assert left >= shown.width - 60 or top >= shown.height - 60
        for a, b, c, d in found[:index]:
            assert right <= a or c <= left or bottom <= b or d <= top


def test_no_panel_leaves_the_sheet_as_it_was() -> None:
    shown = frame(island(), 44)
    packed = pack([[]], shown)
    assert (packed.width, packed.height) == (shown.width, shown.height)


def test_a_sheet_with_few_panels_is_not_blown_up() -> None:
    shown = frame(island(), 88)
    packed = pack([[Wish("a", 500, 200)]], shown)
    assert packed.width * packed.height < 1.6 * shown.width * shown.height


def test_panels_too_many_for_one_side_stand_on_two_and_leave_no_corner_empty() -> None:
    shown = frame(boxed("ftm"), 60)
    wishes = [Wish(f"box {n}", 500, 300) for n in range(40)]
    packed = pack([wishes], shown)
    right = [place for place in packed.places.values() if place[0] >= shown.width - 2 * GAP]
    below = [place for place in packed.places.values() if place[1] >= shown.height - 2 * GAP]
    assert right
    assert min(x for x, _ in below) < shown.width / 3
    assert packed.cost <= min(_below(wishes, shown).cost, _right(wishes, shown, 1.4).cost)
