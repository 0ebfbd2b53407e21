"""The expressions the engine is given; here they are worked out by a tiny stand-in for BeanShell."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.module import odds
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


def test_the_odds_of_a_game_are_those_of_its_tables_from_low_to_high() -> None:
    assert odds.labels(load(EXAMPLE)) == ("1:2", "1:1", "2:1", "3:1", "4:1")
    wfm = odds.labels(load("wfm"))
    assert wfm[:4] == ("1:3", "1:2", "1:1", "3:2")
    assert wfm[-1] == "12:1"


@given(st.integers(0, 60), st.integers(1, 30))
def test_the_column_is_the_last_one_not_above_attack_to_defense(attack: int, defense: int) -> None:
    printed = ("1:3", "1:2", "1:1", "3:2", "2:1", "3:1")
    ratios = [Fraction(*map(int, label.split(":"))) for label in printed]
    below = [
        label for label, ratio in zip(printed, ratios, strict=True) if ratio <= Fraction(attack, defense)
    ]
    assert (
        _work_out(odds.column("A", "D", printed), attack, defense) == (below or printed)[-1 if below else 0]
    )


def test_without_a_defender_there_are_no_odds() -> None:
    assert _work_out(odds.column("A", "D", ("1:1", "2:1")), 5, 0) == "-"


def test_a_game_without_odds_has_none() -> None:
    assert odds.column("A", "D", ()) == '""'


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
