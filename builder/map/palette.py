"""How things look, by style: one table each for terrain, water, lines, places and furniture.

A kind of the map (terrain, hexside, line, place) is looked up by its `style`, else by its id; an unknown
one takes the look whose name it contains (`frozen-lake` is drawn as `lake`), or a plain default.
Lengths are in pixels of a map whose hexes measure 88 px from side to side; they scale with the hexes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from fieldpost.definition.mapmodel import Kind
from fieldpost.errors import FieldpostError

Color = tuple[int, int, int, int]
Texture = Literal["plain", "forest", "marsh", "dunes"]
T = TypeVar("T")


def rgb(text: str, alpha: int = 255) -> Color:
    """`#rrggbb` as a colour."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16), alpha


@dataclass(frozen=True)
class TerrainLook:
    tint: str
    texture: Texture = "plain"
    height: float = 0.0  # how high it rises, 1 being mountains
    strength: float = 1.0  # of texture or relief
    water: bool = False


@dataclass(frozen=True)
class StrokeLook:
    """A line along hexsides or from hex to hex."""

    color: str
    width: float
    pattern: Literal[
        "plain", "dash", "dashdot", "dots", "rail", "road", "teeth", "arrow", "bridge", "river", "none"
    ] = "plain"
    casing: str | None = None  # a second colour beside it
    casing_width: float = 0.0
    band: str | None = None  # a broad tint under it
    band_width: float = 0.0
    label: bool = False  # whether its name is written along it


@dataclass(frozen=True)
class PlaceLook:
    symbol: Literal["blocks", "red-blocks", "town", "dot", "fort", "none", "badge"]
    size: float
    face: str
    text: float  # size of the name
    rank: int  # the lower, the sooner its name finds a place
    upper: bool = False
    sign: str = ""  # the sign of a badge


@dataclass(frozen=True)
class Style:
    id: str
    paper: str
    panel: str
    ink: str
    quiet: str
    halo: str
    accent: str
    grid: Color
    number: str
    frame: str
    coast: str
    deep: str
    shallow: str
    waterline: str
    water_ink: str
    grain: float
    relief: float
    terrain: Mapping[str, TerrainLook]
    sides: Mapping[str, StrokeLook]
    lines: Mapping[str, StrokeLook]
    areas: Mapping[str, StrokeLook]
    places: Mapping[str, PlaceLook]
    symbols: Mapping[str, str] = field(default_factory=dict)
    seasons: Mapping[str, str] = field(default_factory=dict)
    zones: tuple[str, ...] = ("weather", "weather-zone")


_TERRAIN = {
    "clear": TerrainLook("#ece4c9"),
    "steppe": TerrainLook("#eadfb4"),
    "desert": TerrainLook("#efe0b0", "dunes"),
    "tundra": TerrainLook("#e2e2d6"),
    "farmland": TerrainLook("#ece4c9"),
    "forest": TerrainLook("#b2c095", "forest"),
    "wood": TerrainLook("#b2c095", "forest"),
    "marsh": TerrainLook("#cfdbc6", "marsh"),
    "swamp": TerrainLook("#cfdbc6", "marsh"),
    "deep-swamp": TerrainLook("#a9c8bd", "marsh", strength=1.5),
    "rough": TerrainLook("#e0cfa4", height=0.35),
    "hill": TerrainLook("#dfcda3", height=0.42),
    "wooded-hill": TerrainLook("#a5b184", "forest", height=0.42),
    "mountain": TerrainLook("#d4bf9e", height=1.0),
    "high-mountain": TerrainLook("#c3ad91", height=1.35),
    "alpine": TerrainLook("#c3ad91", height=1.35),
    "city": TerrainLook("#d8cfc4"),
    "sea": TerrainLook("#b9d3de", water=True),
    "lake": TerrainLook("#b9d3de", water=True),
    "ocean": TerrainLook("#b9d3de", water=True),
    "water": TerrainLook("#b9d3de", water=True),
    "coastal": TerrainLook("#ece4c9"),
}

