"""The core serves every game and knows none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[3] / "validator" / "core"
MODULES = sorted(CORE.glob("*.py"))
SHARED = sorted(
    path
    for room in ("engine", "model", "procedures", "queries", "services")
    for path in (CORE.parent / room).glob("*.py")
)
OF_GAMES = re.compile(
    r"\b(wfm|ftm|wie|efs|lwe|axis|soviet|german|finnish|rumanian|italian|hungarian|panzer|motherland)\b",
    re.IGNORECASE,
)


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_of_the_core_names_a_game_a_side_or_a_unit(path: Path) -> None:
    found = OF_GAMES.findall(path.read_text(encoding="utf-8"))
    assert found == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_core_stands_on_fieldpost_and_itself_alone(path: Path) -> None:
    ours = [name for name in imported(path) if name.split(".")[0] in ("validator", "builder", "tests")]
    assert all(name.startswith("validator.core") for name in ours), ours


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_what_all_games_share_imports_none_of_them(path: Path) -> None:
    assert [name for name in imported(path) if name.startswith("validator.games.")] == []
