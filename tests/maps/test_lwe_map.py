"""Land Without End: what its rules say of hexes and hexsides, asked of the map."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fieldpost.hexes import Compass, Hex, adjacent, neighbors
from tests.maps.reading import (
    by_rail,
    dry,
    hexes,
    names_at,
    place,
    reachable,
    side,
    the_map,
    touches_sea,
)

NAMED = (
    "Rostov 4344, Grodno 1715, Memel 1507, Konigsberg 1209, Moscow 4618, Dnepropetrovsk 3339, Kharkov 3835, "
    "Kiev 2529, Leningrad 3802, Minsk 2418, Odessa 2141, Orel 4026, Riga 2306, Smolensk 3418, Stalino 3941, "
    "Voronezh 4632, Sevastopol 2548, Oranienbaum 3701"
)
REPLACEMENT_CENTERS = (
    "Dnepropetrovsk Kharkov Kiev Leningrad Minsk Moscow Odessa Orel Riga Rostov Smolensk Stalino Voronezh"
)
SIXTH_ARMY = "1025 1125 1225 1226 1326 1427 1428"
TOWNS = {"city", "large-town", "small-town"}


@pytest.mark.parametrize("entry", NAMED.split(", "))
def test_a_place_the_rules_name_stands_in_its_hex(entry: str) -> None:
    name, label = entry.split()
    assert name in names_at("lwe", label)
    assert dry(the_map("lwe"), the_map("lwe").lattice.hex(label))


def test_rostov_is_a_city_and_grodno_and_memel_are_large_towns() -> None:
    kinds = {name: place("lwe", name).kind for name in ("Rostov", "Konigsberg", "Moscow", "Grodno", "Memel")}
    assert kinds == {
        "Rostov": "city",
        "Konigsberg": "city",
        "Moscow": "city",
        "Grodno": "large-town",
        "Memel": "large-town",
    }


def test_there_are_thirteen_replacement_centers_all_cities_or_large_towns() -> None:
    found = {p.name: p.kind for p in the_map("lwe").places if "replacement-center" in p.features}
    assert sorted(found) == sorted(REPLACEMENT_CENTERS.split())
    assert set(found.values()) <= {"city", "large-town"}


def test_the_sivash_and_the_kerch_straits_are_four_hexsides() -> None:
    m = the_map("lwe")
    for kind, text in (("sivash", "2844/2845 2944/2945"), ("strait", "3448/3449 3348/3449")):
        found = {s for s, kinds in m.side_kinds.items() if kind in kinds}
        assert found == {m.lattice.hexside(t) for t in text.split()}
        assert all(dry(m, h) for s in found for h in s)
        assert all(side("lwe", t) == {kind} for t in text.split())


def test_the_crimea_is_reached_by_the_fortified_hex_alone() -> None:
    m = the_map("lwe")
    moscow, sevastopol, perekop = hexes("lwe", "4618 2548 2845")
    assert sevastopol in reachable(m, moscow)
    assert sevastopol not in reachable(m, moscow, [perekop])
    assert m.area["perekop"].hexes == {perekop}


def test_yenikale_is_reached_from_kerch_and_taman_only_over_the_straits() -> None:
    m = the_map("lwe")
    yenikale, kerch, taman = hexes("lwe", "3448 3348 3449")
    assert yenikale in reachable(m, kerch)
    assert taman not in reachable(m, kerch, hexes("lwe", "2845"))


@pytest.mark.parametrize(("one", "other"), [("2123", "2122"), ("2123", "2223"), ("3701", "3802")])
def test_hexes_the_examples_call_neighbours_are(one: str, other: str) -> None:
    assert adjacent(*hexes("lwe", f"{one} {other}"))


def test_sixth_army_deploys_in_a_chain_of_soviet_hexes_at_the_border() -> None:
    m = the_map("lwe")
    area = hexes("lwe", SIXTH_ARMY)
    country = m.grid["country"].values
    assert m.area["deployment-6a"].hexes == frozenset(area)
    assert all(adjacent(a, b) for a, b in pairwise(area))
    assert {country[h] for h in area} == {"soviet-union"}
    assert any(country.get(n) == "greater-germany" for h in area for n in neighbors(h))


def test_deployment_areas_do_not_overlap_and_lie_on_soviet_land() -> None:
    m = the_map("lwe")
    areas = [a for a in m.areas if a.kind == "deployment"]
    taken = [h for a in areas for h in a.hexes]
    assert len(areas) >= 12
    assert len(taken) == len(set(taken))
    assert {m.grid["country"].values[h] for h in taken} == {"soviet-union"}
    assert min(len(a.hexes) for a in areas) >= 5


def test_deployment_areas_hang_together() -> None:
    for area in the_map("lwe").areas:
        if area.kind == "deployment":
            seen, queue = set(), [min(area.hexes)]
            while queue:
                at = queue.pop()
                seen.add(at)
                queue += [n for n in neighbors(at) if n in area.hexes and n not in seen]
            assert seen == area.hexes, area.name


def test_the_corners_of_the_map_are_those_the_rules_name() -> None:
    m = the_map("lwe")
    edges = {e.id: set(e.hexes) for e in m.edges}
    for label, sides in (("1007", "north west"), ("4801", "north east"), ("4853", "south east")):
        corner = m.lattice.hex(label)
        assert all(corner in edges[name] for name in sides.split()), label
    assert m.lattice.hex("1048") in edges["south"] & edges["west"]


def test_the_asterisk_hexes_are_soviet_and_north_of_them_is_greater_germany() -> None:
    m = the_map("lwe")
    country = m.grid["country"].values
    assert [country[h] for h in hexes("lwe", "1025 1026 1027 1028 1029 1030")] == ["soviet-union"] * 6
    assert country[m.lattice.hex("1024")] == "greater-germany"


def test_soviet_supply_comes_from_the_east_and_from_the_south_between_3752_and_4853() -> None:
    m = the_map("lwe")
    edges = {e.id: e.hexes for e in m.edges}
    assert len(edges["soviet-supply-east"]) == 53
    south = edges["soviet-supply-south"]
    assert south[0] == m.lattice.hex("3752")
    assert south[-1] == m.lattice.hex("4853")
    assert all(adjacent(a, b) for a, b in pairwise(south))
    assert all(dry(m, h) for h in (*south, *edges["soviet-supply-east"]) if h != m.lattice.hex("4801"))


def test_german_side_supply_comes_from_the_west_of_greater_germany_and_romania() -> None:
    m = the_map("lwe")
    sources = next(e.hexes for e in m.edges if e.id == "german-supply")
    countries = {m.grid["country"].values[h] for h in sources}
    assert countries == {"greater-germany", "romania"}
    assert set(sources) <= m.lattice.edge(m.hexes, Compass.WEST)
    assert sum(m.grid["country"].values[h] == "greater-germany" for h in sources) >= 10


def test_every_rollbahn_leads_to_a_western_source() -> None:
    m = the_map("lwe")
    sources = {h for e in m.edges if e.id == "german-supply" for h in e.hexes}
    for line in m.lines:
        if line.kind == "rollbahn":
            assert by_rail(m, line.hexes[0], kind="rollbahn") & sources, line.name


def test_a_rollbahn_enters_the_crimea_over_perekop() -> None:
    m = the_map("lwe")
    assert m.lattice.hex("2548") in by_rail(m, place("lwe", "Odessa").hex, kind="rollbahn")


def test_black_sea_towns_supply_the_coast_and_no_baltic_ones() -> None:
    m = the_map("lwe")
    coastal = [p for p in m.places if "coastal-supply" in p.features]
    assert {"Odessa", "Sevastopol", "Kerch", "Mariupol"} <= {p.name for p in coastal}
    assert all(p.kind in TOWNS and touches_sea(m, p.hex) for p in coastal)
    assert not {"Leningrad", "Riga", "Memel"} & {p.name for p in coastal}


def test_every_soviet_coastal_town_of_the_black_sea_is_a_port() -> None:
    """7.10 and 9.17 take all towns and cities in coastal hexes."""
    m = the_map("lwe")
    azov_and_black = _sea_from(m.lattice.hex("2452")) | _sea_from(m.lattice.hex("3646"))
    missing = []
    for p in m.places:
        coastal = any(n in azov_and_black for n in neighbors(p.hex))
        soviet = m.grid["country"].values[p.hex] == "soviet-union"
        if p.kind in TOWNS and soviet and coastal and "port" not in p.features:
            missing.append(p.name)
    assert missing == []


def _sea_from(start: Hex) -> set[Hex]:
    m = the_map("lwe")
    assert m.terrain[start] == "sea"
    seen, queue = {start}, [start]
    while queue:
        for n in neighbors(queue.pop()):
            if m.terrain.get(n) == "sea" and n not in seen:
                seen.add(n)
                queue.append(n)
    return seen


def test_the_sea_of_azov_and_the_black_sea_meet_at_kerch_alone() -> None:
    azov, black = _sea_from(the_map("lwe").lattice.hex("3646")), _sea_from(the_map("lwe").lattice.hex("2452"))
    assert not azov & black


def test_only_the_crimea_lies_in_the_southern_weather_zone() -> None:
    m = the_map("lwe")
    zones = m.grid["weather-zone"].values
    south = {h for h, zone in zones.items() if zone == "south"}
    crimea = reachable(m, m.lattice.hex("2548"), hexes("lwe", "2845"))
    assert m.lattice.hex("2548") in south
    assert south <= crimea
    assert len(south) >= 10


def test_the_gas_line_parts_regular_from_attenuated_supply() -> None:
    m = the_map("lwe")
    zones = m.grid["supply"].values
    line = [s for s, kinds in m.side_kinds.items() if "gas-line" in kinds]
    assert len(line) > 40
    assert all(zones[s.a] != zones[s.b] for s in line)
    west, east = hexes("lwe", "2418 4618")
    assert (zones[west], zones[east]) == ("regular", "attenuated")


def test_the_stalin_line_runs_behind_the_border_from_the_baltic_to_the_dniester() -> None:
    m = the_map("lwe")
    fortified = {h for line in m.lines if line.kind == "fortified-line" for h in line.hexes}
    assert {
        place("lwe", name).hex for name in ("Pskov", "Polotsk", "Korosten", "Mogilev-Podolsk")
    } <= fortified
    assert all(m.grid["country"].values[h] == "soviet-union" for h in fortified)


def test_there_is_one_kind_of_river_and_no_railway() -> None:
    m = the_map("lwe")
    assert {run.kind for run in m.side_runs if "river" in run.kind} == {"river"}
    assert not any("railway" in kinds for kinds in m.line_steps.values())


def test_odessa_has_a_fortified_zone_and_the_others_lie_on_soviet_land() -> None:
    m = the_map("lwe")
    zones = [p for p in m.places if p.kind == "fortified-zone"]
    assert m.lattice.hex("2141") in {p.hex for p in zones}
    assert len({p.hex for p in zones}) == len(zones)
    assert {m.grid["country"].values[p.hex] for p in zones} == {"soviet-union"}
