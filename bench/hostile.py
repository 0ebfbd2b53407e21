"""What files made to exhaust a reader take: time of the processor, and the most memory at a time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench import Result
from fieldpost.bounds import SECONDS
from tests import hostile_files, hostile_modules, measured
from tests.engine.play import random_play

COMMANDS = (["info"], ["dump", "--raw"], ["scrub"])
ONE_COMMAND = ("fifty_bombs", "many_entries", "many_tags")  # no logs: `info` alone opens them


def run() -> list[Result]:
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, make in hostile_files.BY_NAME.items():
            path = folder / f"{label}.vlog"
            path.write_bytes(make())
            for command in COMMANDS[:1] if label in ONE_COMMAND else COMMANDS:
                results.append(_measured(label, command, path))
        results += _modules(folder)
        junk = folder / "junk"
        junk.mkdir()
        hostile_files.junk_folder(junk, 5)
        results += [_measured("a folder of junk", [command], junk) for command in ("info", "audit", "tell")]
    return results


def _modules(folder: Path) -> Iterator[Result]:
    """Modules looked into, taken in, and laid beside a log."""
    log = folder / "beside.vlog"
    random_play(Random(1), 200).write(log)
    for label, make in hostile_modules.BY_NAME.items():
        path = folder / f"{label}.vmod"
        path.write_bytes(make())
        out, page = str(folder / f"{label}-taken"), str(folder / "page.html")
        for arguments in (
            ["inspect", str(path)],
            ["import", str(path), "-o", out],
            ["audit", str(log), "--module", str(path)],
            ["replay", str(log), "--module", str(path), "-o", page],
        ):
            yield _result(f"{arguments[0]} {label.replace('_', ' ')}", path, measured.run(*arguments))


def _result(label: str, path: Path, done: measured.Run) -> Result:
    size = f"{path.stat().st_size / 1e6:.1f} MB" if path.is_file() else "a folder"
    note = f"{size}, status {done.status}, at most {done.peak_mb:.0f} MB of memory"
    return Result(label, done.seconds, None, SECONDS + 5, note)


def _measured(label: str, command: list[str], path: Path) -> Result:
    copy = path.with_name("copy.vlog")
    copy.unlink(missing_ok=True)
    verb, *options = command
    done = measured.run(verb, str(path), *options, *([str(copy)] if verb == "scrub" else []))
    return _result(f"{' '.join(command)} {label.replace('_', ' ')}", path, done)
