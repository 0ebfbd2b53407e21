"""The example game as it is read, and every game in the box."""

from __future__ import annotations

import re
import shutil
from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path

import pytest

from fieldpost import data
from fieldpost.definition import DefinitionError, Game, games_in_the_box, load, load_map
from fieldpost.definition.model import Provenance
from fieldpost.definition.scenariomodel import PlacedMarker, PlacedUnit
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Compass, Hexside
from tests import pace
from tests.fieldpost.definition.patching import EXAMPLE, change, copy_of_example

BOX = games_in_the_box()
MAPS = sorted(path.parent.name for path in data.path("maps").glob("*/map.yaml"))


@pytest.fixture(scope="module")
def game() -> Game:
    return load(EXAMPLE)


def test_a_path_may_be_text_or_a_path(game: Game) -> None:
    assert load(f"{EXAMPLE}/") == game


def test_alike_counters_get_numbers(game: Game) -> None:
    assert [c.id for c in game.counters if c.type == "red-infantry"] == [
        "MilR-1",
        "MilR-2",
        "MilR-3",
        "FerryR",
    ]
    assert {game.counter[f"MilR-{n}"].label for n in (1, 2, 3)} == {"M"}


def test_a_unit_is_as_its_group_says_unless_it_says_else(game: Game) -> None:
    assert game.counter["1B"].steps == ("4-5-4", "2-3-4")
    assert game.counter["3B"].steps == ("3-4-4", "1-2-4")
    assert game.counter["1B"].nationality == "blue-guard"
    assert game.counter["1B"].group == "Blue infantry"
    assert game.counter["1B"].provenance == Provenance("owner")
    assert game.counter["FerryR"].traits == ("ferryman",)


def test_values_are_of_the_types_the_classes_say(game: Game) -> None:
    assert game.unit_type["blue-tanks"].stacking == Fraction(1, 2)
    assert game.unit_type["blue-headquarters"].values == {"supply-range": 4}
    assert game.unit_type["blue-headquarters"].zoc is False
    assert game.turn[5].events == ("Red Guns enter",)
    assert game.map.hex_km == 0.5


def test_cells_of_a_chart_are_as_written(game: Game) -> None:
    assert game.table["terrain-effects"].cell("forest", "wheels") == "2"
    assert game.table["terrain-effects"].cell("road", "wheels") == "1/2"
    assert game.table["terrain-effects"].cell("river", "foot") == "no"
    assert game.table["combat-results"].row("6") == {
        "1:2": "-",
        "1:1": "DR",
        "2:1": "D1",
        "3:1": "DE",
        "4:1": "DE",
    }


def test_a_bare_word_stands_for_a_unit_or_marker(game: Game) -> None:
    at = {placement.hex: placement.units for placement in game.scenario["dawn"].set_up}
    assert at["0402"] == (PlacedUnit("2B"),)
    assert at["0702"] == (PlacedUnit("MilR-2", 2, (PlacedMarker("disordered"),)),)
    assert at["0504"] == (PlacedUnit("FerryR", 1, (PlacedMarker("ferry-landing", 2),)),)


def test_the_map_lies_as_its_letters_do(game: Game) -> None:
    map_ = game.map
    named = {map_.lattice.label(hex_): terrain for hex_, terrain in map_.terrain.items()}
    assert len(named) == 42
    assert named["0201"] == "forest"
    assert named["0601"] == "hill"
    assert named["0702"] == "hill"
    assert named["0105"] == "hill"
    assert [label for label, terrain in named.items() if terrain == "hill"] == [
        "0601",
        "0702",
        "0105",
        "0206",
    ]


def test_rivers_roads_places_and_edges_are_read(game: Game) -> None:
    map_ = game.map
    ferry = map_.lattice.hexside("0504/0403")
    assert map_.side_kinds[ferry] == {"ferry"}
    assert map_.side_kinds[map_.lattice.hexside("0405/0506")] == {"river"}
    road = Hexside.between(map_.lattice.hex("0603"), map_.lattice.hex("0504"))
    assert map_.line_steps[road] == {"road"}
    (house,) = map_.places_at[map_.lattice.hex("0504")]
    assert (house.name, house.values) == ("Ferry House", {"victory": 5})
    assert map_.grid["terrain"].because[map_.lattice.hex("0504")].rule == "6.1"
    (east,) = map_.edges
    assert (east.id, east.side, len(east.hexes)) == ("E", Compass.EAST, 6)
    assert set(east.hexes) == map_.lattice.edge(map_.hexes, Compass.EAST)
    assert len(map_.area["blue-bank"].hexes) == 9


def test_a_list_of_labels_may_be_a_list_or_a_text(game: Game) -> None:
    blue, red = game.scenario["dawn"].supply_sources
    assert blue.hexes == ("0101",)
    assert red.hexes == ("0701", "0706")


def test_what_was_read_cannot_be_changed(game: Game) -> None:
    with pytest.raises(FrozenInstanceError):
        game.title = "Another"  # type: ignore[misc]
    with pytest.raises(TypeError):
        game.counter["1B"].values["new"] = 1  # type: ignore[index]


