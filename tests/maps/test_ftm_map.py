"""For the Motherland!: what its rules say of hexes and hexsides, asked of the map."""

from __future__ import annotations

import pytest

from fieldpost.hexes import Compass
from tests.maps.reading import by_rail, dry, hexes, names_at, place, reachable, side, the_map, touches_sea


@pytest.mark.parametrize(
    ("name", "label"), [("Danzig", "0307"), ("Konigsberg", "0507"), ("Constanta", "0325")]
)
def test_an_axis_port_stands_in_its_hex(name: str, label: str) -> None:
    m = the_map("ftm")
    assert name in names_at("ftm", label)
    assert touches_sea(m, m.lattice.hex(label))
    assert "axis-port" in place("ftm", name).features


def test_only_three_ports_begin_under_axis_control() -> None:
    assert sum("axis-port" in p.features for p in the_map("ftm").places) == 3


@pytest.mark.parametrize("text", ["1526/1625", "1625/1626", "1625/1726"])
def test_a_hexside_of_the_gulf_of_taganrog_is_all_sea(text: str) -> None:
    assert side("ftm", text) == {"sea"}
    assert all(dry(the_map("ftm"), h) for h in the_map("ftm").lattice.hexside(text))


def test_the_chongar_bridge_is_a_hexside_of_water_with_a_railway() -> None:
    m = the_map("ftm")
    bridge = m.lattice.hexside("1025/1125")
    assert m.side_kinds[bridge] == {"rail-bridge"}
    assert "railway" in m.line_steps[bridge]
    assert place("ftm", "Sevastopol").hex in by_rail(m, m.lattice.hex("1125"))


def test_the_kerch_strait_lies_between_1227_and_1327() -> None:
    m = the_map("ftm")
    assert [s for s, kinds in m.side_kinds.items() if "strait" in kinds] == [m.lattice.hexside("1227/1327")]
    assert "Kerch" in names_at("ftm", "1227")


def test_crimea_is_joined_to_the_mainland_and_not_to_taman() -> None:
    m = the_map("ftm")
    sevastopol, kerch, taman = place("ftm", "Sevastopol").hex, *hexes("ftm", "1227 1327")
    crimea = reachable(m, sevastopol, hexes("ftm", "1024"))
    assert kerch in crimea
    assert taman not in crimea
    assert place("ftm", "Moscow").hex in reachable(m, sevastopol)


def test_sides_of_the_map_carry_the_letters_of_the_rules() -> None:
    m = the_map("ftm")
    country = m.grid["country"].values
    expected = {
        "W": (Compass.WEST, "germany"),
        "H": (Compass.WEST, "hungary"),
        "R": (Compass.WEST, "romania"),
        "F": (Compass.NORTH, "finland"),
        "E": (Compass.EAST, "soviet-union"),
        "S": (Compass.SOUTH, "soviet-union"),
    }
    assert {e.id for e in m.edges} == set(expected)
    for edge in m.edges:
        side_, owner = expected[edge.id]
        assert len(edge.hexes) >= 3, edge.id
        assert set(edge.hexes) <= m.lattice.edge(m.hexes, side_)
        assert {country[h] for h in edge.hexes} == {owner}


@pytest.mark.parametrize("edge", ["W", "R", "F", "E"])
def test_a_railway_leaves_the_map_on_an_edge_of_supply(edge: str) -> None:
    m = the_map("ftm")
    on_rail = {h for s, kinds in m.line_steps.items() if "railway" in kinds for h in s}
    rim = next(e.hexes for e in m.edges if e.id == edge)
    assert on_rail & set(rim)


@pytest.mark.parametrize(
    ("sea", "names"),
    [
        ("black-sea-port", "Odessa Sevastopol Novorossiisk Tuapse Constanta"),
        ("baltic-port", "Danzig Konigsberg Riga Leningrad"),
        ("azov-port", "Rostov Mariupol Taganrog"),
    ],
)
def test_ports_belong_to_their_sea(sea: str, names: str) -> None:
    found = {p.name for p in the_map("ftm").places if sea in p.features}
    assert set(names.split()) <= found


def test_no_port_belongs_to_two_seas() -> None:
    for p in the_map("ftm").places:
        assert sum(f in p.features for f in ("black-sea-port", "baltic-port", "azov-port")) == (
            "port" in p.features
        ), p.name


def test_helsinki_is_in_finland_and_the_axis_ports_in_their_countries() -> None:
    country = the_map("ftm").grid["country"].values
    owners = [country[place("ftm", n).hex] for n in ("Helsinki", "Danzig", "Konigsberg", "Constanta")]
    assert owners == ["finland", "germany", "germany", "romania"]


def test_the_caucasus_has_high_mountains() -> None:
    m = the_map("ftm")
    high = [h for h, t in m.terrain.items() if t == "high-mountain"]
    assert 10 <= len(high) <= 60


def test_there_is_frozen_access_somewhere_and_only_over_water() -> None:
    m = the_map("ftm")
    frozen = [run for run in m.side_runs if run.kind == "frozen-access"]
    assert frozen
    assert all(dry(m, s.a) and dry(m, s.b) for run in frozen for s in run.sides)


def test_every_kind_of_economic_asset_has_a_place() -> None:
    kinds = {p.kind for p in the_map("ftm").places if "economic-asset" in p.features}
    assert kinds == {"factory", "oil-field", "oil-pipeline", "coal-mine", "ore"}


@pytest.mark.parametrize(
    ("towns", "edges"),
    [
        ("Odessa Sevastopol Danzig Konigsberg", "W H R"),
        ("Tuapse Novorossiisk", "E S"),
        ("Moscow Leningrad Kharkov Stalingrad Tula Voronezh Kiev Dnepropetrovsk Stalino", "E S"),
    ],
)
def test_a_port_of_supply_or_a_factory_has_a_railway_to_its_side_s_edge(towns: str, edges: str) -> None:
    m = the_map("ftm")
    sources = {h for e in m.edges if e.id in edges.split() for h in e.hexes}
    cut_off = [t for t in towns.split() if not by_rail(m, place("ftm", t).hex) & sources]
    assert cut_off == []


def test_every_factory_is_on_a_railway_to_the_east_or_south() -> None:
    m = the_map("ftm")
    sources = {h for e in m.edges if e.id in ("E", "S") for h in e.hexes}
    assert [p.name for p in m.places if p.kind == "factory" and not by_rail(m, p.hex) & sources] == []
