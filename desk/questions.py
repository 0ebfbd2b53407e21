"""What is asked at a step of a game that was checked: where a unit may go, its supply, the zones against it.

The referee goes through the game again up to that step, so that whatever he remembers counts. He waits there
for the next question, which is mostly about the same step or a later one.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fieldpost.definition import compiled
from fieldpost.definition.model import Game, Scenario
from fieldpost.errors import FieldpostError
from fieldpost.hexes import Hex, HexError, within
from validator.audit import chain as chains
from validator.audit import game as games
from validator.audit.game import Audit
from validator.core.explain import number
from validator.engine.case import AnyCase
from validator.engine.referee import Referee
from validator.model.events import Event
from validator.model.position import Position
from validator.queries import answers
from validator.report.describe import Namer
from validator.report.html import frames, zones
from validator.services import one_turn, turnfile
from validator.services.turnfile import Turnfile

AROUND_HEXES = 8  # how far from a unit the zones against it are shown
UNIT, MAY = "unit", "may"


@dataclass(frozen=True)
class Question:
    """`kind` is UNIT (all about one) or MAY (whether it gets to `to`); `frame` counts as the page does."""

    kind: str
    frame: int
    unit: str
    mode: str = "march"
    to: str = ""


@dataclass(frozen=True)
class Part:
    """One log of a game; `afresh` where there is a gap before it."""

    turn: Turnfile
    start: Position
    events: Sequence[Event]
    afresh: bool


@dataclass
class Played:
    """A game that was checked, as far as questions need it."""

    parts: Sequence[Part]
    options: dict[str, str]
    _referee: Referee | None = field(default=None, repr=False)
    _at: tuple[int, int] = (-1, 0)  # the part the referee is in, and how many of its events he has seen

    @classmethod
    def of(cls, audit: Audit, options: Iterable[str] = ()) -> Played:
        gaps = {link.after for link in audit.chain.links if link.kind == chains.GAP}
        parts = [
            Part(replace(entry.turn, events=[]), entry.start, entry.events, not n or entry.name in gaps)
            for n, entry in enumerate(audit.chain.entries)
        ]
        return cls(parts, one_turn.options_of(audit.game, options))

    def case_at(self, frame: int) -> AnyCase:
        """How things stand after a frame of the page."""
        part, count = self._place_of(frame)
        if self._referee is None or self._at > (part, count):
            self._begin(max(n for n in range(part + 1) if self.parts[n].afresh))
        while self._at[0] < part:
            self._feed(len(self.parts[self._at[0]].events))
            self._enter(self._at[0] + 1)
        self._feed(count)
        assert self._referee is not None
        return self._referee.case

    def _place_of(self, frame: int) -> tuple[int, int]:
        left = frame
        for n, part in enumerate(self.parts):
            counts = frames.event_counts(part.start, part.events)
            if left < len(counts):
                return n, sum(counts[: left + 1])
            left -= len(counts)
        raise FieldpostError(f"there is no step {frame}", "Reload the page.")

    def _begin(self, part: int) -> None:
        turn = self.parts[part].turn
        start = replace(turn, start=self.parts[part].start)
        self._referee = one_turn.referee_for(start, {**turn.options, **self.options})
        self._at = (part, 0)

    def _enter(self, part: int) -> None:
        if self.parts[part].afresh or self._referee is None:
            return self._begin(part)
        games.go_on(self._referee, self.parts[part].start)
        self._at = (part, 0)
        return None

    def _feed(self, count: int) -> None:
        part, seen = self._at
        assert self._referee is not None
        self._referee.feed(self.parts[part].events[seen:count])
        self._at = (part, max(seen, count))


def answer(played: Played, question: Question) -> dict[str, Any]:
    """For the page; {"error", "hint"} for what cannot be answered."""
    try:
        case = played.case_at(question.frame)
        if question.unit not in case.position.units:
            raise FieldpostError(f"there is no unit {question.unit!r}")
        return _may(case, question) if question.kind == MAY else _all_about(case, question)
    except FieldpostError as error:
        return {"error": error.message, "hint": error.hint or ""}


def _all_about(case: AnyCase, question: Question) -> dict[str, Any]:
    able = answers.of(case.game)
    namer = Namer(case.game, case.scenario)
    mode = question.mode if question.mode in able.MODES else able.MODES[0]
    found = able.reach(case, question.unit, mode, None)
    line = next((line for line in able.supply(case) if line.unit == question.unit), None)
    return {
        "unit": question.unit,
        "mode": mode,
        "modes": list(able.MODES),
        "phase": namer.phase(found.phase),
        "budget": number(found.budget),
        "reason": found.reason,
        "reach": [[namer.hex(h.hex), "1 hex" if h.minimum else number(h.cost)] for h in found.hexes],
        "supply": line
        and {
            "status": line.status,
            "supplied": line.supplied,
            "text": line.text,
            "line": [namer.hex(hex_) for hex_ in line.line],
        },
        "zones": [namer.hex(hex_) for hex_ in _zones_against(case, found.side, found.start)],
    }


def _zones_against(case: AnyCase, side: str, start: Hex) -> list[Hex]:
    near = set(within(start, AROUND_HEXES))
    zones_of = zones.of_game(case.game)
    others = [other.id for other in case.game.sides if other.id != side]
    return sorted({hex_ for other in others for hex_ in near.intersection(zones_of(case, other))})


def _may(case: AnyCase, question: Question) -> dict[str, Any]:
    able = answers.of(case.game)
    namer = Namer(case.game, case.scenario)
    try:
        target = case.game.map.lattice.hex(question.to, case.scenario.sheet)
    except HexError:
        raise FieldpostError(f"there is no hex {question.to!r}") from None
    mode = question.mode if question.mode in able.MODES else able.MODES[0]
    found = able.reach(case, question.unit, mode, target)
    way = next((h for h in found.hexes if h.hex == target), None)
    told = found.answer
    return {
        "unit": question.unit,
        "to": question.to,
        "reached": bool(told and told.reached),
        "text": found.reason or (told.text if told else ""),
        "phase": namer.phase(found.phase),
        "cost": number(way.cost) if way else "",
        "budget": number(found.budget),
        "stacking": found.stacking,
        "path": [namer.hex(found.start), *(namer.hex(h) for h in way.path if h != found.start)]
        if way
        else [],
    }


# --- kept between two processes ------------------------------------------------------------------


class _Pickler(compiled.Pickler):
    """Games are known on both sides: only their names are kept."""

    def persistent_id(self, value: Any) -> Any:
        if isinstance(value, Game):
            return ("game", value.id)
        return ("scenario", self.game.id, value.id) if isinstance(value, Scenario) else None

    game: Game


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, known: Any) -> Any:
        game = turnfile.load_game(known[1], ())
        return game if known[0] == "game" else game.scenario[known[2]]


def keep(played: Played) -> bytes:
    written = io.BytesIO()
    pickler = _Pickler(written, protocol=5)
    pickler.game = played.parts[0].turn.game
    pickler.dump(Played(played.parts, played.options))
    return written.getvalue()


def restore(data: bytes) -> Played:
    """What `keep` wrote, in a folder that only this run of the desk writes to."""
    found: Played = _Unpickler(io.BytesIO(data)).load()
    return found
