"""What a rule or an editor settles against the derived map. Every entry cites a rule or says editorial."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, Hexside
from tools.mapgen.model import Because, Draft, Run, Track
from tools.mapgen.sides import stretches

_HEX_KEYS, _WATER_KEYS, _RUN_KEYS = ("terrain", "country"), ("water",), ("add", "remove", "track")


def checked(draft: Draft) -> list[dict[str, Any]]:
    for entry in draft.spec.overrides:
        if "rule" not in entry and not entry.get("editorial"):
            raise FieldpostError(
                f"{draft.spec.game}: an override says neither rule nor editorial: {entry}",
                "Give it the rule's number (rule) or the reason (editorial).",
            )
    return draft.spec.overrides


def _source(entry: dict[str, Any]) -> dict[str, Any]:
    if "rule" in entry:
        return {"source": "rule", "rule": str(entry["rule"]), "note": entry.get("note")}
    return {"source": "editorial", "rule": None, "note": entry["editorial"]}


def _hexes(draft: Draft, entry: dict[str, Any]) -> list[Hex]:
    return [draft.plane.lattice.hex(h) for h in str(entry["hexes"]).split()]


def _sides(draft: Draft, entry: dict[str, Any]) -> list[Hexside]:
    return [draft.plane.lattice.hexside(s) for s in str(entry["sides"]).split()]


def apply_to_hexes(draft: Draft) -> None:
    """terrain: or country: for hexes; terrain `dry` means whatever it is, not water."""
    for entry in checked(draft):
        for key in _HEX_KEYS:
            if key in entry:
                _set_hexes(draft, key, str(entry[key]), entry)


def _set_hexes(draft: Draft, key: str, value: str, entry: dict[str, Any]) -> None:
    values = draft.terrain if key == "terrain" else draft.country
    changed = []
    for hex_ in _hexes(draft, entry):
        new = value
        if value == "dry":
            new = "clear" if not draft.dry(hex_) else draft.terrain[hex_]
        if values.get(hex_) != new:
            changed.append(hex_)
            values[hex_] = new
    draft.overridden += len(changed)
    if changed:
        draft.because.append(Because(key, tuple(changed), **_source(entry)))


def apply_to_water(draft: Draft) -> None:
    """water: sea, lake or none for hexsides; kind: how it is written (strait, causeway, ice-road)."""
    for entry in checked(draft):
        if "water" not in entry:
            continue
        for side in _sides(draft, entry):
            before = draft.water.pop(side, "none")
            if entry["water"] != "none":
                draft.water[side] = str(entry["water"])
                name = str(entry.get("name", f"{entry['water']} hexside"))
                draft.water_reason[side] = {**_source(entry), "name": name, "kind": entry.get("kind")}
            if entry.get("railway"):
                draft.dams.add(side)
            draft.overridden += before != entry["water"]


def apply_to_runs(draft: Draft) -> None:
    """add: a kind of hexside; remove: a kind from hexsides; track: a kind of line."""
    for entry in checked(draft):
        if "remove" in entry:
            _remove(draft, str(entry["remove"]), set(_sides(draft, entry)))
        if "add" in entry:
            name = str(entry.get("name", entry["add"]))
            draft.runs.append(
                Run(str(entry["add"]), name, sides=tuple(_sides(draft, entry)), **_source(entry))
            )
            draft.overridden += 1
        if "track" in entry:
            hexes = tuple(draft.plane.lattice.hex(h) for h in str(entry["hexes"]).split("-"))
            name = str(entry["name"])
            draft.tracks.append(Track(str(entry["track"]), name, hexes=hexes, **_source(entry)))
            draft.overridden += 1


def _remove(draft: Draft, kind: str, gone: set[Hexside]) -> None:
    kept = []
    for run in draft.runs:
        left = tuple(s for s in run.sides if run.kind != kind or s not in gone)
        draft.overridden += len(run.sides) - len(left)
        kept += [replace(run, sides=tuple(part)) for part in stretches(draft.plane, left)]
    draft.runs = kept
