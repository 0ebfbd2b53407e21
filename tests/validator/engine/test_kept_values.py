"""What is worked out once is kept under the function or the type that asks: no two can share a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

VALIDATOR = Path(__file__).resolve().parents[3] / "validator"
KEEPERS = ("about", "kept", "once")


def string_keys(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in KEEPERS:
            key = node.args[0]
            first = key.elts[0] if isinstance(key, ast.Tuple) else key
            if isinstance(first, ast.Constant):
                yield node.lineno, str(first.value)


def test_a_string_as_key_is_noticed() -> None:
    assert list(string_keys("case.about('way', work_out)\ncase.once((table, side), make)")) == [(1, "way")]
    assert list(string_keys("case.kept(('supply', side), state, make)")) == [(1, "supply")]


def test_no_key_is_a_string() -> None:
    keys = {
        f"{path.relative_to(VALIDATOR)}:{line}": key
        for path in sorted(VALIDATOR.rglob("*.py"))
        for line, key in string_keys(path.read_text(encoding="utf-8"))
    }
    assert keys == {}
