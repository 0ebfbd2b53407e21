"""What is declared by itself, and how far a declared exchange goes."""

from __future__ import annotations

from tests.validator.interpret.test_dice_of_battles import GAME, read
from validator.model.events import Declared, Placed, Removed, Replaced

HEX, ELSEWHERE = GAME.map.lattice.hex("1419"), GAME.map.lattice.hex("3117")


def test_a_declaration_needs_no_unit() -> None:
    assert read(Declared("rescind-dd3")) == [Declared("rescind-dd3")]


def test_an_arrival_in_another_hex_is_no_part_of_a_conversion() -> None:
    converted, arrival = Replaced(("49RD",), (("1G", 1),), HEX, "convert"), Placed("32RC", ELSEWHERE)
    assert [e for e in read(converted, arrival) if not isinstance(e, Declared)] == [converted, arrival]


def test_who_gave_way_and_went_into_a_box_is_there() -> None:
    converted = Replaced(("49RD",), (("1G", 1),), HEX, "convert")
    buried = Removed("49RD", "soviet-eliminated")
    assert [e for e in read(converted, buried) if not isinstance(e, Declared)] == [converted, buried]
