"""Verdicts read as sentences a player can follow."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.validator.core import boards
from validator.core.breach import Breach
from validator.core.costs import ONE, CostTable, Line, Prices
from validator.core.explain import PHRASES, Wording, breach_text, line_text, number, path_text, stack_text
from validator.core.movement import MoveRules, explain
from validator.core.stacking import Piece, StackRules, check_stack
from validator.core.supply import SupplyRules, explain_line

ON = boards.board(".f..", sides={"river": "0102/0103"})
WORDS = Wording.of(ON)


def rules(budget: int = 9 * ONE) -> MoveRules:
    return MoveRules(boards.table(ON), budget, ON.mask(), ON.mask())


def test_legal_way_is_priced_step_by_step() -> None:
    held = replace(rules(), zone=ON.mask(ON.ids("0101")), leave_zone=3 * ONE)
    words = replace(WORDS, zone_of=lambda _: "64A")
    assert path_text(words, explain(ON, held, 0, ON.id("0103"))) == (
        "7 of 9 MP: 0101-0102 forest 2, leaving the zone of 64A +3; 0102-0103 clear 1, river +1"
    )


def test_zone_of_nobody_named_is_an_enemy_zone() -> None:
    held = replace(rules(), zone=ON.mask([1]), enter_zone=ONE)
    assert (
        path_text(WORDS, explain(ON, held, 0, 1))
        == "3 of 9 MP: 0101-0102 forest 2, entering an enemy zone +1"
    )


def test_missing_points_are_told_with_the_way_they_are_missing_for() -> None:
    assert path_text(WORDS, explain(ON, rules(3 * ONE), 0, ON.id("0103"))) == (
        "4 MP needed, 3 available: 0101-0102 forest 2; 0102-0103 clear 1, river +1"
    )


def test_broken_rule_is_told_with_its_hex() -> None:
    enemy = replace(rules(), enemy=ON.mask([1]))
    assert path_text(WORDS, explain(ON, enemy, 0, 1)).startswith("0102 holds enemy units: ")


def test_one_hex_minimum_is_mentioned() -> None:
    poor = replace(rules(ONE), one_hex=True)
    assert path_text(WORDS, explain(ON, poor, 0, 1)) == (
        "2 of 1 MP (a unit may always go one hex): 0101-0102 forest 2"
    )


def test_hex_out_of_reach_whatever_is_lifted_is_told_plainly() -> None:
    on = boards.board("._.")
    lonely = MoveRules(boards.table(on), ONE, on.mask(), on.mask())
    assert path_text(Wording.of(on), explain(on, lonely, 0, 1)) == (
        "0103 cannot be reached from 0101 in any way"
    )


def test_game_may_call_its_rules_by_its_own_words() -> None:
    words = Wording.of(ON, phrases={"neutral": "{hexes} lies in Turkey"}, names={"lake": "Lake Ladoga"})
    assert breach_text(words, Breach("neutral", (0, 1))) == "0101 and 0102 lies in Turkey"
    assert (
        breach_text(words, Breach("hexside:lake", (1,))) == "Lake Ladoga hexside may not be crossed at 0102"
    )
    assert breach_text(words, Breach("no-such-rule", (1,))) == "no such rule at 0102"


def test_every_phrase_can_be_filled_in() -> None:
    for key in PHRASES:
        text = breach_text(WORDS, Breach(key, (0, 1), ("a", "b", "c"), 3, Fraction(5, 2), "x-y"))
        assert "{" not in text
        assert text


def test_line_of_supply_and_its_cut_are_told() -> None:
    on = boards.board("....", lines={"railway": "0101-0102"})
    table = CostTable(on, Prices(lines={"railway": Line(ONE // 2)}))
    words = Wording.of(on)
    free = SupplyRules(table, 4 * ONE)
    assert line_text(words, explain_line(free, [0], 2)) == (
        "line of 1 1/2 of 4 hexes: 0103-0102 clear 1; 0102-0101 railway 1/2"
    )
    cut = SupplyRules(table, 4 * ONE, {"zone": on.mask([1])})
    assert line_text(words, explain_line(cut, [0], 2)) == (
        "no line: an enemy zone of control at 0102 on 0103-0102-0101"
    )
    short = SupplyRules(table, ONE)
    assert line_text(words, explain_line(short, [0], 3)) == (
        "no line: 2 1/2 hexes, 1 allowed on 0104-0103-0102-0101"
    )


def test_unit_on_a_source_and_unit_that_stays_need_no_way() -> None:
    assert (
        line_text(WORDS, explain_line(SupplyRules(boards.table(ON), ONE), [0], 0))
        == "0101 is a source itself"
    )
    assert path_text(WORDS, explain(ON, rules(), 0, 0)) == "stays in 0101"


def test_stack_is_told_unit_by_unit() -> None:
    verdict = check_stack(
        StackRules(Fraction(2), mixes=frozenset()),
        [
            Piece("4K", Fraction(1), "german"),
            Piece("KG", Fraction(1, 2), "italian"),
            Piece("6K", Fraction(1), "german"),
        ],
    )
    assert stack_text(WORDS, verdict) == (
        "2 1/2 of 2 stacked: 4K 1, 6K 1, KG 1/2; 4K, KG and 6K may not share a hex"
    )


def test_numbers_are_written_as_players_do() -> None:
    assert [number(n) for n in (3, Fraction(1, 3), Fraction(7, 3), None)] == ["3", "1/3", "2 1/3", "?"]
