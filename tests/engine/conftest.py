"""Modules that are built once and opened by many tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from builder.module.package import Options, build
from fieldpost.definition import load
from fieldpost.definition.model import Game

EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples" / "first-game")


@pytest.fixture(scope="session")
def module_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Game], Path]:
    """The module of a game, built when it is first asked for."""
    made: dict[str, Path] = {}

    def built(game: Game) -> Path:
        if game.id not in made:
            made[game.id] = build(shown(game), tmp_path_factory.mktemp(game.id), Options(jobs=1)).path
        return made[game.id]

    return built


def shown(game: Game) -> Game:
    """All set-ups; of those that players make out of boxes the first, for the others differ in numbers."""
    ready = [s for s in game.scenarios if any(place.hex and place.units for place in s.set_up)]
    boxed = [s for s in game.scenarios if s.playable and s not in ready]
    left_out = {s.id for s in boxed[1:]} if ready else set()
    return replace(game, scenarios=tuple(s for s in game.scenarios if s.id not in left_out))


@pytest.fixture(scope="session")
def wfm() -> Game:
    return load("wfm")


@pytest.fixture(scope="session")
def wfm_module(wfm: Game, module_of: Callable[[Game], Path]) -> Path:
    return module_of(wfm)


@pytest.fixture(scope="session")
def lwe() -> Game:
    return load("lwe")


@pytest.fixture(scope="session")
def lwe_module(lwe: Game, module_of: Callable[[Game], Path]) -> Path:
    return module_of(lwe)


@pytest.fixture(scope="session")
def ferry() -> Game:
    return load(EXAMPLE)


@pytest.fixture(scope="session")
def ferry_module(ferry: Game, module_of: Callable[[Game], Path]) -> Path:
    return module_of(ferry)


@pytest.fixture(scope="session")
def ftm() -> Game:
    return load("ftm")


@pytest.fixture(scope="session")
def ftm_module(ftm: Game, module_of: Callable[[Game], Path]) -> Path:
    return module_of(ftm)
