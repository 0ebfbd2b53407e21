"""A scanned map: its grid laid over it, and scaled so that its hexes are as large as on drawn maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import sqrt

from builder.map import waiting_counters
from builder.map.frame import Frame
from builder.map.furniture import play_panels
from builder.map.palette import Style
from builder.map.panels import Panel
from fieldpost.definition.art_checks import MOST_MAP_PIXELS, fitted_anchors
from fieldpost.definition.artmodel import Scan
from fieldpost.definition.model import Game
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Layout

Rect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Laid:
    """Where everything lies on the scaled scan."""

    frame: Frame
    boxes: Mapping[str, Rect]
    turns: Mapping[int, Rect]


def lay(game: Game, scan: Scan, hex_px: int, area: str | None) -> Laid:
    art, orientation = game.art[scan.image], game.map.lattice.orientation
    fitted, _ = fitted_anchors(scan.anchors, game.map.lattice)
    assert fitted is not None, "lint refuses other anchors"
    regular = Layout.regular(orientation, hex_px, 0, 0)
    scale = sqrt(regular.across_px * regular.down_px / (fitted.across * fitted.down))
    width, height = round(art.width * scale), round(art.height * scale)
    if width * height > MOST_MAP_PIXELS:
        raise FieldpostError(
            f"{scan.image} would have {width} by {height} pixels with hexes of {hex_px}",
            "Check the anchors of the scan: its hexes must be about as far apart as they say.",
        )
    across, down = width / art.width, height / art.height
    layout = Layout(
        orientation,
        fitted.across * across,
        fitted.down * down,
        round(fitted.left * across),
        round(fitted.top * down),
    )
    shown = game.map.hexes if area is None else game.map.area[area].hexes & game.map.hexes

    def placed(numbers: tuple[int, ...]) -> Rect:
        left, top, wide, high = numbers
        ends = (left * across, top * down, (left + wide) * across, (top + high) * down)
        x0, y0, x1, y1 = map(round, ends)
        return x0, y0, x1, y1

    return Laid(
        Frame(layout, shown, hex_px, width, height),
        {name: placed(numbers) for name, numbers in scan.boxes.items()},
        {int(turn): placed(numbers) for turn, numbers in scan.turns.items()},
    )


def panels_for(game: Game, scan: Scan, style: Style, shown: Frame, area: str | None) -> list[Panel]:
    """The boxes and turns that have no place on the scan."""
    rest = replace(game, boxes=tuple(box for box in game.boxes if box.id not in scan.boxes))
    panels = play_panels(rest, waiting_counters.beside(rest, area), style, shown.unit, float(shown.width))
    return [panel for panel in panels if panel.id != "turn-track" or not scan.turns]
