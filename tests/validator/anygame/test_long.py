"""A long game of any module is audited fast, its replay stays small: by counted work and processor time.

`make bench` measures 5,000 steps and the page in a browser (bench/anygame.py); here a fifth of it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from fieldpost.vassal import looks
from fieldpost.vassal.looks import Look, Sizes
from fieldpost.vassal.sight import Sight
from fieldpost.vassal.things import Piece
from tests import oracle_files, pace
from tests.engine.play import random_play
from validator.anygame import audit as anygame
from validator.anygame import one_log, replay
from validator.anygame.art import Art
from validator.audit import sources
from validator.audit.sources import Item

ACTIONS, STEPS = 1180, 1000
STEPS_A_SECOND = 2000
PAGE_BYTES = 10_000_000 // 5
LOOKS_A_STEP = 3
"""Most steps change one piece; the rest of its stack is not worked out again."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.vlog"
    random_play(Random(1), ACTIONS).write(path)
    return path


def _audited(log: Path) -> tuple[list[anygame.GameAudit], list[Item]]:
    items = [one for one in sources.gather([log]) if isinstance(one, Item)]
    audits, unusable = anygame.audit(items, one_log.Library([], oracle_files.MODULE))
    assert not unusable
    return audits, items


def test_two_thousand_steps_are_audited_in_a_second_of_the_processor(log: Path) -> None:
    audits, _ = _audited(log)
    steps = len(audits[0].chain.entries[0].done)
    assert steps >= STEPS * 0.9
    assert pace.best(lambda: _audited(log), within=steps / STEPS_A_SECOND)


def test_the_replay_stays_small_and_draws_only_what_changes(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audits, items = _audited(log)
    drawn = 0
    of_piece = looks.of_piece

    def counted(piece: Piece, sight: Sight, sizes: Sizes) -> Look | None:
        nonlocal drawn
        drawn += 1
        return of_piece(piece, sight, sizes)

    monkeypatch.setattr(looks, "of_piece", counted)
    library = one_log.Library([], oracle_files.MODULE)
    film = replay.film_of(audits[0].chain, items, library, Art.read(oracle_files.MODULE))
    page = replay.fill(film.data(audits[0]), audits[0])
    assert len(page.encode()) <= PAGE_BYTES
    assert drawn <= LOOKS_A_STEP * len(film.frames) + len(film.cast.looks)
