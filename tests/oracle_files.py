"""The files of `tests/data/vassal`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "vassal"
MODULE = FOLDER / "demo.vmod"
SAVE = FOLDER / "battle.vsav"
LOGS = ("oracle", "random1", "random2", "random3")
PASSWORD = "oraclepw"


def log(name: str) -> Path:
    return FOLDER / f"{name}.vlog"


def replay(name: str) -> dict[str, Any]:
    """The engine's own replay of a log."""
    report: dict[str, Any] = json.loads(gzip.decompress((FOLDER / f"{name}-replay.json.gz").read_bytes()))
    return report
