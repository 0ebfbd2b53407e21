"""Barbarossa: Army Group Center: its own map against the ground of June 1941 and the words of the rules."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from fieldpost.hexes import Hex, Hexside, Orientation, neighbors
from tests.maps import test_all_maps as every_map
from tests.maps.reading import (
    bank_cosines,
    by_rail,
    center,
    corners,
    dry,
    ends,
    first_and_last,
    names_at,
    place,
    rivers,
    the_map,
    watery_corners,
)
from tests.places import REPOSITORY

# Latitude and longitude of today's town, to a hundredth of a degree.
TOWNS = """
Minsk 53.90 27.56, Smolensk 54.78 32.05, Vitebsk 55.19 30.20, Vilnyus 54.69 25.28, Kaunas 54.90 23.89,
Gomel 52.43 30.98, Bialystok 53.13 23.16, Brest-Litovsk 52.09 23.69, Grodno 53.68 23.83, Baranovichi
53.13 26.02, Pinsk 52.12 26.10, Bobruisk 53.14 29.22, Borisov 54.23 28.50, Orsha 54.51 30.42, Mogilev
53.90 30.33, Polotsk 55.49 28.79, Velikie Luki 56.34 30.55, Roslavl 53.95 32.86, Dvinsk 55.88 26.54,
Siauliai 55.93 23.32, Tilsit 55.08 21.89, Insterburg 54.63 21.81, Lomza 53.18 22.06, Suwalki 54.10 22.93,
Augustow 53.84 22.98, Grajewo 53.65 22.45, Lyck 53.83 22.36, Goldap 54.31 22.30, Siedlce 52.17 22.29,
Biala Podlaska 52.03 23.12, Wlodawa 51.55 23.55, Bielsk 52.77 23.19, Kobrin 52.21 24.36, Pruzhany 52.56
24.46, Slonim 53.09 25.32, Volkovysk 53.15 24.44, Lida 53.89 25.30, Novogrudok 53.60 25.82, Slutsk 53.03
27.56, Stolbtsy 53.48 26.74, Molodechno 54.31 26.84, Alytus 54.40 24.05, Mariampole 54.56 23.35, Lepel
54.88 28.69, Osipovichi 53.30 28.64, Rogachev 53.09 30.05, Zhlobin 52.89 30.02, Rechitsa 52.36 30.39,
Mozyr 52.05 29.23, Luninets 52.25 26.80, Krichev 53.71 31.72, Propoisk 53.44 31.00, Mstislavl 54.02
31.72, Nevel 56.02 29.92, Sebezh 56.28 28.48, Velizh 55.60 31.19, Demidov 55.27 31.52, Yartsevo 55.07
32.70, Dorogobuzh 54.92 33.30, Yelnya 54.58 33.18, Pochinok 54.41 32.44, Klintsy 52.76 32.24, Unecha
52.85 32.67, Glubokoye 55.14 27.69, Kraslava 55.90 27.17, Bely 55.83 32.94
"""
# Where a town's river lies from its middle, in degrees from north, clockwise.
BANKS = [
    ("Brest-Litovsk", "Bug", 270),
    ("Wlodawa", "Bug", 90),
    ("Lomza", "Narew", 20),
    ("Grodno", "Niemen", 225),
    ("Kaunas", "Niemen", 225),
    ("Alytus", "Niemen", 90),
    ("Tilsit", "Niemen", 0),
    ("Smolensk", "Dnieper", 0),
    ("Orsha", "Dnieper", 180),
    ("Mogilev", "Dnieper", 90),
    ("Rogachev", "Dnieper", 90),
    ("Zhlobin", "Dnieper", 90),
    ("Vitebsk", "Western Dvina", 90),
    ("Polotsk", "Western Dvina", 180),
    ("Dvinsk", "Western Dvina", 200),
    ("Borisov", "Berezina", 270),
    ("Bobruisk", "Berezina", 90),
    ("Mozyr", "Pripet", 30),
    ("Gomel", "Sozh", 110),
    ("Yartsevo", "Vop", 270),
]
LOW, HIGH, MIDDLE = 52.5, 55.5, (54.0, 27.55)
EARTH_KM, HEX_KM = 6371.0, 8.05
REGION = {
    "germany": "Tilsit Insterburg Suwalki Lyck Ostroleka Goldap",
    "west-poland": "Siedlce Wlodawa Terespol Malkinia Sokolow",
    "lithuania": "Kaunas Vilnyus Alytus Siauliai Mariampole Zarasai",
    "latvia": "Dvinsk Kraslava Rezekne",
    "belorussia": "Brest-Litovsk Bialystok Grodno Augustow Lomza Minsk Orsha Gomel Polotsk Mstislavl",
    "russia": "Smolensk Nevel Sebezh Roslavl Klintsy Unecha Velizh Rudnya",
    "ukraine": "Ratno Shchors Dubrovitsa",
}


@pytest.mark.parametrize(
    "holds",
    [
        every_map.test_every_hexside_of_a_river_touches_the_next,
        every_map.test_a_river_ends_in_water_in_another_river_or_at_the_rim,
        every_map.test_a_river_rises_once,
        every_map.test_every_place_is_on_dry_land,
        every_map.test_every_hex_has_a_country_or_is_water,
        every_map.test_borders_part_two_countries,
        every_map.test_water_hexsides_are_listed_between_dry_hexes_only,
        every_map.test_every_feature_says_on_whose_word_it_stands,
        every_map.test_lines_step_from_hex_to_neighbour,
        every_map.test_files_are_small_enough_to_load_fast,
    ],
)
def test_what_holds_on_every_map_holds_here(holds: Callable[[str], None]) -> None:
    holds("efs")


def conic(lat: float, lon: float) -> tuple[float, float]:
    """Lambert's conformal conic projection, in km east and north of the middle of the map."""
    low, high, start, phi = (math.radians(v) for v in (LOW, HIGH, MIDDLE[0], lat))

    def slope(angle: float) -> float:
        return math.tan(math.pi / 4 + angle / 2)

    n = math.log(math.cos(low) / math.cos(high)) / math.log(slope(high) / slope(low))
    far = EARTH_KM * math.cos(low) * slope(low) ** n / n
    turn = n * math.radians(lon - MIDDLE[1])
    rho, rho0 = far / slope(phi) ** n, far / slope(start) ** n
    return rho * math.sin(turn), rho0 - rho * math.cos(turn)


