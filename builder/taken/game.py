"""What a module tells of its game, as data that the referee reads: sides, phases, units, hexes, set-ups.

A module holds no rules, no terrain and no strengths: those are for its owner to write. Hexes have the names
that the module gives them, units the names of its pieces; so logs of the module are read without any sign of
ours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from builder.taken import hexes
from builder.taken.hexes import Hexes
from fieldpost.definition.places import TAKEN
from fieldpost.vassal import naming, turns
from fieldpost.vassal.module import Module
from fieldpost.vassal.steps import Log
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Piece, in_order

_TURNS = 20
STEP_LAYER = "Step"
"""The layer of a piece whose levels are its steps, as our modules name it."""
_SLUG = re.compile(r"[^a-z0-9]+")
_PRINTED = re.compile(r"(?<![\d-])\d{1,2}(?:-\d{1,2}){1,2}(?![\d-])")
_FACTORS = {2: ["attack", "movement"], 3: ["attack", "defense", "movement"]}
_COLOURS = ("#5f7384", "#a8483c", "#7a8f4e", "#8a6d9c", "#b58a3c", "#4f8f8f")
_MAY = [
    "move", "attack", "retreat", "step-loss", "recover", "rebuild", "withdraw", "place-reinforcement",
    "marker", "set-supply", "draw",
]  # fmt: skip
_OWN = {"source": "owner"}


@dataclass(frozen=True)
class Kind:
    """Pieces of one type that a side plays."""

    id: str
    name: str
    side: str
    pieces: Mapping[str, int]
    """How many there are of each name."""
    steps: int = 1


@dataclass(frozen=True)
class Seen:
    """What a set-up tells: its pieces in order with their hexes ("" elsewhere), faces by their names."""

    pieces: Sequence[tuple[str, str]]
    faces: Mapping[str, int]


def seen(log: Log, module: Module, board: Hexes) -> Seen:
    table = Table.of(log)
    called = naming.namer(module.numbered, table)
    pieces = in_order(table.pieces.values())
    placed = [
        (piece.basic_name, called(piece.place) if piece.place.map == board.map.name else "")
        for piece in pieces
    ]
    return Seen([(name, hex if hex in board.names else "") for name, hex in placed], _faces(pieces))


def write(
    module: Module,
    folder: Path,
    guesses: Iterable[Mapping[str, Any]],
    board: Hexes | None,
    setups: Mapping[str, Seen],
) -> str:
    """The folder of the game; returns why there is none, or nothing."""
    if board is None:
        return "its boards have no grid of numbered hexes"
    sides, kinds = _kinds(module, guesses, setups.values())
    faces = {name: count for setup in setups.values() for name, count in setup.faces.items()}
    kinds = [replace(kind, steps=max(faces.get(name, 1) for name in kind.pieces)) for kind in kinds]
    if not kinds:
        return "no piece of it belongs to a side, as far as palettes, prototypes and names tell"
    ids = _ids(kinds)
    home = folder / TAKEN
    (home / "map").mkdir(parents=True, exist_ok=True)
    (home / "scenarios").mkdir(exist_ok=True)
    name = _slug(module.name) or "game"
    head = _game(module, name, sides, kinds)
    (home / "game.yaml").write_text(_dumped(head) + RULES, encoding="utf-8")
    _dump(home / "counters.yaml", {"counters": [_counters(kind, ids) for kind in kinds]})
    _dump(home / "map" / "map.yaml", hexes.map_file(module, name, board))
    _dump(home / "map" / "grids.yaml", {"grids": [hexes.terrain(board)]})
    counts = {one: count for kind in kinds for one, count in kind.pieces.items()}
    placed = {title: _set_up(setup, ids, counts) for title, setup in setups.items()}
    for title, set_up in (placed or {"a new game": []}).items():
        _dump(home / "scenarios" / f"{_slug(title) or 'set-up'}.yaml", _scenario(title, board, set_up))
    return ""


RULES = """
# `confirmed` above names what you have compared with your rulebook and map: rules, map, phases. Until all
# three stand in it, what breaks a rule is doubtful, never illegal.
#
# A module holds no rules. What stands in this block is checked, what is left out is named as not checked;
# docs/game-data.md explains each key. Take the # away from what your rulebook says.
# rules:
#   movement: {one_hex: true}            # prices: the table above; points: the printed factor `movement`
#   zones: {stop: true}                  # or enter: 1, leave: 2, lock: true, zone_to_zone: false
#   stacking: {limit: 2, count: units}   # without count: the `stacking` of the types
#   supply: {range: 6}                   # needs supply_sources in the scenarios
#   combat: {}                           # needs a table of kind combat-results
#   reinforcements: {}
"""


# --- sides and units -------------------------------------------------------------------------------


def _kinds(
    module: Module, guesses: Iterable[Mapping[str, Any]], setups: Iterable[Seen]
) -> tuple[list[str], list[Kind]]:
    """Types with a side of their own, and how many pieces of each name a set-up has at most."""
    most: Counter[str] = Counter()
    for setup in setups:
        for name, count in Counter(name for name, _ in setup.pieces).items():
            most[name] = max(most[name], count)
    sides = [side for side in module.sides if side.strip()]
    kinds: list[Kind] = []
    taken: set[str] = set()
    for guess in guesses:
        by_side: dict[str, dict[str, int]] = {}
        for name in guess["pieces"]:
            side = guess["side"] or next((one for one in sides if _in_name(one, name)), None)
            if side in sides and name not in taken:
                taken.add(name)
                by_side.setdefault(side, {})[name] = max(1, most[name])
        for side, pieces in by_side.items():
            for count, alike in groupby(sorted(pieces, key=_numbers), key=_numbers):
                title = " ".join([guess["palette"], *guess["prototypes"]]).strip() or side
                some = {name: pieces[name] for name in alike}
                kinds.append(Kind(_new(title + f" {count}" * bool(count), kinds), title[:60], side, some))
    return sides, kinds


def _faces(pieces: Iterable[Piece]) -> dict[str, int]:
    """How many faces the layer `Step` has, by the names of the pieces."""
    found: dict[str, int] = {}
    for piece in pieces:
        for trait in piece.type.traits:
            if trait.prefix == "emb2;" and trait.values.get("name") == STEP_LAYER:
                found[piece.basic_name] = max(1, len(trait.list_of("images")))
    return found


def _in_name(side: str, name: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(side)}(?![^\W_])", name, re.IGNORECASE) is not None


def _numbers(name: str) -> int:
    """How many factors a piece's name tells, if it tells any."""
    found = _PRINTED.search(name)
    return found[0].count("-") + 1 if found else 0