def test_the_map_alone_needs_no_game(tmp_path: Path) -> None:
    folder = copy_of_example(tmp_path)
    (folder / "game.yaml").unlink()
    assert load_map(folder) == load(EXAMPLE).map


def test_only_the_map_and_its_grids_must_be_there(tmp_path: Path) -> None:
    folder = copy_of_example(tmp_path)
    for name in ("places", "hexsides", "lines", "areas"):
        (folder / "map" / f"{name}.yaml").unlink()
    map_ = load_map(folder)
    assert len(map_.hexes) == 42
    assert (map_.places, map_.side_runs, map_.lines, map_.areas, map_.edges) == ((), (), (), (), ())


def test_quoted_digits_are_text_and_bare_ones_numbers(tmp_path: Path) -> None:
    folder = copy_of_example(tmp_path)
    change(folder / "counters.yaml", 'label: "1"', 'label: "1", values: {a: 1, b: "1", c: 1/3, d: x}')
    assert load(folder).counter["1B"].values == {"a": 1, "b": "1", "c": Fraction(1, 3), "d": "x"}


def test_a_hexside_beside_the_map_needs_one_hex_on_it(tmp_path: Path) -> None:
    folder = copy_of_example(tmp_path)
    change(folder / "map" / "map.yaml", "low: 1, high: 7", "low: 1, high: 9")
    change(folder / "map" / "hexsides.yaml", "sides: 0403/0504", "sides: 0403/0504 0701/0801")
    load(folder)
    change(folder / "map" / "hexsides.yaml", "0701/0801", "0801/0901")
    with pytest.raises(DefinitionError, match="neither hex of 0801/0901 is on the map"):
        load(folder)


def test_the_neighbours_named_at_a_gap_are_those_on_the_map(tmp_path: Path) -> None:
    folder = copy_of_example(tmp_path)
    change(folder / "map" / "lines.yaml", "hexes: 0101-0201", "hexes: 0101-0301-0201")
    with pytest.raises(DefinitionError) as caught:
        load(folder)
    assert caught.value.problems[0].expected == "one of the neighbours of 0101: 0201, 0102"


def test_labels_with_hyphens_keep_them(tmp_path: Path) -> None:
    folder = copy_of_example(tmp_path)
    change(folder / "map" / "map.yaml", "order: CCRR", 'separator: "-"')
    for name in ("places", "hexsides", "lines", "areas", "grids"):
        path = folder / "map" / f"{name}.yaml"
        spaced = re.sub(r"(?<=\d)-(?=\d)", " ", path.read_text())
        path.write_text(re.sub(r"\b(0\d)(0\d)\b", r"\1-\2", spaced))
    map_ = load_map(folder)
    assert map_.lattice.label(map_.lines[0].hexes[1]) == "02-01"
    assert len(map_.lines[0].hexes) == 5


def test_a_game_in_the_box_bears_the_name_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("games", "counters", "maps"):
        (tmp_path / kind).mkdir()
    shutil.copytree(
        EXAMPLE, tmp_path / "games" / "mine", ignore=shutil.ignore_patterns("map", "counters.yaml")
    )
    shutil.copytree(EXAMPLE / "map", tmp_path / "maps" / "mine")
    shutil.copy(EXAMPLE / "counters.yaml", tmp_path / "counters" / "mine.yaml")
    monkeypatch.setattr(data, "root", lambda: tmp_path)
    with pytest.raises(DefinitionError, match="the game in mine/ is called 'ferry-at-dawn'"):
        load("mine")
    change(tmp_path / "games" / "mine" / "game.yaml", "id: ferry-at-dawn", "id: mine")
    assert load("mine").title == "Ferry at Dawn"


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    folder = copy_of_example(tmp_path)
    for path in folder.rglob("*.yaml"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load(folder) == load(EXAMPLE)


@pytest.mark.parametrize(
    "name", ["wxm", "no/such/folder", "", "..", "~nosuchuser/x", "~", "x" * 5000, "/dev/null", "a\x00b"]
)
def test_a_game_that_is_not_there_is_an_error_a_user_can_read(name: str) -> None:
    with pytest.raises(FieldpostError, match="there is no game"):
        load(name)


def test_a_misspelt_game_is_guessed() -> None:
    with pytest.raises(FieldpostError) as caught:
        load("wmf")
    assert "Did you mean wfm?" in str(caught.value)


@pytest.mark.parametrize("name", BOX)
def test_every_game_in_the_box_is_without_fault(name: str) -> None:
    assert load(name).id == name


@pytest.mark.parametrize("name", MAPS)
def test_every_map_in_the_box_is_without_fault(name: str) -> None:
    map_ = load_map(name)
    assert map_.id == name
    assert len({map_.lattice.label(hex_) for hex_ in map_.hexes}) == len(map_.hexes) > 0


@pytest.mark.parametrize("name", BOX)
def test_a_game_loads_quickly(name: str) -> None:
    load(name)
    assert pace.best(lambda: load(name), within=1.0)  # 0.25 s on an idle machine


def test_a_list_of_rules_written_for_an_older_version_is_still_read(tmp_path: Path) -> None:
    game = copy_of_example(tmp_path)
    change(game / "rules.yaml", "own phases.}", "own phases., kind: constraint, phase: [all]}")
    assert load(game).rules
