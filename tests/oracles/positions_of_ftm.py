"""Random positions of For the Motherland!, as the oracle sees them and as the referee does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random
from typing import Any

from fieldpost.hexes import Hex, within
from tests.oracles.ftm.field import AXIS, ENEMY, LACK, OUT, SOVIET, Piece, Position, game, ground
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.engine.rulebook import Rulebook
from validator.model.events import PhaseBegan
from validator.model.findings import Finding
from validator.model.position import Position as Table
from validator.services import cases

OPTIONS = {
    "distance-units": ("all", "combat"),
    "finnish-source": ("own", "any"),
    "helsinki-lost": ("out", "lack-first"),
    "out-defense": ("unit", "stack"),
    "support-sum": ("once", "each"),
    "supply-port-control": ("on", "off"),
    "zone-over-ice": ("off", "on"),
}
FACE = {OUT: 1, LACK: 2}
WET = {"sea", "lake"}


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


def random_position(random: Random, phase: str, turns: Sequence[int] = range(1, 23)) -> Position:
    """A few units of both sides near each other, bases and assets among them."""
    turn = random.choice([t for t in turns if any(p.id == phase for p in game().phases(t))])
    middle = random.choice(dry())
    region = [hex_ for hex_ in within(middle, random.choice((2, 3, 5, 8))) if hex_ in set(dry())]
    pieces: list[Piece] = []
    for _ in range(random.randint(2, 12)):
        piece = _random_piece(random, random.choice((AXIS, SOVIET)), region)
        here = [p for p in pieces if p.hex == piece.hex]
        known = {p.name for p in pieces}
        if piece.name not in known and all(p.side == piece.side for p in here):
            pieces.append(piece)
    options = {key: random.choice(choices) for key, choices in OPTIONS.items()}
    control = {hex_: side for hex_, side in _control(random, region) if hex_ not in {p.hex for p in pieces}}
    stood = {p.hex: p.side for p in pieces if ground().has(p.hex, "city") or ground().has(p.hex, "port")}
    return Position(turn, phase, tuple(pieces), {**control, **stood}, options)


def _random_piece(random: Random, side: str, region: Sequence[Hex]) -> Piece:
    kind = random.choice(sorted(names(side)))
    name = random.choice(names(side)[kind])
    counter = game().counter[name]
    piece = Piece(name, random.choice(region), random.randint(1, len(counter.steps)))
    free = piece.has("always-supplied") or piece.has("economic-asset")
    status = "" if free else random.choice(("", "", "", LACK, OUT))
    return Piece(name, piece.hex, piece.step, status, _chit(random, piece))


def _chit(random: Random, piece: Piece) -> tuple[str, int] | None:
    if not piece.has("draws-strength"):
        return None
    own = game().counter[piece.name].values.get("class", game().unit_type[piece.kind].values["class"])
    fitting = [m.id for m in game().markers if m.kind == "strength" and m.values["class"] == own]
    return random.choice(fitting), random.choice((1, 1, 2))


def _control(random: Random, region: Iterable[Hex]) -> Iterable[tuple[Hex, str]]:
    ports = [h for h in region if ground().has(h, "city") or ground().has(h, "port")]
    key = [ground().hex(label) for label in ("1402", "0826", "0723", "0307", "0507", "1705")]
    for hex_ in {*ports, *key}:
        if random.random() < 0.3:
            yield hex_, ENEMY[str(game().holder_at_start(hex_) or AXIS)]


# --- as the referee sees them ---------------------------------------------------------------------------


def given(position: Position) -> list[str]:
    lines = []
    for hex_, side in position.control.items():
        lines.append(f"mark {ground().label(hex_)} {side}-control")
    for piece in position.pieces:
        lines.append(f"place {piece.name} {ground().label(piece.hex)} step {piece.step}")
        if piece.status:
            lines.append(f"mark {piece.name} out-of-supply:{FACE[piece.status]}")
        if piece.chit:
            lines.append(f"mark {piece.name} {piece.chit[0]}:{piece.chit[1]}")
    return lines


@cache
def rules() -> Rulebook:
    found = rulebook.load("ftm")
    assert found is not None
    return found


def case_of(position: Position, lines: Sequence[str] = (), *, ends: bool = False) -> cases.Case:
    turn = f"{position.turn} {position.phase}"
    return cases.Case(
        "ftm", "oracle", turn, "campaign", given(position), lines, options=position.options, ends=ends
    )


def judged(position: Position, lines: Sequence[str], *, ends: bool = True) -> list[Finding]:
    """What the referee says of some lines in a position."""
    return cases.play(case_of(position, ends=ends), lines, game(), rules())


def standing(position: Position) -> Any:
    """The referee's case of a position, for questions."""
    return _referee(position).case


def _referee(position: Position) -> Referee:
    scenario, table = game().scenario["campaign"], Table(game())
    text = "\n".join([f"game ftm {scenario.id}", *given(position)])
    for event in sheet.read(text, lambda _: game(), "oracle").events:
        table.apply(sheet.expand(event, table))
    table.turn, table.phase = position.turn, position.phase
    referee = Referee(game(), scenario, rules(), {}, position.options, table)
    referee.judge(PhaseBegan(position.turn, position.phase))
    return referee
