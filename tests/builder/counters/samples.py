"""A small game that holds one of each kind of counter; tests change what they are about."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from PIL import Image

from fieldpost.definition import load
from fieldpost.definition.model import Counter, Game, Marker, MarkerFace, Nationality, Side, UnitType

GOLDEN = Path(__file__).parent / "golden"
REPOSITORY = Path(__file__).resolve().parents[3]

NATIONS = (
    Nationality("german", "German", "#9fb3c1"),
    Nationality("ss", "SS", "#1c1c1e", "#ffffff", "#3a3a3e"),
    Nationality("soviet", "Soviet", "#eda24c"),
    Nationality("guard", "Guard", "#c93c2f", "#ffffff"),
)
STRENGTH = ("attack", "defense", "movement")


def unit_type(ident: str, symbol: str, size: str = "XXX", nation: str = "german", **rest: object) -> UnitType:
    made = UnitType(ident, ident, "all", nation, symbol, size, factors=STRENGTH)
    return replace(made, **rest)  # type: ignore[arg-type]


TYPES = (
    unit_type("infantry", "infantry"),
    unit_type("panzer", "armor", mobility="motorized"),
    unit_type("kg", "infantry", "KG"),
    unit_type("ss-panzer", "armor", "XX", "ss", mobility="motorized"),
    unit_type("army", "infantry", "XXXX", "soviet", factors=("class", "movement")),
    unit_type("guard-army", "guard", "XXXX", "guard", factors=("class", "movement")),
    unit_type("factory", "factory", "", "soviet"),
    unit_type("division", "militia", "[XX]", "soviet"),
)
COUNTERS = (
    Counter("51AK", "LI Corps", "infantry", ("5-7-4", "3-4-4"), "51", enters="GT12"),
    Counter("57PzK", "LVII Panzer Corps", "panzer", ("9-8-7", "7-6-7"), "57", enters="GT23"),
    Counter("InfKG-1", "Kampfgruppe", "kg", ("2-3-5",), "Rei"),
    Counter("InfKG-2", "Kampfgruppe", "kg", ("2-3-5",), "Rei"),
    Counter("LAH", "Leibstandarte", "ss-panzer", ("4-4-9", "2-2-9"), "LAH"),
    Counter("62A", "62nd Army", "army", ("C-3",), "62", setup="4708"),
    Counter("1GdA", "1st Guard Army", "guard-army", ("B-4",), "1 Gd", enters="GT19"),
    Counter("Plant", "Plant", "factory", ("0-1-0",), "Magnitogorsk", setup="0101"),
    Counter("7M", "7th Militia", "division", ("1-2-3",), "7"),
)
MARKERS = (
    Marker(
        "out-of-supply",
        "Out of Supply",
        "supply",
        (MarkerFace("OUT OF", "SUPPLY", None, "#b8322a", "#ffffff"), MarkerFace("LACK OF", "SUPPLY")),
        count=3,
    ),
    Marker("csm", "Strength", "strength", (MarkerFace("10-12", "B", None, "#d9a441"),)),
    Marker("moved", "Moved", "status", (MarkerFace("MOVED", symbol="arrow"),)),
)


@cache
def game() -> Game:
    base = load(str(REPOSITORY / "examples" / "first-game"))
    return replace(
        base,
        id="samples",
        title="Samples",
        sides=(Side("all", "All", "#888888", NATIONS),),
        unit_types=TYPES,
        counters=COUNTERS,
        markers=MARKERS,
    )


def with_counter(**change: object) -> tuple[Game, Counter]:
    """The game with its first counter changed, and that counter."""
    made = replace(COUNTERS[0], **change)  # type: ignore[arg-type]
    return replace(game(), counters=(made, *COUNTERS[1:])), made


def with_type(ident: str, **change: object) -> Game:
    types = (replace(t, **change) if t.id == ident else t for t in TYPES)  # type: ignore[arg-type]
    return replace(game(), unit_types=tuple(types))


def with_ink(nation: str, color: str, ink: str) -> Game:
    nations = tuple(replace(n, color=color, ink=ink) if n.id == nation else n for n in NATIONS)
    return replace(game(), sides=(Side("all", "All", "#888888", nations),))


def pixels(picture: Image.Image) -> list[tuple[int, int, int]]:
    data = picture.convert("RGB").tobytes()
    return list(zip(data[::3], data[1::3], data[2::3], strict=True))
