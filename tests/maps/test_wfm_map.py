"""War for the Motherland: what its rules say of hexes and hexsides, asked of the map."""

from __future__ import annotations

import pytest

from fieldpost.hexes import Compass, Hex, Hexside, adjacent, neighbors, within
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

NAMED = {
    "9.32": "Moscow 2706",
    "9.28": "Helsinki 1225",
    "5.57": "Murmansk N1327, Arkhangelsk N2718, Leningrad 1418, Konigsberg 2933",
    "9.7": "Novorossiisk 6205, Tuapse 6402, Odessa 5718, Sevastopol 6313",
    "17.52": "Stalino 5104, Rostov 5301, Voronezh 3902, Kharkov 4508",
    "19.52": "Warsaw 3634, Bucharest 6327, Ploesti 6127, Kiev 4419, Lublin 4032, Riga 2227, Smolensk 3015, "
    "Vilnyus 3026, Minsk 3322, Lvov 4529, Vinnitsa 4822, Proskurov 4725, Kishinev 5522, Brest-Litovsk 3729",
    "16.22": "Stalingrad E4708",
}
VICTORY_19 = {
    50: "Warsaw Moscow",
    40: "Konigsberg Bucharest Ploesti",
    30: "Leningrad Sevastopol",
    20: "Kharkov Stalino Voronezh",
    15: "Rostov Kiev Odessa Lublin Riga Smolensk",
    10: "Vilnyus Minsk Lvov Vinnitsa Proskurov Kishinev Brest-Litovsk",
}
VICTORY_17 = {30: "Moscow", 20: "Stalino Leningrad", 15: "Sevastopol Rostov Voronezh Kharkov Odessa"}
AXIS = (
    "6511 6407 6306 6316 6211 6105 6108 5815 5505 5211 5216 5108 4909 4810 4913 4709 4611 4610 4612 4613 "
    "4614 4615 4516"
)
SOVIET = (
    "6812 6612 6507 6403 6406 6416 6205 5405 5008 4908 4806 4809 4708 4609 4509 4510 4511 4512 4513 4311 "
    "4515 4312"
)
AXIS_SOURCES, SOVIET_SOURCES = "4717 5317", "4312 4309 4304 6401 7005"
SOVIET_HQ, RUMANIAN_HQ, DEPOTS = "6812 6403 4806 4312", "5211 4913", "6211 6108 5815 4913"
FACTORIES = (
    "AMI ANA ARS BOL CRB FLN FRO DMF DNM FJR GAZ GVZ HAS IKF KAZ KTF LKF MAF MMF RMI RPR SAZ STF TAF TWF "
    "VAF ZKS ZMF"
)


def named() -> list[tuple[str, str]]:
    pairs = [entry.rsplit(" ", 1) for line in NAMED.values() for entry in line.split(", ")]
    return [(name, label) for name, label in pairs]


def on_e(labels: str) -> list[Hex]:
    return hexes("wfm", labels, "E")


@pytest.mark.parametrize(("name", "label"), named())
def test_a_place_the_rules_name_stands_in_its_hex(name: str, label: str) -> None:
    assert name in names_at("wfm", label)
    assert dry(the_map("wfm"), the_map("wfm").lattice.hex(label))


def test_sheets_share_one_lattice() -> None:
    lattice = the_map("wfm").lattice
    assert lattice.hex("E5317") == lattice.hex("5301")
    assert adjacent(lattice.hex("0118"), lattice.hex("N2932"))
    assert adjacent(lattice.hex("5701"), lattice.hex("E5716"))


def test_victory_values_are_those_of_the_scenarios() -> None:
    for table, key in ((VICTORY_19, "victory"), (VICTORY_17, "victory_17")):
        for points, names in table.items():
            assert {n: place("wfm", n).values[key] for n in names.split()} == dict.fromkeys(
                names.split(), points
            )
        count = sum(len(names.split()) for names in table.values())
        assert sum(key in p.values for p in the_map("wfm").places) == count


