"""A game definition becomes pictures, XML and set-ups, and those a module."""

PART_OF_FIELDPOST = True  # fieldpost/parts.py looks for it
