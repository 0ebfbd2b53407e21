"""Names and places as a sentence has them."""

from __future__ import annotations

import pytest

from fieldpost.hexes import neighbors
from tests.validator.tell.telling import LWE, WFM
from validator.tell.names import Names
from validator.tell.places import Gazetteer

NAMES = Names(WFM)
PLACES = Gazetteer(WFM.map)


@pytest.mark.parametrize(
    ("units", "words"),
    [
        (["24A"], "the 24th Army"),
        (["57A", "24A", "51A"], "the 24th, 51st and 57th Armies"),
        (["11AK", "8AK"], "VIII and XI Army Corps"),
        (["51AK"], "LI Army Corps"),
        (["24A", "8AK", "51A"], "the 24th and 51st Armies and VIII Army Corps"),
        (["OSG-2", "OSG-1"], "Offensive Support Groups 1 and 2"),
        (["PzKG-13"], "Kampfgruppe 13 (PzKG-13)"),
        (["InfKG-3"], "Kampfgruppe Pfeiffer"),
        (["no-such"], "no-such"),
        ([], ""),
    ],
)
def test_units_that_differ_in_a_number_are_named_together(units: list[str], words: str) -> None:
    assert NAMES.of(units) == words


def test_strengths_are_told_with_each_unit() -> None:
    assert NAMES.each(["24A", "51A"], ["6-9", ""]) == "the 24th Army (6-9) and the 51st Army"
    assert NAMES.each(["24A", "51A"], ["", ""]) == "the 24th and 51st Armies"


def test_no_two_units_of_a_game_have_the_same_name() -> None:
    for game in (WFM, LWE):
        names = Names(game)
        told = [names.of([counter.id]) for counter in game.counters]
        assert len(set(told)) == len(told)


def test_a_hex_is_told_by_the_town_in_it_or_the_nearest() -> None:
    at = WFM.map.lattice.hex
    assert PLACES.at(at("4708", "E"), "4708") == "at Stalingrad (4708)"
    assert PLACES.at(at("4709", "E"), "4709") == "just west of Stalingrad (4709)"
    assert PLACES.at(at("4907", "E"), "4907") == "two hexes south-east of Stalingrad (4907)"
    assert PLACES.to(at("4708", "E"), "4708") == "to Stalingrad (4708)"
    assert PLACES.to(at("4907", "E"), "4907") == "to 4907, two hexes south-east of Stalingrad"


def test_a_hex_far_from_all_towns_is_told_by_its_number() -> None:
    assert PLACES.at(WFM.map.lattice.hex("5203", "E"), "5203") == "in hex 5203"


def test_the_winds_of_opposite_hexes_are_opposite() -> None:
    center = WFM.map.lattice.hex("4708", "E")
    opposite = {"north": "south", "north-east": "south-west", "east": "west", "south-east": "north-west"}
    opposite |= {value: key for key, value in opposite.items()}
    around = neighbors(center)
    winds = [PLACES.wind(center, hex_) for hex_ in around]
    assert len(set(winds)) == 6
    assert [opposite[wind] for wind in winds] == [PLACES.wind(center, around[n - 3]) for n in range(6)]