def test_the_causeway_is_a_hexside_of_water_with_a_railway() -> None:
    m = the_map("wfm")
    assert side("wfm", "5710/5811") == {"causeway"}
    assert m.line_steps[m.lattice.hexside("5710/5811")] == {"railway"}


def test_the_kerch_strait_is_three_hexsides() -> None:
    straits = {s for s, kinds in the_map("wfm").side_kinds.items() if "strait" in kinds}
    assert straits == {the_map("wfm").lattice.hexside(s) for s in ("6006/6007", "6007/6106", "6106/6107")}
    assert all(dry(the_map("wfm"), h) for h in hexes("wfm", "6006 6007 6106 6107"))


def test_crimea_hangs_on_perekop_alone() -> None:
    m = the_map("wfm")
    moscow, sevastopol, perekop = hexes("wfm", "2706 6313 5813")
    assert sevastopol in reachable(m, moscow)
    assert sevastopol not in reachable(m, moscow, [perekop])
    assert m.lattice.hex("5811") in reachable(m, sevastopol, [perekop])


def test_ice_roads_lie_on_ladoga_between_dry_hexes() -> None:
    m = the_map("wfm")
    roads = [run for run in m.side_runs if run.kind == "ice-road"]
    assert any("Ladoga" in run.name for run in roads)
    assert all(dry(m, s.a) and dry(m, s.b) for run in roads for s in run.sides)


def test_black_sea_ports_are_on_the_black_sea_or_the_sea_of_azov() -> None:
    ports = {p.name for p in the_map("wfm").places if "black-sea-port" in p.features}
    assert {"Odessa", "Sevastopol", "Novorossiisk", "Tuapse"} <= ports
    assert not ports & {"Murmansk", "Arkhangelsk", "Leningrad", "Konigsberg", "Riga"}


def test_every_factory_of_the_counters_has_a_hex() -> None:
    codes = [p.values["code"] for p in the_map("wfm").places if p.kind == "factory"]
    assert sorted(map(str, codes)) == sorted(FACTORIES.split())


def test_strategic_ports_are_murmansk_and_archangelsk() -> None:
    found = {the_map("wfm").lattice.label(p.hex) for p in the_map("wfm").places if p.kind == "strategic-port"}
    assert found == {"N1327", "N2718"}


@pytest.mark.parametrize(
    ("country", "labels"),
    [
        ("finland", "1225"),
        ("rumania", "6327 6127"),
        ("greater-germany", "2933 3634 4032"),
        ("soviet-union", "2706 1418 6313 5718 5104 5301 3902 4508 2227 3015 3026 3322 4529 4822 4725 5522"),
        ("soviet-union", "3729 4419 6205 6402 N1327 N2718"),
    ],
)
def test_cities_belong_to_their_country_of_1941(country: str, labels: str) -> None:
    values = the_map("wfm").grid["country"].values
    assert {values[h] for h in hexes("wfm", labels)} == {country}


def test_the_arctic_circle_parts_murmansk_from_archangelsk() -> None:
    arctic = the_map("wfm").grid["arctic"].values
    murmansk, archangelsk, kandalaksha = *hexes("wfm", "N1327 N2718"), place("wfm", "Kandalaksha").hex
    assert murmansk in arctic
    assert kandalaksha in arctic
    assert archangelsk not in arctic


def test_the_arctic_axis_sources_lie_on_land_outside_the_soviet_union() -> None:
    m = the_map("wfm")
    for hex_ in hexes("wfm", "N1032 N2034 N2834"):
        assert dry(m, hex_)
        assert m.grid["country"].values[hex_] in ("finland", "norway")


def test_the_edges_offer_both_sides_supply_in_the_long_scenarios() -> None:
    m = the_map("wfm")
    west, east = (m.lattice.edge(m.hexes, side_) for side_ in (Compass.WEST, Compass.EAST))
    axis = {p.hex for p in m.places if p.name == "Axis supply source (map edge)"}
    soviet = {p.hex for p in m.places if p.name == "Soviet supply source (map edge)"}
    assert len(axis) >= 4
    assert axis <= west
    assert len(soviet) >= 3
    assert soviet <= east


