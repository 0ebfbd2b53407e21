"""Battles: who attacks whom, the die, and what each side does about the result."""

from __future__ import annotations

from collections.abc import Iterator

from tools.play.table import Stuck
from tools.play.wfm.table import Table, foe
from validator.core.advance import advances
from validator.core.board import HexId
from validator.core.losses import Sufferer, distributions
from validator.core.results import Part, Pays
from validator.core.retreat import retreats
from validator.games.wfm.battles import Battle, Party, battles, strength_marker
from validator.games.wfm.book import AXIS
from validator.games.wfm.c04_stacking import stack
from validator.games.wfm.c05_march import modes_of
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.c08_losses import IN_RANK
from validator.games.wfm.c08_retreat import advance_rules, retreat_rules
from validator.games.wfm.field import SNOW, Field
from validator.model.events import Attacked, Moved, ResultNamed
from validator.model.position import Unit
from validator.procedures.field import printed
from validator.procedures.transport import STRATEGIC


def can_attack(unit: Unit) -> bool:
    return not attack_zero(unit)


def last(table: Table) -> Battle:
    return battles(table.case)[-1]


def whole_stack_fits(table: Table, units: list[Unit]) -> bool:
    """No overrun starts from an overfull hex."""
    hex_id, side = table.at(units[0]), units[0].side
    verdict = stack(table.case, table.field.units(hex_id), side)
    return verdict.load <= verdict.limit


def combat(table: Table, side: str) -> None:
    """The attacks of a combat phase."""
    fought: set[str] = set()
    attacked: set[HexId] = set()
    targets = list(table.hexes_of(foe(side)))
    table.random.shuffle(targets)
    for target in targets:
        if not table.field.occupied(foe(side))[target] or target in attacked or table.chance(0.35):
            continue
        hexes = (target,)
        units = _attackers(table, side, hexes, fought)
        if not units:
            continue
        fought.update(unit.id for unit in units)
        attacked.add(target)
        attack(table, units, hexes)
        fought.update(present(table, last(table).attacker))
        attacked.update(_stand(table))


def _stand(table: Table) -> Iterator[HexId]:
    """Where the defenders of the last battle are now: they are not attacked twice."""
    for name in present(table, last(table).defender):
        unit = table.position.units[name]
        if unit.on_map:
            yield table.at(unit)


def _attackers(table: Table, side: str, targets: tuple[HexId, ...], fought: set[str]) -> list[Unit]:
    rules = table.field
    able = [
        unit
        for hex_id, unit in rules.of_side(side)
        if can_attack(unit)
        and unit.id not in fought
        and any(rules.board.are_adjacent(hex_id, t) for t in targets)
        and STRATEGIC not in modes_of(table.case, unit)
        and _may(table, unit, targets)
    ]
    table.random.shuffle(able)
    chosen: list[Unit] = []
    for unit in able:
        nations = {u.nationality for u in (*chosen, unit) if u.side == AXIS and not u.has("german")}
        if len(nations) <= 1 and (not chosen or table.chance(0.8)):
            chosen.append(unit)
    return chosen


WATER = ("sea", "lake", "causeway", "ice-road")


def _may(table: Table, unit: Unit, targets: tuple[HexId, ...]) -> bool:
    """Beside every hex attacked, and not only over water (8.21, 8.34, 8.46)."""
    board, here = table.field.board, table.at(unit)
    on_ice = table.case.season == SNOW and unit.has("ice-roads")
    closed = set(WATER[:3] if on_ice else WATER)
    return all(board.are_adjacent(here, t) and not closed & set(board.side_of(here, t)) for t in targets)


def attack(table: Table, units: list[Unit], targets: tuple[HexId, ...]) -> None:
    table.battle += 1
    hexes = tuple(table.field.board.hexes[h] for h in targets)
    table.do(Attacked(table.battle, tuple(unit.id for unit in units), hexes))
    resolve(table)
    _advance(table)


# --- the die and the result -----------------------------------------------------------------------


