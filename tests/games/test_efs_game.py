"""Barbarossa: Army Group Center: sequence, types and charts against the facts of the rules."""

from __future__ import annotations

import re

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Counter, Table, UnitType
from tests.places import REPOSITORY

PHASES = {
    "weather": "axis",
    "replacements": "both",
    "reinforcements": "both",
    "air": "both",
    "naval": "both",
    "supply": "both",
    "axis-move": "axis",
    "axis-declaration": "axis",
    "soviet-reaction": "soviet",
    "axis-combat": "axis",
    "axis-motorized": "axis",
    "axis-engineering": "axis",
    "soviet-motorized": "soviet",
    "soviet-declaration": "soviet",
    "axis-reaction": "axis",
    "soviet-combat": "soviet",
    "soviet-move": "soviet",
    "soviet-engineering": "soviet",
    "surrender": "soviet",
    "recovery": "both",
    "victory": "both",
}
# 2.22b: the unit type symbols, and the rest of the inventory's list of units.
SYMBOLS = """
armor armored-anti-tank armored-engineer assault-gun recon motorcycle motorized-infantry
motorized-engineer motorized-anti-aircraft motorized-anti-tank infantry mountain airborne security
border-guard ski engineer cavalry base headquarters anti-aircraft anti-tank field coast rocket railroad
super-heavy armored-train flotilla guards militia naval nkvd zap rsc supply-unit large dummy fighter
bomber transport long-range single-engine yellow orange green gray blue red no-zoc no-zoc-reduced
one-step four-step replacement modes fires attack-only asterisk spare axis-allied luftwaffe ss
"""
NATIONS = {
    "axis": "german ss luftwaffe estonian finnish hungarian italian romanian slovakian ukrainian",
    "soviet": "soviet guards militia naval nkvd airborne soviet-air",
}
# 2.22e, the naval marker aside.
MARKERS = """
activated ammo logistics-pause axis-bridge soviet-bridge bridge-destroyed citadel-destroyed
declared-attack do-not-move supply ferry fired belt-destroyed line-destroyed fuel-shortage game-turn
garrison axis-interdiction soviet-interdiction mandates number orders no-retreat overrun rail-cut
railhead rail-bridge-destroyed railroad-mp receiving-replacements axis-armaments axis-infantry
soviet-armaments soviet-infantry road-net axis-step-loss axis-strongpoint soviet-strongpoint vp-ones
weather
"""
# The tables and tracks of the inventory's list of what the text lacks.
LACKED = """
combat-results terrain-effects movement-phases movement-conversion overrun air-combat air-initiative
anti-aircraft surrender retreat weather climate soviet-replacements fuel-shortage
limited-artillery-supply super-heavy-effects bridge-repair air-readiness rebuilding victory-locations
victory-actions attack-supply supply-limits axis-replacements special-groups withdrawals conversions
militia-homes step-reduction weather-effects
"""
ODDS = ["1-4", "1-3", "1-2", "3-4", "1-1", "3-2", "2-1", *(f"{n}-1" for n in range(3, 11))]
DEFENDER = ["-", "R", "1R", "2R", "3R", "4R", "e"]
ATTACKER = ["-", "*", "1", "1*", "2*", "2R*", "3R*", "4R*", "e"]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("efs")


# --- sequence and turns


def test_phases_stand_in_the_order_of_the_outline(game: Game) -> None:
    assert [p.id for p in game.sequence] == list(PHASES)
    assert {p.id: p.active for p in game.sequence} == PHASES
    assert all(step.may and step.rule for phase in game.sequence for step in phase.steps)


@pytest.mark.parametrize(
    ("verb", "phases"),
    [
        ("rail-move", {"axis-move", "soviet-move"}),
        ("infiltrate", {"axis-move", "soviet-motorized"}),
        ("activate", {"soviet-motorized"}),
        ("overrun", {"axis-move", "axis-motorized", "soviet-motorized", "soviet-move"}),
        ("react", {"soviet-reaction", "axis-reaction"}),
        ("detach", {"axis-move"}),
        ("convert-rail", {"axis-engineering", "soviet-engineering"}),
        ("cut-rail", {"soviet-engineering"}),
        ("mandate-attack", {"soviet-declaration"}),
        ("interdict", {"air"}),
    ],
)
def test_verb_is_allowed_in_just_these_phases(game: Game, verb: str, phases: set[str]) -> None:
    assert {p.id for p in game.sequence for s in p.steps if verb in s.may} == phases


def test_thirty_six_turns_of_two_days_lead_from_june_to_the_end_of_august(game: Game) -> None:
    turns = game.turn_track.turns
    assert [t.number for t in turns] == list(range(1, 37))
    assert (turns[0].date, turns[9].date, turns[35].date) == ("22 Jun", "10 Jul", "31 Aug")
    assert {t.season for t in turns} == {"dry"}


def test_turn_31_changes_nkvd_and_surrender(game: Game) -> None:
    events = " ".join(game.turn[31].events)
    assert "21.51" in events
    assert "20.22" in events
    assert any("31 to 61" in (m.label or "") for m in game.table["surrender"].modifiers)


