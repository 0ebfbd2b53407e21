"""Places, areas, edges and the grids besides terrain and country."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from fieldpost.hexes import Compass, Hex, neighbors, to_cell
from tools.mapgen import spec
from tools.mapgen.model import Draft, Run
from tools.mapgen.sides import chains

ARCTIC_CIRCLE = 66.56
_SPLIT = re.compile(r"[;\s]+")


def add_features(draft: Draft) -> None:
    draft.places = [*_listed_places(draft), *_edge_sources(draft), *_small_towns(draft)]
    for row in draft.spec.extra("areas.yaml"):
        head, hexes = _area(draft, row)
        draft.areas.append((head, hexes))
        if "front" in row:
            _draw_front(draft, row, frozenset(hexes))
    for name, hex_ in draft.named_waters:
        head = {"id": name.lower().replace(" ", "-"), "name": name, "kind": "lake", "source": "editorial"}
        draft.areas.append((head, (hex_,)))
    draft.edges += [_edge(draft, row) for row in draft.spec.extra("edges.yaml")]
    if draft.spec.head.get("arctic"):
        _add_arctic(draft)
    for grid in draft.spec.extra("zones.yaml"):
        _add_zones(draft, grid)
    if draft.spec.head.get("half_hexes_at_sides"):
        halves = [h for h in draft.plane.ordered if _juts_out(draft, h)]
        draft.spec.head["half_hexes"] = [draft.plane.label(h) for h in halves]
    neutral = set(draft.spec.head.get("neutral", []))
    if neutral:
        lying = [h for h in draft.plane.ordered if draft.country.get(h) in neutral]
        draft.spec.head["unplayable"] = [draft.plane.label(h) for h in lying]


# --- places ----------------------------------------------------------------------------------


def _listed_places(draft: Draft) -> list[dict[str, Any]]:
    found = []
    for row in spec.rows(draft.spec.folder / "places.csv"):
        town = draft.towns.get(row["town"] or row["name"])
        hex_ = draft.plane.lattice.hex(row["hex"]) if row["hex"] else town.hex if town else None
        if hex_ in draft.plane.hexes and hex_ is not None:
            found.append(_place(draft, row, hex_))
        else:
            draft.problems.append(f"{row['name']} lies off the map")
    return found


def _place(draft: Draft, row: dict[str, str], hex_: Hex) -> dict[str, Any]:
    features = [f for f in _SPLIT.split(row["features"]) if f]
    return {
        "hex": draft.plane.label(hex_),
        "name": row["name"],
        "kind": row["kind"],
        "source": row["source"],
        "rule": row["rule"],
        "features": features,
        "values": dict(_value(v) for v in _SPLIT.split(row["values"]) if v),
        "note": row.get("note", ""),
    }


def _value(text: str) -> tuple[str, str | int]:
    key, _, value = text.partition("=")
    return key, int(value) if value.lstrip("-").isdigit() else value


def _small_towns(draft: Draft) -> list[dict[str, Any]]:
    """The gazetteer's places that the game's own list does not hold."""
    kinds: dict[int, str] = draft.spec.head.get("town_kinds", {})
    known = {r["name"] for r in spec.rows(draft.spec.folder / "places.csv")}
    left_out = known | set(draft.spec.head.get("towns_left_out", []))
    found = []
    for settled in draft.towns.values():
        town = settled.town
        kind = kinds.get(town.rank)
        if kind is None or town.name in left_out or settled.hex not in draft.plane.hexes:
            continue
        if not draft.dry(settled.hex):
            draft.problems.append(f"{town.name} lies in water at {draft.plane.label(settled.hex)}")
            continue
        found.append(
            {
                "hex": draft.plane.label(settled.hex),
                "name": town.name,
                "kind": kind,
                "source": "derived",
                "features": ["port"] if town.port and not draft.spec.head.get("ports_listed_only") else [],
            }
        )
    return found


def _edge_sources(draft: Draft) -> list[dict[str, Any]]:
    """Where railways leave the map: supply sources for the games whose rules leave them to the map."""
    found = []
    for entry in draft.spec.head.get("edge_sources", []):
        sheets = set(entry["sheets"])
        cells = {h for h in draft.plane.hexes if _on_sheets(draft, h, sheets)}
        rim = draft.plane.lattice.edge(cells, Compass(entry["edge"]))
        leaving = _exits(draft, cells) & rim
        for hex_ in draft.plane.ordered:
            if hex_ in leaving and draft.country.get(hex_) in entry["countries"]:
                found.append(
                    {
                        "hex": draft.plane.label(hex_),
                        "name": entry["name"],
                        "kind": "supply-source",
                        "source": "editorial",
                        "features": [entry["feature"]],
                        "values": entry.get("values", {}),
                    }
                )
    return found


def _exits(draft: Draft, cells: set[Hex]) -> set[Hex]:
    """Hexes where a railway ends, or steps out of the given hexes."""
    found = set()
    for track in draft.tracks:
        found |= {track.hexes[0], track.hexes[-1]}
        for a, b in pairwise(track.hexes):
            found |= {x for x, y in ((a, b), (b, a)) if x in cells and y not in cells}
    return found


def _on_sheets(draft: Draft, hex_: Hex, sheets: set[str]) -> bool:
    orientation = draft.plane.lattice.orientation
    cell = to_cell(hex_, orientation)
    return any(s.id in sheets and s.covers(cell, orientation) for s in draft.plane.lattice.sheets)


# --- areas and edges -------------------------------------------------------------------------


def _area(draft: Draft, row: dict[str, Any]) -> tuple[dict[str, Any], tuple[Hex, ...]]:
    head = {k: row.get(k) for k in ("id", "name", "kind", "source", "rule", "note")}
    if "sheet" in row:
        draft.area_sheets[row["id"]] = row["sheet"]
    return head, tuple(_named_hexes(draft, row))


def _named_hexes(draft: Draft, row: dict[str, Any]) -> Iterable[Hex]:
    lattice, orientation = draft.plane.lattice, draft.plane.lattice.orientation
    if "rows" in row:
        sheet = next(s for s in lattice.sheets if s.id == row["sheet"])
        low, high = row["rows"]
        columns = row.get("columns", [0, 999])
        step = row.get("every", 1)
        for hex_ in draft.plane.ordered:
            cell = to_cell(hex_, orientation)
            column, printed = sheet.numbers(cell, orientation)
            inside = low <= printed <= high and columns[0] <= column <= columns[1]
            if inside and sheet.covers(cell, orientation) and (printed - low) % step == 0:
                yield hex_
        return
    if "water" in row:
        yield from _water(draft, row)
    elif "country" in row:
        yield from _hexes_around(draft, row)
    elif "around" in row:
        inside = _ring(draft, row)
        yield from (hex_ for hex_ in draft.plane.ordered if inside(hex_))
    for label in str(row.get("hexes", "")).split():
        yield lattice.hex(label, row.get("sheet"))


def _ring(draft: Draft, row: dict[str, Any]) -> Callable[[Hex], bool]:
    """Whether the middle of a hex lies in the ring of latitudes and longitudes; any hex without one."""
    if "around" not in row:
        return lambda _: True
    ring = np.array([(lon, lat) for lat, lon in [*row["around"], row["around"][0]]])
    inside = draft.canvas.fill([ring]).ravel()
    return lambda hex_: bool(inside[draft.canvas.hex_pixels[hex_]].mean() > 0.5)


def _taken(draft: Draft, row: dict[str, Any]) -> set[Hex]:
    """Hexes of the areas of this kind that came before."""
    return {h for head, hexes in draft.areas if head["kind"] == row["kind"] for h in hexes}


def _hexes_around(draft: Draft, row: dict[str, Any]) -> Iterable[Hex]:
    """Dry hexes of a country within a ring, in no area yet."""
    taken, inside = _taken(draft, row), _ring(draft, row)
    for hex_ in draft.plane.ordered:
        at_home = draft.country.get(hex_) == row["country"] and draft.dry(hex_)
        if at_home and hex_ not in taken and inside(hex_):
            yield hex_


def _water(draft: Draft, row: dict[str, Any]) -> Iterable[Hex]:
    """Water hexes joined to the one that is named, within a ring if one is given, in no area yet."""
    taken, inside = _taken(draft, row), _ring(draft, row)
    first = draft.plane.lattice.hex(str(row["water"]))
    joined, left = {first}, [first]
    while left:
        for hex_ in neighbors(left.pop()):
            if hex_ in draft.plane.hexes and hex_ not in joined and not draft.dry(hex_) and inside(hex_):
                joined.add(hex_)
                left.append(hex_)
    return [hex_ for hex_ in draft.plane.ordered if hex_ in joined - taken]


def _edge(draft: Draft, row: dict[str, Any]) -> tuple[dict[str, Any], tuple[Hex, ...]]:
    head = {k: row.get(k) for k in ("id", "name", "source", "side", "rule")}
    if "hexes" in row:
        return head, tuple(draft.plane.lattice.hex(h) for h in str(row["hexes"]).split())
    rim = draft.plane.lattice.edge(draft.plane.hexes, Compass(row["side"]))
    wanted = set(row["countries"]) if "countries" in row else None
    if "leaving" in row:
        rim = rim & _line_ends(draft, set(row["leaving"]))
    low, high = row.get("columns", (0, 999))
    return head, tuple(
        h
        for h in draft.plane.ordered
        if h in rim
        and (wanted is None or draft.country.get(h) in wanted)
        and low <= _printed_column(draft, h) <= high
    )


def _line_ends(draft: Draft, kinds: set[str]) -> set[Hex]:
    return {h for t in draft.tracks if t.kind in kinds for h in (t.hexes[0], t.hexes[-1])}


def _printed_column(draft: Draft, hex_: Hex) -> int:
    lattice = draft.plane.lattice
    return lattice.sheet_of(hex_).numbers(to_cell(hex_, lattice.orientation), lattice.orientation)[0]


# --- zones -----------------------------------------------------------------------------------


def _add_arctic(draft: Draft) -> None:
    north = {h for h in draft.plane.ordered if draft.measured[h].lat >= ARCTIC_CIRCLE}
    draft.grids["arctic"] = dict.fromkeys((h for h in draft.plane.ordered if h in north), "arctic")
    _draw_line(draft, "arctic-circle", "Arctic Circle", "derived", lambda h: h in north)


def _draw_line(
    draft: Draft, kind: str, name: str, source: str, inside: Callable[[Hex], bool], **more: str
) -> None:
    """A line along the hexsides that part the hexes inside from those outside."""
    parting = [
        s for s in draft.plane.sides if inside(s.a) != inside(s.b) and (draft.dry(s.a) or draft.dry(s.b))
    ]
    for chain in chains(draft.plane, parting):
        draft.runs.append(Run(kind, name, source, tuple(chain), more.get("rule"), more.get("note")))


def _draw_front(draft: Draft, row: dict[str, Any], held: frozenset[Hex]) -> None:
    """Where what one side holds of a country meets the rest of it, by land."""
    parting = [
        side
        for side in draft.plane.sides
        if (side.a in held) != (side.b in held)
        and draft.country.get(side.a) == draft.country.get(side.b)
        and not draft.wet(side)
    ]
    for chain in chains(draft.plane, parting):
        draft.runs.append(Run(row["front"], row["name"], row["source"], tuple(chain)))


def _add_zones(draft: Draft, grid: dict[str, Any]) -> None:
    """A grid of zones parted by lines of latitude and longitude, first that holds wins."""
    values = {}
    for hex_ in draft.plane.ordered:
        place = draft.measured[hex_]
        for zone in grid["zones"]:
            if (draft.dry(hex_) or not grid.get("land_only")) and _within(place.lat, place.lon, zone):
                values[hex_] = str(zone["id"])
                break
    draft.grids[grid["id"]] = values
    draft.grid_source[grid["id"]] = grid["source"]
    if "line" in grid:
        line = grid["line"]
        first = grid["zones"][0]["id"]
        more = {k: str(line[k]) for k in ("rule", "note") if k in line}
        _draw_line(
            draft, line["kind"], line["name"], grid["source"], lambda h: values.get(h) == first, **more
        )


def _within(lat: float, lon: float, zone: dict[str, Any]) -> bool:
    """Whether a point lies north of, or west of, a zone's line of latitudes and longitudes."""
    if "north_of" in zone:
        return _beyond(lat, lon, zone["north_of"])
    if "west_of" in zone:
        turned = [[-x, y] for y, x in zone["west_of"]]
        return _beyond(-lon, lat, sorted(turned, key=lambda p: p[1]))
    return True


def _beyond(lat: float, lon: float, line: list[list[float]]) -> bool:
    """Whether a point lies above a line given with its second coordinate rising."""
    if lon <= line[0][1]:
        return bool(lat >= line[0][0])
    for (lat1, lon1), (lat2, lon2) in pairwise(line):
        if lon <= lon2:
            return bool(lat >= lat1 + (lat2 - lat1) * (lon - lon1) / (lon2 - lon1))
    return bool(lat >= line[-1][0])


def _juts_out(draft: Draft, hex_: Hex) -> bool:
    """Whether a hex of a pointed grid stands half a hex beyond its neighbours at the map's left or right."""
    northwest, _, east, southeast, southwest, west = _around(hex_)
    northeast = _around(hex_)[1]
    hexes = draft.plane.hexes
    left = not {west, northwest, southwest} & hexes
    right = not {east, northeast, southeast} & hexes
    return left or right


def _around(hex_: Hex) -> tuple[Hex, ...]:
    """NW, NE, E, SE, SW, W."""
    return neighbors(hex_)
