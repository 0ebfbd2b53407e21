"""The map of a game as a picture: land and water, lines, places, names, and what stands beside it."""

from builder.map.palette import STYLES
from builder.map.picture import MapPicture, draw

__all__ = ["STYLES", "MapPicture", "draw"]
