"""Pictures and XML of one's own: what lint says of each thing that can be wrong with them."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from fieldpost.definition import DefinitionError, load
from fieldpost.definition.svg import SvgFault, svg_size
from fieldpost.hexes import Hex, Layout, Orientation
from fieldpost.hexes.fitting import fit

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "own-art"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "raid"))


def change(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def told(folder: Path) -> str:
    with pytest.raises(DefinitionError) as caught:
        load(folder)
    return str(caught.value)


def test_the_example_is_sound_and_knows_its_pictures() -> None:
    game = load(EXAMPLE)
    assert game.art["art/island.jpg"].width == 1060
    assert game.art["art/boot.svg"].drawing
    assert sorted(game.passed) == ["map", "module", "prototypes"]


SLIPS: list[tuple[str, str, str, str]] = [
    ("counters.yaml", "art/guard.svg", "art/gard.svg", "did you mean: art/guard.svg"),
    ("counters.yaml", "art/guard.svg", "../guard.svg", "leads out of the game's folder"),
    ("counters.yaml", "art/guard.svg", "/etc/passwd", "no path within the game's folder"),
    ("counters.yaml", "art/guard.svg", "map/map.yaml", "no kind that can be used"),
    (
        "counters.yaml",
        "[art/guard.svg, art/guard-shaken.svg]",
        "[art/guard.svg]",
        "2 printed steps and 1 image",
    ),
    ("game.yaml", "prototypes: [Lamp]", "prototypes: [Lanp]", "did you mean: Lamp"),
    ("game.yaml", "count: 2}", "count: 0}", "1 to 500"),
    ("game.yaml", "id: fog,", "id: storm,", "the card 'storm' is here a second time"),
    ("game.yaml", "name: Command\n", "name: Map\n", "another window is named 'Map'"),
    (
        "game.yaml",
        "columns: 6, rows: 4, size: 80",
        "columns: 0, rows: 4, size: 80",
        "such squares cannot be laid",
    ),
    ("game.yaml", "[20, 50, 220, 50, 220, 190, 20, 190]", "[20, 50, 220]", "this is no area"),
    (
        "map/map.yaml",
        '"0806": [768, 758]',
        '"0806": [768, 700]',
        "too wide",
    ),
    ("map/map.yaml", '"0806": [768, 758], "0801": [768, 203]', "", "do not tell where the grid lies"),
    ("map/map.yaml", '"0806": [768, 758]', '"9906": [768, 758]', "there is no hex '9906'"),
    ("map/map.yaml", '    "4": [880, 656, 168, 112]\n', "", "turn 4 has no place on the scan"),
    ("map/map.yaml", "boats: [880, 64, 168, 200]", "boat: [880, 64, 168, 200]", "did you mean: boats"),
    ("scenarios/raid.yaml", "at: C2", "at: C9", "there is no place on harbour 'C9'"),
    ("scenarios/raid.yaml", "map: harbour, at: C2", "map: harbor, at: C2", "did you mean: harbour"),
    ("xml/module.xml", "VASSAL.build.module.DoActionButton", "Button", "<Button> is no component of VASSAL"),
    ("xml/map.xml", "</map>", "", "this is no XML"),
    ("xml/prototypes.xml", ">+/null/", ">text/", "'Lamp' holds no traits"),
    (
        "art/boat.svg",
        "<path",
        '<image href="http://example.org/a.png"/><path',
        "refers to 'http://example.org",
    ),
    ("art/boat.svg", "<path", "<script>1</script><path", "<script> is no part of a picture"),
]


@pytest.mark.parametrize(("file", "old", "new", "said"), SLIPS, ids=[said for *_, said in SLIPS])
def test_a_slip_is_told_with_its_place(folder: Path, file: str, old: str, new: str, said: str) -> None:
    change(folder, file, old, new)
    text = told(folder)
    assert said in text
    assert f"{'game' if file.startswith(('art', 'xml')) else file.removesuffix('.yaml')}.yaml:" in text


def _png(size: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("1", size).save(out, "PNG")
    return out.getvalue()


PICTURES: list[tuple[str, Callable[[], bytes], str]] = [
    ("no picture", lambda: b"hello", "this is no picture that can be read"),
    ("cut off", lambda: _png((40, 40))[:60], "this is no picture that can be read"),
    ("another kind", lambda: (EXAMPLE / "art/island.jpg").read_bytes(), "a picture of the kind JPEG"),
    ("too large", lambda: _png((5000, 5000)), "at most 16 million"),
]


@pytest.mark.parametrize(("make", "said"), [row[1:] for row in PICTURES], ids=[row[0] for row in PICTURES])
def test_a_picture_that_cannot_be_used_is_refused(folder: Path, make: Callable[[], bytes], said: str) -> None:
    (folder / "art" / "alarm.png").write_bytes(make())
    assert said in told(folder)


def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "art" / "guard.svg").unlink()
    secret = tmp_path / "secret.svg"
    secret.write_bytes((EXAMPLE / "art" / "guard.svg").read_bytes())
    (folder / "art" / "guard.svg").symlink_to(secret)
    assert "leads out of the game's folder" in told(folder)


@pytest.mark.parametrize(
    "inside",
    [
        '<rect onclick="x()"/>',
        '<style>@import "a.css";</style>',
        '<rect style="fill: url(http://example.org/x)"/>',
        '<use href="other.svg#a"/>',
        "<foreignObject/>",
    ],
)
def test_a_drawing_that_is_more_than_a_drawing_is_refused(inside: str) -> None:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">{inside}</svg>'
    with pytest.raises(SvgFault):
        svg_size(text.encode())


def test_a_drawing_may_use_its_own_parts() -> None:
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="10mm"><defs><g id="a"/></defs>'
        '<use href="#a" fill="url(#b)"/></svg>'
    )
    assert svg_size(text.encode()) == (76, 38)


@pytest.mark.parametrize("orientation", list(Orientation))
def test_anchors_give_back_the_grid_they_were_read_from(orientation: Orientation) -> None:
    layout = Layout(orientation, 61.5, 70.25, 40, 33)
    hexes = [Hex(0, 0), Hex(7, 2), Hex(3, 5), Hex(6, -2)]
    fitted = fit(orientation, [(hex_, layout.exact(hex_)) for hex_ in hexes])
    assert fitted is not None
    assert (fitted.across, fitted.down, fitted.left, fitted.top) == pytest.approx((61.5, 70.25, 40, 33))
    assert max(fitted.errors) < 1e-6
