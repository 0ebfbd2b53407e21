"""A piece of a palette or prototype in YAML: its picture, prototypes and traits, from the outermost in."""

from __future__ import annotations

from typing import Any

from fieldpost.errors import FieldpostError
from fieldpost.vassal import codec
from fieldpost.vassal.module_pieces import Definition
from fieldpost.vassal.pieces import TraitText, add

_BASIC = "piece;"
_USES = "prototype;"


def take(text: str) -> dict[str, Any]:
    """What YAML says of a slot's text; the `text` itself where it would come out otherwise."""
    found = Definition.read(text)
    if found is None:
        return {"text": text} if text else {}
    fields = codec.decode(found.basic.type, ";")
    piece: dict[str, Any] = {"name": found.name, "picture": found.image}
    if codec.encode(["", "", found.image, found.name], ";") != found.basic.type.removeprefix(_BASIC):
        piece["basic"] = fields[1:3]
    piece["state"] = found.basic.state
    piece["traits"] = [_trait(trait) for trait in found.traits]
    return piece if give(piece) == text else {"text": text}


def _trait(trait: TraitText) -> str | list[str]:
    """A use of a prototype by its name, any other trait as it stands, its state behind it if it has one."""
    name = trait.type.removeprefix(_USES)
    if trait.type.startswith(_USES) and not trait.state and codec.decode(name, ";") == [name]:
        return f"uses {name}"
    return [trait.type, trait.state] if trait.state else [trait.type]


def give(piece: dict[str, Any]) -> str:
    """The text of a slot; raises FieldpostError where the YAML says no piece."""
    if "text" in piece or not ("traits" in piece or "name" in piece):
        return str(piece.get("text", ""))
    keys = [str(key) for key in piece.get("basic", ["", ""])]
    basic = _BASIC + codec.encode([*keys, str(piece.get("picture") or ""), str(piece.get("name") or "")], ";")
    traits = [_given(trait) for trait in piece.get("traits") or ()]
    types = codec.nest([*(trait.type for trait in traits), basic])
    states = codec.nest([*(trait.state for trait in traits), str(piece.get("state") or "null;0;0;;0")])
    return add(None, types, states)


def _given(trait: object) -> TraitText:
    if isinstance(trait, str) and trait.startswith("uses "):
        return TraitText(_USES + trait.removeprefix("uses "))
    if isinstance(trait, list) and 1 <= len(trait) <= 2 and all(isinstance(part, str) for part in trait):
        return TraitText(*trait)
    raise FieldpostError(
        f"{trait!r} is no trait", "A trait is `uses PROTOTYPE`, or a list of its type and its state."
    )
