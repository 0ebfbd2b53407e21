"""What people type otherwise than the grammar writes it, and is plain all the same."""

from __future__ import annotations

import pytest

from tests.validator.sheet.test_document import HEADING, game
from validator import sheet

PATHS = [
    "move 57PzK 5317-5216-5115",
    "move 57pzk 5317-5216-5115",
    "MOVE 57PzK E5317-e5216-5115",
    "move 57PzK 5317\u20135216\u20135115",
    "move 57PzK 5317 \u2192 5216 \u2192 5115",
    "move 57PzK 5317->5216->5115",
    "move 57PzK 5317, 5216, 5115",
    "move 57PzK 5317 5216 5115",
    "move 57PzK 5317 - 5216 - 5115",
    "move 57PzK 5317>5216>5115",
]
SAME = [
    ("move 11AK + 8AK 4611-4710 AS Sea", "move 11AK+8AK 4611-4710 as sea"),
    ("place InfKG-2 Turn-28", "place InfKG-2 turn-28"),
    ("attack 9A x 6407 with Siege Gun + AIR at 3-1", "attack 9A x 6407 with siege-gun+air at 3:1"),
    ("attack 9A x 6407 : 1d6=3 = d1", "attack 9A x 6407 : 1d6=3 = D1"),
    ("result no effect", "result -"),
    ('result "No Effect" in 4', "result - in 4"),
    ("roll army-return 1d6=3", 'roll "army return" 1d6=3'),
    ("roll Army Return 1d6=3 for 9A", 'roll "army return" 1d6=3 for 9A'),
    ("declare victory = Axis wins", 'declare victory = "Axis victory"'),
    ("declare victory = draw", "declare victory = Draw"),
    ("declare expend depot for SD-1", "declare expend-depot for SD-1"),
    ("declare victory-points = \u22122", "declare victory-points = -2"),
    (
        "replace 11AK with infkg-2:2 at 4611 for Breakdown",
        "replace 11AK with InfKG-2:2 at 4611 for breakdown",
    ),
]


@pytest.mark.parametrize("line", PATHS)
def test_a_path_is_read_however_its_hexes_are_joined(line: str) -> None:
    assert sheet.read(HEADING + line, game).events == sheet.read(HEADING + PATHS[0], game).events


@pytest.mark.parametrize(("typed", "meant"), SAME)
def test_case_and_blanks_do_not_count(typed: str, meant: str) -> None:
    assert sheet.read(HEADING + typed, game).events == sheet.read(HEADING + meant, game).events


def test_a_box_in_a_path_is_told_by_its_name() -> None:
    box = next(box.id for box in game().boxes if "-" in box.id)
    (move,) = sheet.read(f"{HEADING}move 57PzK {box} 5317", game).events
    assert getattr(move, "path")[0] == box  # noqa: B009


def test_the_heading_may_be_written_large() -> None:
    assert sheet.read("Game wfm turning-point\nTurn 23 axis-move", game).events
