"""Markers of a log: those that lie on units, and those that tell something in a box beside the map."""

from __future__ import annotations

import pytest

from fieldpost.hexes import Hex
from players.logs import LogWriter, plain_board
from players.table import game_of
from validator.interpret import interpret
from validator.model.events import Event, Marked, Pointed, Said, Unmarked

GAME = game_of("lwe")
SCENARIO = GAME.scenario["campaign"]
LONE = "8RC"  # the only unit in its hex


class Desk(LogWriter):
    def __init__(self) -> None:
        super().__init__(plain_board(GAME, SCENARIO), GAME, SCENARIO)

    def put(self, marker: str, label: str) -> str:
        """A new counter of a marker, on top of what lies in the hex."""
        return self._new(self.plan.markers[marker], GAME.map.lattice.hex(label, None), "a marker")

    def drag(self, piece: str, spot: Hex | str) -> None:
        self._move([self.builder.table.pieces[piece]], spot, "moved")

    def marker(self, name: str) -> str:
        return self._pieces("MarkerId", name)[0].id

    def at(self, unit: str) -> str:
        spot = interpret(self.log(), GAME, SCENARIO).start.units[unit].hex
        return GAME.map.lattice.label(spot, None)

    def events(self) -> list[Event]:
        found = interpret(self.log(), GAME, SCENARIO).events
        return [event for event in found if not isinstance(event, Said)]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_marker_of_units_is_on_the_unit_right_below_it(desk: Desk) -> None:
    desk.put("refit", desk.at("3Pz"))
    (marked,) = desk.events()
    start = interpret(desk.log(), GAME, SCENARIO).start
    assert marked == Marked("refit", start.at(start.units["3Pz"].hex)[-1].id)


def test_a_marker_of_units_is_taken_off_the_unit_it_lay_on(desk: Desk) -> None:
    refit = desk.put("refit", desk.at(LONE))
    desk.drag(refit, "markers")
    assert desk.events() == [Marked("refit", LONE), Unmarked("refit", LONE)]


def test_a_marker_of_hexes_is_on_the_hex_of_a_stack(desk: Desk) -> None:
    desk.put("german-control", desk.at(LONE))
    assert desk.events() == [Marked("german-control", GAME.map.lattice.hex(desk.at(LONE), None))]


def test_a_marker_in_a_box_tells_something(desk: Desk) -> None:
    desk.drag(desk.marker("vp-tens"), "track-4")
    desk.drag(desk.marker("weather-south"), "weather-mud")
    assert desk.events() == [Pointed("vp-tens", "track-4"), Pointed("weather-south", "weather-mud")]


def test_the_next_log_begins_with_what_the_boxes_tell(desk: Desk) -> None:
    start = interpret(desk.log(), GAME, SCENARIO).start
    assert start.pointers["weather-north"] == ("weather-dry", 1)
    desk.drag(desk.marker("vp-ones"), "track-7")
    desk.cut()
    assert interpret(desk.log(), GAME, SCENARIO).start.pointers["vp-ones"] == ("track-7", 1)
