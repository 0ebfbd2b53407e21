"""What is written on the map: hex numbers, names of places, rivers, seas, areas and lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from builder.map.curves import Point, measure
from builder.map.frame import Frame, depths
from builder.map.ink import Mark
from builder.map.labels import Lettering, Request, Room, across, along, place_names
from builder.map.lettering import NUMBER, Box, Glyph, Label, box_at
from builder.map.lines import Course
from builder.map.palette import PLAIN_STROKE, Style, look, rgb
from builder.map.places import Symbol
from builder.map.water import Stream
from fieldpost.definition.mapmodel import Area, GameMap
from fieldpost.hexes import Hex, Orientation, neighbors

NUMBER_FACE, NUMBER_SIZE = "condensed", 11.8
NARROW = 0  # hexes of a water that is too narrow for the letters of its size
REGIONS = "region-boundary"  # hexsides between the values of the grid `country`
_WATER = ("sea", "lake", "water", "gulf", "bay", "ocean", "strait")


def hex_numbers(
    game_map: GameMap, frame: Frame, style: Style, sheet: str | None, lines: Iterable[Mark]
) -> list[Label]:
    """The printed number of every hex, small, at its top; aside or haloed where a line runs there."""
    size = NUMBER_SIZE * frame.unit
    crossed = Room(frame)
    crossed.avoid(lines, 255)
    found = []
    for h in frame.ordered:
        x, y = frame.layout.exact(h)
        text = game_map.lattice.label(h, sheet)
        best: tuple[float, Point, Box] | None = None
        spots = _number_spots(frame)
        for rank, (aside, down) in enumerate(spots[:1] if game_map.places_at.get(h) else spots):
            box = box_at(text, NUMBER_FACE, size, x + aside, y + down, 0)
            if rank and not crossed.inside(box):
                continue
            cost = crossed.burden(box) + 0.1 * rank
            if best is None or cost < best[0]:
                best = (cost, (x + aside, y + down), box)
            if cost == 0:
                break
        assert best is not None
        _, spot, box = best
        halo = rgb(style.halo, 200) if crossed.burden(box) else None
        glyphs = (Glyph(text, *spot),)
        found.append(
            Label(text, NUMBER, glyphs, NUMBER_FACE, size, rgb(style.number), halo, 1.6 * frame.unit, (box,))
        )
    return found


def _number_spots(frame: Frame) -> list[Point]:
    """Where the number of a hex may stand, from its middle, best first: at its top, beside that, below."""
    unit, aside = frame.unit, 0.22 * frame.hex_px
    if frame.layout.orientation is Orientation.FLAT:
        lift, level = frame.hex_px / 2 - 9.5 * unit, 0.0
    else:
        lift, level = frame.hex_px / 3**0.5 - 16.5 * unit, 11 * unit
    beside = [(across, level - lift) for across in (0.6 * aside, -0.6 * aside, aside, -aside)]
    return [(0.0, -lift), *beside, (0.0, 13 * unit - lift)]


def place_requests(symbols: Sequence[Symbol], frame: Frame, style: Style) -> list[Request]:
    found = []
    for symbol in symbols:
        if symbol.site.place is None or not symbol.boxes:
            continue
        looks = symbol.site.look
        name = symbol.site.place.name
        found.append(
            Request(
                text=name.upper() if looks.upper else name,
                face=looks.face,
                size=looks.text * frame.unit * (0.94 if looks.upper else 1),
                rank=looks.rank,
                center=symbol.center,
                reach=_hull(symbol.boxes),
                color=rgb(style.ink),
                halo=rgb(style.halo),
                halo_px=2.0 * frame.unit,
            )
        )
    return found


def _hull(boxes: Sequence[Box]) -> Box:
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def names(symbols: Sequence[Symbol], frame: Frame, style: Style, room: Room) -> tuple[list[Label], list[str]]:
    return place_names(place_requests(symbols, frame, style), room)


# --- rivers and lines ---------------------------------------------------------------------------


def river_names(streams: Iterable[Stream], frame: Frame, style: Style, room: Room) -> list[Label]:
    """Each river's name along its widest and longest courses, great rivers again and again."""
    found: list[Label] = []
    ordered = sorted(streams, key=lambda s: (-s.look.width, -len(s.path), s.name))
    done: dict[str, int] = {}
    for stream in ordered:
        if not stream.name or not stream.look.label or done.get(stream.name, 0) >= 4:
            continue
        major = stream.look.width > 5
        style_of = Lettering(
            "river", "serif-italic", (15.5 if major else 13) * frame.unit, 0.10 if major else 0.03,
            rgb(style.water_ink), rgb(style.halo, 190), 1.5 * frame.unit,
        )  # fmt: skip
        aside = (stream.look.width / 2 + 8.5 if major else 10) * frame.unit
        written = along(stream.name, stream.path, style_of, room, aside, (11 if major else 16) * frame.hex_px)
        done[stream.name] = done.get(stream.name, 0) + len(written)
        found += written
    return found


