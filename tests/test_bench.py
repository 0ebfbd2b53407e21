"""The runner of the benchmarks."""

from __future__ import annotations

from bench import Result, best_of
from bench.__main__ import benchmarks, is_script, table


def test_a_table_shows_ratios_and_limits() -> None:
    results = [
        Result("walk", 0.2),
        Result("ride", 0.05, against="walk", limit_seconds=0.1),
        Result("fly", 1.5, against="walk", limit_seconds=1.0, note="against the wind"),
    ]
    shown = table("ways", results)
    assert "| walk | 200.0 ms |             |                 |" in shown
    assert "| ride | 50.0 ms  | 0.25 x walk | 100.0 ms held   |" in shown
    assert "| 7.50 x walk | 1.00 s EXCEEDED" in shown
    assert shown.startswith("## ways\n")
    assert shown.rstrip().endswith("fly: against the wind")
    assert [result.within_limit for result in results] == [True, True, False]


def test_the_best_of_several_runs_counts() -> None:
    runs: list[int] = []
    assert best_of(3, lambda: runs.append(1)) < 1
    assert len(runs) == 3


def test_benchmarks_are_found_by_being_there() -> None:
    assert "definition" in benchmarks()
    assert not is_script("definition")
    assert not [name for name in benchmarks() if name.startswith("_")]
