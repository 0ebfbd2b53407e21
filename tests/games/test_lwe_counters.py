"""The counters of Land Without End: what the rules name and count, and what every group owes."""

from __future__ import annotations

import re
from collections import Counter as Tally

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Counter

BOX = 700
MISSING_FROM_THE_BOX = {"168ID", "297ID"}  # 2.4
NOT_IN_THE_BOX = {"directive-3", "out-of-supply"}  # markers of our own
GERMAN = {"panzer-division", "panzer-grenadier-division", "motorized-division", "german-infantry-division"}
FOOT = {"jaeger-division", "german-mountain-division", "german-cavalry-division"}
TWO_STEP = GERMAN | FOOT | {"guards-rifle-division", "guards-cavalry-corps", "coastal-army"}
HEX = re.compile(r"\d{4}")


@pytest.fixture(scope="module")
def game() -> Game:
    return load("lwe")


def _of(game: Game, *types: str) -> list[Counter]:
    return [c for c in game.counters if c.type in types]


def _with(game: Game, trait: str) -> set[str]:
    return {c.id for c in game.counters if trait in (*c.traits, *game.unit_type[c.type].traits)}


def _setup(game: Game, code: str) -> list[Counter]:
    return [c for c in game.counters if c.setup == code]


# --- numbers


def test_counters_are_those_of_the_box_and_the_two_it_lacks(game: Game) -> None:
    markers = sum(m.count for m in game.markers if m.id not in NOT_IN_THE_BOX)
    assert len(game.counters) + markers == BOX + len(MISSING_FROM_THE_BOX)
    assert set(game.counter) >= MISSING_FROM_THE_BOX


def test_two_steps_have_germans_guards_and_the_coastal_army_only(game: Game) -> None:
    assert {c.type for c in game.counters if len(c.steps) == 2} == TWO_STEP
    assert all(len(c.steps) == game.unit_type[c.type].steps for c in game.counters)


def test_second_step_is_weaker(game: Game) -> None:
    for counter in game.counters:
        strengths = [int(step.split("-")[0]) for step in counter.steps]
        assert strengths == sorted(strengths, reverse=True), counter.id
        assert len(set(strengths)) == len(strengths), counter.id


def test_every_type_has_a_counter_and_every_label_fits_a_counter(game: Game) -> None:
    assert {c.type for c in game.counters} == set(game.unit_type)
    for counter in game.counters:
        assert 1 <= len(counter.label) <= 7, counter.id
        assert re.fullmatch(r"[A-Za-z0-9-]+", counter.id), counter.id


def test_groups_say_where_they_come_from(game: Game) -> None:
    for counter in game.counters:
        assert counter.provenance is not None
        assert counter.provenance.rule or counter.provenance.how, counter.id


def test_types_of_which_there_is_one(game: Game) -> None:
    tally = Tally(c.type for c in game.counters)
    one = {"artillery-command", "ground-support", "hungarian-corps", "italian-corps", "coastal-army"}
    assert {kind for kind in one if tally[kind] == 1} == one
    assert tally["naval-infantry"] == 1


# --- what the rules name


@pytest.mark.parametrize(
    ("labels", "types"),
    [
        ("SSL SSR SSV SST", ("panzer-grenadier-division",)),
        ("SSP SB 168 297", ("german-infantry-division",)),
        ("ArKo", ("artillery-command",)),
        ("CSIR", ("italian-corps",)),
        ("HF", ("hungarian-corps",)),
        ("BC DC DBC KC MC", ("cavalry-group",)),
        ("ICA", ("coastal-army",)),
        ("Nvl", ("naval-infantry",)),
        ("65", ("rifle-corps",)),
        ("K1M Od1M Stl1M Vro1M Krs1M Cm2 Crm1 L1M L1g Mo1M", ("militia-division",)),
    ],
)
def test_every_unit_the_rules_name_is_there(game: Game, labels: str, types: tuple[str, ...]) -> None:
    assert set(labels.split()) <= {c.label for c in _of(game, *types)}


def test_factors_the_rules_print(game: Game) -> None:
    assert {game.counter[name].steps for name in MISSING_FROM_THE_BOX} == {("3-5", "2-4")}
    assert game.counter["65RC"].steps == ("1-3",)
    assert {c.steps for c in _of(game, "fortified-zone")} == {("0-1-0",)}


def test_the_only_units_that_never_move_are_static_or_at_sea(game: Game) -> None:
    still = {c.id for c in game.counters if c.steps[0].endswith("-0")}
    assert still == _with(game, "static") | _with(game, "sea-only")
    assert _with(game, "static") == {c.id for c in _of(game, "fortified-zone", "naval-infantry")}


