"""The engine's own logs, replayed step by step, against the engine's own account of them."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

import pytest

from fieldpost.vassal import steps
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Container, Deck, Piece
from tests.places import REPOSITORY

DATA = REPOSITORY / "tests" / "data" / "vassal"
ORACLES = {"oracle": 27, "random1": 226, "random2": 233, "random3": 233}


@cache
def account(name: str) -> dict[str, Any]:
    """What the engine wrote down while it stepped through the log."""
    with gzip.open(DATA / f"{name}-replay.json.gz", "rt", encoding="utf-8") as stream:
        return dict(json.load(stream))


def engine_places(pieces: dict[str, dict[str, Any]]) -> dict[str, tuple[object, ...]]:
    return {
        id: (seen.get("map"), seen["x"], seen["y"], seen.get("stackIndex"), seen.get("deckIndex"))
        for id, seen in pieces.items()
    }


def our_places(table: Table) -> dict[str, tuple[object, ...]]:
    return {id: (*piece.place, *order(piece)) for id, piece in table.pieces.items()}


def order(piece: Piece) -> tuple[int | None, int | None]:
    holder = piece.parent
    if holder is None:
        return None, None
    at = holder.contents.index(piece)
    return (None, at) if isinstance(holder, Deck) else (at, None)


def engine_layers(pieces: dict[str, dict[str, Any]]) -> dict[str, dict[str, str]]:
    return {
        id: {layer["name"]: layer["state"] for layer in seen.get("layers", ())} for id, seen in pieces.items()
    }


def our_layers(table: Table) -> dict[str, dict[str, str]]:
    return {
        id: {name: str(level) for name, level in piece.layers.items()} for id, piece in table.pieces.items()
    }


@pytest.mark.parametrize("name", ORACLES)
def test_replay_equals_the_engine_at_every_step(name: str) -> None:
    engine = account(name)
    log = steps.read(DATA / f"{name}.vlog")
    table = Table.of(log)
    present = {seen["id"]: seen for seen in engine["initialPieces"]}
    assert our_places(table) == engine_places(present)
    compared = 0
    for step, seen in zip(log.steps, engine["steps"], strict=True):
        said = len(table.chat)
        table.step(step)
        present |= {changed["id"]: changed for changed in seen.get("changed", ())}
        for id in seen.get("removed", ()):
            present.pop(id)
        assert our_places(table) == engine_places(present), step.number
        assert our_layers(table) == engine_layers(present), step.number
        assert table.chat[said:] == seen.get("chat", []), step.number
        compared += 1
    assert compared == ORACLES[name]
    assert not table.problems


@pytest.mark.parametrize("name", ORACLES)
def test_position_at_the_end_equals_the_engines_in_every_trait(name: str) -> None:
    engine = account(name)
    log = steps.read(DATA / f"{name}.vlog")
    table = Table.of(log)
    for step in log.steps:
        table.step(step)
    states = {seen["id"]: [trait["state"] for trait in seen["traits"]] for seen in engine["pieces"]}
    assert {id: piece.states[:-1] for id, piece in table.pieces.items()} == states
    assert table.turns == {seen["id"]: seen["state"] for seen in engine["turns"]}
    for seen in engine["properties"]:
        assert table.properties[seen["container"], property_name(table, seen)] == seen["value"]
    assert heaps(engine["stacks"]) == sorted(map(heap, table.stacks.values()))
    assert heaps(engine["decks"]) == sorted(map(heap, table.decks.values()))
    assert {deck["name"] for deck in engine["decks"]} == {deck.name for deck in table.decks.values()}


def property_name(table: Table, seen: dict[str, str]) -> str:
    """A zone's property carries zone, board and map in its name."""
    return next(
        name
        for container, name in table.properties
        if container == seen["container"] and name.partition("\t")[0] == seen["name"]
    )


def heaps(seen: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    return sorted((one["map"], one["x"], one["y"], tuple(one["contents"])) for one in seen)


def heap(container: Container) -> tuple[object, ...]:
    return (*container.place, container.members)


def test_there_are_719_steps_in_all() -> None:
    assert sum(len(steps.read(DATA / f"{name}.vlog").steps) for name in ORACLES) == 719


def test_replaying_twice_gives_the_same_changes() -> None:
    log = steps.read(DATA / "random1.vlog")

    def told() -> list[str]:
        table = Table.of(log)
        return [repr(change) for step in log.steps for change in table.step(step)]

    assert told() == told()
