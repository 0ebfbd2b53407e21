"""The real VASSAL engine of `tests/engine/kit`, called from Python.

`make engine` installs it. Tests ask for the fixture `engine`; where there is none it skips with the reason.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

KIT = Path(__file__).parent / "kit"
INSTALLED = Path(os.environ.get("VASSAL_KIT_DIR", KIT / "engine"))
"""Another installation can be named, of a newer engine for example."""

_QUICK = "-Doracle.tiles=false"  # large maps are not cut into tiles, which takes longer than all the rest

_SECONDS = os.environ.get("ORACLE_TIMEOUT", "1200")  # until an engine counts as hung: on a busy machine too

_ONLOOKER = "-Doracle.password=of-nobody-who-played"

CLEAN, PROBLEMS, UNLOADABLE, TIMEOUT, NO_DISPLAY = range(5)


class EngineError(AssertionError):
    """The engine did not load the file, hung or could not draw."""


def missing() -> str | None:
    """Why there is no engine here, or None when there is one."""
    if (INSTALLED / "stamp").is_file():
        return None
    reason = INSTALLED / "unavailable"
    return reason.read_text().strip() if reason.is_file() else "not installed, run `make engine`"


def vmod_check(
    module: str | os.PathLike[str], photo_of_largest: str | os.PathLike[str] | None = None
) -> dict[str, Any]:
    """Open a module, draw every piece, start every set-up, save, load again; `problems` should be empty.

    With `photo_of_largest` only the largest set-up is started, and a photo of its window written there.
    """
    alone = ["--largest", "--photo", os.fspath(photo_of_largest)] if photo_of_largest else []
    return _report("vmod-check", module, *alone)


def vlog_replay(
    module: str | os.PathLike[str],
    game: str | os.PathLike[str],
    full: bool = True,
    trace: bool = True,
    resave: str | os.PathLike[str] | None = None,
    shots: tuple[str | os.PathLike[str], Iterable[int]] | None = None,
    seat: str | None = None,
) -> dict[str, Any]:
    """Load a save or log, step to its end: the position before, after each step (`trace`), at the end.

    `shots` names a folder and steps: a picture of each map with pieces after each of them (0: at the start),
    as somebody sees it who did not play, or who has the password `seat`.
    """
    options = ["--full"] * full + ["--no-trace"] * (not trace)
    if shots is not None:
        options += ["--shots", os.fspath(shots[0]), ",".join(map(str, shots[1]))]
    if resave is not None:
        options += ["--resave", os.fspath(resave)]
    viewer = f"-Doracle.password={seat}" if seat else _ONLOOKER if shots else ""
    return _report("vlog-replay", module, game, *options, more=viewer)


def play_log(
    module: str | os.PathLike[str],
    script: str,
    log: str | os.PathLike[str],
    setup: str | None = None,
    wizard: bool = False,
) -> dict[str, Any]:
    """Play a script (kit/harness/PlayLog.java) by menus, keys and drags; the engine writes the log."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "script.txt"
        lines.write_text(script, encoding="utf-8")
        return _report(
            "play-log", module, lines, log, *(["--setup", setup] if setup else []), *["--wizard"] * wizard
        )


def vassal_shot(
    module: str | os.PathLike[str],
    picture: str | os.PathLike[str],
    setup: str | None = None,
    load: str | os.PathLike[str] | None = None,
    map_name: str | None = None,
    zoom: float | None = None,
    whole: bool = False,
) -> dict[str, Any]:
    """Write a photo of the running module (or with `whole` of one whole map) to `picture`."""
    values = {"--setup": setup, "--load": load, "--map": map_name, "--zoom": zoom}
    options = [str(part) for name, value in values.items() if value is not None for part in (name, value)]
    status, printed, complaints = _run("vassal-shot", module, picture, *options, *["--whole"] * whole)
    return _parse(status, printed, complaints)


def _report(tool: str, *arguments: str | os.PathLike[str], more: str = "") -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        status, printed, complaints = _run(tool, *arguments, "--out", out, more=more)
        return _parse(status, out.read_text() if out.is_file() else printed, complaints)


def _parse(status: int, text: str, complaints: str) -> dict[str, Any]:
    try:
        report: dict[str, Any] = json.loads(text)
    except ValueError:
        raise EngineError(
            f"the engine ended with status {status} and no report: {complaints[-500:]}"
        ) from None
    if status not in (CLEAN, PROBLEMS):
        raise EngineError(
            f"the engine ended with status {status}: {report.get('fatal')} {report.get('problems')}"
        )
    return report


def _run(tool: str, *arguments: str | os.PathLike[str], more: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [KIT / "bin" / tool, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100 + int(_SECONDS),
        env={
            **os.environ,
            "ORACLE_TIMEOUT": _SECONDS,
            "ORACLE_JAVA_OPTS": f"{os.environ.get('ORACLE_JAVA_OPTS', _QUICK)} {more}",
            "VASSAL_KIT_DIR": str(INSTALLED),
        },
    )
    return done.returncode, done.stdout, done.stderr
