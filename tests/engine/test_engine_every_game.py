"""Every game in the box, built: it opens clean, and each set-up has its picture taken."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from fieldpost.definition import load
from fieldpost.definition.model import Game
from fieldpost.definition.places import games_in_the_box

ROOT = Path(__file__).resolve().parents[2]
SHOTS = ROOT / "dist" / "screenshots"  # git ignores it; CI keeps it
GAMES = [*games_in_the_box(), *(str(ROOT / "examples" / name) for name in ("first-game", "own-art"))]

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"

pytestmark = pytest.mark.xdist_group("built")


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: Path(game).name)
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


@pytest.fixture(scope="module")
def built(game: Game, module_of: Callable[[Game], Path]) -> Path:
    return module_of(game)


@pytest.fixture(scope="module")
def photo(built: Path) -> Path:
    SHOTS.mkdir(parents=True, exist_ok=True)
    return SHOTS / f"{built.stem}.png"


@pytest.fixture(scope="module")
def report(engine: ModuleType, built: Path, photo: Path) -> dict[str, Any]:
    """What the engine says of the module; the largest set-up is started, in long runs all of them."""
    found: dict[str, Any] = engine.vmod_check(built, None if SOAK else photo)
    return found


def test_it_opens_without_a_problem_and_saves_what_it_loaded(report: dict[str, Any], game: Game) -> None:
    passed = {Path(image).name for image in game.vassal.images}  # for XML of its own: the engine misses some
    assert report["problems"] == []
    assert report["imagesMissing"] == []
    assert set(report["imagesUnused"]) <= passed
    assert len(report["games"]) == (report["predefinedSetups"] if SOAK else 1)
    for opened in report["games"]:
        assert opened["started"]
        assert opened["pieces"] > 0
        assert opened["offboard"] == opened["withoutMap"] == 0
        assert opened["saveLoadIdentical"]


def test_a_set_up_has_its_picture_taken(
    engine: ModuleType, built: Path, report: dict[str, Any], photo: Path
) -> None:
    """The largest of each game, in long runs all."""
    if not SOAK:
        shows_much(photo)
    for setup in [game["setup"] for game in report["games"]] if SOAK else []:
        picture = photo.with_stem(f"{photo.stem}-{re.sub(r'[^a-z0-9]+', '-', setup.lower())}")
        assert engine.vassal_shot(built, picture, setup=setup, zoom=0.6)["problems"] == []
        shows_much(picture)


def shows_much(picture: Path) -> None:
    with Image.open(picture) as shot:
        assert len(shot.convert("RGB").resize((160, 100)).getcolors(16_000) or ()) > 500
