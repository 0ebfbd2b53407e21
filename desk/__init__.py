"""The local web page: drop a log, see the verdict, take a module. It stands on both halves."""

PART_OF_FIELDPOST = True  # fieldpost/parts.py looks for it
