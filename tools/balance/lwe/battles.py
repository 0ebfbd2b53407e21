"""Assaults of Land Without End: odds, what they promise, what the dice make of them (chapter 11)."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass

from fieldpost.hexes import Hex, neighbors
from tools.balance.lwe.board import Board, Unit

AUGUST = range(6, 10)
SURE, HOPELESS = 6, -3  # 7:1 and 1:4, where no die is rolled (11.10)
STACK_SEEMS = {"german": 9, "soviet": 5}
STEP_COST = {"german": 2.5, "soviet": 1.0}  # what a step is worth to its player


@dataclass
class Plan:
    worth: float
    target: Hex
    attackers: list[Unit]
    odds: int


class Battles:
    def __init__(self, board: Board) -> None:
        self.board, self.rng = board, board.rng
        self.crt = board.game.table["combat-results"]
        self.gas = {int(r.id): int(r.cells[0]) for r in board.game.table["attenuated-supply"].rows}
        self.results: Tally[str] = Tally()
        self.first = False  # the German side fights before it moves (5.3)
        self.aircraft = False
        self._chances: dict[tuple[int, int | None, bool, bool], dict[str, float]] = {}

    # --- odds

    def odds(self, attackers: list[Unit], target: Hex, *, mobile: bool = False, seen: bool = True) -> int:
        """The column with all shifts but attenuated supply: 0 is 1:1, 1 is 2:1, -1 is 1:2.

        Before the battle nobody looks beneath the top unit of a stack (11.7): not `seen`, it is taken for a
        usual one.
        """
        board = self.board
        side = attackers[0].side
        defenders = board.at(target, board.other(side))
        attack, defense = self.attack(attackers, target), self.defense(defenders, target)
        if not seen and len(defenders) > 1:
            defense = STACK_SEEMS[defenders[0].side]
        ratio = attack // defense - 1 if attack >= defense else 1 - -(-defense // max(1, attack))
        shift = -board.cover(target, defenders[0].side)
        if not mobile:
            wet = board.terrain[target] == "marsh" and board.season in ("dry", "rain", "mud")
            shift += wet + (side == "german" and self.first)
            shift += self.concentric(attackers, target)
        return ratio + shift

    def attack(self, attackers: list[Unit], target: Hex) -> int:
        board = self.board
        city = board.town.get(target) == "city"
        marsh = board.terrain[target] == "marsh" and board.season in ("dry", "rain", "mud")
        rivers = board.river_counts(attackers[0].side)
        full = half = 0
        for unit in attackers:
            across = rivers and board.river(unit.hex, target)
            if across or (marsh and unit.mech) or (city and "panzer" in unit.traits):
                half += unit.attack
            else:
                full += unit.attack
        return max(1, full + half // 2)

    def defense(self, defenders: list[Unit], target: Hex) -> int:
        city = self.board.town.get(target) == "city"
        return max(1, sum(1 if city and u.weak else u.defense for u in defenders))

    def concentric(self, attackers: list[Unit], target: Hex) -> int:
        """11.27: opposite hexes, three with one between each and the next, or more than three."""
        board = self.board
        defenders = board.stacks[target]
        fort = defenders[0].side == "soviet" and (target in board.forts or any(u.zone for u in defenders))
        if fort or board.town.get(target) == "city":
            return 0
        if not surrounds({u.hex for u in attackers}, target):
            return 0
        return 2 if all(u.german for u in attackers) else 1

    def attenuated(self, attackers: list[Unit]) -> int | None:
        """The modifier of the die for attenuated supply, or None if none is rolled (7.4)."""
        board = self.board
        if attackers[0].side != "german":
            return None
        east = any(u.hex in board.east for u in attackers)
        if not east and board.turn not in AUGUST:
            return None
        return (not east) * -1 if board.turn in AUGUST else 2 if board.turn == 22 else int(board.turn > 9)

    # --- what it promises

    def chances(self, odds: int, gas: int | None, town: str) -> dict[str, float]:
        city, held = town == "city", town == "held"
        key = (max(-4, min(odds, 10)), gas, city, held)
        if key not in self._chances:
            found: dict[str, float] = {}
            lefts = [0] if gas is None else [self.left(d + gas) for d in range(1, 7)]
            for left in lefts:
                for die in range(1, 7):
                    name = self.result(odds - left, die, town)
                    found[name] = found.get(name, 0) + 1 / (6 * len(lefts))
            self._chances[key] = found
        return self._chances[key]

    def left(self, die: int) -> int:
        return self.gas[max(min(self.gas), min(die, max(self.gas)))]

    def result(self, odds: int, die: int, town: str) -> str:
        if odds >= SURE:
            return "DE"
        if odds <= HOPELESS:
            return "AL1"
        name = self.crt.cell(str(die), self.crt.columns[odds + 2])
        if town == "city" and name in ("AS", "DR"):
            return "AL1"
        return "AL1" if town == "held" and name == "DR" else name

    def kind(self, target: Hex) -> str:
        """How the place changes results (11.22, 11.24)."""
        town = self.board.town.get(target, "")
        if town == "large-town" and any(u.zone for u in self.board.stacks.get(target, ())):
            return "held"
        return town

    def plan(self, attackers: list[Unit], target: Hex, *, mobile: bool = False) -> Plan:
        board = self.board
        side, foe = attackers[0].side, board.other(attackers[0].side)
        defenders = board.at(target, foe)
        odds = self.odds(attackers, target, mobile=mobile, seen=False)
        chance = self.chances(odds, self.attenuated(attackers), self.kind(target))
        steps = sum(1 for u in defenders)
        gain = STEP_COST[foe] * sum(1 if u.steps > 1 else max(1, u.defense) for u in defenders)
        gain += 1.5 * board.worth(target)
        if side == "german":
            gain += 1 * (target in board.road_hexes) + 4 * (target in board.blocks)
        caught = not any(self.free(h, defenders, {u.hex for u in attackers}) for h in board.open[target])
        cost = STEP_COST[side]
        worth = chance.get("DE", 0) * gain + chance.get("DR", 0) * gain * (1 if caught else 0.5)
        worth += chance.get("BB", 0) * (gain - cost * steps) - chance.get("AL1", 0) * cost
        return Plan(worth, target, attackers, odds)

    def trimmed(self, attackers: list[Unit], target: Hex, *, mobile: bool = False) -> Plan:
        """As few attackers as do it surely, or all."""
        gas = self.attenuated(attackers)
        enough = SURE + (0 if gas is None else self.left(5 + gas))
        kept = sorted(attackers, key=lambda u: (u.mech, -u.attack))
        if not mobile or self.odds(kept, target, mobile=mobile, seen=False) > enough:
            for unit in sorted(attackers, key=lambda u: (not u.mech, u.attack)):
                fewer = [u for u in kept if u is not unit]
                led = fewer and (not mobile or any(u.leads for u in fewer))
                if led and self.odds(fewer, target, mobile=mobile, seen=False) >= enough:
                    kept = fewer
        return self.plan(kept, target, mobile=mobile)

    # --- what happens

    def fight(self, attackers: list[Unit], target: Hex, *, mobile: bool = False) -> bool:
        """Whether the hex is empty of defenders afterwards."""
        board = self.board
        side = attackers[0].side
        defenders = list(board.at(target, board.other(side)))
        odds = self.odds(attackers, target, mobile=mobile)
        if side == "german" and self.aircraft and -2 <= odds < SURE:
            odds, self.aircraft = odds + 1, False
        gas = self.attenuated(attackers)
        if gas is not None:
            odds -= self.left(self.rng.randint(1, 6) + gas)
        result = self.result(odds, self.rng.randint(1, 6), self.kind(target))
        self.results[f"{side} {result}"] += 1
        for unit in attackers:
            unit.fought = True
        if result == "AL1":
            self.pay(attackers, 1, mobile=mobile)
        elif result == "DR":
            self.fall_back(defenders, {u.hex for u in attackers})
        elif result in ("DE", "BB"):
            lost = self.destroy(defenders)
            board.forts.discard(target)
            if result == "BB":
                self.pay(attackers, lost, mobile=mobile)
        return not board.at(target, board.other(side))

    def destroy(self, units: Iterable[Unit]) -> int:
        units = list(units)
        for unit in units:
            self.board.lose(unit)
        return len(units)

    def pay(self, units: list[Unit], steps: int, *, mobile: bool = False) -> None:
        """The least painful steps first; a mobile assault pays in panzers (11.31)."""
        for number in range(steps):
            alive = [u for u in units if u.on_map]
            if mobile and number == 0:
                alive = [u for u in alive if u.leads] or alive
            if alive:
                self.board.lose(min(alive, key=lambda u: (u.mech and u.side == "german", u.lost, u.attack)))

    def fall_back(self, units: list[Unit], attackers: set[Hex]) -> None:
        board = self.board
        mobile = [u for u in units if not u.static]
        self.destroy(u for u in units if u.static)
        if not mobile:
            return
        start, side = mobile[0].hex, mobile[0].side
        free = [h for h in board.open[start] if self.free(h, mobile, attackers)]
        if free:
            end = min(free, key=lambda h: (board.homeward(h, side), h))
            for unit in mobile:
                board.enter(unit, [end])
        elif all(u.german for u in mobile):
            self.pay(mobile, 1)
        else:
            self.destroy(mobile)

    def free(self, hex_: Hex, units: list[Unit], attackers: set[Hex]) -> bool:
        """Whether the units may retreat into the hex (11.32)."""
        board = self.board
        side = units[0].side
        foe = board.other(side)
        if board.at(hex_, foe) or (board.town.get(hex_) == "city" and board.holder[hex_] == foe):
            return False
        if side == "german" and hex_ in board.forts:
            return False
        if any(h in attackers for h in neighbors(hex_)):
            return False
        load = sum(u.size for u in units if not u.static)
        return board.room(hex_, side) >= load and all(board.fits(hex_, u) for u in units if not u.static)


def surrounds(hexes: set[Hex], target: Hex) -> bool:
    around = [h in hexes for h in neighbors(target)]
    if sum(around) > 3:
        return True
    opposite = any(around[i] and around[i + 3] for i in range(3))
    return opposite or all(around[::2]) or all(around[1::2])
