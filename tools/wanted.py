"""Lists the packages that pyproject.toml asks for, as a requirements file.

python tools/wanted.py EXTRA...     the program's own packages and those of the extras
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def wanted(extras: list[str]) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    more = [one for extra in extras for one in project["optional-dependencies"][extra]]
    return [*project["dependencies"], *more]


if __name__ == "__main__":
    print("\n".join(wanted(sys.argv[1:])))
