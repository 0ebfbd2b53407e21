"""Loaded once by the process that all children fork from: what every check needs is there already."""

from __future__ import annotations

from contextlib import suppress

from desk import tasks
from fieldpost.errors import FieldpostError

with suppress(FieldpostError, OSError):  # whatever is wrong with the data, the check itself will say it
    tasks.load_all()
