"""The counters of For the Motherland!: names of 2.3, numbers of the rules, strength chits."""

from __future__ import annotations

import re
from collections import Counter as Tally

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Marker

KAMPFGRUPPEN = "Ape Arn Ede Gro Har Hol Lan Lau Lgm Mac Mkn Pfe Pue Ram Rau Rei San Sch Sie Str"
FACTORIES = "KEV LNG MOS SLN STG TBL TUL VOR"
LETTERS = {
    "combined-arms-army": "C",
    "guards-army": "B",
    "shock-army": "B",
    "tank-army": "A",
    "mechanized-group": "A",
    "fortress": "C",
}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("ftm")


@pytest.fixture(scope="module")
def chits(game: Game) -> list[Marker]:
    return [marker for marker in game.markers if marker.kind == "strength"]


def _labels(game: Game, *types: str) -> set[str]:
    return {c.label for c in game.counters if c.type in types}


@pytest.mark.parametrize(
    ("names", "types"),
    [
        (KAMPFGRUPPEN, ("german-infantry-kg", "german-panzer-kg", "german-mountain-kg")),
        (FACTORIES, ("factory",)),
        ("Kar SE", ("allied-army",)),
    ],
)
def test_every_abbreviation_of_the_rules_is_on_a_counter(
    game: Game, names: str, types: tuple[str, ...]
) -> None:
    assert set(names.split()) <= _labels(game, *types)


def test_guards_shock_and_siberian_armies_bear_their_abbreviation(game: Game) -> None:
    assert all("Gd" in label for label in _labels(game, "guards-army"))
    assert all("Sh" in label for label in _labels(game, "shock-army"))
    assert {c.label for c in game.counters if "siberian" in c.traits} == {"1 Sib", "2 Sib"}


def test_three_partisans_two_of_them_named_by_the_rules(game: Game) -> None:
    partisans = {m.id for m in game.markers if m.kind == "partisan"}
    assert len(partisans) == 3
    assert {"Kov", "Pro"} < partisans


def test_numbers_the_rules_give(game: Game) -> None:
    tally = Tally(c.type for c in game.counters)
    assert tally["air-base"] == 3
    assert tally["railroad-gun"] == 1
    assert sum(m.kind == "air-unit" for m in game.markers) == 5
    assert tally["offensive-support"] > 10  # 12.1 limits those on the map to ten


def test_every_type_has_a_counter(game: Game) -> None:
    assert {c.type for c in game.counters} == set(game.unit_type)


def test_every_army_with_a_star_belongs_to_one_of_its_nation(game: Game) -> None:
    for army in (c for c in game.counters if c.type == "allied-army"):
        star = game.counter[str(army.values["star"])]
        assert star.values["army"] == army.id
        assert star.nationality == army.nationality
        assert star.label == f"{army.label}*"


def test_a_corps_that_falls_back_finds_a_kampfgruppe(game: Game) -> None:
    """Not for all corps at once, but for half of them."""
    tally = Tally(c.type for c in game.counters)
    for corps, left in (
        ("german-infantry-corps", "german-infantry-kg"),
        ("german-panzer-corps", "german-panzer-kg"),
    ):
        assert 2 * tally[left] >= tally[corps]


def test_the_letter_on_the_counter_is_its_cup(game: Game) -> None:
    for counter in game.counters:
        kind = game.unit_type[counter.type]
        if "draws-strength" in kind.traits:
            letter = str({**kind.values, **counter.values}["class"])
            assert counter.steps[0].split("-")[0].strip("()") == letter
            assert letter == ("B" if "siberian" in counter.traits else LETTERS[kind.id])


def test_a_fortress_shows_its_letter_in_brackets_and_does_not_move(game: Game) -> None:
    assert {c.steps for c in game.counters if c.type == "fortress"} == {("(C)-0",)}


def test_one_asset_at_most_in_a_hex_and_each_at_a_place_of_its_kind(game: Game) -> None:
    assets = [c for c in game.counters if "economic-asset" in game.unit_type[c.type].traits]
    assert Tally(c.setup for c in assets).most_common(1)[0][1] == 1
    places = {(game.map.lattice.label(p.hex), p.kind) for p in game.map.places}
    assert {(c.setup, c.type) for c in assets} <= places


def test_factors_fall_with_each_step(game: Game) -> None:
    for counter in game.counters:
        if len(counter.steps) == 2 and counter.type != "fortress":
            full, back = ([int(n) for n in step.split("-")] for step in counter.steps)
            assert (back[0] < full[0], back[1] < full[1], back[2] == full[2]) == (True,) * 3, counter.id


def test_ids_are_what_one_can_type(game: Game) -> None:
    for counter in game.counters:
        assert re.fullmatch(r"[A-Za-z0-9-]+", counter.id), counter.id


def test_mechanized_groups_do_not_come_after_the_turn_they_leave(game: Game) -> None:
    for counter in game.counters:
        if counter.type == "mechanized-group" and counter.enters:
            assert int(counter.enters.removeprefix("GT")) < 4


# --- strength chits (11.0)


def test_starred_chits_are_those_of_the_start_and_the_others_arrive(chits: list[Marker]) -> None:
    assert {m.id for m in chits if m.values["starred"] == 1} == {m.id for m in chits if m.enters is None}


def test_each_cup_has_starred_chits_and_others(chits: list[Marker]) -> None:
    for letter in "ABC":
        kinds = {m.values["starred"] for m in chits if m.values["class"] == letter}
        assert kinds == {0, 1}, letter


def test_a_chit_shows_its_figures_and_is_weaker_on_its_back(chits: list[Marker]) -> None:
    for chit in chits:
        front, back = chit.faces
        values = chit.values
        assert front.text == f"{values['attack']}-{values['defense']}"
        assert back.text == f"{values['back-attack']}-{values['back-defense']}"
        assert int(values["back-attack"]) <= int(values["attack"])
        assert int(values["back-defense"]) < int(values["defense"])


def test_the_cup_of_armies_holds_enough_for_the_front(game: Game, chits: list[Marker]) -> None:
    """Whoever fights draws: as many starred ones as armies of the start, and twice as many by turn 12."""
    first = {c.id for c in game.counters if c.type == "combined-arms-army" and c.enters is None}
    held = sum(m.count for m in chits if m.values["class"] == "C" and m.values["starred"] == 1)
    later = sum(
        m.count
        for m in chits
        if m.values["class"] == "C" and m.enters and int(m.enters.removeprefix("GT")) < 12
    )
    assert held > len(first)
    assert later >= 40
