"""A log becomes events, a position and findings."""

PART_OF_FIELDPOST = True  # fieldpost/parts.py looks for it
