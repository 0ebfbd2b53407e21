"""A film as compact data for the page: names once, then numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from fieldpost.definition import model
from fieldpost.definition.model import Game, Scenario, UnitType
from fieldpost.hexes import Hex, to_cell
from fieldpost.phrases import joined, listed, phrase
from validator.model import events as ev
from validator.model.events import Event, Spot
from validator.model.findings import Finding
from validator.report.describe import Namer, finding_data, short_message
from validator.report.html.board import Board, Sprites
from validator.report.html.frames import Chapter, Film, Frame, State
from validator.report.html.words import Words

NOWHERE = -1
FIRST_BOX = -2  # boxes are numbered downwards from here
OPENS = (ev.Attacked, ev.RoundBegan)  # what stands out in the course of a game of rounds
Data = dict[str, Any]


class Story:
    """Turns frames into data. Units and spots are numbers in the lists `units`, `hexes` and `boxes`."""

    def __init__(self, game: Game, scenario: Scenario, film: Film, board: Board, namer: Namer) -> None:
        self.game, self.scenario, self.film, self.board, self.namer = game, scenario, film, board, namer
        self.words = Words(game, namer)
        self._hexes = {hex_: number for number, hex_ in enumerate(board.hexes)}
        boxes = {box.id: FIRST_BOX - number for number, box in enumerate(game.boxes)}
        self._numbered: dict[Spot | None, int] = {None: NOWHERE} | self._hexes | boxes
        seen = {name for frame in film.frames for name in frame.units}
        self._seen = [counter for counter in game.counters if counter.id in seen]
        self._units = {counter.id: number for number, counter in enumerate(self._seen)}
        alike: dict[object, str] = {}
        self._face = {counter.id: alike.setdefault(_look(counter), counter.id) for counter in game.counters}
        self._fallen = _hits_by_round(game, film.frames)

    def sprite_names(self) -> list[str]:
        """Every counter and marker that is ever seen, by the name of its picture."""
        frames = self.film.frames
        states = chain.from_iterable(frame.units.items() for frame in frames)
        counters = (f"unit-{self._face[unit]}-{s.step}" for unit, s in states if s.spot is not None)
        markers = (f"marker-{name}-{face}" for frame in frames for name, face in frame.marks)
        return list(dict.fromkeys((*counters, *markers)))

    def data(self, chapters: Sequence[Chapter], sprites: Sprites | None) -> Data:
        game = self.game
        return {
            "sides": [{"id": side.id, "name": side.name, "color": side.color} for side in game.sides],
            "phases": {phase.id: {"name": phase.name, "active": phase.active} for phase in game.sequence},
            "turns": {str(turn.number): turn.date for turn in game.turn_track.turns},
            "chapters": [chapter.name for chapter in chapters],
            "board": self._board_data(),
            "boxes": self._boxes_data(),
            "units": [self._unit(counter) for counter in self._seen],
            "markers": self._markers(),
            "sprites": sprites.cells if sprites else {},
            "grid": [sprites.columns, sprites.rows] if sprites else [1, 1],
            "frames": _unsaid([self._frame(frame) for frame in self.film.frames]),
            "findings": [self._finding(finding, at) for finding, at in self.film.findings],
        }

    # --- the board ---

    def _board_data(self) -> Data:
        geometry, hexes = self.board.geometry, self.board.hexes
        layout = geometry.layout
        origin = layout.exact(Hex(0, 0))
        corners = [[round(x - origin[0], 1), round(y - origin[1], 1)] for x, y in layout.corners(Hex(0, 0))]
        return {
            "width": self.board.width,
            "height": self.board.height,
            "corners": corners,
            "centers": [coordinate for hex_ in hexes for coordinate in geometry.center(hex_)],
            "labels": [self.namer.hex(hex_) for hex_ in hexes],
            "about": [self._about(hex_) for hex_ in hexes],
            "cells": [number for hex_ in hexes for number in to_cell(hex_, layout.orientation)],
        }

    def _about(self, hex_: Hex) -> str:
        kinds = {kind.id: kind.name for kind in self.game.map.terrain_kinds}
        terrain = self.game.map.terrain[hex_]
        places = [place.name for place in self.game.map.places_at.get(hex_, ())]
        return ", ".join([kinds.get(terrain, terrain), *dict.fromkeys(places)])

    def _boxes_data(self) -> list[Data]:
        rects = self.board.geometry.boxes
        return [
            {"id": box.id, "name": box.name, "side": box.side, "rect": rects.get(box.id)}
            for box in self.game.boxes
        ]

    # --- counters ---

    def _unit(self, counter: model.Counter) -> Data:
        type_ = self.game.unit_type[counter.type]
        paper, ink = self._colors(counter, type_)
        return {
            "id": counter.id,
            "face": self._face[counter.id],  # whose picture it shows: counters of a pool share one
            "label": counter.label or counter.id,
            "name": counter.name,
            "type": type_.name,
            "symbol": type_.symbol,
            "size": type_.size,
            "side": type_.side,
            "paper": paper,
            "ink": ink,
            "steps": list(counter.steps),
        }

    def _colors(self, counter: model.Counter, type_: UnitType) -> tuple[str, str]:
        nation = self.game.nationality.get(counter.nationality or type_.nationality or "")
        return (nation.color, nation.ink) if nation else ("#dddddd", "#000000")

    def _markers(self) -> Data:
        seen = {name for frame in self.film.frames for name, _ in frame.marks}
        return {
            marker.id: {
                "name": marker.name,
                "kind": marker.kind,
                "faces": [[face.text or face.small, face.color, face.ink] for face in marker.faces],
            }
            for marker in self.game.markers
            if marker.id in seen
        }

    # --- frames ---

    def _frame(self, frame: Frame) -> Data:
        data: Data = {
            "c": frame.chapter,
            "t": frame.turn,
            "p": frame.phase,
            "n": frame.step,
            "x": self._text(frame),
            "u": [self._change(unit, state) for unit, state in frame.units.items()],
        }
        optional = {
            "h": [[self._hexes[h], dict(marks)] for h, marks in frame.hexes.items() if h in self._hexes],
            "m": self._trails(frame.events),
            "a": self._attacks(frame),
            "r": [_roll(event) for event in frame.events if isinstance(event, ev.Thrown)],
            "f": frame.findings,
            "z": {side: self._numbers(hexes) for side, hexes in frame.zones.items() if hexes},
            "b": int(frame.has(ev.PhaseBegan)),
            "q": int(bool(self._fallen) and frame.has(*OPENS)),
        }
        return data | {key: value for key, value in optional.items() if value}

    def _text(self, frame: Frame) -> list[str]:
        if not frame.events:
            return ["The position at the start" if frame.chapter == 0 else self._opening(frame)]
        return [self._sentence(event, text) for event in frame.events if (text := self.words.of(event))]

    def _sentence(self, event: Event, text: str) -> str:
        """Of a round also what came of it."""
        hits = self._fallen.get(id(event), Counter())
        by_side = joined(f"{self.namer.side(side)} {number}" for side, number in hits.items())
        return text + phrase(". Hits: {}", by_side)

    def _opening(self, frame: Frame) -> str:
        """A later file begins; what stands otherwise than the one before left it."""
        return f"The next file begins{phrase(', with {} otherwise than before', listed([*frame.units][:6]))}"

    def _change(self, unit: str, state: State) -> list[Any]:
        change: list[Any] = [self._units[unit], self.spot(state.spot), state.step]
        return [*change, dict(state.marks)] if state.marks else change

    def spot(self, spot: Spot | None) -> int:
        return self._numbered.get(spot, NOWHERE)

    def _trails(self, events: Iterable[Event]) -> list[Data]:
        return [
            {"k": event.mode or "move", "s": [self.spot(spot) for spot in event.path]}
            for event in events
            if isinstance(event, ev.Moved)
        ]

    def _attacks(self, frame: Frame) -> list[Data]:
        return [
            {"from": self._units_of(event.units), "to": self._numbers(event.targets)}
            for event in frame.events
            if isinstance(event, ev.Attacked)
        ]

    def _units_of(self, units: Iterable[str]) -> list[int]:
        return [self._units[unit] for unit in units if unit in self._units]

    def _numbers(self, hexes: Iterable[object]) -> list[int]:
        return [self._hexes[hex_] for hex_ in hexes if isinstance(hex_, Hex) and hex_ in self._hexes]

    def _finding(self, finding: Finding, at: int) -> Data:
        path = finding.fault.evidence.get("path", ())
        return {
            "frame": at,
            "rule": finding.fault.rule,
            "verdict": finding.fault.verdict.value,
            "side": finding.side,
            "message": short_message(finding),
            "units": self._units_of(finding.fault.units),
            "hexes": self._numbers(finding.fault.hexes),
            "path": self._numbers(path if isinstance(path, list | tuple) else ()),
        }


def finding_rows(story: Story) -> list[Data]:
    """Findings as the page's own text has them, readable without a script."""
    rows = []
    for number, (finding, at) in enumerate(story.film.findings):
        plain = finding_data(finding, story.namer)
        evidence = plain["evidence"]
        rows.append(
            plain
            | {
                "number": number,
                "frame": at,
                "counts": story.film.counts[story.film.frames[at].chapter],
                "file": finding.origin.source,
                "phase_name": story.namer.phase(finding.phase),
                "side_name": story.namer.side(finding.side),
                "message": short_message(finding),
                "steps": evidence.get("steps") or [],
                "facts": [(key, _fact(value)) for key, value in evidence.items() if key != "steps"],
            }
        )
    return rows


