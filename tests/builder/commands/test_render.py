from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from fieldpost.cli import main

EXAMPLE = str(Path(__file__).resolve().parents[3] / "examples" / "first-game")


def test_render_counters_writes_a_sheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "counters", EXAMPLE, "-o", str(tmp_path / "out"), "--size", "60"]) == 0
    (written,) = (tmp_path / "out").iterdir()
    assert written.name in capsys.readouterr().out
    assert Image.open(written).width > 600


def test_render_counters_writes_a_pdf(tmp_path: Path) -> None:
    assert main(["render", "counters", EXAMPLE, "-o", str(tmp_path), "--pdf"]) == 0
    (written,) = tmp_path.iterdir()
    assert written.read_bytes().startswith(b"%PDF-")


def test_render_counters_writes_each_face(tmp_path: Path) -> None:
    assert main(["render", "counters", EXAMPLE, "-o", str(tmp_path), "--pieces", "--size", "100"]) == 0
    (folder,) = tmp_path.iterdir()
    sizes = {Image.open(file).size for file in folder.iterdir()}
    assert sizes == {(100, 100)}
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize("size", ["10", "5000"])
def test_a_size_out_of_reason_ends_with_status_2(
    size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", "counters", EXAMPLE, "-o", str(tmp_path), "--size", size]) == 2
    assert "cannot be" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_ends_with_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["render", "counters", EXAMPLE, "-o", str(tmp_path / "file" / "out")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_an_unknown_game_ends_with_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "counters", "no-such-game", "-o", str(tmp_path)]) == 2
    assert "no-such-game" in capsys.readouterr().err


def test_render_map_writes_a_picture(tmp_path: Path) -> None:
    assert main(["render", "map", EXAMPLE, "-o", str(tmp_path), "--hex", "40", "--png", "--bare"]) == 0
    (written,) = tmp_path.iterdir()
    assert written.name == "ferry-at-dawn-map.png"
    assert Image.open(written).width > 200


def test_an_unknown_map_style_ends_with_status_2(tmp_path: Path) -> None:
    assert main(["render", "map", EXAMPLE, "-o", str(tmp_path), "--style", "baroque"]) == 2
