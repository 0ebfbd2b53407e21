"""A whole map: plan it, paint it, write on it, and tell where everything lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain

from PIL import Image

from builder.art import scaled
from builder.map import compose, edges, lines, naming, palette, places, scanned, waiting_counters, water
from builder.map.frame import BASE_HEX_PX, Frame, frame
from builder.map.furniture import legend_panels, play_panels
from builder.map.ink import Ink
from builder.map.ink import draw as draw_ink
from builder.map.labels import Room, collisions
from builder.map.lettering import Box, Label, by_tile, write
from builder.map.packing import Packed, Wish, beside, pack
from builder.map.palette import Style, rgb
from builder.map.panels import Panel
from builder.map.raster import Tile
from builder.map.survey import survey, water_hexes
from fieldpost.definition.artmodel import Scan
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, Layout, to_cell

Rect = tuple[int, int, int, int]
PNG_PIXELS = 4_000_000
JPEG_QUALITY = 88
TRACK_SHARES = (1.0, 0.6, 0.4, 0.3)  # of the map's width, for the turn track


@dataclass
class Plan:
    """What will be drawn, before a pixel is."""

    frame: Frame
    style: Style
    water: Ink
    ink: Ink
    labels: list[Label]
    symbols: list[Box]
    unplaced: list[str]


def plan(game_map: GameMap, frame: Frame, style: Style, sheet: str | None = None) -> Plan:
    """Rivers, lines, symbols and every name with its place."""
    wet = water_hexes(game_map, style)
    rivers, ink = Ink(), Ink()
    streams = water.streams(game_map, frame, style, wet)
    water.draw_streams(rivers, streams, frame)
    for h in sorted(game_map.unplayable & frame.hexes):
        ink.fill(frame.layout.corners(h), rgb(style.paper, 150))
    lines.grid_lines(ink, frame, style)
    areas = lines.area_courses(game_map, frame, style)
    sides = lines.side_courses(game_map, frame, style)
    tracks = lines.hex_courses(game_map, frame, style)
    drawn = Ink()
    lines.draw_courses(drawn, [*areas, *sides, *tracks], frame.unit)
    crossings = lines.draw_crossings(drawn, game_map, frame, style)
    ink.marks += drawn.marks
    room = Room(frame)
    numbers = naming.hex_numbers(game_map, frame, style, sheet, [*rivers.marks, *drawn.marks])
    room.take([box for number in numbers for box in number.boxes], "numbers")
    room.take(crossings, "crossings")
    symbols, badge_texts = places.draw_sites(ink, places.sites(game_map, frame, style), frame, style, room)
    for ring in lines.outline(frame.hexes, frame, smooth=False):
        ink.line(ring, 2.6 * frame.unit, rgb(style.frame))

    edge_names = edges.draw_edges(ink, game_map, frame, style)
    room.avoid(rivers.marks, 150)
    room.avoid(drawn.marks, 110)
    boxes = [box for symbol in symbols for box in symbol.boxes]
    names, unplaced = naming.names(symbols, frame, style, room)
    regions = naming.region_names(game_map, frame, style, room, wet)
    regions += naming.zone_names(game_map, frame, style, room)
    courses = naming.line_names([*sides, *tracks], frame, style, room)
    flowing = naming.river_names(streams, frame, style, room)
    labels = [*numbers, *regions, *flowing, *courses, *names, *badge_texts, *edge_names]
    return Plan(frame, style, rivers, ink, labels, boxes, unplaced)


def scene(game_map: GameMap, planned: Plan) -> compose.Scene:
    frame = planned.frame
    return compose.Scene(
        frame,
        planned.style,
        survey(game_map, frame, planned.style),
        compose.shadow(frame),
        planned.water.by_tile(compose.TILE),
        planned.ink.by_tile(compose.TILE),
        by_tile(planned.labels, compose.TILE),
    )


@dataclass(frozen=True)
class MapPicture:
    """A drawn map and where its hexes, boxes and turns lie. Rectangles are left, top, right, bottom."""

    image: Image.Image
    layout: Layout
    hexes: frozenset[Hex]
    hex_px: int
    boxes: Mapping[str, Rect]
    track: Mapping[int, Rect]
    panels: Mapping[str, Rect]
    labels: tuple[Label, ...]
    faults: tuple[str, ...]  # names that overlap, leave the map or found no place

    def encode(self, suffix: str | None = None) -> tuple[bytes, str]:
        """The picture as a file, and the file's ending: `.png` for small maps, else `.jpg`."""
        ending = suffix or (".png" if self.image.width * self.image.height <= PNG_PIXELS else ".jpg")
        buffer = BytesIO()
        if ending == ".png":
            self.image.save(buffer, "PNG", compress_level=9)
        elif ending in (".jpg", ".jpeg"):
            self.image.save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0, optimize=True, dpi=(96, 96))
        else:
            raise FieldpostError(f"a map cannot be written as {ending!r}", "Write it as .png or .jpg.")
        return buffer.getvalue(), ending


