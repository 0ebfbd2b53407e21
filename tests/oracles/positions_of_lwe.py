"""Random positions of Land Without End, as the oracle sees them and as the referee does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from fieldpost.hexes import Hex, within
from tests.oracles.lwe.field import DRY, FROST, GERMAN, MUD, RAIN, SNOW, SOVIET, Piece, Position, game, ground
from tests.oracles.lwe.movement import FULL, strangers
from validator import sheet
from validator.engine import rulebook
from validator.engine.referee import Referee
from validator.engine.rulebook import Rulebook
from validator.model.events import PhaseBegan
from validator.model.findings import Finding
from validator.model.position import Position as Table

WET = {"sea", "lake"}
FIRST_WEATHER = 12


@cache
def dry() -> list[Hex]:
    return sorted(hex_ for hex_ in ground().hexes if ground().terrain[hex_] not in WET)


@cache
def names(side: str) -> dict[str, list[str]]:
    """Units by type, but the aircraft."""
    found: dict[str, list[str]] = {}
    for counter in game().counters:
        type_ = game().unit_type[counter.type]
        if type_.side == side and "aircraft" not in type_.traits:
            found.setdefault(counter.type, []).append(counter.id)
    return found


def random_position(random: Random, phase: str, turns: Sequence[int], *, snow: bool = True) -> Position:
    """A few units of both sides near each other; the German side holds what lies to the west of them."""
    turn = random.choice([t for t in turns if any(p.id == phase for p in game().phases(t))])
    weathers = (DRY, RAIN, MUD, FROST, *([SNOW] if snow else []))
    weather = random.choice(weathers) if turn >= FIRST_WEATHER else DRY
    middle = random.choice(dry())
    region = [hex_ for hex_ in within(middle, random.choice((2, 3, 5))) if hex_ in set(dry())]
    position = Position(turn, phase, (), weather, dict(_control(random, middle)))
    for _ in range(random.randint(2, 12)):
        piece = _random_piece(random, random.choice((GERMAN, SOVIET)), region)
        here = position.at(piece.hex)
        load = sum(p.size for p in here) + piece.size
        known = piece.name in {p.name for p in position.pieces}
        sided = all(p.side == piece.side for p in here)
        if not known and sided and load <= FULL and not strangers(position, piece, piece.hex):
            pieces = (*position.pieces, piece)
            position = Position(turn, phase, pieces, weather, position.control)
    stood = {p.hex: p.side for p in position.pieces}
    return Position(turn, phase, position.pieces, weather, {**position.control, **stood})


def _random_piece(random: Random, side: str, region: Sequence[Hex]) -> Piece:
    name = random.choice(names(side)[random.choice(sorted(names(side)))])
    steps = len(game().counter[name].steps)
    return Piece(name, random.choice(region), random.randint(1, steps))


def _control(random: Random, middle: Hex) -> Iterator[tuple[Hex, str]]:
    """Hexes as near to the west as the middle are German, with some cities and line hexes left."""
    column = ground().label(middle)[:2]
    for hex_ in sorted(ground().hexes):
        if ground().label(hex_)[:2] >= column:
            continue
        if game().holder_at_start(hex_) != GERMAN and random.random() < 0.9:
            yield hex_, GERMAN


# --- as the referee sees them ---------------------------------------------------------------------------


def given(position: Position) -> list[str]:
    lines = [f"place {p.name} {ground().label(p.hex)} step {p.step}" for p in position.pieces]
    if position.turn >= FIRST_WEATHER:
        lines += [f"set weather-{zone} weather-{position.weather}" for zone in ("north", "south")]
    held = [ground().label(hex_) for hex_, side in position.control.items() if side == GERMAN]
    parts = (held[at : at + 100] for at in range(0, len(held), 100))
    return [*lines, *(f"control {'+'.join(part)} german" for part in parts)]


@cache
def rules() -> Rulebook:
    found = rulebook.load("lwe")
    assert found is not None
    return found


def referee_of(position: Position) -> Referee:
    scenario, table = game().scenario["campaign"], Table(game())
    text = "\n".join(
        [f"game lwe {scenario.id}", "position empty", *(f"given {one}" for one in given(position))]
    )
    sheet.read(text, lambda _: game(), "oracle").opening.apply(table)
    table.turn, table.phase = position.turn, position.phase
    referee = Referee(game(), scenario, rules(), {}, {}, table)
    referee.judge(PhaseBegan(position.turn, position.phase))
    return referee


def judged(position: Position, lines: Sequence[str]) -> list[Finding]:
    """What the referee says of some lines in a position."""
    referee = referee_of(position)
    text = "\n".join(["game lwe campaign", f"turn {position.turn} {position.phase}", *lines])
    for event in sheet.read(text, lambda _: game(), "oracle").events[1:]:
        referee.judge(sheet.expand(event, referee.case.position))
    return referee.findings


def standing(position: Position) -> Any:
    """The referee's case of a position, for questions."""
    return referee_of(position).case