def test_the_die_has_ten_sides(game: Game) -> None:
    assert [(d.count, d.sides) for d in game.dice] == [(1, 10)]


# --- types


def test_every_type_and_attribute_of_the_inventory_is_there(game: Game) -> None:
    traits = {t for kind in game.unit_types for t in kind.traits} | {
        t for c in game.counters for t in c.traits
    }
    assert set(SYMBOLS.split()) <= traits


def test_every_nationality_of_the_color_table_has_a_counter(game: Game) -> None:
    for side in game.sides:
        assert {n.id for n in side.nationalities} == set(NATIONS[side.id].split())
    used = {c.nationality or game.unit_type[c.type].nationality for c in game.counters}
    assert used == set(" ".join(NATIONS.values()).split())


def test_every_type_has_a_counter(game: Game) -> None:
    assert {c.type for c in game.counters} == {t.id for t in game.unit_types}


def test_who_has_no_zone_bears_the_band_or_is_no_combat_unit(game: Game) -> None:
    for kind in game.unit_types:
        other = {"air", "supply-unit", "base", "headquarters"} & set(kind.traits)
        static = {"anti-aircraft", "motorized-anti-aircraft", "ski"} & set(kind.traits)
        assert kind.zoc or other or static or "no-zoc" in kind.traits, kind.id


def test_headquarters_supply_and_aircraft_take_no_room(game: Game) -> None:
    for kind in game.unit_types:
        nothing = {"air", "supply-unit", "base", "headquarters"} & set(kind.traits)
        assert (kind.stacking == 0) == bool(nothing), kind.id


def test_red_boxes_pay_the_motorized_column(game: Game) -> None:
    for kind in game.unit_types:
        if {"motorized", "orange", "green"} & set(kind.traits):
            assert kind.mobility.startswith("motorized-"), kind.id
        if "gray" in kind.traits:
            assert kind.mobility == "rail"
        if "red" in kind.traits:
            assert "motorized" in kind.traits


def test_command_reaches_four_hexes(game: Game) -> None:
    assert game.unit_type["headquarters"].values["command-range"] == 4
    assert game.table["ranges"].cell("command", "hexes") == "4"


# --- charts


def test_every_chart_the_text_lacks_is_there_and_says_how_it_was_made(game: Game) -> None:
    assert set(LACKED.split()) <= game.table.keys()
    for name in LACKED.split():
        provenance = game.table[name].provenance
        assert provenance.source in ("reconstructed", "rulebook")
        assert provenance.how or provenance.rule


def _halves(table: Table, row: str, column: str) -> tuple[str, str]:
    attacker, defender = table.cell(row, column).split("/")
    return attacker, defender


def test_the_combat_table_has_the_printed_columns_and_the_known_cell(game: Game) -> None:
    table = game.table["combat-results"]
    assert list(table.columns) == ODDS
    assert [r.id for r in table.rows] == [str(n) for n in range(-2, 14)]
    assert table.cell("3", "3-4") == "1/R"


def test_combat_gets_no_better_with_the_die_and_no_worse_with_the_odds(game: Game) -> None:
    table = game.table["combat-results"]
    for row in table.rows:
        defender = [DEFENDER.index(_halves(table, row.id, c)[1]) for c in ODDS]
        attacker = [ATTACKER.index(_halves(table, row.id, c)[0]) for c in ODDS]
        assert defender == sorted(defender)
        assert attacker == sorted(attacker, reverse=True)
    for column in ODDS:
        down = [DEFENDER.index(_halves(table, r.id, column)[1]) for r in table.rows]
        assert down == sorted(down, reverse=True)


@pytest.mark.parametrize(
    ("row", "column", "cost"),
    [
        ("clear", "motorized-axis", "1"),
        ("hill", "motorized-axis", "2"),
        ("hill-woods", "motorized-axis", "4"),  # 10.41: hill 2, woods +2
        ("hill-woods", "motorized-soviet", "3"),  # 10.46: one less
        ("hill", "motorized-axis@mud", "3"),  # 10.44
        ("river", "motorized-axis", "+1"),
        ("motorway", "motorized-axis@snow", "1/2"),
        ("main-road", "foot-axis@mud", "1"),
        ("main-road", "foot-axis@snow", "1"),
        ("main-road", "foot-axis@frost", "1/2"),
        ("minor-road", "foot-axis@frost", "1"),
        ("minor-road", "foot-axis@snow", "2"),
        ("minor-road", "foot-axis@mud", "2"),
        ("minor-road", "motorized-axis@mud", "3"),
        ("motorway", "foot-axis", "-"),  # 10.44: not for Axis foot
        ("motorway", "foot-soviet", "1/2"),
        ("lake", "motorized-axis", "no"),
    ],
)
def test_costs_of_the_text_stand_in_the_terrain_chart(game: Game, row: str, column: str, cost: str) -> None:
    assert game.table["terrain-effects"].cell(row, column) == cost


