"""The boards of a module with their pictures; a map drawn before is not drawn again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.map import MapPicture, draw, waiting_counters
from builder.module.boards import Board
from builder.module.pictures import keep, kept, key
from fieldpost.definition.model import Game
from fieldpost.geometry import Rect
from fieldpost.hexes import Layout

WHOLE = "Whole map"


@dataclass(frozen=True)
class Wanted:
    """A board to be drawn: the map, or an area of it."""

    name: str
    area: str | None
    sheet: str | None

    @property
    def stem(self) -> str:
        return f"map-{self.area or 'whole'}"


def wanted(game: Game) -> list[Wanted]:
    """A board for each playable scenario with an area of its own, and the whole map for all others."""
    playing = [scenario for scenario in game.scenarios if scenario.playable and scenario.area]
    boards = [Wanted(scenario.title, scenario.area, scenario.sheet) for scenario in playing]
    if len(playing) < len(game.scenarios) or not boards:
        boards.append(Wanted(WHOLE, None, None))
    return boards


def drawn(game: Game, want: Wanted, style: str, hex_px: int, cache: Path | None) -> tuple[Board, bytes]:
    """A board and its picture as a file."""
    beside = waiting_counters.beside(game, want.area)
    waits = beside.turns, beside.track, beside.boxes
    scan = game.art[game.map.scan.image] if game.map.scan else None
    shown = game.map, scan, game.turn_track, game.boxes, game.title, game.designer
    id_ = key("map", style, hex_px, want, shown, waits)
    facts, data = _cached(cache, id_)
    if facts is None or data is None:
        picture = draw(game, style=style, hex_px=hex_px, area=want.area)
        data, suffix = picture.encode()
        facts = _facts(picture, f"{want.stem}{suffix}")
        if cache is not None:
            keep(cache / f"{id_}.json", json.dumps(facts).encode())
            keep(cache / id_, data)
    return _board(game, want, facts), data


def _cached(cache: Path | None, id_: str) -> tuple[dict[str, Any] | None, bytes | None]:
    if cache is None:
        return None, None
    written, data = kept(cache / f"{id_}.json"), kept(cache / id_)
    try:
        facts: dict[str, Any] | None = json.loads(written) if written else None
    except ValueError:
        facts = None
    return facts, data


def _facts(picture: MapPicture, image: str) -> dict[str, Any]:
    layout = picture.layout
    return {
        "image": image,
        "size": picture.image.size,
        "layout": [layout.across_px, layout.down_px, layout.left_px, layout.top_px],
        "boxes": dict(picture.boxes),
        "track": {str(turn): rect for turn, rect in picture.track.items()},
    }


def _board(game: Game, want: Wanted, facts: dict[str, Any]) -> Board:
    hexes = game.map.hexes if want.area is None else game.map.area[want.area].hexes & game.map.hexes
    return Board(
        name=want.name,
        image=facts["image"],
        width=facts["size"][0],
        height=facts["size"][1],
        game_map=game.map,
        layout=Layout(game.map.lattice.orientation, *facts["layout"]),
        hexes=hexes,
        sheet=want.sheet,
        boxes={box: _rect(rect) for box, rect in facts["boxes"].items()},
        box_names={box.id: box.name for box in game.boxes},
        track={int(turn): _rect(rect) for turn, rect in facts["track"].items()},
    )


def _rect(numbers: list[int]) -> Rect:
    left, top, right, bottom = numbers
    return left, top, right, bottom
