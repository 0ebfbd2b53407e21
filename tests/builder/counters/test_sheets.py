from __future__ import annotations

import re
import zlib
from dataclasses import replace

from builder.counters import draw, print_pdf, sheet
from builder.counters.look import BackLook
from builder.counters.printing import all_sides, counter_sides
from builder.counters.sheet import sections
from tests.builder.counters import samples

PLACED = re.compile(rb"q ([\d.]+) 0 0 [\d.]+ ([\d.]+) ([\d.]+) cm /P(\d+) Do Q")


def pages(data: bytes) -> list[bytes]:
    """What each page draws."""
    numbers = re.findall(rb"/Contents (\d+) 0 R", data)
    return [zlib.decompress(stream(data, n)) for n in numbers]


def stream(data: bytes, number: bytes) -> bytes:
    start = data.index(b"\n%s 0 obj\n" % number)
    return data[data.index(b"stream\n", start) + 7 : data.index(b"\nendstream", start)]


def test_a_sheet_shows_every_nationality_and_kind_of_marker() -> None:
    titles = [section.title for section in sections(samples.game())]
    assert titles[:2] == ["All · German", "All · SS"]
    assert titles[-1] == "Markers · supply"
    assert len(titles) == 7


def test_alike_counters_are_shown_once_with_their_number() -> None:
    german = next(iter(sections(samples.game())))
    assert [piece.copies for piece in german.pieces] == [1, 1, 2]


def test_a_sheet_holds_the_counters_themselves() -> None:
    game = samples.game()
    first = draw(game, game.counters[0], 1, 60).convert("RGB").crop((5, 5, 55, 55)).tobytes()
    picture = sheet(game, 60)
    found = any(
        picture.crop((x + 5, y + 5, x + 55, y + 55)).tobytes() == first for x in (30,) for y in range(60, 140)
    )
    assert found


def test_the_two_sides_of_a_counter_stay_in_one_row() -> None:
    narrow, wide = sheet(samples.game(), 60, columns=3), sheet(samples.game(), 60, columns=12)
    assert narrow.width < wide.width
    assert narrow.height > wide.height


def test_two_steps_share_a_piece_and_an_odd_one_has_a_blank_back() -> None:
    game, three = samples.with_counter(steps=("5-7-4", "3-4-4", "1-2-4"))
    first, second = counter_sides(game, three)
    assert first.back.factors == "3-4-4"  # type: ignore[union-attr]
    assert second.front.factors == "1-2-4"  # type: ignore[union-attr]
    assert isinstance(second.back, BackLook)


def test_markers_are_printed_as_often_as_they_are_in_the_box() -> None:
    game = replace(samples.game(), counters=())
    assert len(list(all_sides(game))) == 3 + 1 + 1


def test_backs_are_mirrored_behind_their_fronts() -> None:
    front, back = pages(print_pdf(samples.game()))
    width = 210 / 25.4 * 72
    fronts, backs = (
        [(float(x) + float(w) / 2, y) for w, x, y, _ in PLACED.findall(page)[:-1]] for page in (front, back)
    )
    assert len(fronts) == 14
    assert [(round(width - x, 1), y) for x, y in backs] == [(round(x, 1), y) for x, y in fronts]


def test_a_picture_used_often_is_stored_once() -> None:
    data = print_pdf(samples.game())
    front, _ = pages(data)
    used = [number for *_, number in PLACED.findall(front)]
    assert len(used) - len(set(used)) == 1 + 2  # the second Kampfgruppe, two more Out of Supply
    assert len(re.findall(rb"/Subtype /Image", data)) < 2 * len(used)


def test_pictures_are_printed_at_300_dots_an_inch() -> None:
    data = print_pdf(samples.game())
    (width, _, _, number), *_ = PLACED.findall(pages(data)[0])
    pixels = int(re.findall(rb"\n%s 0 obj\n.*?/Width (\d+)" % number, data, re.S)[0])
    assert abs(pixels / (float(width) / 72) - 300) < 2


def test_every_entry_of_the_cross_reference_points_at_its_object() -> None:
    data = print_pdf(samples.game(), paper="letter")
    start = int(re.findall(rb"startxref\n(\d+)\n", data)[0])
    assert data[start:].startswith(b"xref\n")
    offsets = re.findall(rb"(\d{10}) 00000 n", data[start:])
    for number, offset in enumerate(offsets, 1):
        assert data[int(offset) :].startswith(b"%d 0 obj\n" % number)


def test_the_same_game_gives_the_same_pdf_without_a_date() -> None:
    data = print_pdf(samples.game())
    assert data == print_pdf(samples.game())
    assert b"Date" not in data
