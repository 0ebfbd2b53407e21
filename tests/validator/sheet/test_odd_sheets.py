"""No line of a sheet, however odd, ends in a traceback: the referee judges whatever can be written."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
