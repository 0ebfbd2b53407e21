"""What a module is made of."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from html import unescape
from pathlib import Path

import pytest

from builder.module import charts, keys, vocabulary
from builder.module.package import Options, build
from builder.module.plan import Plan
from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.vassal.module import Module
from fieldpost.vassal.pieces import TraitText

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "first-game"
WANTED = {
    "PlayerRoster": 1, "turn.TurnTracker": 1, "Inventory": 1, "NotesWindow": 1, "ChartWindow": 1,
    "PieceWindow": 2, "PredefinedSetup": 1, "map.Zoomer": 1, "map.LOS_Thread": 1, "map.GlobalMap": 1,
    "map.Flare": 1, "map.ImageSaver": 1, "map.CounterDetailViewer": 1, "map.HidePiecesButton": 1,
    "documentation.AboutScreen": 1, "documentation.HelpFile": 4, "ToolbarMenu": 3, "map.DrawPile": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def game() -> Game:
    return load(EXAMPLE)


@pytest.fixture(scope="module")
def module(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("module")
    return build(game, folder, Options(cache=folder / "cache", jobs=1)).path


@pytest.fixture(scope="module")
def tree(module: Path) -> ET.Element:
    with zipfile.ZipFile(module) as file:
        return ET.fromstring(file.read("buildFile.xml"))


def test_it_holds_what_players_expect(tree: ET.Element) -> None:
    found = Counter(node.tag.removeprefix("VASSAL.build.module.") for node in tree.iter())
    assert {name: found[name] for name in WANTED} == WANTED


def test_menus_take_in_buttons_that_exist(tree: ET.Element) -> None:
    texts = {node.get("text") or node.get("buttonText") for node in tree.iter()}
    for menu in tree.iter("VASSAL.build.module.ToolbarMenu"):
        assert set(menu.get("menuItems", "").split(",")) <= texts, menu.get("text")


def test_every_piece_of_the_palette_has_a_slot_of_its_own(game: Game, tree: ET.Element) -> None:
    slots = [node.get("gpid") for node in tree.iter("VASSAL.build.widget.PieceSlot")]
    assert len(slots) == len(set(slots)) == len(game.counters) + len(game.markers) + 1


def test_the_palette_holds_only_what_may_be_added(game: Game, tree: ET.Element) -> None:
    windows = {node.get("name"): node for node in tree.iter("VASSAL.build.module.PieceWindow")}
    assert windows["Counters in play"].get("hidden") == "true"
    offered = "".join(windows["Counters"].itertext())
    laid_out = {unit.id for scenario in game.scenarios for place in scenario.set_up for unit in place.units}
    assert laid_out
    for counter in game.counters:
        assert (f",{counter.id}," in offered) == (counter.id not in laid_out | _arriving(game)), counter.id


def _arriving(game: Game) -> set[str]:
    return {unit for scenario in game.scenarios for each in scenario.reinforcements for unit in each.units}


def test_the_numbers_of_the_slots_stay_below_the_next(tree: ET.Element) -> None:
    slots = [node.get("gpid") for node in tree.iter("VASSAL.build.widget.PieceSlot")]
    assert int(tree.get("nextPieceSlotId", "0")) > max(int(slot or 0) for slot in slots)


def test_every_picture_is_there_and_wanted(module: Path, tree: ET.Element) -> None:
    with zipfile.ZipFile(module) as file:
        pictures = {name.removeprefix("images/") for name in file.namelist() if name.startswith("images/")}
        text = file.read("buildFile.xml").decode()
    assert {name for name in pictures if name not in text} == set()


def test_all_tables_are_charts(game: Game, tree: ET.Element) -> None:
    charts = [node.get("chartName") for node in tree.iter("VASSAL.build.widget.Chart")]
    assert charts == [table.title for table in game.tables]


def test_charts_of_one_tab_lie_together_and_tell_no_path() -> None:
    wfm = load("wfm")
    assert [table.id for table in wfm.tables if table.tab == "Combat"] == ["odds", "combat-results"]
    for game in (wfm, load("lwe")):
        said = " ".join(charts.source(table.provenance) for table in game.tables)
        assert not re.search(r"\w+/\w+\.\w+|\.py\b", said)


def test_no_picture_follows_an_expression(game: Game) -> None:
    """VASSAL 3.6 evaluates one in one thread at a time, and its welcome wizard loads in a second one."""
    for each in (game, load("wfm"), load("lwe")):
        plan = Plan(each, 75, ())
        for design in (*plan.units.values(), *plan.markers.values(), plan.battle_marker):
            for trait in plan.in_play(design).traits:
                assert not (trait.type.startswith("emb2;") and "{" in trait.type), trait.type


def test_the_menu_of_a_unit_ends_with_delete() -> None:
    plan = Plan(load("wfm"), 75, ())
    for design in (plan.units["65A"], plan.units["11AK"], plan.markers["csm-c-3-5"]):
        offering = re.compile(r"(delete|clone|sendto|macro|emb2|footprint|markmoved|PROP);")
        found = [m[1] for t in plan.in_play(design).traits if (m := offering.match(t.type))]
        assert found[-1] == "delete"


def test_every_die_and_every_result_has_a_key(tree: ET.Element) -> None:
    rolls = [n for n in tree.iter() if n.tag.endswith((".DiceButton", ".DoActionButton")) and n.get("text")]
    results = [
        n for n in tree.iter() if n.tag.endswith("ChangePropertyButton") and "Result" in n.get("text", "")
    ]
    strokes = [node.get("hotkey") for node in (*rolls, *results)]
    assert len(strokes) > 5
    assert len(set(strokes)) == len(strokes)
    assert "" not in strokes


def test_help_says_every_key_of_the_pieces(module: Path) -> None:
    with zipfile.ZipFile(module) as file:
        page = file.read("help/keys.html").decode()
    for command in keys.PIECE_COMMANDS:
        told = f"<td>{command.text}</td>" in page
        assert told == (command not in (keys.OVERRUN, keys.DRAW, keys.CONCEAL, keys.REVEAL)), command.text


def test_an_overrun_is_called_as_in_the_rules() -> None:
    assert [overrun.text for name in ("wfm", "lwe") if (overrun := vocabulary.of(load(name)).overrun)] == [
        "Overrun",
        "Mobile assault",
    ]


def test_help_tells_every_phase_and_every_event_of_the_turns(game: Game, module: Path) -> None:
    with zipfile.ZipFile(module) as file:
        page = unescape(file.read("help/turns.html").decode())
    for phase in game.sequence:
        assert f"<b>{phase.name}</b>" in page
    for turn in game.turn_track.turns:
        assert f"<b>{turn.number}</b>" in page
        assert all(event in page for event in turn.events)


def test_help_tells_how_each_scenario_is_won_and_each_option(game: Game, module: Path) -> None:
    with zipfile.ZipFile(module) as file:
        page = unescape(file.read("help/winning.html").decode())
    for scenario in game.scenarios:
        assert not scenario.victory or scenario.victory.text in page
        assert not scenario.victory or all(
            f"<td>{band.result}</td>" in page for band in scenario.victory.bands
        )
    assert all(f"<b>{option.title}</b>" in page for option in game.options)


def test_help_names_every_entry_of_the_menus(module: Path, tree: ET.Element) -> None:
    with zipfile.ZipFile(module) as file:
        page = unescape(file.read("help/keys.html").decode())
    for menu in tree.iter("VASSAL.build.module.ToolbarMenu"):
        assert all(entry in page for entry in menu.get("menuItems", "").split(","))


def test_no_two_commands_of_a_piece_share_a_key() -> None:
    commands = [c for c in (*keys.PIECE_COMMANDS, keys.MARCH, keys.supplied()) if c is not keys.RETURN]
    strokes = Counter(str(command.key) for command in commands)
    assert {stroke for stroke, times in strokes.items() if times > 1} == set()


def test_a_concealed_unit_shows_its_side_only(tmp_path: Path) -> None:
    import shutil

    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "game"))
    data = (folder / "game.yaml").read_text()
    (folder / "game.yaml").write_text(data.replace("traits: [armor]", "traits: [armor, hidden]"))
    built = build(load(folder), tmp_path, Options(cache=tmp_path / "cache", jobs=1)).path
    with zipfile.ZipFile(built) as file:
        assert "images/back-blue.png" in file.namelist()
        assert "images/back-red.png" not in file.namelist()
        assert 'nonOwnerUnmaskable="Always"' in file.read("buildFile.xml").decode()
    slots = Module.read(built).slots
    types = {slot.name: _type(slot.definition.traits) for slot in slots if slot.definition}
    assert "Gveil.png" in types["Tank Company"]  # the owner's view: the face stays legible
    assert "back-blue.png" in types["Tank Company"]
    assert types["Tank Company"].index("obs;") < types["Tank Company"].index("mark;")
    assert "obs;" not in types["Guns"]


def _type(traits: tuple[TraitText, ...]) -> str:
    return "\n".join(trait.type for trait in traits)


def test_units_go_to_the_box_of_their_side_and_starred_chits_out_of_the_game() -> None:
    plan = Plan(load("wfm"), 75, ())
    assert (plan.box("eliminated", "axis"), plan.box("eliminated", "soviet")) == (
        "Axis eliminated",
        "Soviet eliminated",
    )
    starred = [t.type for t in plan.markers["csm-c-1-3"].traits if t.type.startswith(("sendto;", "return;"))]
    plain = [t.type for t in plan.markers["csm-c-3-5"].traits if t.type.startswith("return;")]
    assert any(keys.TAKE_OUT.text in text and "Starred markers out of the game" in text for text in starred)
    assert not any(text.startswith("return;") for text in starred)
    assert any("Strength C" in text for text in plain)


def test_units_without_chits_cannot_draw() -> None:
    plan = Plan(load("wfm"), 75, ())
    drawing = [keys.DRAW.text in trait.type for trait in plan.units["65A"].traits]
    assert any(drawing)
    assert not any(keys.DRAW.text in trait.type for trait in plan.units["11AK"].traits)


def test_numbers_of_the_module_have_bounds_that_the_engine_can_read(tree: ET.Element) -> None:
    """It takes a bound that is no number for 100; incomes and numbers of battles go beyond."""
    kept = list(tree.iter("VASSAL.build.module.properties.GlobalProperty"))
    assert kept
    for each in kept:
        assert int(each.get("min", "")) < 0
        assert int(each.get("max", "")) > 10_000
