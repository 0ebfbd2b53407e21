"""Which settings of which component are said in YAML: one table for taking apart and putting together."""

from __future__ import annotations

from dataclasses import dataclass

MARK = "fieldpost-part"
"""The attribute that ties a component of rest.xml to its YAML."""
FORMAT = "fieldpost-module 2"


@dataclass(frozen=True)
class Said:
    """A kind of component: `settings` are the YAML's words by the attributes of the build file.

    `text` tells how its text is said: not at all, as a piece, as one line.
    """

    kind: str
    endings: tuple[str, ...]
    settings: dict[str, str]
    text: str = ""


def _same(names: str) -> dict[str, str]:
    return {name: name for name in names.split()}


SAID = (
    Said("module", ("GameModule",), _same("name version description") | {"VassalVersion": "engine"}),
    Said("side", ("entry",), {}, "line"),
    Said(
        "map",
        (".Map", ".PrivateMap", ".PlayerHand", ".WidgetMap"),
        {"mapName": "name", "side": "side"},
    ),
    Said("board", (".Board",), _same("name image width height reversible")),
    Said("hexes", (".HexGrid",), _same("dx dy x0 y0 sideways")),
    Said("squares", (".SquareGrid",), _same("dx dy x0 y0")),
    Said("region", (".Region",), {"name": "name", "originx": "x", "originy": "y"}),
    Said(
        "numbering",
        ("GridNumbering",),
        {
            "first": "first",
            "sep": "separator",
            "hType": "across_type",
            "vType": "down_type",
            "hLeading": "across_zeros",
            "vLeading": "down_zeros",
            "hOff": "across_from",
            "vOff": "down_from",
            "hDescend": "across_descends",
            "vDescend": "down_descends",
            "stagger": "stagger",
        },
    ),
    Said("zone", (".Zone",), {"name": "name", "path": "path", "locationFormat": "format"}),
    Said("die", (".DiceButton",), {"name": "name", "nDice": "dice", "nSides": "sides"}),
    Said("turn track", (".TurnTracker",), {"name": "name", "turnFormat": "format"}),
    Said("turn level", ("CounterTurnLevel",), _same("name start incr loopLimit")),
    Said("turn level", ("ListTurnLevel",), _same("name list")),
    Said("deck", (".DrawPile",), {"name": "name", "owningBoard": "board", "x": "x", "y": "y"}),
    Said(
        "stack at start",
        (".SetupStack",),
        {"name": "name", "owningBoard": "board", "location": "location", "x": "x", "y": "y"},
    ),
    Said("piece", (".PieceSlot", ".CardSlot"), {"entryName": "title", "gpid": "gpid"}, "piece"),
    Said("prototype", (".PrototypeDefinition",), {"name": "name"}, "piece"),
    Said("palette", (".PieceWindow",), {"name": "name", "text": "text"}),
    Said("drawer", (".TabWidget", ".ListWidget", ".PanelWidget", ".BoxWidget"), {"entryName": "name"}),
    Said("chart", (".Chart", ".HtmlChart"), {"chartName": "name", "fileName": "file"}),
    Said("set-up", (".PredefinedSetup",), {"name": "name", "file": "file"}),
)


def said(tag: str) -> Said | None:
    """The row of a component's class."""
    return next((row for row in SAID if tag.endswith(row.endings)), None)
