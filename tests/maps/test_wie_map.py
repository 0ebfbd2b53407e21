"""War in the East: what its rules ask of a map, and that its cities leave every victory in reach."""

from __future__ import annotations

import pytest

from fieldpost.definition import load
from fieldpost.definition.mapmodel import Place
from fieldpost.hexes import Hexside, neighbors
from tests.maps.reading import dry, place, reachable, the_map

NAMED = [
    "Berlin",
    "Dresden",
    "Warsaw",
    "Bucharest",
    "Ploesti",
    "Leningrad",
    "Moscow",
    "Stalingrad",
    "Kiev",
    "Maikop",
    "Rostov",
    "Gorki",
    "Helsinki",
    "Kerch",
    "Sevastopol",
    "Kursk",
]
COMPLEXES = {
    "soviet": "Leningrad Moscow Stalingrad Kiev Maikop Rostov Gorki",
    "axis": "Berlin Dresden Warsaw Bucharest",
}


def cities(kind: str) -> list[Place]:
    return [p for p in the_map("wie").places if p.kind == kind]


@pytest.mark.parametrize("name", NAMED)
def test_every_place_of_the_text_is_there(name: str) -> None:
    assert dry(the_map("wie"), place("wie", name).hex)


def test_there_are_35_red_cities_each_with_a_value_in_a_hex_of_its_own() -> None:
    red = cities("red-city")
    assert len(red) == len({p.hex for p in red}) == 35
    assert all(isinstance(p.values["value"], int) and p.values["value"] > 1 for p in red)
    assert {p.hex for p in red}.isdisjoint(p.hex for p in cities("minor-city"))


def test_complexes_stand_in_the_cities_of_the_text_all_of_them_red() -> None:
    at = {p.hex for p in cities("industrial-complex")}
    named = {place("wie", n).hex for names in COMPLEXES.values() for n in names.split()}
    assert at == named
    assert at <= {p.hex for p in cities("red-city")}


def test_the_stated_victories_are_in_reach() -> None:
    """The Soviets win with 30 red cities by turn 18: all of their own and three more."""
    game = load("wie")
    owner = {p.name: game.holder_at_start(p.hex) for p in cities("red-city")}
    soviet = [name for name, side in owner.items() if side == "soviet"]
    assert len(soviet) == 27
    assert {"Leningrad", "Moscow", "Stalingrad"} <= set(soviet)
    assert owner["Berlin"] == "axis"


def test_incomes_stand_in_proportion() -> None:
    """Each side can pay its infantry of a turn and some rounds of battle, and neither twice the other's."""
    game = load("wie")
    income = {"axis": 0, "soviet": 0}
    for city in cities("red-city"):
        income[str(game.holder_at_start(city.hex))] += int(city.values["value"])
    assert income == {"axis": 50, "soviet": 102}
    taken = game.map.area["axis-1942"].hexes
    lost = sum(int(c.values["value"]) for c in cities("red-city") if c.hex in taken)
    doubled = sum(
        int(place("wie", n).values["value"])
        for n in COMPLEXES["soviet"].split()
        if place("wie", n).hex not in taken
    )
    axis, soviet = 50 + lost, 102 - lost + doubled + 6
    assert 0.5 < axis / soviet < 2


def test_oil_and_ploesti() -> None:
    assert {p.name.split()[0] for p in cities("oil-center")} == {"Ploesti", "Maikop", "Grozny", "Baku"}
    assert "ploesti" in place("wie", "Ploesti oil fields").features
    assert place("wie", "Ploesti").hex != place("wie", "Bucharest").hex


def test_sevastopol_has_its_port_and_the_strait_lies_between_kerch_and_taman() -> None:
    m = the_map("wie")
    assert {"port", "sevastopol-port"} <= set(place("wie", "Sevastopol").features)
    straits = [s for s, kinds in m.side_kinds.items() if "strait" in kinds]
    assert straits == [m.lattice.hexside("2223/2324")]
    assert place("wie", "Kerch").hex in straits[0]


def test_crimea_is_reached_over_perekop_alone() -> None:
    m = the_map("wie")
    crimea = reachable(m, place("wie", "Sevastopol").hex, {place("wie", "Perekop").hex})
    assert place("wie", "Kerch").hex in crimea
    assert m.lattice.hex("2324") not in crimea
    assert len(crimea) < 6


def test_helsinki_and_tallinn_are_not_joined_by_land_over_the_gulf() -> None:
    m = the_map("wie")
    side = Hexside.between(place("wie", "Helsinki").hex, place("wie", "Tallinn").hex)
    assert m.side_kinds[side] == {"sea"}


def test_marsh_and_mountain_are_hexsides_beside_ground_of_that_kind() -> None:
    m = the_map("wie")
    for kind, terrain in (("marsh-side", "marsh"), ("mountain-side", "mountain")):
        marked = {s for s, kinds in m.side_kinds.items() if kind in kinds}
        between = {
            Hexside.between(h, n)
            for h in m.hexes
            for n in neighbors(h)
            if m.terrain[h] == m.terrain.get(n) == terrain
        }
        wet = {s for s in between if {"sea", "lake"} & m.side_kinds.get(s, frozenset())}
        assert between - wet <= marked
        assert all(terrain in (m.terrain[s.a], m.terrain[s.b]) for s in marked)


def test_no_hexside_is_marsh_and_mountain_at_once() -> None:
    for kinds in the_map("wie").side_kinds.values():
        assert not {"marsh-side", "mountain-side"} <= kinds


def test_the_edges_of_supply() -> None:
    m = the_map("wie")
    edges = {edge.id: edge for edge in m.edges}
    country = m.grid["country"].values
    assert {country[h] for h in edges["east"].hexes} == {"soviet-union"}
    assert "germany" in {country[h] for h in edges["west"].hexes}
    assert all(dry(m, h) for edge in m.edges for h in edge.hexes)


def test_neutral_countries_are_out_of_play_and_nothing_else() -> None:
    m = the_map("wie")
    country = m.grid["country"].values
    neutral = {"sweden", "norway", "turkey", "iran"}
    assert m.unplayable == {h for h in m.hexes if country.get(h) in neutral}
    assert not [p.name for p in m.places if p.hex in m.unplayable]


def test_every_soviet_city_is_reached_by_land_from_the_east_edge() -> None:
    m = the_map("wie")
    east = next(edge for edge in m.edges if edge.id == "east")
    joined = reachable(m, east.hexes[0], set())
    assert all(p.hex in joined for p in cities("red-city") if p.name not in ("Helsinki", "Baku"))


@pytest.mark.parametrize(("year", "inside", "outside"), [
    ("1941", "Kalinin Kharkov Smolensk Kerch", "Moscow Tula Leningrad Rostov Sevastopol"),
    ("1942", "Rostov Maikop Stalingrad Sevastopol Rzhev", "Voronezh Moscow Leningrad Tuapse Grozny"),
    ("1943", "Kharkov Orel Belgorod Smolensk Novorossiisk", "Kursk Rostov Stalingrad Rzhev Voronezh"),
])  # fmt: skip
def test_the_fronts_run_as_in_history(year: str, inside: str, outside: str) -> None:
    held = the_map("wie").area[f"axis-{year}"].hexes
    assert all(place("wie", name).hex in held for name in inside.split())
    assert not any(place("wie", name).hex in held for name in outside.split())
    drawn = [run for run in the_map("wie").side_runs if run.kind == f"front-{year}"]
    assert drawn
    assert all((s.a in held) != (s.b in held) for run in drawn for s in run.sides)
