"""What a face of a counter shows, read off the game's data; drawing needs nothing else.

A look is a plain value: equal looks give equal pictures, so it serves as the key of a cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from builder.counters.colors import BLACK, Rgb, mix, rgb
from fieldpost.definition.artmodel import ArtFile
from fieldpost.definition.model import Counter, Game, Marker, MarkerFace, Nationality, Printing, UnitType
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Orientation

MOTORIZED = "motorized"
CLASS = "class"
FORMATION_COLORS: tuple[Rgb, ...] = tuple(
    rgb(color)
    for color in (
        "#d1362f", "#2f6fd1", "#f2c52e", "#2f9e4f", "#8e44ad", "#ef7d1a", "#18a3a3", "#e569a9",
        "#ffffff", "#7a4a1e", "#9bd14b", "#1b2a4a", "#f4a582", "#5ec8f2", "#b8a400", "#6b6b6b",
    )
)  # fmt: skip


class FactorGround(NamedTuple):
    """One factor that stands out: its place in the row, its ground, its ink, the frame around it."""

    place: int
    ground: Rgb | None
    ink: Rgb
    frame: Rgb | None


@dataclass(frozen=True)
class CounterLook:
    """One side of a unit's counter."""

    ground: Rgb
    ink: Rgb
    box: Rgb
    symbol: str
    size: str
    factors: str
    label: str
    enters: str = ""
    setup: str = ""
    motorized: bool = False
    classed: bool = False  # the first factor is a combat class
    lost: int = 0  # steps lost, a stripe for each
    formation: Rgb | None = None  # the colour of the larger unit that it belongs to
    grounds: tuple[FactorGround, ...] = ()
    stacking: str = ""
    band: Rgb | None = None  # below the unit box
    code: str = ""  # a letter left of the unit box
    picture: ArtFile | None = None  # in the place of the symbol


@dataclass(frozen=True)
class ArtLook:
    """A face that is wholly a picture of one's own; `ground` shows where it is clear."""

    art: ArtFile
    ground: Rgb


@dataclass(frozen=True)
class BackLook:
    """The unprinted back of a counter."""

    ground: Rgb
    symbol: str


@dataclass(frozen=True)
class MarkerLook:
    """One face of a marker or chit."""

    ground: Rgb
    ink: Rgb
    text: str
    small: str
    symbol: str | None
    picture: ArtFile | None = None  # in the place of the sign


@dataclass(frozen=True)
class SideLook:
    """One face of a marker on a hexside: a plate that lies on it, turned with the facing of the marker."""

    ground: Rgb
    ink: Rgb
    text: str
    flat: bool  # the first hexside is that to the north; else that to the north-east


Look = CounterLook | BackLook | MarkerLook | ArtLook | SideLook


def counter_look(game: Game, counter: Counter, step: int) -> CounterLook | ArtLook:
    """A counter with so many steps (1 is full strength)."""
    if not 1 <= step <= len(counter.steps):
        raise FieldpostError(
            f"{counter.id} has no step {step}", f"counters/{game.id}.yaml prints {len(counter.steps)} of it."
        )
    kind = game.unit_type[counter.type]
    nation = game.nationality[counter.nationality or kind.nationality]
    ground, ink = rgb(nation.color), rgb(nation.ink)
    if counter.images:
        return ArtLook(game.art[counter.images[step - 1]], ground)
    picture = counter.symbol_image or kind.symbol_image
    traits, printing = {*kind.traits, *counter.traits}, game.printing
    motorized = MOTORIZED in (kind.mobility, *kind.traits)
    return CounterLook(
        ground=ground,
        ink=ink,
        box=_box(nation, _formation_color(game, counter), ground, ink),
        symbol=kind.symbol,
        size=_line(kind.size),
        factors=_printed(counter.steps[step - 1]),
        label=_line(counter.label or counter.id),
        enters=_line(counter.enters or "")
        if step == 1
        else _line(kind.sides[step - 1] if kind.sides else ""),
        setup=_line(counter.setup or "") if step == 1 else "",
        motorized=motorized and printing.boxed is None,
        classed=bool(kind.factors) and kind.factors[0] == CLASS,
        lost=step - 1,
        formation=_formation_color(game, counter),
        picture=game.art[picture] if picture else None,
        grounds=tuple(_factor_grounds(printing, kind, traits, motorized, ink)),
        stacking=str(kind.stacking) if printing.stacking else "",
        band=_band(printing, traits, step),
        code=_code(printing, kind, counter, step),
    )


