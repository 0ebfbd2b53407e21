"""Land Without End: sequence, turns, unit types and charts against the facts of the rules."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Counter, Table, UnitType
from tests.places import REPOSITORY
from validator.core.board import Board
from validator.core.prices import ONE, Prices
from validator.core.sequence import SequenceOfPlay

PHASES = {
    "turn-start": "both",
    "weather": "soviet",
    "german-declaration": "german",
    "german-refit-start": "german",
    "german-new-units": "german",
    "german-pa-first": "german",
    "german-move": "german",
    "german-pa": "german",
    "german-refit-completion": "german",
    "soviet-pa": "soviet",
    "soviet-new-units": "soviet",
    "soviet-move": "soviet",
    "soviet-supply": "soviet",
    "victory": "both",
    "turn-end": "both",
}
RESULTS = ["AL1", "AS", "BB", "DR", "DE"]  # from the attacker's worst to his best
ODDS = ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1"]
KNOWN_DATES = {2: "Jul I", 4: "Jul III", 5: "Jul IV", 6: "Aug I", 8: "Aug III", 9: "Aug IV", 10: "Sep I"} | {
    12: "Sep III",
    14: "Oct I",
    18: "Nov I",
    20: "Nov III",
    22: "Dec I",
}
CHECKS = {5: 52, 22: 119}
NEVER_TAKEN = (
    "Leningrad|Oranienbaum|Sevastopol|Rostov|Moscow|Tula|Voronezh|Volkhov|Bologoe|Vyshny Volochek|"
    "Serpukhov|Izyum|Kupyansk|Kolomna|Voroshilovgrad|Novorossiisk|Krasnodar|Tikhoretsk|Armavir|Rossosh|"
    "Kantemirovka|Kamensk|Millerovo|Stavropol|Lipetsk|Salsk|Slavyansk|Stary Oskol"
)
WANTED_MARKERS = "victory-points turn weather replacements refit pause concentration control"
LEVELS = [(None, 86), (87, 97), (98, 118), (119, 124), (125, 129), (130, None)]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("lwe")


@pytest.fixture(scope="module")
def board(game: Game) -> Board:
    return Board(game.map)


# --- sequence and turns


def test_phases_stand_in_the_printed_order(game: Game) -> None:
    assert {p.id: p.active for p in game.sequence} == PHASES
    assert [p.id for p in game.sequence] == list(PHASES)


def test_every_step_says_what_may_happen(game: Game) -> None:
    assert all(step.may and step.rule for phase in game.sequence for step in phase.steps)
    assert all(phase.steps for phase in game.sequence)


def test_germans_may_fight_on_either_side_of_movement(game: Game) -> None:
    sequence = SequenceOfPlay(game.sequence)
    assert sequence.where("attack", "german") == ("german-pa-first", "german-pa")
    assert sequence.where("move", "german") == ("german-move",)
    assert sequence.where("attack", "soviet") == ("soviet-pa",)


@pytest.mark.parametrize(
    ("verb", "phases"),
    [
        ("overrun", {"german-move"}),
        ("sea-move", {"soviet-move"}),
        ("rollbahn-move", {"german-move"}),
        ("withdraw", {"german-new-units"}),
        ("convert", {"soviet-new-units"}),
        ("place-reinforcement", {"german-new-units", "soviet-new-units"}),
        ("replace", {"german-new-units", "soviet-new-units"}),
        ("begin-refit", {"german-refit-start"}),
        ("complete-refit", {"german-refit-completion"}),
        ("rescind-dd3", {"turn-start"}),
        ("reorganize", {"turn-start"}),
        ("roll-weather", {"weather"}),
        ("concentrate-supply", {"german-declaration"}),
        ("eliminate-unsupplied", {"soviet-supply"}),
        ("check-victory", {"victory"}),
        ("declare-pause", {"turn-end"}),
    ],
)
def test_verb_is_allowed_in_just_these_phases(game: Game, verb: str, phases: set[str]) -> None:
    assert {p.id for p in game.sequence for s in p.steps if verb in s.may} == phases


def test_weather_is_rolled_from_turn_twelve_on(game: Game) -> None:
    turns = game.turn_track.turns
    assert [t.number for t in turns] == list(range(1, 23))
    assert {t.number for t in turns if t.season == "rolled"} == set(range(12, 23))
    assert {t.season for t in turns[:11]} == {"dry"}


def test_dates_are_those_of_the_rules_and_come_once(game: Game) -> None:
    dates = {t.number: t.date for t in game.turn_track.turns}
    assert {number: dates[number] for number in KNOWN_DATES} == KNOWN_DATES
    assert len(set(dates.values())) == 22


# --- unit types


def test_nobody_has_a_zone_of_control(game: Game) -> None:
    assert not any(t.zoc for t in game.unit_types)


def test_a_unit_counts_one_division_or_three(game: Game) -> None:
    for kind in game.unit_types:
        three = {"corps", "army"} & set(kind.traits)
        expected = 0 if "aircraft" in kind.traits else 3 if three else 1
        assert kind.stacking == expected, kind.id


def test_assaults_are_led_by_panzers_and_joined_by_motorized(game: Game) -> None:
    def having(trait: str) -> set[str]:
        return {t.id for t in game.unit_types if trait in t.traits}

    assert having("leads-assault") == {"panzer-division", "panzer-grenadier-division"}
    assert having("joins-assault") == {"motorized-division"}
    assert having("refits") == having("leads-assault") | having("joins-assault")
    assert having("panzer") == {"panzer-division"}
    assert having("refits") & having("step-replaced") == set()


def test_what_cities_weaken_is_mechanized_and_cavalry_of_the_soviets(game: Game) -> None:
    for kind in game.unit_types:
        if kind.side == "soviet":
            mobile = bool({"mechanized", "cavalry"} & set(kind.traits))
            assert ("weak-in-cities" in kind.traits) == mobile, kind.id


def test_mobility_classes_are_columns_of_the_terrain_effects(game: Game) -> None:
    columns = set(game.table["terrain-effects"].columns)
    assert {t.mobility for t in game.unit_types} - {"none"} <= columns


# --- charts


def _better(game: Game) -> list[list[int]]:
    table = game.table["combat-results"]
    return [[RESULTS.index(table.cell(r.id, c)) for c in table.columns] for r in table.rows]


def test_combat_results_rise_with_die_and_column(game: Game) -> None:
    cells = _better(game)
    assert all(a <= b for row in cells for a, b in pairwise(row))
    assert all(a <= b for low, high in pairwise(cells) for a, b in zip(low, high, strict=True))
    assert {cell for row in cells for cell in row} == set(range(len(RESULTS)))


def test_combat_results_have_the_columns_and_the_cell_of_the_rules(game: Game) -> None:
    table = game.table["combat-results"]
    assert list(table.columns) == ODDS
    assert [r.id for r in table.rows] == list("123456")
    assert table.cell("5", "6:1") == "DE"


def test_cities_turn_stalls_and_retreats_into_a_loss(game: Game) -> None:
    table = game.table["result-conversions"]
    assert [r.id for r in table.rows if table.cell(r.id, "city") == "AL1"] == ["AS", "AL1", "DR"]
    assert table.cell("DR", "large town with a fortified zone") == "AL1"
    assert {r.id for r in table.rows} == set(RESULTS)


@pytest.mark.parametrize(
    ("case", "columns"),
    [
        ("fight-first", "1R"),
        ("concentric-german", "2R"),
        ("concentric-other", "1R"),
        ("marsh", "1R"),
        ("forest", "1L"),
        ("hills", "2L"),
        ("large-town", "1L"),
        ("city", "2L"),
        ("fortified-line", "1L"),
        ("fortified-zone", "1L"),
        ("aircraft-attack", "1R"),
        ("aircraft-defense", "1L"),
    ],
)
def test_shift(game: Game, case: str, columns: str) -> None:
    assert game.table["combat-shifts"].cell(case, "columns") == columns


@pytest.mark.parametrize("terrain", ["forest", "hills", "marsh", "city", "large-town"])
def test_terrain_effects_shift_as_the_list_of_shifts(game: Game, terrain: str) -> None:
    assert game.table["terrain-effects"].cell(terrain, "combat") == game.table["combat-shifts"].cell(
        terrain, "columns"
    )


CLASSES = ("mechanized", "non-mechanized", "cavalry", "mountain")


@pytest.mark.parametrize(
    ("terrain", "dry"),
    [
        ("clear", (1, 1, 1, 1)),
        ("forest", (2, 1, 1, 1)),
        ("hills", (3, 2, 1, 1)),
        ("marsh", (4, 2, 1, 2)),
        ("city", (1, 1, 1, 1)),
    ],
)
def test_hexes_cost_double_in_mud_and_snow(
    game: Game, board: Board, terrain: str, dry: tuple[int, ...]
) -> None:
    table = game.table["terrain-effects"]
    for mobility, points in zip(CLASSES, dry, strict=True):
        firm = 1 if terrain == "marsh" else points  # in frost and snow marsh is clear
        for season, expected in (
            ("dry", points),
            ("rain", points),
            ("mud", 2 * points),
            ("frost", firm),
            ("snow", 2 * firm),
        ):
            prices = Prices.from_table(table, board, mobility, season)
            assert prices.of(terrain) == expected * ONE, (mobility, season)


@pytest.mark.parametrize(
    ("season", "mechanized", "foot"),
    [("dry", 2, 1), ("rain", 2, 1), ("mud", 3, 2), ("frost", 0, 0), ("snow", 0, 0)],
)
def test_rivers_by_weather(game: Game, board: Board, season: str, mechanized: int, foot: int) -> None:
    table = game.table["terrain-effects"]
    for mobility in CLASSES:
        expected = mechanized if mobility == "mechanized" else foot
        assert Prices.from_table(table, board, mobility, season).hexsides["river"] == expected * ONE


@pytest.mark.parametrize("kind", ["lake", "sivash", "strait"])
def test_water_opens_in_snow_only(game: Game, board: Board, kind: str) -> None:
    table = game.table["terrain-effects"]
    for season in ("dry", "rain", "mud", "frost"):
        assert Prices.from_table(table, board, "mechanized", season).hexsides[kind] is None
    assert Prices.from_table(table, board, "mechanized", "snow").hexsides[kind] == 0


def test_rollbahnen_go_with_mud_and_snow(game: Game, board: Board) -> None:
    table = game.table["terrain-effects"]
    for season in ("dry", "rain", "frost"):
        assert Prices.from_table(table, board, "mechanized", season).lines["rollbahn"].rate == ONE
    for season in ("mud", "snow"):
        assert "rollbahn" not in Prices.from_table(table, board, "mechanized", season).lines


def _column(table: Table, column: str) -> list[str]:
    return [table.cell(row.id, column) for row in table.rows]


def test_weather_grows_worse_with_the_die_and_covers_both_zones(game: Game) -> None:
    table = game.table["weather"]
    assert [row.id for row in table.rows] == ["-1", "0", "1", "2", "3", "4", "5", "6"]
    assert set(_column(game.table["weather-columns"], "column")) == set(table.columns)
    for name in table.columns:
        places = ["DRMFS".index(cell) for cell in _column(table, name)]
        assert places == sorted(places), name


def test_every_turn_with_a_roll_has_a_column(game: Game) -> None:
    turns = {str(t.number) for t in game.turn_track.turns if t.season == "rolled"}
    assert {row.id for row in game.table["weather-columns"].rows} == turns


def test_attenuated_supply_never_helps_and_covers_every_die(game: Game) -> None:
    table = game.table["attenuated-supply"]
    lost = [int(cell) for cell in _column(table, "columns left")]
    modifiers = [int(m.cells[0]) for m in table.modifiers]
    assert sorted(modifiers) == [-1, 1, 2]
    assert [row.id for row in table.rows] == [str(n) for n in range(1 + min(modifiers), 7 + max(modifiers))]
    assert lost == sorted(lost)
    assert lost[0] == 0


def test_moscow_has_three_modifiers_by_city_and_covers_every_die(game: Game) -> None:
    table = game.table["moscow"]
    cities = {game.map.lattice.label(p.hex) for p in game.map.places if p.kind == "city"}
    assert {m.id for m in table.modifiers} <= cities
    assert len(table.modifiers) == 3
    assert [row.id for row in table.rows] == [str(n) for n in range(1, 10)]
    assert set(_column(table, "result")) == {"USSR Collapses", "USSR Fights On"}


def test_thresholds_rise_through_those_of_the_rules(game: Game) -> None:
    table = game.table["victory-check"]
    found = {int(row.id): int(row.cells[0]) for row in table.rows}
    assert {turn: found[turn] for turn in CHECKS} == CHECKS
    assert 9 in found
    assert list(found.values()) == sorted(found.values())


def test_a_win_that_is_graded_by_points_has_the_points_of_a_german_level(game: Game) -> None:
    victory = game.scenario["campaign"].victory
    assert victory is not None
    least = min(band.low or 0 for band in victory.bands if band.winner == "german")
    late = [int(row.cells[0]) for row in game.table["victory-check"].rows if int(row.id) >= 18]
    assert late
    assert min(late) >= least


def test_checks_are_marked_on_the_track(game: Game) -> None:
    for row in game.table["victory-check"].rows:
        events = game.turn[int(row.id)].events
        assert any(event.startswith(f"Victory check: {row.cells[0]}") for event in events), row.id


def test_levels_of_victory_leave_no_gap(game: Game) -> None:
    victory = game.scenario["campaign"].victory
    assert victory is not None
    assert [(band.low, band.high) for band in victory.bands] == LEVELS
    listed = [
        tuple(None if c == "-" else int(c) for c in r.cells[2:]) for r in game.table["victory-levels"].rows
    ]
    assert listed == LEVELS


def test_points_of_the_list_are_those_of_the_campaign(game: Game) -> None:
    victory = game.scenario["campaign"].victory
    assert victory is not None
    assert {r.id: int(r.cells[0]) for r in game.table["victory-points"].rows} == dict(victory.points)


def test_replacement_rates_of_the_rules(game: Game) -> None:
    rates = {int(row.id): int(row.cells[0]) for row in game.table["replacement-rates"].rows}
    assert rates == {1: 0, 2: 2, 4: 3, 6: 4, 10: 5, 14: 6, 18: 7, 22: 8}


def test_thirteen_replacement_centers(game: Game) -> None:
    centers = [p for p in game.map.places if "replacement-center" in p.features]
    assert len(centers) == 13
    assert {p.kind for p in centers} <= {"city", "large-town"}


def test_history_falls_between_the_levels_of_the_rules(game: Game) -> None:
    """4.6 calls 98 to 118 history: what Germany held on 7 December 1941, on this map."""
    points = {"city": 4, "large-town": 2, "small-town": 1}
    soviet = set(NEVER_TAKEN.split("|"))
    assert soviet <= {p.name for p in game.map.places}
    held = sum(
        points.get(p.kind, 0)
        for p in game.map.places
        if game.map.grid["country"].values[p.hex] == "soviet-union" and p.name not in soviet
    )
    assert 98 <= held <= 118


def test_withdrawals_name_types_units_and_turns(game: Game) -> None:
    table = game.table["withdrawals"]
    for row in table.rows:
        cells = table.row(row.id)
        assert int(cells["turn"]) in game.turn
        assert cells["unit types"] in game.unit_type
        assert cells["unit"] == "-" or game.counter[cells["unit"]].type == cells["unit types"]
    assert table.row("20-hungarian")["unit"] == "HF"
    assert [r.id for r in table.rows if table.cell(r.id, "may be declined") == "no"] == ["22-aircraft"]


# --- markers, boxes, dice, options


@pytest.mark.parametrize(("marker", "count"), [("paulus-pause", 3), ("supply-concentration", 18)])
def test_number_of_markers_the_rules_give(game: Game, marker: str, count: int) -> None:
    assert game.marker[marker].count == count


def test_every_marker_of_the_rules_is_there(game: Game) -> None:
    kinds = {m.kind for m in game.markers}
    assert set(WANTED_MARKERS.split()) <= kinds
    assert len([m for m in game.markers if m.kind == "replacements"]) == 2
    assert all(len(m.faces) == 2 for m in game.markers if m.kind == "victory-points")


def test_each_weather_has_a_box_and_a_row(game: Game) -> None:
    weathers = {b.id.removeprefix("weather-") for b in game.boxes if b.id.startswith("weather-")}
    assert weathers == {row.id for row in game.table["weather-effects"].rows}
    assert weathers == set(game.seasons) - {"rolled"}


def test_dice_are_one_and_three(game: Game) -> None:
    assert {d.id: (d.count, d.sides) for d in game.dice} == {"d6": (1, 6), "arko": (3, 6)}


def test_options_name_their_rule_and_have_a_choice(game: Game) -> None:
    assert len(game.options) >= 20
    for option in game.options:
        assert option.rule, option.id
        assert len(option.choices) == len(set(option.choices)) >= 2


def test_reconstructed_charts_say_how(game: Game) -> None:
    made = {t.id for t in game.tables if t.provenance.source == "reconstructed"}
    assert made == {
        "combat-results",
        "weather",
        "weather-columns",
        "attenuated-supply",
        "moscow",
        "victory-check",
        "withdrawals",
    }
    assert all(t.provenance.how for t in game.tables if t.id in made)


# --- what rule writers read


def _comments() -> str:
    text = (REPOSITORY / "games" / "lwe" / "game.yaml").read_text(encoding="utf-8")
    return " ".join(line for line in text.splitlines() if line.startswith("#"))


def test_every_verb_is_explained(game: Game) -> None:
    explained = set(_comments().split())
    assert {verb for phase in game.sequence for step in phase.steps for verb in step.may} <= explained


def test_every_trait_and_value_is_explained(game: Game) -> None:
    explained = set(re.findall(r"[a-z0-9-]+", _comments()))
    everything: list[UnitType | Counter] = [*game.unit_types, *game.counters]
    for each in everything:
        assert {*each.traits, *each.values} <= explained, each.id