def _new(title: str, kinds: Sequence[Kind]) -> str:
    base, known = _slug(title) or "unit", {kind.id for kind in kinds}
    return next(
        id for n in range(1, len(known) + 3) if (id := base if n == 1 else f"{base}-{n}") not in known
    )


def _ids(kinds: Iterable[Kind]) -> dict[str, str]:
    """What players may type, by the names of the pieces."""
    ids: dict[str, str] = {}
    used: set[str] = set()
    for name, count in ((name, count) for kind in kinds for name, count in kind.pieces.items()):
        base = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40] or "Unit"
        base = base if base[0].isalnum() else f"U{base}"
        id = next(
            one
            for n in range(1, len(used) + 3)
            if used.isdisjoint(_of_each(one := base if n == 1 else f"{base}-x{n}", count))
        )
        used.update(_of_each(id, count))
        ids[name] = id
    return ids


def _of_each(id: str, count: int) -> list[str]:
    """The ids of so many counters of one name, and the one they have in common."""
    return [id, *(f"{id}-{n}" for n in range(1, count + 1))] if count > 1 else [id]


def _counters(kind: Kind, ids: Mapping[str, str]) -> dict[str, Any]:
    units: list[dict[str, Any]] = []
    for name, count in kind.pieces.items():
        found = _PRINTED.search(name)
        unit: dict[str, Any] = {"id": ids[name], "name": name, "steps": [found[0]] if found else []}
        units.append(unit | ({"count": count} if count > 1 else {}))
    return {"type": kind.id, "provenance": _OWN, "units": units}


