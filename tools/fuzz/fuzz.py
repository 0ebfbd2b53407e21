"""Coverage-guided fuzzing of the readers: fuzz.py TARGET [FILE...] [-libfuzzer_option=value...]"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["fieldpost"]):
    from fieldpost import cli
    from fieldpost.errors import FieldpostError
    from fieldpost.vassal import archive, codec, naming, steps, story, tree
    from fieldpost.vassal.module import Module
    from fieldpost.vassal.module_tree import parse as parse_build_file
    from fieldpost.vassal.secrets import Scrubber, redactor
    from fieldpost.vassal.seen import Watch
    from fieldpost.vassal.sight import Sight
    from fieldpost.vassal.table import Table

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "data" / "vassal"
LONGEST_SECONDS = 1.0
LARGEST_BYTES = 30_000
SMALL_BYTES = 10_000
PASSWORD = "oraclepw"


class Leaked(Exception):
    """A password in an output."""


class Slow(Exception):
    """A small file that takes long."""


def fuzz_archive(data: bytes) -> None:
    """Any bytes as a log: read, listed, and dumped by the command itself."""
    with contextlib.suppress(FieldpostError):
        archive.parse(data, "fuzz.vlog")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzz.vlog"
        path.write_bytes(data)
        for command in (["info", str(path), "--json"], ["dump", str(path), "--json"]):
            _command(command)


def _command(arguments: list[str]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        status = cli.main(arguments)
    assert status in (0, 2), status


def fuzz_game(data: bytes) -> None:
    """Any text as a saved game: replayed, told, and scrubbed; what is scrubbed replays as well."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        log = steps.parse(text)
        table = Table.of(log)
        name = naming.namer(None, table)
        watch = Watch(Sight(table))
        clean = redactor(log)
        for step in log.steps:
            seen = watch.see(table.step(step))
            _check(clean.clean(story.line(seen, name)), log)
            for change in seen:
                story.as_data(change, name, watch)
        scrubbed = Scrubber(log).text(log.parts)
        _check(scrubbed, log)
        Table.of(steps.parse(scrubbed))
        for part in log.parts:
            assert tree.write(tree.read(part)) == part
    except FieldpostError:
        return


def _check(output: str, log: steps.Log) -> None:
    """A password that is also a word of a piece's type or a map's name stays there: the log must replay."""
    scrubber = Scrubber(log)
    if PASSWORD in output and PASSWORD in scrubber.secrets() and not scrubber.spares(PASSWORD):
        raise Leaked


def fuzz_codec(data: bytes) -> None:
    """Any text as a list and as a nest: what is read and written again is what a reader reads."""
    text = data.decode("utf-8", "surrogateescape")
    assert codec.deobfuscate(codec.obfuscate(text, 0x3C)) == text
    for delimiter in (";", "/", ",", codec.TAB, codec.ESC):
        tokens = codec.decode(text, delimiter)
        if not any(token.endswith("\\") for token in tokens[:-1]):  # the engine's own flaw
            assert codec.decode(codec.encode(tokens, delimiter), delimiter) == tokens
    with contextlib.suppress(FieldpostError):
        codec.unnest(text)


def fuzz_module(data: bytes) -> None:
    """Any bytes as a build file: every grid asked, every piece taken apart."""
    try:
        module = Module.of(parse_build_file(data, "fuzz.vmod"))
        for game_map in module.maps:
            for x, y in ((0, 0), (123, 77), (-5, 100_000)):
                label = game_map.usual.locate(x, y).label
                game_map.usual.snap(x, y)
                if label:
                    with contextlib.suppress(FieldpostError):
                        game_map.usual.pixel(label)
        for slot in module.slots:
            module.definition(slot)
        assert isinstance((module.turn_trackers, module.dice, module.setups, module.properties), tuple)
    except FieldpostError:
        return


TARGETS: dict[str, Callable[[bytes], None]] = {
    "archive": fuzz_archive,
    "game": fuzz_game,
    "codec": fuzz_codec,
    "module": fuzz_module,
}


def seeds(target: str) -> Iterator[bytes]:
    if target == "module":
        with zipfile.ZipFile(SAMPLES / "demo.vmod") as module:
            yield module.read("buildFile.xml")
        return
    for path in sorted(SAMPLES.glob("*.v[ls]*")):
        if target == "archive" and path.stat().st_size < SMALL_BYTES:
            yield path.read_bytes()
        elif target != "archive":
            yield from _games(archive.read(path).text or "")


def _games(text: str) -> Iterator[bytes]:
    """A saved game whole if it is small, and cut after some of its steps."""
    parts = codec.decode(text, codec.ESC)
    for count in (12, 16, 24, 40):
        yield codec.encode(parts[:count], codec.ESC).encode("utf-8", "surrogateescape")[:LARGEST_BYTES]


def timed(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Slow twice is slow: once may be the machine."""

    def run(data: bytes) -> None:
        if _seconds(target, data) > LONGEST_SECONDS and _seconds(target, data) > LONGEST_SECONDS:
            raise Slow(f"{len(data)} bytes take more than {LONGEST_SECONDS} s")

    return run


def _seconds(target: Callable[[bytes], None], data: bytes) -> float:
    start = time.process_time()
    target(data)
    return time.process_time() - start


def main(arguments: list[str]) -> None:
    target, *rest = arguments
    work = ROOT / ".cache" / "fuzz"
    corpus = work / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [f"-artifact_prefix={work}/{target}-", f"-max_len={LARGEST_BYTES}", "-print_final_stats=1"]
    given = [one for one in rest if not one.startswith("-")]
    atheris.Setup([sys.argv[0], *options, *rest, *([] if given else [str(corpus)])], timed(TARGETS[target]))
    atheris.Fuzz()


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: fuzz.py {'|'.join(TARGETS)} [FILE...] [-max_total_time=60]")
    main(sys.argv[1:])
