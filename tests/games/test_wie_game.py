"""War in the East: what the rulebook says of turns, units, charts and money, asked of the data."""

from __future__ import annotations

from collections import Counter as Tally

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import UnitType

GERMAN = """
light-infantry 1 3 2-3-2, infantry 1 5 3-4-2, panzer-grenadier 1 7 5-5-3, ss-infantry 1 8 7-5-2,
motorized 2 6 5-4-3, armor 2 9 7-6-3, tank-destroyer 2 9 6-8-3, heavy-armor 2 10 8-8-3, ss-panzer 2 12
10-9-3, artillery 2 4 4-4-2, heavy-artillery 2 6 6-6-2, rail-gun 2 20 8-6-0, fighter 3 12 6-8-6,
jet-fighter 3 16 8-10-6, dive-bomber 3 8 6-8-6, bomber 3 24 8-2-8, jet-bomber 3 20 8-10-8
"""
SOVIET = """
light-infantry 1 3 2-3-2, infantry 1 5 3-4-2, guard-infantry 1 7 5-5-2, shock-troops 1 8 6-5-2, motorized
2 6 5-4-3, armor 2 8 6-5-3, tank-destroyer 2 9 5-7-3, heavy-armor 2 10 7-7-3, guard-armor 2 12 8-8-3,
artillery 2 4 4-4-2, heavy-artillery 2 6 6-6-2, katyusha 2 10 6-6-3, fighter 3 12 6-6-6, dive-bomber 3 8
6-6-6, bomber 3 22 7-2-8
"""
ROWS = [("german", row.split()) for row in GERMAN.split(",")] + [
    ("soviet", row.split()) for row in SOVIET.split(",")
]
MINOR_KINDS = {"light-infantry", "infantry", "motorized", "armor", "artillery", "fighter"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("wie")


def printed(game: Game, type_id: str) -> set[str]:
    return {step for c in game.counters if c.type == type_id for step in c.steps}


def having(game: Game, trait: str) -> set[str]:
    return {t.id for t in game.unit_types if trait in t.traits}


@pytest.mark.parametrize(("nation", "row"), ROWS, ids=[f"{nation}-{row[0]}" for nation, row in ROWS])
def test_a_unit_is_as_the_lists_have_it(game: Game, nation: str, row: list[str]) -> None:
    kind, class_, cost, step = row
    found = game.unit_type[f"{nation}-{kind}"]
    assert (found.values["class"], found.values["cost"]) == (int(class_), int(cost))
    assert f"class-{class_}" in found.traits
    assert printed(game, found.id) == {step}
    chart = game.table[f"{nation}-units"].row(kind)
    assert (chart["class"], chart["cost"]) == (class_, cost)


def test_light_grey_units_have_the_german_values(game: Game) -> None:
    for own in game.unit_types:
        if own.id.startswith(("minor-", "finnish-")) and "headquarters" not in own.traits:
            german = game.unit_type[f"german-{own.values['kind']}"]
            assert own.values["cost"] == german.values["cost"]
            assert printed(game, own.id) == printed(game, german.id)
            assert own.values["kind"] in MINOR_KINDS
            assert own.values.get("disrupted", 10) == 10


def test_armor_is_class_2_that_moves_three(game: Game) -> None:
    moves_three = {t.id for t in game.unit_types if "class-2" in t.traits and _move(game, t) == 3}
    assert having(game, "armor") == moves_three
    assert {t.id for t in game.unit_types if t.zoc} == moves_three
    assert having(game, "blitz") == {
        id_ for id_ in moves_three if not id_.endswith(("motorized", "katyusha"))
    }


def _move(game: Game, unit_type: UnitType) -> int:
    return next(
        (int(step.split("-")[2]) for step in printed(game, unit_type.id)),
        0,
    )


def test_who_is_disrupted_on_what(game: Game) -> None:
    lowest = {t.id: t.values.get("disrupted") for t in game.unit_types if "ground" in t.traits}
    assert lowest["german-infantry"] == 12
    assert lowest["soviet-infantry"] == lowest["minor-infantry"] == 10
    assert having(game, "ss") == {"german-ss-infantry", "german-ss-panzer"}
    assert all(lowest[id_] is None for id_ in having(game, "ss"))


def test_who_helps_whom(game: Game) -> None:
    helped = {t.id: t.values.get("supports", 0) for t in game.unit_types}
    assert helped["soviet-guard-armor"] == helped["german-ss-panzer"] == 2
    assert helped["german-armor"] == helped["soviet-artillery"] == helped["german-heavy-artillery"] == 1
    assert helped["german-motorized"] == helped["soviet-katyusha"] == helped["german-rail-gun"] == 0
    assert {t.id for t in game.unit_types if t.values.get("carries")} == having(game, "motorized")
    assert {t.values["lifts"] for t in game.unit_types if {"fighter", "dive-bomber"} & set(t.traits)} == {1}


def test_half_points_and_paratroops(game: Game) -> None:
    assert having(game, "half-rail") == {"german-ss-infantry", "german-ss-panzer", "german-panzer-grenadier"}
    class_1 = having(game, "class-1")
    assert having(game, "paratroops") == class_1 - {"german-panzer-grenadier"}


def test_values_of_planes_against_planes(game: Game) -> None:
    values = {
        t.id: (t.values["air-attack"], t.values["air-defense"]) for t in game.unit_types if "air" in t.traits
    }
    assert values["german-dive-bomber"] == (4, 6)
    assert values["soviet-dive-bomber"] == (4, 4)
    assert values["german-bomber"] == values["soviet-bomber"] == (2, 2)
    assert values["german-jet-fighter"] == (10, 10)
    assert game.unit_type["german-jet-fighter"].values["from-turn"] == 18
    assert game.unit_type["german-jet-bomber"].values["from-turn"] == 22
    assert {t.id for t in game.unit_types if t.values.get("dice") == 2} == {
        "german-bomber", "german-jet-bomber", "german-rail-gun", "soviet-bomber",
    }  # fmt: skip


def test_24_turns_of_two_months_from_june_1941(game: Game) -> None:
    turns = game.turn_track.turns
    assert [turn.number for turn in turns] == list(range(1, 25))
    assert (turns[0].date, turns[3].date, turns[-1].date) == (
        "Jun 22/Aug 1941",
        "Jan/Feb 1942",
        "May/Jun 1945",
    )


def test_the_track_shows_the_historical_weather(game: Game) -> None:
    months = {
        "Jan": "jan-feb",
        "Mar": "mar-apr",
        "May": "may-jun",
        "Jul": "jul-aug",
        "Sep": "sep-oct",
        "Nov": "nov-dec",
    }
    chart = game.table["historical-weather"]
    for turn in game.turn_track.turns[1:]:
        month, year = turn.date.split("/")[0], turn.date.split()[-1]
        assert chart.cell(year, months[month]) == turn.season.capitalize(), turn.date


def test_the_weather_die(game: Game) -> None:
    rows = {row.id: list(row.cells) for row in game.table["weather"].rows}
    assert rows["1"] == rows["2"] == rows["3"] == ["Snow", "Mud", "Clear", "Clear", "Clear", "Mud"]
    assert rows["4"] == rows["5"] == ["Snow", "Mud", "Clear", "Clear", "Mud", "Snow"]
    assert rows["6"] == ["Snow", "Snow", "Clear", "Clear", "Mud", "Snow"]


def test_both_players_have_the_five_actions_one_after_the_other(game: Game) -> None:
    parts = ("reinforce", "place", "move", "combat", "exploit", "redeploy", "supply")
    own = [f"{side}-{part}" for side in ("axis", "soviet") for part in parts]
    assert [phase.id for phase in game.phases(1)] == ["weather", *own]
    for scenario in game.scenarios:
        first = [phase.id for phase in game.phases(scenario.first_turn, scenario)]
        opens = game.table["scenarios"].cell(scenario.id.removesuffix("-free"), "first-to-move")
        turn = first[first.index("weather") :]
        assert turn[1] == f"{opens}-reinforce", scenario.id
        assert sorted(turn) == sorted(["weather", *own])
        assert ("set-up-first" in first) == scenario.id.endswith("-free")
        assert "set-up-first" not in [p.id for p in game.phases(scenario.first_turn + 1, scenario)]


def test_numbers_of_a_turns_money(game: Game) -> None:
    chart = game.table["production"]
    wanted = """
    free-air 1 1, free-armor 1 1, free-artillery 1 1, free-infantry 3 4, light-infantry 3 6,
    infantry 9 6, lend-lease - 6, doubled-from 21 6, redeployment 9 6, activations 9 9, activation 2
    2, exploitation 3 3, rebuild 15 15
    """
    for row in wanted.split(","):
        id_, axis, soviet = row.split()
        assert chart.row(id_) == {"Axis": axis, "Soviet": soviet}


def test_reinforcements_come_as_the_chart_has_them(game: Game) -> None:
    chart = game.table["reinforcements"]
    assert [row.id for row in chart.rows] == [str(n) for n in (*range(2, 14), 15, 16, 17, 18, 19)]
    assert chart.cell("16", "axis") == "1 ss-panzer"
    assert chart.cell("12", "soviet") == "5 guard-infantry, 1 guard-armor, 1 katyusha, 1 artillery"
    kinds = {str(t.values["kind"]) for t in game.unit_types}
    for row in chart.rows:
        for word in ",".join(row.cells).replace("minor ", "").split(","):
            assert word.strip() in ("-", "") or word.split()[1] in kinds, word


def test_headquarters_are_those_of_the_list_and_some_armies(game: Game) -> None:
    own = [c for c in game.counters if "headquarters" in game.unit_type[c.type].traits]
    assert Tally(game.unit_type[c.type].side for c in own) == {"axis": 13 + 5, "soviet": 17 + 2}
    turns = {c.id: c.values["from-turn"] for c in own}
    late = {
        "AGA": 6,
        "AGB": 7,
        "Don": 9,
        "Courland": 19,
        "Vistula": 22,
        "AGE": 23,
        "2Ukr": 20,
        "Kalinin-F": 3,
    }
    assert {id_: turns[id_] for id_ in late} == late
    for counter in own:
        assert counter.steps == (f"{counter.values['leadership']}-6",)
    assert any(int(str(c.values["leadership"])) >= 10 for c in own if game.unit_type[c.type].side == "soviet")


def test_every_optional_rule_is_a_switch_that_is_off(game: Game) -> None:
    optional = {o.id: o.default for o in game.options if (o.rule or "").startswith("8 ")}
    assert set(optional) == {
        "tank-destroyers", "heavy-armor", "modified-hq", "surprise", "fog-of-war", "counter-offensive",
        "partisans", "v2", "variable-retreats", "assassination",
    }  # fmt: skip
    assert set(optional.values()) == {"no"}


def test_a_fortification_of_each_direction_has_three_levels(game: Game) -> None:
    forts = [m for m in game.markers if m.kind == "fortification"]
    assert Tally(m.side for m in forts) == {"axis": 6, "soviet": 6}
    assert {m.values["direction"] for m in forts} == {"n", "ne", "se", "s", "sw", "nw"}
    assert all([face.text for face in m.faces] == ["1", "2", "3"] for m in forts)


def test_each_side_has_complexes_where_the_text_has_them(game: Game) -> None:
    found = {
        s: {m.id[3:] for m in game.markers if m.kind == "complex" and m.side == s} for s in ("axis", "soviet")
    }
    assert found["soviet"] == {"Leningrad", "Moscow", "Stalingrad", "Kiev", "Maikop", "Rostov", "Gorki"}
    assert found["axis"] == {"Berlin", "Dresden", "Warsaw", "Bucharest"}


def test_reconstructed_numbers_say_so(game: Game) -> None:
    assert game.table["headquarters"].provenance.source == "reconstructed"
    own = {c.provenance.source for c in game.counters if c.provenance and "leadership" in c.values}
    assert own == {"reconstructed"}
