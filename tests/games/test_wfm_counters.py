"""The counters of War for the Motherland: names of 2.24, numbers, factors, strength markers."""

from __future__ import annotations

import re
from collections import Counter as Tally

import pytest

from fieldpost.definition import Game, load
from fieldpost.definition.model import Counter, Marker

PANZER_DIVISIONS = "GD LAH DR TOT WIK HS FR"
KAMPFGRUPPEN = "Ape Arn Ede Gro Har Hol Lan Lau Lgm Mac Mkn Pfe Pue Ram Rau Rei San Sch Sie Str Tri Wei Zim"
AXIS = "Kar SE Mtn"
SOVIET_CORPS = "BLM BSM Kem Med Mur One Pet Zat"
HEADQUARTERS = "NW W C SW S Bry Kal Lng N Ncs Res Stg Stp Tcs Vol Vzh"
PARTISANS = "Kor Kov Pro Nau Shu"
FACTORIES = (
    "AMI ANA ARS BOL CRB FLN FRO DMF DNM FJR GAZ GVZ HAS IKF KAZ KTF LKF MAF MMF RMI RPR SAZ STF TAF TWF VAF "
    "ZKS ZMF"
)
SECURITY = {12: "207 213 221 281 444 454", 23: "201 286", 34: "203 391"}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("wfm")


def _labels(game: Game, *types: str) -> set[str]:
    return {c.label for c in game.counters if not types or c.type in types}


@pytest.mark.parametrize(
    ("names", "types"),
    [
        (PANZER_DIVISIONS, ("german-panzer-division",)),
        (KAMPFGRUPPEN, ("german-infantry-kg", "german-panzer-kg", "german-mountain-kg")),
        (AXIS, ("finnish-army", "rumanian-mountain-corps")),
        (SOVIET_CORPS, ("soviet-marine-corps", "soviet-mechanized-corps", "soviet-airborne-corps")),
        (HEADQUARTERS, ("soviet-headquarters",)),
        ("Sib", ("soviet-infantry-army",)),
        (FACTORIES, ("factory",)),
    ],
)
def test_every_abbreviation_of_the_rules_is_on_a_counter(
    game: Game, names: str, types: tuple[str, ...]
) -> None:
    assert set(names.split()) <= _labels(game, *types)


def test_headquarters_factories_and_divisions_are_just_those_of_the_rules(game: Game) -> None:
    assert _labels(game, "soviet-headquarters") == set(HEADQUARTERS.split())
    assert _labels(game, "factory") == set(FACTORIES.split())
    assert _labels(game, "german-panzer-division") == set(PANZER_DIVISIONS.split())


def test_partisans_are_the_five_of_the_rules(game: Game) -> None:
    assert {m.id for m in game.markers if m.kind == "partisan"} == set(PARTISANS.split())


def test_three_fleets_each_with_an_airbase(game: Game) -> None:
    fleets = [m for m in game.markers if m.kind == "air-fleet"]
    bases = {c.id: c.values["fleet"] for c in game.counters if c.type == "airbase"}
    assert {m.values["airbase"]: m.id for m in fleets} == bases
    assert len(fleets) == 3
    assert all(m.values["range"] == 4 and m.values["zone"] in (3, 5) for m in fleets)


def test_ids_are_what_one_can_type(game: Game) -> None:
    for counter in game.counters:
        assert re.fullmatch(r"[A-Za-z0-9-]+", counter.id), counter.id


def test_at_most_the_800_counters_of_the_box(game: Game) -> None:
    assert 500 < len(game.counters) + sum(m.count for m in game.markers) <= 800


def test_numbers_the_rules_give(game: Game) -> None:
    tally = Tally(c.type for c in game.counters)
    assert tally["airbase"] == 3
    assert tally["siege-artillery"] == 1
    assert tally["offensive-support-group"] == 10
    assert tally["soviet-airborne-corps"] == 2
    assert tally["german-security-division"] == 10
    assert tally["soviet-headquarters"] == 16
    assert tally["factory"] == 28


def test_every_type_has_a_counter(game: Game) -> None:
    assert {c.type for c in game.counters} == set(game.unit_type)


@pytest.mark.parametrize(("turn", "numbers"), SECURITY.items())
def test_security_divisions_come_when_the_rules_say(game: Game, turn: int, numbers: str) -> None:
    found = {
        c.label for c in game.counters if c.type == "german-security-division" and c.enters == f"GT{turn}"
    }
    assert found == set(numbers.split())


