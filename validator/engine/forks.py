"""Copies of memories, so that a referee can go on twice from one moment.

Lists, sets, dicts and dataclasses that may change are copied; what is frozen, what is no dataclass (boards,
fields, positions) and types with `shared = True` belong to both.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from validator.model.position import Unit

Made = dict[int, tuple[Any, Any]]
"""By the id of what was copied: the original, which must live as long, and its copy."""


def forked(value: Any, made: Made) -> Any:
    """A copy of a value of a memory; what two memories share, their copies share."""
    copied = copier(value)
    if copied is None:
        return value
    if id(value) not in made:
        copied(value, made)
    return made[id(value)][1]


def copier(value: Any) -> Callable[[Any, Made], None] | None:
    """How values like this one are copied; None where both sides may have the same."""
    kind: Any = type(value)
    return _copier(kind)


@cache
def _copier(kind: Any) -> Callable[[Any, Made], None] | None:
    if issubclass(kind, list):
        return _list
    if issubclass(kind, dict):
        return _dict
    if issubclass(kind, set):
        return _set
    if issubclass(kind, tuple):
        return _tuple
    frozen = not is_dataclass(kind) or vars(kind)["__dataclass_params__"].frozen
    return None if frozen or kind is Unit or getattr(kind, "shared", False) else _dataclass


def _list(value: list[Any], made: Made) -> None:
    twin = value[:]
    made[id(value)] = value, twin
    if any(copier(each) for each in value):
        twin[:] = [forked(each, made) for each in value]


def _dict(value: dict[Any, Any], made: Made) -> None:
    twin = copy(value)
    made[id(value)] = value, twin
    for key, each in value.items():
        if copier(each) is not None:
            twin[key] = forked(each, made)


def _set(value: set[Any], made: Made) -> None:
    made[id(value)] = value, copy(value)


def _tuple(value: tuple[Any, ...], made: Made) -> None:
    same = not any(copier(each) for each in value)
    made[id(value)] = value, value if same else tuple(forked(each, made) for each in value)


def _dataclass(value: Any, made: Made) -> None:
    twin = copy(value)
    made[id(value)] = value, twin
    for each in fields(value):
        setattr(twin, each.name, forked(getattr(value, each.name), made))
