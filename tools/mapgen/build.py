"""The steps from open geography to a map, in order."""

from __future__ import annotations

from typing import Any, Literal

from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, Hexside, neighbors
from tools.mapgen import fortified, overrides, rails, rivers, sides, terrain
from tools.mapgen.features import add_features
from tools.mapgen.model import Draft, Run, SettledTown
from tools.mapgen.plane import Plane
from tools.mapgen.projection import Anchor, FitQuality, Georeference, fit, nudged, placed, quality
from tools.mapgen.raster import Canvas
from tools.mapgen.spec import River, Spec, load, rows
from tools.mapgen.spec import rivers as listed_rivers


def build(game: str) -> Draft:
    spec = load(game)
    plane = Plane(spec.lattice, spec.hexes)
    reference, found = locate_ground(spec, plane)
    canvas = Canvas(plane, reference)
    ground = terrain.survey(canvas, spec)
    measured = terrain.crests(terrain.smoothed(terrain.measure(canvas, ground)))
    towns = settle_towns(spec, plane, reference)
    names: dict[str, Any] = spec.head.get("terrain_names", {})
    cities = {t.hex for t in towns.values() if t.town.rank < 3 or t.town.port}
    draft = Draft(
        spec=spec,
        plane=plane,
        reference=reference,
        quality=found,
        canvas=canvas,
        ground=ground,
        measured=measured,
        towns=towns,
        terrain={h: terrain.classify(measured[h], h in cities, names) for h in plane.ordered},
        country=terrain.countries(canvas, ground, spec),
    )
    _put_spots(draft)
    overrides.apply_to_hexes(draft)
    draft.water = sides.water_sides(draft, ground)
    overrides.apply_to_water(draft)
    draft.country = {h: country for h in plane.ordered if (country := _country(draft, h))}
    _draw_rivers(draft)
    sides.river_borders(draft)
    draft.runs += sides.half_sides(draft)
    draft.runs += water_runs(draft)
    draft.runs += sides.border_runs(draft)
    for line in spec.head.get("lines", [{"kind": "railway", "file": f"{game}/railways.csv"}]):
        rails.draw_lines(draft, line)
    fortified.draw_fortified_lines(draft)
    sides.build_bridges(draft)
    overrides.apply_to_runs(draft)
    add_features(draft)
    return draft


def _country(draft: Draft, hex_: Hex) -> str | None:
    """The country of a dry hex; one that only a rule lifts out of the sea belongs to its neighbours'."""
    if not draft.dry(hex_):
        return None
    around = sorted(draft.country[n] for n in neighbors(hex_) if n in draft.country and draft.dry(n))
    return draft.country.get(hex_) or (max(around, key=around.count) if around else None)


def anchors(spec: Spec, plane: Plane) -> list[Anchor]:
    found = []
    for row in spec.anchors:
        if "/" in row["hex"]:
            side = spec.lattice.hexside(row["hex"])
            (x1, y1), (x2, y2) = plane.center(side.a), plane.center(side.b)
            x, y, exact = (x1 + x2) / 2, (y1 + y2) / 2, True
        else:
            (x, y), exact = plane.center(spec.lattice.hex(row["hex"])), False
        found.append(Anchor(row["place"], x, y, float(row["lat"]), float(row["lon"]), exact))
    return found


def locate_ground(spec: Spec, plane: Plane) -> tuple[Georeference, FitQuality]:
    """Fitted to the places that rules name; a map of our own lies where it is put."""
    if "placement" in spec.head:
        given = spec.head["placement"]
        centers = [plane.center(h) for h in plane.ordered]
        center = tuple((min(v) + max(v)) / 2 for v in zip(*centers, strict=True))
        low, high = given["parallels"]
        lat, lon = given["middle"]
        reference = placed((low, high), (lat, lon), given["hex_km"], (center[0], center[1]))
        return reference, FitQuality(0.0, 0.0, None)
    kind: Literal["laea", "lcc"] = spec.head["projection"]
    free = bool(spec.head.get("stretch", False))
    points = anchors(spec, plane)
    reference = nudged(fit(points, kind, free), points, plane.pointy, inside=0.7)
    return reference, quality(points, kind, free)


