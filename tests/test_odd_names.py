"""Every command reads and writes files whose names are odd, in a folder whose name is, in any locale."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import oracle_files
from tests.places import REPOSITORY

EXAMPLES = REPOSITORY / "examples"
NAMES = {
    "printable": b'-Gr\xc3\xb6\xc3\x9fe "it\'s" & <b> $x',
    "in no encoding": b"-gr\xf6\xdfe",
}
LOCALES = {
    "utf-8": {"PYTHONUTF8": "1"},
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
SCRIPT = """
import json, os, sys
from fieldpost.cli import main
name = os.fsdecode(bytes.fromhex(sys.argv[1]))
for status, *words in json.loads(sys.argv[2]):
    words = [word.replace("NAME", name) for word in words]
    print(">", ascii(words))
    given = main(words)
    assert given == status, (given, words)
"""
COMMANDS = [
    (0, "lint", "NAME"),
    (0, "build", "NAME", "-o", "./NAME.built"),
    (0, "render", "counters", "NAME", "-o", "./NAME.pictures"),
    (0, "info", "NAME.vlog", "--json"),
    (0, "dump", "NAME.vlog", "--module", "NAME.vmod"),
    (0, "dump", "NAME.vlog", "--json"),
    (0, "inspect", "NAME.vmod", "--html", "./NAME.inspected.html"),
    (0, "scrub", "NAME.vlog", "./NAME.scrubbed.vlog"),
    (0, "replay", "NAME.vlog", "--module", "NAME.vmod", "-o", "./NAME.replay.html"),
    (0, "import", "NAME.vmod", "-o", "./NAME.taken"),
    (1, "check", "NAME.txt"),
    (1, "check", "NAME.txt", "--html", "./NAME.html"),
    (1, "check", "NAME.txt", "--json"),
    (1, "check", "NAME.txt", "--reply"),
    (0, "audit", "NAME.game", "--html", "./NAME.game.html"),
    (0, "audit", "NAME.game", "--out", "./NAME.audits"),
    (0, "tell", "NAME.game"),
    (0, "supply", "NAME.game/NAME.vlog"),
    (0, "reach", "NAME.game/NAME.vlog", "PzKG-4"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "locale"), [("printable", "ascii"), ("in no encoding", "utf-8")])
def test_odd_names_are_read_and_written(kind: str, locale: str, tmp_path: Path) -> None:
    name = os.fsdecode(NAMES[kind])
    folder = tmp_path / name
    shutil.copytree(EXAMPLES / "first-game", folder / name)
    shutil.copytree(EXAMPLES / "samples" / "turning-point", folder / f"{name}.game")
    first = folder / f"{name}.game" / "1-turn-22-axis.vlog"
    first.rename(first.with_name(f"{name}.vlog"))
    shutil.copy(EXAMPLES / "faulty-turn.txt", folder / f"{name}.txt")
    shutil.copy(oracle_files.log("oracle"), folder / f"{name}.vlog")
    shutil.copy(oracle_files.MODULE, folder / f"{name}.vmod")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, NAMES[kind].hex(), json.dumps(COMMANDS)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), **LOCALES[locale]},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    made = {path.name.removeprefix(name) for path in folder.iterdir()}
    assert made >= {".built", ".html", ".scrubbed.vlog", ".replay.html", ".taken", ".game.html", ".audits"}
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]
