"""Saves and logs we write, in the real engine: no warning, and the same position at every step."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from fieldpost.vassal import archive, codec, steps
from fieldpost.vassal.steps import Log
from tests import oracle_files
from tests.engine import older, positions
from tests.engine.play import random_play
from tests.fieldpost.vassal import sample_game


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo module, fit for the engine of the kit."""
    return older.for_kit(oracle_files.MODULE, tmp_path_factory.mktemp("demo") / "demo.vmod")


def assert_same_game(report: dict[str, Any], log: Log) -> None:
    """Every step, then all that is left at the end."""
    assert report["problems"] == []
    assert report["stepped"] == len(log.steps)
    pairs = zip(positions.engine_steps(report), positions.our_steps(log), strict=True)
    for number, (theirs, ours) in enumerate(pairs):
        assert theirs == ours, f"step {number}"
    table = positions.final(log)
    assert table.problems == []
    assert report["chat"] == table.chat
    assert positions.turn_states(report) == table.turns
    assert positions.containers(report) == positions.our_containers(table)
    for piece in report["pieces"]:
        assert positions.trait_states(piece) == positions.our_trait_states(table.pieces[piece["id"]])


def test_the_demo_module_has_no_problem(engine: ModuleType, demo: Path) -> None:
    assert engine.vmod_check(demo)["problems"] == []


def test_a_save_we_write_opens_as_we_meant_it(engine: ModuleType, demo: Path, tmp_path: Path) -> None:
    save = sample_game.position()
    save.write(tmp_path / "ours.vsav")
    report = engine.vlog_replay(demo, tmp_path / "ours.vsav")
    assert_same_game(report, steps.read(tmp_path / "ours.vsav"))
    values = {(one["container"], one["name"]): one["value"] for one in report["properties"]}
    assert values["Module", "VP"] == "7"
    assert values["Main Map", "MapWeather"] == "Mud"
    assert [(one["name"], one["side"]) for one in report["players"]] == [("Blue player", "Blue")]


def test_a_save_of_ours_saved_by_the_engine_is_the_same(
    engine: ModuleType, demo: Path, tmp_path: Path
) -> None:
    sample_game.position().write(tmp_path / "ours.vsav")
    engine.vlog_replay(demo, tmp_path / "ours.vsav", resave=tmp_path / "theirs.vsav")
    ours = positions.final(steps.read(tmp_path / "ours.vsav"))
    theirs = positions.final(steps.read(tmp_path / "theirs.vsav"))
    assert positions.of_table(ours) == positions.of_table(theirs)
    assert ours.turns == theirs.turns
    assert ours.notes == theirs.notes
    assert positions.our_containers(ours) == positions.our_containers(theirs)


def test_a_turn_we_write_is_stepped_as_we_step_it(engine: ModuleType, demo: Path, tmp_path: Path) -> None:
    log = sample_game.turn_log()
    log.write(tmp_path / "turn.vlog")
    assert_same_game(engine.vlog_replay(demo, tmp_path / "turn.vlog"), log.log())


@pytest.mark.parametrize("seed", [1, 2])
def test_random_play_is_stepped_as_we_step_it(
    engine: ModuleType, demo: Path, tmp_path: Path, seed: int
) -> None:
    log = random_play(Random(seed), 150)
    log.write(tmp_path / "random.vlog")
    assert_same_game(engine.vlog_replay(demo, tmp_path / "random.vlog"), steps.read(tmp_path / "random.vlog"))


@pytest.mark.parametrize("name", ["oracle", "random1"])
def test_a_log_taken_apart_and_written_again_replays_the_same(
    engine: ModuleType, demo: Path, tmp_path: Path, name: str
) -> None:
    given = archive.read(oracle_files.log(name))
    assert given.text is not None
    again = codec.encode(codec.decode(given.text, codec.ESC), codec.ESC)
    assert again == given.text
    archive.write_game(tmp_path / "again.vlog", again, given.metadata)
    report = engine.vlog_replay(demo, tmp_path / "again.vlog", full=False, trace=False)
    recorded = oracle_files.replay(name)
    assert report["problems"] == []
    assert report["chat"] == recorded["chat"]
    ours, theirs = ({p["id"]: positions.of_report(p) for p in one["pieces"]} for one in (report, recorded))
    assert ours == theirs
    assert report["turns"] == recorded["turns"]
