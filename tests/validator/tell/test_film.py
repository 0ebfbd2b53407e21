"""The front as moving pictures: what they show, in which order, how long, within which size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, distance
from tests.fieldpost.commands.running import run
from tests.places import REPOSITORY
from tests.validator.tell.telling import WFM
from validator.tell import film
from validator.tell.stills import Still, territory, thinned

Capture = pytest.CaptureFixture[str]
SHEET = REPOSITORY / "examples" / "samples" / "turning-point" / "game.txt"
SCENARIO = WFM.scenario["turning-point"]
ACTIVE = {phase.id: phase.active for phase in WFM.sequence}


def at(label: str) -> Hex:
    return WFM.map.lattice.hex(label, "E")


def still(turn: int, phase: str, **units: str) -> Still:
    return Still(turn, phase, {at(label.removeprefix("h")): ((side, 1),) for label, side in units.items()})


# --- which pictures ---


def test_few_phases_are_all_shown() -> None:
    stills = [still(22, phase.id, h4708="soviet") for phase in WFM.sequence]
    assert thinned(stills, ACTIVE, 80) == stills


def test_of_many_phases_each_sides_part_of_a_turn_is_shown_with_its_battles() -> None:
    first, second = still(22, "axis-move", h4708="soviet"), still(22, "axis-combat", h4709="axis")
    battle = replace(first, battles=(at("4708"),))
    shown = thinned([battle, second, still(22, "sov-move")], ACTIVE, 2)
    assert [(one.phase, one.battles) for one in shown] == [("axis-combat", (at("4708"),)), ("sov-move", ())]


def test_of_very_many_phases_each_turn_is_shown() -> None:
    stills = [still(turn, phase.id) for turn in range(1, 11) for phase in WFM.sequence]
    assert [one.turn for one in thinned(stills, ACTIVE, 12)] == list(range(1, 11))


# --- the line between the sides ---


def test_land_goes_to_the_side_whose_units_are_nearest() -> None:
    hexes = [hex_ for hex_ in WFM.map.hexes if distance(hex_, at("4910")) <= 6]
    axis, soviet = at("4912"), at("4908")
    found = territory(WFM.map, hexes, {axis: (("axis", 1),), soviet: (("soviet", 2),)})
    for hex_, side in found.items():
        if distance(hex_, axis) != distance(hex_, soviet):
            assert side == ("axis" if distance(hex_, axis) < distance(hex_, soviet) else "soviet")
    assert set(found) == set(hexes)


def test_the_sea_belongs_to_nobody() -> None:
    found = territory(WFM.map, WFM.map.hexes, {at("4708"): (("soviet", 1),)})
    assert found
    assert all(WFM.map.terrain[hex_] not in ("sea", "lake") for hex_ in found)


# --- the file ---


@pytest.fixture(scope="module")
def gif(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "front.gif"
    stills = [
        still(22, "supply", h4708="soviet", h4810="axis"),
        replace(still(22, "sov-combat", h4709="soviet", h4810="axis"), battles=(at("4810"),)),
        still(23, "axis-move", h4709="soviet", h4811="axis"),
    ]
    assert film.make(path, WFM, SCENARIO, stills) == 3
    return path


def colours(picture: Image.Image) -> set[tuple[int, ...]]:
    return {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or ()}  # type: ignore[misc]


def test_a_turns_end_stays_longer_and_the_last_picture_longest(gif: Path) -> None:
    with Image.open(gif) as picture:
        times = []
        for number in range(picture.n_frames):  # type: ignore[attr-defined]
            picture.seek(number)
            times.append(picture.info["duration"])
    assert times == [film.PHASE_MS, film.TURN_MS, film.LAST_MS]


def test_a_battle_is_marked_in_its_picture_only(gif: Path) -> None:
    with Image.open(gif) as picture:
        marked = []
        for number in range(3):
            picture.seek(number)
            marked.append((255, 216, 61) in colours(picture))
    assert marked == [False, True, False]


def test_pictures_are_whole_though_only_changes_are_written(gif: Path) -> None:
    """The caption of the last picture is written over that of the first, the sea is as it was."""
    with Image.open(gif) as picture:
        first = picture.convert("RGB")
        picture.seek(2)
        last = picture.convert("RGB")
    assert first.size == last.size
    same = np.all(np.asarray(first) == np.asarray(last), axis=2)
    assert 0.5 < same.mean() < 1


@pytest.mark.parametrize("ending", [".gif", ".webp"])
def test_the_same_game_makes_the_same_file(tmp_path: Path, ending: str) -> None:
    stills = [still(22, "supply", h4708="soviet", h4810="axis"), still(22, "admin", h4709="soviet")]
    files = [tmp_path / f"{name}{ending}" for name in "ab"]
    for file in files:
        film.make(file, WFM, SCENARIO, stills)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_film_that_would_be_too_large_is_drawn_smaller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stills = [
        still(22, "supply", h4604="soviet", h6513="axis"),
        still(22, "admin", h4604="soviet", h6413="axis"),
    ]
    path = tmp_path / "front.gif"
    film.make(path, WFM, SCENARIO, stills)
    size, (_, height) = path.stat().st_size, _extent(path)
    monkeypatch.setattr(film, "MAX_BYTES", size * 8 // 10)
    film.make(path, WFM, SCENARIO, stills)
    assert path.stat().st_size <= size * 8 // 10
    assert _extent(path)[1] < height


def _extent(path: Path) -> tuple[int, int]:
    with Image.open(path) as picture:
        return picture.size


def test_what_cannot_be_shown_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "front.gif"
    with pytest.raises(FieldpostError, match="nothing to show"):
        film.make(path, WFM, SCENARIO, [still(22, "supply")])
    with pytest.raises(FieldpostError, match="neither"):
        film.make(tmp_path / "front.mp4", WFM, SCENARIO, [still(22, "supply", h4708="soviet")])
    assert list(tmp_path.iterdir()) == []


# --- the command ---


def test_a_whole_game_becomes_a_film(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "front.webp"
    done = run(capsys, "tell", SHEET, "--animate", path)
    assert done.status == 0
    assert "17 pictures" in done.out
    with Image.open(path) as picture:
        assert picture.n_frames == 17  # type: ignore[attr-defined]
    assert path.stat().st_size < 1_000_000


def test_a_wrong_ending_is_refused_before_the_work(tmp_path: Path, capsys: Capture) -> None:
    done = run(capsys, "tell", tmp_path / "no-such-game", "--animate", tmp_path / "front.avi")
    assert (done.status, "front.gif" in done.err) == (2, True)


def test_one_turn_can_be_filmed_alone(tmp_path: Path, capsys: Capture) -> None:
    done = run(capsys, "tell", SHEET, "--turn", "22", "--animate", tmp_path / "a.gif", "--json")
    assert done.json["pictures"] < 10