# --- Turning Point ---------------------------------------------------------------------------


def test_turning_point_is_played_on_sheet_e_from_row_43() -> None:
    m = the_map("wfm")
    area = m.area["turning-point"].hexes
    assert len(area) == 28 * 17
    assert set(on_e("4317 4301 7001 7017 5317 4708")) <= area
    assert not set(on_e("4217 4201")) & area


def test_every_unit_of_turning_point_sets_up_on_land_of_its_area() -> None:
    m = the_map("wfm")
    area = m.area["turning-point"].hexes
    for hex_ in on_e(f"{AXIS} {SOVIET} {AXIS_SOURCES} {SOVIET_SOURCES}"):
        assert hex_ in area
        assert dry(m, hex_), m.lattice.label(hex_)


def test_the_fronts_of_turning_point_touch() -> None:
    soviet = on_e(SOVIET)
    for hex_ in on_e("4611 4612 4613 4614 4615 4516 4610 4709 4909"):
        assert any(adjacent(hex_, s) for s in soviet), the_map("wfm").lattice.label(hex_)


@pytest.mark.parametrize("source", (AXIS_SOURCES + " " + SOVIET_SOURCES).split())
def test_a_supply_source_of_turning_point_is_on_a_railway(source: str) -> None:
    assert by_rail(the_map("wfm"), *on_e(source))


def _free(enemy: str, friend: str) -> set[Hex]:
    """Hexes neither held nor watched by the enemy of the set-up, friendly units cancelling the watch."""
    m, opponents, friends = the_map("wfm"), on_e(enemy), set(on_e(friend))
    inside = m.area["turning-point"].hexes
    return {
        h
        for h in inside
        if h not in opponents and (h in friends or not any(adjacent(h, opponent) for opponent in opponents))
    }


@pytest.mark.parametrize("hq", SOVIET_HQ.split())
def test_a_soviet_headquarters_has_a_free_railway_to_a_source(hq: str) -> None:
    free = _free(AXIS, SOVIET)
    line = by_rail(the_map("wfm"), *on_e(hq), may_enter=free.__contains__)
    assert line & set(on_e(SOVIET_SOURCES))


@pytest.mark.parametrize("hq", RUMANIAN_HQ.split())
def test_a_rumanian_headquarters_has_a_free_railway_to_the_west(hq: str) -> None:
    free = _free(SOVIET, AXIS)
    line = by_rail(the_map("wfm"), *on_e(hq), may_enter=free.__contains__)
    assert line & set(on_e(AXIS_SOURCES))


def _supplied(sources: str, enemy: str, friend: str, reach: int) -> set[Hex]:
    """Hexes a line of supply joins to a source: railway steps count half, no major river but by rail."""
    m, free = the_map("wfm"), _free(enemy, friend)
    spent = dict.fromkeys(on_e(sources), 0)
    queue = sorted(spent)
    while queue:
        at = queue.pop(0)
        for there in [h for h in free if adjacent(h, at)]:
            step = m.lattice.hexside(f"{m.lattice.label(at)}/{m.lattice.label(there)}")
            kinds, rail = m.side_kinds.get(step, frozenset()), "railway" in m.line_steps.get(step, ())
            closed = kinds & {"sea", "lake", "ice-road", "strait"} or ("major-river" in kinds and not rail)
            if closed or not dry(m, there):
                continue
            rough = 4 if m.terrain[there] in ("swamp", "tundra") else 2
            cost = spent[at] + (1 if rail else rough)
            if cost <= 2 * reach and cost < spent.get(there, 99):
                spent[there] = cost
                queue.append(there)
    return set(spent)


def test_every_soviet_unit_of_turning_point_is_in_supply_of_a_headquarters() -> None:
    m = the_map("wfm")
    supplied = _supplied(SOVIET_HQ, AXIS, SOVIET, reach=6)
    assert [m.lattice.label(h, "E") for h in on_e(SOVIET) if h not in supplied] == []


