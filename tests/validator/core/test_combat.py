"""From factors to a result: halving, rounding, odds, shifts, dice, grammar, and the worksheet."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldpost.definition.model import Provenance, Table, TableRow
from fieldpost.errors import FieldpostError
from tests.validator.core import boards
from validator.core.battle import (
    Attacker,
    BattleRules,
    Fought,
    all_across,
    check_battle,
    concentric,
    sides_across,
)
from validator.core.breach import Breach, merged
from validator.core.combat import CombatRules, prepare, resolve
from validator.core.explain import Wording, worksheet_text
from validator.core.odds import Columns, Ladder, Shift, best_for_defender, odds_text, parse_odds
from validator.core.results import Grammar, Modifier, Part, Pays, Phrase, Result, modified
from validator.core.strength import HALF, Change, Fighter, Per, Round, Rounding, capped, total

F = Fraction
UP_EACH = Rounding(Round.UP, Per.UNIT)
HALVED = Change("unsupplied", times=HALF)
DOUBLED = Change("major-river", times=2)


# --- strengths ------------------------------------------------------------------------------


def test_each_unit_is_halved_and_rounded_up_alone() -> None:
    force = total([Fighter("a", 5, (HALVED,)), Fighter("b", 3, (HALVED,))], UP_EACH)
    assert force.value == 3 + 2
    assert [share.value for share in force.shares] == [3, 2]


def test_units_reduced_alike_are_halved_together_where_the_game_says_so() -> None:
    rounding = Rounding(Round.DOWN, Per.GROUP, at_least=1)
    alike = [Fighter("a", 3, (HALVED,)), Fighter("b", 3, (HALVED,)), Fighter("c", 5)]
    assert total(alike, rounding).value == 3 + 5
    assert total([Fighter("a", 1, (HALVED,))], rounding).value == 1
    assert total([Fighter("a", 0, (HALVED,))], rounding).value == 0


def test_force_is_rounded_once_where_the_game_says_so() -> None:
    fighters = [Fighter("a", 3, (HALVED,)), Fighter("b", 3, (HALVED,))]
    assert total(fighters, Rounding(Round.UP, Per.FORCE)).value == 3
    assert total(fighters, Rounding(Round.NONE, Per.FORCE)).value == 3


def test_half_of_a_double_is_the_whole() -> None:
    assert total([Fighter("a", 5, (HALVED,))], UP_EACH, [DOUBLED]).value == 5


def test_additions_to_the_total_come_last() -> None:
    force = total([Fighter("a", 5, (HALVED,))], UP_EACH, [Change("minor-river", plus=2)])
    assert force.value == 5
    assert sum(share.value for share in force.shares) == 3


def test_strength_may_be_replaced_and_capped() -> None:
    assert total([Fighter("tank", 9, (Change("in-city", set_to=1),))], UP_EACH).value == 1
    guns = total([Fighter("guns", 14)], UP_EACH)
    assert capped(guns, 6, "guns-cap").value == 6
    assert capped(guns, 20, "guns-cap") == guns


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2), st.integers(0, 2)), max_size=5))
def test_sum_of_rounded_units_is_what_counting_by_hand_gives(units: list[tuple[int, int, int]]) -> None:
    fighters = [
        Fighter(f"u{i}", n, (HALVED,) * halves + (DOUBLED,) * doubles)
        for i, (n, halves, doubles) in enumerate(units)
    ]
    by_hand = 0
    for n, halves, doubles in units:
        quarters = n * 4 * 2**doubles // 2**halves
        by_hand += -(-quarters // 4)
    assert total(fighters, UP_EACH).value == by_hand


# --- odds -----------------------------------------------------------------------------------

ROW = Columns.from_cells(["-", "1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "-"], list("abcdefgh"))


def test_odds_are_rounded_for_the_defender() -> None:
    assert odds_text(F(15), F(4)) == "3:1"
    assert odds_text(F(4), F(9)) == "1:3"
    assert odds_text(F(4), F(4)) == "1:1"


def test_column_is_the_last_not_above_the_ratio() -> None:
    assert ROW.find(F(15), F(4)).label == "3:1"
    assert ROW.find(F(7), F(4)).label == "3:2"
    assert ROW.find(F(3), F(4)).label == "1:2"
    assert ROW.find(F(7), F(4)).id == "e"


def test_ratio_beyond_the_row_uses_its_end() -> None:
    assert ROW.find(F(90), F(1)).label == "3:1"
    assert ROW.find(F(1), F(90)).label == "1:3"
    assert ROW.find(F(1), F(90)).clamped
    assert not ROW.find(F(1), F(90), [Shift("air", "", 1)]).clamped


def test_shift_moves_within_the_row() -> None:
    left, right = Shift("air", "", -1), Shift("air", "", 1)
    assert ROW.find(F(4), F(2), [left]).label == "3:2"
    assert ROW.find(F(90), F(1), [left]).label == "2:1"
    assert ROW.find(F(90), F(1), [right]).label == "3:1"
    assert ROW.find(F(4), F(2), [left]).start == "2:1"


def test_no_defense_is_the_best_column() -> None:
    assert ROW.find(F(1), F(0)).label == "3:1"


def test_of_several_rows_the_one_furthest_left_is_best_for_the_defender() -> None:
    rough = Columns.from_cells(["1:1", "2:1", "4:1"], ["b", "c", "d"])
    found = best_for_defender([ROW.find(F(8), F(2)), rough.find(F(8), F(2))])
    assert found.index == 2


def test_ladder_shifts_the_true_ratio_before_it_looks_at_the_table() -> None:
    ladder = Ladder("1:3", "6:1", below="AL1", above="DE")
    left = Shift("hills", "", -2)
    assert ladder.find(F(17), F(2), [left]).label == "6:1"
    assert ladder.find(F(18), F(2), [left]).automatic == "DE"
    assert ladder.find(F(1), F(2), [left]).automatic == "AL1"
    assert ladder.find(F(1), F(2)).label == "1:2"
    assert ladder.find(F(1), F(2), [Shift("x", "", 1)]).label == "1:1"


@given(st.integers(1, 60), st.integers(1, 60))
def test_ladder_rounds_as_counting_does(attack: int, defense: int) -> None:
    label = Ladder("1:60", "60:1").find(F(attack), F(defense)).label
    if attack >= defense:
        assert label == f"{max(n for n in range(1, 61) if n * defense <= attack)}:1"
    else:
        assert label == f"1:{min(n for n in range(1, 61) if n * attack >= defense)}"


@given(st.integers(0, 40), st.integers(1, 20))
def test_column_is_what_trying_every_label_finds(attack: int, defense: int) -> None:
    fitting = [label for label in ROW.labels if parse_odds(label) <= F(attack, defense)]
    assert ROW.find(F(attack), F(defense)).label == (fitting[-1] if fitting else ROW.labels[0])


@pytest.mark.parametrize("text", ["", "3:0", "much"])
def test_what_is_no_odds_is_an_error(text: str) -> None:
    with pytest.raises(FieldpostError, match="are no odds"):
        parse_odds(text)


# --- results --------------------------------------------------------------------------------

GRAMMAR = Grammar(
    (
        Phrase("AE", attacker=(Pays.ALL, 0, 0)),
        Phrase("DE", defender=(Pays.ALL, 0, 0)),
        Phrase(r"A(?P<n>\d)", attacker=(Pays.EITHER, "n", 0)),
        Phrase(r"D(?P<n>\d)", defender=(Pays.EITHER, "n", 0)),
        Phrase(r"(?P<a>\d)/(?P<d>\d)", (Pays.STEPS, "a", 0), (Pays.STEPS, "d", 0), "defender"),
        Phrase(r"(?P<n>\d)?R", defender=(Pays.BOTH, "n", 2)),
        Phrase("-"),
    )
)


def test_results_are_read_by_the_games_grammar() -> None:
    assert GRAMMAR.read("D2") == Result("D2", defender=Part(Pays.EITHER, 2))
    assert GRAMMAR.read("ae").attacker.pays is Pays.ALL
    assert GRAMMAR.read("2/3") == Result("2/3", Part(Pays.STEPS, 2), Part(Pays.STEPS, 3), "defender")
    assert GRAMMAR.read("1R").defender == Part(Pays.BOTH, 1, 2)
    assert GRAMMAR.read("R").defender == Part(Pays.BOTH, 0, 2)
    assert not GRAMMAR.read("-").defender.adverse


def test_result_of_no_known_form_is_an_error() -> None:
    with pytest.raises(FieldpostError, match="'Q9' is no combat result"):
        GRAMMAR.read("Q9")


def test_modified_die_is_held_between_the_ends_of_the_table() -> None:
    plus = [Modifier("snow", "", 3), Modifier("guns", "", 4)]
    assert modified(6, plus, 1, 10).final == 10
    assert modified(1, [Modifier("mud", "", -3)], 1, 10).final == 1
    assert modified(3, plus).final == 10


# --- the worksheet ---------------------------------------------------------------------------

TABLE = Table(
    "crt",
    "Results",
    Provenance("reconstructed", how="for this test"),
    tuple("bcdefg"),
    tuple(TableRow(str(die), ("A1", "A1", "1/1", "D1", "D2", "DE")) for die in range(1, 11)),
    kind="combat-results",
)
RULES = CombatRules(TABLE, GRAMMAR, low=1, high=10)


def test_battle_is_worked_out_step_by_step() -> None:
    attack = total([Fighter("57PzK", 9), Fighter("4K", 5, (HALVED,))], UP_EACH)
    defense = total([Fighter("65A", 4)], UP_EACH, [Change("minor-river", plus=2)])
    sheet = prepare(RULES, attack, defense, [ROW], [Shift("air-fleet", "", 1)], [Modifier("overrun", "", 1)])
    assert sheet.result is None
    done = resolve(RULES, sheet, 3)
    assert done.cell == "DE"
    words = Wording.of(boards.board("."))
    assert worksheet_text(words, done).splitlines() == [
        "attack 12",
        "  57PzK 9",
        "  4K 5 (unsupplied x1/2) = 3",
        "defense 6",
        "  65A 4",
        "  minor river +2",
        "odds 2:1, column 2:1",
        "  air fleet +1",
        "  column 3:1",
        "die 3",
        "  overrun +1",
        "  die 4",
        "result DE",
    ]


def test_automatic_result_needs_no_die() -> None:
    attack, defense = total([Fighter("a", 30)], UP_EACH), total([Fighter("d", 1)], UP_EACH)
    sheet = prepare(RULES, attack, defense, [Ladder("1:3", "6:1", above="DE")])
    assert sheet.result is not None
    assert sheet.result.defender.pays is Pays.ALL
    assert resolve(RULES, sheet, 1).roll is None


# --- who may fight ----------------------------------------------------------------------------


def broken(attackers: list[Attacker], targets: list[int], fought: Fought | None = None) -> list[str]:
    on = boards.board("....\n....", sides={"lake": "0101/0102"})
    return [b.key for b in check_battle(on, BattleRules(), attackers, targets, fought or Fought())]


def test_attackers_must_be_adjacent_and_not_across_a_banned_hexside() -> None:
    on = boards.board("....\n....", sides={"lake": "0101/0102"})
    lake = {"lake": on.steps_across("lake")}
    assert broken([Attacker("a", on.id("0102"))], [on.id("0103")]) == []
    assert broken([Attacker("a", on.id("0101"))], [on.id("0103")]) == ["not-adjacent"]
    assert broken([Attacker("a", on.id("0101"), lake)], [on.id("0102")]) == ["lake"]


def test_one_unit_may_attack_several_hexes_and_several_units_one() -> None:
    on = boards.board("....\n....")
    a, b = Attacker("a", on.id("0102")), Attacker("b", on.id("0201"))
    targets = on.ids("0103 0202")
    assert broken([a], targets) == []
    assert broken([a, b], on.ids("0202")) == []
    assert "many-on-many" in broken([a, b], targets)


def test_units_and_hexes_fight_once_in_a_phase() -> None:
    on = boards.board("....\n....")
    fought = Fought()
    fought.book(["a"], on.ids("0103"), ["d"])
    assert broken([Attacker("a", on.id("0102"))], on.ids("0202"), fought) == ["attacked-before"]
    assert broken([Attacker("b", on.id("0102"))], on.ids("0103"), fought) == ["hex-attacked-before"]


def test_river_helps_only_if_every_attacker_crosses_it() -> None:
    on = boards.board("...\n...", sides={"river": "0101/0102", "canal": "0201/0102"})
    target = on.id("0102")
    west, south, east = on.ids("0101 0201 0103")
    rivers = ("river", "canal")
    assert all_across(on, [west], [target], ["river"])
    assert not all_across(on, [west, south], [target], ["river"])
    assert all_across(on, [west, south], [target], rivers)
    assert not all_across(on, [west, south, east], [target], rivers)
    assert not all_across(on, [], [target], rivers)
    assert sides_across(on, west, [target]) == {"river"}


def test_attack_is_concentric_from_opposite_alternate_or_more_than_three_hexes() -> None:
    on = boards.board("...\n...\n...")
    target = on.id("0202")
    nw, ne, e, se, sw, w = on.neighbors[target]
    assert concentric(on, [nw, se], target)
    assert concentric(on, [nw, e, sw], target)
    assert concentric(on, [nw, ne, e, w], target)
    assert not concentric(on, [nw, ne, e], target)
    assert not concentric(on, [nw, e], target)


def test_what_differs_in_its_units_alone_is_told_once() -> None:
    far, sea = Breach("not-adjacent", (1, 2), ("a",)), Breach("sea", (1, 2), ("a",))
    assert merged([far, sea, Breach("not-adjacent", (1, 2), ("b",))]) == [
        Breach("not-adjacent", (1, 2), ("a", "b")),
        sea,
    ]
