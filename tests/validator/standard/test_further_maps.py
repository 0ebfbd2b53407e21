"""Units that go to a further map and come from one: permitted by way of moving, and told as not checked."""

from __future__ import annotations

from pathlib import Path

from fieldpost.definition import load
from validator.model import events as ev
from validator.services import one_turn
from validator.services.turnfile import Wanted
from validator.standard.sequence import BETWEEN_MAPS

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "own-art"


def test_a_unit_may_move_between_maps_and_the_report_says_that_it_was_not_checked(tmp_path: Path) -> None:
    turn = tmp_path / "mine.turn"
    turn.write_text(
        f"game {load(EXAMPLE).id} raid\nturn 1 watch-move\nremove W-1 to harbour\nplace W-3 0604\n"
    )
    checked = one_turn.check(turn, Wanted(str(EXAMPLE)))
    assert [type(event) for event in checked.turn.events[-2:]] == [ev.Removed, ev.Placed]
    assert checked.report.verdict == "legal"
    assert checked.report.findings == ()
    assert BETWEEN_MAPS in [item.reason for item in checked.report.unchecked]
