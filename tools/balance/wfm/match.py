"""How Turning Point ends when two crude automatic players play it: is each result in reach?

Both sides follow rules of thumb on the game's own map, charts and set-up. What is left out: overruns,
strategic movement, rebuilding, and Soviet supply. The point is the spread of the victory points.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from fieldpost.definition.model import Game
from fieldpost.hexes import Hex, distance, neighbors
from tools.balance.wfm.board import Board, Unit
from tools.balance.wfm.supply import supplied

RETREAT_LIMIT = 2
AXIS_POLICIES = ("hold", "withdraw")  # withdraw: whoever faces two armies steps back


def score(cell: str) -> int:
    """What a result is worth to the attacker, in steps or hexes."""
    if cell in ("AE", "DE"):
        return -6 if cell == "AE" else 6
    if "/" in cell:
        attacker, defender = cell.split("/")
        return int(defender) - int(attacker)
    return int(cell[1:]) * (-1 if cell[0] == "A" else 1)


class Match:
    """One play-through."""

    def __init__(self, game: Game, seed: int, policy: str) -> None:
        self.rng = random.Random(seed)
        self.board = Board(game, game.scenario["turning-point"], self.rng)
        self.policy = policy
        self.crt = game.table["combat-results"]
        self.odds = game.table["odds"]
        self.turn = 22
        self.attacks: Counter[str] = Counter()

    def play(self) -> int:
        for self.turn in (22, 23, 24):
            self.supply_phase()
            if self.turn > 22:
                self.arrivals("axis")
                self.axis_moves(panzers_only=False)
                self.combat("axis")
            self.combat("soviet")
            self.arrivals("soviet")
            self.soviet_moves()
            self.axis_moves(panzers_only=True)
            self.board.refresh_strength()
        return self.points()

    def points(self) -> int:
        good = supplied(self.board)
        return sum(u.points for u in self.board.side("axis") if u.id in good or u.depot)

    # --- phases

    def supply_phase(self) -> None:
        board = self.board
        board.fill_cups(self.turn)
        good, isolated = supplied(board), supplied(board, reach=2)
        for unit in list(board.side("axis")):
            unit.supplied = unit.id in good or unit.depot
            if unit.supplied:
                continue
            if unit.airbase or unit.hq:
                board.remove(unit)
            elif unit.id not in isolated:
                self.attrition(unit)

    def attrition(self, unit: Unit) -> None:
        terrain = self.board.terrain(unit.hex)
        bonus = {"minor-city": 1, "major-city": 2}.get(terrain, 0) - 1 - (not unit.german)
        roll = min(8, max(0, self.rng.randint(1, 6) + bonus))
        for _ in range(int(self.board.game.table["attrition"].cell(str(roll), "loss"))):
            if unit.on_map:
                self.board.lose(unit)

    def arrivals(self, side: str) -> None:
        for entry in self.board.scenario.reinforcements:
            if entry.side != side or entry.turn != self.turn:
                continue
            for name in entry.units:
                place = self.entry_hex(side)
                if place is not None:
                    self.board.place(name, place)

    def entry_hex(self, side: str) -> Hex | None:
        board = self.board
        if side == "soviet":
            spots = [h for u in board.side("soviet") if u.hq for h in (u.hex, *neighbors(u.hex))]
            spots = [h for h in spots if board.enterable(h, "soviet") and not board.zone(h, "axis")]
        else:
            good = board.supply_field
            spots = [h for h in good if board.nearest(h, "soviet") >= 4 and board.room(h)]
        return min(spots, key=lambda h: board.nearest(h, board.other(side)), default=None)

    # --- movement

    def soviet_moves(self) -> None:
        """Armies go where they cut off most, else towards what supplies the Axis."""
        board = self.board
        movers = sorted((u for u in board.side("soviet") if u.army), key=lambda u: (-u.movement, u.id))
        for unit in movers:
            before, board.supply_field = len(supplied(board)), board.field()
            if board.fixed(unit) and self.rng.random() < 0.5:
                continue
            best, best_value = unit.hex, self.soviet_value(unit, unit.hex, before)
            for hex_ in board.reachable(unit):
                value = self.soviet_value(unit, hex_, before)
                if value > best_value:
                    best, best_value = hex_, value
            board.move(unit, best)

    def soviet_value(self, unit: Unit, hex_: Hex, before: int) -> float:
        board = self.board
        home, cut = unit.hex, 0
        if any(h in board.supply_field for h in (hex_, *neighbors(hex_))):
            board.move(unit, hex_)
            cut = before - len(supplied(board))
            board.move(unit, home)
        prey = [u for u in board.side("axis") if u.depot or u.hq or u.airbase]
        if not board.led(hex_):
            return -20.0
        near = min((distance(hex_, u.hex) for u in prey), default=0)
        beside = sum(1 for h in neighbors(hex_) if board.at(h, "axis"))
        return 6 * cut - 0.6 * near + 0.8 * min(beside, 2) + self.rng.random()

    def axis_moves(self, *, panzers_only: bool) -> None:
        board = self.board
        board.supply_field = board.field()
        units = [u for u in board.side("axis") if u.movement and not u.hq]
        for unit in sorted(units, key=lambda u: (u.depot, -u.movement, u.id)):
            if (panzers_only and not unit.panzer) or unit.army:
                continue
            options = [unit.hex, *board.reachable(unit)]
            board.move(unit, max(options, key=lambda h: self.axis_value(unit, h)))

    def axis_value(self, unit: Unit, hex_: Hex) -> float:
        board = self.board
        threat = sum(len(board.at(h, "soviet")) for h in neighbors(hex_))
        value = 8.0 * (hex_ in board.supply_field)
        if unit.depot or unit.airbase:
            return value + self.rear_value(unit, hex_)
        wards = [u for u in board.at(hex_, "axis") if u.depot or u.hq or u.airbase]
        guards = [u for u in board.at(hex_, "axis") if u.zone and u is not unit]
        value += 3 * bool(wards and not guards)
        pressed = unit.hex not in board.supply_field or (self.policy == "withdraw" and self.pressed(unit))
        if pressed:
            value += 0.3 * min(board.nearest(hex_, "soviet"), 4) - 1.6 * threat
        else:
            value += 4 * (hex_ == unit.hex) - 0.7 * threat + 1.2 * (unit.panzer and threat > 0)
        return value + self.rng.random() * 0.5

    def rear_value(self, unit: Unit, hex_: Hex) -> float:
        """Depots and airbases keep away from the enemy, or with a guard."""
        board = self.board
        guarded = any(u.zone for u in board.at(hex_, "axis"))
        gap = min(board.nearest(hex_, "soviet"), 4)
        return gap + 2 * guarded - 0.3 * distance(hex_, unit.hex)

    def pressed(self, unit: Unit) -> bool:
        return sum(len(self.board.at(h, "soviet")) for h in neighbors(unit.hex)) > 1

    # --- combat

    def combat(self, side: str) -> None:
        """The best attack first, until none is worth its dice."""
        used: set[str] = set()
        struck: set[Hex] = set()
        while True:
            plans = [p for h in self.targets(side) if h not in struck if (p := self.plan(side, h, used))]
            if not plans:
                return
            worth, target, attackers = max(plans, key=lambda p: p[0])
            if worth < (0.3 if side == "soviet" else 0.5):
                return
            struck.add(target)
            used |= {u.id for u in attackers}
            self.fight(side, attackers, target)

    def targets(self, side: str) -> Iterator[Hex]:
        other = self.board.other(side)
        yield from sorted({u.hex for u in self.board.side(other)})

    def plan(self, side: str, target: Hex, used: set[str]) -> tuple[float, Hex, list[Unit]] | None:
        able = [
            u
            for h in neighbors(target)
            for u in self.board.at(h, side)
            if u.id not in used and self.board.attack(u) > 0 and self.board.passable(h, target)
        ]
        if not able:
            return None
        column = self.column(able, target)
        modifier = self.modifier(side, target)
        worth = sum(score(self.crt.cell(str(min(10, d + modifier)), column)) for d in range(1, 7)) / 6
        return worth, target, able

    def column(self, attackers: list[Unit], target: Hex) -> str:
        board = self.board
        defenders = board.at(target, board.other(attackers[0].side))
        attack = sum(board.attack(u) for u in attackers)
        defense = sum(board.defense(u) for u in defenders)
        rivers = [board.river(u.hex, target) for u in attackers]
        if all(rivers):
            defense = defense * 2 if "major" in rivers else defense + min(2, defense)
        best = self.odds.columns[0]
        for name, cell in self.odds.row(board.terrain(target)).items():
            a, d = cell.split(":")
            if attack * int(d) >= defense * int(a):
                best = name
        return best

    def modifier(self, side: str, target: Hex) -> int:
        groups = [u.hex for u in self.board.side("soviet") if u.osg]
        return 1 + 3 * (side == "soviet" and any(distance(h, target) <= 3 for h in groups))

    def fight(self, side: str, attackers: list[Unit], target: Hex) -> None:
        board = self.board
        other = board.other(side)
        defenders = list(board.at(target, other))
        column = self.column(attackers, target)
        roll = min(10, self.rng.randint(1, 6) + self.modifier(side, target))
        result = self.crt.cell(str(roll), column)
        self.attacks[f"{side} {result}"] += 1
        steps = 3
        if result == "AE":
            self.destroy(attackers)
        elif result == "DE":
            self.destroy(defenders)
        elif "/" in result:
            a, d = map(int, result.split("/"))
            self.take(defenders, d)
            self.take(attackers, a)
        elif result[0] == "A":
            self.settle(attackers, int(result[1:]))
        else:
            steps = int(result[1:])
            self.settle(defenders, steps)
        if not board.at(target, other) and result != "AE":
            self.advance(attackers, target, steps)

    def destroy(self, units: list[Unit]) -> None:
        for unit in list(units):
            self.board.remove(unit)

    def take(self, units: list[Unit], losses: int) -> None:
        for _ in range(losses):
            alive = [u for u in units if u.on_map]
            fighting = [u for u in alive if u.zone] or alive
            if not fighting:
                return
            self.board.lose(min(fighting, key=lambda u: (u.lost, u.points)))
        if not any(u.on_map and u.zone for u in units):
            self.destroy([u for u in units if u.on_map and not u.movement])

    def settle(self, units: list[Unit], number: int) -> None:
        """Go back if that costs nothing, else pay in steps; what cannot go is lost."""
        paths = {u.id: self.board.retreat(u, number) for u in units if u.movement}
        if all(paths.get(u.id) for u in units) and number <= RETREAT_LIMIT:
            for unit in units:
                self.board.move(unit, paths[unit.id][-1])
            return
        self.take(units, number)

    def advance(self, attackers: list[Unit], target: Hex, number: int) -> None:
        board = self.board
        alive = [u for u in attackers if u.on_map and u.zone]
        if not alive:
            return
        first = max(alive, key=lambda u: (u.advance, board.defense(u)))
        if first.side == "axis" and self.policy == "withdraw":
            return
        board.move(first, target)
        for _ in range(min(first.advance, number) - 1):
            if board.zone(first.hex, board.other(first.side)):
                return
            free = [h for h in neighbors(first.hex) if board.enterable(h, first.side)]
            if free and first.side == "soviet":
                before = len(supplied(board))
                board.move(first, max(free, key=lambda h: self.soviet_value(first, h, before)))