def test_the_depots_of_turning_point_hang_on_the_western_sources() -> None:
    chain, linked = set(DEPOTS.split()), set(AXIS_SOURCES.split())
    while grown := {d for d in chain if set(on_e(d)) <= _supplied(" ".join(linked), SOVIET, AXIS, 4)}:
        linked, chain = linked | grown, chain - grown
    assert chain == set()


def test_axis_units_of_turning_point_are_in_supply_of_depots_and_sources() -> None:
    """All but the group at Elista, six hexes from any depot: it lives on what 9.26 and 9.6 offer."""
    m = the_map("wfm")
    german = "6511 6407 6306 6316 6105 5505 5216 4810 4709 4611 4610 4516"
    rumanian = "5108 4909 4612 4613 4614 4615"
    depots = _supplied(f"{DEPOTS} {AXIS_SOURCES}", SOVIET, AXIS, 4)
    headquarters = _supplied(RUMANIAN_HQ, SOVIET, AXIS, 4)
    without = [h for h in on_e(german) if h not in depots]
    without += [h for h in on_e(rumanian) if h not in headquarters]
    assert [m.lattice.label(h, "E") for h in without] == ["E5505"]


def test_leningrad_and_konigsberg_touch_the_sea() -> None:
    assert all(touches_sea(the_map("wfm"), h) for h in hexes("wfm", "1418 2933 N1327 N2718"))


# --- railways the rules count on -------------------------------------------------------------


def _edge_sources(feature: str) -> set[Hex]:
    """The supply sources of the campaign: those of the map's edge, and those of sheet N."""
    return {
        p.hex
        for p in the_map("wfm").places
        if feature in p.features and p.kind == "supply-source" and "19" in str(p.values.get("scenarios"))
    }


@pytest.mark.parametrize("port", ["Novorossiisk", "Tuapse", "Murmansk", "Arkhangelsk"])
def test_a_port_of_soviet_supply_has_a_railway_to_a_soviet_source(port: str) -> None:
    line = by_rail(the_map("wfm"), place("wfm", port).hex)
    assert line & _edge_sources("supply-source-soviet")


@pytest.mark.parametrize("port", ["Odessa", "Sevastopol"])
def test_a_port_of_axis_supply_has_a_railway_to_an_axis_source(port: str) -> None:
    assert by_rail(the_map("wfm"), place("wfm", port).hex) & _edge_sources("supply-source-axis")


@pytest.mark.parametrize("capital", ["Helsinki", "Bucharest", "Moscow"])
def test_a_source_that_is_a_capital_stands_on_a_railway(capital: str) -> None:
    assert len(by_rail(the_map("wfm"), place("wfm", capital).hex)) > 100


def test_every_factory_could_be_evacuated_by_rail() -> None:
    m = the_map("wfm")
    sources = _edge_sources("supply-source-soviet")
    stranded = [p.values["code"] for p in m.places if p.kind == "factory" and not by_rail(m, p.hex) & sources]
    assert stranded == []


def test_every_victory_city_is_on_a_railway() -> None:
    m = the_map("wfm")
    assert [p.name for p in m.places if "victory" in p.features and not by_rail(m, p.hex)] == []


@pytest.mark.parametrize("town", ["Rybinsk", "Kremenchug", "Nikopol", "Kuibyshev", "Kalach", "Kamyshin"])
def test_reservoirs_built_after_the_war_are_land(town: str) -> None:
    m = the_map("wfm")
    for hex_ in within(place("wfm", town).hex, 2):
        assert m.terrain.get(hex_) not in ("lake", "sea")
        for n in neighbors(hex_):
            assert not m.side_kinds.get(Hexside.between(hex_, n), frozenset()) & {"lake", "sea"}


@pytest.mark.parametrize("label", ["E5801", "E5901"])
def test_the_caspian_is_sea(label: str) -> None:
    assert the_map("wfm").terrain[the_map("wfm").lattice.hex(label)] == "sea"


def test_ladoga_and_onega_are_lakes() -> None:
    m = the_map("wfm")
    lakes = {m.lattice.label(h) for h, terrain in m.terrain.items() if terrain == "lake"}
    assert {"1115", "1116"} <= lakes
