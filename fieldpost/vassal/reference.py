"""The tables of commands and traits as Markdown.

    python -m fieldpost.vassal.reference docs/vassal-formats.md

rewrites what stands between the marks of that file; a test holds it current.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from fieldpost.vassal import commands, traits
from fieldpost.vassal.commands import CommandSpec
from fieldpost.vassal.fields import Fields
from fieldpost.vassal.traits import RAW, TraitSpec

BEGIN = "<!-- generated: do not edit below -->"
END = "<!-- generated: do not edit above -->"
_KINDS = {"none": "id or null", "missing": "text", "rest": "texts", "secret": "secret", "secrets": "secrets"}


def tables() -> str:
    """Both tables."""
    return "\n".join([*_commands(), "", *_traits(), "", *_deck()])


def refreshed(document: str) -> str:
    """A document with the tables between its marks made anew."""
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"


def _commands() -> Iterator[str]:
    yield "### Commands"
    yield ""
    yield "| text | fields | what it does |"
    yield "| --- | --- | --- |"
    for spec in commands.SPECS.values():
        yield f"| {_start(spec)} | {_command_fields(spec)} | {_escaped(_summary(spec))} |"


def _start(spec: CommandSpec) -> str:
    text = spec.prefix.replace("\t", " TAB").replace("|", "\\|")
    return f"MAP`{text}`" if spec.match == "suffix" else f"`{text}`"


def _command_fields(spec: CommandSpec) -> str:
    words = [
        f"{row.name}{'?' if row.metadata['optional'] else ''} ({_KINDS.get(kind, kind)})"
        for row in spec.fields
        if (kind := row.metadata["kind"])
    ]
    if not words:
        return ""
    if spec.delimiter == commands.WHOLE:
        return f"{words[0]}, the rest of the text"
    return f"by `{spec.delimiter.replace(chr(9), 'TAB')}`: {', '.join(words)}"


def _summary(spec: CommandSpec) -> str:
    return " ".join((spec.cls.__doc__ or "").split())


def _traits() -> Iterator[str]:
    yield "### Traits"
    yield ""
    yield "Fields behind the double bar are younger than VASSAL 3.6. `=` gives a left-out field's default."
    yield ""
    yield "| type | trait | fields of the type | state |"
    yield "| --- | --- | --- | --- |"
    for row in traits.TRAITS.values():
        yield f"| `{row.prefix}` | {row.name} | {_fields(row.fields)} | {_state(row)} |"


def _state(row: TraitSpec) -> str:
    if row.state is None:
        shown = "empty"
    else:
        by = "" if row.state.delimiter == RAW else f"by `{row.state.delimiter}`: "
        shown = by + _fields(row.state)
    return f"{shown} ({_escaped(row.note)})" if row.note else shown


def _fields(fields: Fields) -> str:
    words = []
    for at, row in enumerate(fields.rows):
        bar = "‖ " if at == fields.common else ""
        kind = "" if row.kind == "text" else f" {row.kind}"
        default = f"=`{row.default}`" if row.default else ""
        words.append(f"{bar}{row.name}{kind}{default}")
    return _escaped(", ".join(words))


def _deck() -> Iterator[str]:
    yield "### Decks"
    yield ""
    yield "A deck's type is `deck;` and, by `;`: " + _fields(traits.DECK)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def main() -> None:
    path = Path(sys.argv[1])
    path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
