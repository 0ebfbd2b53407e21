"""No line of a sheet, however odd, ends in a traceback: the referee judges whatever can be written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fieldpost.cli import main
from fieldpost.errors import FieldpostError
from tests.validator.sheet.test_round_trip import GAME, SCENARIO, events
from validator import sheet
from validator.model import position as positions
from validator.model.events import Event
from validator.services import one_turn
from validator.services.turnfile import Turnfile, Wanted, of_bytes


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(events, max_size=12))
def test_any_events_in_any_order_are_judged(written: list[Event]) -> None:
    turn = Turnfile("odd", GAME, SCENARIO, positions.start(GAME, SCENARIO), written)
    referee = one_turn.referee_for(turn, {})
    for event in written:
        referee.judge(sheet.expand(event, referee.case.position))
    referee.close()
    assert referee.actions <= sum(len(event.concerned) + 1 for event in written)  # put down, and moved on


@pytest.mark.parametrize(
    ("begins", "attack"),
    [
        ("wfm turning-point", "22 axis-combat\nattack 5209 x 5109 : 1d6=3"),
        ("lwe campaign", "5 german-pa\nattack 2010 x 1909 : 1d6=3"),
        ("ftm campaign", "5 axis-combat\nattack 0606 x 0706 : 1d6=3"),
    ],
)
def test_an_attack_out_of_an_empty_hex_is_not_checked(begins: str, attack: str) -> None:
    turn = of_bytes("odd.txt", f"game {begins}\nposition empty\nturn {attack}\n".encode(), Wanted())
    referee = one_turn.referee_at_start(turn, {})
    for event in turn.events:
        referee.judge(sheet.expand(event, referee.case.position))
    assert not referee.report().complete


@pytest.mark.parametrize("position", ["empty", "partial"])
def test_a_position_without_a_turn_is_refused_with_its_line(position: str) -> None:
    text = f"game wfm turning-point\nposition {position}\ngiven place 3PzK 4809\nmove 3PzK 4809-4808\n"
    with pytest.raises(FieldpostError, match=r"odd\.txt:2:10: a position is stated, and no turn"):
        of_bytes("odd.txt", text.encode(), Wanted())


@pytest.mark.parametrize(
    "sheet_text",
    [
        "game wfm turning-point\nposition empty\nturn 23 axis-combat\nfire 4909 at 4 : 3\n",
        "game wie barbarossa\nposition empty\nturn 7 axis-combat\nfire 1114 at 4 : 3\n",
        "game lwe campaign\nposition empty\nturn 4 german-pa\nfire 1711 at 4 : 3\n",
        "game ftm campaign\nposition empty\nturn 3 axis-combat\nfire 1319 at 4 : 3\n",
    ],
)
def test_fire_from_a_hex_where_none_stands_is_a_finding_and_can_be_told(
    sheet_text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "fire.txt"
    path.write_text(sheet_text)
    assert main(["check", str(path)]) == 1
    assert "no unit stands in the hex that fires" in capsys.readouterr().out
    assert main(["tell", str(path)]) == 0


def test_an_attack_by_a_unit_in_no_hex_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "attack.txt"
    path.write_text("game lwe campaign\nattack 3Pz+ArKo x 2010\n")
    assert main(["check", str(path)]) == 1
    assert "ArKo is not on the map" in capsys.readouterr().out
