"""War for the Motherland: sequence, turns, unit types and charts against the facts of the rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import UnitType

SEQUENCE = {
    "supply": "a b c d",
    "axis-move": "a b1 b2 b3",
    "axis-combat": "a",
    "sov-combat": "a",
    "sov-move": "a b1 b2 b3 p",
    "ger-mech": "a b c",
    "admin": "a b c d e f g h i j k x",
}
ACTIVE = dict(zip(SEQUENCE, ["both", "axis", "axis", "soviet", "soviet", "axis", "both"], strict=True))
MUD = {7, 12, 21, 26, 35, 40}
SNOW = {8, 9, 10, 11, 22, 23, 24, 25, 36, 37, 38, 39}
PRODUCTION = {5, 7, 9, 11, 12, 14, 19, 21, 23, 25, 26, 28, 33, 35, 37, 39}
COLORS = "german security luftwaffe ss finnish rumanian italian hungarian soviet guard"
RED, GREEN, BLUE = 0, 1, 2


@pytest.fixture(scope="module")
def game() -> Game:
    return load("wfm")


# --- sequence and turns


def test_sequence_has_every_phase_and_step_in_order(game: Game) -> None:
    found = {p.id: [s.id for s in p.steps] for p in game.sequence}
    assert found == {p: [f"{p}.{s}" for s in steps.split()] for p, steps in SEQUENCE.items()}
    assert list(found) == list(SEQUENCE)


def test_phases_belong_to_their_player(game: Game) -> None:
    assert {p.id: p.active for p in game.sequence} == ACTIVE


def test_every_step_says_what_may_happen(game: Game) -> None:
    assert all(step.may and step.rule for phase in game.sequence for step in phase.steps)


@pytest.mark.parametrize(
    ("verb", "steps"),
    [
        ("attack", {"axis-combat.a", "sov-combat.a"}),
        ("overrun", {"axis-move.b2", "sov-move.b2", "ger-mech.a"}),
        ("sea-move", {"axis-move.b1", "sov-move.b1"}),
        ("strategic-move", {"axis-move.b1", "sov-move.b1", "ger-mech.a"}),
        ("airbase-move", {"axis-move.b3"}),
        ("osg-move", {"sov-move.b3"}),
        ("place-partisan", {"sov-move.p", "admin.h"}),
        ("place-fleet", {"supply.b"}),
        ("remove-fleet", {"ger-mech.b"}),
        ("withdraw", {"ger-mech.c", "admin.x"}),
        ("produce", {"admin.f"}),
        ("evacuate", {"admin.g"}),
    ],
)
def test_verb_is_allowed_in_just_these_steps(game: Game, verb: str, steps: set[str]) -> None:
    assert {s.id for p in game.sequence for s in p.steps if verb in s.may} == steps


def test_forty_turns_with_their_seasons(game: Game) -> None:
    turns = game.turn_track.turns
    assert [t.number for t in turns] == list(range(1, 41))
    assert {t.number for t in turns if t.season == "mud"} == MUD
    assert {t.number for t in turns if t.season == "snow"} == SNOW


def test_production_turns_and_numbers_that_never_fall(game: Game) -> None:
    numbers = {t.number: t.production for t in game.turn_track.turns if t.production is not None}
    assert set(numbers) == PRODUCTION
    values = list(numbers.values())
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("turn", "date"),
    [
        (1, "June I 1941"),
        (12, "March/April 1942"),
        (22, "November 1942"),
        (24, "January 1943"),
        (40, "March/April 1944"),
    ],
)
def test_date_the_rules_print(game: Game, turn: int, date: str) -> None:
    assert game.turn[turn].date == date


def test_mud_turns_are_two_months_and_snow_turns_one(game: Game) -> None:
    for turn in game.turn_track.turns:
        assert ("/" in turn.date) == (turn.season == "mud")
        assert (" I" in turn.date) == (turn.season == "clear")


def test_no_date_comes_twice(game: Game) -> None:
    assert len({t.date for t in game.turn_track.turns}) == 40


# --- colours and unit types


def _channels(color: str) -> tuple[int, ...]:
    return tuple(int(color[i : i + 2], 16) for i in (1, 3, 5))


def test_nationalities_and_their_colours(game: Game) -> None:
    color = {n: _channels(game.nationality[n].color) for n in COLORS.split()}
    assert sum(color["security"]) < sum(color["german"])
    assert sum(color["ss"]) < 120
    assert max(color["luftwaffe"]) == color["luftwaffe"][BLUE]
    assert max(color["finnish"]) == color["finnish"][BLUE]
    assert max(color["rumanian"]) == color["rumanian"][GREEN]
    assert max(color["italian"]) == color["italian"][GREEN]
    assert sum(color["italian"]) > sum(color["rumanian"])
    assert color["hungarian"][BLUE] < 128 < color["hungarian"][GREEN]
    assert color["soviet"][RED] > color["soviet"][GREEN] > color["soviet"][BLUE]
    assert color["guard"][GREEN] < color["soviet"][GREEN]


STEPS = {
    "german-infantry-corps": 4,
    "german-panzer-corps": 4,
    "german-mountain-corps": 3,
    "german-infantry-kg": 2,
    "german-panzer-kg": 2,
    "german-panzer-division": 2,
    "italian-army": 2,
    "hungarian-army": 2,
    "finnish-army": 2,
    "soviet-infantry-army": 2,
    "soviet-guard-army": 2,
    "soviet-shock-army": 2,
    "soviet-tank-army": 2,
}
NO_ZONE = (
    "german-security-division siege-artillery airbase supply-depot supply-depot-extended "
    "rumanian-headquarters finnish-headquarters soviet-headquarters offensive-support-group "
    "factory oil-field coal-field mineral-deposit strategic-port oil-pipeline"
)


def _with(game: Game, trait: str) -> set[str]:
    return {t.id for t in game.unit_types if trait in t.traits}


def test_steps_of_every_type(game: Game) -> None:
    assert {t.id: t.steps for t in game.unit_types if t.steps > 1} == STEPS


def test_types_without_zone_of_control(game: Game) -> None:
    assert {t.id for t in game.unit_types if not t.zoc} == set(NO_ZONE.split())


def test_weights_in_a_stack(game: Game) -> None:
    weight = {t.id: t.stacking for t in game.unit_types}
    assert weight["german-panzer-division"] == weight["german-security-division"] == Fraction(1, 3)
    assert all(weight[t] == Fraction(1, 2) for t in weight if t.endswith("-kg"))
    assert all(weight[t] == 2 for t in ("italian-army", "hungarian-army", "finnish-army"))
    assert all(weight[t] == 1 for t in _with(game, "draws-strength"))
    weightless = {t for t in weight if weight[t] == 0}
    assert weightless == set(NO_ZONE.split()) - {"german-security-division"}


def _advance(kind: UnitType) -> int:
    if "no-advance" in kind.traits:
        return 0
    if "panzer" in kind.traits:
        return 3
    return 2 if "armor" in kind.traits else 1


def test_advance_limits(game: Game) -> None:
    assert {t.id: t.values["advance"] for t in game.unit_types} == {
        t.id: _advance(t) for t in game.unit_types
    }


def test_who_moves_by_sea(game: Game) -> None:
    """Not panzers, airbases, siege guns, armies of the Axis; not tanks, groups, assets, headquarters."""
    never = _with(game, "armor") | _with(game, "airbase") | _with(game, "hq") | _with(game, "osg")
    never |= _with(game, "economic-asset") | {"siege-artillery", "german-security-division"}
    never |= {"italian-army", "hungarian-army", "finnish-army"}
    assert _with(game, "sea-transport") == {t.id for t in game.unit_types} - never
    half = {t.id for t in game.unit_types if t.values.get("sea-size") == Fraction(1, 2)}
    assert half == {
        "german-infantry-kg",
        "german-mountain-kg",
        "soviet-infantry-corps",
        "soviet-marine-corps",
        "soviet-airborne-corps",
    }


def test_who_never_moves_strategically(game: Game) -> None:
    never = {t.id for t in game.unit_types} - _with(game, "strategic")
    assert never == _with(game, "hq") | _with(game, "airbase") | _with(game, "economic-asset") | _with(
        game, "depot"
    ) | {"german-security-division"}
    assert _with(game, "strategic-mud") == _with(game, "depot")


def test_escorted_types_are_those_of_the_rule(game: Game) -> None:
    assert _with(game, "escorted") == (
        _with(game, "airbase") | _with(game, "hq") | _with(game, "osg") | _with(game, "depot")
    )
    assert _with(game, "never-ezoc") == {"siege-artillery"}


def test_mountain_units_pay_one_for_mountains(game: Game) -> None:
    cheap = {t.id for t in game.unit_types if t.values.get("mountain-cost") == 1}
    assert cheap == {"german-mountain-corps", "german-mountain-kg", "rumanian-mountain-corps"}


def test_supply_ranges(game: Game) -> None:
    ranges = {t.id: t.values["supply-range"] for t in game.unit_types if "supply-range" in t.values}
    assert ranges.pop("soviet-headquarters") == 6
    assert set(ranges) == {
        "supply-depot",
        "supply-depot-extended",
        "rumanian-headquarters",
        "finnish-headquarters",
    }
    assert set(ranges.values()) == {4}


# --- charts


def _score(cell: str) -> int:
    if cell in ("AE", "DE"):
        return -9 if cell == "AE" else 9
    if "/" in cell:
        attacker, defender = cell.split("/")
        return int(defender) - int(attacker)
    assert cell[0] in "AD"
    return int(cell[1:]) * (1 if cell[0] == "D" else -1)


def _ratio(cell: str) -> Fraction:
    attack, defense = cell.split(":")
    return Fraction(int(attack), int(defense))


def test_combat_results_have_a_row_for_each_die_to_ten(game: Game) -> None:
    table = game.table["combat-results"]
    assert [r.id for r in table.rows] == [str(n) for n in range(1, 11)]
    assert table.columns == game.table["odds"].columns


def test_combat_results_get_no_worse_for_the_attacker(game: Game) -> None:
    rows = [[_score(c) for c in r.cells] for r in game.table["combat-results"].rows]
    for row in rows:
        assert row == sorted(row)
    for column in zip(*rows, strict=True):
        assert list(column) == sorted(column)


def test_combat_results_hold_all_kinds_of_result(game: Game) -> None:
    cells = {c for r in game.table["combat-results"].rows for c in r.cells}
    assert {"AE", "DE", "D2", "D3", "1/3"} <= cells
    assert all(c in ("AE", "DE") or "/" in c or (c[0] in "AD" and c[1:].isdigit()) for c in cells)


def test_odds_rise_in_every_row_of_terrain(game: Game) -> None:
    for row in game.table["odds"].rows:
        ratios = [_ratio(c) for c in row.cells]
        assert all(a < b for a, b in pairwise(ratios)), row.id


def test_odds_have_a_row_for_every_terrain_one_can_attack(game: Game) -> None:
    terrain = {k.id for k in game.map.terrain_kinds} - {"sea", "lake"}
    rows = {r.id for r in game.table["odds"].rows}
    assert rows == terrain | {"minor-city", "major-city", "fortress"}


def test_odds_example_of_the_rules(game: Game) -> None:
    """15 to 4 is 3:1 in the open."""
    fitting = [c for c in game.table["odds"].row("clear").values() if _ratio(c) <= Fraction(15, 4)]
    assert fitting[-1] == "3:1"


def test_cover_never_helps_the_attacker(game: Game) -> None:
    odds = game.table["odds"]
    open_ground = [_ratio(c) for c in odds.row("clear").values()]
    for row in odds.rows:
        assert all(_ratio(c) >= plain for c, plain in zip(row.cells, open_ground, strict=True)), row.id
    assert odds.row("fortress") == odds.row("major-city")
    assert odds.row("tundra") == odds.row("clear")


def test_die_modifiers_of_combat(game: Game) -> None:
    found = {m.id: (m.cells[0], m.cells[1]) for m in game.table["combat-results"].modifiers}
    assert found == {
        "overrun": ("+1", "6.1"),
        "first-winter": ("+3", "11.27"),
        "later-winters": ("+1", "11.28"),
        "osg": ("+3", "8.62"),
        "siege": ("+4", "8.71"),
    }


def test_terrain_effects_cover_the_map(game: Game) -> None:
    rows = {r.id for r in game.table["terrain-effects"].rows}
    assert {k.id for k in game.map.terrain_kinds} <= rows
    assert {k.id for k in game.map.hexside_kinds} - {"arctic-circle"} <= rows
    assert {"major-city", "minor-city", "fortress", "railway"} <= rows


def test_terrain_effects_have_a_column_for_who_moves(game: Game) -> None:
    columns = set(game.table["terrain-effects"].columns)
    classes = {t.mobility for t in game.unit_types} - {"none", "rail"}
    assert classes == {"motorized", "non-motorized"}
    assert classes <= columns


def test_terrain_facts_of_the_rules(game: Game) -> None:
    table = game.table["terrain-effects"]
    for column in ("motorized@snow", "non-motorized@snow", "los-snow"):
        assert table.cell("swamp", column) == table.cell("forest", column)
    assert table.cell("swamp", "los") == table.cell("tundra", "los") == "2"
    assert table.cell("railway", "los") == "1/2"
    assert table.cell("major-river", "los") == "no"
    assert table.cell("causeway", "los") == "+0"
    assert table.cell("causeway", "motorized") == "no"
    assert table.cell("ice-road", "non-motorized@snow") == table.cell("major-river", "non-motorized@snow")
    assert table.cell("ice-road", "non-motorized") == table.cell("ice-road", "motorized@snow") == "no"
    assert table.row("strait") == table.row("major-river")
    assert int(table.cell("mountain", "non-motorized")) > 1


def test_attrition_is_milder_with_a_higher_die(game: Game) -> None:
    losses = [int(r.cells[0]) for r in game.table["attrition"].rows]
    assert losses == sorted(losses, reverse=True)
    modifiers = {m.id: m.cells[0] for m in game.table["attrition"].modifiers}
    assert (modifiers["minor-city"], modifiers["major-city"]) == ("+1", "+2")


def _kg_steps(text: str, steps: dict[str, int]) -> int:
    return sum(steps[part] for part in text.split(" + "))


def test_breakdown_keeps_the_number_of_steps(game: Game) -> None:
    table = game.table["german-breakdown"]
    steps = {r.id: int(table.cell(r.id, "steps")) for r in table.rows}
    for row in steps:
        for column in ("breaks into", "built from"):
            cell = table.cell(row, column)
            assert cell == "-" or _kg_steps(cell, steps) == steps[row]


def test_breakdown_chart_knows_every_face_of_corps_and_kampfgruppen(game: Game) -> None:
    types = {t.id for t in game.unit_types if {"breaks-down", "kg"} & set(t.traits)}
    faces = {face for c in game.counters if c.type in types for face in c.steps}
    assert {r.id for r in game.table["german-breakdown"].rows} == faces


def test_headquarters_and_armies_return_by_die(game: Game) -> None:
    hq = game.table["headquarters-return"]
    assert [hq.cell(str(d), "turns") for d in range(1, 7)] == ["1", "1", "1", "2", "2", "2"]
    army = game.table["army-return"]
    assert [army.cell(str(d), "arrives after") for d in range(2, 7)] == [str(2 * d) for d in range(2, 7)]


def test_a_drop_succeeds_on_one_or_two(game: Game) -> None:
    drop = game.table["airborne-drop"]
    assert [drop.cell(str(d), "result") for d in range(1, 7)] == ["lands"] * 2 + ["eliminated"] * 4


def test_every_reconstructed_table_says_how(game: Game) -> None:
    for table in game.tables:
        assert table.provenance.how or table.provenance.rule, table.id
    lacking = (
        "odds",
        "combat-results",
        "terrain-effects",
        "attrition",
        "german-breakdown",
        "strength-markers",
    )
    assert all(game.table[t].provenance.source == "reconstructed" for t in lacking)


def test_options_have_a_default_among_their_choices(game: Game) -> None:
    assert all(o.default in o.choices and len(o.choices) > 1 and o.rule for o in game.options)
    assert {"20.1", "20.2", "20.3", "20.4"} <= {o.rule for o in game.options}
