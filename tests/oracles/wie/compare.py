"""What the program says of what the oracle made: the only place here that knows the program."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from players.table import game_of
from tests.oracles.wie import rules
from tests.oracles.wie.battles import battle
from tests.oracles.wie.board import Hex, Piece, World, board, given
from tests.oracles.wie.forbidden import forbidden
from tests.oracles.wie.positions import front
from validator import sheet
from validator.engine.referee import Referee
from validator.model.events import PhaseBegan
from validator.model.findings import Verdict
from validator.model.position import Position
from validator.queries import answers
from validator.services import rulebooks


def judged(text: str) -> Referee:
    """The program's referee, after it has judged a sheet."""
    game = game_of("wie")
    read, book = sheet.read(text, lambda _: game), rulebooks.of(game)
    assert book is not None
    start = Position(game)
    read.opening.apply(start)
    first = next(event for event in read.events if isinstance(event, PhaseBegan))
    start.turn, start.phase = first.turn, first.phase
    referee = Referee(game, read.scenario, book, {}, read.options, start)
    for event in read.events:
        referee.judge(sheet.expand(event, referee.case.position))
    return referee


def accused(text: str) -> list[str]:
    """What the program calls illegal in a sheet."""
    found = (finding.fault for finding in judged(text).findings)
    return [f"[{fault.rule}] {fault.message}" for fault in found if fault.verdict is Verdict.ILLEGAL]


def laid_out(world: World, *lines: str) -> str:
    head = ["game wie barbarossa", "position empty", *given(world)]
    return "\n".join([*head, f"turn {world.turn} {world.side}-move", *lines]) + "\n"


# --- ways and supply ----------------------------------------------------------------------------------------


WAYS = {"march": rules.reach, "non-combat": rules.non_combat, "strategic": rules.by_rail}


def ways_apart(world: World) -> Iterator[str]:
    """Units whose reach is another by the program, and how."""
    case, asked = judged(laid_out(world)).case, answers.of(game_of("wie"))
    for piece in world.of(world.side):
        for mode, way in WAYS.items():
            theirs = {
                reached.hex: reached.cost for reached in asked.reach(case, piece.name, mode, None).hexes
            }
            ours = {hex_: Fraction(cost) for hex_, cost in way(world, piece).items()}
            for hex_ in sorted(ours.keys() | theirs.keys()):
                if ours.get(hex_) != theirs.get(hex_):
                    text = f"{ours.get(hex_)} by the oracle, {theirs.get(hex_)} by the program"
                    yield f"{piece.name} to {board().label(hex_)} ({mode}): {text}"


def moves_apart(random: Random, world: World) -> Iterator[str]:
    """Marches that the oracle allows and the program accuses, and the other way round."""
    soldiers = [piece for piece in world.of(world.side) if not piece.is_plane]
    for piece in random.sample(soldiers, min(2, len(soldiers))):
        open_ = rules.reach(world, piece)
        shut = [h for h in board().land if h not in open_ and h != piece.hex and _near(piece, h)]
        for ends, allowed in ((sorted(open_), True), (shut, False)):
            if ends:
                end = random.choice(ends)
                line = f"move {piece.name} {board().label(piece.hex)}..{board().label(end)} as march"
                found = accused(laid_out(world, line))
                if bool(found) is allowed and not (not allowed and _is_doubtful(world, piece, end)):
                    yield f"{line}: {'allowed' if allowed else 'forbidden'} by the oracle, {found}"


def _near(piece: Piece, hex_: Hex) -> bool:
    return max(abs(piece.hex.q - hex_.q), abs(piece.hex.r - hex_.r)) <= 5


def _is_doubtful(world: World, piece: Piece, end: Hex) -> bool:
    """Without supply by its marker, it or a headquarters near it: in supply again, or in a red city."""
    marked = any(hq.is_hq and hq.unsupplied for hq in world.of(piece.side))
    return piece.unsupplied or (marked and end in rules.ways(world, piece, rules.allowance(world, piece)))


def supply_apart(world: World) -> Iterator[str]:
    """Units that are in supply by one of the two alone."""
    case = judged(laid_out(world)).case
    lines = {line.unit: line.supplied for line in answers.of(game_of("wie")).supply(case)}
    for side in ("axis", "soviet"):
        fed = rules.supplied(world, side)
        for piece in world.of(side):
            if not piece.is_plane and lines[piece.name] != (piece.hex in fed):
                where = board().label(piece.hex)
                yield f"{piece.name} in {where}: {piece.hex in fed} by the oracle, {lines[piece.name]}"


def positions_apart(random: Random) -> list[str]:
    world = front(random)
    return [*ways_apart(world), *supply_apart(world), *moves_apart(random, world)]


# --- battles ------------------------------------------------------------------------------------------------


def battles_apart(random: Random) -> tuple[list[str], list[str]]:
    """Differences about one battle; and which forbidden things were tried in it."""
    fought = battle(random)
    text, tried = fought.sheet(), []
    apart = [f"allowed by the oracle: {found}\n{text}" for found in accused(text)[:1]]
    for what, changed in forbidden(random, fought):
        tried.append(what)
        if not accused(changed):
            apart.append(f"{what} passes:\n{changed}")
    return apart, tried
