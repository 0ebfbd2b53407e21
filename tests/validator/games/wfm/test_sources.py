"""Which sources of supply a scenario plays with."""

from __future__ import annotations

from fieldpost.definition import load
from validator.engine import rulebook
from validator.engine.referee import new_case
from validator.games.wfm.c09_supply import supply_now
from validator.model.position import start


def test_each_side_of_turning_point_has_the_sources_printed_for_it() -> None:
    """Sources of both sides lie in some hexes; 16.42 names those of each."""
    game = load("wfm")
    scenario = game.scenario["turning-point"]
    case = new_case(rulebook.load("wfm"), game, scenario, start(game, scenario))
    labels = {
        side: {tracing.board.label(hex_id) for hex_id in tracing.sources}
        for side, tracing in supply_now(case).tracing.items()
    }
    assert labels["soviet"] == {"E4312", "E4309", "E4304", "E6401", "E7005"}
    assert {"4701", "5301"} <= labels["axis"]
