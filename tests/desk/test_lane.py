"""Children: whatever happens to one, the server hears how it ended."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk import lane
from desk.lane import DONE, WAITING, WORKING, Bounds, Full, Lane
from tests.desk import works
from tests.processes import PATIENCE, ends

BOUNDS = Bounds(seconds=PATIENCE, memory=600 << 20, written_bytes=8 << 20)
pytestmark = pytest.mark.xdist_group("lane")


def do(folder: Path, work: Callable[..., Any], bounds: Bounds = BOUNDS, **given: Any) -> dict[str, Any]:
    return asyncio.run(lane.run_in_child(folder, work, given, bounds))


def test_what_a_child_returns_comes_back(tmp_path: Path) -> None:
    assert do(tmp_path, works.answer, value={"a": [1, "ü"]}) == {"done": {"a": [1, "ü"]}}


def test_a_child_tells_how_far_it_is(tmp_path: Path) -> None:
    assert do(tmp_path, works.tell) == {"done": {"doing": "logs: 1 of 4", "share": 0.0}}


def test_an_error_of_the_user_comes_back_in_words(tmp_path: Path) -> None:
    assert do(tmp_path, works.refuse) == {"error": "not this one", "hint": "Take another."}


def test_a_fault_of_the_program_tells_the_place_but_nothing_of_the_file(tmp_path: Path) -> None:
    outcome = do(tmp_path, works.fail)
    assert outcome["error"] == "Something in fieldpost itself failed."
    assert "ValueError in works.py, line" in outcome["hint"]
    assert "sesame" not in str(outcome)


@pytest.mark.parametrize("work", [works.die, works.crash])
def test_a_child_that_ends_without_an_answer_is_told(tmp_path: Path, work: Callable[..., Any]) -> None:
    assert "ended before it had an answer" in do(tmp_path, work)["error"]


def test_endless_recursion_is_an_answer_too(tmp_path: Path) -> None:
    assert "error" in do(tmp_path, works.recurse)


def test_a_child_that_takes_too_much_memory_is_told(tmp_path: Path) -> None:
    assert "more memory" in do(tmp_path, works.eat)["error"]


def test_a_child_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    started = time.monotonic()
    outcome = do(tmp_path, works.sleep, Bounds(0.5, None, 1 << 20), seconds=2 * PATIENCE)
    assert outcome["error"] == "This took too long."
    assert time.monotonic() - started < PATIENCE


def test_a_child_cannot_fill_the_disk(tmp_path: Path) -> None:
    assert "error" in do(tmp_path, works.fill_the_disk)
    assert (tmp_path / "big").stat().st_size <= BOUNDS.written_bytes


def test_a_child_says_nothing_on_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    do(tmp_path, works.talk)
    out, err = capfd.readouterr()
    assert "sesame" not in out + err


def test_what_a_child_began_ends_with_it(tmp_path: Path) -> None:
    do(tmp_path, works.begin_a_child_and_sleep, Bounds(5, None, 1 << 20))
    pid = int((tmp_path / "child").read_text())
    assert ends(pid)
    assert pid != os.getpid()


# --- the queue -----------------------------------------------------------------------------------


def folders(path: Path, number: int) -> list[Path]:
    made = [path / str(one) for one in range(number)]
    for folder in made:
        folder.mkdir()
    return made


def test_no_more_work_at_once_than_slots_and_the_rest_waits_in_order(tmp_path: Path) -> None:
    async def go() -> None:
        queue = Lane(2, 10, BOUNDS)
        states: list[list[str]] = [[] for _ in range(5)]
        busiest = 0

        async def run(number: int, folder: Path) -> None:
            nonlocal busiest

            def changed(state: str) -> None:
                nonlocal busiest
                states[number].append(state)
                busiest = max(busiest, sum(one[-1:] == [WORKING] for one in states))

            await queue.run(number, changed, folder, works.wait, {"until": tmp_path / "go"})
            states[number].append(DONE)

        tasks = [asyncio.create_task(run(n, folder)) for n, folder in enumerate(folders(tmp_path, 5))]
        await asyncio.sleep(0.01)
        assert [queue.before(number) for number in range(2, 5)] == [0, 1, 2]
        (tmp_path / "go").touch()
        await asyncio.gather(*tasks)
        assert states == [[WAITING, WORKING, DONE]] * 5
        assert busiest == 2

    asyncio.run(go())


def test_a_full_queue_refuses(tmp_path: Path) -> None:
    async def go() -> None:
        queue = Lane(1, 1, BOUNDS)
        first, second, third = folders(tmp_path, 3)

        def run(folder: Path) -> Any:
            return queue.run(folder, lambda state: None, folder, works.wait, {"until": tmp_path / "go"})

        tasks = [asyncio.create_task(run(first))]
        await asyncio.sleep(0.01)
        tasks.append(asyncio.create_task(run(second)))
        await asyncio.sleep(0.01)
        with pytest.raises(Full):
            await run(third)
        (tmp_path / "go").touch()
        await asyncio.gather(*tasks)
        assert await run(third) == {"done": None}

    asyncio.run(go())


def test_cancelled_work_ends_its_child_and_frees_its_slot(tmp_path: Path) -> None:
    async def go() -> float:
        queue = Lane(1, 5, BOUNDS)
        first, second = folders(tmp_path, 2)
        task = asyncio.create_task(
            queue.run(1, lambda state: None, first, works.sleep, {"seconds": 2 * PATIENCE})
        )
        while not (first / "begun").exists():
            await asyncio.sleep(0.01)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await queue.run(2, lambda state: None, second, works.answer, {"value": 1})
        return time.monotonic() - started

    assert asyncio.run(go()) < PATIENCE