@pytest.mark.parametrize(
    ("kind", "faces"),
    [
        ("german-infantry-corps", ("5-7-4", "3-5-4")),
        ("german-panzer-corps", ("9-8-7", "7-6-7")),
        ("german-infantry-kg", ("2-3-5", "1-1-5")),
        ("german-panzer-kg", ("4-3-8", "2-1-8")),
        ("rumanian-corps", ("2-3-3",)),
        ("soviet-infantry-army", ("C-3",)),
        ("soviet-guard-army", ("B-4",)),
        ("soviet-shock-army", ("B-3",)),
        ("soviet-tank-army", ("A-7",)),
        ("soviet-headquarters", ("0-1-8",)),
        ("offensive-support-group", ("0-1-3",)),
        ("supply-depot-extended", ("0-1-4",)),
    ],
)
def test_factors_the_rules_print(game: Game, kind: str, faces: tuple[str, ...]) -> None:
    assert {c.steps for c in game.counters if c.type == kind} == {faces}


def test_panzer_divisions_move_nine_and_normal_depots_three(game: Game) -> None:
    def movement(kind: str) -> set[str]:
        return {s.split("-")[2] for c in game.counters if c.type == kind for s in c.steps}

    assert movement("german-panzer-division") == {"9"}
    assert movement("supply-depot") == {"3"}


def test_class_on_the_counter_is_the_cup_of_its_type(game: Game) -> None:
    for counter in game.counters:
        kind = game.unit_type[counter.type]
        if "draws-strength" in kind.traits:
            assert counter.steps[0].split("-")[0] == kind.values["class"]


def test_ss_divisions_are_black(game: Game) -> None:
    ss = {c.label for c in game.counters if c.nationality == "ss"}
    assert ss == set(PANZER_DIVISIONS.split()) - {"GD"}


def test_reinforcement_codes_are_turns_of_the_track(game: Game) -> None:
    everything: list[Counter | Marker] = [*game.counters, *game.markers]
    entering = [x for x in everything if x.enters]
    assert entering
    for each in entering:
        assert each.enters is not None
        assert int(each.enters.removeprefix("GT")) in game.turn


def _strength(game: Game, name: str = "") -> list[Marker]:
    return [m for m in game.markers if m.kind == "strength" and name in ("", m.values["class"])]


def _value(marker: Marker, name: str) -> int:
    return int(marker.values[name])


def _sum(marker: Marker) -> int:
    return _value(marker, "attack") + _value(marker, "defense")


def test_strength_markers_print_their_values(game: Game) -> None:
    for marker in _strength(game):
        v = marker.values
        assert [f.text for f in marker.faces] == [
            f"{v['attack']}-{v['defense']}",
            f"{v['back-attack']}-{v['back-defense']}",
        ]
        assert marker.faces[0].small == f"{v['class']}{'*' if v['starred'] else ''}"


def test_second_side_is_weaker(game: Game) -> None:
    for marker in _strength(game):
        for name in ("attack", "defense"):
            front, back = _value(marker, name), _value(marker, f"back-{name}")
            assert back < front or (front == back == 1), marker.id


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_starred_markers_are_the_weak_ones_of_their_class(game: Game, name: str) -> None:
    starred = [_sum(m) for m in _strength(game, name) if m.values["starred"]]
    others = [_sum(m) for m in _strength(game, name) if not m.values["starred"]]
    assert max(starred) < min(others)


def test_strength_list_is_the_markers(game: Game) -> None:
    table = game.table["strength-markers"]
    listed = {
        (r.id, table.cell(r.id, "front"), table.cell(r.id, "back"), table.cell(r.id, "number"))
        for r in table.rows
    }
    assert listed == {(m.id, m.faces[0].text, m.faces[1].text, str(m.count)) for m in _strength(game)}


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_class_has_markers_before_its_first_army(game: Game, name: str) -> None:
    armies = [c for c in game.counters if game.unit_type[c.type].values.get("class") == name]
    assert min(map(_turn, _strength(game, name))) <= min(map(_turn, armies))


def _turn(each: Counter | Marker) -> int:
    return int((each.enters or "GT0").removeprefix("GT"))


def test_economic_assets_lie_where_the_map_shows_them(game: Game) -> None:
    places = {
        str(p.values["code"]): game.map.lattice.label(p.hex) for p in game.map.places if "code" in p.values
    }
    assets = {c.id: c.setup for c in game.counters if "economic-asset" in game.unit_type[c.type].traits}
    assert assets == places


def test_reconstructed_groups_say_how(game: Game) -> None:
    for counter in game.counters:
        assert counter.provenance is not None
        assert counter.provenance.rule or counter.provenance.how, counter.id
