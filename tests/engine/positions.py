"""The engine's replay and ours in the same words, so that they can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from fieldpost.vassal.steps import Log
from fieldpost.vassal.table import Table
from fieldpost.vassal.things import Deck, Piece


class Standing(NamedTuple):
    """Where a piece is: its map, point, place in its stack or deck, and what its layers show."""

    map: str | None
    x: int
    y: int
    deck: str | None
    index: int
    layers: tuple[str, ...]


def of_table(table: Table) -> dict[str, Standing]:
    return {id: _standing(piece) for id, piece in table.pieces.items()}


def _standing(piece: Piece) -> Standing:
    parent = piece.parent
    return Standing(
        *piece.place,
        parent.name if isinstance(parent, Deck) else None,
        parent.contents.index(piece) if parent else -1,
        tuple(str(level) for level in piece.layers.values()),
    )


def of_report(piece: dict[str, Any]) -> Standing:
    index = piece.get("deckIndex", piece.get("stackIndex", -1))
    layers = tuple(layer["state"] for layer in piece.get("layers", ()))
    return Standing(piece.get("map"), piece["x"], piece["y"], piece.get("deck"), index, layers)


def engine_steps(report: dict[str, Any]) -> Iterator[dict[str, Standing]]:
    """The position at the start and after each step."""
    now = {piece["id"]: of_report(piece) for piece in report["initialPieces"]}
    yield now
    for step in report["steps"]:
        now = dict(now)
        now.update((piece["id"], of_report(piece)) for piece in step.get("changed", []))
        for gone in step.get("removed", []):
            del now[gone]
        yield now


def our_steps(log: Log) -> Iterator[dict[str, Standing]]:
    table = Table.of(log)
    yield of_table(table)
    for step in log.steps:
        table.step(step)
        yield of_table(table)


def final(log: Log) -> Table:
    table = Table.of(log)
    for step in log.steps:
        table.step(step)
    return table


def trait_states(piece: dict[str, Any]) -> list[tuple[str, str]]:
    """Kind and state of each trait; types are left out, the engine writes them in full."""
    return [(_prefix(trait["type"]), _plain(trait["type"], trait["state"])) for trait in piece["traits"]]


def our_trait_states(piece: Piece) -> list[tuple[str, str]]:
    pairs = zip(piece.type.traits[:-1], piece.states[:-1], strict=True)
    return [(_prefix(trait.text), _plain(trait.text, state)) for trait, state in pairs]


def _plain(type: str, state: str) -> str:
    """The engine adds two fields to an empty trail when it is shown or moved."""
    return state.removesuffix(";false;0") if type.startswith("footprint;") else state


def _prefix(type: str) -> str:
    return type.partition(";")[0]


def containers(report: dict[str, Any]) -> set[tuple[Any, ...]]:
    """Place and contents of each stack and deck; stacks the engine invents have no fixed id."""
    listed = [*report["stacks"], *report["decks"]]
    return {(one["map"], one["x"], one["y"], tuple(one["contents"])) for one in listed}


def our_containers(table: Table) -> set[tuple[Any, ...]]:
    listed = [*table.stacks.values(), *table.decks.values()]
    return {(one.map, one.x, one.y, one.members) for one in listed}


def turn_states(report: dict[str, Any]) -> dict[str, str]:
    return {turn["id"]: turn["state"] for turn in report["turns"]}