def off(lat: float, lon: float, hex_: Hex) -> float:
    """How far a point lies from the middle of a hex, in hexes."""
    points = [center(the_map("efs"), h) for h in the_map("efs").hexes]
    mid_x, mid_y = ((min(v) + max(v)) / 2 for v in zip(*points, strict=True))
    east, north = conic(lat, lon)
    x, y = center(the_map("efs"), hex_)
    return math.hypot(mid_x + east / HEX_KM - x, mid_y - north / HEX_KM - y)


def test_more_than_sixty_towns_stand_in_the_hex_of_their_coordinates() -> None:
    entries = [entry.strip().rsplit(" ", 2) for entry in TOWNS.replace("\n", " ").split(",")]
    apart = {name: off(float(lat), float(lon), place("efs", name).hex) for name, lat, lon in entries}
    assert len(apart) >= 60
    assert {name: round(d, 2) for name, d in apart.items() if d > 0.65} == {}


def test_hexes_are_numbered_as_the_rules_example_has_it() -> None:
    """Neighbours of 4023 on map Q are 3922, 4022, 4122 and 4123."""
    m = the_map("efs")
    around = set(neighbors(m.lattice.hex("Q4023")))
    assert m.lattice.orientation is Orientation.FLAT
    assert {m.lattice.hex(f"Q{n}") for n in ("3922", "4022", "4122", "4123")} <= around


def test_the_map_has_the_size_and_the_scale_asked_for() -> None:
    m = the_map("efs")
    assert len(m.hexes) == 120 * 71
    assert m.hex_km == pytest.approx(8.05, abs=0.06)
    assert m.north_degrees == 0


