"""Modules as read: maps, locations, pieces with their prototypes, and what must be refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from fieldpost.errors import FieldpostError
from fieldpost.vassal.grid import Point
from fieldpost.vassal.grid_numbering import GridError
from fieldpost.vassal.module import Module, ModuleError
from fieldpost.vassal.module_map import Chosen, Location, chosen_boards
from fieldpost.vassal.module_pieces import Definition
from fieldpost.vassal.module_tree import parse
from fieldpost.vassal.pieces import TraitText, expand
from tests.places import Corpus

M = "VASSAL.build.module."
B = M + "map.boardPicker."
HEX = (
    f'<{B}board.HexGrid dx="55.5" dy="64.0" x0="40" y0="40">'
    f'<{B}board.mapgrid.HexGridNumbering stagger="false"/></{B}board.HexGrid>'
)
BUILD_FILE = f"""<?xml version="1.0" encoding="UTF-8"?>
<VASSAL.build.GameModule name="Small War" version="1.2" VassalVersion="3.7.5">
  <{M}PlayerRoster><entry>Blue</entry><entry>Red</entry></{M}PlayerRoster>
  <{M}PrototypesContainer>
    <{M}folder.PrototypeFolder name="Units">
      <{M}PrototypeDefinition name="Unit">+/null/cmt;a comment\t\
prototype;Mover\\\tmark;Side\\\\\tpiece;;;;/\t\\\tBlue\\\\\tnull;0;0;;0</{M}PrototypeDefinition>
    </{M}folder.PrototypeFolder>
    <{M}PrototypeDefinition name="Mover">+/null/delete;Delete;68,130;\tpiece;;;;/\tnull;0;0;;0\
</{M}PrototypeDefinition>
    <{M}PrototypeDefinition name="Loop">+/null/prototype;Loop\tpiece;;;;/\tnull;0;0;;0\
</{M}PrototypeDefinition>
  </{M}PrototypesContainer>
  <{M}turn.TurnTracker name="Turn" turnFormat="$level1$">
    <{M}turn.CounterTurnLevel name="Turn" property="TurnNo" start="3" incr="2" loop="true" loopLimit="9">
      <{M}turn.ListTurnLevel name="Phase" property="Phase" list="Move,Fire\\,Melee,End"/>
    </{M}turn.CounterTurnLevel>
  </{M}turn.TurnTracker>
  <{M}DiceButton name="2d6" nDice="2" nSides="6"/>
  <{M}Map mapName="Front" edgeWidth="10" edgeHeight="20">
    <{M}map.BoardPicker>
      <{B}Board name="West" width="300" height="200">{HEX}</{B}Board>
      <{B}Board name="East" image="east.png">{HEX}</{B}Board>
      <setup>FrontBoardPicker\tWest\t0\t0\tEast\t1\t0</setup>
    </{M}map.BoardPicker>
    <{M}map.DrawPile name="Chits" owningBoard="East" x="5" y="6"><VASSAL.build.widget.CardSlot gpid="7"
      entryName="Chit">+/null/piece;;;c.png;Chit/null;0;0;7;0</VASSAL.build.widget.CardSlot></{M}map.DrawPile>
    <{M}map.SetupStack name="Start" owningBoard="West" useGridLocation="true" location="0203"/>
    <{M}properties.GlobalProperties><{M}properties.GlobalProperty name="Weather" initialValue="Mud"/>
    </{M}properties.GlobalProperties>
  </{M}Map>
  <{M}PrivateMap><{M}map.BoardPicker><{B}Board name="Pool" width="50" height="50"/></{M}map.BoardPicker>
  </{M}PrivateMap>
  <{M}PieceWindow name="Pieces"><VASSAL.build.widget.ListWidget entryName="Blue">
    <VASSAL.build.widget.PieceSlot gpid="1" entryName="1st">+/null/prototype;Unit\t\
