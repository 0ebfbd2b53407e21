"""A crude Soviet player: a line before the towns, behind rivers and woods; attacks as the Directive asks."""

from __future__ import annotations

from collections import defaultdict

from fieldpost.hexes import Hex
from tools.balance.lwe.battles import Battles, Plan
from tools.balance.lwe.board import Board, Unit, way
from tools.balance.lwe.supply import coastal, soviet_field

WORTH_A_FIGHT = 0.8
FEAR = 2.0  # what the nearness of dear towns adds to a hex's draw
COVER, RIVER = 0.5, 0.4  # what a column of cover and a river before the hex add to its draw
DEAR = {"4618": 4.0, "3802": 2.0}  # Moscow may end the war (4.4); Leningrad feeds Oranienbaum
STACKED = 0.8  # what each factor that already stands in a hex adds to its draw, up to five


class Soviet:
    def __init__(self, board: Board, battles: Battles) -> None:
        self.board, self.battles = board, battles
        self.rng = board.rng
        self.front: dict[Hex, int] = {}
        self.fear: dict[Hex, float] = {}
        self.coast = coastal(board)
        lattice = board.map.lattice
        self.dear = {h: board.worth(h) * DEAR.get(lattice.label(h), 1.0) for h in board.open}

    # --- assaults

    def assaults(self) -> None:
        """All units beside the enemy while the Directive is in force; else what is worth it."""
        board = self.board
        used: set[str] = set()
        done: set[Hex] = set()
        while True:
            plans = [p for h in sorted(board.occupied("german") - done) if (p := self.plan(h, used))]
            plan = max(plans, key=lambda p: p.worth, default=None)
            if plan is None or plan.worth < WORTH_A_FIGHT:
                break
            done.add(plan.target)
            used |= {u.id for u in plan.attackers}
            self.fight(plan)
        if board.dd3:
            self.forced(used)

    def plan(self, target: Hex, used: set[str]) -> Plan | None:
        board = self.board
        if board.turn == 1 and board.country.get(target) == "romania":
            return None
        able = [u for h in board.open[target] for u in board.at(h, "soviet") if u.id not in used and u.attack]
        return self.battles.plan(able, target) if able else None

    def forced(self, used: set[str]) -> None:
        """5.6: who stands beside the enemy, not over a river, nor in a city or a fortified place."""
        board = self.board
        for unit in sorted(board.side("soviet"), key=lambda u: u.id):
            if unit.id in used or not unit.on_map or not unit.attack or self.exempt(unit.hex):
                continue
            near = [h for h in board.open[unit.hex] if board.at(h, "german") and not board.river(unit.hex, h)]
            near = [h for h in near if not (board.turn == 1 and board.country.get(h) == "romania")]
            plans = [p for h in near if (p := self.plan(h, used))]
            if plans:
                plan = max(plans, key=lambda p: p.worth)
                used |= {u.id for u in plan.attackers}
                self.fight(plan)

    def exempt(self, hex_: Hex) -> bool:
        board = self.board
        zone = any(u.zone for u in board.at(hex_, "soviet"))
        return zone or hex_ in board.forts or board.town.get(hex_) == "city"

    def fight(self, plan: Plan) -> None:
        board = self.board
        if self.battles.fight(plan.attackers, plan.target) and board.worth(plan.target):
            for unit in [u for u in plan.attackers if u.on_map and not u.static][:3]:
                if board.fits(plan.target, unit):
                    board.enter(unit, [plan.target])

    # --- movement

    def moves(self) -> None:
        self.look()
        board = self.board
        movers = [u for u in board.side("soviet") if not u.static]
        if board.turn == 1:
            movers = [u for u in movers if board.country.get(u.hex) != "romania"]
        for unit in sorted(movers, key=lambda u: (self.front.get(u.hex, 99), -u.defense, u.id)):
            best, came = board.reach(unit)
            ends = [h for h in best if board.fits(h, unit)] or [unit.hex]
            end = max(ends, key=lambda h: (self.value(unit, h), h))
            unit.spent += best[end]
            board.enter(unit, way(came, end))

    def look(self) -> None:
        board = self.board
        self.front = board.steps_from(sorted(board.occupied("german")))
        self.fed = soviet_field(board)
        self.fear = self.fears()

    def fears(self) -> dict[Hex, float]:
        """How dear each hex is: towns behind it, nearer ones more, those in danger most."""
        board = self.board
        found: dict[Hex, float] = defaultdict(float)
        for town in (t for t in board.away if board.holder[t] == "soviet"):
            danger = self.dear[town] / (1 + self.front.get(town, 99) / 6)
            for hex_, far in board.away[town].items():
                if far < 12:
                    found[hex_] += danger / (far + 2)
        return found

    def value(self, unit: Unit, hex_: Hex) -> float:
        """Towns and roads before the enemy, in stacks that are worth attacking, with cover."""
        board = self.board
        near = self.front.get(hex_, 99)
        held = sum(u.defense for u in board.at(hex_, "soviet") if u is not unit)
        beside = sum(u.defense for h in board.open[hex_] for u in board.at(h, "soviet") if u is not unit)
        value = self.fear.get(hex_, 0.0) * FEAR + COVER * board.cover(hex_) - 0.1 * beside
        value -= 0.35 * max(0, near - 3)
        if near <= 10:
            value += 3.0 * self.dear[hex_] / (1 + held / 2) + 0.6 * (hex_ in board.road_hexes)
        if near == 1 and not board.worth(hex_):
            value -= 1.2 if board.dd3 else 0.3
        rivers = sum(board.river(hex_, b) and self.front.get(b, 99) < near for b in board.open[hex_])
        value += RIVER * min(rivers, 3)
        value += STACKED * held if held < 5 else 5 * STACKED - 0.25 * (held - 5)
        if hex_ not in self.fed and hex_ not in self.coast:
            value -= 1 if board.dd3 else 8
        return value + 0.2 * self.rng.random()

    # --- new units

    def entry(self, places: list[Hex]) -> Hex | None:
        """Where a new unit is wanted most."""
        board = self.board
        good = [h for h in places if board.room(h, "soviet") > -6]
        return max(good, key=self.want, default=None)

    def want(self, hex_: Hex) -> float:
        board = self.board
        held = sum(u.defense for u in board.at(hex_, "soviet"))
        return 8 * self.dear[hex_] / (2 + self.front.get(hex_, 99)) - 0.5 * held + self.rng.random()
