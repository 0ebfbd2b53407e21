"""Random overruns made by the rules: whoever plays so must not be accused."""

from __future__ import annotations

from fieldpost.hexes import Hex
from tests.validator.games.wfm.random_battles import Table
from validator.games.wfm.battles import battles
from validator.games.wfm.book import SOVIET
from validator.games.wfm.c08_combat import attack_zero
from validator.games.wfm.field import field_of
from validator.model.events import Attacked, Moved, Rolled
from validator.model.position import Unit
from validator.procedures.field import printed


class OverrunTable(Table):
    """A player who overruns in a movement phase and moves in no other way."""

    def overruns(self, number: int) -> None:
        """Stacks that overrun from where they stand, go into what they emptied, and on if they may."""
        for _ in range(number):
            stacks = [
                stack_ for hex_ in sorted(self.case.position.occupied()) if (stack_ := self._stack(hex_))
            ]
            if not stacks:
                break
            self._overrun_on(self.random.choice(stacks))
        self.referee.close()

    def _stack(self, hex_: Hex) -> list[str]:
        """Units of one speed in a hex that have not overrun yet."""
        units = [
            unit
            for unit in self.case.position.at(hex_)
            if unit.side == self.side
            and not attack_zero(unit)
            and "out-of-supply" not in unit.marks
            and unit.id not in self.attacked
            and (self.case.phase != "ger-mech" or unit.has("panzer"))
        ]
        if not units or not self._targets(units):
            return []
        pace = printed(self.random.choice(units), "movement")
        return [unit.id for unit in units if printed(unit, "movement") == pace]

    def _targets(self, units: list[Unit]) -> list[Hex]:
        field = field_of(self.case)
        here = field.id(units[0].spot)
        assert here is not None
        return [
            field.board.hexes[near]
            for near in field.board.adjacent[here]
            if any(unit.side != self.side for unit in field.units(near))
            and not set(field.board.side_of(here, near)) - {"border"}
            and field.board.terrain[near] == "clear"
            and not field.board.has_place(near, "major-city")
        ]

    def _overrun_on(self, names: list[str]) -> None:
        self.attacked.update(names)
        snow = self.case.season == "snow"
        cost = 2 if self.side == SOVIET and snow else 3
        left = printed(self.case.position.units[names[0]], "movement")
        while left >= cost:
            units = [self.case.position.units[name] for name in names]
            targets = self._targets(units)
            if not targets or self.random.random() < 0.2:
                return
            left -= cost
            names = self._overrun(names, self.random.choice(targets))
            if not names:
                return

    def _overrun(self, names: list[str], target: Hex) -> list[str]:
        """Those that may go on."""
        self.number += 1
        self.judge(Attacked(self.number, tuple(names), (target,), overrun=True))
        self.judge(Rolled((self.random.randint(1, 6),), 6, "combat", None, self.number))
        battle = battles(self.case)[-1]
        assert battle.result is not None
        self.pay(battle, battle.defender, battle.result.defender)
        self.pay(battle, battle.attacker, battle.result.attacker)
        party = battle.attacker
        alive = [
            now for name in names if self._alive(now := self.now(name, party)) and name not in party.paths
        ]
        if self.case.position.at(target) or not alive:
            return []
        start = self.case.position.units[alive[0]].hex
        mode = self.random.choice(("advance", "", "march"))
        self.judge(Moved(tuple(alive), (start, target), mode, self.number if mode == "advance" else None))
        return [] if party.suffered else alive