emb2;x\\\tpiece;;;a\\/b.png;1st/\t1\\\tnull;0;0;1;0</VASSAL.build.widget.PieceSlot>
  </VASSAL.build.widget.ListWidget></{M}PieceWindow>
  <{M}PredefinedSetup name="Menu" isMenu="true">
    <{M}PredefinedSetup name="June" useFile="true" file="june.vsav"/>
  </{M}PredefinedSetup>
  <com.example.Weather strength="7"/>
</VASSAL.build.GameModule>"""


def packed(build_file: str, **others: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("buildFile.xml", build_file)
        for name, data in others.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def picture(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("P", (width, height)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture(scope="module")
def module() -> Module:
    return Module.parse(packed(BUILD_FILE, **{"images/east.png": picture(400, 200)}), "small.vmod")


def test_a_module_says_who_it_is(module: Module) -> None:
    assert (module.name, module.version, module.engine) == ("Small War", "1.2", "3.7.5")
    assert module.sides == ("Blue", "Red")


def test_maps_are_numbered_in_order_and_named(module: Module) -> None:
    assert [(one.ident, one.name) for one in module.maps] == [("Map0", "Front"), ("Map1", "Map1")]
    assert module.map("Map0") is module.map("Front")
    with pytest.raises(ModuleError, match="no map 'Rear'"):
        module.map("Rear")


def test_a_board_is_as_large_as_its_picture(module: Module) -> None:
    assert [board.size for board in module.map("Front").boards] == [(300, 200), (400, 200)]


def test_boards_lie_side_by_side_behind_the_edge(module: Module) -> None:
    assert module.locate("Front", 10 + 40, 20 + 40) == Location("West", None, "0101")
    assert module.locate("Front", 310 + 40, 20 + 40) == Location("East", None, "0101")
    assert module.locate("Front", 5, 5) == Location(None, None, None)
    assert module.locate("Front", 10**12, 0) == Location(None, None, None)


def test_a_named_board_stands_alone_at_the_corner(module: Module) -> None:
    assert module.locate("Front", 50, 60, board="East").board == "East"


def test_a_label_leads_to_its_pixel(module: Module) -> None:
    assert module.pixel("Front", "0304") == Point(10 + 40 + 111, 20 + 40 + 3 * 64)
    with pytest.raises(GridError):
        module.pixel("Front", "nowhere")


def test_a_deck_names_the_point_it_stands_on(module: Module) -> None:
    assert module.locate("Front", 10 + 300 + 5, 20 + 6).label == "Chits"


def test_a_reversed_board_is_named_from_its_other_end(module: Module) -> None:
    layout = module.map("Front").layout([Chosen("West", reversed=True)])
    assert layout.locate(10 + 300 - 40, 20 + 200 - 40).label == "0101"
    assert layout.pixel("0101") == Point(270, 180)


def test_a_game_names_its_boards() -> None:
    command = "FrontBoardPicker\tEast/rev\t1\t0\tWest\t0\t2"
    assert chosen_boards(command) == (Chosen("East", 1, 0, True), Chosen("West", 0, 2))
    assert chosen_boards("FrontBoardPicker") == ()


def test_huge_board_columns_cost_nothing(module: Module) -> None:
    layout = module.map("Front").layout(chosen_boards("FrontBoardPicker\tWest\t0\t0\tEast\t99999\t99999"))
    assert layout.locate(50, 60).board == "West"


def test_prototypes_are_written_out_and_comments_dropped(module: Module) -> None:
    slot = module.slot("1")
    assert slot is not None
    piece = module.definition(slot)
    assert piece is not None
    assert piece.traits == (("delete;Delete;68,130;", ""), ("mark;Side", "Blue"), ("emb2;x", "1"))
    assert piece.basic == ("piece;;;a/b.png;1st", "null;0;0;1;0")
    assert (piece.image, piece.name) == ("a/b.png", "1st")


def test_a_prototype_within_itself_ends(module: Module) -> None:
    assert list(expand(module.prototypes["Loop"], module.prototypes, ("Loop",))) == [("prototype;Loop", "")]


def test_slots_know_their_way(module: Module) -> None:
    assert [(slot.gpid, slot.name, slot.path) for slot in module.slots] == [
        ("7", "Chit", ("Small War", "Front", "Chits")),
        ("1", "1st", ("Small War", "Pieces", "Blue")),
    ]


def test_decks_and_stacks_stand_where_the_module_says(module: Module) -> None:
    (deck,) = module.map("Front").decks
    assert (deck.name, deck.board, deck.x, deck.y) == ("Chits", "East", 5, 6)
    (stack,) = module.map("Front").stacks
    assert (stack.board, stack.location) == ("West", "0203")


def test_turn_levels_nest(module: Module) -> None:
    (tracker,) = module.turn_trackers
    (turn,) = tracker.levels
    assert (tracker.ident, turn.start, turn.step, turn.loop_limit) == ("TurnTracker0", 3, 2, 9)
    assert turn.levels[0].values == ("Move", "Fire,Melee", "End")


def test_dice_setups_and_properties_are_listed(module: Module) -> None:
    assert [(die.name, die.count, die.sides) for die in module.dice] == [("2d6", 2, 6)]
    assert [(setup.name, setup.file) for setup in module.setups] == [("June", "june.vsav")]
    assert [(p.name, p.value, p.container) for p in module.properties] == [("Weather", "Mud", "Front")]


def test_unknown_components_are_kept(module: Module) -> None:
    (weather,) = module.root.all("com.example.Weather")
    assert weather.attributes == {"strength": "7"}


@pytest.mark.parametrize(
    ("setting", "value"), [("dx", "0"), ("dy", "nan"), ("dx", "1e999"), ("x0", "x"), ("dy", "-3")]
)
def test_absurd_grids_do_no_harm(setting: str, value: str) -> None:
    build_file = BUILD_FILE.replace('dx="55.5" dy="64.0" x0="40"', f'{setting}="{value}"')
    module = Module.of(parse(build_file.encode(), "absurd"))
    assert module.locate("Front", 50, 60).board == "West"


def test_a_build_file_with_entities_is_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbb">]><VASSAL.build.GameModule name="&b;"/>'
    with pytest.raises(ModuleError, match="entities"):
        Module.parse(packed(bomb), "bomb.vmod")


def test_entities_hidden_in_another_encoding_are_refused() -> None:
    bomb = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY b "bb">]><a name="&b;"/>'
    with pytest.raises(ModuleError):
        parse(bomb.encode("utf-16"), "bomb")


def test_broken_xml_says_where() -> None:
    with pytest.raises(ModuleError, match="line 2, column"):
        Module.parse(packed("<VASSAL.build.GameModule>\n<a></b></VASSAL.build.GameModule>"), "x.vmod")


def test_absurd_depth_is_refused() -> None:
    deep = "<a>" * 5000 + "</a>" * 5000
    with pytest.raises(ModuleError):
        parse(deep.encode(), "deep")


def test_an_archive_without_build_file_is_no_module() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("readme", "hello")
    with pytest.raises(FieldpostError, match="no build file"):
        Module.parse(buffer.getvalue(), "x.vmod")


def test_a_missing_file_is_told_plainly(tmp_path: Path) -> None:
    with pytest.raises(FieldpostError, match=r"absent\.vmod"):
        Module.read(tmp_path / "absent.vmod")


def test_every_module_of_strangers_is_read(corpus: Corpus) -> None:
    read = [Module.read(path) for path in corpus.files("vmod")]
    assert len(read) >= 8
    for module in read:
        assert module.root.children
        for slot in module.slots:
            assert module.definition(slot) is not None
        for game_map in module.maps:
            assert game_map.usual.locate(100, 100).board is not None


def test_a_long_chain_of_prototypes_ends_without_a_crash() -> None:
    chain = {str(n): (TraitText(f"prototype;{n + 1}"),) for n in range(5000)}
    assert len(list(expand(chain["0"], chain))) == 1


def test_prototypes_that_double_do_not_fill_the_memory() -> None:
    doubling = {str(n): (TraitText(f"prototype;{n + 1}"),) * 2 for n in range(60)}
    piece = Definition(doubling["0"], TraitText("piece;;;;"))
    assert len(piece.expanded(doubling).traits) == 10_000
