"""No line of a sheet, however odd, ends in a traceback: the referee judges whatever can be written."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.validator.sheet.test_round_trip import GAME, SCENARIO, events
from validator import sheet
from validator.model import position as positions
from validator.model.events import Event
from validator.services import checking
from validator.services.turnfile import Turnfile


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(events, max_size=12))
def test_any_events_in_any_order_are_judged(written: list[Event]) -> None:
    turn = Turnfile("odd", GAME, SCENARIO, positions.start(GAME, SCENARIO), written)
    referee = checking.referee_for(turn, {})
    for event in written:
        referee.judge(sheet.expand(event, referee.case.position))
    referee.close()
    assert referee.actions <= len(written)
