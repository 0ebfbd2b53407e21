"""Writes maps/<game>/: YAML that reads well, differs little after a small change, is the same every time."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from fieldpost.hexes import Cell, Hex, Hexside, from_cell, to_cell
from tools.mapgen.model import Because, Draft, Run, Track

_WIDTH = 110
Row = Mapping[str, Any]


def scalar(value: Any) -> str:
    """A YAML value on one line; text is quoted unless it is plainly a word."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(scalar(v) for v in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {scalar(v)}" for k, v in value.items()) + "}"
    text = str(value)
    plain = text.replace("-", "").replace(" ", "")
    words = plain.isalpha() and text == text.strip() and text[0].isalpha() and plain.isascii()
    reserved = text.lower() in {"yes", "no", "on", "off", "true", "false", "null", "y", "n"}
    return text if words and not reserved else json.dumps(text, ensure_ascii=False)


def record(row: Row) -> str:
    """One list entry on one line."""
    kept = {k: v for k, v in row.items() if v not in (None, (), [], {}, "")}
    return "  - {" + ", ".join(f"{k}: {scalar(v)}" for k, v in kept.items()) + "}"


def block(row: Row, long_key: str, words: Iterable[str]) -> str:
    """One list entry of several lines, its long value folded."""
    kept = {k: v for k, v in row.items() if v not in (None, (), [], {}, "")}
    lines = [f"{k}: {scalar(v)}" for k, v in kept.items()]
    text = textwrap.wrap(" ".join(words), _WIDTH - 6, break_long_words=False, break_on_hyphens=False)
    if len(text) == 1:
        lines.append(f'{long_key}: "{text[0]}"')
    else:
        lines += [f"{long_key}: >-", *(f"  {line}" for line in text)]
    return "  - " + "\n    ".join(lines)


def listing(title: str, entries: Iterable[str]) -> str:
    found = list(entries)
    return f"{title}:\n" + "\n".join(found) + "\n" if found else f"{title}: []\n"


# --- the files -------------------------------------------------------------------------------


def files(draft: Draft) -> dict[str, str]:
    """File name to content."""
    makers: dict[str, Callable[[Draft], str]] = {
        "map.yaml": _head,
        "grids.yaml": _grids,
        "places.yaml": _places,
        "hexsides.yaml": _hexsides,
        "lines.yaml": _lines,
        "areas.yaml": _areas,
    }
    notice = f"# Written by `python -m tools.mapgen {draft.spec.game}`; change its inputs, not this file.\n"
    return {name: notice + maker(draft) for name, maker in makers.items()}


def _head(draft: Draft) -> str:
    head = draft.spec.head
    lines = [
        f"id: {draft.spec.game}",
        f"title: {scalar(head['title'])}",
        f"hex_km: {round(draft.reference.hex_km, 1)}",
        f"north_degrees: {round(draft.reference.north_degrees, 1)}",
        f"orientation: {head['orientation']}",
        listing("sheets", map(record, head["sheets"])).rstrip(),
    ]
    for kinds in ("terrain_kinds", "hexside_kinds", "line_kinds", "place_kinds"):
        lines.append(listing(kinds, map(record, head[kinds])).rstrip())
    for key in ("half_hexes", "unplayable"):
        if head.get(key):
            labels = [draft.plane.lattice.label(h) for h in _sorted(draft, _hex_set(draft, head[key]))]
            lines.append(f"{key}:\n" + "\n".join(_quoted_rows(labels)))
    lines.append(listing("credits", (f"  - {scalar(c)}" for c in head["credits"])).rstrip())
    lines.append(f"provenance: {scalar(head['provenance'])}")
    return "\n".join(lines) + "\n"


def _quoted_rows(labels: list[str]) -> list[str]:
    return [
        "  " + row
        for row in textwrap.wrap("[" + ", ".join(f'"{label}"' for label in labels) + "]", _WIDTH - 4)
    ]


def _hex_set(draft: Draft, text: Any) -> set[Hex]:
    words = text.split() if isinstance(text, str) else text
    return {draft.plane.lattice.hex(str(w)) for w in words}


def _sorted(draft: Draft, hexes: Iterable[Hex]) -> list[Hex]:
    orientation = draft.plane.lattice.orientation
    return sorted(hexes, key=lambda h: to_cell(h, orientation)[::-1])


def _grids(draft: Draft) -> str:
    every: list[tuple[str, Mapping[Hex, str]]] = [("terrain", draft.terrain), ("country", draft.country)]
    every += [(name, values) for name, values in draft.grids.items()]
    return "grids:\n" + "".join(_grid(draft, name, values) for name, values in every)


