"""Runs the benchmarks: python -m bench [NAME ...] [--keep]

Without names, all. `--keep` writes the table to bench/results.md. Exit status 1 when a limit is passed.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from bench import Result

FOLDER = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="only these modules of bench/")
    parser.add_argument("--keep", action="store_true", help="write the table to bench/results.md")
    arguments = parser.parse_args()
    known = benchmarks()
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(known)}")
    passed = True
    tables = []
    for name in arguments.names or known:
        if is_script(name):
            passed = run_script(name) and passed
            continue
        results = import_module(f"bench.{name}").run()
        passed = passed and all(result.within_limit for result in results)
        tables.append(table(name, results))
        print(tables[-1], flush=True)
    if arguments.keep:
        head = (
            f"Measured with Python {platform.python_version()} on {platform.system()} {platform.machine()}.\n"
        )
        (FOLDER / "results.md").write_text("\n".join(["# Results\n", head, *tables]), encoding="utf-8")
    return 0 if passed else 1


def benchmarks() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))


def is_script(name: str) -> bool:
    """Whether a benchmark prints a table of its own, as those beside the real engine do."""
    return '__name__ == "__main__"' in (FOLDER / f"{name}.py").read_text(encoding="utf-8")


def run_script(name: str) -> bool:
    print(f"## {name}\n", flush=True)
    environment = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}
    return (
        subprocess.run([sys.executable, FOLDER / f"{name}.py"], env=environment, check=False).returncode == 0
    )


def table(name: str, results: Iterable[Result]) -> str:
    """One table in Markdown: the time, its ratio to what it stands beside, the limit."""
    results = list(results)
    seconds = {result.name: result.seconds for result in results}
    rows = [(result.name, shown(result.seconds), ratio(result, seconds), limit(result)) for result in results]
    head = ("what", "time", "ratio", "limit")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(4)]
    lines = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    title = " | ".join(cell.ljust(width) for cell, width in zip(head, widths, strict=True))
    rule = " | ".join("-" * width for width in widths)
    body = "\n".join(f"| {line} |" for line in (title, rule, *lines))
    notes = "".join(f"\n{result.name}: {result.note}" for result in results if result.note)
    return f"## {name}\n\n{body}\n{notes}\n"


def shown(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def ratio(result: Result, seconds: dict[str, float]) -> str:
    if result.against is None:
        return ""
    return f"{result.seconds / seconds[result.against]:.2f} x {result.against}"


def limit(result: Result) -> str:
    if result.limit_seconds is None:
        return ""
    return f"{shown(result.limit_seconds)} {'held' if result.within_limit else 'EXCEEDED'}"


if __name__ == "__main__":
    sys.exit(main())
