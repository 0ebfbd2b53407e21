"""A battle is declared: who attacks whom, over which hexsides, and once only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from validator.core import explain as say
from validator.core.battle import Attacker, BattleRules, check_battle
from validator.core.board import Mask
from validator.core.breach import Breach, merged
from validator.engine.case import AnyCase
from validator.engine.rulebook import JUDGED, Faults
from validator.model.events import Attacked
from validator.model.findings import Fault, Verdict
from validator.model.position import Unit
from validator.procedures import battlebook, faults
from validator.procedures.battle.step import B, P, Step


class Declaration(Step[B, P]):
    """Opens each battle, judges its declaration, and notes the units that should not attack.

    Values: `place` says what battles may look like; `phases` are those of attacks, each with its side; `keys`
    gives a rule to each key of `check_battle` and of `banned`, and to `phase`, `off-map`, `no-enemy`,
    `defended-before` (left out: defenders may be attacked again) and `nations` (left out: allies may attack
    together).
    """

    place = BattleRules(twice=True)
    phases: Mapping[str, str] = {}
    keys: Mapping[str, str] = {}

    def enforce(self, *rules: str) -> None:
        book = self.setting.rules
        book.track(Attacked)(self.open)
        book.rule(*rules)(book.before(Attacked)(self.judge))
        book.track(Attacked, when=JUDGED)(self.note_who_should_not_attack)

    # --- what a game overrides ---

    def declared(self, case: AnyCase, event: Attacked) -> B:
        """The battle, as the game remembers battles."""
        raise NotImplementedError

    def of_side(self, case: AnyCase, battle: B, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        """Whose phase it is."""
        rule, side = self.keys["phase"], battle.attacker.side
        strays = (unit.id for unit in units if unit.side != side)
        yield from faults.of_units(rule, strays, "attacks with the other side")
        if not battle.overrun and self.phases.get(case.phase) != side:
            text = f"{'+'.join(event.units)} attacks outside its own combat phase"
            yield Fault(rule, text, event.units, event.targets)

    def of_units(self, case: AnyCase, battle: B, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        """Units that do not attack, or not now."""
        return iter(())

    def banned(self, case: AnyCase, battle: B, unit: Unit) -> Mapping[str, Mask]:
        """Hexsides that a unit does not attack across, by key."""
        return {}

    def reach(self, case: AnyCase, unit: Unit) -> int:
        """How many hexes away a unit may attack."""
        return 1

    def is_of_an_ally(self, unit: Unit) -> bool:
        """Whether units of its nation attack with none of another ally."""
        return False

    def earlier(self, before: Sequence[B]) -> Sequence[B]:
        """The earlier battles that keep a unit from attacking again."""
        return before

    def rule_of(self, breach: Breach, before: Sequence[B]) -> str:
        return self.keys[breach.key]

    # --- what they share ---

    def open(self, case: AnyCase, event: Attacked) -> None:
        self.battles(case).append(self.declared(case, event))

    def judge(self, case: AnyCase, event: Attacked) -> Faults:
        yield from self.faults(case, event)

    def note_who_should_not_attack(self, case: AnyCase, event: Attacked) -> None:
        """Whose attack is illegal; one that is doubtful, or for a referee, has its sum all the same."""
        party = self.battles(case)[-1].attacker
        party.doubtful.update(units_barred(self.faults(case, event)).intersection(party.steps))

    def faults(self, case: AnyCase, event: Attacked) -> list[Fault]:
        return case.about(self.faults, lambda: list(self._faults(case, event)))

    def _faults(self, case: AnyCase, event: Attacked) -> Iterator[Fault]:
        *declared, battle = self.battles(case)
        before = [b for b in declared if not (b.idle and b.is_declared_anew_by(battle))]
        units = self.units(case, battle.attacker.steps)
        if not units:
            yield faults.no_attacker(case, event, self.keys["off-map"])
            return
        yield from self.of_side(case, battle, units, event)
        yield from self.of_units(case, battle, units, event)
        if not battle.overrun:
            yield from self._of_place(case, battle, units, before)
            yield from self._of_defenders(case, battle, before, event)
            yield from self._of_nations(units, event)

    def _of_place(
        self, case: AnyCase, battle: B, units: Sequence[Unit], before: Sequence[B]
    ) -> Iterator[Fault]:
        field, stood = self.field(case), battle.attacker.stood
        fought = battlebook.fought_before(self.earlier(before))
        attackers = [
            Attacker(unit.id, stood[unit.id], self.banned(case, battle, unit), self.reach(case, unit))
            for unit in units
            if unit.id in stood
        ]
        for breach in merged(check_battle(field.board, self.place, attackers, battle.targets, fought)):
            text = say.breach_text(field.ground.wording, breach)
            rule, hexes = self.rule_of(breach, before), self.hexes(case, breach.hexes)
            yield Fault(rule, text, breach.units, hexes)
        for unit in units:
            if unit.id not in stood:
                yield Fault(self.keys["off-map"], f"{unit.id} is not on the map in play", (unit.id,))

    def _of_defenders(
        self, case: AnyCase, battle: B, before: Sequence[B], event: Attacked
    ) -> Iterator[Fault]:
        field, names = self.field(case), tuple(battle.attacker.steps)
        side = battle.attacker.side
        empty = [h for h in battle.targets if all(unit.side == side for unit in field.units(h))]
        if empty or not battle.targets:
            where = say.listed([field.ground.wording.hex(h) for h in empty]) or "the attacked hex"
            yield Fault(self.keys["no-enemy"], f"no enemy unit is in {where}", names, event.targets)
        if "defended-before" in self.keys:
            fought = {u for other in before if not other.overrun for u in other.defender.names}
            again = tuple(sorted(fought.intersection(battle.defender.steps)))
            if again:
                text = f"{'+'.join(again)} was attacked before in this phase"
                yield Fault(self.keys["defended-before"], text, again, event.targets)

    def _of_nations(self, units: Sequence[Unit], event: Attacked) -> Iterator[Fault]:
        nations = {unit.nationality for unit in units if self.is_of_an_ally(unit)}
        if len(nations) > 1:
            text = f"{say.listed(sorted(nation.title() for nation in nations))} units attack together"
            yield Fault(self.keys["nations"], text, event.units, event.targets)


def units_barred(found: Iterable[Fault]) -> set[str]:
    """The units of what is surely wrong."""
    return {unit for fault in found if fault.verdict is Verdict.ILLEGAL for unit in fault.units}
