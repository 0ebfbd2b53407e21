"""`make latest`: style, types and all tests with the newest packages that pyproject.toml allows.

It ends with the packages that are newer than the locked ones, and with the checks that failed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKED = ROOT / "tools" / "locked" / "tests.txt"
TESTS = ("-n", os.environ.get("WORKERS", "3"), "--dist", "loadgroup", "-rfE", "-p", "no:cacheprovider")
CHECKS = {
    "style": ("ruff", "check", "."),
    "format": ("ruff", "format", "--check", "."),
    "types": ("mypy",),
    "tests": ("pytest", *TESTS),
}


def main() -> int:
    broken = [name for name, command in CHECKS.items() if not passes(command)]
    print("\nNewer than locked:", "; ".join(newer()) or "nothing")
    outcome = "Broken with the newest packages:" if broken else "All checks pass with the newest packages."
    print(outcome, *broken)
    return 1 if broken else 0


def passes(command: tuple[str, ...]) -> bool:
    print(f"\n== {' '.join(command)}", flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode == 0


def newer() -> list[str]:
    """The installed packages whose version is not the locked one."""
    locked = dict(re.findall(r"^([\w.-]+)==([\w.]+)", LOCKED.read_text(encoding="utf-8"), re.MULTILINE))
    installed = {re.sub(r"[-_.]+", "-", one.name).lower(): one.version for one in distributions()}
    return [
        f"{name} {locked[name]} -> {version}"
        for name, version in sorted(installed.items())
        if name in locked and locked[name] != version
    ]


if __name__ == "__main__":
    sys.exit(main())
