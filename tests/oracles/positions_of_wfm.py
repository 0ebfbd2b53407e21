"""Random positions of War for the Motherland, as the oracle sees them and as the referee does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

from fieldpost.hexes import Hex, within
from tests.oracles.wfm.field import AXIS, LACK, OUT, SCENARIO, SOVIET, Piece, Position, game, ground
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.engine.rulebook import Rulebook
from validator.model.events import PhaseBegan
from validator.model.findings import Finding
from validator.model.position import Position as Table

FACE = {OUT: 1, LACK: 2}
WET = {"sea", "lake"}
ICE = ("1315", "1915", "1009")  # hexes beside ice roads


@cache
def dry() -> list[Hex]:
    return sorted(hex_ for hex_ in ground().hexes if ground().terrain[hex_] not in WET)


@cache
def names(side: str) -> dict[str, list[str]]:
    """Units by type."""
    found: dict[str, list[str]] = {}
    for counter in game().counters:
        if game().unit_type[counter.type].side == side:
            found.setdefault(counter.type, []).append(counter.id)
    return found


def random_position(random: Random, phase: str) -> Position:
    """A few units of both sides near each other, one in four beside an ice road; none in turn 1 (17.42)."""
    turns = [t for t in range(2, 41) if any(p.id == phase for p in game().phases(t))]
    middle = ground().hex(random.choice(ICE)) if random.random() < 0.25 else random.choice(dry())
    region = [hex_ for hex_ in within(middle, random.choice((2, 3, 5))) if hex_ in set(dry())]
    pieces: list[Piece] = []
    for _ in range(random.randint(2, 12)):
        piece = _random_piece(random, random.choice((AXIS, SOVIET)), region)
        here = [p for p in pieces if p.hex == piece.hex]
        allies = {p.ally for p in (*here, piece)} - {""}
        if piece.name not in {p.name for p in pieces} and all(p.side == piece.side for p in here):
            pieces += [piece] if len(allies) < 2 else []
    stood = {p.hex: p.side for p in pieces}
    return Position(random.choice(turns), phase, tuple(pieces), stood)


def _random_piece(random: Random, side: str, region: Sequence[Hex]) -> Piece:
    kind = random.choice(sorted(names(side)))
    name = random.choice(names(side)[kind])
    piece = Piece(name, random.choice(region), random.randint(1, len(game().counter[name].steps) or 1))
    free = piece.has("always-supplied") or piece.has("economic-asset")
    status = "" if free else random.choice(("", "", "", LACK, OUT))
    return Piece(name, piece.hex, piece.step, status, _chit(random, piece))


def _chit(random: Random, piece: Piece) -> tuple[str, int] | None:
    if not piece.has("draws-strength"):
        return None
    own = game().counter[piece.name].values.get("class", game().unit_type[piece.kind].values["class"])
    fitting = [m.id for m in game().markers if m.kind == "strength" and m.values["class"] == own]
    return random.choice(fitting), random.choice((1, 1, 2))


# --- as the referee sees them ---------------------------------------------------------------------------


def given(position: Position) -> list[str]:
    lines = []
    for piece in position.pieces:
        lines.append(f"place {piece.name} {ground().label(piece.hex)} step {piece.step}")
        if piece.status:
            lines.append(f"mark {piece.name} out-of-supply:{FACE[piece.status]}")
        if piece.chit:
            lines.append(f"mark {piece.name} {piece.chit[0]}:{piece.chit[1]}")
    return lines


@cache
def rules() -> Rulebook:
    found = rulebook.load("wfm")
    assert found is not None
    return found


def referee_of(position: Position) -> Referee:
    scenario, table = game().scenario[SCENARIO], Table(game())
    lines = [f"game wfm {SCENARIO}", "position empty", *(f"given {one}" for one in given(position))]
    sheet.read("\n".join(lines), lambda _: game(), "oracle").opening.apply(table)
    table.turn, table.phase = position.turn, position.phase
    referee = Referee(game(), scenario, rules(), {}, {}, table)
    referee.judge(PhaseBegan(position.turn, position.phase))
    return referee


def judged(position: Position, lines: Sequence[str]) -> list[Finding]:
    """What the referee says of some lines in a position."""
    referee = referee_of(position)
    text = "\n".join([f"game wfm {SCENARIO}", f"turn {position.turn} {position.phase}", *lines])
    for event in sheet.read(text, lambda _: game(), "oracle").events[1:]:
        referee.judge(sheet.expand(event, referee.case.position))
    return referee.findings


def standing(position: Position) -> Any:
    """The referee's case of a position, for questions."""
    return referee_of(position).case
