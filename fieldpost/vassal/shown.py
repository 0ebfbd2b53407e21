"""Text out of a stranger's file, made fit for a terminal or a program: no secrets, no control characters."""

from __future__ import annotations

import re

from fieldpost.terminal import printable
from fieldpost.vassal.secrets import Redactor

_NOTHING_SECRET = Redactor(())
_BROKEN = re.compile("[\ud800-\udfff]")


def text(value: str, redactor: Redactor = _NOTHING_SECRET) -> str:
    """The text without secrets; control characters and broken bytes become `?`."""
    return _BROKEN.sub("?", printable(redactor.clean(value)))


def data(value: object, redactor: Redactor = _NOTHING_SECRET) -> object:
    """The same for a structure of dicts and lists."""
    if isinstance(value, str):
        return text(value, redactor)
    if isinstance(value, dict):
        return {key: data(item, redactor) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [data(item, redactor) for item in value]
    return value
