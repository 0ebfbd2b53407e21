"""JSON Schema for editors, made from the same types that the reader uses."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from fieldpost.definition import files
from fieldpost.definition.annotations import AsWritten, Ident, Labels, shorthand
from fieldpost.definition.model import Scenario
from fieldpost.definition.overlay import OverlayFile
from fieldpost.definition.rulelist import RulesFile

KINDS: dict[str, type] = {
    "game": files.GameFile,
    "counters": files.CountersFile,
    "scenario": Scenario,
    "map": files.MapFile,
    "grids": files.GridsFile,
    "places": files.PlacesFile,
    "hexsides": files.HexsidesFile,
    "lines": files.LinesFile,
    "areas": files.AreasFile,
    "rules": RulesFile,
    "overlay": OverlayFile,
}
_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    Fraction: {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": "^-?[0-9]+(/[1-9][0-9]*)?$"}]},
    type(None): {"type": "null"},
}


def schema(kind: str) -> dict[str, Any]:
    """The schema of one kind of file."""
    definitions: dict[str, Any] = {}
    root = _schema(KINDS[kind], definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"fieldpost {kind}",
        **root,
        "$defs": definitions,
    }


def _schema(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(args, definitions)
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple:
        return {"type": "array", "items": _schema(args[0], definitions)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(arg, definitions) for arg in args]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(args[1], definitions)}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    if is_dataclass(hint):
        return _reference(cast(type, hint), definitions)
    raise TypeError(f"no schema for {hint!r}")


def _annotated(args: tuple[Any, ...], definitions: dict[str, Any]) -> dict[str, Any]:
    base = _schema(args[0], definitions)
    for mark in args[1:]:
        if isinstance(mark, Ident):
            return {"type": "string", "pattern": f"^{mark.pattern}$", "description": mark.wanted}
        if mark is AsWritten:
            return {"type": ["string", "number", "boolean"]}
        if mark is Labels:
            return {"anyOf": [base, {"type": "string"}]}
    return base


def _reference(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # before its fields: classes may hold each other
        definitions[name] = _record(kind, definitions)
    link = {"$ref": f"#/$defs/{name}"}
    return {"anyOf": [{"type": "string"}, link]} if shorthand(kind) else link


def _record(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    own = [f for f in fields(kind) if f.init and not f.name.startswith("_")]
    required = [
        f.name
        for f in own
        if f.default is MISSING and f.default_factory is MISSING and type(None) not in get_args(hints[f.name])
    ]
    return {
        "type": "object",
        "description": (kind.__doc__ or "").partition("\n")[0] if not _is_generated(kind) else "",
        "properties": {f.name: _schema(hints[f.name], definitions) for f in own},
        "required": required,
        "additionalProperties": False,
    }


def _is_generated(kind: type) -> bool:
    """Whether the docstring is the signature that dataclass writes."""
    return (kind.__doc__ or "").startswith(f"{kind.__name__}(")