def test_germans_and_satellites_are_all_of_the_german_side(game: Game) -> None:
    side = {c.id for c in game.counters if game.unit_type[c.type].side == "german"}
    assert _with(game, "german") | _with(game, "satellite") == side
    assert not _with(game, "german") & _with(game, "satellite")


def test_mechanized_germans_are_white_on_black(game: Game) -> None:
    for counter in _of(game, *GERMAN, *FOOT):
        kind = game.unit_type[counter.type]
        assert (kind.nationality == "german-mechanized") == (kind.mobility == "mechanized")


def test_soviet_reinforcements_have_a_color_of_their_own(game: Game) -> None:
    for counter in game.counters:
        kind = game.unit_type[counter.type]
        if kind.side == "soviet" and counter.type != "fortified-zone":
            expected = "soviet-reinforcement" if counter.enters else "soviet"
            assert (counter.nationality or kind.nationality) == expected, counter.id


def test_militia_guards_are_no_guards(game: Game) -> None:
    militia = _with(game, "militia-guards")
    assert len(militia) == 4
    assert not militia & _with(game, "guards")
    assert militia <= {c.id for c in _of(game, "militia-division")}


# --- the replacement pool, and who comes back


def test_pool_has_as_many_divisions_as_the_corps_are_worth(game: Game) -> None:
    worth = sum(int(c.steps[0].split("-")[0]) for c in _of(game, "rifle-corps") if c.id != "65RC")
    assert len(_setup(game, "RP")) == worth


def test_pool_holds_rifle_divisions_and_four_mountain_ones(game: Game) -> None:
    tally = Tally(c.type for c in _setup(game, "RP"))
    assert set(tally) == {"rifle-division", "mountain-rifle-division"}
    assert tally["mountain-rifle-division"] == 4


def test_just_three_kinds_come_back(game: Game) -> None:
    replaceable = {t.id for t in game.unit_types if "replaceable" in t.traits}
    assert replaceable == {"rifle-division", "mountain-rifle-division", "cavalry-corps"}


def test_guards_arrive_in_their_two_turns_as_types_that_convert(game: Game) -> None:
    guards = _of(game, "guards-rifle-division", "guards-cavalry-corps")
    assert {c.enters for c in guards} == {"GT12", "GT20"}
    for counter in guards:
        assert game.unit_type[counter.type].values["converts-from"] in game.unit_type


# --- where and when


def test_set_up_codes_are_armies_hexes_or_words(game: Game) -> None:
    armies = {a.id.removeprefix("deployment-").upper() for a in game.map.areas if a.kind == "deployment"}
    words = armies | {"RP", "Any", "R", "*", "**"}
    for counter in game.counters:
        for code in (counter.setup or "").split():
            assert code in words or HEX.fullmatch(code), counter.id


def test_set_up_hexes_are_land_of_the_map(game: Game) -> None:
    lattice, terrain = game.map.lattice, game.map.terrain
    for counter in game.counters:
        for code in (counter.setup or "").split():
            if HEX.fullmatch(code):
                assert terrain[lattice.hex(code)] not in ("sea", "lake"), counter.id


def test_codes_of_turns_are_turns(game: Game) -> None:
    for counter in game.counters:
        if counter.enters:
            assert int(counter.enters.removeprefix("GT")) in game.turn


def test_every_soviet_arrival_but_guards_says_where(game: Game) -> None:
    for counter in game.counters:
        kind = game.unit_type[counter.type]
        if kind.side == "soviet" and counter.enters:
            assert bool(counter.setup) != ("guards" in kind.traits), counter.id


def test_rifle_corps_arrive_before_they_are_dissolved(game: Game) -> None:
    assert all(c.enters in (None, "GT2", "GT3", "GT4", "GT5") for c in _of(game, "rifle-corps"))


def test_fortified_zones_are_where_the_map_shows_them(game: Game) -> None:
    label = game.map.lattice.label
    places = {label(p.hex) for p in game.map.places if p.kind == "fortified-zone"}
    zones = _of(game, "fortified-zone")
    assert {c.setup for c in zones} == places
    assert len(zones) == len(places)
    assert "2141" in places


@pytest.mark.parametrize(
    ("unit", "turn", "where"),
    [("ICA", "GT2", "2141 2548"), ("Nvl", "GT4", "3701"), ("ArKo", None, "**"), ("HF", None, "*")],
)
def test_entry_the_rules_give(game: Game, unit: str, turn: str | None, where: str) -> None:
    assert (game.counter[unit].enters, game.counter[unit].setup) == (turn, where)


def test_asterisked_units_are_germans_and_one_hungarian(game: Game) -> None:
    special = [game.unit_type[c.type].nationality for c in _setup(game, "*")]
    assert special.count("hungarian") == 1
    assert len(special) > 3
    assert {c.id for c in _setup(game, "*")} == _with(game, "special-entry")