def _look(counter: model.Counter) -> object:
    """What makes its picture; a counter without a label of its own shows its id."""
    printed = counter.label or counter.id, counter.type, counter.steps, counter.enters, counter.setup
    drawn = counter.nationality, counter.group, counter.images, counter.symbol_image
    return printed, drawn, counter.traits, tuple(sorted(map(str, counter.values.items())))


def _hits_by_round(game: Game, frames: Sequence[Frame]) -> dict[int, Counter[str]]:
    """For each round of a battle the hits of each side that fired in it."""
    hits: dict[int, Counter[str]] = {}
    rounds: dict[int | None, Counter[str]] = {}  # the last of each battle
    for event in chain.from_iterable(frame.events for frame in frames):
        if isinstance(event, ev.RoundBegan):
            rounds[event.battle] = rounds[None] = hits[id(event)] = Counter()
        elif isinstance(event, ev.Fired) and not event.manner and event.units:
            side = game.unit_type[game.counter[event.units[0]].type].side
            rounds.get(event.battle, Counter())[side] += event.hits
    return hits


def _unsaid(frames: Sequence[Data]) -> list[Data]:
    """Without chapter, turn and phase where they are those of the frame before."""
    before: list[Data] = [{}, *frames]
    return [
        {key: value for key, value in frame.items() if key not in "ctp" or last.get(key) != value}
        for last, frame in zip(before, frames, strict=False)
    ]


def _fact(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_fact, value))
    if isinstance(value, dict):
        return "; ".join(f"{key} {_fact(item)}" for key, item in value.items())
    return str(value)


def _roll(event: ev.Thrown) -> list[Any]:
    if isinstance(event, ev.Fired):
        return [list(event.values), event.sides, f"{event.reason} at {event.value}"]
    return [list(event.values), event.sides, event.reason or "no reason declared"]
