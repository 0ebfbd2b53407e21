"""The progress bar: on a terminal, for long work, and gone at the end."""

from __future__ import annotations

import io

import pytest

from fieldpost import progress


class Screen(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def work(monkeypatch: pytest.MonkeyPatch, seconds: float, terminal: bool = True, items: int = 4) -> str:
    """What stands on the screen after so many items of so many seconds each."""
    clock = [0.0]
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    for number, item in enumerate(progress.track(range(items), items, "turns")):
        assert item == number
        clock[0] += seconds
    return screen.getvalue()


def test_long_work_shows_how_many_are_done_and_clears_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = work(monkeypatch, seconds=1.0)
    assert "1/4 turns" in shown
    assert "3/4 turns" in shown
    assert shown.endswith("\r\x1b[K")


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(monkeypatch, seconds=0.05) == ""


def test_nothing_is_drawn_but_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(monkeypatch, seconds=1.0, terminal=False) == ""


def test_one_item_needs_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    assert work(monkeypatch, seconds=1.0, items=1) == ""


def test_the_line_is_cleared_when_the_work_breaks_off(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, screen = [0.0], Screen(terminal=True)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    tracked = progress.track(range(9), 9, "turns")
    next(tracked)
    clock[0] = 2.0
    next(tracked)
    tracked.close()  # type: ignore[attr-defined]
    assert screen.getvalue().endswith("\r\x1b[K")


def test_who_listens_is_told_in_words_and_by_how_much(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    told: list[tuple[str, float | None]] = []
    with progress.listening(lambda words, share: told.append((words, share))):
        with progress.doing("reading game.vmod"):
            clock[0] += 1
        for _ in progress.track(range(2), 2, "logs"):
            for _ in progress.track(range(1000), 1000, "steps"):
                clock[0] += 0.001
    assert told[:2] == [("reading game.vmod", None), ("logs: 1 of 2", 0.0)]
    assert ("logs: 1 of 2, steps: 302 of 1,000", 0.1505) in told
    assert len(told) < 10  # not at every step
