"""The largest map and set-up of all games in the real engine: opened, loaded, zoomed, scrolled, dragged.

`MapTimes.java` is compiled beside the engine of the tests (`make engine`) or that of VASSAL_KIT_DIR. Times
are of one run. The engine loads the map's tiles in threads of its own: a first painting may be unfinished.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import Result

HERE = Path(__file__).resolve().parent
KIT = HERE.parent / "tests" / "engine" / "kit"
GAME = "efs"


def run() -> list[Result]:
    from builder.module.package import Options, build
    from fieldpost.definition import load

    with TemporaryDirectory() as folder:
        module = build(load(GAME), Path(folder), Options()).path
        times = measured(module, Path(folder))
    found = [Result("open, pictures cut into tiles", times["open"] / 1000)]
    found += [Result(f"load {name}", took / 1000) for name, took in times["load"].items()]
    for zoom, (first, again) in times["zoom_first_and_again"].items():
        percent = round(100 * float(zoom))
        found.append(Result(f"zoom to {percent} %, first painting", first / 1000))
        found.append(Result(f"a painting at {percent} %", again / 1000))
    for what in ("scroll", "drag"):
        median, worst = times[f"{what}_median_and_worst"]
        found += [Result(f"{what}, median", median / 1000), Result(f"{what}, worst", worst / 1000)]
    note = f"{times['largest']} with {times['pieces']} pieces, {times['memory_mb']} MB in use"
    return [Result(found[0].name, found[0].seconds, note=note), *found[1:]]


def measured(module: Path, folder: Path) -> dict[str, Any]:
    """Compiles and runs the timing beside the engine; what it found."""
    engine = Path(os.environ.get("VASSAL_KIT_DIR", KIT / "engine"))
    classpath = (engine / "classpath").read_text(encoding="utf-8").strip()
    classes = folder / "classes"
    subprocess.run(["javac", "-nowarn", "-cp", classpath, "-d", classes, HERE / "MapTimes.java"], check=True)
    (folder / "classpath").write_text(f"{classes}:{classpath}\n", encoding="utf-8")
    report = folder / "times.json"
    subprocess.run(
        [KIT / "bin" / "vassal-run", "VASSAL.launch.MapTimes", module, "--out", report],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "VASSAL_KIT_DIR": str(folder), "ORACLE_TIMEOUT": "900"},
    )
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found