def line_names(courses: Iterable[Course], frame: Frame, style: Style, room: Room) -> list[Label]:
    found: list[Label] = []
    done: set[tuple[str, str]] = set()
    for course in sorted(courses, key=lambda c: -float(measure(c.path)[-1])):
        if not course.look.label or not course.name or (course.name, course.kind) in done:
            continue
        lettering = Lettering(
            "line",
            "sans-bold",
            13.5 * frame.unit,
            0.16,
            rgb(course.look.color),
            rgb(style.halo),
            1.8 * frame.unit,
        )
        written = along(course.name.upper(), course.path, lettering, room, 11 * frame.unit, 14 * frame.hex_px)
        if written:
            done.add((course.name, course.kind))
        found += written
    return found


# --- regions ------------------------------------------------------------------------------------


def region_names(
    game_map: GameMap, frame: Frame, style: Style, room: Room, wet: frozenset[Hex]
) -> list[Label]:
    """Seas and lakes in slanted letters, other named areas in wide ones."""
    found: list[Label] = []
    for area in sorted(game_map.areas, key=lambda a: -len(a.hexes)):
        watery = any(word in area.kind for word in _WATER)
        drawn = look(style.areas, area.kind, None)
        if not watery and (drawn is None or not drawn.label):
            continue
        hexes = area.hexes & frame.hexes
        label = _name_area(area, hexes & wet if watery else hexes, frame, style, room, watery)
        found += [label] if label else []
    for name, hexes in _water_runs(game_map, frame, wet, {a.name for a in game_map.areas}):
        label = _name_water(name, hexes, frame, style, room)
        found += [label] if label else []
    return found


def zone_names(game_map: GameMap, frame: Frame, style: Style, room: Room) -> list[Label]:
    """The name of each weather zone and region beside its border, three times where there is room."""
    found: list[Label] = []
    zones = [(zone, zone, " weather") for zone in style.zones if zone in game_map.grid]
    if any(kind.id == REGIONS for kind in game_map.hexside_kinds):
        zones.append(("country", REGIONS, ""))
    for grid, border, word in zones:
        values = game_map.grid[grid].values
        drawn = look(style.sides, border, PLAIN_STROKE)
        lettering = Lettering(
            "zone",
            "sans-semibold",
            14 * frame.unit,
            0.3,
            rgb(drawn.color),
            rgb(style.halo, 170),
            1.5 * frame.unit,
        )
        for value in sorted(set(values.values())):
            rim = _rim(values, value, frame)
            for share in _thirds(rim, frame):
                text = f"{value.replace('-', ' ')}{word}".upper()
                label = _write_across(text, share, lettering, frame, room)
                found += [label] if label else []
    return found


def _rim(values: Mapping[Hex, str], value: str, frame: Frame) -> frozenset[Hex]:
    """The hexes of a zone at most two steps from another zone."""
    own = {h for h in frame.hexes if values.get(h) == value}
    first = {h for h in own if any(values.get(n, value) != value for n in neighbors(h))}
    return frozenset(first | {n for h in first for n in neighbors(h) if n in own})


