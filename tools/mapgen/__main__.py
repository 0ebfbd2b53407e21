"""python -m tools.mapgen GAME ... [--check] [--picture FILE [--scale PX]]"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

from fieldpost.errors import FieldpostError
from tools.mapgen import writer
from tools.mapgen.build import build
from tools.mapgen.model import Draft

MAPS = Path(__file__).resolve().parents[2] / "maps"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mapgen", description="Make maps/<game>/.")
    parser.add_argument("game", nargs="+")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if anything differs")
    parser.add_argument("--picture", type=Path, help="also draw a plain picture (PNG)")
    parser.add_argument("--scale", type=int, default=30, help="pixels a hex of the picture (30)")
    given = parser.parse_args(arguments)
    try:
        return max([_one(game, given.check, given.picture, given.scale) for game in given.game])
    except FieldpostError as error:
        print(error, file=sys.stderr)
        return 2


def _one(game: str, check: bool, picture: Path | None, scale: int) -> int:
    draft = build(game)
    content = writer.files(draft)
    report(draft)
    if picture is not None:
        from tools.mapgen.picture import draw

        draw(draft, scale).save(picture, optimize=True)
    differing = [name for name, text in content.items() if _differs(MAPS / game / name, text)]
    for name in differing:
        _show_difference(MAPS / game / name, content[name])
    if not check:
        writer.write(MAPS / game, content)
    print(f"{game}: {'differs: ' + ', '.join(differing) if differing else 'nothing changed'}")
    return 1 if check and differing else 0


def report(draft: Draft) -> None:
    fit = draft.quality
    left_out = "-" if fit.leave_one_out_rms is None else f"{fit.leave_one_out_rms:.2f}"
    print(
        f"{draft.spec.game}: {len(draft.plane.hexes)} hexes, fit RMS {fit.rms:.2f}, worst {fit.worst:.2f}, "
        f"leave-one-out {left_out}, {draft.reference.hex_km:.1f} km a hex, "
        f"{len(draft.spec.overrides)} overrides changing {draft.overridden} values"
    )
    for problem in draft.problems:
        print(f"  {problem}")


def _differs(path: Path, text: str) -> bool:
    return not path.exists() or path.read_text(encoding="utf-8") != text


def _show_difference(path: Path, text: str) -> None:
    before = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = list(
        difflib.unified_diff(before, text.splitlines(), path.name, path.name, "before", "after", 0, "")
    )
    for line in lines[:40]:
        print("  " + line[:140])
    if len(lines) > 40:
        print(f"  ... {len(lines) - 40} more lines of {path.name}")


if __name__ == "__main__":
    raise SystemExit(main())
