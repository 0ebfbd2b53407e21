"""What the wheel holds beside its packages: the commit it was built from, and the pages of docs/."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        included = build_data["force_include"]
        for page in root.glob("docs/*.md"):
            included[str(page)] = f"fieldpost/_data/docs/{page.name}"
        command = ["git", "-C", self.root, "rev-parse", "--short=10", "HEAD"]
        try:
            commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):  # built from an archive
            return
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "commit.txt"
        path.write_text(commit, encoding="ascii")
        included[str(path)] = "fieldpost/_data/commit.txt"
