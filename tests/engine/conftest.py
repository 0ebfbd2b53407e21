"""Modules that are built once and opened by many tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.module.package import Options, build
from fieldpost.definition import load
from fieldpost.definition.model import Game

EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples" / "first-game")


@pytest.fixture(scope="session")
def wfm() -> Game:
    return load("wfm")


@pytest.fixture(scope="session")
def wfm_module(wfm: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(wfm, tmp_path_factory.mktemp("wfm"), Options(jobs=1)).path


@pytest.fixture(scope="session")
def lwe() -> Game:
    return load("lwe")


@pytest.fixture(scope="session")
def lwe_module(lwe: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(lwe, tmp_path_factory.mktemp("lwe"), Options(jobs=1)).path


@pytest.fixture(scope="session")
def ferry() -> Game:
    return load(EXAMPLE)


@pytest.fixture(scope="session")
def ferry_module(ferry: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ferry, tmp_path_factory.mktemp("ferry"), Options(jobs=1)).path


@pytest.fixture(scope="session")
def ftm() -> Game:
    return load("ftm")


@pytest.fixture(scope="session")
def ftm_module(ftm: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ftm, tmp_path_factory.mktemp("ftm"), Options(jobs=1)).path
