"""The replay in a browser shows what the engine paints: the same pieces, places and images."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests import lacks, oracle_files
from tests.browser import chromium
from tests.engine import pictures


@pytest.fixture(scope="module")
def shots(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> list[pictures.Shot]:
    lacks.unless(lacks.CHROMIUM, chromium.missing())
    folder = tmp_path_factory.mktemp("pictures")
    with chromium.running(folder / "profile") as browser:
        log: Path = oracle_files.log("random1")
        found, _ = pictures.compare(browser, oracle_files.MODULE, log, [40, 226], folder)
    return found


def test_pieces_lie_in_the_same_place_with_the_same_image(shots: list[pictures.Shot]) -> None:
    pieces = sum(shot.pieces + len(shot.alone) for shot in shots)
    assert len(shots) >= 2
    assert pieces >= 10
    different = [line for shot in shots for line in shot.different]
    assert sum(shot.same for shot in shots) >= 0.95 * pieces, different