def test_woods_cost_the_soviet_side_one_less_in_every_weather(game: Game) -> None:
    table = game.table["terrain-effects"]
    for at in ("", "@mud", "@frost", "@snow"):
        for kind in ("foot", "motorized"):
            axis, soviet = (int(table.cell("woods", f"{kind}-{side}{at}")) for side in ("axis", "soviet"))
            assert axis - soviet == 1


@pytest.mark.parametrize(
    ("row", "column", "cell"),
    [
        ("7", "half", "3 1/2"),
        ("5", "strategic", "7 1/2"),
        ("8", "half", "4"),
        ("8", "strategic at half", "6"),
    ],
)
def test_known_cells_of_the_conversion_chart(game: Game, row: str, column: str, cell: str) -> None:
    assert game.table["movement-conversion"].cell(row, column) == cell


@pytest.mark.parametrize(
    ("case", "value"),
    [
        ("no-attack-supply", "+2"),
        ("below-odds", "+2"),
        ("city", "+1"),
        ("citadel", "+1"),
        ("line-near-city", "+2"),
        ("engineer", "-1"),
        ("combined-arms", "-1"),
        ("defender-unsupplied", "-1"),
        ("overrun", "-1"),
    ],
)
def test_combat_modifiers_are_those_of_the_text(game: Game, case: str, value: str) -> None:
    assert game.table["combat-modifiers"].cell(case, "modifier") == value


def test_low_is_good_where_the_text_says_so(game: Game) -> None:
    overrun = game.table["overrun"]
    assert overrun.cell("-2", "result").startswith("Successful")
    assert overrun.cell("13", "result").startswith("Fails")
    bombard = game.table["super-heavy-effects"]
    assert "one step" in bombard.cell("1", "result")
    assert "asterisks ignored" in bombard.cell("3", "result")
    assert "asterisks ignored" not in bombard.cell("4", "result")


def test_replacements_have_lines_for_the_highest_modifier(game: Game) -> None:
    table = game.table["soviet-replacements"]
    assert [r.id for r in table.rows] == [str(n) for n in range(1, 14)]
    codes = {c.strip(" ,")[-1] for r in table.rows for c in table.row(r.id)["Events"].split(",")}
    assert codes <= {"M", "R", "S"}


def test_air_combat_is_by_the_difference_of_ratings(game: Game) -> None:
    columns = list(game.table["air-combat"].columns)
    assert {"+2", "-2"} <= set(columns)
    better = [game.table["air-combat"].cell("4", c) for c in columns]
    assert [("-", "A", "D", "X").index(c) for c in better] == sorted(
        ("-", "A", "D", "X").index(c) for c in better
    )


def test_every_place_worth_points_is_in_the_schedule_and_on_the_map(game: Game) -> None:
    listed = {r.label: r.cells[0] for r in game.table["victory-locations"].rows}
    on_map = {p.name: str(p.values["victory"]) for p in game.map.places if "victory" in p.values}
    assert listed == on_map


def test_values_of_places_never_rise(game: Game) -> None:
    for row in game.table["victory-locations"].rows:
        values = [int(c) for c in row.cells]
        assert values == sorted(values, reverse=True), row.id


# --- markers and boxes


def test_every_marker_of_the_text_is_there(game: Game) -> None:
    assert set(MARKERS.split()) <= game.marker.keys()


def test_untried_units_are_drawn_from_two_cups_and_some_are_removed(game: Game) -> None:
    assert {d.holds for d in game.decks} == {"machine-gun", "militia"}
    for kind in ("machine-gun", "militia"):
        chits = [m for m in game.markers if m.kind == kind]
        assert len(chits) >= 10
        assert all("?" in m.faces[0].text for m in chits)
        assert any(m.faces[1].text == "Remove" for m in chits)


def test_militia_know_their_home(game: Game) -> None:
    places = {p.name for p in game.map.places}
    homes = {str(m.values["home"]) for m in game.markers if m.kind == "militia"}
    assert homes <= places


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_each_side_has_its_rebuilding_track_and_its_air_display(game: Game, side: str) -> None:
    boxes = {b.id for b in game.boxes if b.side == side}
    track = {"active", "cadre", "eliminated", "cannot-rebuild"}
    air = {"ready", "flown", "damaged", "destroyed"}
    assert {f"{side}-{name}" for name in track | air | {"set-up-card"}} <= boxes


# --- what rule writers read


def _comments() -> str:
    text = (REPOSITORY / "games" / "efs" / "game.yaml").read_text(encoding="utf-8")
    return " ".join(line for line in text.splitlines() if line.lstrip().startswith("#"))


def test_every_verb_is_explained(game: Game) -> None:
    explained = set(re.findall(r"[a-z0-9-]+", _comments()))
    verbs = {verb for phase in game.sequence for step in phase.steps for verb in step.may}
    assert verbs - {"pass"} <= explained


def test_every_trait_and_value_is_explained(game: Game) -> None:
    explained = set(re.findall(r"[a-z0-9-]+", _comments()))
    everything: list[UnitType | Counter] = [*game.unit_types, *game.counters]
    for each in everything:
        assert {*each.traits, *each.values} <= explained, each.id