def _thirds(hexes: frozenset[Hex], frame: Frame) -> list[frozenset[Hex]]:
    """A band of hexes in three parts from west to east; one part if it is short."""
    ordered = sorted(hexes, key=lambda h: (frame.layout.exact(h)[0], h))
    if len(ordered) < 30:
        return [hexes] if hexes else []
    step = len(ordered) // 3
    return [frozenset(ordered[i * step : (i + 1) * step]) for i in range(3)]


def _water_runs(
    game_map: GameMap, frame: Frame, wet: frozenset[Hex], known: set[str]
) -> list[tuple[str, frozenset[Hex]]]:
    """Water that only its hexsides name: all water hexes these touch, and those joined to them."""
    found: dict[str, set[Hex]] = {}
    for run in game_map.side_runs:
        if run.kind in ("sea", "lake") and run.name not in known and "hexside" not in run.name.lower():
            touched = {h for side in run.sides for h in side if h in wet and h in frame.hexes}
            found.setdefault(run.name, set()).update(touched)
    return [(name, frozenset(hexes)) for name, hexes in sorted(found.items()) if hexes]


def _name_area(
    area: Area, hexes: frozenset[Hex], frame: Frame, style: Style, room: Room, watery: bool
) -> Label | None:
    if not hexes:
        return None
    if watery:
        return _name_water(area.name, hexes, frame, style, room)
    drawn = look(style.areas, area.kind, None)
    color = rgb(drawn.color) if drawn else rgb(style.quiet)
    size = (22 if len(hexes) > 40 else 15) * frame.unit
    lettering = Lettering("area", "sans-semibold", size, 0.35, color, rgb(style.halo, 150), 1.5 * frame.unit)
    return _write_across(area.name.upper(), hexes, lettering, frame, room)


def _name_water(text: str, hexes: frozenset[Hex], frame: Frame, style: Style, room: Room) -> Label | None:
    """In letters that suit its size; in small ones where it is too narrow for these."""
    sizes = (len(hexes), NARROW)
    written = (_write_across(text, hexes, _water_lettering(style, frame, n), frame, room) for n in sizes)
    return next((label for label in written if label), None)


def _water_lettering(style: Style, frame: Frame, hexes: int) -> Lettering:
    large = (34, 0.55) if hexes > 60 else (24, 0.35) if hexes > 12 else (16, 0.12)
    size, spacing = (13.5, 0.02) if hexes == NARROW else large
    return Lettering("water", "serif-italic", size * frame.unit, spacing, rgb(style.water_ink), None, 0)


def _write_across(
    text: str, hexes: frozenset[Hex], lettering: Lettering, frame: Frame, room: Room
) -> Label | None:
    """A name in the innermost part of a region."""

    def fits(box: Box) -> bool:
        xs = np.linspace(box[0], box[2], max(2, int((box[2] - box[0]) / (0.4 * frame.hex_px)) + 1))
        return all(frame.layout.at(float(x), y) in hexes for x in xs for y in (box[1], box[3]))

    return across(text, _inner_spots(hexes, frame), lettering, room, fits)


def _inner_spots(hexes: frozenset[Hex], frame: Frame) -> list[Point]:
    """Points of a region, the most central first."""
    depth = depths(hexes)
    middle = np.mean([frame.layout.exact(h) for h in sorted(hexes)], axis=0)
    spots = []
    for h in sorted(hexes):
        x, y = frame.layout.exact(h)
        away = float(np.hypot(x - middle[0], y - middle[1])) / frame.hex_px
        for dy in (0.0, 0.12, 0.24, -0.12, -0.24):
            for dx in (0.0, 0.33, -0.33):
                rank = -2.0 * depth[h] + 0.35 * away + abs(dy)
                spots.append((rank, (x + dx * frame.hex_px, y + dy * frame.hex_px)))
    return [spot for _, spot in sorted(spots)]
