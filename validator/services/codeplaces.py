"""Where the code of a game names a rule: the place to read, or to change, what decides it."""

from __future__ import annotations

import re
from pathlib import Path

GAMES = Path(__file__).resolve().parents[1] / "games"


def named_in_code(game: str) -> dict[str, list[str]]:
    """File and line of each id that stands literally in the code of a game in the box."""
    literal = re.compile(rf'"({re.escape(game)}-[A-Za-z0-9.-]+)"')
    found: dict[str, list[str]] = {}
    for path in sorted((GAMES / game).glob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for rule in literal.findall(line):
                found.setdefault(rule, []).append(f"validator/games/{game}/{path.name}:{number}")
    return found
