"""The format reference is made from the tables the reader uses."""

from __future__ import annotations

from fieldpost.vassal import commands, reference, traits
from tests.places import REPOSITORY

DOCUMENT = REPOSITORY / "docs" / "vassal-formats.md"


def test_reference_is_current() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert reference.refreshed(text) == text, "python -m fieldpost.vassal.reference docs/vassal-formats.md"


def test_reference_names_every_command_and_trait() -> None:
    text = reference.tables()
    assert all(f"| `{prefix}` |" in text for prefix in traits.TRAITS)
    assert text.count("\n| `") + text.count("\n| MAP") >= len(traits.TRAITS) + len(commands.SPECS)


def test_reference_says_which_fields_are_secret() -> None:
    row = next(line for line in reference.tables().split("\n") if line.startswith("| `M/` |"))
    assert "player? (secret)" in row