_RIVER = StrokeLook("#5d97bd", 4.0, "river", casing="#40769b", casing_width=0.0, label=True)
_SIDES = {
    "minor-river": replace(_RIVER, width=3.4, color="#5f97bf"),
    "major-river": replace(_RIVER, width=7.4, color="#6fa9cd", casing="#3f779f", casing_width=1.5),
    "great-river": replace(_RIVER, width=9.0, color="#6fa9cd", casing="#3f779f", casing_width=1.6),
    "river": _RIVER,
    "canal": replace(_RIVER, width=3.0, color="#3d8f9d", casing="#2f6f7c", casing_width=0.8),
    "ice-road": StrokeLook("#c4392f", 3.0, "arrow"),
    "frozen-access": StrokeLook("#c4392f", 3.0, "arrow"),
    "red-arrow": StrokeLook("#c4392f", 3.0, "arrow"),
    "winter-crossing": StrokeLook("#c4392f", 3.0, "arrow"),
    "strait": StrokeLook("#8a4b2a", 2.4, "arrow"),
    "ferry": StrokeLook("#8a4b2a", 2.4, "arrow"),
    "causeway": StrokeLook("#6b5b4c", 2.2, "bridge"),
    "bridge": StrokeLook("#6b5b4c", 2.2, "bridge"),
    "rail-bridge": StrokeLook("#8b3a52", 2.2, "bridge"),
    "sea": StrokeLook("#000000", 0, "none"),
    "lake": StrokeLook("#000000", 0, "none"),
    "border": StrokeLook("#8c3b4a", 2.6, "dashdot", band="#c97f86", band_width=15),
    "region-boundary": StrokeLook("#8c6a8a", 1.7, "dashdot"),
    "fortified-line": StrokeLook("#6d4a35", 3.0, "teeth"),
    "fort-line": StrokeLook("#6d4a35", 3.0, "teeth"),
    "fortification": StrokeLook("#6d4a35", 3.0, "teeth"),
    "front": StrokeLook("#a3322c", 3.2, "dash", band="#d98a7a", band_width=14),
    "second-front": StrokeLook("#5b3a8c", 3.2, "dash", band="#a790c9", band_width=14),
    "third-front": StrokeLook("#1f6b4f", 3.2, "dash", band="#86b8a2", band_width=14),
    "blue-arrow": StrokeLook("#1f5fa8", 3.4, "arrow"),
    "marsh-side": StrokeLook("#4d8a7a", 5.0, "dots"),
    "mountain-side": StrokeLook("#7a5a3a", 4.2, "teeth"),
    "gas-line": StrokeLook("#c2701f", 3.4, "dash", label=True),
    "weather": StrokeLook("#4d6fa8", 2.4, "dots", label=True),
    "arctic": StrokeLook("#4d6fa8", 2.4, "dots", label=True),
    "escarpment": StrokeLook("#7a634a", 2.6, "teeth"),
    "impassable": StrokeLook("#7a634a", 3.0, "teeth"),
}
_LINES = {
    "railway": StrokeLook("#5d554d", 1.6, "rail"),
    "rail": StrokeLook("#5d554d", 1.6, "rail"),
    "standard-railway": StrokeLook("#8b3a52", 1.6, "rail"),
    "rollbahn": StrokeLook("#f2d9a0", 3.2, "road", casing="#8d5a2c", casing_width=1.4),
    "motorway": StrokeLook("#f2d9a0", 3.2, "road", casing="#8d5a2c", casing_width=1.4),
    "road": StrokeLook("#efd3a0", 2.0, "road", casing="#8d5a2c", casing_width=1.1),
    "minor-road": StrokeLook("#b98555", 1.3, "road"),
    "track": StrokeLook("#a8643a", 1.6, "dash"),
    "gas-line": _SIDES["gas-line"],
    "weather": _SIDES["weather"],
    "arctic": _SIDES["arctic"],
    "front": _SIDES["front"],
    "border": _SIDES["border"],
    "ice-road": StrokeLook("#c4392f", 3.0, "dash"),
    "causeway": StrokeLook("#6b5b4c", 2.2, "bridge"),
    "fortified-line": _SIDES["fortified-line"],
    "fortification": _SIDES["fortification"],
}
_AREAS = {
    "deployment": StrokeLook("#7b5aa6", 2.2, "dash", band="#b9a2d6", band_width=9, label=True),
    "army": StrokeLook("#7b5aa6", 2.2, "dash", band="#b9a2d6", band_width=9, label=True),
    "military-district": StrokeLook("#7b5aa6", 2.2, "dash", band="#b9a2d6", band_width=9, label=True),
    "weather": StrokeLook("#4d6fa8", 2.4, "dots", label=True),
    "playing-area": StrokeLook("#a3322c", 2.0, "dash"),
    "country": StrokeLook("#000000", 0, "none", label=True),
}


