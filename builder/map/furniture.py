"""What stands beside the map: title, key, compass, scale, notice, turn track, holding boxes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from builder.map import signs, waiting_counters
from builder.map.curves import Point
from builder.map.frame import Frame
from builder.map.ink import Ink
from builder.map.key import key
from builder.map.lettering import extent
from builder.map.packing import empty_regions
from builder.map.palette import Style, look, rgb
from builder.map.panels import Panel, wrapped
from fieldpost.definition.mapmodel import GameMap
from fieldpost.definition.model import Box as HoldingBox
from fieldpost.definition.model import Game, Turn

COUNTER_PX = 75  # what a space of the turn track must hold, on a map with 88 px hexes
TURNS = "TURN TRACK"


def legend_panels(
    game_map: GameMap, game: Game | None, style: Style, shown: Frame, part: str = ""
) -> list[Panel]:
    """What explains the map, in the order in which it chooses places. `part` names a part shown alone."""
    unit = shown.unit
    tall = any(region.height > 900 * unit and region.width > 640 * unit for region in empty_regions(shown))
    key_columns = 2 if tall else max(2, min(4, int(shown.width / (340 * unit))))
    found = [
        title(game_map, game, style, unit, part, shown.width > 3600 * unit),
        key(within_frame(game_map, shown), style, unit, key_columns),
        compass(game_map, style, unit),
    ]
    return found + ([panel] if (panel := notice(game_map, style, unit)) else [])


def play_panels(
    game: Game, board: waiting_counters.Board, style: Style, unit: float, width: float
) -> Iterator[Panel]:
    """What is played on beside the map: the turns, tracks of digits, rows of boxes, boxes."""
    if board.turns:
        yield turn_track(game, board, style, unit, width)
    for boxes in tracks(game.boxes):
        yield track(boxes, style, unit)
    for boxes in rows(game.boxes):
        yield row(boxes, style, unit)
    tracked = {box.id for boxes in (*tracks(game.boxes), *rows(game.boxes)) for box in boxes}
    yield from (
        holding_box(box, game, style, unit, board.boxes.get(box.id))
        for box in game.boxes
        if box.id not in tracked
    )


def within_frame(game_map: GameMap, shown: Frame) -> GameMap:
    """The map without what lies wholly beyond the part shown."""
    hexes = shown.hexes
    terrain = game_map.grid["terrain"]
    seen = replace(terrain, values={h: kind for h, kind in terrain.values.items() if h in hexes})
    return replace(
        game_map,
        grids=tuple(seen if grid is terrain else grid for grid in game_map.grids),
        places=tuple(p for p in game_map.places if p.hex in hexes),
        side_runs=tuple(r for r in game_map.side_runs if any(s.a in hexes or s.b in hexes for s in r.sides)),
        lines=tuple(line for line in game_map.lines if any(h in hexes for h in line.hexes)),
        areas=tuple(a for a in game_map.areas if a.hexes & hexes and not a.hexes >= hexes),
    )


def title(game_map: GameMap, game: Game | None, style: Style, unit: float, part: str, wide: bool) -> Panel:
    """The name of the map, who designed the game, what the map is."""
    head, _, tail = game_map.title.partition(": ")
    name = (game.title if game else head).upper()
    size = (84 if wide else 58) * unit
    line = tail[:1].upper() + tail[1:] if tail else (head if head.upper() != name else "")
    by = f"Design: {game.designer}" if game and game.designer else ""
    below = [text for text in (part, line, by) if text]
    width = max(
        [extent(name, "sans-black", size)[0], *(extent(t, "serif-italic", 24 * unit)[0] for t in below)]
    )
    panel = Panel("title", round(width + 90 * unit), round(size + (54 + 32 * len(below)) * unit), style)
    inset = 8 * unit
    panel.frame_box(
        (inset, inset, panel.width - inset - 1, panel.height - inset - 1), style.panel, style.accent, 1.4
    )
    panel.text(panel.width / 2, 31 * unit + size / 2, name, "sans-black", size, style.accent)
    for index, text in enumerate(below):
        y = size + (52 + 32 * index) * unit
        panel.text(
            panel.width / 2, y, text, "serif-italic", 24 * unit, style.ink if index == 0 else style.quiet
        )
    return panel


def notice(game_map: GameMap, style: Style, unit: float) -> Panel | None:
    """Where the map comes from."""
    if not (game_map.provenance or game_map.credits):
        return None
    width, size = 560 * unit, 17 * unit
    inner = width - 44 * unit
    sources = "Sources: " + "; ".join(game_map.credits) + "." if game_map.credits else ""
    texts = [
        (game_map.provenance, "serif-italic", size, style.ink),
        (sources, "serif", 0.84 * size, style.quiet),
    ]
    lines = sum(s * 1.32 * len(list(wrapped(t, f, s, inner))) + 5 * unit for t, f, s, _ in texts if t)
    panel = Panel("notice", round(width), round(lines + 34 * unit), style)
    y = 28 * unit
    for text, face, points, color in texts:
        if text:
            y = panel.paragraph(22 * unit, y, text, face, points, inner, color) + 5 * unit
    return panel


def compass(game_map: GameMap, style: Style, unit: float) -> Panel:
    """A rose that points north, and the scale of the map."""
    panel = Panel("compass", round(300 * unit), round(330 * unit), style)
    center = (150 * unit, 128 * unit)
    turn = math.radians(game_map.north_degrees)
    _rose(panel.ink, center, 78 * unit, turn, style)
    for angle, letter in ((0, "N"), (90, "E"), (180, "S"), (270, "W")):
        at = turn + math.radians(angle)
        reach = 99 * unit
        x, y = center[0] + reach * math.sin(at), center[1] - reach * math.cos(at)
        panel.text(
            x,
            y,
            letter,
            "serif-bold",
            (24 if letter == "N" else 17) * unit,
            style.accent if letter == "N" else style.quiet,
        )
    _scale(panel, game_map, style, unit)
    return panel


def _rose(ink: Ink, center: Point, radius: float, turn: float, style: Style) -> None:
    ink.ring(*center, 0.62 * radius, 0.02 * radius, rgb(style.quiet), rgb(style.panel))
    for order, reach in ((1, 0.62), (0, 1.0)):
        for quarter in range(4):
            angle = turn + math.pi / 2 * quarter + (math.pi / 4 if order else 0)
            tip = _polar(center, reach * radius, angle)
            for side, color in ((-1, style.accent if not order else style.quiet), (1, style.panel)):
                flank = _polar(center, 0.17 * radius, angle + side * math.pi / 4)
                ink.fill([center, tip, flank], rgb(color))
                ink.line([center, tip, flank, center], 0.02 * radius, rgb(style.ink))


def _polar(center: Point, radius: float, angle: float) -> Point:
    return center[0] + radius * math.sin(angle), center[1] - radius * math.cos(angle)


def _scale(panel: Panel, game_map: GameMap, style: Style, unit: float) -> None:
    """A bar of round length, and what a hex measures."""
    px_per_km = 88 * unit / game_map.hex_km
    target = 240 * unit / px_per_km
    step = 10 ** math.floor(math.log10(target))
    length = max(k * step for k in (1, 2, 5) if k * step <= target)
    left, y, part = (300 * unit - length * px_per_km) / 2, 274 * unit, length * px_per_km / 4
    for index in range(4):
        box = [
            (left + index * part, y),
            (left + (index + 1) * part, y),
            (left + (index + 1) * part, y + 7 * unit),
            (left + index * part, y + 7 * unit),
        ]
        panel.ink.fill(box, rgb(style.ink if index % 2 == 0 else style.panel))
        panel.ink.line([*box, box[0]], 1.1 * unit, rgb(style.ink))
    panel.text(left, y - 12 * unit, "0", "sans-medium", 15 * unit, style.quiet)
    panel.text(left + 4 * part, y - 12 * unit, f"{length:g} km", "sans-medium", 15 * unit, style.quiet)
    panel.text(150 * unit, y + 27 * unit, f"1 hex = {game_map.hex_km:g} km", "sans-medium", 16 * unit)


# --- turn track and boxes -----------------------------------------------------------------------


def turn_track(game: Game, board: waiting_counters.Board, style: Style, unit: float, room: float) -> Panel:
    """A space for every turn that is played, with room for what arrives, in the colour of its season."""
    turns = [turn for turn in game.turn_track.turns if turn.number in board.turns]
    sizes = {turn: rack.size(COUNTER_PX) for turn, rack in board.track.items()}
    cell_w, gap = round((max(across for across, _ in sizes.values()) + 7) * unit), round(5 * unit)
    columns = min(10, len(turns), max(1, int((room - 80 * unit) / (cell_w + gap))))
    rows = [turns[i : i + columns] for i in range(0, len(turns), columns)]
    heights = [round((max(sizes[turn.number][1] for turn in row) + 28) * unit) for row in rows]
    top, side, legend = round(58 * unit), round(16 * unit), round(34 * unit)
    head = extent(TURNS, "sans-black", 24 * unit)[0] + 2 * side
    width = max(2 * side + columns * (cell_w + gap) - gap, round(head))
    height = top + sum(heights) + len(rows) * gap + legend + round(8 * unit)
    panel = Panel("turn-track", width, height, style)
    panel.text(width / 2, 32 * unit, TURNS, "sans-black", 24 * unit, style.accent)
    y = top
    for row, cell_h in zip(rows, heights, strict=True):
        for column, turn in enumerate(row):
            left = side + column * (cell_w + gap)
            _turn(panel, turn, (left, y, left + cell_w, y + cell_h), style, unit)
        y += cell_h + gap
    _season_legend(panel, turns, style, unit, side, panel.height - legend)
    return panel


def _turn(panel: Panel, turn: Turn, box: tuple[int, int, int, int], style: Style, unit: float) -> None:
    left, top, right, bottom = box
    panel.frame_box(box, season_color(turn.season, style), style.quiet, 1.3 * unit, 4 * unit)
    number = panel.text(
        left + 8 * unit, top + 15 * unit, str(turn.number), "sans-black", 19 * unit, anchor="l"
    )
    _date(
        panel, turn.date, (right - 7 * unit, top + 15 * unit), right - left - number - 20 * unit, style, unit
    )
    if turn.note:
        panel.text(left + 8 * unit, bottom - 15 * unit, turn.note, "sans-medium", 14 * unit, style.ink, "l")
    panel.spots[turn.number] = (left + 2, round(top + 28 * unit), right - 2, bottom - 2)
    if turn.production is not None:
        x, y = right - 19 * unit, bottom - 18 * unit
        panel.ink.disc(x, y, 14 * unit, rgb(style.accent))
        panel.text(x, y, str(turn.production), "sans-bold", 17 * unit, style.panel)
    elif turn.events:
        x, y = right - 15 * unit, bottom - 15 * unit
        panel.ink.fill(signs.star((x, y), 8 * unit, 5, 0.45), rgb(style.accent))


def _date(panel: Panel, text: str, spot: Point, room: float, style: Style, unit: float) -> None:
    """A date in one line, or in two smaller ones."""
    face, size = "condensed-semibold", 13.5 * unit
    if extent(text, face, size)[0] <= room:
        panel.text(*spot, text, face, size, style.ink, "r")
        return
    words = text.replace("/", "/ ").split()
    cut = min(
        range(1, max(2, len(words))), key=lambda i: max(len(" ".join(words[:i])), len(" ".join(words[i:])))
    )
    for index, line in enumerate((" ".join(words[:cut]).replace("/ ", "/"), " ".join(words[cut:]))):
        small = min(12.5 * unit, 12.5 * unit * room / max(1.0, extent(line, face, 12.5 * unit)[0]))
        panel.text(spot[0], spot[1] + (index - 0.5) * 12.5 * unit, line, face, small, style.ink, "r")


def season_color(season: str, style: Style) -> str:
    return look(style.seasons, season, style.panel)


def _season_legend(
    panel: Panel, turns: Sequence[Turn], style: Style, unit: float, left: float, y: float
) -> None:
    x = left + 4 * unit
    for season in dict.fromkeys(turn.season for turn in turns):
        panel.frame_box(
            (x, y + 6 * unit, x + 26 * unit, y + 22 * unit),
            season_color(season, style),
            style.quiet,
            1.2 * unit,
            3 * unit,
        )
        x += 34 * unit
        x += (
            panel.text(x, y + 14 * unit, season.replace("-", " "), "sans-medium", 16 * unit, style.ink, "l")
            + 24 * unit
        )
    if any(turn.production is not None for turn in turns):
        panel.ink.disc(x + 9 * unit, y + 14 * unit, 9 * unit, rgb(style.accent))
        x += 25 * unit
        x += panel.text(x, y + 14 * unit, "production", "sans-medium", 16 * unit, style.ink, "l") + 24 * unit
    if any(turn.events for turn in turns):
        panel.ink.fill(signs.star((x + 8 * unit, y + 14 * unit), 8 * unit, 5, 0.45), rgb(style.accent))
        panel.text(x + 22 * unit, y + 14 * unit, "event", "sans-medium", 16 * unit, style.ink, "l")


def tracks(boxes: Sequence[HoldingBox]) -> list[list[HoldingBox]]:
    """Ten boxes or more that are numbered in a row from 0 or 1, `track-0` and so on, make one track."""
    stems: dict[str, list[HoldingBox]] = {}
    for box in boxes:
        stem, _, number = box.id.rpartition("-")
        if stem and number.isdigit():
            stems.setdefault(stem, []).append(box)
    return [row for row in stems.values() if len(row) >= _ROW and _in_order(row)]


def _in_order(row: Sequence[HoldingBox]) -> bool:
    numbers = [int(box.id.rpartition("-")[2]) for box in row]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(row)))


_ROW = 10  # spaces of a track side by side
_NUMBERED = re.compile(r"^(?P<title>.*?) (?P<number>\d+)(?:: (?P<note>.*))?$")


def track(boxes: Sequence[HoldingBox], style: Style, unit: float) -> Panel:
    """Spaces in rows of ten. A name such as "Lost assets 3: production 4" puts the note into its space.

    A track of digits, from 0, has room for markers of ones, tens and hundreds beside each other.
    """
    digits = boxes[0].id.endswith("-0")
    cell_w, cell_h = round((2.1 if digits else 1.6) * COUNTER_PX * unit), round(1.9 * COUNTER_PX * unit)
    gap, top, side = round(5 * unit), round(58 * unit), round(16 * unit)
    rows = math.ceil(len(boxes) / _ROW)
    width = 2 * side + _ROW * (cell_w + gap) - gap
    panel = Panel(f"track {boxes[0].id}", width, top + rows * (cell_h + gap) - gap + side, style)
    names = [_NUMBERED.match(box.name) for box in boxes]
    title = names[0]["title"] if names[0] else boxes[0].name
    panel.text(width / 2, 32 * unit, title.upper(), "sans-black", 24 * unit, style.accent)
    for index, (box, name) in enumerate(zip(boxes, names, strict=True)):
        row, column = divmod(index, _ROW)
        left, upper = side + column * (cell_w + gap), top + row * (cell_h + gap)
        panel.frame_box(
            (left, upper, left + cell_w, upper + cell_h), style.panel, style.quiet, 1.3 * unit, 4 * unit
        )
        number = box.id.rpartition("-")[2]
        panel.text(left + 8 * unit, upper + 22 * unit, number, "sans-black", 28 * unit, style.quiet, "l")
        if name and name["note"]:
            foot = upper + cell_h - 14 * unit
            panel.text(left + cell_w / 2, foot, name["note"], "sans", 15 * unit, style.quiet)
        panel.spots[box.id] = (left + 2, upper + 2, left + cell_w - 2, upper + cell_h - 2)
    return panel


def rows(boxes: Sequence[HoldingBox]) -> list[list[HoldingBox]]:
    """Boxes of nobody whose names begin alike, such as "Weather: mud" and "Weather: snow", stand in a row."""
    found: dict[str, list[HoldingBox]] = {}
    for box in boxes:
        head, _, tail = box.name.partition(": ")
        if tail and box.side is None:
            found.setdefault(head, []).append(box)
    known = {box.id for some in tracks(boxes) for box in some}
    return [some for some in found.values() if len(some) > 1 and not known & {box.id for box in some}]


def row(boxes: Sequence[HoldingBox], style: Style, unit: float) -> Panel:
    """Room for a marker or two in each."""
    heads = [box.name.partition(": ") for box in boxes]
    cell = [max(2 * COUNTER_PX, extent(tail, "sans-bold", 20)[0] + 24) * unit for _, _, tail in heads]
    cell_h, gap, top, side = (
        round(1.9 * COUNTER_PX * unit),
        round(5 * unit),
        round(58 * unit),
        round(16 * unit),
    )
    panel = Panel(
        f"row {boxes[0].id}", round(sum(cell)) + gap * (len(boxes) - 1) + 2 * side, top + cell_h + side, style
    )
    panel.text(panel.width / 2, 32 * unit, heads[0][0].upper(), "sans-black", 24 * unit, style.accent)
    left = side
    for box, (_, _, tail), wide in zip(boxes, heads, map(round, cell), strict=True):
        space = (left, top, left + wide, top + cell_h)
        panel.frame_box(space, style.panel, style.quiet, 1.3 * unit, 4 * unit)
        panel.text(left + wide / 2, top + 20 * unit, tail, "sans-bold", 20 * unit)
        panel.spots[box.id] = (left + 2, top + round(34 * unit), left + wide - 2, top + cell_h - 2)
        left += wide + gap
    return panel


def holding_box(
    box: HoldingBox, game: Game, style: Style, unit: float, rack: waiting_counters.Rack | None = None
) -> Panel:
    """A box for counters that are off the map; `rack` if many begin in it."""
    across, down = rack.size(COUNTER_PX) if rack else (0.0, 0.0)
    wide = max(4 * (COUNTER_PX + 8), across + 20, extent(box.name, "sans-bold", 20)[0] + 40) * unit
    tall = max(2 * (COUNTER_PX + 8) + 56, down + 66) * unit
    panel = Panel(f"box {box.id}", round(wide), round(tall), style)
    side = next((s for s in game.sides if s.id == box.side), None)
    color = side.color if side else style.quiet
    panel.ink.fill(
        [
            (8 * unit, 8 * unit),
            (panel.width - 8 * unit, 8 * unit),
            (panel.width - 8 * unit, 12 * unit),
            (8 * unit, 12 * unit),
        ],
        rgb(color),
    )
    panel.text(panel.width / 2, 30 * unit, box.name, "sans-bold", 20 * unit)
    if box.rule:
        panel.text(
            panel.width - 12 * unit, panel.height - 16 * unit, box.rule, "sans", 14 * unit, style.quiet, "r"
        )
    panel.spots[box.id] = (4, round(48 * unit), panel.width - 4, panel.height - 4)
    return panel
