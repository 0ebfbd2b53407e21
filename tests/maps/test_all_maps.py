"""What must hold on every map made from open geography."""

from __future__ import annotations

import pytest

from fieldpost.hexes import adjacent
from tests.maps.reading import (
    GAMES,
    RAIL_OVER_WATER,
    WET_SIDES,
    Corner,
    bank_cosines,
    corners,
    dry,
    ends,
    first_and_last,
    place,
    reachable,
    rivers,
    the_map,
    touches_sea,
    watery_corners,
)

ENDS_IN_THE_STEPPE = {"Kuma"}

# Where a town's river lies from the middle of the town, in degrees from north, clockwise.
BANK = {
    "Kiev": ("Dnieper", 90),
    "Stalingrad": ("Volga", 90),
    "Saratov": ("Volga", 90),
    "Dnepropetrovsk": ("Dnieper", 30),
    "Zaporozhe": ("Dnieper", 270),
    "Nikopol": ("Dnieper", 170),
    "Kherson": ("Dnieper", 135),
    "Kremenchug": ("Dnieper", 220),
    "Cherkassy": ("Dnieper", 45),
    "Rostov": ("Don", 180),
    "Riga": ("Western Dvina", 250),
    "Warsaw": ("Vistula", 90),
    "Voronezh": ("Don", 260),
    "Chernigov": ("Desna", 180),
    "Gomel": ("Sozh", 110),
    "Kalach": ("Don", 270),
    "Kamyshin": ("Volga", 90),
    "Ulyanovsk": ("Volga", 90),
    "Kazan": ("Volga", 225),
    "Gorki": ("Volga", 0),
    "Kuibyshev": ("Volga", 270),
    "Brest-Litovsk": ("Bug", 270),
    "Przemysl": ("San", 315),
    "Serafimovich": ("Don", 0),
    "Smolensk": ("Dnieper", 0),
    "Dvinsk": ("Western Dvina", 200),
    "Vitebsk": ("Western Dvina", 90),
    "Volkhov": ("Volkhov", 270),
    "Novgorod": ("Volkhov", 90),
    "Narva": ("Narva", 90),
    "Mogilev": ("Dnieper", 90),
    "Voroshilovgrad": ("Donets", 0),
    "Krasnodar": ("Kuban", 180),
}
TOWNS = {
    "wfm": (
        "Kiev, Stalingrad, Saratov, Dnepropetrovsk, Zaporozhe, Nikopol, Kherson, Kremenchug, "
        "Cherkassy, Rostov, Riga, Warsaw, Voronezh, Chernigov, Gomel, Kalach, Kamyshin, Ulyanovsk, "
        "Kazan, Gorki, Kuibyshev, Brest-Litovsk, Przemysl, Serafimovich, Smolensk, Dvinsk, Vitebsk, "
        "Volkhov, Novgorod, Narva, Mogilev, Voroshilovgrad, Krasnodar"
    ),
    "lwe": (
        "Kiev, Dnepropetrovsk, Zaporozhe, Nikopol, Kherson, Kremenchug, Cherkassy, Rostov, Riga, "
        "Voronezh, Chernigov, Gomel, Brest-Litovsk, Smolensk, Dvinsk, Vitebsk, Volkhov, Novgorod, "
        "Narva, Mogilev, Voroshilovgrad, Krasnodar"
    ),
    "ftm": (
        "Kiev, Dnepropetrovsk, Zaporozhe, Rostov, Riga, Voronezh, Stalingrad, Saratov, Warsaw, "
        "Smolensk, Kherson"
    ),
}
BANKS = {game: [(town, *BANK[town]) for town in towns.split(", ")] for game, towns in TOWNS.items()}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_hexside_of_a_river_touches_the_next(game: str) -> None:
    broken = [
        f"{run.name} at {the_map(game).lattice.hexside_label(b)}"
        for run in rivers(the_map(game))
        for a, b in zip(run.sides, run.sides[1:], strict=False)
        if not set(ends(a)) & set(ends(b))
    ]
    assert broken == []


def test_a_river_ends_in_water_in_another_river_or_at_the_rim(game: str) -> None:
    m = the_map(game)
    runs, watery = rivers(m), watery_corners(m)

    def elsewhere(run_index: int) -> set[Corner]:
        return {c for i, run in enumerate(runs) if i != run_index for c in corners(run)}

    lost = []
    for i, run in enumerate(runs):
        _, last = first_and_last(run)
        rim = any(h not in m.hexes for c in last for h in c)
        if not (rim or any(map(watery, last)) or last & elsewhere(i)) and run.name not in ENDS_IN_THE_STEPPE:
            lost.append(run.name)
    assert lost == []