def test_both_sheets_hang_together_at_their_seam() -> None:
    m = the_map("efs")
    assert Hexside.between(m.lattice.hex("P6030"), m.lattice.hex("Q0130"))


@pytest.mark.parametrize(("town", "river", "bearing"), BANKS)
def test_a_river_passes_its_town_on_the_right_side(town: str, river: str, bearing: float) -> None:
    found = bank_cosines(the_map("efs"), place("efs", town).hex, river, bearing)
    assert found
    assert sum(found) / len(found) >= 0.2
    assert max(found) >= 0.45


@pytest.mark.parametrize("region", REGION)
def test_towns_lie_in_their_region_of_june_1941(region: str) -> None:
    country = the_map("efs").grid["country"].values
    found = {name: country[place("efs", name).hex] for name in REGION[region].split()}
    assert set(found.values()) == {region}, found


def test_the_border_runs_from_the_north_to_the_south_of_the_map() -> None:
    m = the_map("efs")
    country = m.grid["country"].values
    border = {s for s, kinds in m.side_kinds.items() if "border" in kinds}
    axis = {"germany", "west-poland"}
    east = {s for s in border if (country[s.a] in axis) != (country[s.b] in axis)}
    rows = {int(m.lattice.label(h)[-2:]) for s in east for h in s}
    assert rows >= set(range(8, 71))


def test_the_bug_is_the_border_from_wlodawa_to_beyond_brest() -> None:
    m = the_map("efs")
    bug = {s for run in m.side_runs if run.name == "Bug" for s in run.sides}
    country = m.grid["country"].values
    parting = [s for s in bug if {country.get(s.a), country.get(s.b)} == {"west-poland", "belorussia"}]
    assert len(parting) >= 20


def test_republics_are_parted_by_a_line_of_their_own() -> None:
    m = the_map("efs")
    country = m.grid["country"].values
    inner = {"belorussia", "lithuania", "latvia", "russia", "ukraine"}
    for run in m.side_runs:
        if run.kind in ("border", "region-boundary"):
            both = [{country[s.a], country[s.b]} <= inner for s in run.sides]
            assert set(both) == {run.kind == "region-boundary"}, run.name


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("woods", 1200),
        ("hill", 150),
        ("hill-woods", 50),
        ("marsh", 150),
        ("swamp", 100),
        ("lake", 12),
        ("clear", 3000),
    ],
)
def test_every_terrain_of_the_rules_that_is_found_here_has_its_share(kind: str, least: int) -> None:
    assert sum(value == kind for value in the_map("efs").terrain.values()) >= least


def test_the_pripet_flows_through_swamp_and_the_border_plain_is_mostly_clear() -> None:
    m = the_map("efs")
    pripet = {h for run in m.side_runs if run.name == "Pripet" for s in run.sides for h in s}
    assert sum(m.terrain[h] == "swamp" for h in pripet) >= 25
    around = neighbors(place("efs", "Siedlce").hex)
    assert sum(m.terrain[h] == "clear" for h in around) >= 4


@pytest.mark.parametrize("kind", ["railway", "main-road", "motorway"])
def test_minsk_and_smolensk_are_joined(kind: str) -> None:
    m = the_map("efs")
    assert place("efs", "Smolensk").hex in by_rail(m, place("efs", "Minsk").hex, kind=kind)


def test_the_gauge_changes_at_the_border() -> None:
    m = the_map("efs")
    country = m.grid["country"].values
    steps = m.line_steps
    broad = {h for s, kinds in steps.items() if "railway" in kinds for h in s}
    assert {country[h] for h in broad} <= {"belorussia", "lithuania", "latvia", "russia", "ukraine"}
    narrow = {h for s, kinds in steps.items() if "standard-railway" in kinds for h in s}
    assert {"germany", "west-poland", "lithuania"} <= {country[h] for h in narrow}
    brest = place("efs", "Brest-Litovsk").hex
    assert brest in broad & narrow


