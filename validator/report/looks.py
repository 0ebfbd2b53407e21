"""What is drawn alike on plain maps, whatever game it is of: kinds of ground, hexside, line and place."""

from __future__ import annotations

GROUNDS = {
    "forest": "forest",
    "wood": "forest",
    "swamp": "swamp",
    "marsh": "swamp",
    "mountain": "mountain",
    "hill": "mountain",
    "hills": "mountain",
    "rough": "mountain",
    "tundra": "tundra",
    "sea": "water",
    "lake": "water",
    "city": "city",
    "steppe": "steppe",
}
OTHER_GROUND = "clear"
SIDES = {
    "river": "river",
    "minor-river": "river",
    "major-river": "great-river",
    "great-river": "great-river",
    "strait": "great-river",
    "sea": "shore",
    "lake": "shore",
    "sivash": "shore",
    "border": "border",
    "gas-line": "limit",
    "ice-road": "crossing",
}
"""What is not named here is not drawn. Of two on one hexside the later is drawn over the earlier."""
LINES = {"fortified-line": "works", "railway": "rail", "road": "road", "rollbahn": "road"}
DOTS_PX = {
    "major-city": 13,
    "city": 11,
    "fortress": 9,
    "large-town": 9,
    "minor-city": 8,
    "small-town": 6,
    "town": 5,
    "village": 4,
}
"""Radii where a hex is 88 px high."""
