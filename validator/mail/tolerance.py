"""Readers of Python's library, asked about what strangers wrote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


def tolerant(read: Callable[[], Value]) -> Value | None:
    """What a reader makes of it; None where it is broken beyond it."""
    try:
        return read()
    except (
        RecursionError,
        ValueError,
        LookupError,
        AttributeError,
        TypeError,
        AssertionError,
        OverflowError,
    ):
        return None
