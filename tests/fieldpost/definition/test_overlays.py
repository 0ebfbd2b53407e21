"""An overlay replaces single tables, counters, markers, hexes, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from fieldpost.definition import DefinitionError, Game, load
from fieldpost.definition.model import Provenance
from fieldpost.hexes import Hexside
from tests.fieldpost.definition.patching import EXAMPLE
from tests.places import REPOSITORY

OWNER = Provenance("owner")
ROWS = ", ".join(f"{{id: {die}, cells: [AE]}}" for die in range(1, 7))


def overlaid(tmp_path: Path, *texts: str) -> Game:
    paths = []
    for number, text in enumerate(texts):
        path = tmp_path / f"mine{number}.yaml"
        path.write_text(f"game: ferry-at-dawn\n{text}", encoding="utf-8")
        paths.append(path)
    return load(EXAMPLE, paths)


def test_an_empty_overlay_changes_nothing(tmp_path: Path) -> None:
    assert overlaid(tmp_path, "note: nothing yet") == load(EXAMPLE)


def test_a_table_is_replaced_in_its_place(tmp_path: Path) -> None:
    game = overlaid(
        tmp_path,
        f"tables: [{{id: combat-results, title: Mine, columns: ['1:1'], rows: [{ROWS}]}}]",
    )
    assert [t.id for t in game.tables] == ["combat-results", "terrain-effects"]
    assert game.table["combat-results"].cell("1", "1:1") == "AE"
    assert game.table["combat-results"].provenance == OWNER


def test_a_unit_keeps_what_the_overlay_does_not_say(tmp_path: Path) -> None:
    game = overlaid(tmp_path, "counters: [{id: TankB, steps: [6-4-8]}]")
    tank = game.counter["TankB"]
    assert (tank.steps, tank.label, tank.name, tank.provenance) == (("6-4-8",), "T", "Tank Company", OWNER)


def test_alike_units_change_together_or_one_by_one(tmp_path: Path) -> None:
    game = overlaid(tmp_path, "counters: [{id: MilR, steps: [2-2-4]}, {id: MilR-2, steps: [9-9-9]}]")
    assert [game.counter[f"MilR-{n}"].steps for n in (1, 2, 3)] == [("2-2-4",), ("9-9-9",), ("2-2-4",)]


def test_a_new_unit_needs_a_type_and_steps(tmp_path: Path) -> None:
    game = overlaid(tmp_path, "counters: [{id: 4B, type: blue-infantry, steps: [1-1-1]}]")
    assert game.counter["4B"].nationality == "blue-guard"
    with pytest.raises(DefinitionError) as caught:
        overlaid(tmp_path, "counters: [{id: TnakB, label: T}]")
    (problem,) = caught.value.problems
    assert problem.message == "there is no unit 'TnakB'"
    assert problem.nearest == "TankB"


def test_markers_and_the_turn_track_are_replaced(tmp_path: Path) -> None:
    turns = ", ".join(f"{{number: {n}, date: d{n}, season: day}}" for n in range(1, 9))
    game = overlaid(
        tmp_path,
        f"turn_track: {{turns: [{turns}]}}\n"
        "markers: [{id: disordered, name: Shaken, kind: status, faces: [{text: SHAKEN}]}]",
    )
    assert max(game.turn) == 8
    assert game.turn_track.provenance == OWNER
    assert game.marker["disordered"].name == "Shaken"
    assert game.marker["disordered"].provenance == OWNER


def test_cells_of_a_grid_are_replaced(tmp_path: Path) -> None:
    game = overlaid(tmp_path, "hexes: [{hexes: 0101 0102, grid: terrain, value: hill}]")
    label = game.map.lattice.hex
    assert game.map.terrain[label("0101")] == game.map.terrain[label("0102")] == "hill"
    assert game.map.terrain[label("0103")] == "forest"
    assert game.map.grid["terrain"].because[label("0101")].source == "owner"


def test_places_of_a_hex_are_replaced_together(tmp_path: Path) -> None:
    game = overlaid(
        tmp_path, "places: [{hex: '0403', name: New Landing, kind: village}]\nno_places: ['0702']"
    )
    label = game.map.lattice.hex
    assert [(p.name, p.source) for p in game.map.places_at[label("0403")]] == [("New Landing", "owner")]
    assert label("0702") not in game.map.places_at
    assert label("0504") in game.map.places_at


def test_a_hexside_holds_what_the_overlay_says_and_no_more(tmp_path: Path) -> None:
    game = overlaid(
        tmp_path, "hexsides: [{sides: 0403/0504 0101/0102, kinds: [river]}, {sides: 0401/0501, kinds: []}]"
    )
    side = game.map.lattice.hexside
    assert game.map.side_kinds[side("0403/0504")] == {"river"}
    assert game.map.side_kinds[side("0101/0102")] == {"river"}
    assert side("0401/0501") not in game.map.side_kinds
    assert game.map.side_kinds[side("0401/0502")] == {"river"}


def test_a_later_overlay_goes_over_an_earlier_one(tmp_path: Path) -> None:
    game = overlaid(
        tmp_path, "counters: [{id: TankB, steps: [6-4-8]}]", "counters: [{id: TankB, steps: [7-7-7]}]"
    )
    assert game.counter["TankB"].steps == ("7-7-7",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("counters: [{id: TankB, steps: [6-4]}]", "'6-4' does not fit the factors of blue-tanks"),
        ("hexes: [{hexes: '0101', grid: terrain, value: mud}]", "there is no value of terrain 'mud'"),
        ("hexes: [{hexes: '0101', grid: terain, value: hill}]", "there is no grid 'terain'"),
        ("hexes: [{hexes: '0901', grid: terrain, value: hill}]", "there is no hex '0901'"),
        ("places: [{hex: '0101', name: X, kind: town}]", "there is no place kind 'town'"),
        ("hexsides: [{sides: 0101/0103, kinds: []}]", "0101 and 0103 are not neighbours"),
        ("hexsides: [{sides: 0101/0102, kinds: [wall]}]", "there is no hexside kind 'wall'"),
        ("counters: [{id: 9B, type: tank, steps: [a]}]", "there is no unit type 'tank'"),
        ("tables: [{id: x, title: X, columns: [a], rows: [{id: 1, cells: [b, c]}]}]", "row '1' has 2 cells"),
        ("turns: []", "an overlay has no key 'turns'"),
    ],
)
def test_faults_of_an_overlay_are_told_at_their_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        overlaid(tmp_path, text)
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.file.endswith("mine0.yaml")
    assert problem.line == 2


def test_an_overlay_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.yaml"
    path.write_text("game: wfm\n")
    with pytest.raises(DefinitionError, match="this overlay is of the game 'wfm'"):
        load(EXAMPLE, [path])


def test_the_overlay_of_the_documentation_loads(tmp_path: Path) -> None:
    """docs/overlays.md shows one for the example game."""
    text = (REPOSITORY / "docs" / "overlays.md").read_text(encoding="utf-8")
    shown = text.split("```yaml\n")[1].split("```")[0]
    path = tmp_path / "mine.yaml"
    path.write_text(shown, encoding="utf-8")
    assert load(EXAMPLE, [path]) != load(EXAMPLE)


def faults(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(DefinitionError) as caught:
        overlaid(tmp_path, text)
    return [problem.message for problem in caught.value.problems]


def test_a_table_that_lacks_a_row_is_told(tmp_path: Path) -> None:
    rows = ROWS.replace("{id: 4, cells: [AE]}, ", "")
    text = f"tables: [{{id: combat-results, title: Mine, columns: ['1:1'], rows: [{rows}]}}]"
    assert faults(tmp_path, text) == ["row '4' of combat-results is not here, and the rules look it up"]


def steps(game: Game, label: str, other: str) -> frozenset[str]:
    lattice = game.map.lattice
    side = Hexside.between(lattice.hex(label), lattice.hex(other))
    return game.map.line_steps.get(side, frozenset())


def test_a_line_is_added_along_its_hexes(tmp_path: Path) -> None:
    game = overlaid(tmp_path, "lines: [{hexes: 0101-0102, kinds: [road], name: New road}]")
    assert steps(game, "0101", "0102") == {"road"}
    assert steps(game, "0101", "0201") == {"road"}


def test_a_line_is_taken_from_its_middle_and_the_rest_stays(tmp_path: Path) -> None:
    game = overlaid(tmp_path, "lines: [{hexes: 0201-0302, kinds: []}]")
    west = [len(line.hexes) for line in game.map.lines if line.name == "West road"]
    assert west == [2, 3]
    assert (steps(game, "0201", "0302"), steps(game, "0302", "0402")) == (frozenset(), {"road"})


def test_a_line_with_a_gap_or_of_no_kind_is_told(tmp_path: Path) -> None:
    assert "the line has a gap" in faults(tmp_path, "lines: [{hexes: 0101-0401, kinds: [road]}]")[0]
    assert "no line kind 'rail'" in faults(tmp_path, "lines: [{hexes: 0101-0102, kinds: [rail]}]")[0]


def test_an_area_takes_other_hexes(tmp_path: Path) -> None:
    text = "areas: [{id: blue-bank, hexes: 0101 0102}, {id: wood, name: Wood, kind: cover, hexes: '0301'}]"
    game = overlaid(tmp_path, text)
    assert {area.id: len(area.hexes) for area in game.map.areas} == {"blue-bank": 2, "wood": 1}
    assert game.map.area["blue-bank"].name == "Blue bank"
    assert faults(tmp_path, "areas: [{id: blue-bnak, hexes: '0101'}]") == ["there is no area 'blue-bnak'"]


def test_supply_sources_of_a_side_are_replaced(tmp_path: Path) -> None:
    game = overlaid(tmp_path, "supply_sources: [{scenario: dawn, side: blue, hexes: 0102 0103}]")
    sources = {source.side: source.hexes for source in game.scenario["dawn"].supply_sources}
    assert sources == {"red": ("0701", "0706"), "blue": ("0102", "0103")}
    wrong = faults(tmp_path, "supply_sources: [{scenario: dusk, side: blue, hexes: '0102'}]")
    assert wrong == ["there is no scenario 'dusk'"]
    assert faults(tmp_path, "supply_sources: [{scenario: dawn, side: blue, hexes: '9999'}]")


WFM_RESULTS = (
    "game: wfm\ntables:\n  - id: combat-results\n    title: Mine\n    columns: ['1']\n    rows:\n"
    + "".join(f"      - {{id: '{die}', cells: [NE]}}\n" for die in range(1, 11))
    + "    modifiers:\n      - {id: MODIFIER, label: Mine, cells: ['VALUE', '8.62']}\n"
)


@pytest.mark.parametrize(
    ("modifier", "value", "told"),
    [
        ("osg", "three", "the modifier 'osg' of combat-results cannot be read: 'three'"),
        ("moon", "+3", "no rule adds the modifier 'moon' of combat-results"),
    ],
)
def test_a_modifier_that_cannot_be_used_is_named(
    tmp_path: Path, modifier: str, value: str, told: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(WFM_RESULTS.replace("MODIFIER", modifier).replace("VALUE", value), encoding="utf-8")
    with pytest.raises(DefinitionError) as caught:
        load("wfm", [path])
    assert told in [problem.message for problem in caught.value.problems]
    assert "mine.yaml:18:" in str(caught.value)
