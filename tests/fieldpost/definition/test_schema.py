"""The JSON Schemas hold what is shipped, and refuse what the reader refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from fieldpost import data
from fieldpost.commands import lint
from fieldpost.definition.schema import KINDS, schema
from tests.fieldpost.definition.patching import EXAMPLE

Validator = jsonschema.Draft202012Validator


def kind_of(path: Path) -> str:
    if path.parent.name == "scenarios":
        return "scenario"
    return "counters" if path.parent.name == "counters" else path.stem


def shipped() -> list[Path]:
    root = data.root()
    folders = [root / "games", root / "counters", root / "maps", EXAMPLE]
    files = sorted(path for folder in folders for path in folder.rglob("*.yaml"))
    return [path for path in files if path.parent.name != "cases"]  # those are the referee's


@pytest.mark.parametrize("kind", KINDS)
def test_each_schema_is_one(kind: str) -> None:
    Validator.check_schema(schema(kind))


@pytest.mark.parametrize("path", shipped(), ids=lambda path: "/".join(path.parts[-3:]))
def test_every_file_that_ships_is_valid(path: Path) -> None:
    value = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    errors = [
        f"{list(e.absolute_path)}: {e.message[:200]}"
        for e in Validator(schema(kind_of(path))).iter_errors(value)
    ]
    assert errors == []


def scenario(**changes: Any) -> dict[str, Any]:
    text = (EXAMPLE / "scenarios" / "dawn.yaml").read_text(encoding="utf-8")
    return {**yaml.safe_load(text), **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"first_turn": "one"},
        {"first_trun": 1},
        {"id": "Dawn Attack"},
        {"sheets": "A"},
        {"set_up": [{"hex": 403, "units": []}]},
        {"set_up": [{"hex": "0403", "units": [{"step": 1}]}]},
        {"provenance": {"source": "book"}},
        {"control": {"red": [1]}},
    ],
)
def test_what_the_reader_refuses_the_schema_refuses(changes: dict[str, Any]) -> None:
    validator = Validator(schema("scenario"))
    assert validator.is_valid(scenario())
    assert not validator.is_valid(scenario(**changes))


def test_the_command_offers_every_schema() -> None:
    assert set(lint.SCHEMAS) == set(KINDS)
