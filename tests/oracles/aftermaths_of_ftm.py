"""Battles of one unit against one with what follows as lines of a sheet, allowed or with one thing wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from fieldpost.hexes import Hex
from tests.oracles.ftm import aftermath, combat
from tests.oracles.ftm.aftermath import Paid, Way
from tests.oracles.ftm.field import AXIS, ENEMY, SOVIET, Piece, Position, game, ground
from tests.oracles.positions_of_ftm import random_position

RESULTS = ("A1", "A2", "A3", "D1", "D2", "D3", "AE", "DE", "1/1", "1/2")


@dataclass(frozen=True)
class Duel:
    position: Position
    attacker: Piece
    defender: Piece
    result: str
    paid: dict[str, Paid]  # by the unit's name
    advance: Way = ()
    fixed: Piece | None = None  # stands with the defender and cannot move

    @property
    def loser(self) -> Piece:
        return self.attacker if aftermath.parts(self.result)[0][0] != "nothing" else self.defender

    @property
    def winner(self) -> Piece:
        return self.defender if self.loser is self.attacker else self.attacker

    def lines(self) -> list[str]:
        attack = f"attack {self.attacker.name} x {label(self.defender.hex)} = {self.result}"
        sides = (self.attacker, self.defender)
        sides = (*sides, *([self.fixed] if self.fixed else []))
        paid = [line for unit in sides for line in _payment(self.position, unit, self.paid[unit.name])]
        advance = [f"advance {self.winner.name} {_way(self.advance)}"] if self.advance else []
        return [attack, *paid, *advance]


def label(hex_: Hex) -> str:
    return ground().label(hex_)


def _way(way: Way) -> str:
    return "-".join(map(label, way))


def _payment(position: Position, unit: Piece, paid: Paid) -> Iterator[str]:
    way = paid.ways.get(unit.name, ())
    if len(way) > 1:
        yield f"retreat {unit.name} {_way(way)}"
    lost = paid.steps.get(unit.name, 0)
    if lost >= unit.steps_left:
        yield from _death(unit)
    elif lost and unit.chit:
        yield f"mark {unit.name} {unit.chit[0]}:2"
    elif lost and unit.step + lost <= len(game().counter[unit.name].steps):
        yield f"step {unit.name} {unit.step}>{unit.step + lost} in 1"
    elif lost:
        yield f"replace {unit.name} with {_heir(position, unit)} at {label(way[-1] if way else unit.hex)}"


def _death(unit: Piece) -> Iterator[str]:
    box = "axis-eliminated" if unit.side == AXIS else "soviet-eliminated"
    yield f"remove {unit.name} to {'lost-asset-1' if unit.has('economic-asset') else box} in 1"
    if unit.chit:
        marker = game().marker[unit.chit[0]]
        cup = "" if marker.values["starred"] else f" to chits-{str(marker.values['class']).lower()}"
        yield f"return {marker.id}{cup} from {unit.name}"


def _heir(position: Position, unit: Piece) -> str | None:
    """The counter of the last step of a corps or an allied army, if one is left."""
    used = {piece.name for piece in position.pieces}
    star = game().counter[unit.name].values.get("star")
    if star:
        return None if star in used else str(star)
    kind = game().unit_type[unit.kind].values.get("breaks-into")
    return next((c.id for c in game().counters if c.type == kind and c.id not in used), None)


def _can_break_down(position: Position, unit: Piece) -> bool:
    return "breaks-into" not in game().unit_type[unit.kind].values or bool(_heir(position, unit))


# --- allowed ----------------------------------------------------------------------------------------------


def allowed(random: Random) -> Duel | None:
    """A battle with an aftermath that the rules allow; None if a position has no such battle."""
    phase = random.choice(("axis-combat", "sov-combat"))
    side = AXIS if phase == "axis-combat" else SOVIET
    position = replace(random_position(random, phase), options={})
    pairs = [
        (attacker, position.at(other.hex)[0])
        for attacker in position.of(side)
        for other in position.of(ENEMY[side])
        if len(position.at(other.hex)) == 1 and combat.may_attack(position, attacker, other.hex)
    ]
    if not pairs:
        return None
    attacker, defender = random.choice(pairs)
    result = random.choice(RESULTS)
    parts = aftermath.parts(result)
    paid = {}
    for unit, part in zip((attacker, defender), parts, strict=True):
        ways = list(aftermath.one_unit_pays(position, unit, part))
        if not ways or not _can_break_down(position, unit):
            return None
        paid[unit.name] = random.choice(ways)
    duel = Duel(position, attacker, defender, result, paid)
    return replace(duel, advance=_advance(random, duel)) if random.random() < 0.7 else duel


def beside_a_fixed_unit(random: Random) -> Duel | None:
    """The loser retreats for the whole result; a fortress or asset loses a step for each hex (8.5)."""
    duel = allowed(random)
    if duel is None or duel.defender.side != SOVIET:
        return None
    duel = replace(duel, result=random.choice(("D1", "D2", "D3")))
    kinds = ("fortress", "factory", "ore")
    name = random.choice([c.id for c in game().counters if c.type in kinds])
    if any(piece.name == name for piece in duel.position.pieces):
        return None
    fixed = Piece(name, duel.defender.hex)
    fixed = replace(fixed, chit=("chit-c-2-4", random.choice((1, 2)))) if fixed.has("fortress") else fixed
    position = replace(duel.position, pieces=(*duel.position.pieces, fixed))
    hexes = int(duel.result[1])
    ways = [*aftermath.retreats(position, duel.defender, hexes)] if duel.defender.printed("movement") else []
    if not ways:
        return None
    way = random.choice(ways)
    cost = aftermath.cost(position, duel.defender, way)
    if cost >= duel.defender.steps_left:
        return None
    gone = Paid({duel.defender.name: cost}, {duel.defender.name: way})
    lost = Paid({name: min(hexes, fixed.steps_left)}, {})
    paid = {duel.attacker.name: Paid({}, {}), duel.defender.name: gone, name: lost}
    new = Duel(position, duel.attacker, duel.defender, duel.result, paid, (), fixed)
    return replace(new, advance=_advance(random, new))


def left_behind(duel: Duel) -> Duel:
    """The fixed unit stays where it is and loses nothing."""
    assert duel.fixed is not None
    return replace(duel, paid={**duel.paid, duel.fixed.name: Paid({}, {})}, advance=())


def _after(duel: Duel) -> Position:
    """The position when the loser has gone."""
    paid, loser = duel.paid[duel.loser.name], duel.loser
    way = paid.ways.get(loser.name, ())
    pieces = tuple(p for p in duel.position.pieces if p.name != loser.name)
    gone = paid.steps.get(loser.name, 0) >= loser.steps_left
    if not gone:
        pieces += (replace(loser, hex=way[-1] if way else loser.hex),)
    if duel.fixed is not None and _is_dead(duel, duel.fixed):
        pieces = tuple(piece for piece in pieces if piece.name != duel.fixed.name)
    return replace(duel.position, pieces=pieces)


def _advance(random: Random, duel: Duel) -> Way:
    after, paid, loser = _after(duel), duel.paid[duel.loser.name], duel.loser
    died = paid.steps.get(loser.name, 0) >= loser.steps_left
    if loser.hex in after.held(loser.side) or _is_dead(duel, duel.winner):
        return ()
    hexes = aftermath.farthest(duel.winner, duel.result, paid, died)
    ways = [*aftermath.advances(after, duel.winner, loser.hex, hexes)] if hexes > 0 else []
    return random.choice(ways) if ways else ()


def _is_dead(duel: Duel, unit: Piece) -> bool:
    return duel.paid[unit.name].steps.get(unit.name, 0) >= unit.steps_left


# --- with one thing wrong ----------------------------------------------------------------------------------


def forbidden(duel: Duel) -> Iterator[tuple[str, Duel]]:
    """The same with one thing changed that makes it illegal, and what that is."""
    yield from _steps(duel)
    yield from _retreats(duel)
    yield from _advances(duel)


def _with(duel: Duel, paid: Paid) -> Duel:
    return replace(duel, paid={**duel.paid, duel.loser.name: paid}, advance=())


def _steps(duel: Duel) -> Iterator[tuple[str, Duel]]:
    paid, loser = duel.paid[duel.loser.name], duel.loser
    lost = paid.steps.get(loser.name, 0)
    if lost:
        yield "a step too few", _with(duel, Paid({loser.name: lost - 1}, paid.ways))
    if lost + 1 < loser.steps_left:
        yield "a step too many", _with(duel, Paid({loser.name: lost + 1}, paid.ways))


def _retreats(duel: Duel) -> Iterator[tuple[str, Duel]]:
    paid, loser = duel.paid[duel.loser.name], duel.loser
    way = paid.ways.get(loser.name, ())
    if len(way) < 2:
        return
    if _is_dead(duel, loser):
        return
    good = {found[-1] for found in aftermath.retreats(duel.position, loser, len(way) - 1)}
    for hex_ in ground().around(way[-2]):
        other = (*way[:-1], hex_)
        if hex_ not in good and hex_ != way[-2] and hex_ not in duel.position.held(loser.side):
            yield f"retreat to {label(hex_)}", _with(duel, Paid(paid.steps, {loser.name: other}))
    shorter = way[:-1]
    prices = {aftermath.cost(duel.position, loser, each) for each in (way, shorter)}
    if len(way) > 2 and len(prices) == 1:  # else a step of the way may pay for the hex
        yield "a hex too few", _with(duel, Paid(paid.steps, {loser.name: shorter}))


def _advances(duel: Duel) -> Iterator[tuple[str, Duel]]:
    after, loser, winner = _after(duel), duel.loser, duel.winner
    if _is_dead(duel, winner) or _is_dead(duel, loser):
        return
    paid = duel.paid[loser.name]
    hexes = max(aftermath.farthest(winner, duel.result, paid, False), 0)
    stays = loser.hex in after.held(loser.side)
    good = set() if stays else {w[-1] for w in aftermath.advances(after, winner, loser.hex, hexes)}
    beyond = {b for a in ground().around(winner.hex) for b in ground().around(a)} - {winner.hex}
    for hex_ in sorted(beyond - good - after.held(winner.side)):
        if hex_ not in after.held(loser.side):
            middle = next(a for a in ground().around(winner.hex) if hex_ in ground().around(a) or a == hex_)
            way = (winner.hex, hex_) if hex_ in ground().around(winner.hex) else (winner.hex, middle, hex_)
            yield f"advance to {label(hex_)}", replace(duel, advance=way)
