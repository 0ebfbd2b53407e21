"""The expressions the engine is given; here they are worked out by a tiny stand-in for BeanShell."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.module import odds
from builder.module.battle_sums import ladder, last_not_above
from fieldpost.definition import load

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "first-game"


def _work_out(expression: str, attack: int, defense: int) -> str:
    """Nested `(a?b:c)` with `*`, `>=` and `<`."""
    text = expression.strip()
    while text.startswith("(") and _closes(text) == len(text) - 1:
        text = text[1:-1]
    at = _question(text)
    if at is None:
        return text.strip('"')
    condition = text[:at].replace("A", str(attack)).replace("D", str(defense))
    yes, no = _branches(text[at + 1 :])
    return _work_out(yes if eval(condition) else no, attack, defense)


def _closes(text: str) -> int:
    depth = 0
    for at, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return at
    raise AssertionError(text)


def _question(text: str) -> int | None:
    return text.index("?") if "?" in text else None


def _branches(text: str) -> tuple[str, str]:
    depth, quoted = 0, False
    for at, letter in enumerate(text):
        quoted ^= letter == '"'
        depth += 0 if quoted else {"(": 1, ")": -1}.get(letter, 0)
        if letter == ":" and depth == 0 and not quoted:
            return text[:at], text[at + 1 :]
    raise AssertionError(text)


@given(st.integers(0, 60), st.integers(1, 30))
def test_the_column_is_the_last_one_not_above_attack_to_defense(attack: int, defense: int) -> None:
    printed = ("1:3", "1:2", "1:1", "3:2", "2:1", "3:1")
    ratios = [Fraction(*map(int, label.split(":"))) for label in printed]
    fits = [number for number, ratio in enumerate(ratios, 1) if ratio <= Fraction(attack, defense)]
    expression = _named(last_not_above(printed))
    assert _work_out(expression, attack, defense) == str((fits or [1])[-1])


@given(st.integers(1, 60), st.integers(1, 30))
def test_whole_odds_are_counted_on_beyond_the_table(attack: int, defense: int) -> None:
    expression = _named(ladder(("1:3", "1:2", "1:1", "2:1", "3:1")))
    place = 3 + attack // defense - 1 if attack >= defense else 3 - (-(-defense // attack)) + 1
    assert _arithmetic(_work_out(expression, attack, defense), attack, defense) == place


def _named(expression: str) -> str:
    return expression.replace("AttackSum", "A").replace("Counted", "D")


def _arithmetic(expression: str, attack: int, defense: int) -> int:
    return int(eval(expression.replace("/", "//"), {"A": attack, "D": defense}))


def test_only_columns_that_are_odds_are_odds() -> None:
    lwe, wfm = load("lwe"), load("wfm")
    assert odds.headings(lwe.table["combat-results"])[-1] == "6:1"
    assert odds.headings(wfm.table["combat-results"]) == ()


@pytest.mark.parametrize(
    ("unit", "types"),
    [
        ("1B", ["mark;ChitAttack,ChitDefense", "calcProp;Attack;{(Step_Level==2?2:4)};", None]),
        ("TankB", ["mark;ChitAttack,ChitDefense", "mark;Attack", "mark;Defense"]),
        ("HqB", ["mark;ChitAttack,ChitDefense", "mark;Attack", "mark;Defense"]),
    ],
)
def test_strengths_follow_the_printed_factors(unit: str, types: list[str | None]) -> None:
    game = load(EXAMPLE)
    traits = odds.strengths(game, game.counter[unit])
    assert [trait.type for trait, wanted in zip(traits, types, strict=True) if wanted] == [
        t for t in types if t
    ]


@pytest.mark.parametrize(("unit", "printed"), [("65RC", ["1", "1"]), ("FZ-2529", ["0", "1"])])
def test_one_combat_factor_attacks_and_defends(unit: str, printed: list[str]) -> None:
    game = load("lwe")
    _, *own = odds.strengths(game, game.counter[unit])
    assert [trait.state for trait in own] == printed


def test_every_piece_has_all_figures() -> None:
    """VASSAL 3.6 cannot add up a place where one piece lacks a figure."""
    from builder.module.plan import Plan

    for game in (load(EXAMPLE), load("wfm")):
        plan = Plan(game, 75, ())
        for design in (*plan.units.values(), *plan.markers.values(), plan.battle_marker):
            said = " ".join(trait.type for trait in plan.in_play(design).traits)
            assert all(f"{figure}" in said for figure in odds.FIGURES), design.name
