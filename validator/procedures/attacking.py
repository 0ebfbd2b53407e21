"""Attacks as they are declared: by whom, from where, against what, once only.

A game states its `Attacks`; `register` gives its rulebook the judges and reducers. The battles of a phase are
kept in `in_phase.battles`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from validator.core import explain as say
from validator.core.battle import Attacker, BattleRules, check_battle
from validator.core.board import Mask
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults, Rulebook
from validator.model.events import Attacked
from validator.model.findings import Fault
from validator.model.position import Unit
from validator.procedures import battlebook
from validator.procedures.battlebook import Battle, Party
from validator.procedures.field import printed


@dataclass(frozen=True)
class Attacks:
    """`phases` gives the side of each combat phase. `keys` are the rules of what is breached (`not-adjacent`,
    `attacked-before`, `many-on-many`, the keys of banned steps); `side` and `again` the rules of attacks by
    the other side and on units attacked before; `units` tells what else is wrong: rule, units, reason."""

    field_of: Callable[[Any], Any]
    steps_left: Callable[[Any, Unit], int]
    phases: Mapping[str, str]
    banned: Callable[[Any, Any, Unit], Mapping[str, Mask]]  # steps that no attack crosses
    units: Callable[[Any, Sequence[Unit]], Iterator[tuple[str, tuple[str, ...], str]]]
    side: str
    again: str
    keys: Mapping[str, str]
    others: tuple[str, ...] = ()


def register(rules: Rulebook, of: Attacks) -> None:
    @rules.track(Attacked)
    def open_the_battle(case: AnyCase, event: Attacked) -> None:
        case.in_phase.battles.append(declared(of, case, event))

    @rules.rule(of.side, of.again, *of.keys.values(), *of.others)
    @rules.before(Attacked)
    def attacks_are_declared_as_they_may_be(case: AnyCase, event: Attacked) -> Faults:
        yield from of_declaration(case, event)

    def of_declaration(case: AnyCase, event: Attacked) -> list[Fault]:
        return case.about("declaration", lambda: list(_of_declaration(of, case, event)))

    @rules.track(Attacked, when=JUDGED)
    def note_who_should_not_attack(case: AnyCase, event: Attacked) -> None:
        """What is found of an attack is not told again of its odds."""
        party = case.in_phase.battles[-1].attacker
        faulty = {unit for fault in case.faults for unit in fault.units}
        party.doubtful.update(faulty.intersection(party.steps))


def declared(of: Attacks, case: AnyCase, event: Attacked) -> Battle[Party]:
    """A battle as it was declared, with those who stand in the attacked hexes."""
    field_now, units = of.field_of(case), case.position.units
    attackers = [units[name] for name in event.units]
    side = attackers[0].side if attackers else next(iter(of.phases.values()))
    targets = tuple(field_now.ids(event.targets))
    there = [u for h in targets for u in field_now.units(h) if u.side != side]
    gone = set() if event.overrun else battlebook.retreated(case.in_phase.battles)
    guests = [u.id for u in there if u.id in gone]
    residents = [u for u in there if u.id not in guests] or there
    left = tuple(name for name in guests if name not in {u.id for u in residents})
    foe = next(other.id for other in case.game.sides if other.id != side)
    parties = _party(of, case, side, attackers, ()), _party(of, case, foe, residents, left)
    return Battle.declared(event, *parties, targets)


def _party(of: Attacks, case: AnyCase, side: str, units: Sequence[Unit], guests: tuple[str, ...]) -> Party:
    fixed = (u.id for u in units if printed(u, "movement") == 0 and not u.has("rail-only"))
    steps = {unit.id: of.steps_left(case, unit) for unit in units}
    return Party(side, steps, of.field_of(case).where(units), frozenset(fixed), guests)


def _of_declaration(of: Attacks, case: AnyCase, event: Attacked) -> Iterator[Fault]:
    units = [case.position.units[name] for name in event.units]
    *before, battle = case.in_phase.battles
    strays = tuple(unit.id for unit in units if unit.side != battle.attacker.side)
    if strays:
        yield Fault(of.side, f"{'+'.join(strays)} attacks with the other side", strays)
    for rule, names, reason in of.units(case, units):
        yield Fault(rule, f"{'+'.join(names)} {reason}", names, event.targets)
    if units and not event.overrun:
        if of.phases.get(case.phase) != battle.attacker.side:
            text = f"{'+'.join(event.units)} attacks outside its own combat phase"
            yield Fault(of.side, text, event.units, event.targets)
        yield from _of_place(of, case, battle, units, before)
        yield from _of_defenders(of, case, battle, before, event)


def _of_place(
    of: Attacks, case: AnyCase, battle: Battle[Party], units: list[Unit], before: list[Battle[Party]]
) -> Iterator[Fault]:
    field, stood = of.field_of(case), battle.attacker.stood
    attackers = [Attacker(u.id, stood[u.id], of.banned(case, field, u)) for u in units if u.id in stood]
    fought = battlebook.fought_before(before)
    rules = BattleRules(targets=1, twice=True)
    for breach in check_battle(field.board, rules, attackers, battle.targets, fought):
        hexes = tuple(field.board.hexes[h] for h in breach.hexes)
        text = say.breach_text(field.ground.wording, breach)
        yield Fault(of.keys[breach.key], text, breach.units, hexes)
    for unit in units:
        if unit.id not in stood:
            yield Fault(of.keys["not-adjacent"], f"{unit.id} is not on the map in play", (unit.id,))


def _of_defenders(
    of: Attacks, case: AnyCase, battle: Battle[Party], before: list[Battle[Party]], event: Attacked
) -> Iterator[Fault]:
    field = of.field_of(case)
    empty = [h for h in battle.targets if not field.occupied(battle.defender.side)[h]]
    if empty or not battle.targets:
        where = say.listed([field.ground.wording.hex(h) for h in empty]) or "the attacked hex"
        yield Fault(of.keys["not-adjacent"], f"no enemy unit is in {where}", event.units, event.targets)
    fights = [other for other in before if not other.overrun]
    again = {u for other in fights for u in other.defender.names} & set(battle.defender.steps)
    twice = any(set(other.targets) & set(battle.targets) for other in fights)
    if again or twice:
        text = f"{'+'.join(sorted(again)) or 'the hex'} was attacked before in this phase"
        yield Fault(of.again, text, tuple(sorted(again)), event.targets)
