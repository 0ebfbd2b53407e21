"""A module with faults planted comes out mended, each repair is said, and no piece is lost or changed."""

from __future__ import annotations

import re
import zipfile
from html import escape, unescape
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from builder.taken import rebuild, standins, take_apart
from fieldpost.cli import main
from fieldpost.vassal import archive, inspection, steps
from fieldpost.vassal.grid import Size
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_pieces import Definition
from fieldpost.vassal.pieces import TraitText, add
from fieldpost.vassal.table import Table
from tests import oracle_files

GONE = ("images/red_inf.png", "battle.vsav")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture, a set-up and a prototype missing, a piece without an id, one with another's."""
    with zipfile.ZipFile(oracle_files.MODULE) as opened:
        entries = {name: opened.read(name) for name in opened.namelist() if name not in GONE}
    text = entries["buildFile.xml"].decode()
    ids = re.findall(r' gpid="(\d+)"', text)
    text = text.replace(f' gpid="{ids[0]}"', ' gpid=""', 1).replace(
        f' gpid="{ids[1]}"', f' gpid="{ids[2]}"', 1
    )
    name = next(iter(Module.read(oracle_files.MODULE).prototypes))
    text = text.replace(f'PrototypeDefinition name="{name}"', f'PrototypeDefinition name="{name} of old"')
    path = tmp_path_factory.mktemp("broken") / "broken.vmod"
    path.write_bytes(archive.pack({**entries, "buildFile.xml": text.encode()}))
    return path


def broken_kinds(path: Path) -> set[str]:
    return {problem.kind for problem in inspection.inspect(path).problems if problem.weight == "broken"}


def test_nothing_is_broken_after_import_and_build(broken: Path, tmp_path: Path) -> None:
    assert broken_kinds(broken) == {"missing-picture", "missing-setup", "dangling-prototype", "double-id"}
    taken = take_apart.take(broken, tmp_path / "data")
    made = rebuild.make(tmp_path / "data", tmp_path)
    assert broken_kinds(made.path) == set()
    assert len(taken.repaired) == 4
    said = (tmp_path / "data" / "CONFIRM.md").read_text(encoding="utf-8")
    assert all(f"- {line}" in said for line in taken.repaired)


def test_pieces_are_as_they_were_but_for_their_ids(broken: Path, tmp_path: Path) -> None:
    take_apart.take(broken, tmp_path / "data")
    before, after = Module.read(broken), Module.read(rebuild.make(tmp_path / "data", tmp_path).path)
    assert [(slot.name, slot.definition) for slot in after.slots] == [
        (slot.name, slot.definition) for slot in before.slots
    ]
    ids = [slot.gpid for slot in after.slots]
    assert len(set(ids)) == len(ids)
    assert all(ids)
    kept = [new for old, new in zip(before.slots, ids, strict=True) if old.gpid == new]
    assert len(kept) == len(ids) - 2
    assert after.root.integer("nextPieceSlotId") > max(map(int, ids))


def test_a_sheet_in_place_of_a_board_holds_all_that_stands_on_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(oracle_files.MODULE) as opened:
        entries = {name: opened.read(name) for name in opened.namelist() if name != "images/board.png"}
    path = tmp_path / "boardless.vmod"
    path.write_bytes(archive.pack(entries))
    take_apart.take(path, tmp_path / "data")
    made = rebuild.make(tmp_path / "data", tmp_path)
    module = Module.read(made.path)
    [main_map] = [one for one in module.maps if any(board.image == "board.png" for board in one.boards)]
    table = Table.of(steps.of(archive.member(made.path.read_bytes(), "", "battle.vsav")))
    places = [piece.place for piece in table.pieces.values() if piece.place.map == main_map.name]
    assert places
    assert all(module.locate(main_map.name, place.x, place.y).board for place in places)


def test_taken_as_it_is_a_module_stays_broken(
    broken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", str(broken), "-o", str(tmp_path / "data"), "--as-is"]) == 0
    assert "repaired" not in capsys.readouterr().out
    made = rebuild.make(tmp_path / "data", tmp_path)
    assert Module.read(made.path).root == Module.read(broken).root


def test_an_extension_is_not_taken_for_a_broken_module(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "more.vmdx"
    text = (
        '<VASSAL.build.module.ModuleExtension module="Big Game" version="1.0"><VASSAL.build.widget.PieceSlot '
        'entryName="tank" gpid="ab:1">+/null/prototype;Tank\tpiece;;;of-the-game.png;tank/\tnull;0;0;ab:1;0'
        "</VASSAL.build.widget.PieceSlot></VASSAL.build.module.ModuleExtension>"
    )
    path.write_bytes(archive.pack({"buildFile.xml": text.encode(), "extensiondata": b"<data/>"}))
    assert broken_kinds(path) == set()
    assert main(["import", str(path), "-o", str(tmp_path / "data")]) == 2
    assert "is an extension of Big Game, not a module" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def test_markers_get_ids_too(tmp_path: Path) -> None:
    with zipfile.ZipFile(oracle_files.MODULE) as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    text = entries["buildFile.xml"].decode()
    slot = re.search(r">\+/null/[^<]*</VASSAL.build.widget.PieceSlot>", text)
    assert slot is not None
    definition = Definition.read(unescape(slot.group(0)[1:].partition("<")[0]))
    assert definition is not None
    old = Definition((TraitText("placemark;Mark;;;"), *definition.traits), definition.basic)
    marked = f">{escape(add(None, old.type, old.state))}</VASSAL.build.widget.PieceSlot>"
    changed = text.replace(slot.group(0), marked, 1)
    path = tmp_path / "old.vmod"
    path.write_bytes(archive.pack({**entries, "buildFile.xml": changed.encode()}))
    taken = take_apart.take(path, tmp_path / "data")
    again = Module.read(rebuild.make(tmp_path / "data", tmp_path).path)
    marks = [
        t.type for s in again.slots if s.definition for t in s.definition.traits if "placemark" in t.type
    ]
    assert any(re.fullmatch(r"placemark;Mark;;;;0;0;false;;;\d+", mark) for mark in marks), marks
    assert len(taken.repaired) == 1


@pytest.mark.parametrize(
    ("name", "format"), [("a.png", "PNG"), ("a.JPG", "JPEG"), ("a.gif", "GIF"), ("a", "PNG")]
)
def test_a_sheet_is_of_the_format_that_its_name_says(name: str, format: str) -> None:
    with Image.open(BytesIO(standins.sheet(name, Size(40, 30)))) as picture:
        assert (picture.format, picture.size) == (format, (40, 30))


def test_names_that_lead_out_of_the_folder_get_no_sheet() -> None:
    module = Module.read(oracle_files.MODULE)
    names = {"../a.png", "/etc/a.png", "c:\\a.png", "a\nb.png", "x" * 200}
    assert standins.pictures(module, BytesIO(), "the module", names) == {}
    assert standins.charts(names) == {}
