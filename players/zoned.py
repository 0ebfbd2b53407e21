"""What random players of games with zones of control share: how stacks march, how results are paid.

A game's table says by the methods of `Table` what its own rules are; `march` and `settle` do the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from players import faults
from players import table as tables
from players.table import Stuck
from validator.core.advance import AdvanceRules, advances
from validator.core.board import HexId
from validator.core.costs import ONE
from validator.core.losses import LossRules, Sufferer, distributions
from validator.core.movement import MoveRules, Reach, explain, reach
from validator.core.results import Part, Pays
from validator.core.retreat import RetreatRules, retreats
from validator.model.events import Moved
from validator.model.position import Position, Unit
from validator.procedures.battlebook import Battle, Party
from validator.procedures.field import printed
from validator.procedures.supplymarks import MARKER
from validator.procedures.zonedfield import ZonedField

F = TypeVar("F", bound=ZonedField)
T = TypeVar("T", bound="Table[Any]")
Way = tuple[HexId, ...]
Plan = list[tuple[list[Unit], Way]]
TRIES = 30


class Table(tables.Table[F]):
    """What a game says of itself at its table."""

    losses: LossRules  # how a result is spread over units

    def field_at(self, position: Position) -> F:
        raise NotImplementedError

    def room(self, hex_id: HexId, units: list[Unit], field: F | None = None) -> bool:
        """Whether these units fit into a hex with those of their side that are there."""
        raise NotImplementedError

    def lose(self, unit: Unit, steps: int, battle: int | None = None) -> None:
        raise NotImplementedError

    def eliminate(self, unit: Unit, battle: int | None = None) -> None:
        raise NotImplementedError

    # --- marches and overruns ---

    def move_rules(self, unit: Unit, units: list[Unit]) -> MoveRules:
        raise NotImplementedError

    def price(self, unit: Unit) -> int:
        """Of an overrun, in twelfths of a movement point."""
        raise NotImplementedError

    def unbarred(self, units: list[Unit], way: Way) -> bool:
        """Whether no rule beside the price forbids a way."""
        return True

    def worths(self, units: list[Unit], ends: Iterable[HexId]) -> list[float]:
        """How much units would like to end a march in each hex."""
        raise NotImplementedError

    # --- battles ---

    def rank(self, party: Any, unit: str) -> int:
        """Who loses steps first."""
        return 0

    def retreat_rules(self, field: F, party: Any, units: list[Unit]) -> RetreatRules:
        """In the strictest reading."""
        raise NotImplementedError

    def goes_with(self, unit: Unit) -> object:
        """Units of one hex that are alike in this retreat together."""
        return None

    def by_liking(self, hexes: list[int], stood: Iterable[HexId]) -> list[int]:
        """Numbers of hexes to retreat, the best first; what is left is paid in steps."""
        self.random.shuffle(hexes)
        return hexes

    def may_advance(self, battle: Any, party: Any, unit: Unit) -> bool:
        raise NotImplementedError

    def advance_rules(self, battle: Any, party: Any, unit: Unit) -> AdvanceRules:
        raise NotImplementedError


# --- marches ------------------------------------------------------------------------------------------


def march(table: T, units: list[Unit], overrun: Callable[[T, list[Unit]], bool]) -> None:
    """A march, and perhaps an overrun at its end, and the rest of the way after it."""
    for _ in range(3):
        units = [unit for unit in units if unit.on_map and _still_moves(table, unit)]
        if not units or len({unit.spot for unit in units}) > 1:
            return
        if not (table.chance(0.5) and overrun(table, units)):
            go(table, units)
            return


def _still_moves(table: Table[Any], unit: Unit) -> bool:
    trip = table.case.in_phase.trips.get(unit.id)
    return trip is None or not trip.ended


def go(table: Table[Any], units: list[Unit]) -> None:
    ends = ends_of(table, units)
    if ends:
        end = table.random.choices(list(ends), weights=table.worths(units, ends))[0]
        walk(table, units, ends[end])


def ends_of(table: Table[Any], units: list[Unit]) -> dict[HexId, Way]:
    """Where all of them may end, with the way of the slowest."""
    board, start = table.field.board, table.at(units[0])
    found: list[Reach] = [reach(board, table.move_rules(unit, units), start) for unit in units]
    ends = {}
    for end in found[0]:
        if end == start or not table.room(end, units) or not all(end in one for one in found):
            continue
        ways = [one.path(end) for one in found]
        if (len(set(ways)) == 1 or _common(table, units, ways[0])) and table.unbarred(units, ways[0]):
            ends[end] = ways[0]
    return ends


def _common(table: Table[Any], units: list[Unit], way: Way) -> bool:
    """Whether all may go this very way."""
    rules = (table.move_rules(unit, units) for unit in units)
    return all(explain(table.field.board, r, way[0], way[-1], way[1:-1]).legal for r in rules)


def walk(table: Table[Any], units: list[Unit], way: Way, mode: str = "") -> None:
    """Some players show every hex, some only the end; none of it may matter."""
    shown = way if len(units) > 1 or table.chance(0.7) else (way[0], way[-1])
    hexes = tuple(table.field.board.hexes[h] for h in shown)
    table.do(Moved(tuple(unit.id for unit in units), hexes, mode))


def affordable(table: Table[Any], units: list[Unit], way: Way) -> bool:
    """Whether all can pay for an overrun at the end of a way."""
    for unit in units:
        rules = table.move_rules(unit, units)
        verdict = explain(table.field.board, rules, way[0], way[-1], way[1:-1]) if len(way) > 1 else None
        if verdict is not None and (verdict.cost is None or verdict.minimum):
            return False
        cost = (verdict.cost or 0) if verdict else 0
        if rules.budget - cost < table.price(unit):
            return False
    return table.price(units[0]) >= ONE


@dataclass(frozen=True)
class Overruns(Generic[T]):
    """Whether these units may try one, and still may when they have gone beside their target; over which
    hexsides; how the battle is fought."""

    may: Callable[[T, list[Unit]], bool]
    still: Callable[[T, list[Unit]], bool]
    open_between: Callable[[T, list[Unit], HexId, HexId], bool]
    fight: Callable[[T, list[Unit], HexId], None]

    def __call__(self, table: T, units: list[Unit]) -> bool:
        """Go beside an enemy hex and overrun it, if there is one that may be; whether it was done."""
        if not self.may(table, units):
            return False
        start = table.at(units[0])
        ends = {start: (start,), **ends_of(table, units)}
        enemy = table.field.occupied(table.field.opponent(units[0].side))
        choices = [
            (end, target)
            for end in ends
            for target in table.field.board.adjacent[end]
            if enemy[target]
            and self.open_between(table, units, end, target)
            and affordable(table, units, ends[end])
        ]
        if not choices:
            return False
        end, target = table.random.choice(choices)
        if end != start:
            walk(table, units, ends[end])
        if not self.still(table, units):
            return False
        self.fight(table, units, target)
        enter(table, target)
        return True


def enter(table: Table[Any], target: HexId) -> None:
    """The hex that an overrun has emptied is entered at once."""
    battle, board = last(table), table.field.board
    if table.field.occupied(battle.defender.side)[target]:
        return
    for root in battle.attacker.steps:
        unit = now(table, battle.attacker, root)
        stays = not unit.on_map or root in battle.attacker.paths
        if not stays and board.are_adjacent(table.at(unit), target):
            table.do(Moved((unit.id,), (unit.hex, board.hexes[target]), "advance", battle.number))


# --- battles ------------------------------------------------------------------------------------------


def last(table: Table[Any]) -> Battle[Any]:
    known: list[Battle[Any]] = table.case.in_phase.battles
    return known[-1]


def present(table: Table[Any], party: Party) -> list[str]:
    """The units of a party as they are now: Kampfgruppen have taken the place of corps."""
    heirs = {root: heir for heir, root in party.heirs.items()}
    return [heirs.get(name, name) for name in party.steps]


def now(table: Table[Any], party: Party, root: str) -> Unit:
    heir = next((heir for heir, old in party.heirs.items() if old == root), root)
    return table.position.units[heir]


def settle(table: Table[Any], battle: Battle[Any], parties: Sequence[Party]) -> None:
    """What both sides owe for a result; who shares the hex of the beaten is lost with them."""
    for party in parties:
        _pay(table, battle, party)
    for name in battle.defender.guests if battle.part(battle.defender).adverse else ():
        unit = table.position.units[name]
        if unit.on_map:
            table.eliminate(unit, battle.number)


def _pay(table: Table[Any], battle: Battle[Any], party: Party) -> None:
    part = battle.part(party)
    if part.pays is Pays.ALL:
        for root in party.steps:
            table.eliminate(now(table, party, root), battle.number)
    elif part.pays is Pays.STEPS:
        _lose(table, battle, party, part.points, moved=False)
    elif part.pays is Pays.EITHER:
        _choose(table, battle, party, part)


def _lose(table: Table[Any], battle: Battle[Any], party: Party, steps: int, *, moved: bool) -> None:
    sufferers = [
        Sufferer(unit, left, table.rank(party, unit))
        for unit, left in party.steps.items()
        if not (moved and unit in party.immobile)
    ]
    ways = list(distributions(table.losses, sufferers, steps))
    for root, lost in table.random.choice(ways).items() if ways else ():
        if lost:
            table.lose(now(table, party, root), lost, battle.number)


def _choose(table: Table[Any], battle: Battle[Any], party: Party, part: Part) -> None:
    """So many hexes retreated, the rest in steps."""
    numbers = table.by_liking(list(range(part.points + 1)), party.stood.values())
    for hexes in [*numbers, 0]:
        if hexes == 0 or _plan(table, party, hexes):
            _lose(table, battle, party, part.points - hexes, moved=hexes > 0)
            if hexes:
                _retreat(table, battle, party, hexes)
            return


def _stacks(table: Table[Any], party: Party) -> list[list[Unit]]:
    """Those that can retreat, hex by hex."""
    found: dict[object, list[Unit]] = {}
    for root in party.steps:
        unit = now(table, party, root)
        if unit.on_map and root not in party.immobile:
            found.setdefault((party.stood[root], table.goes_with(unit)), []).append(unit)
    return list(found.values())


def _plan(table: Table[Any], party: Party, hexes: int) -> Plan | None:
    """A way for each stack, one after the other, with room at its end."""
    position, plan = table.position.copy(), []
    for units in _stacks(table, party):
        field = table.field_at(position)
        rules = table.retreat_rules(field, party, units)
        found = retreats(field.board, rules, table.at(units[0]), hexes)
        ways = [way for way in found if table.room(way[-1], units, field)]
        if not ways:
            return None
        way = table.random.choice(ways)
        plan.append((units, way))
        for unit in units:
            position.put(unit.id, field.board.hexes[way[-1]])
    return plan


def _retreat(table: Table[Any], battle: Battle[Any], party: Party, hexes: int) -> None:
    for root in [root for root in party.steps if root in party.immobile]:
        unit = now(table, party, root)
        if unit.on_map:
            table.eliminate(unit, battle.number)
    plans = (_plan(table, party, hexes) for _ in range(TRIES))
    plan = next((found for found in plans if found is not None), None)
    if plan is None:
        raise Stuck("a retreat that was possible before the losses is not after them")
    known = len(party.extras)
    for units, ids in plan:
        way = tuple(table.field.board.hexes[h] for h in ids)
        table.do(Moved(tuple(unit.id for unit in units), way, "retreat", battle.number))
    for extra in party.extras[known:]:
        payers = [u for u in extra.units if party.alive(u) and now(table, party, u).on_map]
        if extra.required and payers:
            table.lose(now(table, party, table.random.choice(payers)), 1, battle.number)


def advance(table: Table[Any], battle: Battle[Any], parties: Sequence[Party]) -> None:
    for party in parties:
        for root in party.steps:
            unit = now(table, party, root)
            if not unit.on_map or party.hexes_retreated(root) or not table.chance(0.6):
                continue
            if not table.may_advance(battle, party, unit):
                continue
            rules = table.advance_rules(battle, party, unit)
            ends = [h for h in advances(table.field.board, rules, table.at(unit)) if table.room(h, [unit])]
            if ends:
                end = table.field.board.hexes[table.random.choice(ends)]
                table.do(Moved((unit.id,), (unit.hex, end), "advance", battle.number))


# --- where faults are put -----------------------------------------------------------------------------


class Place(faults.Place[F]):
    enemy: Mapping[str, str]

    def movable(self, side: str) -> list[Unit]:
        """Units that have not moved in this phase, and are to be moved with others."""
        gone = self.case.in_phase.trips
        return self.units(side, lambda u: printed(u, "movement") > 0 and u.id not in gone)

    def away(self, hex_id: HexId, side: str) -> int:
        """Hexes to the nearest enemy."""
        return self.nearest(hex_id, self.enemy[side])

    def supplied(self, unit: Unit) -> bool:
        return MARKER not in unit.marks
