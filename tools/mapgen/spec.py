"""What a map is made by: the files of tools/mapgen/geography/ and tools/mapgen/<game>/."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Axis, Cell, Hex, Lattice, Orientation, Sheet, from_cell

HERE = Path(__file__).parent
GEOGRAPHY = HERE / "geography"


class Town(NamedTuple):
    name: str
    rank: int
    port: bool
    lat: float
    lon: float


@dataclass(frozen=True)
class River:
    name: str
    rank: str
    course: str  # a name in the river data, or the name of a hand-drawn course
    source: tuple[float, float]
    mouth: tuple[float, float]
    into: str
    major_below: tuple[float, float] | None = None


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else None


def gazetteer(path: Path = GEOGRAPHY / "gazetteer.csv") -> dict[str, Town]:
    return {
        r["name"]: Town(r["name"], int(r["rank"]), bool(r["port"]), float(r["lat"]), float(r["lon"]))
        for r in rows(path)
    }


def named_points(path: Path, key: str) -> dict[str, list[tuple[float, float]]]:
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows(path):
        lines.setdefault(row[key], []).append((float(row["lat"]), float(row["lon"])))
    return lines


def banks(path: Path) -> dict[str, float]:
    return {r["town"]: float(r["towards"]) for r in rows(path)}


def railways(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [[name.strip() for name in line.split(" - ")] for line in lines if line.strip()]


def rivers(path: Path) -> list[River]:
    def pair(value: Any) -> tuple[float, float]:
        return float(value[0]), float(value[1])

    return [
        River(
            r["river"],
            r["rank"],
            r.get("course", r["river"]),
            pair(r["source"]),
            pair(r["mouth"]),
            r["into"],
            pair(r["major_below"]) if "major_below" in r else None,
        )
        for r in read_yaml(path)
    ]


@dataclass(frozen=True)
class Spec:
    """One game's map as it is asked for."""

    game: str
    head: dict[str, Any]
    lattice: Lattice
    towns: dict[str, Town] = field(default_factory=gazetteer)

    @property
    def folder(self) -> Path:
        return HERE / self.game

    def geography(self, name: str) -> Path:
        """A file of this map's own geography, else the one that all maps share."""
        return geography(self.game, name)

    @cached_property
    def hexes(self) -> frozenset[Hex]:
        cut = [tuple(int(n) for n in c) for c in self.head.get("cut", [])]
        found = set()
        for sheet in self.lattice.sheets:
            for column, row, hex_ in _cells(sheet, self.lattice.orientation):
                if not any(a <= column <= b and c <= row <= d for a, b, c, d in cut):
                    found.add(hex_)
        return frozenset(found - {self.lattice.hex(h) for h in self.head.get("absent", [])})

    @cached_property
    def overrides(self) -> list[dict[str, Any]]:
        return read_yaml(self.folder / "overrides.yaml") or []

    @cached_property
    def anchors(self) -> list[dict[str, str]]:
        path = self.folder / "anchors.csv"
        return rows(path) if path.exists() else []

    def extra(self, name: str) -> Any:
        return read_yaml(self.folder / name) or []


def geography(game: str, name: str) -> Path:
    own = HERE / game / "geography" / name
    return own if own.exists() else GEOGRAPHY / name


def _cells(sheet: Sheet, orientation: Orientation) -> Iterator[tuple[int, int, Hex]]:
    assert sheet.columns.low is not None
    assert sheet.columns.high is not None
    assert sheet.rows.low is not None
    assert sheet.rows.high is not None
    for row in range(sheet.rows.low, sheet.rows.high + 1):
        for column in range(sheet.columns.low, sheet.columns.high + 1):
            cell = sheet.cell(column, row, orientation)
            yield column, row, from_cell(Cell(*cell), orientation)


def load(game: str) -> Spec:
    head = read_yaml(HERE / game / "map.yaml")
    if head is None:
        known = ", ".join(sorted(p.parent.name for p in HERE.glob("*/map.yaml")))
        raise FieldpostError(f"there are no inputs for a map of {game!r}", f"Known games: {known}.")
    sheets = tuple(
        Sheet(
            id=s["id"],
            columns=Axis(**s["columns"]),
            rows=Axis(**s["rows"]),
            order=s.get("order", "CCRR"),
            prefix=s.get("prefix", ""),
        )
        for s in head["sheets"]
    )
    towns = gazetteer(geography(game, "gazetteer.csv"))
    return Spec(game, head, Lattice(Orientation(head["orientation"]), sheets), towns)