def test_every_line_over_a_major_river_has_its_bridge() -> None:
    m = the_map("efs")
    for side, lines in m.line_steps.items():
        kinds = m.side_kinds.get(side, frozenset())
        if "major-river" in kinds:
            assert ("railroad-bridge" in kinds) == any("railway" in line for line in lines)
            assert ("bridge" in kinds) == any("road" in line or line == "motorway" for line in lines)


def test_bridges_stand_on_major_rivers_alone() -> None:
    m = the_map("efs")
    for side, kinds in m.side_kinds.items():
        if kinds & {"bridge", "railroad-bridge"}:
            assert "major-river" in kinds, m.lattice.hexside_label(side)


def test_canals_join_bug_and_pripet_niemen_and_biebrza() -> None:
    m = the_map("efs")
    runs = {run.name: run for run in m.side_runs if run.kind == "canal"}
    assert set(runs) == {"Augustow Canal", "Dnieper-Bug Canal", "Oginski Canal"}
    touched = {name: corners(run) for name, run in runs.items()}
    by_name: dict[str, set[tuple[Hex, ...]]] = {}
    for run in rivers(m):
        by_name.setdefault(run.name, set()).update(corners(run))
    assert touched["Augustow Canal"] & by_name["Niemen"]
    assert touched["Dnieper-Bug Canal"] & by_name["Pripet"]


def test_a_fortified_line_has_the_defended_hexes_on_one_side() -> None:
    m = the_map("efs")
    defended = {h for a in m.areas if a.kind == "fortified-line" for h in a.hexes}
    lines = [run for run in m.side_runs if run.kind == "fortified-line"]
    assert len({run.name for run in lines}) >= 8
    for run in lines:
        for s in run.sides:
            assert {s.a, s.b} & defended, m.lattice.hexside_label(s)


def test_the_citadel_stands_at_brest_and_belts_where_fortified_regions_were() -> None:
    m = the_map("efs")
    assert "Citadel of Brest" in names_at("efs", m.lattice.label(place("efs", "Brest-Litovsk").hex))
    assert len([p for p in m.places if p.kind == "fortified-belt"]) >= 4


def test_flotillas_have_a_base_on_the_pripet() -> None:
    m = the_map("efs")
    bases = {p.name for p in m.places if "flotilla-base" in p.features}
    pripet = {
        h
        for run in m.side_runs
        if "Pripet" in run.name or "Dnieper-Bug" in run.name
        for s in run.sides
        for h in s
    }
    assert bases == {"Pinsk", "Mozyr"}
    assert all(place("efs", name).hex in pripet for name in bases)


def test_supply_comes_over_lines_at_the_edge() -> None:
    m = the_map("efs")
    edges = {e.id: set(e.hexes) for e in m.edges}
    on_line = {h for s in m.line_steps for h in s}
    country = m.grid["country"].values
    for name in ("axis-supply", "soviet-supply-east", "soviet-supply-north", "soviet-supply-south"):
        assert edges[name], name
        assert edges[name] <= on_line
    assert {country[h] for h in edges["axis-supply"]} == {"germany", "west-poland"}
    assert len(edges["soviet-supply-east"]) >= 4


def test_rivers_grow_to_major_rivers_downstream() -> None:
    m = the_map("efs")
    watery = watery_corners(m)
    major = {run.name for run in m.side_runs if run.kind == "major-river"}
    assert major == {"Dnieper", "Western Dvina", "Niemen", "Pripet", "Berezina"}
    upper = next(run for run in m.side_runs if run.name == "Dnieper" and run.kind == "river")
    lower = next(run for run in m.side_runs if run.name == "Dnieper" and run.kind == "major-river")
    assert first_and_last(upper)[1] & first_and_last(lower)[0]
    assert not any(map(watery, first_and_last(lower)[0]))
    assert all(dry(m, h) for s in lower.sides for h in s)
    assert set(ends(upper.sides[-1])) & set(ends(lower.sides[0]))


def test_no_file_of_the_map_is_large() -> None:
    for path in (REPOSITORY / "maps" / "efs").glob("*.yaml"):
        assert path.stat().st_size < 1_000_000
