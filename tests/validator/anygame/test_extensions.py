"""Pieces of extensions look in a replay as they would from the module."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from desk import judging
from fieldpost.cli import main
from fieldpost.vassal import archive, steps
from fieldpost.vassal.grid import Size
from fieldpost.vassal.module import Module
from tests import oracle_files
from validator.anygame.art import Art
from validator.anygame.one_log import Library
from validator.anygame.replay import Film

PICTURE = "images/red_inf.png"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The demo module, of which a prototype and a picture are in an extension."""
    with zipfile.ZipFile(oracle_files.MODULE) as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    text = entries["buildFile.xml"].decode()
    prototype = re.search(
        r"<VASSAL.build.module.PrototypeDefinition.*?</[^>]*PrototypeDefinition>", text, re.S
    )
    assert prototype is not None
    own = entries | {"buildFile.xml": text.replace(prototype[0], "").encode()}
    own.pop(PICTURE)
    (tmp_path / "game.vmod").write_bytes(archive.pack(own))
    extension(tmp_path / "game_ext" / "more.vmdx", "Oracle Demo", prototype[0], {PICTURE: entries[PICTURE]})
    return tmp_path


def extension(path: Path, module: str, inner: str, more: dict[str, bytes], target: str = "") -> None:
    text = (
        f'<VASSAL.build.module.ModuleExtension module="{module}" version="1">'
        f'<VASSAL.build.module.ExtensionElement target="{target}">'
        f"{inner}</VASSAL.build.module.ExtensionElement>"
        "</VASSAL.build.module.ModuleExtension>"
    )
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(archive.pack({"buildFile.xml": text.encode(), **more}))


def test_an_extension_in_the_folder_of_the_module_is_read_with_it(folder: Path) -> None:
    library = Library(wanted=folder / "game.vmod")
    module = library(None)
    assert module is not None
    assert module.prototypes == Module.read(oracle_files.MODULE).prototypes
    art = Art.read(folder / "game.vmod", *library.extensions(None))
    assert art.size("red_inf.png") == Art.read(oracle_files.MODULE).size("red_inf.png") is not None


def test_extensions_of_another_module_and_broken_ones_are_passed_over(folder: Path) -> None:
    extension(folder / "game_ext" / "other.vmdx", "Another Game", "", {})
    (folder / "game_ext" / "broken.vmdx").write_bytes(b"no archive")
    assert [path.name for path in Library(wanted=folder / "game.vmod").extensions(None)] == ["more.vmdx"]


def test_the_replay_shows_its_pictures(folder: Path) -> None:
    def pictures(module: Path, page: str) -> int:
        made = folder / page
        log = str(oracle_files.log("random1"))
        assert main(["replay", log, "--module", str(module), "-o", str(made)]) == 0
        return made.read_text(encoding="utf-8").count("data:image/")

    assert pictures(folder / "game.vmod", "a.html") == pictures(oracle_files.MODULE, "b.html")


def test_a_board_of_an_extension_is_drawn_under_its_pieces(folder: Path) -> None:
    """The board that the log plays on is taken out of the module and put into an extension."""
    with zipfile.ZipFile(folder / "game.vmod") as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    text = entries["buildFile.xml"].decode()
    board = re.search(r'<(\S+\.boardPicker\.Board) name="Battlefield".*?</\1>', text, re.S)
    assert board is not None
    picture = entries.pop("images/board.png")
    entries["buildFile.xml"] = text.replace(board[0], board[0].replace("Battlefield", "Plain")).encode()
    (folder / "game.vmod").write_bytes(archive.pack(entries))
    target = "VASSAL.build.module.Map:Main Map/VASSAL.build.module.map.BoardPicker"
    extension(folder / "game_ext" / "b.vmdx", "Oracle Demo", board[0], {"images/board.png": picture}, target)
    log = steps.read(oracle_files.log("random1"))
    library = Library(wanted=folder / "game.vmod")
    film = Film(Art.read(folder / "game.vmod", *library.extensions(None)), None)
    film.add("random1", log, library(None), "")
    [drawn] = film.boards["Main Map"]
    assert film.art is not None
    assert Size(drawn["w"], drawn["h"]) == film.art.size("board.png")


def test_the_page_takes_extensions_along_with_the_module(folder: Path) -> None:
    module = folder / "uploaded.vmod"
    (folder / "game.vmod").rename(module)
    given = [oracle_files.log("random1"), module, folder / "game_ext" / "more.vmdx"]
    judged = judging.judge([judging.Source(path, path.name) for path in given], judging.Asked())
    alone = judging.judge([judging.Source(path, path.name) for path in given[:2]], judging.Asked())
    assert judged.foreign is not None
    assert alone.foreign is not None
    assert judged.foreign.view["unusable"]["count"] == 0
    with_it, without = (one.pages[0].count("data:image/") for one in (judged.foreign, alone.foreign))
    assert with_it == without + 1


def test_a_module_of_another_name_is_used_and_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(folder / "game.vmod") as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    build_file = entries["buildFile.xml"].replace(b"Oracle Demo", b"Other Game")
    (folder / "other.vmod").write_bytes(archive.pack(entries | {"buildFile.xml": build_file}))
    log, page = str(oracle_files.log("random1")), str(folder / "page.html")
    said = []
    for name in ("game.vmod", "other.vmod"):
        assert main(["replay", log, "--module", str(folder / name), "-o", page]) == 0
        said.append(capsys.readouterr().err)
    assert said[0] == ""
    assert "The module is of 'Other Game', the logs are of 'Oracle Demo'." in said[1]
