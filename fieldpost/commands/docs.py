"""`fieldpost docs`: the pages of `docs/`, which an installed copy has too."""

from __future__ import annotations

import argparse
from pathlib import Path

from fieldpost import data
from fieldpost.commands.options import example
from fieldpost.errors import FieldpostError


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", nargs="?", help="the page to print; without one, all are listed")
    example(parser, "docs", "docs game-data", "docs docs/overlays.md")


def run(arguments: argparse.Namespace) -> int:
    pages = {path.stem: path for path in sorted(data.path("docs").glob("*.md")) if path.stem != "README"}
    if arguments.page is None:
        width = max(map(len, pages), default=0)
        print("\n".join(f"{name:<{width}}  {_title(path)}" for name, path in pages.items()))
        return 0
    name = Path(arguments.page).name.removesuffix(".md")
    if name not in pages:
        raise FieldpostError(f"there is no page {arguments.page!r}", f"Pages: {', '.join(pages)}.")
    print(pages[name].read_text(encoding="utf-8"), end="")
    return 0


def _title(page: Path) -> str:
    with page.open(encoding="utf-8") as lines:
        return next(lines, "").removeprefix("# ").strip()