def _grid(draft: Draft, name: str, values: Mapping[Hex, str]) -> str:
    full = {h: values[h] for h in draft.plane.ordered if h in values}
    key = _letters(set(full.values()), draft.spec.head.get("letters", {}))
    lines = [
        f"  - id: {name}",
        f"    source: {draft.grid_source.get(name, 'derived')}",
        "    key: {" + ", ".join(f"{scalar(c)}: {v}" for c, v in sorted(key.items())) + "}",
        "    rows: |",
        *(f"      {row}" for row in _grid_rows(draft, full, {v: c for c, v in key.items()})),
    ]
    reasons = [b for b in draft.because if b.grid == name]
    if reasons:
        lines += ["    because:", *("    " + _because(draft, b) for b in reasons)]
    return "\n".join(lines) + "\n"


def _because(draft: Draft, reason: Because) -> str:
    labels = [draft.plane.label(h) for h in reason.hexes]
    row = {"hexes": labels, "source": reason.source, "rule": reason.rule, "note": reason.note}
    kept = {k: v for k, v in row.items() if v is not None}
    listed = "[" + ", ".join(f'"{label}"' for label in labels) + "]"
    rest = ", ".join(f"{k}: {scalar(v)}" for k, v in kept.items() if k != "hexes")
    return f"  - {{hexes: {listed}, {rest}}}"


def _letters(values: set[str], wanted: Mapping[str, str]) -> dict[str, str]:
    """A letter for every value: the wished one, else one of its own name."""
    key = {letter: value for value, letter in wanted.items() if value in values}
    for value in sorted(values - set(key.values())):
        letters = [*value.replace("-", ""), *value.upper().replace("-", ""), *"123456789"]
        key[next(c for c in letters if c not in key)] = value
    return key


def _grid_rows(draft: Draft, values: Mapping[Hex, str], letter: Mapping[str, str]) -> list[str]:
    orientation = draft.plane.lattice.orientation
    cells = [to_cell(h, orientation) for h in draft.plane.hexes]
    width, height = max(c.column for c in cells) + 1, max(c.row for c in cells) + 1
    rows = []
    for row in range(height):
        found = [values.get(from_cell(Cell(column, row), orientation)) for column in range(width)]
        rows.append("".join(letter[v] if v is not None else "_" for v in found))
    return rows


def _places(draft: Draft) -> str:
    return listing("places", map(record, draft.places))


def _hexsides(draft: Draft) -> str:
    return listing("hexsides", (_run(draft, run) for run in draft.runs))


def _run(draft: Draft, run: Run) -> str:
    row = {"kind": run.kind, "name": run.name, "source": run.source, "rule": run.rule, "note": run.note}
    return block(row, "sides", (side_label(draft, s) for s in run.sides))


def side_label(draft: Draft, side: Hexside) -> str:
    return draft.plane.lattice.hexside_label(side)


def _lines(draft: Draft) -> str:
    return listing("lines", (_track(draft, t) for t in draft.tracks))


def _track(draft: Draft, track: Track) -> str:
    row = {
        "kind": track.kind,
        "name": track.name,
        "source": track.source,
        "rule": track.rule,
        "note": track.note,
    }
    text = "-".join(draft.plane.label(h) for h in track.hexes)
    if len(text) < 80:
        return record({**row, "hexes": text})
    lines = [f"{k}: {scalar(v)}" for k, v in row.items() if v is not None]
    lines.append(f'hexes: "{text}"')
    return "  - " + "\n    ".join(lines)


def _areas(draft: Draft) -> str:
    text = listing(
        "areas", (block(row, "hexes", _area_labels(draft, row, hexes)) for row, hexes in draft.areas)
    )
    if draft.edges:
        text += listing(
            "edges", (block(row, "hexes", map(draft.plane.label, hexes)) for row, hexes in draft.edges)
        )
    return text


def _area_labels(draft: Draft, row: Row, hexes: Iterable[Hex]) -> list[str]:
    sheet = draft.area_sheets.get(str(row["id"]))
    return [draft.plane.lattice.label(h, sheet) for h in _sorted(draft, hexes)]


# --- to disk ---------------------------------------------------------------------------------


def write(folder: Path, content: Mapping[str, str]) -> list[str]:
    """Write what differs; the names of the files that did."""
    folder.mkdir(parents=True, exist_ok=True)
    changed = []
    for name, text in content.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            beside = path.with_suffix(".part")
            beside.write_text(text, encoding="utf-8")
            os.replace(beside, path)
            changed.append(name)
    return changed
