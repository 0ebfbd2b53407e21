"""Fortified lines: hexes through given points, and their hexsides at the side of the enemy."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from fieldpost.hexes import Hex, Hexside, neighbors
from tools.mapgen.model import Draft, Run
from tools.mapgen.sides import chains


def draw_fortified_lines(draft: Draft) -> None:
    """Each line as a run of hexsides; the hexes behind them are an area, so that the facing is known."""
    taken: set[Hexside] = set()
    for row in draft.spec.extra("fortified.yaml"):
        hexes = _hexes(draft, row)
        sides = _facing(draft, hexes, float(row["faces"])) - taken
        taken |= sides
        note = f"faces {row['faces']} degrees from north"
        for chain in chains(draft.plane, sides):
            draft.runs.append(Run("fortified-line", row["name"], "editorial", tuple(chain), note=note))
        head = {
            "id": row["name"].lower().replace(" ", "-"),
            "name": row["name"],
            "kind": "fortified-line",
            "source": "editorial",
            "note": "the hexes that the line defends",
        }
        draft.areas.append((head, tuple(h for h in draft.plane.ordered if h in hexes)))


def _hexes(draft: Draft, row: dict[str, Any]) -> set[Hex]:
    pairs = [tuple(float(v) for v in point.split(",")) for point in str(row["points"]).split()]
    points = [np.array(draft.reference.point(lat, lon)) for lat, lon in pairs]
    found = set()
    for a, b in pairwise(points):
        for t in np.linspace(0, 1, max(2, int(np.hypot(*(b - a)) * 6))):
            x, y = a + (b - a) * t
            found.add(draft.plane.at(float(x), float(y)))
    return {h for h in found if h in draft.plane.hexes and draft.dry(h)}


def _facing(draft: Draft, hexes: set[Hex], faces: float) -> set[Hexside]:
    towards = np.array([math.sin(math.radians(faces)), -math.cos(math.radians(faces))])
    found = set()
    for hex_ in hexes:
        for neighbor in neighbors(hex_):
            away = np.array(draft.plane.center(neighbor)) - np.array(draft.plane.center(hex_))
            outside = neighbor in draft.plane.hexes and neighbor not in hexes and draft.dry(neighbor)
            if outside and float(away @ towards) > 0.35:
                found.add(Hexside.between(hex_, neighbor))
    return found
