"""The inset of Smolensk, ours and optional: seven hexes for each of seven of the main map (17.12, 17.13)."""

from __future__ import annotations

from collections import defaultdict

import pytest
from PIL import Image

from fieldpost.definition import Game, load, load_map
from fieldpost.definition.mapmodel import GameMap
from fieldpost.hexes import Hex, Hexside, neighbors
from tests.places import REPOSITORY


@pytest.fixture(scope="module")
def game() -> Game:
    return load("efs")


@pytest.fixture(scope="module")
def inset() -> GameMap:
    return load_map(str(REPOSITORY / "tools" / "mapgen" / "efs" / "inset"))


@pytest.fixture(scope="module")
def groups(inset: GameMap) -> dict[str, set[Hex]]:
    found: dict[str, set[Hex]] = defaultdict(set)
    for hex_, name in inset.grid["mega-hex"].values.items():
        found[name].add(hex_)
    return found


def test_each_group_is_a_hex_with_its_six_neighbours(groups: dict[str, set[Hex]]) -> None:
    assert len(groups) == 7
    for name, hexes in groups.items():
        assert any(hexes == {middle, *neighbors(middle)} for middle in hexes), name


def test_groups_lie_beside_each_other_as_their_hexes_on_the_main_map(
    game: Game, groups: dict[str, set[Hex]]
) -> None:
    main = {name: game.map.lattice.hex(name) for name in groups}
    for one, hexes in groups.items():
        beside = {n for hex_ in hexes for n in neighbors(hex_)}
        touching = {name for name, others in groups.items() if name != one and others & beside}
        assert touching == {name for name, hex_ in main.items() if hex_ in neighbors(main[one])}


def test_transition_hexes_are_those_at_the_boundary(inset: GameMap) -> None:
    rim = {hex_ for hex_ in inset.hexes if any(n not in inset.hexes for n in neighbors(hex_))}
    assert inset.area["transition"].hexes == rim
    assert len(inset.hexes) == 49
    assert len(rim) == 24


def test_the_dnieper_parts_the_same_groups_as_on_the_main_map(
    game: Game, inset: GameMap, groups: dict[str, set[Hex]]
) -> None:
    of = inset.grid["mega-hex"].values
    (river,) = inset.side_runs
    parted = {frozenset((of[side.a], of[side.b])) for side in river.sides}
    hex_ = game.map.lattice.hex
    for one in groups:
        for other in groups:
            a, b = hex_(one), hex_(other)
            if b in neighbors(a):
                wet = "river" in game.map.side_kinds.get(Hexside.between(a, b), frozenset())
                assert (frozenset((one, other)) in parted) == wet, (one, other)


def test_smolensk_stands_in_the_middle(inset: GameMap) -> None:
    places = {place.name: place for place in inset.places}
    assert inset.grid["mega-hex"].values[places["Smolensk"].hex] == "Q4224"


def test_the_module_numbers_its_hexes_as_the_small_map_does(game: Game, inset: GameMap) -> None:
    (shown,) = game.maps
    assert shown.hexes is not None
    sheet = inset.lattice.sheets[0]
    assert (shown.hexes.sheet.prefix, shown.hexes.sheet.columns, shown.hexes.sheet.rows) == (
        sheet.prefix,
        sheet.columns,
        sheet.rows,
    )
    with Image.open(REPOSITORY / "games" / "efs" / shown.image) as picture:
        for x, y in shown.hexes.anchors.values():
            assert 0 < x < picture.width
            assert 0 < y < picture.height


def test_it_is_said_to_be_ours(game: Game) -> None:
    option = next(option for option in game.options if option.id == "inset")
    assert option.default == "off"
    assert (option.note or "").startswith("Ours")