def draw(
    source: Game | GameMap,
    style: str = "classic",
    hex_px: int = BASE_HEX_PX,
    area: str | None = None,
    furniture: bool = True,
    workers: int | None = None,
) -> MapPicture:
    """Draws a game's map, or the area or sheet of it that is named, with title, key, track and boxes."""
    looks = palette.style(style)
    game = source if isinstance(source, Game) else None
    game_map = _as_played(source, area) if isinstance(source, Game) else source
    if game is not None and game_map.scan is not None:
        return _scanned(game, game_map.scan, looks, hex_px, area)
    sheets = {sheet.id for sheet in game_map.lattice.sheets}
    shown = frame(game_map, hex_px, area)
    part = game_map.area[area].name if area is not None and area in game_map.area else ""
    panels, packed = _beside(game_map, game, looks, shown, part, area) if furniture else ([], pack([], shown))
    shown = shown.grown(packed.width, packed.height)
    planned = plan(game_map, shown, looks, area if area in sheets else _sheet_of(game_map, shown))
    image = compose.render(scene(game_map, planned), workers)
    for panel in panels:
        picture = panel.image()
        image.paste(picture, packed.places[panel.id], picture)
    return _result(image, planned, panels, packed.places)


def _scanned(game: Game, scan: Scan, looks: Style, hex_px: int, area: str | None) -> MapPicture:
    """A picture of one's own in the place of a drawn map; beside it what it has no room for."""
    laid = scanned.lay(game, scan, hex_px, area)
    panels = scanned.panels_for(game, scan, looks, laid.frame, area)
    wishes = _wishes(panels)
    packed = beside(wishes, laid.frame) if wishes else Packed({}, laid.frame.width, laid.frame.height)
    image = Image.new("RGB", (packed.width, packed.height), rgb(looks.paper)[:3])
    picture = scaled(game.art[scan.image], (laid.frame.width, laid.frame.height))
    image.paste(picture, (0, 0), picture)
    labels: list[Label] = []
    if scan.show_grid:
        ink = Ink()
        lines.grid_lines(ink, laid.frame, looks)
        drawn = draw_ink(ink.marks, Tile(0, 0, laid.frame.width, laid.frame.height))
        image.paste(drawn.convert("RGB"), (0, 0), drawn.getchannel("A"))
        labels = naming.hex_numbers(game.map, laid.frame, looks, _sheet_of(game.map, laid.frame), [])
        write(image, labels)
    for panel in panels:
        inlay = panel.image()
        image.paste(inlay, packed.places[panel.id], inlay)
    boxes, track, sheets = spots(panels, packed.places)
    shown = laid.frame
    return MapPicture(
        image,
        shown.layout,
        shown.hexes,
        hex_px,
        {**boxes, **laid.boxes},
        {**track, **laid.turns},
        sheets,
        tuple(labels),
        (),
    )


def _beside(
    game_map: GameMap, game: Game | None, looks: Style, shown: Frame, part: str, area: str | None
) -> tuple[list[Panel], Packed]:
    """All panels with their places, with the width of turn track that makes the smallest sheet."""
    legend = legend_panels(game_map, game, looks, shown, part)
    if game is None:
        return legend, pack([_wishes(legend), []], shown)
    board = waiting_counters.beside(game, area)
    tried = []
    for share in TRACK_SHARES:  # what explains the map in one place, what play needs in another
        playing = [*play_panels(game, board, looks, shown.unit, share * shown.width)]
        tried.append(([*legend, *playing], pack([_wishes(legend), _wishes(playing)], shown)))
    return min(tried, key=lambda found: found[1].cost)


def _wishes(panels: Sequence[Panel]) -> list[Wish]:
    return [Wish(panel.id, panel.width, panel.height) for panel in panels]


def _as_played(game: Game, area: str | None) -> GameMap:
    """The map of the scenario that is played in an area: without the supply sources of others."""
    scenario = next((s for s in game.scenarios if area is not None and s.area == area), None)
    if scenario is None or not scenario.supply_sources:
        return game.map
    words = chain.from_iterable(source.hexes for source in scenario.supply_sources)
    listed = set(game.map.hexes_of(words, scenario.sheet))
    kept = [place for place in game.map.places if place.kind != "supply-source" or place.hex in listed]
    return replace(game.map, places=tuple(kept))


def _sheet_of(game_map: GameMap, shown: Frame) -> str | None:
    """The sheet that numbers every hex shown, if one does and it is not all of the map."""
    for sheet in game_map.lattice.sheets:
        if shown.hexes != game_map.hexes and all(
            sheet.covers(to_cell(h, game_map.lattice.orientation), game_map.lattice.orientation)
            for h in shown.hexes
        ):
            return sheet.id
    return None


def spots(
    panels: Sequence[Panel], places: Mapping[str, tuple[int, int]]
) -> tuple[dict[str, Rect], dict[int, Rect], dict[str, Rect]]:
    """Where the boxes, the turns and the panels themselves lie on the sheet."""
    boxes: dict[str, Rect] = {}
    track: dict[int, Rect] = {}
    sheets: dict[str, Rect] = {}
    for panel in panels:
        x, y = places[panel.id]
        sheets[panel.id] = (x, y, x + panel.width, y + panel.height)
        for name, (left, top, right, bottom) in panel.spots.items():
            rect = (left + x, top + y, right + x, bottom + y)
            if isinstance(name, int):
                track[name] = rect
            else:
                boxes[name] = rect
    return boxes, track, sheets


def _result(
    image: Image.Image, planned: Plan, panels: Sequence[Panel], places: Mapping[str, tuple[int, int]]
) -> MapPicture:
    boxes, track, sheets = spots(panels, places)
    shown = planned.frame
    named = [label for label in planned.labels if label.kind != "badge"]  # that lies on its badge
    faults = collisions(named, planned.symbols, shown)
    faults += [f"place {name!r} found no room for its name" for name in planned.unplaced]
    return MapPicture(
        image,
        shown.layout,
        shown.hexes,
        shown.hex_px,
        boxes,
        track,
        sheets,
        tuple(planned.labels),
        tuple(faults),
    )
