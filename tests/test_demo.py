"""What `make demo` does: every scene ends as it must, every file it names is there."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from tests.places import REPOSITORY


@pytest.mark.slow
def test_the_demo_makes_what_it_says(tmp_path: Path) -> None:
    command = [sys.executable, REPOSITORY / "tools" / "demo.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (module,) = tmp_path.glob("wfm-*.vmod")
    assert "buildFile.xml" in zipfile.ZipFile(module).namelist()
    for name in ("wfm-map-turning-point.jpg", "wfm-counters.png"):
        assert min(Image.open(tmp_path / name).size) > 800
    assert "wfm-4.26b" in (tmp_path / "report.html").read_text(encoding="utf-8")
    for made in tmp_path.iterdir():
        assert f"{made}" in done.stdout