def _badge(sign: str) -> PlaceLook:
    return PlaceLook("badge", 15, "sans-medium", 12, 9, sign=sign)


_PLACES = {
    "capital": PlaceLook("blocks", 27, "sans-bold", 17, 0, upper=True),
    "major-city": PlaceLook("blocks", 25, "sans-bold", 16.5, 1, upper=True),
    "major": PlaceLook("blocks", 25, "sans-bold", 16.5, 1, upper=True),
    "red-city": PlaceLook("red-blocks", 25, "sans-bold", 16.5, 1, upper=True),
    "minor-city": PlaceLook("town", 9.5, "sans-semibold", 15, 2),
    "city": PlaceLook("blocks", 20, "sans-bold", 15.5, 2),
    "medium": PlaceLook("town", 9.5, "sans-semibold", 15, 2),
    "minor": PlaceLook("town", 9.0, "sans-semibold", 14.5, 3),
    "fortress": PlaceLook("fort", 11, "sans-semibold", 14.5, 2),
    "fortified": PlaceLook("fort", 10, "sans-medium", 13, 4),
    "town": PlaceLook("dot", 6.2, "sans-medium", 14, 4),
    "village": PlaceLook("dot", 5, "sans-medium", 12.5, 5),
    "other": PlaceLook("dot", 5.5, "sans-medium", 13, 5),
    "citadel": _badge("citadel"),
    "fortified-belt": _badge("fort"),
    "factory": _badge("factory"),
    "industry": _badge("factory"),
    "oil": _badge("derrick"),
    "coal": _badge("mine"),
    "mine": _badge("mine"),
    "ore": _badge("mine"),
    "economic": _badge("factory"),
    "strategic-port": _badge("wharf"),
    "naval-base": _badge("wharf"),
    "supply-source": _badge("star"),
    "replacement": _badge("recruit"),
    "entry": _badge("recruit"),
}
_SYMBOLS = {
    "city": "#45403b",
    "blocks": "#7d6a5f",
    "ground": "#dcc3b4",
    "red": "#a3322c",
    "red-ground": "#ecc4b4",
    "port": "#2a5c86",
    "asset": "#8a5a16",
    "supply": "#2f6b45",
    "victory": "#a3322c",
    "fort": "#5a4636",
}
_SEASONS = {
    "clear": "#f4e7b8",
    "summer": "#f4e7b8",
    "dry": "#f4e7b8",
    "mud": "#cdb08a",
    "rain": "#b7c9d6",
    "snow": "#e4eef4",
    "winter": "#e4eef4",
    "frost": "#d5e3ef",
    "spring": "#dbe6bd",
    "autumn": "#ecd0a4",
    "fall": "#ecd0a4",
    "day": "#f4e7b8",
    "dawn": "#f3d9c4",
    "dusk": "#e6cfd0",
    "night": "#c5cde0",
}

CLASSIC = Style(
    id="classic",
    paper="#e9e2d0",
    panel="#f6f1e3",
    ink="#2b2723",
    quiet="#6b6358",
    halo="#f7f2e2",
    accent="#8c3b3f",
    grid=(60, 54, 44, 74),
    number="#6a6255",
    frame="#4a4138",
    coast="#4f7f9c",
    deep="#9cc1d5",
    shallow="#c9dfe5",
    waterline="#7aa9c3",
    water_ink="#2d5f86",
    grain=1.0,
    relief=1.0,
    terrain=_TERRAIN,
    sides=_SIDES,
    lines=_LINES,
    areas=_AREAS,
    places=_PLACES,
    symbols=_SYMBOLS,
    seasons=_SEASONS,
)


def _retint(looks: Mapping[str, TerrainLook], tints: Mapping[str, str]) -> dict[str, TerrainLook]:
    return {name: replace(look, tint=tints.get(name, look.tint)) for name, look in looks.items()}


