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
def report(engine: ModuleType, built: Path) -> dict[str, Any]:
    """What the engine says of the module; it saves and loads the largest set-up again, in long runs all."""
    found: dict[str, Any] = engine.vmod_check(built, reload_all=SOAK)
    return found


def test_it_opens_without_a_problem_and_saves_what_it_loaded(report: dict[str, Any], game: Game) -> None:
    passed = {Path(image).name for image in game.vassal.images}  # for XML of its own: the engine misses some
    assert report["problems"] == []
    assert report["imagesMissing"] == []
    assert set(report["imagesUnused"]) <= passed
    assert len(report["games"]) == report["predefinedSetups"]
    for opened in report["games"]:
        assert opened["started"]
        assert opened["offboard"] == opened["withoutMap"] == 0
    reloaded = [opened for opened in report["games"] if "saveLoadIdentical" in opened]
    assert len(reloaded) == (len(report["games"]) if SOAK else 1)
    assert all(opened["saveLoadIdentical"] for opened in reloaded)


def test_a_set_up_has_its_picture_taken(engine: ModuleType, built: Path, report: dict[str, Any]) -> None:
    """One of each game, in long runs all: that each opens and is saved as it was, the report tells."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    setups = [game["setup"] for game in report["games"]]
    for setup in setups if SOAK else setups[:1]:
        picture = SHOTS / f"{built.stem}-{re.sub(r'[^a-z0-9]+', '-', setup.lower())}.png"
        taken = engine.vassal_shot(built, picture, setup=setup, zoom=0.6)
        assert taken["problems"] == []
        assert taken["pieces"] > 0
        with Image.open(picture) as shot:
            assert len(shot.convert("RGB").resize((160, 100)).getcolors(16_000) or ()) > 500
