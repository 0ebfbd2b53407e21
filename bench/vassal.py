"""Side by side: our readers of VASSAL files against their bounds and rivals, in one run.

    python bench/vassal.py [--write]

* taking the cipher off, against the bare `bytes.fromhex` and `translate`
* full decode of large saves, against pywargame 0.8 (needs a Python 3.12: found by itself or
  named in FIELDPOST_PYTHON312; it goes into an environment of its own under .cache/bench)
* stepping through a log, against the real engine (tests/engine/kit)

Prints ratios; `--write` keeps them in bench/results-vassal.md.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from fieldpost.vassal import archive, codec, commands, pieces, steps  # noqa: E402
from fieldpost.vassal.table import Table  # noqa: E402
from fieldpost.vassal.writer import LogBuilder, SaveBuilder  # noqa: E402

RIVAL = "pywargame==0.8.0"
CACHE = ROOT / ".cache" / "bench"
DECODE_TARGET, STEP_TARGET = 3.0, 20.0
MISSED: list[str] = []
RESULTS = ROOT / "bench" / "results-vassal.md"


def hold(ratio: float, target: float, what: str) -> None:
    """Note a target that was missed."""
    if ratio < target:
        MISSED.append(f"{what}: {ratio:.1f} times faster, {target:.0f} wanted")


def best(action: Callable[[], object], times: int = 7) -> float:
    found = []
    for _ in range(times):
        start = perf_counter()
        action()
        found.append(perf_counter() - start)
    return min(found)


def large_save(units: int = 4000) -> SaveBuilder:
    """A position of many units with the traits of the demo module, ten to a stack."""
    from tests.fieldpost.vassal import sample_game as sample

    save = sample.position()
    for at in range(0, units, 10):
        members = [(f"n{at + n}", sample.unit(f"Unit {at + n}", "Blue", "8")) for n in range(10)]
        save.place(sample.MAIN, 10 + at % 600, 10 + at // 20, members)
    return save


def long_log(moves: int = 1500) -> LogBuilder:
    """Units that go to and fro on the demo's map, in stacks and alone."""
    from tests.fieldpost.vassal import sample_game as sample

    save = sample.position()
    points = [(161 + 55 * column, 242 + 64 * row) for column in (0, 2, 4) for row in (0, 1, 2)]
    for n, point in enumerate(points):
        save.place(sample.MAIN, *point, [(f"n{n}{k}", sample.unit(f"{n}-{k}", "Blue", "8")) for k in "ab"])
    log = LogBuilder.of(save)
    for n in range(moves):
        id = f"n{n % 9}{'ab'[n // 9 % 2]}"
        log.move([id], sample.MAIN, *points[(n * 7 + n // 9) % 9])
    return log


# -- the cipher


def cipher(sizes: tuple[int, ...] = (1, 10, 30)) -> Iterator[str]:
    yield "| plain text | our `deobfuscate` | bare `fromhex` + `translate` + `decode` | ratio |"
    yield "| --- | --- | --- | --- |"
    line = "+/1795001418750/delete;Delete;68,130;\tclone;Clone;67,130;\\\tfootprint;84,130;"
    for size in sizes:
        text = (line * (size * 1_000_000 // len(line) + 1))[: size * 1_000_000]
        data = codec.obfuscate(text)
        table = bytes(value ^ codec.DEFAULT_KEY for value in range(256))
        pairs = [(best(partial(codec.deobfuscate, data), 1), best(partial(bare_cipher, data, table), 1))
                 for _ in range(5)]  # fmt: skip
        mine, bare = (min(times) for times in zip(*pairs, strict=True))
        yield f"| {size} MB | {mine * 1000:.1f} ms | {bare * 1000:.1f} ms | {mine / bare:.2f} |"


def bare_cipher(data: bytes, table: bytes) -> str:
    return bytes.fromhex(data[7:].decode()).translate(table).decode()


# -- full decode


def decode_fully(path: str) -> int:
    """Every command, every piece with type, state and all fields of its traits."""
    found = 0
    for text in steps.read(path).setup:
        if not text.startswith("+/"):
            continue
        command = commands.parse(text)
        if not isinstance(command, commands.AddPiece) or command.type.startswith(("stack", "deck;")):
            continue
        type = pieces.read_type(command.type)
        for trait, state in zip(type.traits, type.states(command.state), strict=True):
            found += len(trait.values) + len(trait.state(state))
    return found


_WORKER = """
import json, sys, time, contextlib, io
sys.path.insert(0, sys.argv[2])
sys.path.insert(0, sys.argv[2] + "/bench")
from pywargame.vassal import SaveIO
from pywargame.vassal.withtraits import WithTraits
import vassal

def rival(path):
    key, lines = SaveIO.readSave(path)
    for line in lines:
        if line.startswith("+/"):
            with contextlib.suppress(ValueError):
                WithTraits.decodeAdd2(line)

def taken(action, times):
    found = []
    for _ in range(times):
        with contextlib.redirect_stdout(io.StringIO()):
            start = time.perf_counter()
            action()
            found.append(time.perf_counter() - start)
    return min(found)

def ours(path):
    import fieldpost.vassal.pieces as p, fieldpost.vassal.traits as t
    p._kept_type.cache_clear(); t._kept.cache_clear(); t._kept_values.cache_clear()
    vassal.decode_fully(path)

path = sys.argv[1]
a, b = [], []
for _ in range(2):
    b.append(taken(lambda: rival(path), 1))
    a.append(taken(lambda: ours(path), 3))
print(json.dumps({"ours": min(a), "rival": min(b)}))
"""


def rival_python() -> Path | None:
    """A Python with pywargame, made on first use; None where there is no Python 3.12."""
    place = CACHE / "pywargame"
    python = place / "bin" / "python"
    if python.is_file():
        return python
    base = os.environ.get("FIELDPOST_PYTHON312") or find_312()
    if base is None:
        return None
    try:
        subprocess.run([base, "-m", "venv", str(place)], check=True, capture_output=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", RIVAL], check=True, capture_output=True)
    except (subprocess.CalledProcessError, OSError):
        shutil.rmtree(place, ignore_errors=True)
        return None
    return python


def find_312() -> str | None:
    homes = sorted(Path.home().glob(".pyenv/versions/3.1[2-9]*/bin/python"))
    for candidate in [*map(str, homes), "python3.12", "python3.13"]:
        try:
            asked = subprocess.run([candidate, "-c", "import sys; print(sys.version_info >= (3, 12))"],
                                   capture_output=True, text=True, check=False)  # fmt: skip
        except OSError:
            continue
        if asked.stdout.strip() == "True":
            return candidate
    return None


def saves(folder: Path) -> Iterator[tuple[str, Path]]:
    made = folder / "large.vsav"
    archive.write_bytes(made, large_save().bytes())
    yield "made here: 4,006 units of 13 traits", made
    from tests.places import corpus

    found = corpus()
    if found is not None:
        largest = sorted(found.files("vsav"), key=lambda path: path.stat().st_size)[-3:]
        yield from (("a stranger's", path) for path in largest)


def decoding(folder: Path) -> Iterator[str]:
    python = rival_python()
    if python is None:
        yield "No Python 3.12 could be had here, so pywargame was not measured."
        return
    yield "| save | plain text | ours | pywargame 0.8 | times faster |"
    yield "| --- | --- | --- | --- | --- |"
    for label, path in saves(folder):
        asked = subprocess.run(
            [str(python), "-c", _WORKER, str(path), str(ROOT)], capture_output=True, text=True, check=False
        )
        if asked.returncode:
            yield f"| {label} | | | fails: {asked.stderr.strip().splitlines()[-1][:80]} | |"
            continue
        taken = json.loads(asked.stdout.splitlines()[-1])
        size = len(archive.read(path).text or "") / 1e6
        ratio = taken["rival"] / taken["ours"]
        hold(ratio, DECODE_TARGET, "decode")
        yield f"| {label} | {size:.1f} MB | {taken['ours']:.2f} s | {taken['rival']:.2f} s | {ratio:.1f} |"


# -- stepping


def stepping(folder: Path) -> Iterator[str]:
    from tests.engine import engine

    reason = engine.missing()
    if reason:
        yield f"Not measured: {reason}."
        return
    module = ROOT / "tests" / "data" / "vassal" / "demo.vmod"
    yield "| log | steps | ours, a step | engine, a step | times faster | whole file | engine, whole file |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    written = folder / "long.vlog"
    long_log().write(written)
    for path in (ROOT / "tests" / "data" / "vassal" / "random3.vlog", written):
        log = steps.read(path)
        ours = statistics.median(step_time(log) for _ in range(5))
        whole = best(partial(replay, path), 3)
        with_steps = statistics.median(engine_time(module, path, len(log.steps)) for _ in range(3))
        without = statistics.median(engine_time(module, path, 0) for _ in range(3))
        theirs = (with_steps - without) / len(log.steps)
        hold(theirs / ours, STEP_TARGET, "stepping")
        yield (
            f"| {path.name} | {len(log.steps)} | {ours * 1e6:.0f} µs | {theirs * 1e6:.0f} µs "
            f"| {theirs / ours:.0f} | {whole:.3f} s | {with_steps:.1f} s |"
        )


def step_time(log: steps.Log) -> float:
    table = Table.of(log)
    start = perf_counter()
    for step in log.steps:
        table.step(step)
    return (perf_counter() - start) / len(log.steps)


def replay(path: Path) -> None:
    log = steps.read(path)
    table = Table.of(log)
    for step in log.steps:
        table.step(step)


def engine_time(module: Path, log: Path, count: int) -> float:
    tool = ROOT / "tests" / "engine" / "kit" / "bin" / "vlog-replay"
    command = [str(tool), str(module), str(log), "--no-trace", "--steps", str(count)]
    start = perf_counter()
    subprocess.run(command, capture_output=True, check=False)
    return perf_counter() - start


def main() -> int:
    lines = [
        "# Readers of VASSAL files, measured",
        "",
        f"Made by `python bench/vassal.py --write` on {datetime.now(UTC):%Y-%m-%d}, "
        f"Python {platform.python_version()}, {os.cpu_count()} cores that others used as well. "
        "Each table was taken in one run, rivals in turn; the ratios count, not the times.",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, note, table in (
            ("Taking the cipher off", "", cipher()),
            (
                "Full decode of a large save",
                "From the file to every field of every trait. Both under the same Python 3.12; pywargame by "
                "`SaveIO.readSave` and `WithTraits.decodeAdd2` for each piece, which leaves states and "
                "fields as text; ours reads them typed. Caches of types were emptied before each run.",
                decoding(folder),
            ),
            (
                "Stepping through a log",
                "The engine's time for a step is the time with all steps less the time with none "
                "(`vlog-replay --no-trace`).",
                stepping(folder),
            ),
        ):
            lines += ["", f"## {title}", "", *([note, ""] if note else [])]
            for row in table:
                lines.append(row)
                print(row, flush=True)
    if "--write" in sys.argv[1:]:
        RESULTS.write_text("\n".join(lines) + "\n")
    for missed in MISSED:
        print(f"missed: {missed}", file=sys.stderr)
    return 1 if MISSED else 0


if __name__ == "__main__":
    sys.exit(main())
