"""Which of two saved games VASSAL plays: the first in the stream, whatever the archive's directory lists."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from fieldpost.vassal import archive, steps
from tests import oracle_files, two_games


@pytest.mark.parametrize("make", [two_games.both, two_games.unlisted, two_games.misplaced])
def test_we_read_the_game_that_vassal_plays(
    engine: ModuleType, tmp_path: Path, make: Callable[[], bytes]
) -> None:
    path = tmp_path / "turn.vlog"
    path.write_bytes(make())
    played = engine.vlog_replay(oracle_files.MODULE, path, full=False, trace=False)
    log = steps.of(archive.read(path))
    chat = [text[4:] for step in log.steps for text in step.commands if text.startswith("CHAT")]
    told = "\n".join(played["chat"])
    assert len(chat) > 10
    assert [line for line in chat[:10] if line.strip("* ")[:12] not in told] == []
    assert abs(len(log.steps) - played["stepped"]) <= 1  # 3.6 does not know a step of 3.8
