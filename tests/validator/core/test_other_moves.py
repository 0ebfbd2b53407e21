"""Movement by other means: strategic, by rail, by sea, with what there is room for."""

from __future__ import annotations

from fractions import Fraction

from tests.validator.core import boards
from validator.core.board import Board
from validator.core.capacity import Capacity, Load
from validator.core.explain import Wording, breach_text, path_text
from validator.core.movement import MoveRules, explain, reach
from validator.core.sea import SeaRules, check_voyage, destinations
from validator.core.strategic import flat_table, strategic_rules

F = Fraction


def strategic(on: Board, enemies: str = "", hexes: int = 25) -> MoveRules:
    return strategic_rules(flat_table(on, ["lake"], ["sea"]), hexes, on.ids(enemies), distance=3)


def test_strategic_move_ignores_terrain() -> None:
    on = boards.board(".mmss.")
    assert explain(on, strategic(on, hexes=5), 0, 5).legal
    assert explain(on, strategic(on, hexes=4), 0, 5).key == "budget"


def test_strategic_move_comes_nowhere_near_an_enemy() -> None:
    on = boards.board(".......")
    verdict = explain(on, strategic(on, "0107"), 0, on.id("0105"))
    assert verdict.key == "too-near"
    assert explain(on, strategic(on, "0107"), 0, on.id("0104")).legal


def test_strategic_move_does_not_start_near_an_enemy() -> None:
    on = boards.board(".......")
    away = explain(on, strategic(on, "0101"), on.id("0103"), on.id("0107"))
    assert away.key == "too-near"
    assert away.obstacle is not None
    assert away.obstacle.breaches[0].hexes == (on.id("0103"),)
    assert list(reach(on, strategic(on, "0101"), on.id("0103"))) == []


def test_distance_to_enemies_counts_over_water_which_a_strategic_move_does_not_cross() -> None:
    on = boards.board("..~..")
    assert explain(on, strategic(on, "0104"), 0, 1).key == "too-near"
    assert explain(on, strategic(on), 0, on.id("0104")).key == "terrain:sea"


SEA = SeaRules(
    {
        0: frozenset({"black-sea"}),
        1: frozenset({"black-sea", "azov"}),
        2: frozenset({"azov"}),
        3: frozenset({"baltic"}),
    },
    friendly=bytes((1, 1, 1, 1, 1)),
    closed={"winter": bytes((0, 0, 0, 1, 0))},
)


def test_voyage_joins_ports_on_one_water() -> None:
    assert check_voyage(SEA, 0, 1) == ()
    assert [b.key for b in check_voyage(SEA, 0, 2)] == ["other-sea"]
    assert [b.key for b in check_voyage(SEA, 0, 4)] == ["no-port"]
    assert [b.key for b in check_voyage(SEA, 0, 3)] == ["other-sea", "winter"]
    assert destinations(SEA, 0) == [1]


def test_voyage_needs_both_ports_friendly() -> None:
    lost = SeaRules(SEA.ports, friendly=bytes((1, 0, 1, 1, 1)))
    found = check_voyage(lost, 0, 1)
    assert [(b.key, b.hexes) for b in found] == [("enemy-port", (1,))]


def test_two_halves_fill_the_room_for_one_if_they_take_one_route() -> None:
    room = Capacity("sea-room", F(1), shared_route=True)
    assert room.book(Load("a", F(1, 2), ("odessa", "sevastopol"))) == ()
    assert [b.key for b in room.check(Load("b", F(1, 2), ("odessa", "varna")))] == ["sea-room-route"]
    assert room.book(Load("b", F(1, 2), ("odessa", "sevastopol"))) == ()
    over = room.book(Load("c", F(1, 3), ("odessa", "sevastopol")))
    assert [(b.key, b.needed, b.available) for b in over] == [("sea-room", F(4, 3), F(1))]
    assert room.used == F(4, 3)


def test_reasons_read_as_sentences() -> None:
    on = boards.board(".......")
    words = Wording.of(on)
    assert path_text(words, explain(on, strategic(on, "0107", hexes=4), 0, on.id("0106"))) == (
        "too near the enemy at 0105 and 0106; 5 MP needed, 4 available: 0101-0102 clear 1; "
        "0102-0103 clear 1; 0103-0104 clear 1; 0104-0105 clear 1; 0105-0106 clear 1"
    )
    assert breach_text(words, check_voyage(SEA, 0, 4)[0]) == "no port at 0105"
