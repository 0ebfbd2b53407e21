"""Reading games, asking for help, and the geometry of hexes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import yaml

from bench import Result, best_of
from fieldpost.definition import games_in_the_box, load, load_map
from fieldpost.definition.places import find
from fieldpost.hexes import Hex, distance

MILLION = 1_000_000


def run() -> list[Result]:
    return [*_start(), *_games(), *_distances()]


def _start() -> list[Result]:
    return [
        Result("python -c pass", best_of(9, _python("-c", "pass"))),
        Result(
            "fieldpost --help",
            best_of(9, _python("-m", "fieldpost", "--help")),
            against="python -c pass",
            limit_seconds=0.150,
        ),
    ]


def _python(*arguments: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def _games() -> list[Result]:
    return [result for name in games_in_the_box() for result in _game(name)]


def _game(name: str) -> list[Result]:
    plain, whole = f"PyYAML alone: {name}", f"load {name}"
    return [
        Result(plain, best_of(7, lambda: _plain(name))),
        Result(whole, best_of(7, lambda: load(name)), against=plain, limit_seconds=0.250),
        Result(f"load_map {name}", best_of(7, lambda: load_map(name)), against=whole),
    ]


def _plain(name: str) -> None:
    """The same files through the C loader of PyYAML, unchecked and without positions."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for path in _files(name):
        yaml.load(path.read_text(encoding="utf-8"), loader)


def _files(name: str) -> list[Path]:
    where = find(name)
    rules = where.game.parent / "rules.yaml"
    return [
        where.game,
        where.counters,
        *where.scenario_files(),
        *where.map.glob("*.yaml"),
        *[rules] * rules.is_file(),
    ]


def _distances() -> list[Result]:
    pairs = [(Hex(i % 97, -i % 41), Hex(-i % 53, i % 31)) for i in range(1000)]

    def ask(work: Callable[[Hex, Hex], object]) -> None:
        for _ in range(MILLION // len(pairs)):
            for a, b in pairs:
                work(a, b)

    return [
        Result("a million empty calls", best_of(3, lambda: ask(lambda a, b: None))),
        Result(
            "a million distances",
            best_of(3, lambda: ask(distance)),
            against="a million empty calls",
            limit_seconds=0.5,
        ),
    ]
