"""Chapters 11.32 and 11.33: the hexes a defender may retreat into, as they are when the die falls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from validator.core.board import HexId, Mask
from validator.core.costs import ONE, CostTable
from validator.core.retreat import RetreatRules, anywhere, choices
from validator.core.spread import NEVER
from validator.core.stacking import fits
from validator.games.lwe.battles import Battle
from validator.games.lwe.book import ENEMY, GERMAN, SNOW, SOVIET
from validator.games.lwe.c06_stacking import LIMIT, load_of, mixed_badly
from validator.games.lwe.course import NORTH, may_be
from validator.games.lwe.field import Field, field_of
from validator.games.lwe.lines import LINES, german_lines, line_costs, soviet_lines
from validator.games.lwe.state import Case
from validator.model.position import Unit, lacking
from validator.procedures.battlebook import Party

BESIDE, COASTAL_ARMY = "beside-attackers", "coastal-army"


def footing(case: Case, field: Field) -> CostTable:
    """Steps on land; over lakes in snow."""
    return line_costs(case, field, lakes=SNOW in may_be(case, NORTH))


def retreat_rules(case: Case, field: Field, battle: Battle, party: Party) -> RetreatRules:
    """One hex, off the enemy and those who attacked; toward supply if that can be."""
    board, shut = field.board, field.shut_to(party.side)
    beside = board.mask(n for h in battle.opponent(party).stood.values() for n in board.adjacent[h])
    closed = {"enemy": shut.pop("enemy"), BESIDE: beside, **shut}
    order = (("closer", toward_supply(case, field, party.side)), ("anywhere", anywhere))
    sources_known = not field.position.partial
    return RetreatRules(footing(case, field), closed, order if sources_known else order[1:], away=False)


def toward_supply(case: Case, field: Field, side: str) -> Callable[[HexId, HexId], bool]:
    """Whether a step leads closer to the nearest source the side holds, as the crow flies."""
    sources = LINES[side](case, field).sources
    more = 1 if case.option("retreat-closer") == "not-farther" else 0

    def nearest(hex_id: HexId) -> int:
        return min((field.board.distance(hex_id, source) for source in sources), default=0)

    def closer(a: HexId, b: HexId) -> bool:
        return nearest(b) < nearest(a) + more

    return closer


def surely_astray(
    case: Case, field: Field, side: str, start: HexId, end: HexId, open_: Iterable[HexId]
) -> bool:
    """Whether a step leads no closer to supply where another would, as the crow flies and by line."""
    closer, lengths = toward_supply(case, field, side), _lengths(case, field, side, start)
    more = 1 if case.option("retreat-closer") == "not-farther" else 0
    from_here = lengths[start]

    def by_line(hex_id: HexId) -> bool:
        return lengths[hex_id] < NEVER if from_here == NEVER else lengths[hex_id] < from_here + more * ONE

    if closer(start, end) or by_line(end):
        return False
    return any(closer(start, b) and (from_here == NEVER or by_line(b)) for b in open_)


def _lengths(case: Case, field: Field, side: str, start: HexId) -> Sequence[int]:
    """How long lines of supply are: of the German side to a source, or else to a Rollbahn."""
    if side == SOVIET:
        return soviet_lines(case, field).lines.lengths
    lines = german_lines(case, field)
    return (lines.direct if lines.direct.lengths[start] < NEVER else lines.to_roads(start)).lengths


def note_exits(case: Case, battle: Battle) -> None:
    """Where the defenders could go, and how much room there is; `battle` is a draft."""
    if len(battle.targets) != 1:
        return
    field, origin = field_of(case), battle.targets[0]
    rules = retreat_rules(case, field, battle, battle.defender)
    closed = dict(rules.closed)
    if field.position.partial:  # what may be shut is no way out that somebody had to take
        closed |= _doubtful(field, battle.defender.side)
    frozen = may_be(case, NORTH) == {SNOW}
    anywhere_at_all = RetreatRules(line_costs(case, field, lakes=frozen), closed, away=False)
    choice = choices(field.board, anywhere_at_all, origin, origin)
    battle.exits = frozenset(choice.hexes if choice else ())
    mobile = retreating(case, battle.defender)
    battle.rooms = {h: _room(field, battle.defender.side, h, mobile) for h in battle.exits}


def _doubtful(field: Field, side: str) -> dict[str, Mask]:
    cities = field.board.mask(h for h in field.ground.cities if field.may_hold(ENEMY[side], h))
    return {"enemy-city": cities, **({"fortified": field.intact_lines} if side == GERMAN else {})}


def _room(field: Field, side: str, hex_id: HexId, units: Sequence[Unit]) -> int:
    """Divisions; none where nations would mix (6.3), so that there nobody is bound to go."""
    there = field.units(hex_id, side)
    return 0 if mixed_badly([*there, *units]) else int(LIMIT - load_of(there))


def retreating(case: Case, party: Party) -> list[Unit]:
    """Those that must go by land: not static ones, nor the coastal army."""
    return [u for u in lacking(case.units(party.steps), COASTAL_ARMY) if u.id not in party.immobile]


def can_go(case: Case, battle: Battle) -> bool:
    """Whether the whole defending force finds room; it may be split if it must."""
    sizes = [unit.type.stacking for unit in retreating(case, battle.defender)]
    return fits(sizes, [Fraction(room) for room in battle.rooms.values() if room > 0])


def goes_together(case: Case, battle: Battle) -> bool:
    """Whether one hex has room for all."""
    return max(battle.rooms.values(), default=0) >= load_of(retreating(case, battle.defender))