def _game(module: Module, name: str, sides: Sequence[str], kinds: Sequence[Kind]) -> dict[str, Any]:
    slugs = {side: _slug(side) or f"side-{number}" for number, side in enumerate(sides, 1)}
    return {
        "id": name,
        "title": module.name or name,
        "version": re.sub(r"[^\w.+-]", "-", module.version) or "1",
        "designer": "as the module says",
        "seasons": ["any"],
        "provenance": _OWN,
        "confirmed": [],
        "sides": [
            {
                "id": slugs[side],
                "name": side,
                "color": _COLOURS[number % len(_COLOURS)],
                "nationalities": [
                    {"id": f"of-{slugs[side]}", "name": side, "color": "#e8e2d0", "ink": "#000000"}
                ],
            }
            for number, side in enumerate(sides)
        ],
        "sequence": list(_sequence(module, slugs)),
        "turn_track": {
            "provenance": _OWN,
            "turns": [{"number": n, "date": f"turn {n}", "season": "any"} for n in range(1, _TURNS + 1)],
        },
        "unit_types": [
            {
                "id": kind.id,
                "name": kind.name,
                "side": slugs[kind.side],
                "nationality": f"of-{slugs[kind.side]}",
                "symbol": "infantry",
                "mobility": "any",
                "factors": _FACTORS.get(_numbers(next(iter(kind.pieces))), []),
                **({"steps": kind.steps} if kind.steps > 1 else {}),
                "stacking": 1,
            }
            for kind in kinds
        ],
        "dice": list(_dice(module)),
        "tables": [
            {
                "id": "terrain-effects",
                "title": "Terrain Effects",
                "kind": "terrain-effects",
                "provenance": _OWN,
                "corner": "Terrain",
                "columns": ["any"],
                "rows": [{"id": "clear", "cells": ["1"]}],
            }
        ],
    }


def _sequence(module: Module, slugs: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The phases of the first turn tracker; one for all where it has none. All of them may everything."""
    phases: dict[str, str] = {}
    for tracker in module.turn_trackers[:1]:
        for words in turns.phases(tracker):
            phases.setdefault(turns.phase_id(words), " ".join(words))
    for id, name in phases.items() or [("play", "Play")]:
        side = next((slug for side, slug in slugs.items() if _in_name(side, name)), "both")
        yield {"id": id, "name": name, "active": side, "may": _MAY, "rule": "1"}


def _dice(module: Module) -> Iterator[dict[str, Any]]:
    """Each button is a reason of its own: its name is what a log says of a roll."""
    used: set[str] = set()
    for number, dice in enumerate(module.dice, 1):
        if dice.name and dice.name not in used and 1 <= dice.count <= 20 and 2 <= dice.sides <= 1000:
            used.add(dice.name)
            said = {"id": f"dice-{number}", "name": dice.name, "count": dice.count, "sides": dice.sides}
            yield said | {"reasons": [dice.name]}


# --- set-ups ---------------------------------------------------------------------------------------


def _set_up(setup: Seen, ids: Mapping[str, str], counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Units by hex. Of pieces with one name the first is the first, as whoever reads a log counts them.

    `counts` are those of the whole game: another set-up may have more of them.
    """
    known: Counter[str] = Counter()
    found: dict[str, list[str]] = {}
    for name, hex in setup.pieces:
        if name not in ids:
            continue
        known[name] += 1
        if hex:
            unit = f"{ids[name]}-{known[name]}" if counts[name] > 1 else ids[name]
            found.setdefault(hex, []).append(unit)
    return [{"hex": hex, "units": units} for hex, units in found.items()]


def _scenario(title: str, board: Hexes, set_up: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": _slug(title) or "set-up",
        "title": title,
        "first_turn": 1,
        "last_turn": _TURNS,
        "sheets": [sheet.id for sheet in board.sheets],
        "provenance": _OWN,
        "set_up": set_up,
    }


def _slug(text: str) -> str:
    return _SLUG.sub("-", text.lower()).strip("-")[:60].strip("-")


def _dump(path: Path, value: object) -> None:
    path.write_text(_dumped(value), encoding="utf-8")


def _dumped(value: object) -> str:
    text: str = yaml.dump(
        value,
        Dumper=_Plain,
        allow_unicode=True,
        sort_keys=False,
        width=110,
        default_flow_style=None,
    )
    return text


class _Plain(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """No anchors, and texts of several lines as they stand."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if "\n" in text:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|")
    quoted = re.fullmatch(r"[\d.:/+-]+|on|off|yes|no|true|false|null|~|", text, re.IGNORECASE)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if quoted else None)


_Plain.add_representer(str, _text)
