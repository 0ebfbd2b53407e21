"""`fieldpost audit --jobs`: many games at once, on all cores or on a cluster, resumed where it stopped."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fieldpost.errors import FieldpostError
from fieldpost.progress import track
from validator.commands import output

if TYPE_CHECKING:
    from validator.audit.batch import Judge, Settings
    from validator.audit.engines import Engine
    from validator.audit.results import Results, Summary
    from validator.audit.sources import Unusable

SECONDS, MEGABYTES = 300.0, 1024
STOPPED = 130
ORDER = ("failed", "illegal", "broken", "unreadable", "legal")
WORDS = (("illegal", "illegal"), ("warning", "doubtful"), ("judgement", "to judge"))


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("many games", "a line for each game instead of its report")
    group.add_argument("--jobs", type=int, metavar="N", help="audit with so many processes; 0: in this one")
    group.add_argument(
        "--out",
        type=Path,
        metavar="FILE.jsonl",
        help="write each game as a line of JSON; go on with it later",
    )
    group.add_argument("--cluster", metavar="ADDRESS", help="audit on the Dask cluster of this scheduler")
    group.add_argument(
        "--seconds", type=float, default=SECONDS, metavar="S", help=f"for one game at most ({SECONDS:.0f})"
    )
    group.add_argument(
        "--megabytes", type=int, default=MEGABYTES, metavar="MB", help=f"for a process at most ({MEGABYTES})"
    )


def wanted(arguments: argparse.Namespace) -> bool:
    return arguments.jobs is not None or arguments.out is not None or arguments.cluster is not None


def run(arguments: argparse.Namespace) -> int:
    _refuse_nonsense(arguments)
    engine = _engine(arguments)
    run_ = _Run(arguments, engine)
    try:
        return run_.status()
    except KeyboardInterrupt:
        print(f"fieldpost: stopped: {run_.progress()}", file=sys.stderr)
        return STOPPED
    finally:
        engine.close()


def _refuse_nonsense(arguments: argparse.Namespace) -> None:
    for name in ("html", "reply"):
        if getattr(arguments, name, None):
            raise FieldpostError(
                f"--{name} is of one game",
                "Leave out --jobs, --out and --cluster, and name the files of one.",
            )
    if arguments.jobs is not None and arguments.cluster is not None:
        raise FieldpostError("--jobs and --cluster exclude each other", "The cluster has its own processes.")
    if (arguments.jobs or 0) < 0 or arguments.seconds <= 0 or arguments.megabytes <= 0:
        raise FieldpostError("--jobs, --seconds and --megabytes must not be less than nothing")


def _engine(arguments: argparse.Namespace) -> Engine:
    from validator.audit.engines import Here, Pool

    if arguments.cluster is not None:
        from validator.audit.engines.cluster import Cluster

        return Cluster(arguments.cluster, arguments.seconds)
    if arguments.jobs == 0:
        return Here()
    return Pool(arguments.jobs or os.cpu_count() or 1, arguments.seconds, arguments.megabytes)


class _Run:
    """One run over an archive: how far it is, and what it has found."""

    def __init__(self, arguments: argparse.Namespace, engine: Engine) -> None:
        self.arguments, self.engine = arguments, engine
        self.total: int | None = None
        self.done: list[Summary] = []

    def status(self) -> int:
        from validator.audit import batch, game

        with _results(self.arguments.out) as results:
            groups, unusable = batch.find_games(self._paths(), self._settings(), self.engine)
            works = batch.works(groups, self._settings())
            self.total = len(works)
            self._audit(works, results)
        self._tell(unusable)
        return game.status((summary.verdict for summary in self.done), unusable)

    def progress(self) -> str:
        if self.total is None:
            return "no game was audited yet"
        done = f"{len(self.done)} of {self.total} games are done"
        out = self.arguments.out
        return f"{done}, in {out}; the same command goes on from there" if out else done

    def _paths(self) -> list[Path]:
        """Whole ones for a cluster, whose workers were started elsewhere."""
        paths: list[Path] = self.arguments.path
        return [Path(os.path.realpath(path)) for path in paths] if self.arguments.cluster else paths

    def _settings(self) -> Settings:
        from validator.audit.batch import Settings

        a = self.arguments
        return Settings(output.wanted(a), tuple(a.option), a.policy, a.over)

    def _audit(self, works: list[Judge], results: Results | None) -> None:
        earlier = results.done if results is not None else {}
        self.done += [earlier[work.key] for work in works if work.key in earlier]
        todo = [work for work in works if work.key not in earlier]
        for line in track(self._lines(todo), len(todo), "games audited"):
            self._keep(line, results)

    def _lines(self, todo: Iterable[Judge]) -> Iterator[str]:
        from validator.audit import batch
        from validator.audit.engines import Failed

        for work, line in self.engine.map(batch.judge, todo):
            yield batch.failure(work, line.why) if isinstance(line, Failed) else line

    def _keep(self, line: str, results: Results | None) -> None:
        import json

        from validator.audit.results import Summary

        summary = Summary.of(json.loads(line))
        try:
            if results is not None:
                results.add(line)
            elif self.arguments.json:
                print(line, flush=True)
        finally:  # who is stopped while a line goes to the disk has that game too
            self.done.append(summary)

    def _tell(self, unusable: list[Unusable]) -> None:
        if not self.arguments.json:
            print("\n".join(_told(self.done, unusable)))
            return
        from validator.audit.sources import spoiled

        for item in spoiled(unusable):
            print(f"{item.name}: {item.why}", file=sys.stderr)


def _results(path: Path | None) -> contextlib.AbstractContextManager[Results | None]:
    from validator.audit.results import Results

    return Results(path) if path is not None else contextlib.nullcontext()


# --- words ---------------------------------------------------------------------------------------


def _told(games: list[Summary], unusable: list[Unusable]) -> Iterator[str]:
    """A line for each game, the gravest first, and the sum."""
    from validator.audit.summary import not_used

    for game in sorted(games, key=lambda game: (ORDER.index(game.verdict), game.name)):
        yield f"{game.verdict:<10}  {game.name}: {_line(game)}"
    if unusable:
        yield from not_used(unusable)
    noun = "game" if len(games) == 1 else "games"
    counts = Counter(game.verdict for game in games)
    each = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ORDER if counts[verdict])
    yield f"{len(games)} {noun}, {_logs(sum(game.logs for game in games))}" + (f": {each}" if each else "")


def _logs(number: int) -> str:
    return "1 log" if number == 1 else f"{number:,} logs"


def _line(game: Summary) -> str:
    if game.why:
        return game.why
    parts = [f"{game.game} {game.scenario}", _logs(game.logs), f"{game.actions:,} actions"]
    parts += [f"{game.findings[key]} {word}" for key, word in WORDS if key in game.findings]
    left = ((game.owed, "still owed"), (game.not_understood, "not understood"))
    parts += [f"{number} {words}" for number, words in left if number]
    parts += [f"{number} {kind}" for kind, number in sorted(game.links.items())]
    return ", ".join(parts)