def _recolor(looks: Mapping[str, StrokeLook], **changes: dict[str, object]) -> dict[str, StrokeLook]:
    named = {key.replace("_", "-"): value for key, value in changes.items()}
    return {name: replace(look, **named.get(name, {})) for name, look in looks.items()}  # type: ignore[arg-type]


_SAFE_SIDES = _recolor(
    _SIDES,
    minor_river={"color": "#2f7fc0"},
    major_river={"color": "#4a9ad8", "casing": "#0b4f86"},
    ice_road={"color": "#d55e00"},
    frozen_access={"color": "#d55e00"},
    red_arrow={"color": "#d55e00"},
    winter_crossing={"color": "#d55e00"},
    strait={"color": "#000000"},
    border={"color": "#7a2a5e", "band": "#cc79a7"},
    fortified_line={"color": "#000000"},
    gas_line={"color": "#b35900"},
    weather={"color": "#0072b2"},
)
SAFE = replace(
    CLASSIC,
    id="safe",
    grid=(40, 40, 40, 90),
    number="#4d4d4d",
    deep="#86b7e0",
    shallow="#c6e0f2",
    coast="#0b4f86",
    waterline="#5f9fd0",
    water_ink="#0b3f70",
    terrain=_retint(
        _TERRAIN,
        {
            "clear": "#f7f1dc",
            "forest": "#8fb3a0",
            "wood": "#8fb3a0",
            "marsh": "#d3dfe6",
            "swamp": "#d3dfe6",
            "hill": "#e8c98f",
            "rough": "#e8c98f",
            "mountain": "#cfab80",
            "high-mountain": "#b58f66",
            "alpine": "#b58f66",
        },
    ),
    sides=_SAFE_SIDES,
    lines={**_recolor(_LINES, railway={"color": "#3a3a3a"}), "gas-line": _SAFE_SIDES["gas-line"]},
    symbols={**_SYMBOLS, "victory": "#7a2a5e", "supply": "#00634a", "asset": "#7a4a00", "port": "#0b4f86"},
    seasons={**_SEASONS, "mud": "#d9a066", "snow": "#d6e9f8", "clear": "#fbf0b0"},
)
PRINT = replace(
    CLASSIC,
    id="print",
    paper="#ffffff",
    panel="#ffffff",
    halo="#ffffff",
    ink="#000000",
    quiet="#4a4a4a",
    grid=(70, 70, 70, 92),
    number="#5a5a5a",
    deep="#dcebf3",
    shallow="#eff6f9",
    coast="#4f7f9c",
    waterline="#b9d3e0",
    grain=0.25,
    relief=0.55,
    terrain=_retint(
        _TERRAIN,
        {
            "clear": "#ffffff",
            "steppe": "#fffdf4",
            "forest": "#dfe9d2",
            "wood": "#dfe9d2",
            "marsh": "#eef4ee",
            "swamp": "#eef4ee",
            "hill": "#f6efdf",
            "rough": "#f6efdf",
            "mountain": "#eadfce",
            "high-mountain": "#ddcfba",
            "alpine": "#ddcfba",
        },
    ),
    sides=_recolor(_SIDES, border={"band": "#eec8cc"}),
    symbols={**_SYMBOLS, "ground": "#efe4dc"},
)

STYLES: dict[str, Style] = {s.id: s for s in (CLASSIC, SAFE, PRINT)}


def style(name: str) -> Style:
    if name not in STYLES:
        raise FieldpostError(f"there is no map style {name!r}", f"Styles are {', '.join(STYLES)}.")
    return STYLES[name]


def look(looks: Mapping[str, T], kind: Kind | str, default: T) -> T:
    """The look of a kind: by its style, its id, or the longest known name it contains."""
    names = (kind,) if isinstance(kind, str) else (kind.style, kind.id)
    for name in filter(None, names):
        if name in looks:
            return looks[name]
    for name in filter(None, names):
        within = [known for known in looks if known in name]
        if within:
            return looks[max(within, key=len)]
    return default


PLAIN_TERRAIN = TerrainLook("#e6dcc0")
PLAIN_STROKE = StrokeLook("#55504a", 2.0, "dash")
PLAIN_PLACE = _PLACES["other"]