def _code(printing: Printing, kind: UnitType, counter: Counter, step: int) -> str:
    """The letters of what a unit is, then its modifiers; of a gun with modes when it is ready to fire."""
    traits, values = {*kind.traits, *counter.traits}, {**kind.values, **counter.values}
    code = "".join(letter for trait, letter in printing.codes.items() if trait in traits)
    if kind.sides and step < len(kind.sides):
        return code
    return " ".join(
        [code, *(f"{int(values[name]):+d}" for name in printing.modifiers if name in values)]
    ).strip()


def _box(nation: Nationality, formation: Rgb | None, ground: Rgb, ink: Rgb) -> Rgb:
    """The ground of the unit box: a shade of the formation's color, the nation's own, or a lighter ground."""
    if formation is not None:
        return mix(formation, (255, 255, 255) if sum(ink) < 3 * 128 else BLACK, 0.5)
    return rgb(nation.box) if nation.box else box_ground(ground, ink)


def _factor_grounds(
    printing: Printing, kind: UnitType, traits: set[str], motorized: bool, ink: Rgb
) -> Iterator[FactorGround]:
    for place, factor in enumerate(kind.factors):
        mark = next((m for m in printing.factors if m.factor == factor and m.trait in traits), None)
        frame = rgb(printing.box) if motorized and factor == printing.boxed else None
        if mark is not None:
            yield FactorGround(place, rgb(mark.color), rgb(mark.ink), frame)
        elif frame is not None:
            yield FactorGround(place, None, ink, frame)


def _band(printing: Printing, traits: set[str], step: int) -> Rgb | None:
    band = printing.band
    if band is None:
        return None
    shown = band.trait in traits or (step > 1 and band.reduced in traits)
    return rgb(band.color) if shown else None


def _formation_color(game: Game, counter: Counter) -> Rgb | None:
    name = str(counter.values.get("formation", ""))
    if name not in game.formations:
        return None
    return FORMATION_COLORS[game.formations.index(name) % len(FORMATION_COLORS)]


def back_look(game: Game, counter: Counter) -> BackLook:
    kind = game.unit_type[counter.type]
    return BackLook(rgb(game.nationality[counter.nationality or kind.nationality].color), kind.symbol)


def marker_look(game: Game, marker: Marker, face: int) -> MarkerLook | ArtLook | SideLook:
    """A face of a marker (1 is the front)."""
    if not 1 <= face <= len(marker.faces):
        raise FieldpostError(f"marker {marker.id} has no face {face}", f"It has {len(marker.faces)}.")
    shown = marker.faces[face - 1]
    if marker.lies_on == "hexside":
        words = _line(f"{shown.text} {shown.small}")
        return SideLook(rgb(shown.color), rgb(shown.ink), words, is_flat(game))
    return _face_look(game, shown)


def _face_look(game: Game, face: MarkerFace) -> MarkerLook | ArtLook:
    if face.image:
        return ArtLook(game.art[face.image], rgb(face.color))
    picture = game.art[face.symbol_image] if face.symbol_image else None
    return MarkerLook(
        rgb(face.color), rgb(face.ink), _line(face.text), _line(face.small), face.symbol, picture
    )


def box_ground(ground: Rgb, ink: Rgb) -> Rgb:
    """A unit box whose colour the data leaves open is a shade farther from the ink than its ground."""
    return mix(ground, (255, 252, 240), 0.5) if sum(ink) < 3 * 128 else mix(ground, BLACK, 0.25)


def _printed(step: str) -> str:
    return "" if _line(step) in ("", "-") else _line(step)


def _line(text: str) -> str:
    """One line, whatever blanks and breaks the data holds."""
    return " ".join(text.split())


def is_flat(game: Game) -> bool:
    return game.map.lattice.orientation is Orientation.FLAT


def looks(game: Game) -> Iterator[tuple[str, Look]]:
    """Every face of every counter and marker, with the id it belongs to."""
    for counter in game.counters:
        for step in range(1, len(counter.steps) + 1):
            yield counter.id, counter_look(game, counter, step)
    for marker in game.markers:
        for face in range(1, len(marker.faces) + 1):
            yield marker.id, marker_look(game, marker, face)