def resolve(table: Table) -> None:
    battle = last(table)
    for name in (*battle.attacker.steps, *battle.defender.steps):
        unit = table.position.units[name]
        if unit.has("draws-strength") and strength_marker(unit) is None:
            table.draw(unit)
    table.roll("combat", None, battle.number)
    battle = last(table)  # worked out now
    assert battle.sheet is not None
    if table.chance(0.9):
        table.do(ResultNamed(battle.sheet.cell or "-", battle.number))
        battle = last(table)
    for party in (battle.defender, battle.attacker):
        pay(table, battle, party)
    for name in battle.defender.guests if battle.part(battle.defender).adverse else ():
        unit = table.position.units[name]
        if unit.on_map:
            table.eliminate(unit, battle.number)


def present(table: Table, party: Party) -> list[str]:
    """The units of a party as they are now: Kampfgruppen have taken the place of corps."""
    heirs = {root: heir for heir, root in party.heirs.items()}
    return [heirs.get(name, name) for name in party.steps]


def now(table: Table, party: Party, root: str) -> Unit:
    heir = next((heir for heir, old in party.heirs.items() if old == root), root)
    return table.position.units[heir]


def pay(table: Table, battle: Battle, party: Party) -> None:
    part = battle.part(party)
    if part.pays is Pays.ALL:
        for root in party.steps:
            table.eliminate(now(table, party, root), battle.number)
    elif part.pays is Pays.STEPS:
        _lose(table, battle, party, part.points, moved=False)
    elif part.pays is Pays.EITHER:
        _choose(table, battle, party, part)


def _lose(table: Table, battle: Battle, party: Party, steps: int, *, moved: bool) -> None:
    sufferers = [
        Sufferer(unit, left, 0 if unit in party.with_zone else 1)
        for unit, left in party.steps.items()
        if not (moved and unit in party.immobile)
    ]
    ways = list(distributions(IN_RANK, sufferers, steps))
    for root, lost in table.random.choice(ways).items() if ways else ():
        if lost:
            table.lose(now(table, party, root), lost, battle.number)


def _choose(table: Table, battle: Battle, party: Party, part: Part) -> None:
    """So many hexes retreated, the rest in steps."""
    numbers = list(range(part.points + 1))
    table.random.shuffle(numbers)
    for hexes in [*numbers, 0]:
        if hexes == 0 or _can_go(table, party, hexes):
            _lose(table, battle, party, part.points - hexes, moved=hexes > 0)
            if hexes:
                _retreat(table, battle, party, hexes)
            return


TRIES = 30
Plan = list[tuple[list[Unit], tuple[HexId, ...]]]


def _can_go(table: Table, party: Party, hexes: int) -> bool:
    return bool(_plan(table, party, hexes))


def _stacks(table: Table, party: Party) -> list[list[Unit]]:
    """Those that can retreat, hex by hex."""
    found: dict[HexId, list[Unit]] = {}
    for root in party.steps:
        unit = now(table, party, root)
        if unit.on_map and root not in party.immobile:
            found.setdefault(party.stood[root], []).append(unit)
    return list(found.values())


def _plan(table: Table, party: Party, hexes: int) -> Plan | None:
    """A way for each stack, one after the other, in the strictest reading, with room at its end."""
    position, plan = table.position.copy(), []
    for units in _stacks(table, party):
        field = Field(table.field.ground, position, table.case.season)
        rules = list(retreat_rules(table.case, field, party, units))[1]
        found = retreats(field.board, rules, table.at(units[0]), hexes)
        ways = [way for way in found if table.room(way[-1], units, field)]
        if not ways:
            return None
        way = table.random.choice(ways)
        plan.append((units, way))
        for unit in units:
            position.put(unit.id, field.board.hexes[way[-1]])
    return plan


def _retreat(table: Table, battle: Battle, party: Party, hexes: int) -> None:
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


# --- advance ------------------------------------------------------------------------------------------


def _advance(table: Table) -> None:
    battle = last(table)
    for party in (battle.attacker, battle.defender):
        for root in party.steps:
            unit = now(table, party, root)
            if not unit.on_map or party.hexes_retreated(root) or not table.chance(0.6):
                continue
            if unit.has("no-advance") or printed(unit, "movement") == 0 or attack_zero(unit):
                continue
            rules = advance_rules(table.case, table.field, battle, party, unit)
            ends = [h for h in advances(table.field.board, rules, table.at(unit)) if table.room(h, [unit])]
            if ends:
                end = table.field.board.hexes[table.random.choice(ends)]
                table.do(Moved((unit.id,), (unit.hex, end), "advance", battle.number))
