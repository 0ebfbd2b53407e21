"""An inspection as a page."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from fieldpost.cli import main
from fieldpost.vassal import archive, inspection
from fieldpost.vassal.inspection_page import ADVICE
from tests import oracle_files


def page(module: Path, folder: Path) -> str:
    out = folder / "report.html"
    assert main(["inspect", str(module), "--html", str(out)]) in (0, 1)
    return out.read_text(encoding="utf-8")


def test_every_kind_of_problem_has_a_heading() -> None:
    source = Path(inspection.__file__).read_text(encoding="utf-8")
    kinds = set(re.findall(r'Problem\(\s*[A-Z]+, "([a-z-]+)"', source))
    assert len(kinds) > 15
    assert kinds <= set(ADVICE)
    assert {"picture-of-the-module", "prototype-of-the-module"} <= set(ADVICE)


def test_it_shows_maps_and_pieces_and_needs_no_network(tmp_path: Path) -> None:
    made = page(oracle_files.MODULE, tmp_path)
    assert "Main Map" in made
    assert made.count('src="data:image/webp') > 4
    assert not re.search(r'(?:src|href)="(?!data:)', made)


def test_what_is_broken_stands_with_what_to_do_and_names_are_no_markup(tmp_path: Path) -> None:
    with zipfile.ZipFile(oracle_files.MODULE) as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    entries.pop("images/red_inf.png")
    text = entries["buildFile.xml"].decode()
    entries["buildFile.xml"] = text.replace("Card table", "&lt;script&gt;alert(1)&lt;/script&gt;").encode()
    module = tmp_path / "hostile.vmod"
    module.write_bytes(archive.pack(entries))
    made = page(module, tmp_path)
    assert "Missing pictures" in made
    assert "Add a picture of this name" in made
    assert "<script" not in made


def test_a_picture_that_is_none_goes_by_its_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(oracle_files.MODULE) as opened:
        entries = {name: opened.read(name) for name in opened.namelist()}
    pictures = [name for name in entries if name.startswith("images/")]
    module = tmp_path / "noise.vmod"
    module.write_bytes(archive.pack(entries | dict.fromkeys(pictures, b"\x89PNG\r\n\x1a\n" + bytes(40))))
    assert "data:image/" not in page(module, tmp_path)


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["inspect", str(oracle_files.MODULE), "--html", str(tmp_path / "file" / "page.html")]) == 2
    assert "page.html" in capsys.readouterr().err
