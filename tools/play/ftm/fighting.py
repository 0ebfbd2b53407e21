"""Battles: who attacks whom, the die, and what each side does about the result."""

from __future__ import annotations

from tools.play.ftm.table import Table, foe
from tools.play.table import Stuck
from validator.core.advance import advances
from validator.core.board import HexId
from validator.core.losses import Sufferer, distributions
from validator.core.results import Part, Pays
from validator.core.retreat import retreats
from validator.games.ftm.book import SNOW
from validator.games.ftm.c08_combat import RETREATS, SPREAD, advance_doubt, advance_rules, banned, may_advance
from validator.games.ftm.c08_odds import attack_zero, automatic, sum_of
from validator.games.ftm.c14_air import AIR, BOX, air_units, in_air_range, missions_allowed
from validator.games.ftm.field import Field
from validator.games.ftm.state import Battle, Party
from validator.model.events import Attacked, Moved, Pointed, ResultNamed
from validator.model.position import Unit
from validator.procedures.airunits import USED
from validator.procedures.strengthchits import chit_of, draws


def can_attack(table: Table, unit: Unit) -> bool:
    return not attack_zero(table.case, unit) and not unit.has("never-attacks")


def last(table: Table) -> Battle:
    known: list[Battle] = table.case.in_phase.battles
    return known[-1]


def combat(table: Table, side: str) -> None:
    """The attacks of a combat phase."""
    fought: set[str] = set()
    attacked: set[HexId] = set()
    targets = list(table.hexes_of(foe(side)))
    table.random.shuffle(targets)
    for target in targets:
        if not table.field.occupied(foe(side))[target] or target in attacked or table.spares():
            continue
        units = _attackers(table, side, target, fought)
        if not units or not table.dares(units, target):
            continue
        attacked.add(target)
        attack(table, units, target)
        for party in last(table).parties:
            names = present(table, party)
            fought.update(names)
            attacked.update(table.at(u) for u in map(table.position.units.__getitem__, names) if u.on_map)


def _attackers(table: Table, side: str, target: HexId, fought: set[str]) -> list[Unit]:
    field = table.field
    able = [
        unit
        for hex_id, unit in field.of_side(side)
        if field.board.are_adjacent(hex_id, target)
        and unit.id not in fought
        and can_attack(table, unit)
        and _may(table, unit, target)
    ]
    table.random.shuffle(able)
    chosen: list[Unit] = []
    for unit in able:
        nations = {u.nationality for u in (*chosen, unit) if u.has("allied")}
        if len(nations) <= 1 and table.joins(chosen, target):
            chosen.append(unit)
    return chosen


def _may(table: Table, unit: Unit, target: HexId) -> bool:
    """Not over water; panzers over the strait are left out (8.3.9, 8.4.2)."""
    board, here = table.field.board, table.at(unit)
    step = board.step(here, target)
    strait = unit.has("panzer") and "strait" in board.side_of(here, target)
    return not strait and not any(mask[step] for mask in banned(table.case, unit).values())


def support(table: Table, units: list[Unit], target: HexId) -> tuple[str, ...]:
    """An air unit, now and then, where one may fly."""
    left = missions_allowed(table.case) - table.case.in_turn.missions
    german = all(unit.has("german") for unit in units)
    reached = in_air_range(table.case, table.field.board.hexes[target])
    flies = left > 0 and german and reached and table.case.season != SNOW and table.chance(0.5)
    return (AIR,) if flies else ()


def attack(table: Table, units: list[Unit], target: HexId, *, overrun: bool = False) -> None:
    table.battle += 1
    hex_ = table.field.board.hexes[target]
    flown = support(table, units, target)
    names = tuple(unit.id for unit in units)
    table.do(Attacked(table.battle, names, (hex_,), overrun=overrun, support=flown))
    if flown:
        ready = [marker for marker, box, face in air_units(table.case) if box == BOX and face != USED]
        table.do(Pointed(ready[0], BOX, USED))
    resolve(table)
    if not overrun:
        _advance(table)


# --- the die and the result -----------------------------------------------------------------------


def resolve(table: Table) -> None:
    battle = last(table)
    for name in (*battle.attacker.steps, *battle.defender.steps):
        unit = table.position.units[name]
        if draws(unit) and chit_of(table.case, unit) is None:
            table.draw(unit)
    sum_ = sum_of(table.case, battle)
    given = automatic(table.case, battle, sum_) if sum_ else None
    if given:
        table.do(ResultNamed(given, battle.number))
    else:
        table.roll("overrun" if battle.overrun else "combat", None, battle.number)
        if battle.sheet is None:
            return
        if table.chance(0.9):
            table.do(ResultNamed(battle.sheet.cell or "-", battle.number))
    for party in battle.parties:
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
    sufferers = [Sufferer(u, left) for u, left in party.steps.items() if not (moved and u in party.immobile)]
    ways = list(distributions(SPREAD, sufferers, steps))
    for root, lost in table.random.choice(ways).items() if ways else ():
        if lost:
            table.lose(now(table, party, root), lost, battle.number)


def _choose(table: Table, battle: Battle, party: Party, part: Part) -> None:
    """So many hexes retreated, the rest in steps."""
    numbers = table.by_liking(list(range(part.points + 1)), party.stood.values())
    for hexes in [*numbers, 0]:
        if hexes == 0 or _plan(table, party, hexes):
            _lose(table, battle, party, part.points - hexes, moved=hexes > 0)
            if hexes:
                _retreat(table, battle, party, hexes)
            return


TRIES = 30
Plan = list[tuple[list[Unit], tuple[HexId, ...]]]


def _stacks(table: Table, party: Party) -> list[list[Unit]]:
    """Those that can retreat, hex by hex; Finns and Germans go different ways."""
    found: dict[tuple[HexId, str], list[Unit]] = {}
    for root in party.steps:
        unit = now(table, party, root)
        if unit.on_map and root not in party.immobile:
            found.setdefault((party.stood[root], unit.nationality), []).append(unit)
    return list(found.values())


def _plan(table: Table, party: Party, hexes: int) -> Plan | None:
    """A way for each stack, one after the other, in the strictest reading, with room at its end."""
    position, plan = table.position.copy(), []
    for units in _stacks(table, party):
        field = Field(table.field.ground, position, table.case.season)
        rules = list(RETREATS.rules_of(table.case, field, party, units))[1]
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
    for party in (battle.defender, battle.attacker):
        for root in party.steps:
            unit = now(table, party, root)
            if not unit.on_map or party.hexes_retreated(root) or not table.chance(0.6):
                continue
            if not may_advance(table.case, unit) or advance_doubt(table.case, battle, party, unit):
                continue
            rules = advance_rules(table.case, table.field, battle, party, unit)
            ends = [h for h in advances(table.field.board, rules, table.at(unit)) if table.room(h, [unit])]
            if ends:
                end = table.field.board.hexes[table.random.choice(ends)]
                table.do(Moved((unit.id,), (unit.hex, end), "advance", battle.number))