def test_a_river_rises_once(game: str) -> None:
    """A second stretch of a river goes on where the first stopped, or comes back from water or the rim."""
    m = the_map(game)
    watery = watery_corners(m)
    seen: dict[str, set[Corner]] = {}
    lost = []
    for run in rivers(m):
        first, _ = first_and_last(run)
        back = any(map(watery, first)) or any(h not in m.hexes for c in first for h in c)
        if run.name in seen and not (first & seen[run.name] or back):
            lost.append(run.name)
        seen.setdefault(run.name, set()).update(corners(run))
    assert lost == []


def test_rivers_pass_the_right_bank_of_every_listed_town(game: str) -> None:
    m = the_map(game)
    wrong = []
    for town, river, bearing in BANKS[game]:
        found = bank_cosines(m, place(game, town).hex, river, bearing)
        if not found or sum(found) / len(found) < 0.2 or min(found) < -0.75 or max(found) < 0.45:
            wrong.append((town, river, [round(c, 1) for c in found]))
    assert wrong == []


def test_no_railway_runs_over_water_but_a_causeway_or_bridge(game: str) -> None:
    m = the_map(game)
    wet = [
        m.lattice.hexside_label(side)
        for side in m.line_steps
        if not (dry(m, side.a) and dry(m, side.b))
        or (WET_SIDES & m.side_kinds.get(side, frozenset()))
        - (RAIL_OVER_WATER if RAIL_OVER_WATER & m.side_kinds.get(side, frozenset()) else frozenset())
    ]
    assert wet == []


def test_every_port_touches_the_sea(game: str) -> None:
    m = the_map(game)
    ports = [p for p in m.places if "port" in p.features]
    assert len(ports) >= 5
    assert [p.name for p in ports if not touches_sea(m, p.hex)] == []


def test_every_place_is_on_dry_land(game: str) -> None:
    m = the_map(game)
    assert [p.name for p in m.places if not dry(m, p.hex)] == []


def test_every_hex_has_a_country_or_is_water(game: str) -> None:
    m = the_map(game)
    country = m.grid["country"].values
    assert [m.lattice.label(h) for h in m.hexes if dry(m, h) != (h in country)] == []


def test_borders_part_two_countries(game: str) -> None:
    m = the_map(game)
    country = m.grid["country"].values
    for run in m.side_runs:
        if run.kind == "border":
            assert [s for s in run.sides if country[s.a] == country[s.b]] == []


def test_water_hexsides_are_listed_between_dry_hexes_only(game: str) -> None:
    m = the_map(game)
    water = {"sea", "lake"}
    sides = [s for s, kinds in m.side_kinds.items() if kinds & water]
    unread = [s for s in sides if not (dry(m, s.a) and dry(m, s.b))]
    assert len(unread) <= 6, [m.lattice.hexside_label(s) for s in unread]


def test_every_feature_says_on_whose_word_it_stands(game: str) -> None:
    m = the_map(game)
    features = [*m.places, *m.side_runs, *m.lines, *m.areas, *m.edges]
    assert {f.source for f in features} <= {"rule", "derived", "editorial"}
    assert all(f.rule for f in features if f.source == "rule")


def test_lines_step_from_hex_to_neighbour(game: str) -> None:
    for line in the_map(game).lines:
        assert all(adjacent(a, b) for a, b in zip(line.hexes, line.hexes[1:], strict=False)), line.name


def test_the_cities_of_the_soviet_union_hang_together_by_land(game: str) -> None:
    m = the_map(game)
    mainland = reachable(m, place(game, "Moscow").hex)
    cities = [
        p
        for p in m.places
        if p.kind in ("major-city", "city") and m.grid["country"].values[p.hex] == "soviet-union"
    ]
    assert len(cities) >= 8
    assert [p.name for p in cities if p.hex not in mainland] == []


def test_files_are_small_enough_to_load_fast(game: str) -> None:
    from tests.places import REPOSITORY

    size = sum(f.stat().st_size for f in (REPOSITORY / "maps" / game).glob("*.yaml"))
    assert size < 350_000