def settle_towns(spec: Spec, plane: Plane, reference: Georeference) -> dict[str, SettledTown]:
    """The hex of every town: where its ground lies, or where a rule puts it."""
    fixed = {r["place"]: spec.lattice.hex(r["hex"]) for r in spec.anchors if "/" not in r["hex"]}
    fixed |= {name: spec.lattice.hex(h) for name, h in spec.head.get("town_hexes", {}).items()}
    unknown = sorted(fixed.keys() - spec.towns.keys())
    if unknown:
        raise FieldpostError(f"not in the gazetteer: {', '.join(unknown)}")
    towns = {}
    for town in spec.towns.values():
        point = reference.point(town.lat, town.lon)
        towns[town.name] = SettledTown(town, fixed.get(town.name) or plane.at(*point), point)
    return towns


def _put_spots(draft: Draft) -> None:
    """Terrain of single hexes by latitude and longitude: lakes too small for the outlines."""
    path = draft.spec.folder / "spots.csv"
    for row in rows(path) if path.exists() else []:
        hex_ = draft.plane.at(*draft.reference.point(float(row["lat"]), float(row["lon"])))
        if any(t.hex == hex_ and t.town.rank < 9 for t in draft.towns.values()):
            draft.problems.append(f"{row['name']} lies in the hex of a town")
        else:
            draft.terrain[hex_] = row["terrain"]
            draft.named_waters.append((row["name"], hex_))


def _draw_rivers(draft: Draft) -> None:
    left_out = set(draft.spec.head.get("rivers_left_out", []))
    rivers.draw_rivers(draft, lambda river: river.name not in left_out)
    for river in listed_rivers(draft.spec.geography("rivers.yaml")):
        for course in draft.courses.get(river.name, []):
            draft.runs += _ranked(draft, river, course.sides)


def _ranked(draft: Draft, river: River, walk: tuple[Hexside, ...]) -> list[Run]:
    """One run, or two where a major river is still a minor one in its upper course."""
    kinds: dict[str, str] = draft.spec.head.get("river_kinds", {})
    low, high = kinds.get("minor", "minor-river"), kinds.get(river.rank, f"{river.rank}-river")
    settled = draft.spec.head.get("major_from", {}).get(river.name)
    split = 0 if low == high else _minor_sides(draft, river, walk, settled)
    source, note = ("editorial", settled["note"]) if settled else ("derived", None)
    parts = ((low, walk[:split]), (high, walk[split:]))
    return [
        Run(kind, river.name, source, tuple(stretch), note=note)
        for kind, part in parts
        for stretch in sides.stretches(draft.plane, [s for s in part if not draft.wet(s)])
    ]


def _minor_sides(
    draft: Draft, river: River, walk: tuple[Hexside, ...], settled: dict[str, str] | None
) -> int:
    """How many hexsides of a walk lie above the place from which the river is major."""
    if settled is not None:
        side = draft.plane.lattice.hexside(settled["side"])
        return walk.index(side) if side in walk else 0
    if river.rank != "major" or river.major_below is None:
        return 0
    x, y = draft.reference.point(*river.major_below)
    middles = [draft.plane.along(side, (0.5,))[0] for side in walk]
    away = [float((m[0] - x) ** 2 + (m[1] - y) ** 2) for m in middles]
    return away.index(min(away)) if min(away) < 9 else 0


def water_runs(draft: Draft) -> list[Run]:
    """All-sea and all-lake hexsides as chains; those a rule names stand alone with their reason."""
    found = []
    for kind in ("lake", "sea"):
        plain = [s for s, w in draft.water.items() if w == kind and s not in draft.water_reason]
        found += [
            Run(kind, f"{kind.title()} hexside", "derived", tuple(chain))
            for chain in sides.chains(draft.plane, plain)
        ]
    for side, reason in draft.water_reason.items():
        if side in draft.water:
            kind = str(reason.get("kind") or draft.water[side])
            found.append(
                Run(kind, reason["name"], reason["source"], (side,), reason.get("rule"), reason.get("note"))
            )
    return found
