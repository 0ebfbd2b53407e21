"""Results stay so long and so many; then nothing of them is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from desk.limits import Limits
from desk.shelf import PREFIX, Shelf
from tests.desk import serving
from tests.desk.serving import FAULTY
from tests.places import REPOSITORY
from tests.processes import PATIENCE, children, ends, soon

DONE = {"done": {}}
FILES = [(FAULTY.name, FAULTY.read_bytes())]


def shelf(folder: Path, **limits: float) -> Shelf:
    return Shelf(folder, replace(Limits(), **limits))


def test_an_address_cannot_be_guessed(tmp_path: Path) -> None:
    ids = {shelf(tmp_path).new(["a"]).id for _ in range(50)}
    assert len(ids) == 50
    assert min(map(len, ids)) >= 22  # 128 bits


def test_a_folder_is_its_owners_alone(tmp_path: Path) -> None:
    assert shelf(tmp_path).new(["a"]).folder.stat().st_mode & 0o777 == 0o700


def test_the_oldest_result_goes_first(tmp_path: Path) -> None:
    kept = shelf(tmp_path, results=2)
    results = [kept.new([str(number)]) for number in range(4)]
    for result in results:
        kept.done(result, DONE)
    assert [kept.get(result.id) is not None for result in results] == [False, False, True, True]
    assert {path.name for path in tmp_path.iterdir()} == {result.id for result in results[2:]}


def test_an_old_result_goes(tmp_path: Path) -> None:
    kept = shelf(tmp_path, keep_seconds=0.01)
    result = kept.new(["a"])
    kept.done(result, DONE)
    time.sleep(0.02)
    kept.tidy()
    assert kept.get(result.id) is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_still_being_checked_stays(tmp_path: Path) -> None:
    kept = shelf(tmp_path, keep_seconds=0, results=0)
    result = kept.new(["a"])
    kept.tidy()
    assert kept.get(result.id) is result


def test_results_go_by_themselves_while_the_page_runs(folder: Path) -> None:
    with serving.served(folder, results=1) as visitor:
        first, _ = visitor.check(FILES)
        second, _ = visitor.check(FILES)
        assert visitor.get(first).status == 404
        assert visitor.get(second).status == 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_when_the_page_ends(folder: Path, number: signal.Signals) -> None:
    with serving.served(folder) as visitor:
        if number is signal.SIGINT:
            visitor.send(FILES)  # and does not wait for it
        assert len(list(folder.glob(f"{PREFIX}*"))) == 1
        visitor.process.send_signal(number)
        assert visitor.process.wait(PATIENCE) == 0
    assert [path.name for path in folder.iterdir()] == ["errors.txt"]
    assert (folder / "errors.txt").read_text() == ""


def test_what_a_killed_page_left_goes_when_the_next_one_begins(folder: Path) -> None:
    with serving.served(folder) as visitor:
        visitor.send(FILES)
        family = children(visitor.process.pid)
        family += [grandchild for child in family for grandchild in children(child)]
        visitor.process.kill()
        visitor.process.wait()
    assert all(map(ends, family)), "they may still write"
    (left,) = folder.glob(f"{PREFIX}*")
    with serving.served(folder) as visitor:
        (own,) = folder.glob(f"{PREFIX}*")
        assert own != left
        with serving.served(folder) as other:
            assert other.get("/static/desk.css").status == 200
            assert own.exists(), "a page that runs keeps its folder"
    assert list(folder.glob("*-*")) == []


def test_a_page_runs_where_names_of_folders_are_long(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 60)
    deep.mkdir()
    with serving.served(deep) as visitor:
        visitor.check(FILES)
    assert [path.name for path in deep.iterdir()] == ["errors.txt"]


def test_the_children_of_a_killed_page_end_too(tmp_path: Path, folder: Path) -> None:
    script = (
        "import asyncio, sys; from pathlib import Path; from desk import lane; from tests.desk import works\n"
        "asyncio.run(lane.run_in_child(Path(sys.argv[1]), works.sleep, {'seconds': 60},"
        " lane.Bounds(60, None, 1000000)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TMPDIR": str(folder)}
    process = subprocess.Popen([sys.executable, "-c", script, tmp_path], cwd=REPOSITORY, env=environment)
    assert soon((tmp_path / "begun").exists)
    process.kill()
    process.wait()
    assert ends(int((tmp_path / "begun").read_text()))
