"""A set-up in YAML: which piece stands where, by hex where the grid has one; the rest passed through."""

from __future__ import annotations

import re
from typing import Any

from fieldpost.errors import FieldpostError
from fieldpost.vassal import codec, steps
from fieldpost.vassal.codec import ESC
from fieldpost.vassal.module import Module
from fieldpost.vassal.module_map import Layout, chosen_boards
from fieldpost.vassal.pieces import NONE, add, integer, read_type
from fieldpost.vassal.secrets import UNTYPED, Disguises, Scrubber
from fieldpost.vassal.steps import Log
from fieldpost.vassal.things import basic_name

TYPES = "pieces.yaml"
_PLACED = 3
_SLASHES = range(4)
_LEFTOVERS = [  # an empty stack between two delimiters of one level, each marked by so many backslashes
    re.compile(rf"\x1b\+/(?<=[^\\]{mark}\x1b\+/)\d+/stack/[^;\x1b\\]*;-?\d+;-?\d+(?:;@@-?\d+)?{mark}(?=\x1b)")
    for mark in (r"\\" * slashes for slashes in _SLASHES)
]


class Places:
    """Points of the maps by the names of their hexes, both ways."""

    def __init__(self, module: Module, commands: list[str]) -> None:
        chosen = {
            text.partition("BoardPicker")[0]: chosen_boards(text)
            for text in commands
            if "BoardPicker" in text.partition("\t")[0]
        }
        self._layouts: dict[str, Layout] = {
            one.name: one.layout(chosen[one.name]) if chosen.get(one.name) else one.usual
            for one in module.maps
        }

    def say(self, map: str, x: int, y: int) -> str | list[int]:
        """The hex, if its centre is exactly there and it alone is called so; else the point."""
        layout = self._layouts.get(map)
        if layout is None:
            return [x, y]
        label = layout.locate(x, y).label
        try:
            return label if label and layout.pixel(label) == (x, y) else [x, y]
        except (FieldpostError, ValueError, OverflowError):
            return [x, y]

    def point(self, map: str, at: object) -> tuple[int, int]:
        if isinstance(at, list) and len(at) == 2 and all(isinstance(one, int) for one in at):
            return at[0], at[1]
        layout = self._layouts.get(map)
        if layout is None:
            raise FieldpostError(f"there is no map {map!r}", "Write a point as [x, y].")
        return layout.pixel(str(at))


def take(log: Log, module: Module, types: dict[str, int]) -> dict[str, Any]:
    """The pieces, stacks and decks of a save, and all other commands as they stand, without secrets.

    What a piece consists of goes into `types`, which all set-ups of a module share.
    """
    scrubbed = steps.parse(Scrubber(log, disguises=Disguises.untyped(UNTYPED)).text(log.parts))
    places = Places(module, scrubbed.setup)
    found: dict[str, Any] = {"pieces": [], "rest": []}
    for text in scrubbed.setup:
        if text.startswith("+/"):
            found["pieces"].append(_piece(text, types, places))
        elif text not in ("begin_save", "end_save"):
            found["rest"].append(text)
    return found


def without_leftovers(text: str) -> tuple[str, int]:
    """A saved game without empty stacks, and how many they were.

    The engine leaves them behind, by tens of thousands in an old game.
    """
    found = 0
    for leftover in _LEFTOVERS:
        text, more = leftover.subn("", text)
        found += more
    return text, found


def said_type(type: str) -> str | list[str]:
    """A piece by its traits from the outermost in; as it stands where that would come out otherwise."""
    if type.startswith("deck;"):
        return type
    kind = read_type(type)
    return [trait.text for trait in kind.traits] if kind.exact else type


def given_type(said: object) -> str:
    return codec.nest([str(trait) for trait in said]) if isinstance(said, list) else str(said)


def _piece(text: str, types: dict[str, int], places: Places) -> dict[str, Any]:
    id, type, state = codec.decode(text[2:], "/")[:3]
    said: dict[str, Any] = {"id": id}
    if type == "stack" or type.startswith("deck;"):
        said |= {"holds": "stack"} if type == "stack" else {"type": types.setdefault(type, len(types))}
        map, x, y, rest = _split(state)
        return said | _where(map, x, y, rest, places)
    kind = read_type(type)
    states = kind.states(state)
    map, x, y, rest = _split(states[-1])
    said |= {"name": basic_name(kind.basic.text), "type": types.setdefault(type, len(types))}
    if codec.nest(states) != state:
        return said | {"state": state}
    if any(states[:-1]):
        said["traits"] = {at: state for at, state in enumerate(states[:-1]) if state}
    return said | _where(map, x, y, rest, places)


def _split(state: str) -> tuple[str, str, str, str]:
    """Map, x, y and whatever follows, as it stands."""
    tokens = codec.decode(state, ";")
    if tokens[0] == NONE or len(tokens) < _PLACED:
        return NONE, "", "", state
    head = codec.encode(tokens[:_PLACED], ";")
    return tokens[0], tokens[1], tokens[2], state[len(head) :]


def _where(map: str, x: str, y: str, rest: str, places: Places) -> dict[str, Any]:
    if map == NONE:
        return {"with": rest}
    said: dict[str, Any] = {"map": map, "at": places.say(map, integer(x), integer(y))}
    return said | {"with": rest} if rest else said


def give(said: dict[str, Any], module: Module, types: list[str]) -> str:
    """The text of the saved game."""
    rest = [str(text) for text in said.get("rest") or ()]
    places = Places(module, rest)
    pieces = [_given(piece, types, places) for piece in said.get("pieces") or ()]
    return codec.encode(["begin_save", "", codec.encode(["", *pieces], ESC), *rest, "end_save"], ESC)


def _given(said: dict[str, Any], types: list[str], places: Places) -> str:
    if said.get("holds") == "stack":
        return add(str(said["id"]), "stack", _state(said, places))
    number = said.get("type")
    if not isinstance(number, int) or not 0 <= number < len(types):
        raise FieldpostError(
            f"piece {said.get('id')}: no type {number!r}", f"{TYPES} counts its types from 0."
        )
    type = types[number]
    if "state" in said:
        return add(str(said["id"]), type, str(said["state"]))
    if type.startswith("deck;"):
        return add(str(said["id"]), type, _state(said, places))
    traits = [""] * (len(read_type(type).traits) - 1)
    for at, state in (said.get("traits") or {}).items():
        if not isinstance(at, int) or not 0 <= at < len(traits):
            raise FieldpostError(f"piece {said.get('id')}: no trait {at!r}", "Traits are counted from 0.")
        traits[at] = str(state)
    return add(str(said["id"]), type, codec.nest([*traits, _state(said, places)]))


def _state(said: dict[str, Any], places: Places) -> str:
    if "map" not in said:
        return str(said.get("with", NONE))
    x, y = places.point(str(said["map"]), said.get("at"))
    return codec.encode([str(said["map"]), str(x), str(y)], ";") + str(said.get("with", ""))
