"""For the Motherland! as data, held against what its rules say: sequence, turns, types, charts, options."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from fieldpost.definition import Game, load
from tests.places import REPOSITORY
from validator.core.sequence import Moment, SequenceOfPlay

EARLY = ["supply", "axis-move", "axis-combat", "axis-exploit", "sov-move", "sov-combat", "admin"]
LATE = ["supply", "sov-move", "sov-combat", "sov-exploit", "axis-move", "axis-combat", "admin"]
NO_ZONE = {
    "air-base",
    "supply-base",
    "railroad-gun",
    "offensive-support",
    "factory",
    "oil-field",
    "oil-pipeline",
    "coal-mine",
    "ore",
}
# The rules that 36 ambiguities of the inventory and the optional chapter belong to.
READINGS = """
    5.2.3 5.3.1 13.0 8.7.1 14.1 14.3 5.1.3 11.2.2 11.1.2 9.3.2 5.3 5.4 8.6.3 9.5 15.2 10.1
    5.5.1 5.5.4 8.4.2 8.5 8.5.1 9.3.1 4.1 9.6.1 16.4 9.1.3 6.3 6.2 21.1.1 21.2
"""
MUD, SNOW = {4, 7, 11, 14, 18, 21}, {5, 6, 12, 13, 19, 20}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("ftm")


def _with(game: Game, trait: str) -> set[str]:
    return {t.id for t in game.unit_types if trait in t.traits}


# --- sequence (3.0, 3.1)


@pytest.mark.parametrize("turn", range(1, 23))
def test_the_sides_change_places_after_turn_11(game: Game, turn: int) -> None:
    assert [phase.id for phase in game.phases(turn)] == (EARLY if turn <= 11 else LATE)


def test_turn_11_ends_with_administration_and_turn_12_goes_on_with_the_soviets(game: Game) -> None:
    play = SequenceOfPlay(game.sequence, game.orders)
    assert play.after(Moment(11, "sov-combat")) == Moment(11, "admin")
    assert play.after(Moment(11, "admin")) == Moment(12, "supply")
    assert play.after(Moment(12, "supply")) == Moment(12, "sov-move")
    assert play.between(Moment(12, "supply"), Moment(12, "axis-exploit")) is None
    assert play.between(Moment(9, "sov-combat"), Moment(9, "sov-exploit")) is None


def test_each_phase_is_played_in_some_turn(game: Game) -> None:
    assert {phase.id for phase in game.sequence} == {*EARLY, *LATE}


def test_every_step_says_what_may_be_done_and_by_which_rule(game: Game) -> None:
    assert all(step.may and step.rule for phase in game.sequence for step in phase.steps)
    assert all(phase.steps for phase in game.sequence)


@pytest.mark.parametrize(
    ("verb", "steps"),
    [
        ("overrun", {"axis-move.c", "axis-exploit.a", "sov-move.c", "sov-exploit.a"}),
        ("attack", {"axis-combat.a", "sov-combat.a"}),
        ("strategic-move", {"axis-move.b", "sov-move.b"}),
        ("sea-move", {"axis-move.b", "sov-move.b"}),
        ("air-base-move", {"axis-move.d"}),
        ("supply-base-move", {"axis-move.d"}),
        ("offensive-support-move", {"sov-move.d"}),
        ("withdraw", {"supply.a"}),
        ("air-supply", {"supply.c"}),
        ("place-partisan", {"supply.f"}),
        ("convert", {"admin.a"}),
        ("exchange-steps", {"admin.c"}),
        ("produce", {"admin.d"}),
        ("draw-strength", {"admin.f"}),
    ],
)
def test_verb_is_allowed_in_just_these_steps(game: Game, verb: str, steps: set[str]) -> None:
    assert {s.id for p in game.sequence for s in p.steps if verb in s.may} == steps


def test_supply_is_judged_before_partisans_take_effect_and_these_before_they_are_placed(game: Game) -> None:
    (supply,) = [phase for phase in game.sequence if phase.id == "supply"]
    order = [verb for step in supply.steps for verb in step.may]
    assert order.index("withdraw") < order.index("set-supply") < order.index("air-supply")
    assert order.index("partisans") < order.index("place-partisan") < order.index("remove-base")


def test_every_verb_is_explained_above_the_sequence(game: Game) -> None:
    text = (REPOSITORY / "games" / "ftm" / "game.yaml").read_text(encoding="utf-8")
    explained = set(" ".join(line for line in text.splitlines() if line.startswith("#   ")).split())
    assert {verb for p in game.sequence for s in p.steps for verb in s.may} <= explained


# --- turns (1.0, 3.0, 14.0)


def test_twenty_two_turns_with_their_seasons(game: Game) -> None:
    turns = game.turn_track.turns
    assert [t.number for t in turns] == list(range(1, 23))
    assert {t.number for t in turns if t.season == "mud"} == MUD
    assert {t.number for t in turns if t.season == "snow"} == SNOW


def test_the_turns_fill_38_months_in_which_winter_and_thaw_take_two_each(game: Game) -> None:
    months = sum(t.date.count("/") + 1 for t in game.turn_track.turns)
    assert months == 38
    assert all("/" in t.date for t in game.turn_track.turns if t.season != "clear")
    assert (game.turn[1].date, game.turn[12].date, game.turn[22].date) == (
        "May/June 1941",
        "November/December 1942",
        "May/June 1944",
    )


def test_air_units_are_withdrawn_in_four_turns(game: Game) -> None:
    table = game.table["air-withdrawals"]
    assert {row.id: row.cells for row in table.rows} == {
        "6": ("1", "4"),
        "13": ("1", "3"),
        "16": ("1", "2"),
        "20": ("1", "1"),
    }
    told = {t.number for t in game.turn_track.turns if any("air unit" in e for e in t.events)}
    assert told == {6, 13, 16, 20}


def test_replacements_come_in_mud_turns_only(game: Game) -> None:
    assert {int(row.id) for row in game.table["replacements"].rows} == MUD


# --- unit types (4.1, 5.1.2, 5.4, 5.5.1, 6.0, 8.5, 8.7, 9.1.3)


def test_types_without_zone_of_control(game: Game) -> None:
    assert {t.id for t in game.unit_types if not t.zoc} == NO_ZONE
    assert {t.id for t in game.unit_types} - NO_ZONE == _with(game, "combat")


def test_mechanized_units_are_those_of_5_1_2(game: Game) -> None:
    assert {t.id for t in game.unit_types if t.mobility == "mech"} == {
        "german-panzer-corps",
        "german-panzer-kg",
        "tank-army",
        "mechanized-group",
        "supply-base",
    }


def test_steps_of_every_type(game: Game) -> None:
    three = {"german-infantry-corps", "german-panzer-corps", "german-mountain-corps", "allied-army"}
    assert {t.id for t in game.unit_types if t.steps == 3} == three
    assert {t.id for t in game.unit_types if t.steps == 2} == _with(game, "draws-strength")


def test_what_is_left_of_a_corps_is_a_kampfgruppe_of_its_kind_and_builds_it_again(game: Game) -> None:
    kinds = {"infantry", "panzer", "mountain", "allied"}
    for kind in game.unit_types:
        left = kind.values.get("breaks-into")
        assert (left is not None) == (kind.steps == 3)
        if left is not None:
            heir = game.unit_type[str(left)]
            assert heir.steps == 1
            assert heir.values["builds"] == kind.id
            assert kinds & {*heir.traits} == kinds & {*kind.traits}


def test_weights_in_a_stack(game: Game) -> None:
    weight = {t.id: t.stacking for t in game.unit_types}
    assert weight["german-infantry-kg"] == weight["german-panzer-corps"] == 1
    assert weight["allied-army"] == weight["allied-star-army"] == 3
    assert {t for t in weight if weight[t] == 0} == NO_ZONE | {"fortress"}


def test_places_in_a_soviet_stack(game: Game) -> None:
    place = {t.id: t.values["stack"] for t in game.unit_types if t.side == "soviet"}
    assert {t for t, p in place.items() if p == "elite"} == {"guards-army", "shock-army", "tank-army"}
    assert {t for t, p in place.items() if p == "combined-arms"} == {"combined-arms-army", "mechanized-group"}
    assert {t for t, p in place.items() if p == "economic-asset"} == _with(game, "economic-asset")


def test_who_goes_by_sea(game: Game) -> None:
    types = {"german-infantry-corps", "german-infantry-kg", "supply-base"}
    types |= {"combined-arms-army", "guards-army", "shock-army"}
    assert _with(game, "sea-transport") == types
    nations = {c.nationality for c in game.counters if "sea-transport" in c.traits}
    assert nations == {"romanian"}
    assert game.unit_type["german-infantry-kg"].values["sea-size"] == Fraction(1, 2)


def test_who_has_no_strategic_movement(game: Game) -> None:
    movers = {t.id for t in game.unit_types if "movement" in t.factors} - _with(game, "economic-asset")
    assert movers - _with(game, "strategic") == {"air-base", "supply-base", "fortress"}
    assert _with(game, "strategic-mud") == {"supply-base"}


def test_who_moves_in_exploitation(game: Game) -> None:
    assert _with(game, "exploits") == {"german-panzer-corps", "german-panzer-kg", "tank-army"}
    closing = {t.id for t in game.unit_types if t.mobility == "leg" and t.zoc} | {"supply-base"}
    assert _with(game, "closes-up") == closing


def test_who_never_enters_an_enemy_zone_and_who_moves_last(game: Game) -> None:
    assert _with(game, "never-ezoc") == {"supply-base", "air-base", "railroad-gun", "offensive-support"}
    assert _with(game, "moves-last") == {"air-base", "offensive-support"}


def test_advance_limits(game: Game) -> None:
    for kind in game.unit_types:
        limit = 0 if "no-advance" in kind.traits else 2 if "armor" in kind.traits else 1
        assert kind.values["advance"] == limit, kind.id


def test_returns_of_the_types_are_those_of_the_table(game: Game) -> None:
    table = {row.id: int(row.cells[0]) for row in game.table["returns"].rows}
    assert table == {t.id: t.values["returns"] for t in game.unit_types if "returns" in t.values}
    assert table == {
        "air-base": 3,
        "supply-base": 3,
        "offensive-support": 3,
        "combined-arms-army": 3,
        "guards-army": 3,
        "shock-army": 3,
        "tank-army": 5,
    }


# --- charts (8.1, 8.2, 8.5, 9.1.3, 10.1, 12.1, TEC)


def test_columns_and_rows_of_the_combat_results(game: Game) -> None:
    table = game.table["combat-results"]
    assert table.columns == ("1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1")
    assert [row.id for row in table.rows] == [str(n) for n in range(1, 10)]


def _worth(result: str) -> Fraction:
    """How good a result is for the attacker, roughly."""
    if result in ("AE", "DE"):
        return Fraction(5 if result == "DE" else -5)
    if "/" in result:
        own, theirs = map(int, result.split("/"))
        return Fraction(theirs - own) + Fraction(1, 4)
    return Fraction(int(result[1:]) * (1 if result[0] == "D" else -1))


def test_a_higher_die_and_better_odds_never_make_a_result_worse(game: Game) -> None:
    table = game.table["combat-results"]
    grid = [[_worth(cell) for cell in row.cells] for row in table.rows]
    for line in [*grid, *map(list, zip(*grid, strict=True))]:
        assert all(a <= b for a, b in itertools.pairwise(line)), line


def test_woods_cost_a_leg_unit_1_and_a_mechanized_unit_2(game: Game) -> None:
    assert game.table["terrain-effects"].row("woods")["leg"] == "1"
    assert game.table["terrain-effects"].row("woods")["mech"] == "2"


def test_swamp_is_woods_in_snow(game: Game) -> None:
    table = game.table["terrain-effects"]
    for column in ("leg@snow", "mech@snow", "combat-snow"):
        assert table.cell("swamp", column) == table.cell("woods", column)


def test_rivers_act_on_the_defense_and_frozen_access_is_a_minor_river_in_snow(game: Game) -> None:
    table = game.table["terrain-effects"]
    assert table.cell("minor-river", "combat") == "defense +2"
    assert table.cell("major-river", "combat") == table.cell("strait", "combat") == "defense x2"
    assert table.cell("frozen-access", "combat-snow") == table.cell("minor-river", "combat")
    assert table.cell("frozen-access", "leg@snow") == table.cell("minor-river", "leg")
    assert table.cell("frozen-access", "leg") == table.cell("frozen-access", "mech@snow") == "no"


def test_no_overrun_where_7_2_forbids_it(game: Game) -> None:
    table = game.table["terrain-effects"]
    barred = {row.id for row in table.rows if table.cell(row.id, "overrun") == "no"}
    assert barred >= {"mountain", "city", "major-river", "sea", "lake", "frozen-access"}
    assert table.cell("swamp", "overrun") == "in snow"
    assert table.cell("minor-river", "overrun") == "yes"


def test_every_terrain_of_the_map_has_a_row(game: Game) -> None:
    known = {row.id for row in game.table["terrain-effects"].rows}
    assert {kind.id for kind in game.map.terrain_kinds} <= known
    assert {kind.id for kind in game.map.hexside_kinds} <= known


@pytest.mark.parametrize("table", ["attrition", "partisans"])
def test_a_table_for_one_die_has_six_rows(game: Game, table: str) -> None:
    assert [row.id for row in game.table[table].rows] == ["1", "2", "3", "4", "5", "6"]


def test_the_track_of_lost_assets_has_a_space_for_each_and_the_number_of_the_table(game: Game) -> None:
    assets = [c for c in game.counters if "economic-asset" in game.unit_type[c.type].traits]
    spaces = {box.id: box.name for box in game.boxes if box.id.startswith("lost-asset-")}
    numbers = {row.id: int(row.cells[0]) for row in game.table["production"].rows}
    assert len(spaces) == len(assets) == len(numbers) - 1
    for n in range(1, len(assets) + 1):
        assert spaces[f"lost-asset-{n}"].endswith(f" {n}: production {numbers[str(n)]}")
    assert list(numbers.values()) == sorted(numbers.values(), reverse=True)


def test_every_reconstructed_table_says_how(game: Game) -> None:
    for table in game.tables:
        assert table.provenance.source == "rulebook" or table.provenance.how


# --- readings


def test_every_ambiguity_that_changes_a_verdict_is_an_option(game: Game) -> None:
    """The readings that two clubs may hold, by the rule they belong to."""
    rules = {option.rule for option in game.options}
    assert rules >= set(READINGS.split())


def test_what_the_text_cannot_decide_is_left_to_a_referee_by_default(game: Game) -> None:
    judged = {option.id for option in game.options if option.default == "judge"}
    assert judged == {
        "supply-base-last",
        "distance-units",
        "overrun-support",
        "advance-after-losses",
        "mixed-air",
        "one-hex-from-zone",
        "exploit-after-rail",
        "kerch-panzer",
        "arrival-places",
    }
